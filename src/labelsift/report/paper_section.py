"""Section "Claims": what was claimed, how it came out, and the figures beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from labelsift._words import counted
from labelsift.evaluate.claims import FAILS, HOLDS, IN_PART, OPEN, ClaimCase, Judgement
from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.metrics import METRICS
from labelsift.report.comparison_parts import Folded
from labelsift.report.svg import shorten
from labelsift.report.tables import Cell, Column, Table, decimals_for, figure, seconds

_MOST_CASES = 60
_MOST_METRICS = 2
_SIGNS = {HOLDS: "\u2713", IN_PART: "\u223c", FAILS: "\u2717", OPEN: "\u2013"}


@dataclass(frozen=True)
class ClaimsPart:
    """The claims of a paper in the page."""

    title: str
    lead: str
    table: Table
    details: list[Folded]


def claims_part(judgements: Sequence[Judgement], title: str) -> ClaimsPart:
    """Return the section of the claims.

    Parameters
    ----------
    judgements : sequence of Judgement
        How they came out.
    title : str
        Heading of the section.
    """
    return ClaimsPart(
        title, summary_of(judgements), claims_table(judgements), details(judgements)
    )


def summary_of(judgements: Sequence[Judgement]) -> str:
    """Return in one sentence how many claims hold."""
    outcomes = [one.outcome for one in judgements]
    parts = []
    for outcome, verb, verbs in (
        (HOLDS, "holds", "hold"),
        (IN_PART, "holds in part", "hold in part"),
        (FAILS, "does not hold", "do not hold"),
        (OPEN, "could not be judged", "could not be judged"),
    ):
        n = outcomes.count(outcome)
        if n:
            parts.append(f"{n} {verb if n == 1 else verbs}")
    return f"Of {counted(len(outcomes), 'claim')} {', '.join(parts)}."


def made_up_words(comparison: Comparison) -> str:
    """Return a caution where the claims were judged on made-up data; else nothing."""
    plan = comparison.plan.data
    made = [
        name
        for name in comparison.datasets
        if name in plan and plan[name].generate is not None
    ]
    if not made:
        return ""
    if len(made) == len(comparison.datasets):
        return (
            "All data of this run are made up: it shows what is done, and tells "
            "nothing about the claims on real data."
        )
    return f"Made up, and no data of the paper: {shorten('; '.join(made), 200)}."


def claims_table(judgements: Sequence[Judgement], ident: str = "claims-table") -> Table:
    """Return one row a claim: what, how it came out, in how many cases, figures."""
    rows = []
    for one in judgements:
        n_for, n_against = one.n_significant
        has_tests = any(not math.isnan(case.p_value) for case in one.cases)
        where = f" ({one.claim.where})" if one.claim.where else ""
        rows.append(
            (
                Cell(f"{one.claim.text}{where}"),
                Cell(
                    f"{_SIGNS[one.outcome]} {one.outcome}".replace(" ", "\u00a0"),
                    one.outcome,
                    is_best=one.outcome == HOLDS,
                ),
                Cell(
                    f"{one.n_held}\u00a0of\u00a0{len(one.cases)}"
                    if one.cases
                    else "\u2013",
                    f"{one.n_held}/{len(one.cases)}",
                ),
                Cell(f"{n_for} / {n_against}" if has_tests else "\u2013"),
                Cell(figures_in_words(one)),
            )
        )
    return Table(
        ident,
        "Each claim on these data",
        (
            Column("Claim"),
            Column("Here"),
            Column("Cases"),
            Column("Significant +/\u2212"),
            Column("Figures"),
        ),
        tuple(rows),
        "A case is a data set, classifier, metric and pair of methods for which the "
        "claim is asked. Significant: at 0.05 for and against, by the corrected "
        "resampled t test of the folds with Holm's correction over the cases.",
    )


def decimals_apart(first: float, second: float, least: int = 0) -> int:
    """Return how many decimals, six at most, show which of two values is larger."""
    places = max(least, decimals_for([first, second]))
    if first == second:
        return places
    while places < 6 and figure(first, places) == figure(second, places):
        places += 1
    return places


def figures_in_words(one: Judgement) -> str:
    """Return the mean figures behind a judgement, or why there are none."""
    if not one.cases:
        return shorten("; ".join(one.missing) or "nothing to judge it by", 300)
    groups: dict[str, list[ClaimCase]] = {}
    for case in one.cases:
        groups.setdefault(case.metric, []).append(case)
    parts = []
    for metric, cases in list(groups.items())[:_MOST_METRICS]:
        first = _mean([case.first_value for case in cases])
        second = _mean([case.second_value for case in cases])
        if one.claim.test == "cheaper":
            text = f"{figure(first, 1)} % of the price against {figure(second, 1)} %"
        elif one.claim.test == "kept":
            text = f"{figure(first, 1)} features"
            if math.isfinite(second):
                text += f" against {figure(second, 1)}"
        elif metric in METRICS:
            places = decimals_apart(first, second, least=3)
            text = f"{METRICS[metric].title} {figure(first, places)}"
            if one.claim.test == "value":
                text += f", published {figure(second, places)}"
            else:
                text += f" against {figure(second, places)}"
        else:
            text = f"{seconds(first)} against {seconds(second)}"
        parts.append(text)
    words = "; ".join(parts)
    if one.claim.expected is not None and one.claim.test != "value":
        words += f"; published difference {one.claim.expected:+g}"
    if len(groups) > _MOST_METRICS:
        words += f"; and {counted(len(groups) - _MOST_METRICS, 'more metric')}"
    if one.missing:
        words += f" (left out: {shorten('; '.join(one.missing), 160)})"
    return words


def details(judgements: Sequence[Judgement]) -> list[Folded]:
    """Return for each claim its cases as a table."""
    found = []
    for number, one in enumerate(judgements):
        if one.cases:
            summary = f"{shorten(one.claim.text, 90)}: {one.outcome}"
            found.append(Folded(summary, cases_table(one, f"claim-{number}")))
    return found


def cases_table(one: Judgement, ident: str, most: int = _MOST_CASES) -> Table:
    """Return the cases of a claim, those where it does not hold first."""
    cases = sorted(one.cases, key=lambda case: case.held)
    rows = []
    for case in cases[:most]:
        places = decimals_apart(case.first_value, case.second_value)
        title = METRICS[case.metric].title if case.metric in METRICS else case.metric
        words = {1.0: "yes", 0.5: "in part"}.get(case.held, "no")
        rows.append(
            (
                Cell(case.data, is_name=True),
                Cell(case.classifier or "\u2013", is_name=True),
                Cell(title),
                Cell(case.size or "\u2013"),
                Cell(case.first, is_name=True),
                Cell(figure(case.first_value, places), case.first_value),
                Cell(case.second or "\u2013", is_name=True),
                Cell(figure(case.second_value, places), case.second_value),
                Cell(_p_text(case.p_value), case.p_value),
                Cell(words, is_best=case.held == 1),
            )
        )
    return Table(
        ident,
        shorten(one.claim.text, 200),
        (
            Column("Data", "name"),
            Column("Classifier"),
            Column("Metric"),
            Column("Features"),
            Column("Method"),
            Column("value", "figure", "value of the method"),
            Column("Against"),
            Column("value", "figure", "value of the other"),
            Column("p", "figure"),
            Column("Holds"),
        ),
        tuple(rows),
        ""
        if len(cases) <= most
        else f"{most} of {len(cases)} cases, those where it does not hold first.",
    )


def _p_text(value: float) -> str:
    if math.isnan(value):
        return "\u2013"
    return "< 0.001" if value < 0.0005 else figure(value, 3)


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if math.isfinite(v)]
    return math.fsum(known) / len(known) if known else math.nan
