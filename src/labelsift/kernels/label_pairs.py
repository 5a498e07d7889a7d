"""Counts of every two labels, alone and by the levels of features."""

import numpy as np
from numba import njit

# what the tuples ``levels`` and ``labels`` hold; see statistics/levels.py
FIRST, IS_LIST, PLACE, SIZES, COUNTS, SUMS, ROWS, PLANES, MOST, MOST_PLANES = range(10)
Y_INDPTR, Y_INDICES, Y_PLANES, Y_COUNTS = range(4)


@njit(cache=True, nogil=True, inline="always")
def _add_row(labels, row, pairs):
    for p in range(labels[Y_INDPTR][row], labels[Y_INDPTR][row + 1]):
        one = labels[Y_INDICES][p]
        for r in range(p + 1, labels[Y_INDPTR][row + 1]):
            pairs[one, labels[Y_INDICES][r]] += 1


@njit(cache=True, nogil=True)
def count_label_pairs(labels, pairs):
    """Count the rows with every two labels, above the diagonal."""
    for row in range(len(labels[Y_INDPTR]) - 1):
        _add_row(labels, row, pairs)


@njit(cache=True, nogil=True, inline="always")
def _table_sum(table, rows, counts, pairs):
    total = 0
    for one in range(len(counts)):
        for other in range(one + 1, len(counts)):
            c = pairs[one, other]
            total += table[c] + table[counts[one] - c] + table[counts[other] - c]
            total += table[rows - counts[one] - counts[other] + c]
    return total


@njit(cache=True, nogil=True)
def label_pair_sums(levels, labels, all_pairs, features, start, stop, table, sums):
    """Sum ``table`` over the cells of some features with every two labels.

    The sums wrap around at 64 bits; differences of such sums do not.
    """
    n, q = len(labels[Y_INDPTR]) - 1, len(labels[Y_COUNTS])
    pairs = np.zeros((q, q), dtype=np.int64)
    rest = np.empty((q, q), dtype=np.int64)
    left = np.empty(q, dtype=np.int64)
    for k in range(start, stop):
        f = features[k]
        rest[:] = all_pairs
        left[:] = labels[Y_COUNTS]
        left_n = n
        total = 0
        for g in range(levels[FIRST][f], levels[FIRST][f + 1]):
            size = levels[SIZES][g]
            if levels[IS_LIST][f]:
                for p in range(levels[PLACE][g], levels[PLACE][g] + size):
                    _add_row(labels, levels[ROWS][p], pairs)
            else:
                plane = levels[PLANES][levels[PLACE][g]]
                for i in range(n):
                    if plane[i >> 6] >> np.uint64(i & 63) & np.uint64(1):
                        _add_row(labels, i, pairs)
            total += _table_sum(table, size, levels[COUNTS][g], pairs)
            left_n -= size
            for one in range(q):
                left[one] -= levels[COUNTS][g, one]
                for other in range(one + 1, q):
                    rest[one, other] -= pairs[one, other]
                    pairs[one, other] = 0
        sums[k] = total + _table_sum(table, left_n, left, rest)
