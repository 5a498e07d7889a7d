"""The report of a comparison over several data sets."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
from labelsift.report.comparison_parts import (
    Folded,
    again_settings,
    cautions,
    curve_panels,
    friedman_words,
    label_tables,
)
from labelsift.report.comparison_tables import (
    BETTER,
    WORSE,
    caution_table,
    data_table,
    leaderboard,
    significance_table,
    stability_table,
    time_table,
)
from labelsift.report.critical_difference import critical_difference_diagram
from labelsift.report.curve_section import Panel
from labelsift.report.figures import NARROW, WIDE
from labelsift.report.html import LEAST_ROOM, MOST_BYTES, fill
from labelsift.report.method_section import NO_WORSE
from labelsift.report.svg import clean, isolate, shorten
from labelsift.report.tables import Table, counted, decimals_for, figure
from labelsift.report.trade_off import quality_title, trade_off_figure, trade_offs
from labelsift.report.trust_section import Point

_PYTHON = """\
from labelsift.evaluate import ResultStore, read_plan, run_plan

with ResultStore("results.sqlite") as store:
    comparison = run_plan(read_plan("plan.toml"), store)"""


@dataclass(frozen=True)
class ComparisonPage:
    """What the template fills in; texts are plain and escaped there."""

    title: str
    answer: str
    caveat: str
    facts: list[tuple[str, str]]
    parts: list[tuple[str, str]]
    lead: str
    signs: str
    leaderboard: Table
    others: list[Table]
    diagram: tuple[Markup, Markup] | None
    diagram_caption: str
    friedman: str
    tests: list[Table]
    panels: list[Panel]
    left_out: str
    scatter: tuple[Markup, Markup]
    scatter_caption: str
    time: Table
    stability: Table
    labels: list[Folded]
    leader: str
    caution: Table
    cautions: list[Point]
    data: Table
    links: list[tuple[str, str]]
    problems: list[str]
    problems_title: str
    command: str
    python: str
    plan: str
    settings: list[tuple[str, str]]
    files: list[tuple[str, str, Table]]
    date: str


def write_comparison(
    comparison: Comparison,
    path: str | os.PathLike[str],
    *,
    datasets: Mapping[str, Any] | None = None,
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
    datasets : mapping of str to Dataset, optional
        The data by name, for the redundancy of what is kept and for checksums.
    reports : mapping of str to str, optional
        For each data set the file name of its own report beside this page.
    command : str, default=""
        The command line that made the results, to be shown.
    date : str, optional
        Date in the footer; today by default, empty for none.

    Returns
    -------
    Path
        The path.

    Raises
    ------
    ValueError
        If no method was measured on every data set.

    Notes
    -----
    Methods are ranked on each data set by their mean at their best size. The critical
    difference is Nemenyi's, at 95 %: mean ranks that differ by less cannot be told
    apart with so many data sets. The page stays under 500 KB; what is left out for that
    is named.

    References
    ----------
    .. [1] Demsar. Statistical comparisons of classifiers over multiple data sets. JMLR
       7 (2006) 1-30.

    Examples
    --------
    >>> write_comparison(comparison, "comparison.html").name  # made by ``run_plan``
    'comparison.html'
    """
    if not comparison.standings():
        raise ValueError("no method was measured on every data set: nothing to report.")
    page = _page(comparison, datasets, reports or {}, command, date)
    target = Path(path)
    with whole_file(target, binary=True) as file:
        file.write(_render(page).encode("utf-8"))
    return target


