"""Leave out what failed, so that everything left was measured in every fold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from labelsift._words import counted
from labelsift.evaluate.records import ALL_FEATURES, Failure

if TYPE_CHECKING:
    from labelsift.evaluate.results import Results


NOT_COMPUTED = "not computed yet"
"""The error of what a store does not hold, where nothing is to be computed."""


class NothingMeasured(RuntimeError):
    """No method came through every fold.

    Attributes
    ----------
    failures : tuple of Failure
        What went wrong, one entry for each error.

    Examples
    --------
    >>> from labelsift.evaluate import cross_validate
    >>> from labelsift.learn import BRkNN
    >>> from labelsift.select import Chi2
    >>> X, Y = [[0.0, float("nan")]] * 9, [[1, 0], [0, 1], [1, 1]] * 3
    >>> cross_validate(Chi2(), BRkNN(2), X, Y, cv=3, on_error="record")
    Traceback (most recent call last):
    labelsift.evaluate.failures.NothingMeasured: data: no selector and classifier ...
    """

    def __init__(self, message: str, failures: tuple[Failure, ...] = ()) -> None:
        super().__init__(message)
        self.failures = failures

    def __reduce__(self) -> tuple[type, tuple[str, tuple[Failure, ...]]]:
        return type(self), (str(self), self.failures)


class WorkerDied(RuntimeError):
    """A worker process died over a task, and again when the task was tried alone.

    Examples
    --------
    >>> raise WorkerDied("ReliefF, fold 3: the process was killed, twice.")
    Traceback (most recent call last):
    labelsift.evaluate.failures.WorkerDied: ReliefF, fold 3: the process was killed...
    """


def without_failed(results: Results) -> Results:
    """Return the results of the methods that came through every fold.

    A selector that failed to rank is left out. A classifier that failed at least once
    with every selector that is left is left out, then each selector with a cell that
    failed; the base line goes where one of its cells failed.

    Parameters
    ----------
    results : Results
        With cells missing where ``failures`` says so.

    Raises
    ------
    NothingMeasured
        If no selector or no classifier is left.
    """
    failures = results.failures
    unranked = {f.selector for f in failures if f.classifier is None}
    selectors = [name for name in results.selectors if name not in unranked]
    failed = {(f.selector, f.classifier) for f in failures}
    classifiers = [
        name
        for name in results.classifiers
        if not selectors or any((s, name) not in failed for s in selectors)
    ]
    selectors = [s for s in selectors if not any((s, c) in failed for c in classifiers)]
    if not selectors or not classifiers:
        first = failures[0]
        raise NothingMeasured(
            f"{results.dataset}: no selector and classifier came through every fold; "
            f"first {what_failed(first)} failed: {first.error}",
            failures,
        )
    kept = set(selectors)
    if not any((ALL_FEATURES, c) in failed for c in classifiers):
        kept.add(ALL_FEATURES)
    return replace(
        results,
        selectors={name: results.selectors[name] for name in selectors},
        classifiers={name: results.classifiers[name] for name in classifiers},
        rankings=tuple(r for r in results.rankings if r.selector in kept),
        cells=tuple(
            cell
            for cell in results.cells
            if cell.selector in kept and cell.classifier in classifiers
        ),
    )


def failed_methods(results: Results) -> list[str]:
    """Return a line for each method that failed: which, in how many folds, and why."""
    cases: dict[tuple[str, str | None], list[Failure]] = {}
    for failure in results.failures:
        cases.setdefault((failure.selector, failure.classifier), []).append(failure)
    lines = []
    for (selector, classifier), found in cases.items():
        name = f"{classifier} with {selector}" if classifier else selector
        folds = f"{len({case.fold for case in found})} of {len(results.folds)} folds"
        errors = [case.error for case in found if case.error != NOT_COMPUTED]
        if errors:
            lines.append(f"{name} failed in {folds}: {errors[0]}")
        else:
            lines.append(f"{name} is {NOT_COMPUTED} in {folds}")
    return lines


def what_failed(failure: Failure) -> str:
    """Return the method of a failure in words."""
    if failure.classifier is None:
        return failure.selector
    count = ""
    if failure.n_features is not None:
        count = f" of {counted(failure.n_features, 'feature')}"
    if failure.selector == ALL_FEATURES:
        return f"{failure.classifier} with {ALL_FEATURES}"
    return f"{failure.classifier} with {failure.selector}{count}"
