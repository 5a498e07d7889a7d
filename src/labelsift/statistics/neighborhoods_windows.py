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
)

Array = np.ndarray[Any, Any]
_kernels: Any = rough_windows  # mypy cannot count starred arguments

_LANES = 32  # columns that one machine instruction may take together


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
        self.n_samples = n
        self.width = -(-d // _LANES) * _LANES
        self.pair_bytes = np.dtype(self.member_type).itemsize
        self.missing = missing
        self.codes = np.full((n, self.width), missing, dtype=codes.dtype)
        self.codes[:, :d] = codes[:, self.columns]
        self.low = np.zeros_like(self.codes)
        self.high = np.full_like(self.codes, missing)
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

    def _find_certain(
        self, units: LabelUnits, start: int, stop: int, columns: Array, certain: Array
    ) -> None:
        _kernels.find_certain(
            units.rows,
            units.required,
            units.labels,
            start,
            stop,
            columns,
            *self.data,
            certain,
        )

    def lists(self, units: LabelUnits, chosen: Array) -> NeighborLists:
        """Return the lists of some units, not filled yet."""
        return WindowLists(self, units, chosen)


class WindowLists(NeighborLists):
    """Lists of a ``WindowSpace``."""

    def __init__(self, space: WindowSpace, units: LabelUnits, chosen: Array) -> None:
        super().__init__(units, chosen, space.width)
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
            *self.space.data,
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
                *self.space.data,
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

    def discerned(self) -> Array:
        """Return for each internal column the listed pairs that it tells apart."""
        counts = np.zeros(self.width, dtype=np.int64)
        _kernels.count_discerned(
            self.rows,
            *self.space.data,
            self.members,
            self.begin,
            self.length,
            np.zeros(self.width, dtype=self.space.codes.dtype),
            counts,
        )
        return counts
