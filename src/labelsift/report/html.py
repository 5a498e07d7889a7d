"""Write the report: one HTML file that needs no network and is whole without script."""

from __future__ import annotations

import base64
import hashlib
import os
from dataclasses import replace
from datetime import date as Date
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

import labelsift
from labelsift._words import counted
from labelsift.evaluate.results import Results
from labelsift.read import Dataset
from labelsift.read.whole_file import whole_file
from labelsift.report.again_section import Download, downloads
from labelsift.report.page import Page, build_page
from labelsift.report.svg import clean, shorten
from labelsift.report.tables import data_uri

MOST_BYTES = 480_000
LEAST_ROOM = 16_000
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<path d="M1 2h14L10 8v6H6V8z" fill="#0072b2"/></svg>'
)


def write_report(
    results: Results,
    dataset: Dataset,
    path: str | os.PathLike[str],
    *,
    metric: str | None = None,
    selector: Any = None,
    command: str = "",
    date: str | None = None,
) -> Path:
    """Write what was found as one HTML page for people.

    The page stands alone: no network, no other file. It follows light and dark, prints
    on A4, and gives its tables as CSV, LaTeX and Markdown. Its one script sorts tables
    by a click on a heading; without it everything is there to read. The page's policy
    lets that script run and no other.

    Parameters
    ----------
    results : Results
        What ``cross_validate`` measured, with at least one selector.
    dataset : Dataset
        The data it was measured on.
    path : str or path-like
        The file to write; its folder must exist. It appears only when it is whole.
    metric : str, optional
        The metric that decides; the first of ``results.metrics`` by default.
    selector : fitted selector, optional
        The method that ``results.best(metric)`` names, fitted on all rows: its order
        and scores are shown. Without it the features are ordered by their mean place
        over the folds.
    command : str, default=""
        The command line that made the results, to be shown.
    date : str, optional
        Date in the footer; today by default, empty for none.

    Returns
    -------
    Path
        The path.

    Raises
    ------
    ValueError
        If results and data have other features or labels, the metric was not
        measured, no selector was, or ``selector`` was fitted on other columns.

    Notes
    -----
    Every name from the data is escaped, shortened where long, and set apart from the
    direction of its surroundings. The page stays under 500 KB: of many features,
    labels, methods and sizes the most telling are shown, and the page says so.

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift import Dataset
    >>> X = np.random.default_rng(0).normal(size=(60, 6))
    >>> Y = (X[:, :2] > 0).astype(int)
    >>> data = Dataset(X, Y, list("abcdef"), ["calm", "sad"])
    >>> path = data.save("songs.npz")
    >>> from labelsift.evaluate import cross_validate
    >>> from labelsift.learn import BRkNN
    >>> from labelsift.select import Chi2
    >>> results = cross_validate(Chi2(), BRkNN(5), data, grid=[2, 4], cv=3)
    >>> write_report(results, data, "report.html").name
    'report.html'
    """
    _check(results, dataset, selector)
    if metric is None:
        metric = results.metrics[0]
    elif metric not in results.metrics:
        raise ValueError(
            f"metric={metric!r} was not measured; measured: "
            f"{', '.join(results.metrics)}."
        )
    page = build_page(
        results,
        dataset,
        metric=metric,
        command=command,
        selector=selector,
        date=Date.today().isoformat() if date is None else date,
    )
    return write_page(path, render(page))


def write_page(path: str | os.PathLike[str], text: str) -> Path:
    """Write a page, so that it appears only when it is whole, and return its path."""
    target = Path(path)
    with whole_file(target, binary=True) as file:
        file.write(text.encode("utf-8"))
    return target


def render(page: Page) -> str:
    """Return the page as HTML text."""
    bare, whole = _fill(page, []), page
    while len(bare.encode("utf-8")) > MOST_BYTES - LEAST_ROOM and page.panels[1:]:
        n_kept = len(page.panels) - 1
        what = f"{n_kept} of {len(whole.panels)} metrics are shown"
        lead = f"{whole.curve_lead} To keep the page small {what}."
        page = replace(page, panels=page.panels[:-1], curve_lead=lead)
        bare = _fill(page, [])
    room = MOST_BYTES - len(bare.encode("utf-8"))
    return _fill(page, downloads(page.files, max(room, LEAST_ROOM)))


def _fill(page: Page, files: list[Download]) -> str:
    return fill("report.html.j2", len(page.panels), page=page, downloads=files)


def fill(template: str, n_panels: int, **values: Any) -> str:
    """Return a template filled in, with the style sheet, the script and their hashes.

    Parameters
    ----------
    template : str
        Name of a file in ``templates``.
    n_panels : int
        Panels of which one is shown at a time.
    **values : object
        What the template shows; plain text is escaped.
    """
    style, script = style_sheet(n_panels), _source("sort.js")
    return (
        environment()
        .get_template(template)
        .render(
            style=Markup(style),
            style_hash=_hash(style),
            script=Markup(script),
            script_hash=_hash(script),
            icon=data_uri(ICON, "image/svg+xml"),
            version=labelsift.__version__,
            **values,
        )
    )


def _hash(text: str) -> str:
    """Return what a content security policy calls ``sha256-...``."""
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest())
    return f"sha256-{digest.decode('ascii')}"


def _source(name: str) -> str:
    loader = environment().loader
    assert loader is not None
    return loader.get_source(environment(), name)[0]


@cache
def environment() -> Environment:
    """Return the templates, with every text escaped."""
    templates = Environment(
        loader=PackageLoader("labelsift.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    templates.filters["shorten"] = shorten
    templates.filters["clean"] = clean
    return templates


def style_sheet(n_panels: int) -> str:
    """Return the style sheet, with the rules that show the chosen metric's panel."""
    sheet = _source("report.css")
    chosen = ",\n".join(
        f"  #metric-{i}:checked ~ .panels > #panel-{i}" for i in range(n_panels)
    )
    if not chosen:
        return sheet
    # on paper every panel is shown: nothing can be switched there
    return (
        f"{sheet}@media screen {{\n  .panel {{ display: none; }}\n"
        f"{chosen} {{ display: block; }}\n}}\n"
    )


def _check(results: Results, dataset: Dataset, selector: Any) -> None:
    if not results.selectors:
        raise ValueError("the results hold no selector: there is nothing to report.")
    for kind, found, expected in (
        ("feature", dataset.feature_names, results.feature_names),
        ("label", dataset.label_names, results.label_names),
    ):
        if tuple(found) != tuple(expected):
            raise ValueError(
                f"the results are of {counted(len(expected), kind)}, the data has "
                f"{len(found)} or others: give the dataset that was evaluated."
            )
    n_fitted = getattr(selector, "n_features_in_", dataset.n_features)
    if n_fitted != dataset.n_features:
        raise ValueError(
            f"selector was fitted on {counted(n_fitted, 'feature')}, the data has "
            f"{dataset.n_features}: fit it on all columns of the dataset."
        )
