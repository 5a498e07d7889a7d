"""Estimate how long what is missing of a plan will take, from small trials."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.evaluate._fold_tasks import MeasureTask, RankTask, Table
from labelsift.evaluate._fold_work import measure_columns as measure
from labelsift.evaluate._fold_work import rank
from labelsift.evaluate._plan_costs import with_costs
from labelsift.evaluate._splits import Split
from labelsift.evaluate.plan import Plan
from labelsift.evaluate.plan_run import LoadedData, Survey, fits_of
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.store import ResultStore
from labelsift.learn.prefix_answers import takes_one_pass

_BUDGET = 30.0  # seconds of trials
_LEAST_ROWS = 64
_SHORT = 0.3  # seconds


@dataclass(frozen=True)
class Estimate:
    """How long a plan may still take.

    Parameters
    ----------
    seconds : float
        For one process; about, since it is drawn from a few small fits.
    n_unknown : int
        Fits for which there is no estimate, as a trial failed or time was up.
    """

    seconds: float
    n_unknown: int


def estimate(
    plan: Plan,
    loaded: Sequence[LoadedData],
    surveys: Sequence[Survey],
    store: ResultStore,
) -> Estimate:
    """Return about how long the missing fits will take in one process.

    Where the store has times of a method on the data, their mean counts. Otherwise the
    method runs on an eighth and on a quarter of the rows, and the growth between them
    is carried on to all rows.

    Parameters
    ----------
    plan : Plan
        What is to be done.
    loaded : sequence of LoadedData
        Its data.
    surveys : sequence of Survey
        What is missing.
    store : ResultStore
        With the times of what is done.
    """
    known = store.mean_seconds()
    by_name = {data.name: data for data in loaded}
    total, unknown, spent = 0.0, 0, 0.0
    for found in surveys:
        if not found.missing:
            continue
        trial = Trial(plan, by_name[found.dataset], known, spent)
        for (selector, classifier, size), count in _wanted(plan, found, trial).items():
            cost = trial.cost(selector, classifier, size)
            if math.isnan(cost):
                unknown += count
            else:
                total += count * cost
        spent = trial.spent
    return Estimate(total, unknown)


def _wanted(
    plan: Plan, found: Survey, trial: Trial
) -> dict[tuple[str, str | None, int | None], int]:
    """Return how many fits of each kind are missing."""
    counts: dict[tuple[str, str | None, int | None], int] = {}
    for failure in found.missing:
        kinds: list[tuple[str, str | None, int | None]]
        kinds = [(failure.selector, failure.classifier, failure.n_features)]
        if failure.classifier is None:
            kinds += [
                (failure.selector, c, size)
                for c, size in fits_of(plan, trial.data, failure.selector)
            ]
        for kind in kinds:
            counts[kind] = counts.get(kind, 0) + 1
    return counts


class Trial:
    """Times of methods on one data set, tried when first asked for.

    Parameters
    ----------
    plan : Plan
        What is to be done.
    data : LoadedData
        The data set.
    known : dict
        Mean times of what was done before, as from ``ResultStore.mean_seconds``.
    spent : float
        Seconds that trials took already.
    most : float
        Seconds beyond which no trial is made.
    """

    def __init__(
        self,
        plan: Plan,
        data: LoadedData,
        known: dict[tuple[str, str, str, int | None], float],
        spent: float,
        most: float = _BUDGET,
    ) -> None:
        assert data.dataset is not None
        self.plan, self.data, self.known = plan, data, known
        self.spent, self.most = spent, most
        self.selectors = with_costs(plan.selectors, data.dataset)
        X, Y = data.dataset.X, data.dataset.Y
        names = tuple(data.dataset.feature_names)
        self.table = Table(X, Y, Y, plan.metrics, names)
        n = X.shape[0]
        self.test_share = _test_share(plan, data, n)
        self.n_train = max(1, round(n * (1 - self.test_share)))
        self.rows = np.random.default_rng(0).permutation(n)
        self.tried: dict[Any, float] = {}

    def cost(self, selector: str, classifier: str | None, size: int | None) -> float:
        """Return seconds of one fit; NaN where it is not known."""
        if classifier is None:
            estimator = self.selectors[selector]
            return self._cost("ranking", estimator, None)
        estimator = self.plan.classifiers[classifier]
        key = (self.data.name, "measurement", " ".join(repr(estimator).split()), size)
        if key in self.known:
            return self.known[key]
        sizes = self.data.sizes[classifier]
        if selector != ALL_FEATURES and size is not None and takes_one_pass(estimator):
            # one pass serves all sizes
            return self._cost("path", estimator, None, sizes) / len(sizes)
        assert self.data.dataset is not None
        low, high = sizes[0], self.data.dataset.n_features
        if selector != ALL_FEATURES and size is not None:
            high = sizes[-1]
        if size is None:  # the selector's own: nobody knows before
            size = (low + high) // 2
        ends = [self._cost("measurement", estimator, end) for end in (low, high)]
        if high == low:
            return ends[0]
        share = (size - low) / (high - low)
        return ends[0] + share * (ends[1] - ends[0])

    def _cost(
        self,
        kind: str,
        estimator: Any,
        size: int | None,
        sizes: tuple[int, ...] = (),
    ) -> float:
        text = " ".join(repr(estimator).split())
        key = (self.data.name, kind, text, size)
        if key in self.known:
            return self.known[key]
        if key not in self.tried:
            self.tried[key] = math.nan
            if self.spent < self.most:
                # what fails here fails, and is recorded, when the plan runs
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        self.tried[key] = self._extrapolated(
                            lambda n: self._once(kind, estimator, size, n, sizes)
                        )
                    except Exception:
                        pass
        return self.tried[key]

    def _extrapolated(self, seconds: Callable[[int], float]) -> float:
        n = self.n_train
        few, more = max(n // 8, _LEAST_ROWS), max(n // 4, 2 * _LEAST_ROWS)
        spent = self.spent
        seconds(min(n, _LEAST_ROWS))  # compiles what is to be compiled,
        self.spent = spent  # once, so that this counts for nothing
        if more >= n:
            return seconds(n)
        first, second = _quickest(seconds, few), _quickest(seconds, more)
        growth = math.log(max(second, 1e-6) / max(first, 1e-6)) / math.log(more / few)
        result: float = second * (n / more) ** min(max(growth, 0.5), 2.5)
        return result

    def _once(
        self,
        kind: str,
        estimator: Any,
        size: int | None,
        n_train: int,
        sizes: tuple[int, ...],
    ) -> float:
        n_test = max(1, round(n_train * self.test_share / (1 - self.test_share)))
        train = np.sort(self.rows[:n_train])
        test = np.sort(self.rows[n_train : n_train + n_test])
        if not len(test):
            test = train[-1:]
        split = Split(0, 0, 0, None, train, test)
        start = time.perf_counter()
        if kind == "ranking":
            rank(self.table, RankTask("trial", estimator, split, 0))
        else:
            sizes = sizes if kind == "path" else (size or 1,)
            columns = tuple(np.arange(one) for one in sizes)
            order = np.arange(sizes[-1]) if kind == "path" else None
            task = MeasureTask("trial", estimator, split, 0, columns, order)
            measure(self.table, task)
        seconds = time.perf_counter() - start
        self.spent += seconds
        return seconds


def _quickest(seconds: Callable[[int], float], n: int) -> float:
    """Return the shorter of two times; of a long one, which other work troubles less.

    What else the machine does would otherwise count as growth with the rows.
    """
    first = seconds(n)
    return min(first, seconds(n)) if first < _SHORT else first


def _test_share(plan: Plan, data: LoadedData, n: int) -> float:
    if data.splits is not None:
        return float(np.mean([len(test) for _, test in data.splits])) / n
    if plan.folds.kind == "hold-out":
        return plan.folds.test_size
    return 1 / plan.folds.n_splits
