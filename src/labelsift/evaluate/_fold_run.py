"""Do the tasks of an evaluation, fold by fold, and gather what comes of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from labelsift.engine import Engine, Lost, shares_work
from labelsift.evaluate._fold_tasks import (
    Failed,
    Measured,
    MeasureTask,
    Ranked,
    RankTask,
    SharedTask,
)
from labelsift.evaluate._fold_work import measure_task, rank, try_rank, try_task
from labelsift.evaluate._neighbor_work import sharing
from labelsift.evaluate._splits import Split
from labelsift.evaluate.failures import WorkerDied
from labelsift.evaluate.progress import Report
from labelsift.evaluate.records import ALL_FEATURES, Cell, Failure, Ranking

Array = np.ndarray[Any, Any]


class FoldRun:
    """The tasks of one evaluation and what came of them."""

    def __init__(
        self,
        selectors: Mapping[str, Any],
        classifiers: Mapping[str, Any],
        splits: Sequence[Split],
        sizes: Mapping[str, Sequence[int]],
        n_features: int,
        baseline: bool,
        seed: int,
        on_error: str = "raise",
        own_size: Collection[str] = (),
    ) -> None:
        self.selectors = selectors
        self.classifiers = classifiers
        self.splits = splits
        self.sizes = sizes  # of each classifier
        self.own_size = own_size
        self.n_features = n_features
        self.baseline = baseline
        # One seed a fold, so that cells that share their columns share one fit.
        self.seeds = [
            int(np.random.SeedSequence([seed, s.number]).generate_state(1)[0] >> 1)
            for s in splits
        ]
        self.records_errors = on_error == "record"
        self.watch: Callable[[Cell], Any] = lambda cell: None
        self.failures: list[Failure] = []
        self.rankings: list[Ranking] = []
        self.cells: list[Cell] = []
        self.warnings: dict[str, int] = {}

    def go(self, engine: Engine, shared: Any, report: Report) -> None:
        """Rank in every fold, then measure every distinct set of columns."""
        rank_tasks = [
            RankTask(
                name, selector, split, self.seeds[split.number], name in self.own_size
            )
            for split in self.splits
            for name, selector in self.selectors.items()
        ]
        per_fold = sum(map(self._n_cells, self.selectors))
        per_fold += self.baseline * len(self.classifiers)
        self.watch = getattr(report, "watch", self.watch)
        total = len(rank_tasks) + len(self.splits) * per_fold
        done = 0
        report(done, total)
        rankings: Iterable[Ranked | Failed | Lost] = engine.run(
            try_rank if self.records_errors else rank, shared, rank_tasks
        )
        for rank_task, ranked in zip(rank_tasks, rankings, strict=True):
            done += 1
            if isinstance(ranked, Lost):
                ranked = self._lost(ranked, [f"selector {rank_task.name}"], rank_task)
            if isinstance(ranked, Failed):
                done += self._n_cells(rank_task.name)
                self._fail(rank_task, None, rank_task.name, None, ranked)
            else:
                self._add_ranking(rank_task, ranked)
            report(done, total)
        plans = [
            (task, users)
            for split in self.splits
            for task, users in self._measure_tasks(split, shares_work(engine))
        ]
        results: Iterable[Sequence[Any] | Lost] = engine.run(
            try_task if self.records_errors else measure_task,
            shared,
            [task for task, _ in plans],
        )
        for (task, users), measured in zip(plans, results, strict=True):
            shared_by = task.tasks if isinstance(task, SharedTask) else (task,)
            by_task: Any = measured if isinstance(task, SharedTask) else (measured,)
            if isinstance(measured, Lost):
                names = [f"classifier {part.name}" for part in shared_by]
                failed = self._lost(measured, names, shared_by[0])
                by_task = [[failed] * len(users) for _ in shared_by]
            for part, cells in zip(shared_by, by_task, strict=True):
                for found_cell, cell_users in zip(cells, users, strict=True):
                    self._add(part, found_cell, cell_users)
                    done += len(cell_users)
            report(done, total)

    def _n_cells(self, selector: str) -> int:
        """Return the number of measurements of a selector in one fold."""
        if selector in self.own_size:
            return len(self.classifiers)
        return sum(len(sizes) for sizes in self.sizes.values())

    def _measure_tasks(
        self, split: Split, together: bool
    ) -> Iterable[tuple[MeasureTask | SharedTask, list[list[tuple[str, int]]]]]:
        """Yield a task for each selector and classifier, equal columns once only.

        Classifiers that read the same neighbours at the same sizes share a task if
        ``together``. With each task come, for each set of columns, the cells that it
        serves.
        """
        by_sizes: dict[tuple[int, ...], dict[str, Any]] = {}
        for name, classifier in self.classifiers.items():
            by_sizes.setdefault(tuple(self.sizes[name]), {})[name] = classifier
        for sizes, classifiers in by_sizes.items():
            sets = sharing(classifiers) if together else [[n] for n in classifiers]
            yield from self._tasks_at(split, sizes, sets)

    def _tasks_at(
        self, split: Split, sizes: Sequence[int], sets: list[list[str]]
    ) -> Iterable[tuple[MeasureTask | SharedTask, list[list[tuple[str, int]]]]]:
        """Yield the tasks of sets of classifiers that are measured at some sizes."""
        groups: dict[str, list[bytes]] = {}
        columns: dict[bytes, Array] = {}
        users: dict[bytes, list[tuple[str, int]]] = {}
        orders: dict[str, Array] = {}

        def want(selector: str, size: int, chosen: Array) -> None:
            key = chosen.tobytes()
            if key not in users:
                columns[key] = chosen
                groups.setdefault(selector, []).append(key)
            users.setdefault(key, []).append((selector, size))

        if self.baseline:
            want(ALL_FEATURES, self.n_features, np.arange(self.n_features))
        for ranking in self.rankings:
            if ranking.fold == split.number:
                orders[ranking.selector] = ranking.order
                own = ranking.n_kept
                for size in sizes if own is None else (own,):
                    chosen = np.sort(ranking.order[:size])
                    want(ranking.selector, size, chosen)
        for names in sets:
            for selector, keys in groups.items():
                tasks = [
                    MeasureTask(
                        name,
                        self.classifiers[name],
                        split,
                        self.seeds[split.number],
                        tuple(columns[key] for key in keys),
                        orders.get(selector),
                    )
                    for name in names
                ]
                task = SharedTask(tuple(tasks)) if len(tasks) > 1 else tasks[0]
                yield task, [users[key] for key in keys]

    def _add_ranking(self, task: RankTask, found: Ranked) -> None:
        self._count(found.warnings)
        self.rankings.append(
            Ranking(
                task.name,
                task.split.number,
                found.order,
                found.scores,
                found.seconds,
                found.n_kept,
            )
        )

    def _lost(
        self, lost: Lost, names: list[str], task: RankTask | MeasureTask
    ) -> Failed:
        """Return what stands for a task whose process died, or raise an error."""
        if self.records_errors:
            return Failed(f"WorkerDied: {lost.reason}")
        split = task.split
        where = f"{', '.join(names)}, repeat {split.repeat}, fold {split.fold}"
        raise WorkerDied(f"{where}: {lost.reason}")

    def _fail(
        self,
        task: RankTask | MeasureTask,
        classifier: str | None,
        selector: str,
        size: int | None,
        found: Failed,
    ) -> None:
        self.failures.append(
            Failure(selector, classifier, task.split.number, size, found.error)
        )

    def _add(
        self, task: MeasureTask, found: Measured | Failed, users: list[tuple[str, int]]
    ) -> None:
        if isinstance(found, Failed):
            for selector, size in users:
                self._fail(task, task.name, selector, size, found)
            return
        self._count(found.warnings)
        for selector, size in users:
            cell = Cell(selector, task.name, task.split.number, size, **found.fields)
            self.cells.append(cell)
            self.watch(cell)

    def _count(self, warnings: dict[str, int]) -> None:
        for text, count in warnings.items():
            self.warnings[text] = self.warnings.get(text, 0) + count
