"""Columns of a table in the order of their values, shared by all trees on its rows."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.tree_answers import class_counts
from labelsift.kernels.tree_cuts import Columns, choose_cuts
from labelsift.kernels.tree_levels import Trees, first_level, next_level
from labelsift.learn.grown_tree import GrownTree

Array = np.ndarray[Any, Any]

_MOST_BITS = 44  # of a fraction of k log2 k
_AT_ONCE = 1 << 20  # values that are sorted at once


class TreeTable:
    """The columns of ``X``, sorted once; grows any number of trees on them.

    A column keeps no entry for its most frequent value where more than half of the rows
    have it, and sparse columns none for zero: work on a column takes as long as it has
    entries.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_rows, n_features)
        Rows; NaN where missing (dense only).

    Notes
    -----
    Time O(n d log n). Memory: 4 bytes an entry for less than 65 536 rows, else 8, and 8
    for each distinct value; a tree that grows needs twice its entries.
    """

    def __init__(self, X: Any) -> None:
        self.n_rows, self.n_features = X.shape
        self.columns = _of_sparse(X) if sparse.issparse(X) else _of_dense(X)

    def grow(
        self,
        y: Array,
        n_classes: int,
        min_samples_leaf: int,
        *,
        rows: Array | None = None,
        features: Array | None = None,
        sizes: Array | None = None,
    ) -> list[GrownTree]:
        """Return a tree for each prefix of a list of columns.

        Parameters
        ----------
        y : ndarray of int64, one for each row that is used
            Classes from 0.
        n_classes : int
            Classes.
        min_samples_leaf : int
            Rows that a leaf has at least.
        rows : ndarray of int64, optional
            Rows that are used, rising. Default: all.
        features : ndarray of int64, optional
            Columns, each once. Default: all.
        sizes : ndarray of int64, optional
            Lengths of prefixes, rising. Default: all of ``features``.

        Returns
        -------
        list of GrownTree
            Their features are columns of the table. Equal gains: the lowest column,
            then the lowest threshold. Where a node has no missing values in its column,
            those to come go to the side with more rows.

        Notes
        -----
        The same trees as each alone: sizes share the nodes that have the same rows.
        Time O(n d) for each level of one tree.
        """
        seen = np.ones(self.n_rows, dtype=np.bool_)
        kind = np.uint16 if self.columns.shift == 16 else np.int64
        classes = np.ascontiguousarray(y, dtype=kind)
        if rows is not None:
            seen[:] = False
            seen[rows] = True
            classes = np.zeros(self.n_rows, dtype=kind)
            classes[rows] = y
        if features is None:
            features = np.arange(self.n_features)
        if sizes is None:
            sizes = np.array([len(features)])
        features = np.asarray(features[: sizes[-1]], dtype=np.int64)
        sizes = np.asarray(sizes, dtype=np.int64)
        bits = _bits(len(y))
        powers = _powers(max(len(y), 1024), bits)
        columns, least = self.columns, min(int(min_samples_leaf), len(y))
        trees = _room(len(sizes), max(1, 2 * (len(y) // least) - 1), self.n_rows)
        level = first_level(
            columns.entries, columns.starts, columns.shift, seen, features, len(sizes)
        )
        while len(level[0]):
            nodes, held, active, numbers = level
            about, best = choose_cuts(
                columns, nodes, held, active, classes, n_classes, features, sizes,
                least, powers,
            )  # fmt: skip
            level = next_level(
                columns, nodes, held, active, numbers, about, best, classes, features,
                sizes, least, trees,
            )  # fmt: skip
        return [
            _finished(trees, s, classes, n_classes, bits) for s in range(len(sizes))
        ]


def _room(n_trees: int, n_nodes: int, n_rows: int) -> Trees:
    return Trees(
        np.ones(n_trees, dtype=np.int64),
        np.full((n_trees, n_nodes, 2), -1),
        np.full((n_trees, n_nodes, 2), -2),
        np.full((n_trees, n_nodes), -2.0),
        np.zeros((n_trees, n_nodes, 3), dtype=np.int64),
        np.full((n_trees, n_rows), -1),
    )


def _finished(trees: Trees, s: int, y: Array, n_classes: int, bits: int) -> GrownTree:
    count = trees.n_nodes[s]
    left, right = trees.children[s, :count].T.copy()
    cuts, about = trees.cuts[s, :count], trees.about[s, :count]
    counts = class_counts(left, right, trees.leaves[s], y, n_classes)
    return GrownTree(
        left,
        right,
        cuts[:, 0].copy(),
        trees.thresholds[s, :count].copy(),
        cuts[:, 1] == 1,
        about[:, 0].copy(),
        about[:, 2] / 2.0**bits / about[:, 0],
        counts,
    )


@lru_cache(maxsize=8)
def _powers(n: int, bits: int) -> Array:
    """Return k log2 k for k up to n, in units of ``2 ** -bits``, as whole numbers.

    The logarithm of a product is the sum of those of its primes, exactly: so gains that
    are equal by arithmetic are equal here.
    """
    logs = np.zeros(n + 1, dtype=np.int64)
    is_prime = np.ones(n + 1, dtype=np.bool_)
    for p in range(2, n + 1):
        if is_prime[p]:
            log = round(math.log2(p) * 2.0**bits)
            is_prime[2 * p :: p] = False
            power = p
            while power <= n:
                logs[power::power] += log
                power *= p
    return logs * np.arange(n + 1)


def _bits(n: int) -> int:
    """Return how many bits of a fraction n log2 n may have within 61 bits in all."""
    return min(_MOST_BITS, int(61 - np.log2(n * np.log2(n + 1) + 1)))


def _of_dense(X: Array) -> Columns:
    n, d = X.shape
    shift = _shift(n)
    step = max(1, _AT_ONCE // n)
    blocks = [_block(X[:, f : f + step], shift) for f in range(0, d, step)]
    entries, lengths, base, values, n_values = (
        np.concatenate(parts) for parts in zip(*blocks, strict=True)
    )
    starts, value_starts = _starts(lengths), _starts(n_values)
    return Columns(entries, starts, base, n_values, values, value_starts, shift)


def _block(X: Array, shift: int) -> tuple[Array, ...]:
    """Return entries, their numbers, base, values and their numbers of some columns."""
    columns = np.ascontiguousarray(X.T, dtype=np.float64)
    n = columns.shape[1]
    rows = np.argsort(columns, axis=1, kind="stable")  # missing values last
    ordered = np.take_along_axis(columns, rows, axis=1)
    is_known = ~np.isnan(ordered)
    is_new = is_known.copy()
    is_new[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    n_values = is_new.sum(axis=1)
    codes = np.where(is_known, np.cumsum(is_new, axis=1) - 1, n_values[:, None])
    usual = codes[:, n // 2]  # a value that more than half of the rows have is here
    has_usual = 2 * (codes == usual[:, None]).sum(axis=1) > n
    base = np.where(has_usual, usual, n_values)
    kept = (codes != base[:, None]) | ~is_known
    entries = _packed(codes[kept], rows[kept], shift)
    return entries, kept.sum(axis=1), base, ordered[is_new], n_values


def _of_sparse(X: Any) -> Columns:
    columns = sparse.csc_array(X, dtype=np.float64, copy=True)
    columns.sum_duplicates()
    columns.eliminate_zeros()
    n, d = columns.shape
    shift = _shift(n)
    lengths = np.diff(columns.indptr).astype(np.int64)
    of = np.repeat(np.arange(d), lengths)
    order = np.lexsort((columns.data, of))
    data, rows = columns.data[order], columns.indices[order].astype(np.int64)
    is_new = np.ones(len(data), dtype=np.bool_)
    is_new[1:] = (data[1:] != data[:-1]) | (of[1:] != of[:-1])
    has_zero = (lengths < n).astype(np.int64)
    distinct = np.bincount(of[is_new], minlength=d)
    n_negative = np.bincount(of[is_new & (data < 0)], minlength=d)
    codes = np.cumsum(is_new) - 1 - _starts(distinct)[of]
    codes += np.where(data > 0, has_zero[of], 0)
    n_values = distinct + has_zero
    base = np.where(has_zero == 1, n_negative, n_values)
    values = np.zeros(n_values.sum())
    value_starts = _starts(n_values)
    values[value_starts[of[is_new]] + codes[is_new]] = data[is_new]
    entries = _packed(codes, rows, shift)
    return Columns(
        entries, _starts(lengths), base, n_values, values, value_starts, shift
    )


def _shift(n: int) -> int:
    """Return the bits of a row; a code is at most the number of rows."""
    return 16 if n < 1 << 16 else 32


def _packed(codes: Array, rows: Array, shift: int) -> Array:
    packed: Array = codes << shift | rows
    return packed.astype(np.uint32) if shift == 16 else packed


def _starts(lengths: Array) -> Array:
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts
