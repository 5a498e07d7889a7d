"""The distinct label sets of a table, numbered in order of appearance."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from labelsift.encode.labels import LabelMatrix
from labelsift.kernels.moments import group_label_sets, list_labels, refill_table

Array = np.ndarray[Any, Any]


def label_lists(labels: LabelMatrix, start: int, stop: int) -> tuple[Array, Array]:
    """Return the labels of rows start..stop-1, as CSR ``indptr`` and ``indices``."""
    if sparse.issparse(labels.values):
        block = labels.values[start:stop]
        return block.indptr.astype(np.int64), block.indices.astype(np.int32)
    values = labels.values[start:stop]
    indptr = np.zeros(stop - start + 1, dtype=np.int64)
    indices = np.empty(np.count_nonzero(values) + 1, dtype=np.int32)
    used = list_labels(values, indptr, indices)
    return indptr, indices[:used]


class LabelSets:
    """A growing list of distinct label sets.

    No object of size n x n or n x 2**q is made: memory is that of the distinct sets.
    """

    def __init__(self) -> None:
        self.n_sets = 0
        # room is made when sets come
        self._table = np.array([], dtype=np.int64)
        self._keys = np.array([], dtype=np.int64)
        self._indptr = np.array([0], dtype=np.int64)
        self._indices = np.array([], dtype=np.int32)

    @property
    def indptr(self) -> Array:
        """Where the labels of each set begin in ``indices``; (n_sets + 1,)."""
        return self._indptr[: self.n_sets + 1]

    @property
    def indices(self) -> Array:
        """The sorted labels of all sets, one set after the other."""
        return self._indices[: self._indptr[self.n_sets]]

    def add(self, indptr: Array, indices: Array) -> Array:
        """Return the number of each row's label set, entering new ones.

        Parameters
        ----------
        indptr : ndarray of shape (n_rows + 1,), int64
            Where the labels of each row begin in ``indices``.
        indices : ndarray, int32
            Sorted label indices.
        """
        n_rows = len(indptr) - 1
        self._make_room(n_rows, len(indices))
        groups = np.empty(n_rows, dtype=np.int32)
        self.n_sets = group_label_sets(
            indptr,
            indices,
            self.n_sets,
            self._table,
            self._keys,
            self._indptr,
            self._indices,
            groups,
        )
        return groups

    def _make_room(self, n_rows: int, n_entries: int) -> None:
        sets = self.n_sets + n_rows
        self._keys = _grown(self._keys, sets)
        self._indptr = _grown(self._indptr, sets + 1)
        self._indices = _grown(
            self._indices, int(self._indptr[self.n_sets]) + n_entries
        )
        if 2 * sets > len(self._table):
            size = 1 << (2 * sets).bit_length()
            self._table = np.full(size, -1, dtype=np.int64)
            refill_table(self._table, self._keys, self.n_sets)


def _grown(array: Array, size: int) -> Array:
    if size <= len(array):
        return array
    larger = np.zeros((max(size, 2 * len(array)), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
