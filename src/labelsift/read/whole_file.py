"""Write a file so that it appears only when it is whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any


@contextmanager
def whole_file(
    path: str | os.PathLike[str], *, binary: bool = False
) -> Iterator[IO[Any]]:
    """Open a temporary file beside ``path`` that takes its place at the end.

    If the block fails or is interrupted, the temporary file goes away and what was at
    ``path`` stays.

    Parameters
    ----------
    path : str or path-like
        Where the file shall be; its folder must exist.
    binary : bool, default=False
        Open for bytes; otherwise for UTF-8 text whose line ends are written as given.

    Yields
    ------
    file object
        Open for writing.
    """
    final = Path(path)
    try:
        mode = final.stat().st_mode & 0o777
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        mode = 0o666 & ~umask
    try:
        file = NamedTemporaryFile(
            "wb" if binary else "w",
            encoding=None if binary else "utf-8",
            newline=None if binary else "",
            dir=final.parent,
            prefix=f".{final.name[:100]}.",
            suffix=".part",
            delete=False,
        )
    except OSError as error:
        error.filename = os.fspath(path)  # the temporary name means nothing to anyone
        raise
    try:
        with file:
            yield file
        os.chmod(file.name, mode)
        os.replace(file.name, final)
    except BaseException as error:
        if isinstance(error, OSError) and error.errno:
            if error.filename in (None, file.name):  # a full disk does not say which
                error.filename, error.filename2 = os.fspath(path), None
        Path(file.name).unlink(missing_ok=True)
        raise
