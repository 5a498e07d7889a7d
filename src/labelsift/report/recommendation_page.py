"""The page of a recommendation: the answer, and what it rests on."""

from __future__ import annotations

import os
from datetime import date as Date
from pathlib import Path
from typing import Any

import numpy as np

from labelsift._words import counted
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.recommended_selector import RecommendedSelector
from labelsift.read import Dataset
from labelsift.report import feature_section, label_section, trust_section
from labelsift.report.again_section import argument_lines, checksum, load_line
from labelsift.report.choice import Contest, metric_title
from labelsift.report.html import render, write_page
from labelsift.report.page import Page, facts_of
from labelsift.report.recommendation_evidence import (
    CHOSEN,
    curve_panel,
    kept_of,
    methods_table,
    outer_results,
)
from labelsift.report.recommendation_trust import trust_points
from labelsift.report.svg import clean, isolate, shorten
from labelsift.report.tables import Table, decimals_for, figure


def write_recommendation(
    found: RecommendedSelector,
    dataset: Dataset,
    path: str | os.PathLike[str],
    *,
    command: str = "",
    date: str | None = None,
) -> Path:
    """Write a recommendation as one HTML page for people.

    As :func:`write_report`: the page stands alone, follows light and dark, and gives
    its tables as CSV, LaTeX and Markdown.

    Parameters
    ----------
    found : RecommendedSelector
        Fitted.
    dataset : Dataset
        The data that it was fitted on.
    path : str or path-like
        The file to write; its folder must exist. It appears only when it is whole.
    command : str, default=""
        The command line that made it, to be shown.
    date : str, optional
        Date in the footer; today by default, empty for none.

    Returns
    -------
    Path
        The path.

    Raises
    ------
    ValueError
        If the data have other features or labels than those of the fit.

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift import Dataset
    >>> X = np.random.default_rng(0).normal(size=(60, 6))
    >>> Y = (X[:, :2] > 0).astype(int)
    >>> data = Dataset(X, Y, list("abcdef"), ["calm", "sad"])
    >>> path = data.save("songs.npz")
    >>> from labelsift.evaluate import recommend
    >>> from labelsift.select import Chi2
    >>> found = recommend(data, selectors=Chi2(), cv=3, inner_cv=2)
    >>> write_recommendation(found, data, "why.html").name
    'why.html'
    """
    for kind, names, expected in (
        ("feature", dataset.feature_names, found.feature_names_.tolist()),
        ("label", dataset.label_names, found.label_names_in_.tolist()),
    ):
        if list(names) != list(expected):
            raise ValueError(
                f"the recommendation is of {counted(len(expected), kind)}, the data "
                f"has {len(names)} or others: give the data that it was fitted on."
            )
    page = _page(
        found,
        dataset,
        command,
        Date.today().isoformat() if date is None else date,
    )
    return write_page(path, render(page))


def _page(
    found: RecommendedSelector, dataset: Dataset, command: str, date: str
) -> Page:
    outer = outer_results(found, dataset.name)
    classifier = next(iter(outer.classifiers))
    best = Contest(CHOSEN, classifier, CHOSEN, outer.sizes[0])
    kept = kept_of(found, dataset)
    heat, heat_caption = None, ""
    if (kept.relevance > 0).any():
        heat, heat_caption = feature_section.features_heat_map(dataset, kept)
    points = trust_points(found, outer, best)
    table, methods = methods_table(found), len(found.measured_) > 0
    labels = label_section.labels_table(outer, best)
    files: list[tuple[str, str, Table]] = [
        (
            "Kept features",
            "kept-features",
            feature_section.features_table(dataset, kept, most=None),
        )
    ]
    panels = curve_panel(found)
    files += [("Curve", "curve", panel.table) for panel in panels]
    if table is not None:
        files.append(("Methods", "methods", table))
    if labels is not None:
        whole = label_section.labels_table(outer, best, most=None)
        files.append(("Labels", "labels", whole or labels))
    parts = [("curve", "Curve"), ("features", "Features")]
    parts += [("methods", "Methods")] if methods and table is not None else []
    parts += [("labels", "Labels")] if labels is not None else []
    parts += [("trust", "Trust"), ("again", "Do it again")]
    answer, caveat = _answer(found)
    return Page(
        name=dataset.name,
        answer=answer,
        caveat=caveat or trust_section.caveat(points),
        facts=facts_of(dataset),
        parts=parts,
        curve_lead=_curve_lead(found),
        panels=panels,
        features_lead=_features_lead(found),
        features_table=feature_section.features_table(dataset, kept),
        heat_map=heat,
        heat_caption=heat_caption,
        costs=None,
        methods_lead=_methods_lead(found),
        methods_table=table,
        labels_lead=label_section.labels_lead(outer, best),
        labels_table=labels,
        trust=points,
        command=command,
        python=_python_lines(found, dataset),
        settings=_settings(found, dataset),
        files=files,
        date=date,
    )


