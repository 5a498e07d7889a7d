"""Verdict and "Can I trust it": the answer in words, and what speaks against it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean

from labelsift._words import all_of, counted
from labelsift.evaluate._notes import own_sizes_in_words
from labelsift.evaluate.failures import failed_methods
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.results import Results
from labelsift.evaluate.summary import mean_and_sd
from labelsift.report.choice import Contest, Floats, kept_sets, mean_jaccard
from labelsift.report.svg import isolate, shorten
from labelsift.report.tables import decimals_for, figure
from labelsift.score.ranking import rounded


@dataclass(frozen=True)
class Point:
    """One thing to know before trusting the numbers.

    Parameters
    ----------
    title, text : str
        A few words, then sentences.
    weight : int
        0 says that all is well, from 1 it is a caution; the largest is named in the
        verdict.
    """

    title: str
    text: str
    weight: int = 0

    @property
    def is_caution(self) -> bool:
        """Whether it is marked."""
        return self.weight > 0


def answer(results: Results, best: Contest, metric: str) -> str:
    """Return the verdict: what to keep, how well it does, against all features."""
    title = METRICS[metric].title
    d, n = results.n_features, best.size
    cells = results.cells_of(best.selector, best.classifier, n)
    values = [cell.values[metric] for cell in cells]
    mean = mean_and_sd(values)[0]
    which = f"{isolate(shorten(best.selector, 60))} with {_name(best.classifier)}"
    if math.isnan(mean):
        return f"No verdict: {title} could not be measured in any fold ({which})."
    places = decimals_for([mean])
    reached = f"{title} {figure(mean, places)}"
    if n == d:
        return (
            f"Keep {all_of(d, 'feature')}: no smaller set that was tried does better "
            f"({reached}, {which})."
        )
    keep = f"Keep {n} of {d} features"
    everything = results.baseline(best.classifier, metric)
    if everything is None:
        return f"{keep}: {reached} ({which}; all features were not measured)."
    found = results.compare_with_all(best.selector, best.classifier, n, metric)
    whole = mean_and_sd(everything)[0]
    if math.isnan(found.mean):
        return f"{keep}: {reached} ({which}; with all features it is not defined)."
    if figure(mean, places) != figure(whole, places) and abs(found.mean) < 5e-4:
        places += 1  # 0.193 against 0.194 with a difference of 0.000 puzzles
    reached = f"{title} {figure(mean, places)}"
    difference = figure(found.mean, places, has_sign=True)
    if math.isnan(found.low):
        return (
            f"{keep}: {reached} against {figure(whole, places)} with all "
            f"(difference {difference}; one fold is too few for an interval)."
        )
    how = {
        "better": "better than",
        "worse": "worse than",
        "undecided": "as good as",
    }[found.verdict]
    low, high = (figure(v, places, has_sign=True) for v in (found.low, found.high))
    return (
        f"{keep}: {reached}, {how} the {figure(whole, places)} with all "
        f"(difference {difference}, {100 * found.confidence:g}\u00a0% interval "
        f"{low} to {high})."
    )


def caveat(points: Iterable[Point]) -> str:
    """Return the heaviest caution as the verdict's second sentence."""
    heaviest = max(points, key=lambda point: point.weight)
    if not heaviest.is_caution:
        return "Nothing in the data or the folds speaks against it."
    return f"{heaviest.title}: {heaviest.text}"


def trust_points(results: Results, best: Contest, metric: str) -> list[Point]:
    """Return what to know, in the order of the report."""
    points = [_failed(results), _protocol(results), _own_sizes(results)]
    points += [_choice(results)]
    points += [_not_measured(results, metric)]
    points += [_stability(results, best), _ties(results, best)]
    points += [_skipped_rows(results), _absent_from_train(results)]
    points += [_absent_from_test(results), _nothing_predicted(results, best)]
    points += [_constant_labels(results), *_warnings(results)]
    return [point for point in points if point is not None]


