"""Say in words how the best size does, and what limits trust in the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelsift._words import counted
from labelsift.evaluate.failures import failed_methods
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import ALL_FEATURES

if TYPE_CHECKING:
    from labelsift.evaluate.results import Results


def verdict(results: Results, metric: str) -> str:
    """Return one sentence about the best smaller set against all features."""
    d = results.n_features
    best = results.best(metric)
    start = ""
    if best.n_features == d and _tried_smaller(results):
        start = f"No smaller set that was tried beats all {d}; of those, "
        best = results.best(metric, smaller=True)
    title, n = METRICS[metric].title, best.n_features
    which = f"{counted(n, 'feature')} ({best.selector}, {best.classifier})"
    if not results.has_baseline or n == d:
        return f"{start}{which} did best: {title} {best.text(metric)}."
    found = results.compare_with_all(best.selector, best.classifier, n, metric)
    # a difference in the fourth place must not be printed as -0.000
    digits = 3 if np.nanmax(np.abs([found.mean, found.low, found.high])) >= 0.01 else 4
    figures = f"{title} difference {found.mean:+.{digits}f}"
    if np.isnan(found.low):
        return f"{start}{which} against all {d}: {figures}; too few folds to judge."
    figures += f", {100 * found.confidence:g} % interval "
    figures += f"{found.low:+.{digits}f} to {found.high:+.{digits}f}"
    do, limit = "does" if n == 1 else "do", ""
    words = {
        "better": f"{do} better than",
        "worse": f"{do} worse than",
        "undecided": f"{do} as well as",
    }[found.verdict]
    if found.verdict == "undecided":
        limit = ", as far as these folds can tell"
    return f"{start}{which} {words} all {d}{limit} ({figures})."


def _tried_smaller(results: Results) -> bool:
    return any(
        size < results.n_features
        for selector in results.selectors
        for classifier in results.classifiers
        for size in results.sizes_of(selector, classifier)
    )


def notes(results: Results) -> list[str]:
    """Return what a reader should know before trusting the numbers."""
    return [
        *_about_orders(results),
        *_about_failures(results),
        *_about_own_sizes(results),
        *_about_sizes(results),
        *_about_folds(results),
        *_about_cells(results),
    ]


def _about_orders(results: Results) -> list[str]:
    lines = []
    if results.settings.get("leaky"):
        lines.append(
            "LEAKY: the features were ranked on all rows, test rows included. These "
            "figures are too good and only show what leakage does."
        )
    given = results.settings.get("given_orders", [])
    if given:
        lines.append(
            f"The order of the features was given, not found inside the folds "
            f"({_listed(given)}): if these rows had a part in it, the figures are too "
            "good."
        )
    return lines


def _about_failures(results: Results) -> list[str]:
    lines = failed_methods(results)
    if lines:
        lines.append(
            "What failed in some fold is left out whole, so that all that is compared "
            "was measured on the same folds."
        )
    return lines


def _about_own_sizes(results: Results) -> list[str]:
    text = own_sizes_in_words(results)
    return [text] if text else []


def own_sizes_in_words(results: Results, most: int = 8) -> str:
    """Return how many features selectors keep by themselves; empty if none does."""
    found = []
    for name in results.own_size:
        kept = results.kept_by_itself(name)
        if kept:
            low, high = min(kept), max(kept)
            spread = f"{low}" if low == high else f"{low} to {high}"
            found.append(f"{name} {sum(kept) / len(kept):.1f} ({spread})")
    if not found:
        return ""
    listed = "; ".join(found[:most])
    if len(found) > most:
        listed += f"; and {len(found) - most} more"
    return (
        "Features kept by methods that say themselves how many, mean and range over "
        f"the folds: {listed}."
    )


def _about_sizes(results: Results) -> list[str]:
    if results.n_tried == 1:
        return []
    return [
        "The best size was chosen on the same folds that measured it, so new data will "
        "do a little worse than these figures."
    ]


def _about_folds(results: Results) -> list[str]:
    lines = []
    first = [fold for fold in results.folds if fold.repeat == results.folds[0].repeat]
    tested = sum(fold.n_test for fold in first)
    for count, what in (
        (sum(fold.rows_without_label for fold in first), "no label"),
        (sum(fold.rows_with_all_labels for fold in first), "every label"),
    ):
        if count and any(METRICS[m].needs == "scores" for m in results.metrics):
            lines.append(
                f"{count} of {tested} test rows ({_percent(count, tested)}) carry "
                f"{what}: ranking metrics skip them."
            )
    for attribute, what in (
        ("absent_from_train", "have no positive row in the training part of"),
        ("everywhere_in_train", "are on every row in the training part of"),
        ("absent_from_test", "have no positive row in the test part of"),
    ):
        hit: dict[int, int] = {}
        for fold in results.folds:
            for label in getattr(fold, attribute):
                hit[label] = hit.get(label, 0) + 1
        if hit:
            names = sorted(hit, key=lambda label: (-hit[label], label))
            lines.append(
                f"{len(hit)} of {len(results.label_names)} labels {what} at least one "
                f"of the {counted(len(results.folds), 'fold')}: "
                f"{_listed([results.label_names[i] for i in names])}."
            )
    return lines


def _about_cells(results: Results) -> list[str]:
    lines = []
    tested = sum(fold.n_test for fold in results.folds)
    for row in results.summary().rows:
        if row.n_features == results.n_features and row.selector != ALL_FEATURES:
            if results.has_baseline:
                continue  # the same cells as those of the base line
        cells = results.cells_of(row.selector, row.classifier, row.n_features)
        nothing = sum(cell.rows_without_prediction for cell in cells)
        if nothing:
            which = (
                "all features"
                if row.selector == ALL_FEATURES
                else f"{row.selector}, {counted(row.n_features, 'feature')}"
            )
            lines.append(
                f"{row.classifier} with {which} predicts no label for "
                f"{_percent(nothing, tested)} of the test rows."
            )
    constant = {label for cell in results.cells for label in cell.constant_labels}
    if constant:
        names = [results.label_names[i] for i in sorted(constant)]
        lines.append(
            "Labels on which all training rows of a fold agree were left out of that "
            f"fit, and predicted as that one value: {_listed(names)}."
        )
    for text, count in results.warnings.items():
        often = f", {count} times" if count > 1 else ""
        lines.append(f"Warning{often}: {text}")
    return lines


def _percent(part: int, whole: int) -> str:
    share = 100 * part / whole
    return f"{share:.0f} %" if share >= 1 else f"{share:.1g} %"


def _listed(names: list[str], most: int = 5) -> str:
    shown = ", ".join(f'"{name}"' for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
