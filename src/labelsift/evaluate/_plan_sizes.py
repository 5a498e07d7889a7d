"""The sizes of a plan: at how many features its methods are measured."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sklearn.pipeline import Pipeline

from labelsift._words import counted
from labelsift.evaluate._arguments import sizes_from
from labelsift.evaluate._plan_check import Checker, shown
from labelsift.evaluate._plan_places import Path

if TYPE_CHECKING:
    from labelsift.evaluate.plan import Plan

OWN = "own"
"""Of a selector: as many features as it keeps by itself."""

_MOST_STEPS = 10_000
_RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,9})")


def checked_sizes(given: Any, path: Path, check: Checker) -> Any:
    """Return ``"all"``, a list of numbers and fractions of features, or None.

    Parameters
    ----------
    given : object
        ``"all"``, a list of numbers, fractions and percentages, or a table with the
        number of ``steps`` to all features; None for about ten sizes.
    path : tuple of str
        Where it stands.
    check : Checker
        Takes the mistakes.
    """
    if given is None or given == "all":
        return given
    if isinstance(given, dict):
        check.table(given, path, ("steps",))
        steps = check.value(given, (*path, "steps"), "a whole number", None)
        if steps is None or not 1 <= steps <= _MOST_STEPS:
            check.wrong(
                path,
                "sizes as a table has the number of steps, such as { steps = 20 }; "
                f"found {shown(given.get('steps', 'none'))}.",
            )
            return None
        return [step / steps for step in range(1, steps + 1)]
    if not isinstance(given, list) or not given:
        check.wrong(
            path,
            'sizes must be "all", a list of numbers (30), fractions (0.2) or '
            'percentages ("20%") of features, or { steps = 20 }; found '
            f"{shown(given)}.",
        )
        return None
    found: list[float] = []
    for entry in given:
        if isinstance(entry, str) and (ends := _RANGE.fullmatch(entry)):
            low, high = int(ends[1]), int(ends[2])
            if 1 <= low <= high <= _MOST_STEPS:
                found += range(low, high + 1)
                continue
        size = _percentage(entry) if isinstance(entry, str) else entry
        is_number = isinstance(size, int | float) and not isinstance(size, bool)
        if is_number and isinstance(size, int) and size >= 1:
            found.append(size)
        elif is_number and isinstance(size, float) and 0 < size <= 1:
            found.append(size)
        else:
            check.wrong(
                path,
                "sizes holds numbers of features from 1 (30), ranges of them "
                '("1..50"), fractions up to 1 (0.2) or percentages ("20%"); found '
                f"{shown(entry)}.",
            )
    return found


def method_sizes(
    given: Any, made: Mapping[str, Any], path: Path, check: Checker
) -> Any:
    """Return the sizes of one table [selectors.NAME] or [classifiers.NAME].

    Parameters
    ----------
    given : object
        What the table says.
    made : mapping of str to estimator
        What the table makes.
    path : tuple of str
        The table.
    check : Checker
        Takes the mistakes.
    """
    at = (*path, "sizes")
    if path[0] == "classifiers":
        if given == OWN:
            check.wrong(
                at,
                'only a selector has sizes = "own"; a classifier has none of its own.',
            )
            return None
        return checked_sizes(given, at, check)
    if given != OWN:
        check.wrong(
            at,
            'sizes of a selector can be "own", what it keeps by itself; other sizes '
            f"are those of the plan or of a classifier. Found {shown(given)}.",
        )
        return None
    for selector in made.values():
        last = selector[-1] if isinstance(selector, Pipeline) else selector
        if not hasattr(last, "get_support"):
            check.wrong(
                at,
                f"{type(last).__name__} keeps no number of features of its own: it has "
                "no get_support.",
            )
            break
    return OWN


def _percentage(text: str) -> float | None:
    try:
        return float(text.removesuffix("%")) / 100 if text.endswith("%") else None
    except ValueError:
        return None


def fitting_sizes(plan: Plan, d: int) -> tuple[dict[str, tuple[int, ...]], str, str]:
    """Return the sizes that a number of features allows, a note, and a mistake.

    Parameters
    ----------
    plan : Plan
        Names classifiers and sizes.
    d : int
        The number of features. Sizes above are left out, as the note says.
    """
    found: dict[str, tuple[int, ...]] = {}
    too_large: set[int] = set()
    for name in plan.classifiers:
        sizes = plan.sizes_for(name)
        if isinstance(sizes, list):
            whole = {s for s in sizes if isinstance(s, int)}
            if not whole >= set(range(1, d + 1)):  # else every size there is is tried
                too_large |= {s for s in whole if s > d}
            sizes = [s for s in sizes if isinstance(s, float) or s <= d]
            if not sizes:
                return {}, "", f"no size fits its {counted(d, 'feature')}."
        found[name] = sizes_from(sizes, d)
    note = ""
    if too_large:
        above = sorted(too_large)
        listed = ", ".join(map(str, above))
        if len(above) > 10:
            listed = f"{len(above)} sizes, from {above[0]} to {above[-1]}"
        note = (
            f"it has {counted(d, 'feature')}, so that sizes above are left out: "
            f"{listed}."
        )
    return found, note, ""
