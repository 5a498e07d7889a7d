"""What a recommendation rests on, in the forms that the sections of a page take."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np

from labelsift._words import all_of
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.recommended_selector import RecommendedSelector
from labelsift.evaluate.records import ALL_FEATURES, Method
from labelsift.evaluate.results import Results
from labelsift.evaluate.summary import mean_and_sd
from labelsift.read import Dataset
from labelsift.report.choice import (
    Contest,
    contests,
    merit,
    metric_title,
    moments,
)
from labelsift.report.curve_section import Panel, curve_table
from labelsift.report.feature_section import Kept, relevance_of
from labelsift.report.figures import N_COLOURS, NARROW, WIDE, Line, curve
from labelsift.report.svg import isolate, shorten
from labelsift.report.tables import (
    Cell,
    Column,
    Table,
    decimals_for,
    figure,
    seconds,
    with_spread,
)

CHOSEN = "chosen features"


def outer_results(found: RecommendedSelector, name: str) -> Results:
    """Return the outer folds as results with one method, what is recommended.

    Parameters
    ----------
    found : RecommendedSelector
        Fitted.
    name : str
        Of the data.

    Notes
    -----
    The folds may keep different numbers of features; the one of all rows stands for
    them.
    """
    classifier = "the classifier chosen inside"
    if len(found.classifiers_) == 1:
        classifier = next(iter(found.classifiers_))
    size = found.n_features_
    cells = []
    for one in found.measured_:
        kept = one.chosen if found.justified_ else one.everything
        chosen = replace(kept, selector=CHOSEN, classifier=classifier, n_features=size)
        whole = replace(
            one.everything,
            selector=ALL_FEATURES,
            classifier=classifier,
            n_features=found.n_features_in_,
        )
        cells += [chosen, whole]
    method = Method("", "portfolio", {})
    return Results(
        dataset=name,
        n_samples=found.n_searched_,
        feature_names=tuple(found.feature_names_),
        label_names=tuple(found.label_names_in_),
        label_counts=found.label_counts_,
        metrics=tuple(found.measured_[0].chosen.values),
        sizes=(size,),
        selectors={CHOSEN: method},
        classifiers={classifier: method},
        folds=found.folds_,
        rankings=(),
        cells=tuple(cells),
        warnings=found.warnings_,
    )


def kept_of(found: RecommendedSelector, dataset: Dataset) -> Kept:
    """Return the features to keep, best first, with what is known of each."""
    columns = np.asarray(found.order_[: found.n_features_], dtype=np.int64)
    scores = np.full(len(columns), np.nan)
    if found.scores_ is not None:
        scores = np.asarray(found.scores_, dtype=np.float64)[columns]
    serving = relevance_of(found.selector_, dataset, columns)
    shares = np.asarray(found.frequency_, dtype=np.float64)[columns]
    return Kept(columns, scores, shares, *serving, True, math.nan)


def curve_panel(found: RecommendedSelector) -> list[Panel]:
    """Return the curve of the inner folds on all rows; nothing for one feature."""
    if found.search_ is None:
        return []
    results, metric, choice = found.search_, found.metric, found.choice_
    title = metric_title(metric)
    ranked = _ranked(found)
    shown = ranked[:N_COLOURS]
    lines = []
    for colour, contest in enumerate(shown):
        sizes, values = results.values(contest.selector, contest.classifier, metric)
        mean, spread = moments(values)
        chosen = -1
        if colour == 0 and found.justified_:
            chosen = int(np.flatnonzero(sizes == choice.n_features)[0])
        has_band = colour == 0 or len(shown) <= 2
        name = contest.name
        lines.append(Line(name, sizes, mean, spread, colour, chosen, has_band))
    level = max(
        (
            mean_and_sd(results.baseline(name, metric))[0]
            for name in results.classifiers
        ),
        key=lambda value: merit(value, metric),
    )
    wide, narrow = (
        curve(
            "curve-0",
            lines,
            metric=title,
            is_higher_better=METRICS[metric].greater_is_better,
            n_features=results.n_features,
            all_features=level,
            frame=frame,
        )
        for frame in (WIDE, NARROW)
    )
    n_folds = len(results.folds)
    words = [f"Lines: mean over {n_folds} inner folds on all rows."]
    words.append(
        "Band: one standard deviation over the folds, for "
        f"{isolate(shorten(shown[0].name, 40))}."
    )
    words.append(f"Dashed: {all_of(results.n_features, 'feature')}.")
    if lines[0].chosen >= 0:
        words.append(f"Ring: the size that the rule chooses, {choice.n_features}.")
    if len(ranked) > len(shown):
        words.append(f"Drawn: {len(shown)} of {len(ranked)} methods.")
    table = curve_table(results, ranked, metric, 0)
    return [Panel(title, wide, narrow, " ".join(words), table)]


def _ranked(found: RecommendedSelector) -> list[Contest]:
    """Return the methods of the search, the chosen one first, then best first."""
    assert found.search_ is not None
    choice = found.choice_
    every = contests(found.search_, found.metric)
    first = [
        replace(contest, size=choice.n_features)
        for contest in every
        if (contest.selector, contest.classifier)
        == (choice.selector, choice.classifier)
    ]
    rest = [
        contest
        for contest in every
        if (contest.selector, contest.classifier)
        != (choice.selector, choice.classifier)
    ]
    return first + rest


def methods_table(found: RecommendedSelector) -> Table | None:
    """Return every method at its best size, best first; None for one feature."""
    if found.search_ is None:
        return None
    results, metric = found.search_, found.metric
    chosen_by = Counter(
        (one.choice.selector, one.choice.classifier) for one in found.measured_
    )
    several = len(results.classifiers) > 1
    entries = [
        (contest.selector, contest.classifier, contest.size)
        for contest in contests(results, metric)
    ]
    entries += [(ALL_FEATURES, c, results.n_features) for c in results.classifiers]
    pairs = [
        mean_and_sd([cell.values[metric] for cell in results.cells_of(*entry)])
        for entry in entries
    ]
    places = decimals_for([mean for mean, _ in pairs])
    rows = []
    for (selector, classifier, size), (mean, spread) in zip(
        entries, pairs, strict=True
    ):
        times = [r.seconds for r in results.rankings if r.selector == selector]
        rank_time = float(np.mean(times)) if times else math.nan
        votes = chosen_by[selector, classifier]
        cells = [Cell(selector, is_name=True)]
        if several:
            cells.append(Cell(classifier, is_name=True))
        is_best = (selector, classifier, size) == entries[0]
        cells += [
            Cell(str(size), size),
            Cell(with_spread(mean, spread, places), mean, is_best=is_best),
            Cell(seconds(rank_time), rank_time),
            Cell(f"{votes} of {len(found.measured_)}", votes),
        ]
        rows.append(tuple(cells))
    columns = [Column("Method", "name")]
    columns += [Column("Classifier", "text")] if several else []
    columns += [
        Column("Best size", "figure"),
        Column(metric_title(metric), "figure"),
        Column("Time to rank", "figure"),
        Column("Chosen by folds", "figure"),
    ]
    best = figure(pairs[0][0], places)
    return Table(
        "methods-table",
        f"Methods over {len(results.folds)} inner folds, best first ({best})",
        tuple(columns),
        tuple(rows),
    )
