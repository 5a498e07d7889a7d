"""Run selectors and classifiers over folds; selection always inside the fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.engine import Engine, Lost, engine_for, shares_work
from labelsift.evaluate._arguments import (
    as_table,
    check_flag,
    check_metrics,
    check_seed,
    named_estimators,
    sizes_from,
    software,
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
from labelsift.evaluate._fold_work import measure_task, rank, try_rank, try_task
from labelsift.evaluate._neighbor_work import sharing
from labelsift.evaluate._outputs import can_score, no_scores_message
from labelsift.evaluate._splits import Split, describe_split, make_splits
from labelsift.evaluate.failures import WorkerDied, without_failed
from labelsift.evaluate.folds import fresh_seed
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.progress import Report, reporting
from labelsift.evaluate.records import (
    ALL_FEATURES,
    Cell,
    Failure,
    Method,
    Ranking,
)
from labelsift.evaluate.results import Results

Array = np.ndarray[Any, Any]
DEFAULT_METRICS = (
    "hamming_loss",
    "one_error",
    "coverage",
    "ranking_loss",
    "average_precision",
    "subset_accuracy",
    "micro_f1",
    "macro_f1",
)


def cross_validate(
    selectors: Any,
    classifiers: Any,
    X: Any,
    Y: Any = None,
    *,
    grid: Any = None,
    cv: Any = 10,
    n_repeats: int = 1,
    stratify: Any = False,
    groups: Any = None,
    metrics: Sequence[str] = DEFAULT_METRICS,
    random_state: int | None = 0,
    n_jobs: int | Engine | None = None,
    progress: bool | str | Callable[[int, int], None] | None = None,
    baseline: bool = True,
    dataset_name: str | None = None,
    on_error: str = "raise",
) -> Results:
    """Measure how well classifiers do with the best features of selectors.

    In every fold each selector is fitted once, on the training rows only, and its
    order is cut at every size of the grid. Selecting on all rows first would make
    even noise look predictable.

    Parameters
    ----------
    selectors : estimator, list of estimators, or dict of str to estimator
        Anything that has ``order_``, ``scores_``, ``feature_importances_`` or
        ``ranking_`` after ``fit``. Its own number of features plays no role.
    classifiers : estimator, list of estimators, or dict of str to estimator
        Classifiers for several labels. Training labels come as a dense 0/1 array.
    X : array-like, sparse matrix, data frame or Dataset
        Features, shape (n_samples, n_features).
    Y : array-like, sparse matrix or data frame, optional
        0/1 labels of shape (n_samples, n_labels); left out if ``X`` is a Dataset. A
        class vector reaches selectors as it is, and classifiers as one label a class.
    grid : int, float, sequence of them, "all", or None
        Sizes to try: numbers of features, or fractions (above 0, at most 1, rounded
        down but at least one feature). ``"all"`` tries every size. None tries about
        ten sizes from 1 % to 100 %.
    cv : int, splitter, or list of (train, test)
        Number of folds, any scikit-learn splitter, or given row indices or masks.
    n_repeats : int, default=1
        Repetitions with other shuffles; only with a number of folds.
    stratify : {False, "iterative"}, default=False
        Plain shuffled folds, or folds that spread every label evenly; only with a
        number of folds.
    groups : array-like of shape (n_samples,), optional
        Passed to the splitter.
    metrics : sequence of str
        Keys of ``labelsift.evaluate.METRICS``; the first decides what is best.
    random_state : int or None, default=0
        Repetition ``r`` shuffles with ``random_state + r``. Selectors and classifiers
        whose ``random_state`` is None get a seed that depends on this number and the
        fold. None draws a number, recorded in ``settings``.
    n_jobs : int or Engine, optional
        Processes; the results are the same for any number.
    progress : bool, str or callable, optional
        True or a text shows a bar on standard error, if that is a terminal. A callable
        is called with the number of fits done and the number of all; if it has a
        method ``watch``, that is called with each measured ``Cell``.
    baseline : bool, default=True
        Also measure every classifier with all features.
    dataset_name : str, optional
        Name in the results; by default the Dataset's, or "data".
    on_error : {"raise", "record"}, default="raise"
        What to do with an error from a selector or classifier. ``"record"`` goes on
        with the rest: errors are listed in ``Results.failures``, and a method that
        failed anywhere is left out whole, so that the others stay comparable.

    Returns
    -------
    Results
        Every measurement, with rankings, odd folds and settings.

    Raises
    ------
    ValueError, TypeError
        If arguments do not fit. An error from a selector or classifier says in a note
        which one and in which fold.
    WorkerDied
        If a worker process died over the same task twice, and errors are not recorded.
    NothingMeasured
        If errors are recorded and not one method came through every fold.

    Notes
    -----
    Ranking metrics get ``predict_proba``, else ``decision_function``, never 0/1
    predictions. A label on which all training rows of a fold agree is marked; if the
    classifier refuses such labels it is fitted without them, and the one value is
    predicted. Columns reach the classifier in the order of ``X``, so that sets reached
    by different selectors share one fit.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.ensemble import ExtraTreesClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(90, 12))
    >>> Y = (X[:, :2] > 0).astype(int)
    >>> results = cross_validate(
    ...     ExtraTreesClassifier(), KNeighborsClassifier(), X, Y, grid=[2, 6], cv=3
    ... )
    >>> results.best().n_features
    2
    """
    table, feature_names, labels, name = as_table(X, Y, dataset_name)
    metrics, baseline = check_metrics(metrics), check_flag(baseline, "baseline")
    rankers = named_estimators(selectors, "selectors")
    learners = named_estimators(classifiers, "classifiers")
    ranking = [m for m in metrics if METRICS[m].needs == "scores"]
    for learner in learners.values():
        if ranking and not can_score(learner):
            raise TypeError(no_scores_message(learner, ranking))
    if on_error not in ("raise", "record"):
        raise ValueError(f"on_error must be 'raise' or 'record'; found {on_error!r}.")
    n, d = table.shape
    sizes = sizes_from(grid, d)
    seed = fresh_seed() if random_state is None else check_seed(random_state)
    splits, how = make_splits(
        cv, n_repeats, stratify, seed, table, labels.values, groups
    )
    if sparse.issparse(labels.values):
        counts = np.bincount(labels.values.indices, minlength=labels.n_labels)
    else:
        counts = labels.values.sum(axis=0, dtype=np.int64)

    y = labels.values if labels.classes is None else labels.classes[labels.codes]
    run = _Run(rankers, learners, splits, sizes, d, baseline, seed, on_error)
    engine = engine_for(n_jobs)
    try:
        with reporting(progress, f"evaluating {name}") as report:
            shared = engine.share(
                Table(table, labels.values, y, metrics, feature_names)
            )
            run.go(engine, shared, report)
    finally:
        engine.close()
    results = Results(
        dataset=name,
        n_samples=n,
        feature_names=feature_names,
        label_names=labels.names,
        label_counts=tuple(counts.tolist()),
        metrics=metrics,
        sizes=sizes,
        selectors={key: Method.of(value) for key, value in rankers.items()},
        classifiers={key: Method.of(value) for key, value in learners.items()},
        folds=tuple(describe_split(split, labels.values) for split in splits),
        rankings=tuple(run.rankings),
        cells=tuple(run.cells),
        settings={
            "splits": how,
            "stratify": stratify or False,
            "n_repeats": int(n_repeats),
            "random_state": seed,
            "baseline": bool(baseline),
            "versions": software(),
        },
        warnings=run.warnings,
        failures=tuple(run.failures),
    )
    return without_failed(results) if results.failures else results


class _Run:
    """The tasks of one evaluation and what came of them."""

    def __init__(
        self,
        selectors: Mapping[str, Any],
        classifiers: Mapping[str, Any],
        splits: Sequence[Split],
        sizes: Sequence[int],
        n_features: int,
        baseline: bool,
        seed: int,
        on_error: str = "raise",
    ) -> None:
        self.selectors = selectors
        self.classifiers = classifiers
        self.splits = splits
        self.sizes = sizes
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
            RankTask(name, selector, split, self.seeds[split.number])
            for split in self.splits
            for name, selector in self.selectors.items()
        ]
        per_fold = len(self.sizes) * len(self.selectors) + self.baseline
        self.watch = getattr(report, "watch", self.watch)
        total = len(rank_tasks) + len(self.splits) * len(self.classifiers) * per_fold
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
                done += len(self.sizes) * len(self.classifiers)
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

    def _measure_tasks(
        self, split: Split, together: bool
    ) -> Iterable[tuple[MeasureTask | SharedTask, list[list[tuple[str, int]]]]]:
        """Yield a task for each selector and classifier, equal columns once only.

        Classifiers that read the same neighbours share a task if ``together``. With
        each task come, for each set of columns, the cells that it serves.
        """
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
                for size in self.sizes:
                    chosen = np.sort(ranking.order[:size])
                    want(ranking.selector, size, chosen)
        sets = (
            sharing(self.classifiers) if together else [[n] for n in self.classifiers]
        )
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
                task.name, task.split.number, found.order, found.scores, found.seconds
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
