"""The searches of a recommendation: inner folds of every outer fold, and of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from labelsift.evaluate._fold_tasks import (
    MeasureTask,
    RankTask,
    SharedTask,
    Table,
    dense_labels,
)
from labelsift.evaluate._fold_work import measure_task, rank
from labelsift.evaluate._neighbor_work import sharing
from labelsift.evaluate._splits import Split
from labelsift.evaluate.folds import IterativeStratifiedKFold
from labelsift.evaluate.recommend_constant import constant_value
from labelsift.evaluate.recommend_rule import Choice, Curve
from labelsift.evaluate.records import ALL_FEATURES, Cell, Ranking

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Round:
    """Rows to search on, cut into inner folds, and rows to measure the answer on.

    Parameters
    ----------
    outer : Split
        Rows to search on, and those held out: none in the last round, that on all
        rows.
    inner : tuple of Split
        Folds of the training rows of ``outer``.
    """

    outer: Split
    inner: tuple[Split, ...]


@dataclass(frozen=True, eq=False)
class SearchTask:
    """Measure one selector with all classifiers in the inner folds of one round.

    ``selector`` is None for all columns.
    """

    name: str
    selector: Any
    classifiers: Mapping[str, Any]
    sizes: tuple[int, ...]
    costs: Array | None
    round: Round
    keeps_cells: bool


@dataclass(frozen=True, eq=False)
class Searched:
    """What a SearchTask found; rankings and cells only where they were asked for."""

    curves: tuple[Curve, ...]
    rankings: tuple[Ranking, ...]
    cells: tuple[Cell, ...]
    warnings: dict[str, int]


@dataclass(frozen=True, eq=False)
class OuterTask:
    """Measure what the inner folds chose, and all columns, on rows held out."""

    choice: Choice
    choice_of_all: Choice
    selector: Any
    classifiers: Mapping[str, Any]
    round: Round


@dataclass(frozen=True, eq=False)
class Measurement:
    """What one outer fold showed.

    Parameters
    ----------
    choice : Choice
        What the inner folds chose.
    columns : ndarray of int
        The columns kept, rising.
    chosen, everything : Cell
        The choice, and all columns with the classifier that suits them best.
    """

    choice: Choice
    columns: Array
    chosen: Cell
    everything: Cell


def make_rounds(
    outer: Sequence[Split], Y: Any, *, inner_cv: int, seed: int
) -> list[Round]:
    """Return the rounds: one for each outer split, and one on all rows.

    Parameters
    ----------
    outer : sequence of Split
        Splits of the rows.
    Y : ndarray or csr_array of shape (n_samples, n_labels)
        Labels, spread evenly over the inner folds.
    inner_cv : int
        Inner folds; fewer where there are not so many rows.
    seed : int
        Round ``r`` shuffles with ``seed + r``.
    """
    n = Y.shape[0]
    everything = Split(len(outer), 0, len(outer), None, np.arange(n), np.arange(0))
    rounds = []
    for split in (*outer, everything):
        rows = split.train
        folds = IterativeStratifiedKFold(
            min(inner_cv, len(rows)), shuffle=True, random_state=seed + split.number
        )
        inner = tuple(
            Split(number, 0, number, seed + split.number, rows[train], rows[test])
            for number, (train, test) in enumerate(folds.split(Y[rows], Y[rows]))
        )
        rounds.append(Round(split, inner))
    return rounds


def seed_of(seed: int, place: int, fold: int) -> int:
    """Return the seed of a fit, which depends on its round and fold only."""
    return int(np.random.SeedSequence([seed, place, fold]).generate_state(1)[0] >> 1)


def search(table: Table, given: tuple[SearchTask, int]) -> Searched:
    """Do one SearchTask; ``given`` holds the task and the seed of the whole."""
    task, seed = given
    d, place = table.X.shape[1], task.round.outer.number
    rankings: list[Ranking] = []
    cells: list[Cell] = []
    warnings: dict[str, int] = {}
    for split in task.round.inner:
        fold_seed = seed_of(seed, place, split.number)
        order: Array = np.arange(d)
        if task.selector is not None:
            found = rank(table, RankTask(task.name, task.selector, split, fold_seed))
            order = found.order
            _count(warnings, found.warnings)
            rankings.append(
                Ranking(task.name, split.number, order, found.scores, found.seconds)
            )
        columns = tuple(np.sort(order[:size]) for size in task.sizes)
        for name, measured in _measured(table, task, split, fold_seed, columns, order):
            for size, one in zip(task.sizes, measured, strict=True):
                cells.append(Cell(task.name, name, split.number, size, **one.fields))
                _count(warnings, one.warnings)
    curves = tuple(
        Curve(
            task.name,
            name,
            task.sizes,
            _values(cells, name, table.metrics[0], len(task.sizes)),
            _burden(task, rankings, d),
        )
        for name in task.classifiers
    )
    if not task.keeps_cells:
        return Searched(curves, (), (), warnings)
    return Searched(curves, tuple(rankings), tuple(cells), warnings)


def _measured(
    table: Table,
    task: SearchTask,
    split: Split,
    seed: int,
    columns: tuple[Array, ...],
    order: Array,
) -> list[tuple[str, list[Any]]]:
    """Return name and measurements of each classifier; neighbours are found once."""
    found: list[tuple[str, list[Any]]] = []
    for names in sharing(task.classifiers):
        tasks = tuple(
            MeasureTask(name, task.classifiers[name], split, seed, columns, order)
            for name in names
        )
        if len(tasks) == 1:
            found.append((names[0], measure_task(table, tasks[0])))
        else:
            found += zip(names, measure_task(table, SharedTask(tasks)), strict=True)
    return found


def _values(cells: Sequence[Cell], name: str, metric: str, n_sizes: int) -> Array:
    row = [cell.values[metric] for cell in cells if cell.classifier == name]
    return np.array(row, dtype=np.float64).reshape(-1, n_sizes).T


def _burden(task: SearchTask, rankings: Sequence[Ranking], d: int) -> Array:
    if task.costs is None:
        return np.array(task.sizes, dtype=np.float64)
    orders = [ranking.order for ranking in rankings] or [np.arange(d)]
    totals = [np.cumsum(task.costs[order]) for order in orders]
    sizes = np.array(task.sizes) - 1
    mean: Array = np.mean([total[sizes] for total in totals], axis=0)
    return mean


def _count(counts: dict[str, int], more: Mapping[str, int]) -> None:
    for text, count in more.items():
        counts[text] = counts.get(text, 0) + count


def constant_values(table: Table, splits: Sequence[Split]) -> Array:
    """Return the metric of the best constant answer in each split."""
    return np.array(
        [
            constant_value(
                dense_labels(table.Y[split.train]),
                dense_labels(table.Y[split.test]),
                table.metrics[0],
            )
            for split in splits
        ]
    )


def measure_outer(table: Table, given: tuple[OuterTask, int]) -> Measurement:
    """Fit what was chosen on the rows of a round and measure it on those held out."""
    task, seed = given
    split, d = task.round.outer, table.X.shape[1]
    fold_seed = seed_of(seed, split.number, len(task.round.inner))
    choice = task.choice
    columns: Array = np.arange(d)
    if choice.selector != ALL_FEATURES:
        ranked = rank(table, RankTask(choice.selector, task.selector, split, fold_seed))
        columns = np.sort(ranked.order[: choice.n_features])

    def cell(chosen: Choice, columns: Array) -> Cell:
        name = chosen.classifier
        one = MeasureTask(name, task.classifiers[name], split, fold_seed, (columns,))
        fields = measure_task(table, one)[0].fields
        return Cell(chosen.selector, name, split.number, len(columns), **fields)

    everything = cell(task.choice_of_all, np.arange(d))
    same = len(columns) == d and choice.classifier == task.choice_of_all.classifier
    found = everything if same else cell(choice, columns)
    return Measurement(choice, columns, replace(found), everything)
