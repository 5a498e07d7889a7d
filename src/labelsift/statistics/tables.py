"""Tables of bins by classes, one for each feature and problem, of any numbers of bins.

Where each problem cuts a feature in its own way there is no one array of counts; the
tables lie one after the other instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.encode.codes import Codes
from labelsift.encode.label_transform import ClassProblem
from labelsift.encode.sorted_columns import columns_a_block, sort_columns
from labelsift.kernels import mdl, mdl_two_classes
from labelsift.kernels import tables as kernels
from labelsift.kernels.blocks import fitting, shared
from labelsift.kernels.progress import Tally
from labelsift.kernels.threads import run_blocks
from labelsift.read.dataset import Matrix
from labelsift.statistics.counts import BinTable, ContingencyCounts

EVERY_VALUE = mdl.EVERY_VALUE
CELL_LIMIT = 2**25
"""Scores (features x labels) of one part of the labels."""
_LABEL_BYTES = 1 << 27  # 0/1 labels held as bytes at a time


@dataclass(frozen=True, eq=False)
class ContingencyTables:
    """Counts of bins by classes for many tables.

    Parameters
    ----------
    counts : ndarray of shape (n_rows, n_classes), float64
        The rows (bins) of all tables, one table after the other.
    n_bins : ndarray of shape (n_tables,), int64
        Bins of each table.
    missing : ndarray of shape (n_tables, n_classes), float64
        Rows of each class whose bin is not known.
    """

    counts: np.ndarray[Any, Any]
    n_bins: np.ndarray[Any, Any]
    missing: np.ndarray[Any, Any]

    def with_missing_spread(self) -> ContingencyTables:
        """Return the tables with the missing rows shared out among the bins."""
        if not self.missing.any():
            return self
        spread = kernels.spread_missing(self.counts, self.n_bins, self.missing)
        return ContingencyTables(spread, self.n_bins, np.zeros_like(self.missing))


Measure = Callable[[ContingencyTables], np.ndarray[Any, Any]]


def measure_labels(
    X: Matrix, Y: Matrix, rules: np.ndarray[Any, Any], measure: Measure
) -> np.ndarray[Any, Any]:
    """Cut every feature for every label on its own and measure the tables.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; NaN where missing. Sparse columns cost their stored entries only.
    Y : ndarray or csr_array of shape (n_samples, n_labels), uint8
        0/1 labels; the classes of the tables are "without" and "with".
    rules : ndarray of shape (n_features,), int64
        Which rule cuts each feature (see ``labelsift.kernels.mdl``).
    measure : callable
        From tables to one number a table.

    Returns
    -------
    ndarray of shape (n_features, n_labels), float64
        Time O(d n log n + d n L).
    """
    n, d = X.shape
    n_labels = Y.shape[1]
    X = sparse.csc_array(X) if sparse.issparse(X) else X
    by_label = sparse.csc_array(Y) if sparse.issparse(Y) else Y
    table = mdl_two_classes.log_table(n)
    width = fitting(_LABEL_BYTES, n)
    done = Tally("features", d * -(-n_labels // width), told_as=d)
    parts = []
    for first in range(0, n_labels, width):
        part = by_label[:, first : first + width]
        part = part.toarray() if sparse.issparse(part) else part
        codes = np.ascontiguousarray(part.T, dtype=np.uint8)

        def work(
            start: int, stop: int, codes: np.ndarray[Any, Any] = codes
        ) -> np.ndarray[Any, Any]:
            block = sort_columns(X, start, stop)
            counts, n_bins, missing = mdl_two_classes.label_tables(
                block.rows,
                block.ranks,
                block.start,
                block.n_known,
                block.zero_rank,
                codes,
                rules[start:stop],
                table,
            )
            tables = ContingencyTables(counts, n_bins.ravel(), missing.reshape(-1, 2))
            measured = measure(tables).reshape(stop - start, len(codes))
            done.add(stop - start)
            return measured

        size = columns_a_block(_entries_a_column(X), len(codes))
        parts.append(np.vstack(run_blocks(work, d, block=size)))
    return np.hstack(parts)


def measure_classes(
    X: Matrix, problem: ClassProblem, rules: np.ndarray[Any, Any], measure: Measure
) -> np.ndarray[Any, Any]:
    """Cut every feature for one class problem and measure the tables.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; NaN where missing.
    problem : ClassProblem
        The classes of the rows.
    rules : ndarray of shape (n_features,), int64
        Which rule cuts each feature.
    measure : callable
        From tables to one number, or a row of numbers, a table.

    Returns
    -------
    ndarray of shape (n_features, ...), float64
        What ``measure`` gives for each feature.
    """
    X = sparse.csc_array(X) if sparse.issparse(X) else X

    def work(start: int, stop: int) -> np.ndarray[Any, Any]:
        block = sort_columns(X, start, stop)
        counts, n_bins, missing, _, _ = mdl.class_tables(
            block.rows,
            block.ranks,
            block.start,
            block.n_known,
            block.zero_rank,
            problem.start,
            problem.classes,
            problem.weights,
            problem.n_classes,
            problem.is_weighted,
            rules[start:stop],
        )
        return measure(ContingencyTables(counts, n_bins, missing))

    size = columns_a_block(_entries_a_column(X) + problem.n_classes)
    return np.concatenate(run_blocks(work, X.shape[1], block=size))


def measure_coded_classes(
    codes: Codes, problem: ClassProblem, measure: Measure
) -> np.ndarray[Any, Any]:
    """Measure bins against the classes of one problem, from coded rows.

    Parameters
    ----------
    codes : Codes
        Not sparse; the last bin of every feature is that of missing values.
    problem : ClassProblem
        The classes of the rows.
    measure : callable
        From tables to one number, or a row of numbers, a table.

    Returns
    -------
    ndarray of shape (n_features, ...), float64
        What ``measure`` gives for each feature.
    """

    def work(start: int, stop: int) -> np.ndarray[Any, Any]:
        tables = kernels.class_tables_of_codes(
            codes.values,
            codes.n_bins,
            problem.start,
            problem.classes,
            problem.weights,
            problem.n_classes,
            start,
            stop,
        )
        return measure(ContingencyTables(*tables))

    cells = codes.values.shape[1] + int(codes.n_bins.max()) * problem.n_classes
    size = columns_a_block(cells)
    return np.concatenate(run_blocks(work, len(codes.n_bins), block=size))


def measure_counted_labels(
    counts: ContingencyCounts, measure: Measure, *, last_is_missing: bool
) -> Iterator[np.ndarray[Any, Any]]:
    """Measure counted bins against each label on its own, a few labels at a time.

    Parameters
    ----------
    counts : ContingencyCounts
        Bins against labels.
    measure : callable
        From tables to one number a table.
    last_is_missing : bool
        Whether the last bin of each feature is that of missing values. Where bins are
        single values, a last one that is NaN is.

    Yields
    ------
    ndarray of shape (n_features, some labels), float64
        The labels in order.
    """
    d, n_labels = counts.n_features, counts.n_labels
    width = n_labels
    while width > 1 and width * d > CELL_LIMIT:
        width = -(-width // 2)
    for first in range(0, n_labels, width):
        last = min(first + width, n_labels)
        part = counts if width == n_labels else counts.for_labels(first, last)
        table = part.table()
        missing = _missing_bins(table, last_is_missing)

        def work(
            start: int,
            stop: int,
            table: BinTable = table,
            missing: np.ndarray[Any, Any] = missing,
        ) -> np.ndarray[Any, Any]:
            tables = kernels.label_tables_of_bins(
                table.counts, table.bin_rows, table.offsets, missing, start, stop
            )
            return measure(ContingencyTables(*tables)).reshape(stop - start, -1)

        yield np.vstack(run_blocks(work, d, block=fitting(20_000, last - first)))


def measure_counted_classes(
    counts: ContingencyCounts, measure: Measure, *, last_is_missing: bool
) -> np.ndarray[Any, Any]:
    """Measure counted bins against labels that are classes: one table a feature.

    Parameters
    ----------
    counts : ContingencyCounts
        Bins against classes; a row with several classes counts for each.
    measure : callable
        From tables to one number a table.
    last_is_missing : bool
        As for ``measure_counted_labels``.

    Returns
    -------
    ndarray of shape (n_features,), float64
        What ``measure`` gives.
    """
    table = counts.table()
    missing = _missing_bins(table, last_is_missing)
    tables = kernels.class_tables_of_bins(table.counts, table.offsets, missing)
    return measure(ContingencyTables(*tables))


def constant_features(
    counts: ContingencyCounts, *, last_is_missing: bool
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which features fill one bin at most, missing values aside.

    Parameters
    ----------
    counts : ContingencyCounts
        Bins against labels.
    last_is_missing : bool
        As for ``measure_counted_labels``.

    Returns
    -------
    ndarray of shape (n_features,), bool
    """
    table = counts.bin_rows()
    is_filled = table.bin_rows > 0
    missing = _missing_bins(table, last_is_missing)
    is_filled[table.offsets[1:][missing] - 1] = False
    return np.asarray(np.add.reduceat(is_filled, table.offsets[:-1], dtype=int) < 2)


def features_with_missing(
    counts: ContingencyCounts, *, last_is_missing: bool
) -> np.ndarray[Any, Any]:
    """Return which features have missing values, in ascending order.

    Parameters
    ----------
    counts : ContingencyCounts
        Bins against labels.
    last_is_missing : bool
        As for ``measure_counted_labels``.

    Returns
    -------
    ndarray of int64
        Column numbers.
    """
    table = counts.bin_rows()
    last = table.offsets[1:] - 1
    missing = _missing_bins(table, last_is_missing)
    return np.flatnonzero(missing & (table.bin_rows[last] > 0))


def _missing_bins(table: BinTable, last_is_missing: bool) -> np.ndarray[Any, Any]:
    if table.categories is not None:
        return np.array([bool(np.isnan(c[-1:]).any()) for c in table.categories])
    return np.full(len(table.offsets) - 1, last_is_missing)


def _entries_a_column(X: Matrix) -> int:
    n, d = (int(size) for size in X.shape)
    return shared(int(X.nnz), d) if sparse.issparse(X) else n