def _answer(found: RecommendedSelector) -> tuple[str, str]:
    """Return the verdict, and what follows it; empty where it is one sentence."""
    first, stop, rest = found.reason_.partition(". ")
    return _typographic(f"{first}." if stop else first), _typographic(rest)


def _typographic(text: str) -> str:
    """Return a sentence with true minus signs, and blanks that do not break."""
    for sign in (" -", "+-"):
        text = text.replace(f"{sign}0", f"{sign[:-1]}\u22120")
    return text.replace(" %", "\u00a0%")


def _curve_lead(found: RecommendedSelector) -> str:
    low, high = found.interval_
    title = METRICS[found.metric].title
    places = decimals_for([found.expected_, low, high])
    text = (
        f"A test on {found.promise_.n_new} new rows is expected to show {title} "
        f"{figure(found.expected_, places)}, in {100 * found.promise_.confidence:g} of "
        f"100 cases between {figure(low, places)} and {figure(high, places)}. That "
        "promise comes from rows which had no say in the choice. "
    )
    return text + (
        "The curve below is what the choice was made from: its best point is "
        "therefore a little too good."
    )


def _features_lead(found: RecommendedSelector) -> str:
    if found.method_ is None:
        return "There is one feature, so nothing was ranked."
    method = isolate(shorten(found.method_, 60))
    text = f"Ranked by {method} on all rows."
    if not found.justified_:
        text = (
            f"All features are to be kept; {method}, the best method tried, ranks them."
        )
    value = found.stability_.value
    if np.isfinite(value):
        text += (
            f" Stability of the choice over the outer folds: {figure(value, 2)}, where "
            "1 is the same set each time and 0 what chance gives."
        )
    return text


def _methods_lead(found: RecommendedSelector) -> str:
    text = (
        f"Mean {METRICS[found.metric].title} over the inner folds on all rows, each "
        "method at its best size. The last column counts the outer folds that chose it."
    )
    if found.left_out_:
        listed = "; ".join(isolate(shorten(str(one), 160)) for one in found.left_out_)
        text += f" Left out: {listed}."
    return text


def _python_lines(found: RecommendedSelector, dataset: Dataset) -> str:
    lines = [
        "from labelsift import load_dataset",
        "from labelsift.evaluate import recommend",
        "",
        load_line(dataset),
        "found = recommend(",
        "    data,",
        *_arguments(found),
        ")",
        "reduced = data.take_features(found.get_support(indices=True))",
    ]
    return "\n".join(clean(line) if line else "" for line in lines)


def _arguments(found: RecommendedSelector) -> list[str]:
    lines = []
    defaults = RecommendedSelector().get_params(deep=False)
    hidden = {"costs", "categorical_features", "n_jobs", "progress", "random_state"}
    given = found.get_params(deep=False)
    for name, value in given.items():
        if name in hidden or repr(value) == repr(defaults[name]):
            continue
        if not isinstance(value, str | int | float | list) or len(repr(value)) > 300:
            lines.append(f"    # {name}: as given, see below")
            continue
        lines += argument_lines(name, value)
    return [*lines, f"    random_state={found._seed},"]


def _settings(found: RecommendedSelector, dataset: Dataset) -> list[tuple[str, str]]:
    pairs: list[tuple[str, Any]] = [("Data", dataset.source or dataset.name)]
    if dataset.licence:
        pairs.append(("Licence of the data", dataset.licence))
    pairs.append(("SHA-256 of values and names", checksum(dataset)))
    if found.search_ is not None:
        for name, method in found.search_.selectors.items():
            pairs.append((f"Selector {shorten(name, 60)}", method.text))
        pairs.append(("Sizes tried", ", ".join(map(str, found.search_.sizes))))
        known = found.search_.settings["versions"]
        pairs.append(("Versions", ", ".join(f"{k} {v}" for k, v in known.items())))
    for name, one in found.classifiers_.items():
        pairs.append((f"Classifier {shorten(name, 60)}", " ".join(repr(one).split())))
    pairs += [
        ("Outer folds", found._how),
        ("Inner folds", found.inner_cv),
        ("Rows searched", found.n_searched_),
        ("Deciding metric", metric_title(found.metric)),
        ("Rule for the size", found.rule),
        ("Tolerance", found.tolerance),
        ("Time limit in seconds", found.time_limit),
        ("Seed", found._seed),
    ]
    return [(clean(key), shorten(str(value), 500)) for key, value in pairs]
