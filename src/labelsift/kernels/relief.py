"""Distances between rows of mixed kinds, and the weights of ReliefF.

``kinds`` says what a column holds: numbers scaled to 0..1, or codes of categories,
each with or without missing values (NaN). ``unknown`` is the difference that a missing
category counts for. Differences are added in the order of the columns, so that a
distance has the same bits whatever the blocks are.
"""

import numpy as np
from numba import njit

NUMBERS, CATEGORIES, NUMBERS_MISSING, CATEGORIES_MISSING = 0, 1, 2, 3
ROWS, COLUMNS = 256, 128  # a slab of this size is packed into the cache


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
def _add_numbers(total, own, slab, width, n):
    """Add the differences of ``width`` numeric columns; four columns at a time."""
    whole = width - width % 4
    for f in range(0, whole, 4):
        x0, x1, x2, x3 = own[f], own[f + 1], own[f + 2], own[f + 3]
        c0, c1, c2, c3 = slab[f], slab[f + 1], slab[f + 2], slab[f + 3]
        for j in range(n):
            value = total[j]
            value += abs(c0[j] - x0)
            value += abs(c1[j] - x1)
            value += abs(c2[j] - x2)
            value += abs(c3[j] - x3)
            total[j] = value
    for f in range(whole, width):
        x0 = own[f]
        c0 = slab[f]
        for j in range(n):
            total[j] += abs(c0[j] - x0)


@njit(cache=True, nogil=True)
def row_distances(Z, kinds, unknown, chosen, first, distances):
    """Write the distances of the ``chosen`` rows to the rows ``first``.. of Z."""
    n, d = Z.shape
    slab = np.empty((COLUMNS, ROWS))
    distances[:, first:] = 0.0
    for j_start in range(first, n, ROWS):
        j_stop = min(j_start + ROWS, n)
        size = j_stop - j_start
        for f_start in range(0, d, COLUMNS):
            f_stop = min(f_start + COLUMNS, d)
            width = f_stop - f_start
            for j in range(size):
                row = Z[j_start + j]
                for f in range(width):
                    slab[f, j] = row[f_start + f]
            plain = True
            for f in range(f_start, f_stop):
                plain = plain and kinds[f] == NUMBERS
            for i in range(len(chosen)):
                own = Z[chosen[i], f_start:f_stop]
                total = distances[i, j_start:j_stop]
                if plain:
                    _add_numbers(total, own, slab, width, size)
                    continue
                for f in range(width):
                    kind, value = kinds[f_start + f], own[f]
                    missing = unknown[f_start + f]
                    column = slab[f]
                    for j in range(size):
                        total[j] += difference(kind, value, column[j], missing)


@njit(cache=True, nogil=True)
def add_weights(
    Z, kinds, unknown, owners, problems, indptr, rows, shares, start, stop, weights
):
    """Add ``share * difference`` of each pair to the columns start..stop-1.

    Pairs come in lists, ``indptr``: list s belongs to row ``owners[s]`` and to problem
    ``problems[s]``, a row of ``weights``.
    """
    width = stop - start
    part_kinds, part_unknown = kinds[start:stop], unknown[start:stop]
    plain = True
    for f in range(width):
        plain = plain and part_kinds[f] == NUMBERS
    for s in range(len(owners)):
        own = Z[owners[s], start:stop]
        out = weights[problems[s], start:stop]
        p = indptr[s]
        end = indptr[s + 1]
        if plain:
            while p + 4 <= end:
                w0, w1, w2, w3 = shares[p], shares[p + 1], shares[p + 2], shares[p + 3]
                r0, r1 = Z[rows[p], start:stop], Z[rows[p + 1], start:stop]
                r2, r3 = Z[rows[p + 2], start:stop], Z[rows[p + 3], start:stop]
                for f in range(width):
                    x = own[f]
                    value = out[f]
                    value += w0 * abs(x - r0[f])
                    value += w1 * abs(x - r1[f])
                    value += w2 * abs(x - r2[f])
                    value += w3 * abs(x - r3[f])
                    out[f] = value
                p += 4
        while p < end:
            other = Z[rows[p], start:stop]
            share = shares[p]
            if plain:
                for f in range(width):
                    out[f] += share * abs(own[f] - other[f])
            else:
                for f in range(width):
                    gap = difference(part_kinds[f], own[f], other[f], part_unknown[f])
                    out[f] += share * gap
            p += 1
