"""Pearson's chi-square of every feature with every label."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.kernels.blocks import shared
from labelsift.kernels.pair_scores import minus_log10_p, p_values
from labelsift.kernels.pair_table import deviations_of_table
from labelsift.kernels.tables import table_chi_squares
from labelsift.kernels.threads import run_blocks
from labelsift.score.aggregate import aggregate
from labelsift.score.pairs import LARGEST_N, PairScores, score_pairs
from labelsift.statistics.counts import ContingencyCounts
from labelsift.statistics.tables import ContingencyTables

KINDS = {None: "chi2", "p_value": "chi2_p_value", "cramers_v": "cramers_v"}


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
    n_top: int = 0,
) -> PairScores:
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
    n_top : int, default=0
        For how many labels of each feature, the best, to return score and number.

    Returns
    -------
    PairScores
        See ``labelsift.score.pairs``, which tells time and memory, too.
    """
    coded = counts.coded()
    if coded is not None:
        kind = "chi2_simplified" if variant == "simplified" else KINDS[correction]
        return score_pairs(coded, counts, kind, pairs=pairs, n_top=n_top)
    n = counts.n_samples
    if n > LARGEST_N:
        raise ValueError(f"at most {LARGEST_N} rows can be scored; found {n}.")
    bins, p = counts.open_table(), counts.label_counts
    table = np.empty((counts.n_features, counts.n_labels))

    def work(start: int, stop: int) -> np.ndarray[Any, Any]:
        tally = bins.counts, bins.bin_rows, bins.offsets
        freedom: np.ndarray[Any, Any] = deviations_of_table(
            *tally, p, n, start, stop, table
        )
        return freedom

    d = counts.n_features
    freedom = np.concatenate(run_blocks(work, d, block=shared(d, 64)))
    if variant == "simplified":
        table /= n
    else:
        divisor = p.astype(np.float64) * (n - p)
        divisor[divisor == 0] = 1.0
        table /= divisor
    if correction == "p_value":
        p_values(table, freedom)
    elif correction == "cramers_v":
        table = np.sqrt(table / n)
    return PairScores.of_table(
        np.column_stack([aggregate(table, how) for how in ("mean", "max", "min")]),
        table,
        n_top,
    )
