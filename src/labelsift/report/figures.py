"""Draw a metric against the number of features, as inline SVG.

Plain arrays and names in, ``Markup`` out. Colours are class names, ``c0`` to ``c6``
for the lines, given by the style sheet.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from labelsift._words import counted
from labelsift.report.setting_axis import describe_setting, setting_axis
from labelsift.report.svg import (
    drawing,
    element,
    fit_text,
    isolate,
    label,
    linear_scale,
    log_scale,
    marker,
    polygon,
    polyline,
    round_ticks,
    segment,
    shorten,
    spread_apart,
    text_width,
    tick_decimals,
)

Floats = NDArray[np.float64]
Scale = Callable[[float], float]

#: Series colours of the style sheet; more lines than these are not drawn.
N_COLOURS = 7
_MOST_POINTS = 48
_DIRECTIONS = {True: " (higher is better)", False: " (lower is better)", None: ""}


@dataclass(frozen=True)
class Line:
    """One method's curve.

    Parameters
    ----------
    name : str
        As the label at the line's end.
    sizes : ndarray of shape (m,)
        Numbers of features, increasing, at least 1; or values of a setting.
    mean, spread : ndarray of shape (m,)
        Mean and standard deviation over the folds; NaN where not measured.
    colour : int
        Series number, 0 (the accent) to 6.
    chosen : int
        Position in ``sizes`` that gets the large mark; -1 for none.
    has_band : bool
        Whether the spread is drawn.
    """

    name: str
    sizes: NDArray[np.int64] | Floats
    mean: Floats
    spread: Floats
    colour: int
    chosen: int = -1
    has_band: bool = True


@dataclass(frozen=True)
class Frame:
    """Size of a curve drawing in CSS pixels, and of its text."""

    width: float
    height: float
    font: float
    suffix: str


WIDE = Frame(width=820, height=430, font=13, suffix="wide")
NARROW = Frame(width=358, height=330, font=12, suffix="narrow")


def curve(
    ident: str,
    lines: Sequence[Line],
    *,
    metric: str,
    is_higher_better: bool | None,
    n_features: int,
    all_features: float,
    frame: Frame,
    setting: str = "",
) -> Markup:
    """Draw a metric against the number of features kept, or against a setting.

    Parameters
    ----------
    ident : str
        Unique on the page; the frame's suffix is added.
    lines : sequence of Line
        Drawn in this order, the first on top.
    metric : str
        Title of the vertical axis.
    is_higher_better : bool or None
        Said beside the title; None where neither is better.
    n_features : int
        All features there are: the end of the horizontal axis.
    all_features : float
        Height of the dashed line; NaN for none.
    frame : Frame
        Size and font.
    setting : str
        What the horizontal axis shows instead, by its name.
    """
    ident = f"{ident}-{frame.suffix}"
    shown = [line for line in map(_thinned, lines) if np.isfinite(line.mean).any()]
    names = [line.name for line in shown]
    if math.isfinite(all_features):
        names.append(f"all {n_features}")
    left = 4.2 * frame.font
    right = _margin_for(names, frame)
    top, bottom = 3.4 * frame.font, frame.height - 3.6 * frame.font
    sizes = np.concatenate([line.sizes for line in shown]) if shown else np.array([1])
    low_x, high_x = sizes.min().item(), sizes.max().item()
    if not setting:
        low_x, high_x = int(low_x), max(int(high_x), n_features)
    is_log = not setting and wants_log(sizes, high_x)
    make = log_scale if is_log else linear_scale
    x_of = make(low_x, high_x, left + 8, frame.width - right - 10)
    low_y, high_y = _value_range(shown, all_features)
    y_of = linear_scale(low_y, high_y, bottom, top)
    parts = [
        *_value_axis(low_y, high_y, y_of, left, frame.width - right, frame.font),
        *(
            setting_axis(setting, low_x, high_x, x_of, bottom, frame.font)
            if setting
            else _size_axis(low_x, high_x, is_log, x_of, bottom, frame)
        ),
        label(
            metric + _DIRECTIONS[is_higher_better],
            0,
            frame.font * 1.2,
            frame.font,
            "axis-title",
        ),
    ]
    if math.isfinite(all_features):
        y = y_of(all_features)
        ends = [(left, y), (frame.width - right, y)]
        parts.append(polyline(ends, "all-features"))
    for line in shown:
        if line.has_band:
            parts.extend(_band(line, x_of, y_of))
    for line in reversed(shown):
        parts.extend(_path(line, x_of, y_of))
    parts.extend(_chosen_marks(shown, x_of, y_of, top, bottom, frame))
    parts.extend(
        _end_labels(shown, names, all_features, x_of, y_of, right, (top, bottom), frame)
    )
    return drawing(
        ident,
        frame.width,
        frame.height,
        f"{metric} against {setting or 'number of features'}",
        describe_setting(shown, setting, is_higher_better)
        if setting
        else _describe_curve(
            shown, metric, bool(is_higher_better), n_features, all_features
        ),
        parts,
        f"curve {frame.suffix}",
    )


def _thinned(line: Line) -> Line:
    m = len(line.sizes)
    if m <= _MOST_POINTS:
        return line
    picked = set(np.linspace(0, m - 1, _MOST_POINTS).round().astype(int).tolist())
    picked |= {line.chosen} - {-1}
    keep = np.array(sorted(picked))
    chosen = int(np.searchsorted(keep, line.chosen)) if line.chosen >= 0 else -1
    return Line(
        line.name,
        line.sizes[keep],
        line.mean[keep],
        line.spread[keep],
        line.colour,
        chosen,
        line.has_band,
    )


def wants_log(sizes: NDArray[np.int64], high: int) -> bool:
    """Tell whether a logarithmic axis shows these sizes better."""
    # a grid that grows by factors is crowded to the left of a linear axis
    return high >= 20 and float(np.median(sizes)) < high / 4


def _value_range(lines: Sequence[Line], all_features: float) -> tuple[float, float]:
    values = [all_features]
    for line in lines:
        spread = np.nan_to_num(line.spread) if line.has_band else 0.0
        values.extend((line.mean - spread).tolist())
        values.extend((line.mean + spread).tolist())
    finite = [v for v in values if math.isfinite(v)] or [0.0]
    low, high = min(finite), max(finite)
    pad = (high - low) * 0.06 or max(abs(high) * 0.05, 0.01)
    return low - pad, high + pad


def _margin_for(names: Sequence[str], frame: Frame) -> float:
    # room for the longest label, between 60 px and 34 % of the width
    widest = max((text_width(shorten(n, 40), frame.font) for n in names), default=0.0)
    return min(max(widest + 2.6 * frame.font, 60), frame.width * 0.34)


def _value_axis(
    low: float, high: float, y_of: Scale, left: float, end: float, font: float
) -> list[Markup]:
    ticks = round_ticks(low, high)
    decimals = tick_decimals(ticks)
    parts = []
    for tick in ticks:
        y = y_of(tick)
        parts.append(segment(left, y, end, y, "grid"))
        text = f"{tick:.{decimals}f}"
        parts.append(label(text, left - 7, y + font * 0.35, font, "tick end"))
    return parts


def _size_axis(
    low: int, high: int, is_log: bool, x_of: Scale, bottom: float, frame: Frame
) -> list[Markup]:
    font = frame.font
    if is_log:
        steps = [m * 10**p for p in range(len(str(high))) for m in (1, 2, 5)]
        ticks = [low, *(s for s in steps if low < s < high), high]
    else:
        wanted = 4 if frame is NARROW else 7
        ticks = [low, *(round(t) for t in round_ticks(low, high, wanted)), high]
    parts = [segment(x_of(low) - 8, bottom, x_of(high) + 10, bottom, "axis")]
    last_end = -math.inf
    final = x_of(high) - text_width(str(high), font) / 2 - 6
    for tick in sorted(set(ticks)):
        half = text_width(str(tick), font) / 2
        x = x_of(tick)
        if x - half < last_end or (tick != high and x + half > final):
            continue
        last_end = x + half + 6
        parts.append(segment(x, bottom, x, bottom + 5, "axis"))
        below = bottom + 5 + font * 1.1
        parts.append(label(str(tick), x, below, font, "tick middle"))
    title = "number of features kept" + (" (log scale)" if is_log else "")
    middle, below = (x_of(low) + x_of(high)) / 2, bottom + 5 + font * 2.5
    return [*parts, label(title, middle, below, font, "axis-title middle")]


def _runs(line: Line) -> list[NDArray[np.int64]]:
    """Split the positions at values that are not measured."""
    good = np.flatnonzero(np.isfinite(line.mean))
    breaks = np.flatnonzero(np.diff(good) > 1) + 1
    return [run for run in np.split(good, breaks) if len(run)]


def _band(line: Line, x_of: Scale, y_of: Scale) -> list[Markup]:
    parts = []
    for run in _runs(line):
        if len(run) < 2:
            continue
        spread = np.nan_to_num(line.spread)
        upper = [(x_of(line.sizes[i]), y_of(line.mean[i] + spread[i])) for i in run]
        lower = [(x_of(line.sizes[i]), y_of(line.mean[i] - spread[i])) for i in run]
        parts.append(polygon(upper + lower[::-1], f"band c{line.colour}"))
    return parts


def _path(line: Line, x_of: Scale, y_of: Scale) -> list[Markup]:
    parts = []
    for run in _runs(line):
        points = [(x_of(line.sizes[i]), y_of(line.mean[i])) for i in run]
        if len(points) > 1:
            parts.append(polyline(points, f"line c{line.colour}"))
        if len(line.sizes) <= 30 or len(points) == 1:
            parts.extend(
                marker(line.colour, x, y, 2.8, f"dot c{line.colour}") for x, y in points
            )
    return parts


def _chosen_marks(
    lines: Sequence[Line],
    x_of: Scale,
    y_of: Scale,
    top: float,
    bottom: float,
    frame: Frame,
) -> list[Markup]:
    parts = []
    for line in lines:
        if line.chosen < 0 or not math.isfinite(line.mean[line.chosen]):
            continue
        x, y = x_of(line.sizes[line.chosen]), y_of(line.mean[line.chosen])
        text = f"keep {line.sizes[line.chosen]}"
        half = text_width(text, frame.font) / 2
        text_x = min(max(x, half + 1), frame.width - half - 1)
        text_y = top - 0.45 * frame.font
        ring: dict[str, str | int | float] = {"cx": x, "cy": y, "r": 7}
        parts += [
            segment(x, top, x, bottom, "chosen-line"),
            element("circle", {"class": f"chosen c{line.colour}", **ring}),
            label(text, text_x, text_y, frame.font, "chosen-label middle"),
        ]
    return parts


def _end_labels(
    lines: Sequence[Line],
    names: Sequence[str],
    all_features: float,
    x_of: Scale,
    y_of: Scale,
    right: float,
    limits: tuple[float, float],
    frame: Frame,
) -> list[Markup]:
    font = frame.font
    starts = []
    for line in lines:
        last = int(np.flatnonzero(np.isfinite(line.mean))[-1])
        # lines that meet at "all features" are told apart by where they came from
        past = y_of(float(np.nanmean(line.mean)))
        starts.append((x_of(line.sizes[last]), y_of(line.mean[last]), past))
    if math.isfinite(all_features):
        y = y_of(all_features)
        starts.append((frame.width - right, y, y))
    wanted = [y + 1e-3 * (past - y) for _, y, past in starts]
    height = 1.3 * font
    centres = spread_apart(
        wanted, [height] * len(names), limits[0] - height / 2, limits[1] + height / 2
    )
    text_x = frame.width - right + 1.9 * font
    parts = []
    for i, ((x, y, _), centre) in enumerate(zip(starts, centres, strict=True)):
        is_line = i < len(lines)
        colour = f"c{lines[i].colour}" if is_line else "all"
        path = [(x, y), (frame.width - right + 4, y), (text_x - 0.95 * font, centre)]
        parts.append(polyline(path, f"leader {colour}"))
        if is_line:
            parts.append(
                marker(
                    lines[i].colour, text_x - 0.55 * font, centre, 3.2, f"dot {colour}"
                )
            )
        short = fit_text(names[i], font, frame.width - text_x)
        kind = "end-label" if is_line else "end-label all"
        parts.append(label(isolate(short), text_x, centre + 0.35 * font, font, kind))
    return parts


def _describe_curve(
    lines: Sequence[Line],
    metric: str,
    is_higher_better: bool,
    n_features: int,
    all_features: float,
) -> str:
    if not lines:
        return f"{metric} was not measured."
    sentences = []
    if math.isfinite(all_features):
        reach = "The one feature reaches"
        if n_features > 1:
            reach = f"All {n_features} features reach"
        sentences.append(f"{reach} {all_features:.3f}.")
    for line in lines:
        good = np.flatnonzero(np.isfinite(line.mean))
        pick = np.argmax if is_higher_better else np.argmin
        best = good[int(pick(line.mean[good]))]
        text = (
            f"{isolate(shorten(line.name, 60))}: {line.mean[good[0]]:.3f} with "
            f"{counted(int(line.sizes[good[0]]), 'feature')}, best "
            f"{line.mean[best]:.3f} with {line.sizes[best]}"
        )
        if line.chosen >= 0 and math.isfinite(line.mean[line.chosen]):
            text += (
                f", chosen {line.sizes[line.chosen]} with {line.mean[line.chosen]:.3f}"
            )
        sentences.append(f"{text}.")
    return " ".join(sentences) + " The table below holds every figure."
