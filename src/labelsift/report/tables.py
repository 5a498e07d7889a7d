"""One table, four uses: rows of the page, CSV, LaTeX, and Markdown."""

from __future__ import annotations

import base64
import csv
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from labelsift.evaluate.spreadsheet import harmless
from labelsift.report.svg import clean

Raw = str | int | float | None

_MINUS = "\u2212"
_WWW = re.compile(r"(www)\.", re.IGNORECASE)
_MARKDOWN = frozenset("\\`*_[]<>#|&~$:@")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': "''",
    "\u25cb": r"$\circ$",
    "\u25cf": r"$\bullet$",
    "\u00b1": r"$\pm$",
    _MINUS: r"$-$",
    "\u2265": r"$\geq$",
    "\u2248": r"$\approx$",
    "\u00a0": "~",
    "\u2068": "",
    "\u2069": "",
    "\u2026": r"\ldots{}",
    "\u2013": "--",
    "|": r"\textbar{}",
    # after a line's end these would be its options
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "\u03c7": r"$\chi$",
    "\u00b2": r"$^2$",
    "\u221e": r"$\infty$",
}
_LATEX_MARKS = {"\u2248": r"\approx", "+": "+", _MINUS: "-"}


@dataclass(frozen=True)
class Column:
    """A column's heading and kind.

    Parameters
    ----------
    title : str
        Heading, from this package or a metric's title.
    kind : {"text", "name", "size", "figure"}
        Names and sizes head their rows, figures are aligned right.
    file_title : str
        Heading in CSV files and data frames, where ``title`` would not be unique.
    """

    title: str
    kind: str = "text"
    file_title: str = ""

    @property
    def is_row_header(self) -> bool:
        """Whether the cells name their row."""
        return self.kind in {"name", "size"}

    @property
    def class_name(self) -> str | None:
        """Class of the cells in the page."""
        return {"figure": "figure-cell", "name": "name"}.get(self.kind)


