"""Section "Which features": the kept ones, the labels they serve, their stability."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray
from scipy import sparse

from labelsift._words import counted
from labelsift.evaluate.results import Results
from labelsift.read import Dataset
from labelsift.report.choice import Contest, consensus_order, kept_sets, mean_jaccard
from labelsift.report.heat_map import heat_map, share_bar
from labelsift.report.svg import isolate, shorten
from labelsift.report.tables import Cell, Column, Table, figure

Floats = NDArray[np.float64]

_MOST_ROWS = 40
_MOST_HEAT_ROWS = 40
_MOST_HEAT_COLUMNS = 20
_MOST_RELEVANT = 200
_MOST_CORRELATIONS = 5_000_000


@dataclass(frozen=True)
class Kept:
    """The features to keep, best first, and what is known of each.

    Parameters
    ----------
    columns : ndarray of shape (k,)
        Their column indices.
    scores : ndarray of shape (k,)
        Their scores, NaN where the selector gives none.
    shares : ndarray of shape (k,)
        Share of the folds that keep each; NaN where no fold was ranked.
    relevance : ndarray of shape (r, m)
        How much each of the first r <= k serves each of some labels, NaN where it
        cannot be said. Beyond 200 features r is less than k.
    labels : ndarray of shape (m,)
        Which labels those are: all, or those that a feature serves best where the
        method keeps no more.
    measure : str
        Name of ``relevance``.
    is_fitted_on_all : bool
        Whether the order is that of a fit on all rows, not the mean of the folds'.
    stability : float
        Mean Jaccard similarity of the folds' sets; NaN under two folds.
    """

    columns: NDArray[np.int64]
    scores: Floats
    shares: Floats
    relevance: Floats
    labels: NDArray[np.int64]
    measure: str
    is_fitted_on_all: bool
    stability: float


def kept_features(
    results: Results, dataset: Dataset, best: Contest, selector: Any = None
) -> Kept:
    """Gather the kept features.

    Parameters
    ----------
    results : Results
        What was measured.
    dataset : Dataset
        The same data.
    best : Contest
        The chosen method and size.
    selector : fitted selector, optional
        The chosen method fitted on all rows. Without it the features are ordered by
        their mean place over the folds.
    """
    order, scores = consensus_order(results, best.selector), _mean_scores(results, best)
    if selector is not None:
        order = np.asarray(selector.order_, dtype=np.int64)
        scores = np.asarray(selector.scores_, dtype=np.float64)
    columns = order[: best.size]
    sets = kept_sets(results, best.selector, best.size)
    shares = np.full(len(columns), np.nan)
    if sets:
        shares = np.array(
            [np.mean([c in kept for kept in sets]) for c in columns.tolist()]
        )
    return Kept(
        columns,
        scores[columns],
        shares,
        *relevance_of(selector, dataset, columns),
        selector is not None,
        mean_jaccard(sets),
    )


def relevance_of(
    selector: Any, dataset: Dataset, columns: NDArray[np.int64]
) -> tuple[Floats, NDArray[np.int64], str]:
    """Return how much each of the first columns serves which labels, and its name.

    The method's own scores for each label where it has them, or for the labels of which
    it has; else the absolute correlation. Of no more than 200 columns.
    """
    labels = np.arange(dataset.n_labels, dtype=np.int64)
    table = getattr(selector, "scores_per_label_", None)
    scores = None if table is None else np.asarray(table, dtype=np.float64)
    # a mean over labels of another kind than features x labels is of no use here
    if scores is not None and scores.shape == (dataset.n_features, dataset.n_labels):
        return scores[columns[:_MOST_RELEVANT]], labels, "score"
    top = None if table is not None else getattr(selector, "top_labels_", None)
    if top is not None and top.n_labels == dataset.n_labels:
        return *_of_best(top, columns[:_MOST_RELEVANT]), "score"
    most = max(_MOST_ROWS, min(_MOST_RELEVANT, _MOST_CORRELATIONS // dataset.n_labels))
    return absolute_correlation(dataset, columns[:most]), labels, "|correlation|"


def _of_best(top: Any, columns: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
    """Return the scores for the labels that any of the columns serves best."""
    best = np.asarray(top.labels)[columns].astype(np.int64)
    labels = np.unique(best[best >= 0])
    relevance = np.full((len(columns), len(labels)), np.nan)
    rows, places = np.nonzero(best >= 0)
    at = np.searchsorted(labels, best[rows, places])
    relevance[rows, at] = np.asarray(top.scores)[columns][rows, places]
    return relevance, labels


def _mean_scores(results: Results, best: Contest) -> Floats:
    tables = [
        r.scores
        for r in results.rankings
        if r.selector == best.selector and r.scores is not None
    ]
    if not tables:
        return np.full(results.n_features, np.nan)
    mean: Floats = np.mean(tables, axis=0)
    return mean


def absolute_correlation(dataset: Dataset, columns: NDArray[np.int64]) -> Floats:
    """Return |Pearson correlation| of feature columns with every label.

    Rows where a feature is missing are left out for it; NaN where either is constant.
    Extra memory: a copy of ``Y`` and the columns as dense floats.
    """
    Y = sparse.csc_array(dataset.Y, dtype=np.float64)
    X = dataset.X[:, columns]
    X = X.toarray() if sparse.issparse(X) else np.asarray(X)
    result = np.full((len(columns), dataset.n_labels), np.nan)
    for i, column in enumerate(np.asarray(X, dtype=np.float64).T):
        known = np.isfinite(column)
        n = int(known.sum())
        if n < 2:
            continue
        centred = np.where(known, column - column[known].mean(), 0.0)
        positives = np.asarray(Y.T @ known.astype(np.float64))
        variance = positives - positives**2 / n
        covariance = np.asarray(Y.T @ centred)
        scale = math.sqrt(float(centred @ centred)) * np.sqrt(np.maximum(variance, 0))
        np.divide(np.abs(covariance), scale, out=result[i], where=scale > 0)
    bounded: Floats = np.minimum(result, 1.0)
    return bounded


def features_table(
    dataset: Dataset, kept: Kept, most: int | None = _MOST_ROWS
) -> Table:
    """Return the table of kept features, at most ``most`` of them."""
    shown = len(kept.columns) if most is None else min(most, len(kept.columns))
    has_scores = bool(np.isfinite(kept.scores).any())
    has_shares = bool(np.isfinite(kept.shares).any())
    costs = dataset.test_costs
    rows = []
    digits = score_decimals(kept.scores)
    for i in range(shown):
        column = int(kept.columns[i])
        cells = [
            Cell(str(i + 1), i + 1),
            Cell(dataset.feature_names[column], is_name=True),
        ]
        if has_scores:
            score = float(kept.scores[i])
            cells.append(Cell(figure(score, digits), score))
        if dataset.n_labels > 1:
            names: tuple[str, ...] = ()
            if i < len(kept.relevance):
                names = served(dataset, kept.relevance[i], kept.labels)
            cells.append(Cell(names=names or ("\u2013",)))
        if has_shares:
            share = float(kept.shares[i])
            cells.append(
                Cell(f"{100 * share:.0f}\u00a0%", share, picture=share_bar(share))
            )
        if costs is not None:
            cells.append(Cell(figure(float(costs[column]), 2), float(costs[column])))
        rows.append(tuple(cells))
    columns = [Column("Place", "figure"), Column("Feature", "name")]
    if has_scores:
        columns.append(Column("Score", "figure"))
    if dataset.n_labels > 1:
        columns.append(Column("Serves most"))
    if has_shares:
        columns.append(Column("Folds that keep it", "figure"))
    if costs is not None:
        columns.append(Column("Cost", "figure"))
    note = ""
    if shown < len(kept.columns):
        note = (
            f"The first {shown} of {len(kept.columns)} kept features; the CSV file "
            "under “Do it again” goes on."
        )
    if costs is not None:
        total, part = float(costs.sum()), float(costs[kept.columns].sum())
        note = (
            f"{note} The kept features cost {part:.2f} of {total:.2f} in all.".strip()
        )
    return Table(
        "features-table",
        f"The {counted(len(kept.columns), 'feature')} to keep, best first",
        tuple(columns),
        tuple(rows),
        note,
        is_sortable=True,
    )


def score_decimals(scores: Floats) -> int:
    """Return the decimals that show four figures of the middle score."""
    finite = np.abs(scores[np.isfinite(scores) & (scores != 0)])
    if not finite.size:
        return 3
    if (finite == np.round(finite)).all() and float(finite.max()) < 1e6:
        return 0
    return int(np.clip(3 - math.floor(math.log10(float(np.median(finite)))), 0, 8))


def served(
    dataset: Dataset, relevance: Floats, labels: NDArray[np.int64], most: int = 3
) -> tuple[str, ...]:
    """Return the labels that a feature serves most: at least half as much as the first.

    Parameters
    ----------
    dataset : Dataset
        Gives the names.
    relevance : ndarray of shape (m,)
        How much the feature serves each of some labels.
    labels : ndarray of shape (m,)
        Which labels those are.
    most : int, default=3
        Labels returned.
    """
    good = np.flatnonzero(np.isfinite(relevance) & (relevance > 0))
    if not good.size:
        return ()
    ranked = good[np.argsort(-relevance[good], kind="stable")][:most]
    top = relevance[ranked[0]]
    good_enough = labels[ranked[relevance[ranked] >= 0.5 * top]]
    return tuple(dataset.label_names[j] for j in good_enough.tolist())


def features_lead(results: Results, best: Contest, kept: Kept) -> str:
    """Return where the order comes from and how far the folds agree on it."""
    method = isolate(shorten(best.selector, 60))
    if kept.is_fitted_on_all:
        text = f"Ranked by {method} on all {results.n_samples} rows."
    else:
        text = f"Ranked by {method}: the order is the mean place over the folds."
    if math.isfinite(kept.stability):
        text += (
            f" Two folds share {100 * kept.stability:.0f}\u00a0% of the features that "
            "they keep between them, on average."
        )
    return text


def features_heat_map(dataset: Dataset, kept: Kept) -> tuple[Markup | None, str]:
    """Return the heat map of the most telling features and labels, and its caption."""
    if dataset.n_labels < 2 or not np.isfinite(kept.relevance).any():
        return None, ""
    rows = np.arange(min(len(kept.relevance), _MOST_HEAT_ROWS))
    strength = np.nan_to_num(kept.relevance[rows], neginf=0.0, posinf=0.0)
    by_label = np.argsort(-strength.max(axis=0), kind="stable")
    labels = np.sort(by_label[:_MOST_HEAT_COLUMNS])
    picture = heat_map(
        "heat-map",
        kept.relevance[np.ix_(rows, labels)],
        [dataset.feature_names[kept.columns[i]] for i in rows],
        [dataset.label_names[kept.labels[j]] for j in labels],
        kept.measure,
    )
    what = (
        "the method's score of a feature for a label"
        if kept.measure == "score"
        else "the absolute correlation of a feature with a label"
    )
    words = [
        f"The stronger the colour, the higher {what}. "
        "Like features and like labels stand together."
    ]
    if len(kept.labels) < dataset.n_labels:
        words.append(
            "Of each feature only the labels that it serves best are known; other "
            "cells are empty."
        )
    if len(rows) < len(kept.columns):
        words.append(f"Shown: the first {len(rows)} of {len(kept.columns)} features.")
    if len(labels) < dataset.n_labels:
        words.append(
            f"Shown: the {len(labels)} of {dataset.n_labels} labels with the strongest "
            "cells."
        )
    return picture, " ".join(words)
