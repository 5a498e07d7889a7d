"""Gain ratios of every feature on every pair of labels or classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.encode.sorted_columns import (
    SortedColumns,
    columns_a_block,
    sort_columns,
)
from labelsift.kernels.blocks import fitting
from labelsift.kernels.mdl_two_classes import (
    EVERY_VALUE,
    FAYYAD_IRANI_BETTER,
    log_table,
    pair_gain_ratios,
)
from labelsift.kernels.progress import Tally
from labelsift.kernels.threads import run_blocks
from labelsift.kernels.two_value_pairs import two_value_ratios
from labelsift.read.dataset import Matrix

_CELLS_A_BLOCK = 4_000_000
"""Gain ratios of a block of features: some dozen blocks before it takes long."""


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
    counts = _rows_with_both(Y)
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
    *,
    by_counts: bool = True,
) -> np.ndarray[Any, Any]:
    """Cut every feature inside every pair of labels; return the gain ratios.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; rows where a feature is NaN are left out for that feature.
    Y : csr_array of shape (n_samples, n_labels)
        0/1 labels. A pair's rows are those with exactly one of its labels.
    first, second : ndarray of shape (n_pairs,), int
        The labels of each pair, ``first`` rising.
    rule : int
        How to cut (see ``labelsift.kernels.mdl``).
    by_counts : bool, default=True
        Whether features of two values are spared the walk over the rows of each pair.
        The answer is the same to the last bit.

    Returns
    -------
    ndarray of shape (n_features, n_pairs), float64
        From 0 to 1. Each feature is sorted once. A feature of two values costs a few
        look-ups a pair: time O(n_pairs + r l^2) for r rows with its rarer value, or
        with a stored one where ``X`` is sparse, of l labels each. Any other costs
        O(n log n + sum of the pairs' rows). Beyond the answer, memory is that of a few
        columns.
    """
    n, d = X.shape
    X = sparse.csc_array(X) if sparse.issparse(X) else X
    pairs = _Pairs.of(Y, first, second)
    by_counts = by_counts and rule in (FAYYAD_IRANI_BETTER, EVERY_VALUE)
    table = log_table(n)
    ratios = np.zeros((d, len(first)))
    done = Tally("features", d)

    def work(lo: int, hi: int) -> None:
        block = sort_columns(X, lo, hi)
        top = _top_ranks(block)
        two = np.flatnonzero(top == 1) if by_counts else np.empty(0, dtype=np.int64)
        more = np.flatnonzero(top > (1 if by_counts else 0))
        if len(two):
            _by_counts(block, two, pairs, rule, table, ratios[lo:hi])
        if len(more):
            if sparse.issparse(X):  # a few columns at a time are written out
                block = sort_columns(X[:, lo + more].toarray(), 0, len(more))
            else:
                block = block.only(more)
            _by_rows(block, n, pairs, rule, table, more, ratios[lo:hi])
        done.add(hi - lo)

    width = min(columns_a_block(n), fitting(_CELLS_A_BLOCK, len(first)))
    run_blocks(work, d, block=width)
    return ratios


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of labels and the rows that they have, as the kernels want them."""

    label_start: np.ndarray[Any, Any]
    label_of: np.ndarray[Any, Any]
    n_with: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    second: np.ndarray[Any, Any]
    start: np.ndarray[Any, Any]
    n_both: np.ndarray[Any, Any]

    @classmethod
    def of(
        cls, Y: Matrix, first: np.ndarray[Any, Any], second: np.ndarray[Any, Any]
    ) -> _Pairs:
        n_both = _rows_with_both(Y)
        return cls(
            Y.indptr.astype(np.int64),
            Y.indices.astype(np.int32),
            np.diag(n_both).copy(),
            first.astype(np.int32),
            second.astype(np.int32),
            np.searchsorted(first, np.arange(Y.shape[1] + 1)).astype(np.int64),
            n_both[first, second].astype(np.int32),
        )


def _rows_with_both(Y: Matrix) -> np.ndarray[Any, Any]:
    counts = Y.T.astype(np.int64) @ Y.astype(np.int64)
    return np.asarray(counts.todense())


def _top_ranks(block: SortedColumns) -> np.ndarray[Any, Any]:
    """Return the largest rank of each feature: 0 where constant, -1 where missing."""
    known = block.n_known > 0
    top = block.zero_rank.copy()
    last = block.start[:-1][known] + block.n_known[known] - 1
    top[known] = np.maximum(top[known], block.ranks[last])
    return top


def _by_counts(
    block: SortedColumns,
    features: np.ndarray[Any, Any],
    pairs: _Pairs,
    rule: int,
    table: np.ndarray[Any, Any],
    ratios: np.ndarray[Any, Any],
) -> None:
    begin = block.start[features]
    end = begin + block.n_known[features]
    n_high = np.array(
        [block.ranks[lo:hi].sum() for lo, hi in zip(begin, end, strict=True)]
    )
    has_zeros = block.zero_rank[features] >= 0  # those listed have the other value
    is_high = np.where(
        has_zeros, block.zero_rank[features] == 0, 2 * n_high <= end - begin
    )
    low_end = end - n_high
    two_value_ratios(
        block.rows,
        np.c_[
            np.where(is_high, low_end, begin), np.where(is_high, end, low_end)
        ].astype(np.int64),
        np.c_[end, block.start[features + 1]].astype(np.int64),
        is_high,
        pairs.label_start,
        pairs.label_of,
        pairs.n_with,
        pairs.start,
        pairs.second,
        pairs.n_both,
        rule,
        table,
        features,
        ratios,
    )


def _by_rows(
    block: SortedColumns,
    n: int,
    pairs: _Pairs,
    rule: int,
    table: np.ndarray[Any, Any],
    features: np.ndarray[Any, Any],
    ratios: np.ndarray[Any, Any],
) -> None:
    pair_gain_ratios(
        block.rows.reshape(-1, n),
        block.ranks.reshape(-1, n),
        block.n_known,
        pairs.label_start,
        pairs.label_of,
        len(pairs.n_with),
        pairs.first,
        pairs.second,
        np.full(len(features), rule, dtype=np.int64),
        table,
        features,
        ratios,
    )
