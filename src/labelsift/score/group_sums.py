"""Sums of every feature over groups of rows, weighted by what the graph says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.spectral import (
    add_dense_forms,
    add_sparse_forms,
    centre_moments,
    multiply_rows,
)
from labelsift.kernels.spectral_near import near_forms_dense, near_forms_sparse
from labelsift.kernels.threads import run_blocks
from labelsift.statistics.label_moments import LabelMoments

Array = np.ndarray[Any, Any]
_COLUMNS = 32  # dense columns handled together
_SMALL = 1 << 23  # multiplications that one thread does at once
_PARTS = 8  # of the sparse columns, for threads
_DENSE_BYTES = 1 << 25  # group sums of sparse columns made dense at a time


@dataclass(frozen=True)
class Degrees:
    """Degrees of a graph of groups.

    Parameters
    ----------
    reach : ndarray of shape (n_groups,), float64
        sum over h of J_gh n_h.
    own : ndarray of shape (n_groups,), float64
        J_gg without self-loops, otherwise 0.
    degree : ndarray of shape (n_groups,), float64
        Degree of each row of the group.
    """

    reach: Array
    own: Array
    degree: Array

    @property
    def inverse_root(self) -> Array:
        """Degree ** (-1/2), and 0 where the degree is 0."""
        positive = self.degree > 0
        root: Array = np.sqrt(np.where(positive, self.degree, 1.0))
        inverse: Array = positive / root
        return inverse

    @property
    def within(self) -> Array:
        """Eigenvalue of the vectors within each group that sum to zero."""
        values: Array = 1.0 + self.own * self.inverse_root**2
        return values


@dataclass(frozen=True)
class Linear:
    """Degree-, reach- and own-weighted sums (d,), and the same of squares."""

    degree_sum: Array
    reach_sum: Array
    own_sum: Array
    degree_square: Array
    own_square: Array


class DenseSums:
    """Group sums about the mean of each column, as a dense table."""

    def __init__(self, moments: LabelMoments) -> None:
        origin, sums, squares = moments.dense()
        u = moments.n_sets
        mean = weighted(np.ones((1, u)), sums).ravel() / moments.n_samples
        # to a width of whole vectors: the rest of a loop costs as much as the loop
        width = _whole_vectors(moments.n_features)
        self._sums = np.zeros((u, width))
        self._squares = np.zeros((u, width))
        self._forms = np.zeros(width)
        centre_moments(sums, squares, moments.counts, mean, self._sums, self._squares)
        self.base = origin + mean
        self.total = np.zeros(moments.n_features)  # sums about the mean are zero

    def columns(self, start: int, stop: int) -> tuple[Array, Array]:
        """Return copies of sums and squares of some columns, (u, stop - start)."""
        return (
            np.array(self._sums[:, start:stop], order="C"),
            np.array(self._squares[:, start:stop], order="C"),
        )

    def chunks(self, n_groups: int) -> int:
        """Return how many columns to handle at a time."""
        return _COLUMNS

    def add_forms(self, start: int, rows: Array) -> None:
        """Add the part of the rows of J from ``start`` on to s'Js."""
        forms = self._forms

        def work(a: int, b: int) -> None:
            part = np.ascontiguousarray(self._sums[:, a:b])
            add_dense_forms(rows, start, part, forms[a:b])

        # a few columns fit the cache; starting threads is not free
        small = rows.size * len(forms) < _SMALL
        run_blocks(work, len(forms), block=len(forms) if small else _COLUMNS)

    @property
    def forms(self) -> Array:
        """Return s'Js of every column, once all rows were added."""
        return self._forms[: len(self.base)]

    @property
    def n_columns(self) -> int:
        """Number of columns that are worked on."""
        return len(self._forms)

    @property
    def row_lengths(self) -> Array:
        """Values of each group."""
        return np.full(len(self._sums), self.n_columns)

    step_seconds = 0.3e-9  # for a value of a near group, about

    def seconds_of_all(self) -> float:
        """Return about how long one core takes for all pairs of groups."""
        u = len(self._sums)
        return float(u) ** 2 * (1.25e-9 + 0.1e-9 * self.n_columns)

    def near_adder(self) -> Callable[..., Array]:
        """Return a function of lists of near groups that gives their part of s'Js."""
        sums = self._sums
        return lambda start, indptr, near, weights, own: near_forms_dense(
            start, indptr, near, weights, own, sums
        )

    def weighted_sum(self, weights: Array) -> Array:
        """Return the sum of ``weights`` times the group sums."""
        result: Array = weighted(weights[None], self._sums).ravel()
        return result

    def linear(self, degrees: Degrees) -> Linear:
        """Return the weighted sums of every column."""
        weights = np.stack([degrees.degree, degrees.reach, degrees.own])
        sums = weighted(weights, self._sums)[:, : len(self.base)]
        squares = weighted(weights[::2], self._squares)[:, : len(self.base)]
        return Linear(*sums, *squares)


