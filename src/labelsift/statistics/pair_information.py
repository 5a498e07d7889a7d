"""Information that features hold about labels and each other, pair by pair.

``PairInformation`` answers from coded rows: what one feature tells of the labels
(``relevance``), what two tell of each other (``redundancy``) and what they tell of the
labels twice (``interaction``). Each question is about one feature, the newest pick, and
the candidates left; tables of features x features are kept only where they are small.

Every entropy is a sum of ``x log2 x`` over counts, taken from a table of whole
numbers, so that sums are exact: they depend neither on threads nor on the order of
rows, labels or candidates.
"""

from __future__ import annotations

from math import ceil, log2
from typing import Any

import numpy as np

from labelsift.kernels.blocks import fitting, shared
from labelsift.kernels.feature_levels import one_way_sums
from labelsift.kernels.label_pairs import count_label_pairs, label_pair_sums
from labelsift.kernels.pair_labels import pair_labels
from labelsift.kernels.pair_rows import pair_rows
from labelsift.kernels.pair_walk import mirror
from labelsift.kernels.progress import Tally
from labelsift.kernels.threads import run_blocks
from labelsift.statistics.levels import BLOCK_WORK, PairRows, some_labels

Array = np.ndarray[Any, Any]

BITS = 40
"""Binary places of ``x log2 x``, where 64-bit sums leave room for them."""


ALL_PAIRS = 2**25
"""Bytes of tables of all pairs that may be counted at once (32 MB)."""

PAIR_WORK = 1_000_000
"""Steps of counting pairs that are worth a thread's while."""

MOST_BLOCKS = 8
"""Blocks of one round at most."""

_NO_JOINT = np.zeros(0, dtype=np.int64)
_NO_MINIMA = np.zeros((0, 0), dtype=np.int64)


