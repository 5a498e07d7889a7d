"""Base of selectors that cut features into bins and gather the coded rows.

Discretisation, blocks of rows and merging are here. A subclass says what it gathers
(``_new_statistic``: a statistic whose ``update`` takes codes and labels, with
``nbytes``) and how it scores that (``_score_statistic``).
"""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import Interval, StrOptions, fit_context
from labelsift.encode.codes import Codes, encode_by_cuts, encode_by_value
from labelsift.encode.discretize import DISCRETIZERS, MOST_BINS, make_discretizer
from labelsift.encode.known_values import known_cuts
from labelsift.encode.labels import LabelMatrix
from labelsift.select._base import StatisticSelector

KEPT_BYTES = 2**25
"""Largest statistic that ``fit`` keeps, so that ``partial_fit`` may go on (32 MB)."""

FIXED = ("none", "presence")


class DiscretizedSelector(StatisticSelector):
    """Base of selectors that score a statistic of discretised rows."""

    _parameter_constraints: dict[str, list[Any]] = {
        **StatisticSelector._parameter_constraints,
        "discretize": [StrOptions({*DISCRETIZERS, *FIXED})],
        "n_bins": [Interval(Integral, 2, MOST_BINS, closed="both")],
    }

    discretize: str
    n_bins: int

    def _is_countable(self, labels: LabelMatrix, *, has_cuts: bool = False) -> bool:
        """Return whether counts of bins against labels are all that is needed."""
        return True

    def _score(self, X: Any, labels: LabelMatrix) -> np.ndarray[Any, Any]:
        self.__dict__.pop("_statistic", None)
        self._fit_discretizer(X)
        statistic: Any = self._new_statistic(X, labels)
        statistic.update(self._encode(X), labels)
        scores = self._score_statistic(statistic)
        self._classes = labels.classes
        if statistic.nbytes <= KEPT_BYTES:
            self._statistic = statistic
        return scores

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
            themselves are kept; ``fit_blocks`` reads them again instead. After ``fit``
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

    def _first_reading(self, gather: Any) -> dict[str, Any]:
        if self.discretize not in DISCRETIZERS:
            return {}
        cuts = known_cuts(gather, self.discretize, self.n_bins)
        return {} if cuts is None else {"cut_points": cuts}

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
