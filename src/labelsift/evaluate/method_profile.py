"""What a method chose, fold by fold, and what it cost in time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelsift.evaluate.stability import Stability, nogueira, redundancies
from labelsift.evaluate.summary import mean_and_sd

if TYPE_CHECKING:
    from labelsift.evaluate.comparison import Comparison, Method
    from labelsift.evaluate.results import Results


@dataclass(frozen=True)
class MethodProfile:
    """How stable, redundant and slow a method is on one data set.

    Parameters
    ----------
    dataset : str
        Name of the data set.
    method : Method
        Which.
    n_features : int
        Its best size, of which the rest speaks.
    stability : Stability
        Nogueira's measure of the sets that the folds keep, with its interval.
    redundancy : float
        Mean absolute correlation between the features that a fold keeps, as a mean over
        the folds; NaN where the data were not given or a fold keeps fewer than two.
    seconds_select, seconds_learn : float
        Mean time of a fold to rank the features; to learn and predict at this size.

    Examples
    --------
    >>> profile = comparison.profiles()[0]  # made by ``run_plan``
    >>> profile.dataset, profile.n_features
    ('songs', 2)
    >>> profile.stability.n_selections
    3
    """

    dataset: str
    method: Method
    n_features: int
    stability: Stability
    redundancy: float
    seconds_select: float
    seconds_learn: float


def profiles(
    comparison: Comparison, metric: str, datasets: Mapping[str, Any] | None
) -> list[MethodProfile]:
    """Return the profiles of :meth:`Comparison.profiles`."""
    standings = comparison.standings(metric)
    found = []
    for i, results in enumerate(comparison.results):
        kept = [
            _kept(results, standing.method.selector, standing.sizes[i])
            for standing in standings
        ]
        table = None if datasets is None else datasets.get(results.dataset)
        repeated = _redundancy(table, kept)
        for standing, sets, shared in zip(standings, kept, repeated, strict=True):
            method, size = standing.method, standing.sizes[i]
            cells = results.cells_of(method.selector, method.classifier, size)
            ranked = [
                r.seconds for r in results.rankings if r.selector == method.selector
            ]
            learn = [cell.seconds_fit + cell.seconds_predict for cell in cells]
            found.append(
                MethodProfile(
                    results.dataset,
                    method,
                    size,
                    nogueira(sets, results.n_features),
                    shared,
                    mean_and_sd(ranked)[0],
                    mean_and_sd(learn)[0],
                )
            )
    return found


def _kept(results: Results, selector: str, size: int) -> list[Any]:
    return [r.kept(size) for r in results.rankings if r.selector == selector]


def _redundancy(dataset: Any, kept: list[list[Any]]) -> list[float]:
    if dataset is None:
        return [math.nan] * len(kept)
    flat = redundancies(dataset.X, [columns for sets in kept for columns in sets])
    ends = np.cumsum([len(sets) for sets in kept])[:-1]
    return [mean_and_sd(values)[0] for values in np.split(flat, ends)]
