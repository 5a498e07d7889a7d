"""The one error that readers raise."""

from __future__ import annotations

import re
from os import PathLike, fspath

_LONGEST = 1000


def plain_line(text: str) -> str:
    r"""Return text on one line, without characters that would steer a terminal.

    Parameters
    ----------
    text : str
        Whatever a file holds. Line ends and tabs become a space; control characters,
        marks that turn the direction of writing and lone surrogates are escaped.

    Examples
    --------
    >>> print(plain_line("red \x1b[31m, two\nlines"))
    red \x1b[31m, two lines
    """
    line = re.sub(r"\s*[\n\r\t\v\f]\s*", " ", text)
    if line.isprintable():
        return line
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode()
        for each in line
    )


def _shortened(line: str) -> str:
    """Leave out the middle of what nobody would read: found bytes by the thousand."""
    if len(line) <= _LONGEST:
        return line
    return f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 4 :]}"


class ReadError(ValueError):
    """A file that cannot be read: which file, which line, what was expected.

    Parameters
    ----------
    message : str
        What was expected, what came, and the remedy.
    path : str or path-like, optional
        The file as the user named it.
    line : int, optional
        Line number, from 1, for text formats.

    Examples
    --------
    >>> raise ReadError("expected 78 values, found 77.", "songs.arff", 212)
    Traceback (most recent call last):
    labelsift.read.errors.ReadError: songs.arff line 212: expected 78 values, found 77.
    """

    def __init__(
        self,
        message: str,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
    ) -> None:
        self.message = message = _shortened(plain_line(message))
        self.path = None if path is None else fspath(path)
        self.line = line
        where = "" if self.path is None else plain_line(self.path)
        if line is not None:
            where = f"{where} line {line}" if where else f"line {line}"
        super().__init__(f"{where}: {message}" if where else message)

    def __reduce__(self) -> tuple[type[ReadError], tuple[object, ...]]:
        return type(self), (self.message, self.path, self.line)
