"""The tables and figures of a paper, as its file of claims asks for them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from labelsift._words import counted
from labelsift.evaluate.claims_file import ResultTable
from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.method_curves import Curve, curve, kept_costs
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.results import Results
from labelsift.evaluate.summary import mean_and_sd
from labelsift.report.choice import metric_title, moments
from labelsift.report.figures import N_COLOURS, NARROW, WIDE, Line
from labelsift.report.figures import curve as drawn_curve
from labelsift.report.paper_purchases import lone_features, within_budget
from labelsift.report.paper_ranks import overview, rank_figures
from labelsift.report.paper_sweep import over_setting
from labelsift.report.paper_view import PaperFigure, View, sign_of
from labelsift.report.svg import shorten
from labelsift.report.tables import Cell, Column, Table, decimals_for, figure, seconds

_MOST_FIGURES = 12
_MOST_SIZES = 12


def paper_figures(
    comparison: Comparison,
    tables: Sequence[ResultTable],
    datasets: Mapping[str, Any] | None = None,
) -> list[PaperFigure]:
    """Return what the file of claims asks to be shown.

    Parameters
    ----------
    comparison : Comparison
        What was measured.
    tables : sequence of ResultTable
        What is asked for.
    datasets : mapping of str to Dataset or LoadedData, optional
        The data by name, for test costs.
    """
    makers = {
        "curves": _curves,
        "best": _best,
        "time": _time,
        "only": lone_features,
        "kept": _best,
        "budget": within_budget,
        "ranks": rank_figures,
        "sweep": over_setting,
    }
    views = [
        View(comparison, asked, f"paper-{number}", datasets or {})
        for number, asked in enumerate(tables)
    ]
    jobs = overview([view for view in views if view.asked.kind == "ranks"])
    found: list[PaperFigure] = [] if jobs is None else [jobs]
    for view in views:
        found += makers[view.asked.kind](view)
    return found


def _curves(view: View) -> Iterator[PaperFigure]:
    count = 0
    asked = [
        (results, name, group, metric)
        for results in view.results
        for name, group in view.groups(results)
        for metric in view.metrics
    ]
    for results, name, group, metric in asked[:_MOST_FIGURES]:
        lines: list[Line] = []
        for colour, selector in enumerate(view.selectors[:N_COLOURS]):
            found = view.curve(results, selector, group, metric)
            if found is None:
                continue
            mean, spread = moments(found.values)
            best = -1 if lines else found.best(sign_of(metric))
            lines.append(Line(selector, found.sizes, mean, spread, colour, best, False))
        if not lines:
            continue
        level = math.nan
        if results.has_baseline:
            whole = curve(results, ALL_FEATURES, group, metric)
            level = mean_and_sd(whole.values[0])[0]
        wide, narrow = (
            drawn_curve(
                f"{view.ident}-{count}",
                lines,
                metric=metric_title(metric),
                is_higher_better=METRICS[metric].greater_is_better,
                n_features=(
                    results.n_features
                    if results.has_baseline
                    else max(int(line.sizes[-1]) for line in lines)
                ),
                all_features=level,
                frame=frame,
            )
            for frame in (WIDE, NARROW)
        )
        where = f"{shorten(results.dataset, 40)}, {shorten(name, 40)}"
        yield PaperFigure(
            view.asked.title if count == 0 else "",
            (wide, narrow),
            f"{where}: mean over {counted(len(results.folds), 'fold')}. Ring: the best "
            f"size of {shorten(lines[0].name, 40)}."
            + (" Dashed: all features." if results.has_baseline else ""),
            _sizes_table(where, lines, metric, f"{view.ident}-{count}"),
        )
        count += 1
    if len(asked) > _MOST_FIGURES:
        left = len(asked) - _MOST_FIGURES
        words = f"{counted(left, 'more figure')} left out here."
        yield PaperFigure("", None, words, None)


def _sizes_table(
    where: str,
    lines: Sequence[Line],
    metric: str,
    ident: str,
) -> Table:
    means = [
        dict(zip(line.sizes.tolist(), line.mean.tolist(), strict=True))
        for line in lines
    ]
    sizes = sorted({size for known in means for size in known})
    picked = np.unique(
        np.linspace(0, len(sizes) - 1, min(len(sizes), _MOST_SIZES)).round().astype(int)
    )
    places = decimals_for([v for line in lines for v in line.mean.tolist()])
    sign = sign_of(metric)
    rows = []
    for i in picked.tolist():
        values = [known.get(sizes[i], math.nan) for known in means]
        best = max((sign * v for v in values if v == v), default=math.nan)
        cells = [Cell(figure(v, places), v, is_best=sign * v == best) for v in values]
        rows.append((Cell(str(sizes[i]), sizes[i]), *cells))
    return Table(
        f"{ident}-table",
        f"{metric_title(metric)} on {where}, by number of features",
        (
            Column("Features", "size"),
            *(Column(shorten(line.name, 40), "figure") for line in lines),
        ),
        tuple(rows),
    )


def _best(view: View) -> Iterator[PaperFigure]:
    """Yield for each metric the best value and its size, or the size alone."""
    selectors = view.selectors
    for number, metric in enumerate(view.metrics):
        sign = sign_of(metric)
        rows = []
        for results in view.results:
            for name, group in view.groups(results):
                curves = [view.curve(results, s, group, metric) for s in selectors]
                if view.asked.kind == "kept":
                    cells = _kept_cells(view, results, selectors, curves, sign)
                else:
                    cells = _best_cells(curves, sign)
                named = [] if view.only_classifier else [Cell(name, is_name=True)]
                rows.append((Cell(results.dataset, is_name=True), *named, *cells))
        what = "best value (features)"
        if view.asked.kind == "kept":
            what = "features kept, and their share of the price of all"
        if view.only_classifier:
            what += f", {shorten(view.only_classifier, 60)}"
        yield PaperFigure(
            view.asked.title if number == 0 else "",
            None,
            "",
            Table(
                f"{view.ident}-{metric}",
                f"{metric_title(metric)}: {what}",
                (
                    Column("Data", "name"),
                    *([] if view.only_classifier else [Column("Classifier")]),
                    *(Column(shorten(s, 40), "figure") for s in selectors),
                ),
                tuple(rows),
            ),
        )


def _kept_cells(
    view: View,
    results: Results,
    selectors: Sequence[str],
    curves: Sequence[Curve | None],
    sign: float,
) -> list[Cell]:
    """Return the best size of each method, and what its features cost."""
    cells = []
    for selector, one in zip(selectors, curves, strict=True):
        if one is None:
            cells.append(Cell("\u2013", math.nan))
            continue
        size = one.sizes[[one.best(sign)]]
        text = str(int(size[0]))
        if selector != ALL_FEATURES:
            price = kept_costs(results, selector, size, view.datasets)
            if price is not None:
                text += f" ({100 * price.mean():.0f}\u00a0%)"
        cells.append(Cell(text, int(size[0])))
    return cells


def _best_cells(curves: Sequence[Curve | None], sign: float) -> list[Cell]:
    found = []
    for one in curves:
        place = None if one is None else one.best(sign)
        if one is None or place is None:
            found.append((math.nan, 0))
        else:
            found.append((float(one.means[place]), int(one.sizes[place])))
    top = max((sign * v for v, _ in found if v == v), default=math.nan)
    places = decimals_for([v for v, _ in found])
    cells = []
    for value, size in found:
        if math.isnan(value):
            cells.append(Cell("\u2013", math.nan))
        else:
            is_best = top - sign * value <= 1e-12 * abs(top)
            text = f"{figure(value, places)} ({size})"
            cells.append(Cell(text, value, is_best=is_best))
    return cells


def _time(view: View) -> Iterator[PaperFigure]:
    selectors = view.selectors
    rows = []
    for results in view.results:
        spent = []
        for selector in selectors:
            known = [r.seconds for r in results.rankings if r.selector == selector]
            spent.append(float(np.median(known)) if known else math.nan)
        least = min((v for v in spent if v == v), default=math.nan)
        rows.append(
            (
                Cell(results.dataset, is_name=True),
                *(Cell(seconds(v), v, is_best=v == least) for v in spent),
            )
        )
    yield PaperFigure(
        view.asked.title,
        None,
        "",
        Table(
            f"{view.ident}-time",
            "Median time of a fold to rank the features",
            (
                Column("Data", "name"),
                *(Column(shorten(s, 40), "figure") for s in selectors),
            ),
            tuple(rows),
        ),
    )
