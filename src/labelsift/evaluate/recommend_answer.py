"""Draw the answer from what was measured: decide, fit on all rows, put into words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from labelsift.encode.labels import LabelMatrix
from labelsift.evaluate._arguments import software
from labelsift.evaluate._fold_tasks import dense_labels, fresh
from labelsift.evaluate._order import order_of
from labelsift.evaluate._outputs import can_score
from labelsift.evaluate._splits import describe_split
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.recommend_rule import (
    ALL_BEST,
    decide,
    promise,
    within_bounds,
)
from labelsift.evaluate.recommend_run import PortfolioRun
from labelsift.evaluate.recommend_search import constant_values, seed_of
from labelsift.evaluate.recommend_words import reason
from labelsift.evaluate.records import ALL_FEATURES, Method
from labelsift.evaluate.results import Results
from labelsift.evaluate.run import DEFAULT_METRICS
from labelsift.evaluate.stability import nogueira
from labelsift.learn.neighbor_path import nominal_columns
from labelsift.read.dataset import Dataset
from labelsift.score.ranking import ranking_from_order

if TYPE_CHECKING:
    from labelsift.evaluate.recommended_selector import RecommendedSelector

Array = np.ndarray[Any, Any]


def metrics_to_report(metric: str, classifiers: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the deciding metric and the others that these classifiers can be given."""
    scored = all(can_score(one) for one in classifiers.values())
    others = [m for m in DEFAULT_METRICS if scored or METRICS[m].needs != "scores"]
    return (metric, *(m for m in others if m != metric))


def conclude(
    found: RecommendedSelector,
    run: PortfolioRun,
    X: Any,
    y: Any,
    labels: LabelMatrix,
) -> None:
    """Set the fitted attributes of a selector.

    Parameters
    ----------
    found : RecommendedSelector
        With ``measured_``.
    run : PortfolioRun
        Its search.
    X : ndarray or csr_array of shape (n_samples, n_features)
        All rows.
    y : ndarray or csr_array
        Labels or classes as selectors see them.
    labels : LabelMatrix
        All labels.
    """
    found.choice_ = run.choice(-1)
    _decide(found, run)
    _fit(found, run, X, y, labels)
    _count_choices(found)
    found.left_out_ = list(run.left_out)
    found.interrupted_ = run.interrupted
    found.warnings_ = run.warnings()
    found.folds_ = tuple(
        describe_split(one.outer, run.table.Y) for one in run.rounds[:-1]
    )
    found.classifiers_ = dict(run.classifiers)
    found.n_searched_ = int(run.table.X.shape[0])
    found.n_samples_ = int(X.shape[0])
    searched = np.asarray(run.table.Y.sum(axis=0, dtype=np.int64)).ravel()
    found.label_counts_ = tuple(searched.tolist())
    found.search_ = _results(found, run)