def _failed(results: Results) -> Point | None:
    lines = [isolate(shorten(line, 300)) for line in failed_methods(results)]
    if not lines:
        return None
    listed = "; ".join(lines[:5]) + (
        f"; and {len(lines) - 5} more" if len(lines) > 5 else ""
    )
    return Point(
        "Methods that failed",
        f"{listed}. They are left out of everything here, so that all that is compared "
        "was measured in the same folds.",
        80,
    )


def _protocol(results: Results) -> Point:
    n_folds, n_repeats = len(results.folds), len({f.repeat for f in results.folds})
    n_train = fmean(f.n_train for f in results.folds)
    n_test = fmean(f.n_test for f in results.folds)
    splits = counted(n_folds, "fold")
    if n_repeats > 1:
        splits += f" in {n_repeats} repetitions"
    seeds = sorted({f.seed for f in results.folds if f.seed is not None})
    if seeds:
        shown = ", ".join(map(str, seeds[:5])) + (", …" if len(seeds) > 5 else "")
        seed = f"Shuffled with seed{'s' if len(seeds) > 1 else ''} {shown}."
    else:
        seed = "The splits were given or not shuffled."
    text = (
        f"{splits}, about {n_train:.0f} rows to learn and {n_test:.0f} to test each. "
        "In every fold the features were chosen from its training rows only, so the "
        f"test rows had no say. {seed}"
    )
    if n_folds < 5:
        text += f" With {n_folds} the spread and the interval are rough."
    return Point("How it was measured", text, 60 if n_folds < 3 else 35 * (n_folds < 5))


def _own_sizes(results: Results) -> Point | None:
    text = own_sizes_in_words(results)
    return Point("Sizes of their own", isolate(text)) if text else None


def _choice(results: Results) -> Point | None:
    tried = results.n_tried
    if tried == 1:
        return None
    methods = [(s, c) for s in results.selectors for c in results.classifiers]
    what = "Size and method" if len(methods) > 1 else "Size"
    if all(len(results.sizes_of(*method)) == 1 for method in methods):
        what = "Method"
    return Point(
        f"{what} chosen on the same folds",
        f"the best of {tried} combinations was picked on the very folds that measured "
        "it, so expect a little less on new rows.",
        10,
    )


def _not_measured(results: Results, metric: str) -> Point | None:
    missing: dict[str, int] = {}
    for cell in results.cells:
        for name, value in cell.values.items():
            if math.isnan(value):
                missing[name] = missing.get(name, 0) + 1
    if not missing:
        return None
    which = ", ".join(f"{METRICS[m].title} {count}" for m, count in missing.items())
    return Point(
        "Not measured",
        f"of {len(results.cells)} measurements some are not defined, as no row or "
        f"label counted: {which}. The means leave them out.",
        50 if metric in missing else 8,
    )


def _stability(results: Results, best: Contest) -> Point | None:
    sets = kept_sets(results, best.selector, best.size)
    shared = mean_jaccard(sets)
    if math.isnan(shared) or best.size == results.n_features:
        return None
    always = len(frozenset.intersection(*sets))
    ever = len(frozenset.union(*sets))
    which = f"the first {counted(best.size, 'feature')}"
    if best.selector in results.own_size:
        which = f"the features kept, {best.size} on average"
    text = (
        f"of {which}, {always} are the same in all "
        f"{len(sets)} folds, and {ever} are among them in at least one; two folds "
        f"agree on {100 * shared:.0f}\u00a0% on average."
    )
    if shared < 0.5:
        text += " Other rows would give another set that may do as well."
        return Point("The choice is not stable", text, 40)
    return Point("The choice is stable", text)


def _ties(results: Results, best: Contest) -> Point | None:
    if best.selector in results.own_size:
        return None  # the method's own rule decides where it ends, not the scores
    cut = 0
    ranked = 0
    for ranking in results.rankings:
        if ranking.selector != best.selector or ranking.scores is None:
            continue
        ranked += 1
        if best.size < results.n_features:
            inside, outside = ranking.order[best.size - 1 : best.size + 1]
            pair: Floats = rounded(ranking.scores[[inside, outside]])
            cut += bool(pair[0] == pair[1])
    if not ranked or best.size == results.n_features:
        return None
    if not cut:
        return Point(
            "Ties",
            "no fold had equal scores on both sides of the cut after the last "
            "kept feature.",
        )
    return Point(
        "Ties at the cut",
        f"in {cut} of {ranked} folds the last kept feature has the same score as the "
        "next: which of them stays was decided by column order.",
        20,
    )


