"""Compare methods two by two over data sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from labelsift._words import counted
from labelsift.score.ranking import rounded

Array = np.ndarray[Any, Any]

_BATCH = 1 << 22  # cells of weights and pairs looked at together


@dataclass(frozen=True)
class PairTest:
    """Wilcoxon's signed-rank test of two methods, corrected for the number of pairs.

    Parameters
    ----------
    first, second : str
        Methods.
    median_difference : float
        Of "first minus second" over the data sets.
    statistic : float
        The smaller of the two rank sums; NaN where all differences are 0.
    p_value, adjusted : float
        Two-sided, of this pair alone and after Holm's correction.

    Examples
    --------
    >>> values = [[8, 7], [9, 7], [7, 6], [8, 6], [9, 8], [7, 5]]
    >>> [pair] = wilcoxon_holm(values, ["a", "b"])
    >>> pair.first, round(pair.median_difference, 2), round(pair.p_value, 3)
    ('a', 1.5, 0.024)
    """

    first: str
    second: str
    median_difference: float
    statistic: float
    p_value: float
    adjusted: float


@dataclass(frozen=True)
class SignedRankPosterior:
    """How probable it is that one method is better, in practice.

    Parameters
    ----------
    first_better, equivalent, second_better : float
        Probabilities, together 1: that the first is better by more than the region of
        practical equivalence, that they are equivalent, that the second is better.
    rope : float
        Half the width of that region.
    n_samples : int
        Draws from the posterior; each probability is off by about
        ``sqrt(p (1 - p) / n_samples)``.

    Examples
    --------
    >>> found = bayesian_signed_rank([8, 9, 7, 8], [7, 7, 6, 6], rope=0.1)
    >>> found.first_better > 0.9 > found.equivalent
    True
    """

    first_better: float
    equivalent: float
    second_better: float
    rope: float
    n_samples: int


def holm(p_values: Any) -> Array:
    """Return p values corrected for their number by Holm's step-down rule.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        From 0 to 1.

    Returns
    -------
    ndarray of shape (n_tests,)
        Never smaller, at most 1, in the order given.

    References
    ----------
    .. [1] Holm. A simple sequentially rejective multiple test procedure. Scandinavian
       Journal of Statistics 6(2), 1979, 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise ValueError("p_values must be a vector of numbers from 0 to 1.")
    order = np.argsort(p, kind="stable")
    stepped = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return adjusted


