"""The horizontal axis of a figure over the values of a setting, and its description."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from markupsafe import Markup

from labelsift.report.svg import (
    isolate,
    label,
    round_ticks,
    segment,
    shorten,
    tick_decimals,
)


def setting_axis(
    setting: str,
    low: float,
    high: float,
    x_of: Callable[[float], float],
    bottom: float,
    font: float,
) -> list[Markup]:
    """Return a linear axis with its ticks and the name of the setting."""
    parts = [segment(x_of(low) - 8, bottom, x_of(high) + 10, bottom, "axis")]
    ticks = [tick for tick in round_ticks(low, high, 5) if low <= tick <= high]
    decimals = tick_decimals(ticks)
    for tick in ticks:
        x = x_of(tick)
        parts.append(segment(x, bottom, x, bottom + 5, "axis"))
        text = f"{tick:.{decimals}f}"
        below = bottom + 5 + font * 1.1
        parts.append(label(text, x, below, font, "tick middle"))
    middle, below = (x_of(low) + x_of(high)) / 2, bottom + 5 + font * 2.5
    return [*parts, label(setting, middle, below, font, "axis-title middle")]


def describe_setting(
    lines: Sequence[Any], setting: str, is_higher_better: bool | None
) -> str:
    """Return in words what lines over a setting show."""
    sentences = []
    for line in lines:
        good = np.flatnonzero(np.isfinite(line.mean))
        pick = np.argmin if is_higher_better is False else np.argmax
        best = good[int(pick(line.mean[good]))]
        what = "most" if is_higher_better is None else "best"
        sentences.append(
            f"{isolate(shorten(line.name, 60))}: {what} {line.mean[best]:.4g} at "
            f"{setting} {line.sizes[best]:g}."
        )
    return " ".join(sentences) + " The table below holds every figure."
