"""Read and write numpy archives; never a pickle."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np
from scipy import sparse

from labelsift.read.dataset import Dataset, Matrix
from labelsift.read.errors import ReadError
from labelsift.read.facts import dataset_from, dump_facts, parse_facts
from labelsift.read.matrices import checked_csr, checked_features, from_arrays

_FACTS = "labelsift_json"
_PARTS = ("data", "indices", "indptr", "shape")
_X_NAMES = ("X", "x", "data", "features", "X_train", "x_train")
_BLOCK_BYTES = 2**25
_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_Y_NAMES = ("Y", "y", "labels", "label", "target", "targets", "y_train", "Y_train")


_SIDES = (_X_NAMES, _Y_NAMES)
# What damage makes zipfile and numpy raise.
_FAULTS = (
    ValueError, TypeError, KeyError, EOFError, OSError, RuntimeError, MemoryError,
    OverflowError, SyntaxError, TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def read_npz(
    content: bytes, *, path: str, name: str, source: str, max_bytes: int
) -> Dataset:
    """Read ``.npz``: what ``write_npz`` writes, or arrays named X and Y.

    Parameters
    ----------
    content : bytes
        The whole archive.
    path, name, source : str
        For messages and for the data set.
    max_bytes : int
        Most bytes that the members may unpack to, all together.

    Returns
    -------
    Dataset
        X from ``X`` (or ``data``, ``features``) or the CSR parts ``X_data``,
        ``X_indices``, ``X_indptr``, ``X_shape``; Y alike (or ``labels``, ``target``);
        names from ``feature_names`` and ``label_names``.

    Raises
    ------
    ReadError
        If the archive is damaged, too large, or holds pickles or no X and Y.
    """
    arrays = _arrays(content, path, max_bytes)
    if _FACTS in arrays:
        facts = parse_facts(arrays[_FACTS].astype(np.uint8).tobytes(), path)
        X = _matrix(arrays, ("X",), path)
        X = checked_features(X, path, facts.get("feature_names"))
        Y = _matrix(arrays, ("Y",), path)
        facts["name"] = facts["name"] or name
        facts["source"] = facts["source"] or source
        return dataset_from(X, Y, facts, path)
    return from_arrays(
        _matrix(arrays, _X_NAMES, path),
        _matrix(arrays, _Y_NAMES, path),
        path=path,
        feature_names=_names(arrays, ("feature_names", "features_names")),
        label_names=_names(arrays, ("label_names", "target_names", "classes")),
        name=name,
        source=source,
    )


def npz_rows(path: Any, block_rows: int) -> Iterator[tuple[Any, Any]]:
    """Yield ``(X, Y)`` of an archive some rows at a time, unpacking as it goes.

    Parameters
    ----------
    path : path-like
        As for ``read_npz``.
    block_rows : int
        Rows of a block; 0 takes what makes about 32 MB.

    Raises
    ------
    ReadError
        As ``read_npz`` does, when the faulty place is reached.
    """
    with _archive(path, str(path)) as archive:
        names = {m.filename.removesuffix(".npy") for m in archive.infolist()}
        sides = [_Member.pick(archive, each, names, str(path)) for each in _SIDES]
        n = sides[0].n_rows
        if sides[1].n_rows != n:
            raise ReadError(f"X has {n} rows but Y has {sides[1].n_rows}.", str(path))
        rows = block_rows or max(1, int(_BLOCK_BYTES // max(sides[0].row_bytes, 1)))
        for start in range(0, n, rows):
            size = min(rows, n - start)
            X, Y = (side.take(size) for side in sides)
            yield checked_features(X, str(path), first_row=start), Y


def npz_names(path: Any) -> tuple[Any, Any]:
    """Return the names of features and labels in an archive, None where it has none."""
    with _archive(path, str(path)) as archive:
        there = {m.filename for m in archive.infolist()}
        if f"{_FACTS}.npy" not in there:
            return None, None
        try:
            content = _array(archive.read(f"{_FACTS}.npy"))
        except _FAULTS as error:
            raise ReadError(
                f"its description cannot be read ({error}).", str(path)
            ) from error
    facts = parse_facts(content.astype(np.uint8).tobytes(), str(path))
    return facts["feature_names"], facts["label_names"]


def _archive(source: Any, path: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(source)
    except _FAULTS as error:
        raise ReadError(f"not a whole .npz archive ({error}).", path) from error


class _Member:
    """The next rows of one array, or of the three of a CSR matrix."""

    def __init__(self, archive: zipfile.ZipFile, parts: list[str], path: str) -> None:
        self.path = path
        try:
            self.streams = {p: archive.open(f"{p}.npy") for p in parts}
        except _FAULTS as error:
            raise ReadError(f"an array cannot be read ({error}).", path) from error
        heads = {p: _header(stream, path) for p, stream in self.streams.items()}
        self.kinds = {p: head[1] for p, head in heads.items()}
        if len(parts) == 1:
            self.shape = heads[parts[0]][0]
            self.row_bytes = 8.0 * int(np.prod(self.shape[1:], dtype=np.int64))
        else:
            shape = self._values(parts[3], heads[parts[3]][0][0])
            self.shape = tuple(int(size) for size in shape)
            stored = heads[parts[0]][0][0]
            self.row_bytes = 12.0 * stored / max(self.shape[0], 1)
            self.at = int(self._values(parts[2], 1)[0])
        self.parts = parts
        self.n_rows = self.shape[0]

    @classmethod
    def pick(
        cls,
        archive: zipfile.ZipFile,
        names: tuple[str, ...],
        there: set[str],
        path: str,
    ) -> _Member:
        for name in names:
            parts = [f"{name}_{part}" for part in _PARTS]
            if all(part in there for part in parts):
                return cls(archive, parts, path)
            if name in there:
                return cls(archive, [name], path)
        raise ReadError(f"found no array named {' or '.join(names[:4])}.", path)

    def take(self, rows: int) -> Any:
        if len(self.parts) == 1:
            width = int(np.prod(self.shape[1:], dtype=np.int64))
            values = self._values(self.parts[0], rows * width)
            return values.reshape(rows, *self.shape[1:])
        pointers = self._values(self.parts[2], rows).astype(np.int64)
        stop = int(pointers[-1]) if rows else self.at
        local = np.concatenate([[0], pointers - self.at])
        if stop < self.at or (np.diff(local) < 0).any():
            raise ReadError("the pointers of a sparse matrix fall.", self.path)
        data = self._values(self.parts[0], stop - self.at)
        indices = self._values(self.parts[1], stop - self.at)
        self.at = stop
        return checked_csr(data, indices, local, (rows, self.shape[1]), self.path)

    def _values(self, part: str, count: int) -> Any:
        kind = self.kinds[part]
        try:
            content = self.streams[part].read(count * kind.itemsize)
        except _FAULTS as error:
            raise ReadError(
                f"array {part!r} is damaged ({error}).", self.path
            ) from error
        if len(content) < count * kind.itemsize:
            raise ReadError(f"array {part!r} is cut short.", self.path)
        return np.frombuffer(content, dtype=kind).copy()


def _header(stream: Any, path: str) -> tuple[tuple[int, ...], Any]:
    try:
        version = np.lib.format.read_magic(stream)
        read = _READERS[version]
        shape, fortran, kind = read(stream)
    except _FAULTS as error:
        raise ReadError(f"an array cannot be read ({error}).", path) from error
    if kind.hasobject or (fortran and len(shape) > 1):
        raise ReadError(
            "an array holds Python objects or lies by column; save it by row, with "
            "numpy.savez(X=numpy.ascontiguousarray(X), ...).",
            path,
        )
    return shape, kind


def write_npz(dataset: Dataset, stream: BinaryIO) -> None:
    """Write everything that a data set holds.

    Parameters
    ----------
    dataset : Dataset
        What to write; values keep their bits.
    stream : BinaryIO
        Where to.
    """
    arrays: dict[str, Any] = {}
    for key, matrix in (("X", dataset.X), ("Y", dataset.Y)):
        if sparse.issparse(matrix):
            for part in _PARTS:
                arrays[f"{key}_{part}"] = np.asarray(getattr(matrix, part))
        else:
            arrays[key] = np.ascontiguousarray(matrix)  # blocks are read by row
    text = dump_facts(dataset).encode()
    arrays[_FACTS] = np.frombuffer(text, dtype=np.uint8)
    np.savez_compressed(stream, allow_pickle=False, **arrays)


def _arrays(content: bytes, path: str, max_bytes: int) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    with _archive(io.BytesIO(content), path) as archive:
        members = [m for m in archive.infolist() if m.filename.endswith(".npy")]
        total = sum(member.file_size for member in members)
        if total > max_bytes:
            raise ReadError(
                f"its arrays unpack to {total} bytes, more than the limit of "
                f"{max_bytes}; if the file is honest, allow more with max_bytes=.",
                path,
            )
        for member in members:
            key = member.filename[: -len(".npy")]
            try:
                arrays[key] = _array(archive.read(member))
            except _FAULTS as error:
                raise ReadError(
                    f"array {key!r} cannot be read ({error}).", path
                ) from error
    if not arrays:
        raise ReadError("the archive holds no numpy arrays.", path)
    return arrays


def _array(content: bytes) -> Any:
    """Read one ``.npy`` after checking that its header fits its length."""
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    reader = _READERS.get(version)
    if reader is None:
        raise ValueError(f"unknown .npy version {version}")
    shape, fortran, dtype = reader(stream)
    if dtype.hasobject:
        raise ValueError("it holds Python objects (a pickle), which are not loaded")
    count = 1
    for size in shape:
        count *= int(size)
    left = len(content) - stream.tell()
    if (
        min(shape, default=0) < 0
        or count * dtype.itemsize != left
        or not dtype.itemsize
    ):
        raise ValueError(f"shape {shape} of {dtype} does not fit {left} bytes")
    flat = np.frombuffer(content, dtype=dtype, offset=stream.tell(), count=count).copy()
    return flat.reshape(shape, order="F" if fortran else "C")


def _matrix(arrays: dict[str, Any], names: tuple[str, ...], path: str) -> Matrix:
    for name in names:
        parts = [f"{name}_{part}" for part in _PARTS]
        if all(part in arrays for part in parts):
            data, indices, indptr, shape = (arrays[part] for part in parts)
            return checked_csr(data, indices, indptr, shape, path)
        if name in arrays:
            return arrays[name]
    raise ReadError(
        f"found no array named {' or '.join(names[:4])}, nor CSR parts {names[0]}_data,"
        f" {names[0]}_indices, {names[0]}_indptr, {names[0]}_shape; it holds "
        f"{', '.join(sorted(arrays)[:8])}.",
        path,
    )


def _names(arrays: dict[str, Any], keys: tuple[str, ...]) -> tuple[str, ...] | None:
    for key in keys:
        if key in arrays and arrays[key].dtype.kind in "US" and arrays[key].ndim == 1:
            texts = arrays[key]
            if texts.dtype.kind == "S":
                texts = np.char.decode(texts, "latin-1")
            return tuple(str(text) for text in texts)
    return None
