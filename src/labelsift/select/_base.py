"""What every selector shares: validation, order, support, tags, streaming."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from numbers import Integral
from typing import Any, Protocol, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import (
    Interval,
    ParametersCheckedOnce,
    RealNotInt,
    fit_context,
    plain_words,
    table_of,
    validate_data,
)
from labelsift._words import counted
from labelsift.encode.extremes import column_by_name, refuse_unusable
from labelsift.encode.labels import LabelMatrix, as_label_matrix, with_classes
from labelsift.encode.row_order import refuse_other_order
from labelsift.score.ranking import order_from_scores, ranking_from_order
from labelsift.select._blocks import equal_settings, filled_from_blocks
from labelsift.select._columns import column_mask


class RankingSelector(ParametersCheckedOnce, SelectorMixin, BaseEstimator):
    """Base of selectors that give every feature a score.

    A subclass implements ``_score`` and, where its order or its own stopping rule is
    not "all features by falling score", ``_order`` or ``_own_size``.
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "n_features_to_select": [
            None,
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="right"),
        ],
    }
    _accepts_sparse = True
    _accepts_nan = False
    _accepts_huge = False  # and tiny: whether any finite value can be computed with
    _requires_y = True

    def __init__(self, n_features_to_select: float | None = None) -> None:
        self.n_features_to_select = n_features_to_select

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:
        """Score the features of ``X`` for the labels ``y``.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Feature values.
        y : array-like, sparse matrix or data frame
            0/1 label matrix of shape (n_samples, n_labels), or a class vector of
            shape (n_samples,). Rows are matched by position; where ``X`` and ``y``
            are of pandas, the same index in another order is refused.

        Returns
        -------
        self
            The fitted selector.
        """
        X, labels = self._validate(X, y, reset=True, whole=True)
        self._set_scores(self._score(X, labels))
        return self

    @abstractmethod
    def _score(self, X: Any, labels: LabelMatrix) -> np.ndarray[Any, Any]:
        """Return one float64 score per feature, larger is better, never NaN."""

    def _order(self, scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return column indices, best first."""
        return order_from_scores(scores)

    @classmethod
    def _only_ranks(cls) -> bool:
        """Whether all features are kept where no number is asked for."""
        base = RankingSelector
        return cls._own_size is base._own_size and cls._n_kept is base._n_kept

    def _own_size(self) -> int:
        """Return the number kept when ``n_features_to_select`` is None."""
        return int(self.n_features_in_)

    def _validate(
        self,
        X: Any,
        y: Any,
        *,
        reset: bool,
        classes: Any = None,
        whole: bool = False,  # whether these are all rows, not a block of them
    ) -> tuple[Any, Any]:
        if y is None and self._requires_y:
            raise ValueError(
                f"{type(self).__name__} needs labels: "
                f"This {type(self).__name__} estimator requires y to be passed, but "
                "the target y is None."
            )
        refuse_other_order(X, y)
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse=("csr", "csc") if self._accepts_sparse else False,
            dtype=(np.float64, np.float32),
            ensure_all_finite=False,
        )
        if sparse.issparse(X) and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        refuse_unusable(
            X,
            type(self).__name__,
            self._feature_label,
            accepts_nan=self._accepts_nan,
            accepts_huge=self._accepts_huge,
            whole=whole,
            rows_before=getattr(self, "_rows_before", 0),
        )
        if y is None:
            self.label_names_in_ = np.array([], dtype=object)
            self.n_labels_in_ = 0
            return X, None
        labels = as_label_matrix(y, X.shape[0])
        if classes is not None:
            labels = with_classes(labels, classes)
        if reset:
            self.label_names_in_ = np.array(labels.names, dtype=object)
            self.n_labels_in_ = labels.n_labels
        elif labels.names != tuple(self.label_names_in_):
            raise ValueError(
                f"the labels of this block, {_shorten(labels.names)}, are not those of "
                f"the first, {_shorten(tuple(self.label_names_in_))}. For class "
                "vectors give classes= in the first call."
            )
        return X, labels

    def _feature_label(self, column: int) -> str:
        return column_by_name(getattr(self, "feature_names_in_", None))(column)

    def _feature_names(self) -> tuple[str, ...]:
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            return tuple(f"x{i}" for i in range(self.n_features_in_))
        return tuple(str(name) for name in names)

    def _nominal_mask(
        self, asked: Any, parameter: str = "categorical_features"
    ) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which columns a mask, column numbers or names mean."""
        return column_mask(asked, self._feature_names(), parameter)

    def _set_scores(self, scores: np.ndarray[Any, Any]) -> None:
        self.scores_ = scores
        self.order_ = self._order(scores)
        self.ranking_ = ranking_from_order(self.order_)
        self.n_features_ = self._n_kept()

    def transform(self, X: Any) -> Any:
        """Return the kept columns.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows with the columns of ``fit``.

        Returns
        -------
        array, sparse matrix or data frame of shape (n_samples, n_kept)
            In the order of the columns.
        """
        X = table_of(X)
        with plain_words(self, X):
            return super().transform(X)

    def _n_kept(self) -> int:
        asked, d = self.n_features_to_select, int(self.n_features_in_)
        if asked is None:
            return self._own_size()
        if not isinstance(asked, Integral):
            return max(1, int(asked * d))
        if asked > d:
            warnings.warn(
                f"n_features_to_select={asked} but X has {counted(d, 'feature')}; all "
                "are kept.",
                UserWarning,
                stacklevel=4,
            )
        return min(int(asked), d)

    def _get_support_mask(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        check_is_fitted(self, "order_")
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.order_[: self.n_features_]] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._accepts_sparse
        tags.input_tags.allow_nan = self._accepts_nan
        tags.target_tags.required = self._requires_y
        tags.target_tags.one_d_labels = True
        tags.target_tags.two_d_labels = True
        tags.target_tags.multi_output = True
        return tags


class Statistic(Protocol):
    """What a selector gathers from rows, block by block."""

    def update(self, X: Any, labels: LabelMatrix) -> None:
        """Add a block of rows."""

    def merge(self, other: Self) -> None:
        """Add what another statistic of the same settings has gathered."""


class StatisticSelector(RankingSelector):
    """Base of selectors that are a mergeable statistic and a criterion.

    A subclass implements ``_new_statistic`` and ``_score_statistic``; whole tables,
    ``partial_fit`` and merging then give the same scores.
    """

    _statistic: Any

    @abstractmethod
    def _new_statistic(self, X: Any, labels: LabelMatrix) -> Statistic:
        """Return an empty statistic for data of this kind; ``X`` is the first block."""

    @abstractmethod
    def _score_statistic(self, statistic: Any) -> np.ndarray[Any, Any]:
        """Return the scores that a filled statistic gives."""

    def _score(self, X: Any, labels: LabelMatrix) -> np.ndarray[Any, Any]:
        self._classes = labels.classes
        statistic = self._new_statistic(X, labels)
        statistic.update(X, labels)
        self._statistic = statistic
        return self._score_statistic(statistic)

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None, *, classes: Any = None) -> Self:
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

        Returns
        -------
        self
            The selector, fitted on all blocks so far.
        """
        self._add_block(X, y, classes)
        self._rescore()
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def fit_blocks(
        self,
        blocks: Any,
        *,
        classes: Any = None,
        engine: Any = "inline",
        n_workers: int | None = None,
        address: str | None = None,
        max_memory: int | None = None,
    ) -> Self:
        """Fit on blocks of rows that are never held together.

        Parameters
        ----------
        blocks : RowBlocks, path, or iterable of (X, y)
            Blocks of rows: what ``labelsift.read.read_blocks`` returns, or the path of
            a file or folder that it reads, or an iterable. They may be read twice, so
            that each call of ``iter`` must start afresh: a list, or an object with
            ``__iter__``, not a generator.
        classes : array-like, optional
            All classes, for class vectors.
        engine : {"inline", "processes", "dask"}, default="inline"
            Where rows are read and counted. The scores are the same: to the last bit
            where they come from counts, to about 1e-12 where they come from sums.
        n_workers : int, optional
            Processes, or workers of a Dask cluster that is started here.
        address : str, optional
            Of the scheduler of a running Dask cluster.
        max_memory : int, optional
            Bytes of coded rows that may be held, where rows cannot be counted into a
            table of 256 MB; what is beyond them lies in a temporary file while they
            are needed. Default: 1 GB.

        Returns
        -------
        self
            The selector; it equals one that was fitted on all rows at once.
        """
        where = {"n_workers": n_workers, "address": address}
        found = filled_from_blocks(self, blocks, classes, max_memory, engine, where)
        self.__dict__.update(found.__dict__)
        self._rescore()
        return self

    def merge(self, other: Self) -> Self:
        """Add the rows that another selector has seen, and score again.

        Parameters
        ----------
        other : selector of the same settings
            Filled by ``partial_fit`` on other rows; it stays as it is.

        Returns
        -------
        self
            The selector; it equals one that was fitted on all rows at once.
        """
        for selector in (self, other):
            check_is_fitted(selector, "_statistic")
        if type(self) is not type(other) or not equal_settings(
            self.get_params(), other.get_params()
        ):
            raise ValueError(
                f"only selectors of equal settings can be merged: {self}, {other}."
            )
        self._absorb_other(other)
        self._rescore()
        return self

    def _absorb_other(self, other: Self) -> None:
        for kind, mine, theirs in (
            ("features", self._feature_names(), other._feature_names()),
            ("labels", tuple(self.label_names_in_), tuple(other.label_names_in_)),
        ):
            if mine != theirs:
                raise ValueError(
                    f"selectors to be merged must have the same {kind}: "
                    f"{_shorten(mine)} and {_shorten(theirs)}."
                )
        self._statistic.merge(other._statistic)

    def _first_reading(self, gather: Any) -> dict[str, Any]:
        """Return what ``_start`` has to know beforehand, from a reading of its own.

        ``gather(function, merge)`` returns what a function gathers from all blocks.
        """
        return {}

    def _add_block(self, X: Any, y: Any, classes: Any, **settings: Any) -> None:
        first = not hasattr(self, "_statistic")
        if y is None:
            raise ValueError(
                f"{type(self).__name__}.partial_fit needs labels: y is None."
            )
        if first:
            self._classes = classes
        X, labels = self._validate(X, y, reset=first, classes=self._classes)
        if first:
            self._classes = labels.classes  # later blocks may hold some of them only
            self._start(X, labels, **settings)
        self._absorb(X, labels)

    def _start(self, X: Any, labels: LabelMatrix) -> None:
        """Set ``_statistic`` to an empty one; ``X`` is the first block."""
        self._statistic = self._new_statistic(X, labels)

    def _absorb(self, X: Any, labels: LabelMatrix) -> None:
        """Add a block of rows to ``_statistic``."""
        self._statistic.update(X, labels)

    def _rescore(self) -> None:
        """Set the scores from ``_statistic``."""
        self._set_scores(self._score_statistic(self._statistic))


def _shorten(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:3])
    return f"{shown}, ... ({len(names)})" if len(names) > 3 else shown
