"""A page in Markdown: what a paper says, and what came out here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from labelsift._words import counted
from labelsift.evaluate.claims import Judgement
from labelsift.evaluate.claims_file import ResultTable
from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.results import Results
from labelsift.report.paper_section import claims_table, made_up_words, summary_of
from labelsift.report.paper_tables import paper_figures
from labelsift.report.svg import clean
from labelsift.report.tables import markdown_text


def paper_page(
    comparison: Comparison,
    judgements: Sequence[Judgement],
    *,
    words: str = "",
    tables: Sequence[ResultTable] = (),
    datasets: Mapping[str, Any] | None = None,
    command: str = "",
) -> str:
    """Return a page in Markdown.

    Parameters
    ----------
    comparison : Comparison
        What was measured.
    judgements : sequence of Judgement
        How the claims came out.
    words : str, default=""
        What stands first: citation, method, readings, as Markdown.
    tables : sequence of ResultTable, optional
        What is shown after the claims, as tables.
    datasets : mapping of str to Dataset or LoadedData, optional
        The data by name, for test costs.
    command : str, default=""
        What made the page.

    Returns
    -------
    str
        Ends with a line end.

    Examples
    --------
    >>> from labelsift.evaluate import Claim, judge
    >>> claim = Claim("chi2 beats spec", "better", ("chi2",), ("spec",))
    >>> page = paper_page(comparison, judge(comparison, [claim]))
    >>> page.splitlines()[4]
    'Of 1 claim 1 holds.'
    """
    heading = f"# {markdown_text(clean(comparison.plan.title))}"
    parts = [words.strip() or heading]
    if judgements:
        table = claims_table(judgements)
        parts += [
            "## What came out here",
            markdown_text(summary_of(judgements)),
            *filter(None, [markdown_text(made_up_words(comparison))]),
            table.to_markdown().strip(),
            markdown_text(table.note),
        ]
    figures = paper_figures(comparison, tables, datasets)
    if figures:
        parts.append("## Tables")
    for each in figures:
        if each.title:
            parts.append(f"### {markdown_text(each.title)}")
        if each.table is not None:
            if each.is_open:
                parts.append(markdown_text(each.caption))
            parts.append(f"{markdown_text(each.table.caption)}:")
            parts.append(each.table.to_markdown().strip())
            if each.table.note:
                parts.append(markdown_text(each.table.note))
        elif each.caption:
            parts.append(markdown_text(each.caption))
    parts += ["## How this was run", *_how(comparison, command)]
    return "\n\n".join(parts) + "\n"


def _how(comparison: Comparison, command: str) -> list[str]:
    lines = []
    if command:
        lines.append(f"    {command}")
    folds = markdown_text(str(comparison.plan.folds))
    lines.append(
        f"{folds.capitalize()}, seed {comparison.plan.seed}; features are selected "
        "inside each training part."
    )
    rows = [_data_line(results) for results in comparison.results]
    left = [markdown_text(clean(line)) for line in comparison.notes]
    gone = [markdown_text(clean(line)) for line in comparison.failed()]
    if rows:
        lines.append("\n".join(rows))
    if left or gone:
        lines.append("What differs from the protocol:")
        lines.append("\n".join(f"- {line}" for line in (*left, *gone)))
    return lines


def _data_line(results: Results) -> str:
    """Return the shape of a data set, how it was measured, and what was done to it."""
    sizes = max(
        len(results.sizes_of(s, c))
        for s in results.selectors
        for c in results.classifiers
    )
    how = counted(sizes, "size")
    if set(results.selectors) <= set(results.own_size):
        how = "each method at the size that it finds itself"
    line = (
        f"- {markdown_text(clean(results.dataset))}: "
        f"{counted(results.n_samples, 'row')}, "
        f"{counted(results.n_features, 'feature')}, "
        f"{counted(len(results.label_names), 'label')}, "
        f"{counted(len(results.folds), 'fold')}, {how}"
    )
    treatment = str(results.settings.get("treatment", ""))
    return f"{line}; {markdown_text(clean(treatment))}" if treatment else line
