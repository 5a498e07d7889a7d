"""Neighbourhoods by one threshold on the Euclidean distance."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.encode.tolerance_columns import ToleranceColumns
from labelsift.kernels import rough_distances
from labelsift.kernels.threads import run_blocks
from labelsift.statistics.neighborhoods import (
    SLACK,
    LabelUnits,
    NeighborLists,
    Space,
    View,
)
from labelsift.statistics.neighborhoods_bits import window_space
from labelsift.statistics.neighborhoods_windows import WindowSpace

Array = np.ndarray[Any, Any]
_kernels: Any = rough_distances  # mypy cannot count starred arguments


def distance_space(table: ToleranceColumns, threshold: float) -> Space:
    """Return the space of this threshold.

    Where two different values of any feature are further apart than the threshold, as
    often with 0/1 features, rows are near if they are equal, which takes no distances.
    """
    limit = (threshold + SLACK) ** 2
    for known, nominal in zip(table.values, table.nominal, strict=True):
        with np.errstate(over="ignore"):
            gaps = np.ones(1) if nominal else np.square(np.diff(known))
        if len(known) > 1 and gaps.min() <= limit:
            return DistanceSpace(table, threshold)
    return window_space(table, np.zeros(len(table.values)))


class DistanceSpace(Space):
    """Rows are near if their Euclidean distance is at most the threshold."""

    def __init__(self, table: ToleranceColumns, threshold: float) -> None:
        n, d = table.codes.shape
        self.columns = np.argsort(-table.spread, kind="stable")
        self.n_samples = n
        self.width = d
        self.pair_bytes = np.dtype(self.member_type).itemsize + 8
        self.values = table.to_values(self.columns)
        self.nominal = table.nominal[self.columns]
        self.limit = (threshold + SLACK) ** 2
        with np.errstate(over="ignore"):  # infinity is the largest, too
            ranges = [
                np.float64(1) if nominal else known[-1] - known[0]
                for known, nominal in zip(table.values, table.nominal, strict=True)
                if len(known)
            ]
            self.most = float(np.square(max(ranges, default=np.float64(0))))
        self._table, self._threshold = table, threshold

    @property
    def data(self) -> Any:
        """What kernels read."""
        return self.values, self.nominal, self.limit

    def find_certain(self, units: LabelUnits, columns: Array) -> Array:
        """Return which units no violating row is near, over these internal columns."""
        columns = np.sort(columns)
        certain = np.empty(len(units), dtype=np.bool_)
        run_blocks(
            lambda start, stop: _kernels.find_certain(
                units.rows,
                units.required,
                units.labels,
                start,
                stop,
                columns,
                *self.data,
                certain,
            ),
            len(units),
            block=64,
        )
        return certain

    def discerned_alone(self, units: LabelUnits) -> Array | None:
        """Return for each internal column the violating pairs it tells apart alone.

        The distance in one feature is a difference, so that windows of values will do.
        """
        d = len(self.columns)
        windows = WindowSpace(self._table, np.full(d, self._threshold))
        counts = windows.discerned_alone(units)
        if counts is None:
            return None
        ours = windows.to_features(counts)[self.columns]
        if self.limit >= 1:
            ours[self.nominal] = 0  # their values are 1 apart, which is within it
        return ours

    def view(self, columns: Array) -> View:
        """Return the values of these internal columns."""
        if len(columns) == self.width:
            return View(columns, (self.values, self.nominal))
        values = np.ascontiguousarray(self.values[:, columns])
        return View(columns, (values, self.nominal[columns]))

    def lists(self, units: LabelUnits, chosen: Array) -> NeighborLists:
        """Return the lists of some units, not filled yet."""
        return DistanceLists(self, units, chosen)


class DistanceLists(NeighborLists):
    """Lists of a ``DistanceSpace``: neighbours and their squared distances."""

    def __init__(self, space: DistanceSpace, units: LabelUnits, chosen: Array) -> None:
        super().__init__(space, units, chosen)
        self.space = space
        self.distances = np.empty(0)

    def _list(self, columns: Array) -> None:
        room = len(self.chosen) * self.space.n_samples
        members = np.empty(room, dtype=self.space.member_type)
        distances = np.empty(room)
        used = _kernels.list_neighbors(
            self.units.rows,
            self.units.required,
            self.units.labels,
            self.chosen,
            columns,
            *self.space.data,
            members,
            distances,
            self.begin,
            self.length,
        )
        self.members = members[:used].copy()
        self.distances = distances[:used].copy()

    def _narrow(self, column: int) -> int:
        return int(
            _kernels.narrow_lists(
                self.rows,
                column,
                *self.space.data,
                self.members,
                self.distances,
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
            self.distances,
            self.begin,
            self.length,
            self.pointers,
            gains,
        )

    def discerned(self, view: View) -> Array:
        """Return for each column of a view the listed pairs that it tells apart."""
        counts = np.zeros(len(view.columns), dtype=np.int64)
        _kernels.count_discerned(
            self.rows,
            *view.data,
            self.space.limit,
            self.space.most,
            self.members,
            self.distances,
            self.begin,
            self.length,
            np.zeros(len(view.columns), dtype=np.int64),
            counts,
        )
        return counts

    def _fit(self, used: int) -> None:
        if 2 * used <= len(self.members):
            self.distances = self.distances[:used].copy()
        super()._fit(used)
