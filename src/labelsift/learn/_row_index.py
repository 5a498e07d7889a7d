"""Exact nearest rows at the speed of a matrix product."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels import neighbors as dense_kernels
from labelsift.kernels import neighbors_sparse as sparse_kernels
from labelsift.kernels.threads import run_blocks
from labelsift.learn._blas import one_blas_thread
from labelsift.learn._column_space import ColumnSpace

Array = np.ndarray[Any, Any]

_BLOCK_ENTRIES = 1 << 24  # inner products held at once: 64 MB of float32
_UNIT = {np.dtype(np.float32): 2.0**-24, np.dtype(np.float64): 2.0**-53}
_SQRT_HALF = np.sqrt(0.5)


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
        self._screens: dict[Any, _DenseScreen] = {}

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
                self._direct(queries, k, itself, index, squared)
        elif direct:
            self._direct(queries, k, itself, index, squared)
        else:
            with one_blas_thread():
                self._dense_screened(queries, k, itself, index, squared)
        return index, squared

    def distances(self, queries: Any, rows: Array) -> Array:
        """Return exact squared distances of some queries to every training row."""
        out = np.empty((len(rows), self.n_rows))
        space = self.space
        if sparse.issparse(self.values):

            def work(start: int, stop: int) -> None:
                sparse_kernels.sparse_distances(
                    *_parts(queries),
                    rows[start:stop],
                    *_parts(self.values),
                    space.default,
                    space.nominal,
                    space.spans,
                    out[start:stop],
                )
        else:
            picked = queries[rows]
            plain = not (
                space.nominal.any() or space.has_missing or np.isnan(picked).any()
            )

            def work(start: int, stop: int) -> None:
                dense_kernels.dense_distances(
                    picked[start:stop],
                    self.values,
                    space.nominal,
                    space.spans,
                    plain,
                    out[start:stop],
                )

        run_blocks(work, len(rows), block=16)
        return out

    def _direct(
        self, queries: Any, k: int, itself: bool, index: Array, squared: Array
    ) -> None:
        block = max(1, _BLOCK_ENTRIES // 2 // self.n_rows)
        zeros = np.zeros(self.n_rows)
        for start in range(0, queries.shape[0], block):
            stop = min(start + block, queries.shape[0])
            D = self.distances(queries, np.arange(start, stop))
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
        top = max(_largest(self.values), _largest(queries))
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
        screen: _DenseScreen,
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
    def _embedding(self) -> _Embedding:
        if not hasattr(self, "_embedded"):
            self._embedded = _Embedding(self.values, self.space.nominal)
            self._points, self._extra = self._embedded.apply(self.values)
        return self._embedded

    def _screen(self, dtype: Any, *, exact: bool) -> _DenseScreen:
        key = np.dtype(dtype), exact
        if key not in self._screens:
            self._screens[key] = _DenseScreen(
                self._points, self._extra, key[0], exact=exact
            )
        return self._screens[key]

    def _whole_kind(self, embedded: Array) -> Any:
        """Return the float type in which all inner products are exact, or None."""
        both = (embedded,) if embedded is self._points else (embedded, self._points)
        if not all(_is_whole(points) for points in both):
            return None
        top = max(_largest(points) for points in both)
        bound = 4.0 * top * top * max(1, embedded.shape[1])
        return np.float32 if bound < 2**24 else np.float64 if bound < 2**53 else None

    def _sparse_screened(
        self, queries: Any, k: int, itself: bool, index: Array, squared: Array
    ) -> bool:
        space = self.space
        nominal = space.nominal
        if nominal.any():
            for rows in (self.values, queries):
                codes = rows.data[nominal[rows.indices]]
                if not np.isin(codes, (0.0, 1.0)).all():
                    return False  # more than two values: no inner product says enough
        shifted = _shift(queries, space.default)
        if not hasattr(self, "_columns"):
            rows = (
                shifted
                if queries is self.values
                else _shift(self.values, space.default)
            )
            self._columns = sparse.csc_array(rows)
            self._norms = _sparse_norms(rows)
        norms = _sparse_norms(shifted)
        data = self._columns.data, shifted.data
        top = max((float(np.abs(v).max()) for v in data if v.size), default=0.0)
        exact = all(_is_whole(v[None]) for v in data) and (
            4.0 * top * top * self.values.shape[1] < 2**53
        )
        longest = int(np.diff(shifted.indptr).max(initial=0))
        error = (longest + 32) * 2.0**-53 * 2.0
        block = max(1, min(64, (1 << 21) // self.n_rows))
        a_parts, b_parts = _parts(queries), _parts(self.values)
        s_parts, c_parts = _parts(shifted), _parts(self._columns)

        def work(start: int, stop: int) -> None:
            G = np.empty((stop - start, self.n_rows))
            sparse_kernels.products(*s_parts, start, stop, *c_parts, G)
            rows = slice(start, stop)
            first = start if itself else -1
            if exact:
                dense_kernels.nearest(
                    G,
                    self._norms / 2.0,
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
                    nominal,
                    space.spans,
                    self._norms / 2.0,
                    self._norms * error,
                    norms[rows] * error,
                    G,
                    first,
                    k,
                    index[rows],
                    squared[rows],
                )

        run_blocks(work, queries.shape[0], block=block)
        return True


class _Embedding:
    """Points whose squared distances are those of the rows, nominal columns included.

    A nominal column with two training values becomes 0 and 1; with more, one column
    each, so scaled that two different ones are at distance 1. ``extra`` is added to the
    squared norm of a row whose value training does not have.
    """

    def __init__(self, values: Array, nominal: Array) -> None:
        self.nominal = nominal
        self.codes = {int(f): np.unique(values[:, f]) for f in np.flatnonzero(nominal)}

    def apply(self, values: Array) -> tuple[Array, Array]:
        extra = np.zeros(len(values))
        if not self.codes:
            return values, extra
        columns = [values[:, ~self.nominal].astype(np.float64)]
        for f, codes in self.codes.items():
            same = values[:, f, None] == codes
            unseen = ~same.any(axis=1)
            if len(codes) == 1:
                extra[unseen] += 1.0
            elif len(codes) == 2:
                column = np.where(unseen, 0.5, same[:, 1].astype(np.float64))
                extra[unseen] += 0.75
                columns.append(column[:, None])
            else:
                extra[unseen] += 0.5
                columns.append(same * _SQRT_HALF)
        return np.ascontiguousarray(np.hstack(columns)), extra


class _DenseScreen:
    """Points in the precision of the matrix product, and bounds on its error."""

    def __init__(self, points: Array, extra: Array, dtype: Any, *, exact: bool) -> None:
        self.dtype = dtype
        self.exact = exact
        self.centre = np.zeros(points.shape[1])
        self.shrink = 1.0
        if not exact:
            self.centre = points.mean(axis=0, dtype=np.float64)
            top = max(
                float(np.abs(points.max(axis=0) - self.centre).max(initial=0.0)),
                float(np.abs(points.min(axis=0) - self.centre).max(initial=0.0)),
            )
            # A power of two, so that it rounds nothing.
            self.shrink = 2.0 ** -np.frexp(top)[1] if top > 0.0 else 1.0
        d = points.shape[1]
        # |computed - exact| <= (d + 2) u |a||b| for an inner product in any order of
        # summation; 4 u (|a|^2 + |b|^2) for rounding the points; the rest is for the
        # norms, the bounds themselves and the exact sum in double precision.
        self.error = 1.01 * ((d + 32) * _UNIT[dtype] + 4 * (d + 4) * 2.0**-53)
        self.points, self.norms = self.place(points, extra)
        tiny = 1e-30 * (d + 1)
        self.half = (self.norms / 2).astype(dtype)
        self.low = (self.norms / 2 * (1 - self.error) - tiny).astype(dtype)
        self.high = (self.norms / 2 * (1 + self.error) + tiny).astype(dtype)

    def place(self, points: Array, extra: Array) -> tuple[Array, Array]:
        """Return points in this precision and their squared norms."""
        placed = np.empty(points.shape, dtype=self.dtype)
        norms = extra * self.shrink**2
        step = max(1, (1 << 20) // max(1, points.shape[1]))
        for start in range(0, len(points), step):
            part = slice(start, start + step)
            moved = points[part] - self.centre
            placed[part] = moved * self.shrink
            exact = placed[part].astype(np.float64)
            norms[part] += np.einsum("ij,ij->i", exact, exact)
        return placed, norms

    def slack(self, norms: Array) -> Array:
        """Return what the error of a query's own norm adds to the threshold."""
        slack: Array = (norms * self.error * 1.01 + 1e-30).astype(self.dtype)
        return slack


def _largest(values: Any) -> float:
    cells = values.data if sparse.issparse(values) else values
    if cells.size == 0:
        return 0.0
    return float(max(abs(float(cells.max())), abs(float(cells.min()))))


def _is_whole(values: Array) -> bool:
    return all(
        bool((part == np.floor(part)).all())
        for part in (values[:1], values)  # most data fail at the first row
    )


def _shift(rows: Any, default: Array) -> Any:
    """Return rows less the value that is not stored."""
    if not default.any():
        return rows
    data = rows.data - default[rows.indices]
    return sparse.csr_array((data, rows.indices, rows.indptr), shape=rows.shape)


def _sparse_norms(rows: Any) -> Array:
    square = sparse.csr_array((rows.data**2, rows.indices, rows.indptr), rows.shape)
    norms: Array = np.asarray(square.sum(axis=1)).ravel()
    return norms


def _parts(rows: Any) -> tuple[Array, Array, Array]:
    return (
        rows.indptr.astype(np.int64, copy=False),
        rows.indices.astype(np.int64, copy=False),
        rows.data,
    )
