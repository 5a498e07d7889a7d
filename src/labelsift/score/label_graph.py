"""Graphs over groups of equal rows, given a block of similarity rows at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.spectral import (
    COSINE,
    JACCARD,
    RBF,
    SAME_CLASS,
    distance_histogram,
    sets_of_labels,
    similarity_rows,
)
from labelsift.kernels.spectral_near import near_rows
from labelsift.kernels.threads import run_blocks
from labelsift.statistics.label_moments import LabelMoments

Array = np.ndarray[Any, Any]
SIMILARITIES = {
    "jaccard": JACCARD,
    "weighted_jaccard": JACCARD,
    "rbf": RBF,
    "cosine": COSINE,
    "same_class": SAME_CLASS,
}
_BLOCK_ENTRIES = 1 << 21  # similarities held at a time: 16 MB


class GroupGraph(ABC):
    """A symmetric similarity J of groups of rows; a group may be a single row.

    Parameters
    ----------
    counts : ndarray of shape (n_groups,), int64
        Rows in each group.
    self_loops : bool
        Whether a row is its own neighbour. Without, J_gg of a group of one row
        stands for nothing and is given as 0.
    """

    def __init__(self, counts: Array, *, self_loops: bool = False) -> None:
        self.counts = counts
        self.self_loops = self_loops
        self.n_groups = len(counts)
        self._block = max(4, _BLOCK_ENTRIES // max(self.n_groups, 1) // 4 * 4)
        self._whole: Array | None = None

    @abstractmethod
    def fill(self, start: int, stop: int, rows: Array) -> None:
        """Write the rows start..stop-1 of J, as many columns as ``rows`` has."""

    near_base: Array | None = None
    """A number of each group whose products are what other pairs have; None for 0."""

    @abstractmethod
    def near_entries(self) -> Array:
        """Return at most how many groups each has something in common with."""

    @abstractmethod
    def near_steps(self, row_lengths: Array) -> tuple[float, float]:
        """Return entries of all lists of near groups, and sums that they hold."""

    @abstractmethod
    def near_rows(
        self, start: int, stop: int, reach: Array
    ) -> tuple[Array, Array, Array]:
        """Return a list of the smaller near groups of some groups, with weights.

        Where each list begins, the groups, and their similarities less the product of
        ``near_base``; J n of the same, over all near groups, goes to ``reach``.
        """

    def near_diagonal(self) -> Array:
        """Return the diagonal of J."""
        own = self._diagonal()
        return own if self.self_loops else np.where(self.counts == 1, 0.0, own)

    @abstractmethod
    def _diagonal(self) -> Array:
        """Return the diagonal of J, as if every row were its own neighbour."""

    def _fill(self, start: int, rows: Array) -> None:
        def work(a: int, b: int) -> None:
            self.fill(start + a, start + b, rows[a:b])

        run_blocks(work, len(rows), block=max(64, (1 << 17) // self.n_groups))

    def blocks(self, *, lower: bool = False) -> Iterator[tuple[int, Array]]:
        """Yield the first row of each block and its rows of J.

        Memory is that of one block, which the next one overwrites; a graph that fits
        one block is kept. ``lower``:
        without the columns beyond the block's last row, for what J's lower half tells.
        """
        u = self.n_groups
        if self._whole is not None:
            yield 0, self._whole
            return
        room = np.empty(min(self._block, u) * u)  # pages that are made once
        for start in range(0, u, self._block):
            stop = min(start + self._block, u)
            width = stop if lower else u
            rows = room[: (stop - start) * width].reshape(stop - start, width)
            self._fill(start, rows)
            if not self.self_loops:
                single = np.flatnonzero(self.counts[start:stop] == 1)
                rows[single, start + single] = 0.0
            if len(rows) == u:
                self._whole = rows
            yield start, rows


class LabelGraph(GroupGraph):
    """Similarities of distinct label sets.

    Parameters
    ----------
    moments : LabelMoments
        Where the label sets and their sizes come from.
    similarity : str
        A key of ``SIMILARITIES``.
    self_loops : bool
        Whether a row is its own neighbour.
    bandwidth : float or "median"
        Width delta of exp(-distance**2 / (2 delta**2)); "median" is the median
        non-zero distance over all pairs of rows.
    empty_similarity : float
        Similarity of two empty label sets, except for "rbf", where it is 1.
    """

    def __init__(
        self,
        moments: LabelMoments,
        similarity: str,
        *,
        self_loops: bool = False,
        bandwidth: float | str = 1.0,
        empty_similarity: float = 0.0,
    ) -> None:
        super().__init__(moments.counts, self_loops=self_loops)
        u, q = moments.n_sets, moments.n_labels
        self._kind = SIMILARITIES[similarity]
        self._set_indptr = moments.sets.indptr
        self._set_indices = moments.sets.indices
        sizes = np.diff(self._set_indptr)
        self._label_indptr = np.zeros(q + 1, dtype=np.int64)
        self._label_sets = np.empty(len(self._set_indices), dtype=np.int32)
        sets_of_labels(
            self._set_indptr, self._set_indices, self._label_indptr, self._label_sets
        )
        if similarity == "weighted_jaccard":
            of_set = np.repeat(np.arange(u, dtype=np.int32), sizes)
            rows = np.bincount(
                self._set_indices, weights=self.counts[of_set], minlength=q
            )
            self._label_weights = rows / self.counts.sum()
            # bincount adds in the order of the labels, as the kernel does, so that
            # equal sets have a similarity of exactly 1
            self._set_weights = np.bincount(
                of_set, weights=self._label_weights[self._set_indices], minlength=u
            )
        else:
            self._label_weights = np.ones(q)
            self._set_weights = sizes.astype(np.float64)
        self._empty = float(empty_similarity)
        if similarity == "rbf" and isinstance(bandwidth, str):
            self._bandwidth = self._median_distance(int(sizes.max(initial=0)))
        else:
            self._bandwidth = 1.0 if isinstance(bandwidth, str) else float(bandwidth)
        if self._kind == RBF:
            twice = 2.0 * self._bandwidth * self._bandwidth
            self.near_base = np.exp(-self._set_weights / twice)

    def fill(self, start: int, stop: int, rows: Array) -> None:
        """Write the rows start..stop-1 of J."""
        similarity_rows(
            self._kind,
            start,
            stop,
            self._set_indptr,
            self._set_indices,
            self._label_indptr,
            self._label_sets,
            self._label_weights,
            self._set_weights,
            self.counts,
            self._bandwidth,
            self._empty,
            rows,
        )

    def near_entries(self) -> Array:
        """Return at most how many groups each has something in common with."""
        if self._kind == SAME_CLASS:
            return np.zeros(self.n_groups, dtype=np.int64)
        sizes = np.diff(self._label_indptr)[self._set_indices]
        result: Array = np.diff(
            np.concatenate([[0], np.cumsum(sizes)])[self._set_indptr]
        )
        return result

    def near_steps(self, row_lengths: Array) -> tuple[float, float]:
        """Return entries of all lists of near groups, and sums that they hold."""
        if self._kind == SAME_CLASS:
            return 0.0, 0.0
        of_label = np.diff(self._label_indptr).astype(np.float64)
        lengths = np.repeat(row_lengths, np.diff(self._set_indptr))
        held = np.bincount(self._set_indices, lengths, minlength=len(of_label))
        return float((of_label**2).sum()), float((of_label * held).sum() / 2)

    def near_rows(
        self, start: int, stop: int, reach: Array
    ) -> tuple[Array, Array, Array]:
        """Return a list of the smaller near groups of some groups, with weights."""
        if self._kind == SAME_CLASS:
            none = np.zeros(stop - start + 1, dtype=np.int64)
            return none, np.zeros(0, dtype=np.int32), np.zeros(0)
        room = np.minimum(self._near_entries[start:stop], np.arange(start, stop)).sum()
        base = self.near_base
        lists: tuple[Array, Array, Array] = near_rows(
            self._kind,
            start,
            stop,
            self._set_indptr,
            self._set_indices,
            self._label_indptr,
            self._label_sets,
            self._label_weights,
            self._set_weights,
            np.zeros(0) if base is None else base,
            self._bandwidth,
            self.counts,
            int(room),
            reach,
        )
        return lists

    @cached_property
    def _near_entries(self) -> Array:
        return self.near_entries()

    def _diagonal(self) -> Array:
        if self._kind == RBF:
            return np.ones(self.n_groups)
        own = np.where(np.diff(self._set_indptr) == 0, self._empty, 1.0)
        result: Array = own / self.counts if self._kind == SAME_CLASS else own
        return result

    def _median_distance(self, largest: int) -> float:
        parts = run_blocks(
            lambda a, b: distance_histogram(
                a,
                b,
                self._set_indptr,
                self._set_indices,
                self._label_indptr,
                self._label_sets,
                self.counts,
                2 * largest + 1,
            ),
            self.n_groups,
            block=256,
        )
        return histogram_median(np.sum(parts, axis=0))


class RowGraph(GroupGraph):
    """A sparse similarity of single rows.

    Parameters
    ----------
    similarities : csr_array of shape (n_samples, n_samples)
        Symmetric, non-negative.
    self_loops : bool
        Whether a row is its own neighbour.
    """

    def __init__(self, similarities: Any, *, self_loops: bool = False) -> None:
        counts = np.ones(similarities.shape[0], dtype=np.int64)
        super().__init__(counts, self_loops=self_loops)
        self._similarities = sparse.csr_array(similarities)

    def fill(self, start: int, stop: int, rows: Array) -> None:
        """Write the rows start..stop-1 of J."""
        rows[:] = self._similarities[start:stop, : rows.shape[1]].toarray()

    def near_entries(self) -> Array:
        """Return how many rows each is a neighbour of."""
        result: Array = np.diff(self._similarities.indptr)
        return result

    def near_steps(self, row_lengths: Array) -> tuple[float, float]:
        """Return entries of all lists of neighbours, and values that they hold."""
        neighbors = self._similarities.indices
        return float(len(neighbors)), float(row_lengths[neighbors].sum() / 2)

    def near_rows(
        self, start: int, stop: int, reach: Array
    ) -> tuple[Array, Array, Array]:
        """Return a list of the smaller neighbours of some rows, with weights."""
        rows = self._similarities[start:stop].tocoo()
        other = rows.col != rows.row + start
        reach[start:stop] = np.bincount(
            rows.row[other], rows.data[other], minlength=stop - start
        )
        less = rows.col < rows.row + start
        sizes = np.bincount(rows.row[less], minlength=stop - start)
        indptr = np.concatenate([[0], np.cumsum(sizes)])
        return indptr, rows.col[less].astype(np.int32), rows.data[less]

    def _diagonal(self) -> Array:
        result: Array = self._similarities.diagonal()
        return result


def histogram_median(counts: Array) -> float:
    """Return the median distance, from counts of each squared distance.

    Zero distances are left out; 1.0 if there is no other. With an even number of
    pairs it is the mean of the middle two.
    """
    positive = np.array(counts)
    positive[:1] = 0
    total = int(positive.sum())
    if total == 0:
        return 1.0
    cumulative = np.cumsum(positive)
    lower = np.searchsorted(cumulative, (total + 1) // 2)
    upper = np.searchsorted(cumulative, total // 2 + 1)
    return float((np.sqrt(lower) + np.sqrt(upper)) / 2.0)