class PairInformation:
    """What features tell of the labels and of each other; exact whole numbers.

    Parameters
    ----------
    rows : PairRows
        Discretised features and labels, each label a 0/1 variable, or all the values
        of one variable (a class vector).

    Attributes
    ----------
    n_features, n_samples, n_variables : int
        Variables are the labels, or one for a class vector.
    is_constant : ndarray of shape (n_features,), bool
        Features of one level.
    entropy, relevance : ndarray of shape (n_features,), int64
        Entropy of each feature, and the sum of its information about each variable.
    variable_entropy : ndarray of shape (n_variables,), int64
        Entropy of each label, or of the class.
    unit : float
        What one bit is in these numbers.
    pairs : ndarray of shape (1 or 2, n_features, n_features), int64, or None
        Redundancy and interaction of all pairs, after ``keep_all_pairs``.

    Notes
    -----
    Memory: one bit for each row and each level but one of each feature, or 4 bytes for
    each row outside the most frequent level where those are few, and a table of counts
    (levels x labels).
    """

    def __init__(self, rows: PairRows) -> None:
        self._levels, self._labels = rows.levels()
        self.n_samples = n = len(self._labels.indptr) - 1
        self.n_features = rows.n_features
        self.n_variables = 1 if rows.one_variable else rows.n_labels
        self._with_absent = not rows.one_variable
        bits = _table_bits(4 * rows.n_labels * n * max(log2(n), 1))
        self._table = _log_table(n, bits)
        self.unit = float(n) * 2.0**bits
        self._bits = bits
        self.is_constant = np.diff(self._levels.first) == 0
        self.pairs: Array | None = None
        self._sum_one_way()

    def _sum_one_way(self) -> None:
        table, counts = self._table, self._labels.counts
        full, q = int(table[-1]), self.n_variables
        self._own, self._joint = _one_way(
            self._levels, counts, table, self._with_absent
        )
        if self._with_absent:
            label_sums = table[counts] + table[self.n_samples - counts]
        else:
            label_sums = table[counts].sum(keepdims=True)
        self.variable_entropy = full - label_sums
        self.entropy = full - self._own
        self._label_total = int(label_sums.sum())
        self.relevance = q * self.entropy - self._label_total + self._joint

    def to_bits(self, values: Array) -> Array:
        """Return whole numbers of this table as bits, float64."""
        return np.asarray(values, dtype=np.float64) / self.unit

    def keep_all_pairs(self, *, with_labels: bool, rounds: int = 0) -> None:
        """Count all pairs at once, if the tables are small; they are in ``pairs``.

        Parameters
        ----------
        with_labels : bool
            Whether ``add_interaction`` will be called, or ``add_redundancy`` only.
        rounds : int
            Picks to come: as many "features" are done when all pairs are counted.
        """
        d, n_tables = self.n_features, 1 + with_labels
        if n_tables * d * d * 8 > ALL_PAIRS:
            return
        features = np.arange(d)
        pairs = np.zeros((n_tables, d, d), dtype=np.int64)
        self._counted = Tally("features", d, told_as=rounds or d)
        self._count(features, features, pairs[0], pairs[1] if with_labels else None)
        for table in pairs:
            mirror(table)
        self.pairs = pairs

    def add_redundancy(self, pick: int, candidates: Array, redundancy: Array) -> None:
        """Add the information of ``pick`` about each candidate.

        Parameters
        ----------
        pick : int
            A feature.
        candidates : ndarray of int64
            Features. After ``keep_all_pairs`` all features are counted, at no cost.
        redundancy : ndarray of shape (n_features,), int64
            Entries of candidates grow.
        """
        if self.pairs is not None:
            redundancy += self.pairs[0][pick]
        else:
            self._count(np.array([pick]), candidates, redundancy[None], None)

    def add_interaction(
        self, pick: int, candidates: Array, redundancy: Array, interaction: Array
    ) -> None:
        """Add the redundancy, and what ``pick`` and each candidate tell twice.

        The second is ``I(candidate; variable) - I(candidate; variable | pick)`` summed
        over the variables: positive is redundant, negative is synergy.

        Parameters
        ----------
        pick : int
            A feature.
        candidates : ndarray of int64
            Features, as for ``add_redundancy``.
        redundancy, interaction : ndarray of shape (n_features,), int64
            Entries of candidates grow.
        """
        if self.pairs is not None:
            redundancy += self.pairs[0][pick]
            interaction += self.pairs[1][pick]
        else:
            picks = np.array([pick])
            self._count(picks, candidates, redundancy[None], interaction[None])

    def lower_minima(self, pick: int, candidates: Array, minima: Array) -> None:
        """Lower the minima over picks of what candidates tell given a pick.

        Parameters
        ----------
        pick : int
            A feature.
        candidates : ndarray of int64
            Features.
        minima : ndarray of shape (n_features, n_variables), int64
            Their information about each variable given a pick, the least so far;
            rows of candidates are changed.
        """
        levels, table = self._levels, self._table
        span = slice(levels.first[pick], levels.first[pick + 1])
        counts, sizes = levels.counts[span], levels.sizes[span]
        counts = np.vstack([counts, self._labels.counts - counts.sum(axis=0)])
        sizes = np.append(sizes, self.n_samples - sizes.sum())
        joint = table[counts].sum(axis=0)
        if self._with_absent:
            joint += table[sizes[:, None] - counts].sum(axis=0)
        else:
            joint = joint.sum(keepdims=True)
        aside = np.zeros((2, 1, self.n_features), dtype=np.int64)
        self._count(np.array([pick]), candidates, aside[0], aside[1], joint, minima)

    def _count(
        self,
        picks: Array,
        candidates: Array,
        redundancy: Array,
        interaction: Array | None,
        pick_joint: Array = _NO_JOINT,
        minima: Array = _NO_MINIMA,
    ) -> None:
        """Count one pick and candidates, or every two of the picks."""
        levels, labels = tuple(self._levels), tuple(self._labels)
        each = 50 + self._levels.planes.shape[1] * bool(len(self._levels.planes))
        if interaction is not None:
            each += len(self._labels.counts) * 10
        all_pairs = len(picks) > 1

        def work(start: int, stop: int) -> None:
            span = slice(start, stop) if all_pairs else slice(None)
            first, last = (0, len(candidates)) if all_pairs else (start, stop)
            if interaction is None:
                pair_rows(
                    levels, picks[span], candidates, first, last, all_pairs,
                    self._table, self._own, redundancy[span],
                )  # fmt: skip
            else:
                pair_labels(
                    levels, labels, picks[span], candidates, first, last, all_pairs,
                    self._table, self._with_absent, self._own, self._joint,
                    self._label_total, redundancy[span], interaction[span],
                    pick_joint, minima,
                )  # fmt: skip
            if all_pairs:
                self._counted.add(stop - start)

        if all_pairs:
            each *= shared(len(candidates), 2)  # a pick meets half of them
            run_blocks(work, len(picks), block=fitting(PAIR_WORK, each))
        else:  # a few blocks a round: handing them out takes time, too
            few = shared(len(candidates), MOST_BLOCKS)
            block = max(few, fitting(PAIR_WORK, each))
            run_blocks(work, len(candidates), block=block)

    def label_pairs(
        self, among: Array | None = None, features: Array | None = None
    ) -> Array:
        """Return what each feature tells of two labels twice, summed over pairs.

        The sum of ``I(f; one) - I(f; one | other)`` over unordered pairs of labels.

        Parameters
        ----------
        among : ndarray of int64, optional
            Labels whose pairs count; all where absent.
        features : ndarray of int64, optional
            Features that are wanted, all where absent; others get 0.

        Returns
        -------
        ndarray of shape (n_features,), float64
            Bits. One variable has no pairs: zeros.
        """
        q = self.n_variables if among is None else len(among)
        if q < 2 or not self._with_absent:
            return np.zeros(self.n_features)
        labels, levels = self._labels, self._levels
        levels = levels._replace(sums=np.empty_like(levels.sums))
        if among is not None:
            keep = np.sort(among)
            labels = some_labels(labels, keep)
            levels = levels._replace(
                counts=np.ascontiguousarray(levels.counts[:, keep])
            )
        n, pairs = self.n_samples, q * (q - 1) // 2
        # as many places as the largest possible result leaves room for; parts of the
        # sum may wrap around
        bits = min(self._bits, 62 - ceil(log2(pairs * n)))
        table = self._table if bits == self._bits else _log_table(n, bits)
        together = np.zeros((q, q), dtype=np.int64)
        count_label_pairs(tuple(labels), together)
        if features is None:
            features = np.arange(self.n_features)
        sums = np.empty(len(features), dtype=np.int64)
        block = fitting(BLOCK_WORK, pairs * 4 + n)
        run_blocks(
            lambda start, stop: label_pair_sums(
                tuple(levels),
                tuple(labels),
                together,
                features,
                start,
                stop,
                table,
                sums,
            ),
            len(features),
            block=block,
        )
        own, joint = _one_way(levels, labels.counts, table, True)
        alone = int((table[labels.counts] + table[n - labels.counts]).sum())
        fixed = (
            pairs * int(table[-1])
            - (q - 1) * alone
            + _pair_total(table, n, labels.counts, together)
        )
        total = _wrapped(fixed) - pairs * own + (q - 1) * joint
        result = np.zeros(self.n_features)
        result[features] = (total[features] - sums) / (n * 2.0**bits)
        return result


