"""What ``labelsift paper`` says on the terminal."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labelsift.cli.terminal import duration, one_line

if TYPE_CHECKING:
    from labelsift.evaluate import Comparison, Judgement, LoweredPlan
    from labelsift.papers import Paper


@dataclass(frozen=True)
class Took:
    """The time of a run, and what the file of results holds after it.

    Parameters
    ----------
    seconds : float
        From start to end, with the report.
    n_computed : int
        Fits and rankings of this run.
    n_kept : int
        Fits and rankings in the file.
    seconds_kept : float
        Time that those took one after another, in this run and in earlier ones.
    """

    seconds: float
    n_computed: int
    n_kept: int
    seconds_kept: float

    def __str__(self) -> str:
        new = "all" if self.n_computed == self.n_kept else self.n_computed
        return (
            f"{duration(self.seconds)} with reading and the report; {self.n_kept} fits "
            f"and rankings are kept, {new} computed now; one after another they take "
            f"{duration(self.seconds_kept)}"
        )


def header_of(one: Paper, lowered: LoweredPlan, minutes: float | None) -> str:
    """Return lines: which paper, what is run, and what is left out of it."""
    from labelsift._words import counted

    plan = lowered.plan
    measured = [data.name for data in lowered.loaded if not data.error]
    lines = [
        one_line(one.title),
        f"  {'; '.join(map(one_line, measured))}: "
        f"{counted(len(plan.selectors), 'selector')}, "
        f"{counted(len(plan.classifiers), 'classifier')}, {plan.folds}",
    ]
    if minutes is not None:
        about = f", about {duration(lowered.seconds)}" if lowered.seconds > 0 else ""
        lines[-1] += f"; {minutes:g} minutes allowed{about}"
    lines += [f"  left out for lack of time: {one_line(x)}" for x in lowered.notes]
    return "\n".join(lines)


def claims_text(judgements: Sequence[Judgement], comparison: Comparison) -> str:
    """Return the claims as a list: outcome, in how many cases, and the words."""
    from labelsift.report.paper_section import (
        figures_in_words,
        made_up_words,
        summary_of,
    )

    if not judgements:
        return "No claims are written down for this plan."
    width = max(60, min(shutil.get_terminal_size((88, 24)).columns, 100))
    lines = [summary_of(judgements)]
    lines += textwrap.wrap(one_line(made_up_words(comparison)), width)
    for one in judgements:
        share = f"{one.n_held} of {len(one.cases)}" if one.cases else ""
        head = f"  {one.outcome:<13}  {share:>10}  "
        text = textwrap.wrap(one_line(one.claim.text), width - len(head)) or [""]
        text += textwrap.wrap(one_line(figures_in_words(one)), width - len(head))
        lines.append(head + text[0])
        lines += [" " * len(head) + line for line in text[1:]]
    if any(one.cases for one in judgements):
        about = (
            "The numbers count cases: a case is a data set, classifier, metric and "
            "pair of methods. The report shows each."
        )
        lines += textwrap.wrap(about, width)
    return "\n".join(lines)
