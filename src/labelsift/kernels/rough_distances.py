"""Tolerance neighbourhoods by one threshold on the Euclidean distance.

The counterpart of ``rough_windows``: here the lists hold, beside each violating row,
its squared distance over the features chosen so far. ``values`` are the features on
one scale with NaN where missing, a coordinate that adds nothing; two values of a
nominal feature are 0 or 1 apart. Coordinates are added in the order of ``columns``.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _is_violated(required, labels, u, j):
    for w in range(required.shape[1]):
        if required[u, w] & ~labels[j, w]:
            return True
    return False


@njit(cache=True, nogil=True)
def _squared(a, b, is_nominal):
    difference = a - b
    if difference != difference:  # missing on either side
        return 0.0
    if is_nominal:
        return 0.0 if difference == 0 else 1.0
    return difference * difference


@njit(cache=True, nogil=True)
def find_certain(
    samples, required, labels, start, stop, columns, values, nominal, limit, certain
):
    """Mark the units of ``start`` to ``stop`` without a violating neighbour."""
    n = labels.shape[0]
    for u in range(start, stop):
        i = samples[u]
        certain[u] = True
        for j in range(n):
            if not _is_violated(required, labels, u, j):
                continue
            distance = 0.0
            for c in columns:
                distance += _squared(values[i, c], values[j, c], nominal[c])
                if distance > limit:
                    break
            if distance <= limit:
                certain[u] = False
                break


@njit(cache=True, nogil=True)
def list_neighbors(
    samples,
    required,
    labels,
    units,
    columns,
    values,
    nominal,
    limit,
    members,
    distances,
    begin,
    length,
):
    """List the violating neighbours of the units and their squared distances."""
    n = labels.shape[0]
    at = 0
    for k in range(len(units)):
        u = units[k]
        i = samples[u]
        begin[k] = at
        for j in range(n):
            if not _is_violated(required, labels, u, j):
                continue
            distance = 0.0
            for c in columns:
                distance += _squared(values[i, c], values[j, c], nominal[c])
                if distance > limit:
                    break
            if distance <= limit:
                members[at] = j
                distances[at] = distance
                at += 1
        length[k] = at - begin[k]
    return at


@njit(cache=True, nogil=True)
def narrow_lists(
    rows,
    column,
    values,
    nominal,
    limit,
    members,
    distances,
    begin,
    length,
    pointers,
):
    """Keep the listed neighbours that ``column`` leaves, and move the pointers."""
    at = 0
    longest = 0
    for k in range(len(rows)):
        longest = max(longest, length[k])
    moved = np.empty(longest + 1, dtype=np.int32)
    for k in range(len(rows)):
        own = values[rows[k], column]
        first, size = begin[k], length[k]
        begin[k] = at
        for p in range(size):
            j = members[first + p]
            distance = distances[first + p]
            distance += _squared(own, values[j, column], nominal[column])
            moved[p] = at - begin[k]
            if distance <= limit:
                members[at] = j
                distances[at] = distance
                at += 1
        length[k] = at - begin[k]
        moved[size] = length[k]
        for c in range(pointers.shape[1]):
            pointers[k, c] = moved[pointers[k, c]]
    return at


@njit(cache=True, nogil=True)
def count_gains(
    rows,
    columns,
    values,
    nominal,
    limit,
    members,
    distances,
    begin,
    length,
    pointers,
    gains,
):
    """Count for each column the rows that it would leave without a violation."""
    k = 0
    while k < len(rows):
        stop = k + 1
        while stop < len(rows) and rows[stop] == rows[k]:
            stop += 1
        i = rows[k]
        for c in columns:
            for u in range(k, stop):
                p = pointers[u, c]
                end = length[u]
                first = begin[u]
                while p < end:
                    j = members[first + p]
                    squared = _squared(values[i, c], values[j, c], nominal[c])
                    if distances[first + p] + squared <= limit:
                        break
                    p += 1
                pointers[u, c] = p
                if p == end:
                    gains[c] += 1
                    break
        k = stop


@njit(cache=True, nogil=True)
def count_discerned(
    rows, values, nominal, limit, most, members, distances, begin, length, sums, counts
):
    """Count for each column the listed pairs that it would push beyond the limit.

    ``most`` is the largest square that any column can add: many pairs are not far
    enough apart for that.
    """
    d = values.shape[1]
    some_nominal = nominal.any()
    for k in range(len(rows)):
        i = rows[k]
        for p in range(begin[k], begin[k] + length[k]):
            j = members[p]
            before = distances[p]
            if before + most <= limit:
                continue
            if not some_nominal:
                for c in range(d):
                    difference = values[i, c] - values[j, c]
                    sums[c] += before + difference * difference > limit  # no NaN is
                continue
            for c in range(d):
                difference = values[i, c] - values[j, c]
                squared = difference * difference
                if nominal[c]:
                    squared = 1.0 if difference < 0 or difference > 0 else 0.0
                sums[c] += before + squared > limit
    for c in range(d):
        counts[c] += sums[c]
        sums[c] = 0
