"""How often each bin of each feature occurs with each label: counts that add up.

``ContingencyCounts`` is what the whole count family reads: chi-square, information
gain and its kin, cost-sensitive selection. It is filled block by block
(``update``) and summed over processes (``merge``); everything in it is a whole number,
so that neither blocks nor their order can change an answer.

A first block whose table of bins x labels would have more cells than there is to count
is kept as coded rows, from which a fused kernel scores without any table. Otherwise,
and from the second block on, rows are counted into the table, as long as that has at
most ``TABLE_LIMIT`` cells; beyond it the coded rows are kept.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse

from labelsift.encode.codes import Codes
from labelsift.encode.labels import LabelMatrix
from labelsift.kernels.bin_rows import sizes_of_codes, sizes_of_entries
from labelsift.kernels.blocks import shared
from labelsift.kernels.counts import count_columns, count_dense
from labelsift.kernels.threads import run_blocks
from labelsift.statistics.coded_rows import (
    CodedRows,
    index_arrays,
    places_of_zero,
    side_by_side,
)

_BLOCKS = 32  # of features, at most, for threads
TABLE_LIMIT = 2**25
"""Cells of the largest table that is kept (256 MB)."""


class ContingencyCounts:
    """Counts of feature bins against labels.

    Parameters
    ----------
    n_features, n_labels : int
        Shape of the data.

    Attributes
    ----------
    n_samples : int
        Rows seen.
    label_counts : ndarray of shape (n_labels,), int64
        Rows that carry each label.
    """

    def __init__(self, n_features: int, n_labels: int) -> None:
        self.n_features = n_features
        self.n_labels = n_labels
        self.n_samples = 0
        self.label_counts = np.zeros(n_labels, dtype=np.int64)
        self._rows = CodedRows()
        self._table: BinTable | None = None

    def update(self, codes: Codes, labels: LabelMatrix) -> None:
        """Add a block of rows.

        Parameters
        ----------
        codes : Codes
            The coded features of the rows. All blocks have the same bins, or carry
            the categories that their codes stand for.
        labels : LabelMatrix
            Their labels.
        """
        values = labels.values
        if not sparse.issparse(values):
            values = sparse.csr_array(values)
        self.n_samples += codes.n_samples
        self.label_counts += np.bincount(values.indices, minlength=self.n_labels)
        if self._table is not None:
            self._add_table(_counted(codes, values))
            return
        self._rows.add(codes, values)
        if self._wants_table():
            self._settle()

    def merge(self, other: Self) -> None:
        """Add what another statistic has counted; ``other`` stays as it is.

        Parameters
        ----------
        other : ContingencyCounts
            Counts of other rows over the same features and labels.
        """
        if (self.n_features, self.n_labels) != (other.n_features, other.n_labels):
            raise ValueError(
                f"counts of {other.n_features} features x {other.n_labels} labels "
                f"cannot be merged into {self.n_features} x {self.n_labels}."
            )
        self.n_samples += other.n_samples
        self.label_counts = self.label_counts + other.label_counts
        self._rows.extend(other._rows)
        if other._table is not None:
            self._add_table(other._table)
        if self._wants_table():
            self._settle()

    def limit_memory(self, limit: int | None) -> None:
        """Keep at most so many bytes of coded rows in memory, the rest on disk."""
        if limit is not None:
            self._rows.limit = limit

    @property
    def nbytes(self) -> int:
        """Memory that the counts take."""
        if self._table is not None:
            return int(self._table.counts.nbytes)
        return self._rows.nbytes

    def coded(self) -> CodedRows | None:
        """Return all coded rows and their labels, or None if a table is kept."""
        if self._table is not None or not len(self._rows):
            return None
        return self._rows

    def table(self) -> BinTable:
        """Return the counts as a table, counting rows that were not counted yet.

        The rows of default bins hold what is left, so every bin is complete.
        """
        return self.open_table().completed(self.n_samples, self.label_counts)

    def open_table(self) -> BinTable:
        """Return the counts as a table whose default bins are left empty."""
        if self._table is None:
            if not len(self._rows):
                raise ValueError("no rows have been counted yet.")
            parts = [_counted(*block) for block in self._rows.blocks()]
            table = parts[0]
            for part in parts[1:]:
                table = table.plus(part)
            return table
        return self._table

    def bin_rows(self) -> BinTable:
        """Return the rows of each bin, as a table without labels."""
        if self._table is not None:
            return self._table.for_labels(0, 0).completed(
                self.n_samples, self.label_counts[:0]
            )
        sizes, bins, default = [], [], []
        categories: list[np.ndarray[Any, Any]] = []
        for _, _, codes in self._rows.ranges():
            sizes.append(_bin_sizes(codes))
            bins.append(codes.n_bins)
            default.append(codes.default)
            categories.extend(codes.categories or ())
        offsets = np.concatenate([[0], np.cumsum(np.concatenate(bins))])
        rows = np.concatenate(sizes)
        return BinTable(
            np.zeros((len(rows), 0), dtype=np.int64),
            rows,
            offsets.astype(np.int64),
            np.concatenate(default),
            tuple(categories) or None,
        ).completed(self.n_samples, self.label_counts[:0])

    def for_labels(self, start: int, stop: int) -> ContingencyCounts:
        """Return the counts of some labels alone."""
        part = ContingencyCounts(self.n_features, stop - start)
        part.n_samples = self.n_samples
        part.label_counts = self.label_counts[start:stop]
        part._rows = self._rows.for_labels(start, stop)
        if self._table is not None:
            part._table = self._table.for_labels(start, stop)
        return part

    def for_features(self, features: np.ndarray[Any, Any]) -> ContingencyCounts:
        """Return the counts of some features alone, in ascending order."""
        part = ContingencyCounts(len(features), self.n_labels)
        part.n_samples, part.label_counts = self.n_samples, self.label_counts
        found = []
        for start, stop, codes in self._rows.ranges():
            inside = features[(features >= start) & (features < stop)] - start
            found += [codes.take(int(f), int(f) + 1) for f in inside]
        part._rows.add(side_by_side(found), self._rows.labels())
        return part

    def _wants_table(self) -> bool:
        if self._table is not None or len(self._rows) > 1:
            return True
        if not len(self._rows):
            return False
        codes, labels = next(self._rows.blocks())
        entries = codes.values.nnz if codes.is_sparse else codes.values.size
        meetings = entries * labels.nnz // max(codes.n_samples, 1)
        return bool(int(codes.n_bins.sum()) * self.n_labels <= meetings)

    @property
    def fits_table(self) -> bool:
        """Whether the counts are in a table, or could be."""
        is_small = self._rows.most_bins * self.n_labels <= TABLE_LIMIT
        return self._table is not None or is_small

    def _settle(self) -> None:
        """Count the rows kept so far into the table, if it is small enough."""
        if not self.fits_table:
            return
        for codes, labels in self._rows.blocks():
            self._add_table(_counted(codes, labels))
        self._rows.clear()

    def _add_table(self, table: BinTable) -> None:
        if self._table is None:
            self._table = table.copy()
        else:
            self._table = self._table.plus(table)


class BinTable:
    """Counts of every bin of every feature, one row a bin.

    Parameters
    ----------
    counts : ndarray of shape (n_bins_in_all, n_labels), int64
        Rows in the bin that carry the label; those of feature ``f`` are
        ``counts[offsets[f]:offsets[f + 1]]``.
    bin_rows : ndarray of shape (n_bins_in_all,), int64
        Rows in the bin.
    offsets : ndarray of shape (n_features + 1,), int64
        Where the bins of each feature start.
    default : ndarray of shape (n_features,), int64
        The bin that was left out of the counting, -1 for none; see ``Codes``.
    categories : tuple of ndarray, optional
        The value of each bin, where bins stand for single values.
    """

    def __init__(
        self,
        counts: np.ndarray[Any, Any],
        bin_rows: np.ndarray[Any, Any],
        offsets: np.ndarray[Any, Any],
        default: np.ndarray[Any, Any],
        categories: tuple[np.ndarray[Any, Any], ...] | None = None,
    ) -> None:
        self.counts = counts
        self.bin_rows = bin_rows
        self.offsets = offsets
        self.default = default
        self.categories = categories

    def copy(self) -> BinTable:
        """Return a table that shares no counts with this one."""
        return BinTable(
            self.counts.copy(),
            self.bin_rows.copy(),
            self.offsets,
            self.default,
            self.categories,
        )

    def for_labels(self, start: int, stop: int) -> BinTable:
        """Return the counts of some labels alone."""
        counts = np.ascontiguousarray(self.counts[:, start:stop])
        return BinTable(
            counts, self.bin_rows, self.offsets, self.default, self.categories
        )

    def completed(self, n: int, label_counts: np.ndarray[Any, Any]) -> BinTable:
        """Return the table with the default bins filled by what is left."""
        done = self.copy()
        first = self.offsets[:-1]
        left = np.flatnonzero(self.default >= 0)
        rows = first[left] + self.default[left]
        done.bin_rows[rows] = n - np.add.reduceat(self.bin_rows, first)[left]
        done.counts[rows] = label_counts - np.add.reduceat(self.counts, first)[left]
        return done

    def plus(self, other: BinTable) -> BinTable:
        """Return the sum of two tables, over the union of their categories."""
        a, b = self, other
        if self.categories is not None and other.categories is not None:
            union = tuple(
                x if np.array_equal(x, y) else np.union1d(x, y)
                for x, y in zip(self.categories, other.categories, strict=True)
            )
            a, b = self._over(union), other._over(union)
        elif not np.array_equal(a.offsets, b.offsets):
            raise ValueError("blocks coded with different cut points cannot be added.")
        return BinTable(
            a.counts + b.counts,
            a.bin_rows + b.bin_rows,
            a.offsets,
            np.maximum(a.default, b.default),
            a.categories,
        )

    def _over(self, union: tuple[np.ndarray[Any, Any], ...]) -> BinTable:
        categories = self.categories
        assert categories is not None
        lengths = [len(values) for values in union]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        if np.array_equal(offsets, self.offsets):
            return self
        places = np.concatenate(
            [
                start + np.searchsorted(wide, narrow)
                for start, wide, narrow in zip(offsets, union, categories, strict=False)
            ]
        )
        counts = np.zeros((offsets[-1], self.counts.shape[1]), dtype=np.int64)
        bin_rows = np.zeros(offsets[-1], dtype=np.int64)
        counts[places], bin_rows[places] = self.counts, self.bin_rows
        return BinTable(counts, bin_rows, offsets, places_of_zero(union), union)


def _bin_sizes(codes: Codes) -> np.ndarray[Any, Any]:
    """Return the rows of each bin, those of default bins left out."""
    first_bin = np.concatenate([[0], np.cumsum(codes.n_bins)]).astype(np.int64)
    sizes = np.zeros(first_bin[-1], dtype=np.int64)
    d = codes.n_features
    if codes.is_sparse:
        indptr, _ = index_arrays(codes.values)
        run_blocks(
            lambda start, stop: sizes_of_entries(
                indptr, codes.values.data, first_bin, start, stop, sizes
            ),
            d,
            block=shared(d, _BLOCKS),
        )
    else:
        run_blocks(
            lambda start, stop: sizes_of_codes(
                codes.values, codes.default, first_bin, start, stop, sizes
            ),
            d,
            block=shared(d, _BLOCKS),
        )
    return sizes


def _counted(codes: Codes, values: Any) -> BinTable:
    offsets = np.concatenate([[0], np.cumsum(codes.n_bins)]).astype(np.int64)
    counts = np.zeros((offsets[-1], values.shape[1]), dtype=np.int64)
    bin_rows = np.zeros(offsets[-1], dtype=np.int64)
    indptr, indices = index_arrays(values)
    d = codes.n_features
    if codes.is_sparse:
        columns = codes.values
        x_indptr, x_indices = index_arrays(columns)
        run_blocks(
            lambda start, stop: count_columns(
                x_indptr,
                x_indices,
                columns.data,
                offsets,
                indptr,
                indices,
                start,
                stop,
                bin_rows,
                counts,
            ),
            d,
            block=shared(d, _BLOCKS),
        )
    else:
        run_blocks(
            lambda start, stop: count_dense(
                codes.values,
                codes.default,
                offsets,
                indptr,
                indices,
                start,
                stop,
                bin_rows,
                counts,
            ),
            d,
            block=shared(d, _BLOCKS),
        )
    return BinTable(counts, bin_rows, offsets, codes.default, codes.categories)
