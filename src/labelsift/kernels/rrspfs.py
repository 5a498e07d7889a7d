"""Merge the ranked lists of many subproblems into one."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def weighted_sums(scores, weights):
    """Return the weighted sum of each row of ``scores``, term by term.

    Parameters
    ----------
    scores : ndarray of shape (d, s), float64
        Score of each feature on each subproblem.
    weights : ndarray of shape (s,), float64
        Weight of each subproblem.

    Returns
    -------
    ndarray of shape (d,), float64
        The terms are added in the order of the subproblems.
    """
    d, s = scores.shape
    sums = np.zeros(d)
    for i in range(d):
        total = 0.0
        for j in range(s):
            total += weights[j] * scores[i, j]
        sums[i] = total
    return sums


@njit(cache=True, nogil=True)
def positive_scores(scores, by_pool, start, stop):
    """List the positive scores of some subproblems, subproblem after subproblem.

    Parameters
    ----------
    scores : ndarray of shape (d, s), float64
        Score of each feature on each subproblem.
    by_pool : ndarray of shape (d,), int
        A permutation of the features.
    start, stop : int
        The subproblems ``start`` to ``stop - 1``.

    Returns
    -------
    begin : ndarray of shape (stop - start + 1,), int64
        Where each subproblem begins in the others.
    places : ndarray, int32
        Places in ``by_pool`` of the features that score, rising.
    values : ndarray, float64
        Their scores.
    """
    d = len(by_pool)
    begin = np.zeros(stop - start + 1, dtype=np.int64)
    for i in range(d):  # along rows: a column is spread over all memory
        row = scores[i, start:stop]
        for j in range(len(row)):
            if row[j] > 0.0:
                begin[j + 1] += 1
    begin = np.cumsum(begin)
    end = begin[:-1].copy()
    places = np.empty(begin[-1], dtype=np.int32)
    values = np.empty(begin[-1])
    for place in range(d):
        row = scores[by_pool[place], start:stop]
        for j in range(len(row)):
            if row[j] > 0.0:
                places[end[j]] = place
                values[end[j]] = row[j]
                end[j] += 1
    return begin, places, values


@njit(cache=True, nogil=True)
def write_lists(begin, places, values, by_pool, lists):
    """Write the features of each subproblem, best first; equal ones by their place.

    Parameters
    ----------
    begin, places, values : ndarray
        From ``positive_scores``; the scores may have been rounded.
    by_pool : ndarray of shape (d,), int
        A permutation of the features; those without a score come last in its order.
    lists : ndarray of shape (s, d), int32
        Takes a permutation of the features in each row.
    """
    d = len(by_pool)
    for j in range(len(begin) - 1):
        own = places[begin[j] : begin[j + 1]]
        best = np.argsort(-values[begin[j] : begin[j + 1]], kind="mergesort")
        for k in range(len(own)):
            lists[j, k] = by_pool[own[best[k]]]
        n, at = len(own), 0
        for place in range(d):
            if at < len(own) and own[at] == place:
                at += 1
            else:
                lists[j, n] = by_pool[place]
                n += 1


@njit(cache=True, nogil=True)
def best_places(lists):
    """Return the best place of each feature over all lists.

    Parameters
    ----------
    lists : ndarray of shape (s, d), int
        Each row a permutation of the features, best first.

    Returns
    -------
    ndarray of shape (d,), int64
        From 0, the first place of some list.
    """
    s, d = lists.shape
    best = np.full(d, d, dtype=np.int64)
    for j in range(s):
        for place in range(d):
            if place < best[lists[j, place]]:
                best[lists[j, place]] = place
    return best


@njit(cache=True, nogil=True)
def take_in_rounds(lists, rank):
    """Let each list in turn take its best feature left; a round is sorted by rank.

    Parameters
    ----------
    lists : ndarray of shape (s, d), int
        Each row a permutation of the features, best first.
    rank : ndarray of shape (d,), int64
        Place of each feature when all subproblems are pooled.

    Returns
    -------
    ndarray of shape (d,), int64
        A permutation of the features.
    """
    s, d = lists.shape
    taken = np.zeros(d, dtype=np.bool_)
    at = np.zeros(s, dtype=np.int64)
    order = np.empty(d, dtype=np.int64)
    n = 0
    while n < d:
        first = n
        for j in range(s):
            while at[j] < d and taken[lists[j, at[j]]]:
                at[j] += 1
            if at[j] < d:
                feature = lists[j, at[j]]
                taken[feature] = True
                i = n  # insertion: a round is short
                while i > first and rank[order[i - 1]] > rank[feature]:
                    order[i] = order[i - 1]
                    i -= 1
                order[i] = feature
                n += 1
    return order


@njit(cache=True, nogil=True)
def take_by_draw(lists, drawn):
    """Let the drawn list take its best feature left, draw after draw.

    Parameters
    ----------
    lists : ndarray of shape (s, d), int
        Each row a permutation of the features, best first.
    drawn : ndarray of shape (d,), int64
        Which list takes the next feature.

    Returns
    -------
    ndarray of shape (d,), int64
        A permutation of the features.
    """
    s, d = lists.shape
    taken = np.zeros(d, dtype=np.bool_)
    at = np.zeros(s, dtype=np.int64)
    order = np.empty(d, dtype=np.int64)
    for n in range(d):
        j = drawn[n]
        while taken[lists[j, at[j]]]:
            at[j] += 1
        order[n] = lists[j, at[j]]
        taken[order[n]] = True
    return order
