"""What is done in one fold: rank the features, then fit and measure classifiers."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from labelsift.evaluate._label_agreement import Counts, auc
from labelsift.evaluate._order import order_of
from labelsift.evaluate._outputs import no_scores_message, predictions_of, scores_of
from labelsift.evaluate._splits import Split
from labelsift.evaluate.metrics import METRICS, measure

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Table:
    """The whole data, shared by all tasks; ``y`` is what selectors see as labels."""

    X: Any
    Y: Any
    y: Any
    metrics: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class RankTask:
    """Fit one selector on the training rows of one fold."""

    name: str
    selector: Any
    split: Split
    seed: int


@dataclass(frozen=True, eq=False)
class Ranked:
    """What a RankTask found."""

    order: Array
    scores: Array | None
    seconds: float
    warnings: dict[str, int]


@dataclass(frozen=True, eq=False)
class MeasureTask:
    """Fit one classifier in one fold on each of several sets of columns."""

    name: str
    classifier: Any
    split: Split
    seed: int
    columns: tuple[Array, ...]


@dataclass(frozen=True, eq=False)
class Measured:
    """What one set of columns gave; the fields are those of ``Cell``."""

    fields: dict[str, Any]
    warnings: dict[str, int]


def rank(table: Table, task: RankTask) -> Ranked:
    """Fit a selector on training rows only and read its order."""
    rows = task.split.train
    selector = _fresh(task.selector, task.seed)
    with _place(f"selector {task.name}", task.split), _caught() as caught:
        start = time.perf_counter()
        selector.fit(table.X[rows], table.y[rows])
        seconds = time.perf_counter() - start
        order, scores = order_of(selector, table.X.shape[1])
    return Ranked(order, scores, seconds, caught)


def measure_columns(table: Table, task: MeasureTask) -> list[Measured]:
    """Fit a classifier on each set of columns and measure it on the test rows."""
    split = task.split
    X_train, X_test = table.X[split.train], table.X[split.test]
    if sparse.issparse(X_train):
        X_train, X_test = X_train.tocsc(), X_test.tocsc()
    Y_train, Y_test = _dense(table.Y[split.train]), _dense(table.Y[split.test])
    found = []
    for columns in task.columns:
        place = f"classifier {task.name} with {len(columns)} features"
        with _place(place, split), _caught() as caught:
            fields = _measure(
                _fresh(task.classifier, task.seed),
                _take(X_train, columns),
                Y_train,
                _take(X_test, columns),
                Y_test,
                table.metrics,
            )
        found.append(Measured(fields, caught))
    return found


@dataclass(frozen=True)
class Failed:
    """What stands in the place of a result that an error prevented."""

    error: str


def try_rank(table: Table, task: RankTask) -> Ranked | Failed:
    """Do as ``rank`` does, but return an error instead of raising it."""
    try:
        return rank(table, task)
    except Exception as error:
        return Failed(_one_line(error))


def try_measure(table: Table, task: MeasureTask) -> list[Measured | Failed]:
    """Do as ``measure_columns`` does, with errors in the place of what they prevent."""
    try:
        return list(measure_columns(table, task))
    except Exception as error:
        if len(task.columns) == 1:
            return [Failed(_one_line(error))]
    # one set of columns must not take the others with it
    return [
        found
        for columns in task.columns
        for found in try_measure(table, replace(task, columns=(columns,)))
    ]


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:2000]


def _measure(
    classifier: Any,
    X_train: Any,
    Y_train: Array,
    X_test: Any,
    Y_test: Array,
    metrics: tuple[str, ...],
) -> dict[str, Any]:
    start = time.perf_counter()
    fitted, constant = _fit(classifier, X_train, Y_train)
    middle = time.perf_counter()
    predictions, scores = _predict(fitted, X_test, Y_train, constant)
    end = time.perf_counter()
    ranking = [name for name in metrics if METRICS[name].needs == "scores"]
    if scores is None and ranking:
        raise TypeError(no_scores_message(classifier, ranking))
    values = measure(metrics, Y_test, predictions=predictions, scores=scores)
    both, relevant, named = Counts(Y_test, predictions).per_label()
    areas = None
    if scores is not None:
        areas = np.array(
            [
                auc(truth, column)
                for truth, column in zip(Y_test.T == 1, scores.T, strict=True)
            ]
        )
    return {
        "values": values,
        "true_positives": both,
        "false_positives": named - both,
        "false_negatives": relevant - both,
        "auc": areas,
        "rows_without_prediction": int((predictions.sum(axis=1) == 0).sum()),
        "constant_labels": tuple(np.flatnonzero(constant).tolist()),
        "seconds_fit": middle - start,
        "seconds_predict": end - middle,
    }


def _fit(classifier: Any, X: Any, Y: Array) -> tuple[Any, Array]:
    """Fit; where a classifier refuses labels of one value, fit without them.

    Returns the classifier (None if no label is left) and a mask of the labels left out.
    """
    none = np.zeros(Y.shape[1], dtype=bool)
    try:
        return clone(classifier).fit(X, Y), none
    except Exception:
        constant: Array = (Y == Y[0]).all(axis=0)
        if not constant.any():
            raise
    if constant.all():
        return None, constant
    return clone(classifier).fit(X, Y[:, ~constant]), constant


def _predict(
    fitted: Any, X: Any, Y_train: Array, constant: Array
) -> tuple[Array, Array | None]:
    n, q = X.shape[0], len(constant)
    if not constant.any():
        return predictions_of(fitted, X, q), scores_of(fitted, X, q)
    predictions = np.repeat(Y_train[:1], n, axis=0)
    extreme = predictions.astype(np.float64)
    if fitted is None:
        return predictions, extreme
    left = int((~constant).sum())
    predictions[:, ~constant] = predictions_of(fitted, X, left)
    known = scores_of(fitted, X, left)
    if known is None:
        return predictions, None
    # A label that never occurs ranks below all others, one that always does above.
    low, high = min(0.0, known.min()), max(1.0, known.max())
    scores = np.where(extreme == 1, high, low)
    scores[:, ~constant] = known
    return predictions, scores


def _take(X: Any, columns: Array) -> Any:
    taken = X[:, columns]
    return sparse.csr_array(taken) if sparse.issparse(taken) else taken


def _dense(Y: Any) -> Array:
    # Signed, since some of scikit-learn's classifiers write -1 into a copy of it.
    dense = Y.toarray() if sparse.issparse(Y) else np.asarray(Y)
    return np.ascontiguousarray(dense, dtype=np.int64)


def _fresh(estimator: Any, seed: int) -> Any:
    """Clone, with ``seed`` wherever a random state is left open."""
    copy = clone(estimator)
    open_states = {
        name: seed
        for name, value in copy.get_params(deep=True).items()
        if value is None and name.rpartition("__")[2] == "random_state"
    }
    return copy.set_params(**open_states) if open_states else copy


@contextmanager
def _place(what: str, split: Split) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        error.add_note(f"In {what}, repeat {split.repeat}, fold {split.fold}.")
        raise


@contextmanager
def _caught() -> Iterator[dict[str, int]]:
    """Count warnings instead of showing them; processes would lose them."""
    counts: dict[str, int] = {}
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        yield counts
    for warning in seen:
        text = " ".join(str(warning.message).split())
        counts[text] = counts.get(text, 0) + 1