class SparseSums:
    """Group sums about 0, or about the first row in columns without zeros."""

    def __init__(self, moments: LabelMoments) -> None:
        self.base, self._sums, self._squares = moments.columns()
        self.total = np.asarray(self._sums.sum(axis=0)).ravel()
        indptr = self._sums.indptr.astype(np.int64)
        sizes = np.diff(indptr)
        by_size = np.argsort(-sizes, kind="stable")
        n_full = int((sizes > max(32, moments.n_sets // 2)).sum())
        full, rest = np.sort(by_size[:n_full]), by_size[n_full:]
        self._full = [full[i : i + _COLUMNS] for i in range(0, n_full, _COLUMNS)]
        self._dense: list[Array] = []  # tables of them, once they are needed
        # dealt out by size, so that the parts are like amounts of work
        self._parts = [rest[i::_PARTS] for i in range(_PARTS)]
        self._indptr = indptr
        self._place = indptr[:-1].copy()
        self._forms = np.zeros(moments.n_features)

    def _table(self, columns: Array) -> Array:
        table = np.zeros((self._sums.shape[0], _whole_vectors(len(columns))))
        table[:, : len(columns)] = self._sums[:, columns].toarray()
        return table

    def columns(self, start: int, stop: int) -> tuple[Array, Array]:
        """Return copies of sums and squares of some columns, (u, stop - start)."""
        return (
            np.ascontiguousarray(self._sums[:, start:stop].toarray()),
            np.ascontiguousarray(self._squares[:, start:stop].toarray()),
        )

    def chunks(self, n_groups: int) -> int:
        """Return how many columns to handle at a time."""
        return max(_COLUMNS, _DENSE_BYTES // (8 * n_groups))

    def add_forms(self, start: int, rows: Array) -> None:
        """Add the part of the rows of J from ``start`` on to s'Js."""
        if not self._dense:
            self._dense = [self._table(columns) for columns in self._full]

        def work(task: int, _: int) -> None:
            if task < len(self._full):
                dense = self._dense[task]
                part = np.zeros(dense.shape[1])
                add_dense_forms(rows, start, dense, part)
                columns = self._full[task]
                self._forms[columns] += part[: len(columns)]
                return
            add_sparse_forms(
                rows,
                start,
                self._indptr,
                self._sums.indices,
                self._sums.data,
                self._parts[task - len(self._full)],
                self._place,
                self._forms,
            )

        run_blocks(work, len(self._full) + _PARTS, block=1)

    @property
    def forms(self) -> Array:
        """Return s'Js of every column, once all rows were added."""
        return self._forms

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.base)

    @property
    def row_lengths(self) -> Array:
        """Features of each group."""
        return np.bincount(self._sums.indices, minlength=self._sums.shape[0])

    step_seconds = 1.5e-9  # for a value of a near group, about

    def seconds_of_all(self) -> float:
        """Return about how long one core takes for all pairs of groups."""
        u = float(self._sums.shape[0])
        sizes = np.diff(self._indptr).astype(np.float64)
        full = sum(len(columns) for columns in self._full)
        sparse_pairs = (sizes[np.concatenate(self._parts)] ** 2).sum() / 2
        return u**2 * (1.25e-9 + 0.1e-9 * full) + 0.7e-9 * float(sparse_pairs)

    def near_adder(self) -> Callable[..., Array]:
        """Return a function of lists of near groups that gives their part of s'Js."""
        by_group = sparse.csr_array(self._sums)
        return lambda start, indptr, near, weights, own: near_forms_sparse(
            start,
            indptr,
            near,
            weights,
            own,
            by_group.indptr,
            by_group.indices,
            by_group.data,
            self.n_columns,
        )

    def weighted_sum(self, weights: Array) -> Array:
        """Return the sum of ``weights`` times the group sums."""
        result: Array = self._sums.T @ weights
        return result

    def linear(self, degrees: Degrees) -> Linear:
        """Return the weighted sums of every column."""
        sums, squares = self._sums.T, self._squares.T
        return Linear(
            sums @ degrees.degree,
            sums @ degrees.reach,
            sums @ degrees.own,
            squares @ degrees.degree,
            squares @ degrees.own,
        )


GroupSums = DenseSums | SparseSums


def _whole_vectors(width: int) -> int:
    return -(-width // 4) * 4


def weighted(weights: Array, values: Array) -> Array:
    """Return ``weights @ values``, adding in a fixed order whatever the BLAS."""
    product = np.empty((len(weights), values.shape[1]))
    multiply_rows(np.ascontiguousarray(weights), np.ascontiguousarray(values), product)
    return product
