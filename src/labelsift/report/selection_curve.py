"""The page of a selection: how the scores fall, as a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from labelsift.report.feature_section import Floats
from labelsift.report.figures import NARROW, WIDE, Frame
from labelsift.report.selection_view import View
from labelsift.report.svg import (
    drawing,
    label,
    linear_scale,
    log_scale,
    marker,
    polyline,
    round_ticks,
    segment,
    tick_decimals,
)

_MOST_POINTS = 200
_LOG_FROM = 100


@dataclass(frozen=True)
class Pictures:
    """One drawing for wide screens and one for narrow ones, and what it shows."""

    wide: Markup
    narrow: Markup
    caption: str


def score_curve(view: View) -> Pictures | None:
    """Draw the scores, best first, with a mark at the last that is kept."""
    values = view.values[view.order]
    known = np.flatnonzero(np.isfinite(values))
    if len(known) < 2:
        return None
    n_kept = len(view.kept)
    # every place would be a point a pixel; so few show the same fall
    picked = np.unique(
        np.geomspace(1, len(known), min(len(known), _MOST_POINTS)).round().astype(int)
    )
    places = np.union1d(known[picked - 1] + 1, [min(n_kept, int(known[-1]) + 1)])
    what = view.measure.lower()
    caption = f"{view.measure} of the features, in the order of the ranking."
    if len(view.left_out):
        last = f"last of the {n_kept} that are" if n_kept > 1 else "one that is"
        caption += f" The mark is the {last} kept."
    caption += _fall(view, values)
    drawn = [
        _draw(places.astype(np.float64), values[places - 1], n_kept, what, frame)
        for frame in (WIDE, NARROW)
    ]
    return Pictures(drawn[0], drawn[1], caption)


def _fall(view: View, values: Floats) -> str:
    """Return how much of all that the scores add up to the kept ones have."""
    if hasattr(view.selector, "criterion_") or not len(view.left_out):
        return ""
    if not (np.isfinite(values).all() and (values >= 0).all() and values.sum() > 0):
        return ""
    share = 100 * values[: len(view.kept)].sum() / values.sum()
    return f" They hold {share:.0f}\u00a0% of the sum of all scores."


def _draw(
    places: Floats, values: Floats, n_kept: int, what: str, frame: Frame
) -> Markup:
    font = frame.font
    low, high = float(values.min()), float(values.max())
    low = min(low, 0.0) if high > 0 else low
    ticks = round_ticks(low, high)
    decimals = tick_decimals(ticks)
    longest = max(len(f"{tick:.{decimals}f}") for tick in ticks)
    left, right = (0.62 * longest + 1.2) * font, 2.5 * font
    top, bottom = 3.4 * font, frame.height - 3.6 * font
    y_of = linear_scale(low, high, bottom, top)
    last = float(places[-1])
    scale = log_scale if last > _LOG_FROM else linear_scale
    x_of = scale(1.0, last, left + 8, frame.width - right)
    parts = [label(what, 0, font * 1.2, font, "axis-title")]
    for tick in ticks:
        y = y_of(tick)
        parts.append(segment(left, y, frame.width - right, y, "grid"))
        text = f"{tick:.{decimals}f}".replace("-", "\u2212")
        parts.append(label(text, left - 7, y + font * 0.35, font, "tick end"))
    parts.append(segment(left, bottom, frame.width - right, bottom, "axis"))
    for place in _place_ticks(last, frame):
        x = x_of(place)
        parts.append(segment(x, bottom, x, bottom + 5, "axis"))
        spot = bottom + 5 + font * 1.1
        parts.append(label(f"{place:g}", x, spot, font, "tick middle"))
    middle = (left + frame.width - right) / 2
    below = bottom + 5 + font * 2.5
    parts.append(label("place", middle, below, font, "axis-title middle"))
    points = [
        (x_of(p), y_of(v))
        for p, v in zip(places.tolist(), values.tolist(), strict=True)
    ]
    inside = int(np.searchsorted(places, n_kept, side="right"))
    if inside < len(points):
        parts.append(polyline(points[max(inside - 1, 0) :], "line all"))
    if inside > 1:
        parts.append(polyline(points[:inside], "line c0"))
    if inside:
        x, y = points[inside - 1]
        if inside < len(points):
            parts.append(segment(x, top - 6, x, bottom, "chosen-line"))
            side = "chosen-label end" if x > frame.width * 0.6 else "chosen-label"
            shift = -7 if x > frame.width * 0.6 else 7
            parts.append(label(f"keep {n_kept}", x + shift, top, font, side))
        parts.append(marker(0, x, y, 5, "dot c0"))
    return drawing(
        f"scores-{frame.suffix}",
        frame.width,
        frame.height,
        f"{what.capitalize()} of the features by rank",
        f"From {values[0]:.4g} for the first to {values[-1]:.4g} for place "
        f"{int(places[-1])}; {n_kept} are kept.",
        parts,
        f"curve {frame.suffix}",
    )


def _place_ticks(last: float, frame: Frame) -> list[float]:
    if last > _LOG_FROM:
        return [10.0**e for e in range(int(math.log10(last)) + 1)]
    rounded = round_ticks(1, last, 4 if frame is NARROW else 8)
    return [tick for tick in rounded if tick == int(tick)] or [1.0, last]
