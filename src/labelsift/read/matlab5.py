"""MATLAB version 5 files: numeric and sparse matrices, and structs of them.

Every size is checked against the bytes that are there before anything is taken from
them; a reader that trusts the file lets damage reach compiled code. What holds no
matrix of real numbers (text, cells, objects, complex numbers) is passed over.
"""

from __future__ import annotations

import struct
import zlib
from math import prod
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.read.errors import ReadError
from labelsift.read.matrices import check_sparse

_HEAD = 128
_MATRIX, _COMPRESSED = 14, 15
_TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8",
          12: "i8", 13: "u8"}  # fmt: skip
_STRUCT, _SPARSE, _OPAQUE = 2, 5, 17
_NUMERIC = range(6, 16)
_COMPLEX, _LOGICAL = 0x800, 0x200


class _Damaged(Exception):
    """Bytes that are not as the format has them; the message completes a sentence."""


def version5_order(content: bytes) -> str | None:
    """Return the byte order of a version 5 file, "<" or ">"; None if it is not one."""
    is_version5 = len(content) >= _HEAD and 0 not in content[:4]
    order = {b"IM": "<", b"MI": ">"}.get(content[126:128])
    return order if is_version5 else None


def read_version5(content: bytes, path: str, max_bytes: int) -> dict[str, Any]:
    """Return the real matrices of a file by name; of a struct, its fields.

    Parameters
    ----------
    content : bytes
        The whole file.
    path : str
        For messages.
    max_bytes : int
        Most bytes that compressed variables may unpack to, all together.

    Returns
    -------
    dict
        Two-dimensional arrays and ``csc_array``, in their stored types.

    Raises
    ------
    ReadError
        If the file is cut short or damaged, or unpacks to more.
    """
    order = version5_order(content)
    found: dict[str, Any] = {}
    room = max_bytes
    try:
        whole = _Bytes(content, order or "<", _HEAD)
        while whole.left >= 8:
            kind, body = whole.element(padded=False)
            if kind == _COMPRESSED:
                unpacked = _unpacked(body, room, path, max_bytes)
                room -= len(unpacked)
                kind, body = _Bytes(unpacked, whole.order).element(padded=False)
            if kind == _MATRIX:
                found |= _variable(_Bytes(body, whole.order), max_bytes)
    except _Damaged as error:
        raise ReadError(f"not a whole MATLAB file ({error}).", path) from error
    return found


