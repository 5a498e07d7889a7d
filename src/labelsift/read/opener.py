"""Open a data file: through gzip, bzip2 or xz, and never past a stated size."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from labelsift.read.errors import ReadError

MAX_BYTES = 4 * 2**30
"""Bytes that a compressed file may expand to unless ``max_bytes`` says otherwise."""

COMPRESSED_SUFFIXES = (".gz", ".bz2", ".xz")
_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}
_XZ_MEMORY = 256 * 2**20  # what `xz -9` needs to unpack is 65 MB
_LAYERS = 3  # .rda inside .gz is two; more than three is no honest file


@dataclass(frozen=True)
class OpenFile:
    """A stream of plain bytes and the names that belong to it.

    Parameters
    ----------
    stream : BinaryIO
        The bytes after decompression; ``read`` and iteration raise ``ReadError``.
    path : str
        The file as the user named it, for messages.
    stem : str
        File name without folder, compression and format suffix.
    suffix : str
        The format suffix in lower case, such as ``".arff"``; empty when there is none.
    folder : Path or None
        Where it lies; None for a stream without a name.
    """

    stream: BinaryIO
    path: str
    stem: str
    suffix: str
    folder: Path | None

    def peek(self, size: int = 65536) -> bytes:
        """Return up to ``size`` first bytes without moving on."""
        reader = cast(io.BufferedReader, self.stream)
        return reader.peek(size)[:size]


@contextmanager
def open_data(source: Any, max_bytes: int | None = None) -> Iterator[OpenFile]:
    """Open a path or a binary stream for reading, decompressed by its content.

    Parameters
    ----------
    source : str, path-like or binary file object
        Compression is told from the first bytes, not from the name.
    max_bytes : int, optional
        Most bytes that decompression may give; default ``MAX_BYTES`` (4 GiB). A plain
        file is not limited: it cannot grow.

    Yields
    ------
    OpenFile
        The stream and its names.

    Raises
    ------
    ReadError
        If the file is missing, a directory, unreadable, empty, damaged, cut short, or
        expands past the limit.
    """
    limit = MAX_BYTES if max_bytes is None else max_bytes
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise ValueError(
            f"max_bytes must be an integer of at least 1; found {limit!r}."
        )
    if hasattr(source, "read"):
        path = str(getattr(source, "name", "") or "<stream>")
        yield _opened(source, path, None, limit)
        return
    path = os.fspath(source)
    with _open_file(path) as raw:
        yield _opened(raw, path, Path(path).parent, limit)


def split_name(path: str) -> tuple[str, str]:
    """Return (stem, format suffix) of a file name, without its compression suffix.

    Parameters
    ----------
    path : str
        A name such as ``"data/emotions-train.arff.gz"``, here
        ``("emotions-train", ".arff")``.
    """
    name = Path(path).name
    for ending in COMPRESSED_SUFFIXES:
        if name.lower().endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
            break
    suffix = Path(name).suffix
    # "v1.2 final" has no suffix; a format suffix is short and without blanks
    if not suffix[1:].isalnum() or len(suffix) > 9 or suffix[1:].isdigit():
        suffix = ""
    return name[: len(name) - len(suffix)] or "data", suffix.lower()


def _open_file(path: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except FileNotFoundError as error:
        raise ReadError(f"there is no such file.{_near_names(path)}", path) from error
    except IsADirectoryError as error:
        raise ReadError(
            "this is a directory; name the data file inside it.", path
        ) from error
    except PermissionError as error:
        message = (
            "this is a directory; name the data file inside it."
            if os.path.isdir(path)  # Windows says "permission denied"
            else "no permission to read this file."
        )
        raise ReadError(message, path) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ReadError(f"cannot be opened: {reason}.", path) from error


def _near_names(path: str) -> str:
    import difflib

    folder = Path(path).parent
    try:
        names = [entry.name for entry in os.scandir(folder)]
    except OSError:
        return f" The folder {os.fspath(folder)!r} does not exist either."
    near = difflib.get_close_matches(Path(path).name, names, n=3)
    return f" Near it: {', '.join(sorted(near))}." if near else ""


def _opened(raw: Any, path: str, folder: Path | None, limit: int) -> OpenFile:
    stem, suffix = split_name(path)
    if path == "<stream>":
        stem, suffix = "data", ""
    stream: Any = io.BufferedReader(_Guarded(raw, path, None, ""), 1 << 16)
    for _ in range(_LAYERS):
        head = stream.peek(8)[:8]
        kind = next((k for magic, k in _MAGIC.items() if head.startswith(magic)), None)
        if kind is None:
            break
        inner = _decompressor(kind, stream)
        stream = io.BufferedReader(_Guarded(inner, path, limit, kind), 1 << 17)
    else:
        raise ReadError(f"compressed more than {_LAYERS - 1} times over.", path)
    if not stream.peek(1):
        raise ReadError("the file is empty; expected data.", path)
    return OpenFile(cast(BinaryIO, stream), path, stem, suffix, folder)


def _decompressor(kind: str, stream: io.BufferedReader) -> Any:
    if kind == "gzip":
        return gzip.GzipFile(fileobj=stream, mode="rb")
    if kind == "bzip2":
        return bz2.BZ2File(stream)
    return _XzReader(stream)


class _XzReader:
    """xz with a bound on the memory that its dictionary may take."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream
        self._decoder = self._fresh()
        self._started = False

    @staticmethod
    def _fresh() -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)

    def read(self, size: int) -> bytes:
        while True:
            if self._decoder.eof:  # several streams may follow one another
                rest = self._decoder.unused_data
                if not rest.strip(b"\0"):
                    rest = self._stream.read(1 << 16)
                    if not rest.strip(b"\0"):
                        return b""
                self._decoder, self._started = self._fresh(), False
                data = rest
            elif self._decoder.needs_input:
                data = self._stream.read(1 << 16)
                if not data:
                    raise EOFError("cut short")
            else:
                data = b""
            out = self._decoder.decompress(data, size)
            if out:
                return out


class _Guarded(io.RawIOBase):
    """Count what is read, stop at the limit, and turn every fault into ReadError."""

    def __init__(self, inner: Any, path: str, limit: int | None, kind: str) -> None:
        self._inner, self._path, self._limit, self._kind = inner, path, limit, kind
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._inner.read(len(buffer))
        except ReadError:
            raise
        except EOFError as error:
            raise ReadError(
                f"the {self._kind} data end too early; the file is cut short. "
                "Download or copy it again.",
                self._path,
            ) from error
        except lzma.LZMAError as error:
            if "memory" in str(error).lower():
                message = "unpacking needs more than 256 MB of memory; pack it again."
            else:
                message = f"the xz data are damaged ({error})."
            raise ReadError(message, self._path) from error
        except (OSError, zlib.error, ValueError, AttributeError) as error:
            what = f"the {self._kind} data are damaged" if self._kind else "read failed"
            raise ReadError(f"{what} ({error}).", self._path) from error
        if not isinstance(data, bytes | bytearray | memoryview):
            raise TypeError(
                "source must be opened in binary mode ('rb'); its read() gave "
                f"{type(data).__name__}."
            )
        self._count += len(data)
        if self._limit is not None and self._count > self._limit:
            raise ReadError(
                f"expands to more than {self._limit} bytes; if the file is honest, "
                "allow more with max_bytes=.",
                self._path,
            )
        buffer[: len(data)] = data
        return len(data)
