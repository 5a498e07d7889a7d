"""Ranks of sorted columns."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def value_ranks(columns, order):
    """Return the ranks of sorted columns and how many values are not missing.

    Parameters
    ----------
    columns : ndarray of shape (d, n), float
        Values; missing ones as NaN.
    order : ndarray of shape (d, n), int
        Positions that sort each row of ``columns``, missing values last.

    Returns
    -------
    ranks : ndarray of shape (d, n), int32
        Number of smaller distinct values, in sorted order.
    n_known : ndarray of shape (d,), int64
        Values that are not missing.
    """
    d, n = columns.shape
    ranks = np.zeros((d, n), dtype=np.int32)
    n_known = np.zeros(d, dtype=np.int64)
    for j in range(d):
        rank = 0
        for i in range(n):
            value = columns[j, order[j, i]]
            if value != value:
                break
            if i > 0 and value != columns[j, order[j, i - 1]]:
                rank += 1
            ranks[j, i] = rank
            n_known[j] += 1
    return ranks, n_known
