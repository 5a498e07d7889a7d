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
    samples,
    required,
    labels,
    start,
    stop,
    columns,
    order,
    bounds,
    block_of,
    codes,
    low,
    high,
    missing,
    certain,
):
    """Mark the units of ``start`` to ``stop`` without a violating neighbour.

    Rows of different blocks are known to be no neighbours; ``order`` lists rows block
    by block, ``bounds`` where each begins.
    """
    for u in range(start, stop):
        i = samples[u]
        block = block_of[i]
        certain[u] = True
        for p in range(bounds[block], bounds[block + 1]):
            j = order[p]
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
    by_column,
    low,
    high,
    missing,
    members,
    begin,
    length,
):
    """List the violating neighbours of the units, one unit after another.

    ``by_column`` holds the codes of ``columns``, one row a column. Writing first and
    counting afterwards spares a branch that no processor can foresee.
    """
    n = labels.shape[0]
    at = 0
    for k in range(len(units)):
        u = units[k]
        i = samples[u]
        first = at
        for j in range(n):
            members[at] = j
            at += _is_violated(required, labels, u, j)
        for c in range(len(columns)):
            lower, upper = low[i, columns[c]], high[i, columns[c]]
            size = at
            at = first
            for p in range(first, size):
                j = members[p]
                t = by_column[c, j]
                members[at] = j
                at += (t == missing) | ((t >= lower) & (t <= upper))
        begin[k] = first
        length[k] = at - first
    return at


@njit(cache=True, nogil=True)
def narrow_lists(
    rows, column, codes, low, high, missing, members, begin, length, pointers
):
    """Keep the listed neighbours that a column leaves, and move the pointers.

    ``codes`` are those of this ``column``.
    """
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
            t = codes[j]
            moved[p] = at - begin[k]
            members[at] = j
            at += (t == missing) | ((t >= lower) & (t <= upper))
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


@njit(cache=True, nogil=True)
def count_discerned_alone(
    samples,
    masks,
    by_set,
    starts,
    fits,
    fits_starts,
    start,
    stop,
    codes,
    low,
    high,
    missing,
    n_codes,
    counts,
):
    """Count for some columns all violating pairs that each tells apart alone.

    Rows of one label set and one code are counted together. ``by_set`` lists rows by
    label set, ``starts`` where each set begins; units of one number in ``masks``
    require the same labels and follow each other, and ``fits`` are the label sets that
    hold them. Violating are all rows but those.
    """
    n = len(by_set)
    n_sets = len(starts) - 1
    values = np.empty(n, dtype=np.int64)
    sizes = np.empty(n, dtype=np.int64)
    first = np.empty(n_sets + 1, dtype=np.int64)
    of_code = np.zeros(n_codes + 1, dtype=np.int64)
    every = np.empty(n_codes + 1, dtype=np.int64)
    sums = np.empty(n_codes + 1, dtype=np.int64)
    for c in range(start, stop):
        m = 0
        every[:] = 0
        for s in range(n_sets):
            first[s] = m
            for p in range(starts[s], starts[s + 1]):
                t = codes[by_set[p], c]
                if t != missing:
                    of_code[t] += 1
            for p in range(starts[s], starts[s + 1]):
                t = codes[by_set[p], c]
                if t != missing and of_code[t]:
                    values[m], sizes[m] = t, of_code[t]
                    every[t + 1] += of_code[t]
                    of_code[t] = 0
                    m += 1
        first[n_sets] = m
        total = 0
        u = 0
        while u < len(samples):
            mask = masks[u]
            sums[:] = every
            for f in range(fits_starts[mask], fits_starts[mask + 1]):
                for k in range(first[fits[f]], first[fits[f] + 1]):
                    sums[values[k] + 1] -= sizes[k]
            for v in range(n_codes):
                sums[v + 1] += sums[v]
            while u < len(samples) and masks[u] == mask:
                i = samples[u]
                if codes[i, c] != missing:
                    near = sums[np.int64(high[i, c]) + 1] - sums[low[i, c]]
                    total += sums[n_codes] - near
                u += 1
        counts[c] = total
