"""Blocks of rows that agree on the features chosen so far, and what splits them.

``order`` lists rows block by block, ``bounds`` where each block begins; ``groups``
numbers the label sets, and rows of a block are in the order of their groups.
"""

import numpy as np
from numba import njit

POWERSET, ALL, ANY = 0, 1, 2  # when the rows of a block are certain


@njit(cache=True, nogil=True)
def _fits(labels, common, i, v, rule):
    """Return whether row i keeps its labels: all, or any, are common to its block."""
    for w in range(labels.shape[1]):
        if rule == ALL and labels[i, w] & ~common[v, w]:
            return False
        if rule == ANY and labels[i, w] & common[v, w]:
            return True
    return rule == ALL


@njit(cache=True, nogil=True)
def mark_certain(order, bounds, groups, labels, rule, certain):
    """Mark the rows that are certain in blocks as they are."""
    common = np.empty((1, labels.shape[1]), dtype=np.uint64)
    for b in range(len(bounds) - 1):
        first = order[bounds[b]]
        is_mixed = False
        common[0] = labels[first]
        for p in range(bounds[b], bounds[b + 1]):
            is_mixed |= groups[order[p]] != groups[first]
            for w in range(labels.shape[1]):
                common[0, w] &= labels[order[p], w]
        for p in range(bounds[b], bounds[b + 1]):
            if rule == POWERSET:
                certain[order[p]] = not is_mixed
            else:
                certain[order[p]] = _fits(labels, common, order[p], 0, rule)


@njit(cache=True, nogil=True)
def count_certain(
    codes,
    columns,
    start,
    stop,
    order,
    bounds,
    groups,
    labels,
    rule,
    counted,
    n_codes,
    counts,
):
    """Count for some columns the ``counted`` rows that would be certain."""
    common = np.empty((n_codes, labels.shape[1]), dtype=np.uint64)
    first = np.full(n_codes, -1, dtype=np.int64)
    mixed = np.zeros(n_codes, dtype=np.bool_)
    for k in range(start, stop):
        c = columns[k]
        total = 0
        for b in range(len(bounds) - 1):
            for p in range(bounds[b], bounds[b + 1]):
                i = order[p]
                v = codes[c, i]
                if first[v] < 0:
                    first[v] = groups[i]
                    mixed[v] = False
                    common[v] = labels[i]
                elif groups[i] != first[v]:
                    mixed[v] = True
                    for w in range(labels.shape[1]):
                        common[v, w] &= labels[i, w]
            for p in range(bounds[b], bounds[b + 1]):
                i = order[p]
                if counted[i]:
                    v = codes[c, i]
                    if rule == POWERSET:
                        total += not mixed[v]
                    elif _fits(labels, common, i, v, rule):
                        total += 1
            for p in range(bounds[b], bounds[b + 1]):
                first[codes[c, order[p]]] = -1
        counts[c] = total


@njit(cache=True, nogil=True)
def count_mixed_pairs(
    codes, columns, start, stop, order, bounds, groups, n_codes, pairs
):
    """Count pairs of one block and one code, but of two groups, for some columns."""
    inside = np.zeros(n_codes, dtype=np.int64)
    in_group = np.zeros(n_codes, dtype=np.int64)
    for k in range(start, stop):
        c = columns[k]
        total = 0
        for b in range(len(bounds) - 1):
            run = bounds[b]
            for p in range(bounds[b], bounds[b + 1]):
                if groups[order[p]] != groups[order[run]]:
                    for r in range(run, p):
                        in_group[codes[c, order[r]]] = 0
                    run = p
                v = codes[c, order[p]]
                total += inside[v] - in_group[v]
                inside[v] += 1
                in_group[v] += 1
            for p in range(bounds[b], bounds[b + 1]):
                inside[codes[c, order[p]]] = 0
                in_group[codes[c, order[p]]] = 0
        pairs[c] = total


@njit(cache=True, nogil=True)
def count_violations(
    codes,
    columns,
    start,
    stop,
    order,
    bounds,
    groups,
    waiting,
    fits,
    fits_starts,
    n_codes,
    counts,
):
    """Count pairs of a waiting row and a row of its block and code without its labels.

    ``fits[fits_starts[g]:fits_starts[g + 1]]`` are the label sets that hold set g.
    """
    n = len(order)
    of_code = np.zeros(n_codes, dtype=np.int64)
    place = np.empty(n_codes, dtype=np.int64)
    seen = np.empty(n_codes, dtype=np.int64)
    sorted_rows = np.empty(n, dtype=np.int64)
    of_group = np.zeros(len(fits_starts) - 1, dtype=np.int64)
    for k in range(start, stop):
        c = columns[k]
        total = 0
        for b in range(len(bounds) - 1):
            m = 0
            for p in range(bounds[b], bounds[b + 1]):
                v = codes[c, order[p]]
                if of_code[v] == 0:
                    seen[m] = v
                    m += 1
                of_code[v] += 1
            at = 0
            for s in range(m):
                place[seen[s]] = at
                at += of_code[seen[s]]
            for p in range(bounds[b], bounds[b + 1]):
                v = codes[c, order[p]]
                sorted_rows[place[v]] = order[p]
                place[v] += 1
            first = 0
            for s in range(m):
                last = place[seen[s]]
                of_code[seen[s]] = 0
                for p in range(first, last):
                    of_group[groups[sorted_rows[p]]] += 1
                p = first
                while p < last:
                    g = groups[sorted_rows[p]]
                    waits = 0
                    while p < last and groups[sorted_rows[p]] == g:
                        waits += waiting[sorted_rows[p]]
                        p += 1
                    if waits:
                        bad = last - first
                        for f in range(fits_starts[g], fits_starts[g + 1]):
                            bad -= of_group[fits[f]]
                        total += waits * bad
                for p in range(first, last):
                    of_group[groups[sorted_rows[p]]] = 0
                first = last
        counts[c] = total
