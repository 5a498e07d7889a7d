"""What is done in one fold: rank the features, then fit and measure classifiers."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from labelsift._words import counted
from labelsift.evaluate._fold_tasks import (
    Failed,
    Measured,
    MeasureTask,
    Ranked,
    RankTask,
    SharedTask,
    Table,
    caught_warnings,
    dense_labels,
    fresh,
    place_of,
    take,
)
from labelsift.evaluate._fold_truth import FoldTruth, needs_scores
from labelsift.evaluate._neighbor_work import for_columns, measure_neighbors
from labelsift.evaluate._order import kept_first, order_of
from labelsift.evaluate._outputs import answers_of, no_scores_message
from labelsift.evaluate._prefix_work import measure_prefixes
from labelsift.learn.neighbor_path import reads_neighbors

Array = np.ndarray[Any, Any]


def rank(table: Table, task: RankTask) -> Ranked:
    """Fit a selector on training rows only and read its order."""
    rows = task.split.train
    selector = fresh(task.selector, task.seed)
    with place_of(f"selector {task.name}", task.split), caught_warnings() as caught:
        start = time.perf_counter()
        selector.fit(table.X[rows], table.y[rows])
        seconds = time.perf_counter() - start
        if task.own_size:
            order, scores, n_kept = kept_first(selector, table.X.shape[1])
            return Ranked(order, scores, seconds, caught, n_kept)
        order, scores = order_of(selector, table.X.shape[1])
    return Ranked(order, scores, seconds, caught)


def measure_columns(table: Table, task: MeasureTask) -> list[Measured]:
    """Fit a classifier on each set of columns and measure it on the test rows."""
    if reads_neighbors(task.classifier):
        return measure_neighbors(table, (task,))[0]
    together = measure_prefixes(table, task)
    if together is not None:
        return together
    split = task.split
    X_train, X_test = table.X[split.train], table.X[split.test]
    if sparse.issparse(X_train):
        X_train, X_test = X_train.tocsc(), X_test.tocsc()
    Y_train = dense_labels(table.Y[split.train])
    truth = FoldTruth(dense_labels(table.Y[split.test]), table.metrics)
    found = []
    for columns in task.columns:
        place = f"classifier {task.name} with {counted(len(columns), 'feature')}"
        with place_of(place, split), caught_warnings() as caught:
            fields = _measure(
                for_columns(fresh(task.classifier, task.seed), columns, table),
                take(X_train, columns),
                Y_train,
                take(X_test, columns),
                truth,
            )
        found.append(Measured(fields, caught))
    return found


def measure_task(table: Table, task: MeasureTask | SharedTask) -> list[Any]:
    """Do one task; the result of a shared task is a list of the results of each."""
    if isinstance(task, SharedTask):
        return measure_neighbors(table, task.tasks)
    return measure_columns(table, task)


def try_rank(table: Table, task: RankTask) -> Ranked | Failed:
    """Do as ``rank`` does, but return an error instead of raising it."""
    try:
        return rank(table, task)
    except Exception as error:
        return Failed(_one_line(error))


def try_task(table: Table, task: MeasureTask | SharedTask) -> list[Any]:
    """Do as ``measure_task`` does, with errors in the place of what they prevent."""
    if isinstance(task, MeasureTask):
        return try_measure(table, task)
    try:
        return list(measure_task(table, task))
    except Exception:
        return [try_measure(table, one) for one in task.tasks]


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
    truth: FoldTruth,
) -> dict[str, Any]:
    start = time.perf_counter()
    fitted, constant = _fit(classifier, X_train, Y_train)
    middle = time.perf_counter()
    predictions, scores = _predict(fitted, X_test, Y_train, constant)
    end = time.perf_counter()
    ranking = needs_scores(truth.metrics)
    if scores is None and ranking:
        raise TypeError(no_scores_message(classifier, ranking))
    return {
        **truth.fields(predictions, scores),
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
        return answers_of(fitted, X, q)
    predictions = np.repeat(Y_train[:1], n, axis=0)
    extreme = predictions.astype(np.float64)
    if fitted is None:
        return predictions, extreme
    left = int((~constant).sum())
    predictions[:, ~constant], known = answers_of(fitted, X, left)
    if known is None:
        return predictions, None
    # A label that never occurs ranks below all others, one that always does above.
    low, high = min(0.0, known.min()), max(1.0, known.max())
    scores = np.where(extreme == 1, high, low)
    scores[:, ~constant] = known
    return predictions, scores
