"""Rows as ReliefF compares them: numbers scaled to 0..1, categories, missing values."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.relief import (
    CATEGORIES,
    CATEGORIES_MISSING,
    NUMBERS,
    NUMBERS_MISSING,
    add_weights,
    row_distances,
)
from labelsift.kernels.relief_sparse import (
    add_sparse_weights,
    differences_to_zeros,
    sparse_row_distances,
)
from labelsift.kernels.threads import n_threads, run_blocks

Array = np.ndarray[Any, Any]
_COLUMNS = 256  # columns whose weights are summed together
_SYMMETRIC_BYTES = 1 << 26  # all distances are kept up to this size


class ReliefRows:
    """A table that can tell the distances of its rows.

    Parameters
    ----------
    X : ndarray or sparse array of shape (n_samples, n_features)
        Values; NaN where missing. Sparse rows stay sparse.
    categorical : ndarray of shape (n_features,), bool
        Columns of categories: equal or not.
    n_categories : ndarray of shape (n_features,), int, optional
        How many categories each can take; by default those that occur.
    """

    def __init__(
        self, X: Any, categorical: Array, n_categories: Array | None = None
    ) -> None:
        self.n, self.d = X.shape
        self.is_sparse = sparse.issparse(X)
        table = sparse.csc_array(X, dtype=np.float64) if self.is_sparse else X
        low, high, missing, values = _columns(table, categorical)
        self.constant = ~(high > low)
        missing &= ~np.isnan(low)  # a column of nothing but gaps tells nothing
        self.kinds = np.where(
            categorical,
            np.where(missing, CATEGORIES_MISSING, CATEGORIES),
            np.where(missing, NUMBERS_MISSING, NUMBERS),
        )
        if n_categories is not None:
            values = n_categories
        self.unknown = 1.0 - 1.0 / np.maximum(values, 1)
        low = np.where(categorical | self.constant, 0.0, low)
        high = np.where(categorical, 1.0, high)
        spread = np.where(categorical | self.constant, 1.0, high - low)
        if not self.is_sparse:
            rows = np.array(X, dtype=np.float64, order="C")
            rows -= low
            rows /= spread
            flat = self.constant & ~categorical
            gaps = np.isnan(rows[:, flat]) & missing[flat]
            rows[:, flat] = np.where(gaps, np.nan, 0.0)
            self._rows = rows
            return
        of_column = np.repeat(np.arange(self.d), np.diff(table.indptr))
        scaled = (table.data - low[of_column]) / spread[of_column]
        flat = (self.constant & ~categorical)[of_column]
        scaled[flat & ~(np.isnan(scaled) & missing[of_column])] = 0.0
        zeros = np.where(self.constant, 0.0, -low / spread)
        csr = sparse.csr_array(
            sparse.csc_array((scaled, table.indices, table.indptr), shape=table.shape)
        )
        csr.sort_indices()
        self._indptr = csr.indptr.astype(np.int64)
        self._indices, self._values = csr.indices, csr.data
        self._plain = bool((self.kinds == NUMBERS).all())
        self._alone = differences_to_zeros(
            self._indices, self._values, zeros, self.kinds, self.unknown
        )

    def distances(self, chosen: Array, first: int = 0) -> Array:
        """Return the distances of some rows to the rows from ``first`` on.

        Parameters
        ----------
        chosen : ndarray of int
            Row indices.
        first : int
            Columns before this one of the result hold nothing.

        Returns
        -------
        ndarray of shape (len(chosen), n_samples), float64
            Sums of absolute differences.
        """
        result = np.empty((len(chosen), self.n))
        if self.is_sparse:
            sparse_row_distances(
                self._indptr,
                self._indices,
                self._values,
                self._alone,
                self.kinds,
                self.unknown,
                self._plain,
                chosen,
                first,
                result,
            )
        else:
            row_distances(self._rows, self.kinds, self.unknown, chosen, first, result)
        return result

    def all_distances(
        self, *, block: int, report: Callable[[float], None] | None = None
    ) -> Array | None:
        """Return the distances of all rows, each pair once, if they are few enough.

        ``report`` is called with the share of pairs that are done.
        """
        if 8 * self.n * self.n > _SYMMETRIC_BYTES:
            return None
        table = np.empty((self.n, self.n))
        lock, done = Lock(), [0]

        def work(start: int, stop: int) -> None:
            part = self.distances(np.arange(start, stop), start)[:, start:]
            table[start:stop, start:] = part
            table[start:, start:stop] = part.T
            if report is not None:
                with lock:
                    done[0] += (stop - start) * (2 * self.n - start - stop)
                    report(done[0] / self.n**2)

        run_blocks(work, self.n, block=block)
        return table

    def add_weights(
        self,
        owners: Array,
        problems: Array,
        indptr: Array,
        rows: Array,
        shares: Array,
        weights: Array,
    ) -> None:
        """Add ``share * difference`` of every listed pair to ``weights``.

        Each weight is a sum in the order of the lists, whatever the threads are.
        """
        lists = (owners, problems, indptr, rows, shares)
        if self.is_sparse:

            def some_problems(start: int, stop: int) -> None:
                add_sparse_weights(
                    self._indptr,
                    self._indices,
                    self._values,
                    self._alone,
                    self.kinds,
                    self.unknown,
                    *lists,
                    start,
                    stop,
                    weights,
                )

            run_blocks(
                some_problems, len(weights), block=-(-len(weights) // n_threads())
            )
            return

        def some_columns(start: int, stop: int) -> None:
            add_weights(
                self._rows, self.kinds, self.unknown, *lists, start, stop, weights
            )

        share = max(16, -(-self.d // n_threads()))
        run_blocks(some_columns, self.d, block=min(_COLUMNS, share))


def _columns(table: Any, categorical: Array) -> tuple[Array, Array, Array, Array]:
    """Return per column: smallest, largest, whether some are missing, categories."""
    n, d = table.shape
    if sparse.issparse(table):
        low, high = np.zeros(d), np.zeros(d)
        missing, values = np.zeros(d, dtype=bool), np.ones(d, dtype=np.int64)
        stored = np.diff(table.indptr)
        gaps = np.isnan(table.data)
        of_column = np.repeat(np.arange(d), stored)
        missing[of_column[gaps]] = True
        hidden = stored < n
        low[~hidden], high[~hidden] = np.inf, -np.inf
        np.fmin.at(low, of_column, table.data)
        np.fmax.at(high, of_column, table.data)
        for f in np.flatnonzero(categorical):
            column = table.data[table.indptr[f] : table.indptr[f + 1]]
            found = np.unique(column[~np.isnan(column)])
            values[f] = len(found) + int(hidden[f] and not (found == 0).any())
        return low, high, missing, values
    missing = np.isnan(table).any(axis=0)
    low = np.fmin.reduce(table, axis=0).astype(np.float64)
    high = np.fmax.reduce(table, axis=0).astype(np.float64)
    values = np.ones(d, dtype=np.int64)
    for f in np.flatnonzero(categorical):
        column = table[:, f]
        values[f] = len(np.unique(column[~np.isnan(column)]))
    return low, high, missing, values
