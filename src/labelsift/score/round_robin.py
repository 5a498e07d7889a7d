"""From scores on many subproblems to one order of the features, by round robin."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.kernels.blocks import fitting
from labelsift.kernels.rrspfs import (
    best_places,
    positive_scores,
    take_by_draw,
    take_in_rounds,
    weighted_sums,
    write_lists,
)
from labelsift.kernels.threads import run_blocks
from labelsift.score.ranking import order_from_scores, ranking_from_order, rounded

_CELLS_A_BLOCK = 400_000


def pooled_scores(
    scores: np.ndarray[Any, Any], sizes: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """Return the mean over subproblems, weighted by their numbers of rows.

    Parameters
    ----------
    scores : ndarray of shape (n_features, n_problems), float64
        Score of each feature on each subproblem.
    sizes : ndarray of shape (n_problems,), int64
        Rows of each subproblem.

    Returns
    -------
    ndarray of shape (n_features,), float64
        0 where there is no subproblem.
    """
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    weights = np.asarray(sizes, dtype=np.float64)
    sums = run_blocks(
        lambda start, stop: weighted_sums(scores[start:stop], weights),
        len(scores),
        block=fitting(_CELLS_A_BLOCK, len(weights)),
    )
    pooled: np.ndarray[Any, Any] = np.concatenate(sums)
    return pooled / max(int(sizes.sum()), 1)


def ranked_lists(
    scores: np.ndarray[Any, Any],
    by_pool: np.ndarray[Any, Any],
) -> np.ndarray[Any, Any]:
    """Return the features of each subproblem, best first.

    Parameters
    ----------
    scores : ndarray of shape (n_features, n_problems), float64
        Score of each feature on each subproblem, none negative.
    by_pool : ndarray of shape (n_features,), int64
        The order that decides between equal scores.

    Returns
    -------
    ndarray of shape (n_problems, n_features), int32
        One permutation of the features a row.
    """
    d, n_problems = scores.shape
    lists = np.empty((n_problems, d), dtype=np.int32)
    scores = np.ascontiguousarray(scores, dtype=np.float64)

    def rank(start: int, stop: int) -> None:
        _rank(scores, by_pool, start, stop, lists[start:stop])

    run_blocks(rank, n_problems, block=fitting(_CELLS_A_BLOCK, d))
    return lists


def _rank(
    scores: np.ndarray[Any, Any],
    by_pool: np.ndarray[Any, Any],
    start: int,
    stop: int,
    lists: np.ndarray[Any, Any],
) -> None:
    begin, places, values = positive_scores(scores, by_pool, start, stop)
    write_lists(begin, places, rounded(values), by_pool, lists)


def first_places(
    scores: np.ndarray[Any, Any], by_pool: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """Return the best place of each feature over the lists of all subproblems.

    Parameters
    ----------
    scores : ndarray of shape (n_features, n_problems), float64
        Score of each feature on each subproblem, none negative.
    by_pool : ndarray of shape (n_features,), int64
        The order that decides between equal scores.

    Returns
    -------
    ndarray of shape (n_features,), int64
        From 0, the first place of some list. Only a few of the lists are in memory at
        a time.
    """
    d, n_problems = scores.shape
    scores = np.ascontiguousarray(scores, dtype=np.float64)

    def best(start: int, stop: int) -> np.ndarray[Any, Any]:
        lists = np.empty((stop - start, d), dtype=np.int32)
        _rank(scores, by_pool, start, stop, lists)
        places: np.ndarray[Any, Any] = best_places(lists)
        return places

    found = run_blocks(best, n_problems, block=fitting(_CELLS_A_BLOCK, d))
    first: np.ndarray[Any, Any] = np.min(found, axis=0)
    return first


def round_robin(
    scores: np.ndarray[Any, Any],
    sizes: np.ndarray[Any, Any],
    mode: str,
    random_state: np.random.RandomState | None = None,
    last: np.ndarray[Any, Any] | None = None,
    pooled: np.ndarray[Any, Any] | None = None,
) -> np.ndarray[Any, Any]:
    """Merge the rankings of all subproblems.

    Parameters
    ----------
    scores : ndarray of shape (n_features, n_problems), float64
        Score of each feature on each subproblem, none negative.
    sizes : ndarray of shape (n_problems,), int64
        Rows of each subproblem.
    mode : {"level", "next", "random"}
        - ``level``: first all features that are first in some list, then those that
          are second in some, and so on; within a level by pooled score;
        - ``next``: in each round every list takes its best feature left; a round is
          sorted by pooled score;
        - ``random``: a list drawn with probability in proportion to its rows takes
          its best feature left.
    random_state : RandomState, optional
        For ``random``.
    last : ndarray of shape (n_features,), bool, optional
        Features that come after others of the same score, such as constant ones.
    pooled : ndarray of shape (n_features,), float64, optional
        What ``pooled_scores`` returned, if it was asked already.

    Returns
    -------
    ndarray of shape (n_features,), int64
        A permutation of the features, best first.
    """
    d = scores.shape[0]
    if pooled is None:
        pooled = pooled_scores(scores, sizes)
    by_pool = order_from_scores(pooled, last)
    if not len(sizes):
        return by_pool
    rank = ranking_from_order(by_pool)
    order: np.ndarray[Any, Any]
    if mode == "level":
        order = np.lexsort((rank, first_places(scores, by_pool)))
        return order.astype(np.int64)
    lists = ranked_lists(scores, by_pool)
    if mode == "next":
        order = take_in_rounds(lists, rank)
    else:
        rng = random_state or np.random.RandomState()
        drawn = rng.choice(len(sizes), size=d, p=sizes / sizes.sum())
        order = take_by_draw(lists, drawn.astype(np.int64))
    return order.astype(np.int64)
