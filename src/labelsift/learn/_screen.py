"""Points for a matrix product that says which rows cannot be near."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

Array = np.ndarray[Any, Any]

_UNIT = {np.dtype(np.float32): 2.0**-24, np.dtype(np.float64): 2.0**-53}
_SQRT_HALF = np.sqrt(0.5)


class Embedding:
    """Points whose squared distances are those of the rows, nominal columns included.

    A nominal column with two training values becomes 0 and 1; with more, one column
    each, so scaled that two different ones are at distance 1. ``extra`` is added to the
    squared norm of a row whose value training does not have.
    """

    def __init__(self, values: Array, nominal: Array) -> None:
        self.nominal = nominal
        self.codes = {int(f): np.unique(values[:, f]) for f in np.flatnonzero(nominal)}

    def apply(self, values: Array) -> tuple[Array, Array]:
        extra = np.zeros(len(values))
        if not self.codes:
            return values, extra
        columns = [values[:, ~self.nominal].astype(np.float64)]
        for f, codes in self.codes.items():
            same = values[:, f, None] == codes
            unseen = ~same.any(axis=1)
            if len(codes) == 1:
                extra[unseen] += 1.0
            elif len(codes) == 2:
                column = np.where(unseen, 0.5, same[:, 1].astype(np.float64))
                extra[unseen] += 0.75
                columns.append(column[:, None])
            else:
                extra[unseen] += 0.5
                columns.append(same * _SQRT_HALF)
        return np.ascontiguousarray(np.hstack(columns)), extra


class DenseScreen:
    """Points in the precision of the matrix product, and bounds on its error."""

    def __init__(self, points: Array, extra: Array, dtype: Any, *, exact: bool) -> None:
        self.dtype = dtype
        self.exact = exact
        self.centre = np.zeros(points.shape[1])
        self.shrink = 1.0
        if not exact:
            self.centre = points.mean(axis=0, dtype=np.float64)
            top = max(
                float(np.abs(points.max(axis=0) - self.centre).max(initial=0.0)),
                float(np.abs(points.min(axis=0) - self.centre).max(initial=0.0)),
            )
            # A power of two, so that it rounds nothing.
            self.shrink = 2.0 ** -np.frexp(top)[1] if top > 0.0 else 1.0
        d = points.shape[1]
        # |computed - exact| <= (d + 2) u |a||b| for an inner product in any order of
        # summation; 4 u (|a|^2 + |b|^2) for rounding the points; the rest is for the
        # norms, the bounds themselves and the exact sum in double precision.
        self.error = 1.01 * ((d + 32) * _UNIT[dtype] + 4 * (d + 4) * 2.0**-53)
        self.points, self.norms = self.place(points, extra)
        tiny = 1e-30 * (d + 1)
        self.half = (self.norms / 2).astype(dtype)
        self.low = (self.norms / 2 * (1 - self.error) - tiny).astype(dtype)
        self.high = (self.norms / 2 * (1 + self.error) + tiny).astype(dtype)

    def place(self, points: Array, extra: Array) -> tuple[Array, Array]:
        """Return points in this precision and their squared norms."""
        placed = np.empty(points.shape, dtype=self.dtype)
        norms = extra * self.shrink**2
        step = max(1, (1 << 20) // max(1, points.shape[1]))
        for start in range(0, len(points), step):
            part = slice(start, start + step)
            moved = points[part] - self.centre
            placed[part] = moved * self.shrink
            exact = placed[part].astype(np.float64)
            norms[part] += np.einsum("ij,ij->i", exact, exact)
        return placed, norms

    def slack(self, norms: Array) -> Array:
        """Return what the error of a query's own norm adds to the threshold."""
        slack: Array = (norms * self.error * 1.01 + 1e-30).astype(self.dtype)
        return slack


class SparseScreen:
    """Sparse rows less the value that is not stored, by columns, and their norms."""

    def __init__(self, values: Any, default: Array) -> None:
        self.default = default
        rows = self._shift(values)
        self.columns = sparse.csc_array(rows)
        self.norms = _sparse_norms(rows)
        self._longest = int(np.diff(rows.indptr).max(initial=0))
        self._largest = largest(rows)
        self._whole = is_whole(rows.data[None])

    def place(self, rows: Any) -> tuple[Any, Array, float, bool]:
        """Return points, their squared norms, an error, and whether that is nil.

        Half the squared distance of two rows, from the norms and the inner product, is
        wrong by at most ``error`` times the sum of the norms.
        """
        points = self._shift(rows)
        top = max(self._largest, largest(points))
        exact = (
            self._whole
            and is_whole(points.data[None])
            and 4.0 * top * top * points.shape[1] < 2**53
        )
        # Each sum has at most so many terms; see DenseScreen for the rest.
        longest = self._longest + int(np.diff(points.indptr).max(initial=0))
        return points, _sparse_norms(points), (longest + 32) * 2.0**-52, exact

    def _shift(self, rows: Any) -> Any:
        if not self.default.any():
            return rows
        data = rows.data - self.default[rows.indices]
        return sparse.csr_array((data, rows.indices, rows.indptr), shape=rows.shape)


def _sparse_norms(rows: Any) -> Array:
    square = sparse.csr_array((rows.data**2, rows.indices, rows.indptr), rows.shape)
    norms: Array = np.asarray(square.sum(axis=1)).ravel()
    return norms


def largest(values: Any) -> float:
    cells = values.data if sparse.issparse(values) else values
    if cells.size == 0:
        return 0.0
    return float(max(abs(float(cells.max())), abs(float(cells.min()))))


def is_whole(values: Array) -> bool:
    return all(
        bool((part == np.floor(part)).all())
        for part in (values[:1], values)  # most data fail at the first row
    )
