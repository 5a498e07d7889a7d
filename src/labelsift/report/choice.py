"""What the results say about methods and sizes: the numbers behind the sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelsift.evaluate.comparison import Standing
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.results import Results
from labelsift.evaluate.summary import SummaryRow, mean_and_sd
from labelsift.score.ranking import rounded

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Contest:
    """One pair of selector and classifier, as a line of the report.

    Parameters
    ----------
    selector, classifier : str
        Names in the results.
    name : str
        As shown: the classifier is named only where there are several.
    size : int
        Its best size by the deciding metric.
    """

    selector: str
    classifier: str
    name: str
    size: int


def contests(results: Results, metric: str) -> list[Contest]:
    """Return every pair of selector and classifier, best first by ``metric``.

    Equal means go to fewer features, then to the order in the results, so the first
    is ``results.best(metric)``.
    """
    rows = [
        row
        for row in results.summary(metric).rows
        if row.is_best_size and row.selector in results.selectors
    ]
    best = results.best(metric)

    def key(row: SummaryRow) -> tuple[bool, float, int]:
        is_best = (row.selector, row.classifier) == (best.selector, best.classifier)
        return not is_best, -merit(row.mean[metric], metric), row.n_features

    return [
        Contest(
            row.selector,
            row.classifier,
            method_name(results, row.selector, row.classifier),
            row.n_features,
        )
        for row in sorted(rows, key=key)
    ]


def method_name(results: Results, selector: str, classifier: str) -> str:
    """Return the name of a pair, with its classifier only where there are several."""
    return f"{selector}, {classifier}" if len(results.classifiers) > 1 else selector


def merit(value: float, metric: str) -> float:
    """Return the value turned so that larger is better; NaN becomes -inf."""
    if math.isnan(value):
        return -math.inf
    return value if METRICS[metric].greater_is_better else -value


def metric_title(metric: str) -> str:
    """Return a metric's title with a capital first letter."""
    title = METRICS[metric].title
    return title[:1].upper() + title[1:]


def moments(values: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of each row (one row a size)."""
    pairs = np.array([mean_and_sd(row) for row in values], dtype=np.float64)
    return pairs[:, 0], pairs[:, 1]


def smallest_as_good(results: Results, contest: Contest, metric: str) -> int | None:
    """Return the smallest size within one standard error of this method's best.

    Parameters
    ----------
    results : Results
        What was measured.
    contest : Contest
        The method.
    metric : str
        The deciding metric.

    Returns
    -------
    int or None
        ``None`` with fewer than two folds.

    Notes
    -----
    The error is that of the paired difference to the best size, over the folds, with
    the variance enlarged by ``n_test / n_train`` for the shared training rows.
    """
    sizes, values = results.values(contest.selector, contest.classifier, metric)
    goodness = values if METRICS[metric].greater_is_better else -values
    best = goodness[int(np.flatnonzero(sizes == contest.size)[0])]
    ratio = np.mean([f.n_test for f in results.folds]) / np.mean(
        [f.n_train for f in results.folds]
    )
    for size, row in zip(sizes.tolist(), goodness, strict=True):
        loss = (best - row)[np.isfinite(best - row)]
        if len(loss) < 2 or len(loss) < np.isfinite(best).sum():
            continue
        error = math.sqrt((1 / len(loss) + ratio) * float(loss.var(ddof=1)))
        if float(loss.mean()) <= error + 1e-12:
            return int(size)
    return None


def mean_ranks(columns: Sequence[Floats]) -> Floats:
    """Return each column's mean rank over the folds, 1 = best, ties share ranks.

    Parameters
    ----------
    columns : sequence of ndarray of shape (folds,)
        Larger is better; folds in which any is NaN are left out.

    Returns
    -------
    ndarray of shape (len(columns),)
        NaN when no fold is complete.
    """
    from scipy.stats import rankdata

    table = np.column_stack(columns)
    table = table[np.isfinite(table).all(axis=1)]
    if len(table) == 0:
        return np.full(len(columns), np.nan)
    # the same set of features may come by two ways and differ by rounding
    ranks: Floats = rankdata(-rounded(table), axis=1).mean(axis=0)
    return ranks


def kept_sets(results: Results, selector: str, size: int) -> list[frozenset[int]]:
    """Return the features that each fold keeps at this size."""
    return [
        frozenset(ranking.kept(size).tolist())
        for ranking in results.rankings
        if ranking.selector == selector
    ]


def mean_jaccard(sets: Sequence[frozenset[int]]) -> float:
    """Return the mean Jaccard similarity over all pairs of sets; NaN under two."""
    pairs = [
        len(a & b) / len(a | b) if a or b else 1.0
        for i, a in enumerate(sets)
        for b in sets[:i]
    ]
    return float(np.mean(pairs)) if pairs else math.nan


def consensus_order(results: Results, selector: str) -> NDArray[np.int64]:
    """Return the features by their mean place over the folds, best first."""
    places = np.zeros(results.n_features)
    for ranking in results.rankings:
        if ranking.selector == selector:
            places[ranking.order] += np.arange(results.n_features)
    order: NDArray[np.int64] = np.argsort(places, kind="stable").astype(np.int64)
    return order


def standing_names(standings: Sequence[Standing]) -> list[str]:
    """Return names of methods, with the classifier only where there are several."""
    several = len({standing.method.classifier for standing in standings}) > 1
    return [str(s.method) if several else s.method.selector for s in standings]