def wilcoxon_holm(
    values: Any,
    names: Sequence[str] | None = None,
    *,
    control: str | None = None,
) -> list[PairTest]:
    """Test all pairs of methods, or all against one, over data sets.

    Parameters
    ----------
    values : array-like of shape (n_data_sets, n_methods)
        One figure for each data set and method. A data set where either of a pair is
        NaN is left out for that pair.
    names : sequence of str, optional
        Methods.
    control : str, optional
        Only pairs with this method, which comes first.

    Returns
    -------
    list of PairTest
        In the order of the methods.

    Notes
    -----
    Exact p values for up to 50 data sets without equal differences, else the normal
    approximation with correction for ties, as in ``scipy.stats.wilcoxon``; differences
    of 0 are left out, and differences are compared at 12 significant digits.

    References
    ----------
    .. [1] Wilcoxon. Individual comparisons by ranking methods. Biometrics Bulletin
       1(6), 1945, 80-83. doi:10.2307/3001968

    Examples
    --------
    >>> [found] = wilcoxon_holm([[5, 1], [6, 3], [7, 4.5], [9, 8]], ["a", "b"])
    >>> found.statistic, found.p_value
    (0.0, 0.125)
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError(
            "values must have one row a data set and at least two columns, one a "
            f"method; found shape {table.shape}."
        )
    k = table.shape[1]
    chosen = tuple(f"method{i}" for i in range(k)) if names is None else tuple(names)
    if len(chosen) != k:
        entries = counted(len(chosen), "entry", "entries")
        raise ValueError(f"names has {entries} for {k} methods.")
    if control is None:
        pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    elif control in chosen:
        i = chosen.index(control)
        pairs = [(i, j) for j in range(k) if j != i]
    else:
        raise ValueError(
            f"control={control!r} is no method; there are: {', '.join(chosen)}."
        )
    raw = []
    for i, j in pairs:
        gaps = table[:, i] - table[:, j]
        gaps = gaps[~np.isnan(gaps)]
        # Noise of the subtraction makes no difference, and no order of two.
        size = np.maximum(np.abs(table[:, i]), np.abs(table[:, j]))
        size = size[~np.isnan(size)]
        gaps = rounded(np.where(np.abs(gaps) <= 1e-12 * size, 0.0, gaps), digits=10)
        raw.append((gaps, *_wilcoxon(gaps)))
    adjusted = holm([p for _, _, p in raw])
    return [
        PairTest(
            chosen[i],
            chosen[j],
            float(np.median(gaps)) if len(gaps) else math.nan,
            statistic,
            p_value,
            float(corrected),
        )
        for (i, j), (gaps, statistic, p_value), corrected in zip(
            pairs, raw, adjusted, strict=True
        )
    ]


def _wilcoxon(gaps: Array) -> tuple[float, float]:
    left = gaps[gaps != 0]
    if not len(left):
        return math.nan, 1.0
    tied = len(np.unique(np.abs(left))) < len(left)
    method = "exact" if len(left) <= 50 and not tied else "asymptotic"
    found = stats.wilcoxon(left, method=method, correction=False)
    return float(found.statistic), float(found.pvalue)


def bayesian_signed_rank(
    first: Any,
    second: Any,
    *,
    rope: float = 0.01,
    greater_is_better: bool = True,
    prior_strength: float = 0.5,
    n_samples: int = 50_000,
    random_state: int = 0,
) -> SignedRankPosterior:
    """Return how probable it is that a method is better, worse or equivalent.

    A Bayesian twin of Wilcoxon's test: the differences over the data sets, and a prior
    difference of 0, get random weights; each draw asks whether a weighted majority of
    the means of two differences lies above, within or below the region of practical
    equivalence.

    Parameters
    ----------
    first, second : array-like of shape (n_data_sets,)
        A metric of two methods on the same data sets; NaN leaves a data set out.
    rope : float, default=0.01
        Differences of at most this count as none; at least 0.
    greater_is_better : bool, default=True
        Orientation of the metric.
    prior_strength : float, default=0.5
        Weight of the prior difference 0, in data sets; above 0.
    n_samples : int, default=50000
        Draws.
    random_state : int, default=0
        Seed.

    Returns
    -------
    SignedRankPosterior
        Three probabilities.

    References
    ----------
    .. [1] Benavoli, Corani, Demsar, Zaffalon. Time for a change: a tutorial for
       comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 2017,
       1-36.

    Examples
    --------
    >>> found = bayesian_signed_rank([0.8, 0.9, 0.7] * 3, [0.6, 0.6, 0.5] * 3)
    >>> found.first_better > 0.99
    True
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(
            "first and second must be vectors with one value for each data set; found "
            f"shapes {a.shape} and {b.shape}."
        )
    if rope < 0 or prior_strength <= 0 or n_samples < 1:
        raise ValueError(
            "rope must be at least 0, prior_strength above 0 and n_samples at least 1; "
            f"found {rope}, {prior_strength} and {n_samples}."
        )
    gaps = (a - b if greater_is_better else b - a)[~np.isnan(a - b)]
    if not len(gaps):
        raise ValueError("no data set has a value of both methods.")
    gaps = np.append(0.0, gaps)
    pairs = rounded(gaps[:, None] + gaps)  # twice the means of two differences
    above = (pairs > rounded(np.array([2 * rope]))[0]).astype(np.float64)
    below = (pairs < -rounded(np.array([2 * rope]))[0]).astype(np.float64)
    strengths = np.append(prior_strength, np.ones(len(gaps) - 1))
    rng = np.random.default_rng(random_state)
    wins = np.zeros(3)
    step = max(1, _BATCH // len(gaps))
    for start in range(0, n_samples, step):
        count = min(step, n_samples - start)
        weights = rng.dirichlet(strengths, count)
        up = ((weights @ above) * weights).sum(axis=1)
        down = ((weights @ below) * weights).sum(axis=1)
        shares = np.column_stack([up, 1.0 - up - down, down])
        best = shares >= shares.max(axis=1, keepdims=True)
        wins += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    first_wins, neither, second_wins = (wins / n_samples).tolist()
    return SignedRankPosterior(
        first_wins, neither, second_wins, float(rope), int(n_samples)
    )
