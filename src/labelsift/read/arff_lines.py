"""A byte stream in blocks of whole lines."""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from labelsift.read.errors import ReadError

BLOCK_BYTES = 1 << 20
MAX_LINE_BYTES = 1 << 28  # a longer line is taken for a file that is no table


def line_blocks(
    stream: BinaryIO, *, path: str, block_bytes: int | None = None
) -> Iterator[tuple[bytes, int]]:
    """Yield blocks of whole lines that all end with a newline alone, and their count.

    A byte order mark is dropped, and a last line without an end gets one.

    Parameters
    ----------
    stream : binary file
        Read once, from where it stands.
    path : str
        The file as errors name it.
    block_bytes : int, optional
        Bytes to read at a time; memory is about twice that or twice the longest line.

    Raises
    ------
    ReadError
        For a NUL byte, a line beyond ``MAX_LINE_BYTES``, or a stream that breaks off.
    """
    size = BLOCK_BYTES if block_bytes is None else block_bytes
    parts: list[bytes] = []  # an unfinished line
    waiting = 0
    line = 1
    held = b""  # a carriage return whose newline may come with the next block
    first = True
    while True:
        chunk = _read(stream, size, path, line)
        ended = not chunk
        while first and 0 < len(chunk) < 3 and (more := _read(stream, 3, path, line)):
            chunk += more
        if first:
            chunk = _without_mark(chunk, path)
            first = False
        chunk = held + chunk
        held = b""
        if not ended and chunk.endswith(b"\r"):
            chunk, held = chunk[:-1], b"\r"
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        nul = chunk.find(b"\0")
        if nul >= 0:
            raise ReadError(
                "expected text, found a NUL byte: a binary file or UTF-16; "
                "save it as UTF-8 text.",
                path,
                line + chunk.count(b"\n", 0, nul),
            )
        cut = chunk.rfind(b"\n") + 1
        if cut:
            parts.append(chunk[:cut])
            block = b"".join(parts)
            parts, waiting = [], 0
            n_lines = block.count(b"\n")
            yield block, n_lines
            line += n_lines
        if cut < len(chunk):
            parts.append(chunk[cut:])
            waiting += len(chunk) - cut
        if waiting > MAX_LINE_BYTES:
            raise ReadError(
                f"a line is longer than {MAX_LINE_BYTES} bytes; "
                "expected one row of a table a line.",
                path,
                line,
            )
        if ended:
            if parts:
                yield b"".join([*parts, b"\n"]), 1
            return


def _without_mark(chunk: bytes, path: str) -> bytes:
    if chunk[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ReadError("the file is UTF-16; save it as UTF-8 text.", path, 1)
    return chunk.removeprefix(b"\xef\xbb\xbf")


def _read(stream: BinaryIO, size: int, path: str, line: int) -> bytes:
    try:
        return stream.read(size)
    except ReadError:
        raise
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        reason = str(error) or type(error).__name__
        raise ReadError(f"the file breaks off: {reason}", path, line) from error
