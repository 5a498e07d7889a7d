"""Take a comparison along: tables for papers and programs, figures for print."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.method_profile import MethodProfile
from labelsift.read.whole_file import whole_file
from labelsift.report.choice import metric_title
from labelsift.report.comparison_parts import leaders, own_sizes_table
from labelsift.report.comparison_tables import (
    caution_table,
    data_table,
    leaderboard,
    significance_table,
    stability_table,
    time_table,
)
from labelsift.report.file_name import file_name
from labelsift.report.label_section import labels_table
from labelsift.report.plots import (
    critical_difference_diagram,
    path_curves,
    save_plot,
    selection_stability,
    time_against_quality,
)
from labelsift.report.plots.files import detached
from labelsift.report.tables import Cell, Column, Table, to_csv, to_latex, to_markdown

#: Formats by name, with the ending of their files.
FORMATS = {
    "markdown": ".md",
    "latex": ".tex",
    "csv": ".csv",
    "parquet": ".parquet",
    "svg": ".svg",
    "pdf": ".pdf",
}
_TEXTS: dict[str, Callable[[Table], tuple[str, int]]] = {
    "markdown": to_markdown,
    "latex": to_latex,
    "csv": to_csv,
}
_REMEDY = 'Parquet needs pyarrow:  pip install "labelsift[parquet]"'


def leaderboard_table(comparison: Comparison, metric: str | None = None) -> Table:
    """Return the leaderboard, to be written as CSV, LaTeX, Markdown or a data frame.

    Parameters
    ----------
    comparison : Comparison
        From ``run_plan``.
    metric : str, optional
        Key of ``METRICS``; the first of the plan by default.

    Returns
    -------
    Table
        With ``to_latex``, ``to_markdown``, ``to_csv`` and ``to_frame``: every method at
        its best size on each data set, best in bold, signs of significance.

    Examples
    --------
    >>> print(leaderboard_table(comparison).to_csv().splitlines()[0])
    Method,Mean rank,songs,features of songs
    """
    chosen = comparison.plan.metrics[0] if metric is None else metric
    return leaderboard(
        comparison,
        chosen,
        comparison.tests(chosen),
        comparison.tests(chosen, against="all features"),
        f"leaderboard-{chosen}",
        most=None,
    )


def export_comparison(
    comparison: Comparison,
    folder: str | os.PathLike[str],
    *,
    formats: Collection[str] | None = None,
    datasets: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write tables and figures of a comparison as files.

    Parameters
    ----------
    comparison : Comparison
        From ``run_plan``.
    folder : str or path-like
        Where the files go; made if missing. Files of the same names are replaced.
    formats : collection of str, optional
        Of "markdown", "latex", "csv", "parquet" (tables), "svg" and "pdf" (figures);
        all by default, Parquet only where pyarrow is installed.
    datasets : mapping of str to Dataset, optional
        The data by name, for the redundancy of what is kept.

    Returns
    -------
    list of Path
        What was written: ``leaderboard-METRIC``, ``tests-best``, ``tests-all``,
        ``stability``, ``time``, ``profiles``, ``data``, ``cautions`` and
        ``labels-N-DATA`` as tables;
        ``results`` with every measurement, as CSV and Parquet; ``curves-N-DATA``,
        ``critical-difference-METRIC``, ``stability`` and ``time`` as figures.

    Raises
    ------
    ValueError
        If a format is not known.
    ImportError
        If Parquet was asked for and pyarrow is not installed.

    Notes
    -----
    Names from the data do nothing in any of the files: no markup, no formula of a
    spreadsheet, no control character, no path.

    Examples
    --------
    >>> paths = export_comparison(comparison, "paper", formats=["latex"])
    >>> sorted(path.name for path in paths)[0]
    'cautions.tex'
    """
    chosen = _chosen(formats)
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for stem, table in _tables(comparison, datasets):
        for name in chosen:
            path = target / f"{stem}{FORMATS[name]}"
            if name in _TEXTS:
                with whole_file(path) as file:
                    file.write(_TEXTS[name](table)[0])
                written.append(path)
            elif name == "parquet":
                written.append(_write_parquet(table.to_frame("pyarrow"), path))
    if comparison.results and "csv" in chosen:
        written.append(comparison.save(target / "results.csv"))
    if comparison.results and "parquet" in chosen:
        frame = comparison.to_frame("pyarrow")
        written.append(_write_parquet(frame, target / "results.parquet"))
    kinds = [FORMATS[name] for name in chosen if name in ("svg", "pdf")]
    if kinds:
        for stem, draw in _figures(comparison):
            with detached():
                ax = draw()
            written += [save_plot(ax, target / f"{stem}{kind}") for kind in kinds]
    return written