def _one_way(
    levels: Any, label_counts: Array, table: Array, with_absent: bool
) -> tuple[Array, Array]:
    """Sum ``table`` over the levels of each feature, alone and with every label."""
    own = np.empty(len(levels.first) - 1, dtype=np.int64)
    joint = np.empty_like(own)
    one_way_sums(
        table,
        len(table) - 1,
        tuple(levels),
        label_counts,
        with_absent,
        own,
        joint,
    )
    return own, joint


def _table_bits(bound: float) -> int:
    return min(BITS, 62 - ceil(log2(bound)))


def _log_table(n: int, bits: int) -> Array:
    x = np.arange(n + 1, dtype=np.float64)
    x[1:] *= np.log2(x[1:])
    return np.asarray(np.rint(x * 2.0**bits), dtype=np.int64)


def _wrapped(value: int) -> Array:
    # a whole number modulo 2^64, as a signed one
    return np.array([value % 2**64], dtype=np.uint64).view(np.int64)


def _pair_total(table: Array, n: int, counts: Array, together: Array) -> int:
    total = 0
    for one in range(len(counts) - 1):
        both = together[one, one + 1 :]
        a, b = counts[one] - both, counts[one + 1 :] - both
        cells = table[both] + table[a] + table[b] + table[n - both - a - b]
        total += sum(int(cell) for cell in cells)
    return total
