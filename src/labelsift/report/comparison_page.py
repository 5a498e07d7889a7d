"""The report of a comparison over several data sets."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date as Date
from pathlib import Path
from typing import Any

from markupsafe import Markup

from labelsift.evaluate.comparison import Comparison, Standing
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.ranks import close_runs, critical_difference
from labelsift.read.whole_file import whole_file
from labelsift.report.again_section import downloads
from labelsift.report.choice import metric_title, standing_names
from labelsift.report.critical_difference import critical_difference_diagram
from labelsift.report.figures import NARROW, WIDE
from labelsift.report.html import fill
from labelsift.report.svg import clean, isolate, shorten
from labelsift.report.tables import (
    Cell,
    Column,
    Table,
    counted,
    decimals_for,
    figure,
    seconds,
)

_MOST_ROWS = 60
_MOST_FILE_BYTES = 200_000


@dataclass(frozen=True)
class ComparisonPage:
    """What the template fills in; texts are plain and escaped there."""

    title: str
    answer: str
    caveat: str
    facts: list[tuple[str, str]]
    lead: str
    leaderboard: Table
    others: list[Table]
    diagram: tuple[Markup, Markup] | None
    diagram_caption: str
    data: Table
    links: list[tuple[str, str]]
    problems: list[str]
    command: str
    plan: str
    settings: list[tuple[str, str]]
    date: str


def write_comparison(
    comparison: Comparison,
    path: str | os.PathLike[str],
    *,
    reports: Mapping[str, str] | None = None,
    command: str = "",
    date: str | None = None,
) -> Path:
    """Write one HTML page that compares the methods over all data sets.

    The page stands alone, as that of :func:`labelsift.report.write_report`.

    Parameters
    ----------
    comparison : Comparison
        What ``run_plan`` measured, with at least one method on every data set.
    path : str or path-like
        The file to write; its folder must exist. It appears only when it is whole.
    reports : mapping of str to str, optional
        For each data set the file name of its own report beside this page.
    command : str, default=""
        The command line that made the results, to be shown.
    date : str, optional
        Date in the footer; today by default, empty for none.

    Raises
    ------
    ValueError
        If no method was measured on every data set.

    Notes
    -----
    Methods are ranked on each data set by their mean at their best size. The critical
    difference is Nemenyi's, at 95 %: mean ranks that differ by less cannot be told
    apart with so many data sets.

    References
    ----------
    .. [1] Demsar. Statistical comparisons of classifiers over multiple data sets. JMLR
       7 (2006) 1-30.
    """
    standings = comparison.standings()
    if not standings:
        raise ValueError("no method was measured on every data set: nothing to report.")
    metric = comparison.plan.metrics[0]
    names = standing_names(standings)
    difference = float("nan")
    if len(standings) > 1:
        difference = critical_difference(len(standings), len(comparison.results))
    ranks = [standing.mean_rank for standing in standings]
    diagram = None
    if len(standings) > 1 and len(comparison.results) > 1:
        wide, narrow = (
            critical_difference_diagram("cd", names, ranks, difference, frame)
            for frame in (WIDE, NARROW)
        )
        diagram = wide, narrow
    board = _leaderboard(comparison, metric, names, "leaderboard")
    others = [
        _leaderboard(
            comparison,
            other,
            standing_names(comparison.standings(other)),
            f"by-{other}",
        )
        for other in comparison.plan.metrics[1:]
    ]
    problems = [*comparison.failed(), *comparison.notes]
    page = ComparisonPage(
        title=comparison.plan.title,
        answer=_answer(comparison, standings, names),
        caveat=_caveat(comparison, standings, difference, problems),
        facts=[
            ("Data sets", str(len(comparison.results))),
            ("Methods", str(len(standings))),
            ("Folds", str(comparison.plan.folds)),
        ],
        lead=_lead(comparison, metric),
        leaderboard=board,
        others=others,
        diagram=diagram,
        diagram_caption=_caption(names, ranks, difference, len(comparison.results)),
        data=_data_table(comparison),
        links=sorted((reports or {}).items()),
        problems=[shorten(line, 400) for line in problems],
        command=clean(command) if command else "",
        plan="\n".join(clean(x) if x else "" for x in comparison.plan.text.split("\n")),
        settings=[
            (clean(key), shorten(text, 500)) for key, text in _settings(comparison)
        ],
        date=Date.today().isoformat() if date is None else date,
    )
    tables = [(METRICS[metric].title, f"ranks-{metric}", board)]
    tables += [
        (METRICS[m].title, f"ranks-{m}", table)
        for m, table in zip(comparison.plan.metrics[1:], others, strict=True)
    ]
    target = Path(path)
    files = downloads(tables, _MOST_FILE_BYTES)
    text = fill("comparison.html.j2", 0, page=page, downloads=files)
    with whole_file(target, binary=True) as file:
        file.write(text.encode("utf-8"))
    return target


def _answer(comparison: Comparison, standings: list[Standing], names: list[str]) -> str:
    metric = METRICS[comparison.plan.metrics[0]].title
    best = isolate(shorten(names[0], 60))
    n = len(comparison.results)
    if n == 1:
        value = standings[0].values[0]
        return f"{best} does best: {metric} {figure(value, decimals_for([value]))}."
    return (
        f"{best} leads by {metric}: mean rank {standings[0].mean_rank:.2f} of "
        f"{len(standings)} over {counted(n, 'data set')}."
    )


def _caveat(
    comparison: Comparison,
    standings: list[Standing],
    difference: float,
    problems: list[str],
) -> str:
    if not comparison.is_whole:
        return (
            f"Not everything could be measured: {counted(len(problems), 'problem')}, "
            f"listed below; first {isolate(shorten(problems[0], 200))}"
        )
    ranks = [standing.mean_rank for standing in standings]
    close = sum(rank - ranks[0] < difference for rank in ranks[1:])
    if len(comparison.results) > 1 and close:
        return (
            f"{counted(close, 'other method')} cannot be told apart from it with "
            f"{counted(len(comparison.results), 'data set')}: their mean ranks differ "
            f"by less than {difference:.2f}."
        )
    return (
        "Sizes were chosen on the folds that measured them, for every method alike, so "
        "that new data will do a little worse than these figures."
    )


def _lead(comparison: Comparison, metric: str) -> str:
    way = "higher" if METRICS[metric].greater_is_better else "lower"
    return (
        f"{metric_title(metric)}, {way} is better: mean over the folds at the size "
        "that is best for the method on the data set, and that number of features. "
        "Bold: the best of the data set. Mean rank: place on each data set, averaged; "
        "equal values share their places."
    )


def _leaderboard(
    comparison: Comparison, metric: str, names: list[str], ident: str
) -> Table:
    standings = comparison.standings(metric)
    sign = 1.0 if METRICS[metric].greater_is_better else -1.0
    columns = [[s.values[j] for s in standings] for j in range(len(comparison.results))]
    bests = [
        max((sign * v for v in column if v == v), default=float("nan"))
        for column in columns
    ]
    places = [decimals_for(column) for column in columns]
    rows = []
    for name, standing in list(zip(names, standings, strict=True)):
        cells = [
            Cell(name, is_name=True),
            Cell(figure(standing.mean_rank, 2), standing.mean_rank),
        ]
        for j, value in enumerate(standing.values):
            is_best = bests[j] - sign * value <= 1e-12 * abs(bests[j])
            cells.append(Cell(figure(value, places[j]), value, is_best=is_best))
            cells.append(Cell(str(standing.sizes[j]), standing.sizes[j]))
        rows.append(tuple(cells))
    heads = [Column("Method", "name"), Column("Mean rank", "figure")]
    for dataset in comparison.datasets:
        heads += [Column(shorten(dataset, 24), "figure"), Column("features", "figure")]
    note = ""
    if len(rows) > _MOST_ROWS:
        note = f"The best {_MOST_ROWS} of {len(rows)} methods are shown."
    return Table(
        ident,
        f"{metric_title(metric)} of each method at its best size",
        tuple(heads),
        tuple(rows[:_MOST_ROWS]),
        note,
    )


def _caption(
    names: list[str], ranks: list[float], difference: float, n_datasets: int
) -> str:
    joined = close_runs(ranks, difference)
    text = (
        f"Bars join methods whose mean ranks differ by less than {difference:.2f}, the "
        f"critical difference of {len(names)} methods on "
        f"{counted(n_datasets, 'data set')} (Nemenyi, 95\u00a0%)."
    )
    if joined == [(0, len(names) - 1)]:
        text += " Here this holds for all: these data decide nothing between them."
    return text


def _data_table(comparison: Comparison) -> Table:
    rows = []
    for results in comparison.results:
        select = [ranking.seconds for ranking in results.rankings]
        learn = [cell.seconds_fit + cell.seconds_predict for cell in results.cells]
        empty = sum(fold.rows_without_label for fold in results.folds)
        empty //= max(1, len({fold.repeat for fold in results.folds}))
        rows.append(
            (
                Cell(results.dataset, is_name=True),
                Cell(str(results.n_samples), results.n_samples),
                Cell(str(results.n_features), results.n_features),
                Cell(str(len(results.label_names)), len(results.label_names)),
                Cell(str(empty), empty),
                Cell(seconds(sum(select)), sum(select)),
                Cell(seconds(sum(learn)), sum(learn)),
            )
        )
    titles = (
        "Rows", "Features", "Labels", "Rows without label", "Select", "Learn, predict"
    )  # fmt: skip
    return Table(
        "data-table",
        "The data sets, and the time that all fits on them took together",
        (Column("Data", "name"), *(Column(title, "figure") for title in titles)),
        tuple(rows),
    )


def _settings(comparison: Comparison) -> list[tuple[str, str]]:
    settings: dict[str, Any] = comparison.settings()
    versions = settings["versions"]
    return [
        ("Seed", str(settings["seed"])),
        ("Folds", settings["folds"]),
        ("Versions", ", ".join(f"{k} {v}" for k, v in versions.items())),
    ]
