"""Parts of the comparison's page that speak of one data set after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from labelsift._words import counted
from labelsift.evaluate.comparison import Comparison, Standing
from labelsift.evaluate.ranks import friedman
from labelsift.report.again_section import checksum
from labelsift.report.choice import Contest, contests, method_name
from labelsift.report.curve_section import Panel, curve_panel
from labelsift.report.label_section import labels_table
from labelsift.report.svg import clean, isolate, shorten
from labelsift.report.tables import Cell, Column, Table, figure
from labelsift.report.trust_section import Point, trust_points

_MOST_PANELS = 8
_MOST_LABELS = 15
_MOST_OWN_SIZES = 100


@dataclass(frozen=True)
class Folded:
    """A table under a summary that opens it."""

    summary: str
    table: Table


def curve_panels(comparison: Comparison, metric: str) -> list[Panel]:
    """Return a panel of curves for each of the first data sets."""
    panels = []
    for i, results in enumerate(comparison.results[:_MOST_PANELS]):
        panel = curve_panel(results, contests(results, metric), metric, i)
        panels.append(replace(panel, title=shorten(results.dataset, 40)))
    return panels


def label_tables(comparison: Comparison, leader: Standing) -> list[Folded]:
    """Return the worst labels of each data set under the leading method."""
    found = []
    for i, contest in enumerate(leaders(comparison, leader)):
        results = comparison.results[i]
        table = labels_table(results, contest, _MOST_LABELS)
        if table is None:
            continue
        note = ""
        if len(results.label_names) > _MOST_LABELS:
            note = f"The worst {_MOST_LABELS} of {len(results.label_names)} labels."
        caption = f"{isolate(shorten(results.dataset, 60))}: {table.caption}"
        kept = replace(table, ident=f"labels-table-{i}", caption=caption, note=note)
        found.append(Folded(shorten(results.dataset, 60), kept))
    return found


def own_sizes_table(
    comparison: Comparison, most: int | None = _MOST_OWN_SIZES
) -> Table | None:
    """Return how many features selectors keep by themselves; None if none does."""
    names = [
        name
        for name in comparison.plan.own_size
        if all(results.kept_by_itself(name) for results in comparison.results)
    ]
    if not names:
        return None
    rows = []
    for name in names[:most]:
        cells = [Cell(shorten(name, 60), is_name=True)]
        for results in comparison.results:
            kept = results.kept_by_itself(name)
            mean = sum(kept) / len(kept)
            low, high = min(kept), max(kept)
            spread = f"{low}" if low == high else f"{low} to {high}"
            cells.append(Cell(f"{figure(mean, 1)} ({spread})", mean))
        rows.append(tuple(cells))
    heads = [
        Column(f"{shorten(results.dataset, 24)} (of {results.n_features})", "figure")
        for results in comparison.results
    ]
    left = len(names) - len(rows)
    return Table(
        "own-sizes-table",
        "Features kept by methods that say themselves how many: mean and range over "
        "the folds",
        (Column("Method", "name"), *heads),
        tuple(rows),
        f"{counted(left, 'more method')} left out here." if left else "",
        is_sortable=True,
    )


def shortened(table: Table, most: int) -> Table:
    """Return the first rows of a table, with a note where there are more."""
    if len(table.rows) <= most:
        return table
    note = f"Of {len(table.rows)} rows the first {most} stand here, for a small page."
    return replace(table, rows=table.rows[:most], note=f"{table.note} {note}".strip())


def leaders(comparison: Comparison, leader: Standing) -> list[Contest]:
    """Return the leading method as a contest on each data set."""
    method = leader.method
    return [
        Contest(
            method.selector,
            method.classifier,
            method_name(results, method.selector, method.classifier),
            size,
        )
        for results, size in zip(comparison.results, leader.sizes, strict=True)
    ]


def cautions(comparison: Comparison, leader: Standing, metric: str) -> list[Point]:
    """Return what speaks against trust on each data set, the heaviest first.

    What failed is told apart from it, and the choice on the same folds once for all.
    """
    found: list[Point] = _shared_rows(comparison)
    for results, contest in zip(
        comparison.results, leaders(comparison, leader), strict=True
    ):
        where = isolate(shorten(results.dataset, 40))
        found += [
            replace(point, title=f"{where}: {point.title}")
            for point in trust_points(results, contest, metric)
            if point.is_caution
            and point.title != "Methods that failed"
            and "chosen on the same folds" not in point.title
        ]
    return sorted(found, key=lambda point: -point.weight)


def _shared_rows(comparison: Comparison) -> list[Point]:
    """Return a point for each group of data sets that seem to have the same rows."""
    groups: dict[Any, list[str]] = {}
    for results in comparison.results:
        key = results.n_samples, results.label_names, results.label_counts
        groups.setdefault(key, []).append(results.dataset)
    return [
        Point(
            f"{listed}: the same rows and labels",
            "what is measured on one of them is nearly told by another, so that ranks "
            "and tests over data sets take them for more than they are. Draws of one "
            "data set are better given as several seeds.",
            55,
        )
        for listed in (
            ", ".join(isolate(shorten(name, 40)) for name in names)
            for names in groups.values()
            if len(names) > 1
        )
    ]


def friedman_words(comparison: Comparison, metric: str) -> str:
    """Return Friedman's test in a sentence, or why there is none."""
    values, _ = comparison.values(metric)
    n, k = values.shape
    if n < 2 or k < 3:
        return ""
    try:
        found = friedman(values)
    except ValueError:
        return "Friedman's test needs a value of every method on every data set."
    differ = "differ" if found.f_p_value < found.alpha else "may be all alike"
    f_value = f"{found.f_statistic:.2f}" if found.f_statistic < 1e6 else "\u221e"
    return (
        f"Friedman: \u03c7\u00b2({k - 1}) = {found.statistic:.2f}, p = "
        f"{found.p_value:.3g}; Iman and Davenport: F({k - 1}, {(k - 1) * (n - 1)}) = "
        f"{f_value}, p = {found.f_p_value:.3g}: the methods {differ}."
    )


