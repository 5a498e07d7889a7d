"""The page of a selection: what one method keeps of one data set, and why."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import date as Date
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from labelsift.evaluate.records import Method
from labelsift.report import cost_section, selection_features, selection_words
from labelsift.report.again_section import (
    argument_lines,
    checksum,
    downloads,
    import_line,
    load_line,
    versions,
)
from labelsift.report.html import LEAST_ROOM, MOST_BYTES, fill, write_page
from labelsift.report.page import facts_of
from labelsift.report.selection_curve import Pictures, score_curve
from labelsift.report.selection_view import View, view_of
from labelsift.report.selection_words import MethodPart
from labelsift.report.svg import clean, shorten
from labelsift.report.tables import Table, grouped, seconds
from labelsift.report.trust_section import Point


@dataclass(frozen=True)
class SelectionPage:
    """What the template fills in; texts are plain and escaped there."""

    name: str
    answer: str
    reason: str
    caveat: str
    facts: list[tuple[str, str]]
    parts: list[tuple[str, str]]
    features_table: Table
    curve: Pictures | None
    costs: cost_section.CostCurve | None
    price: str
    labels_map: Markup | None
    labels_caption: str
    labels_table: Table | None
    alike_lead: str
    alike_map: Markup | None
    alike_caption: str
    method: MethodPart
    trust: list[Point]
    missing_table: Table | None
    command: str
    python: str
    settings: list[tuple[str, str]]
    files: list[tuple[str, str, Table]]
    date: str


def write_selection(
    selector: Any,
    data: Any,
    path: str | os.PathLike[str],
    *,
    method: str = "",
    name: str = "",
    command: str = "",
    took: float | None = None,
    is_interrupted: bool = False,
    date: str | None = None,
) -> Path:
    """Write what a fitted selector keeps as one HTML page for people.

    The page stands alone, as that of :func:`labelsift.report.write_report`: what is
    kept and why, the scores, the labels that the features serve, how far they repeat
    each other, costs where they are known, gaps in the data, the method with its
    settings and sources, and how to do it again.

    Parameters
    ----------
    selector : fitted selector
        Any of ``labelsift.select``.
    data : Dataset or RowBlocks
        What it was fitted on. Of rows in blocks the page shows what the selector
        knows, and says what is not shown.
    path : str or path-like
        The file to write; its folder must exist. It appears only when it is whole.
    method, name : str, default=""
        What to call the method and the data; the class and the data's own name
        otherwise.
    command : str, default=""
        The command line that made it, to be shown.
    took : float, optional
        Seconds that the fit took, to be shown.
    is_interrupted : bool, default=False
        Whether the fit was ended before its time.
    date : str, optional
        Date in the footer; today by default, empty for none.

    Returns
    -------
    Path
        The path.

    Raises
    ------
    TypeError
        If ``selector`` is no selector.
    NotFittedError
        If it is not fitted.
    ValueError
        If it was fitted on other features or labels.

    Notes
    -----
    Names are escaped as in the other reports, and the page stays under 500 KB: of many
    features and labels the first are shown, and the page says so. Time O(n k²) for the
    correlations of at most 200 kept features, beyond a reading of the data.

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift import Dataset
    >>> from labelsift.select import Chi2
    >>> X = np.random.default_rng(0).normal(size=(60, 6))
    >>> Y = (X[:, :2] > 0).astype(int)
    >>> data = Dataset(X, Y, list("abcdef"), ["calm", "sad"])
    >>> path = data.save("songs.npz")
    >>> selector = Chi2(2).fit(data.X, data.Y)
    >>> write_selection(selector, data, "kept.html").name
    'kept.html'
    """
    view = view_of(selector, data, method, name)
    page = _page(
        view,
        command=command,
        took=took,
        is_interrupted=is_interrupted,
        date=Date.today().isoformat() if date is None else date,
    )
    return write_page(path, _render(page))


def _render(page: SelectionPage) -> str:
    bare = _fill(page, [])
    if len(bare.encode("utf-8")) > MOST_BYTES - LEAST_ROOM and page.alike_map:
        lead = f"{page.alike_lead} To keep the page small the map is left out."
        page = replace(page, alike_map=None, alike_lead=lead)
        bare = _fill(page, [])
    room = MOST_BYTES - len(bare.encode("utf-8"))
    return _fill(page, downloads(page.files, max(room, LEAST_ROOM)))


def _fill(page: SelectionPage, files: Any) -> str:
    return fill("selection.html.j2", 0, page=page, downloads=files)


def _page(
    view: View, *, command: str, took: float | None, is_interrupted: bool, date: str
) -> SelectionPage:
    found = selection_words.points(view, is_interrupted=is_interrupted)
    labels_map, labels_caption = selection_features.labels_map(view)
    labels_table = selection_features.labels_table(view)
    alike_map, alike_caption = selection_features.alike_map(view)
    files = [("Scores", "scores", selection_features.scores_table(view))]
    if labels_table is not None:
        files.append(("Labels", "labels", labels_table))
    has_alike = view.alike is not None
    parts = [("features", "Features")]
    parts += [("labels", "Labels")] if labels_table is not None else []
    parts += [("alike", "Redundancy")] if has_alike else []
    parts += [("method", "Method"), ("trust", "Before you use it")]
    return SelectionPage(
        name=view.name,
        answer=selection_words.answer(view),
        reason=selection_words.reason(view),
        caveat=selection_words.caveat(found),
        facts=_facts(view, took),
        parts=[*parts, ("again", "Do it again")],
        features_table=selection_features.features_table(view),
        curve=score_curve(view),
        costs=cost_section.cost_curve(view.selector),
        price=_price(view),
        labels_map=labels_map,
        labels_caption=labels_caption,
        labels_table=labels_table,
        alike_lead=selection_features.alike_lead(view) if has_alike else "",
        alike_map=alike_map,
        alike_caption=alike_caption,
        method=selection_words.method_part(view),
        trust=found,
        missing_table=selection_features.missing_table(view),
        command=command,
        python=_python_lines(view),
        settings=_settings(view),
        files=files,
        date=date,
    )


def _facts(view: View, took: float | None) -> list[tuple[str, str]]:
    if view.dataset is not None:
        facts = facts_of(view.dataset)
    else:
        facts = [
            ("Features", grouped(view.n_features)),
            ("Labels", grouped(view.n_labels)),
        ]
    facts.append(("Kept", grouped(len(view.kept))))
    return facts if took is None else [*facts, ("Time to select", seconds(took))]


def _price(view: View) -> str:
    """Return what the kept features cost, where it is known."""
    spent = getattr(view.selector, "total_cost_", None)
    if spent is not None and getattr(view.selector, "costs", None) is not None:
        share = 100 * view.selector.cost_share_
        return (
            f"The kept features cost {spent:.10g}, {share:.0f}\u00a0% of what all "
            "features cost."
        )
    if view.costs is None:
        return ""
    total, part = float(view.costs.sum()), float(view.costs[view.kept].sum())
    return (
        f"The kept features cost {part:.10g} of {total:.10g} in all; this method takes "
        "no notice of costs."
    )


def _python_lines(view: View) -> str:
    kind = Method.of(view.selector)
    lines = {import_line(kind.estimator)}
    dataset = view.dataset
    if dataset is None:
        if view.loaded:
            lines.add("from labelsift.read import read_blocks")
        start = [f"data = {view.loaded or '...  # the blocks that were given'}"]
        fit = "selector.fit_blocks(data)"
        last = "kept = selector.get_support(indices=True)"
    else:
        start = [load_line(dataset)]
        lines.add("from labelsift import load_dataset")
        fit = "selector.fit(data.X, data.Y)"
        last = "kept = data.take_features(selector.get_support(indices=True))"
    lines |= {import_line(part) for part in kind.parts}
    text = [*sorted(lines), "", *start, *_made(view), fit, last]
    return "\n".join(clean(line) if line else "" for line in text)


def _made(view: View) -> list[str]:
    """Return the lines that make the selector, with what is not by default."""
    selector = view.selector
    kind = type(selector).__name__
    usual = type(selector)().get_params(deep=False)
    arguments = []
    for name, value in selector.get_params(deep=False).items():
        if repr(value) == repr(usual[name]):
            continue
        own = _of_data(view, name, value)
        text = " ".join(repr(value).split())
        if own:
            arguments.append(f"    {name}={own},")
        elif len(text) > 300 or "array(" in text:
            arguments.append(f"    # {name}: as given")
        else:
            arguments += argument_lines(name, value)
    if not arguments:
        return [f"selector = {kind}()"]
    return [f"selector = {kind}(", *arguments, ")"]


def _of_data(view: View, name: str, value: Any) -> str:
    """Return where a setting is taken from, if it is what the data say."""
    if view.dataset is None:
        return ""
    known = {
        "costs": (view.dataset.test_costs, "data.test_costs"),
        "categorical_features": (view.dataset.is_nominal, "data.is_nominal"),
    }
    own, text = known.get(name, (None, ""))
    if own is None or np.shape(value) != np.shape(own):
        return ""
    return text if np.array_equal(np.asarray(value), own) else ""


def _settings(view: View) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = [("Data", view.name)]
    if view.dataset is not None:
        pairs = [("Data", view.dataset.source or view.name)]
        if view.dataset.licence:
            pairs.append(("Licence of the data", view.dataset.licence))
        pairs.append(("SHA-256 of values and names", checksum(view.dataset)))
    used = ", ".join(f"{key} {value}" for key, value in versions().items())
    pairs.append(("Versions", used))
    return [(clean(key), shorten(text, 500)) for key, text in pairs]
