"""Kernel values of any training rows, from one product of all rows with each other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.blas import one_blas_thread
from labelsift.kernels.threads import run_blocks

Array = np.ndarray[Any, Any]

KERNELS = ("rbf", "linear", "poly", "sigmoid")

# A product always has so many rows, padded with zeros, and all register tiles of the
# usual sizes are whole: a row's values do not depend on the rows beside it.
_BLOCK = 96
_STRIP = 128  # rows whose kernel values are found at once
_ASKED = 1 << 23  # values of asked rows held at once


class KernelTable:
    """The rows that support vector machines have in common, and their kernel values.

    Rows that are equal have one place, so that their values are equal to the last bit.

    Parameters
    ----------
    X : ndarray or csr_array of shape (n_rows, n_features)
        Training rows.
    kernel : {"rbf", "linear", "poly", "sigmoid"}
        Kernel, as in ``sklearn.svm.SVC``; likewise the parameters that follow.
    gamma : {"scale", "auto"} or float
        "scale" is that of the rows that a machine reads, not of all.
    degree : int
        Of "poly".
    coef0 : float
        Of "poly" and "sigmoid".
    """

    def __init__(
        self, X: Any, kernel: str, gamma: Any, degree: int, coef0: float
    ) -> None:
        self.kernel, self.gamma = kernel, gamma
        self.degree, self.coef0 = degree, coef0
        if sparse.issparse(X) and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        first, self.place = _distinct(X)
        self.rows = _doubles(X[first])  # a copy: the caller may alter X
        self.is_sparse = sparse.issparse(X)
        self.centre: Any = None
        if kernel == "rbf" and not self.is_sparse:
            self.centre = self.rows.mean(axis=0)  # less cancels in the distances
        points = self._points(self.rows)
        self._products: Array | None = _products_of_all(points)
        self.norms = np.ascontiguousarray(self._products.diagonal())
        if kernel == "rbf":
            _to_distances(self._products, self.norms, self.norms)
        self._middle = float(self.rows.mean())
        self._sums = _sums(self.rows, self._middle)
        self._lock = threading.Lock()
        self._whole: tuple[float, Array] | None = None

    def gamma_of(self, rows: Array | None) -> float:
        """Return gamma for some rows, as ``SVC`` finds it on them."""
        n_features = int(self.rows.shape[1])
        if self.gamma == "auto":
            return 1.0 / n_features
        if self.gamma != "scale":
            return float(self.gamma)
        places = self.places(rows)
        sums, squares = (part[places].mean() / n_features for part in self._sums)
        variance = squares - sums * sums
        if variance <= 1e-6 * squares:  # too little is left of the digits
            variance = _variance(self.rows[places])
        return 1.0 / (n_features * float(variance)) if variance != 0 else 1.0

    def values(self, rows: Array | None, gamma: float) -> Array:
        """Return the kernel values of some rows with each other."""
        if rows is not None and self.gamma == "scale":
            return self._among(self.places(rows), gamma)
        with self._lock:
            if self._whole is None or self._whole[0] != gamma:
                self._whole = gamma, self._among(np.arange(len(self.norms)), gamma)
            whole = self._whole[1]
        if rows is None and len(whole) == len(self.place):
            return whole
        places = self.places(rows)
        chosen: Array = whole[np.ix_(places, places)]
        return chosen

    def _among(self, places: Array, gamma: float) -> Array:
        """Return kernel values of some places, the half of them mirrored."""
        if self._products is None:
            raise RuntimeError("the products of the training rows were let go")
        n = len(places)
        found = np.empty((n, n))
        for start in range(0, n, _STRIP):
            stop = min(start + _STRIP, n)
            strip = self._products[places[start:stop]].take(places[:stop], axis=1)
            self.apply(strip, gamma)
            found[start:stop, :stop] = strip
            found[:start, start:stop] = strip[:, :start].T
        return found

    def places(self, rows: Array | None) -> Array:
        """Return where rows are in ``self.rows``."""
        places: Array = self.place if rows is None else self.place[rows]
        return places

    def let_go(self) -> None:
        """Forget what only the fit needs."""
        self._products = self._whole = None

    def asked(self, X: Any) -> Iterator[AskedRows]:
        """Yield rows to ask about, so many at a time as memory should hold."""
        step = max(1, _ASKED // (_BLOCK * len(self.norms))) * _BLOCK
        for start in range(0, X.shape[0], step):
            yield AskedRows(self, X[start : start + step])

    def against(self, X: Any) -> Array:
        """Return squared distances (rbf), or products, of rows and the table's."""
        points, others = self._points(_doubles(X)), self._points(self.rows)
        found = np.empty((X.shape[0], len(self.norms)))

        def some(start: int, stop: int) -> None:
            block = _padded(points[start:stop])
            found[start:stop] = _product(block, others)[: stop - start]
            if self.kernel == "rbf":
                norms = _norms(block)[: stop - start]
                _to_distances(found[start:stop], norms, self.norms)

        with one_blas_thread():
            run_blocks(some, X.shape[0], block=_BLOCK)
        return found

    def apply(self, products: Array, gamma: float) -> Array:
        """Turn products or distances into kernel values, in place."""
        if self.kernel == "rbf":
            products *= -gamma
            return np.exp(products, out=products)
        if self.kernel == "linear":
            return products
        products *= gamma
        products += self.coef0
        if self.kernel == "sigmoid":
            return np.tanh(products, out=products)
        return np.power(products, self.degree, out=products)

    def _points(self, rows: Any) -> Any:
        return rows if self.centre is None else rows - self.centre

    def __getstate__(self) -> dict[str, Any]:
        left_out = {"_lock": None, "_products": None, "_whole": None}
        return vars(self) | left_out  # nobody fits on what was pickled


