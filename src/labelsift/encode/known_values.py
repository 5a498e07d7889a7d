"""Discretise columns of which some values are missing: those stay missing."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from labelsift.encode.codes import Codes, code_type, encode_by_cuts
from labelsift.encode.discretize import make_discretizer
from labelsift.read.dataset import Matrix

Cuts = list[np.ndarray[Any, Any]]


def has_missing(X: Matrix) -> bool:
    """Return whether any stored value is NaN."""
    return bool(np.isnan(X.data if sparse.issparse(X) else X).any())


def constant_columns(X: Matrix) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which columns hold one value at most, missing values aside.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; NaN where missing.

    Returns
    -------
    ndarray of shape (n_features,), bool
    """
    if not sparse.issparse(X):
        low = np.fmin.reduce(X, axis=0)
        high = np.fmax.reduce(X, axis=0)
        return np.asarray(~(low < high))
    columns = sparse.csc_array(X)
    constant = np.zeros(X.shape[1], dtype=bool)
    for j in range(X.shape[1]):
        values = columns.data[columns.indptr[j] : columns.indptr[j + 1]]
        has_zeros = len(values) < X.shape[0]
        known = values[~np.isnan(values)]
        low = known.min(initial=0.0 if has_zeros else np.inf)
        high = known.max(initial=0.0 if has_zeros else -np.inf)
        constant[j] = not low < high
    return constant


def find_known_cuts(X: Matrix, name: str, n_bins: int) -> Cuts:
    """Return cut points of each column from the values that are there.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; NaN where missing.
    name : {"equal_width", "equal_frequency", "mean", "median"}
        The discretiser.
    n_bins : int
        Bins, where the discretiser asks for them.

    Returns
    -------
    list of ndarray
        Increasing cuts of each column; none where no value is known.
    """
    discretizer = make_discretizer(name, n_bins)
    if not has_missing(X):
        return discretizer.find_cuts(X)
    columns = sparse.csc_array(X) if sparse.issparse(X) else X
    cuts: Cuts = []
    for known in _known_columns(columns):
        cuts.extend(discretizer.find_cuts(known) if len(known) else [np.empty(0)])
    return cuts


class KnownRows:
    """What the cut points of columns depend on, from blocks of rows.

    Parameters
    ----------
    name : {"equal_width", "equal_frequency", "mean", "median"}
        The discretiser.
    n_bins : int
        Bins, where the discretiser asks for them.

    Notes
    -----
    Ranges and sums take a few numbers a column. ``"equal_frequency"`` and ``"median"``
    hold every distinct value of every column and how many rows have it.
    """

    def __init__(self, name: str, n_bins: int) -> None:
        self._coder = make_discretizer(name, n_bins)
        self._seen: Any = None

    def __call__(self, blocks: Any) -> KnownRows:
        """Return one that has seen the rows of some blocks ``(X, y)``."""
        found = copy(self)
        for X, _ in blocks:
            found.update(X)
        return found

    def update(self, X: Any) -> None:
        """Add a block of rows; missing values are left out."""
        X = _checked(X)
        if not has_missing(X):
            block = self._coder._gather(X)
        else:
            block = _side_by_side(
                [self._coder._gather(known) for known in _known_columns(X)]
            )
        if self._seen is None:
            self._seen = block
            return
        before, now = _n_columns(self._seen), _n_columns(block)
        if before != now:
            raise ValueError(
                f"a block has {now} features, those before it have {before}."
            )
        self._seen = self._coder._combine(self._seen, block)

    def merge(self, other: KnownRows) -> None:
        """Add what another has seen."""
        if self._seen is None:
            self._seen = other._seen
        elif other._seen is not None:
            self._seen = self._coder._combine(self._seen, other._seen)

    def cuts(self) -> Cuts | None:
        """Return the cuts of each column, those of all rows at once; None before."""
        return None if self._seen is None else self._coder._cuts(self._seen)


def merged_rows(one: KnownRows, other: KnownRows) -> KnownRows:
    """Return what both have seen."""
    one.merge(other)
    return one


