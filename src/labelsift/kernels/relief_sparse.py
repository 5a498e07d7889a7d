"""ReliefF on sparse rows: what both rows leave out is no difference.

``zeros`` holds what an entry that is left out stands for, column by column, in the
scale of the stored values.
"""

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
def sparse_row_distances(
    indptr, indices, values, zeros, kinds, unknown, chosen, first, distances
):
    """Write the distances of the ``chosen`` rows to the rows ``first``.."""
    n = len(indptr) - 1
    for i in range(len(chosen)):
        begin, end = indptr[chosen[i]], indptr[chosen[i] + 1]
        for j in range(first, n):
            p, r, r_end = begin, indptr[j], indptr[j + 1]
            total = 0.0
            while p < end or r < r_end:
                if r == r_end or (p < end and indices[p] < indices[r]):
                    f = indices[p]
                    a, b = values[p], zeros[f]
                    p += 1
                elif p == end or indices[r] < indices[p]:
                    f = indices[r]
                    a, b = zeros[f], values[r]
                    r += 1
                else:
                    f = indices[p]
                    a, b = values[p], values[r]
                    p += 1
                    r += 1
                total += difference(kinds[f], a, b, unknown[f])
            distances[i, j] = total


@njit(cache=True, nogil=True)
def add_sparse_weights(
    indptr,
    indices,
    values,
    zeros,
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
                    f = indices[p]
                    a, b = values[p], zeros[f]
                    p += 1
                elif p == end or indices[r] < indices[p]:
                    f = indices[r]
                    a, b = zeros[f], values[r]
                    r += 1
                else:
                    f = indices[p]
                    a, b = values[p], values[r]
                    p += 1
                    r += 1
                out[f] += share * difference(kinds[f], a, b, unknown[f])
