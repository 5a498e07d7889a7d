"""Who is best for which job: mean ranks on groups of data sets, and their tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from labelsift._words import counted
from labelsift.evaluate.method_curves import Curve, kept_costs
from labelsift.evaluate.ranks import (
    RankComparison,
    average_ranks,
    critical_difference,
    friedman,
)
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.results import Results
from labelsift.report.choice import metric_title
from labelsift.report.critical_difference import critical_difference_diagram
from labelsift.report.figures import NARROW, WIDE
from labelsift.report.paper_view import PaperFigure, View, sign_of
from labelsift.report.svg import shorten
from labelsift.report.tables import Cell, Column, Table, decimals_for, figure

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Contest:
    """Methods on a group of data sets.

    Parameters
    ----------
    title : str
        The job.
    metric : str
        By which they are compared.
    names : list of str
        Methods, best mean rank first; without all features.
    data : list of str
        Data sets on which all of them were measured.
    values : ndarray of shape (n_data, n_methods), float64
        Mean over the sizes and classifiers, or the best that a price buys.
    whole : ndarray of shape (n_data,), float64
        The same with all features; NaN where that was not measured.
    ranks : ndarray of shape (n_methods,), float64
        Mean ranks.
    test : RankComparison or None
        Friedman's test; None with one data set or fewer than three methods.
    difference : float
        Critical difference.
    """

    title: str
    metric: str
    names: list[str]
    data: list[str]
    values: Floats
    whole: Floats
    ranks: Floats
    test: RankComparison | None
    difference: float

    @property
    def close(self) -> list[str]:
        """Names of methods that cannot be told apart from the best."""
        gaps = self.ranks - self.ranks[0]
        pairs = list(zip(self.names, gaps, strict=True))[1:]
        return [name for name, gap in pairs if gap < self.difference]


def contest_of(view: View) -> Contest | None:
    """Return the contest that a table asks for; None where nothing was measured."""
    metric = view.metrics[0]
    found: dict[str, dict[str, float]] = {}
    whole: dict[str, float] = {}
    for results in view.results:
        values = {
            s: _value(view, results, s, metric)
            for s in view.selectors
            if s in results.selectors
        }
        found[results.dataset] = {s: v for s, v in values.items() if v == v}
        if results.has_baseline:
            whole[results.dataset] = _value(view, results, ALL_FEATURES, metric)
    found = {name: values for name, values in found.items() if values}
    names = [s for s in view.selectors if found and all(s in v for v in found.values())]
    if len(names) < 2:
        return None
    data = list(found)
    table = np.array([[found[d][s] for s in names] for d in data])
    greater = sign_of(metric) > 0
    _, ranks = average_ranks(table, greater_is_better=greater)
    order = np.argsort(ranks, kind="stable")
    table, ranks = table[:, order], ranks[order]
    names = [names[i] for i in order]
    test = None
    if len(data) > 1 and len(names) > 2:
        test = friedman(table, names, greater_is_better=greater)
    return Contest(
        view.asked.title,
        metric,
        names,
        data,
        table,
        np.array([whole.get(d, math.nan) for d in data]),
        ranks,
        test,
        critical_difference(len(names), len(data)),
    )


def _value(view: View, results: Results, selector: str, metric: str) -> float:
    """Return the mean over the sizes, or the best that the price buys."""
    parts = []
    for _, group in view.groups(results):
        found = view.curve(results, selector, group, metric)
        assert found is not None
        parts.append(_of_curve(view, results, selector, found, sign_of(metric)))
    return float(np.mean(parts)) if parts else math.nan


def _of_curve(
    view: View, results: Results, selector: str, found: Curve, sign: float
) -> float:
    price = view.asked.price
    if price is None or selector == ALL_FEATURES:
        return float(found.means.mean())
    share = kept_costs(results, selector, found.sizes, view.datasets)
    if share is None:
        return math.nan
    can_pay = share.mean(axis=1) <= price + 1e-9
    return float(sign * (sign * found.means[can_pay]).max(initial=-math.inf))


def rank_figures(view: View) -> Iterator[PaperFigure]:
    """Yield the diagram and the table of a contest."""
    found = contest_of(view)
    if found is None:
        yield PaperFigure(view.asked.title, None, "Nothing of this was measured.", None)
        return
    picture = None
    if len(found.data) > 1:
        wide, narrow = (
            critical_difference_diagram(
                f"{view.ident}-cd",
                found.names,
                found.ranks.tolist(),
                found.difference,
                frame,
            )
            for frame in (WIDE, NARROW)
        )
        picture = wide, narrow
    yield PaperFigure(
        view.asked.title, picture, _words(found), _table(view, found), is_open=True
    )


def _words(found: Contest) -> str:
    words = [f"{found.names[0]} leads on {counted(len(found.data), 'data set')}."]
    if found.close:
        listed = ", ".join(found.close[:12])
        words.append(f"Not told apart from it at 0.05 (Nemenyi): {listed}.")
    if found.test is not None:
        differ = "differ" if found.test.f_p_value < found.test.alpha else "may be alike"
        words.append(
            f"Friedman: p = {found.test.p_value:.3g}, Iman and Davenport: p = "
            f"{found.test.f_p_value:.3g}: the methods {differ}. Critical difference "
            f"{found.difference:.2f} places."
        )
    return " ".join(words)


def _table(view: View, found: Contest) -> Table:
    places = [decimals_for(row.tolist()) for row in found.values]
    sign = sign_of(found.metric)
    tops = (sign * found.values).max(axis=1)
    rows = []
    for j, name in enumerate(found.names):
        cells = [Cell(name, is_name=True), Cell(figure(found.ranks[j], 2),
                 float(found.ranks[j]), is_best=j == 0)]  # fmt: skip
        for i in range(len(found.data)):
            value = float(found.values[i, j])
            cells.append(
                Cell(figure(value, places[i]), value, is_best=sign * value == tops[i])
            )
        rows.append(tuple(cells))
    if not np.isnan(found.whole).all():
        cells = [Cell(ALL_FEATURES, is_name=True), Cell("\u2013", math.nan)]
        for value, decimals in zip(found.whole.tolist(), places, strict=True):
            cells.append(Cell(figure(value, decimals), value))
        rows.append(tuple(cells))
    what = "mean over all sizes"
    if view.asked.price is not None:
        what = f"best that {100 * view.asked.price:g} % of the price of all buys"
    return Table(
        f"{view.ident}-ranks",
        f"{metric_title(found.metric)}, {what}: mean rank, and value on each data set",
        (
            Column("Method", "name"),
            Column("Mean rank", "figure"),
            *(Column(shorten(name, 24), "figure") for name in found.data),
        ),
        tuple(rows),
    )


def overview(views: Sequence[View]) -> PaperFigure | None:
    """Return the table of jobs: who is best, and who cannot be told apart from it."""
    contests = [c for c in map(contest_of, views) if c is not None]
    if len(contests) < 2:
        return None
    rows = []
    for one in contests:
        sign = sign_of(one.metric)
        gains = sign * (one.values[:, 0] - one.whole)
        known = gains[~np.isnan(gains)]
        rows.append(
            (
                Cell(one.title),
                Cell(one.names[0], is_name=True, is_best=True),
                Cell(figure(one.ranks[0], 2), float(one.ranks[0])),
                Cell(f"{one.names[1]} ({figure(one.ranks[1], 2)})", is_name=True),
                Cell(f"{len(one.close)} of {len(one.names) - 1}"),
                Cell(
                    "\u2013" if one.test is None else f"{one.test.f_p_value:.3g}",
                    math.nan if one.test is None else one.test.f_p_value,
                ),
                Cell(f"{int((known > 0).sum())} of {len(known)}"),
            )
        )
    table = Table(
        "paper-jobs",
        "The best method for each job by mean rank; how many others cannot be told "
        "apart from it (Nemenyi, 0.05); whether the methods differ at all (Iman and "
        "Davenport); on how many data sets the best does better than all features",
        (
            Column("Job"),
            Column("Best"),
            Column("Mean rank", "figure"),
            Column("Next"),
            Column("Not told apart"),
            Column("p", "figure"),
            Column("Better than all features"),
        ),
        tuple(rows),
        "Few data sets tell few methods apart: a mean rank is a lean, not a proof.",
    )
    return PaperFigure("Who is best for which job", None, "", table)