@dataclass(frozen=True)
class Cell:
    """What a cell shows, and the value behind it.

    Parameters
    ----------
    text : str
        As shown and as set in LaTeX.
    raw : str, int, float or None
        In the CSV file, at full precision; ``text`` when ``None``.
    is_name : bool
        The text comes from the data and may be shortened in the page.
    names : tuple of str
        Several such names, shown one after the other in place of ``text``.
    picture : Markup or None
        Shown before the text on wide screens; it must say no more than the text.
    is_best : bool
        Set in bold.
    mark, mark_text : str
        A sign behind the text, and what it means in words for a screen reader.
    """

    text: str = ""
    raw: Raw = None
    is_name: bool = False
    names: tuple[str, ...] = ()
    picture: Markup | None = None
    is_best: bool = False
    mark: str = ""
    mark_text: str = ""

    @property
    def sort_value(self) -> str:
        """What the page sorts by: the number, or nothing where there is none."""
        if isinstance(self.raw, int | float) and math.isfinite(self.raw):
            return f"{self.raw:.12g}"
        return ""


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns, with a caption.

    Parameters
    ----------
    ident : str
        Unique on the page.
    caption : str
        First line of the table in the page and in LaTeX.
    columns : tuple of Column
        One a cell.
    rows : tuple of tuple of Cell
        Every row as long as ``columns``.
    note : str
        A line below, empty for none.
    is_sortable : bool
        Whether a click on a heading sorts the rows, where scripts run.
    """

    ident: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    is_sortable: bool = False

    @property
    def class_name(self) -> str | None:
        """Classes of the table in the page."""
        is_marked = any(cell.mark for row in self.rows for cell in row)
        kinds = [
            ("sortable", self.is_sortable),
            ("marked", is_marked),
            ("broad", len(self.columns) > 6),
            ("across", len(self.columns) > 12),
        ]
        return " ".join(kind for kind, applies in kinds if applies) or None

    def to_csv(self) -> str:
        """Return comma-separated text, numbers at full precision."""
        return to_csv(self)[0]

    def to_latex(self) -> str:
        """Return a booktabs table: best in bold, signs explained, names escaped."""
        return to_latex(self)[0]

    def to_markdown(self) -> str:
        """Return a table for Markdown: best in bold, signs explained, names escaped."""
        return to_markdown(self)[0]

    def to_frame(self, backend: Any = "pandas") -> Any:
        """Return a data frame: names as they are, numbers at full precision.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Library of the frame.
        """
        import narwhals.stable.v2 as nw

        columns: dict[str, list[Any]] = {}
        for j, column in enumerate(self.columns):
            title = name = column.file_title or column.title
            while name in columns:  # two data sets may look alike when cut short
                name = f"{title} ({j})"
            cells = [row[j] for row in self.rows]
            columns[name] = [_framed(cell, column.kind == "figure") for cell in cells]
        return nw.from_dict(columns, backend=backend).to_native()


def decimals_for(values: Sequence[float]) -> int:
    """Return how many decimals make about three figures of the largest value."""
    finite = [abs(v) for v in values if math.isfinite(v)]
    largest = max(finite, default=0.0)
    if largest >= 2:
        return 2 if largest < 100 else 1 if largest < 1000 else 0
    return 3 if largest >= 0.1 or largest == 0 else 4 if largest >= 0.01 else 5


def figure(value: float, decimals: int, *, has_sign: bool = False) -> str:
    """Format with a true minus sign; an en dash where there is no value."""
    if not math.isfinite(value):
        return "\u2013"
    text = f"{value:+.{decimals}f}" if has_sign else f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.lstrip("+-")
    return text.replace("-", _MINUS)


def with_spread(mean: float, spread: float, decimals: int) -> str:
    """Format ``mean ± spread``; the mean alone when the spread is unknown."""
    text = figure(mean, decimals)
    return f"{text} ± {spread:.{decimals}f}" if math.isfinite(spread) else text


def grouped(n: int) -> str:
    """Return a whole number with narrow blanks between its thousands."""
    return f"{n:,}".replace(",", "\u202f")


def seconds(value: float) -> str:
    """Format a duration in words a person uses: 3 ms, 1.24 s, 2 min 05 s."""
    if not math.isfinite(value):
        return "\u2013"
    if value < 0.9995:
        return f"{value * 1000:.0f} ms" if value >= 0.001 else "< 1 ms"
    if value < 99.95:
        return f"{value:.2f} s" if value < 9.995 else f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest:02d} s"


def _framed(cell: Cell, is_figure: bool) -> Any:
    if is_figure:
        is_number = isinstance(cell.raw, int | float)
        return cell.raw if is_number else None
    text = str(cell.raw) if cell.raw is not None else cell.text
    return text or "; ".join(cell.names)


def to_csv(table: Table, max_bytes: int | None = None) -> tuple[str, int]:
    """Return the table as comma-separated text and the number of its data rows.

    Parameters
    ----------
    table : Table
        Numbers have full precision.
    max_bytes : int, optional
        Rows beyond this many bytes of UTF-8 are left out.

    Notes
    -----
    A name that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    lines = [_csv_line([harmless(c.file_title or c.title) for c in table.columns])]
    used = len(lines[0].encode())
    for row in table.rows:
        line = _csv_line([_raw(cell) for cell in row])
        used += len(line.encode())
        if max_bytes is not None and used > max_bytes:
            break
        lines.append(line)
    return "".join(lines), len(lines) - 1


