"""What a claim is about in a comparison: data, methods, classifiers, metrics."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelsift.evaluate.compare import corrected_resampled_difference
from labelsift.evaluate.method_curves import matching
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.results import Results

if TYPE_CHECKING:
    from labelsift.evaluate.claims import Claim, ClaimCase
    from labelsift.evaluate.comparison import Comparison

Array = np.ndarray[Any, Any]


def data_names(comparison: Comparison, claim: Claim, missing: list[str]) -> set[str]:
    """Return the data sets that a claim is about; what is missing of them is noted."""
    patterns = claim.data or ("*",)
    planned = list(dict.fromkeys([*comparison.plan.data, *comparison.datasets]))
    planned += [name for name in comparison.broken if name not in planned]
    wanted = matching(patterns, planned)
    plain = [pattern for pattern in claim.data if "*" not in pattern]
    absent = [name for name in plain if name not in planned]
    # patterns may stand beside names for the data of another plan, such as a small one
    is_other_plan = bool(wanted) and len(absent) == len(plain)
    if absent and not is_other_plan:
        verb = "is" if len(absent) == 1 else "are"
        missing.append(f"{', '.join(absent)} {verb} not among the data of this run")
    broken = [name for name in wanted if name in comparison.broken]
    if broken:
        verb = "was" if len(broken) == 1 else "were"
        missing.append(f"{', '.join(broken)} {verb} not measured")
    return set(wanted)


@dataclass(frozen=True, eq=False)
class Search:
    """What a claim is about, on one data set."""

    results: Results
    claim: Claim
    measured: tuple[str, ...]
    missing: list[str]
    datasets: Mapping[str, Any]

    def selectors(self, patterns: Sequence[str]) -> list[str]:
        """Return selectors by their patterns; what fits none is noted."""
        known = list(self.results.selectors)
        if self.results.has_baseline:
            known.append(ALL_FEATURES)
        found: list[str] = []
        for pattern in patterns:
            if pattern == "others":
                first = matching(self.claim.first, known)
                fitting = [s for s in self.results.selectors if s not in first]
            else:
                fitting = matching([pattern], known)
            if not fitting:
                self.missing.append(
                    f"{pattern} was not measured on {self.results.dataset}"
                )
            found += [s for s in fitting if s not in found]
        return found

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield each first method with each second one."""
        seconds = self.selectors(self.claim.second)
        for first in self.selectors(self.claim.first):
            for second in seconds:
                if first != second:
                    yield first, second

    def classifiers(self) -> list[tuple[str, list[str]]]:
        """Return names with the classifiers whose mean they stand for."""
        known = list(self.results.classifiers)
        patterns = self.claim.classifiers or ("*",)
        found = matching(patterns, known)
        for pattern in self.claim.classifiers:
            if not matching([pattern], known):
                self.missing.append(
                    f"{pattern} was not measured on {self.results.dataset}"
                )
        if self.claim.mean_of_classifiers:
            return [("mean", found)] if found else []
        return [(name, [name]) for name in found]

    def metrics(self) -> list[str]:
        """Return the metrics of the claim that were measured."""
        if not self.claim.metrics:
            return list(self.measured)
        self.missing.extend(
            f"{name} was not measured"
            for name in self.claim.metrics
            if name not in self.measured
        )
        return [name for name in self.claim.metrics if name in self.measured]

    def where(self) -> Iterator[tuple[str, list[str], str, float]]:
        """Yield classifiers and metrics, with the sign that makes larger better."""
        for name, group in self.classifiers():
            for metric in self.metrics():
                sign = 1.0 if METRICS[metric].greater_is_better else -1.0
                yield name, group, metric, sign

    def case(self, classifier: str, metric: str, size: str, **fields: Any) -> ClaimCase:
        """Return a case on this data set."""
        from labelsift.evaluate.claims import ClaimCase

        return ClaimCase(self.results.dataset, classifier, metric, size, **fields)

    def p_value(self, first: Array, second: Array) -> float:
        """Return the p value of the difference over the folds; NaN for one fold."""
        if len(first) < 2 or first.shape != second.shape:
            return math.nan
        folds = self.results.folds
        return corrected_resampled_difference(
            first,
            second,
            n_train=float(np.mean([fold.n_train for fold in folds])),
            n_test=float(np.mean([fold.n_test for fold in folds])),
        ).p_value
