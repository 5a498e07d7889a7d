"""Scores of every feature with every label straight from coded rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.encode.codes import Codes
from labelsift.kernels import pair_scores as kernels
from labelsift.kernels.bin_rows import rows_of_codes, rows_of_entries
from labelsift.kernels.mdl_two_classes import log_table
from labelsift.kernels.threads import run_blocks
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
        self.aggregates[feature] = one.aggregates[0]
        self.top_scores[feature], self.top_labels[feature] = (
            one.top_scores[0],
            one.top_labels[0],
        )
        if len(self.table):
            self.table[feature] = one.table[0]

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
    for f in range(d if width else 0):
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
    is_chi2 = code < kernels.GAIN
    logs = np.zeros(0) if is_chi2 else log_table(min(n, _LOGS))
    labels, Y = _label_classes(counts.label_counts, coded.labels(), n, code)
    result = PairScores(
        np.empty((d, 3)),
        np.empty((d if pairs else 0, q)),
        np.zeros((d, n_top)),
        np.full((d, n_top), -1, dtype=np.int32),
    )
    for start, stop, codes in coded.ranges():
        part = slice(start, stop)
        _score_codes(
            codes,
            (n, Y, labels, logs, code),
            (
                result.aggregates[part],
                result.table[part],
                (result.top_scores[part], result.top_labels[part]),
            ),
        )
    return result


def _label_classes(p: Array, of_rows: Any, n: int, code: int) -> tuple[Any, Any]:
    # frequent labels first: what is read most lies together
    label_at = np.argsort(-p, kind="stable").astype(np.int32)
    number = np.empty(len(p), dtype=np.uint32)
    number[label_at] = np.arange(len(p), dtype=np.uint32)
    falling = p[label_at]
    starts = np.flatnonzero(np.concatenate([[True], np.diff(falling) != 0]))
    class_p = falling[starts]
    size = np.diff(np.concatenate([starts, [len(p)]]))
    of = np.repeat(np.arange(len(size), dtype=np.uint16), size)
    if code == kernels.SIMPLIFIED:
        divisor = np.full(len(class_p), float(n))
    else:
        divisor = class_p.astype(np.float64) * (n - class_p)
        divisor[divisor == 0] = 1.0
    class_logs = _x_log_x(n - class_p) + _x_log_x(class_p)
    indptr, indices = index_arrays(of_rows)
    pointers = indptr.astype(np.uint32) if indptr[-1] < 2**32 else indptr
    Y = pointers, number[indices]
    return (of, size, (class_p, divisor, class_logs), label_at), Y


def _x_log_x(x: Array) -> Array:
    x = x.astype(np.float64)
    return np.asarray(x * np.log2(np.maximum(x, 1.0)))


def _score_codes(codes: Codes, what: Any, into: Any) -> None:
    n, Y, labels, logs, kind = what
    out, pairs, tops = into
    d = codes.n_features
    rooms: list[Any] = []  # one for each thread: each puts back what it took

    def score(
        rows: Array, bin_start: Array, first: Array, order: Array, part: slice
    ) -> None:
        try:
            room = rooms.pop()
        except IndexError:
            room = _room(len(labels[0]), len(labels[1]))
        kernels.score_rows(
            rows,
            bin_start,
            first,
            n,
            Y,
            labels,
            logs,
            kind,
            order,
            room,
            out[part],
            pairs[part],
            (tops[0][part], tops[1][part]),
        )
        rooms.append(room)

    if codes.is_sparse:
        indptr, indices = index_arrays(codes.values)
        entries = np.diff(indptr)
    else:
        entries = np.full(d, n)
    if codes.is_sparse and _have_one_bin(codes):
        # the rows lie as they are needed: like features together, largest first
        order = np.argsort(-entries, kind="stable")
        rows, first = indices.view(np.uint32), np.arange(d + 1)
        cuts = _cuts(entries[order], _ITEMS)
        run_blocks(
            lambda a, b: score(
                rows, indptr, first, order[cuts[a] : cuts[b]], slice(None)
            ),
            len(cuts) - 1,
            block=1,
        )
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
        first = first_bin[start : stop + 1] - first_bin[start]
        score(rows, bin_start, first, np.arange(stop - start), slice(start, stop))

    run_blocks(work, len(cuts) - 1, block=1)


def _room(n_labels: int, n_classes: int) -> Any:
    """Return what a kernel works in; it leaves the zeros as they were."""
    touched, ones = np.zeros((2, n_classes), dtype=np.int32)
    group = kernels.GROUP
    return (
        np.zeros(n_labels, dtype=np.int32),
        np.empty(n_labels + 1, dtype=np.uint32),
        np.empty(n_classes + 1, dtype=np.int32),
        (touched, ones, np.empty(n_classes), np.empty(n_classes)),
        (
            np.empty(group, dtype=np.int64),
            np.empty(group, dtype=np.int64),
            np.empty(16 * group, dtype=np.uint32),
        ),
    )


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
