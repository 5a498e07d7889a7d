"""Graphs over groups of equal rows, given a block of similarity rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
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


class GroupGraph:
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

    def fill(self, start: int, stop: int, rows: Array) -> None:
        """Write the rows start..stop-1 of J, as many columns as ``rows`` has."""
        raise NotImplementedError

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