def _known_columns(X: Matrix) -> Iterator[Matrix]:
    """Yield the values of each column that are there, as one column."""
    for j in range(X.shape[1]):
        column = X[:, [j]]
        dense = column.toarray() if sparse.issparse(column) else column
        yield dense[~np.isnan(dense[:, 0])]


def _side_by_side(parts: list[Any]) -> Any:
    if isinstance(parts[0], tuple):
        return tuple(np.concatenate(each) for each in zip(*parts, strict=True))
    return [column for part in parts for column in part]


def _n_columns(seen: Any) -> int:
    return len(seen[0]) if isinstance(seen, tuple) else len(seen)


def _checked(X: Any) -> Matrix:
    return check_array(
        X, accept_sparse="csc", dtype=np.float64, ensure_all_finite="allow-nan"
    )


def cut_columns(
    X: Matrix,
    cuts: Cuts,
    *,
    below: bool,
    as_they_are: np.ndarray[Any, Any] | None = None,
) -> Matrix:
    """Replace values by bin numbers, leaving missing values missing.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; NaN where missing.
    cuts : list of ndarray
        Increasing cuts of each column.
    below : bool
        Whether a value equal to a cut is in the bin below it.
    as_they_are : ndarray of shape (n_features,), bool, optional
        Columns that keep their values.

    Returns
    -------
    ndarray or csc_array of shape (n_samples, n_features), float64
        Bin numbers. In a sparse matrix they are counted from the bin that holds 0,
        so that what is not stored stays in it.
    """
    side: Literal["left", "right"] = "left" if below else "right"
    is_sparse = sparse.issparse(X)
    result = sparse.csc_array(X, dtype=np.float64, copy=True) if is_sparse else None
    dense = None if is_sparse else np.array(X, dtype=np.float64)
    for j in range(X.shape[1]):
        if as_they_are is not None and as_they_are[j]:
            continue
        if result is not None:
            values = result.data[result.indptr[j] : result.indptr[j + 1]]
            base = np.searchsorted(cuts[j], 0.0, side=side)
        else:
            assert dense is not None
            values, base = dense[:, j], np.intp(0)
        known = ~np.isnan(values)
        values[known] = np.searchsorted(cuts[j], values[known], side=side) - base
    if result is not None:
        result.eliminate_zeros()
        return result
    return dense


def encode_known(X: Matrix, cuts: Cuts, *, below: bool) -> Codes:
    """Code values by bin, with one more bin a feature for those that are missing.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; NaN where missing.
    cuts : list of ndarray
        Increasing cuts of each column.
    below : bool
        Whether a value equal to a cut is in the bin below it.

    Returns
    -------
    Codes
        The last bin of every feature is that of missing values.
    """
    codes = encode_by_cuts(X, cuts, below=below)
    n_bins = codes.n_bins + 1
    kind = code_type(n_bins)
    if not codes.is_sparse:
        values = codes.values.astype(kind, copy=False)
        row, column = np.nonzero(np.isnan(X))
        values[column, row] = codes.n_bins[column]
        return Codes(values, n_bins, codes.default)
    columns = sparse.csc_array(X)
    if not np.isnan(columns.data).any():
        return Codes(codes.values.astype(kind), n_bins, codes.default)
    # a missing value must not be taken for one of the default bin and dropped
    known = columns.copy()
    known.data = np.where(np.isnan(known.data), 0.0, known.data)
    known.eliminate_zeros()
    codes = encode_by_cuts(known, cuts, below=below)
    rest = columns.copy()
    rest.data = np.isnan(rest.data).astype(kind)
    rest.eliminate_zeros()
    of = np.repeat(np.arange(X.shape[1]), np.diff(rest.indptr))
    rest.data = codes.n_bins[of].astype(kind)
    known_codes = codes.values.tocoo()
    rest = rest.tocoo()
    values = sparse.csc_array(
        (
            np.concatenate([known_codes.data.astype(kind), rest.data]),
            (
                np.concatenate([known_codes.row, rest.row]),
                np.concatenate([known_codes.col, rest.col]),
            ),
        ),
        shape=X.shape,
    )
    return Codes(values, n_bins, codes.default)
