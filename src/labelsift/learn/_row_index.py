"""Exact nearest rows at the speed of a matrix product."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels import neighbors as dense_kernels
from labelsift.kernels import neighbors_sparse as sparse_kernels
from labelsift.kernels.blas import one_blas_thread
from labelsift.kernels.threads import run_blocks
from labelsift.learn._column_space import ColumnSpace
from labelsift.learn._screen import (
    DenseScreen,
    Embedding,
    SparseScreen,
    is_whole,
    largest,
)

Array = np.ndarray[Any, Any]

_BLOCK_ENTRIES = 1 << 24  # inner products held at once: 64 MB of float32


class RowIndex:
    """Training rows, ready to be searched.

    The squared distance of two rows is the sum of their squared differences in column
    order, in double precision; equal distances go to the lower row. Inner products
    only exclude rows, with a proven bound on their error, so that neither the BLAS nor
    the number of threads has a say in the answer.

    Parameters
    ----------
    space : ColumnSpace
        Columns as the distance sees them.
    values : ndarray or csr_array of shape (n_rows, n_features)
        Prepared rows.
    """

    def __init__(self, space: ColumnSpace, values: Any) -> None:
        self.space = space
        self.values = values
        self.n_rows = int(values.shape[0])
        self._screens: dict[Any, DenseScreen] = {}

    def nearest(
        self, queries: Any, k: int, *, itself: bool = False, missing: bool = False
    ) -> tuple[Array, Array]:
        """Return the k nearest rows of each query and their squared distances.

        Parameters
        ----------
        queries : ndarray or csr_array
            Prepared rows; of the same kind as the training rows.
        k : int
            At most the number of rows, less one where ``itself``.
        itself : bool, default=False
            The queries are the training rows: row i is not its own neighbour.
        missing : bool, default=False
            Whether queries have missing values.

        Returns
        -------
        index : ndarray of shape (n_queries, k), int64
            Nearest first; equal distances in row order.
        squared : ndarray of shape (n_queries, k), float64
            Squared distances.
        """
        n = queries.shape[0]
        index = np.empty((n, k), dtype=np.int64)
        squared = np.empty((n, k))
        direct = missing or self.space.has_missing or not self._in_range(queries)
        if sparse.issparse(self.values):
            if direct or not self._sparse_screened(queries, k, itself, index, squared):
                self._direct(queries, k, itself, index, squared, missing)
        elif direct:
            self._direct(queries, k, itself, index, squared, missing)
        else:
            with one_blas_thread():
                self._dense_screened(queries, k, itself, index, squared)
        return index, squared

    def distances(self, queries: Any, *, missing: bool = False) -> Array:
        """Return exact squared distances of queries to every training row."""
        out = np.empty((queries.shape[0], self.n_rows))
        space = self.space
        direct = missing or space.has_missing or not self._in_range(queries)
        if not direct and self._exact_products(queries, out):
            return out
        plain = not (space.nominal.any() or missing or space.has_missing)
        if sparse.issparse(self.values):

            def work(start: int, stop: int) -> None:
                sparse_kernels.sparse_distances(
                    *_parts(queries),
                    start,
                    *_parts(self.values),
                    space.default,
                    space.nominal,
                    space.spans,
                    plain,
                    out[start:stop],
                )
        else:

            def work(start: int, stop: int) -> None:
                dense_kernels.dense_distances(
                    queries[start:stop],
                    self.values,
                    space.nominal,
                    space.spans,
                    plain,
                    out[start:stop],
                )

        run_blocks(work, queries.shape[0], block=16)
        return out

    def _exact_products(self, queries: Any, out: Array) -> bool:
        """Fill distances from inner products, where these are exact; else False."""
        if sparse.issparse(self.values):
            if not self._two_valued(queries):
                return False
            points, norms, _, exact = self._sparse_screen.place(queries)
            if exact:
                run_blocks(
                    lambda a, b: self._products(points, a, b, out[a:b]),
                    len(out),
                    block=64,
                )
                np.multiply(out, -2.0, out=out)
                out += norms[:, None]
                out += self._sparse_screen.norms
            return exact
        embedded, extra = self._embedding.apply(queries)
        kind = self._whole_kind(embedded)
        if kind is None:
            return False
        screen = self._screen(kind, exact=True)
        points, norms = screen.place(embedded, extra)
        with one_blas_thread():
            np.multiply(points @ screen.points.T, -2.0, out=out)
        out += norms[:, None]
        out += screen.norms
        return True

    def _direct(
        self,
        queries: Any,
        k: int,
        itself: bool,
        index: Array,
        squared: Array,
        missing: bool,
    ) -> None:
        block = max(1, _BLOCK_ENTRIES // 2 // self.n_rows)
        zeros = np.zeros(self.n_rows)
        for start in range(0, queries.shape[0], block):
            stop = min(start + block, queries.shape[0])
            D = self.distances(queries[start:stop], missing=missing)
            dense_kernels.nearest(
                -D,
                zeros,
                1.0,
                np.zeros(stop - start),
                start if itself else -1,
                k,
                index[start:stop],
                squared[start:stop],
            )

    def _in_range(self, queries: Any) -> bool:
        """Return whether no square overflows or vanishes."""
        top = max(largest(self.values), largest(queries))
        return top < 1e150 and (top > 1e-140 or top == 0.0)

    def _dense_screened(
        self, queries: Any, k: int, itself: bool, index: Array, squared: Array
    ) -> None:
        embedded, extra = self._embedding.apply(queries)
        kind = self._whole_kind(embedded)
        for dtype in (kind,) if kind else (np.float32, np.float64):
            screen = self._screen(dtype, exact=kind is not None)
            points, norms = screen.points, screen.norms
            if not itself:
                points, norms = screen.place(embedded, extra)
            if self._run_screen(
                screen, points, norms, queries, k, itself, index, squared
            ):
                return

    def _run_screen(
        self,
        screen: DenseScreen,
        points: Array,
        norms: Array,
        queries: Array,
        k: int,
        itself: bool,
        index: Array,
        squared: Array,
    ) -> bool:
        """Fill the nearest rows; False if the screen lets too many rows through."""
        n = len(points)
        whole: Array | None = None
        if itself and n * n <= _BLOCK_ENTRIES and points.shape[1] > 200:
            whole = points @ points.T  # a table times itself: half the work

        def work(start: int, stop: int) -> int:
            rows = slice(start, stop)
            G = points[rows] @ screen.points.T if whole is None else whole[rows]
            first = start if itself else -1
            if screen.exact:
                dense_kernels.nearest(
                    G,
                    screen.half,
                    2.0,
                    norms[rows],
                    first,
                    k,
                    index[rows],
                    squared[rows],
                )
                return 0
            return int(
                dense_kernels.nearest_dense(
                    G,
                    screen.low,
                    screen.high,
                    screen.slack(norms[rows]),
                    queries[rows],
                    self.values,
                    self.space.nominal,
                    not self.space.nominal.any(),
                    first,
                    k,
                    index[rows],
                    squared[rows],
                )
            )

        block = min(256, max(16, (1 << 21) // self.n_rows))
        trial = min(n, 64)
        compared = work(0, trial)
        if screen.dtype == np.float32 and compared > 16 * (k + 8) * trial:
            return False
        run_blocks(
            lambda start, stop: work(trial + start, trial + stop),
            n - trial,
            block=block,
        )
        return True

    @property
    def _embedding(self) -> Embedding:
        if not hasattr(self, "_embedded"):
            self._embedded = Embedding(self.values, self.space.nominal)
            self._points, self._extra = self._embedded.apply(self.values)
        return self._embedded

    def _screen(self, dtype: Any, *, exact: bool) -> DenseScreen:
        key = np.dtype(dtype), exact
        if key not in self._screens:
            self._screens[key] = DenseScreen(
                self._points, self._extra, key[0], exact=exact
            )
        return self._screens[key]

    def _whole_kind(self, embedded: Array) -> Any:
        """Return the float type in which all inner products are exact, or None."""
        both = (embedded,) if embedded is self._points else (embedded, self._points)
        if not all(is_whole(points) for points in both):
            return None
        top = max(largest(points) for points in both)
        bound = 4.0 * top * top * max(1, embedded.shape[1])
        return np.float32 if bound < 2**24 else np.float64 if bound < 2**53 else None

    def _two_valued(self, queries: Any) -> bool:
        """Return whether nominal columns hold 0 and 1 only, like numbers."""
        nominal = self.space.nominal
        if not nominal.any():
            return True
        both = [rows.data[nominal[rows.indices]] for rows in (self.values, queries)]
        return all(bool(((codes == 0) | (codes == 1)).all()) for codes in both)

    @property
    def _sparse_screen(self) -> SparseScreen:
        if not hasattr(self, "_stored_screen"):
            self._stored_screen = SparseScreen(self.values, self.space.default)
        return self._stored_screen

    def _products(self, points: Any, start: int, stop: int, out: Array) -> None:
        columns = self._sparse_screen.columns
        sparse_kernels.products(*_parts(points), start, stop, *_parts(columns), out)

    def _sparse_screened(
        self, queries: Any, k: int, itself: bool, index: Array, squared: Array
    ) -> bool:
        """Fill the nearest rows; False if inner products do not say enough."""
        if not self._two_valued(queries):
            return False
        space, screen = self.space, self._sparse_screen
        points, norms, error, exact = screen.place(queries)
        a_parts, b_parts = _parts(queries), _parts(self.values)
        half, errors = screen.norms / 2.0, screen.norms * error

        def work(start: int, stop: int) -> None:
            G = np.empty((stop - start, self.n_rows))
            self._products(points, start, stop, G)
            rows = slice(start, stop)
            first = start if itself else -1
            if exact:
                dense_kernels.nearest(
                    G,
                    half,
                    2.0,
                    norms[rows],
                    first,
                    k,
                    index[rows],
                    squared[rows],
                )
            else:
                sparse_kernels.nearest_candidates(
                    *a_parts,
                    start,
                    *b_parts,
                    space.default,
                    space.nominal,
                    space.spans,
                    not space.nominal.any(),
                    half,
                    errors,
                    norms[rows] * error,
                    G,
                    first,
                    k,
                    index[rows],
                    squared[rows],
                )

        block = max(1, min(64, (1 << 21) // self.n_rows))
        run_blocks(work, queries.shape[0], block=block)
        return True


def _parts(rows: Any) -> tuple[Array, Array, Array]:
    return (
        rows.indptr.astype(np.int64, copy=False),
        rows.indices.astype(np.int64, copy=False),
        rows.data,
    )
