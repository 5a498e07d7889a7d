"""Draw mean ranks on one axis, and join the methods that the data cannot tell apart."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from labelsift.evaluate.ranks import close_runs
from labelsift.report.figures import Frame, Scale
from labelsift.report.svg import (
    drawing,
    element,
    fit_text,
    isolate,
    label,
    linear_scale,
    segment,
    shorten,
    text_width,
)

_MOST = 24


def critical_difference_diagram(
    ident: str,
    names: Sequence[str],
    ranks: Sequence[float],
    difference: float,
    frame: Frame,
) -> Markup:
    """Draw methods on the axis of mean ranks, best on the left.

    Parameters
    ----------
    ident : str
        Unique on the page; the frame's suffix is added.
    names : sequence of str
        Methods, best first.
    ranks : sequence of float
        Their mean ranks, ascending; 1 is best.
    difference : float
        The critical difference.
    frame : Frame
        Width and font; the height follows from the number of methods.
    """
    names, ranks = names[:_MOST], ranks[:_MOST]
    font, row = frame.font, 1.9 * frame.font
    widest = max((text_width(shorten(n, 40), font) for n in names), default=0.0)
    room = min(widest + font, frame.width * 0.42)
    low, high = 1.0, float(math.ceil(max(2.0, 1 + difference, *ranks)))
    start = room + 3.2 * font
    x_of = linear_scale(low, high, start, frame.width - font)
    axis = 4.6 * font
    parts = _scale(low, high, x_of, axis, font)
    ends = x_of(low), x_of(low + difference)
    parts += [
        segment(ends[0], 1.7 * font, ends[1], 1.7 * font, "cd-bar"),
        label(
            f"critical difference {difference:.2f}",
            ends[0],
            1.1 * font,
            font,
            "axis-title",
        ),
    ]
    groups = close_runs(ranks, difference)
    y = axis + 0.9 * font
    for first, last in groups:
        ends = x_of(ranks[first]) - 4, x_of(ranks[last]) + 4
        parts.append(segment(ends[0], y, ends[1], y, "cd-clique"))
        y += 0.75 * font
    y += 0.9 * font
    for i, (name, rank) in enumerate(zip(names, ranks, strict=True)):
        x = x_of(rank)
        kind = "c0" if i == 0 else "all"
        text = isolate(fit_text(name, font, room))
        parts += [
            label(text, 0, y + 0.35 * font, font, "cd-name"),
            label(f"{rank:.2f}", start - 0.9 * font, y + 0.35 * font, font, "tick end"),
            segment(start - 0.4 * font, y, x, y, f"leader {kind}"),
            segment(x, axis, x, y, f"leader {kind}"),
            element("circle", {"class": f"dot {kind}", "cx": x, "cy": y, "r": 4.0}),
        ]
        y += row
    return drawing(
        f"{ident}-{frame.suffix}",
        frame.width,
        y - row / 2 + font * 0.4,
        "Mean ranks and the critical difference",
        _described(names, ranks, groups, difference),
        parts,
        f"cd {frame.suffix}",
    )


def _scale(
    low: float, high: float, x_of: Scale, axis: float, font: float
) -> list[Markup]:
    parts = [segment(x_of(low), axis, x_of(high), axis, "axis")]
    step = max(1, round((high - low) / 8))
    for tick in range(int(low), int(high) + 1, step):
        x = x_of(tick)
        parts.append(segment(x, axis - 5, x, axis, "axis"))
        parts.append(label(str(tick), x, axis - 0.6 * font, font, "tick middle"))
    return parts


def _described(
    names: Sequence[str],
    ranks: Sequence[float],
    groups: Sequence[tuple[int, int]],
    difference: float,
) -> str:
    listed = ", ".join(
        f"{isolate(shorten(name, 60))} {rank:.2f}"
        for name, rank in zip(names, ranks, strict=True)
    )
    text = f"Mean ranks, 1 is best: {listed}."
    for first, last in groups:
        text += (
            f" From {isolate(shorten(names[first], 60))} to "
            f"{isolate(shorten(names[last], 60))} no two differ by {difference:.2f}."
        )
    if not groups:
        text += f" Every two neighbours differ by {difference:.2f} or more."
    return text
