"""The page of a selection in words: what is kept and why, what to beware of, how."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift._docstrings import (
    first_sentence,
    parameter_texts,
    plain,
    references,
    sections,
)
from labelsift._words import all_of, counted
from labelsift.report.selection_features import ALIKE
from labelsift.report.selection_view import View
from labelsift.report.svg import clean, isolate, shorten
from labelsift.report.tables import Cell, Column, Table
from labelsift.report.trust_section import Point
from labelsift.select.reduct_words import reduct_words

_MOST_NAMES = 3
_EMPHASIS = re.compile(r"\*(\w[^*]*)\*")


def answer(view: View) -> str:
    """Return what to keep, in one sentence."""
    method = isolate(shorten(view.method, 60))
    d = counted(view.n_features, "feature")
    if not len(view.left_out):
        whole = all_of(view.n_features, "feature")
        return f"{whole[0].upper()}{whole[1:]}, ranked by {method}; none is left out."
    return f"Keep {len(view.kept)} of {d}, ranked by {method}."


def reason(view: View) -> str:
    """Return why so many are kept."""
    selector, k = view.selector, len(view.kept)
    asked = getattr(selector, "n_features_to_select", None)
    if isinstance(asked, float | np.floating):
        share = f"{100 * asked:g}\u00a0% of the features"
        return f"{share} were asked for (n_features_to_select={asked:g})."
    if asked is not None:
        if asked > view.n_features:
            return f"{asked} were asked for; there are no more than these."
        return f"As many as were asked for (n_features_to_select={asked})."
    words = reduct_words(selector)
    if words:
        return "The search ended by its own rule. " + " ".join(map(_sentence, words))
    if not len(view.left_out):
        return "No number was asked for, so that the order alone is the answer."
    budget = getattr(selector, "budget", None)
    if budget is not None:
        return (
            f"What a budget of {budget:g} pays for: {selector.total_cost_:.10g} is "
            "spent."
        )
    threshold = getattr(selector, "threshold_", getattr(selector, "threshold", None))
    if isinstance(threshold, float | int) and math.isfinite(threshold):
        lowest = float(np.min(view.values[view.kept]))
        if lowest < threshold - 1e-9 * max(1.0, abs(threshold)):
            return (
                f"No score reaches the threshold {threshold:.4g}; the best one stays."
            )
        return f"Those that score at least the threshold of {threshold:.4g}."
    return f"The method's own rule keeps {k}."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def points(view: View, *, is_interrupted: bool = False) -> list[Point]:
    """Return what to know before using the selection; weights tell what matters."""
    found = [
        Point(
            "A ranking, not a measurement",
            "it says which features tell most about the labels by this method, not "
            "whether as much can be predicted from them. labelsift recommend "
            "measures that, on rows that had no say in the choice.",
        ),
        Point(
            "All rows chose",
            "to compare classifiers with and without the selection, select anew inside "
            "each fold, by a pipeline or cross_validate: rows that chose the features "
            "judge them too kindly.",
        ),
    ]
    if is_interrupted:
        text = "the features found so far are kept; the search was not at its end."
        found.append(Point("Interrupted", text, 9))
    found += [*_ties(view), *_alike(view), *_columns(view), *_data(view)]
    return found


def caveat(found: Sequence[Point]) -> str:
    """Return the largest caution as sentences, or what is always true."""
    largest = max(found, key=lambda point: point.weight)
    return f"{largest.title}: {largest.text}"


def _ties(view: View) -> list[Point]:
    if not len(view.kept) or not len(view.left_out):
        return []
    if not view.is_ordered_by_value:
        return [
            Point(
                "Ties",
                "the order is not that of one score, so that none shows at the cut. Of "
                "features that the method finds equally good, the one that stands "
                "first in the data comes first.",
            )
        ]
    if not view.has_tie_at_the_cut:
        return []
    value = view.values[view.kept[-1]]
    n = int((view.values == value).sum())
    return [
        Point(
            "A tie at the cut",
            f"{counted(n, 'feature')} score {value:.4g}; of these the ones that stand "
            "first in the data are kept.",
            3,
        )
    ]


def _alike(view: View) -> list[Point]:
    if view.alike is None:
        return []
    m = len(view.alike)
    pairs = np.where(np.tri(m, dtype=bool), -1.0, view.alike)
    close = np.argwhere(pairs >= ALIKE)
    if not len(close):
        return []
    named = [
        f"{_name(view, view.kept[i])} and {_name(view, view.kept[j])}"
        for i, j in close[:_MOST_NAMES].tolist()
    ]
    more = len(close) - len(named)
    listed = "; ".join(named) + (f"; and {more} more" if more else "")
    return [
        Point(
            "Features that repeat each other",
            f"{counted(len(close), 'pair')} of kept features "
            f"{'has' if len(close) == 1 else 'have'} an absolute correlation of "
            f"{ALIKE} or more: {listed}.",
            4,
        )
    ]


def _columns(view: View) -> list[Point]:
    if view.summary is None:
        return []
    found = []
    constant = set(view.summary.constant_features)
    kept = [i for i in view.kept.tolist() if view.feature_names[i] in constant]
    if kept:
        named = ", ".join(_name(view, i) for i in kept[:_MOST_NAMES])
        more = f" and {len(kept) - _MOST_NAMES} more" if len(kept) > _MOST_NAMES else ""
        asked = getattr(view.selector, "n_features_to_select", None)
        why = "which tells nothing" if asked is None else "kept to fill the number"
        text = f"{named}{more}: the same value in every row, {why}."
        found.append(Point("Constant features are kept", text, 5))
    missing = view.missing_share
    if missing:
        worst = [
            f"{isolate(shorten(name, 40))} ({100 * share:.0f}\u00a0%)"
            for name, share in list(missing.items())[:_MOST_NAMES]
        ]
        found.append(
            Point(
                "Missing values",
                f"{view.summary.n_missing} in {counted(len(missing), 'feature')}, most "
                f"in {', '.join(worst)}.",
                2,
            )
        )
    return found


def _data(view: View) -> list[Point]:
    if view.summary is None:
        text = "missing values, how alike the kept features are, figures of the labels"
        if not len(view.relevance[1]) and view.n_labels > 1:
            text += ", and which of them a feature serves"
        text += ". The rows were read in blocks and are not held."
        return [Point("Not shown", text, 1)]
    return [Point("The data", _sentence(clean(note)), 1) for note in view.summary.notes]


def _name(view: View, column: Any) -> str:
    return isolate(shorten(view.feature_names[int(column)], 40))


@dataclass(frozen=True)
class MethodPart:
    """What the method is: a paragraph, its settings, and where it comes from."""

    title: str
    text: str
    table: Table | None
    sources: list[str]


def method_part(view: View) -> MethodPart:
    """Return the section on the method."""
    kind = type(view.selector)
    start = sections(kind)[""]
    texts = parameter_texts(kind)
    signature = inspect.signature(kind).parameters
    rows = []
    for name, value in view.selector.get_params(deep=False).items():
        default = signature[name].default if name in signature else None
        rows.append(
            (
                Cell(name),
                Cell(_shown(value), is_name=True),
                Cell(_shown(default)),
                Cell(first_sentence(texts.get(name, ""))),
            )
        )
    heads = ("Setting", "Value", "Default", "What it is")
    table = Table(
        "method-table",
        f"Settings of {kind.__name__}",
        (Column(heads[0], "name"), *map(Column, heads[1:])),
        tuple(rows),
    )
    return MethodPart(
        f"{kind.__module__.rpartition('.')[0]}.{kind.__name__}",
        _EMPHASIS.sub(r"\1", plain(start.replace("\n\n", " "))),
        table if rows else None,
        references(kind),
    )


def _shown(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, np.ndarray | list | tuple) and np.size(value) > 8:
        return f"{np.size(value)} values, as given"
    return shorten(str(value), 80)