def _csv_line(values: Sequence[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(values)
    return buffer.getvalue()


def _raw(cell: Cell) -> str:
    value = cell.raw
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(float(value)) if math.isfinite(value) else ""
    if value or cell.is_name:
        return harmless(clean(value or cell.text))
    return harmless("; ".join(map(clean, cell.names)) or cell.text)


def to_latex(table: Table, max_bytes: int | None = None) -> tuple[str, int]:
    """Return a booktabs ``table`` and the number of its data rows.

    Names from the data are escaped; bold and marks are kept. ``max_bytes`` is as in
    ``to_csv``.
    """
    align = "".join("r" if c.kind == "figure" else "l" for c in table.columns)
    heads = [latex_text(column.title) for column in table.columns]
    lines = [
        "% needs \\usepackage{booktabs}",
        "\\begin{table}",
        f"\\caption{{{latex_text(table.caption)}}}",
        "\\centering",
        f"\\begin{{tabular}}{{{align}}}",
        "\\toprule",
        " & ".join(heads) + r" \\",
        "\\midrule",
    ]
    signs = "; ".join(
        f"${_latex_mark(sign)}$: {latex_text(words)}"
        for sign, words in mark_meanings(table).items()
    )
    legend = [rf"\par\smallskip{{\footnotesize {signs}}}"] if signs else []
    end = ["\\bottomrule", "\\end{tabular}", *legend, "\\end{table}", ""]
    used, n_rows = len("\n".join([*lines, *end]).encode()), 0
    for row in table.rows:
        line = " & ".join(_latex_cell(cell) for cell in row) + r" \\"
        used += len(line.encode()) + 1
        if max_bytes is not None and used > max_bytes:
            break
        lines.append(line)
        n_rows += 1
    return "\n".join([*lines, *end]), n_rows


def to_markdown(table: Table, max_bytes: int | None = None) -> tuple[str, int]:
    """Return a table for Markdown and the number of its data rows.

    Names from the data are escaped, so that none is read as a mark; bold and marks
    are kept. ``max_bytes`` is as in ``to_csv``.
    """
    rules = ["--:" if c.kind == "figure" else ":--" for c in table.columns]
    lines = [_piped([markdown_text(c.title) for c in table.columns]), _piped(rules)]
    used, n_rows = sum(len(line.encode()) + 1 for line in lines), 0
    for row in table.rows:
        line = _piped([_markdown_cell(cell) for cell in row])
        used += len(line.encode()) + 1
        if max_bytes is not None and used > max_bytes:
            break
        lines.append(line)
        n_rows += 1
    signs = mark_meanings(table).items()
    if signs:
        listed = "; ".join(f"{sign}: {words}" for sign, words in signs)
        lines += ["", listed]
    return "\n".join([*lines, ""]), n_rows


def markdown_text(text: str) -> str:
    """Escape every character that Markdown, or HTML within it, would act on."""
    escaped = "".join(f"\\{c}" if c in _MARKDOWN else c for c in text)
    # some readers make a link of every www.
    return _WWW.sub(r"\1\\.", escaped)


def _markdown_cell(cell: Cell) -> str:
    words = ", ".join(map(clean, cell.names)) or cell.text
    text = markdown_text(clean(words) if cell.is_name else words)
    if cell.is_best:
        text = f"**{text}**"
    return f"{text} {cell.mark}" if cell.mark else text


def _piped(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def latex_text(text: str) -> str:
    """Escape every character that LaTeX would act on."""
    return "".join(_LATEX.get(c, c) for c in text)


def _latex_cell(cell: Cell) -> str:
    words = ", ".join(map(clean, cell.names)) or cell.text
    text = latex_text(clean(words) if cell.is_name else words)
    if cell.is_best:
        text = rf"\textbf{{{text}}}"
    # no wider with its mark: the digits of a column stay in line
    return rf"{text}\rlap{{$^{{{_latex_mark(cell.mark)}}}$}}" if cell.mark else text


def mark_meanings(table: Table) -> dict[str, str]:
    """Return what the signs beside the figures mean, in the order of the table."""
    found: dict[str, str] = {}
    for cell in (cell for row in table.rows for cell in row):
        words = cell.mark_text.split(", ")
        if cell.mark and len(words) == len(cell.mark):
            found |= dict(zip(cell.mark, words, strict=True))
    return found


def _latex_mark(mark: str) -> str:
    return "".join(_LATEX_MARKS.get(sign, latex_text(sign)) for sign in mark)


def data_uri(text: str, media_type: str) -> str:
    """Return text as a base64 ``data:`` address: nothing of it can leave its quotes."""
    code = base64.b64encode(text.encode("utf-8")).decode("ascii")
    return f"data:{media_type};charset=utf-8;base64,{code}"
