"""Searches for a reduct on discrete features: positive region, discernibility.

Neither forms pairs of rows. The entries of a discernibility matrix that no chosen
feature covers are the pairs that still share a block and differ in their labels, and
these are counted by the sizes of blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from labelsift.statistics.partitions import CodedTable, Partition, finest, whole

Array = np.ndarray[Any, Any]


class PositiveRegionSearch:
    """Add the feature that makes most rows certain, until all are that can be.

    Parameters
    ----------
    table : CodedTable
        Features and labels.
    rule : {"powerset", "all", "any"}
        When a row is certain.
    excluded : ndarray of shape (n_samples,), bool
        Rows that never count as certain.
    included : ndarray of shape (n_samples,), bool
        Rows that are certain with any feature.
    tie_break : {"index", "standalone", "discerned", "violations"}
        What decides between features of equal gain before the column number does: the
        last two count pairs of rows with different label sets, or of a waiting row and
        one without some of its labels.
    accelerate : bool
        Drop blocks of rows without a row that could still become certain.
    """

    def __init__(
        self,
        table: CodedTable,
        rule: str,
        excluded: Array,
        included: Array,
        *,
        tie_break: str,
        accelerate: bool,
    ) -> None:
        self.table, self.rule = table, rule
        self.excluded, self.included = excluded, included
        self.tie_break, self.accelerate = tie_break, accelerate
        self.target = self._certain(finest(table))
        self.goal = int(self.target.sum())
        self.positive = np.zeros_like(self.target)
        self.added: list[int] = []
        self.counts: list[int] = []
        self.stopped = "nothing_certain" if self.goal == 0 else "interrupted"

    def run(
        self,
        *,
        enough: int | None = None,
        stop_on_no_gain: bool = False,
        report: Callable[[int, int, int], None] | None = None,
    ) -> None:
        """Search; the attributes tell the result, also after an interrupt.

        Parameters
        ----------
        enough : int, optional
            Certain rows that will do; all that can be by default.
        stop_on_no_gain : bool
            Stop when no feature makes a further row certain.
        report : callable, optional
            Called as ``report(features, certain rows, goal)`` after each feature.
        """
        blocks = whole(self.table)
        open_ = np.arange(len(self.table.codes))
        alone: Array | None = None
        while not np.array_equal(self.positive, self.target):
            waiting = self.target & ~self.positive
            counted = waiting if self.accelerate else ~self.excluded & ~self.included
            gains = blocks.gains(open_, self.rule, counted)
            if alone is None:
                alone = gains
            best = gains[open_].max(initial=0)
            before = 0 if self.accelerate else int((self.positive & counted).sum())
            waits_for_any = bool((waiting & self.included).any())
            if best == before and stop_on_no_gain and not waits_for_any:
                self.stopped = "no_gain"
                return
            tied = open_[gains[open_] == best]
            if len(tied) > 1 and self.tie_break != "index":
                if self.tie_break == "standalone":
                    figures = alone
                elif self.tie_break == "violations":
                    figures = -blocks.keep(waiting).violations(tied, waiting)
                else:
                    figures = blocks.keep(waiting).discerned(tied)
                tied = tied[figures[tied] == figures[tied].max()]
            chosen = int(tied[0])
            blocks = blocks.split(chosen)
            found = self._certain(blocks)
            # a block that was dropped has no row left to become certain
            self.positive |= found
            self.added.append(chosen)
            self.counts.append(int(self.positive.sum()))
            open_ = open_[open_ != chosen]
            if report is not None:
                report(len(self.added), self.counts[-1], self.goal)
            if enough is not None and enough <= self.counts[-1] < self.goal:
                self.stopped = "epsilon"
                return
            if self.accelerate:
                blocks = blocks.keep(self.target & ~self.positive)
        if self.goal:
            self.stopped = "complete"

    def drop_needless(self) -> list[int]:
        """Return the features left after trying to drop each, in order of addition."""
        kept = list(self.added)
        for feature in self.added:
            rest = [f for f in kept if f != feature]
            if rest and (self._certain(self._blocks(rest)) >= self.positive).all():
                kept = rest
        return kept

    def _blocks(self, features: list[int]) -> Partition:
        blocks = whole(self.table)
        for feature in features:
            blocks = blocks.split(feature)
        return blocks

    def _certain(self, blocks: Partition) -> Array:
        found: Array = (blocks.certain(self.rule) & ~self.excluded) | self.included
        return found


class DiscernibilitySearch:
    """Cover the pairs of rows that differ in their labels, most at a time (Johnson).

    Parameters
    ----------
    table : CodedTable
        Features and labels.
    skipped : ndarray of shape (n_samples,), bool
        Pairs of two such rows need not be told apart.
    """

    def __init__(self, table: CodedTable, skipped: Array) -> None:
        self.table, self.skipped = table, skipped
        self.n_entries = self._together(whole(table))
        self.n_empty = self._together(finest(table))
        self.added: list[int] = []
        self.covered: list[int] = []
        self.stopped = "interrupted"

    def run(self) -> None:
        """Search; the attributes tell the result, also after an interrupt."""
        blocks = whole(self.table)
        open_ = np.arange(len(self.table.codes))
        while self._left(blocks):
            apart = blocks.discerned(open_)
            both = self._skipped_only(blocks)
            if both is not None:
                apart = apart - both.discerned(open_)
            chosen = int(open_[np.argmax(apart[open_])])  # the first of equal ones
            blocks = blocks.split(chosen)
            self.added.append(chosen)
            self.covered.append(self.n_entries - self._together(blocks))
            open_ = open_[open_ != chosen]
        self.stopped = "complete"

    def alone(self) -> Array:
        """Return the entries that each feature is in."""
        blocks, every = whole(self.table), np.arange(len(self.table.codes))
        apart = blocks.discerned(every)
        both = self._skipped_only(blocks)
        return apart if both is None else apart - both.discerned(every)

    def drop_needless(self) -> list[int]:
        """Return the features left after trying to drop each, in order of addition."""
        kept = list(self.added)
        for feature in self.added:
            rest = [f for f in kept if f != feature]
            blocks = whole(self.table)
            for each in rest:
                blocks = blocks.split(each)
            if not self._left(blocks):
                kept = rest
        return kept

    def _left(self, blocks: Partition) -> int:
        return self._together(blocks) - self.n_empty

    def _together(self, blocks: Partition) -> int:
        both = self._skipped_only(blocks)
        return blocks.mixed_pairs() - (0 if both is None else both.mixed_pairs())

    def _skipped_only(self, blocks: Partition) -> Partition | None:
        """Return the same blocks with the skipped rows only; None if there are none."""
        if not self.skipped.any():
            return None
        stays = self.skipped[blocks.order]
        ends = np.concatenate([[0], np.cumsum(stays)])
        bounds = np.unique(ends[blocks.bounds])
        return Partition(self.table, blocks.order[stays], bounds)
