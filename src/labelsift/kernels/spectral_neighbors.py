"""The nearest rows of each row, by Euclidean distance, ties to the lower index."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _keep_nearest(squared, own, neighbors, distances):
    """Write the nearest rows to ``neighbors``; rows come in the order of the index."""
    k = len(neighbors)
    found = 0
    for j in range(len(squared)):
        if j == own or (found == k and squared[j] >= distances[k - 1]):
            continue
        place = min(found, k - 1)
        while place > 0 and distances[place - 1] > squared[j]:
            distances[place] = distances[place - 1]
            neighbors[place] = neighbors[place - 1]
            place -= 1
        distances[place] = squared[j]
        neighbors[place] = j
        found = min(found + 1, k)


@njit(cache=True, nogil=True)
def nearest_rows(columns, start, stop, neighbors, distances):
    """Find the nearest rows of the rows start..stop-1.

    ``columns`` is (d, n): one feature after the other, so that the distances of a row
    to all others are summed side by side. ``distances`` are squared.
    """
    d, n = columns.shape
    squared = np.empty(n)
    for i in range(start, stop):
        squared[:] = 0.0
        for f in range(d):
            column = columns[f]
            own = column[i]
            for j in range(n):
                gap = column[j] - own
                squared[j] += gap * gap
        _keep_nearest(squared, i, neighbors[i], distances[i])


@njit(cache=True, nogil=True)
def nearest_sparse_rows(indptr, indices, values, start, stop, neighbors, distances):
    """Find the nearest rows of CSR rows; sums go in the order of the columns."""
    n = len(indptr) - 1
    squared = np.empty(n)
    for i in range(start, stop):
        for j in range(n):
            p, p_stop = indptr[i], indptr[i + 1]
            r, r_stop = indptr[j], indptr[j + 1]
            total = 0.0
            while p < p_stop or r < r_stop:
                if r == r_stop or (p < p_stop and indices[p] < indices[r]):
                    gap = values[p]
                    p += 1
                elif p == p_stop or indices[r] < indices[p]:
                    gap = values[r]
                    r += 1
                else:
                    gap = values[r] - values[p]
                    p += 1
                    r += 1
                total += gap * gap
            squared[j] = total
        _keep_nearest(squared, i, neighbors[i], distances[i])
