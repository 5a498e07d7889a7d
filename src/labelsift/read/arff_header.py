"""The head of an ARFF file: its relation and its attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from labelsift.read.arff_text import BLANKS, Cursor, parse_number, repeated, shown
from labelsift.read.errors import ReadError

_NUMERIC_TYPES = ("numeric", "real", "integer")
_OTHER_TYPES = ("string", "date", "relational")
_NAME = re.compile(r"[^\x00-\x20{]+")
_TYPE = re.compile(r"[A-Za-z]+")
_VALUE = re.compile(r"[^\x00-\x20,{}]+")
# the usual line, without quotes: name, then values or a type
_USUAL = re.compile(
    r"@attribute[\x01-\x20]+([^\x00-\x20{'\"\\][^\x00-\x20{\\]*)[\x01-\x20]*"
    r"(?:(?<=[\x01-\x20])([a-z]+)|\{([^'\"\\{}%]+)\})[\x01-\x20]*\Z",
    re.IGNORECASE,
)


class Attribute(NamedTuple):
    """One column as the header declares it.

    ``kind`` is "numeric", "nominal", "string", "date" or "relational"; ``raw`` is the
    name as it is written, without quotes but with its escapes; ``line`` is where.
    """

    name: str
    kind: str
    categories: tuple[str, ...] | None
    raw: str
    line: int


@dataclass(slots=True)
class Header:
    """Relation, attributes, text encoding, and the line of ``@data``."""

    relation: str = ""
    attributes: list[Attribute] = field(default_factory=list)
    encoding: str = "utf-8"
    data_line: int = 0


def read_header(
    blocks: Iterator[tuple[bytes, int]], *, path: str
) -> tuple[Header, bytes]:
    """Read up to the line ``@data``.

    Parameters
    ----------
    blocks : iterator of (bytes, int)
        Blocks of whole lines, and how many; taken as far as the header reaches.
    path : str
        The file as errors name it.

    Returns
    -------
    header : Header
    rest : bytes
        What the last block taken holds behind the header.

    Raises
    ------
    ReadError
        If the head is not one of an ARFF file; the message says what was expected.
    """
    lines, rest = _header_lines(blocks, path)
    header = Header(data_line=len(lines))
    whole = b"\n".join(lines)
    try:
        text = whole.decode("utf-8")
    except UnicodeDecodeError:
        header.encoding = "latin-1"
        text = whole.decode("latin-1")
    _HeaderParser(header, path).parse(text.split("\n"))
    return header, rest


def _header_lines(
    blocks: Iterator[tuple[bytes, int]], path: str
) -> tuple[list[bytes], bytes]:
    lines: list[bytes] = []
    for block, _ in blocks:
        at = 0
        while at < len(block):
            end = block.index(b"\n", at)
            line = block[at:end]
            at = end + 1
            lines.append(line)
            if line[:10].lower() == b"@attribute":
                continue
            start = line.lstrip(BLANKS.encode())[:6].lower()
            if start and start[:1] not in b"@%":
                found = shown(line[:80].decode("latin-1"))
                raise ReadError(
                    f"expected @relation, @attribute or @data, found {found}; "
                    "is this an ARFF file?",
                    path,
                    len(lines),
                )
            if start[:5] == b"@data" and (len(start) == 5 or start[5:] <= b" "):
                return lines, block[at:]
    if not any(line.strip() for line in lines):
        raise ReadError("the file is empty; expected ARFF.", path, 1)
    raise ReadError(
        "expected a line @data, found the end of the file.", path, max(len(lines), 1)
    )


class _HeaderParser:
    """Goes through the lines of a header in order."""

    def __init__(self, header: Header, path: str) -> None:
        self.header = header
        self.path = path
        self.line = 0
        self.seen: dict[str, int] = {}
        self.domains: dict[str, tuple[str, ...]] = {}  # equal ones are parsed once
        self.inside: list[str] = []  # relational attributes not yet ended
        self.named = False

    def fail(self, message: str) -> NoReturn:
        raise ReadError(message, self.path, self.line)

    def parse(self, lines: list[str]) -> None:
        for number, line in enumerate(lines, start=1):
            self.line = number
            usual = None if self.inside else _USUAL.match(line)
            if usual is not None and self.usual_attribute(*usual.groups()):
                continue
            try:
                self.parse_line(line)
            except ReadError:
                raise
            except ValueError as error:  # of the tokenizer
                self.fail(f"{error}.")
        if self.inside:
            self.fail(f"expected @end {self.inside[-1]} before @data.")
        if not self.header.attributes:
            self.fail("expected at least one @attribute before @data.")

    def usual_attribute(self, name: str, word: str | None, values: str | None) -> bool:
        """Take an attribute whose line is simple and known; False if it is not."""
        categories = None if values is None else self.domains.get(values)
        if categories is None and (word is None or word.lower() not in _NUMERIC_TYPES):
            return False
        self.add(name, "nominal" if categories else "numeric", categories, name)
        return True

    def parse_line(self, line: str) -> None:
        text = line.strip(BLANKS)
        if not text or text[0] == "%":
            return
        keyword = re.split(r"[\x00-\x20]", text, maxsplit=1)[0].lower()
        cursor = Cursor(text, len(keyword))
        if keyword == "@relation":
            self.relation(cursor)
        elif keyword == "@attribute":
            self.attribute(cursor)
        elif keyword == "@end" and self.inside:
            self.end(cursor)
        elif keyword == "@data":
            if not cursor.at_end():
                self.fail(f"expected nothing behind @data, found {shown(cursor.rest)}.")
        else:
            self.fail(
                f"expected @relation, @attribute or @data, found {shown(keyword)}."
            )

    def relation(self, cursor: Cursor) -> None:
        if self.named:
            self.fail("a second @relation; expected one.")
        self.named = True
        if cursor.next in ("'", '"'):
            self.header.relation, _ = cursor.word()
            cursor.skip()
            if not cursor.at_end():
                self.fail(
                    "expected the end of the line behind the relation's name, found "
                    f"{shown(cursor.rest)}."
                )
        else:
            self.header.relation = cursor.rest

    def attribute(self, cursor: Cursor) -> None:
        start = cursor.at
        if not cursor.rest:
            self.fail("expected a name behind @attribute, found the end of the line.")
        name, quoted = cursor.word(bare=_NAME)
        raw = cursor.text[start + 1 : cursor.at - 1] if quoted else name
        cursor.skip()
        if cursor.next == "{":
            close = _closing_brace(cursor.text, cursor.at)
            if close < 0:
                self.fail(f"the braces of attribute {shown(name)} are not closed.")
            categories = self.domain(cursor.text[cursor.at + 1 : close])
            cursor.at = close + 1
            self.finish(cursor, name)
            self.add(name, "nominal", categories, raw)
            return
        match = _TYPE.match(cursor.text, cursor.at)
        kind = match[0].lower() if match else ""
        if match is not None:
            cursor.at = match.end()
        if kind in _NUMERIC_TYPES:
            self.finish(cursor, name)
            self.add(name, "numeric", None, raw)
        elif kind in _OTHER_TYPES:
            if kind == "date":  # a date may name its format
                cursor.skip()
                if cursor.next and cursor.next not in "%{":
                    cursor.word()
            self.finish(cursor, name)
            self.add(name, kind, None, raw)
            if kind == "relational":
                self.inside.append(name)
        else:
            found = shown(kind + cursor.rest) if kind + cursor.rest else "nothing"
            self.fail(
                f"expected the type of attribute {shown(name)} (numeric, real, "
                "integer, string, date, relational or {values}), found "
                f"{found}; a name that holds blanks or braces needs quotes."
            )

    def finish(self, cursor: Cursor, name: str) -> None:
        """Expect the end of an attribute's line; Weka may put a weight there."""
        cursor.skip()
        if cursor.next == "{":
            close = cursor.text.find("}", cursor.at)
            inside = cursor.text[cursor.at + 1 : close].strip(BLANKS)
            if close > 0 and parse_number(inside) is not None:
                cursor.at = close + 1
                cursor.skip()
        if not cursor.at_end():
            self.fail(
                f"expected the end of the line behind the type of attribute "
                f"{shown(name)}, found {shown(cursor.rest)}."
            )

    def end(self, cursor: Cursor) -> None:
        name = cursor.word(bare=_NAME)[0] if cursor.rest else self.inside[-1]
        if name != self.inside[-1]:
            self.fail(f"expected @end {self.inside[-1]}, found @end {shown(name)}.")
        self.inside.pop()

    def domain(self, text: str) -> tuple[str, ...]:
        known = self.domains.get(text)
        if known is None:
            known = _split_domain(text)
            self.domains[text] = known
        return known

    def add(
        self, name: str, kind: str, categories: tuple[str, ...] | None, raw: str
    ) -> None:
        if self.inside:
            return  # a column of a table within a cell
        before = self.seen.setdefault(name, self.line)
        if before != self.line:
            self.fail(
                f"attribute {shown(name)} was declared on line {before} already; "
                "names must differ."
            )
        self.header.attributes.append(Attribute(name, kind, categories, raw, self.line))