def again_settings(
    comparison: Comparison, datasets: Mapping[str, Any] | None
) -> list[tuple[str, str]]:
    """Return seeds, folds, versions, and where each data set is from."""
    settings: dict[str, Any] = comparison.settings()
    versions = settings["versions"]
    seeds = sorted(
        {f.seed for r in comparison.results for f in r.folds if f.seed is not None}
    )
    pairs = [
        ("Seed", str(settings["seed"])),
        ("Folds", settings["folds"]),
        ("Seeds of the shuffles", _listed(seeds) or "none: the splits were given"),
        ("Versions", ", ".join(f"{k} {v}" for k, v in versions.items())),
    ]
    for results in comparison.results:
        dataset = None if datasets is None else datasets.get(results.dataset)
        if dataset is not None:
            source = dataset.source or dataset.name
            treatment = results.settings.get("treatment")
            what = "values and names, first draw" if treatment else "values and names"
            pairs.append(
                (
                    f"Data {shorten(results.dataset, 60)}",
                    f"{shorten(source, 200)}; "
                    f"{f'{treatment}; ' if treatment else ''}"
                    f"SHA-256 of {what} {checksum(dataset)}",
                )
            )
    for kind in ("selectors", "classifiers"):
        known: dict[str, str] = {}
        for results in comparison.results:
            known |= {n: m.text for n, m in getattr(results, kind).items()}
        pairs += [
            (f"{kind[:-1].capitalize()} {shorten(name, 60)}", text)
            for name, text in list(known.items())[:30]
        ]
    return [(clean(key), shorten(text, 500)) for key, text in pairs]


def _listed(values: Sequence[int], most: int = 12) -> str:
    shown = ", ".join(map(str, values[:most]))
    return f"{shown} and {len(values) - most} more" if len(values) > most else shown
