"""Lower what a plan asks for until it fits the time that there is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from labelsift.evaluate._budget_costs import PlanCosts
from labelsift.evaluate._budget_steps import (
    CLAIMED,
    SINGLE,
    SIZES_OF,
    Step,
    applied,
    in_words,
)
from labelsift.evaluate.claims import Claim
from labelsift.evaluate.claims_file import Claims
from labelsift.evaluate.method_curves import matching
from labelsift.evaluate.plan import Plan
from labelsift.evaluate.plan_run import LoadedData
from labelsift.evaluate.store import ResultStore
from labelsift.learn.neighbor_path import reads_neighbors

_REPEATS = (5, 3, 2, 1)
_SIZES = (20, 10, 5)


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
        return tuple(dict.fromkeys(in_words(self.steps)))


def lower_to_fit(
    plan: Plan,
    loaded: Sequence[LoadedData],
    store: ResultStore,
    seconds: float,
    *,
    claims: Claims | None = None,
    n_workers: int = 1,
) -> LoweredPlan:
    """Return a plan that takes about as long as there is time, or the least there is.

    First repetitions and draws go, then sizes of classifiers that need a fit for each,
    then folds, then sizes of all, then selectors that no claim and no table names, then
    the classifiers that take longest, and at last the data sets that take longest; what
    fits again after that comes back. What claims cannot be judged without goes after
    all else, classifiers last. One repetition of three folds, five sizes, one
    classifier and one data set are always left.

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
    claims : Claims, optional
        What shall be judged. A claim that speaks of all selectors, as one about
        "others" does, names all.
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
        partial(_named_selectors, claims=claims),
        partial(_less, claims=() if claims is None else claims.claims),
    ):
        while now.seconds > limit:
            step = make(now, costs)
            if step is None:
                break
            now = lower_by(whole, data, (*now.steps, step))
            now = replace(now, seconds=costs.seconds(now.plan, now.loaded))
    # what had to go before a dear classifier went may have room again
    for step in reversed(now.steps):
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
        if step[0] in SINGLE or step[1] == last[step[0]]:
            plan, data = applied(plan, data, step)
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
    return SIZES_OF + max(of, key=lambda name: of[name]), n


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


def _named_selectors(
    now: LoweredPlan, costs: PlanCosts, claims: Claims | None
) -> Step | None:
    """Leave the selectors that are spoken of, where that is not all of them."""
    if claims is None:
        return None
    known = list(now.plan.selectors)
    patterns = [p for claim in claims.claims for p in (*claim.first, *claim.second)]
    patterns += [p for table in claims.tables for p in (*table.first, *table.second)]
    named = set(known if "others" in patterns else matching(patterns, known))
    left = [name for name in known if name in named]
    return ("selectors", left) if 0 < len(left) < len(known) else None


def _less(now: LoweredPlan, costs: PlanCosts, claims: Sequence[Claim]) -> Step | None:
    """Leave out what claims need least: a classifier or a data set, the dearest."""
    measured = [data for data in now.loaded if data.name in costs.rank]
    of_classifier = {
        name: sum(costs.of(now.plan, data, name) for data in measured)
        for name in now.plan.classifiers
    }
    of_data = {data.name: costs.of_data(now.plan, data) for data in measured}
    found = []
    for place, (kind, seconds) in enumerate(
        (("classifier", of_classifier), ("data", of_data))
    ):
        asked = [c.classifiers if kind == "classifier" else c.data for c in claims]
        for name in seconds if len(seconds) > 1 else ():
            lost = sum(_is_lost(patterns, name, list(seconds)) for patterns in asked)
            # a classifier that claims need goes after all data but one
            rank = 2 if lost and kind == "classifier" else int(lost > 0)
            found.append((rank, place, lost, -seconds[name], kind, name))
    if not found:
        return None
    _, _, lost, _, kind, name = min(found, key=lambda each: each[:4])
    return (CLAIMED if lost else "") + kind, name


def _is_lost(patterns: Sequence[str], name: str, names: Sequence[str]) -> bool:
    """Tell whether of what a claim names nothing is left without this."""
    return matching(patterns, names) == [name]
