"""Lower what a plan asks for until it fits the time that there is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from labelsift.evaluate._budget_costs import PlanCosts
from labelsift.evaluate.plan import Plan
from labelsift.evaluate.plan_run import LoadedData
from labelsift.evaluate.store import ResultStore
from labelsift.learn.neighbor_path import reads_neighbors

_REPEATS = (5, 3, 2, 1)
_SIZES = (20, 10, 5)
_SIZES_OF = "sizes of "

Step = tuple[str, Any]


@dataclass(frozen=True, eq=False)
class LoweredPlan:
    """A plan that asks for less, and what was left out.

    Parameters
    ----------
    plan : Plan
        To be run.
    loaded : list of LoadedData
        Its data, with the sizes that are left.
    steps : tuple of (str, object)
        What was done, to be done again by :func:`lower_by`.
    seconds : float
        About how long it takes.
    fits : bool
        Whether that is within the time.

    Examples
    --------
    >>> from pathlib import Path
    >>> from labelsift.evaluate import load_data, read_plan
    >>> text = '''
    ... data.x.generate.seed = 0
    ... selectors.chi2 = {}
    ... classifiers.mlknn = {}
    ... '''
    >>> n_characters = Path("plan.toml").write_text(text)
    >>> plan = read_plan("plan.toml")
    >>> lowered = lower_by(plan, load_data(plan), [("splits", 3)])
    >>> lowered.plan.folds.n_splits, lowered.notes
    (3, ('3 folds instead of all',))
    """

    plan: Plan
    loaded: list[LoadedData]
    steps: tuple[Step, ...]
    seconds: float
    fits: bool

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, in words; empty if nothing was."""
        return tuple(dict.fromkeys(_in_words(self.steps)))


def lower_to_fit(
    plan: Plan,
    loaded: Sequence[LoadedData],
    store: ResultStore,
    seconds: float,
    *,
    n_workers: int = 1,
) -> LoweredPlan:
    """Return a plan that takes about as long as there is time, or the least there is.

    First repetitions and draws go, then sizes of classifiers that need a fit for each,
    then folds, then sizes of all, then the classifiers that take longest, and at last
    the data sets that take longest; what fits again after that comes back. One
    repetition of three folds, five sizes, one classifier and one data set are always
    left.

    Parameters
    ----------
    plan : Plan
        What is wished for.
    loaded : sequence of LoadedData
        Its data.
    store : ResultStore
        With the times of what was done before. That it is done is not counted, so that
        the same plan comes out before and after an interruption.
    seconds : float
        How long it may take, in all.
    n_workers : int, default=1
        Processes that share the work.

    Returns
    -------
    LoweredPlan
        The plan, with what was left out in words.

    Examples
    --------
    >>> from pathlib import Path
    >>> from labelsift.evaluate import load_data, read_plan
    >>> text = '''
    ... data.x.generate.seed = 0
    ... selectors.chi2 = {}
    ... classifiers.mlknn = {}
    ... '''
    >>> n_characters = Path("plan.toml").write_text(text)
    >>> plan = read_plan("plan.toml")
    >>> from labelsift.evaluate import ResultStore
    >>> with ResultStore("results.sqlite") as store:
    ...     lowered = lower_to_fit(plan, load_data(plan), store, seconds=3600)
    >>> lowered.notes, lowered.fits
    ((), True)
    """
    costs = PlanCosts(plan, loaded, store)
    whole, data = plan, list(loaded)
    now = LoweredPlan(plan, data, (), costs.seconds(plan, data), True)
    limit = seconds * n_workers
    for make in (
        _fewer_repeats,
        partial(_few_slow, n=10),
        partial(_fewer_splits, n=5),
        partial(_few_slow, n=5),
        partial(_fewer_splits, n=3),
        _few_sizes,
        _fewest_sizes,
        _less,
    ):
        while now.seconds > limit:
            step = make(now, costs)
            if step is None:
                break
            now = lower_by(whole, data, (*now.steps, step))
            now = replace(now, seconds=costs.seconds(now.plan, now.loaded))
    # what had to go before a dear classifier went may have room again
    for step in reversed(now.steps):
        if step[0] not in ("classifier", "data"):
            tried = lower_by(whole, data, [s for s in now.steps if s != step])
            needed = costs.seconds(tried.plan, tried.loaded)
            if needed <= limit:
                now = replace(tried, seconds=needed)
    return replace(now, seconds=now.seconds / n_workers, fits=now.seconds <= limit)


def lower_by(
    plan: Plan, loaded: Sequence[LoadedData], steps: Sequence[Step]
) -> LoweredPlan:
    """Return the plan with steps done that were found before.

    Parameters
    ----------
    plan : Plan
        The whole.
    loaded : sequence of LoadedData
        Its data.
    steps : sequence of (str, object)
        Those of ``LoweredPlan.steps``.

    Examples
    --------
    >>> from pathlib import Path
    >>> from labelsift.evaluate import load_data, read_plan
    >>> text = '''
    ... data.x.generate.seed = 0
    ... selectors.chi2 = {}
    ... classifiers.mlknn = {}
    ... '''
    >>> n_characters = Path("plan.toml").write_text(text)
    >>> plan = read_plan("plan.toml")
    >>> lower_by(plan, load_data(plan), [("sizes", 3)]).loaded[0].sizes
    {'mlknn': (1, 12, 40)}
    """
    data = list(loaded)
    last = dict(steps)
    for step in steps:
        if step[0] in ("classifier", "data") or step[1] == last[step[0]]:
            plan, data = _applied(plan, data, step)
    return LoweredPlan(plan, data, tuple(steps), math.nan, True)


