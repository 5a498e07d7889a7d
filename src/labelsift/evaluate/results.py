"""What an evaluation found: every measured number, and ways to look at them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from labelsift._words import counted
from labelsift.evaluate import _notes, _results_file
from labelsift.evaluate.compare import (
    PairedDifference,
    corrected_resampled_difference,
)
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import (
    ALL_FEATURES,
    Cell,
    Failure,
    Fold,
    LabelResult,
    Method,
    Ranking,
)
from labelsift.evaluate.summary import Summary, SummaryRow, mean_and_sd
from labelsift.score.ranking import rounded

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Results:
    """Everything that :func:`~labelsift.evaluate.cross_validate` measured.

    Parameters
    ----------
    dataset : str
        Name of the data.
    n_samples : int
        Rows of the whole table.
    feature_names, label_names : tuple of str
        Names in column order.
    label_counts : tuple of int
        Rows of the whole table that have each label.
    metrics : tuple of str
        Keys of ``METRICS``; the first decides what is best.
    sizes : tuple of int
        Numbers of features tried, ascending.
    selectors, classifiers : dict of str to Method
        What was compared, by name.
    folds : tuple of Fold
        The splits, and what is odd about them.
    rankings : tuple of Ranking
        Order and scores of the features, for each selector and fold.
    cells : tuple of Cell
        The measurements, for each selector, classifier, fold and size.
    settings : dict
        How the folds were made, the grid, the seed, and versions of the software.
    warnings : dict of str to int
        Warnings raised while selectors and classifiers ran, and how often.
    failures : tuple of Failure
        Errors that were recorded; what failed anywhere has no rankings and cells.
    own_size : tuple of str
        Selectors that were measured with the features that they keep by themselves.
        As their number differs from fold to fold, its mean, rounded, stands for it.

    Examples
    --------
    >>> results.best().n_features  # made by ``cross_validate``
    2
    """

    dataset: str
    n_samples: int
    feature_names: tuple[str, ...]
    label_names: tuple[str, ...]
    label_counts: tuple[int, ...]
    metrics: tuple[str, ...]
    sizes: tuple[int, ...]
    selectors: dict[str, Method]
    classifiers: dict[str, Method]
    folds: tuple[Fold, ...]
    rankings: tuple[Ranking, ...]
    cells: tuple[Cell, ...]
    settings: dict[str, Any] = field(default_factory=dict)
    warnings: dict[str, int] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    own_size: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        places: dict[tuple[str, str, int], list[Cell]] = {}
        kept = {name: self.kept_by_itself(name) for name in self.own_size}
        means = {
            name: round(sum(each) / len(each)) for name, each in kept.items() if each
        }
        sizes: dict[tuple[str, str], set[int]] = {}
        for cell in self.cells:
            size = means.get(cell.selector, cell.n_features)
            key = cell.selector, cell.classifier, size
            places.setdefault(key, []).append(cell)
            sizes.setdefault(key[:2], set()).add(size)
        for cells in places.values():
            cells.sort(key=lambda cell: cell.fold)
        object.__setattr__(self, "_places", places)
        object.__setattr__(
            self, "_sizes", {key: tuple(sorted(each)) for key, each in sizes.items()}
        )
        found = any(selector == ALL_FEATURES for selector, _, _ in places)
        object.__setattr__(self, "_has_baseline", found)

    @property
    def n_features(self) -> int:
        """Number of features of the whole table."""
        return len(self.feature_names)

    @property
    def has_baseline(self) -> bool:
        """Whether all features, without selection, were measured too."""
        return bool(self._has_baseline)  # type: ignore[attr-defined]

    def kept_by_itself(self, selector: str) -> list[int]:
        """Return how many features a selector keeps by itself, fold by fold.

        Empty for a selector that is measured at given sizes.
        """
        own = [r for r in self.rankings if r.selector == selector]
        found = sorted((r.fold, r.n_kept) for r in own if r.n_kept is not None)
        return [n_kept for _, n_kept in found]

    def sizes_of(self, selector: str, classifier: str) -> tuple[int, ...]:
        """Return the numbers of features at which a method was measured, ascending."""
        self._check(selector, classifier)
        sizes: dict[tuple[str, str], tuple[int, ...]] = self._sizes  # type: ignore[attr-defined]
        return sizes.get((selector, classifier), ())

    @property
    def n_tried(self) -> int:
        """Number of selectors by classifiers by sizes, without the base line."""
        return sum(
            len(self.sizes_of(s, c)) for s in self.selectors for c in self.classifiers
        )

    def cells_of(self, selector: str, classifier: str, n_features: int) -> list[Cell]:
        """Return the cells of one method and size, in the order of the folds."""
        found: list[Cell] | None = self._places.get(  # type: ignore[attr-defined]
            (selector, classifier, n_features)
        )
        if found is None:
            self._check(selector, classifier)
            sizes = self.sizes_of(selector, classifier)
            raise KeyError(
                f"{n_features} features were not measured; sizes: "
                f"{', '.join(map(str, sizes))}."
            )
        return found

    def values(
        self, selector: str, classifier: str, metric: str | None = None
    ) -> tuple[Array, Array]:
        """Return a curve: a metric at every size, fold by fold.

        Parameters
        ----------
        selector, classifier : str
            Names.
        metric : str, optional
            Key of ``METRICS``; the first of ``metrics`` by default.

        Returns
        -------
        sizes : ndarray of shape (n_sizes,), int64
            Numbers of features, ascending.
        values : ndarray of shape (n_sizes, n_folds), float64
            The metric; NaN where no row or label counted.
        """
        metric = self._metric(metric)
        sizes = self.sizes_of(selector, classifier)
        table = [
            [cell.values[metric] for cell in self.cells_of(selector, classifier, size)]
            for size in sizes
        ]
        return np.array(sizes, dtype=np.int64), np.array(table, dtype=np.float64)

    def baseline(self, classifier: str, metric: str | None = None) -> Array | None:
        """Return a metric with all features for each fold, or None if not measured."""
        if not self.has_baseline:
            return None
        values: Array = self.values(ALL_FEATURES, classifier, metric)[1][0]
        return values

    def summary(self, metric: str | None = None, *, sizes: str = "best") -> Summary:
        """Return mean and standard deviation over the folds.

        Parameters
        ----------
        metric : str, optional
            Metric that decides the best size; the first of ``metrics`` by default.
        sizes : {"best", "all"}, default="best"
            One row a method, at its best size, or one for every size. The base line,
            where measured, has a row in both.

        Returns
        -------
        Summary
            A table with a row for each selector, classifier and size.
        """
        if sizes not in ("best", "all"):
            raise ValueError(f"sizes must be 'best' or 'all'; found {sizes!r}.")
        metric = self._metric(metric)
        rows = list(self._summary_rows(metric))
        if sizes == "best":
            rows = [r for r in rows if r.is_best_size or r.selector == ALL_FEATURES]
        return Summary(self.dataset, self.metrics, metric, tuple(rows), len(self.folds))

    def best(self, metric: str | None = None, *, smaller: bool = False) -> SummaryRow:
        """Return the selector, classifier and size with the best mean.

        The base line does not compete. Equal means go to fewer features, then to the
        selector and classifier given first.

        Parameters
        ----------
        metric : str, optional
            Key of ``METRICS``; the first of ``metrics`` by default.
        smaller : bool, default=False
            Look only at sizes below the number of features.
        """
        metric = self._metric(metric)
        rows = [
            row
            for row in self._summary_rows(metric)
            if row.selector != ALL_FEATURES
            and (row.n_features < self.n_features or not smaller)
        ]
        if not rows:
            raise ValueError("no size below the number of features was measured.")
        merit = rounded(
            np.array([self._merit(row.mean[metric], metric) for row in rows])
        )
        sizes = np.array([row.n_features for row in rows])
        return rows[int(np.lexsort((sizes, -merit))[0])]

    def compare_with_all(
        self,
        selector: str,
        classifier: str,
        n_features: int,
        metric: str | None = None,
        *,
        confidence: float = 0.95,
    ) -> PairedDifference:
        """Return "these features minus all features" with its interval.

        Parameters
        ----------
        selector, classifier : str
            Names.
        n_features : int
            A size that was measured.
        metric : str, optional
            Key of ``METRICS``; the first of ``metrics`` by default.
        confidence : float, default=0.95
            Of the corrected resampled t interval.
        """
        metric = self._metric(metric)
        everything = self.baseline(classifier, metric)
        if everything is None:
            raise ValueError("all features were not measured; use baseline=True.")
        cells = self.cells_of(selector, classifier, n_features)
        return corrected_resampled_difference(
            [cell.values[metric] for cell in cells],
            everything,
            n_train=float(np.mean([fold.n_train for fold in self.folds])),
            n_test=float(np.mean([fold.n_test for fold in self.folds])),
            greater_is_better=METRICS[metric].greater_is_better,
            confidence=confidence,
        )

    def verdict(self, metric: str | None = None) -> str:
        """Return one sentence: how the best size does against all features."""
        return _notes.verdict(self, self._metric(metric))

    def notes(self) -> list[str]:
        """Return in words what a reader should know before trusting the numbers."""
        return _notes.notes(self)

    def per_label(
        self, selector: str, classifier: str, n_features: int
    ) -> list[LabelResult]:
        """Return how well each label is predicted, over all folds, in label order."""
        cells = self.cells_of(selector, classifier, n_features)
        return [
            LabelResult.of(name, self.label_counts[i], cells, i)
            for i, name in enumerate(self.label_names)
        ]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one tidy row for each cell and metric."""
        return _results_file.tidy_rows(self)

    def to_frame(self, backend: Any = "pandas") -> Any:
        """Return the tidy rows as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Library of the frame.
        """
        rows = list(self.rows())
        columns = {name: [row[name] for row in rows] for name in _results_file.COLUMNS}
        return nw.from_dict(columns, backend=backend).to_native()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write to a file, which appears only when it is whole.

        Parameters
        ----------
        path : str or path-like
            ``.json``: everything, to be read by :meth:`load`. ``.csv`` or ``.tsv``:
            the tidy rows only.

        Returns
        -------
        Path
            The path.
        """
        return _results_file.save(self, Path(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Results:
        """Read what :meth:`save` wrote as ``.json``."""
        return cls(**_results_file.load(Path(path)))

    def __repr__(self) -> str:
        kinds = ("selectors", "classifiers", "sizes", "folds")
        counts = [counted(len(getattr(self, kind)), kind[:-1]) for kind in kinds]
        return f"{type(self).__name__}({self.dataset!r}: {' x '.join(counts)})"

    def _repr_html_(self) -> str:
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes())
        return f"<p>{escape(self.verdict())}</p>{self.summary()._repr_html_()}" + (
            f"<ul>{notes}</ul>" if notes else ""
        )

    def _summary_rows(self, metric: str) -> Iterator[SummaryRow]:
        for selector in (*self.selectors, ALL_FEATURES):
            if selector == ALL_FEATURES and not self.has_baseline:
                continue
            for classifier in self.classifiers:
                sizes, values = self.values(selector, classifier, metric)
                means = [mean_and_sd(row)[0] for row in values]
                merit = rounded(np.array([self._merit(m, metric) for m in means]))
                best = int(sizes[np.argmax(merit)])  # the first, so the fewest features
                for size in sizes.tolist():
                    cells = self.cells_of(selector, classifier, size)
                    pairs = {
                        name: mean_and_sd([cell.values[name] for cell in cells])
                        for name in self.metrics
                    }
                    yield SummaryRow(
                        selector,
                        classifier,
                        size,
                        {name: pair[0] for name, pair in pairs.items()},
                        {name: pair[1] for name, pair in pairs.items()},
                        size == best,
                    )

    def _merit(self, value: float, metric: str) -> float:
        if value != value:
            return -np.inf
        return value if METRICS[metric].greater_is_better else -value

    def _metric(self, metric: str | None) -> str:
        if metric is None:
            return self.metrics[0]
        if metric not in self.metrics:
            raise ValueError(
                f"{metric!r} was not measured; measured: {', '.join(self.metrics)}."
            )
        return metric

    def _check(self, selector: str, classifier: str) -> None:
        known = (*self.selectors, *((ALL_FEATURES,) if self.has_baseline else ()))
        if selector not in known:
            raise KeyError(f"no selector {selector!r}; there are: {', '.join(known)}.")
        if classifier not in self.classifiers:
            raise KeyError(
                f"no classifier {classifier!r}; there are: "
                f"{', '.join(self.classifiers)}."
            )
