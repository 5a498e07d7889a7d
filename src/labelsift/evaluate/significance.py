"""Test the methods of a comparison against the best, and against no selection."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from labelsift.evaluate.compare import (
    PairedDifference,
    corrected_resampled_difference,
)
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.pairwise import (
    SignedRankPosterior,
    bayesian_signed_rank,
    holm,
    wilcoxon_holm,
)
from labelsift.evaluate.records import ALL_FEATURES

if TYPE_CHECKING:
    from labelsift.evaluate.comparison import Comparison, Method, Standing
    from labelsift.evaluate.results import Results

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class MethodTest:
    """One method against another, on each data set and over all of them.

    Parameters
    ----------
    method : Method
        Which is tested.
    against : str
        Name of the other; ``"all features"`` for no selection.
    differences : tuple of PairedDifference
        "Method minus other" on the folds of each data set, by the corrected resampled
        t test.
    adjusted_on_each : tuple of float
        Its p values, corrected by Holm for the methods tested on that data set.
    median_difference : float
        Of the means over the folds, over the data sets.
    p_value, adjusted : float
        Wilcoxon's signed-rank test over the data sets, alone and corrected by Holm for
        the methods tested. With five data sets or fewer it cannot be below 0.05.
    means : tuple of (float, float)
        Means of the method and the other on each data set.
    rope : float
        Differences of at most this count as none in the Bayesian test.

    Examples
    --------
    >>> test = comparison.tests()[0]  # made by ``run_plan``
    >>> test.against, len(test.differences)
    ('chi2, brknn', 1)
    """

    method: Method
    against: str
    differences: tuple[PairedDifference, ...]
    adjusted_on_each: tuple[float, ...]
    median_difference: float
    p_value: float
    adjusted: float
    means: tuple[tuple[float, float], ...]
    rope: float

    @cached_property
    def posterior(self) -> SignedRankPosterior:
        """How probable it is that either is better by more than ``rope``."""
        return _posterior(np.array(self.means), self.rope, self.greater_is_better)

    def verdicts(self, alpha: float = 0.05) -> tuple[str, ...]:
        """Return ``"better"``, ``"worse"`` or ``"undecided"`` for each data set."""
        return tuple(
            _verdict(difference, p, alpha)
            for difference, p in zip(
                self.differences, self.adjusted_on_each, strict=True
            )
        )

    @property
    def greater_is_better(self) -> bool:
        """Orientation of the metric."""
        return self.differences[0].greater_is_better

    def verdict(self, alpha: float = 0.05) -> str:
        """Return the same over all data sets, by the corrected Wilcoxon test."""
        if not self.adjusted < alpha or self.median_difference == 0:
            return "undecided"
        is_better = (self.median_difference > 0) == self.greater_is_better
        return "better" if is_better else "worse"


def tests_against(
    comparison: Comparison, metric: str, against: str, *, rope: float
) -> list[MethodTest]:
    """Return the tests of :meth:`Comparison.tests`."""
    standings = comparison.standings(metric)
    own = [fold_values(comparison, standing, metric) for standing in standings]
    names: list[str]
    if against == "best":
        tested, names = standings[1:], [str(s.method) for s in standings[:1]]
        folds = [(values, own[0]) for values in own[1:]]
    else:
        tested, names = standings if comparison.has_baseline else [], [ALL_FEATURES]
        folds = [
            (values, _without_selection(comparison, standing, metric))
            for values, standing in zip(own, tested, strict=False)
        ]
    if not tested:
        return []
    differences = [
        [
            paired_difference(results, a, b, metric)
            for results, a, b in zip(comparison.results, first, second, strict=True)
        ]
        for first, second in folds
    ]
    on_each = [
        corrected([row[i].p_value for row in differences])
        for i in range(len(comparison.results))
    ]
    overall = []
    for first, second in folds:
        means = np.array(
            [[_mean(a), _mean(b)] for a, b in zip(first, second, strict=True)]
        )
        overall.append((means, wilcoxon_holm(means)[0]))
    adjusted = holm([test.p_value for _, test in overall])
    return [
        MethodTest(
            standing.method,
            names[0],
            tuple(differences[j]),
            tuple(float(p[j]) for p in on_each),
            test.median_difference,
            test.p_value,
            float(adjusted[j]),
            tuple((float(a), float(b)) for a, b in means),
            rope,
        )
        for j, (standing, (means, test)) in enumerate(zip(tested, overall, strict=True))
    ]


def against_best_of_each(comparison: Comparison, metric: str) -> Array:
    """Return p values of each method against the best of each data set.

    Parameters
    ----------
    comparison : Comparison
        With at least one method on every data set.
    metric : str
        What is compared.

    Returns
    -------
    ndarray of shape (n_datasets, n_methods)
        Of the corrected resampled t test, corrected by Holm for the methods of the data
        set; NaN for the best itself. Methods as in ``comparison.methods()``.
    """
    methods = comparison.methods()
    values, _ = comparison.values(metric)
    merit = values if METRICS[metric].greater_is_better else -values
    found = np.full(values.shape, np.nan)
    standings = comparison.standings(metric)
    of = {s.method: fold_values(comparison, s, metric) for s in standings}
    folds = [of[method] for method in methods]
    for i, results in enumerate(comparison.results):
        if np.isnan(merit[i]).all():
            continue
        best = int(np.nanargmax(merit[i]))
        rest = [j for j in range(len(methods)) if j != best]
        p_values = [
            paired_difference(results, folds[j][i], folds[best][i], metric).p_value
            for j in rest
        ]
        found[i, rest] = corrected(p_values)
    return found


def fold_values(comparison: Comparison, standing: Standing, metric: str) -> list[Array]:
    """Return a method's values in the folds of each data set, at its best size."""
    method = standing.method
    return [
        np.array(
            [
                cell.values[metric]
                for cell in results.cells_of(method.selector, method.classifier, size)
            ]
        )
        for results, size in zip(comparison.results, standing.sizes, strict=True)
    ]


