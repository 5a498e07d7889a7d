"""Blocks of rows from arrays, memory-mapped files and dask collections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.read.blocks import BLOCK_BYTES, Block, Part, RowBlocks, rows_a_block


@dataclass(frozen=True, eq=False)
class ArrayPart:
    """Some rows of X and Y; arrays on disk are pickled as the place where they lie."""

    X: Any
    Y: Any
    start: int
    stop: int

    def blocks(self) -> Iterator[Block]:
        """Yield the rows as one block."""
        yield _rows(self.X, self.start, self.stop), _rows(self.Y, self.start, self.stop)

    def __reduce__(self) -> Any:
        rows = self.start, self.stop
        sides = tuple(_portable(side) for side in (self.X, self.Y))
        if all(isinstance(side, _Mapped) for side in sides):
            return _mapped_part, (*sides, *rows)
        n = self.stop - self.start
        X, Y = (_rows(side, *rows) for side in (self.X, self.Y))
        return ArrayPart, (X, Y, 0, n)


@dataclass(frozen=True, eq=False)
class DaskPart:
    """One partition of dask collections."""

    X: Any
    Y: Any
    labels: Any = None

    def blocks(self) -> Iterator[Block]:
        """Compute the partition and yield it as one block."""
        X = self.X.compute(scheduler="synchronous")
        if self.Y is not None:
            yield X, self.Y.compute(scheduler="synchronous")
            return
        from labelsift.read.load import load_dataset

        data = load_dataset(X, labels=self.labels)
        yield data.X, data.Y


def memory_blocks(
    source: Any, block_rows: int | None, options: dict[str, Any]
) -> RowBlocks | None:
    """Return the blocks of data that are no file, or None if it is something else."""
    if _is_dask_frame(source):
        _refuse(options, but="labels")
        parts: list[Part] = [
            DaskPart(part, None, options["labels"]) for part in source.to_delayed()
        ]
        return RowBlocks(parts)
    if not (isinstance(source, tuple | list) and len(source) == 2):
        return None
    X, Y = source
    if _is_dask_array(X) or _is_dask_array(Y):
        _refuse(options)
        return RowBlocks(_dask_parts(X, Y))
    if not all(
        isinstance(side, np.ndarray) or sparse.issparse(side) for side in (X, Y)
    ):
        return None
    _refuse(options)
    X, Y = (s.tocsr() if sparse.issparse(s) else s for s in (X, Y))
    n = X.shape[0]
    if Y.shape[0] != n:
        raise ValueError(f"X has {n} rows but Y has {Y.shape[0]}.")
    if block_rows is None and sparse.issparse(X):
        step = max(1, int(n * min(1.0, BLOCK_BYTES / max(12 * int(X.nnz), 1))))
    else:
        step = rows_a_block(X.shape[1] if X.ndim == 2 else 1, block_rows)
    return RowBlocks([ArrayPart(X, Y, i, min(i + step, n)) for i in range(0, n, step)])


def _dask_parts(X: Any, Y: Any) -> list[Part]:
    for name, side in (("X", X), ("Y", Y)):
        if not _is_dask_array(side):
            raise TypeError(f"X and Y must both be dask arrays; {name} is none.")
        if any(size != size for size in side.chunks[0]):
            raise ValueError(
                f"the sizes of the chunks of {name} are not known; call "
                f"{name}.compute_chunk_sizes() first."
            )
    if X.shape[0] != Y.shape[0]:
        raise ValueError(f"X has {X.shape[0]} rows but Y has {Y.shape[0]}.")
    X = X.rechunk({1: -1}) if X.ndim == 2 else X
    Y = Y.rechunk({0: X.chunks[0], 1: -1} if Y.ndim == 2 else {0: X.chunks[0]})
    sides = zip(X.to_delayed().ravel(), Y.to_delayed().ravel(), strict=True)
    return [DaskPart(x, y) for x, y in sides]


def _is_dask_array(value: Any) -> bool:
    return type(value).__module__.startswith("dask.array")


def _is_dask_frame(value: Any) -> bool:
    module = type(value).__module__
    is_frame = module.startswith(("dask.dataframe", "dask_expr"))
    return is_frame and hasattr(value, "to_delayed")


def _refuse(options: dict[str, Any], but: str = "") -> None:
    for name, value in options.items():
        if value is not None and name != but:
            raise ValueError(f"{name}= does not apply to arrays in memory.")


def _rows(matrix: Any, start: int, stop: int) -> Any:
    if not sparse.issparse(matrix):
        return np.asarray(matrix[start:stop])
    # by hand: scipy's slice looks through all pointers first
    pointers = np.asarray(matrix.indptr[start : stop + 1])
    span = slice(int(pointers[0]), int(pointers[-1]))
    data, indices = np.asarray(matrix.data[span]), np.asarray(matrix.indices[span])
    return sparse.csr_array(
        (data, indices, pointers - pointers[0]),
        shape=(stop - start, matrix.shape[1]),
    )


@dataclass(frozen=True)
class _Mapped:
    """Where a memory-mapped array lies, or the three of a CSR matrix."""

    arrays: tuple[tuple[str, str, int, tuple[int, ...]], ...]
    shape: tuple[int, ...]

    def open(self) -> Any:
        found = [
            np.memmap(name, dtype=kind, mode="r", offset=offset, shape=shape)
            for name, kind, offset, shape in self.arrays
        ]
        if len(found) == 1:
            return found[0]
        return sparse.csr_array(tuple(found), shape=self.shape)


def _mapped_part(X: _Mapped, Y: _Mapped, start: int, stop: int) -> ArrayPart:
    return ArrayPart(X.open(), Y.open(), start, stop)


def _portable(matrix: Any) -> Any:
    sides = [matrix]
    if sparse.issparse(matrix):
        sides = [matrix.data, matrix.indices, matrix.indptr]
    places = [_place(side) for side in sides]
    if any(place is None for place in places):
        return None
    return _Mapped(tuple(p for p in places if p is not None), matrix.shape)


def _place(array: Any) -> tuple[str, str, int, tuple[int, ...]] | None:
    whole = array
    while isinstance(whole, np.ndarray) and not (
        isinstance(whole, np.memmap) and whole.filename is not None
    ):
        whole = whole.base
    if not isinstance(whole, np.memmap) or not array.flags.c_contiguous:
        return None
    base = whole
    while isinstance(base.base, np.memmap):
        base = base.base
    shift = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return str(base.filename), array.dtype.str, base.offset + shift, array.shape
