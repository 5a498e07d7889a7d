"""Equivalence classes: blocks of rows that agree on some features."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from labelsift.kernels import rough_partitions
from labelsift.kernels.blocks import fitting
from labelsift.kernels.threads import run_blocks

Array = np.ndarray[Any, Any]

RULES = {
    "powerset": rough_partitions.POWERSET,
    "all": rough_partitions.ALL,
    "any": rough_partitions.ANY,
}
"""When a row is certain: its block has one label set; all rows of its block carry all
its labels; all carry the same one of them."""

_AT_ONCE = 200_000  # entries that make it worth a thread's while


@dataclass(frozen=True, eq=False)
class CodedTable:
    """Discrete features and labels.

    Parameters
    ----------
    codes : ndarray of shape (n_features, n_samples), unsigned integers
        Values, counted from 0.
    labels : ndarray of shape (n_samples, n_words), uint64
        Labels as bits.
    groups : ndarray of shape (n_samples,), int64
        Number of the label set of each row.
    """

    codes: Array
    labels: Array
    groups: Array

    @property
    def n_codes(self) -> int:
        """One more than the largest code."""
        return int(self.codes.max(initial=0)) + 1

    @cached_property
    def holders(self) -> tuple[Array, Array]:
        """For each label set those that hold it, joined, and where each list begins."""
        _, first = np.unique(self.groups, return_index=True)
        sets = self.labels[first]
        fits = [np.flatnonzero(~(mask & ~sets).any(axis=1)) for mask in sets]
        starts = np.concatenate([[0], np.cumsum([len(each) for each in fits])])
        return np.concatenate(fits), starts


@dataclass(frozen=True, eq=False)
class Partition:
    """Blocks of rows; ``order`` lists them block by block, by label set inside each.

    Parameters
    ----------
    table : CodedTable
        What the rows are.
    order : ndarray of int64
        Rows.
    bounds : ndarray of int64
        Where each block begins in ``order``, and where the last one ends.
    """

    table: CodedTable
    order: Array
    bounds: Array

    def split(self, feature: int) -> Partition:
        """Return the blocks parted by the values of a feature."""
        block = np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))
        code = self.table.codes[feature, self.order].astype(np.int64)
        key = block * self.table.n_codes + code
        by_key = np.argsort(key, kind="stable")  # keeps the order of label sets
        key = key[by_key]
        begins = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
        bounds = np.append(begins[: len(key)], len(key))
        return Partition(self.table, self.order[by_key], bounds)

    def keep(self, wanted: Array) -> Partition:
        """Return the blocks that hold at least one wanted row (a mask of rows)."""
        if not len(self.order):
            return self
        sizes = np.diff(self.bounds)
        holds = np.add.reduceat(wanted[self.order].astype(np.int64), self.bounds[:-1])
        kept = holds > 0
        order = self.order[np.repeat(kept, sizes)]
        return Partition(
            self.table, order, np.concatenate([[0], np.cumsum(sizes[kept])])
        )

    def certain(self, rule: str) -> Array:
        """Return which rows are certain; rows in no block are not."""
        marks = np.zeros(len(self.table.groups), dtype=np.bool_)
        rough_partitions.mark_certain(
            self.order,
            self.bounds,
            self.table.groups,
            self.table.labels,
            RULES[rule],
            marks,
        )
        return marks

    def gains(self, features: Array, rule: str, counted: Array) -> Array:
        """Return for each feature the counted rows certain once it is added."""
        table = self.table
        counts = np.zeros(len(table.codes), dtype=np.int64)
        run_blocks(
            lambda start, stop: rough_partitions.count_certain(
                table.codes,
                features,
                start,
                stop,
                self.order,
                self.bounds,
                table.groups,
                table.labels,
                RULES[rule],
                counted,
                table.n_codes,
                counts,
            ),
            len(features),
            block=self._block,
        )
        return counts

    def mixed_pairs(self) -> int:
        """Return the pairs of rows of one block with different label sets."""
        met, group = np.unique(self.table.groups[self.order], return_inverse=True)
        block = np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))
        _, together = np.unique(block * len(met) + group, return_counts=True)
        return _pairs(np.diff(self.bounds)) - _pairs(together)

    def discerned(self, features: Array) -> Array:
        """Return for each feature the mixed pairs of blocks that it tells apart."""
        table = self.table
        left = np.zeros(len(table.codes), dtype=np.int64)
        run_blocks(
            lambda start, stop: rough_partitions.count_mixed_pairs(
                table.codes,
                features,
                start,
                stop,
                self.order,
                self.bounds,
                table.groups,
                table.n_codes,
                left,
            ),
            len(features),
            block=self._block,
        )
        apart = np.zeros(len(table.codes), dtype=np.int64)
        apart[features] = self.mixed_pairs() - left[features]
        return apart

    def violations(self, features: Array, waiting: Array) -> Array:
        """Return for each feature the violating pairs that it leaves in the blocks.

        These are pairs of a waiting row (a mask) and a row without some of its labels.
        """
        table = self.table
        fits, fits_starts = table.holders
        counts = np.zeros(len(table.codes), dtype=np.int64)
        run_blocks(
            lambda start, stop: rough_partitions.count_violations(
                table.codes,
                features,
                start,
                stop,
                self.order,
                self.bounds,
                table.groups,
                waiting,
                fits,
                fits_starts,
                table.n_codes,
                counts,
            ),
            len(features),
            block=self._block,
        )
        return counts

    @property
    def _block(self) -> int:
        return fitting(_AT_ONCE, len(self.order))


def whole(table: CodedTable) -> Partition:
    """Return one block of all rows."""
    order = np.argsort(table.groups, kind="stable").astype(np.int64)
    return Partition(table, order, np.array([0, len(order)], dtype=np.int64))


def finest(table: CodedTable) -> Partition:
    """Return the blocks of rows that agree on all features."""
    blocks = whole(table)
    for feature in range(len(table.codes)):
        blocks = blocks.split(feature)
        if len(blocks.bounds) == len(blocks.order) + 1:
            break
    return blocks


def _pairs(sizes: Array) -> int:
    sizes = sizes.astype(np.int64)
    return int((sizes * (sizes - 1) // 2).sum())