def _without_selection(
    comparison: Comparison, standing: Standing, metric: str
) -> list[Array]:
    classifier = standing.method.classifier
    found = [r.baseline(classifier, metric) for r in comparison.results]
    return [values for values in found if values is not None]


def paired_difference(
    results: Results, first: Array, second: Array, metric: str
) -> PairedDifference:
    """Return the corrected resampled t test of two methods on one data set's folds."""
    return corrected_resampled_difference(
        first,
        second,
        n_train=float(np.mean([fold.n_train for fold in results.folds])),
        n_test=float(np.mean([fold.n_test for fold in results.folds])),
        greater_is_better=METRICS[metric].greater_is_better,
    )


def corrected(p_values: Sequence[float]) -> Array:
    """Return Holm's correction; a test that could not be made counts as 1."""
    return holm([1.0 if math.isnan(p) else min(p, 1.0) for p in p_values])


def _posterior(means: Array, rope: float, greater: bool) -> SignedRankPosterior:
    """Return Bayes' signed-rank test; NaN where no data set has both values."""
    try:
        return bayesian_signed_rank(
            means[:, 0],
            means[:, 1],
            rope=rope,
            greater_is_better=greater,
            n_samples=20_000,
        )
    except ValueError:
        if np.isfinite(means).all(axis=1).any():
            raise
        return SignedRankPosterior(math.nan, math.nan, math.nan, rope, 0)


def _mean(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(math.fsum(known) / len(known)) if len(known) else math.nan


def _verdict(difference: PairedDifference, p_value: float, alpha: float) -> str:
    if not p_value < alpha or not difference.mean:
        return "undecided"
    is_better = (difference.mean > 0) == difference.greater_is_better
    return "better" if is_better else "worse"
