"""Gather everything that the report shows, in the order in which it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from markupsafe import Markup
from scipy import sparse

from labelsift.evaluate.results import Results
from labelsift.read import Dataset
from labelsift.report import (
    again_section,
    cost_section,
    curve_section,
    feature_section,
    label_section,
    method_section,
    trust_section,
)
from labelsift.report.choice import contests
from labelsift.report.tables import Table, grouped

_MOST_PANELS = 8


@dataclass(frozen=True)
class Page:
    """What the template fills in; texts are plain and escaped there.

    ``files`` are the tables to take along: title, file name without ending, table.
    """

    name: str
    answer: str
    caveat: str
    facts: list[tuple[str, str]]
    parts: list[tuple[str, str]]
    curve_lead: str
    panels: list[curve_section.Panel]
    features_lead: str
    features_table: Table
    heat_map: Markup | None
    heat_caption: str
    costs: cost_section.CostCurve | None
    methods_lead: str
    methods_table: Table | None
    labels_lead: str
    labels_table: Table | None
    trust: list[trust_section.Point]
    command: str
    python: str
    settings: list[tuple[str, str]]
    files: list[tuple[str, str, Table]]
    date: str


def build_page(
    results: Results,
    dataset: Dataset,
    *,
    metric: str,
    command: str,
    selector: Any,
    date: str,
) -> Page:
    """Return the page; see :func:`labelsift.report.write_report`."""
    metrics = [metric, *(m for m in results.metrics if m != metric)]
    ranked = contests(results, metric)
    best = ranked[0]
    kept = feature_section.kept_features(results, dataset, best, selector)
    points = trust_section.trust_points(results, best, metric)
    heat, heat_caption = feature_section.features_heat_map(dataset, kept)
    has_methods = len(ranked) > 1
    labels_table = label_section.labels_table(results, best)
    files: list[tuple[str, str, Table]] = [
        (
            "Curve",
            "curve",
            curve_section.curve_table(results, ranked, metric, 0, most=1000),
        ),
        (
            "Kept features",
            "kept-features",
            feature_section.features_table(dataset, kept, most=None),
        ),
    ]
    if has_methods:
        every = method_section.methods_table(results, ranked, metrics, most=None)
        files.append(("Methods", "methods", every))
    if labels_table is not None:
        whole = label_section.labels_table(results, best, most=None)
        files.append(("Labels", "labels", whole or labels_table))
    return Page(
        name=dataset.name,
        answer=trust_section.answer(results, best, metric),
        caveat=trust_section.caveat(points),
        facts=facts_of(dataset),
        parts=_parts(has_methods, labels_table is not None),
        curve_lead=curve_section.curve_lead(results, best, metric),
        panels=curve_section.curve_panels(results, ranked, metrics[:_MOST_PANELS]),
        features_lead=feature_section.features_lead(results, best, kept),
        features_table=feature_section.features_table(dataset, kept),
        heat_map=heat,
        heat_caption=heat_caption,
        costs=cost_section.cost_curve(selector),
        methods_lead=method_section.methods_lead(results, metric),
        methods_table=(
            method_section.methods_table(results, ranked, metrics)
            if has_methods
            else None
        ),
        labels_lead=label_section.labels_lead(results, best),
        labels_table=labels_table,
        trust=points,
        command=command,
        python=again_section.python_lines(dataset, results, best),
        settings=again_section.settings_list(dataset, results),
        files=files,
        date=date,
    )


def facts_of(dataset: Dataset) -> list[tuple[str, str]]:
    """Return the sizes of a data set as pairs of title and figure."""
    Y = dataset.Y
    per_row = float(Y.sum()) / max(dataset.n_samples, 1)
    facts = [
        ("Rows", grouped(dataset.n_samples)),
        ("Features", grouped(dataset.n_features)),
        ("Labels", grouped(dataset.n_labels)),
        ("Labels per row", f"{per_row:.2f}"),
        ("Density", f"{per_row / max(dataset.n_labels, 1):.3f}"),
        ("Distinct label sets", grouped(_label_sets(Y))),
    ]
    missing = _missing_share(dataset.X)
    if missing:
        facts.append(("Missing values", f"{100 * missing:.1f}\u00a0%"))
    return facts


def _label_sets(Y: Any) -> int:
    if sparse.issparse(Y):
        rows = sparse.csr_array(Y)
        rows.sort_indices()
        pairs = pairwise(rows.indptr.tolist())
        return len({rows.indices[a:b].tobytes() for a, b in pairs})
    packed = np.packbits(np.asarray(Y, dtype=bool), axis=1)
    return len({row.tobytes() for row in packed})


def _missing_share(X: Any) -> float:
    values = X.data if sparse.issparse(X) else np.asarray(X)
    size = X.shape[0] * X.shape[1]
    return float(np.isnan(values).sum()) / size if size else 0.0


def _parts(has_methods: bool, has_labels: bool) -> list[tuple[str, str]]:
    parts: Sequence[tuple[str, str, bool]] = (
        ("curve", "Curve", True),
        ("features", "Features", True),
        ("methods", "Methods", has_methods),
        ("labels", "Labels", has_labels),
        ("trust", "Trust", True),
        ("again", "Do it again", True),
    )
    return [(ident, title) for ident, title, is_there in parts if is_there]
