"""What a plan found: results of several data sets, and what failed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from labelsift.evaluate._arguments import software
from labelsift.evaluate._results_file import COLUMNS, save_rows
from labelsift.evaluate.failures import failed_methods
from labelsift.evaluate.method_profile import MethodProfile, profiles
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.plan import Plan
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.results import Results
from labelsift.evaluate.significance import MethodTest, tests_against
from labelsift.evaluate.summary import mean_and_sd
from labelsift.score.ranking import rounded

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Method:
    """A selector with a classifier, as one competitor.

    Parameters
    ----------
    selector, classifier : str
        Names in the results.
    """

    selector: str
    classifier: str

    def __str__(self) -> str:
        return f"{self.selector}, {self.classifier}"


@dataclass(frozen=True)
class Standing:
    """Where a method stands over all data sets.

    Parameters
    ----------
    method : Method
        Which.
    mean_rank : float
        Mean place over the data sets, 1 = best; equal values share their places.
    values : tuple of float
        Mean of the metric at the method's best size, for each data set.
    sizes : tuple of int
        That size, for each data set.
    """

    method: Method
    mean_rank: float
    values: tuple[float, ...]
    sizes: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Everything that a plan measured.

    Parameters
    ----------
    plan : Plan
        What was to be done.
    results : tuple of Results
        One for each data set that could be measured, in the order of the plan.
    broken : dict of str to str
        Data sets that could not be measured, and why.
    notes : tuple of str
        What was done differently from what the plan says, such as sizes left out.

    Examples
    --------
    >>> comparison.datasets  # made by ``run_plan``
    ('songs',)
    >>> best = comparison.standings()[0]
    >>> best.method.selector, best.mean_rank
    ('chi2', 1.5)
    >>> comparison.tests()[0].against
    'chi2, brknn'
    """

    plan: Plan
    results: tuple[Results, ...]
    broken: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", {})

    @property
    def is_whole(self) -> bool:
        """Whether nothing failed."""
        return not self.broken and not any(r.failures for r in self.results)

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the data sets that were measured."""
        return tuple(r.dataset for r in self.results)

    def methods(self) -> tuple[Method, ...]:
        """Return the methods that were measured on every data set."""
        if not self.results:
            return ()
        return tuple(
            Method(s, c)
            for s in self.results[0].selectors
            for c in self.results[0].classifiers
            if all(s in r.selectors and c in r.classifiers for r in self.results)
        )

    def values(self, metric: str | None = None) -> tuple[Array, Array]:
        """Return what each method reaches on each data set.

        Parameters
        ----------
        metric : str, optional
            Key of ``METRICS``; the first of the plan by default.

        Returns
        -------
        values : ndarray of shape (n_datasets, n_methods), float64
            Mean over the folds at the size that is best for this metric.
        sizes : ndarray of shape (n_datasets, n_methods), int64
            That size.
        """
        metric = self._metric(metric)
        known: dict[str, tuple[Array, Array]] = self._known  # type: ignore[attr-defined]
        if metric not in known:
            known[metric] = self._measured(metric)
        values, sizes = known[metric]
        return values.copy(), sizes.copy()

    def _measured(self, metric: str) -> tuple[Array, Array]:
        methods = self.methods()
        sign = 1.0 if METRICS[metric].greater_is_better else -1.0
        values = np.full((len(self.results), len(methods)), np.nan)
        sizes = np.zeros(values.shape, dtype=np.int64)
        for i, results in enumerate(self.results):
            for j, method in enumerate(methods):
                tried, table = results.values(
                    method.selector, method.classifier, metric
                )
                means = np.array([mean_and_sd(row)[0] for row in table])
                merit = rounded(np.where(np.isnan(means), -np.inf, sign * means))
                best = int(np.argmax(merit))  # the first, so the fewest features
                values[i, j], sizes[i, j] = means[best], tried[best]
        return values, sizes

    def ranks(self, metric: str | None = None) -> Array:
        """Return each method's place on each data set, 1 = best, ties sharing.

        Parameters
        ----------
        metric : str, optional
            Key of ``METRICS``; the first of the plan by default.

        Returns
        -------
        ndarray of shape (n_datasets, n_methods), float64
            A value that is not defined comes last.
        """
        from scipy.stats import rankdata

        metric = self._metric(metric)
        values, _ = self.values(metric)
        merit = values if METRICS[metric].greater_is_better else -values
        merit = rounded(np.where(np.isnan(merit), -np.inf, merit))
        ranks: Array = rankdata(-merit, axis=1)
        return ranks

    def standings(self, metric: str | None = None) -> list[Standing]:
        """Return the methods, best mean rank first; ties in the order of the plan."""
        if not self.results:
            return []
        values, sizes = self.values(metric)
        means = self.ranks(metric).mean(axis=0)
        found = [
            Standing(
                method,
                float(means[j]),
                tuple(values[:, j].tolist()),
                tuple(sizes[:, j].tolist()),
            )
            for j, method in enumerate(self.methods())
        ]
        return sorted(found, key=lambda standing: round(standing.mean_rank, 9))

    @property
    def has_baseline(self) -> bool:
        """Whether all features, without selection, were measured on every data set."""
        return bool(self.results) and all(r.has_baseline for r in self.results)

    def tests(
        self,
        metric: str | None = None,
        *,
        against: str = "best",
        rope: float = 0.01,
    ) -> list[MethodTest]:
        """Test the methods against the best of them, or against no selection.

        Parameters
        ----------
        metric : str, optional
            Key of ``METRICS``; the first of the plan by default.
        against : {"best", "all features"}, default="best"
            The method with the best mean rank, or the method's own classifier with all
            features.
        rope : float, default=0.01
            Differences of at most this count as none in the Bayesian test.

        Returns
        -------
        list of MethodTest
            Best mean rank first; without the best itself, or empty where all features
            were not measured on every data set.

        Notes
        -----
        Each method is taken at its best size, chosen on the same folds: against all
        features, which have no size to choose, that favours it a little.
        """
        if against not in ("best", ALL_FEATURES):
            raise ValueError(
                f"against must be 'best' or {ALL_FEATURES!r}; found {against!r}."
            )
        return tests_against(self, self._metric(metric), against, rope=rope)

    def profiles(
        self,
        datasets: Mapping[str, Any] | None = None,
        metric: str | None = None,
    ) -> list[MethodProfile]:
        """Return how stable, redundant and slow each method is on each data set.

        Parameters
        ----------
        datasets : mapping of str to Dataset, optional
            The data by name, for the redundancy of what is kept.
        metric : str, optional
            Key of ``METRICS`` that decides the sizes; the first of the plan by default.

        Returns
        -------
        list of MethodProfile
            Data set by data set, best mean rank first.
        """
        return profiles(self, self._metric(metric), datasets)

    def failed(self) -> list[str]:
        """Return what failed, one line each."""
        lines = [f"{name}: {error}" for name, error in self.broken.items()]
        for results in self.results:
            lines += [f"{results.dataset}: {x}" for x in failed_methods(results)]
        return lines

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the tidy rows of every data set."""
        for results in self.results:
            yield from results.rows()

    def to_frame(self, backend: Any = "pandas") -> Any:
        """Return the tidy rows of every data set as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Library of the frame.
        """
        rows = list(self.rows())
        columns = {name: [row[name] for row in rows] for name in COLUMNS}
        return nw.from_dict(columns, backend=backend).to_native()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the tidy rows as ``.csv`` or ``.tsv``; the file appears when whole."""
        return save_rows(self.rows(), Path(path))

    def settings(self) -> dict[str, Any]:
        """Return what a reader needs to run it again."""
        return {
            "plan": self.plan.text,
            "seed": self.plan.seed,
            "folds": str(self.plan.folds),
            "versions": software(),
        }

    def _metric(self, metric: str | None) -> str:
        if metric is None:
            return self.plan.metrics[0]
        if metric not in self.plan.metrics:
            raise ValueError(
                f"{metric!r} was not measured; measured: "
                f"{', '.join(self.plan.metrics)}."
            )
        return metric