def _page(
    comparison: Comparison,
    datasets: Mapping[str, Any] | None,
    reports: Mapping[str, str],
    command: str,
    date: str | None,
) -> ComparisonPage:
    metric = comparison.plan.metrics[0]
    standings = comparison.standings()
    names = standing_names(standings)
    n = len(comparison.results)
    difference = math.nan
    if len(standings) > 1:
        difference = critical_difference(len(standings), n)
    ranks = [standing.mean_rank for standing in standings]
    diagram = None
    if len(standings) > 1 and n > 1:
        wide, narrow = (
            critical_difference_diagram("cd", names, ranks, difference, frame)
            for frame in (WIDE, NARROW)
        )
        diagram = wide, narrow
    tests, against_all = comparison.tests(), comparison.tests(against="all features")
    profiles = comparison.profiles(datasets)
    board = leaderboard(comparison, metric, tests, against_all, "leaderboard")
    others = [
        leaderboard(
            comparison,
            other,
            comparison.tests(other),
            comparison.tests(other, against="all features"),
            f"by-{other}",
        )
        for other in comparison.plan.metrics[1:]
    ]
    tables = [
        significance_table(tests, "tests-best"),
        significance_table(against_all, "tests-all"),
    ]
    points = trade_offs(comparison, profiles, metric)
    title, is_higher_better = quality_title(comparison, metric)
    wide_scatter, narrow_scatter = (
        trade_off_figure("time", points, title, is_higher_better, frame)
        for frame in (WIDE, NARROW)
    )
    problems = [*comparison.failed(), *comparison.notes]
    panels = curve_panels(comparison, metric)
    labels = label_tables(comparison, standings[0])
    stability = stability_table(comparison, profiles, metric)
    time = time_table(comparison, profiles, metric)
    shown = [table for table in tables if table is not None]
    files = [(METRICS[metric].title, f"ranks-{metric}", board)]
    files += [
        (METRICS[m].title, f"ranks-{m}", table)
        for m, table in zip(comparison.plan.metrics[1:], others, strict=True)
    ]
    titles = {"tests-best": "Against the best", "tests-all": "Against all features"}
    files += [(titles[table.ident], table.ident, table) for table in shown]
    files += [("Stability", "stability", stability), ("Time", "time", time)]
    return ComparisonPage(
        title=comparison.plan.title,
        answer=_answer(comparison, standings, names),
        caveat=_caveat(comparison, standings, difference, problems),
        facts=[
            ("Data sets", str(n)),
            ("Methods", str(len(standings))),
            ("Folds", str(comparison.plan.folds)),
        ],
        parts=_parts(bool(shown) or diagram is not None, bool(labels)),
        lead=_lead(comparison, metric),
        signs=_signs(comparison),
        leaderboard=board,
        others=others,
        diagram=diagram,
        diagram_caption=_caption(names, ranks, difference, n),
        friedman=friedman_words(comparison, metric),
        tests=shown,
        panels=panels,
        left_out="",
        scatter=(wide_scatter, narrow_scatter),
        scatter_caption=_scatter_caption(n),
        time=time,
        stability=stability,
        labels=labels,
        leader=names[0],
        caution=caution_table(comparison, standings[0], names[0]),
        cautions=cautions(comparison, standings[0], metric)[:25],
        data=data_table(comparison),
        links=sorted(reports.items()),
        problems=[shorten(line, 400) for line in problems],
        problems_title=(
            "Done otherwise than the plan says"
            if comparison.is_whole
            else "What went wrong"
        ),
        command=clean(command) if command else "",
        python=_PYTHON,
        plan="\n".join(clean(x) if x else "" for x in comparison.plan.text.split("\n")),
        settings=again_settings(comparison, datasets),
        files=files,
        date=Date.today().isoformat() if date is None else date,
    )


def _render(page: ComparisonPage) -> str:
    """Return the page as text; panels and tables of labels go where it is too large."""

    def filled(page: ComparisonPage, files: Any) -> str:
        return fill("comparison.html.j2", len(page.panels), page=page, downloads=files)

    whole, bare = page, filled(page, [])
    n_datasets = len(page.data.rows)
    while len(bare.encode("utf-8")) > MOST_BYTES - LEAST_ROOM and (
        page.panels[1:] or page.labels or page.others
    ):
        if len(page.panels) > 3:
            page = replace(page, panels=page.panels[: len(page.panels) // 2])
        elif page.labels:
            page = replace(page, labels=page.labels[: len(page.labels) // 2])
        elif page.others:
            page = replace(page, others=page.others[: len(page.others) // 2])
        else:
            page = replace(page, panels=page.panels[:-1])
        bare = filled(page, [])
    left_out = [
        ("Curves of", len(page.panels), n_datasets),
        ("Labels of", len(page.labels), len(whole.labels)),
        ("Leaderboards of", len(page.others) + 1, len(whole.others) + 1),
    ]
    words = [
        f"{what} {shown} of {n} {'metrics' if 'board' in what else 'data sets'}"
        for what, shown, n in left_out
        if shown < n
    ]
    if words:
        note = f"{'; '.join(words)} are shown, to keep this page small."
        page = replace(page, left_out=note)
        bare = filled(page, [])
    room = max(MOST_BYTES - len(bare.encode("utf-8")), LEAST_ROOM)
    return filled(page, downloads(page.files, room))


def _parts(has_tests: bool, has_labels: bool) -> list[tuple[str, str]]:
    parts = (
        ("methods", "Leaderboard", True),
        ("difference", "Differences", has_tests),
        ("curves", "Curves", True),
        ("time", "Time", True),
        ("stability", "Stability", True),
        ("labels", "Labels", has_labels),
        ("trust", "Trust", True),
        ("data", "Data", True),
        ("again", "Do it again", True),
    )
    return [(ident, title) for ident, title, is_there in parts if is_there]


def _scatter_caption(n_datasets: int) -> str:
    over = " (geometric mean over the data sets)" if n_datasets > 1 else ""
    return (
        f"Up is better, left is faster: time of a fold to select, learn and predict"
        f"{over}, at each method's best size. Bold: as good and as fast as no other. "
        "Methods that keep the same columns share a fit, and its time."
    )


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
        "Mean rank: place on each data set, averaged; equal values share their places."
    )


def _signs(comparison: Comparison) -> str:
    """Return how to read bold and the signs beside the figures."""
    text = f"Bold: the best of the data set. {NO_WORSE}: cannot be told apart from it."
    if comparison.has_baseline:
        text += f" {BETTER}, {WORSE}: better, worse than all features."
    text += " By the corrected resampled t test of the folds"
    n = len(comparison.results)
    if n > 1:
        text += ", and beside a mean rank by Wilcoxon's signed-rank test"
    text += ", at 0.05 with Holm's correction."
    if 1 < n < 6:
        text += f" With {n} data sets Wilcoxon's test cannot reach that; 6 are needed."
    return text


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
