"""Time against quality: one point a method, the best corner named."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.method_profile import MethodProfile
from labelsift.evaluate.metrics import METRICS
from labelsift.report.choice import metric_title, standing_names
from labelsift.report.figures import N_COLOURS, NARROW, Frame
from labelsift.report.svg import (
    drawing,
    fit_text,
    isolate,
    label,
    linear_scale,
    log_scale,
    marker,
    polyline,
    round_ticks,
    segment,
    shorten,
    spread_apart,
    text_width,
    tick_decimals,
)
from labelsift.report.tables import seconds

_MOST = 24


@dataclass(frozen=True)
class TradeOff:
    """What a method takes and gives.

    Parameters
    ----------
    name : str
        The method.
    seconds : float
        To select, learn and predict in a fold; geometric mean over the data sets.
    quality : float
        Its mean rank, or with one data set its mean of the metric.
    is_on_front : bool
        Whether no other method is at once as fast and as good.
    """

    name: str
    seconds: float
    quality: float
    is_on_front: bool


def trade_offs(
    comparison: Comparison, profiles: Sequence[MethodProfile], metric: str
) -> list[TradeOff]:
    """Return a point for each method, in the order of the standings.

    Parameters
    ----------
    comparison : Comparison
        What was measured.
    profiles : sequence of MethodProfile
        From ``comparison.profiles(metric=metric)``.
    metric : str
        What quality means.
    """
    standings = comparison.standings(metric)
    times: dict[object, list[float]] = {}
    for profile in profiles:
        spent = max(profile.seconds_select, 0.0) + max(profile.seconds_learn, 0.0)
        times.setdefault(profile.method, []).append(max(spent, 1e-4))
    taken = [
        math.exp(math.fsum(map(math.log, times[s.method])) / len(times[s.method]))
        for s in standings
    ]
    goals = [
        s.mean_rank if len(comparison.results) > 1 else s.values[0] for s in standings
    ]
    is_lower_better = (
        len(comparison.results) > 1 or not METRICS[metric].greater_is_better
    )
    losses = [g if is_lower_better else -g for g in goals]
    points = []
    for name, time, goal, loss in zip(
        standing_names(standings), taken, goals, losses, strict=True
    ):
        is_beaten = math.isnan(loss) or any(
            t <= time and other <= loss and (t < time or other < loss)
            for t, other in zip(taken, losses, strict=True)
        )
        points.append(TradeOff(name, time, goal, not is_beaten))
    return points


def quality_title(comparison: Comparison, metric: str) -> tuple[str, bool]:
    """Return the title of the axis of quality, and whether higher is better."""
    if len(comparison.results) > 1:
        return f"Mean rank by {METRICS[metric].title} (1 is best)", False
    greater = METRICS[metric].greater_is_better
    way = "higher" if greater else "lower"
    return f"{metric_title(metric)} ({way} is better)", greater


def trade_off_figure(
    ident: str,
    points: Sequence[TradeOff],
    title: str,
    is_higher_better: bool,
    frame: Frame,
) -> Markup:
    """Draw quality against time; better is up, faster is left.

    Parameters
    ----------
    ident : str
        Unique on the page; the frame's suffix is added.
    points : sequence of TradeOff
        Best first; of more than 24 the first are drawn.
    title : str
        Of the axis of quality.
    is_higher_better : bool
        Otherwise low values are drawn at the top.
    frame : Frame
        Size and font.
    """
    points = [p for p in points if math.isfinite(p.quality)][:_MOST]
    if not points:
        return Markup("")
    font = frame.font
    widest = max(text_width(shorten(p.name, 40), font) for p in points)
    right = min(widest + 2.6 * font, frame.width * 0.38)
    left, top, bottom = 4.2 * font, 3.4 * font, frame.height - 3.6 * font
    low, high = _range([p.quality for p in points])
    ends = (bottom, top) if is_higher_better else (top, bottom)
    y_of = linear_scale(low, high, *ends)
    first, last = _decades([p.seconds for p in points])
    x_of = log_scale(first, last, left + 10, frame.width - right)
    parts = [label(title, 0, font * 1.2, font, "axis-title")]
    ticks = round_ticks(low, high)
    decimals = tick_decimals(ticks)
    for tick in ticks:
        y = y_of(tick)
        parts.append(segment(left, y, frame.width - right, y, "grid"))
        text = f"{tick:.{decimals}f}"
        parts.append(label(text, left - 7, y + font * 0.35, font, "tick end"))
    parts.append(segment(left, bottom, frame.width - right, bottom, "axis"))
    for tick in time_ticks(first, last, 3 if frame is NARROW else 6):
        x, below = x_of(tick), bottom + 5 + font * 1.1
        parts.append(segment(x, bottom, x, bottom + 5, "axis"))
        parts.append(label(tick_text(tick), x, below, font, "tick middle"))
    middle, below = (left + frame.width - right) / 2, bottom + 5 + font * 2.5
    axis = "time of a fold (log scale)"
    parts.append(label(axis, middle, below, font, "axis-title middle"))
    places = [(x_of(p.seconds), y_of(p.quality)) for p in points]
    height = 1.3 * font
    centres = spread_apart(
        [y for _, y in places],
        [height] * len(points),
        top - height / 2,
        bottom + height / 2,
    )
    text_x = frame.width - right + 1.5 * font
    for i, (point, (x, y), centre) in enumerate(
        zip(points, places, centres, strict=True)
    ):
        colour = f"c{i}" if i < N_COLOURS else "all"
        path = [(x, y), (frame.width - right + 2, centre), (text_x - 4, centre)]
        parts.append(polyline(path, f"leader {colour}"))
        size = 5.0 if point.is_on_front else 3.2
        parts.append(marker(i, x, y, size, f"dot {colour}"))
        short = isolate(fit_text(point.name, font, frame.width - text_x))
        kind = "end-label chosen-name" if point.is_on_front else "end-label"
        parts.append(label(short, text_x, centre + 0.35 * font, font, kind))
    return drawing(
        f"{ident}-{frame.suffix}",
        frame.width,
        frame.height,
        "Quality against time",
        _described(points),
        parts,
        f"scatter {frame.suffix}",
    )


def time_ticks(first: float, last: float, wanted: int) -> list[float]:
    """Return powers of ten from ``first`` to ``last``, about ``wanted`` of them."""
    powers = range(math.floor(math.log10(first)), math.ceil(math.log10(last)) + 1)
    inside = [p for p in powers if first <= 10.0**p * 1.001 and 10.0**p <= last * 1.001]
    step = max(1, math.ceil(len(inside) / wanted))
    return [10.0**p for p in inside[::step]]


def tick_text(value: float) -> str:
    """Return a time of an axis: 0.1 ms, 10 ms, 1 s, 1000 s."""
    return f"{value:g} s" if value >= 0.9995 else f"{value * 1000:g} ms"


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    pad = (high - low) * 0.08 or max(abs(high) * 0.05, 0.01)
    return low - pad, high + pad


def _decades(times: Sequence[float]) -> tuple[float, float]:
    low = 10.0 ** math.floor(math.log10(min(times)) + 1e-9)
    high = 10.0 ** math.ceil(math.log10(max(times)) - 1e-9)
    return low, max(high, 10 * low)


def _described(points: Sequence[TradeOff]) -> str:
    listed = "; ".join(
        f"{isolate(shorten(p.name, 60))} {seconds(p.seconds)}, {p.quality:.3g}"
        for p in points
    )
    front = ", ".join(isolate(shorten(p.name, 60)) for p in points if p.is_on_front)
    fastest = points[int(np.argmin([p.seconds for p in points]))]
    return (
        f"{listed}. As fast and as good as no other: {front}. Fastest: "
        f"{isolate(shorten(fastest.name, 60))}."
    )
