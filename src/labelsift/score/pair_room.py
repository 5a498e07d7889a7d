"""Where a thread counts the labels of bins and scores features from the counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.kernels import pair_counts, pair_entries, pair_scores

Array = np.ndarray[Any, Any]
LISTED = 2**15
"""Labels met that are listed before they are scored."""


@dataclass(frozen=True, eq=False)
class LabelClasses:
    """Labels renumbered by falling frequency, those of equal frequency in a class.

    Parameters
    ----------
    n : int
        Rows.
    of_number : ndarray of shape (n_labels,), uint32
        Class of each label number.
    size, rows : ndarray of shape (n_classes,), int64
        Labels of each class, and rows that carry each of them.
    divisor, logs : ndarray of shape (n_classes,), float64
        What chi-square is divided by, and ``x log2 x`` of ``rows`` and ``n - rows``.
    label_at : ndarray of shape (n_labels,), int32
        Label of each number.
    pointers, numbers : ndarray
        Label numbers of each row, with ``STRIDE`` more at the end.
    """

    n: int
    of_number: Array
    size: Array
    rows: Array
    divisor: Array
    logs: Array
    label_at: Array
    pointers: Array
    numbers: Array

    @property
    def n_hot(self) -> int:
        """Labels that are counted in 32 bits; the first ones."""
        return int(self.size[self.rows > pair_counts.COLD].sum())

    def class_of_rows(self) -> Array:
        """Return the class of the labels of so many rows, up to ``COLD``."""
        found = np.zeros(pair_counts.COLD + 1, dtype=np.int64)
        cold = np.flatnonzero(self.rows <= pair_counts.COLD)
        found[self.rows[cold]] = cold
        return found


def label_classes(
    p: Array, of_rows: Any, n: int, *, is_simplified: bool
) -> LabelClasses:
    """Give labels numbers by falling frequency.

    Parameters
    ----------
    p : ndarray of shape (n_labels,), int64
        Rows of each label.
    of_rows : csr_array of shape (n, n_labels)
        Labels of each row.
    n : int
        Rows.
    is_simplified : bool
        Whether chi-square goes without the factor of the label.

    Returns
    -------
    LabelClasses
        Equal labels in their order.
    """
    label_at = np.argsort(-p, kind="stable").astype(np.int32)
    number = np.empty(len(p), dtype=np.uint32)
    number[label_at] = np.arange(len(p), dtype=np.uint32)
    falling = p[label_at]
    starts = np.flatnonzero(np.concatenate([[True], np.diff(falling) != 0]))
    rows = falling[starts]
    size = np.diff(np.concatenate([starts, [len(p)]]))
    divisor = np.full(len(rows), float(n))
    if not is_simplified:
        divisor = rows.astype(np.float64) * (n - rows)
        divisor[divisor == 0] = 1.0
    total, more = len(of_rows.indices), int(pair_counts.STRIDE)
    numbers = np.zeros(total + more, dtype=np.uint32)
    numbers[:total] = number[of_rows.indices]
    return LabelClasses(
        n,
        np.repeat(np.arange(len(size), dtype=np.uint32), size),
        size,
        rows,
        divisor,
        _x_log_x(n - rows) + _x_log_x(rows),
        label_at,
        of_rows.indptr.astype(np.uint32 if total + more < 2**32 else np.uint64),
        numbers,
    )


class PairRoom:
    """Arrays in which one thread at a time counts and scores.

    Parameters
    ----------
    labels : LabelClasses
        Labels of all rows.
    kind : int
        What to score, one of the numbers in ``labelsift.kernels.pair_scores``.
    logs : ndarray of float64
        Table of ``x log2 x``; may be empty for chi-square.
    n_top : int
        Labels of each feature that are kept.
    """

    def __init__(
        self, labels: LabelClasses, kind: int, logs: Array, n_top: int
    ) -> None:
        self._labels, self._kind, self._logs = labels, kind, logs
        q, n_hot, n_classes = len(labels.of_number), labels.n_hot, len(labels.size)
        self._class_of_rows = labels.class_of_rows()
        p = labels.rows[labels.of_number]
        group, pointer = pair_counts.GROUP, labels.pointers.dtype
        n_counted = int(labels.size[labels.rows > 1].sum())
        self._n_single = int(labels.size[labels.rows == 1].sum())
        cells = np.zeros(n_counted, dtype=np.uint16)
        cells[n_hot:] = p[n_hot:n_counted]
        self._counting = (
            np.zeros(n_hot, dtype=np.uint32),
            cells,
            (np.empty(group, dtype=pointer), np.empty(group, dtype=pointer)),
            np.empty(16 * group, dtype=np.uint32),
            np.empty(16 * group, dtype=np.uint32),
        )
        n_cold = n_counted - n_hot
        hot, cold, single = (n + LISTED for n in (n_hot, n_cold, self._n_single))
        self._lists = (
            np.empty(hot, dtype=np.uint32),
            np.empty(hot, dtype=np.uint32),
            np.empty(cold, dtype=np.uint32),
            np.empty(cold, dtype=np.uint16),
            np.empty(single, dtype=np.uint32),
            np.empty(LISTED, dtype=np.int64),
            np.empty(LISTED, dtype=np.int64),
            np.empty(LISTED, dtype=np.int64),
        )
        hot_a_row = p[:n_hot].sum() / labels.n
        cold_a_row = p[n_hot:n_counted].sum() / labels.n
        self._many = (
            int(n_hot / max(hot_a_row, 1e-9)),
            int(n_cold / max(4 * cold_a_row, 1e-9)),
        )
        self._tally = np.zeros(2**16, dtype=np.int64), np.empty(2**16 + 1, np.uint16)
        self._most_met = hot + cold + single
        self._entries = self._new_entries(self._most_met)
        self._more: tuple[Array, ...] | None = None
        self._held = np.zeros(2, dtype=np.int64)
        state = (
            np.zeros(n_classes, dtype=np.int64),
            np.empty(n_classes),
            np.arange(n_classes),
            np.empty(n_classes + 1, dtype=np.int64),
            self._held,
        )
        self._scoring = state, np.zeros(6), np.zeros(q, dtype=np.uint8), np.empty(n_top)

    def _new_entries(self, size: int) -> tuple[Array, ...]:
        return (
            np.empty(size, dtype=np.int64),
            np.empty(size, dtype=np.int64),
            np.empty(size, dtype=np.int64),
            np.empty(LISTED, dtype=np.int64),
            np.empty(size, dtype=np.uint32),
            np.empty(size, dtype=np.int32),
            np.empty(LISTED, dtype=np.int64),
            np.empty(size),
        )

    def score(
        self,
        rows: Array,
        bin_start: Array,
        bins: Array,
        starts: Array,
        features: Array,
        into: tuple[Array, ...],
    ) -> None:
        """Score features from the rows of their bins.

        Parameters
        ----------
        rows, bin_start : ndarray
            The rows of bin ``b`` are ``rows[bin_start[b]:bin_start[b + 1]]``.
        bins, starts : ndarray of int64
            The filled bins of feature ``k`` but the default one are
            ``bins[starts[k]:starts[k + 1]]``: one of all features, or several of all.
        features : ndarray of int64
            Where the results belong.
        into : tuple of ndarray
            Mean, maximum and minimum; scores of all pairs, unless empty; and of the
            best labels scores and numbers.
        """
        labels, lists = self._labels, self._lists
        is_several = len(bins) > len(features)
        if is_several and self._more is None:
            q = len(labels.of_number)
            self._entries = self._new_entries(self._most_met + q)
            self._more = (
                np.zeros(q),
                np.zeros(q, dtype=np.int64),
                np.zeros(q, dtype=np.int64),
                np.empty(q + 1, dtype=np.uint32),
                np.zeros(2, dtype=np.int64),
            )
        if self._more is not None:
            self._more[4][:] = 0
        self._held[0] = -1
        sizes, done, ended = np.diff(bin_start), 0, 0
        classes = labels.rows, labels.divisor, labels.logs
        of_labels = labels.of_number, labels.size, classes, labels.label_at
        while done < len(bins):
            counted = pair_counts.count_bins(
                rows,
                bin_start,
                bins[done:],
                (labels.pointers, labels.numbers),
                self._n_single,
                self._many,
                self._counting,
                lists,
            )
            span = done, done + counted
            done += counted
            n_ended = self._make_entries(span, bins, starts, sizes, into)
            pair_scores.score_entries(
                (ended, ended + n_ended),
                bins,
                starts,
                features,
                sizes,
                labels.n,
                of_labels,
                self._logs,
                self._kind,
                self._entries,
                self._scoring,
                into,
            )
            ended += n_ended

    def _make_entries(
        self, span: Any, bins: Array, starts: Array, sizes: Array, into: Any
    ) -> int:
        labels = self._labels
        if len(starts) > len(bins):  # one bin each
            pair_entries.entries_of_bins(
                span[1] - span[0],
                self._lists,
                labels.of_number,
                self._class_of_rows,
                self._tally,
                bool(len(into[1]) or into[2].shape[1]),
                self._entries[:-1],
            )
            return int(span[1] - span[0])
        e = self._entries
        n_ended = pair_entries.entries_of_features(
            span,
            bins,
            starts,
            sizes,
            labels.n,
            self._kind < pair_scores.GAIN,
            self._lists,
            labels.of_number,
            labels.rows,
            self._logs,
            self._more,
            (e[0], e[7], *e[2:7]),
        )
        return int(n_ended)


def _x_log_x(x: Array) -> Array:
    x = x.astype(np.float64)
    return np.asarray(x * np.log2(np.maximum(x, 1.0)))
