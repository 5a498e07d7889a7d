"""Tables of a paper: features that one method finds alone, and what money buys."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from labelsift.evaluate.method_curves import kept_costs, matching
from labelsift.report.choice import consensus_order, metric_title
from labelsift.report.paper_view import PaperFigure, View, sign_of
from labelsift.report.svg import shorten
from labelsift.report.tables import Cell, Column, Table, decimals_for, figure

_MOST_FEATURES = 10
_SHARES = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0)


def lone_features(view: View) -> Iterator[PaperFigure]:
    """Yield features that one method has among its first, and no other."""
    top = view.asked.top
    rows = []
    others: list[str] = []
    for results in view.results:
        first = matching(view.asked.first, list(results.selectors))
        others = matching(view.asked.second, list(results.selectors))
        if not first or not others:
            continue
        place = {
            s: np.argsort(consensus_order(results, s)) + 1 for s in (*first, *others)
        }
        order = consensus_order(results, first[0])[:top]
        lone = [j for j in order if all(place[s][j] > top for s in others)]
        for j in lone[:_MOST_FEATURES]:
            rows.append(
                (
                    Cell(results.dataset, is_name=True),
                    Cell(results.feature_names[j], is_name=True),
                    Cell(str(place[first[0]][j]), int(place[first[0]][j])),
                    *(Cell(str(place[s][j]), int(place[s][j])) for s in others),
                )
            )
        text = f"{len(lone)} of {top}"
        if len(lone) > _MOST_FEATURES or not lone:
            rows.append(
                (
                    Cell(results.dataset, is_name=True),
                    Cell(f"in all {text}"),
                    *([Cell("")] * (1 + len(others))),
                )
            )
    name = view.asked.first[0]
    yield PaperFigure(
        view.asked.title,
        None,
        "",
        Table(
            f"{view.ident}-only",
            f"Among the first {top} of {name} and of no other, by mean place over the "
            "folds; places",
            (
                Column("Data", "name"),
                Column("Feature"),
                Column(shorten(name, 30), "figure"),
                *(Column(shorten(s, 30), "figure") for s in others),
            ),
            tuple(rows),
        ),
    )


def within_budget(view: View) -> Iterator[PaperFigure]:
    """Yield the best value to be had for a share of the price of all features."""
    for number, metric in enumerate(view.metrics):
        sign = sign_of(metric)
        rows = []
        for results in view.results:
            for name, group in view.groups(results):
                for selector in view.selectors:
                    found = view.curve(results, selector, group, metric)
                    if found is None:
                        continue
                    prices = kept_costs(results, selector, found.sizes, view.datasets)
                    if prices is None:
                        continue
                    share = prices.mean(axis=1)
                    values = [
                        max(
                            (sign * m for m, s in zip(found.means, share, strict=True)
                             if s <= most + 1e-9 and m == m),
                            default=math.nan,
                        )
                        for most in _SHARES
                    ]  # fmt: skip
                    rows.append((results.dataset, name, selector, values))
        if not rows:
            continue
        yield PaperFigure(
            view.asked.title if number == 0 else "",
            None,
            "",
            _budget_table(view, metric, rows, sign),
        )


def _budget_table(
    view: View, metric: str, rows: list[tuple[str, str, str, list[float]]], sign: float
) -> Table:
    tops: dict[tuple[str, str], list[float]] = {}
    for data, name, _, values in rows:
        known = tops.setdefault((data, name), [-math.inf] * len(values))
        tops[data, name] = [
            max(t, v) if v == v else t for t, v in zip(known, values, strict=True)
        ]
    places = decimals_for([v for row in rows for v in row[3]])
    cells = []
    for data, name, selector, values in rows:
        figures = [
            Cell(figure(sign * v, places), sign * v, is_best=v == top)
            for v, top in zip(values, tops[data, name], strict=True)
        ]
        cells.append(
            (
                Cell(data, is_name=True),
                *([] if view.only_classifier else [Cell(name, is_name=True)]),
                Cell(selector, is_name=True),
                *figures,
            )
        )
    only = view.only_classifier
    heads = [f"{100 * share:g} %" for share in _SHARES]
    return Table(
        f"{view.ident}-budget-{metric}",
        f"{metric_title(metric)} that can be had for a share of the price of all "
        "features" + (f", {shorten(only, 60)}" if only else ""),
        (
            Column("Data", "name"),
            *([] if only else [Column("Classifier")]),
            Column("Selector"),
            *(Column(head, "figure") for head in heads),
        ),
        tuple(cells),
    )
