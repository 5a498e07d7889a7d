"""Neighbourhoods by one threshold a feature, kept as windows of value codes."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.encode.tolerance_columns import ToleranceColumns
from labelsift.kernels import rough_windows
from labelsift.kernels.threads import run_blocks
from labelsift.statistics.neighborhoods import (
    SLACK,
    LabelUnits,
    NeighborLists,
    Space,
    View,
)

Array = np.ndarray[Any, Any]
_kernels: Any = rough_windows  # mypy cannot count starred arguments

_LANES = 32  # columns that one machine instruction may take together
_PAIRS_PER_CELL = 1 / 30  # time of a pair and a column, against a cell of a table


class WindowSpace(Space):
    """Rows are near if each feature differs by at most its threshold."""

    def __init__(self, table: ToleranceColumns, thresholds: Array) -> None:
        codes, missing = table.codes, table.missing
        n, d = codes.shape
        lows, highs, parted = [], [], np.zeros(d)
        for c in range(d):
            low = np.arange(len(table.values[c]), dtype=np.int64)
            high = low.copy()
            if not table.nominal[c]:
                _kernels.value_windows(
                    table.values[c], thresholds[c] + SLACK, low, high
                )
            lows.append(low)
            highs.append(high)
            total = np.concatenate([[0], np.cumsum(table.counts[c])])
            near = total[high + 1] - total[low] if len(low) else np.zeros(0, int)
            parted[c] = total[-1] ** 2 - (table.counts[c] * near).sum()
        self.columns = np.argsort(-parted, kind="stable")
        # columns in which only equal values are near, none of them missing
        is_exact = [
            bool((low == high).all()) and count.sum() == n
            for low, high, count in zip(lows, highs, table.counts, strict=True)
        ]
        self.exact = np.array(is_exact)[self.columns]
        self.is_partition = bool(self.exact.all())
        self.n_codes = max((len(low) for low in lows), default=0)
        self.n_samples = n
        self._parted: tuple[Any, ...] = (None,)
        self.width = -(-d // _LANES) * _LANES
        self.pair_bytes = np.dtype(self.member_type).itemsize
        self.missing = missing
        self.codes = np.full((n, self.width), missing, dtype=codes.dtype)
        self.codes[:, :d] = codes[:, self.columns]
        self.low = np.zeros_like(self.codes)
        self.high = np.full_like(self.codes, missing)
        self.windows = [(lows[c], highs[c]) for c in self.columns]
        lows = [lows[c] for c in self.columns] + [np.zeros(0, np.int64)]
        highs = [highs[c] for c in self.columns] + [np.zeros(0, np.int64)]
        sizes = [len(low) for low in lows]
        offsets = np.concatenate([[0], np.cumsum(sizes)])[:d]
        offsets = np.concatenate([offsets, np.zeros(self.width - d, np.int64)])
        low_of, high_of = np.concatenate(lows), np.concatenate(highs)
        run_blocks(
            lambda start, stop: _kernels.spread_windows(
                self.codes,
                offsets,
                low_of,
                high_of,
                missing,
                start,
                stop,
                self.low,
                self.high,
            ),
            n,
            block=1024,
        )

    @property
    def data(self) -> Any:
        """What kernels read."""
        return self.codes, self.low, self.high, self.missing

    def find_certain(self, units: LabelUnits, columns: Array) -> Array:
        """Return which units no violating row is near, over these internal columns.

        Rows that differ in an exact column are told apart by sorting, once; the others
        are compared pair by pair.
        """
        columns = np.sort(columns)
        certain = np.empty(len(units), dtype=np.bool_)
        key = columns.tobytes()
        if key != self._parted[0]:
            exact = columns[self.exact[columns]]
            self._parted = key, *_equal_rows(self.codes[:, exact])
        _, order, bounds, block_of = self._parted
        run_blocks(
            lambda start, stop: _kernels.find_certain(
                units.rows,
                units.required,
                units.labels,
                start,
                stop,
                columns,
                order,
                bounds,
                block_of,
                *self.data,
                certain,
            ),
            len(units),
            block=64,
        )
        return certain

    def discerned_alone(self, units: LabelUnits) -> Array | None:
        """Return for each internal column the violating pairs it tells apart alone.

        None where there are so many label sets that it is cheaper to look at pairs.
        """
        d = len(self.columns)
        by_set, starts, _ = _equal_rows(units.labels)
        by_mask, ends, masks = _equal_rows(units.required)
        fits = _holders(
            units.required[by_mask[ends[:-1]]], units.labels[by_set[starts[:-1]]]
        )
        fits_starts = np.concatenate([[0], np.cumsum([len(sets) for sets in fits])])
        rows_of_set = np.diff(starts)
        cells = len(fits) * self.n_codes + sum(int(rows_of_set[s].sum()) for s in fits)
        if cells > _PAIRS_PER_CELL * self.n_samples * len(units):
            return None
        counts = np.zeros(self.width, dtype=np.int64)
        run_blocks(
            lambda start, stop: _kernels.count_discerned_alone(
                units.rows[by_mask],
                masks[by_mask],
                by_set,
                starts,
                np.concatenate([np.empty(0, dtype=np.int64), *fits]),
                fits_starts,
                start,
                stop,
                *self.data,
                self.n_codes,
                counts,
            ),
            d,
            block=4,
        )
        return counts

    def view(self, columns: Array) -> View:
        """Return the codes and windows of these internal columns."""
        if len(columns) > self.width - _LANES:
            return View(columns, (self.codes, self.low, self.high))
        spare = -len(columns) % _LANES if len(columns) > _LANES // 2 else 0
        shape = (self.n_samples, len(columns) + spare)
        parts = []
        for table in (self.codes, self.low, self.high):
            part = np.full(shape, self.missing, dtype=table.dtype)
            part[:, : len(columns)] = table[:, columns]
            parts.append(part)
        return View(columns, tuple(parts))

    def lists(self, units: LabelUnits, chosen: Array) -> NeighborLists:
        """Return the lists of some units, not filled yet."""
        return WindowLists(self, units, chosen)


class WindowLists(NeighborLists):
    """Lists of a ``WindowSpace``."""

    def __init__(self, space: WindowSpace, units: LabelUnits, chosen: Array) -> None:
        super().__init__(space, units, chosen)
        self.space = space

    def _list(self, columns: Array) -> None:
        room = len(self.chosen) * self.space.n_samples
        members = np.empty(room, dtype=self.space.member_type)
        used = _kernels.list_neighbors(
            self.units.rows,
            self.units.required,
            self.units.labels,
            self.chosen,
            columns,
            np.ascontiguousarray(self.space.codes[:, columns].T),
            self.space.low,
            self.space.high,
            self.space.missing,
            members,
            self.begin,
            self.length,
        )
        self.members = members[:used].copy()

    def _narrow(self, column: int) -> int:
        return int(
            _kernels.narrow_lists(
                self.rows,
                column,
                np.ascontiguousarray(self.space.codes[:, column]),
                self.space.low,
                self.space.high,
                self.space.missing,
                self.members,
                self.begin,
                self.length,
                self.pointers,
            )
        )

    def _count_gains(self, columns: Array, gains: Array) -> None:
        _kernels.count_gains(
            self.rows,
            columns,
            *self.space.data,
            self.members,
            self.begin,
            self.length,
            self.pointers,
            gains,
        )

    def discerned(self, view: View) -> Array:
        """Return for each column of a view the listed pairs that it tells apart."""
        codes = view.data[0]
        counts = np.zeros(codes.shape[1], dtype=np.int64)
        _kernels.count_discerned(
            self.rows,
            *view.data,
            self.space.missing,
            self.members,
            self.begin,
            self.length,
            np.zeros(codes.shape[1], dtype=codes.dtype),
            counts,
        )
        if codes is self.space.codes:
            return counts[view.columns]
        return counts[: len(view.columns)]


def _equal_rows(table: Array) -> tuple[Array, Array, Array]:
    """Return rows sorted by content, where each content begins, and its number."""
    n = len(table)
    if not table.shape[1]:
        return np.arange(n), np.array([0, n]), np.zeros(n, dtype=np.int64)
    _, kind = np.unique(table, axis=0, return_inverse=True)
    kind = kind.reshape(-1).astype(np.int64)
    order = np.argsort(kind, kind="stable")
    bounds = np.concatenate([[0], np.cumsum(np.bincount(kind))])
    return order, bounds, kind


def _holders(required: Array, sets: Array) -> list[Array]:
    """Return for each mask of labels the label sets that hold them all."""
    return [np.flatnonzero(~(mask & ~sets).any(axis=1)) for mask in required]
