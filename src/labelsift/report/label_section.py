"""Section "Label by label": how well each is predicted, with all and with the kept."""

from __future__ import annotations

import math

import numpy as np

from labelsift._words import counted
from labelsift.evaluate.records import ALL_FEATURES, LabelResult
from labelsift.evaluate.results import Results
from labelsift.report.choice import Contest
from labelsift.report.heat_map import dumbbell
from labelsift.report.svg import isolate, shorten
from labelsift.report.tables import Cell, Column, Table, figure

_MOST_ROWS = 40


def labels_table(
    results: Results, best: Contest, most: int | None = _MOST_ROWS
) -> Table | None:
    """Return one row a label, the worst first.

    Parameters
    ----------
    results : Results
        What was measured.
    best : Contest
        The chosen method and size.
    most : int or None
        Rows shown; the rest is only counted in the note.

    Returns
    -------
    Table or None
        ``None`` when no label has an F1 or AUC.
    """
    kept = results.per_label(best.selector, best.classifier, best.size)
    everything: list[LabelResult] | None = None
    if results.has_baseline and best.size < results.n_features:
        everything = results.per_label(
            ALL_FEATURES, best.classifier, results.n_features
        )
    has_auc = any(math.isfinite(label.auc) for label in kept)
    if not has_auc and not any(math.isfinite(label.f1) for label in kept):
        return None
    order = sorted(range(len(kept)), key=lambda i: _badness(kept[i]))
    shown = order if most is None else order[:most]
    rows = [
        _row(results, kept[i], None if everything is None else everything[i], has_auc)
        for i in shown
    ]
    columns = [Column("Label", "name"), Column("Rows with it", "figure")]
    if everything is not None:
        columns.append(Column("F1, all\u00a0○", "figure"))
    columns.append(Column("F1, kept\u00a0●" if everything else "F1, kept", "figure"))
    if everything is not None:
        columns.append(Column("Change (0 to 1)", "figure"))
    if has_auc and everything is not None:
        columns.append(Column("AUC, all", "figure"))
    if has_auc:
        columns.append(Column("AUC, kept", "figure"))
    classifier = isolate(shorten(best.classifier, 40))
    note = ""
    if len(shown) < len(kept):
        note = (
            f"The worst {len(shown)} of {len(kept)} labels; the CSV file under "
            "“Do it again” goes on."
        )
    return Table(
        "labels-table",
        f"Each label with {classifier}, worst first; F1 from counts over all folds"
        + (", AUC as mean over the folds" if has_auc else ""),
        tuple(columns),
        tuple(rows),
        note,
        is_sortable=True,
    )


def _badness(label: LabelResult) -> tuple[bool, float, float]:
    # labels without an F1 (never there, never predicted) say least: last
    auc = label.auc if math.isfinite(label.auc) else 0.5
    return (
        not math.isfinite(label.f1),
        label.f1 if math.isfinite(label.f1) else 0.0,
        auc,
    )


def _row(
    results: Results, kept: LabelResult, everything: LabelResult | None, has_auc: bool
) -> tuple[Cell, ...]:
    share = 100 * kept.positives / max(results.n_samples, 1)
    cells = [
        Cell(kept.label, is_name=True),
        Cell(
            f"{kept.positives} ({figure(share, 1)}\u00a0%)",
            kept.positives,
        ),
    ]
    if everything is not None:
        cells.append(Cell(figure(everything.f1, 3), everything.f1))
    cells.append(Cell(figure(kept.f1, 3), kept.f1))
    if everything is not None:
        change = kept.f1 - everything.f1
        text = figure(change, 3, has_sign=True)
        picture = dumbbell(everything.f1, kept.f1, 1.0)
        cells.append(Cell(text, change, picture=picture))
    if has_auc and everything is not None:
        cells.append(Cell(figure(everything.auc, 3), everything.auc))
    if has_auc:
        cells.append(Cell(figure(kept.auc, 3), kept.auc))
    return tuple(cells)


def labels_lead(results: Results, best: Contest) -> str:
    """Return how many labels gain, lose, or are never predicted."""
    kept = results.per_label(best.selector, best.classifier, best.size)
    never = sum(label.f1 == 0 or math.isnan(label.f1) for label in kept)
    text = (
        f"Never predicted right: {never} of {counted(len(kept), 'label')}."
        if never
        else ""
    )
    if not results.has_baseline or best.size == results.n_features:
        return text or "Every label is predicted right at least once."
    everything = results.per_label(ALL_FEATURES, best.classifier, results.n_features)
    change = np.array([k.f1 - a.f1 for k, a in zip(kept, everything, strict=True)])
    change = change[np.isfinite(change)]
    better, worse = int((change > 0.01).sum()), int((change < -0.01).sum())
    return (
        f"With the kept features F1 rises by more than 0.01 for "
        f"{counted(better, 'label')} and falls by more than 0.01 for {worse}. {text}"
    ).strip()
