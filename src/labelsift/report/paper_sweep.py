"""The table of a paper over the values of a setting, with its figures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from labelsift._words import counted
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.results import Results
from labelsift.report.choice import metric_title
from labelsift.report.figures import N_COLOURS, NARROW, WIDE, Line, curve
from labelsift.report.paper_view import PaperFigure, View, sign_of
from labelsift.report.svg import shorten
from labelsift.report.tables import Cell, Column, Table, decimals_for, figure

_MOST_FIGURES = 24
_KEPT = "features kept"


@dataclass(frozen=True, eq=False)
class _Family:
    """Methods that differ in one setting; ``values`` may be a single NaN."""

    name: str
    values: tuple[float, ...]
    selectors: tuple[str, ...]

    @property
    def is_swept(self) -> bool:
        return not math.isnan(self.values[0])


def over_setting(view: View) -> Iterator[PaperFigure]:
    """Yield features kept, then each metric, over a setting: a figure a data set."""
    setting = view.asked.setting
    swept = [(r, _families(r, view.selectors, setting)) for r in view.results]
    swept = [(r, found) for r, found in swept if any(f.is_swept for f in found)]
    count = left = 0
    for metric in (_KEPT, *view.metrics):
        for results, families in swept:
            groups = view.groups(results)
            if metric == _KEPT:
                groups = [("", [""])] if results.own_size else []
            for name, group in groups:
                if count == _MOST_FIGURES:
                    left += 1
                    continue
                yield _figure(view, results, families, (name, group, metric), count)
                count += 1
    if left:
        words = f"{counted(left, 'more figure')} left out here."
        yield PaperFigure("", None, words, None)


def _families(
    results: Results, selectors: Sequence[str], setting: str
) -> list[_Family]:
    """Return methods by the name before the bracket, those without the setting last."""
    swept: dict[str, list[tuple[float, str]]] = {}
    others = []
    for name in selectors:
        if name == ALL_FEATURES and results.has_baseline:
            others.append(_Family(name, (math.nan,), (name,)))
            continue
        if name not in results.selectors:
            continue
        value = _value_of(results.selectors[name].settings, setting)
        start, bracket, _ = name.partition(f" ({setting} ")
        if value is None or not bracket:
            others.append(_Family(name, (math.nan,), (name,)))
        else:
            swept.setdefault(start, []).append((value, name))
    found = []
    for start, pairs in swept.items():
        values, names = zip(*sorted(pairs), strict=True)
        found.append(_Family(start, values, names))
    return [*found, *others]


def _value_of(settings: dict[str, object], setting: str) -> float | None:
    value = settings.get(setting)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None  # type: ignore[arg-type]


def _figure(
    view: View,
    results: Results,
    families: Sequence[_Family],
    asked: tuple[str, list[str], str],
    count: int,
) -> PaperFigure:
    name, group, metric = asked
    setting, is_kept = view.asked.setting, metric == _KEPT
    means = [
        np.array([_mean(view, results, one, group, metric) for one in family.selectors])
        for family in families
    ]
    ticks = sorted({v for f in families if f.is_swept for v in f.values})
    lines = []
    for colour, (family, mean) in enumerate(zip(families, means, strict=True)):
        if colour == N_COLOURS:
            break
        # what does not have the setting is the same for all of its values
        x = family.values if family.is_swept else (ticks[0], ticks[-1])
        y = mean if family.is_swept else np.repeat(mean, 2)
        nothing = np.zeros(len(x))
        lines.append(Line(family.name, np.array(x), y, nothing, colour, -1, False))
    title = _KEPT.capitalize() if is_kept else metric_title(metric)
    ident = f"{view.ident}-{count}"
    is_higher_better = None if is_kept else METRICS[metric].greater_is_better
    wide, narrow = (
        curve(
            ident,
            lines,
            metric=title,
            is_higher_better=is_higher_better,
            n_features=results.n_features,
            all_features=math.nan,
            frame=frame,
            setting=setting,
        )
        for frame in (WIDE, NARROW)
    )
    where = shorten(results.dataset, 40)
    if not is_kept:
        where += f", {shorten(name, 40)}"
    drawn = " and ".join(f.name for f in families if f.is_swept)
    folds = counted(len(results.folds), "fold")
    words = f"{where}: mean over {folds}. {drawn} over {setting}"
    words += "; level: the others." if len(families) > drawn.count(" and ") + 1 else "."
    return PaperFigure(
        view.asked.title if count == 0 else "",
        (wide, narrow),
        words,
        _table(view, families, means, ticks, metric, f"{title} on {where}", ident),
    )


def _mean(
    view: View, results: Results, selector: str, group: list[str], metric: str
) -> float:
    if metric == _KEPT:
        kept = results.kept_by_itself(selector)
        return sum(kept) / len(kept) if kept else math.nan
    found = view.curve(results, selector, group, metric)
    if found is None:
        return math.nan
    return float(found.means[found.best(sign_of(metric))])


def _table(
    view: View,
    families: Sequence[_Family],
    means: Sequence[np.ndarray[tuple[int], np.dtype[np.float64]]],
    ticks: Sequence[float],
    metric: str,
    caption: str,
    ident: str,
) -> Table:
    """Return a row a value of the setting, and one for what does not have it."""
    everything = [float(v) for mean in means for v in mean]
    places = 1 if metric == _KEPT else decimals_for(everything)
    best = math.nan
    if metric != _KEPT:
        sign = sign_of(metric)
        finite = [sign * v for v in everything if math.isfinite(v)]
        best = sign * max(finite, default=math.nan)
    rows = []
    for tick in [*ticks, math.nan]:
        cells = [Cell("\u2013" if math.isnan(tick) else f"{tick:g}", tick)]
        for family, mean in zip(families, means, strict=True):
            value = math.nan
            if family.is_swept and tick in family.values:
                value = float(mean[family.values.index(tick)])
            elif not family.is_swept and math.isnan(tick):
                value = float(mean[0])
            text = figure(value, places) if math.isfinite(value) else ""
            cells.append(Cell(text, value, is_best=value == best))
        if any(cell.text for cell in cells[1:]):
            rows.append(tuple(cells))
    return Table(
        f"{ident}-table",
        f"{caption}, by {view.asked.setting}",
        (
            Column(view.asked.setting, "size"),
            *(Column(shorten(family.name, 40), "figure") for family in families),
        ),
        tuple(rows),
    )
