"""How many neighbours have each label."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]


@njit(cache=True, nogil=True)
def count_labels(index: Array, k: int, labels: Array, out: Array) -> None:
    """Add to ``out`` (rows, labels) the label rows of each row's first k neighbours."""
    for i in range(index.shape[0]):
        for a in range(k):
            row = index[i, a]
            for label in range(labels.shape[1]):
                out[i, label] += labels[row, label]
