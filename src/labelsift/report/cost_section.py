"""What money buys: the information about the labels that features of a price give."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from labelsift.report.figures import NARROW, WIDE, Floats, Frame
from labelsift.report.svg import (
    drawing,
    label,
    linear_scale,
    marker,
    polyline,
    round_ticks,
    segment,
    tick_decimals,
)
from labelsift.report.tables import Cell, Column, Table, figure

_MOST_ROWS = 25


@dataclass(frozen=True)
class CostCurve:
    """A picture of money against information, its caption and its numbers."""

    wide: Markup
    narrow: Markup
    caption: str
    table: Table


@dataclass(frozen=True, eq=False)
class CostSteps:
    """Money spent and share of all information had, and the set that is kept."""

    money: Floats
    share: Floats
    spent: float
    had: float


def cost_steps(selector: Any) -> CostSteps | None:
    """Return the steps of ``cost_curve_``, or None where there are no prices."""
    steps = getattr(selector, "cost_curve_", None)
    if steps is None or not steps[-1, 0] > 0 or not steps[-1, 1] > 0:
        return None
    # of several steps at one price, the last
    money, share = steps[np.diff(steps[:, 0], append=math.inf) > 0].T
    kept = selector.get_support()
    had = float(selector.relevance_[kept].sum() / selector.relevance_.sum())
    return CostSteps(money, share, float(selector.total_cost_), had)


def cost_curve(selector: Any) -> CostCurve | None:
    """Return the curve of a selector that knows costs, or None.

    Parameters
    ----------
    selector : object
        A fitted selector. Only one with ``cost_curve_`` (money spent, share of all
        information had) on which something costs anything has a curve.
    """
    steps = cost_steps(selector)
    if steps is None:
        return None
    money, share, spent, had = steps.money, steps.share, steps.spent, steps.had
    return CostCurve(
        _draw(money, share, spent, had, WIDE),
        _draw(money, share, spent, had, NARROW),
        "Buying features by information per cost: how much of the information about "
        f"all labels a sum of money gives. The mark is the set that is kept: {spent:g} "
        f"for {100 * had:.0f}\u00a0%.",
        _table(money, share),
    )


def _draw(money: Floats, share: Floats, spent: float, had: float, frame: Frame) -> Any:
    font = frame.font
    left, right = 4.2 * font, 2.5 * font
    top, bottom = 3.4 * font, frame.height - 3.6 * font
    x_of = linear_scale(0, float(max(money[-1], spent)), left + 8, frame.width - right)
    y_of = linear_scale(0, 100, bottom, top)
    parts = [label("information had (%)", 0, font * 1.2, font, "axis-title")]
    for tick in round_ticks(0, 100):
        parts.append(segment(left, y_of(tick), frame.width - right, y_of(tick), "grid"))
        parts.append(
            label(f"{tick:g}", left - 7, y_of(tick) + font * 0.35, font, "tick end")
        )
    parts.append(segment(left, bottom, frame.width - right, bottom, "axis"))
    ticks = round_ticks(0, float(money[-1]), 4 if frame is NARROW else 7)
    decimals = tick_decimals(ticks)
    for tick in ticks:
        x = x_of(tick)
        parts.append(segment(x, bottom, x, bottom + 5, "axis"))
        text = f"{tick:.{decimals}f}"
        parts.append(label(text, x, bottom + 5 + font * 1.1, font, "tick middle"))
    middle = (left + frame.width - right) / 2
    below = bottom + 5 + font * 2.5
    parts.append(label("money spent", middle, below, font, "axis-title middle"))
    corners = [(x_of(money[0]), y_of(100 * share[0]))]
    for before, paid, gained in zip(share, money[1:], share[1:], strict=False):
        corners += [
            (x_of(paid), y_of(100 * before)),
            (x_of(paid), y_of(100 * gained)),
        ]
    parts.append(polyline(corners, "line c0"))
    parts.append(marker(0, x_of(spent), y_of(100 * had), 5, "dot c0"))
    return drawing(
        f"cost-{frame.suffix}",
        frame.width,
        frame.height,
        "Information against money spent",
        f"{spent:g} buys {100 * had:.0f} % of the information; everything costs "
        f"{money[-1]:g}.",
        parts,
        f"curve {frame.suffix}",
    )


def _table(money: Floats, share: Floats) -> Table:
    shown = np.unique(
        np.linspace(0, len(money) - 1, min(len(money), _MOST_ROWS)).round().astype(int)
    )
    rows = tuple(
        (
            Cell(figure(float(money[i]), 2), float(money[i])),
            Cell(f"{100 * share[i]:.0f}\u00a0%", float(share[i])),
        )
        for i in shown
    )
    columns = (Column("Money spent", "size"), Column("Information had", "figure"))
    return Table("cost-table", "What money buys", columns, rows)
