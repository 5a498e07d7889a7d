"""The tables of a comparison: leaderboard, tests, stability, time, data, cautions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from labelsift.evaluate.comparison import Comparison, Standing
from labelsift.evaluate.method_profile import MethodProfile
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.significance import MethodTest, against_best_of_each
from labelsift.evaluate.summary import mean_and_sd
from labelsift.report.choice import metric_title, standing_names
from labelsift.report.heat_map import interval_bar
from labelsift.report.method_section import NO_WORSE
from labelsift.report.svg import isolate, shorten
from labelsift.report.tables import (
    Cell,
    Column,
    Table,
    decimals_for,
    figure,
    seconds,
)

ALPHA = 0.05
BETTER, WORSE = "+", "\u2212"
_MOST_ROWS = 60


def leaderboard(
    comparison: Comparison,
    metric: str,
    tests: Sequence[MethodTest],
    against_all: Sequence[MethodTest],
    ident: str,
    most: int | None = _MOST_ROWS,
) -> Table:
    """Return every method at its best size on each data set, best mean rank first.

    Parameters
    ----------
    comparison : Comparison
        What was measured.
    metric : str
        What decides.
    tests, against_all : sequence of MethodTest
        Against the best and against all features, for this metric.
    ident : str
        Unique on the page.
    most : int or None
        Methods shown.
    """
    standings = comparison.standings(metric)
    n = len(comparison.results)
    sign = 1.0 if METRICS[metric].greater_is_better else -1.0
    everything = _without_selection(comparison, metric)
    columns = [[s.values[i] for s in standings] for i in range(n)]
    bests = [
        max((sign * v for v in column if v == v), default=math.nan)
        for column in columns
    ]
    places = [decimals_for([*c, *(row[i] for _, row in everything)])
              for i, c in enumerate(columns)]  # fmt: skip
    p_best = against_best_of_each(comparison, metric)
    order = {method: j for j, method in enumerate(comparison.methods())}
    close = {test.method: test for test in tests}
    gains = {test.method: test for test in against_all}
    rows = []
    for name, standing in zip(standing_names(standings), standings, strict=True):
        gain = gains.get(standing.method)
        verdicts = gain.verdicts(ALPHA) if gain else ("undecided",) * n
        cells = [
            Cell(name, is_name=True),
            _rank_cell(standing, close.get(standing.method), gain, n),
        ]
        for i, value in enumerate(standing.values):
            is_best = bests[i] - sign * value <= 1e-12 * abs(bests[i])
            p_value = p_best[i, order[standing.method]]
            is_close = not is_best and p_value >= ALPHA
            mark, words = _marks(is_close, verdicts[i])
            text = figure(value, places[i])
            cells.append(Cell(text, value, is_best=is_best, mark=mark, mark_text=words))
            cells.append(Cell(str(standing.sizes[i]), standing.sizes[i]))
        rows.append(tuple(cells))
    rows = rows if most is None else rows[:most]
    for name, values in everything:
        cells = [Cell(name, is_name=True), Cell("\u2013", math.nan)]
        for results, value, decimals in zip(
            comparison.results, values, places, strict=True
        ):
            cells.append(Cell(figure(value, decimals), value))
            cells.append(Cell(str(results.n_features), results.n_features))
        rows.append(tuple(cells))
    heads = [Column("Method", "name"), Column("Mean rank", "figure")]
    for dataset in comparison.datasets:
        heads += [
            Column(shorten(dataset, 24), "figure"),
            Column("features", "figure", f"features of {shorten(dataset, 24)}"),
        ]
    note = ""
    if most is not None and len(standings) > most:
        note = f"The best {most} of {len(standings)} methods are shown."
    return Table(
        ident,
        f"{metric_title(metric)} of each method at its best size",
        tuple(heads),
        tuple(rows),
        note,
        is_sortable=True,
    )


def _rank_cell(
    standing: Standing, test: MethodTest | None, gain: MethodTest | None, n: int
) -> Cell:
    text = figure(standing.mean_rank, 2)
    if n < 2:
        return Cell(text, standing.mean_rank)
    is_close = test is not None and test.verdict(ALPHA) == "undecided"
    mark, words = _marks(is_close, gain.verdict(ALPHA) if gain else "undecided")
    return Cell(text, standing.mean_rank, mark=mark, mark_text=words)


def _marks(is_close: bool, against_all: str) -> tuple[str, str]:
    found = [
        (NO_WORSE, "cannot be told apart from the best", is_close),
        (BETTER, "better than all features", against_all == "better"),
        (WORSE, "worse than all features", against_all == "worse"),
    ]
    shown = [(mark, words) for mark, words, applies in found if applies]
    return "".join(m for m, _ in shown), ", ".join(w for _, w in shown)


def _without_selection(
    comparison: Comparison, metric: str
) -> list[tuple[str, list[float]]]:
    """Return a name and the means on the data sets for each classifier."""
    classifiers = list(dict.fromkeys(m.classifier for m in comparison.methods()))
    if not comparison.has_baseline:
        return []
    return [
        (
            f"{ALL_FEATURES}, {c}" if len(classifiers) > 1 else ALL_FEATURES,
            [mean_and_sd(r.baseline(c, metric))[0] for r in comparison.results],
        )
        for c in classifiers
    ]


def significance_table(
    tests: Sequence[MethodTest], ident: str, most: int | None = _MOST_ROWS
) -> Table | None:
    """Return the tests of each method against another; None where there are none."""
    if not tests:
        return None
    several = len({test.method.classifier for test in tests}) > 1
    decimals = max(3, decimals_for([test.median_difference for test in tests]))
    rows = []
    for test in tests if most is None else tests[:most]:
        verdicts = test.verdicts(ALPHA)
        counts = [verdicts.count(v) for v in ("better", "undecided", "worse")]
        found = test.posterior
        gap = test.median_difference
        rows.append(
            (
                Cell(str(test.method) if several else test.method.selector,
                     is_name=True),
                Cell(figure(gap, decimals, has_sign=True), gap),
                Cell(p_text(test.p_value), test.p_value),
                Cell(p_text(test.adjusted), test.adjusted,
                     is_best=test.adjusted < ALPHA),
                Cell(" / ".join(map(str, counts))),
                *(
                    Cell(figure(p, 3), p)
                    for p in (found.first_better, found.equivalent, found.second_better)
                ),
            )
        )  # fmt: skip
    rope = tests[0].posterior.rope
    other = tests[0].against
    return Table(
        ident,
        f"Each method against {isolate(shorten(other, 60))}: median difference over "
        "the data sets, Wilcoxon's p value, the same corrected by Holm; data sets on "
        "which it is better / undecided / worse by the corrected resampled t test; "
        "probability of being better, "
        f"equivalent (within {rope:g}) and worse by the Bayesian signed-rank test",
        (
            Column("Method", "name"),
            Column("Difference", "figure"),
            Column("p", "figure"),
            Column("p, Holm", "figure"),
            Column("Data sets +/?/\u2212"),
            Column("P(better)", "figure"),
            Column("P(equivalent)", "figure"),
            Column("P(worse)", "figure"),
        ),
        tuple(rows),
        "" if most is None or len(tests) <= most else f"The first {most} methods.",
        is_sortable=True,
    )


def p_text(value: float) -> str:
    """Format a p value: three decimals, or a bound below 0.001."""
    return "< 0.001" if value < 0.0005 else figure(value, 3)


def stability_table(
    comparison: Comparison,
    profiles: Sequence[MethodProfile],
    metric: str,
    most: int | None = _MOST_ROWS,
) -> Table:
    """Return stability and redundancy of what each method keeps on each data set."""
    standings = comparison.standings(metric)
    has_redundancy = any(math.isfinite(p.redundancy) for p in profiles)
    found = {(p.method, p.dataset): p for p in profiles}
    rows = []
    names = standing_names(standings)
    for name, standing in list(zip(names, standings, strict=True))[:most]:
        cells = [Cell(name, is_name=True)]
        for dataset in comparison.datasets:
            profile = found[standing.method, dataset]
            cells.append(_stability_cell(profile))
            if has_redundancy:
                value = profile.redundancy
                cells.append(Cell(figure(value, 2), value))
        rows.append(tuple(cells))
    heads = [Column("Method", "name")]
    for dataset in comparison.datasets:
        heads.append(Column(shorten(dataset, 24), "figure"))
        if has_redundancy:
            title = f"redundancy of {shorten(dataset, 24)}"
            heads.append(Column("redundancy", "figure", title))
    return Table(
        "stability-table",
        "Stability of the chosen set over the folds (95\u00a0% interval)"
        + (", and redundancy of what is chosen" if has_redundancy else ""),
        tuple(heads),
        tuple(rows),
        "\u2013: everything is kept, one fold only, or values that cannot be compared.",
        is_sortable=True,
    )


def _stability_cell(profile: MethodProfile) -> Cell:
    found = profile.stability
    if not math.isfinite(found.value):
        return Cell("\u2013", math.nan)
    low, high = figure(found.low, 2), figure(min(found.high, 1.0), 2)
    return Cell(
        f"{figure(found.value, 2)} ({low} to {high})",
        found.value,
        picture=interval_bar(found.value, found.low, found.high),
    )


def time_table(
    comparison: Comparison,
    profiles: Sequence[MethodProfile],
    metric: str,
    most: int | None = _MOST_ROWS,
) -> Table:
    """Return the mean time of a fold to select and to learn, on each data set."""
    standings = comparison.standings(metric)
    found = {(p.method, p.dataset): p for p in profiles}
    rows = []
    names = standing_names(standings)
    for name, standing in list(zip(names, standings, strict=True))[:most]:
        cells = [Cell(name, is_name=True)]
        for dataset in comparison.datasets:
            own = found[standing.method, dataset]
            cells += [
                Cell(seconds(value), value)
                for value in (own.seconds_select, own.seconds_learn)
            ]
        rows.append(tuple(cells))
    heads = [Column("Method", "name")]
    for dataset in comparison.datasets:
        short = shorten(dataset, 24)
        heads += [
            Column(f"{short}: select", "figure"),
            Column("learn", "figure", f"{short}: learn"),
        ]
    return Table(
        "time-table",
        "Mean time of a fold: to rank the features; to learn and predict",
        tuple(heads),
        tuple(rows),
        is_sortable=True,
    )


def data_table(comparison: Comparison) -> Table:
    """Return the size of each data set, and the time that all its fits took."""
    rows = []
    for results in comparison.results:
        select = [ranking.seconds for ranking in results.rankings]
        learn = [cell.seconds_fit + cell.seconds_predict for cell in results.cells]
        rows.append(
            (
                Cell(results.dataset, is_name=True),
                Cell(str(results.n_samples), results.n_samples),
                Cell(str(results.n_features), results.n_features),
                Cell(str(len(results.label_names)), len(results.label_names)),
                Cell(seconds(sum(select)), sum(select)),
                Cell(seconds(sum(learn)), sum(learn)),
            )
        )
    titles = ("Rows", "Features", "Labels", "Select", "Learn, predict")
    return Table(
        "data-table",
        "The data sets, and the time that all fits on them took together",
        (Column("Data", "name"), *(Column(title, "figure") for title in titles)),
        tuple(rows),
        is_sortable=True,
    )


def caution_table(comparison: Comparison, leader: Standing, name: str) -> Table:
    """Return what cannot be judged on each data set, and what is predicted nothing."""
    rows = []
    for results, size in zip(comparison.results, leader.sizes, strict=True):
        first = [f for f in results.folds if f.repeat == results.folds[0].repeat]
        tested = sum(f.n_test for f in first)
        empty = sum(f.rows_without_label for f in first)
        untaught = {
            label
            for fold in results.folds
            for label in (*fold.absent_from_train, *fold.everywhere_in_train)
        }
        untested = {x for fold in results.folds for x in fold.absent_from_test}
        cells = results.cells_of(leader.method.selector, leader.method.classifier, size)
        nothing = float(np.sum([cell.rows_without_prediction for cell in cells]))
        share = nothing / max(sum(f.n_test for f in results.folds), 1)
        rows.append(
            (
                Cell(results.dataset, is_name=True),
                Cell(f"{empty} of {tested}", empty),
                Cell(f"{len(untaught)} of {len(results.label_names)}", len(untaught)),
                Cell(f"{len(untested)} of {len(results.label_names)}", len(untested)),
                Cell(f"{100 * share:.0f}\u00a0%", share),
            )
        )
    titles = (
        "Rows without labels",
        "Labels not learnable in a fold",
        "Labels not tested in a fold",
        "Test rows predicted nothing",
    )
    return Table(
        "caution-table",
        "What cannot be judged, and how often "
        f"{isolate(shorten(name, 60))} predicts no label at all",
        (Column("Data", "name"), *(Column(title, "figure") for title in titles)),
        tuple(rows),
        is_sortable=True,
    )
