"""Sums and sums of squares of every feature in every distinct label set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.encode.labels import LabelMatrix
from labelsift.kernels.blocks import fitting
from labelsift.kernels.moments import (
    add_dense_rows,
    add_sparse_columns,
    move_columns,
    rows_by_group,
    stored_entries,
)
from labelsift.kernels.threads import run_blocks
from labelsift.statistics.label_sets import LabelSets, _grown, label_lists

Array = np.ndarray[Any, Any]
_BLOCK_BYTES = 1 << 23  # rows go to the kernels in pieces of this size
_DENSE_COLUMNS = 128
_SMALL = 1 << 19  # values that are not worth another thread
_SPARSE_ENTRIES = 1 << 16  # of a table that go to a thread at a time


class LabelMoments:
    """For each distinct label set: rows, and per feature sum and sum of squares.

    Dense rows are summed about their first row, so that a column far from zero keeps
    its digits; a sparse table stays sparse. The rows of a group are added one after
    the other whatever the blocks are, so that any cut into consecutive blocks gives
    the same bits as the whole table. ``merge`` gives the same sums up to rounding (a
    relative error of about 1e-15 for each sum).

    Parameters
    ----------
    n_features, n_labels : int
        Columns of ``X`` and of the label matrix.
    is_sparse : bool
        Whether to keep sums for non-empty (group, feature) pairs only.
    max_sets : int, optional
        More distinct label sets than this raise ValueError.
    """

    def __init__(
        self,
        n_features: int,
        n_labels: int,
        *,
        is_sparse: bool = False,
        max_sets: int | None = None,
    ) -> None:
        self.n_features = n_features
        self.n_labels = n_labels
        self.is_sparse = is_sparse
        self.max_sets = max_sets
        self.n_samples = 0
        self.sets = LabelSets()
        self._counts = np.array([], dtype=np.int64)
        self._low = np.full(n_features, np.inf)
        self._high = np.full(n_features, -np.inf)
        self._origin: Array | None = None
        if is_sparse:
            self._columns = _empty_columns(n_features)
        else:
            self._sums = np.zeros((8, n_features))
            self._squares = np.zeros((8, n_features))

    @property
    def counts(self) -> Array:
        """Rows in each label set; (n_sets,) int64."""
        return self._counts[: self.sets.n_sets]

    @property
    def n_sets(self) -> int:
        """Number of distinct label sets."""
        return self.sets.n_sets

    @property
    def range(self) -> tuple[Array, Array]:
        """Smallest and largest value of each feature, zeros of sparse rows included."""
        if not self.is_sparse:
            return self._low, self._high
        hidden = self._columns.stored() < self.n_samples
        return (
            np.where(hidden, np.minimum(self._low, 0.0), self._low),
            np.where(hidden, np.maximum(self._high, 0.0), self._high),
        )

    def update(self, X: Any, labels: LabelMatrix) -> None:
        """Add a block of rows.

        Parameters
        ----------
        X : ndarray or sparse array of shape (n_rows, n_features)
            Finite values.
        labels : LabelMatrix
            Labels of these rows.
        """
        if X.shape[1] != self.n_features or labels.n_labels != self.n_labels:
            raise ValueError(
                f"expected {self.n_features} features and {self.n_labels} labels; "
                f"found {X.shape[1]} and {labels.n_labels}."
            )
        groups = self._group(*label_lists(labels, 0, X.shape[0]))
        self.n_samples += X.shape[0]
        if self.is_sparse:
            self._add_sparse(sparse.csc_array(X), groups)
        else:
            self._add_dense(X, groups)

    def merge(self, other: LabelMoments) -> None:
        """Add what another statistic of the same columns has gathered."""
        same = (self.n_features, self.n_labels, self.is_sparse)
        if same != (other.n_features, other.n_labels, other.is_sparse):
            raise ValueError(
                "only statistics of the same features, labels and kind of table "
                "(dense or sparse) can be merged."
            )
        if other._origin is None:
            return
        groups = self._group(other.sets.indptr, other.sets.indices, other.counts)
        self.n_samples += other.n_samples
        self._low = np.minimum(self._low, other._low)
        self._high = np.maximum(self._high, other._high)
        if self._origin is None:
            self._origin = other._origin.copy()
        shift = other._origin - self._origin
        if self.is_sparse:
            self._columns = self._columns.joined(
                other._columns.moved(shift), groups, self.n_features, self.n_sets
            )
            return
        n = other.counts[:, None].astype(np.float64)
        sums = other._sums[: other.n_sets]
        squares = other._squares[: other.n_sets]
        self._grow()
        # groups are distinct: other's sets are
        self._sums[groups] += sums + n * shift
        self._squares[groups] += squares + 2.0 * shift * sums + n * shift**2

    def dense(self) -> tuple[Array, Array, Array]:
        """Return ``origin`` (d,), ``sums`` and ``squares`` (n_sets, d) about it."""
        if self.is_sparse:
            raise ValueError("these moments are sparse; use columns().")
        u = self.n_sets
        return self._need_origin(), self._sums[:u], self._squares[:u]

    def columns(self) -> tuple[Array, sparse.csc_array, sparse.csc_array]:
        """Return ``origin`` (d,), and sums and squares (n_sets, d) about it, CSC.

        Pairs that are not stored have no stored entry and hold zero: the origin of a
        column with hidden zeros is 0.
        """
        if not self.is_sparse:
            raise ValueError("these moments are dense; use dense().")
        c, d = self._columns, self.n_features
        origin = self._need_origin()
        # about 0 where zeros are hidden: 0 is then a value of the column, so that
        # the sums cannot be far larger than the spread
        full = c.stored() == self.n_samples
        moved = c.moved(np.where(full, 0.0, origin))
        shape = (self.n_sets, d)
        return (
            np.where(full, origin, 0.0),
            sparse.csc_array((moved.sums, c.groups, c.indptr), shape=shape),
            sparse.csc_array((moved.squares, c.groups, c.indptr), shape=shape),
        )

    def _need_origin(self) -> Array:
        if self._origin is None:
            raise ValueError("no rows were added yet.")
        return self._origin

    def _group(
        self, indptr: Array, indices: Array, counts: Array | None = None
    ) -> Array:
        groups = self.sets.add(indptr, indices)
        if self.max_sets is not None and self.n_sets > self.max_sets:
            raise ValueError(
                f"y has more than {self.max_sets} distinct label sets. Keep the more "
                "frequent labels, or a sample of the rows."
            )
        self._counts = _grown(self._counts, self.n_sets)
        if counts is None:
            self._counts[: self.n_sets] += np.bincount(groups, minlength=self.n_sets)
        else:
            self._counts[groups] += counts
        return groups

    def _grow(self) -> None:
        self._sums = _grown(self._sums, self.n_sets)
        self._squares = _grown(self._squares, self.n_sets)

    def _add_dense(self, X: Any, groups: Array) -> None:
        self._grow()
        d = self.n_features
        step = fitting(_BLOCK_BYTES, 8 * d)
        for i in range(0, X.shape[0], step):
            rows = X[i : i + step]
            if sparse.issparse(rows):
                rows = rows.toarray()
            rows = np.ascontiguousarray(rows, dtype=np.float64)
            if self._origin is None:
                self._origin = rows[0].copy()
            self._add_block(rows, groups[i : i + step], self._origin)

    def _add_block(self, rows: Array, groups: Array, origin: Array) -> None:
        # a group's sums stay in the cache while its rows are added
        few = self.n_sets <= 4 * len(rows)
        order = rows_by_group(groups, self.n_sets) if few else np.arange(len(rows))

        def work(start: int, stop: int) -> None:
            add_dense_rows(
                rows,
                order,
                groups,
                origin,
                self._sums,
                self._squares,
                self._low,
                self._high,
                start,
                stop,
            )

        small = rows.size < _SMALL
        block = self.n_features if small else _DENSE_COLUMNS
        run_blocks(work, self.n_features, block=block)

    def _add_sparse(self, X: Any, groups: Array) -> None:
        if not X.has_canonical_format:
            X = X.copy()  # the caller's arrays stay as they are
            X.sum_duplicates()
        if self._origin is None:
            self._origin = np.asarray(X[[0]].toarray(), dtype=np.float64).ravel()
        sizes, *lists = self._extended(X, groups, self._origin, self._columns)
        # at most two copies of the lists at a time
        self._columns = _empty_columns(self.n_features)
        indptr = _indptr(np.concatenate(sizes))
        self._columns = _Columns(indptr, *(_emptied(pieces) for pieces in lists))

    def _extended(
        self, X: Any, groups: Array, origin: Array, old: _Columns
    ) -> list[list[Array]]:
        """Return sizes, groups, sums, squares and counts of columns, in pieces."""
        values = np.asarray(X.data, dtype=np.float64)
        indptr = np.asarray(X.indptr, dtype=np.int64)
        rows = np.asarray(X.indices, dtype=np.int32)
        # cut by entries: a few columns may hold most of them
        room = indptr + old.indptr
        step = max(_SPARSE_ENTRIES, int(room[-1]) // 64)
        cuts = np.searchsorted(room, np.arange(0, int(room[-1]), step), side="right")
        cuts = np.unique(np.concatenate([[0], cuts[1:] - 1, [self.n_features]]))

        def work(a: int, b: int) -> tuple[Array, ...]:
            added: tuple[Array, ...] = add_sparse_columns(
                indptr,
                rows,
                values,
                groups,
                origin,
                self._low,
                self._high,
                self.n_sets,
                old.indptr,
                old.groups,
                old.sums,
                old.squares,
                old.counts,
                int(cuts[a]),
                int(cuts[b]),
            )
            return added

        parts = run_blocks(work, len(cuts) - 1, block=1)
        return [list(pieces) for pieces in zip(*parts, strict=True)]


def _emptied(pieces: list[Array]) -> Array:
    joined = np.concatenate(pieces)
    pieces.clear()
    return joined


@dataclass(frozen=True)
class _Columns:
    """Per column the groups with a stored entry, sorted, and their moments."""

    indptr: Array
    groups: Array
    sums: Array
    squares: Array
    counts: Array

    def stored(self) -> Array:
        """Return the number of stored entries of each column."""
        result: Array = stored_entries(self.indptr, self.counts)
        return result

    def moved(self, shift: Array) -> _Columns:
        """Return the moments about an origin that lies ``shift`` lower."""
        if not shift.any():
            return self
        sums, squares = move_columns(
            self.indptr, self.sums, self.squares, self.counts, shift
        )
        return _Columns(self.indptr, self.groups, sums, squares, self.counts)

    def joined(self, other: _Columns, groups: Array, d: int, u: int) -> _Columns:
        """Return the sum of both; ``groups`` renumbers the groups of ``other``."""
        keys = np.concatenate(
            [
                self._of_column() * u + self.groups,
                other._of_column() * u + groups[other.groups],
            ]
        )
        unique, place = np.unique(keys, return_inverse=True)

        def added(a: Array, b: Array) -> Array:
            return np.bincount(
                place, weights=np.concatenate([a, b]), minlength=len(unique)
            )

        return _Columns(
            _indptr(np.bincount(unique // u, minlength=d)),
            (unique % u).astype(np.int32),
            added(self.sums, other.sums),
            added(self.squares, other.squares),
            added(self.counts, other.counts).astype(np.int32),
        )

    def _of_column(self) -> Array:
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))


def _empty_columns(d: int) -> _Columns:
    none, some = np.zeros(0), np.zeros(0, dtype=np.int32)
    return _Columns(np.zeros(d + 1, dtype=np.int64), some, none, none, some)


def _indptr(sizes: Array) -> Array:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
