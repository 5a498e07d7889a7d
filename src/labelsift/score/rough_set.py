"""The greedy search for a reduct, and what goes with it.

The positive region of a set of features are the rows with a unit that no violating row
is near. Features only shrink neighbourhoods, so a row that is positive stays so, and a
violating neighbour that a feature has parted from a row never comes back: the lists of
neighbours get shorter from round to round, and all rounds together read each of them
about once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from labelsift.kernels.threads import run_blocks
from labelsift.score.ranking import rounded
from labelsift.statistics.neighborhoods import LabelUnits, NeighborLists, Space

Array = np.ndarray[Any, Any]

LIST_BYTES = 3 * 2**29
"""Neighbours kept from one round to the next (1.5 GB); others are found again."""

_BLOCK = 128  # units whose neighbours are looked for together


class ForwardSearch:
    """Add the feature that makes most rows positive, until all are that can be.

    Parameters
    ----------
    space : Space
        Who is near whom.
    units : LabelUnits
        Those of rows that are positive with all features, none else.
    always : ndarray of int
        Rows that are positive with any feature.
    n_rows : int
        Rows in all.
    tie_break : {"index", "standalone", "discerned"}
        What decides between features of equal gain before the column number does.
    """

    def __init__(
        self,
        space: Space,
        units: LabelUnits,
        always: Array,
        n_rows: int,
        *,
        tie_break: str = "index",
    ) -> None:
        self.space = space
        self.units = units
        self.always = always
        self.tie_break = tie_break
        self.goal = len(np.unique(units.rows)) + len(always)
        self.positive = np.zeros(n_rows, dtype=np.bool_)
        self.added: list[int] = []
        self.counts: list[int] = []
        self.stopped = "interrupted"
        self._blocks = [
            space.lists(units, np.arange(start, stop)) for start, stop in _cut(units)
        ]
        self._share = LIST_BYTES / max(len(units), 1)
        self._open = np.arange(len(space.columns), dtype=np.int64)
        self._alone: Array | None = None

    def run(
        self,
        *,
        enough: int | None = None,
        stop_on_no_gain: bool = False,
        report: Callable[[int, int, int], None] | None = None,
    ) -> None:
        """Search; ``added``, ``counts``, ``positive`` and ``stopped`` tell the result.

        Parameters
        ----------
        enough : int, optional
            Positive rows that will do; all that can be by default.
        stop_on_no_gain : bool
            Stop when no feature makes a further row positive.
        report : callable, optional
            Called as ``report(features, positive rows, goal)`` after each feature.

        Notes
        -----
        A keyboard interrupt leaves the features of all rounds that were complete.
        """
        enough = self.goal if enough is None else enough
        columns: list[int] = []
        if self.goal == 0:
            self.stopped = "nothing_certain"
            return
        while True:
            certain, gains = self._round(columns)
            if columns:
                self.positive[certain] = True
                self.positive[self.always] = True
                self.counts.append(int(self.positive.sum()))
                self.added.append(int(self.space.columns[columns[-1]]))
                if report is not None:
                    report(len(self.added), self.counts[-1], self.goal)
                if self.counts[-1] == self.goal:
                    self.stopped = "complete"
                    return
                if self.counts[-1] >= enough:
                    self.stopped = "epsilon"
                    return
            if not self._open.size:
                self.stopped = "all_features"  # rounding at a threshold, no more
                return
            if not columns and self.always.size:
                gains = gains + len(self.always)
            best = int(gains[self._open].max())
            if best == 0 and stop_on_no_gain:
                self.stopped = "no_gain"
                return
            columns.append(self._choose(gains, best, columns))
            self._open = self._open[self._open != columns[-1]]

    def _round(self, columns: list[int]) -> tuple[Array, Array]:
        """Account for the last column; return rows now positive and possible gains."""

        def step(start: int, stop: int) -> tuple[list[Array], Array]:
            certain, gains = [], np.zeros(self.space.width, dtype=np.int64)
            for lists in self._blocks[start:stop]:
                lists.update(columns)
                if columns:
                    certain.append(lists.drop_certain())
                gains += lists.gains(self._open)
                self._trim(lists)
            return certain, gains

        found = run_blocks(step, len(self._blocks), block=1)
        self._blocks = [lists for lists in self._blocks if len(lists.rows)]
        certain = [rows for each, _ in found for rows in each]
        gains = np.zeros(self.space.width, dtype=np.int64)
        for _, part in found:
            gains += part
        if self._alone is None:
            self._alone = gains
        return np.concatenate([np.empty(0, dtype=np.int64), *certain]), gains

    def _choose(self, gains: Array, best: int, columns: list[int]) -> int:
        tied = self._open[gains[self._open] == best]
        if len(tied) > 1 and self.tie_break != "index":
            if self.tie_break == "standalone":
                figures = self._alone
            else:
                figures = self._discerned(columns, tied)
            assert figures is not None
            tied = tied[figures[tied] == figures[tied].max()]
        return int(tied[np.argmin(self.space.columns[tied])])

    def _discerned(self, columns: list[int], tied: Array) -> Array:
        if not columns:
            known = self.space.discerned_alone(self.units)
            if known is not None:
                return known
        view = self.space.view(tied)

        def count(start: int, stop: int) -> Array:
            total = np.zeros(len(tied), dtype=np.int64)
            for lists in self._blocks[start:stop]:
                lists.update(columns)
                total += lists.discerned(view)
                self._trim(lists)
            return total

        figures = np.zeros(self.space.width, dtype=np.int64)
        for part in run_blocks(count, len(self._blocks), block=1):
            figures[tied] += part
        return figures

    def _trim(self, lists: NeighborLists) -> None:
        if lists.n_bytes > self._share * len(lists.chosen):
            lists.forget()


def count_discerned(space: Space, units: LabelUnits) -> tuple[Array, int]:
    """Return for each feature the violating pairs that it alone tells apart.

    Returns
    -------
    counts : ndarray of shape (n_features,), int64
        Pairs of a unit and a violating row.
    n_pairs : int
        Such pairs in all.
    """
    total = space.discerned_alone(units)
    if total is not None:
        return space.to_features(total), _violating_pairs(units)

    view = space.view(np.arange(len(space.columns)))

    def count(start: int, stop: int) -> tuple[Array, int]:
        lists = space.lists(units, np.arange(start, stop))
        lists.update([])
        return lists.discerned(view), lists.n_pairs

    parts = run_blocks(count, len(units), block=_BLOCK)
    total = np.zeros(len(space.columns), dtype=np.int64)
    for part, _ in parts:
        total += part
    return space.to_features(total), sum(pairs for _, pairs in parts)


def _violating_pairs(units: LabelUnits) -> int:
    required, n_units = np.unique(units.required, axis=0, return_counts=True)
    carried, n_rows = np.unique(units.labels, axis=0, return_counts=True)
    pairs = 0
    for mask, count in zip(required, n_units, strict=True):
        pairs += int(count) * int(n_rows[(mask & ~carried).any(axis=1)].sum())
    return pairs


def certain_rows(space: Space, units: LabelUnits, features: Array) -> Array:
    """Return the rows that are positive with these features, in rising order."""
    columns = np.flatnonzero(np.isin(space.columns, features))
    return np.unique(units.rows[space.find_certain(units, columns)])


def drop_needless(
    space: Space, units: LabelUnits, added: list[int], positive: Array
) -> list[int]:
    """Return the features left after trying to drop each, in order of addition.

    Parameters
    ----------
    space : Space
        Who is near whom.
    units : LabelUnits
        Those of the rows that ``added`` makes positive.
    added : list of int
        Features in order of addition.
    positive : ndarray of int
        Rows that have to stay positive.
    """
    kept = list(added)
    mine = units.take(np.isin(units.rows, positive))
    for feature in added:
        rest = [f for f in kept if f != feature]
        if rest and _stay_certain(space, mine, np.array(rest)):
            kept = rest
    return kept


def _stay_certain(space: Space, units: LabelUnits, features: Array) -> bool:
    # a few rows at first: one that fails will do
    start, size = 0, 256
    while start < len(units):
        stop = min(start + size, len(units))
        while stop < len(units) and units.rows[stop] == units.rows[stop - 1]:
            stop += 1
        some = units.take(np.arange(start, stop))
        if len(certain_rows(space, some, features)) < len(np.unique(some.rows)):
            return False
        start, size = stop, 2 * size
    return True


def alone_shares(counts: Array, n_pairs: int) -> Array:
    """Return the share of violating pairs that each feature tells apart, 0 to 1."""
    return rounded(counts / max(n_pairs, 1))


def _cut(units: LabelUnits) -> list[tuple[int, int]]:
    """Return bounds of blocks of units; those of one row stay together."""
    bounds, start = [], 0
    while start < len(units):
        stop = min(start + _BLOCK, len(units))
        while stop < len(units) and units.rows[stop] == units.rows[stop - 1]:
            stop += 1
        bounds.append((start, stop))
        start = stop
    return bounds
