"""Ranking metrics of each row in one pass over its scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]

FIRST, LARGEST, HALF, LAST = 0, 1, 2, 3  # how equal scores are ranked


@njit(cache=True, nogil=True)
def _count_below(values: Array, stop: int, x: float) -> int:
    low, high = 0, stop
    while low < high:
        middle = (low + high) // 2
        if values[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def rank_rows(
    scores: Array, indptr: Array, indices: Array, ties: int, out: Array
) -> None:
    """Fill ``out`` (rows, 4): one-error, depth, wrong pairs, average precision.

    ``indptr`` and ``indices`` list the relevant labels of each row in rising order.
    A row without relevant labels gets ``(1, -1, 0, 0)``. Each row costs O(L log m)
    for L labels of which m are relevant.
    """
    n, L = scores.shape
    longest = 1
    for i in range(n):
        longest = max(longest, indptr[i + 1] - indptr[i])
    values = np.empty(longest)  # scores of the relevant labels, rising
    above = np.empty(longest + 1, np.int64)  # labels between two of them
    equal = np.empty(longest, np.int64)  # labels equal to the group starting here
    met = np.empty(longest, np.int64)  # relevant labels of the group passed so far
    before = np.empty(longest, np.int64)  # equal labels of lower index
    for i in range(n):
        begin = indptr[i]
        m = indptr[i + 1] - begin
        top, top_rank_is_last = -np.inf, ties == LAST
        best, worst_is_relevant = 0, 1
        # One-error: the label ranked first, and whether all tied for it are relevant.
        for j in range(L):
            if scores[i, j] > top or (scores[i, j] == top and top_rank_is_last):
                top, best = scores[i, j], j
        if m == 0:
            out[i, 0], out[i, 1], out[i, 2], out[i, 3] = 1.0, -1.0, 0.0, 0.0
            continue
        for a in range(m):
            values[a] = scores[i, indices[begin + a]]
            above[a] = equal[a] = met[a] = before[a] = 0
        above[m] = 0
        values[:m].sort()
        place = 0
        best_is_relevant = 0
        for j in range(L):
            relevant = place < m and indices[begin + place] == j
            if relevant:
                place += 1
                if j == best:
                    best_is_relevant = 1
            elif scores[i, j] == top:
                worst_is_relevant = 0
            group = _count_below(values, m, scores[i, j])
            above[group] += 1
            if group < m and values[group] == scores[i, j]:
                if relevant:
                    before[group + met[group]] = equal[group]
                    met[group] += 1
                equal[group] += 1
        if ties == LARGEST:
            best_is_relevant = worst_is_relevant
        # Walk the relevant labels from the best score down, one tied group at a time.
        higher = above[m]  # labels scoring more than the current group
        depth, wrong, precision = 0.0, 0.0, 0.0
        stop = m
        while stop > 0:
            group = stop - 1
            while group > 0 and values[group - 1] == values[stop - 1]:
                group -= 1
            size, tied = equal[group], stop - group
            for a in range(group, stop):
                if ties == FIRST:
                    rank = higher + before[a] + 1
                    hits = m - stop + (a - group) + 1
                elif ties == LAST:
                    rank = higher + size - before[a]
                    hits = m - stop + (stop - a)
                else:
                    rank = higher + size
                    hits = m - stop + tied
                depth = max(depth, rank - 1.0)
                precision += hits / rank
                wrong += higher - (m - stop)
                if ties == HALF:
                    wrong += 0.5 * (size - tied)
                elif ties == LAST:
                    wrong += (size - before[a] - 1) - (stop - a - 1)
                else:
                    wrong += size - tied
            higher += above[group]
            stop = group
        out[i, 0] = 1.0 - best_is_relevant
        out[i, 1] = depth
        out[i, 2] = wrong
        out[i, 3] = precision / m
