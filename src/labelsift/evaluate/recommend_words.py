"""A recommendation in words: one sentence with the answer, and what it rests on."""

from __future__ import annotations

import math

from labelsift._words import all_of
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.recommend_rule import (
    ALL_BEST,
    FEWER,
    NO_SIGNAL,
    Decision,
    Promise,
)


def reason(
    decision: Decision,
    *,
    metric: str,
    n_kept: int,
    n_features: int,
    expected: Promise,
    everything: float,
    constant: float,
    difference: Promise,
) -> str:
    """Return why to keep these features, or why none can be left out.

    Parameters
    ----------
    decision : Decision
        What the rule says.
    metric : str
        Key of ``METRICS``.
    n_kept, n_features : int
        Features that the search on all rows chose, and all there are.
    expected : Promise
        Of what is recommended.
    everything, constant : float
        Mean of all features and of the best constant answer over the outer folds.
    difference : Promise
        Of "chosen less all features".
    """
    title = METRICS[metric].title
    values = [expected.mean, everything, constant, difference.mean, decision.margin]
    places = decimals(values)

    def shown(value: float, *, signed: bool = False) -> str:
        return figure(value, places, signed=signed)

    apart = (
        f"difference {shown(difference.mean, signed=True)}, "
        f"{100 * difference.confidence:g} % interval "
        f"{shown(difference.low, signed=True)} to "
        f"{shown(difference.high, signed=True)}"
    )
    every = all_of(n_features, "feature")
    if decision.verdict == NO_SIGNAL and decision.is_open:
        folds = decision.gain_of_all.n_folds
        return (
            f"No selection can be justified: {folds} outer fold"
            f"{'s are' if folds != 1 else ' is'} too few to show that the features "
            f"predict the labels. With {every} {title} is {shown(everything)}; the "
            f"best answer that looks at no feature has {shown(constant)}. They may: "
            "give more outer folds, such as cv=10."
        )
    if decision.verdict == NO_SIGNAL:
        return (
            "No selection can be justified: no feature predicts the labels. "
            f"With {every} {title} is {shown(everything)}; the best "
            f"answer that looks at no feature has {shown(constant)}, and neither all "
            "features nor those that selection finds are shown to do better."
        )
    if decision.verdict == ALL_BEST:
        return (
            f"Keep {every}: no smaller set that was tried comes "
            f"close enough to the best ({title} {shown(everything)} with all)."
        )
    if decision.verdict == FEWER:
        how = "as good as"
        if difference.low > 0 or difference.high < 0:
            how = "better than"
            if decision.loss > 0:
                how = f"within the margin of {shown(decision.margin)} of"
        return (
            f"Keep {n_kept} of {n_features} features: {title} {shown(expected.mean)}, "
            f"{how} the {shown(everything)} with all ({apart})."
        )
    if math.isnan(decision.loss):
        return f"Keep {every}: {title} could not be compared."
    if decision.gain.verdict != "better":
        return (
            f"Keep {every}: those that selection finds are not shown "
            f"to be better than an answer that looks at no feature; all are ({title} "
            f"{shown(everything)}, constant answer {shown(constant)})."
        )
    return (
        f"Keep {every}: selection would lose "
        f"{shown(decision.loss)} in {title}, more than the margin of "
        f"{shown(decision.margin)} ({apart})."
    )


def decimals(values: list[float]) -> int:
    """Return how many decimals tell the smallest of some values apart, 3 to 5."""
    sizes = [abs(value) for value in values if math.isfinite(value) and value != 0]
    if not sizes:
        return 3
    return min(max(3, 1 - math.floor(math.log10(min(sizes)))), 5) if min(sizes) else 3


def figure(value: float, places: int, *, signed: bool = False) -> str:
    """Return a number with so many decimals; no sign at zero; "unknown" for NaN."""
    if math.isnan(value):
        return "unknown"
    text = f"{value:{'+' if signed else ''}.{places}f}"
    return text.lstrip("+-") if float(text) == 0 else text