def _fewer_repeats(now: LoweredPlan, costs: PlanCosts) -> Step | None:
    folds = now.plan.folds
    if folds.kind != "given":
        for n in _REPEATS:
            if n < folds.n_repeats:
                return "repeats", n
    n_draws = max((data.treatment.n_draws for data in now.loaded), default=1)
    return next((("draws", n) for n in _REPEATS if n < n_draws), None)


def _few_slow(now: LoweredPlan, costs: PlanCosts, n: int) -> Step | None:
    """Thin the sizes of the dearest classifier whose sizes are not had in one pass."""
    of: dict[str, float] = {}
    for name, classifier in now.plan.classifiers.items():
        there = [d for d in now.loaded if d.name in costs.rank]
        if not reads_neighbors(classifier) and any(
            len(d.sizes[name]) > n for d in there
        ):
            of[name] = sum(costs.of(now.plan, data, name) for data in there)
    if not of or len(now.plan.own_size) == len(now.plan.selectors):
        return None
    return _SIZES_OF + max(of, key=lambda name: of[name]), n


def _few_sizes(now: LoweredPlan, costs: PlanCosts) -> Step | None:
    return _sizes_step(now, _SIZES[:1])


def _fewest_sizes(now: LoweredPlan, costs: PlanCosts) -> Step | None:
    return _sizes_step(now, _SIZES)


def _sizes_step(now: LoweredPlan, choices: Sequence[int]) -> Step | None:
    plan = now.plan
    if len(plan.own_size) == len(plan.selectors):
        return None
    known = [data.sizes for data in now.loaded if data.sizes]
    most = max((len(each[c]) for each in known for c in plan.classifiers), default=0)
    return next((("sizes", n) for n in choices if n < most), None)


def _fewer_splits(now: LoweredPlan, costs: PlanCosts, n: int) -> Step | None:
    folds = now.plan.folds
    is_cross = folds.kind == "cross-validation"
    return ("splits", n) if is_cross and n < folds.n_splits else None


def _less(now: LoweredPlan, costs: PlanCosts) -> Step | None:
    """Leave out the dearest classifier, or at last the dearest data set."""
    if len(now.plan.classifiers) > 1:
        of = {
            name: sum(
                costs.of(now.plan, data, name)
                for data in now.loaded
                if data.name in costs.rank
            )
            for name in now.plan.classifiers
        }
        return "classifier", max(of, key=lambda name: of[name])
    measured = [data for data in now.loaded if data.name in costs.rank]
    if len(measured) > 1:
        dearest = max(measured, key=lambda data: costs.of_data(now.plan, data))
        return "data", dearest.name
    return None


def _applied(
    plan: Plan, loaded: list[LoadedData], step: Step
) -> tuple[Plan, list[LoadedData]]:
    kind, value = step
    if kind == "repeats":
        return replace(plan, folds=replace(plan.folds, n_repeats=int(value))), loaded
    if kind == "splits":
        return replace(plan, folds=replace(plan.folds, n_splits=int(value))), loaded
    if kind == "sizes":
        return plan, [
            replace(d, sizes={c: thinned(s, int(value)) for c, s in d.sizes.items()})
            for d in loaded
        ]
    if kind.startswith(_SIZES_OF):
        name = kind.removeprefix(_SIZES_OF)
        return plan, [
            replace(d, sizes={**d.sizes, name: thinned(d.sizes[name], int(value))})
            if name in d.sizes
            else d
            for d in loaded
        ]
    if kind == "draws":
        return plan, [
            replace(d, treatment=d.treatment.first(int(value))) for d in loaded
        ]
    if kind == "classifier":
        left = {k: v for k, v in plan.classifiers.items() if k != value}
        kept = [
            replace(d, sizes={c: s for c, s in d.sizes.items() if c != value})
            for d in loaded
        ]
        return replace(plan, classifiers=left), kept
    data = {k: v for k, v in plan.data.items() if k != value}
    return replace(plan, data=data), [d for d in loaded if d.name != value]


def thinned(sizes: Sequence[int], most: int) -> tuple[int, ...]:
    """Return at most so many of the sizes, spread evenly, with both ends.

    Examples
    --------
    >>> thinned(range(1, 102), 5)
    (1, 26, 51, 76, 101)
    """
    if len(sizes) <= most:
        return tuple(sizes)
    places = np.linspace(0, len(sizes) - 1, most).round().astype(int)
    return tuple(sizes[i] for i in np.unique(places))


_WORDS: dict[str, Callable[[Any], str]] = {
    "repeats": lambda n: (
        f"{n} repetition{'s' if n > 1 else ''} of the folds instead of all"
    ),
    "splits": lambda n: f"{n} folds instead of all",
    "draws": lambda n: (
        f"the first {n} of the draws of each data set" if n > 1 else "one draw"
    ),
    "sizes": lambda n: f"at most {n} numbers of features on each data set",
}


def _in_words(steps: Sequence[Step]) -> Iterator[str]:
    """Yield what is left out; of several steps of one kind the last says it."""
    last = dict(steps)
    gone = {
        kind: [str(value) for each, value in steps if each == kind]
        for kind in ("classifier", "data")
    }
    for kind, value in steps:
        if kind in gone or last[kind] != value:
            continue
        name = kind.removeprefix(_SIZES_OF)
        if kind not in _WORDS and name not in gone["classifier"]:
            yield f"at most {value} numbers of features with {name}"
        elif kind in _WORDS:
            yield _WORDS[kind](value)
    for kind, names in gone.items():
        if names:
            plural = "s" if kind == "classifier" and len(names) > 1 else ""
            yield f"without the {kind}{plural} {'; '.join(names)}"
