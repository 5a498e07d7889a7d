"""Discretise columns of which some values are missing: those stay missing."""

from __future__ import annotations

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
    for j in range(X.shape[1]):
        column = columns[:, [j]]
        dense = column.toarray() if sparse.issparse(column) else column
        known = dense[~np.isnan(dense[:, 0])]
        cuts.extend(discretizer.find_cuts(known) if len(known) else [np.empty(0)])
    return cuts


def find_known_cuts_in_blocks(blocks: Any, name: str, n_bins: int) -> Cuts | None:
    """Return the cuts that ``find_known_cuts`` finds on all rows together.

    Parameters
    ----------
    blocks : iterable of (X, y)
        Blocks of rows, read from the start each time.
    name : {"equal_width", "equal_frequency", "mean", "median"}
        The discretiser.
    n_bins : int
        Bins, where the discretiser asks for them.

    Returns
    -------
    list of ndarray or None
        None where there is no block.
    """
    if not any(has_missing(_checked(X)) for X, _ in blocks):
        coder = make_discretizer(name, n_bins)
        for X, _ in blocks:
            coder.partial_fit(X)
        return getattr(coder, "cut_points_", None)
    coders: list[Any] = []
    for X, _ in blocks:
        columns = _checked(X)
        coders = coders or [make_discretizer(name, n_bins) for _ in range(X.shape[1])]
        for j, coder in enumerate(coders):
            column = columns[:, [j]]
            dense = column.toarray() if sparse.issparse(column) else column
            known = dense[~np.isnan(dense[:, 0])]
            if len(known):
                coder.partial_fit(known)
    return [getattr(coder, "cut_points_", [np.empty(0)])[0] for coder in coders]


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
