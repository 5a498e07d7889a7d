"""What ``labelsift compare`` says: what is to be done, and what came out."""

from __future__ import annotations

from collections.abc import Sequence

from labelsift._words import counted
from labelsift.cli.terminal import cut_line, duration, one_line
from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.estimate import Estimate
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.plan import Plan
from labelsift.evaluate.plan_run import Survey

_WIDEST = 40


def header(plan: Plan, surveys: Sequence[Survey]) -> str:
    """Return one line: what is compared, what is done, what is to go."""
    total = sum(s.n_fits for s in surveys)
    missing = sum(s.n_missing for s in surveys)
    text = (
        f"{counted(len(plan.data), 'data set')} \u00d7 "
        f"{counted(len(plan.selectors), 'selector')} \u00d7 "
        f"{counted(len(plan.classifiers), 'classifier')} \u00d7 {plan.folds} = "
        f"{_fits(total)}"
    )
    if missing == total:
        return text
    if not missing:
        return f"{text}; all done before"
    done = total - missing
    return f"{text}; {_grouped(done)} done before, {_grouped(missing)} to go"


def dry_run_text(
    plan: Plan, surveys: Sequence[Survey], guess: Estimate, workers: int
) -> str:
    """Return what a run would do, and about how long it would take."""
    lines = [header(plan, surveys)]
    lines += [
        f"  {one_line(s.dataset)}: {_fits(s.n_fits)}, {_grouped(s.n_missing)} "
        f"to go{_treatment(plan, s.dataset)}"
        for s in surveys
    ]
    if not any(s.n_missing for s in surveys):
        return "\n".join(lines)
    with_jobs = f" with {workers} processes" if workers > 1 else ""
    time = f"about {duration(guess.seconds / workers)}{with_jobs}"
    if guess.n_unknown:
        time += f", and {_fits(guess.n_unknown)} for which no trial succeeded"
    lines.append(f"time: {time}; nothing was run")
    return "\n".join(lines)


def _treatment(plan: Plan, name: str) -> str:
    """Return what is drawn at random for a data set, after a semicolon."""
    words = str(plan.data[name].treatment) if name in plan.data else ""
    return f"; {words}" if words else ""


def outcome(comparison: Comparison, most: int) -> str:
    """Return the methods, best first, with their value on each data set."""
    standings = comparison.standings()
    if not standings:
        return "Nothing was measured on every data set."
    metric = METRICS[comparison.plan.metrics[0]]
    one_classifier = len({s.method.classifier for s in standings}) == 1
    many = len(comparison.results) > 1
    heads = ["method", *(["mean rank"] if many else [])]
    heads += [cut_line(name, 20) for name in comparison.datasets]
    rows = [heads]
    for standing in standings[:most]:
        name = standing.method.selector if one_classifier else str(standing.method)
        rank = [f"{standing.mean_rank:.2f}"] if many else []
        pairs = zip(standing.values, standing.sizes, strict=True)
        figures = [f"{value:.3f} ({size})" for value, size in pairs]
        rows.append([cut_line(name, _WIDEST), *rank, *figures])
    widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
    lines = [
        "  "
        + "  ".join(
            text.ljust(width) if i == 0 else text.rjust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    way = "higher" if metric.greater_is_better else "lower"
    lines.insert(
        0,
        f"{metric.title} at each method's best size (features), {way} is better",
    )
    if len(standings) > most:
        lines.append(f"  and {len(standings) - most} more in the report")
    if not many:
        lines.append(comparison.results[0].verdict())
    return "\n".join(lines)


def _fits(n: int) -> str:
    return f"{_grouped(n)} fit{'' if n == 1 else 's'}"


def _grouped(n: int) -> str:
    return f"{n:,}".replace(",", " ")
