"""Rows as they come in, dense and sparse, until they are one X and one Y."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.arff import read_rows
from labelsift.read.arff_columns import Columns
from labelsift.read.arff_rows import Row
from labelsift.read.rounding import may_be_rounded

_GROWTH = 1.3


class _Growing:
    """An array that gets longer in place; what is beyond the rows in use is unset."""

    def __init__(self, dtype: Any, width: int | None = None) -> None:
        self.tail = () if width is None else (width,)
        self.array: Any = np.zeros((0, *self.tail), dtype=dtype)

    def reserve(self, length: int) -> Any:
        """Make room for ``length`` entries and return the array."""
        have = len(self.array)
        if length > have:
            self._resize(max(length, int(have * _GROWTH)))
        return self.array

    def take(self, length: int) -> Any:
        """Give the first ``length`` entries away, and the memory with them."""
        self._resize(length)
        array = self.array
        self.array = np.zeros((0, *self.tail), dtype=array.dtype)
        return array

    def _resize(self, length: int) -> None:
        # reallocates in place: nobody else holds this array or a view of it
        self.array.resize((length, *self.tail), refcheck=False)


class RowStore:
    """Collects rows in file order, dense and sparse ones apart.

    Parameters
    ----------
    columns : Columns
        What each attribute becomes.
    """

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.n_features = len(columns.features)
        self.n_labels = len(columns.labels)
        self.column: list[int] = columns.plan.column.tolist()
        self.is_label = columns.is_label
        # what a label is where the lists of a sparse row do not name it
        self.base: list[bool] = (columns.plan.omitted == 1).tolist()
        self.kinds = [a.kind in ("numeric", "nominal") for a in columns.attributes]
        starts, places = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32)
        self.no_dense = (np.zeros((0, 0)), np.zeros((0, 0), dtype=np.uint8))
        self.no_features = (starts, places, np.zeros(0))
        self.no_labels = (starts, places)
        self.start()

    def start(self) -> None:
        """Forget all rows."""
        self.runs: list[list[int]] = []  # [is_sparse, rows], in file order
        self.n_dense = self.n_sparse = 0
        self.X = _Growing(np.float64, self.n_features)
        self.Y = _Growing(np.uint8, self.n_labels)
        self.dense_weights = _Growing(np.float64)
        self.x_start, self.y_start = _Growing(np.int64), _Growing(np.int64)
        self.x_column, self.y_column = _Growing(np.int32), _Growing(np.int32)
        self.x_value = _Growing(np.float64)
        self.sparse_weights = _Growing(np.float64)
        self.seen = np.full(self.columns.n_attributes, -1, dtype=np.int64)
        self.weighted = False
        self.unsorted = False
        self.may_be_rounded = False  # whether the rows just added hold 2**53 or more

    @property
    def n_rows(self) -> int:
        """Rows collected so far."""
        return self.n_dense + self.n_sparse

    def add_dense(self, data: Any, at: int, lines: int) -> int:
        """Read plain dense rows of a block; return where it stopped.

        ``data`` holds ``lines`` newlines and ends with one.
        """
        shortest = 2 * self.columns.n_attributes  # a digit and a separator each
        rows = self.n_dense + min(lines, (len(data) - at) // shortest + 1)
        at, stop, weighted, _ = read_rows(
            data,
            at,
            False,
            self.columns.plan,
            (self.X.reserve(rows), self.Y.reserve(rows)),
            self.no_features,
            self.no_labels,
            self.seen,
            self.dense_weights.reserve(rows),
            (self.n_dense, rows),
        )
        self.may_be_rounded = may_be_rounded(self.X.array[self.n_dense : stop])
        self._count(False, stop - self.n_dense)
        self.weighted |= bool(weighted)
        return int(at)

    def add_sparse(self, data: Any, at: int, lines: int) -> int:
        """Read plain sparse rows of a block; return where it stopped."""
        rows = self.n_sparse + lines
        x_start, y_start = (
            self.x_start.reserve(rows + 1),
            self.y_start.reserve(rows + 1),
        )
        most = (len(data) - at) // 4 + 1  # "0 1," and no shorter
        nx, ny = int(x_start[self.n_sparse]), int(y_start[self.n_sparse])
        at, stop, weighted, unsorted = read_rows(
            data,
            at,
            True,
            self.columns.plan,
            self.no_dense,
            (
                x_start,
                self.x_column.reserve(nx + most),
                self.x_value.reserve(nx + most),
            ),
            (y_start, self.y_column.reserve(ny + most)),
            self.seen,
            self.sparse_weights.reserve(rows),
            (self.n_sparse, rows),
        )
        read = slice(nx, int(x_start[stop]))
        self.may_be_rounded = may_be_rounded(self.x_value.array[read])
        self._count(True, stop - self.n_sparse)
        self.weighted |= bool(weighted)
        self.unsorted |= bool(unsorted)
        return int(at)

    def add_row(self, row: Row) -> None:
        """Add one row that was read with care."""
        weight = 1.0 if row.weight is None else row.weight
        self.weighted |= row.weight is not None
        if not row.is_sparse:
            at = self.n_dense
            X, Y = self.X.reserve(at + 1), self.Y.reserve(at + 1)
            for a, value in row.cells.items():
                (Y if self.is_label[a] else X)[at, self.column[a]] = value
            self.dense_weights.reserve(at + 1)[at] = weight
            self._count(False, 1)
            return
        at = self.n_sparse
        x_start, y_start = self.x_start.reserve(at + 2), self.y_start.reserve(at + 2)
        nx, ny = int(x_start[at]), int(y_start[at])
        x_column = self.x_column.reserve(nx + len(row.cells))
        x_value = self.x_value.reserve(nx + len(row.cells))
        y_column = self.y_column.reserve(ny + len(row.cells))
        for a in sorted(row.cells):
            value = row.cells[a]
            if self.is_label[a]:
                if value != self.base[a]:
                    y_column[ny] = self.column[a]
                    ny += 1
            elif value != 0.0 and self.kinds[a]:
                x_column[nx], x_value[nx] = self.column[a], value
                nx += 1
        x_start[at + 1], y_start[at + 1] = nx, ny
        self.sparse_weights.reserve(at + 1)[at] = weight
        self._count(True, 1)

    def _count(self, is_sparse: bool, rows: int) -> None:
        if rows == 0:
            return
        if is_sparse:
            self.n_sparse += rows
        else:
            self.n_dense += rows
        if self.runs and self.runs[-1][0] == is_sparse:
            self.runs[-1][1] += rows
        else:
            self.runs.append([int(is_sparse), rows])

    def finish(self) -> tuple[Any, Any, Any]:
        """Return X, Y and the weights (or None) of all rows, and forget them.

        Both are CSR when more than half of the rows were sparse, else dense, so that
        their size is bounded by what the file spells out.
        """
        parts = []
        if self.n_dense:
            parts.append(
                (
                    self.X.take(self.n_dense),
                    self.Y.take(self.n_dense),
                    self.dense_weights.take(self.n_dense),
                )
            )
        if self.n_sparse:
            parts.append(self._csr())
        X, Y, weights = parts[0] if len(parts) == 1 else self._mixed(*parts)
        weights = weights if self.weighted else None
        self.start()
        return X, Y, weights

    def _csr(self) -> tuple[Any, Any, Any]:
        n = self.n_sparse
        x_start, y_start = self.x_start.take(n + 1), self.y_start.take(n + 1)
        nx, ny = int(x_start[n]), int(y_start[n])
        X = _csr_array(
            self.x_value.take(nx), self.x_column.take(nx), x_start, self.n_features
        )
        ones = np.ones(ny, dtype=np.uint8)
        Y = _csr_array(ones, self.y_column.take(ny), y_start, self.n_labels)
        if self.unsorted:
            X.sort_indices()
            Y.sort_indices()
        inverted = [self.column[a] for a in self.columns.labels if self.base[a]]
        if inverted:
            Y = _invert(Y, inverted)
        return X, Y, self.sparse_weights.take(n)

    def _mixed(self, dense: Any, rare: Any) -> tuple[Any, Any, Any]:
        """Bring dense and sparse rows back into file order."""
        from_sparse = np.repeat(
            [bool(kind) for kind, _ in self.runs], [count for _, count in self.runs]
        )
        weights = np.empty(len(from_sparse))
        weights[~from_sparse], weights[from_sparse] = dense[2], rare[2]
        if self.n_sparse > self.n_dense:
            order = np.empty(len(from_sparse), dtype=np.int64)
            order[from_sparse] = np.arange(self.n_sparse)
            order[~from_sparse] = self.n_sparse + np.arange(self.n_dense)
            X, Y = (
                sparse.vstack([rare[i], sparse.csr_array(dense[i])]).tocsr()[order]
                for i in (0, 1)
            )
            return X, Y, weights
        X = np.empty((len(from_sparse), self.n_features))
        Y = np.empty((len(from_sparse), self.n_labels), dtype=np.uint8)
        for whole, some, others in ((X, dense[0], rare[0]), (Y, dense[1], rare[1])):
            whole[~from_sparse], whole[from_sparse] = some, others.toarray()
        return X, Y, weights


def _csr_array(values: Any, columns: Any, start: Any, width: int) -> Any:
    if len(values) < 2**31:
        start = start.astype(np.int32)
    else:
        columns = columns.astype(np.int64)
    return sparse.csr_array((values, columns, start), shape=(len(start) - 1, width))


def _invert(Y: Any, columns: list[int]) -> Any:
    """Swap 0 and 1 in some columns of a 0/1 matrix."""
    by_column = Y.tocsc()
    swapped = 1 - by_column[:, columns].toarray()
    others = np.setdiff1d(np.arange(Y.shape[1]), columns)
    order = np.argsort(np.concatenate([others, columns]), kind="stable")
    parts = [by_column[:, others], sparse.csc_array(swapped.astype(np.uint8))]
    result = sparse.hstack(parts, format="csc")[:, order].tocsr()
    result.sort_indices()
    return result
