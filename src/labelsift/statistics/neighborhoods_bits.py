"""Neighbourhoods by one threshold a feature, where features have few values.

A neighbourhood is then one bit a row: n^2 bits for a table of n rows, where a list of
all neighbours takes 16 times as much, and 64 rows are joined or counted at a time.
Once few neighbours are left they become lists.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from labelsift.encode.tolerance_columns import ToleranceColumns
from labelsift.kernels import rough_bits
from labelsift.kernels.threads import run_blocks
from labelsift.statistics.neighborhoods import LabelUnits, NeighborLists
from labelsift.statistics.neighborhoods_windows import WindowLists, WindowSpace

Array = np.ndarray[Any, Any]
_kernels: Any = rough_bits  # mypy cannot count starred arguments

MOST_VALUES = 16
"""Distinct values that a feature may have for its rows to be kept as bits."""

_SPARSE = 32  # a list takes less than bits, and less time, below this share of rows


def window_space(table: ToleranceColumns, thresholds: Array) -> WindowSpace:
    """Return the space of these thresholds, by bits where features have few values."""
    most = max((len(known) for known in table.values), default=0)
    kind = BitSpace if most <= MOST_VALUES else WindowSpace
    return kind(table, thresholds)


class BitSpace(WindowSpace):
    """Rows are near if each feature differs by no more than its threshold allows."""

    @cached_property
    def offsets(self) -> Array:
        """The first plane of each internal column, and the number of planes."""
        sizes = np.zeros(self.width, dtype=np.int64)
        sizes[: len(self.columns)] = [len(low) for low, _ in self.windows]
        return np.concatenate([[0], np.cumsum(sizes)])

    @cached_property
    def planes(self) -> Array:
        """The rows near each value of each column, as bits."""
        shape = (self.offsets[-1], -(-self.n_samples // 64))
        planes = np.zeros(shape, dtype=np.uint64)

        def write(start: int, stop: int) -> None:
            for c in range(start, stop):
                _kernels.write_planes(
                    np.ascontiguousarray(self.codes[:, c]),
                    self.missing,
                    *self.windows[c],
                    planes[self.offsets[c] : self.offsets[c + 1]],
                )

        run_blocks(write, len(self.columns), block=16)
        return planes

    @cached_property
    def n_far(self) -> Array:
        """The rows that are not near each value."""
        near: Array = np.bitwise_count(self.planes).sum(axis=1, dtype=np.int64)
        return self.n_samples - near

    @property
    def bit_data(self) -> Any:
        """What kernels read."""
        return self.codes, self.missing, self.offsets, self.planes

    def lacking(self, units: LabelUnits) -> Array:
        """Return the rows without each label, as bits."""
        lacking: Array
        labels, lacking = self._lacking
        if units.labels is not labels:
            n_labels = 64 * units.labels.shape[1]
            lacking = np.zeros((n_labels, self.planes.shape[1]), dtype=np.uint64)
            _kernels.write_lacking(units.labels, n_labels, lacking)
            self._lacking = units.labels, lacking
        return lacking

    _lacking: tuple[Any, Any] = (None, None)

    def find_certain(self, units: LabelUnits, columns: Array) -> Array:
        """Return which units no violating row is near, over these internal columns."""
        columns = np.sort(columns)
        certain = np.empty(len(units), dtype=np.bool_)
        lacking = self.lacking(units)
        data = self.bit_data
        run_blocks(
            lambda start, stop: _kernels.find_certain(
                units.rows,
                units.required,
                lacking,
                start,
                stop,
                columns,
                *data,
                certain,
            ),
            len(units),
            block=64,
        )
        return certain

    def lists(self, units: LabelUnits, chosen: Array) -> NeighborLists:
        """Return the lists of some units, not filled yet."""
        return BitLists(self, units, chosen)


class BitLists(WindowLists):
    """Neighbours of a ``BitSpace``: bits while there are many, then lists."""

    space: BitSpace

    def __init__(self, space: BitSpace, units: LabelUnits, chosen: Array) -> None:
        super().__init__(space, units, chosen)
        self.bits: Array | None = None
        space.lacking(units)  # before threads ask for it

    @property
    def n_bytes(self) -> int:
        """Bytes that the neighbours take."""
        return super().n_bytes if self.bits is None else self.bits.nbytes

    def forget(self) -> None:
        """Free the neighbours; ``update`` finds them anew."""
        self.bits = None
        super().forget()

    def _list(self, columns: Array) -> None:
        shape = (len(self.chosen), self.space.planes.shape[1])
        self.bits = np.empty(shape, dtype=np.uint64)
        _kernels.list_neighbors(
            self.units.rows,
            self.units.required,
            self.space.lacking(self.units),
            self.chosen,
            columns,
            *self.space.bit_data,
            self.bits,
            self.begin,
            self.length,
        )
        self._list_few()

    def _narrow(self, column: int) -> int:
        if self.bits is None:
            return super()._narrow(column)
        left = _kernels.narrow(
            self.rows, column, *self.space.bit_data, self.bits, self.begin, self.length
        )
        self._list_few()
        return int(left)

    def _list_few(self) -> None:
        if self.n_pairs * _SPARSE > len(self.rows) * self.space.n_samples:
            return
        self.members = np.empty(self.n_pairs, dtype=self.space.member_type)
        _kernels.write_members(
            self.bits, self.begin, self.length, self.pointers, self.members
        )
        self.bits = None

    def _count_gains(self, columns: Array, gains: Array) -> None:
        if self.bits is None:
            super()._count_gains(columns, gains)
            return
        _kernels.count_gains(
            self.rows,
            columns,
            *self.space.bit_data,
            self.bits,
            self.begin,
            self.length,
            self.pointers,
            gains,
        )

    def discerned(self, view: Any) -> Array:
        """Return for each column of a view the listed pairs that it tells apart."""
        if self.bits is None:
            return super().discerned(view)
        words = self.bits.shape[1]
        by_row = np.empty((64 * words, -(-len(self.rows) // 64)), dtype=np.uint64)
        _kernels.turn(self.bits, self.begin, by_row)
        counts = np.zeros(self.width, dtype=np.int64)
        _kernels.count_discerned(
            self.rows,
            view.columns,
            *self.space.bit_data,
            self.space.n_far,
            self.bits,
            self.begin,
            by_row,
            counts,
        )
        found: Array = counts[view.columns]
        return found
