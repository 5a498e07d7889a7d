"""Columns as the distance sees them: scaled, nominal, or missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

Array = np.ndarray[Any, Any]


class ColumnSpace:
    """What the training rows say about the columns.

    Parameters
    ----------
    X : ndarray or csr of shape (n_samples, n_features)
        Training rows, NaN where missing.
    nominal : ndarray of bool of shape (n_features,)
        Columns whose values are equal or not, without order.
    scale : {None, "minmax"}
        Whether numeric columns are mapped to 0..1 over the training rows.

    Notes
    -----
    Two rows differ in a numeric column by the difference of their (scaled) values; by
    the greatest difference the training range allows if one is missing; by the whole
    range if both are. In a nominal column they differ by 0 or 1, and by 1 where a value
    is missing. A column that is constant in training is scaled to 0.
    """

    def __init__(self, X: Any, nominal: Array, scale: str | None) -> None:
        self.nominal = nominal
        self.scale = scale
        d = X.shape[1]
        self.default = np.zeros(d)  # what a value not stored in a sparse row becomes
        self.spans = np.tile([0.0, 1.0, 1.0], (d, 1))
        self.has_missing = _has_missing(X)
        low, high = _range(X)
        if scale is None:
            self.spans[:, 0], self.spans[:, 1] = low, high
            self.spans[:, 2] = high - low
            return
        low[nominal] = 0.0
        width = high - low
        width[width == 0.0] = np.inf
        width[nominal] = 1.0
        self._low, self._width = low, width
        self.default = (0.0 - low) / width

    def prepare(self, X: Any) -> Any:
        """Return rows ready for distances: C-ordered dense, or CSR in column order."""
        if sparse.issparse(X):
            rows = sparse.csr_array(X, copy=True)
            rows.sum_duplicates()
            if self.scale is not None:
                low, width = self._low[rows.indices], self._width[rows.indices]
                rows.data = (rows.data - low) / width
            else:
                rows.data = rows.data.astype(np.float64)
            return rows
        if self.scale is None:
            return np.ascontiguousarray(X)
        scaled = np.subtract(X, self._low, dtype=np.float64, order="C")
        scaled /= self._width
        return scaled


def _has_missing(X: Any) -> bool:
    values = X.data if sparse.issparse(X) else X
    # A sum is NaN or infinite wherever a value is; then look closely.
    with np.errstate(over="ignore", invalid="ignore"):
        total = values.sum(dtype=np.float64)
    if np.isfinite(total):
        return False
    return bool(np.isnan(values).any())


def _range(X: Any) -> tuple[Array, Array]:
    """Return the least and greatest value present in each column; 0 where none is."""
    d = X.shape[1]
    if not sparse.issparse(X):
        low = np.fmin.reduce(X, axis=0).astype(np.float64)
        high = np.fmax.reduce(X, axis=0).astype(np.float64)
        empty = np.isnan(low)
        low[empty] = high[empty] = 0.0
        return low, high
    rows = sparse.csr_array(X)
    low, high = np.full(d, np.inf), np.full(d, -np.inf)
    present = ~np.isnan(rows.data)
    np.minimum.at(low, rows.indices[present], rows.data[present])
    np.maximum.at(high, rows.indices[present], rows.data[present])
    partly = np.bincount(rows.indices, minlength=d) < rows.shape[0]
    low[partly] = np.minimum(low[partly], 0.0)
    high[partly] = np.maximum(high[partly], 0.0)
    empty = ~np.isfinite(low)
    low[empty] = high[empty] = 0.0
    return low, high


def nominal_mask(asked: Any, n_features: int, names: Sequence[str] | None) -> Array:
    """Return a mask from a mask, indices or names of nominal columns, or None."""
    mask = np.zeros(n_features, dtype=bool)
    if asked is None:
        return mask
    columns = np.asarray(asked)
    if columns.size == 0:
        return mask
    if columns.ndim != 1 or columns.dtype.kind not in "biuUO":
        raise ValueError(
            "categorical_features must be a list of column indices, names, or a "
            f"boolean mask; found {asked!r}."
        )
    if columns.dtype.kind == "b":
        if len(columns) != n_features:
            raise ValueError(
                f"categorical_features as a mask must have {n_features} entries, one "
                f"a column; found {len(columns)}."
            )
        return columns.copy()
    if columns.dtype.kind in "UO":
        if names is None:
            raise ValueError(
                "categorical_features holds names but X has none; pass a data frame or "
                "column indices."
            )
        place = {str(name): i for i, name in enumerate(names)}
        unknown = [str(c) for c in columns if str(c) not in place]
        if unknown:
            raise ValueError(
                f"categorical_features names {unknown[0]!r}, not a column of X."
            )
        columns = np.array([place[str(c)] for c in columns])
    if columns.min() < -n_features or columns.max() >= n_features:
        worst = columns.max() if columns.max() >= n_features else columns.min()
        raise ValueError(
            f"categorical_features holds column {worst}; X has {n_features} columns."
        )
    mask[columns] = True
    return mask
