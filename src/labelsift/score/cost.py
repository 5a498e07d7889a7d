"""Relevance against test cost: scores, threshold, made-up costs. Pure functions."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

Vector = np.ndarray[Any, np.dtype[np.float64]]
_DEAREST = 1e15  # whole numbers up to here are exact
DISTRIBUTIONS = ("uniform", "normal", "pareto")
FLAT = 1e-12  # stands for a spread of 0 where information is the same for all labels


def standardized_relevance(nig: Vector, standardize: str = "features") -> Vector:
    """Return the summed information of each feature on a common scale.

    Parameters
    ----------
    nig : ndarray of shape (n_features, n_labels), float64
        Normalised gain of each feature with each label, from 0 to 1/2.
    standardize : {"features", "labels"}
        - ``features``: ``(s - mean) / std`` with s the sum over labels and mean and
          standard deviation taken over the features; 0 where all are alike;
        - ``labels``: the printed formula, in which mean and deviation are those of the
          feature's own values over the labels, ``(k - 1) mean / std``. A feature
          without information gets ``-inf``; one that tells all labels equally well
          divides by 1e-12. With one label it is ``features``.

    Returns
    -------
    ndarray of shape (n_features,), float64
    """
    k = nig.shape[1]
    if standardize == "labels" and k > 1:
        mean = nig.mean(axis=1)
        spread = nig.std(axis=1)
        spread = np.where(spread <= FLAT * np.maximum(mean, FLAT), FLAT, spread)
        scaled = (k - 1) * mean / spread
        return np.where(mean > 0, scaled, -np.inf)
    total = nig.sum(axis=1)
    return z_scores(total)


def z_scores(values: Vector) -> Vector:
    """Return ``(x - mean) / std``, or zeros where all values are alike."""
    spread = values.std()
    if spread <= 1e-12 * np.abs(values).max():
        return np.zeros(len(values))
    return np.asarray((values - values.mean()) / spread)


def normalized_costs(costs: Vector) -> Vector:
    """Return costs scaled to 0 .. 1, or zeros where all are equal."""
    low, high = costs.min(), costs.max()
    if high <= low:
        return np.zeros(len(costs))
    return np.asarray((costs - low) / (high - low))


def cost_threshold(
    scores: Vector, costs: Vector, *, bars: str = "mean_abs", cost: str = "normalized"
) -> float:
    """Return the score from which on features are kept.

    Parameters
    ----------
    scores : ndarray of shape (n_features,), float64
        Relevance less cost; features of ``-inf`` do not count.
    costs : ndarray of shape (n_features,), float64
        What each feature costs.
    bars : {"mean_abs", "abs_of_mean", "signed"}
        What the bars around the mean mean: ``mean |s|``, ``|mean s|`` or ``mean s``.
    cost : {"normalized", "raw"}
        Of which costs the standard deviation is taken off.

    Returns
    -------
    float
        ``-inf`` where no score is finite.
    """
    finite = scores[np.isfinite(scores)]
    if not len(finite):
        return -np.inf
    level = {
        "mean_abs": lambda: np.abs(finite).mean(),
        "abs_of_mean": lambda: abs(finite.mean()),
        "signed": lambda: finite.mean(),
    }[bars]()
    spread = (normalized_costs(costs) if cost == "normalized" else costs).std()
    return float(level - spread)


def generate_test_costs(
    n_features: int,
    distribution: str = "uniform",
    *,
    low: float = 1,
    high: float = 100,
    random_state: Any = None,
) -> Vector:
    """Draw whole-number test costs, as cost-sensitive studies do where none are known.

    Parameters
    ----------
    n_features : int
        How many costs, at least 1.
    distribution : {"uniform", "normal", "pareto"}, default="uniform"
        - ``uniform``: every whole number from ``low`` to ``high`` alike;
        - ``normal``: around the middle, with an eighth of the range as standard
          deviation, clipped to the range;
        - ``pareto``: many cheap tests and few dear ones, ``low - 1 + 1/u`` for u
          uniform in (0, 1], clipped to ``high``.
    low, high : float, default=1 and 100
        The range; ``0 <= low <= high <= 1e15``.
    random_state : int, RandomState or None, default=None
        Seed.

    Returns
    -------
    ndarray of shape (n_features,), float64
        Whole numbers from ``low`` to ``high``.

    Raises
    ------
    ValueError
        If the distribution is not known or the range is empty, negative or endless.

    References
    ----------
    .. [1] Min, He, Qian, Zhu. Test-cost-sensitive attribute reduction. Information
       Sciences 181(22), 2011, 4928-4942.

    Examples
    --------
    >>> generate_test_costs(5, "pareto", random_state=0)
    array([2., 4., 3., 2., 2.])
    """
    if distribution not in DISTRIBUTIONS:
        raise ValueError(
            f"distribution must be one of {', '.join(DISTRIBUTIONS)}; found "
            f"{distribution!r}."
        )
    if int(n_features) != n_features or n_features < 1:
        raise ValueError(f"n_features must be at least 1; found {n_features!r}.")
    if not (isinstance(low, Real) and isinstance(high, Real) and 0 <= low <= high):
        raise ValueError(
            f"costs need 0 <= low <= high; found low={low!r}, high={high!r}."
        )
    if high > _DEAREST:
        raise ValueError(
            f"costs are drawn up to {_DEAREST:g}, above which whole numbers are not "
            f"exact; found high={high!r}."
        )
    low, high = np.ceil(low), np.floor(high)
    if low > high:
        raise ValueError(f"no whole number lies between low={low} and high={high}.")
    rng = check_random_state(random_state)
    n = int(n_features)
    if distribution == "uniform":
        return np.asarray(rng.randint(int(low), int(high) + 1, n), dtype=np.float64)
    if distribution == "normal":
        drawn = rng.normal((low + high) / 2, (high - low) / 8, n)
    else:
        drawn = low - 1 + 1 / (1 - rng.random_sample(n))
    return np.asarray(np.clip(np.rint(drawn), low, high), dtype=np.float64)
