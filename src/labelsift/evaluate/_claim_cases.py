"""Find the cases of a claim in a comparison, and decide each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from labelsift.evaluate._claim_search import Search, data_names
from labelsift.evaluate.method_curves import Curve, curve, kept_costs
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.evaluate.summary import mean_and_sd

if TYPE_CHECKING:
    from labelsift.evaluate.claims import Claim, ClaimCase
    from labelsift.evaluate.comparison import Comparison

Array = np.ndarray[Any, Any]


def cases_of(
    comparison: Comparison, claim: Claim, datasets: Mapping[str, Any]
) -> tuple[list[ClaimCase], list[str]]:
    """Return the cases of a claim, and why others could not be asked.

    Parameters
    ----------
    comparison : Comparison
        What was measured.
    claim : Claim
        What is asked.
    datasets : mapping of str to Dataset
        The data by name, as far as they are needed.
    """
    missing: list[str] = []
    whole: list[str] = []
    wanted = data_names(comparison, claim, whole)
    makers: dict[str, Callable[..., Iterator[ClaimCase]]] = {
        "better": _compared,
        "no worse": _compared,
        "equal": _compared,
        "fewer": _fewer,
        "faster": _faster,
        "kept": _kept,
        "cheaper": _cheaper,
        "value": _value,
    }
    cases: list[ClaimCase] = []
    for results in comparison.results:
        if results.dataset not in wanted:
            continue
        search = Search(results, claim, comparison.plan.metrics, missing, datasets)
        cases += makers[claim.test](search)
    if claim.data or not cases:  # else the run itself has said it
        missing = whole + missing
    if claim.mean_of_data and cases:
        cases = list(_mean_over_data(cases, claim))
    return cases, missing


def _compared(search: Search) -> Iterator[ClaimCase]:
    for first, second in search.pairs():
        for name, group, metric, sign in search.where():
            curves = [curve(search.results, s, group, metric) for s in (first, second)]
            if search.claim.price is not None:
                names = (first, second)
                curves = [
                    _affordable(search, s, c)
                    for s, c in zip(names, curves, strict=True)
                ]
                if not all(len(c.sizes) for c in curves):
                    continue
            for size, a, b in _at_sizes(search, curves, sign):
                means = [mean_and_sd(values)[0] for values in (a, b)]
                yield search.case(
                    name,
                    metric,
                    size,
                    first=first,
                    second=second,
                    first_value=means[0],
                    second_value=means[1],
                    held=held(search.claim, sign * (means[0] - means[1])),
                    p_value=search.p_value(a, b),
                )


def held(claim: Claim, gain: float) -> float:
    """Return 1, 0.5 or 0 for a difference in favour of the first method."""
    if math.isnan(gain):
        return 0.0
    noise = 1e-12
    if claim.test == "equal":
        return float(abs(gain) <= claim.within + noise)
    if claim.test == "no worse":
        return float(gain >= -claim.within - noise)
    if gain > noise and gain >= claim.by - noise:
        return 1.0
    return 0.5 if gain > noise else 0.0


def _at_sizes(
    search: Search, curves: Sequence[Curve], sign: float
) -> Iterator[tuple[str, Array, Array]]:
    """Yield values in the folds of both methods, at the sizes of the claim."""
    asked = search.claim.sizes if search.claim.price is None else "best"
    first, second = curves
    if asked == "best":
        places = [c.best(sign) for c in curves]
        a, b = (c.values[i] for c, i in zip(curves, places, strict=True))
        sizes = [str(int(c.sizes[i])) for c, i in zip(curves, places, strict=True)]
        yield " / ".join(dict.fromkeys(sizes)), a, b
        return
    if len(first.sizes) == 1 or len(second.sizes) == 1:
        common = None  # all features, or a choice of its own: one size for all
    else:
        common = np.intersect1d(first.sizes, second.sizes)
    if asked == "mean":
        a, b = (_mean_over(c, common) for c in curves)
        yield "mean", a, b
        return
    several = second.sizes if len(second.sizes) > 1 else first.sizes
    grid: Any = several if common is None else common
    if not isinstance(asked, str):
        grid = [_nearest(grid, size, search.results.n_features) for size in asked]
    for size in dict.fromkeys(int(s) for s in grid):
        yield str(size), _at(first, size), _at(second, size)


def _affordable(search: Search, selector: str, found: Curve) -> Curve:
    """Return the part of a curve that a share of the price of all features buys."""
    share: Array | None = np.ones((1, 1))
    if selector != ALL_FEATURES:
        share = kept_costs(search.results, selector, found.sizes, search.datasets)
    if share is None:
        search.missing.append(f"{search.results.dataset} has no test costs")
        return Curve(found.sizes[:0], found.values[:0])
    assert search.claim.price is not None
    can_pay = share.mean(axis=1) <= search.claim.price + 1e-9
    if not can_pay.any():
        search.missing.append(
            f"{selector} has no size that cheap on {search.results.dataset}"
        )
    return Curve(found.sizes[can_pay], found.values[can_pay])


def _mean_over(found: Curve, sizes: Array | None) -> Array:
    values = found.values
    if sizes is not None:
        values = values[np.searchsorted(found.sizes, sizes)]
    mean: Array = values.mean(axis=0)
    return mean


def _at(found: Curve, size: int) -> Array:
    if len(found.sizes) == 1:
        values: Array = found.values[0]
        return values
    values = found.values[int(np.searchsorted(found.sizes, size))]
    return values


def _nearest(grid: Any, size: float, n_features: int) -> int:
    wanted = size * n_features if size <= 1 and isinstance(size, float) else size
    sizes = np.asarray(grid)
    return int(sizes[np.argmin(np.abs(sizes - wanted))])


def _fewer(search: Search) -> Iterator[ClaimCase]:
    d = search.results.n_features
    for first in search.selectors(search.claim.first):
        for name, group, metric, sign in search.where():
            found = curve(search.results, first, group, metric)
            if search.results.has_baseline:
                whole = curve(search.results, ALL_FEATURES, group, metric).values[0]
            elif found.sizes[-1] == d:
                whole = found.values[-1]
            else:
                search.missing.append(
                    f"all features were not measured on {search.results.dataset}"
                )
                continue
            place = found.best(sign)
            size, best = int(found.sizes[place]), found.values[place]
            means = [mean_and_sd(values)[0] for values in (best, whole)]
            gain = sign * (means[0] - means[1])
            is_small = size < d and size <= _count(search.claim.at_most, d)
            is_good = gain >= search.claim.by - 1e-12 and size < d
            yield search.case(
                name,
                metric,
                f"{size} / {d}",
                first=first,
                second=ALL_FEATURES,
                first_value=means[0],
                second_value=means[1],
                held=1.0 if is_small and is_good else 0.5 * is_good,
                p_value=search.p_value(best, whole),
            )


def _count(bound: float, n_features: int) -> float:
    return bound * n_features if bound <= 1 else bound


def _faster(search: Search) -> Iterator[ClaimCase]:
    seconds = {
        name: np.array(
            [r.seconds for r in search.results.rankings if r.selector == name]
        )
        for name in search.results.selectors
    }
    for first, second in search.pairs():
        if ALL_FEATURES in (first, second):
            continue
        # the first fold may compile: the median does not mind
        a, b = float(np.median(seconds[first])), float(np.median(seconds[second]))
        yield search.case(
            "",
            "seconds to rank",
            "",
            first=first,
            second=second,
            first_value=a,
            second_value=b,
            held=float(a < b),
        )


def _kept(search: Search) -> Iterator[ClaimCase]:
    d = search.results.n_features
    low, high = _count(search.claim.at_least, d), _count(search.claim.at_most, d)
    for name, group, metric, sign in search.where():

        def size_of(
            selector: str, group: list[str] = group, metric: str = metric,
            sign: float = sign,
        ) -> float:  # fmt: skip
            found = curve(search.results, selector, group, metric)
            return float(found.sizes[found.best(sign)])

        if search.claim.second:
            for first, second in search.pairs():
                a, b = size_of(first), size_of(second)
                yield search.case(
                    name, metric, "", first=first, second=second, first_value=a,
                    second_value=b, held=float(a < b),
                )  # fmt: skip
            continue
        for first in search.selectors(search.claim.first):
            a = size_of(first)
            yield search.case(
                name, metric, "", first=first, second="", first_value=a,
                second_value=math.nan, held=float(low <= a <= high),
            )  # fmt: skip


def _cheaper(search: Search) -> Iterator[ClaimCase]:
    """Yield the share of the price of all features that both methods spend."""
    for first, second in search.pairs():
        for name, group, metric, sign in search.where():
            spent = []
            for selector in (first, second):
                found = curve(search.results, selector, group, metric)
                size = found.sizes[[found.best(sign)]]
                share: Array | None = np.ones((1, 1))
                if selector != ALL_FEATURES:
                    share = kept_costs(search.results, selector, size, search.datasets)
                if share is not None:
                    spent.append(100 * float(share.mean()))
            if len(spent) < 2:
                search.missing.append(f"{search.results.dataset} has no test costs")
                return
            yield search.case(
                name,
                metric,
                "",
                first=first,
                second=second,
                first_value=spent[0],
                second_value=spent[1],
                held=float(spent[0] < spent[1]),
            )


def _value(search: Search) -> Iterator[ClaimCase]:
    expected = search.claim.expected
    assert expected is not None
    for first in search.selectors(search.claim.first):
        for name, group, metric, sign in search.where():
            found = curve(search.results, first, group, metric)
            value = float(found.means[found.best(sign)])
            is_near = abs(value - expected) <= search.claim.within + 1e-12
            yield search.case(
                name, metric, "", first=first, second="published", first_value=value,
                second_value=expected, held=float(is_near),
            )  # fmt: skip


def _mean_over_data(cases: Sequence[ClaimCase], claim: Claim) -> Iterator[ClaimCase]:
    """Yield a case for the mean of each group of cases that differ in the data only."""
    from labelsift.evaluate.claims import ClaimCase

    groups: dict[tuple[str, ...], list[ClaimCase]] = {}
    for case in cases:
        key = (case.classifier, case.metric, case.first, case.second)
        groups.setdefault(key, []).append(case)
    for (classifier, metric, first, second), group in groups.items():
        a = float(np.mean([case.first_value for case in group]))
        b = float(np.mean([case.second_value for case in group]))
        is_metric = metric in METRICS and METRICS[metric].greater_is_better
        sign = 1.0 if is_metric else -1.0
        n = len({case.data for case in group})
        yield ClaimCase(
            f"mean of {n}", classifier, metric, "", first, second, a, b,
            held(claim, sign * (a - b)),
        )  # fmt: skip
