"""Coded rows in blocks, and what they become: levels of features, labels by row.

Each level of a feature but the most frequent is a list of its rows or one bit a row,
whichever is quicker to count with. A sparse table stays a list of stored entries.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse

from labelsift.encode.codes import Codes
from labelsift.encode.labels import LabelMatrix
from labelsift.kernels.blocks import fitting
from labelsift.kernels.feature_levels import (
    count_codes,
    count_stored_codes,
    label_planes,
    number_levels,
    place_codes,
    place_stored_codes,
)
from labelsift.kernels.threads import run_blocks
from labelsift.statistics.coded_rows import (
    DEFAULT_LIMIT,
    CodedRows,
    index_arrays,
    stacked_rows,
)

Array = np.ndarray[Any, Any]

LIST_ROWS = 1.0
"""Rows that are listed rather than kept as bits: at most this many a word of bits."""

PLANES = 15
"""Planes of one feature at most; features of more levels are lists."""

BLOCK_WORK = 1_000_000
"""Steps that are worth a thread's while."""


class Levels(NamedTuple):
    """Off-base levels of all features; those of ``f`` are ``first[f]:first[f + 1]``.

    Kernels take it as a plain tuple: numba keeps compiled code by the types of its
    arguments, and would look for this class under the name it once had.
    """

    first: Array
    is_list: Array  # by feature: rows listed, or one bit a row
    place: Array  # by level: where its rows begin, or the number of its plane
    sizes: Array  # by level: its rows
    counts: Array  # by level and label
    sums: Array  # by level: of x log x over its counts with all labels
    rows: Array
    planes: Array
    most: int  # levels of one feature at most, the base among them
    most_planes: int  # planes of one feature at most


class Labels(NamedTuple):
    """Labels of each row, compressed, and one plane of bits a label."""

    indptr: Array
    indices: Array
    planes: Array
    counts: Array


class PairRows:
    """Coded rows and their labels, kept for counts of every two features.

    Parameters
    ----------
    n_features, n_labels : int
        Shape of the data.
    one_variable : bool, default=False
        Whether the labels are the values of one variable: the classes of a vector.
    """

    def __init__(
        self, n_features: int, n_labels: int, *, one_variable: bool = False
    ) -> None:
        self.n_features = n_features
        self.n_labels = n_labels
        self.one_variable = one_variable
        self._rows = CodedRows()

    def update(self, codes: Codes, labels: LabelMatrix) -> None:
        """Add a block of rows, coded by the same bins as the others."""
        values = labels.values
        if not sparse.issparse(values):
            values = sparse.csr_array(values)
        elif not values.has_sorted_indices:
            values = values.sorted_indices()
        self._rows.add(codes, values)

    def merge(self, other: Self) -> None:
        """Add the rows of another; it stays as it is."""
        if (self.n_features, self.n_labels) != (other.n_features, other.n_labels):
            raise ValueError(
                f"rows of {other.n_features} features x {other.n_labels} labels "
                f"cannot be added to {self.n_features} x {self.n_labels}."
            )
        self._rows.extend(other._rows)

    def limit_memory(self, limit: int | None) -> None:
        """Hold at most this many bytes of several blocks; None for the default."""
        self._rows.limit = DEFAULT_LIMIT if limit is None else limit

    @property
    def nbytes(self) -> int:
        """Memory that the rows take, on disk or not."""
        return self._rows.nbytes

    def levels(self) -> tuple[Levels, Labels]:
        """Return the levels of all features, and the labels, of all rows."""
        if not len(self._rows):
            raise ValueError("no rows have been added yet.")
        labels = _make_labels(self._rows.labels())
        parts = [_make_levels(codes, labels) for _, _, codes in self._rows.ranges()]
        return _joined_levels(parts), labels

    def with_shadows(self, columns: Array, order: Array) -> PairRows:
        """Return rows with copies of some columns behind them, reordered.

        Parameters
        ----------
        columns : ndarray of shape (n_shadows,), int64
            Columns to copy.
        order : ndarray of shape (n_shadows, n_samples), int64
            The row that each row of a copy is taken from.
        """
        n_features = self.n_features + len(columns)
        wide = PairRows(n_features, self.n_labels, one_variable=self.one_variable)
        codes, labels = stacked_rows(list(self._rows.blocks()))
        wide._rows.add(_with_shadows(codes, columns, order), labels)
        return wide


def _with_shadows(codes: Codes, columns: Array, order: Array) -> Codes:
    n_bins = np.concatenate([codes.n_bins, codes.n_bins[columns]])
    default = np.concatenate([codes.default, codes.default[columns]])
    if not codes.is_sparse:
        shadows = np.take_along_axis(codes.values[columns], order, axis=1)
        return Codes(np.concatenate([codes.values, shadows]), n_bins, default)
    copies = codes.values[:, columns].tocsc()
    for k, rows in enumerate(order):
        part = slice(copies.indptr[k], copies.indptr[k + 1])
        copies.indices[part] = np.argsort(rows)[copies.indices[part]]
    copies = sparse.csc_array(
        (copies.data, copies.indices, copies.indptr), shape=copies.shape
    )
    copies.sort_indices()
    values = sparse.hstack([codes.values, copies], format="csc")
    return Codes(values, n_bins, default)


