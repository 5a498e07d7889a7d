"""Classifiers that are fitted on all prefixes of a ranking together."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.evaluate._fold_tasks import (
    Measured,
    MeasureTask,
    Table,
    caught_warnings,
    dense_labels,
    fresh,
    take,
)
from labelsift.evaluate._fold_truth import FoldTruth
from labelsift.learn.prefix_answers import answers_prefixes


def measure_prefixes(table: Table, task: MeasureTask) -> list[Measured] | None:
    """Fit a classifier on all its sets of columns together, and measure it on each.

    The same figures as of fits one by one. Times are shared out evenly; a warning of
    the one fit counts for each set.

    Parameters
    ----------
    table : Table
        The data.
    task : MeasureTask
        What to do.

    Returns
    -------
    list of Measured or None
        None where the sets are not prefixes of one ranking, or the classifier cannot be
        had so, or anything is wrong: what it is, and with which columns, is found one
        by one.
    """
    if task.order is None or len(task.columns) < 2:
        return None
    if not answers_prefixes(task.classifier):
        return None
    sizes = np.array([len(columns) for columns in task.columns])
    used = task.columns[-1]
    order = np.searchsorted(used, task.order[: sizes[-1]])
    try:
        return _measured(table, task, used, order, sizes)
    except Exception:
        return None


def _measured(
    table: Table, task: MeasureTask, used: Any, order: Any, sizes: Any
) -> list[Measured]:
    split = task.split
    train, test = table.X[split.train], table.X[split.test]
    if sparse.issparse(train):
        train, test = train.tocsc(), test.tocsc()
    truth = FoldTruth(dense_labels(table.Y[split.test]), table.metrics)
    labels = dense_labels(table.Y[split.train])
    classifier = fresh(task.classifier, task.seed)
    fields, seconds = [], []
    with caught_warnings() as caught:
        train, test = take(train, used), take(test, used)
        start = time.perf_counter()
        answers = classifier.prefix_answers(train, labels, order, sizes, test)
        for predictions, scores in answers:
            seconds.append(time.perf_counter() - start)
            fields.append(truth.fields(predictions, scores))
            start = time.perf_counter()
    for found in fields:
        found["constant_labels"] = ()
        found["seconds_fit"] = seconds[0] / len(sizes)
        found["seconds_predict"] = sum(seconds[1:]) / len(sizes)
    return [Measured(found, dict(caught)) for found in fields]
