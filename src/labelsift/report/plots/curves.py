"""Curves: quality against features, information against money, what lam does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from labelsift.evaluate import curve_plot
from labelsift.evaluate.curve_plot import COLOURS, MARKERS
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.results import Results
from labelsift.evaluate.summary import mean_and_sd
from labelsift.read.costs import costs_by_feature
from labelsift.report.choice import contests
from labelsift.report.cost_section import cost_steps
from labelsift.report.figures import N_COLOURS, wants_log
from labelsift.report.plots._arguments import (
    check_kind,
    check_most,
    check_selector,
    measured_metric,
)
from labelsift.report.plots._axes import GREY, axes

_RESULTS = "Results, from cross_validate or performance_path"
_SWEEP = "a list of fitted ToleranceRoughSet, as from lam_path"


def path_curves(
    results: Results,
    metric: str | None = None,
    *,
    most: int = N_COLOURS,
    ax: Any = None,
) -> Any:
    """Draw a metric against the number of features, one line a method.

    Parameters
    ----------
    results : Results
        What ``cross_validate`` or ``performance_path`` measured.
    metric : str, optional
        Key of ``METRICS``; the first of ``results.metrics`` by default.
    most : int, default=7
        Of more methods, the best by this metric are drawn.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        Lines in the order of the methods, best first; bands of one standard deviation
        over the folds; a mark at each best size; dashed: all features.

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift.evaluate import performance_path
    >>> from labelsift.learn import BRkNN
    >>> from labelsift.select import Chi2
    >>> X = np.random.default_rng(0).normal(size=(60, 6))
    >>> Y = (X[:, :2] > 0).astype(int)
    >>> path = performance_path(Chi2(), BRkNN(5), X, Y, cv=3)
    >>> path_curves(path).get_xlabel()
    'number of features'
    """
    check_kind(results, Results, "results", _RESULTS)
    chosen = measured_metric(metric, results.metrics, "results")
    ranked = contests(results, chosen)[: check_most(most)]
    ax = curve_plot.draw(
        results,
        chosen,
        axes(ax),
        methods=[(contest.selector, contest.classifier) for contest in ranked],
    )
    drawn = {
        size
        for contest in ranked
        for size in results.sizes_of(contest.selector, contest.classifier)
    }
    if wants_log(np.array(sorted(drawn)), results.n_features):
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:g}")
        ax.xaxis.set_minor_formatter("")
    return ax


def cost_quality_curve(
    found: Any,
    costs: Any = None,
    metric: str | None = None,
    *,
    most: int = N_COLOURS,
    ax: Any = None,
) -> Any:
    """Draw what a sum of money buys: information, or quality of prediction.

    Parameters
    ----------
    found : CSIG or Results
        A selector fitted with costs: it has ``cost_curve_``. Or what
        ``cross_validate`` measured, with ``costs``.
    costs : array-like, mapping or path, optional
        For results: what measuring each feature costs, as for ``CSIG``.
    metric : str, optional
        For results: key of ``METRICS``; the first of ``results.metrics`` by default.
    most : int, default=7
        For results: of more methods, the best by this metric are drawn.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        Of a selector: a line of steps in percent of all information, and a mark at
        what is kept. Of results: a line a method, from size to size, at the mean cost
        over the folds of the features kept.

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift.select import CSIG
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> selector = CSIG(costs=[1.0, 3.0], threshold=None).fit(X, Y)
    >>> cost_quality_curve(selector).lines[0].get_xdata().tolist()
    [0.0, 1.0, 4.0]
    """
    if isinstance(found, Results):
        return _quality_by_cost(found, costs, metric, check_most(most), ax)
    check_selector(found, "found", f"a fitted selector such as CSIG, or {_RESULTS}")
    return _information_by_cost(found, ax)


def _quality_by_cost(
    results: Results, costs: Any, metric: str | None, most: int, ax: Any
) -> Any:
    if costs is None:
        raise ValueError("results know no prices: give costs=, one for each feature.")
    prices = costs_by_feature(costs, results.feature_names)
    chosen = measured_metric(metric, results.metrics, "found")
    ax = axes(ax)
    for i, contest in enumerate(contests(results, chosen)[:most]):
        sizes, values = results.values(contest.selector, contest.classifier, chosen)
        orders = [r.order for r in results.rankings if r.selector == contest.selector]
        spent = [np.mean([prices[order[:k]].sum() for order in orders]) for k in sizes]
        ax.plot(
            spent, [mean_and_sd(row)[0] for row in values],
            color=COLOURS[i % N_COLOURS],
            marker=MARKERS[i % len(MARKERS)], markersize=5,
            label=curve_plot.plain_text(contest.name),
        )  # fmt: skip
    better = "higher" if METRICS[chosen].greater_is_better else "lower"
    ax.set_xlim(left=0)
    ax.set_xlabel("money spent")
    ax.set_ylabel(f"{METRICS[chosen].title} ({better} is better)")
    ax.legend(frameon=False, fontsize="small")
    return ax


def _information_by_cost(selector: Any, ax: Any) -> Any:
    steps = cost_steps(selector)
    if steps is None:
        raise ValueError(
            f"{type(selector).__name__} has no cost_curve_ with a price above 0: fit a "
            "selector that knows costs, such as CSIG."
        )
    ax = axes(ax)
    ax.plot(
        steps.money, 100 * steps.share, color=COLOURS[0], drawstyle="steps-post", lw=2
    )
    ax.plot(
        steps.spent, 100 * steps.had, "o", color=COLOURS[0], markersize=8, clip_on=False
    )
    is_late = steps.spent > steps.money[-1] / 2
    ax.annotate(
        f"kept: {steps.spent:g} for {100 * steps.had:.0f} %",
        (steps.spent, 100 * steps.had),
        xytext=(-9 if is_late else 9, -13),
        textcoords="offset points",
        ha="right" if is_late else "left",
    )
    ax.set_xlim(left=0)
    ax.set_ylim(0, 102)
    ax.set_xlabel("money spent")
    ax.set_ylabel("information about the labels (%)")
    return ax


def lam_sweep(selectors: Sequence[Any], *, ax: Any = None) -> Any:
    """Draw what ``lam`` does: how many features are kept, how many rows are certain.

    Parameters
    ----------
    selectors : sequence of ToleranceRoughSet
        Fitted with different values of ``lam``, as by ``lam_path``.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        Two lines in percent: the features in the reduct, and the rows that are certain
        with all features.

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift.select import ToleranceRoughSet
    >>> X = np.array([[0.0, 1], [0.1, 0], [0.9, 1], [1, 0]])
    >>> Y = np.array([[0], [0], [1], [1]])
    >>> fitted = ToleranceRoughSet().lam_path(X, Y, lams=[1.0, 2.0, 3.0])
    >>> lam_sweep(fitted).lines[0].get_xdata().tolist()
    [1.0, 2.0, 3.0]
    """
    check_kind(selectors, Sequence, "selectors", _SWEEP)
    if not selectors:
        raise ValueError("selectors is empty: give fitted ones, as from lam_path.")
    for selector in selectors:
        if not hasattr(selector, "lam"):
            check_kind(selector, (), "selectors", _SWEEP)
        check_selector(selector, "selectors", _SWEEP)
        if selector.lam is None:
            raise ValueError("every selector needs a lam of its own; found lam=None.")
    found = sorted(selectors, key=lambda s: float(s.lam))
    lams = [float(selector.lam) for selector in found]
    kept = [100 * len(s.reduct_) / s.n_features_in_ for s in found]
    certain = [100 * s.total_dependency_ for s in found]
    ax = axes(ax)
    pairs = ((kept, "features in the reduct"), (certain, "rows certain"))
    for i, (values, name) in enumerate(pairs):
        ax.plot(
            lams, values, color=COLOURS[i], marker=MARKERS[i], markersize=5, label=name
        )
    ax.axhline(100, color=GREY, linewidth=0.8, linestyle=":")
    ax.set_ylim(-2, 104)
    ax.set_xlabel("lam (larger: smaller neighbourhoods)")
    ax.set_ylabel("share (%)")
    ax.legend(frameon=False)
    return ax
