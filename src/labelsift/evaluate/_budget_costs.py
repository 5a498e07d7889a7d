"""What the parts of a plan cost, by small trials."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from labelsift.evaluate.estimate import Trial
from labelsift.evaluate.plan import Plan
from labelsift.evaluate.plan_run import LoadedData
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.store import ResultStore

_TRIALS = 40.0  # seconds


class PlanCosts:
    """Seconds of one fit of each kind, by small trials."""

    def __init__(
        self, plan: Plan, loaded: Sequence[LoadedData], store: ResultStore
    ) -> None:
        known = store.mean_seconds()
        self.rank: dict[str, float] = {}
        self.ends: dict[tuple[str, str], tuple[int, int, float, float]] = {}
        there = [d for d in loaded if d.dataset is not None and not d.error]
        for data in there:
            assert data.dataset is not None
            # every data set gets its share of the time for trials
            trial = Trial(plan, data, known, 0.0, _TRIALS / len(there))
            d = data.dataset.n_features
            some = next(iter(plan.selectors))
            for name in plan.classifiers:
                low, high = data.sizes[name][0], data.sizes[name][-1]
                first, last = (trial.cost(some, name, s) for s in (low, high))
                self.ends[data.name, name] = (low, high, first, last)
                if plan.baseline:
                    whole = trial.cost(ALL_FEATURES, name, d)
                    self.ends[data.name, f"{name}, all"] = (d, d, whole, whole)
            ranks = [trial.cost(s, None, None) for s in plan.selectors]
            tried = [seconds for seconds in ranks if not math.isnan(seconds)]
            # those for which there was no time are taken to be like the others
            self.rank[data.name] = math.fsum(tried) / max(len(tried), 1)
        self._fill([data.name for data in there])

    def _fill(self, names: Sequence[str]) -> None:
        """Take what could not be tried to cost as much as on the dearest other data."""
        for (name, kind), (low, high, *costs) in list(self.ends.items()):
            known = [
                each
                for other in names
                for each in self.ends.get((other, kind), (0, 0))[2:]
                if not math.isnan(each)
            ]
            most = max(known, default=0.0)
            first, last = (most if math.isnan(c) else c for c in costs)
            self.ends[name, kind] = (low, high, first, last)

    def of(self, plan: Plan, data: LoadedData, classifier: str) -> float:
        """Return seconds of all fits of a classifier in one fold of a data set."""
        low, high, first, last = self.ends[data.name, classifier]
        ends = [low, max(high, low + 1)]
        sizes = np.array(data.sizes[classifier], dtype=np.float64)
        n_own = len(plan.own_size)
        each = np.interp(sizes, ends, [first, last])
        total = (len(plan.selectors) - n_own) * float(each.sum())
        total += n_own * (first + last) / 2  # nobody knows the size before
        if plan.baseline:
            total += self.ends[data.name, f"{classifier}, all"][2]
        return total

    def of_data(self, plan: Plan, data: LoadedData) -> float:
        """Return seconds of a data set."""
        if data.name not in self.rank:
            return 0.0
        n_fits = sum(self.of(plan, data, name) for name in plan.classifiers)
        folds = len(data.splits) if data.splits is not None else plan.folds.n_splits
        if plan.folds.kind == "hold-out":
            folds = 1
        repeats = 1 if plan.folds.kind == "given" else plan.folds.n_repeats
        n_ranks = self.rank[data.name] * len(plan.selectors)
        return folds * repeats * data.treatment.n_draws * (n_ranks + n_fits)

    def seconds(self, plan: Plan, loaded: Sequence[LoadedData]) -> float:
        """Return seconds of a plan in one process."""
        return sum(self.of_data(plan, data) for data in loaded)
