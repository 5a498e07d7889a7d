"""The one error that readers raise."""

from __future__ import annotations

from os import PathLike, fspath


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
        self.message = message
        self.path = None if path is None else fspath(path)
        self.line = line
        where = "" if self.path is None else self.path
        if line is not None:
            where = f"{where} line {line}" if where else f"line {line}"
        super().__init__(f"{where}: {message}" if where else message)

    def __reduce__(self) -> tuple[type[ReadError], tuple[object, ...]]:
        return type(self), (self.message, self.path, self.line)