def _closing_brace(text: str, at: int) -> int:
    """Return the position of the brace that closes the one at ``at``, or -1."""
    cursor = Cursor(text, at + 1)
    while cursor.next and cursor.next != "}":
        if cursor.next == ",":
            cursor.at += 1
        else:
            cursor.word(bare=_VALUE)
        cursor.skip()
    return cursor.at if cursor.next else -1


def _split_domain(text: str) -> tuple[str, ...]:
    """Return the values of a nominal attribute, from the text between its braces.

    Values are parted by commas, or all by blanks.
    """
    values: list[str] = []
    cursor = Cursor(text)
    commas = 0
    if not cursor.next:
        raise ValueError("expected the values of a nominal attribute, found {}")
    if "'" not in text and '"' not in text:
        pieces = [piece.strip(BLANKS) for piece in text.split(",")]
        if all(pieces) and not any(_inner_blank(piece) for piece in pieces):
            values = pieces
            cursor.at = len(text)
            commas = len(values) - 1
    while cursor.next:
        values.append(cursor.word(bare=_VALUE)[0])
        cursor.skip()
        if cursor.next == ",":
            commas += 1
            cursor.at += 1
            cursor.skip()
            if not cursor.next:
                raise ValueError("expected a value behind the last comma, found }")
    if commas not in (0, len(values) - 1):
        raise ValueError(
            f"some of the values {{{text[:60]}}} are parted by blanks, some by commas; "
            "put a value that holds a blank in quotes"
        )
    twice = repeated(values)
    if twice is not None:
        raise ValueError(f"the value {shown(twice)} is listed twice")
    return tuple(values)


def _inner_blank(piece: str) -> bool:
    return any(character <= " " for character in piece)
