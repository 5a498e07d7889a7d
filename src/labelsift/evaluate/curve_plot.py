"""Curves of a metric against the number of features."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from labelsift._words import all_of, counted
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.summary import mean_and_sd

if TYPE_CHECKING:
    from labelsift.evaluate.results import Results

# Okabe and Ito's colours, which colour-blind people can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
MARKERS = "os^Dv<>"


def draw(
    results: Results,
    metric: str,
    ax: Any,
    methods: Sequence[tuple[str, str]] | None = None,
) -> Any:
    """Draw the curves into ``ax``, or into a new figure where it is None.

    ``methods`` are the pairs of selector and classifier to be drawn, all by default.
    """
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=(7.0, 4.2), layout="constrained")[1]
    several = len(results.selectors) > 1, len(results.classifiers) > 1
    sign = 1.0 if METRICS[metric].greater_is_better else -1.0
    if methods is None:
        methods = [(s, c) for s in results.selectors for c in results.classifiers]
    for number, (selector, classifier) in enumerate(methods):
        sizes, values = results.values(selector, classifier, metric)
        pairs = np.array([mean_and_sd(row) for row in values])
        mean, spread = pairs[:, 0], np.nan_to_num(pairs[:, 1])
        colour = COLOURS[number % len(COLOURS)]
        marker = MARKERS[number % len(MARKERS)]
        name = " + ".join(
            text
            for text, asked in zip((selector, classifier), several, strict=True)
            if asked
        )
        ax.fill_between(
            sizes, mean - spread, mean + spread, color=colour, alpha=0.12, lw=0
        )
        ax.plot(sizes, mean, color=colour, label=plain_text(name or selector))
        if not np.isnan(mean).all():
            best = int(np.nanargmax(sign * mean))
            ax.plot(sizes[best], mean[best], marker, color=colour)
    for number, classifier in enumerate(results.classifiers):
        everything = results.baseline(classifier, metric)
        if everything is not None:
            ax.axhline(
                mean_and_sd(everything)[0],
                color=COLOURS[number % len(COLOURS)] if several[1] else "#555555",
                linestyle="--",
                linewidth=1.0,
                label=plain_text(
                    all_of(results.n_features, "feature")
                    + (f", {classifier}" if several[1] else "")
                ),
            )
    title = METRICS[metric].title
    better = "higher" if sign > 0 else "lower"
    ax.set_xlabel("number of features")
    ax.set_ylabel(f"{title} ({better} is better)")
    ax.set_title(
        plain_text(f"{results.dataset}, {counted(len(results.folds), 'fold')}")
    )
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.legend(frameon=False, fontsize="small")
    return ax


def as_svg(results: Results, metric: str) -> str:
    """Return the curves as an SVG element to stand in a page."""
    import matplotlib
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.2), layout="constrained")
    draw(results, metric, figure.subplots())
    text = io.StringIO()
    settings: Any = {"svg.hashsalt": "labelsift", "svg.fonttype": "none"}
    with matplotlib.rc_context(settings):
        figure.savefig(text, format="svg", metadata={"Date": None})
    whole = text.getvalue()
    return whole[whole.index("<svg") :]


def plain_text(text: str) -> str:
    """Return text without control characters, in which matplotlib sees no formula."""
    shown = "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))
    return shown.replace("$", r"\$")
