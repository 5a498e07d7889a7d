"""Merge the ranked lists of many subproblems into one."""

from __future__ import annotations

import numpy as np
from numba import njit


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