class AskedRows:
    """Rows to ask about, with their products with the rows of a table.

    Parameters
    ----------
    table : KernelTable
        The table.
    rows : ndarray or csr_array of shape (n_rows, n_features)
        The rows.
    """

    def __init__(self, table: KernelTable, rows: Any) -> None:
        self.table, self.rows, self.shape = table, rows, rows.shape
        self._products = table.against(rows)
        self._whole: tuple[float, Array] | None = None

    def values(self, rows: Array | None, support: Array, gamma: float) -> Array:
        """Return kernel values with the support vectors among some training rows."""
        chosen = self.table.places(rows)[support]
        if rows is not None and self.table.gamma == "scale":
            return self.table.apply(self._products[:, chosen], gamma)
        if self._whole is None or self._whole[0] != gamma:
            self._whole = gamma, self.table.apply(self._products.copy(), gamma)
        found: Array = self._whole[1][:, chosen]
        return found


def _distinct(X: Any) -> tuple[Array, Array]:
    """Return the first row of each value, and for each row the number of its value."""
    numbers: dict[bytes, int] = {}
    first: list[int] = []
    place = np.empty(X.shape[0], dtype=np.int64)
    for i in range(X.shape[0]):
        key = _digest(X, i)
        if key not in numbers:
            numbers[key] = len(first)
            first.append(i)
        place[i] = numbers[key]
    return np.array(first, dtype=np.int64), place


def _digest(X: Any, i: int) -> bytes:
    if not sparse.issparse(X):
        return blake2b(np.ascontiguousarray(X[i]).data, digest_size=24).digest()
    part = slice(X.indptr[i], X.indptr[i + 1])
    digest = blake2b(X.indices[part].data, digest_size=24)
    digest.update(X.data[part].data)
    return digest.digest()


def _doubles(X: Any) -> Any:
    if sparse.issparse(X):
        return sparse.csr_array(X).astype(np.float64)
    return np.ascontiguousarray(X, dtype=np.float64)


def _products_of_all(points: Any) -> Array:
    """Return the products of rows with each other, symmetric to the last bit."""
    n = points.shape[0]
    found = np.empty((n, n))

    def some(start: int, stop: int) -> None:
        block = _product(_padded(points[start:stop]), points[:stop])[: stop - start]
        own = np.tril(block[:, start:])
        block[:, start:] = own + np.tril(own, -1).T
        found[start:stop, :stop] = block
        found[:start, start:stop] = block[:, :start].T

    with one_blas_thread():
        run_blocks(some, n, block=_BLOCK)
    return found


def _product(block: Any, others: Any) -> Array:
    product = block @ others.T
    dense: Array = product.toarray() if sparse.issparse(product) else product
    return dense


def _padded(block: Any) -> Any:
    if sparse.issparse(block) or len(block) == _BLOCK:
        return block
    padded = np.zeros((_BLOCK, block.shape[1]))
    padded[: len(block)] = block
    return padded


def _norms(rows: Any) -> Array:
    norms: Array
    if sparse.issparse(rows):
        norms = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    else:
        norms = np.einsum("ij,ij->i", rows, rows)
    return norms


def _to_distances(products: Array, norms: Array, others: Array) -> None:
    """Turn products into squared distances, in place."""
    products *= -2.0
    products += norms[:, None]
    products += others
    np.maximum(products, 0.0, out=products)


def _sums(rows: Any, middle: float) -> tuple[Array, Array]:
    """Return, for each row, the sum of its values less ``middle``, and of squares."""
    n_features = rows.shape[1]
    if sparse.issparse(rows):
        sums = np.asarray(rows.sum(axis=1)).ravel() - n_features * middle
        squares = _norms(rows) - 2.0 * middle * sums - n_features * middle**2
        return sums, squares
    moved = rows - middle
    return moved.sum(axis=1), _norms(moved)


def _variance(rows: Any) -> float:
    """Return the variance of all values, as ``SVC`` sums it."""
    if sparse.issparse(rows):
        return float(rows.multiply(rows).mean() - rows.mean() ** 2)
    return float(rows.var())
