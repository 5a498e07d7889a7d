"""Axes with little ink, and names that nothing takes for a formula."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from labelsift.report.plots._arguments import told
from labelsift.report.svg import shorten

GREY = "#555555"
#: Whether new figures are kept from pyplot, which holds them and may open windows.
DETACHED: ContextVar[bool] = ContextVar("detached", default=False)


def axes(ax: Any, width: float = 7.0, height: float = 4.2) -> Any:
    """Return ``ax``, or that of a new figure, without frame above and right."""
    if ax is None and DETACHED.get():
        from matplotlib.figure import Figure

        ax = Figure(figsize=(width, height), layout="constrained").subplots()
    elif ax is None:
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=(width, height), layout="constrained")[1]
    elif not hasattr(ax, "plot") or not {"top", "left"} <= {*getattr(ax, "spines", ())}:
        raise TypeError(
            "ax must be axes of matplotlib with x and y, such as plt.subplots()[1]; "
            f"found {told(ax)}."
        )
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def shown_name(name: str, limit: int = 40) -> str:
    """Return a name of bounded length that holds no control characters."""
    return shorten(name, limit)


def write(ax: Any, x: float, y: float, name: str, **options: Any) -> Any:
    """Write a name from the data as it is, whatever dollars it holds."""
    return ax.text(x, y, shown_name(name), parse_math=False, **options)


def name_ticks(
    ax: Any, which: str, places: Sequence[float], names: Sequence[str], **options: Any
) -> None:
    """Put names at the ticks of the x or y axis, as they are."""
    axis = getattr(ax, f"{which}axis")
    axis.set_ticks(np.asarray(places, dtype=np.float64))
    # tick labels are read as formulas where dollars are paired: a dollar is escaped
    texts = [shown_name(name, 60).replace("$", r"\$") for name in names]
    axis.set_ticklabels(texts, **options)
