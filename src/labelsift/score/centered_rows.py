"""Rows less their means, scaled, for regressions; sparse rows stay sparse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.blas import one_blas_thread
from labelsift.kernels.blocks import shared
from labelsift.kernels.threads import run_blocks
from labelsift.score.ranking import rounded

Array = np.ndarray[Any, Any]
_NARROW = 512  # columns whose products with each other take little memory


class CenteredRows:
    """A table ``Z = (X - mean) * factor`` that products are asked of.

    Columns of a sparse table that hide zeros keep their means apart, and products are
    put right in closed form.

    Parameters
    ----------
    X : ndarray or sparse array of shape (n_samples, n_features)
        Finite values.
    scale : {"zscore", "minmax", "none"}
        What columns are divided by: standard deviation, range, 1. Constant columns
        become zeros, but for ``"none"`` without centring.
    center : bool
        Whether means are taken off.
    """

    def __init__(self, X: Any, *, scale: str = "zscore", center: bool = True) -> None:
        self.n, self.d = X.shape
        self._is_sparse = sparse.issparse(X)
        if self._is_sparse:
            columns = sparse.csc_array(X, dtype=np.float64, copy=True)
            columns.sum_duplicates()
            mean, deviation, low, high = _column_facts(columns)
        else:
            columns = np.array(X, dtype=np.float64, order="C")
            low, high = columns.min(axis=0), columns.max(axis=0)
            mean = low + (columns - low).mean(axis=0)
            deviation = (columns - mean).std(axis=0)
        self.is_constant = ~(high > low)
        spread = {"zscore": deviation, "minmax": high - low, "none": np.ones(self.d)}
        divisor = np.where(self.is_constant, 1.0, spread[scale])
        divisor[divisor == 0] = 1.0  # a spread too small for a square to be told from 0
        # in 12 digits they are the same whether X was sparse or not, so that equally
        # distant rows stay so
        factors = np.where(self.is_constant & center, 0.0, 1.0 / divisor)
        self.factors = rounded(factors)
        shift = mean if center else np.zeros(self.d)
        if not self._is_sparse:
            columns -= shift
            columns *= self.factors
            self._Z, self._shift = columns, np.zeros(self.d)
            return
        stored = np.diff(columns.indptr)
        of_column = np.repeat(np.arange(self.d), stored)
        full = stored == self.n
        columns.data -= np.where(full, shift, 0.0)[of_column]
        columns.data *= self.factors[of_column]
        self._shift = np.where(full, 0.0, shift) * self.factors
        self._Z = sparse.csr_array(columns)

    def times(self, W: Array) -> Array:
        """Return ``Z W``; (n_samples, k) for W (n_features, k)."""
        if self._is_sparse:
            product: Array = self._Z @ W - self._shift @ W
            return product
        found = np.empty((self.n, W.shape[1]))

        def part(start: int, stop: int) -> None:
            np.matmul(self._Z[start:stop], W, out=found[start:stop])

        run_blocks(part, self.n, block=_part_of(self.n))
        return found

    def transposed_times(self, R: Array) -> Array:
        """Return ``Z' R``; (n_features, k) for R (n_samples, k)."""
        if self._is_sparse:
            product: Array = self._Z.T @ R
            return product - np.outer(self._shift, R.sum(axis=0))
        return _in_order(lambda a, b: self._Z[a:b].T @ R[a:b], self.n)

    def gram(self, weights: Array) -> Array:
        """Return ``Z' diag(weights) Z``; (n_features, n_features)."""
        Z = self._Z
        if not self._is_sparse:
            scaled = np.sqrt(weights)[:, None] * Z
            return _gram(scaled)
        moved = np.outer(Z.T @ weights, self._shift)
        product = (Z.T @ (sparse.diags_array(weights) @ Z)).toarray()
        result: Array = product - moved - moved.T
        result += weights.sum() * np.outer(self._shift, self._shift)
        return result

    def outer(self, weights: Array) -> Array:
        """Return ``Z diag(weights) Z'``; (n_samples, n_samples)."""
        Z = self._Z
        if not self._is_sparse:
            return _gram(np.ascontiguousarray((Z * np.sqrt(weights)).T))
        product = (Z @ sparse.diags_array(weights) @ Z.T).toarray()
        moved = Z @ (weights * self._shift)
        result: Array = product - moved[:, None] - moved
        result += (weights * self._shift**2).sum()
        return result


def _part_of(n: int) -> int:
    return max(1024, shared(n, 4))


def _in_order(work: Callable[[int, int], Array], n: int) -> Array:
    """Return the sum of what is found of parts of the rows, in their order."""
    first, *more = run_blocks(work, n, block=_part_of(n))
    for other in more:
        first += other
    return first


def _gram(scaled: Array) -> Array:
    """Return ``scaled' scaled``; half of it is computed, and that in threads."""
    n, d = scaled.shape
    if d <= _NARROW:  # the BLAS sees that it is symmetric
        with one_blas_thread():
            return _in_order(lambda a, b: scaled[a:b].T @ scaled[a:b], n)
    found = np.empty((d, d))

    def panel(start: int, stop: int) -> None:
        product = scaled[:, start:].T @ scaled[:, start:stop]
        found[start:, start:stop] = product
        found[start:stop, start:] = product.T

    with one_blas_thread():
        run_blocks(panel, d, block=shared(d, 16))
    return found


def _column_facts(columns: Any) -> tuple[Array, Array, Array, Array]:
    """Return mean, deviation, smallest and largest value of sparse columns."""
    n, d = columns.shape
    stored = np.diff(columns.indptr)
    of_column = np.repeat(np.arange(d), stored)
    hidden = stored < n
    low = np.where(hidden, 0.0, np.inf)
    high = np.where(hidden, 0.0, -np.inf)
    np.minimum.at(low, of_column, columns.data)
    np.maximum.at(high, of_column, columns.data)
    origin = np.where(hidden, 0.0, low)
    moved = np.bincount(of_column, columns.data - origin[of_column], minlength=d)
    mean = origin + moved / n
    squares = np.bincount(of_column, (columns.data - mean[of_column]) ** 2, minlength=d)
    squares = squares + (n - stored) * mean**2  # counts of nothing are integers
    return mean, np.sqrt(squares / n), low, high
