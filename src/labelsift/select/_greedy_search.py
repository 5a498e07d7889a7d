"""A greedy search over features, pick by pick, on exact sums.

``GreedySearch`` is what every criterion of ``score/redundancy.py`` runs on, and what a
selector with rules of its own (a budget, groups, shadows) steers: ``criterion()`` gives
the value of every feature left, ``best()`` the one to take, ``add(pick)`` takes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from labelsift.kernels.pair_walk import walk
from labelsift.score.ranking import best_within
from labelsift.statistics.levels import PairRows
from labelsift.statistics.pair_information import PairInformation

Array = np.ndarray[Any, Any]

LIMIT = 2**62
"""Largest sum that 64-bit numbers are trusted with; beyond it Python's take over."""


@dataclass
class Terms:
    """What a criterion reads, in bits; see ``score/redundancy.py``."""

    relevance: Array
    entropy: Array
    label_pairs: Array
    redundancy: Array
    interaction: Array
    conditional: Array
    """Sum over variables of the least information given a pick."""
    picked_relevance: float
    n_picked: int
    n_variables: int


class Walk(NamedTuple):
    """How values follow from those of no redundancy, where that is all there is to it.

    The sums over picks that a criterion reads are taken off: as they are, or as a mean
    over the picks, to which the mean relevance of the picks may be added, or as the
    share of the feature's entropy that they make up.
    """

    is_mean: bool = False
    has_shift: bool = False
    is_share: bool = False


@dataclass(frozen=True)
class Criterion:
    """A formula and what it needs.

    Parameters
    ----------
    value : callable
        Terms to one value a feature, larger is better.
    reads : frozenset of {"redundancy", "interaction", "minima", "label_pairs"}
        What has to be gathered; nothing for a plain ranking.
    tolerance : float
        Values that differ by less are equal.
    n_pair_labels : int or None
        Labels whose pairs count, those of highest entropy; all if None.
    prefilter : int or None
        Features that may be taken, those of highest entropy; all if None.
    walk : Walk or None
        What ``value`` does with sums over picks, so that a full ranking need not call
        it for every pick; None where it must be called.
    """

    value: Callable[[Terms], Array]
    reads: frozenset[str] = frozenset()
    tolerance: float = 1e-10
    n_pair_labels: int | None = None
    prefilter: int | None = None
    walk: Walk | None = None

    @property
    def is_ranking(self) -> bool:
        """Whether values do not depend on the picks."""
        return not self.reads - {"label_pairs"}


