"""Pearson's chi-square of every feature with every label."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.encode.codes import Codes
from labelsift.kernels.chi2 import (
    CRAMERS_V,
    P_VALUE,
    PLAIN,
    minus_log10_p,
    score_rows,
    score_table,
)
from labelsift.kernels.tables import table_chi_squares
from labelsift.kernels.threads import run_blocks
from labelsift.statistics.counts import ContingencyCounts, index_arrays
from labelsift.statistics.tables import ContingencyTables

CORRECTIONS = {None: PLAIN, "p_value": P_VALUE, "cramers_v": CRAMERS_V}
LARGEST_N = 2**31 - 1


def chi2_of_tables(
    tables: ContingencyTables,
    *,
    variant: str = "full",
    correction: str | None = None,
) -> np.ndarray[Any, Any]:
    """Return the statistic of tables of bins by any number of classes.

    Parameters
    ----------
    tables : ContingencyTables
        One table a feature, or a feature and label.
    variant : {"full", "simplified"}
        As for ``chi2_scores``; the simplified form needs tables of two classes.
    correction : {None, "p_value", "cramers_v"}
        As for ``chi2_scores``; with more than two classes V is divided by
        ``min(bins, classes) - 1``.

    Returns
    -------
    ndarray of shape (n_tables,), float64
        0 where the table has one bin or one class.
    """
    values, n, n_classes, squares = table_chi_squares(tables.counts, tables.n_bins).T
    n = np.maximum(n, 1.0)
    result: np.ndarray[Any, Any]
    if variant == "simplified":  # p (N - p) = (N^2 - p^2 - (N - p)^2) / 2
        result = values * (n * n - squares) / (2 * n)
    elif correction == "cramers_v":
        least = np.maximum(np.minimum(tables.n_bins, n_classes) - 1, 1)
        result = np.sqrt(values / (n * least))
    elif correction == "p_value":
        freedom = (tables.n_bins - 1) * (n_classes.astype(np.int64) - 1)
        result = np.zeros(len(values))
        for i, (value, df) in enumerate(zip(values, freedom, strict=True)):
            result[i] = minus_log10_p(value, df)
    else:
        result = values.copy()
    return result


def chi2_scores(
    counts: ContingencyCounts,
    *,
    variant: str = "full",
    correction: str | None = None,
    pairs: bool = False,
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the mean, maximum and minimum over labels, and the pairs on request.

    Parameters
    ----------
    counts : ContingencyCounts
        Bins against labels.
    variant : {"full", "simplified"}
        Pearson's statistic, or that times ``p (N - p) / N`` for a label of ``p`` among
        ``N`` rows.
    correction : {None, "p_value", "cramers_v"}
        The statistic as it is, ``-log10`` of its p-value, or Cramer's V.
    pairs : bool
        Whether to return the scores of all pairs.

    Returns
    -------
    aggregates : ndarray of shape (n_features, 3), float64
        Mean, maximum and minimum.
    table : ndarray of shape (n_features, n_labels) or (0, n_labels), float64
        The pairs.

    Notes
    -----
    From coded rows: time is that of the meetings of stored entries with labels, plus
    features times distinct label sizes; memory beyond the data that of a few arrays
    over the labels for each thread.
    """
    n, d, q = counts.n_samples, counts.n_features, counts.n_labels
    if n > LARGEST_N:
        raise ValueError(f"at most {LARGEST_N} rows can be scored; found {n}.")
    class_p, label_class, class_size = np.unique(
        counts.label_counts, return_inverse=True, return_counts=True
    )
    if variant == "full":
        divisor = class_p.astype(np.float64) * (n - class_p)
        divisor[divisor == 0] = 1.0
    else:
        divisor = np.full(len(class_p), float(n))
    classes: tuple[Any, ...] = class_p, divisor, class_size
    labels: tuple[Any, ...]
    kind = CORRECTIONS[correction]
    out = np.empty((d, 3))
    table = np.empty((d if pairs else 0, q))
    coded = counts.rows()
    if coded is None:
        bins = counts.open_table()
        labels = (label_class.astype(np.int32), *classes)

        def work(start: int, stop: int) -> None:
            tally = bins.counts, bins.bin_rows, bins.offsets
            score_table(*tally, n, labels, kind, start, stop, out, table)
    else:
        codes, of_rows = coded
        # frequent labels first: what is read most lies together
        label_at = np.argsort(-counts.label_counts, kind="stable")
        number = np.empty(q, dtype=np.uint32)
        number[label_at] = np.arange(q, dtype=np.uint32)
        indptr, indices = index_arrays(of_rows)
        Y = indptr, number[indices]
        labels = (label_class[label_at].astype(np.int32), *classes, label_at)
        dense, columns = _arrays(codes)

        def work(start: int, stop: int) -> None:
            bins = codes.n_bins, codes.default
            score_rows(
                dense, columns, *bins, n, Y, labels, kind, start, stop, out, table
            )

    run_blocks(work, d, block=max(1, -(-d // 64)))
    return out, table


def _arrays(codes: Codes) -> tuple[Any, tuple[Any, Any, Any]]:
    """Return the codes as the kernel takes them: dense, and column-compressed."""
    if codes.is_sparse:
        entries = codes.values.data
        indptr, indices = index_arrays(codes.values)
        nothing = np.empty((0, 0), dtype=entries.dtype)
        return nothing, (indptr, indices.view(np.uint32), entries)
    none = np.zeros(0, dtype=codes.values.dtype)
    return codes.values, (np.zeros(1, np.int64), np.zeros(0, np.uint32), none)
