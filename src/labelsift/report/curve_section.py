"""Section "How many features are enough": a curve and a table for each metric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from labelsift._words import all_of, counted
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.results import Results
from labelsift.evaluate.summary import mean_and_sd
from labelsift.report.choice import Contest, metric_title, moments, smallest_as_good
from labelsift.report.figures import N_COLOURS, NARROW, WIDE, Line, curve
from labelsift.report.svg import isolate, shorten
from labelsift.report.tables import (
    Cell,
    Column,
    Table,
    decimals_for,
    figure,
    with_spread,
)

_MOST_TABLE_SIZES = 20
_MOST_TABLE_METHODS = 7


@dataclass(frozen=True)
class Panel:
    """One metric: its curve at two widths, the caption, and the figures as a table."""

    title: str
    wide: Markup
    narrow: Markup
    caption: str
    table: Table


def curve_panels(
    results: Results, ranked: Sequence[Contest], metrics: Sequence[str]
) -> list[Panel]:
    """Return a panel for each metric, the deciding one first."""
    return [curve_panel(results, ranked, metric, i) for i, metric in enumerate(metrics)]


def curve_panel(
    results: Results, ranked: Sequence[Contest], metric: str, index: int
) -> Panel:
    """Return the panel of a metric; ``index`` makes it unique on the page."""
    title = metric_title(metric)
    shown = ranked[:N_COLOURS]
    lines = [
        _line(results, contest, metric, colour, len(shown))
        for colour, contest in enumerate(shown)
    ]
    classifier = ranked[0].classifier
    everything = results.baseline(classifier, metric)
    level = math.nan if everything is None else mean_and_sd(everything)[0]
    wide, narrow = (
        curve(
            f"curve-{index}",
            lines,
            metric=title,
            is_higher_better=METRICS[metric].greater_is_better,
            n_features=results.n_features,
            all_features=level,
            frame=frame,
        )
        for frame in (WIDE, NARROW)
    )
    caption = _caption(results, ranked, level)
    return Panel(
        title, wide, narrow, caption, curve_table(results, ranked, metric, index)
    )


def _line(
    results: Results, contest: Contest, metric: str, colour: int, n_lines: int
) -> Line:
    sizes, values = results.values(contest.selector, contest.classifier, metric)
    mean, spread = moments(values)
    chosen = int(np.flatnonzero(sizes == contest.size)[0]) if colour == 0 else -1
    # bands of many methods hide each other: only the first keeps its own
    has_band = colour == 0 or n_lines <= 2
    return Line(contest.name, sizes, mean, spread, colour, chosen, has_band)


def _caption(results: Results, ranked: Sequence[Contest], level: float) -> str:
    n_folds = len(results.folds)
    words = [f"Lines: mean over {counted(n_folds, 'fold')}."]
    if n_folds > 1:
        several = len(ranked) > 2
        owner = isolate(shorten(ranked[0].name, 40)) if several else "each line"
        words.append(f"Band: one standard deviation over the folds, for {owner}.")
    if math.isfinite(level):
        with_what = (
            f" with {isolate(shorten(ranked[0].classifier, 40))}"
            if len(results.classifiers) > 1
            else ""
        )
        words.append(f"Dashed: {all_of(results.n_features, 'feature')}{with_what}.")
    words.append(f"Ring: the size chosen, {ranked[0].size}.")
    if len(ranked) > N_COLOURS:
        words.append(f"Drawn: the best {N_COLOURS} of {len(ranked)} methods.")
    return " ".join(words)


def curve_table(
    results: Results,
    ranked: Sequence[Contest],
    metric: str,
    index: int,
    most: int = _MOST_TABLE_SIZES,
) -> Table:
    """Return sizes x methods; of more than ``most`` sizes an even choice."""
    shown = ranked[:_MOST_TABLE_METHODS]
    tried = {size for c in shown for size in results.sizes_of(c.selector, c.classifier)}
    sizes = np.array(sorted(tried), dtype=np.int64)
    picked = np.arange(len(sizes))
    if len(sizes) > most:
        wanted = set(np.linspace(0, len(sizes) - 1, most).round().astype(int).tolist())
        wanted |= {int(np.flatnonzero(sizes == c.size)[0]) for c in ranked[:1]}
        picked = np.array(sorted(wanted))
    columns = []
    for contest in shown:
        own, values = results.values(contest.selector, contest.classifier, metric)
        pairs = [mean_and_sd(row) for row in values]
        columns.append(dict(zip(own.tolist(), pairs, strict=True)))
    places = decimals_for([mean for found in columns for mean, _ in found.values()])
    rows = []
    for i in picked.tolist():
        size = int(sizes[i])
        cells = [Cell(str(size), size)]
        for contest, found in zip(shown, columns, strict=True):
            if size not in found:  # measured at sizes of its own
                cells.append(Cell("", math.nan))
                continue
            is_best = contest.size == size and contest is ranked[0]
            mean, spread = found[size]
            cells.append(Cell(with_spread(mean, spread, places), mean, is_best=is_best))
        rows.append(tuple(cells))
    everything = []
    if results.has_baseline:
        everything = [results.baseline(c.classifier, metric) for c in shown]
    if everything:
        cells = [Cell("all", results.n_features)]
        for whole in everything:
            mean_all, spread_all = mean_and_sd(whole)
            cells.append(Cell(with_spread(mean_all, spread_all, places), mean_all))
        rows.append(tuple(cells))
    notes = []
    if len(picked) < len(sizes):
        notes.append(f"{len(picked)} of {len(sizes)} sizes are shown.")
    if len(shown) < len(ranked):
        notes.append(f"The best {len(shown)} of {len(ranked)} methods are shown.")
    return Table(
        f"curve-table-{index}",
        f"{metric_title(metric)}: mean ± standard deviation over "
        f"{counted(len(results.folds), 'fold')}, by number of features kept",
        (
            Column("Features", "size"),
            *(Column(shorten(c.name, 40), "figure") for c in shown),
        ),
        tuple(rows),
        " ".join(notes),
    )


def curve_lead(results: Results, best: Contest, metric: str) -> str:
    """Return what to see in the curve: where it flattens."""
    title = METRICS[metric].title
    sizes, values = results.values(best.selector, best.classifier, metric)
    means = moments(values)[0]
    top = float(means[int(np.flatnonzero(sizes == best.size)[0])])
    if math.isnan(top):
        return f"{metric_title(metric)} could not be measured."
    places = decimals_for([top])
    if len(sizes) == 1:
        return f"One size was tried, {best.size}: {title} {figure(top, places)}."
    enough = smallest_as_good(results, best, metric)
    text = (
        f"{isolate(shorten(best.name, 60))} is best with "
        f"{counted(best.size, 'feature')} ({title} {figure(top, places)})."
    )
    if enough is None or enough >= best.size:
        return f"{text} No smaller size tried comes within one standard error of that."
    value = float(means[int(np.flatnonzero(sizes == enough)[0])])
    return (
        f"{text} With {enough} it is already within one standard error of that "
        f"({figure(value, places)}): take {enough} if fewer matters more."
    )
