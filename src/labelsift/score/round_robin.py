"""From scores on many subproblems to one order of the features, by round robin."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.kernels.rrspfs import best_places, take_by_draw, take_in_rounds
from labelsift.kernels.threads import run_blocks
from labelsift.score.ranking import order_from_scores, ranking_from_order, rounded


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
    pooled = np.zeros(scores.shape[0])
    for problem, size in enumerate(sizes):  # in one fixed order, for the last bit
        pooled += size * scores[:, problem]
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

    def rank(start: int, stop: int) -> None:
        for problem in range(start, stop):
            column = scores[by_pool, problem]
            some = np.flatnonzero(column > 0)
            best = some[np.argsort(-rounded(column[some]), kind="stable")]
            lists[problem, : len(best)] = by_pool[best]
            lists[problem, len(best) :] = by_pool[column <= 0]

    run_blocks(rank, n_problems, block=max(1, 100_000 // d))
    return lists


def round_robin(
    scores: np.ndarray[Any, Any],
    sizes: np.ndarray[Any, Any],
    mode: str,
    random_state: np.random.RandomState | None = None,
    last: np.ndarray[Any, Any] | None = None,
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

    Returns
    -------
    ndarray of shape (n_features,), int64
        A permutation of the features, best first.
    """
    d = scores.shape[0]
    by_pool = order_from_scores(pooled_scores(scores, sizes), last)
    if not len(sizes):
        return by_pool
    lists = ranked_lists(scores, by_pool)
    rank = ranking_from_order(by_pool)
    order: np.ndarray[Any, Any]
    if mode == "level":
        order = np.lexsort((rank, best_places(lists)))
    elif mode == "next":
        order = take_in_rounds(lists, rank)
    else:
        rng = random_state or np.random.RandomState()
        drawn = rng.choice(len(sizes), size=d, p=sizes / sizes.sum())
        order = take_by_draw(lists, drawn.astype(np.int64))
    return order.astype(np.int64)
