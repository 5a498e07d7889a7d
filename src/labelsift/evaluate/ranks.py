"""Compare several methods on several data sets by their ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from scipy import stats

from labelsift._words import counted
from labelsift.score.ranking import rounded

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class RankComparison:
    """Friedman's test, and which methods differ by Nemenyi's.

    Parameters
    ----------
    names : tuple of str
        Methods.
    ranks : ndarray of shape (n_data_sets, n_methods)
        Rank on each data set, 1 = best; ties share the mean of their ranks.
    average_ranks : ndarray of shape (n_methods,)
        Means over the data sets.
    statistic, p_value : float
        Friedman's chi-square, corrected for ties, and its p value: ``n_methods - 1``
        degrees of freedom.
    f_statistic, f_p_value : float
        The less conservative F statistic of Iman and Davenport; infinity and 0 where
        all data sets agree on the order.
    critical_difference : float
        Average ranks that differ by at least this differ significantly.
    alpha : float
        Level of the critical difference.
    p_values : ndarray of shape (n_methods, n_methods)
        Nemenyi's p value of each pair; 1 on the diagonal.

    Examples
    --------
    >>> found = friedman([[3, 2, 1], [3, 1, 2], [3, 2, 1], [2, 3, 1]], ["a", "b", "c"])
    >>> found.average_ranks
    array([1.25, 2.  , 2.75])
    >>> round(found.critical_difference, 3)
    1.657
    """

    names: tuple[str, ...]
    ranks: Array
    average_ranks: Array
    statistic: float
    p_value: float
    f_statistic: float
    f_p_value: float
    critical_difference: float
    alpha: float
    p_values: Array

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """Largest sets of methods that do not differ significantly, best first.

        Only sets of two or more, as joined by a bar in a critical-difference diagram.
        """
        order = np.argsort(self.average_ranks, kind="stable")
        ranks = self.average_ranks[order].tolist()
        return [
            tuple(self.names[i] for i in order[first : last + 1])
            for first, last in close_runs(ranks, self.critical_difference)
        ]

    def diagram(self) -> dict[str, Any]:
        """Return what a critical-difference diagram shows.

        Returns
        -------
        dict
            ``methods``: (name, average rank), best first; ``bars``: (lowest, highest
            average rank, names) of each group of ``groups``; ``critical_difference``,
            ``alpha`` and ``n_data_sets``.
        """
        rank_of = dict(zip(self.names, self.average_ranks.tolist(), strict=True))
        return {
            "methods": sorted(rank_of.items(), key=lambda pair: pair[1]),
            "bars": [
                (rank_of[group[0]], rank_of[group[-1]], group) for group in self.groups
            ],
            "critical_difference": self.critical_difference,
            "alpha": self.alpha,
            "n_data_sets": len(self.ranks),
        }

    def __str__(self) -> str:
        n, k = self.ranks.shape
        lines = [
            f"{k} methods on {n} data sets: Friedman {self.statistic:.3f}, p = "
            f"{self.p_value:.3g}; Iman-Davenport F({k - 1}, {(k - 1) * (n - 1)}) = "
            f"{self.f_statistic:.3f}, p = {self.f_p_value:.3g}; critical difference "
            f"{self.critical_difference:.3f} at {self.alpha:g}"
        ]
        width = max(map(len, self.names))
        for name, rank in self.diagram()["methods"]:
            lines.append(f"  {name:<{width}}  {rank:.3f}")
        return "\n".join(lines)


def average_ranks(
    values: Any, *, greater_is_better: bool = True
) -> tuple[Array, Array]:
    """Return the rank of each method on each data set, and the means.

    Parameters
    ----------
    values : array-like of shape (n_data_sets, n_methods)
        A metric; compared at 12 significant digits, so that rounding noise makes no
        rank.
    greater_is_better : bool, default=True
        Orientation of the metric.

    Returns
    -------
    ranks : ndarray of shape (n_data_sets, n_methods)
        1 = best; ties share the mean of their ranks.
    averages : ndarray of shape (n_methods,)
        Means over the data sets.

    Examples
    --------
    >>> average_ranks([[0.9, 0.8, 0.8], [0.7, 0.9, 0.1]])[1].tolist()
    [1.5, 1.75, 2.75]
    """
    table = _table(values)
    merit = rounded(table if greater_is_better else -table)
    ranks: Array = stats.rankdata(-merit, axis=1)
    return ranks, ranks.mean(axis=0)


def nemenyi_critical_value(n_methods: int, alpha: float = 0.05) -> float:
    """Return q of Nemenyi's test: the studentised range over the root of 2.

    Parameters
    ----------
    n_methods : int
        Methods compared, at least 2.
    alpha : float, default=0.05
        Level, between 0 and 1.

    Examples
    --------
    >>> round(nemenyi_critical_value(4), 3)
    2.569
    """
    if n_methods < 2:
        raise ValueError(f"n_methods must be at least 2; found {n_methods}.")
    _check_alpha(alpha)
    q = stats.studentized_range.ppf(1 - alpha, n_methods, np.inf)
    return float(q) / math.sqrt(2)


def critical_difference(n_methods: int, n_data_sets: int, alpha: float = 0.05) -> float:
    """Return by how much average ranks must differ to differ significantly.

    Parameters
    ----------
    n_methods, n_data_sets : int
        What was compared.
    alpha : float, default=0.05
        Level, between 0 and 1.

    Examples
    --------
    >>> round(critical_difference(4, 10), 3)
    1.483
    """
    if n_data_sets < 1:
        raise ValueError(f"n_data_sets must be at least 1; found {n_data_sets}.")
    error = math.sqrt(n_methods * (n_methods + 1) / (6 * n_data_sets))
    return nemenyi_critical_value(n_methods, alpha) * error


def close_runs(ranks: Sequence[float], difference: float) -> list[tuple[int, int]]:
    """Return the longest runs of methods whose ranks differ by less than a difference.

    Parameters
    ----------
    ranks : sequence of float
        Average ranks, ascending.
    difference : float
        The critical difference; a larger or equal one is significant.

    Returns
    -------
    list of (int, int)
        First and last position of each run of two methods or more; none lies within
        another.

    Examples
    --------
    >>> close_runs([1.0, 1.5, 2.4, 4.0], 1.0)
    [(0, 1), (1, 2)]
    """
    found: list[tuple[int, int]] = []
    end = -1
    for first in range(len(ranks)):
        last = first
        while last + 1 < len(ranks) and ranks[last + 1] - ranks[first] < difference:
            last += 1
        if last > max(first, end):
            found.append((first, last))
            end = last
    return found


def friedman(
    values: Any,
    names: Sequence[str] | None = None,
    *,
    greater_is_better: bool = True,
    alpha: float = 0.05,
) -> RankComparison:
    """Test whether methods differ over data sets, and which pairs do.

    Parameters
    ----------
    values : array-like of shape (n_data_sets, n_methods)
        One figure for each data set and method, such as the mean over folds. Folds of
        one data set are no data sets: they share their rows.
    names : sequence of str, optional
        Methods.
    greater_is_better : bool, default=True
        Orientation of the metric.
    alpha : float, default=0.05
        Level of the critical difference.

    Returns
    -------
    RankComparison
        Ranks, tests and groups.

    Raises
    ------
    ValueError
        With fewer than two data sets or three methods (compare two by
        ``wilcoxon_holm``), or if a value is missing.

    References
    ----------
    .. [1] Demsar. Statistical comparisons of classifiers over multiple data sets. JMLR
       7, 2006, 1-30.
    .. [2] Iman, Davenport. Approximations of the critical region of the Friedman
       statistic. Communications in Statistics A 9(6), 1980, 571-595.

    Examples
    --------
    >>> found = friedman([[3, 2, 1], [3, 2, 1], [2, 3, 1]], ["a", "b", "c"])
    >>> found.average_ranks.round(3).tolist(), round(found.statistic, 3)
    ([1.333, 1.667, 3.0], 4.667)
    """
    ranks, averages = average_ranks(values, greater_is_better=greater_is_better)
    n, k = ranks.shape
    if n < 2 or k < 3:
        raise ValueError(
            f"friedman needs at least 2 data sets and 3 methods; found {n} and {k}. "
            "Two methods are compared by wilcoxon_holm."
        )
    _check_alpha(alpha)
    chosen = tuple(f"method{i}" for i in range(k)) if names is None else tuple(names)
    if len(chosen) != k:
        entries = counted(len(chosen), "entry", "entries")
        raise ValueError(f"names has {entries} for {k} methods.")
    # The variance of the ranks within the data sets is less where there are ties.
    spread = float(((ranks - (k + 1) / 2) ** 2).sum()) / (n * (k - 1))
    between = n * float(((averages - (k + 1) / 2) ** 2).sum())
    statistic = between / spread if spread > 0 else 0.0
    rest = n * (k - 1) - statistic
    if rest <= 1e-9 * n * (k - 1):
        f_statistic, f_p_value = math.inf, 0.0
    else:
        f_statistic = (n - 1) * statistic / rest
        f_p_value = float(stats.f.sf(f_statistic, k - 1, (k - 1) * (n - 1)))
    gaps = np.abs(averages[:, None] - averages) / math.sqrt(k * (k + 1) / (6 * n))
    p_values = stats.studentized_range.sf(gaps * math.sqrt(2), k, np.inf)
    np.fill_diagonal(p_values, 1.0)
    return RankComparison(
        chosen,
        ranks,
        averages,
        statistic,
        float(stats.chi2.sf(statistic, k - 1)),
        f_statistic,
        f_p_value,
        critical_difference(k, n, alpha),
        alpha,
        np.clip(p_values, 0.0, 1.0),
    )


def _table(values: Any) -> Array:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(
            "values must have one row a data set and one column a method; found shape "
            f"{table.shape}."
        )
    if np.isnan(table).any():
        row, column = (int(i) for i in np.argwhere(np.isnan(table))[0])
        raise ValueError(
            f"values is NaN for data set {row}, method {column}: ranks need every "
            "method on every data set. Leave that data set or method out."
        )
    return table


def _check_alpha(alpha: float) -> None:
    if isinstance(alpha, bool) or not isinstance(alpha, Real):
        raise TypeError(f"alpha must lie between 0 and 1; found {alpha!r}.")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1; found {alpha}.")
