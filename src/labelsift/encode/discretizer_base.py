"""What all discretisers share: checks, codes from cut points, rows in blocks.

A further discretiser subclasses ``Discretizer``: it sets ``_ties_below`` (where a
value equal to a cut belongs) and returns its cuts from ``_find_cuts``.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import fit_context, validate_data
from labelsift.encode.codes import Codes, encode_by_cuts
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
        rows: Matrix = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse=("csc", "csr"),
            dtype=(np.float64, np.float32),
        )
        return rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = []
        return tags


class StreamingDiscretizer(Discretizer):
    """Base of discretisers whose cuts follow from a summary of rows that adds up.

    A subclass says what it gathers (``_gather``), how two of these add up
    (``_combine``), and where the cuts then lie (``_cuts``).
    """

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
        self._seen: Any = self._gather(X)
        self.cut_points_ = self._cuts(self._seen)
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Add a block of rows; the cuts are those of all rows at once.

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
        first = not hasattr(self, "_seen")
        X = self._validate(X, reset=first)
        block = self._gather(X)
        self._seen = block if first else self._combine(self._seen, block)
        self.cut_points_ = self._cuts(self._seen)
        return self

    def _find_cuts(self, X: Matrix) -> list[np.ndarray[Any, Any]]:
        return self._cuts(self._gather(X))

    @abstractmethod
    def _gather(self, X: Matrix) -> Any:
        """Return what the cuts depend on."""

    @abstractmethod
    def _combine(self, one: Any, other: Any) -> Any:
        """Return what both sets of rows together would have given."""

    @abstractmethod
    def _cuts(self, seen: Any) -> list[np.ndarray[Any, Any]]:
        """Return one increasing array of cuts a feature."""

    def _cut_runs(
        self, before: np.ndarray[Any, Any], after: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which runs of sorted values a cut depends on from inside.

        ``before`` and ``after`` count the rows below the run, and those with it. Only
        of discretisers that gather distinct values and their counts.
        """
        raise NotImplementedError


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
