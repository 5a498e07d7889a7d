"""Discrete columns in the form that counting wants: by feature, sparse where X was.

``Codes`` is what every discretiser's ``encode(X)`` returns and what the statistics of
the count family read. A feature with ``r`` bins has the codes ``0 .. r - 1`` in the
order of its values. Each feature names a *default* bin, the one that holds the value
0: an entry that a sparse ``X`` does not store is in it, and so it is in a dense ``X``,
since counts off the default are all that has to be gathered (those of the default
are what is left). ``-1`` means that no bin holds 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.discretize import (
    count_coded,
    count_entries,
    count_off_default,
    encode_dense,
    encode_entries,
    keep_off_default,
    place_coded,
    place_rows,
)
from labelsift.kernels.threads import n_threads, run_blocks
from labelsift.read.dataset import Matrix


@dataclass(frozen=True, eq=False)
class Codes:
    """Columns of small whole numbers.

    Parameters
    ----------
    values : ndarray (n_features, n_samples) or csc_array (n_samples, n_features)
        The codes: one row a feature where X was dense, else the stored entries are
        the rows outside the default bin.
    n_bins : ndarray of shape (n_features,), int64
        Bins of each feature, at least 1.
    default : ndarray of shape (n_features,), int64
        The bin of entries that are not stored, which is that of the value 0; -1
        where no bin holds 0.
    categories : tuple of ndarray, optional
        The value that each code stands for, where codes stand for single values.
    """

    values: Matrix
    n_bins: np.ndarray[Any, Any]
    default: np.ndarray[Any, Any]
    categories: tuple[np.ndarray[Any, Any], ...] | None = None

    @property
    def is_sparse(self) -> bool:
        """Whether only the rows outside the default bin are stored."""
        return bool(sparse.issparse(self.values))

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return int(self.values.shape[0 if self.is_sparse else 1])

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.n_bins)

    @property
    def nbytes(self) -> int:
        """Memory that the codes take."""
        if self.is_sparse:
            return int(self.values.data.nbytes + self.values.indices.nbytes)
        return int(self.values.nbytes)

    def bytes_of_features(self) -> np.ndarray[Any, Any]:
        """Return what the codes of each feature take, shape (n_features,)."""
        values = self.values
        if self.is_sparse:
            each = values.data.itemsize + values.indices.itemsize
            return np.asarray(np.diff(values.indptr).astype(np.int64) * each)
        return np.full(self.n_features, values.shape[1] * values.itemsize)

    def take(self, start: int, stop: int) -> Codes:
        """Return the codes of the features from ``start`` to ``stop``.

        Parameters
        ----------
        start, stop : int
            Of the features, as in a slice.
        """
        if (start, stop) == (0, self.n_features):
            return self
        part = slice(start, stop)
        if self.is_sparse:
            columns = self.values
            pointers = columns.indptr[start : stop + 1]
            span = slice(int(pointers[0]), int(pointers[-1]))
            values = sparse.csc_array(
                (columns.data[span], columns.indices[span], pointers - pointers[0]),
                shape=(self.n_samples, stop - start),
            )
        else:
            values = self.values[part]
        categories = None if self.categories is None else self.categories[part]
        return Codes(values, self.n_bins[part], self.default[part], categories)

    def to_array(self) -> np.ndarray[Any, Any]:
        """Return the codes as a dense array of shape (n_samples, n_features)."""
        if not self.is_sparse:
            return np.ascontiguousarray(self.values.T)
        columns = self.values
        dense = np.tile(self.default.astype(columns.data.dtype), (self.n_samples, 1))
        of = np.repeat(np.arange(self.n_features), np.diff(columns.indptr))
        dense[columns.indices, of] = columns.data
        return dense


def code_type(n_bins: np.ndarray[Any, Any]) -> type[np.unsignedinteger[Any]]:
    """Return the smallest unsigned type that holds the codes of these features."""
    most = int(n_bins.max(initial=1))
    return np.uint8 if most <= 256 else np.uint16 if most <= 65536 else np.uint32


def encode_by_cuts(
    X: Matrix, cut_points: list[np.ndarray[Any, Any]], *, below: bool
) -> Codes:
    """Code each value by the number of cuts it lies beyond.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Finite values.
    cut_points : list of ndarray
        Increasing cuts of each feature; none makes one bin.
    below : bool
        Whether a value equal to a cut is in the bin below it or in that above it.

    Returns
    -------
    Codes
        Sparse where ``X`` is; zeros are never written out.
    """
    lengths = np.fromiter(map(len, cut_points), np.int64, len(cut_points))
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    cuts = np.concatenate([np.empty(0), *filter(len, cut_points)])
    default = _beyond(cuts, offsets, below)
    n_bins = lengths + 1
    kind = code_type(n_bins)
    d = X.shape[1]
    if not sparse.issparse(X):
        dense = np.empty((d, X.shape[0]), dtype=kind)
        run_blocks(
            lambda start, stop: encode_dense(
                X, cuts, offsets, below, start, stop, dense
            ),
            d,
            block=_block(X.shape[0]),
        )
        return Codes(dense, n_bins, default)
    if X.format == "csr":
        return Codes(
            _columns_of_rows(X, cuts, offsets, below, default, kind), n_bins, default
        )
    columns = sparse.csc_array(X)
    codes = np.empty(len(columns.data), dtype=kind)
    run_blocks(
        lambda start, stop: encode_entries(
            columns.indptr, columns.data, cuts, offsets, below, start, stop, codes
        ),
        d,
        block=_block(columns.nnz // max(d, 1)),
    )
    return Codes(_drop_default(columns, codes, default), n_bins, default)


def encode_by_value(X: Matrix) -> Codes:
    """Give every distinct value of a feature its own code, in the order of values."""
    d = X.shape[1]
    categories = []
    if not sparse.issparse(X):
        inverse = []
        for f in range(d):
            values, codes = np.unique(X[:, f], return_inverse=True)
            categories.append(values.astype(np.float64))
            inverse.append(codes)
        n_bins = np.array([len(values) for values in categories], dtype=np.int64)
        dense = np.empty((d, X.shape[0]), dtype=code_type(n_bins))
        for f, codes in enumerate(inverse):
            dense[f] = codes
        return Codes(dense, n_bins, _holds_zero(categories), tuple(categories))
    columns = sparse.csc_array(X)
    columns.sum_duplicates()
    codes = np.empty(len(columns.data), dtype=np.uint32)
    for f in range(d):
        part = slice(columns.indptr[f], columns.indptr[f + 1])
        stored = columns.data[part]
        values = np.unique(stored)
        if len(stored) < X.shape[0]:
            values = np.union1d(values, [0.0])
        codes[part] = np.searchsorted(values, stored)
        categories.append(values.astype(np.float64))
    n_bins = np.array([len(values) for values in categories], dtype=np.int64)
    default = _holds_zero(categories)
    codes = codes.astype(code_type(n_bins), copy=False)
    return Codes(
        _drop_default(columns, codes, default), n_bins, default, tuple(categories)
    )


def with_columns(codes: Codes, columns: np.ndarray[Any, Any], other: Codes) -> Codes:
    """Return codes in which some columns are replaced by those of ``other``.

    Parameters
    ----------
    codes : Codes
        All features, without categories.
    columns : ndarray of shape (n_columns,), int64
        Increasing numbers of the columns to replace.
    other : Codes
        Their new codes, sparse where ``codes`` are.
    """
    n_bins, default = codes.n_bins.copy(), codes.default.copy()
    n_bins[columns], default[columns] = other.n_bins, other.default
    kind = code_type(n_bins)
    if not codes.is_sparse:
        values = codes.values.astype(kind)
        values[columns] = other.values
        return Codes(values, n_bins, default)
    place = np.arange(codes.n_features)
    place[columns] = codes.n_features + np.arange(len(columns))
    both = sparse.hstack([codes.values, other.values], format="csc", dtype=kind)
    return Codes(sparse.csc_array(both[:, place]), n_bins, default)


def _holds_zero(categories: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    default = np.full(len(categories), -1, dtype=np.int64)
    for f, values in enumerate(categories):
        place = int(np.searchsorted(values, 0.0))
        if place < len(values) and values[place] == 0:
            default[f] = place
    return default


def _beyond(
    cuts: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any], below: bool
) -> np.ndarray[Any, Any]:
    # how many cuts of each feature the value 0 lies beyond
    passed = (cuts < 0) if below else (cuts <= 0)
    running = np.concatenate([[0], np.cumsum(passed)])
    default: np.ndarray[Any, Any] = running[offsets[1:]] - running[offsets[:-1]]
    return default


def _columns_of_rows(
    X: Any, cuts: Any, offsets: Any, below: bool, default: Any, kind: Any
) -> Any:
    """Code a CSR matrix and turn it by column in one go, without its values.

    Rows are cut into as many runs as there are threads; each run knows beforehand
    where its entries go, so that their order is that of the rows.
    """
    n, d = X.shape
    runs = max(1, min(n_threads(), n))
    bounds = np.searchsorted(X.indptr, np.linspace(0, X.nnz, runs + 1))
    bounds[0], bounds[-1] = 0, n
    code = _only_code(X.data, cuts, offsets, below, default)
    is_small = X.nnz < 2**32
    where = X.indptr, X.indices.view(f"u{X.indices.itemsize}")
    rows = X.indptr, X.indices, X.data, cuts, offsets, below, default
    counts = np.zeros((runs, d), dtype=np.uint32 if is_small else np.int64)

    def count(k: int, _: int) -> None:
        if code is None:
            count_coded(*rows, bounds[k], bounds[k + 1], counts[k])
        else:
            count_entries(*where, bounds[k], bounds[k + 1], counts[k])

    run_blocks(count, runs, block=1)
    indptr = np.concatenate([[0], np.cumsum(counts.sum(axis=0, dtype=np.int64))])
    fill = (np.cumsum(counts, axis=0) - counts + indptr[:-1]).astype(counts.dtype)
    indices = np.empty(indptr[-1], dtype=np.int32)
    data = np.empty(indptr[-1], dtype=kind)

    def place(k: int, _: int) -> None:
        if code is None:
            place_coded(*rows, bounds[k], bounds[k + 1], fill[k], indices, data)
        else:
            place_rows(*where, bounds[k], bounds[k + 1], fill[k], indices)

    run_blocks(place, runs, block=1)
    if code is not None:
        data[:] = code
    if indptr[-1] < 2**31:
        indptr = indptr.astype(np.int32)
    return sparse.csc_array((data, indices, indptr), shape=(n, d))


def _only_code(
    values: Any, cuts: Any, offsets: Any, below: bool, default: Any
) -> int | None:
    """Return the code of all entries where one is plain to see, not the default.

    This is so where every feature has the same cut and all values lie on one side.
    """
    if not len(values) or len(cuts) != len(default) or (np.diff(offsets) != 1).any():
        return None
    cut = cuts[0]
    if (cuts != cut).any():
        return None
    least, most = float(values.min()), float(values.max())
    if least > cut or (not below and least == cut):
        code = 1
    elif most < cut or (below and most == cut):
        code = 0
    else:
        return None
    return code if (default != code).all() else None


def _drop_default(
    columns: Any, codes: np.ndarray[Any, Any], default: np.ndarray[Any, Any]
) -> Any:
    d = columns.shape[1]
    kept = np.empty(d, dtype=np.int64)
    block = _block(columns.nnz // max(d, 1))
    run_blocks(
        lambda start, stop: count_off_default(
            columns.indptr, codes, default, start, stop, kept
        ),
        d,
        block=block,
    )
    if kept.sum() == len(codes):
        return sparse.csc_array(
            (codes, columns.indices, columns.indptr), shape=columns.shape
        )
    indptr = np.concatenate([[0], np.cumsum(kept)]).astype(columns.indptr.dtype)
    indices = np.empty(indptr[-1], dtype=columns.indices.dtype)
    data = np.empty(indptr[-1], dtype=codes.dtype)
    run_blocks(
        lambda start, stop: keep_off_default(
            columns.indptr,
            columns.indices,
            codes,
            default,
            indptr,
            start,
            stop,
            indices,
            data,
        ),
        d,
        block=block,
    )
    return sparse.csc_array((data, indices, indptr), shape=columns.shape)


def _block(entries: int) -> int:
    # features a block: enough work to be worth a thread's while
    return max(1, 200_000 // max(entries, 1))
