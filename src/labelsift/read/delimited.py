"""Read CSV and TSV: named columns of numbers or text, a block of rows at a time."""

from __future__ import annotations

import csv
import io
import math
import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO

import numpy as np

from labelsift._whole_numbers import EXACT
from labelsift.read.dataset import Categories
from labelsift.read.errors import ReadError
from labelsift.read.plain_rows import plain_rows
from labelsift.read.rounding import may_be_rounded, refuse_texts
from labelsift.read.table import Table

MISSING = frozenset(
    {"", "?", "NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "null", "NULL"}
)
"""Cells of a CSV file that mean "missing"."""

_BLOCK_CELLS = 1 << 18
_BLOCK_BYTES = 1 << 20
_WORTH_COMPILING = 1 << 23  # a smaller file is read before the compiler is done
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
    """
    blocks = text_blocks(stream, path)
    block = next(blocks, b"")
    if delimiter is None:
        delimiter = likely_delimiter(block)
    elif not isinstance(delimiter, str) or not re.fullmatch(r'[^"\r\n]', delimiter):
        raise ValueError(
            f"delimiter must be one character, no quote or line end: {delimiter!r}."
        )
    columns = CellColumns(path, delimiter, frozenset(nominal), header)
    held, size = [block], len(block)
    for block in blocks:
        held.append(block)
        size += len(block)
        if size > _WORTH_COMPILING:
            break
    is_large = size > _WORTH_COMPILING
    line = 0
    for block in chain(held, blocks):
        if not (is_large and line and columns.add_plain(block, line)):
            columns.add_text(block, line)
        line += block.count(b"\n")
    return columns.table()


def text_blocks(stream: BinaryIO, path: str) -> Iterator[bytes]:
    """Yield blocks of whole lines that hold whole quoted cells."""
    block = stream.read(_BLOCK_BYTES)
    if block[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            text = (block + stream.read()).decode("utf-16")
        except UnicodeError as error:
            raise ReadError(f"the UTF-16 text is damaged ({error}).", path) from error
        yield text.encode()
        return
    block = block.removeprefix(b"\xef\xbb\xbf")
    parts: list[bytes] = []
    is_open = False  # whether the parts end inside quotes
    while block:
        cut = block.rfind(b"\n") + 1
        if cut and (is_open ^ (block.count(b'"', 0, cut) % 2 == 1)) is False:
            yield b"".join([*parts, block[:cut]])
            parts, is_open = [], False
            block = block[cut:]
        if block:
            parts.append(block)
            is_open ^= block.count(b'"') % 2 == 1
        block = stream.read(_BLOCK_BYTES)
    if parts:
        yield b"".join(parts)


def _repaired(text: str) -> str:
    """Read bytes that were not UTF-8 as Latin-1."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    return text


def likely_delimiter(block: bytes) -> str:
    """Return the delimiter that the first line has most of."""
    first = next((line for line in block.split(b"\n", 99) if line.strip()), b"")
    bare = re.sub(rb'"[^"]*"', b"", first)
    counts = [bare.count(d.encode()) for d in _DELIMITERS]
    return _DELIMITERS[counts.index(max(counts))]


def looks_like_data(cells: Sequence[str]) -> bool:
    """Return whether a first line of cells is a row of numbers rather than names."""
    try:
        numbers = [float(cell) for cell in cells]
    except ValueError:
        return False
    start = numbers[0]
    counts_up = start in (0, 1) and numbers == [start + i for i in range(len(numbers))]
    return not (counts_up and len(numbers) > 2)


def _check_header(names: list[str], path: str, line: int) -> None:
    seen: set[str] = set()
    for place, name in enumerate(names):
        if not name:
            raise ReadError(f"column {place + 1} has no name.", path, line)
        if name in seen:
            raise ReadError(f"the column name {name!r} occurs twice.", path, line)
        seen.add(name)


class CellColumns:
    """Collects blocks of cells; decides for each column whether it holds numbers."""

    def __init__(
        self, path: str, delimiter: str, nominal: frozenset[str], header: bool | None
    ) -> None:
        self.path, self.delimiter, self.nominal = path, delimiter, nominal
        self.decimal_comma = delimiter != ","
        self.header = header
        self.names: list[str] = []
        self.width = 0  # cells of a line: the columns, and one for a name of the row
        self.drop_first = False
        self.expected: tuple[Categories, ...] | None = None
        self.blocks: list[np.ndarray[Any, Any]] = []
        self.lines: list[np.ndarray[Any, Any]] = []
        # None: nothing seen yet; False: numbers; a dictionary: the codes of its texts
        self.kinds: list[dict[str, int] | bool | None] = []

    def add_text(self, block: bytes, line: int) -> None:
        """Read a block of whole lines; the first line has the number ``line`` + 1."""
        nul = block.find(b"\0")
        if nul >= 0:
            raise ReadError(
                "expected text, found a NUL byte; save it as UTF-8 text.",
                self.path,
                line + block.count(b"\n", 0, nul) + 1,
            )
        text = io.StringIO(block.decode("utf-8", "surrogateescape"), newline="")
        reader = csv.reader(text, delimiter=self.delimiter, strict=True)
        rows: list[list[str]] = []
        lines: list[int] = []
        try:
            for row in reader:
                if not row or (len(row) == 1 and not row[0].strip()):
                    if self.width != 1 or not row:
                        continue
                if not self.width and self._start(row, line + reader.line_num):
                    continue
                if len(row) != self.width:
                    if rows:  # what is wrong in an earlier line comes first
                        self._add(rows, lines)
                    raise ReadError(
                        f"expected {self.width} values, as in the first line; found "
                        f"{len(row)}.",
                        self.path,
                        line + reader.line_num,
                    )
                rows.append(row)
                lines.append(line + reader.line_num)
                if len(rows) * self.width >= _BLOCK_CELLS:
                    self._add(rows, lines)
                    rows, lines = [], []
        except csv.Error as error:
            raise ReadError(
                f"cannot be split into cells ({error}); is a quote left open?",
                self.path,
                line + reader.line_num,
            ) from error
        if rows:
            self._add(rows, lines)

    def _start(self, row: list[str], line: int) -> bool:
        """Take the names from the first line; False if it is a row of numbers."""
        cells = [_repaired(cell.strip()) for cell in row]
        if self.header is None:
            self.header = not looks_like_data(cells)
        self.width = len(cells)
        names = cells if self.header else [f"column{i}" for i in range(len(cells))]
        if names[0] == "" and len(names) > 1:
            warnings.warn(
                f"{self.path}: the first column has no name; taken as row names and "
                "left out.",
                UserWarning,
                stacklevel=5,
            )
            self.drop_first = True
            names = names[1:]
        _check_header(names, self.path, line)
        for name in sorted(self.nominal - set(names)):
            raise ReadError(
                f"nominal= names {name!r}, but there is no such column.", self.path
            )
        self.names = names
        self.kinds = [{} if name in self.nominal else None for name in names]
        for j, listed in enumerate(self.expected or ()):
            if listed is not None:
                self.kinds[j] = {text: code for code, text in enumerate(listed)}
        return self.header

    def add_plain(self, block: bytes, line: int) -> bool:
        """Read a block with compiled code; False if it is not plain enough."""
        if self.drop_first or None in self.kinds:
            return False
        values = plain_rows(block, self.delimiter, self.kinds, self._one_row)
        if values is None or may_be_rounded(values):
            return False
        self.blocks.append(values)
        self.lines.append(np.arange(line + 1, line + 1 + len(values)))
        return True

    def _one_row(self, cells: list[str]) -> list[float] | None:
        """Return the numbers of a row, or None if it needs a closer look."""
        if len(cells) != self.width:
            return None
        found = []
        for kind, cell in zip(self.kinds, cells, strict=True):
            if isinstance(kind, dict):
                text = cell.strip()
                code = math.nan if text in MISSING else kind.get(text)
            else:
                code = _number(cell, self.decimal_comma)
            if code is None or _is_too_large(code, cell):
                return None
            found.append(float(code))
        return found

    def _add(self, block: list[list[str]], lines: list[int]) -> None:
        if self.drop_first:
            block = [row[1:] for row in block]
        shape = (len(block), len(self.names))
        self.lines.append(np.array(lines, dtype=np.int64))
        plain = not any(isinstance(kind, dict) for kind in self.kinds)
        values = _all_numbers(block, shape) if plain else None
        if values is not None:
            if None in self.kinds:
                for j in np.flatnonzero(~np.isnan(values).all(axis=0)).tolist():
                    self.kinds[j] = False
            if may_be_rounded(values):
                for row, line in zip(block, lines, strict=True):
                    refuse_texts(self.names, row, self.path, line)
            self.blocks.append(values)
            return
        values = np.empty(shape)
        for j, cells in enumerate(zip(*block, strict=True)):
            values[:, j] = self._column(j, cells, lines)
        self.blocks.append(values)

    def _column(self, j: int, cells: tuple[str, ...], lines: list[int]) -> Any:
        kind, name = self.kinds[j], self.names[j]
        if not isinstance(kind, dict):
            numbers = [_number(cell, self.decimal_comma) for cell in cells]
            if None not in numbers:
                for number, cell, line in zip(numbers, cells, lines, strict=True):
                    if _is_too_large(number, cell):
                        what = f"column {name!r}: {cell.strip()!r} is too large"
                        raise ReadError(f"{what} for a number.", self.path, line)
                    if number is not None and abs(number) >= EXACT:
                        refuse_texts([name], [cell], self.path, line)
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
            if code is None:  # new, or not UTF-8
                text = _repaired(text)
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
            f"column {name!r} mixes numbers and text; found {text[:60]!r} here. If its "
            f"values are names, give nominal=[{name!r}].",
            self.path,
            line,
        )

    def table(self) -> Table:
        """Return the rows read since the last call, text sorted as it is known."""
        if not self.width:
            raise ReadError(
                "there is no text; expected a line of column names.", self.path
            )
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
            categories.append(tuple(texts))
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
    # float("1_0") is 10, but a name it is; infinite: written so, or too large?
    if any("_" in "".join(row) for row in block) or np.isinf(values).any():
        return None
    return values.reshape(shape)


def _is_too_large(number: float | None, text: str) -> bool:
    return number is not None and math.isinf(number) and "inf" not in text.lower()


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
