"""An engine that computes only what a store does not hold yet."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from labelsift.engine import Engine, Lost
from labelsift.engine.base import Result, Task
from labelsift.evaluate._content_key import (
    column_keys,
    estimator_key,
    key_of,
    matrix_key,
    split_key,
    versions_key,
)
from labelsift.evaluate._fold_tasks import (
    Failed,
    Measured,
    MeasureTask,
    Ranked,
    RankTask,
    SharedTask,
    Table,
)
from labelsift.evaluate.failures import NOT_COMPUTED
from labelsift.evaluate.store import Entry, ResultStore

_COUNTS = ("true_positives", "false_positives", "false_negatives")


class RememberingEngine:
    """Take results from a store, compute the others, and keep them at once.

    The store names a result by the data, the rows, the estimator with its settings and
    its source, the seed and the versions of the software, so that a result is taken
    only where it would come out the same.

    Parameters
    ----------
    inner : Engine or None
        Computes what is missing; None computes nothing: a missing result comes as
        ``Failed(NOT_COMPUTED)``.
    store : ResultStore
        Where results are kept.
    dataset : str
        Name of the data, for people who look into the file.
    """

    def __init__(self, inner: Engine | None, store: ResultStore, dataset: str) -> None:
        self.inner = inner
        self.store = store
        self.dataset = dataset
        self.n_found = 0
        self.n_computed = 0
        self._table: Table | None = None
        self._keys: dict[int, tuple[Any, Any]] = {}

    def share(self, value: Table) -> Any:
        """Take note of the data, and let the inner engine share it."""
        self._table = value
        self._data_keys = {
            "X": key_of(matrix_key(value.X), value.feature_names),
            "Y": matrix_key(value.Y),
            "y": matrix_key(value.y),
        }
        return value if self.inner is None else self.inner.share(value)

    def run(
        self,
        function: Callable[[Any, Task], Result],
        shared: Any,
        tasks: Sequence[Task],
        *,
        in_order: bool = True,
    ) -> Iterator[Result]:
        """Yield the result of each task, in order, from the store where it is there."""
        todo: list[tuple[int, Any]] = []
        known: list[list[Any]] = []
        for number, task in enumerate(tasks):
            known.append([self._known(part) for part in _parts(task)])
            self.n_found += sum(one is not None for part in known[-1] for one in part)
            left = _reduced(task, known[-1])
            if left is not None:
                todo.append((number, left))
        waiting = {number for number, _ in todo}
        fresh: dict[int, list[list[Any]]] = {}
        coming = self._compute(function, shared, todo)
        for number, task in enumerate(tasks):
            found, known[number] = known[number], []
            if number in waiting:
                while number not in fresh:
                    done, results = next(coming)
                    fresh[done] = results
                _fill(task, found, fresh.pop(number))
            yield _as_result(task, found)

    def close(self) -> None:
        """Do nothing: the inner engine belongs to who made it."""

    def _compute(
        self, function: Any, shared: Any, todo: list[tuple[int, Any]]
    ) -> Iterator[tuple[int, list[list[Any]]]]:
        """Yield the number of each task, and for each of its parts the results."""
        if self.inner is None:
            for number, task in todo:
                empty = Failed(NOT_COMPUTED)
                yield number, [[empty] * _count(part) for part in _parts(task)]
            return
        tasks = dict(todo)
        numbered = partial(_numbered, function)
        for done in self.inner.run(numbered, shared, todo, in_order=False):
            if isinstance(done, Lost):
                number, task = done.task
                failed = Failed(f"WorkerDied: {done.reason}")
                by_part = [[failed] * _count(part) for part in _parts(task)]
            else:
                number, result = done
                task = tasks[number]
                by_part = result if isinstance(task, SharedTask) else [result]
                if isinstance(task, RankTask):
                    by_part = [[result]]
            self._keep(list(zip(_parts(task), by_part, strict=True)))
            yield number, by_part

    def _unit_keys(self, task: Any) -> list[str]:
        """Return the key of each result that a task has."""
        if id(task.split) not in self._keys:
            self._keys[id(task.split)] = task.split, split_key(task.split)
        data, where = self._data_keys, self._keys[id(task.split)][1]
        if isinstance(task, RankTask):
            method = estimator_key(task.selector)
            parts = ("ranking", data["X"], data["y"], where, task.seed, method)
            own = ("own size",) if task.own_size else ()
            return [key_of(versions_key(), *parts, *own)]
        method = estimator_key(task.classifier)
        parts = ("measurement", data["X"], data["Y"], where, task.seed, method)
        start = key_of(versions_key(), *parts)
        return column_keys(start, task.columns)

    def _known(self, task: Any) -> list[Any]:
        assert self._table is not None
        keys = self._unit_keys(task)
        if not isinstance(task, RankTask):
            return self._measured(keys)
        found = self.store.get(keys).get(keys[0])
        return [read_ranked(found, self._table.X.shape[1], task.own_size)]

    def _measured(self, keys: list[str]) -> list[Measured | None]:
        """Return what the store holds under each key."""
        assert self._table is not None
        n_labels, metrics = self._table.Y.shape[1], self._table.metrics
        found = self.store.get(keys)
        return [read_measured(found.get(key), n_labels, metrics) for key in keys]

    def _keep(self, done: list[tuple[Any, Sequence[Any]]]) -> None:
        entries = []
        for task, results in done:
            is_ranking = isinstance(task, RankTask)
            method = task.selector if is_ranking else task.classifier
            sizes = [None] if is_ranking else [len(columns) for columns in task.columns]
            for key, result, size in zip(
                self._unit_keys(task), results, sizes, strict=True
            ):
                failed = isinstance(result, Failed)
                entries.append(
                    Entry(
                        key,
                        "ranking" if is_ranking else "measurement",
                        self.dataset,
                        task.name,
                        " ".join(repr(method).split()),
                        task.split.repeat,
                        task.split.fold,
                        size,
                        None if failed else _seconds(result),
                        result.error if failed else None,
                        None if failed else written(result),
                    )
                )
        self.store.put(entries)
        self.n_computed += len(entries)


class SurveyingEngine(RememberingEngine):
    """Compute nothing and see what a store lacks, without reading what it holds.

    A measurement that is there comes without values; one that is damaged counts as
    there, and is computed anew when it is read.
    """

    def __init__(self, store: ResultStore, dataset: str) -> None:
        super().__init__(None, store, dataset)

    def _measured(self, keys: list[str]) -> list[Measured | None]:
        assert self._table is not None
        there = self.store.present(keys)
        blank = Measured(
            {
                "values": dict.fromkeys(self._table.metrics, math.nan),
                **dict.fromkeys(_COUNTS, np.zeros(self._table.Y.shape[1], np.int64)),
                "auc": None,
                "rows_without_prediction": 0,
                "constant_labels": (),
                "seconds_fit": math.nan,
                "seconds_predict": math.nan,
            },
            {},
        )
        return [blank if key in there else None for key in keys]


def written(result: Ranked | Measured) -> str:
    """Return a result as JSON that ``read_ranked`` or ``read_measured`` reads."""
    if isinstance(result, Ranked):
        scores = None if result.scores is None else result.scores.tolist()
        whole: dict[str, Any] = {
            "order": result.order.tolist(),
            "scores": scores,
            "seconds": result.seconds,
        }
        if result.n_kept is not None:
            whole["n_kept"] = result.n_kept
    else:
        whole = {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in result.fields.items()
        }
    return json.dumps({**whole, "warnings": result.warnings}, ensure_ascii=False)


def read_ranked(
    text: str | None, n_features: int, own_size: bool = False
) -> Ranked | None:
    """Return a ranking that was written, or None where it is missing or damaged."""
    whole = _object(text)
    try:
        order = _vector(whole["order"], n_features, np.int64)
        if not np.array_equal(np.sort(order), np.arange(n_features)):
            return None
        scores = whole["scores"]
        if scores is not None:
            scores = _vector(scores, n_features, np.float64)
        n_kept = int(whole["n_kept"]) if own_size else None
        if n_kept is not None and not 1 <= n_kept <= n_features:
            return None
        seconds = float(whole["seconds"])
        return Ranked(order, scores, seconds, _warnings(whole), n_kept)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return None


def read_measured(
    text: str | None, n_labels: int, metrics: Sequence[str]
) -> Measured | None:
    """Return a measurement that was written, with just these metrics, or None."""
    whole = _object(text)
    try:
        fields: dict[str, Any] = {
            "values": {name: float(whole["values"][name]) for name in metrics}
        }
        for name in _COUNTS:
            fields[name] = _vector(whole[name], n_labels, np.int64)
        areas = whole["auc"]
        if areas is not None:
            areas = _vector(areas, n_labels, np.float64)
        fields["auc"] = areas
        fields["rows_without_prediction"] = int(whole["rows_without_prediction"])
        fields["constant_labels"] = tuple(int(i) for i in whole["constant_labels"])
        for name in ("seconds_fit", "seconds_predict"):
            fields[name] = float(whole[name])
        return Measured(fields, _warnings(whole))
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return None


def _numbered(function: Any, shared: Any, task: tuple[int, Any]) -> tuple[int, Any]:
    return task[0], function(shared, task[1])


def _parts(task: Any) -> tuple[Any, ...]:
    """Return the tasks that a shared task is made of, or the task alone."""
    if isinstance(task, SharedTask):
        return task.tasks
    if not isinstance(task, RankTask | MeasureTask):
        raise TypeError(f"{type(task).__name__} has no key to be remembered by.")
    return (task,)


def _count(task: Any) -> int:
    return 1 if isinstance(task, RankTask) else len(task.columns)


def _reduced(task: Any, known: list[list[Any]]) -> Any:
    """Return the task with only what is not known; None if all is.

    The parts of a shared task that are left have the same columns, so that some may be
    computed again that another part lacks.
    """
    lacking = [part for part, k in zip(_parts(task), known, strict=True) if None in k]
    if not lacking:
        return None
    if isinstance(task, RankTask):
        return task
    missing = {i for part in known for i, one in enumerate(part) if one is None}
    columns = tuple(c for i, c in enumerate(lacking[0].columns) if i in missing)
    left = tuple(replace(part, columns=columns) for part in lacking)
    return SharedTask(left) if isinstance(task, SharedTask) else left[0]


def _fill(task: Any, found: list[list[Any]], fresh: list[list[Any]]) -> None:
    """Put what was computed where it was missing."""
    if isinstance(task, RankTask):
        found[0][0] = fresh[0][0]
        return
    missing = sorted({i for part in found for i, one in enumerate(part) if one is None})
    lacking = [part for part in found if None in part]
    for part, new in zip(lacking, fresh, strict=True):
        for place, one in zip(missing, new, strict=True):
            if part[place] is None:
                part[place] = one


def _as_result(task: Any, found: list[list[Any]]) -> Any:
    if isinstance(task, SharedTask):
        return found
    return found[0][0] if isinstance(task, RankTask) else found[0]


def _seconds(result: Ranked | Measured) -> float:
    if isinstance(result, Ranked):
        return result.seconds
    return float(result.fields["seconds_fit"] + result.fields["seconds_predict"])


def _object(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return whole if isinstance(whole, dict) else {}


def _vector(values: Any, length: int, kind: Any) -> np.ndarray[Any, Any]:
    vector = np.array(values, dtype=kind)
    if vector.shape != (length,):
        raise ValueError(f"expected {length} values.")
    return vector


def _warnings(whole: dict[str, Any]) -> dict[str, int]:
    return {str(text): int(count) for text, count in whole["warnings"].items()}
