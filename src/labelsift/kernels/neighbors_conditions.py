"""How often a count occurs among rows whose whole count vector is similar."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]


@njit(cache=True, nogil=True)
def similar_counts(
    queries: Array,
    counts: Array,
    labels: Array,
    delta: int,
    order: Array,
    present: Array,
    absent: Array,
) -> None:
    """Add, for each query and label, the similar rows that have its very count.

    A row is similar when its counts differ by at most ``delta`` in every label; labels
    are looked at in ``order``. ``present`` and ``absent`` (queries, labels) receive how
    many such rows have the label and how many have not.
    """
    n, L = counts.shape
    for t in range(queries.shape[0]):
        for i in range(n):
            similar = True
            for a in range(L):
                gap = counts[i, order[a]] - queries[t, order[a]]
                if gap > delta or gap < -delta:
                    similar = False
                    break
            if not similar:
                continue
            for label in range(L):
                if counts[i, label] == queries[t, label]:
                    if labels[i, label]:
                        present[t, label] += 1
                    else:
                        absent[t, label] += 1
