"""Curves of methods over the number of features, and what their features cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from labelsift.evaluate.results import Results
from labelsift.evaluate.summary import mean_and_sd
from labelsift.score.ranking import rounded

Array = np.ndarray[Any, Any]


def matching(patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the names that one of the patterns fits, in the order of the patterns."""
    found: dict[str, None] = {}
    for pattern in patterns:
        exact = [name for name in names if name == pattern]
        fitting = exact or [n for n in names if fnmatchcase(n, pattern)]
        found |= dict.fromkeys(fitting)
    return list(found)


@dataclass(frozen=True, eq=False)
class Curve:
    """A metric by number of features and fold, larger being better or not."""

    sizes: Array  # (n_sizes,)
    values: Array  # (n_sizes, n_folds)

    @property
    def means(self) -> Array:
        """Mean over the folds, for each size."""
        return np.array([mean_and_sd(row)[0] for row in self.values])

    def best(self, sign: float) -> int:
        """Return the position of the best size; of equal ones the smallest."""
        means = self.means
        merit = rounded(np.where(np.isnan(means), -np.inf, sign * means))
        return int(np.argmax(merit))


def curve(
    results: Results, selector: str, classifiers: Sequence[str], metric: str
) -> Curve:
    """Return the curve of a selector, as a mean over classifiers.

    Only sizes that all of the classifiers were measured at.
    """
    parts = [results.values(selector, c, metric) for c in classifiers]
    if len(parts) == 1:
        return Curve(*parts[0])
    common = parts[0][0]
    for sizes, _ in parts[1:]:
        common = np.intersect1d(common, sizes)
    tables = [values[np.searchsorted(sizes, common)] for sizes, values in parts]
    return Curve(common, np.mean(tables, axis=0))


def kept_costs(
    results: Results, selector: str, sizes: Array, datasets: Mapping[str, Any]
) -> Array | None:
    """Return what the first features cost, as a share of the price of all.

    Parameters
    ----------
    results : Results
        With the rankings.
    selector : str
        Which.
    sizes : ndarray of int64
        Numbers of features.
    datasets : mapping of str to Dataset or LoadedData
        Where the costs are; of several draws each has its own.

    Returns
    -------
    ndarray of shape (n_sizes, n_folds), float64, or None
        None where the data have no test costs.
    """
    found = datasets.get(results.dataset)
    n_draws = int(results.settings.get("draws", 1))
    per_draw = max(1, len(results.folds) // n_draws)
    costs: list[Any] = []
    for number in range(n_draws):
        one: Any = found
        if hasattr(one, "draw"):
            one = one.draw(number)
        costs.append(getattr(one, "test_costs", None))
    if any(each is None for each in costs):
        return None
    shares = []
    for ranking in results.rankings:
        if ranking.selector == selector:
            price = costs[ranking.fold // per_draw]
            total = float(price.sum())
            running = np.cumsum(price[ranking.order]) / (total if total > 0 else 1.0)
            shares.append(running[_places(ranking, sizes)])
    return np.array(shares).T if shares else None


def _places(ranking: Any, sizes: Array) -> Array:
    """Return the positions of the last features kept; by itself a selector has one."""
    ends = sizes if ranking.n_kept is None else [ranking.n_kept]
    return np.asarray(ends, dtype=np.int64) - 1