def _unpacked(body: bytes, room: int, path: str, max_bytes: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(body, room + 1)
    except zlib.error as error:
        raise _Damaged(f"a variable cannot be unpacked: {error}") from error
    if len(found) > room:
        raise ReadError(
            f"unpacks to more than {max_bytes} bytes; if the file is honest, allow "
            "more with max_bytes=.",
            path,
        )
    if not unpacker.eof:
        raise _Damaged("it is cut short")
    return found


class _Bytes:
    """A place in a stretch of bytes from which elements are taken one by one."""

    def __init__(self, content: bytes, order: str, at: int = 0) -> None:
        self.content, self.order, self.at = content, order, at

    @property
    def left(self) -> int:
        return len(self.content) - self.at

    def element(self, *, padded: bool = True) -> tuple[int, bytes]:
        """Take one element: its type and its bytes."""
        if self.left < 8:
            raise _Damaged("it is cut short")
        word, size = struct.unpack_from(f"{self.order}II", self.content, self.at)
        if padded and word >> 16:  # up to four bytes, beside their type
            size = word >> 16
            if size > 4:
                raise _Damaged(f"a short element of {size} bytes")
            start, end = self.at + 4, self.at + 8
            word &= 0xFFFF
        else:
            start = self.at + 8
            end = start + (size + 7) // 8 * 8 if padded else start + size
        if start + size > len(self.content):
            raise _Damaged("it is cut short")
        self.at = min(end, len(self.content))
        return word, self.content[start : start + size]

    def numbers(self) -> np.ndarray[Any, Any]:
        """Take one element of numbers, in the machine's own byte order."""
        kind, body = self.element()
        if kind not in _TYPES:
            raise _Damaged(f"numbers of the unknown type {kind}")
        dtype = np.dtype(f"{self.order}{_TYPES[kind]}")
        if len(body) % dtype.itemsize:
            raise _Damaged(f"{len(body)} bytes of {dtype.itemsize}-byte numbers")
        return np.frombuffer(body, dtype).astype(dtype.newbyteorder("="))

    def text(self) -> str:
        """Take one element of plain text."""
        return self.element()[1].decode("latin-1").rstrip("\0")


def _variable(inside: _Bytes, max_bytes: int) -> dict[str, Any]:
    """Return the matrices in one variable by name: one, the fields, or none."""
    name, kind, flags, shape = _described(inside)
    if kind != _STRUCT:
        matrix = _matrix(inside, kind, flags, shape, max_bytes)
        return {} if matrix is None or not name else {name: matrix}
    if prod(shape) != 1:
        return {}
    lengths = inside.numbers()
    length = int(lengths[0]) if len(lengths) and lengths.dtype.kind in "iu" else 0
    _, names = inside.element()
    if length < 1 or len(names) % length:
        raise _Damaged(f"names of fields of length {length}")
    found: dict[str, Any] = {}
    for start in range(0, len(names), length):
        field = names[start : start + length].partition(b"\0")[0].decode("latin-1")
        held, body = inside.element()
        if held != _MATRIX:
            raise _Damaged(f"a field of type {held}")
        if not body:  # MATLAB writes an empty matrix so
            continue
        part = _Bytes(body, inside.order)
        _, kind, flags, shape = _described(part)
        matrix = _matrix(part, kind, flags, shape, max_bytes)
        if matrix is not None:
            found[field] = matrix
    return found


def _described(inside: _Bytes) -> tuple[str, int, int, tuple[int, ...]]:
    """Take the name, the class, the flags and the shape of a variable."""
    _, head = inside.element()
    if len(head) != 8:
        raise _Damaged("a variable without a class")
    (flags,) = struct.unpack_from(f"{inside.order}I", head)
    if flags & 0xFF == _OPAQUE:  # an object of MATLAB's own: it has no shape
        return "", _OPAQUE, 0, ()
    sizes = inside.numbers()
    if sizes.dtype.kind not in "iu":
        raise _Damaged("a variable whose shape is no whole numbers")
    shape = tuple(sizes.tolist())
    if len(shape) < 2 or min(shape) < 0:
        raise _Damaged(f"a variable of shape {shape[:4]}")
    return inside.text(), flags & 0xFF, flags & 0xFF00, shape


def _matrix(
    inside: _Bytes, kind: int, flags: int, shape: tuple[int, ...], max_bytes: int
) -> Any:
    """Return a real matrix of two dimensions, None for anything else."""
    if flags & _COMPLEX or len(shape) != 2:
        return None
    if kind in _NUMERIC:
        values = inside.numbers()
        if prod(shape) != len(values):
            raise _Damaged(
                f"{len(values)} numbers for {shape[0]} x {shape[1]}; it is cut short"
            )
        if flags & _LOGICAL:
            values = values != 0
        return values.reshape(shape, order="F")
    if kind != _SPARSE:
        return None
    rows, starts, values = inside.numbers(), inside.numbers(), inside.numbers()
    if not {rows.dtype.kind, starts.dtype.kind} <= {"i", "u"}:
        raise _Damaged("a sparse matrix whose indices are no whole numbers")
    if len(starts) != shape[1] + 1:
        raise _Damaged(
            f"a sparse matrix of {shape[1]} columns and {len(starts)} starts"
        )
    if 8 * shape[0] > max_bytes:
        raise _Damaged(
            f"a sparse matrix of {shape[0]} rows, more than max_bytes allows"
        )
    stored = int(starts[-1])  # there may be room for more
    if not 0 <= stored <= min(len(rows), len(values)):
        raise _Damaged(f"a sparse matrix of {stored} values that are not there")
    parts = (values[:stored], rows[:stored], starts)
    try:
        matrix = sparse.csc_array(parts, shape=shape)
        check_sparse(matrix)
    except (ValueError, TypeError, OverflowError) as error:
        raise _Damaged(f"a sparse matrix is damaged: {error}") from error
    return matrix
