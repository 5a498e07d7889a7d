"""Tolerance neighbourhoods by one threshold a feature, pair by pair.

A feature is coded by the position of each value among its sorted distinct values; the
largest number of the code type stands for "missing". The values within the threshold
of row i are the codes ``low[i, c]`` to ``high[i, c]``; a missing value of row i has all
codes. A *unit* is a row with labels that all its neighbours must carry: bits
``required[u]``. Rows without some of these labels violate the unit, and the lists here
hold the violating rows that the features chosen so far leave in its neighbourhood.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def value_windows(values, threshold, low, high):
    """Write for each of the sorted values the first and last within the threshold."""
    first = 0
    last = 0
    for v in range(len(values)):
        while values[v] - values[first] > threshold:
            first += 1
        if last < v:
            last = v
        while last + 1 < len(values) and values[last + 1] - values[v] <= threshold:
            last += 1
        low[v] = first
        high[v] = last


@njit(cache=True, nogil=True)
def spread_windows(codes, offsets, lows, highs, missing, start, stop, low, high):
    """Write the window of every entry of rows ``start`` to ``stop``."""
    for i in range(start, stop):
        for c in range(codes.shape[1]):
            if codes[i, c] == missing:
                low[i, c] = 0
                high[i, c] = missing
            else:
                at = offsets[c] + codes[i, c]
                low[i, c] = lows[at]
                high[i, c] = highs[at]


@njit(cache=True, nogil=True)
def _is_violated(required, labels, u, j):
    for w in range(required.shape[1]):
        if required[u, w] & ~labels[j, w]:
            return True
    return False


@njit(cache=True, nogil=True)
def find_certain(
    samples, required, labels, start, stop, columns, codes, low, high, missing, certain
):
    """Mark the units of ``start`` to ``stop`` without a violating neighbour."""
    n = labels.shape[0]
    for u in range(start, stop):
        i = samples[u]
        certain[u] = True
        for j in range(n):
            if not _is_violated(required, labels, u, j):
                continue
            is_near = True
            for c in columns:
                t = codes[j, c]
                if (t < low[i, c] or t > high[i, c]) and t != missing:
                    is_near = False
                    break
            if is_near:
                certain[u] = False
                break


@njit(cache=True, nogil=True)
def list_neighbors(
    samples,
    required,
    labels,
    units,
    columns,
    codes,
    low,
    high,
    missing,
    members,
    begin,
    length,
):
    """List the violating neighbours of the units, one unit after another."""
    n = labels.shape[0]
    at = 0
    for k in range(len(units)):
        u = units[k]
        i = samples[u]
        begin[k] = at
        for j in range(n):
            if not _is_violated(required, labels, u, j):
                continue
            is_near = True
            for c in columns:
                t = codes[j, c]
                if (t < low[i, c] or t > high[i, c]) and t != missing:
                    is_near = False
                    break
            if is_near:
                members[at] = j
                at += 1
        length[k] = at - begin[k]
    return at


@njit(cache=True, nogil=True)
def narrow_lists(
    rows, column, codes, low, high, missing, members, begin, length, pointers
):
    """Keep the listed neighbours that ``column`` leaves, and move the pointers."""
    at = 0
    longest = 0
    for k in range(len(rows)):
        longest = max(longest, length[k])
    moved = np.empty(longest + 1, dtype=np.int32)
    for k in range(len(rows)):
        i = rows[k]
        lower, upper = low[i, column], high[i, column]
        first, size = begin[k], length[k]
        begin[k] = at
        for p in range(size):
            j = members[first + p]
            t = codes[j, column]
            moved[p] = at - begin[k]
            if t == missing or (t >= lower and t <= upper):
                members[at] = j
                at += 1
        length[k] = at - begin[k]
        moved[size] = length[k]
        for c in range(pointers.shape[1]):
            pointers[k, c] = moved[pointers[k, c]]
    return at


@njit(cache=True, nogil=True)
def count_gains(
    rows, columns, codes, low, high, missing, members, begin, length, pointers, gains
):
    """Count for each column the rows that it would leave without a violation.

    Units of one row follow each other; one of them without violation is enough. What
    a pointer has passed was told apart by this column and the features chosen so far.
    """
    k = 0
    while k < len(rows):
        stop = k + 1
        while stop < len(rows) and rows[stop] == rows[k]:
            stop += 1
        i = rows[k]
        for c in columns:
            lower, upper = low[i, c], high[i, c]
            for u in range(k, stop):
                p = pointers[u, c]
                end = length[u]
                first = begin[u]
                while p < end:
                    t = codes[members[first + p], c]
                    if t == missing or (t >= lower and t <= upper):
                        break
                    p += 1
                pointers[u, c] = p
                if p == end:
                    gains[c] += 1
                    break
        k = stop


@njit(cache=True, nogil=True)
def count_discerned(
    rows, codes, low, high, missing, members, begin, length, sums, counts
):
    """Count for each column the listed pairs that it tells apart.

    ``sums`` are counters of the width of a code, so that many columns fit into one
    machine instruction; they are added to ``counts`` before they can overflow.
    """
    d = codes.shape[1]
    room = missing
    for k in range(len(rows)):
        i = rows[k]
        for p in range(begin[k], begin[k] + length[k]):
            j = members[p]
            for c in range(d):
                t = codes[j, c]
                sums[c] += ((t < low[i, c]) | (t > high[i, c])) & (t != missing)
            room -= 1
            if room == 0:
                room = missing
                for c in range(d):
                    counts[c] += sums[c]
                    sums[c] = 0
    for c in range(d):
        counts[c] += sums[c]
        sums[c] = 0
