"""Section "Methods compared": one row a method, best first."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from labelsift._words import counted
from labelsift.evaluate.compare import corrected_resampled_difference
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.results import Results
from labelsift.evaluate.summary import mean_and_sd
from labelsift.report.choice import (
    Contest,
    Floats,
    mean_ranks,
    method_name,
    metric_title,
)
from labelsift.report.tables import (
    Cell,
    Column,
    Table,
    decimals_for,
    figure,
    seconds,
    with_spread,
)

_MOST_ROWS = 60
_MOST_METRICS = 3
NO_WORSE = "≈"


def methods_table(
    results: Results,
    ranked: Sequence[Contest],
    metrics: Sequence[str],
    most: int | None = _MOST_ROWS,
) -> Table:
    """Return every method at its best size, then all features.

    Parameters
    ----------
    results : Results
        What was measured.
    ranked : sequence of Contest
        The methods, best first.
    metrics : sequence of str
        The deciding metric first; the first three get a column.
    most : int or None
        Methods shown.
    """
    entrants = list(ranked) + [
        Contest(
            ALL_FEATURES, c, method_name(results, ALL_FEATURES, c), results.n_features
        )
        for c in (results.classifiers if results.has_baseline else ())
    ]
    metrics = metrics[:_MOST_METRICS]
    tables = {
        metric: [_fold_values(results, entrant, metric) for entrant in entrants]
        for metric in metrics
    }
    first = metrics[0]
    sign = 1.0 if METRICS[first].greater_is_better else -1.0
    ranks = mean_ranks([sign * values for values in tables[first]])
    shown = len(ranked) if most is None else min(most, len(ranked))
    rows = []
    for i, entrant in enumerate(entrants):
        if shown <= i < len(ranked):
            continue
        cells = [
            Cell(entrant.name, is_name=True),
            Cell(str(entrant.size), entrant.size),
        ]
        cells += [_metric_cell(results, tables[m], m, i) for m in metrics]
        select, learn = _times(results, entrant)
        cells += [
            Cell(figure(float(ranks[i]), 2), float(ranks[i])),
            Cell(seconds(select), select),
            Cell(seconds(learn), learn),
        ]
        rows.append(tuple(cells))
    columns = [
        Column("Method", "name"),
        Column("Features", "figure"),
        *(Column(metric_title(m), "figure") for m in metrics),
        Column("Mean rank", "figure"),
        Column("Select", "figure"),
        Column("Learn, predict", "figure"),
    ]
    note = ""
    if shown < len(ranked):
        note = f"The best {shown} of {len(ranked)} methods are shown."
    return Table(
        "methods-table",
        f"Each method at the size best for {METRICS[first].title}: mean ± standard "
        f"deviation over {counted(len(results.folds), 'fold')}; rank and time are "
        "means",
        tuple(columns),
        tuple(rows),
        note,
        is_sortable=True,
    )


def _fold_values(results: Results, entrant: Contest, metric: str) -> Floats:
    cells = results.cells_of(entrant.selector, entrant.classifier, entrant.size)
    return np.array([cell.values[metric] for cell in cells], dtype=np.float64)


def _metric_cell(
    results: Results, values: Sequence[Floats], metric: str, i: int
) -> Cell:
    sign = 1.0 if METRICS[metric].greater_is_better else -1.0
    pairs = [mean_and_sd(column) for column in values]
    merits = [sign * mean if math.isfinite(mean) else -math.inf for mean, _ in pairs]
    best = int(np.argmax(merits))
    text = with_spread(*pairs[i], decimals_for([mean for mean, _ in pairs]))
    if not math.isfinite(merits[i]):
        return Cell(text, math.nan)
    is_best = merits[best] - merits[i] <= 1e-12 * abs(merits[best])
    if is_best or not _is_no_worse(results, values[i], values[best], metric):
        return Cell(text, pairs[i][0], is_best=is_best)
    return Cell(text, pairs[i][0], mark=NO_WORSE, mark_text="no worse than the best")


def _is_no_worse(results: Results, own: Floats, best: Floats, metric: str) -> bool:
    found = corrected_resampled_difference(
        own,
        best,
        n_train=float(np.mean([fold.n_train for fold in results.folds])),
        n_test=float(np.mean([fold.n_test for fold in results.folds])),
        greater_is_better=METRICS[metric].greater_is_better,
    )
    return found.n_folds >= 2 and found.verdict != "worse"


def _times(results: Results, entrant: Contest) -> tuple[float, float]:
    select = [r.seconds for r in results.rankings if r.selector == entrant.selector]
    cells = results.cells_of(entrant.selector, entrant.classifier, entrant.size)
    learn = [cell.seconds_fit + cell.seconds_predict for cell in cells]
    return mean_and_sd(select)[0], mean_and_sd(learn)[0]


def methods_lead(results: Results, metric: str) -> str:
    """Return how to read the table."""
    text = "Bold: the best mean."
    if len(results.folds) > 1:
        text += (
            f" {NO_WORSE}: no worse than it, as the 95\u00a0% interval of the paired "
            "difference holds 0 or lies above."
        )
    return (
        f"{text} Mean rank: place by {METRICS[metric].title} in each fold, 1 is best."
    )
