"""Base of selectors that measure tables of bins by classes, cut by any rule.

To counts of bins against labels it adds what those alone cannot give: cuts that differ
from label to label (supervised MDL), one class problem made of all labels, nominal
features and missing values. A subclass names its measure: ``_measure(tables)`` returns
one number a table, larger is better.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse

from labelsift._sklearn import StrOptions
from labelsift.encode.codes import Codes
from labelsift.encode.discretize import DISCRETIZERS
from labelsift.encode.known_values import (
    constant_columns,
    cut_columns,
    encode_known,
    find_known_cuts,
)
from labelsift.encode.label_transform import (
    TRANSFORMATIONS,
    ClassProblem,
    to_class_problem,
)
from labelsift.encode.labels import LabelMatrix
from labelsift.encode.mdl import RULES
from labelsift.score.aggregate import aggregate, column_sums, scale_labels
from labelsift.score.pairs import PairScores, best_labels, score_pairs
from labelsift.score.ranking import order_from_scores
from labelsift.select._counts import PAIR_LIMIT, CountSelector
from labelsift.select._discretized import FIXED
from labelsift.statistics.counts import ContingencyCounts
from labelsift.statistics.tables import (
    EVERY_VALUE,
    ContingencyTables,
    constant_features,
    features_with_missing,
    measure_classes,
    measure_coded_classes,
    measure_counted_classes,
    measure_counted_labels,
    measure_labels,
)

BETTER = RULES["fayyad_irani", "better"]  # as Weka's rankers cut


class ProblemSelector(CountSelector):
    """Base of selectors that measure every feature for labels or for one problem."""

    _parameter_constraints: dict[str, list[Any]] = {
        **CountSelector._parameter_constraints,
        "discretize": [StrOptions({*DISCRETIZERS, *FIXED, "mdl"})],
        "problem": [StrOptions({"binary_relevance", *TRANSFORMATIONS})],
        "missing": [StrOptions({"pairwise", "distribute"})],
        "categorical_features": ["array-like", None],
    }
    _accepts_nan = True
    problem: str
    missing: str = "pairwise"
    categorical_features: Any = None
    _measure_name: str | None = None
    """The measure in ``labelsift.score.pairs``, which needs no tables."""

    @abstractmethod
    def _measure(self, tables: ContingencyTables) -> np.ndarray[Any, Any]:
        """Return one number a table, larger is better, never NaN."""

    def _measure_known(self, tables: ContingencyTables) -> np.ndarray[Any, Any]:
        if self.missing == "distribute":
            tables = tables.with_missing_spread()
        return self._measure(tables)

    @property
    def _last_is_missing(self) -> bool:
        return self._accepts_nan and self.cut_points_ is not None

    def _is_one_problem(self, labels: LabelMatrix) -> bool:
        return labels.classes is not None or self.problem != "binary_relevance"

    def _is_countable(self, labels: LabelMatrix, *, has_cuts: bool = False) -> bool:
        by_label = self.problem in ("binary_relevance", "copy")
        return (
            (self.discretize != "mdl" or has_cuts)
            and self.categorical_features is None
            and (by_label or labels.classes is not None)
        )

    def _class_problem(self, labels: LabelMatrix) -> ClassProblem:
        """Return the one problem that all labels make together."""
        return to_class_problem(labels, self.problem)

    def _column_names(self) -> tuple[str, ...]:
        return self._measured_columns

    def _new_statistic(self, X: Any, labels: LabelMatrix) -> ContingencyCounts:
        self._note_columns(labels)
        return super()._new_statistic(X, labels)

    def _note_columns(self, labels: LabelMatrix) -> None:
        self._is_joint = self._is_one_problem(labels)
        if labels.classes is not None:
            self._measured_columns: tuple[str, ...] = ("class",)
        elif self._is_joint:
            self._measured_columns = (self.problem,)
        else:
            self._measured_columns = labels.names

    def _start(self, X: Any, labels: LabelMatrix, cut_points: Any = None) -> None:
        self._note_columns(labels)
        super()._start(X, labels, cut_points)

    def _first_reading(self, gather: Any) -> dict[str, Any]:
        countable = self.problem in ("binary_relevance", "copy")
        if self.categorical_features is not None or not countable:
            return {}  # the rows are needed themselves, so they are kept
        return super()._first_reading(gather)

    def _fit_discretizer(self, X: Any) -> None:
        if self.discretize in DISCRETIZERS:
            self.cut_points_ = find_known_cuts(X, self.discretize, self.n_bins)
        else:
            super()._fit_discretizer(X)

    def _encode(self, X: Any) -> Codes:
        if self.cut_points_ is None:
            return super()._encode(X)
        if not self._accepts_nan:
            return super()._encode(X)
        return encode_known(X, self.cut_points_, below=self.discretize != "equal_width")

    def _score(self, X: Any, labels: LabelMatrix) -> np.ndarray[Any, Any]:
        if self._is_countable(labels):
            return super()._score(X, labels)
        self.__dict__.pop("_statistic", None)
        self._note_columns(labels)
        self._is_constant = constant_columns(X)
        nominal = self._nominal_mask(self.categorical_features)
        below = self.discretize != "equal_width"
        codes = None
        if self.discretize == "mdl":
            self.cut_points_ = None
            rules = np.where(nominal, EVERY_VALUE, BETTER)
        else:
            self._fit_discretizer(X)
            if self.cut_points_ is not None:
                if self._is_joint and not sparse.issparse(X) and not nominal.any():
                    codes = encode_known(X, self.cut_points_, below=below)
                else:
                    X = cut_columns(
                        X, self.cut_points_, below=below, as_they_are=nominal
                    )
            rules = np.full(X.shape[1], EVERY_VALUE)
        if self._is_joint:
            problem = self._class_problem(labels)
            self._warn_of_one_class(problem.classes)
            if codes is not None:
                pairs = measure_coded_classes(codes, problem, self._measure_known)
            else:
                pairs = measure_classes(X, problem, rules, self._measure_known)
            pairs = pairs[:, None]
        else:
            Y = labels.values
            self._warn_of_constant_labels(np.asarray(Y.sum(axis=0)).ravel(), Y.shape[0])
            pairs = measure_labels(X, Y, rules, self._measure_known)
        return self._combined(pairs)

    def _score_statistic(self, statistic: ContingencyCounts) -> np.ndarray[Any, Any]:
        self._is_constant = constant_features(
            statistic, last_is_missing=self._last_is_missing
        )
        if not self._is_joint:
            return self._score_labels(statistic)
        self._warn_of_one_class(np.flatnonzero(statistic.label_counts))
        pairs = measure_counted_classes(
            statistic,
            self._measure_known,
            last_is_missing=self._last_is_missing,
        )
        return self._combined(pairs[:, None])

    def _score_labels(self, counts: ContingencyCounts) -> np.ndarray[Any, Any]:
        return super()._score_statistic(counts)

    def _criterion(
        self, counts: ContingencyCounts, *, pairs: bool, n_top: int = 0
    ) -> PairScores:
        coded = counts.coded()
        # what fits is tabulated: the same sums in the same order, cut as rows may be
        if coded is None or self._measure_name is None or counts.fits_table:
            return self._measured(counts, pairs=pairs, n_top=n_top)
        found = score_pairs(coded, counts, self._measure_name, pairs=pairs, n_top=n_top)
        missing = features_with_missing(counts, last_is_missing=self._last_is_missing)
        if len(missing):  # their labels have other numbers of rows: one at a time
            for f in missing.tolist():
                one = self._measured(
                    counts.for_features(np.array([f])), pairs=pairs, n_top=n_top
                )
                found.put(f, one)
        return found

    def _measured(
        self, counts: ContingencyCounts, *, pairs: bool, n_top: int
    ) -> PairScores:
        """Measure tables of bins by classes, a few labels at a time."""
        q = counts.n_labels
        sums, most, least, kept = [], [], [], []
        best: list[Any] = []
        for part in measure_counted_labels(
            counts, self._measure_known, last_is_missing=self._last_is_missing
        ):
            first = sum(x[1] for x in best) if best else 0
            sums.append(column_sums(part.T))
            most.append(part.max(axis=1))
            least.append(part.min(axis=1))
            best.append((best_labels(part, n_top), part.shape[1], first))
            if pairs:
                kept.append(part)
        aggregates = np.column_stack(
            [
                column_sums(np.array(sums)) / q,
                np.max(most, axis=0),
                np.min(least, axis=0),
            ]
        )
        table = np.hstack(kept) if pairs else np.empty((0, q))
        return PairScores(aggregates, table, *_best_of(best, n_top))

    def _combined(self, pairs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Keep the scores of all pairs and return one score a feature."""
        self._pair_scores = pairs if pairs.size <= PAIR_LIMIT else None
        return aggregate(scale_labels(pairs, self.label_norm), self.aggregate)

    def _order(self, scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return order_from_scores(scores, last=self._is_constant)

    def _warn_of_one_class(self, classes: np.ndarray[Any, Any]) -> None:
        if len(np.unique(classes)) < 2:
            self._warn_of_constant_labels(np.zeros(1), 1)


def _best_of(parts: list[Any], n_top: int) -> tuple[Any, Any]:
    """Return the best labels of several parts of the labels."""
    scores = np.hstack([found[0] for found, _, _ in parts])
    labels = np.hstack(
        [np.where(found[1] < 0, -1, found[1] + first) for found, _, first in parts]
    )
    order = np.argsort(-scores, axis=1, kind="stable")[:, :n_top]
    return (
        np.take_along_axis(scores, order, axis=1),
        np.take_along_axis(labels, order, axis=1).astype(np.int32),
    )
