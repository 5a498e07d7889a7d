"""The report of a comparison over several data sets."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date as Date
from pathlib import Path
from typing import Any

from markupsafe import Markup

from labelsift.evaluate.claims import Judgement
from labelsift.evaluate.claims_file import ResultTable
from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.ranks import critical_difference
from labelsift.report.again_section import downloads
from labelsift.report.choice import standing_names
from labelsift.report.comparison_parts import (
    Folded,
    again_settings,
    cautions,
    curve_panels,
    friedman_words,
    label_tables,
    own_sizes_table,
)
from labelsift.report.comparison_room import left_out, smaller
from labelsift.report.comparison_tables import (
    caution_table,
    data_table,
    leaderboard,
    significance_table,
    stability_table,
    time_table,
)
from labelsift.report.comparison_words import (
    answer_words,
    caption_words,
    caveat_words,
    lead_words,
    scatter_caption,
    signs_words,
)
from labelsift.report.critical_difference import critical_difference_diagram
from labelsift.report.curve_section import Panel
from labelsift.report.figures import NARROW, WIDE
from labelsift.report.html import LEAST_ROOM, MOST_BYTES, fill, write_page
from labelsift.report.paper_section import (
    ClaimsPart,
    claims_part,
    made_up_words,
    summary_of,
)
from labelsift.report.paper_tables import paper_figures
from labelsift.report.paper_view import PaperFigure
from labelsift.report.svg import clean, shorten
from labelsift.report.tables import Table
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
    own_sizes: Table | None
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
    claims: ClaimsPart | None = None
    figures: tuple[PaperFigure, ...] = ()


def write_comparison(
    comparison: Comparison,
    path: str | os.PathLike[str],
    *,
    datasets: Mapping[str, Any] | None = None,
    reports: Mapping[str, str] | None = None,
    command: str = "",
    date: str | None = None,
    judgements: Sequence[Judgement] = (),
    tables: Sequence[ResultTable] = (),
    claims_title: str = "What was claimed",
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
    judgements : sequence of Judgement, optional
        How claims came out, from ``judge``: they come first on the page.
    tables : sequence of ResultTable, optional
        Further tables and figures, after the claims; those of test costs need the
        data.
    claims_title : str, default="What was claimed"
        Heading of the claims.

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
    page = _page(comparison, _plain(datasets), reports or {}, command, date)
    if judgements:
        claims = claims_part(judgements, claims_title)
        words = [made_up_words(comparison), *comparison.notes[:1]]
        first = " ".join(filter(None, words)) or page.answer
        page = replace(
            page,
            claims=claims,
            answer=summary_of(judgements),
            caveat=shorten(first, 300),
        )
        page = replace(page, files=[("Claims", "claims", claims.table), *page.files])
    figures = paper_figures(comparison, tables, datasets)
    shown = [
        *([("claims", "Claims", True)] if judgements else []),
        *([("figures", "Tables and figures", True)] if figures else []),
    ]
    parts = [(ident, title) for ident, title, _ in shown]
    page = replace(page, figures=tuple(figures), parts=[*parts, *page.parts])
    return write_page(path, _render(page))


def _plain(datasets: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the data themselves, also where they were loaded for a plan."""
    if datasets is None:
        return None
    found = {k: getattr(v, "dataset", v) for k, v in datasets.items()}
    return {k: v for k, v in found.items() if v is not None}


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
        answer=answer_words(comparison, standings, names),
        caveat=caveat_words(comparison, standings, difference, problems),
        facts=[
            ("Data sets", str(n)),
            ("Methods", str(len(standings))),
            ("Folds", str(comparison.plan.folds)),
        ],
        parts=_parts(bool(shown) or diagram is not None, bool(labels)),
        lead=lead_words(metric),
        signs=signs_words(comparison),
        leaderboard=board,
        others=others,
        diagram=diagram,
        diagram_caption=caption_words(names, ranks, difference, n),
        friedman=friedman_words(comparison, metric),
        tests=shown,
        panels=panels,
        left_out="",
        scatter=(wide_scatter, narrow_scatter),
        scatter_caption=scatter_caption(n),
        time=time,
        stability=stability,
        own_sizes=own_sizes_table(comparison),
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
    while len(bare.encode("utf-8")) > MOST_BYTES - LEAST_ROOM:
        less = smaller(page)
        if less is None:
            break
        page, bare = less, filled(less, [])
    words = left_out(page, whole)
    if words:
        note = f"To keep this page small, it shows {'; '.join(words)}."
        parts = [p for p in page.parts if p[0] != "labels" or page.labels]
        page = replace(page, left_out=note, parts=parts)
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
