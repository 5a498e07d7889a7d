"""Rows laid out so that distances grow by one column at a time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from labelsift.kernels.neighbors_prefix import nearest_of_prefixes
from labelsift.kernels.threads import run_blocks

Array = np.ndarray[Any, Any]

_ROWS = 8  # rows that read a column while it is in the cache


class PrefixTable:
    """Training rows by rows and by columns, in a precision that suits them.

    Sums in float32 are twice as fast; how far they may be off is known, and the few
    distances that they cannot tell apart are computed anew. Data with so many of these
    that it does not pay are summed in float64.

    Parameters
    ----------
    A, B : ndarray of shape (rows, d), float64
        Prepared test and training rows, columns in the order of ``X``.
    by_place : ndarray of shape (d,), int64
        Columns of ``A`` and ``B`` in the order of the list.
    spans : ndarray of shape (d, 3)
        What a missing value counts.
    nominal : ndarray of bool of shape (d,)
        Nominal columns.
    """

    def __init__(
        self, A: Array, B: Array, by_place: Array, spans: Array, nominal: Array
    ) -> None:
        d = len(by_place)
        missing = np.isnan(A).any(axis=0) | np.isnan(B).any(axis=0)
        place = np.empty(d, dtype=np.int64)
        place[by_place] = np.arange(d)
        self.B, self.by_place = B, by_place
        self.parts = (
            place,
            ~(missing | nominal)[by_place],
            nominal[by_place],
            np.ascontiguousarray(spans[by_place]),
        )
        low = np.minimum(A.min(axis=0, initial=np.inf), B.min(axis=0))
        high = np.maximum(A.max(axis=0, initial=-np.inf), B.max(axis=0))
        bound = np.inf if missing.any() else _whole_bound(A, B, ~nominal)
        self.exact = bound < 2.0**53
        self.dtype: Any = np.float64
        self.centre, self.shrink, self.radius = np.zeros(d), 1.0, np.zeros(d)
        if not (missing.any() or nominal.any()):
            if bound < 2.0**24:
                self.dtype = np.float32
            elif not self.exact:
                radius = (high - low) / 2
                top = float(radius.max(initial=0.0))
                if 1e-100 < top < 1e100:
                    self.dtype = np.float32
                    self.centre = low + radius
                    # A power of two, so that it rounds nothing.
                    self.shrink = 2.0 ** -np.frexp(top)[1]
                    self.radius = radius * self.shrink
        self.columns = self._in_order(B).T.copy()

    def _in_order(self, rows: Array) -> Array:
        """Return rows as they are summed: shifted, rounded, columns in list order."""
        moved = (rows - self.centre) * self.shrink if self.shrink != 1.0 else rows
        return np.ascontiguousarray(moved[:, self.by_place], dtype=self.dtype)

    def _errors(self, sizes: Array) -> tuple[Array, Array]:
        """Return the relative and absolute error of the root of two sums together."""
        none = np.zeros(len(sizes))
        if self.exact:
            return none, none
        if self.dtype == np.float64:
            # A sum of two squares is the same in any order.
            return np.where(sizes <= 2, 0.0, (4.0 * sizes + 16.0) * 2.0**-53), none
        # |computed - true| of p squares is at most (p + 2) u of their sum, u = 2^-24;
        # rounding moves each value by at most u times the column's radius.
        moved = (2.0 * 2.0**-24 * self.radius[self.by_place]) ** 2
        shift = np.sqrt(np.cumsum(moved))[sizes - 1]
        return 1.01 * (sizes + 16.0) * 2.0**-24, 2.02 * shift + 1e-18

    def search(
        self, rows: Array, sizes: Array, k: int, *, itself: bool = False
    ) -> Array:
        """Return the neighbours of rows at each size, shape (sizes, rows, k)."""
        index = np.empty((len(sizes), len(rows), k), dtype=np.int32)
        queries = self._in_order(rows)
        errors = self._errors(sizes)

        def work(start: int, stop: int) -> int:
            total = np.empty((_ROWS, len(self.B)), dtype=self.dtype)
            compared = 0
            for i in range(start, stop, _ROWS):
                part = slice(i, min(i + _ROWS, stop))
                compared += nearest_of_prefixes(
                    rows[part],
                    self.B,
                    queries[part],
                    self.columns,
                    *self.parts,
                    sizes,
                    *errors,
                    i if itself else -1,
                    k,
                    total[: part.stop - i],
                    index[:, part],
                )
            return compared

        trial = min(len(rows), 8 * _ROWS)
        compared = work(0, trial)
        if self.dtype == np.float32 and compared > trial * len(self.B):
            self.dtype, self.centre, self.shrink = np.float64, 0.0 * self.centre, 1.0
            self.columns = self._in_order(self.B).T.copy()
            return self.search(rows, sizes, k, itself=itself)
        run_blocks(
            lambda start, stop: work(trial + start, trial + stop),
            len(rows) - trial,
            block=16 * _ROWS,
        )
        return index


def _whole_bound(A: Array, B: Array, numeric: Array) -> float:
    """Return a bound on sums of squares in units in which all values are whole.

    Sums below 2^24 (float32) or 2^53 (float64) are exact in any order. Infinity where
    values are no multiples of 1/256.
    """
    unit = 1.0
    top = 0.0
    for rows in (A, B):
        for part in (rows[:1], rows):  # most data fail at the first row
            values = part[:, numeric]
            top = max(top, float(np.abs(values).max(initial=0.0)))
            while (values * unit != np.floor(values * unit)).any():
                unit *= 2.0
                if unit > 256.0:
                    return math.inf
    return float(max(4.0 * (unit * top) ** 2, unit**2) * A.shape[1])