def _decide(found: RecommendedSelector, run: PortfolioRun) -> None:
    metric = found.metric
    outer = [one.outer for one in run.rounds[:-1]]
    chosen = np.array([one.chosen.values[metric] for one in found.measured_])
    everything = np.array([one.everything.values[metric] for one in found.measured_])
    constant = constant_values(run.table, outer)
    rows = {
        "n_train": float(np.mean([len(split.train) for split in outer])),
        "n_test": float(np.mean([len(split.test) for split in outer])),
    }
    n_new = max(1, int(run.table.X.shape[0]) // 2)
    found.decision_ = decide(
        chosen,
        everything,
        constant,
        ends_at_all=found.choice_.selector == ALL_FEATURES,
        metric=metric,
        rule=found.rule,
        tolerance=float(found.tolerance),
        **rows,
    )
    found.justified_ = found.decision_.is_justified
    kept = chosen if found.justified_ else everything
    expected = within_bounds(promise(kept, n_new=n_new, **rows), metric)
    found.promise_ = expected
    found.expected_ = expected.mean
    found.interval_ = expected.low, expected.high
    found.all_columns_ = promise(everything, n_new=n_new, **rows).mean
    found.no_information_ = promise(constant, n_new=n_new, **rows).mean
    found.constant_values_ = constant
    found.difference_ = promise(chosen - everything, n_new=n_new, **rows)
    found.reason_ = reason(
        found.decision_,
        metric=metric,
        n_kept=found.choice_.n_features,
        n_features=found.n_features_in_,
        expected=expected,
        everything=found.all_columns_,
        constant=found.no_information_,
        difference=found.difference_,
    )


def _fit(
    found: RecommendedSelector, run: PortfolioRun, X: Any, y: Any, labels: LabelMatrix
) -> None:
    d = found.n_features_in_
    choice, classifier = found.choice_, found.choice_.classifier
    name: str | None = choice.selector
    if found.decision_.verdict == ALL_BEST or name == ALL_FEATURES:
        name = run.best_method()
    if not found.justified_:
        classifier = run.choice(-1, of_all=True).classifier
    seed = seed_of(found._seed, len(run.rounds), 0)
    found.selector_, found.scores_ = None, None
    found.order_ = np.arange(d)
    found.method_ = name
    for member in run.members:
        if member.name == name:
            found.selector_ = fresh(member.selector, seed).fit(X, y)
            found.order_, found.scores_ = order_of(found.selector_, d)
    found.ranking_ = ranking_from_order(found.order_)
    size = choice.n_features if found.justified_ else d
    found.n_features_ = size
    found.support_ = np.zeros(d, dtype=bool)
    found.support_[found.order_[:size]] = True
    found.kept_ = found.feature_names_[found.order_[:size]].tolist()
    columns = np.flatnonzero(found.support_)
    one = fresh(run.classifiers[classifier], seed)
    nominal = nominal_columns(one, d, found.feature_names_.tolist())
    if nominal is not None:
        one.set_params(categorical_features=nominal[columns])
    target = y if labels.classes is not None else dense_labels(labels.values)
    found.classifier_ = one.fit(X[:, columns], target)


def _count_choices(found: RecommendedSelector) -> None:
    d = found.n_features_in_
    masks = np.zeros((len(found.measured_), d), dtype=bool)
    for mask, one in zip(masks, found.measured_, strict=True):
        mask[one.columns] = True
    found.frequency_ = masks.mean(axis=0)
    found.stability_ = nogueira(masks, d)


def _results(found: RecommendedSelector, run: PortfolioRun) -> Results | None:
    """Return the inner folds on all rows as results that the report can draw."""
    if len(run.done) < 2:
        return None
    selectors = {m.name: m.selector for m in run.members if m.name in run.done}
    last = [run.done[name][-1] for name in (*selectors, ALL_FEATURES)]
    Y = run.table.Y
    return Results(
        dataset="data",
        n_samples=Y.shape[0],
        feature_names=tuple(found.feature_names_),
        label_names=tuple(found.label_names_in_),
        label_counts=found.label_counts_,
        metrics=run.table.metrics,
        sizes=run.sizes,
        selectors={name: Method.of(one) for name, one in selectors.items()},
        classifiers={name: Method.of(one) for name, one in run.classifiers.items()},
        folds=tuple(describe_split(split, Y) for split in run.rounds[-1].inner),
        rankings=tuple(ranking for one in last for ranking in one.rankings),
        cells=tuple(cell for one in last for cell in one.cells),
        settings={
            "splits": found._how,
            "inner_folds": len(run.rounds[-1].inner),
            "random_state": found._seed,
            "versions": software(),
        },
        warnings=run.warnings(),
    )


def write_page(
    found: RecommendedSelector,
    data: Dataset,
    path: Any,
    command: str,
    date: str | None,
) -> Path:
    """Write the report page of a recommendation; see ``RecommendedSelector.report``."""
    # The one import against the direction (tests/contract/test_layers.py lists it):
    # the user asks what was found for its page.
    from labelsift.report import write_recommendation

    return write_recommendation(found, data, path, command=command, date=date)
