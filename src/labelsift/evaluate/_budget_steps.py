"""Single steps by which a plan comes to ask for less, and the words for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from labelsift._words import counted
from labelsift.evaluate.plan import Plan
from labelsift.evaluate.plan_run import LoadedData

SIZES_OF = "sizes of "
CLAIMED = "claimed "
#: Of these steps each counts, of the others the last of its kind.
SINGLE = ("classifier", "data", CLAIMED + "classifier", CLAIMED + "data")

Step = tuple[str, Any]


def applied(
    plan: Plan, loaded: list[LoadedData], step: Step
) -> tuple[Plan, list[LoadedData]]:
    """Return a plan and its data after one step."""
    kind, value = step
    kind = kind.removeprefix(CLAIMED)
    if kind == "repeats":
        return replace(plan, folds=replace(plan.folds, n_repeats=int(value))), loaded
    if kind == "splits":
        return replace(plan, folds=replace(plan.folds, n_splits=int(value))), loaded
    if kind == "sizes":
        return plan, [
            replace(d, sizes={c: thinned(s, int(value)) for c, s in d.sizes.items()})
            for d in loaded
        ]
    if kind.startswith(SIZES_OF):
        name = kind.removeprefix(SIZES_OF)
        return plan, [
            replace(d, sizes={**d.sizes, name: thinned(d.sizes[name], int(value))})
            if name in d.sizes
            else d
            for d in loaded
        ]
    if kind == "draws":
        return plan, [
            replace(d, treatment=d.treatment.first(int(value))) for d in loaded
        ]
    if kind == "selectors":
        some = {k: v for k, v in plan.selectors.items() if k in value}
        own = tuple(name for name in plan.own_size if name in value)
        return replace(plan, selectors=some, own_size=own), loaded
    if kind == "classifier":
        left = {k: v for k, v in plan.classifiers.items() if k != value}
        kept = [
            replace(d, sizes={c: s for c, s in d.sizes.items() if c != value})
            for d in loaded
        ]
        return replace(plan, classifiers=left), kept
    data = {k: v for k, v in plan.data.items() if k != value}
    return replace(plan, data=data), [d for d in loaded if d.name != value]


def thinned(sizes: Sequence[int], most: int) -> tuple[int, ...]:
    """Return at most so many of the sizes, spread evenly, with both ends.

    Examples
    --------
    >>> thinned(range(1, 102), 5)
    (1, 26, 51, 76, 101)
    """
    if len(sizes) <= most:
        return tuple(sizes)
    places = np.linspace(0, len(sizes) - 1, most).round().astype(int)
    return tuple(sizes[i] for i in np.unique(places))


_WORDS: dict[str, Callable[[Any], str]] = {
    "repeats": lambda n: f"{counted(n, 'repetition')} of the folds instead of all",
    "splits": lambda n: f"{n} folds instead of all",
    "draws": lambda n: (
        f"the first {n} of the draws of each data set" if n > 1 else "one draw"
    ),
    "selectors": lambda names: (
        f"of the selectors only the {len(names)} that claims or tables name"
    ),
    "sizes": lambda n: f"at most {n} numbers of features on each data set",
}


def in_words(steps: Sequence[Step]) -> Iterator[str]:
    """Yield what is left out; of several steps of one kind the last says it."""
    last = dict(steps)
    gone = {
        kind: [str(value) for each, value in steps if each == kind] for kind in SINGLE
    }
    without = {*gone["classifier"], *gone[CLAIMED + "classifier"]}
    for kind, value in steps:
        if kind in gone or last[kind] != value:
            continue
        name = kind.removeprefix(SIZES_OF)
        if kind not in _WORDS and name not in without:
            yield f"at most {value} numbers of features with {name}"
        elif kind in _WORDS:
            yield _WORDS[kind](value)
    for kind, names in gone.items():
        if names:
            what = kind.removeprefix(CLAIMED)
            plural = "s" if what == "classifier" and len(names) > 1 else ""
            spoken = ", although claims speak of it" if what != kind else ""
            spoken = spoken.replace("of it", "of them") if len(names) > 1 else spoken
            yield f"without the {what}{plural} {'; '.join(names)}{spoken}"
