"""The page of a selection: which features, how their scores fall, who repeats whom."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from markupsafe import Markup

from labelsift._words import counted
from labelsift.report.feature_section import (
    Floats,
    Kept,
    features_heat_map,
    score_decimals,
    served,
)
from labelsift.report.heat_map import heat_map, share_bar
from labelsift.report.selection_view import View
from labelsift.report.tables import Cell, Column, Table, figure

ALIKE = 0.95
"""From this absolute correlation on, one of two features says little new."""

_MOST_HEAT = 25  # each cell takes 200 bytes or more
_MOST_LABELS = 40
_MOST_MISSING = 20


def features_table(view: View) -> Table:
    """Return the first kept features and the next that are not, with what is known."""
    relevance, labels, _ = view.relevance_shown
    shares = _missing_shares(view)
    n_kept = min(len(view.kept), 40)
    decimals = score_decimals(view.values)
    rows = []
    places = np.empty(view.n_features, dtype=np.int64)
    places[view.order] = np.arange(1, view.n_features + 1)
    for i, column in enumerate(view.shown.tolist()):
        cells = _first_cells(view, int(places[column]), column, decimals)
        if len(view.left_out):
            cells.append(_is_kept(view, column))
        if len(labels):
            names = served(_names(view), relevance[i], labels)
            cells.append(Cell(names=names or ("\u2013",)))
        if view.alike_shown is not None:
            cells += _most_alike(view, i, n_kept)
        if shares is not None:
            cells.append(_percent(float(shares[column])))
        rows.append((*cells, *_price(view, column)))
    columns = _first_columns(view)
    columns += [Column("Kept")] if len(view.left_out) else []
    columns += [Column("Serves most")] if len(labels) else []
    if view.alike_shown is not None:
        columns += [Column("Most alike of the kept"), Column("|r|", "figure")]
    columns += [Column("Missing", "figure")] if shares is not None else []
    columns += [Column("Cost", "figure")] if view.costs is not None else []
    return Table(
        "features-table",
        f"The {counted(len(view.kept), 'feature')} to keep, best first"
        + (", and the next in line" if len(view.left_out) else ""),
        tuple(columns),
        tuple(rows),
        _note(view, n_kept),
        is_sortable=True,
    )


def _first_columns(view: View) -> list[Column]:
    measure = Column(view.measure, "figure")
    return [Column("Place", "figure"), Column("Feature", "name"), measure]


def _first_cells(view: View, place: int, column: int, decimals: int) -> list[Cell]:
    value = float(view.values[column])
    return [
        Cell(str(place), place),
        Cell(view.feature_names[column], is_name=True),
        Cell(figure(value, decimals), value),
    ]


def _is_kept(view: View, column: int) -> Cell:
    return Cell("yes" if view.is_kept[column] else "no")


def _price(view: View, column: int) -> list[Cell]:
    """Return the price of a feature, where prices are known."""
    if view.costs is None:
        return []
    price = float(view.costs[column])
    return [Cell(figure(price, 2), price)]


def _note(view: View, n_kept: int) -> str:
    words = []
    if n_kept < len(view.kept):
        words.append(
            f"The first {n_kept} of {len(view.kept)} kept features; the CSV file under "
            "“Do it again” goes on."
        )
    if view.alike_shown is not None:
        words.append("|r| is the absolute correlation with it over the rows.")
    return " ".join(words)


def _names(view: View) -> Any:
    """Return what has the names and numbers of columns, as a data set has them."""
    return view


def _percent(share: float) -> Cell:
    if not math.isfinite(share):
        return Cell("\u2013", math.nan)
    return Cell(f"{100 * share:.0f}\u00a0%", share)


def _most_alike(view: View, i: int, n_kept: int) -> list[Cell]:
    """Return the kept feature among those shown that is most like one of them."""
    assert view.alike_shown is not None
    strength = view.alike_shown[i, :n_kept].copy()
    if i < n_kept:
        strength[i] = -1.0
    best = int(np.argmax(strength)) if n_kept else 0
    if not n_kept or not strength[best] > 0:
        return [Cell(names=("\u2013",)), Cell("\u2013", math.nan)]
    name = view.feature_names[int(view.shown[best])]
    return [Cell(names=(name,)), Cell(figure(strength[best], 2), float(strength[best]))]


def _missing_shares(view: View) -> Floats | None:
    """Return the share of rows that miss each feature shown; None where none misses."""
    if view.dataset is None:
        return None
    missing = view.missing_share
    if not missing:
        return None
    shares = np.zeros(view.n_features)
    for column in view.shown.tolist():
        shares[column] = missing.get(view.feature_names[column], 0.0)
    return shares


def missing_table(view: View) -> Table | None:
    """Return the features that miss most values; None where none does."""
    if not view.missing_share:
        return None
    kept = {view.feature_names[i] for i in view.kept.tolist()}
    every = list(view.missing_share.items())
    rows = tuple(
        (
            Cell(name, is_name=True),
            Cell(f"{100 * share:.1f}\u00a0%", share, picture=share_bar(share)),
            Cell("yes" if name in kept else "no"),
        )
        for name, share in every[:_MOST_MISSING]
    )
    note = ""
    if len(every) > _MOST_MISSING:
        note = f"The first {_MOST_MISSING} of {len(every)} features with gaps."
    columns = (Column("Feature", "name"), Column("Missing", "figure"), Column("Kept"))
    title = "Features with missing values, most first"
    return Table("missing-table", title, columns, rows, note, is_sortable=True)


def scores_table(view: View) -> Table:
    """Return every feature, best first, for the files to take along."""
    decimals = score_decimals(view.values)
    rows = []
    for place, column in enumerate(view.order.tolist(), 1):
        cells = _first_cells(view, place, column, decimals)
        rows.append((*cells, _is_kept(view, column), *_price(view, column)))
    columns = [*_first_columns(view), Column("Kept")]
    columns += [Column("Cost", "figure")] if view.costs is not None else []
    return Table("scores", "Every feature, best first", tuple(columns), tuple(rows))


def labels_map(view: View) -> tuple[Markup | None, str]:
    """Return the heat map of kept features and labels, and its caption."""
    relevance, labels, measure = view.relevance
    if not len(labels):
        return None, ""
    none = np.full(len(view.kept), np.nan)
    kept = Kept(view.kept, none, none, relevance, labels, measure, True, math.nan)
    return features_heat_map(_names(view), kept)


def labels_table(view: View) -> Table | None:
    """Return each label with the kept feature that serves it best, rarest first."""
    relevance, labels, measure = view.relevance
    if not len(labels) or not np.isfinite(relevance).any():
        return None
    counts = view.label_counts
    ranked = np.arange(len(labels))
    if counts is not None:
        ranked = np.argsort(counts[labels], kind="stable")
    filled = np.where(np.isfinite(relevance), relevance, -np.inf)
    decimals = score_decimals(filled[np.isfinite(filled)])
    rows = []
    for j in ranked[:_MOST_LABELS].tolist():
        best = int(np.argmax(filled[:, j]))
        value = float(filled[best, j])
        column = int(labels[j])
        cells = [Cell(view.label_names[column], is_name=True)]
        if counts is not None:
            assert view.dataset is not None
            n = int(counts[column])
            cells.append(Cell(str(n), n))
            cells.append(_percent(n / max(view.dataset.n_samples, 1)))
        if math.isfinite(value) and value > 0:
            name = view.feature_names[int(view.kept[best])]
            cells += [Cell(names=(name,)), Cell(figure(value, decimals), value)]
        else:
            cells += [Cell(names=("\u2013",)), Cell("\u2013", math.nan)]
        rows.append(tuple(cells))
    columns = [Column("Label", "name")]
    if counts is not None:
        columns += [Column("Rows", "figure"), Column("Share", "figure")]
    columns += [Column("Best kept feature"), Column(measure.capitalize(), "figure")]
    note = ""
    if len(ranked) > _MOST_LABELS:
        first = "rarest" if counts is not None else "first"
        note = f"The {first} {_MOST_LABELS} of {len(ranked)} labels."
    return Table(
        "labels-table",
        "Each label and the kept feature that serves it best",
        tuple(columns),
        tuple(rows),
        note,
        is_sortable=True,
    )


def alike_map(view: View) -> tuple[Markup | None, str]:
    """Return the heat map of how alike the kept features are, and its caption."""
    if view.alike is None:
        return None, ""
    shown = view.kept[:_MOST_HEAT]
    names = [view.feature_names[i] for i in shown.tolist()]
    picture = heat_map(
        "alike-map",
        view.alike[: len(shown), : len(shown)],
        names,
        names,
        "|correlation|",
        kind="feature",
    )
    caption = "The stronger the colour, the more two features say the same."
    if len(shown) < len(view.kept):
        caption += f" Shown: the first {len(shown)} of {len(view.kept)} kept features."
    return picture, caption


def alike_lead(view: View) -> str:
    """Return in words how much the kept features repeat each other."""
    assert view.alike is not None
    m = len(view.alike)
    pairs = view.alike[np.triu_indices(m, 1)]
    who = "Two kept features" if m == len(view.kept) else f"Of the first {m}, two"
    text = f"{who} have an absolute correlation of {figure(float(pairs.mean()), 2)} on "
    text += "average." if m > 2 else "the rows."
    close = int((pairs >= ALIKE).sum())
    if close:
        number = f"{counted(close, 'pair')} {'has' if close == 1 else 'have'}"
        text += (
            f" {number} {ALIKE} or more: of each, one says little that the other does "
            "not."
        )
    else:
        text += f" No pair has {ALIKE} or more."
    if view.dataset is not None and view.dataset.is_nominal[view.kept[:m]].any():
        text += " The values of nominal features are taken by their numbers here."
    return text
