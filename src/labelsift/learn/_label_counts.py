"""How many neighbours of each row have each label, counted once for all who ask."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from labelsift.kernels.neighbors_labels import (
    count_groups,
    count_labels,
    group_rows,
    pack,
)
from labelsift.kernels.threads import run_blocks

Array = np.ndarray[Any, Any]

_MOST_PACKED = 255  # neighbours whose count fits in a byte


class LabelCounts:
    """How many of the k nearest rows have each label.

    Parameters
    ----------
    index : ndarray of shape (n_rows, at least k)
        Training rows, nearest first.
    k : int
        Neighbours that count.
    labels : ndarray of shape (n_training_rows, n_labels)
        0/1 labels of the training rows.

    Attributes
    ----------
    counts : ndarray of shape (n_rows, n_labels), int32
        The counts.
    groups : CountGroups
        Rows with the same counts in all labels.
    """

    def __init__(self, index: Array, k: int, labels: Array) -> None:
        self.k, self.labels = k, labels
        self.counts: Array = np.zeros((len(index), labels.shape[1]), dtype=np.int32)

        def work(start: int, stop: int) -> None:
            rows = slice(start, stop)
            count_labels(index[rows], k, labels, self.counts[rows])

        run_blocks(work, len(index), block=8192)

    def are_of(self, k: int, labels: Array) -> bool:
        """Return whether these are the counts for so many neighbours and labels."""
        return self.k == k and (
            self.labels is labels or np.array_equal(self.labels, labels)
        )

    @cached_property
    def groups(self) -> CountGroups:
        """Rows with the same counts in all labels."""
        return CountGroups(self.counts, self.k)


class CountGroups:
    """Rows with the same counts in all labels, in the order in which they appear.

    Parameters
    ----------
    counts : ndarray of shape (n_rows, n_labels), int32
        Counts from 0 to ``k``.
    k : int
        Greatest possible count; rows stay apart where it is above 255.

    Attributes
    ----------
    of_row : ndarray of shape (n_rows,), int64
        The group of each row.
    counts : ndarray of shape (n_groups, n_labels), int32
        The counts of each group.
    """

    def __init__(self, counts: Array, k: int) -> None:
        n, L = counts.shape
        self.of_row: Array = np.arange(n)
        self.counts = counts
        if k <= _MOST_PACKED:
            words = packed(counts, np.arange(L))
            first = np.empty(n, dtype=np.int64)
            self.of_row = np.empty(n, dtype=np.int64)
            found = group_rows(words, self.of_row, first)
            self.counts = counts[first[:found]]

    def tally(self, labels: Array) -> tuple[Array, Array]:
        """Return the rows of each group, and how many of them have each label.

        Parameters
        ----------
        labels : ndarray of shape (n_rows, n_labels)
            0/1 labels of the rows.
        """
        sizes = np.zeros(len(self.counts), dtype=np.int64)
        having = np.zeros((len(self.counts), labels.shape[1]), dtype=np.int64)
        count_groups(self.of_row, labels, sizes, having)
        return sizes, having


def packed(values: Array, order: Array, bits: int = 8) -> Array:
    """Return values of so many bits packed into words, of shape (words, rows)."""
    n_words = -(-values.shape[1] * bits // 64)
    words = np.zeros((n_words, len(values)), dtype=np.uint64)
    pack(values, order, bits, words)
    return words
