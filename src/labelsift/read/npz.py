"""Read and write numpy archives; never a pickle."""

from __future__ import annotations

import io
import zipfile
import zlib
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
_Y_NAMES = ("Y", "y", "labels", "label", "target", "targets", "y_train", "Y_train")


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
        X = checked_features(_matrix(arrays, ("X",), path), path)
        Y = _matrix(arrays, ("Y",), path)
        facts["name"] = facts["name"] or name
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
            arrays[key] = matrix
    text = dump_facts(dataset).encode()
    arrays[_FACTS] = np.frombuffer(text, dtype=np.uint8)
    np.savez_compressed(stream, allow_pickle=False, **arrays)


def _arrays(content: bytes, path: str, max_bytes: int) -> dict[str, Any]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as error:
        raise ReadError(f"not a whole .npz archive ({error}).", path) from error
    arrays: dict[str, Any] = {}
    with archive:
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
            except (
                ValueError, TypeError, KeyError, EOFError, OSError, RuntimeError,
                NotImplementedError, MemoryError, OverflowError, SyntaxError,
                zipfile.BadZipFile, zlib.error,
            ) as error:  # fmt: skip
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
    reader = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }.get(version)
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
