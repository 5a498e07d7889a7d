"""Methods compared: mean ranks, stability, time against quality."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.curve_plot import COLOURS, MARKERS
from labelsift.evaluate.method_profile import MethodProfile
from labelsift.evaluate.ranks import RankComparison, close_runs, critical_difference
from labelsift.report.choice import standing_names
from labelsift.report.plots._arguments import check_kind, measured_metric
from labelsift.report.plots._axes import (
    GREY,
    axes,
    name_ticks,
    shown_name,
    write,
)
from labelsift.report.svg import spread_apart
from labelsift.report.trade_off import TradeOff, quality_title, trade_offs

_MOST = 24
_FOUND = "a Comparison, from run_plan, or a RankComparison, from friedman"
_PROFILES = "a Comparison, from run_plan, or a list of its profiles()"


def critical_difference_diagram(
    found: Comparison | RankComparison,
    metric: str | None = None,
    *,
    alpha: float = 0.05,
    ax: Any = None,
) -> Any:
    """Draw mean ranks, and join the methods that the data cannot tell apart.

    Parameters
    ----------
    found : Comparison or RankComparison
        From ``run_plan`` or ``friedman``: at least two methods.
    metric : str, optional
        Of a comparison, what decides; the first of its plan by default.
    alpha : float, default=0.05
        Level, for a comparison; a ``RankComparison`` has its own.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        Best at the top; thick bars join methods that differ by less than the critical
        difference of Nemenyi's test, which is drawn above.

    Examples
    --------
    >>> from labelsift.evaluate import friedman
    >>> found = friedman([[3, 2, 1], [3, 2, 1], [2, 3, 1]], ["a", "b", "c"])
    >>> ax = critical_difference_diagram(found)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['a  1.33', 'b  1.67', 'c  3.00']
    """
    if isinstance(found, RankComparison):
        pairs = found.diagram()["methods"]
        names, ranks = [p[0] for p in pairs], [float(p[1]) for p in pairs]
        difference = found.critical_difference
    else:
        check_kind(found, Comparison, "found", _FOUND)
        if metric is not None:
            measured_metric(metric, found.plan.metrics, "found")
        standings = found.standings(metric)
        if len(standings) < 2:
            raise ValueError(
                "a critical-difference diagram needs two methods or more that were "
                f"measured on every data set; found {len(standings)}."
            )
        names, ranks = standing_names(standings), [s.mean_rank for s in standings]
        difference = critical_difference(len(names), len(found.results), alpha)
    runs = close_runs(ranks, difference)
    names, ranks = names[:_MOST], ranks[:_MOST]
    ax = axes(ax, 7.0, 1.4 + 0.28 * len(names))
    places = [-float(i) for i in range(len(names))]
    for i, (rank, y) in enumerate(zip(ranks, places, strict=True)):
        colour = COLOURS[0] if i == 0 else GREY
        ax.plot([1, rank], [y, y], color=colour, linewidth=0.8, alpha=0.5)
        ax.plot(rank, y, "o", color=colour)
    ends = [(first, min(last, len(names) - 1)) for first, last in runs]
    for level, (first, last) in enumerate(e for e in ends if e[0] < e[1]):
        y = 0.7 + 0.35 * (level % 3)
        ax.plot(
            [ranks[first], ranks[last]], [y, y], color="black", lw=4,
            solid_capstyle="round",
        )  # fmt: skip
    top = 0.7 + 0.35 * min(len(ends), 3) + 0.6
    ax.plot([1, 1 + difference], [top, top], color=GREY, linewidth=2)
    ax.text(1, top + 0.25, f"critical difference {difference:.2f}", color=GREY)
    labels = [f"{shown_name(n)}  {r:.2f}" for n, r in zip(names, ranks, strict=True)]
    name_ticks(ax, "y", places, labels)
    ax.set_ylim(places[-1] - 0.6, top + 1.0)
    ax.set_xlim(0.9, max(*ranks, 1 + difference) + 0.15)
    ax.set_xlabel("mean rank (1 is best)")
    ax.tick_params(axis="y", length=0)
    return ax


def selection_stability(
    found: Comparison | Sequence[MethodProfile], *, ax: Any = None
) -> Any:
    """Draw how much the folds agree on what to keep, with its interval.

    Parameters
    ----------
    found : Comparison or sequence of MethodProfile
        From ``run_plan``, or from its ``profiles``.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        A row a method, a mark with its interval for each data set: 1 is the same set in
        every fold, 0 agreement by chance. A method that keeps everything has no mark.

    Examples
    --------
    >>> selection_stability(comparison).get_xlabel()  # made by ``run_plan``
    'stability of the chosen set (1: the same in every fold, 0: chance)'
    """
    if isinstance(found, Comparison):
        profiles = found.profiles()
    else:
        check_kind(found, Sequence, "found", _PROFILES)
        profiles = list(found)
        for profile in profiles:
            check_kind(profile, MethodProfile, "found", _PROFILES)
    if not profiles:
        raise ValueError("no method was measured on every data set: nothing to draw.")
    methods = list(dict.fromkeys(p.method for p in profiles))[:_MOST]
    datasets = list(dict.fromkeys(p.dataset for p in profiles))
    several = len({method.classifier for method in methods}) > 1
    ax = axes(ax, 7.0, 1.4 + 0.34 * len(methods))
    step = 0.6 / max(len(datasets), 2)
    for j, dataset in enumerate(datasets):
        colour, marker = COLOURS[j % len(COLOURS)], MARKERS[j % len(MARKERS)]
        own = [
            (p, -methods.index(p.method) - (j - (len(datasets) - 1) / 2) * step)
            for p in profiles
            if p.dataset == dataset
            and p.method in methods
            and math.isfinite(p.stability.value)
        ]
        for profile, y in own:
            ends = [profile.stability.low, min(profile.stability.high, 1.0)]
            ax.plot(ends, [y, y], color=colour, linewidth=1.4, alpha=0.7)
        ax.plot(
            [p.stability.value for p, _ in own],
            [y for _, y in own],
            marker,
            color=colour,
            markersize=6,
            label=shown_name(dataset).replace("$", r"\$"),
        )
    ax.axvline(0, color=GREY, linewidth=0.8, linestyle=":")
    names = [str(m) if several else m.selector for m in methods]
    name_ticks(ax, "y", [-float(i) for i in range(len(methods))], names)
    ax.set_ylim(-len(methods) + 0.4, 0.6)
    ax.set_xlim(right=1.03)
    ax.set_xlabel("stability of the chosen set (1: the same in every fold, 0: chance)")
    ax.tick_params(axis="y", length=0)
    if len(datasets) > 1:
        ax.legend(frameon=False, fontsize="small", loc="best")
    return ax


def time_against_quality(
    comparison: Comparison, metric: str | None = None, *, ax: Any = None
) -> Any:
    """Draw what each method reaches against the time that it takes.

    Parameters
    ----------
    comparison : Comparison
        From ``run_plan``.
    metric : str, optional
        Key of ``METRICS``; the first of the plan by default.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        A point a method: time on a logarithmic axis; mean rank, or the metric where
        there is one data set, with better at the top. Large and bold are the methods
        that no other beats in both.

    Examples
    --------
    >>> time_against_quality(comparison).get_xlabel()  # made by ``run_plan``
    'seconds in a fold to select, learn and predict'
    """
    check_kind(comparison, Comparison, "comparison", "a Comparison, from run_plan")
    chosen = measured_metric(metric, comparison.plan.metrics, "comparison")
    points = trade_offs(comparison, comparison.profiles(metric=chosen), chosen)
    points = [point for point in points if math.isfinite(point.quality)][:_MOST]
    if not points:
        raise ValueError("no method was measured on every data set: nothing to draw.")
    ax = axes(ax)
    for i, point in enumerate(points):
        colour = COLOURS[i] if i < len(COLOURS) else GREY
        ax.plot(
            point.seconds,
            point.quality,
            MARKERS[i % len(MARKERS)],
            color=colour,
            markersize=9 if point.is_on_front else 6,
        )
    title, is_higher_better = quality_title(comparison, chosen)
    ax.set_xscale("log")
    for axis_formatter in (ax.xaxis.set_major_formatter, ax.xaxis.set_minor_formatter):
        axis_formatter("{x:g}")  # plain numbers: the range is often below a decade
    ax.margins(0.12)
    if not is_higher_better:
        ax.invert_yaxis()
    ax.set_xlabel("seconds in a fold to select, learn and predict")
    ax.set_ylabel(title)
    _name_beside(ax, points)
    return ax


def _name_beside(ax: Any, points: Sequence[TradeOff]) -> None:
    """Write the names right of the axes, apart from each other, each with a line."""
    height = 15 / (ax.get_position().height * ax.figure.get_figheight() * 72)
    to_share = ax.transData + ax.transAxes.inverted()
    places = [to_share.transform((p.seconds, p.quality)) for p in points]
    centres = spread_apart([y for _, y in places], [height] * len(places), 0.0, 1.0)
    for i, (point, (x, y), centre) in enumerate(
        zip(points, places, centres, strict=True)
    ):
        colour = COLOURS[i] if i < len(COLOURS) else GREY
        ax.plot(
            [x, 1.0, 1.03], [y, centre, centre], color=colour, linewidth=0.7,
            alpha=0.6, transform=ax.transAxes, clip_on=False,
        )  # fmt: skip
        text = write(ax, 1.04, centre, point.name, fontsize="small", va="center")
        text.set_transform(ax.transAxes)
        text.set_fontweight("bold" if point.is_on_front else "normal")
