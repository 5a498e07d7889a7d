"""Sums of every feature over groups of rows, weighted by what the graph says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.kernels.spectral import (
    add_dense_forms,
    add_sparse_forms,
    centre_moments,
    multiply_rows,
)
from labelsift.kernels.threads import run_blocks
from labelsift.statistics.label_moments import LabelMoments

Array = np.ndarray[Any, Any]
_COLUMNS = 32  # dense columns handled together
_SMALL = 1 << 23  # multiplications that one thread does at once
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
        mean = weighted(np.ones((1, u)), sums)[0] / moments.n_samples
        # to a width of whole vectors: the rest of a loop costs as much as the loop
        self.width = _whole_vectors(moments.n_features)
        self._sums = np.zeros((u, self.width))
        self._squares = np.zeros((u, self.width))
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

    def add_forms(self, start: int, rows: Array, forms: Array) -> None:
        """Add the part of the rows of J from ``start`` on to s'Js (width,)."""

        def work(a: int, b: int) -> None:
            part = np.ascontiguousarray(self._sums[:, a:b])
            add_dense_forms(rows, start, part, forms[a:b])

        # a few columns fit the cache; starting threads is not free
        small = rows.size * len(forms) < _SMALL
        run_blocks(work, len(forms), block=len(forms) if small else _COLUMNS)

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
        self.width = moments.n_features
        self.total = np.asarray(self._sums.sum(axis=0)).ravel()
        sizes = np.diff(self._sums.indptr)
        self._full = np.flatnonzero(sizes > max(32, moments.n_sets // 2))
        self._few = np.flatnonzero(sizes <= max(32, moments.n_sets // 2))
        self._indptr = self._sums.indptr.astype(np.int64)

    def columns(self, start: int, stop: int) -> tuple[Array, Array]:
        """Return copies of sums and squares of some columns, (u, stop - start)."""
        return (
            np.ascontiguousarray(self._sums[:, start:stop].toarray()),
            np.ascontiguousarray(self._squares[:, start:stop].toarray()),
        )

    def chunks(self, n_groups: int) -> int:
        """Return how many columns to handle at a time."""
        return max(_COLUMNS, _DENSE_BYTES // (8 * n_groups))

    def add_forms(self, start: int, rows: Array, forms: Array) -> None:
        """Add the part of the rows of J from ``start`` on to s'Js."""

        def few(a: int, b: int) -> None:
            add_sparse_forms(
                rows,
                start,
                self._indptr,
                self._sums.indices,
                self._sums.data,
                self._few,
                a,
                b,
                forms,
            )

        def full(a: int, b: int) -> None:
            chosen = self._full[a:b]
            dense = np.zeros((self._sums.shape[0], _whole_vectors(len(chosen))))
            dense[:, : len(chosen)] = self._sums[:, chosen].toarray()
            part = np.zeros(dense.shape[1])
            add_dense_forms(rows, start, dense, part)
            forms[chosen] += part[: len(chosen)]

        run_blocks(full, len(self._full), block=_COLUMNS)
        run_blocks(few, len(self._few), block=64)

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
