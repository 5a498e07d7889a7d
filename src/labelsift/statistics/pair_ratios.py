"""Gain ratios of every feature on every pair of labels or classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from labelsift.encode.sorted_columns import columns_a_block
from labelsift.kernels.mdl_two_classes import log_table, pair_gain_ratios
from labelsift.kernels.progress import Tally
from labelsift.kernels.threads import run_blocks
from labelsift.kernels.value_ranks import value_ranks
from labelsift.read.dataset import Matrix


def usable_pairs(
    Y: Matrix,
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the pairs of labels that part some rows, and how many rows each has.

    Parameters
    ----------
    Y : csr_array of shape (n_samples, n_labels)
        0/1 labels.

    Returns
    -------
    first, second, sizes : ndarray of shape (n_pairs,), int64
        The labels of each pair, and the rows with exactly one of the two; only pairs
        where each label occurs without the other.
    """
    counts = np.asarray((Y.T.astype(np.int64) @ Y.astype(np.int64)).todense())
    alone = np.diag(counts)[:, None] - counts  # rows with a and without b
    first, second = np.triu_indices(Y.shape[1], k=1)
    usable = (alone[first, second] > 0) & (alone[second, first] > 0)
    first, second = first[usable], second[usable]
    return first, second, alone[first, second] + alone[second, first]


def pair_ratios(
    X: Matrix,
    Y: Matrix,
    first: np.ndarray[Any, Any],
    second: np.ndarray[Any, Any],
    rule: int,
) -> np.ndarray[Any, Any]:
    """Cut every feature inside every pair of labels; return the gain ratios.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; rows where a feature is NaN are left out for that feature.
    Y : csr_array of shape (n_samples, n_labels)
        0/1 labels. A pair's rows are those with exactly one of its labels.
    first, second : ndarray of shape (n_pairs,), int
        The labels of each pair.
    rule : int
        How to cut (see ``labelsift.kernels.mdl``).

    Returns
    -------
    ndarray of shape (n_features, n_pairs), float64
        From 0 to 1. Each feature is sorted once: time O(d (n log n + sum of the
        pairs' rows)).
    """
    n, d = X.shape
    X = sparse.csc_array(X) if sparse.issparse(X) else X
    table = log_table(n)
    start, of = Y.indptr.astype(np.int64), Y.indices.astype(np.int64)
    n_labels = Y.shape[1]
    done = Tally("features", d)

    def work(lo: int, hi: int) -> np.ndarray[Any, Any]:
        block = X[:, lo:hi].toarray() if sparse.issparse(X) else X[:, lo:hi]
        columns = np.ascontiguousarray(block.T, dtype=np.float64)
        order = np.argsort(columns, axis=1)
        ranks, n_known = value_ranks(columns, order)
        rules = np.full(hi - lo, rule, dtype=np.int64)
        ratios: np.ndarray[Any, Any] = pair_gain_ratios(
            order, ranks, n_known, start, of, n_labels, first, second, rules, table
        )
        done.add(hi - lo)
        return ratios

    return np.vstack(run_blocks(work, d, block=columns_a_block(n)))
