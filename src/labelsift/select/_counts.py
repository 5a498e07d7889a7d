"""Base of selectors that score counts of feature bins against labels.

A subclass names its criterion: ``_criterion(counts, pairs)`` returns the mean, maximum
and minimum over labels of each feature, and the scores of all pairs if they are asked
for. Discretisation, blocks of rows, scaling of labels to each other, aggregation and
``scores_per_label_`` are here.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from numbers import Integral
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import Interval, StrOptions, fit_context
from labelsift.encode.codes import Codes, encode_by_cuts, encode_by_value
from labelsift.encode.discretize import DISCRETIZERS, make_discretizer
from labelsift.encode.labels import LabelMatrix
from labelsift.score.aggregate import AGGREGATES, aggregate, carried_sums, scale_labels
from labelsift.select._base import StatisticSelector
from labelsift.select._score_table import ScoreTable
from labelsift.statistics.counts import ContingencyCounts

PAIR_LIMIT = 2**25
"""Largest features x labels table that ``fit`` keeps (256 MB)."""

KEPT_BYTES = 2**25
"""Largest counts that ``fit`` keeps, so that ``partial_fit`` may go on (32 MB)."""

FIXED = ("none", "presence")


class CountSelector(StatisticSelector):
    """Base of selectors that are a criterion of contingency counts."""

    _parameter_constraints: dict[str, list[Any]] = {
        **StatisticSelector._parameter_constraints,
        "aggregate": [StrOptions(set(AGGREGATES))],
        "discretize": [StrOptions({*DISCRETIZERS, *FIXED})],
        "n_bins": [Interval(Integral, 2, None, closed="left")],
    }

    aggregate: str
    discretize: str
    n_bins: int
    label_norm: str | None = None

    @abstractmethod
    def _criterion(
        self, counts: ContingencyCounts, *, pairs: bool
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return mean, maximum, minimum (n_features, 3), and the pairs if asked for."""

    @property
    def scores_per_label_(self) -> ScoreTable:
        """Scores of every feature for every label, before scaling and aggregation."""
        table = getattr(self, "_pair_scores", None)
        if table is not None:
            return ScoreTable(table, self._feature_names(), self._column_names())
        name = type(self).__name__
        if not hasattr(self, "scores_"):
            raise AttributeError(f"this {name} is not fitted yet: call fit first.")
        raise AttributeError(
            f"{self.n_features_in_} features x {self.n_labels_in_} labels are more "
            f"than the {PAIR_LIMIT} pairs that {name} keeps. Fit it on fewer labels or "
            "on the features that it selects: selector.transform(X)."
        )

    def _column_names(self) -> tuple[str, ...]:
        return tuple(str(name) for name in self.label_names_in_)

    def _is_countable(self, labels: LabelMatrix, *, has_cuts: bool = False) -> bool:
        """Return whether counts of bins against labels are all that is needed."""
        return True

    def _score(self, X: Any, labels: LabelMatrix) -> np.ndarray[Any, Any]:
        self.__dict__.pop("_statistic", None)
        self._fit_discretizer(X)
        statistic = self._new_statistic(X, labels)
        statistic.update(self._encode(X), labels)
        scores = self._score_statistic(statistic)
        self._classes = labels.classes
        if statistic.nbytes <= KEPT_BYTES:
            self._statistic = statistic
        return scores

    def _new_statistic(self, X: Any, labels: LabelMatrix) -> ContingencyCounts:
        return ContingencyCounts(X.shape[1], labels.n_labels)

    def _fit_discretizer(self, X: Any) -> None:
        self.cut_points_: list[np.ndarray[Any, Any]] | None = None
        if self.discretize == "presence":
            self.cut_points_ = [np.zeros(1)] * X.shape[1]
        elif self.discretize != "none":
            coder = make_discretizer(self.discretize, self.n_bins)
            self.cut_points_ = coder.find_cuts(X)

    def _encode(self, X: Any) -> Codes:
        if self.cut_points_ is None:
            return encode_by_value(X)
        return encode_by_cuts(
            X, self.cut_points_, below=self.discretize != "equal_width"
        )

    def _score_statistic(self, statistic: ContingencyCounts) -> np.ndarray[Any, Any]:
        self._warn_of_constant_labels(statistic.label_counts, statistic.n_samples)
        d, q = statistic.n_features, statistic.n_labels
        keep = d * q <= PAIR_LIMIT
        self._pair_scores = None
        if self.label_norm is None:
            aggregates, table = self._criterion(statistic, pairs=keep)
            self._pair_scores = table if keep else None
            return aggregates[:, AGGREGATES.index(self.aggregate)].copy()
        if keep:
            self._pair_scores = self._criterion(statistic, pairs=True)[1]
            return aggregate(
                scale_labels(self._pair_scores, self.label_norm), self.aggregate
            )
        return self._scaled_by_parts(statistic)

    def _scaled_by_parts(self, statistic: ContingencyCounts) -> np.ndarray[Any, Any]:
        # labels are scaled one by one, so a few at a time will do
        d, q = statistic.n_features, statistic.n_labels
        step = max(1, PAIR_LIMIT // d)
        sums, parts = None, []
        for start in range(0, q, step):
            some = statistic.for_labels(start, min(start + step, q))
            table = scale_labels(self._criterion(some, pairs=True)[1], self.label_norm)
            if self.aggregate == "mean":
                sums = carried_sums(table.T, sums)
            else:
                parts.append(aggregate(table, self.aggregate))
        if sums is not None:
            return np.asarray((sums[0] + sums[1]) / q)
        return aggregate(np.array(parts).T, self.aggregate)

    def _warn_of_constant_labels(self, p: np.ndarray[Any, Any], n: int) -> None:
        constant = np.flatnonzero((p == 0) | (p == n))
        if constant.size == len(p):
            warnings.warn(
                "all rows carry the same labels: every score is 0, and the order is "
                "that of the columns.",
                UserWarning,
                stacklevel=5,
            )
        elif constant.size and self.aggregate == "min":
            first = str(self.label_names_in_[constant[0]])
            warnings.warn(
                f"aggregate='min': label {first!r} is the same in all rows"
                f"{_and_others(constant.size)}, so every score is 0. Leave such labels "
                "out, or use 'mean' or 'max'.",
                UserWarning,
                stacklevel=5,
            )

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(
        self, X: Any, y: Any = None, *, classes: Any = None, cut_points: Any = None
    ) -> Self:
        """Add a block of rows to what was seen before and score again.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_rows, n_features)
            A block of rows.
        y : array-like, sparse matrix or data frame
            The labels of these rows.
        classes : array-like, optional
            All classes, for a class vector; needed in the first call when the first
            block does not hold every class.
        cut_points : list of array-like or fitted discretiser, optional
            In the first call: where to cut each feature. With them, and with
            ``discretize="none"`` or ``"presence"``, a block is counted and forgotten.
            Without them cut points depend on rows still to come, so the rows
            themselves are kept; ``fit_blocks`` reads them twice instead. After ``fit``
            the cut points are those of ``fit``.

        Returns
        -------
        self
            The selector; it equals one that was fitted on all rows at once.
        """
        if cut_points is None:
            self._add_block(X, y, classes)
        elif hasattr(self, "_statistic"):
            raise ValueError("cut_points= belongs in the first call of partial_fit.")
        else:
            self._add_block(X, y, classes, cut_points=cut_points)
        self._rescore()
        return self

    def merge(self, other: Self) -> Self:
        """Add the rows that another selector has seen, and score again.

        Parameters
        ----------
        other : selector of the same settings
            Filled by ``partial_fit`` on other rows, with the same cut points.

        Returns
        -------
        self
            The selector; it equals one that was fitted on all rows at once.
        """
        for selector in (self, other):
            check_is_fitted(selector, "_statistic")
        alike = type(self._statistic) is type(other._statistic)
        if alike and not isinstance(self._statistic, KeptRows):
            mine, theirs = self.cut_points_ or [], other.cut_points_ or []
            alike = len(mine) == len(theirs) and all(map(np.array_equal, mine, theirs))
        if not alike:
            raise ValueError(
                "selectors to be merged must have the same cut points: give both the "
                "same cut_points= in their first call of partial_fit."
            )
        return super().merge(other)

    def _first_reading(self, blocks: Any) -> dict[str, Any]:
        if self.discretize not in DISCRETIZERS:
            return {}
        coder = make_discretizer(self.discretize, self.n_bins)
        for X, _ in blocks:
            coder.partial_fit(X)
        return {"cut_points": coder} if hasattr(coder, "cut_points_") else {}

    def _start(self, X: Any, labels: LabelMatrix, cut_points: Any = None) -> None:
        if hasattr(self, "order_"):
            warnings.warn(
                f"fit of this {type(self).__name__} has kept no counts to add to (they "
                f"take more than {KEPT_BYTES // 2**20} MB, or do not add up): "
                "partial_fit starts afresh. Give all blocks to partial_fit.",
                UserWarning,
                stacklevel=6,
            )
        if cut_points is not None:
            if self.discretize in FIXED:
                raise ValueError(
                    f"discretize={self.discretize!r} has no use for cut_points."
                )
            if not self._is_countable(labels, has_cuts=True):
                raise ValueError(
                    "cut_points= needs rows that can be counted as they come: without "
                    "categorical_features, and with problem='binary_relevance' or "
                    "'copy', or a class vector."
                )
            self.cut_points_ = _checked_cuts(cut_points, X.shape[1])
        elif self.discretize in FIXED and self._is_countable(labels):
            self._fit_discretizer(X)
        else:
            self._statistic = KeptRows()
            return
        self._statistic = self._new_statistic(X, labels)

    def _absorb(self, X: Any, labels: LabelMatrix) -> None:
        as_they_are = isinstance(self._statistic, KeptRows)
        self._statistic.update(X if as_they_are else self._encode(X), labels)

    def _rescore(self) -> None:
        rows = self._statistic
        if not isinstance(rows, KeptRows):
            super()._rescore()
            return
        self._set_scores(self._score(*rows.whole()))
        self._statistic = rows


class KeptRows:
    """Rows as they came, for discretisers that must see all before they cut."""

    def __init__(self) -> None:
        self.blocks: list[tuple[Any, LabelMatrix]] = []

    def update(self, X: Any, labels: LabelMatrix) -> None:
        """Add a block of rows."""
        self.blocks.append((X, labels))

    def merge(self, other: Self) -> None:
        """Add the rows of another."""
        self.blocks.extend(other.blocks)

    def whole(self) -> tuple[Any, LabelMatrix]:
        """Return all rows as one block."""
        if len(self.blocks) > 1:
            labels = self.blocks[0][1]
            X = _stacked([X for X, _ in self.blocks])
            Y = _stacked([block.values for _, block in self.blocks])
            self.blocks = [(X, LabelMatrix(Y, labels.names, labels.classes))]
        return self.blocks[0]


def _stacked(parts: list[Any]) -> Any:
    if any(sparse.issparse(part) for part in parts):
        return sparse.vstack([sparse.csr_array(part) for part in parts], format="csr")
    return np.concatenate(parts)


def _checked_cuts(cut_points: Any, d: int) -> list[np.ndarray[Any, Any]]:
    cut_points = getattr(cut_points, "cut_points_", cut_points)
    cuts = [np.asarray(each, dtype=np.float64).ravel() for each in cut_points]
    if len(cuts) != d:
        raise ValueError(
            f"cut_points must hold one array a feature: found {len(cuts)} for {d}."
        )
    for f, each in enumerate(cuts):
        if not np.isfinite(each).all() or (np.diff(each) <= 0).any():
            raise ValueError(
                f"cut_points of feature {f} must be finite and increasing; found "
                f"{each.tolist()}."
            )
    return cuts


def _and_others(count: int) -> str:
    return "" if count == 1 else f" (and so are {count - 1} others)"