def _chosen(formats: Collection[str] | None) -> list[str]:
    if formats is None:
        return [f for f in FORMATS if f != "parquet" or _has_pyarrow()]
    names = [formats] if isinstance(formats, str) else list(formats)
    for name in names:
        if name not in FORMATS:
            raise ValueError(
                f"formats must be of {', '.join(FORMATS)}; found {name!r}."
            )
    if "parquet" in names and not _has_pyarrow():
        raise ImportError(f"{_REMEDY}.")
    return [name for name in FORMATS if name in names]


def _has_pyarrow() -> bool:
    from importlib.util import find_spec

    return find_spec("pyarrow") is not None


def _tables(
    comparison: Comparison, datasets: Mapping[str, Any] | None
) -> Iterator[tuple[str, Table]]:
    standings = comparison.standings()
    if not standings:
        return
    metric = comparison.plan.metrics[0]
    for each in comparison.plan.metrics:
        yield f"leaderboard-{file_name(each)}", leaderboard_table(comparison, each)
    for stem, against in (("tests-best", "best"), ("tests-all", "all features")):
        tests = comparison.tests(against=against)
        table = significance_table(tests, stem, most=None)
        if table is not None:
            yield stem, table
    profiles = comparison.profiles(datasets)
    yield "stability", stability_table(comparison, profiles, metric, most=None)
    yield "time", time_table(comparison, profiles, metric, most=None)
    own_sizes = own_sizes_table(comparison, most=None)
    if own_sizes is not None:
        yield "own-sizes", own_sizes
    yield "profiles", _profiles_table(profiles)
    yield "data", data_table(comparison)
    yield "cautions", caution_table(comparison, standings[0], str(standings[0].method))
    for i, contest in enumerate(leaders(comparison, standings[0])):
        results = comparison.results[i]
        table = labels_table(results, contest, most=None)
        if table is not None:
            yield f"labels-{i + 1}-{file_name(results.dataset)}", table


def _figures(
    comparison: Comparison,
) -> Iterator[tuple[str, Callable[[], Any]]]:
    metric = comparison.plan.metrics[0]
    for i, results in enumerate(comparison.results):
        yield (
            f"curves-{i + 1}-{file_name(results.dataset)}",
            partial(path_curves, results, metric),
        )
    standings = comparison.standings()
    if not standings:
        return
    if len(standings) > 1 and len(comparison.results) > 1:
        for each in comparison.plan.metrics:
            yield (
                f"critical-difference-{file_name(each)}",
                partial(_diagram, comparison, each),
            )
    yield "stability", partial(selection_stability, comparison)
    yield "time", partial(time_against_quality, comparison)


def _diagram(comparison: Comparison, metric: str) -> Any:
    ax = critical_difference_diagram(comparison, metric)
    ax.set_title(metric_title(metric), loc="left", fontsize="medium")
    return ax


def _profiles_table(profiles: Sequence[MethodProfile]) -> Table:
    """Return every figure of the profiles, a row a method and data set."""
    titles = ("features", "stability", "low", "high", "redundancy", "seconds to select",
              "seconds to learn and predict")  # fmt: skip
    rows = []
    for p in profiles:
        figures = (
            p.n_features, p.stability.value, p.stability.low, p.stability.high,
            p.redundancy, p.seconds_select, p.seconds_learn,
        )  # fmt: skip
        names = (p.dataset, p.method.selector, p.method.classifier)
        rows.append(
            (
                *(Cell(name, is_name=True) for name in names),
                *(Cell(f"{value:.6g}", value) for value in figures),
            )
        )
    columns = (
        *(Column(title, "name") for title in ("data", "selector", "classifier")),
        *(Column(title, "figure") for title in titles),
    )
    return Table("profiles", "What each method keeps, and how long it takes",
                 columns, tuple(rows))  # fmt: skip


def _write_parquet(frame: Any, path: Path) -> Path:
    from pyarrow import parquet

    with whole_file(path, binary=True) as file:
        parquet.write_table(frame, file)
    return path
