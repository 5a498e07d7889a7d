"""Classifiers that read neighbours: found once for all of them and all prefixes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from labelsift._words import counted
from labelsift.evaluate._fold_tasks import (
    Measured,
    MeasureTask,
    Table,
    dense_labels,
    fresh,
    place_of,
    take,
    warnings_in_turn,
)
from labelsift.evaluate._fold_truth import FoldTruth
from labelsift.learn.neighbor_graph import NeighborGraph, Neighbors
from labelsift.learn.neighbor_path import (
    nominal_columns,
    prefix_neighbors,
    reads_neighbors,
)

Array = np.ndarray[Any, Any]

_ANSWERS = 1 << 21  # scores measured together
_MOST_BYTES = 1 << 29  # of the training rows, dense, in the columns of a prefix


def sharing(classifiers: Mapping[str, Any]) -> list[list[str]]:
    """Return names in groups, in order; one group reads the same neighbours."""
    groups: dict[Any, list[str]] = {}
    for name, classifier in classifiers.items():
        key: Any = name
        if reads_neighbors(classifier):
            nominal = classifier.categorical_features
            kinds = None if nominal is None else repr(np.asarray(nominal).tolist())
            key = repr(classifier.scale), kinds
        groups.setdefault(key, []).append(name)
    return list(groups.values())


def for_columns(classifier: Any, columns: Array, table: Table) -> Any:
    """Return the classifier as it must be for some columns of the table.

    Its nominal columns are named for the whole table.
    """
    nominal = _nominal(classifier, table)
    if nominal is not None:
        classifier.set_params(categorical_features=nominal[columns])
    return classifier


def _nominal(classifier: Any, table: Table) -> Array | None:
    return nominal_columns(classifier, table.X.shape[1], table.feature_names)


def measure_neighbors(
    table: Table, tasks: Sequence[MeasureTask]
) -> list[list[Measured]]:
    """Fit classifiers that share their neighbours, on each set of columns.

    Parameters
    ----------
    table : Table
        The data.
    tasks : sequence of MeasureTask
        With the same split, seed and columns, and classifiers of one group.

    Returns
    -------
    list of list of Measured
        For each task, for each of its sets of columns.
    """
    split, sets = tasks[0].split, tasks[0].columns
    Y_train = dense_labels(table.Y[split.train])
    truth = FoldTruth(dense_labels(table.Y[split.test]), table.metrics)
    classifiers = [fresh(task.classifier, task.seed) for task in tasks]
    for task, classifier in zip(tasks, classifiers, strict=True):
        with place_of(_place(task.name, sets[0]), split):
            classifier._validate_params()
    deepest = max(range(len(tasks)), key=lambda t: classifiers[t].n_neighbors)
    with place_of(f"classifier {tasks[deepest].name}", split):
        nominal = _nominal(classifiers[deepest], table)
    search = _search(table, tasks[deepest], classifiers[deepest], nominal)
    for classifier in classifiers:
        classifier.set_params(categorical_features=None)  # the graph knows them
    answers = [_Answers(truth) for _ in tasks]
    seconds = 0.0
    with warnings_in_turn() as warned:
        for number, columns in enumerate(sets):
            with place_of(_place(tasks[deepest].name, columns), split):
                start = time.perf_counter()
                graph, neighbors = next(search)
                seconds += time.perf_counter() - start
            for task, classifier, found in zip(
                tasks, classifiers, answers, strict=True
            ):
                with place_of(_place(task.name, columns), split):
                    start = time.perf_counter()
                    if number == 0:
                        classifier.fit(graph, Y_train)
                    else:
                        classifier.learn_from(graph)
                    middle = time.perf_counter()
                    said = classifier.predict_with_scores(neighbors)
                    end = time.perf_counter()
                    found.add(said, (middle - start, end - middle), warned())
    share = seconds / (len(tasks) * len(sets))
    return [found.cells(share) for found in answers]


class _Answers:
    """What a classifier said for each set of columns, measured many at a time."""

    def __init__(self, truth: FoldTruth) -> None:
        self.truth = truth
        self.done: list[Measured] = []
        self.at_once = max(1, min(64, _ANSWERS // max(1, truth.Y.size)))
        self._said: list[tuple[Array, Array]] = []
        self._about: list[tuple[tuple[float, float], dict[str, int]]] = []

    def add(
        self,
        said: tuple[Array, Array],
        seconds: tuple[float, float],
        warnings: dict[str, int],
    ) -> None:
        """Take predictions and scores."""
        self._said.append(said)
        self._about.append((seconds, warnings))
        if len(self._said) == self.at_once:
            self._measure()

    def cells(self, seconds_search: float) -> list[Measured]:
        """Return what was measured; the search counts as a part of each fit."""
        if self._said:
            self._measure()
        for cell in self.done:
            cell.fields["seconds_fit"] += seconds_search
        return self.done

    def _measure(self) -> None:
        parts = (np.stack(one) for one in zip(*self._said, strict=True))
        found = self.truth.all_fields(*parts)
        for fields, (seconds, warnings) in zip(found, self._about, strict=True):
            fields["constant_labels"] = ()
            fields["seconds_fit"], fields["seconds_predict"] = seconds
            self.done.append(Measured(fields, warnings))
        self._said, self._about = [], []


def _search(
    table: Table, task: MeasureTask, classifier: Any, nominal: Array | None
) -> Iterator[tuple[NeighborGraph, Neighbors]]:
    """Yield a graph of the training rows, and the test rows' neighbours in it."""
    train, test = table.X[task.split.train], table.X[task.split.test]
    if sparse.issparse(train):
        train, test = train.tocsc(), test.tocsc()
    k, scale = int(classifier.n_neighbors), classifier.scale
    sizes = [len(columns) for columns in task.columns]
    if task.order is not None and one_pass_pays(train, sizes):
        for one in prefix_neighbors(
            train, test, task.order, sizes, n_neighbors=k, scale=scale, nominal=nominal
        ):
            yield one.graph, one.test
        return
    for columns in task.columns:
        kinds = None if nominal is None else nominal[columns]
        graph = NeighborGraph(k, scale=scale, categorical_features=kinds)
        graph.fit(take(train, columns))
        yield graph, graph.query(take(test, columns))


def one_pass_pays(train: Any, sizes: Sequence[int]) -> bool:
    """Return whether one pass over the columns costs less than a search each.

    A guess from measured costs, in nanoseconds for each pair of rows; the neighbours
    are the same either way.
    """
    n, d = train.shape
    if len(sizes) < 2 or 8 * n * sizes[-1] > _MOST_BYTES:
        return False
    filled = train.nnz / (n * d) if sparse.issparse(train) else 1.0
    each = 0.03 if filled == 1.0 else 2.0 * filled**2
    one_pass = 0.2 * sizes[-1] + 0.4 * len(sizes)
    return bool(one_pass < 5.0 * len(sizes) + each * sum(sizes))


def _place(name: str, columns: Array) -> str:
    return f"classifier {name} with {counted(len(columns), 'feature')}"