def _joined_levels(parts: list[Levels]) -> Levels:
    """Return the levels of several ranges of features as one."""
    if len(parts) == 1:
        return parts[0]
    first, place = [np.zeros(1, dtype=np.int64)], []
    n_levels, n_rows, n_planes = 0, 0, 0
    for part in parts:
        first.append(part.first[1:] + n_levels)
        listed = np.repeat(part.is_list, np.diff(part.first))
        place.append(part.place + np.where(listed, n_rows, n_planes))
        n_levels += len(part.sizes)
        n_rows += len(part.rows)
        n_planes += len(part.planes)
    return Levels(
        np.concatenate(first),
        np.concatenate([part.is_list for part in parts]),
        np.concatenate(place),
        np.concatenate([part.sizes for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.sums for part in parts]),
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.planes for part in parts]),
        max(part.most for part in parts),
        max(part.most_planes for part in parts),
    )


def _make_labels(labels: Any) -> Labels:
    """Return the labels of a CSR matrix by row and as bits."""
    indptr, indices = index_arrays(labels)
    n, q = labels.shape
    planes = np.zeros((q, -(-n // 64)), dtype=np.uint64)
    label_planes(indptr, indices, planes)
    counts = np.bincount(indices, minlength=q).astype(np.int64)
    return Labels(indptr, indices, planes, counts)


def some_labels(labels: Labels, keep: Array) -> Labels:
    """Return some of the labels, in the order of ``keep``, which increases."""
    place = np.full(len(labels.counts), -1, dtype=np.int32)
    place[keep] = np.arange(len(keep))
    moved = place[labels.indices]
    running = np.concatenate([[0], np.cumsum(moved >= 0)])
    return Labels(
        running[labels.indptr],
        moved[moved >= 0],
        labels.planes[keep],
        labels.counts[keep],
    )


def _make_levels(codes: Codes, labels: Labels) -> Levels:
    """Return the levels of all features, counted with every label."""
    d, n = codes.n_features, codes.n_samples
    words = -(-n // 64)
    offsets = np.concatenate([[0], np.cumsum(codes.n_bins)]).astype(np.int64)
    occurs = np.zeros(offsets[-1], dtype=np.int64)
    default = codes.default
    if codes.is_sparse:
        values = codes.values
        if not values.has_sorted_indices:
            values = values.sorted_indices()
        indptr, indices = index_arrays(values)
        block = fitting(BLOCK_WORK, values.nnz // d)
        run_blocks(
            lambda start, stop: count_stored_codes(
                indptr, values.data, default, n, offsets, start, stop, occurs
            ),
            d,
            block=block,
        )
    else:
        block = fitting(BLOCK_WORK, n)
        run_blocks(
            lambda start, stop: count_codes(codes.values, offsets, start, stop, occurs),
            d,
            block=block,
        )
    numbers = np.zeros(offsets[-1], dtype=np.int64)
    base = np.empty(d, dtype=np.int64)
    n_levels = np.empty(d, dtype=np.int64)
    number_levels(offsets, occurs, default, numbers, base, n_levels)
    first = np.concatenate([[0], np.cumsum(n_levels)])
    sizes = occurs[numbers > 0]
    off_rows = n - occurs[offsets[:-1] + base]
    is_list = (off_rows <= LIST_ROWS * n_levels * words) | (n_levels > PLANES)
    of = np.repeat(np.arange(d), n_levels)
    listed = is_list[of]
    place = np.empty(len(sizes), dtype=np.int64)
    place[listed] = np.cumsum(sizes[listed]) - sizes[listed]
    place[~listed] = np.arange((~listed).sum())
    levels = Levels(
        first,
        is_list,
        place,
        sizes,
        np.zeros((len(sizes), len(labels.counts)), dtype=np.int32),
        np.zeros(len(sizes), dtype=np.int64),
        np.empty(sizes[listed].sum(), dtype=np.int32),
        np.zeros(((~listed).sum(), words), dtype=np.uint64),
        int(n_levels.max(initial=1)) + 1,
        int(n_levels[~is_list].max(initial=1)),
    )
    at = np.zeros(len(sizes), dtype=np.int64)
    begins = first, is_list, place, labels.indptr, labels.indices
    ends = levels.rows, levels.planes, levels.counts, at
    if codes.is_sparse:
        run_blocks(
            lambda start, stop: place_stored_codes(
                indptr,
                indices,
                values.data,
                default,
                offsets,
                numbers,
                start,
                stop,
                *begins,
                *ends,
            ),
            d,
            block=block,
        )
    else:
        run_blocks(
            lambda start, stop: place_codes(
                codes.values,
                offsets,
                numbers,
                start,
                stop,
                *begins,
                labels.planes,
                *ends,
            ),
            d,
            block=block,
        )
    return levels
