"""Draw the heat map of features and labels, and the small pictures of table cells.

Colours are class names, ``h0`` to ``h8`` for the heat, given by the style sheet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from labelsift._words import counted
from labelsift.report.svg import (
    drawing,
    element,
    fit_text,
    isolate,
    label,
    linear_scale,
    number,
    rectangle,
    segment,
    shorten,
    text_width,
)

Floats = NDArray[np.float64]

_HEAT_LEVELS = 8
_CELL = 18.0
_FONT = 12.0
_LONGEST = 28  # characters of a name: every cell repeats two of them


def heat_top(values: Floats) -> float:
    """Return the 98th percentile of what is above 0; 0 where nothing is."""
    positive = values[np.isfinite(values) & (values > 0)]
    return float(np.quantile(positive, 0.98)) if positive.size else 0.0


def heat_levels(values: Floats) -> tuple[NDArray[np.int64], float]:
    """Return the level of each cell, 0 to 8 (-1 for NaN), and the value of level 8.

    Level 0 is nothing at all (0 or less). The top is the 98th percentile of what is
    above 0, so that one outlier does not bleach the rest.
    """
    top = heat_top(values)
    if top <= 0:
        return np.where(np.isfinite(values), 0, -1).astype(np.int64), 0.0
    share = np.clip(np.nan_to_num(values / top), 0.0, 1.0)
    levels = np.ceil(share * _HEAT_LEVELS).astype(np.int64)
    return np.where(np.isfinite(values), levels, -1), top


def block_order(values: Floats) -> NDArray[np.int64]:
    """Order the rows so that like rows are neighbours.

    Average-linkage clustering of the rows' directions with optimal leaf ordering;
    fewer than three rows keep their order. O(r²) for r rows.
    """
    if len(values) < 3:
        return np.arange(len(values))
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import pdist

    filled = np.nan_to_num(np.maximum(values, 0.0))
    length = np.sqrt((filled**2).sum(axis=1, keepdims=True))
    directions = np.divide(filled, length, out=np.zeros_like(filled), where=length > 0)
    distances = pdist(directions)
    tree = optimal_leaf_ordering(linkage(distances, "average"), distances)
    leaves: NDArray[np.int64] = leaves_list(tree).astype(np.int64)
    # of the two directions take the one that begins with the stronger half
    strength = filled.sum(axis=1)[leaves]
    half = len(leaves) // 2
    return leaves[::-1] if strength[:half].sum() < strength[-half:].sum() else leaves


def heat_map(
    ident: str,
    values: Floats,
    rows: Sequence[str],
    columns: Sequence[str],
    what: str,
    *,
    kind: str = "label",
) -> Markup:
    """Draw features x labels, or features x features, sorted so that blocks show.

    Parameters
    ----------
    ident : str
        Unique on the page.
    values : ndarray of shape (len(rows), len(columns))
        What the cells show; NaN cells stay empty with a stroke through.
    rows, columns : sequence of str
        Names of features and labels.
    what : str
        Name of the value, for the key: "chi2", "score".
    kind : {"label", "feature"}
        What the columns are. Features stand on both sides in one order, and the
        strongest pairs are named without those of a feature and itself.
    """
    row_order, column_order = block_order(values), block_order(values.T)
    values = values[np.ix_(row_order, column_order)]
    row_names = [shorten(rows[i], _LONGEST) for i in row_order]
    column_names = [shorten(columns[i], _LONGEST) for i in column_order]
    levels, top = heat_levels(values)
    slope = math.radians(60)
    size = f"{counted(len(rows), 'feature')} by {counted(len(columns), kind)}"
    left = min(max(text_width(n, _FONT) for n in row_names), 150.0) + 8
    longest = min(max(text_width(n, _FONT) for n in column_names), 120.0)
    head = longest * math.sin(slope) + 12
    width = left + _CELL * len(column_names) + longest * math.cos(slope) + 12
    bottom = head + _CELL * len(row_names)
    parts = []
    for j, name in enumerate(column_names):
        x = number(left + _CELL * (j + 0.65))
        turn = f"translate({x} {number(head - 6)}) rotate(-60)"
        short = isolate(fit_text(name, _FONT, longest))
        parts.append(label(short, 0, 0, _FONT, "tick", turn))
    for i, name in enumerate(row_names):
        y = head + _CELL * i
        short = isolate(fit_text(name, _FONT, left - 8))
        parts.append(label(short, left - 7, y + 13, _FONT, "tick end"))
        for j, other in enumerate(column_names):
            value, level = values[i, j], levels[i, j]
            shown = "not measured" if math.isnan(value) else f"{value:.4g}"
            tip = element("title", None, f"{isolate(name)}, {isolate(other)}: {shown}")
            kind = f"h{level}" if level >= 0 else "h-none"
            x_cell = left + _CELL * j
            parts.append(rectangle(x_cell, y, _CELL - 1, _CELL - 1, kind, [tip]))
    parts.extend(_heat_key(left, bottom + 14, top, what))
    return drawing(
        ident,
        max(width, left + 190),
        bottom + 50,
        f"Heat map of {what}, {size}",
        _describe_heat(values, row_names, column_names, what, kind),
        parts,
        "heat",
    )


def _heat_key(x: float, y: float, top: float, what: str) -> list[Markup]:
    boxes = [
        rectangle(x + 14 * level, y, 14, 10, f"h{level}")
        for level in range(_HEAT_LEVELS + 1)
    ]
    end, below = x + 14 * (_HEAT_LEVELS + 1), y + 10 + 1.2 * _FONT
    return [
        *boxes,
        label("0", x, below, _FONT, "tick"),
        label(f"≥ {top:.3g}", end, below, _FONT, "tick end"),
        label(what, end + 8, y + 0.8 * _FONT, _FONT, "tick"),
    ]


def _describe_heat(
    values: Floats, rows: Sequence[str], columns: Sequence[str], what: str, kind: str
) -> str:
    finite = np.where(np.isfinite(values), values, -np.inf)
    if kind == "feature":
        finite = np.where(np.tri(len(rows), dtype=bool), -np.inf, finite)
    strongest = np.argsort(-finite, axis=None, kind="stable")[:3]
    cells = []
    for place in strongest:
        i, j = divmod(int(place), len(columns))
        if finite[i, j] > 0:
            word = "and" if kind == "feature" else "for"
            cells.append(
                f"{isolate(rows[i])} {word} {isolate(columns[j])} ({finite[i, j]:.4g})"
            )
    if not cells:
        return f"No cell has a {what} above 0."
    end = "" if kind == "feature" else " The table of features names the labels."
    return f"Strongest: {'; '.join(cells)}.{end}"


def share_bar(share: float) -> Markup:
    """Draw a share from 0 to 1 as a small bar; the number stands beside it in text."""
    width = 64 * min(max(share, 0.0), 1.0) if math.isfinite(share) else 0.0
    return element(
        "svg",
        {
            "class": "bar",
            "viewBox": "0 0 64 8",
            "width": 64,
            "height": 8,
            "aria-hidden": "true",
        },
        [
            element("rect", {"class": "bar-back", "width": 64, "height": 8, "rx": 2}),
            element(
                "rect", {"class": "bar-fill", "width": width, "height": 8, "rx": 2}
            ),
        ],
    )


def interval_bar(value: float, low: float, high: float) -> Markup:
    """Draw a value from 0 to 1 with its interval; the numbers stand beside it."""
    x_of = linear_scale(0.0, 1.0, 5, 75)
    ends = [x_of(min(max(v, 0.0), 1.0)) for v in (low, value, high)]
    spot: dict[str, str | int | float] = {"cx": ends[1], "cy": 5, "r": 3.5}
    return element(
        "svg",
        {
            "class": "bar",
            "viewBox": "0 0 80 10",
            "width": 80,
            "height": 10,
            "aria-hidden": "true",
        },
        [
            segment(5, 5, 75, 5, "grid"),
            segment(ends[0], 5, ends[2], 5, "link"),
            element("circle", {"class": "full", **spot}),
        ],
    )


def dumbbell(before: float, after: float, top: float) -> Markup:
    """Draw two values on one line from 0 to ``top``: hollow before, full after."""
    x_of = linear_scale(0.0, top if top > 0 else 1.0, 6, 114)
    parts = [segment(6, 7, 114, 7, "grid")]
    good = [v for v in (before, after) if math.isfinite(v)]
    if len(good) == 2:
        parts.append(segment(x_of(before), 7, x_of(after), 7, "link"))
    for value, kind in ((before, "hollow"), (after, "full")):
        if math.isfinite(value):
            spot: dict[str, str | int | float] = {"cx": x_of(value), "cy": 7, "r": 4.5}
            parts.append(element("circle", {"class": kind, **spot}))
    return element(
        "svg",
        {
            "class": "dumbbell",
            "viewBox": "0 0 120 14",
            "width": 120,
            "height": 14,
            "aria-hidden": "true",
        },
        parts,
    )
