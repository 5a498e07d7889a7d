"""ReliefF on sparse rows: what both rows leave out is no difference.

``alone`` holds the difference of each stored entry to an entry that is left out. Sums
go in the order of the columns, as for dense rows, so that distances have the same bits.
"""

import numpy as np
from numba import njit

NUMBERS, CATEGORIES, NUMBERS_MISSING, CATEGORIES_MISSING = 0, 1, 2, 3


@njit(cache=True, nogil=True)
def difference(kind, a, b, unknown):
    """Return how far two values of one column are apart, from 0 to 1."""
    if kind == NUMBERS:
        return abs(a - b)
    if kind == CATEGORIES:
        return 0.0 if a == b else 1.0
    a_missing, b_missing = a != a, b != b
    if kind == CATEGORIES_MISSING:
        if a_missing or b_missing:
            return unknown
        return 0.0 if a == b else 1.0
    if a_missing and b_missing:
        return 1.0
    if a_missing or b_missing:
        present = b if a_missing else a
        return 1.0 - present if present < 0.5 else present
    return abs(a - b)


@njit(cache=True, nogil=True)
def _distance(indices, values, alone, kinds, unknown, plain, p, p_end, r, r_end):
    """Return the distance of two rows, whose entries are p..p_end-1 and r..r_end-1."""
    total = 0.0
    while p < p_end and r < r_end:
        f, g = indices[p], indices[r]
        if plain:
            # no branches but the loop: which row is next is anyone's guess
            first, second = f <= g, g <= f
            gap = alone[p] if first else alone[r]
            total += abs(values[p] - values[r]) if f == g else gap
            p += first
            r += second
        elif f < g:
            total += alone[p]
            p += 1
        elif g < f:
            total += alone[r]
            r += 1
        else:
            total += difference(kinds[f], values[p], values[r], unknown[f])
            p += 1
            r += 1
    while p < p_end:
        total += alone[p]
        p += 1
    while r < r_end:
        total += alone[r]
        r += 1
    return total


@njit(cache=True, nogil=True)
def sparse_row_distances(
    indptr, indices, values, alone, kinds, unknown, plain, chosen, first, distances
):
    """Write the distances of the ``chosen`` rows to the rows ``first``..

    ``plain`` says that all columns are numbers without missing values.
    """
    n = len(indptr) - 1
    for i in range(len(chosen)):
        begin, end = indptr[chosen[i]], indptr[chosen[i] + 1]
        for j in range(first, n):
            distances[i, j] = _distance(
                indices,
                values,
                alone,
                kinds,
                unknown,
                plain,
                begin,
                end,
                indptr[j],
                indptr[j + 1],
            )


@njit(cache=True, nogil=True)
def add_sparse_weights(
    indptr,
    indices,
    values,
    alone,
    kinds,
    unknown,
    owners,
    problems,
    list_indptr,
    rows,
    shares,
    start,
    stop,
    weights,
):
    """Add ``share * difference`` of each pair, for the problems start..stop-1."""
    for s in range(len(owners)):
        if problems[s] < start or problems[s] >= stop:
            continue
        out = weights[problems[s]]
        begin, end = indptr[owners[s]], indptr[owners[s] + 1]
        for q in range(list_indptr[s], list_indptr[s + 1]):
            p, r, r_end = begin, indptr[rows[q]], indptr[rows[q] + 1]
            share = shares[q]
            while p < end or r < r_end:
                if r == r_end or (p < end and indices[p] < indices[r]):
                    out[indices[p]] += share * alone[p]
                    p += 1
                elif p == end or indices[r] < indices[p]:
                    out[indices[r]] += share * alone[r]
                    r += 1
                else:
                    f = indices[p]
                    gap = difference(kinds[f], values[p], values[r], unknown[f])
                    out[f] += share * gap
                    p += 1
                    r += 1


@njit(cache=True, nogil=True)
def differences_to_zeros(indices, values, zeros, kinds, unknown):
    """Return the difference of each stored entry to what is left out of its column."""
    alone = np.empty(len(values))
    for p in range(len(values)):
        f = indices[p]
        alone[p] = difference(kinds[f], values[p], zeros[f], unknown[f])
    return alone
