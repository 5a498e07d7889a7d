"""Coded rows of several blocks, read back a range of features at a time.

Each block lies by feature, so that the rows of some features are one stretch of every
block. What is beyond a stated size is written to a temporary file in that order, and
of each block only the pointers stay in memory.
"""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from scipy import sparse

from labelsift.encode.codes import Codes, code_type
from labelsift.kernels.columns import append_columns

Array = np.ndarray[Any, Any]
RANGE_BYTES = 2**26
"""What is joined at a time of several blocks (64 MB)."""
DEFAULT_LIMIT = 2**30
"""Coded rows that are held before they go to disk, unless said otherwise (1 GB)."""


class CodedRows:
    """Blocks of coded rows and their labels.

    Parameters
    ----------
    limit : int, optional
        Bytes of coded features that are held in memory; what is beyond them is
        written to a temporary folder, which goes away with this object.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit = DEFAULT_LIMIT if limit is None else limit
        self._features: list[Codes | _OnDisk] = []
        self._labels: list[Any] = []

    def __len__(self) -> int:
        return len(self._features)

    def add(self, codes: Codes, labels: Any) -> None:
        """Add a block: coded features and a CSR matrix of labels."""
        self._features.append(codes)
        self._labels.append(labels)
        if len(self._features) > 1:
            self._spill()

    def extend(self, other: Self) -> None:
        """Add the blocks of another, which stays as it is."""
        self._features.extend(other._features)
        self._labels.extend(other._labels)
        if len(self._features) > 1:
            self._spill()

    def clear(self) -> None:
        """Forget all blocks."""
        self._features, self._labels = [], []

    def blocks(self) -> Iterator[tuple[Codes, Any]]:
        """Yield the blocks one by one."""
        for features, labels in zip(self._features, self._labels, strict=True):
            whole = features.take(0, features.n_features)
            yield whole, labels

    def for_labels(self, start: int, stop: int) -> CodedRows:
        """Return the same features with some labels only."""
        part = CodedRows(self.limit)
        part._features = list(self._features)
        part._labels = [labels[:, start:stop] for labels in self._labels]
        return part

    @property
    def most_bins(self) -> int:
        """Bins of all features, in the block that has most."""
        return max((int(codes.n_bins.sum()) for codes in self._features), default=0)

    @property
    def nbytes(self) -> int:
        """Memory that the coded features and the labels take, on disk or not."""
        labels = sum(y.indices.nbytes for y in self._labels)
        return int(sum(codes.nbytes for codes in self._features) + labels)

    def labels(self) -> Any:
        """Return the labels of all rows as one CSR matrix."""
        if len(self._labels) > 1:
            self._labels = [sparse.vstack(self._labels, format="csr")]
        return self._labels[0]

    def ranges(self) -> Iterator[tuple[int, int, Codes]]:
        """Yield ``start, stop, codes`` for ranges of features, all rows together."""
        d = self._features[0].n_features
        if len(self._features) == 1 and isinstance(self._features[0], Codes):
            yield 0, d, self._features[0]
            return
        sizes = sum(codes.bytes_of_features() for codes in self._features)
        work = np.cumsum(sizes)
        start = 0
        while start < d:
            before = work[start - 1] if start else 0
            stop = int(np.searchsorted(work, before + RANGE_BYTES, side="right"))
            stop = min(max(stop, start + 1), d)
            yield start, stop, joined([c.take(start, stop) for c in self._features])
            start = stop

    def _spill(self) -> None:
        held = [c for c in self._features if isinstance(c, Codes)]
        if sum(codes.nbytes for codes in held) > self.limit:
            self._features = [
                _OnDisk(c) if isinstance(c, Codes) else c for c in self._features
            ]

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state["_features"] = [
            codes.take(0, codes.n_features) for codes in self._features
        ]
        return state


class _OnDisk:
    """One block of codes in a file, by feature; it goes away with this object."""

    def __init__(self, codes: Codes) -> None:
        self.n_bins, self.default = codes.n_bins, codes.default
        self.categories, self.is_sparse = codes.categories, codes.is_sparse
        self.n_samples, self.n_features = codes.n_samples, codes.n_features
        self.nbytes = codes.nbytes
        self._file = tempfile.TemporaryFile(prefix="labelsift-rows-")
        weakref.finalize(self, self._file.close)
        if codes.is_sparse:
            columns = codes.values
            self._indptr = columns.indptr
            parts = [columns.indices, columns.data]
        else:
            parts = [codes.values]
        self._kinds = [part.dtype for part in parts]
        self._starts = []
        for part in parts:
            self._starts.append(self._file.tell())
            self._file.write(_as_bytes(np.ascontiguousarray(part)))
        self._file.flush()

    def _read(self, part: int, first: int, last: int) -> Array:
        kind = self._kinds[part]
        found = np.empty(last - first, dtype=kind)
        view, at = _as_bytes(found), self._starts[part]
        at += first * kind.itemsize
        while len(view):
            got = os.preadv(self._file.fileno(), [view], at)
            if not got:
                raise OSError("a temporary file of coded rows was cut short.")
            view, at = view[got:], at + got
        return found

    def take(self, start: int, stop: int) -> Codes:
        """Read the codes of some features."""
        d, n = stop - start, self.n_samples
        if self.is_sparse:
            indptr = self._indptr[start : stop + 1]
            span = int(indptr[0]), int(indptr[-1])
            parts = self._read(1, *span), self._read(0, *span), indptr - indptr[0]
            values = sparse.csc_array(parts, shape=(n, d))
        else:
            values = self._read(0, start * n, stop * n).reshape(d, n)
        named = self.categories and self.categories[start:stop]
        part = slice(start, stop)
        return Codes(values, self.n_bins[part], self.default[part], named)

    def bytes_of_features(self) -> Array:
        """Return what the codes of each feature take."""
        if self.is_sparse:
            each = sum(kind.itemsize for kind in self._kinds)
            return np.asarray(np.diff(self._indptr).astype(np.int64) * each)
        return np.full(self.n_features, self.n_samples * self._kinds[0].itemsize)


def _as_bytes(array: Array) -> memoryview:
    flat: Any = array.reshape(-1).view(np.uint8)
    return memoryview(flat)


def index_arrays(matrix: Any) -> tuple[Array, Array]:
    """Return the pointers (int64) and indices (int32) of a compressed matrix."""
    return (
        matrix.indptr.astype(np.int64, copy=False),
        matrix.indices.astype(np.int32, copy=False),
    )


def places_of_zero(categories: tuple[Array, ...]) -> Array:
    """Return where 0 stands among the different values of each feature, or -1."""
    places = [max(np.flatnonzero(values == 0), default=-1) for values in categories]
    return np.array(places, dtype=np.int64)


def stacked_rows(blocks: list[tuple[Codes, Any]]) -> tuple[Codes, Any]:
    """Return blocks of coded rows and their labels as one block."""
    if len(blocks) == 1:
        return blocks[0]
    labels = sparse.vstack([y for _, y in blocks], format="csr")
    return joined([codes for codes, _ in blocks]), labels


def joined(parts: list[Codes]) -> Codes:
    """Return the rows of several blocks of codes as one."""
    if len(parts) == 1:
        return parts[0]
    if len({part.is_sparse for part in parts}) > 1:
        parts = [part if part.is_sparse else _without_default(part) for part in parts]
    if parts[0].categories is not None:
        parts = _over_common_categories(parts)
    first = parts[0]
    if first.is_sparse:
        values = _joined_columns([part.values for part in parts])
    else:
        values = np.concatenate([part.values for part in parts], axis=1)
    return Codes(values, first.n_bins, first.default, first.categories)


def side_by_side(parts: list[Codes]) -> Codes:
    """Return the features of several codes of the same rows together."""
    if parts[0].is_sparse:
        values = sparse.hstack([part.values for part in parts], format="csc")
    else:
        values = np.concatenate([part.values for part in parts])
    named = [each for part in parts for each in part.categories or ()]
    return Codes(
        values,
        np.concatenate([part.n_bins for part in parts]),
        np.concatenate([part.default for part in parts]),
        tuple(named) or None,
    )


def _joined_columns(parts: list[Any]) -> Any:
    d, n = parts[0].shape[1], sum(part.shape[0] for part in parts)
    sizes = sum(np.diff(part.indptr).astype(np.int64) for part in parts)
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    indices = np.empty(indptr[-1], dtype=np.int32)
    data = np.empty(indptr[-1], dtype=parts[0].data.dtype)
    fill, row = indptr[:-1].copy(), 0
    for part in parts:
        pointers, rows = index_arrays(part)
        append_columns(pointers, rows, part.data, row, fill, indices, data)
        row += part.shape[0]
    return sparse.csc_array((data, indices, indptr), shape=(n, d))


def _without_default(codes: Codes) -> Codes:
    """Return dense codes with the rows off the default bins only."""
    feature, row = np.nonzero(codes.values != codes.default[:, None])
    indptr = np.concatenate(
        [[0], np.cumsum(np.bincount(feature, minlength=len(codes.n_bins)))]
    )
    values = sparse.csc_array(
        (codes.values[feature, row], row.astype(np.int32), indptr),
        shape=(codes.n_samples, codes.n_features),
    )
    return Codes(values, codes.n_bins, codes.default, codes.categories)


def _over_common_categories(parts: list[Codes]) -> list[Codes]:
    listed = [part.categories or () for part in parts]
    union = tuple(
        np.unique(np.concatenate(values)) for values in zip(*listed, strict=True)
    )
    n_bins = np.array([len(values) for values in union], dtype=np.int64)
    default = places_of_zero(union)
    kind = code_type(n_bins)
    recoded = []
    for part, categories in zip(parts, listed, strict=True):
        values = part.values.astype(kind)
        for f, (wide, narrow) in enumerate(zip(union, categories, strict=True)):
            new = np.searchsorted(wide, narrow).astype(kind)
            if part.is_sparse:
                span = slice(values.indptr[f], values.indptr[f + 1])
                values.data[span] = new[part.values.data[span]]
            else:
                values[f] = new[part.values[f]]
        recoded.append(Codes(values, n_bins, default, union))
    return recoded
