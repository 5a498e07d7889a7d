"""Scores of every feature with every label straight from coded rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.encode.codes import Codes
from labelsift.kernels import pair_scores as kernels
from labelsift.kernels.bin_rows import rows_of_codes, rows_of_entries
from labelsift.kernels.mdl_two_classes import log_table
from labelsift.kernels.threads import run_blocks
from labelsift.score.pair_room import PairRoom, label_classes
from labelsift.statistics.coded_rows import CodedRows, index_arrays
from labelsift.statistics.counts import ContingencyCounts

Array = np.ndarray[Any, Any]
KINDS = {
    "chi2": kernels.CHI2,
    "chi2_simplified": kernels.SIMPLIFIED,
    "chi2_p_value": kernels.P_VALUE,
    "cramers_v": kernels.CRAMERS_V,
    "information_gain": kernels.GAIN,
    "gain_ratio": kernels.GAIN_RATIO,
    "symmetrical_uncertainty": kernels.SYMMETRICAL,
    "normalized_gain": kernels.NORMALIZED,
}
LARGEST_N = 2**31 - 1
_LOGS = 2**23  # rows up to which x log2 x is looked up (64 MB)
_ITEM = 2**21  # rows of bins that a thread sorts at a time (8 MB)
_ITEMS = 64


@dataclass(frozen=True, eq=False)
class PairScores:
    """What is kept of the scores of all pairs.

    Parameters
    ----------
    aggregates : ndarray of shape (n_features, 3), float64
        Mean, maximum and minimum over the labels.
    table : ndarray of shape (n_features, n_labels) or (0, n_labels), float64
        All pairs, where asked for.
    top_scores : ndarray of shape (n_features, n_top), float64
        The largest scores of each feature, falling.
    top_labels : ndarray of shape (n_features, n_top), int32
        Their labels; equal scores by label, -1 where there are no more above 0.
    """

    aggregates: Array
    table: Array
    top_scores: Array
    top_labels: Array

    def put(self, feature: int, one: PairScores) -> None:
        """Replace what is said of a feature by the only row of another."""
        self.aggregates[feature] = one.aggregates
        self.top_scores[feature] = one.top_scores
        self.top_labels[feature] = one.top_labels
        if len(self.table):
            self.table[feature] = one.table

    @classmethod
    def of_table(cls, aggregates: Array, table: Array, n_top: int) -> PairScores:
        """Find the best labels in the scores of all pairs."""
        scores, labels = best_labels(table, n_top)
        return cls(aggregates, table, scores, labels)


def best_labels(table: Array, n_top: int) -> tuple[Array, Array]:
    """Return the largest scores of each row and their columns.

    Parameters
    ----------
    table : ndarray of shape (n_features, n_labels), float64
        Scores of all pairs.
    n_top : int
        How many.

    Returns
    -------
    scores, labels : ndarray of shape (n_features, n_top)
        As ``PairScores`` has them.
    """
    d, q = table.shape
    scores, labels = np.zeros((d, n_top)), np.full((d, n_top), -1, dtype=np.int32)
    width = min(n_top, q)
    for f in range(d) if width else ():
        row = table[f]
        if q > 4 * width:  # those that reach the m-th largest, then in order
            bar = np.partition(row, q - width)[q - width]
            some = np.flatnonzero(row >= bar)
        else:
            some = np.arange(q)
        best = some[np.argsort(-row[some], kind="stable")[:width]]
        best = best[row[best] > 0]
        scores[f, : len(best)], labels[f, : len(best)] = row[best], best
    return scores, labels


def score_pairs(
    coded: CodedRows,
    counts: ContingencyCounts,
    kind: str,
    *,
    pairs: bool = False,
    n_top: int = 0,
) -> PairScores:
    """Score all pairs of features and labels, holding none but those asked for.

    Parameters
    ----------
    coded : CodedRows
        Coded features and labels of all rows.
    counts : ContingencyCounts
        That holds them.
    kind : str
        One of ``KINDS``.
    pairs : bool, default=False
        Whether to return the scores of all pairs.
    n_top : int, default=0
        For how many labels of each feature to return score and number.

    Returns
    -------
    PairScores
        Exact.

    Notes
    -----
    Time is that of the meetings of entries off the default bin with labels; labels
    that never meet a feature cost nothing. Memory beyond the data: 8 bytes a label
    for each thread (32 more where a feature has three bins or more), and what
    ``coded`` reads at a time.
    """
    n, d, q = counts.n_samples, counts.n_features, counts.n_labels
    if n > LARGEST_N:
        raise ValueError(f"at most {LARGEST_N} rows can be scored; found {n}.")
    code = KINDS[kind]
    logs = np.zeros(0) if code < kernels.GAIN else log_table(min(n, _LOGS))
    labels = label_classes(
        counts.label_counts,
        coded.labels(),
        n,
        is_simplified=code == kernels.SIMPLIFIED,
    )
    rooms = _Rooms(labels, code, logs, n_top)
    result = PairScores(
        np.zeros((d, 3)),
        np.zeros((d if pairs else 0, q)),
        np.zeros((d, n_top)),
        np.full((d, n_top), -1, dtype=np.int32),
    )
    for start, stop, codes in coded.ranges():
        part = slice(start, stop)
        into = (
            result.aggregates[part],
            result.table[part],
            result.top_scores[part],
            result.top_labels[part],
        )
        _score_codes(codes, rooms, into)
    is_kept = result.top_labels >= 0
    result.top_labels[is_kept] = labels.label_at[result.top_labels[is_kept]]
    return result


def _score_codes(codes: Codes, rooms: _Rooms, into: Any) -> None:
    d, n = codes.n_features, codes.n_samples
    if codes.is_sparse:
        indptr, indices = index_arrays(codes.values)
        entries = np.diff(indptr)
    else:
        entries = np.full(d, n)
    if codes.is_sparse and _have_one_bin(codes):
        # the rows lie as they are needed: like features together, largest first
        order = np.argsort(-entries, kind="stable")
        order = order[(entries[order] > 0) & (entries[order] < n)]
        lying, cuts = indices.view(np.uint32), _cuts(entries[order], _ITEMS)

        def score(a: int, b: int) -> None:
            some = order[cuts[a] : cuts[b]]
            with rooms.one() as room:
                room.score(lying, indptr, some, np.arange(len(some) + 1), some, into)

        run_blocks(score, len(cuts) - 1, block=1)
        return
    first_bin = np.concatenate([[0], np.cumsum(codes.n_bins)])
    cuts = _cuts(entries, max(_ITEMS, int(entries.sum()) // _ITEM))

    def work(a: int, b: int) -> None:
        start, stop = cuts[a], cuts[b]
        rows = np.empty(int(entries[start:stop].sum()), dtype=np.uint32)
        bin_start = np.zeros(first_bin[stop] - first_bin[start] + 1, dtype=np.int64)
        bins = first_bin, start
        if codes.is_sparse:
            columns = indptr, indices, codes.values.data
            rows_of_entries(*columns, *bins, stop, bin_start, rows)
        else:
            some = codes.values[start:stop]
            rows_of_codes(some, codes.default, *bins, bin_start, rows)
        bounds = first_bin[start : stop + 1] - first_bin[start]
        filled = np.diff(bin_start) > 0
        n_filled = np.add.reduceat(filled, bounds[:-1], dtype=np.int64)
        is_all = np.diff(bin_start[bounds]) == n
        is_usable = n_filled > is_all  # rows in two bins or more
        for which in (is_usable & (n_filled == 1), is_usable & (n_filled > 1)):
            features = np.flatnonzero(which)
            used = np.flatnonzero(filled & np.repeat(which, np.diff(bounds)))
            starts = np.concatenate([[0], np.cumsum(n_filled[features])])
            with rooms.one() as room:
                room.score(rows, bin_start, used, starts, features + start, into)

    run_blocks(work, len(cuts) - 1, block=1)


class _Rooms:
    """As many rooms as there are threads that ask for one."""

    def __init__(self, *settings: Any) -> None:
        self._settings = settings
        self._free: list[PairRoom] = []

    @contextmanager
    def one(self) -> Iterator[PairRoom]:
        """Lend a room."""
        try:
            room = self._free.pop()
        except IndexError:
            room = PairRoom(*self._settings)
        yield room
        self._free.append(room)


def _have_one_bin(codes: Codes) -> bool:
    """Return whether every feature has one bin off the default at most."""
    if (codes.default < 0).any():
        return False
    if (codes.n_bins <= 2).all():
        return True
    data, starts = codes.values.data, codes.values.indptr
    filled = np.flatnonzero(np.diff(starts))
    if not len(filled):
        return True
    at = starts[filled]
    return bool(
        np.array_equal(np.minimum.reduceat(data, at), np.maximum.reduceat(data, at))
    )


def _cuts(entries: Array, n_cuts: int) -> Array:
    """Cut features into runs of about equal work; return where they start."""
    work = np.cumsum(entries + 64)
    total = int(work[-1]) if len(work) else 0
    inner = np.searchsorted(work, np.linspace(0, total, n_cuts + 1)[1:-1])
    return np.unique(np.concatenate([[0], inner, [len(entries)]])).astype(np.int64)