class GreedySearch:
    """The state of a search: picks so far, and sums over them.

    Parameters
    ----------
    rows : PairRows
        Discretised features and labels.
    criterion : Criterion
        What is maximised.

    Attributes
    ----------
    picks : list of int
        Features taken so far, in order.
    is_open : ndarray of shape (n_features,), bool
        Features that can be taken: not constant, not set aside, not taken yet.
    set_aside : ndarray of int64
        Features that the criterion does not look at, by falling entropy.
    is_constant : ndarray of shape (n_features,), bool
        Features of one level.
    """

    def __init__(self, rows: PairRows, criterion: Criterion) -> None:
        self._rows = rows
        self._criterion = criterion
        self._information = info = PairInformation(rows)
        d = info.n_features
        self.has_labels_that_vary = bool((info.variable_entropy > 0).any())
        self.is_constant = info.is_constant
        varying = np.flatnonzero(~info.is_constant)
        falling = varying[np.argsort(-info.entropy[varying], kind="stable")]
        self.set_aside = falling[d if (n := criterion.prefilter) is None else n :]
        self._enters = ~info.is_constant
        self._enters[self.set_aside] = False
        pairs = np.zeros(d)
        if "label_pairs" in criterion.reads:
            pairs = info.label_pairs(self._pair_labels(), np.flatnonzero(self._enters))
        self._terms = Terms(
            relevance=info.to_bits(info.relevance),
            entropy=info.to_bits(info.entropy),
            label_pairs=pairs,
            redundancy=np.zeros(d),
            interaction=np.zeros(d),
            conditional=np.zeros(d),
            picked_relevance=0.0,
            n_picked=0,
            n_variables=info.n_variables,
        )
        # no summand is larger
        self._most = max(int(info.entropy.max()), int(info.variable_entropy.sum()))
        self.start()

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self._information.n_samples

    @property
    def tolerance(self) -> float:
        """Values that differ by no more than this are equal."""
        return self._criterion.tolerance

    def start(self) -> Self:
        """Forget all picks."""
        info, terms = self._information, self._terms
        d = info.n_features
        self.picks: list[int] = []
        self.is_open = self._enters.copy()
        self._closed = np.where(self.is_open, 0.0, -np.inf)
        self._redundancy = np.zeros(d, dtype=np.int64)
        self._interaction = np.zeros(d, dtype=np.int64)
        if "minima" in self._criterion.reads:
            self._minima = np.full((d, info.n_variables), np.iinfo(np.int64).max)
        self._relevance = 0
        self._reach = 0
        terms.redundancy, terms.interaction = np.zeros(d), np.zeros(d)
        terms.picked_relevance, terms.n_picked = 0.0, 0
        return self

    @property
    def has_all_pairs(self) -> bool:
        """Whether all pairs have been counted, so that a pick takes next to nothing."""
        return self._information.pairs is not None

    def expect(self, rounds: int) -> None:
        """Prepare for so many picks; answers are the same without."""
        reads = self._criterion.reads
        if 2 * rounds >= len(self.is_open) and reads & {"redundancy", "interaction"}:
            self._information.keep_all_pairs(
                with_labels="interaction" in reads, rounds=rounds
            )

    def walk(self, rounds: int) -> tuple[Array, Array, Array]:
        """Take features as ``best`` and ``add`` would, as far as tables go.

        Parameters
        ----------
        rounds : int
            How many to take at most, no more than can be taken; none are taken yet.

        Returns
        -------
        picks, trace, values : ndarray
            The features, their values when they were the best, and the values of all
            that the last of them was chosen by. It is not added yet.
        """
        info, how, terms = self._information, self._criterion.walk, self._terms
        values = self.criterion()
        if info.pairs is None or how is None or rounds < 1:
            return np.zeros(0, dtype=np.int64), np.zeros(0), values
        reads = self._criterion.reads
        used = [name in reads for name in ("redundancy", "interaction")]
        tables = info.pairs[used[: len(info.pairs)]]
        base = self._criterion.value(replace(terms, n_picked=1))
        picks, trace = np.empty(rounds, dtype=np.int64), np.empty(rounds)
        sums = np.zeros((len(tables), info.n_features), dtype=np.int64)
        done = walk(
            tables, sums, info.relevance, terms.entropy, base, tuple(how), info.unit,
            self._criterion.tolerance, (self._most, LIMIT),
            self.is_open, picks, trace, values,
        )  # fmt: skip
        picks, trace = picks[:done], trace[:done]
        self.picks = picks[:-1].tolist()
        self._closed[self.picks] = -np.inf
        if "interaction" in reads:
            self._interaction = sums[-1]
            terms.interaction = info.to_bits(self._interaction)
        if "redundancy" in reads:
            self._redundancy = sums[0]
            terms.redundancy = info.to_bits(self._redundancy)
        self._reach = int(np.abs(sums).max())
        self._relevance = sum(int(info.relevance[pick]) for pick in self.picks)
        terms.picked_relevance = self._relevance / info.unit
        terms.n_picked = len(self.picks)
        return picks, trace, values

    def criterion(self) -> Array:
        """Return the value of every feature given the picks.

        Returns
        -------
        ndarray of shape (n_features,), float64
            Bits; ``-inf`` for features that cannot be taken.
        """
        values: Array = self._criterion.value(self._terms) + self._closed
        return values

    def best(self, among: Array | None = None) -> int | None:
        """Return the best feature that can be taken, or None.

        Parameters
        ----------
        among : ndarray of shape (n_features,), bool, optional
            The features that are allowed.
        """
        return self.best_of(self.criterion(), among)

    def best_of(self, values: Array, among: Array | None = None) -> int | None:
        """Return the same for values that ``criterion`` has given."""
        if among is not None:
            values = np.where(among, values, -np.inf)
        best = best_within(values, self._criterion.tolerance)
        return None if values[best] == -np.inf else best

    def add(self, pick: int) -> None:
        """Take a feature.

        Parameters
        ----------
        pick : int
            A feature that can be taken.
        """
        if not self.is_open[pick]:
            raise ValueError(f"feature {pick} cannot be taken (again).")
        info, reads = self._information, self._criterion.reads
        self.picks.append(int(pick))
        self.is_open[pick] = False
        self._closed[pick] = -np.inf
        left = np.flatnonzero(self.is_open)
        terms = self._terms
        if "interaction" in reads:
            sums = self._redundancy, self._interaction
            info.add_interaction(pick, left, *self._room(sums))
            self._redundancy, self._interaction = self._settled()
            terms.interaction = info.to_bits(self._interaction)
        elif "redundancy" in reads:
            info.add_redundancy(pick, left, *self._room((self._redundancy,)))
            (self._redundancy,) = self._settled()
        elif "minima" in reads:
            info.lower_minima(pick, left, self._minima)
            least = self._minima[left].sum(axis=1)
            terms.conditional[left] = info.to_bits(least)
        if "redundancy" in reads:
            terms.redundancy = info.to_bits(self._redundancy)
        self._relevance += int(info.relevance[pick])
        terms.picked_relevance = self._relevance / info.unit
        terms.n_picked = len(self.picks)

    def with_shadows(self, columns: Array, rows: Array) -> GreedySearch:
        """Return a search with the same picks and shadows of some features.

        Parameters
        ----------
        columns : ndarray of shape (n_shadows,), int64
            Features to shadow; the shadows are the last features of the new search.
        rows : ndarray of shape (n_shadows, n_samples), int64
            For each shadow the rows of the feature in another order: row ``i`` of the
            shadow is row ``rows[k, i]`` of the feature.
        """
        wide = self._rows.with_shadows(columns, rows)
        shadowed = GreedySearch(wide, self._criterion)
        for pick in self.picks:
            shadowed.add(pick)
        return shadowed

    def _room(self, sums: tuple[Array, ...]) -> tuple[Array, ...]:
        """Return where to add: the sums themselves while no overflow can happen."""
        self._sums = sums
        self._reach += self._most
        if self._reach >= LIMIT:  # so far only by adding up what is possible
            self._reach = self._most + max(int(abs(each).max()) for each in sums)
        if self._reach < LIMIT and sums[0].dtype == np.int64:
            self._added = sums
        else:
            self._added = tuple(np.zeros(len(each), dtype=np.int64) for each in sums)
        return self._added

    def _settled(self) -> tuple[Array, ...]:
        """Return the sums, in Python's numbers where they may have become large."""
        if self._added is self._sums:
            return self._sums
        return tuple(
            before.astype(object) + more.astype(object)
            for before, more in zip(self._sums, self._added, strict=True)
        )

    def _pair_labels(self) -> Array | None:
        info, wanted = self._information, self._criterion.n_pair_labels
        if wanted is None or wanted >= info.n_variables:
            return None
        falling = np.argsort(-info.variable_entropy, kind="stable")
        return np.sort(falling[:wanted])