def _skipped_rows(results: Results) -> Point:
    first = [f for f in results.folds if f.repeat == results.folds[0].repeat]
    tested = sum(f.n_test for f in first)
    empty = sum(f.rows_without_label for f in first)
    full = sum(f.rows_with_all_labels for f in first)
    if not empty and not full:
        return Point("Rows without labels", "every row has a label and lacks another.")
    parts = []
    if empty:
        parts.append(
            f"{empty} of {tested} rows ({_percent(empty, tested)}) have no label"
        )
    if full:
        parts.append(f"{full} ({_percent(full, tested)}) have every label")
    share = (empty + full) / tested
    return Point(
        "Rows without labels" if empty else "Rows with every label",
        f"{' and '.join(parts)}; metrics of the ranking of labels cannot judge them.",
        30 if share > 0.2 else 15 if share > 0.05 else 0,
    )


def _absent_from_train(results: Results) -> Point | None:
    names = _labels_hit(
        results, lambda f: (*f.absent_from_train, *f.everywhere_in_train)
    )
    if not names:
        return None
    return Point(
        "Labels that could not be learnt",
        f"{len(names)} of {len(results.label_names)} labels are on no or on every "
        f"training row of at least one fold: {_listed(names)}.",
        45,
    )


def _absent_from_test(results: Results) -> Point:
    names = _labels_hit(results, lambda f: f.absent_from_test)
    if not names:
        return Point("Labels in the folds", "every fold tests every label.")
    return Point(
        "Labels absent from folds",
        f"{len(names)} of {len(results.label_names)} labels are on no test row of at "
        f"least one fold, where nothing can be said of them: {_listed(names)}.",
        25,
    )


def _labels_hit(results: Results, of: Callable[..., tuple[int, ...]]) -> list[str]:
    hits: dict[int, int] = {}
    for fold in results.folds:
        for label in of(fold):
            hits[label] = hits.get(label, 0) + 1
    ranked = sorted(hits, key=lambda label: (-hits[label], label))
    return [results.label_names[i] for i in ranked]


def _nothing_predicted(results: Results, best: Contest) -> Point:
    cells = results.cells_of(best.selector, best.classifier, best.size)
    nothing = sum(cell.rows_without_prediction for cell in cells)
    tested = sum(fold.n_test for fold in results.folds)
    labelled = tested - sum(fold.rows_without_label for fold in results.folds)
    if not nothing:
        return Point("Empty predictions", "every test row got at least one label.")
    share = nothing / max(tested, 1)
    usual = 1 - labelled / max(tested, 1)
    truth = "every row has one"
    if labelled < tested:
        truth = f"{_percent(tested - labelled, tested)} have none"
    return Point(
        "Empty predictions",
        f"{_percent(nothing, tested)} of the test rows got no label at all with the "
        f"kept features; in truth {truth}.",
        30 if share > usual + 0.2 else 12 if share > usual + 0.05 else 0,
    )


def _constant_labels(results: Results) -> Point | None:
    constant = sorted(
        {label for cell in results.cells for label in cell.constant_labels}
    )
    if not constant:
        return None
    names = [results.label_names[i] for i in constant]
    return Point(
        "Labels predicted as a constant",
        "in some fold all training rows agree on them, so that one value was "
        f"predicted: {_listed(names)}.",
        22,
    )


def _warnings(results: Results) -> list[Point]:
    return [
        Point(
            f"Warning, {count} times" if count > 1 else "Warning",
            isolate(shorten(text, 300)),
            16,
        )
        for text, count in list(results.warnings.items())[:10]
    ]


def _percent(part: float, whole: float) -> str:
    share = 100 * part / whole if whole else 0.0
    return f"{share:.0f}\u00a0%" if share >= 1 else "under 1\u00a0%"


def _listed(names: list[str], most: int = 5) -> str:
    shown = ", ".join(f"“{_name(name)}”" for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _name(text: str) -> str:
    return isolate(shorten(text, 40))
