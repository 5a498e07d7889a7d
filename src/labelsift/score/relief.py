"""ReliefF weights of every feature in every problem, from one pass over the pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from labelsift.kernels.blocks import fitting
from labelsift.kernels.relief_neighbors import neighbor_lists
from labelsift.kernels.threads import run_blocks
from labelsift.score.relief_problems import Problems
from labelsift.score.relief_rows import ReliefRows

Array = np.ndarray[Any, Any]
_ROWS = 64  # rows whose distances are held at a time, for each thread
_REPORTED = 8 * _ROWS  # fewer rows are no news
_NEIGHBORS = 1 << 22  # neighbours listed before their differences are added


def relief_weights(
    table: ReliefRows,
    problems: Problems,
    *,
    n_neighbors: int,
    sigma: float | None = None,
    chosen: Array | None = None,
    class_weights: Array | None = None,
    report: Callable[[int, int], None] | None = None,
) -> Array:
    """Return the weight of every feature in every problem.

    The distances of a row are computed once and serve all problems.

    Parameters
    ----------
    table : ReliefRows
        The rows.
    problems : Problems
        Rows and classes of each problem.
    n_neighbors : int
        Nearest hits, and nearest misses of each class, per row; fewer where a class
        has fewer.
    sigma : float, optional
        Weigh the r-th nearest (from 0) by exp(-(r / sigma)**2) instead of equally.
    chosen : ndarray of int, optional
        Sorted indices of the rows whose neighbours are looked at; all by default.
    class_weights : ndarray, optional
        Factor for rows of each class of each problem, in the order of
        ``problems.priors``; 1 by default.
    report : callable, optional
        Called, now and then, with the rows that are done and those to be done, as the
        work goes.

    Returns
    -------
    ndarray of shape (n_problems, n_features), float64
        Mean over the chosen rows of the problem of the difference to its misses less
        that to its hits; from -1 to 1 with class weights of 1.
    """
    n_problems = problems.n_problems
    weights = np.zeros((n_problems, table.d))
    used = np.zeros(n_problems, dtype=np.int64)
    k = min(n_neighbors, table.n - 1)
    rooms = problems.most_neighbors(k)
    known, share = None, 0.0  # the share of the distances in the work
    if chosen is None:
        chosen = np.arange(table.n)
        share = table.n / (table.n + 2.0 * rooms.mean())
        told = None
        if report is not None:
            told = scaled(report, len(chosen), 0.0, share)
        known = table.all_distances(block=_ROWS, report=told)
        share = 0.0 if known is None else share
    priors = problems.priors
    if class_weights is None:
        class_weights = np.ones(len(priors))
    ranks = np.zeros(0) if sigma is None else np.exp(-((np.arange(k) / sigma) ** 2))
    fixed = (
        problems.marks,
        problems.first,
        problems.second,
        *problems.members(),
        problems.class_indptr,
        priors,
        class_weights,
        ranks,
        k,
    )

    def work(rows: Array) -> tuple[Array, ...]:
        distances = table.distances(rows) if known is None else known[rows]
        return tuple(neighbor_lists(rows, distances, *fixed, int(rooms[rows].sum())))

    step = max(_ROWS, fitting(_NEIGHBORS, int(rooms.mean())))
    told = None
    if report is not None:
        step = min(step, max(_REPORTED, len(chosen) // 100))
        told = scaled(report, len(chosen), share, 1.0)
    for start in range(0, len(chosen), step):
        owners, of_problem, lengths, rows, shares = _in_parts(
            work, chosen[start : start + step]
        )
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        table.add_weights(owners, of_problem, indptr, rows, shares, weights)
        used += np.bincount(of_problem, minlength=n_problems)
        if told is not None:
            told(min((start + step) / len(chosen), 1.0))
    weights /= np.maximum(used, 1)[:, None]
    return weights


def scaled(
    report: Callable[[int, int], None], total: int, low: float, high: float
) -> Callable[[float], None]:
    """Return a function that reports a share of the work between two shares."""
    return lambda part: report(int(total * (low + (high - low) * part)), total)


def _in_parts(work: Callable[[Array], tuple[Array, ...]], rows: Array) -> list[Array]:
    """Return what ``work`` gives for a few rows at a time, put together."""
    parts = run_blocks(lambda a, b: work(rows[a:b]), len(rows), block=_ROWS)
    return [np.concatenate(part) for part in zip(*parts, strict=True)]
