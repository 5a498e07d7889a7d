"""Measure one data set of a plan: all of its draws, each a repetition of the folds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sklearn.model_selection import ShuffleSplit

from labelsift.evaluate._joined_draws import joined, shifted
from labelsift.evaluate._plan_costs import with_costs
from labelsift.evaluate._remember import RememberingEngine
from labelsift.evaluate.failures import NothingMeasured
from labelsift.evaluate.plan import Plan
from labelsift.evaluate.records import Cell, Failure
from labelsift.evaluate.results import Results
from labelsift.evaluate.run import cross_validate

if TYPE_CHECKING:
    from labelsift.evaluate.plan_run import LoadedData


def measure_data(
    plan: Plan, data: LoadedData, engine: RememberingEngine, progress: Any
) -> Results:
    """Measure a data set; its draws follow one another as repetitions do."""
    count = data.treatment.n_draws
    if count == 1:
        return _measure_draw(plan, data, 0, engine, progress)
    found: list[Results] = []
    failures: list[Failure] = []
    nothing: NothingMeasured | None = None
    for number in range(count):
        watched = None if progress is None else _OneDraw(progress, number, count)
        try:
            found.append(_measure_draw(plan, data, number, engine, watched))
            here = found[-1].failures
        except NothingMeasured as error:
            nothing = nothing or error
            here = error.failures
        failures += shifted(here, number * _n_folds(plan, data))
    if nothing is not None:
        raise NothingMeasured(str(nothing), tuple(failures))
    return joined(found, plan.selectors)


def _measure_draw(
    plan: Plan, data: LoadedData, number: int, engine: Any, progress: Any
) -> Results:
    dataset = data.draw(number)
    folds = plan.folds
    seed = plan.seed + number * folds.n_repeats  # no two draws share a shuffle
    cv: Any = folds.n_splits
    n_repeats, stratify = folds.n_repeats, "iterative" if folds.stratify else False
    if folds.kind != "cross-validation":
        n_repeats, stratify = 1, False
        cv = data.splits
    if folds.kind == "hold-out":
        cv = ShuffleSplit(folds.n_repeats, test_size=folds.test_size, random_state=seed)
    results = cross_validate(
        with_costs(plan.selectors, dataset),
        plan.classifiers,
        dataset,
        grid={name: list(data.sizes[name]) for name in plan.classifiers},
        cv=cv,
        n_repeats=n_repeats,
        stratify=stratify,
        metrics=plan.metrics,
        random_state=seed,
        n_jobs=engine,
        progress=progress,
        baseline=plan.baseline,
        on_error="record",
        own_size=plan.own_size,
    )
    if not str(data.treatment):
        return results
    treatment = {
        "treatment": str(data.treatment),
        "treatment_lines": data.treatment.python(),
    }
    return replace(results, settings={**results.settings, **treatment})


@dataclass(frozen=True)
class _OneDraw:
    """Tells a watcher of all draws how far one is."""

    whole: Any
    number: int
    count: int

    def __call__(self, done: int, total: int) -> None:
        self.whole(self.number * total + done, self.count * total)

    def watch(self, cell: Cell) -> None:
        getattr(self.whole, "watch", lambda cell: None)(cell)


def _n_folds(plan: Plan, data: LoadedData) -> int:
    if data.splits is not None:
        return len(data.splits)
    is_cross = plan.folds.kind == "cross-validation"
    return plan.folds.n_repeats * (plan.folds.n_splits if is_cross else 1)
