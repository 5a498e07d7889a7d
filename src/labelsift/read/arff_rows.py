"""One ARFF row at a time, with care: escapes, comments, and what is wrong with it.

The kernel of `labelsift.kernels.arff` reads the plain rows; this reads any row, and is
the only place that says what is wrong with one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from labelsift._whole_numbers import EXACT
from labelsift.kernels.arff import UNKNOWN
from labelsift.read.arff_columns import Columns, label_of_number
from labelsift.read.arff_text import Cursor, parse_number, shown
from labelsift.read.rounding import loss_of_text


@dataclass
class Row:
    """The content of one row.

    ``cells`` maps attribute positions to numbers: a value or code for a feature, 0 or
    1 for a label; a dense row has every attribute but the dropped ones.
    """

    is_sparse: bool
    cells: dict[int, float] = field(default_factory=dict)
    weight: float | None = None


def parse_row(line: str, columns: Columns) -> Row | None:
    """Return the row that a line holds; None for a blank line or a comment.

    Raises
    ------
    ValueError
        With what was expected and what came, without path and line.
    """
    cursor = Cursor(line)
    if cursor.at_end():
        return None
    row = Row(is_sparse=cursor.next == "{")
    if row.is_sparse:
        _sparse_cells(cursor, columns, row)
    else:
        _dense_cells(cursor, columns, row)
    return row


def _dense_cells(cursor: Cursor, columns: Columns, row: Row) -> None:
    expected = columns.n_attributes
    words: list[tuple[str, bool]] = []
    behind_comma = False
    while not (cursor.at_end() and not behind_comma):
        if cursor.next == "{" and words:
            break
        if cursor.next in ("", ",", "%"):
            raise ValueError(
                f"value {len(words) + 1} of {expected} is empty; write ? for a missing "
                "value"
            )
        words.append(cursor.word())
        behind_comma = _pass_separator(cursor)
    if len(words) != expected:
        raise ValueError(
            f"expected {expected} values, found {len(words)}; a value that holds "
            "blanks or commas needs quotes; a short last line tells of a file cut off"
        )
    for a, (word, quoted) in enumerate(words):
        value = _cell(columns, a, word, quoted)
        if value is not None:
            row.cells[a] = value
    if cursor.next == "{":
        row.weight = _weight(cursor)


def _pass_separator(cursor: Cursor) -> bool:
    """Pass blanks and one comma; True if there was a comma."""
    before = cursor.at
    cursor.skip()
    comma = cursor.next == ","
    if comma:
        cursor.at += 1
        cursor.skip()
    if cursor.at == before and cursor.next and cursor.next not in "{}":
        raise ValueError(f"expected a separator, found {shown(cursor.rest)}")
    return comma


def _sparse_cells(cursor: Cursor, columns: Columns, row: Row) -> None:
    cursor.at += 1
    cursor.skip()
    while cursor.next != "}":
        if not cursor.next:
            raise ValueError(
                "expected } at the end of a sparse row, found the end of the line; the "
                "row may be cut off"
            )
        a = _index(cursor, columns.n_attributes)
        if a in row.cells:
            raise ValueError(
                f"index {a} ({shown(columns.attributes[a].name)}) occurs twice"
            )
        if cursor.next in ("", ",", "}", "{"):
            raise ValueError(f"expected a value behind index {a}, found none")
        word, quoted = cursor.word()
        value = _cell(columns, a, word, quoted)
        row.cells[a] = 0.0 if value is None else value
        comma = _pass_separator(cursor)
        if comma and cursor.next == "}":
            raise ValueError("expected an index behind the last comma, found }")
    cursor.at += 1
    cursor.skip()
    if cursor.next == ",":
        cursor.at += 1
        cursor.skip()
        if cursor.next != "{":
            raise ValueError(
                f"expected a weight in braces behind the row, found "
                f"{shown(cursor.rest) if cursor.rest else 'nothing'}"
            )
    if cursor.next == "{":
        row.weight = _weight(cursor)
    elif not cursor.at_end():
        raise ValueError(
            f"expected the end of the line behind }}, found {shown(cursor.rest)}"
        )
    for a in columns.labels:
        if a not in row.cells and columns.plan.omitted[a] == UNKNOWN:
            raise ValueError(
                f"label {shown(columns.attributes[a].name)} is left out, which means "
                "0, but that is neither positive_value nor negative_value"
            )


def _index(cursor: Cursor, n_attributes: int) -> int:
    word, quoted = cursor.word()
    if quoted or not (word.isascii() and word.isdigit()):
        raise ValueError(
            f"expected the index of an attribute, from 0 to {n_attributes - 1}, found "
            f"{shown(word)}"
        )
    if len(word) > 18 or int(word) >= n_attributes:
        raise ValueError(
            f"index {word[:20]} is out of range: the file has {n_attributes} "
            f"attributes, counted from 0"
        )
    if not cursor.skip():
        raise ValueError(f"expected a value behind index {word}, found none")
    return int(word)


def _weight(cursor: Cursor) -> float:
    """Read the weight of a row, in braces, and expect the end of the line."""
    cursor.at += 1
    cursor.skip()
    word, _ = cursor.word()
    weight = parse_number(word)
    if weight is None or not 0 <= weight < math.inf:
        raise ValueError(
            f"expected a weight of 0 or more in braces, found {shown(word)}"
        )
    cursor.skip()
    if cursor.next != "}":
        raise ValueError("the braces around the weight are not closed")
    cursor.at += 1
    cursor.skip()
    if not cursor.at_end():
        raise ValueError(
            f"expected the end of the line behind the weight, found "
            f"{shown(cursor.rest)}"
        )
    return weight


def _cell(columns: Columns, a: int, word: str, quoted: bool) -> float | None:
    """Return the number of one value; None for an attribute that is dropped."""
    attribute = columns.attributes[a]
    if attribute.kind not in ("numeric", "nominal"):
        return None
    is_label = columns.is_label[a]
    kind = "label" if is_label else "attribute"
    if word == "?" and not quoted:
        if is_label:
            raise ValueError(
                f"label {shown(attribute.name)} is missing (?); a missing label is "
                "not 0: fill it in or leave the row out"
            )
        return math.nan
    codes = columns.codes[a]
    if codes is not None:
        code = codes.get(word)
        if code is None:
            known = ", ".join(list(codes)[:8]) + (", ..." if len(codes) > 8 else "")
            raise ValueError(
                f"{shown(word)} is not a value of {kind} {shown(attribute.name)}, "
                f"which has {{{known[:200]}}}"
            )
        return float(code)
    number = parse_number(word)
    if number is None:
        raise ValueError(
            f"{kind} {shown(attribute.name)} is numeric, found {shown(word)}; write ? "
            "for a missing value"
        )
    if math.isinf(number):
        raise ValueError(
            f"{kind} {shown(attribute.name)}: {shown(word)} is too large for a number"
        )
    if not is_label:
        if abs(number) >= EXACT and (loss := loss_of_text(word, shown(attribute.name))):
            raise ValueError(loss.removesuffix("."))
        return number
    label = label_of_number(number, columns.rule)
    if label == UNKNOWN:
        raise ValueError(
            f"label {shown(attribute.name)} must be 0 or 1, found {shown(word)}; give "
            "negative_value= or positive_value= if the labels are written otherwise"
        )
    return float(label)
