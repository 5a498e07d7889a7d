"""Several draws of one data set as one set of results: each is a repetition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from labelsift.evaluate.failures import NothingMeasured
from labelsift.evaluate.records import ALL_FEATURES, Failure, Method
from labelsift.evaluate.results import Results


def joined(results: Sequence[Results], methods: dict[str, Any]) -> Results:
    """Return the results of several draws of a data set as those of one.

    Parameters
    ----------
    results : sequence of Results
        With the same sizes, one for each draw. Their folds follow one another.
    methods : dict of str to estimator
        The selectors as the plan has them, without the costs of one draw.

    Returns
    -------
    Results
        Of the methods that came through every fold of every draw.

    Raises
    ------
    NothingMeasured
        If there is no such method.
    """
    first = results[0]
    selectors = [s for s in first.selectors if all(s in r.selectors for r in results)]
    classifiers = [
        c for c in first.classifiers if all(c in r.classifiers for r in results)
    ]
    failures: list[Failure] = []
    parts: dict[str, list[Any]] = {"folds": [], "rankings": [], "cells": []}
    warnings: dict[str, int] = {}
    kept = {
        *selectors,
        *([ALL_FEATURES] if all(r.has_baseline for r in results) else []),
    }
    n_repeats = 0
    for one in results:
        start = len(parts["folds"])
        parts["folds"] += [
            replace(f, number=start + f.number, repeat=n_repeats + f.repeat)
            for f in one.folds
        ]
        n_repeats += 1 + max(fold.repeat for fold in one.folds)
        parts["rankings"] += [
            replace(r, fold=start + r.fold) for r in one.rankings if r.selector in kept
        ]
        parts["cells"] += [
            replace(c, fold=start + c.fold)
            for c in one.cells
            if c.selector in kept and c.classifier in classifiers
        ]
        failures += shifted(one.failures, start)
        for text, count in one.warnings.items():
            warnings[text] = warnings.get(text, 0) + count
    if not selectors or not classifiers:
        raise NothingMeasured(
            f"{first.dataset}: no selector and classifier came through every draw; "
            f"first {failures[0].error}",
            tuple(failures),
        )
    return replace(
        first,
        selectors={name: Method.of(methods[name]) for name in selectors},
        classifiers={name: first.classifiers[name] for name in classifiers},
        folds=tuple(parts["folds"]),
        rankings=tuple(parts["rankings"]),
        cells=tuple(parts["cells"]),
        settings={
            **first.settings,
            "n_repeats": n_repeats,
            "draws": len(results),
        },
        warnings=warnings,
        failures=tuple(failures),
    )


def shifted(failures: Sequence[Failure], start: int) -> list[Failure]:
    """Return failures with their folds counted from ``start``."""
    return [replace(failure, fold=start + failure.fold) for failure in failures]
