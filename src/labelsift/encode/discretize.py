"""Unsupervised discretisers: cut points from the training rows, codes for any rows.

Each is a scikit-learn transformer with ``cut_points_`` (one increasing array a
feature) whose ``transform`` gives whole-number codes; ``encode`` gives the same as
``Codes``, which the count statistics read. Rows outside the training range fall into
the first or the last bin. A sparse ``X`` is never made dense: the entries it does not
store are zeros like any other.

A further discretiser subclasses ``Discretizer``: it sets ``_ties_below`` (where a
value equal to a cut belongs) and returns its cuts from ``_find_cuts``.
"""

from __future__ import annotations

from abc import abstractmethod
from numbers import Integral
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from labelsift._sklearn import Interval, fit_context
from labelsift.encode.codes import Codes, encode_by_cuts
from labelsift.kernels.discretize import exact_mean, nearest_boundaries
from labelsift.read.dataset import Matrix


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Base of transformers that cut each feature at ``cut_points_``."""

    _parameter_constraints: dict[str, list[Any]] = {}
    _ties_below = True

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the cut points of each feature.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Finite values.
        y : ignored
            Present for pipelines.

        Returns
        -------
        self
            The fitted discretiser.
        """
        X = self._validate(X, reset=True)
        self.cut_points_ = self._find_cuts(X)
        return self

    def transform(self, X: Any) -> Any:
        """Return the bin of each value, counted from 0.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Finite values.

        Returns
        -------
        ndarray or csc_array of shape (n_samples, n_features), unsigned integers
            Sparse where ``X`` is. A sparse column whose zeros are not in bin 0 has to
            store them all.
        """
        check_is_fitted(self, "cut_points_")
        return self._bins(self._validate(X, reset=False))

    def _bins(self, X: Matrix) -> Any:
        codes = self.encode(X)
        if not codes.is_sparse:
            return codes.to_array()
        return _with_default_written(codes)

    def encode(self, X: Matrix) -> Codes:
        """Return the bins of checked values as ``Codes``.

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_samples, n_features)
            Finite values, as many columns as in ``fit``.

        Returns
        -------
        Codes
            By feature, sparse where ``X`` is.
        """
        return encode_by_cuts(X, self.cut_points_, below=self._ties_below)

    def find_cuts(self, X: Matrix) -> list[np.ndarray[Any, Any]]:
        """Return the cut points of checked values: one increasing array a feature."""
        return self._find_cuts(X)

    @abstractmethod
    def _find_cuts(self, X: Matrix) -> list[np.ndarray[Any, Any]]:
        """Return one increasing array of cuts a feature."""

    def _validate(self, X: Any, *, reset: bool) -> Matrix:
        return validate_data(
            self,
            X,
            reset=reset,
            accept_sparse=("csc", "csr"),
            dtype=(np.float64, np.float32),
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = []
        return tags


class EqualWidthDiscretizer(Discretizer):
    """Cut the range of each feature into bins of one width.

    The bin of ``x`` is ``floor((x - lo) / w)`` with ``w = (hi - lo) / n_bins``, at
    most ``n_bins - 1``; a constant feature has one bin.

    Parameters
    ----------
    n_bins : int, default=5
        Bins of each feature, at least 1.

    Attributes
    ----------
    cut_points_ : list of ndarray
        For each feature the smallest value of every bin but the first.
    minimum_, maximum_ : ndarray of shape (n_features,)
        The ranges that were cut.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [5.0], [10.0]])
    >>> EqualWidthDiscretizer(n_bins=3).fit_transform(X).ravel()
    array([0, 0, 0, 1, 2], dtype=uint8)
    """

    _parameter_constraints = {"n_bins": [Interval(Integral, 1, None, closed="left")]}
    _ties_below = False

    def __init__(self, n_bins: int = 5) -> None:
        self.n_bins = n_bins

    def _find_cuts(self, X: Matrix) -> list[np.ndarray[Any, Any]]:
        self.minimum_, self.maximum_ = _ranges(X)
        return equal_width_cuts(self.minimum_, self.maximum_, self.n_bins)

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Widen the ranges by a block of rows; exact, whatever the blocks.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            A block of rows.
        y : ignored
            Present for pipelines.

        Returns
        -------
        self
            The discretiser, fitted on all blocks so far.
        """
        first = not hasattr(self, "cut_points_")
        X = self._validate(X, reset=first)
        low, high = _ranges(X)
        if not first:
            low = np.minimum(low, self.minimum_)
            high = np.maximum(high, self.maximum_)
        self.minimum_, self.maximum_ = low, high
        self.cut_points_ = equal_width_cuts(low, high, self.n_bins)
        return self


class EqualFrequencyDiscretizer(Discretizer):
    """Cut each feature into bins of nearly equal numbers of rows.

    Equal values stay together. Of the boundaries between distinct values the one with
    the nearest number of rows below is taken for each of the targets
    ``n_samples k / n_bins``, so that a feature of two values is never left in one bin.

    Parameters
    ----------
    n_bins : int, default=5
        Bins of each feature at most, at least 1.

    Attributes
    ----------
    cut_points_ : list of ndarray
        Cuts of each feature, midway between two values; a value equal to a cut is in
        the bin below.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.0], [0.0], [1.0], [2.0], [9.0]])
    >>> EqualFrequencyDiscretizer(n_bins=2).fit(X).cut_points_
    [array([0.5])]
    """

    _parameter_constraints = {"n_bins": [Interval(Integral, 1, None, closed="left")]}

    def __init__(self, n_bins: int = 5) -> None:
        self.n_bins = n_bins

    def _find_cuts(self, X: Matrix) -> list[np.ndarray[Any, Any]]:
        cuts = []
        for values, counts in _distinct_columns(X):
            room = np.empty(self.n_bins)
            written = nearest_boundaries(values, counts, self.n_bins, room)
            cuts.append(room[:written].copy())
        return cuts


class MeanDiscretizer(Discretizer):
    """Cut each feature at its mean: 1 above it, else 0.

    The sum carries its rounding errors along, so that the order of the rows does not
    decide. A feature that is not constant always gets two bins.

    Attributes
    ----------
    cut_points_ : list of ndarray
        The mean of each feature, or nothing where it is constant.
    """

    def _find_cuts(self, X: Matrix) -> list[np.ndarray[Any, Any]]:
        cuts = []
        low, high = _ranges(X)
        for f, stored in enumerate(_stored_columns(X)):
            mean = exact_mean(stored, X.shape[0])
            if low[f] == high[f]:
                cuts.append(np.empty(0))
            elif low[f] <= mean < high[f]:
                cuts.append(np.array([mean]))
            else:  # rounding, or a sum beyond the largest number
                cuts.append(np.array([low[f] / 2 + high[f] / 2]))
        return cuts


class MedianDiscretizer(Discretizer):
    """Cut each feature at its median: 1 above it, else 0.

    Where the median is the largest value, the cut lies just below it instead, so that
    a feature that is not constant always gets two bins.

    Attributes
    ----------
    cut_points_ : list of ndarray
        The cut of each feature, or nothing where it is constant.
    """

    def _find_cuts(self, X: Matrix) -> list[np.ndarray[Any, Any]]:
        cuts = []
        for values, counts in _distinct_columns(X):
            if len(values) == 1:
                cuts.append(np.empty(0))
                continue
            total = np.cumsum(counts)
            n = total[-1]
            low = values[np.searchsorted(total, (n - 1) // 2, side="right")]
            high = values[np.searchsorted(total, n // 2, side="right")]
            median = low / 2 + high / 2 if low != high else low
            if not values[0] <= median < values[-1]:
                median = values[-2]
            cuts.append(np.array([median]))
        return cuts


DISCRETIZERS: dict[str, type[Discretizer]] = {
    "equal_width": EqualWidthDiscretizer,
    "equal_frequency": EqualFrequencyDiscretizer,
    "mean": MeanDiscretizer,
    "median": MedianDiscretizer,
}


def make_discretizer(name: str, n_bins: int) -> Discretizer:
    """Return the discretiser of this name, with ``n_bins`` where it asks for them."""
    kind = DISCRETIZERS[name]
    return kind(n_bins) if "n_bins" in kind._parameter_constraints else kind()


def equal_width_cuts(
    low: np.ndarray[Any, Any], high: np.ndarray[Any, Any], n_bins: int
) -> list[np.ndarray[Any, Any]]:
    """Return for each range the smallest values of all bins but the first.

    They are the numbers at which ``floor((x - lo) / w)`` itself steps, found by
    halving, so that coding by cuts and by that formula agree to the last bit.
    """
    low, high = low.astype(np.float64), high.astype(np.float64)
    width = high / n_bins - low / n_bins
    with np.errstate(over="ignore"):
        spread = high - low
    width = np.where(np.isfinite(spread), spread / n_bins, width)
    steps = np.arange(1, n_bins, dtype=np.float64)
    usable = width > 0
    lo, w = low[usable, None], width[usable, None]
    guess = lo + steps * w
    slack = 8 * np.finfo(float).eps * np.maximum(np.abs(lo), np.abs(high[usable, None]))
    under = np.maximum(guess - slack, np.nextafter(lo, -np.inf))
    over = guess + slack
    lo, w = np.broadcast_to(lo, guess.shape), np.broadcast_to(w, guess.shape)
    level = np.broadcast_to(steps, guess.shape)
    while True:
        middle = under / 2 + over / 2
        open_ = (middle > under) & (middle < over)
        if not open_.any():
            break
        reached = np.floor((middle - lo) / w) >= level
        over = np.where(open_ & reached, middle, over)
        under = np.where(open_ & ~reached, middle, under)
    found = iter(over)
    return [next(found).copy() if use else np.empty(0) for use in usable]


def _ranges(X: Matrix) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    if sparse.issparse(X):
        columns = sparse.csc_array(X)
        low = np.asarray(columns.min(axis=0).todense(), dtype=np.float64).ravel()
        high = np.asarray(columns.max(axis=0).todense(), dtype=np.float64).ravel()
        return low, high
    return X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)


def _stored_columns(X: Matrix) -> Any:
    if not sparse.issparse(X):
        yield from np.asarray(X, dtype=np.float64).T
        return
    columns = sparse.csc_array(X)
    for start, stop in zip(columns.indptr[:-1], columns.indptr[1:], strict=True):
        yield columns.data[start:stop].astype(np.float64)


def _distinct_columns(X: Matrix) -> Any:
    n = X.shape[0]
    for stored in _stored_columns(X):
        values, counts = np.unique(stored, return_counts=True)
        absent = n - len(stored)
        if absent:
            place = int(np.searchsorted(values, 0.0))
            if place < len(values) and values[place] == 0:
                counts[place] += absent
            else:
                values = np.insert(values, place, 0.0)
                counts = np.insert(counts, place, absent)
        yield values, counts


def _with_default_written(codes: Codes) -> Any:
    columns = codes.values
    odd = np.flatnonzero(codes.default > 0)
    if not odd.size:
        return columns
    n = codes.n_samples
    parts_index, parts_data, lengths = [], [], np.diff(columns.indptr).astype(np.int64)
    is_odd = codes.default > 0
    for f in range(codes.n_features):
        part = slice(columns.indptr[f], columns.indptr[f + 1])
        rows, data = columns.indices[part], columns.data[part]
        if is_odd[f]:
            full = np.full(n, codes.default[f], dtype=data.dtype)
            full[rows] = data
            rows = np.flatnonzero(full).astype(columns.indices.dtype)
            data, lengths[f] = full[rows], len(rows)
        else:
            keep = data != 0
            rows, data = rows[keep], data[keep]
            lengths[f] = len(rows)
        parts_index.append(rows)
        parts_data.append(data)
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    return sparse.csc_array(
        (np.concatenate(parts_data), np.concatenate(parts_index), indptr),
        shape=columns.shape,
    )
