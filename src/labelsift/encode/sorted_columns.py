"""Columns sorted once, so that every problem that cuts them need not sort again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.value_ranks import value_ranks
from labelsift.read.dataset import Matrix


@dataclass(frozen=True, eq=False)
class SortedColumns:
    """A block of features, each in the order of its values.

    Parameters
    ----------
    rows, ranks : ndarray, int32
        Feature after feature the row numbers by rising value, each with the number
        of distinct smaller values of the feature. Rows where the feature is missing
        come last.
    values : ndarray, float64
        The values of ``rows``.
    start : ndarray of shape (n_features + 1,), int64
        Where each feature begins.
    n_known : ndarray of shape (n_features,), int64
        Rows of each feature that are listed and not missing.
    zero_rank : ndarray of shape (n_features,), int64
        The rank of the value 0 where rows that are not listed are zeros, else -1.
    """

    rows: np.ndarray[Any, Any]
    ranks: np.ndarray[Any, Any]
    values: np.ndarray[Any, Any]
    start: np.ndarray[Any, Any]
    n_known: np.ndarray[Any, Any]
    zero_rank: np.ndarray[Any, Any]

    def value_at(self, feature: int, rank: int) -> float:
        """Return the value of a feature that has this many smaller ones."""
        if rank == self.zero_rank[feature]:
            return 0.0
        lo = int(self.start[feature])
        known = self.ranks[lo : lo + int(self.n_known[feature])]
        return float(self.values[lo + int(np.searchsorted(known, rank))])

    def only(self, features: np.ndarray[Any, Any]) -> SortedColumns:
        """Return some of the features, all of which list as many rows."""
        n_features = len(self.n_known)
        if len(features) == n_features:
            return self
        rows, ranks, values = (
            each.reshape(n_features, -1)[features].ravel()
            for each in (self.rows, self.ranks, self.values)
        )
        length = len(rows) // max(len(features), 1)
        return SortedColumns(
            rows,
            ranks,
            values,
            np.arange(len(features) + 1, dtype=np.int64) * length,
            self.n_known[features],
            self.zero_rank[features],
        )


def sort_columns(X: Matrix, start: int, stop: int) -> SortedColumns:
    """Sort the columns ``start`` to ``stop - 1`` of ``X``.

    Parameters
    ----------
    X : ndarray or csc_array of shape (n_samples, n_features)
        Values; NaN where missing. What a sparse ``X`` does not store is zero.
    start, stop : int
        The columns to sort.

    Returns
    -------
    SortedColumns
        Time O(n log n) a dense column; a sparse one costs its stored entries only.
    """
    if sparse.issparse(X):
        return _sort_stored(X, start, stop)
    columns = np.ascontiguousarray(X[:, start:stop].T, dtype=np.float64)
    order = np.argsort(columns, axis=1)
    ranks, n_known = value_ranks(columns, order)
    d, n = columns.shape
    return SortedColumns(
        order.astype(np.int32).ravel(),
        ranks.ravel(),
        np.take_along_axis(columns, order, axis=1).ravel(),
        np.arange(d + 1, dtype=np.int64) * n,
        n_known,
        np.full(d, -1, dtype=np.int64),
    )


def _sort_stored(X: Matrix, start: int, stop: int) -> SortedColumns:
    block = sparse.csc_array(X[:, start:stop], dtype=np.float64)
    block.sum_duplicates()
    block.eliminate_zeros()
    n, d = block.shape
    length = np.diff(block.indptr).astype(np.int64)
    column = np.repeat(np.arange(d), length)
    order = np.lexsort((block.data, column))  # missing values last in their column
    values, rows = block.data[order], block.indices[order].astype(np.int32)
    known = ~np.isnan(values)
    is_new = np.ones(len(values), dtype=bool)
    is_new[1:] = (values[1:] != values[:-1]) | (column[1:] != column[:-1])
    running = np.concatenate([[0], np.cumsum(is_new)])
    begin = np.concatenate([[0], np.cumsum(length)])
    has_zeros = length < n
    ranks = running[1:] - 1 - running[begin[:-1]][column]
    ranks += (values > 0) & has_zeros[column]
    below = np.bincount(column[is_new & (values < 0)], minlength=d)
    return SortedColumns(
        rows,
        ranks.astype(np.int32),
        values,
        begin,
        np.bincount(column[known], minlength=d).astype(np.int64),
        np.where(has_zeros, below, -1).astype(np.int64),
    )


def columns_a_block(n_rows: int, n_problems: int = 1) -> int:
    """Return how many columns to sort at a time: enough work, little memory."""
    return int(np.clip(400_000 // max(n_rows * max(n_problems, 1), 1), 1, 256))
