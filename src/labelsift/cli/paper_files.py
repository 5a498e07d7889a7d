"""The files that ``labelsift paper`` writes: report, page, and how it was lowered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labelsift.evaluate import Comparison, Judgement, LoadedData, Plan
    from labelsift.evaluate.claims_file import Claims
    from labelsift.papers import Paper

_LOWERED = "lowered.json"


def write_paper(
    one: Paper,
    comparison: Comparison,
    judgements: Sequence[Judgement],
    claims: Claims,
    datasets: Mapping[str, Any],
    folder: Path,
    command: str,
    page_file: str | None,
) -> list[Path]:
    """Write the report, the page in Markdown, and the curves; return the paths."""
    from labelsift.read.whole_file import whole_file
    from labelsift.report import write_comparison
    from labelsift.report.paper_page import paper_page

    written = []
    if comparison.methods():
        written.append(
            write_comparison(
                comparison,
                folder / "report.html",
                datasets=datasets,
                command=command,
                judgements=judgements,
                tables=claims.tables,
                claims_title="Claims of the paper",
            )
        )
    text = paper_page(
        comparison,
        judgements,
        words=one.page,
        tables=claims.tables,
        datasets=datasets,
        command=command,
    )
    for path in (folder / f"{one.name}.md", *([Path(page_file)] if page_file else [])):
        with whole_file(path) as file:
            file.write(text)
        written.append(path)
    written.append(_save_curves(comparison, folder / "curves.csv"))
    return written


def _save_curves(comparison: Comparison, path: Path) -> Path:
    """Write mean and deviation over the folds of every curve, as CSV."""
    import csv

    from labelsift.evaluate.method_curves import curve
    from labelsift.evaluate.records import ALL_FEATURES
    from labelsift.evaluate.spreadsheet import harmless
    from labelsift.evaluate.summary import mean_and_sd
    from labelsift.read.whole_file import whole_file

    with whole_file(path) as file:
        lines = csv.writer(file)
        lines.writerow(
            ["dataset", "selector", "classifier", "metric", "n_features", "mean", "sd"]
        )
        for results in comparison.results:
            known = [*results.selectors]
            known += [ALL_FEATURES] if results.has_baseline else []
            for selector in known:
                for classifier in results.classifiers:
                    for metric in comparison.plan.metrics:
                        names = map(harmless, (results.dataset, selector, classifier))
                        start = [*names, metric]
                        found = curve(results, selector, [classifier], metric)
                        for size, row in zip(found.sizes, found.values, strict=True):
                            mean, sd = mean_and_sd(row)
                            lines.writerow([*start, int(size), repr(mean), repr(sd)])
    return path


def keep_steps(
    folder: Path,
    plan: Plan,
    loaded: Sequence[LoadedData],
    minutes: float,
    steps: Sequence[tuple[str, Any]],
) -> None:
    """Note how a plan was lowered, so that an interrupted run goes on with the same."""
    from labelsift.read.whole_file import whole_file

    content = {"of": _mark(plan, loaded, minutes), "steps": [list(s) for s in steps]}
    with whole_file(folder / _LOWERED) as file:
        file.write(json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def kept_steps(
    folder: Path, plan: Plan, loaded: Sequence[LoadedData], minutes: float
) -> list[tuple[str, Any]] | None:
    """Return how this plan was lowered before; None if it was not."""
    try:
        content = json.loads((folder / _LOWERED).read_text(encoding="utf-8"))
        if content["of"] != _mark(plan, loaded, minutes):
            return None
        return [(str(kind), value) for kind, value in content["steps"]]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _mark(plan: Plan, loaded: Sequence[LoadedData], minutes: float) -> str:
    measured = [data.name for data in loaded if not data.error]
    whole = json.dumps([plan.text, measured, minutes])
    return hashlib.sha256(whole.encode("utf-8")).hexdigest()
