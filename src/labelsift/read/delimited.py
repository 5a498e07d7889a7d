"""Read CSV and TSV: named columns of numbers or text, a block of rows at a time."""

from __future__ import annotations

import csv
import io
import math
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO

import numpy as np

from labelsift.read.dataset import Categories
from labelsift.read.errors import ReadError
from labelsift.read.table import Table

MISSING = frozenset(
    {"", "?", "NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "null", "NULL"}
)
"""Cells of a CSV file that mean "missing"."""

_BLOCK_CELLS = 1 << 18
_DELIMITERS = (",", "\t", ";", "|")
_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+([eE][-+]?\d+)?")


def read_delimited(
    stream: BinaryIO,
    *,
    path: str,
    delimiter: str | None = None,
    header: bool | None = None,
    nominal: Sequence[str] = (),
) -> Table:
    """Read a CSV or TSV file.

    Parameters
    ----------
    stream : BinaryIO
        UTF-8 (a BOM is skipped), UTF-16 with a BOM, or Latin-1.
    path : str
        For messages.
    delimiter : str, optional
        Default: the one of comma, tab, semicolon and bar that the first line has most.
    header : bool, optional
        Whether the first line holds names; default: unless it is all numbers (a plain
        count 0, 1, 2, ... or 1, 2, 3, ... is taken as names).
    nominal : sequence of str
        Columns whose values are names even where they look like numbers.

    Returns
    -------
    Table
        A column of text is nominal, its values in sorted order. With another
        delimiter than the comma, ``1,5`` is a number.

    Raises
    ------
    ReadError
        If rows differ in length, names repeat, or a column mixes numbers and text.

    Notes
    -----
    Time O(cells). Peak memory about twice the table.
    """
    lines = _decoded_lines(stream)
    first = next((line for line in lines if line.strip()), "")
    delimiter = delimiter or _likely_delimiter(first)
    reader = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
    try:
        return _read_rows(reader, path, delimiter, header, frozenset(nominal))
    except csv.Error as error:
        raise ReadError(
            f"cannot be split into cells ({error}); is a quote left open?",
            path,
            reader.line_num,
        ) from error
    except UnicodeError as error:
        raise ReadError(f"the text is damaged ({error}).", path) from error


def _decoded_lines(stream: BinaryIO) -> Iterator[str]:
    # the Guarded stream of opener.py peeks; others begin at their first bytes
    head = stream.peek(2)[:2] if hasattr(stream, "peek") else b""
    wide = head in (b"\xff\xfe", b"\xfe\xff")
    return io.TextIOWrapper(
        stream,
        encoding="utf-16" if wide else "utf-8-sig",
        errors="strict" if wide else "surrogateescape",
        newline="",
    )


def _repaired(text: str) -> str:
    """Read bytes that were not UTF-8 as Latin-1."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    return text


def _likely_delimiter(line: str) -> str:
    bare = re.sub(r'"[^"]*"', "", line)
    counts = [bare.count(d) for d in _DELIMITERS]
    return _DELIMITERS[counts.index(max(counts))]


def _read_rows(
    reader: Any,
    path: str,
    delimiter: str,
    header: bool | None,
    nominal: frozenset[str],
) -> Table:
    first = [_repaired(cell.strip()) for cell in next(reader, [])]
    if not first:
        raise ReadError("there is no text; expected a line of column names.", path)
    rows: Iterable[list[str]] = reader
    if header is None:
        header = not looks_like_data(first)
    if header:
        names = first
    else:
        names = [f"column{i}" for i in range(len(first))]
        rows = chain([first], reader)
    drop_first = header and names[0] == "" and len(names) > 1
    if drop_first:
        warnings.warn(
            f"{path}: the first column has no name; taken as row names and left out.",
            UserWarning,
            stacklevel=2,
        )
        names = names[1:]
    _check_header(names, path)
    for name in sorted(nominal - set(names)):
        raise ReadError(f"nominal= names {name!r}, but there is no such column.", path)
    columns = _Columns(names, path, delimiter, nominal)
    width, limit = len(first), max(1, _BLOCK_CELLS // len(first))
    block: list[list[str]] = []
    lines: list[int] = []
    for row in rows:
        if len(row) != width:
            if not row or (len(row) == 1 and not row[0].strip()):
                continue
            raise ReadError(
                f"expected {width} values, as in the first line; found {len(row)}.",
                path,
                reader.line_num,
            )
        block.append(row)
        lines.append(reader.line_num)
        if len(block) == limit:
            columns.add(block, lines, drop_first)
            block, lines = [], []
    if block:
        columns.add(block, lines, drop_first)
    return columns.table()


def looks_like_data(cells: Sequence[str]) -> bool:
    """Return whether a first line is a row of numbers rather than names.

    Parameters
    ----------
    cells : sequence of str
        The first line.
    """
    try:
        numbers = [float(cell) for cell in cells]
    except ValueError:
        return False
    start = numbers[0]
    counts_up = start in (0, 1) and numbers == [start + i for i in range(len(numbers))]
    return not (counts_up and len(numbers) > 2)


def _check_header(names: list[str], path: str) -> None:
    seen: set[str] = set()
    for place, name in enumerate(names):
        if not name:
            raise ReadError(f"column {place + 1} has no name.", path, 1)
        if name in seen:
            raise ReadError(f"the column name {name!r} occurs twice.", path, 1)
        seen.add(name)


class _Columns:
    """Collects blocks of cells; decides for each column whether it holds numbers."""

    def __init__(
        self, names: list[str], path: str, delimiter: str, nominal: frozenset[str]
    ) -> None:
        self.names, self.path, self.nominal = names, path, nominal
        self.decimal_comma = delimiter != ","
        self.blocks: list[np.ndarray[Any, Any]] = []
        self.lines: list[np.ndarray[Any, Any]] = []
        # None: nothing seen yet; False: numbers; a dictionary: the codes of its texts
        self.kinds: list[dict[str, int] | bool | None] = [
            {} if name in nominal else None for name in names
        ]

    def add(self, block: list[list[str]], lines: list[int], drop_first: bool) -> None:
        if drop_first:
            block = [row[1:] for row in block]
        shape = (len(block), len(self.names))
        self.lines.append(np.array(lines, dtype=np.int64))
        plain = not any(isinstance(kind, dict) for kind in self.kinds)
        values = _all_numbers(block, shape) if plain else None
        if values is not None:
            if None in self.kinds:
                seen = ~np.isnan(values).all(axis=0)
                for j in np.flatnonzero(seen).tolist():
                    self.kinds[j] = False
            self.blocks.append(values)
            return
        values = np.empty(shape)
        for j, cells in enumerate(zip(*block, strict=True)):
            values[:, j] = self._column(j, cells, lines)
        self.blocks.append(values)

    def _column(self, j: int, cells: tuple[str, ...], lines: list[int]) -> Any:
        kind = self.kinds[j]
        if not isinstance(kind, dict):
            numbers = [_number(cell, self.decimal_comma) for cell in cells]
            if None not in numbers:
                if kind is None and not all(v != v for v in numbers):
                    self.kinds[j] = False
                return numbers
            place = numbers.index(None)
            before = any(v == v for v in numbers[:place])
            if kind is False or before:
                raise self._mixed(j, cells[place], lines[place])
            kind = self.kinds[j] = {}
        is_free = self.names[j] not in self.nominal
        codes = []
        for cell, line in zip(cells, lines, strict=True):
            text = cell.strip()
            if text in MISSING:
                codes.append(math.nan)
                continue
            code = kind.get(text)
            if code is None:
                if is_free and _number(text, self.decimal_comma) is not None:
                    raise self._mixed(j, text, line)
                code = kind[text] = len(kind)
            codes.append(code)
        return codes

    def _mixed(self, j: int, text: str, line: int) -> ReadError:
        name = self.names[j]
        return ReadError(
            f"column {name!r} mixes numbers and text; found {text!r} here. If its "
            f"values are names, give nominal=[{name!r}].",
            self.path,
            line,
        )

    def table(self) -> Table:
        shape = (0, len(self.names))
        values = np.concatenate(self.blocks) if self.blocks else np.empty(shape)
        self.blocks.clear()
        categories: list[Categories] = []
        for j, kind in enumerate(self.kinds):
            if not isinstance(kind, dict):
                categories.append(None)
                continue
            texts = sorted(kind)
            position = np.empty(len(kind) + 1)
            for new, text in enumerate(texts):
                position[kind[text]] = new
            position[-1] = math.nan
            codes = values[:, j]
            missing = np.isnan(codes)
            values[:, j] = position[np.where(missing, -1, codes).astype(np.intp)]
            categories.append(tuple(_repaired(text) for text in texts))
        lines = np.concatenate(self.lines) if self.lines else np.empty(0, np.int64)
        return Table(values, tuple(self.names), tuple(categories), lines)


def _all_numbers(
    block: list[list[str]], shape: tuple[int, int]
) -> np.ndarray[Any, Any] | None:
    try:
        values = np.fromiter(
            map(float, chain.from_iterable(block)), np.float64, shape[0] * shape[1]
        )
    except ValueError:
        return None
    if any("_" in "".join(row) for row in block):  # float("1_0") is 10; a name it is
        return None
    return values.reshape(shape)


def _number(text: str, decimal_comma: bool) -> float | None:
    """Return the number a cell holds: NaN if missing, None if it is text."""
    try:
        if "_" not in text:
            return float(text)
    except ValueError:
        pass
    plain = text.strip()
    if plain in MISSING:
        return math.nan
    if decimal_comma and _DECIMAL_COMMA.fullmatch(plain):
        return float(plain.replace(",", "."))
    return None
