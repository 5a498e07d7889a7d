"""How much selections agree with each other, and how much the chosen repeat."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse, stats

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Stability:
    """Nogueira's stability of selections, with its interval.

    Parameters
    ----------
    value : float
        1: all selections are the same; about 0: they agree as by chance. NaN with fewer
        than two selections, or where each keeps nothing, or everything.
    low, high : float
        Bounds of the interval.
    confidence : float
        Confidence of the interval, such as 0.95.
    n_selections : int
        Selections compared.

    Examples
    --------
    >>> found = nogueira([[0, 1], [0, 2], [0, 1]], n_features=6)
    >>> round(found.value, 3), found.n_selections
    (0.5, 3)
    """

    value: float
    low: float
    high: float
    confidence: float
    n_selections: int


def as_masks(selections: Any, n_features: int) -> Array:
    """Return selections as a 0/1 matrix of shape (n_selections, n_features).

    Parameters
    ----------
    selections : array-like of bool, or sequence of sequences of int
        A boolean matrix with one row a selection, or the columns of each.
    n_features : int
        Features there are.
    """
    if isinstance(selections, np.ndarray) and selections.dtype == bool:
        if selections.ndim != 2 or selections.shape[1] != n_features:
            raise ValueError(
                f"selections as a mask must have shape (n_selections, {n_features}); "
                f"found {selections.shape}."
            )
        return selections.astype(np.float64)
    rows = [np.asarray(chosen) for chosen in selections]
    masks = np.zeros((len(rows), n_features))
    for number, chosen in enumerate(rows):
        if chosen.dtype == bool and chosen.shape == (n_features,):
            chosen = np.flatnonzero(chosen)
        if chosen.size and (chosen.ndim != 1 or chosen.dtype.kind not in "iu"):
            raise ValueError(
                f"selection {number} must hold column indices or be a mask of "
                f"{n_features}; found type {chosen.dtype}, shape {chosen.shape}."
            )
        if chosen.size and (chosen.min() < 0 or chosen.max() >= n_features):
            bad = int(chosen[(chosen < 0) | (chosen >= n_features)][0])
            raise ValueError(
                f"selection {number} holds column {bad}; there are {n_features}."
            )
        masks[number, chosen.astype(np.intp)] = 1.0
    return masks


def nogueira(
    selections: Any, n_features: int, *, confidence: float = 0.95
) -> Stability:
    """Return Nogueira's stability measure: agreement beyond chance.

    Holds for selections of different sizes, and says 0 on average for random ones.

    Parameters
    ----------
    selections : array-like of bool, or sequence of sequences of int
        What was chosen each time, such as in each fold: a boolean matrix with one row a
        selection, or the columns of each.
    n_features : int
        Features there are.
    confidence : float, default=0.95
        Of the interval, between 0 and 1. Folds share rows, so theirs is too narrow;
        bootstrap samples are what it is made for.

    Returns
    -------
    Stability
        The measure and its interval.

    References
    ----------
    .. [1] Nogueira, Sechidis, Brown. On the stability of feature selection algorithms.
       JMLR 18(174), 2018, 1-54; definition 4, theorem 7.

    Examples
    --------
    >>> nogueira([[0, 1], [0, 1], [0, 2]], 4).value.__round__(4)
    0.3333
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1; found {confidence}.")
    masks = as_masks(selections, n_features)
    m, d = masks.shape
    mean_size = masks.sum() / m if m else 0.0
    chance = mean_size / d * (1 - mean_size / d) if d else 0.0
    if m < 2 or chance == 0:
        return Stability(math.nan, math.nan, math.nan, confidence, m)
    often = masks.mean(axis=0)
    spread = m / (m - 1) * often * (1 - often)
    value = 1 - spread.mean() / chance
    # Theorem 7: the influence of each selection on the measure.
    sizes = masks.sum(axis=1)
    influence = (
        (masks * often).mean(axis=1)
        - sizes * mean_size / d**2
        + value / 2 * (2 * mean_size * sizes / d**2 - sizes / d - mean_size / d + 1)
    ) / chance
    variance = 4 / m**2 * ((influence - influence.mean()) ** 2).sum()
    half = float(stats.norm.ppf((1 + confidence) / 2)) * math.sqrt(variance)
    return Stability(
        float(value), float(value - half), float(value + half), confidence, m
    )


def mean_jaccard(selections: Any, n_features: int) -> float:
    """Return the mean, over pairs, of common features over features of either.

    Parameters
    ----------
    selections : array-like of bool, or sequence of sequences of int
        As in ``nogueira``; two empty selections count as equal.
    n_features : int
        Features there are.

    Returns
    -------
    float
        From 0 to 1; NaN with fewer than two selections. Grows with the size of the
        selections even if they are random.

    Examples
    --------
    >>> mean_jaccard([[0, 1], [0, 2]], 4).__round__(4)
    0.3333
    """
    masks = as_masks(selections, n_features)
    common = masks @ masks.T
    sizes = masks.sum(axis=1)
    either = sizes[:, None] + sizes - common
    share = np.divide(common, either, out=np.ones_like(common), where=either > 0)
    return _mean_of_pairs(share)


def mean_kuncheva(selections: Any, n_features: int) -> float:
    """Return Kuncheva's consistency index, the mean over pairs.

    Parameters
    ----------
    selections : array-like of bool, or sequence of sequences of int
        As in ``nogueira``, all of the same size, which is neither 0 nor all.
    n_features : int
        Features there are.

    Returns
    -------
    float
        Up to 1; about 0 for random selections; NaN with fewer than two.

    References
    ----------
    .. [1] Kuncheva. A stability index for feature selection. IASTED Artificial
       Intelligence and Applications, 2007, 390-395.

    Examples
    --------
    >>> mean_kuncheva([[0, 1], [0, 2]], 4)
    0.0
    """
    masks = as_masks(selections, n_features)
    sizes = np.unique(masks.sum(axis=1))
    if len(sizes) > 1:
        raise ValueError(
            "Kuncheva's index needs selections of one size; found sizes from "
            f"{int(sizes[0])} to {int(sizes[-1])}. Use nogueira."
        )
    if not len(masks):
        return math.nan
    k, d = float(sizes[0]), float(n_features)
    if k in (0.0, d):
        raise ValueError(
            f"Kuncheva's index is not defined for {int(k)} of {n_features} features."
        )
    return _mean_of_pairs((masks @ masks.T * d - k * k) / (k * (d - k)))


def redundancy(X: Any, columns: Any = None) -> float:
    """Return the mean absolute correlation between the chosen features.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Features. Where values are missing (NaN), two features are correlated on the
        rows where both are known.
    columns : array-like of int, optional
        Chosen columns; all by default.

    Returns
    -------
    float
        From 0 to 1; a constant feature correlates 0 with all; NaN for fewer than two.

    References
    ----------
    .. [1] Zhao, Wang, Liu. Efficient spectral feature selection with minimum
       redundancy. AAAI 2010, 673-678 (RED, with absolute values).

    Examples
    --------
    >>> redundancy([[0, 1, 1], [1, 0, 1], [2, -1, 0]]).__round__(4)
    0.9107
    """
    correlations = absolute_correlations(X, columns)
    return _mean_of_pairs(correlations)


def redundancies(X: Any, selections: Any, *, most: int = 2000) -> Array:
    """Return the redundancy of each of several selections of the same table.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Features; missing values as in ``redundancy``.
    selections : sequence of sequences of int
        Columns, the most important first.
    most : int, default=2000
        Of a selection with more columns the first so many are looked at. Where all
        selections together have no more, the correlations are computed once.

    Returns
    -------
    ndarray of shape (n_selections,)
        As from ``redundancy``.

    Examples
    --------
    >>> X = [[0, 1, 1], [1, 0, 1], [2, -1, 0]]
    >>> redundancies(X, [[0, 1], [0, 2], [1]]).round(4).tolist()
    [1.0, 0.866, nan]
    """
    chosen = [np.asarray(columns, dtype=np.intp)[:most] for columns in selections]
    if not chosen:
        return np.zeros(0)
    union = np.unique(np.concatenate(chosen))
    shared = absolute_correlations(X, union) if len(union) <= most else None
    known: dict[bytes, float] = {}
    found = []
    for columns in map(np.sort, chosen):
        key = columns.tobytes()
        if key not in known:
            if shared is None:
                part = absolute_correlations(X, columns)
            else:
                places = np.searchsorted(union, columns)
                part = shared[np.ix_(places, places)]
            known[key] = _mean_of_pairs(part)
        found.append(known[key])
    return np.array(found)


def absolute_correlations(X: Any, columns: Any = None) -> Array:
    """Return |Pearson correlation| of every two features.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Features, NaN where missing: two are correlated where both are known.
    columns : array-like of int, optional
        Chosen columns; all by default.

    Returns
    -------
    ndarray of shape (n_columns, n_columns), float64
        From 0 to 1; a constant feature correlates 0 with all, itself included.

    Examples
    --------
    >>> absolute_correlations([[0, 1], [1, 0], [2, -1]]).round(3).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    is_sparse = sparse.issparse(X)
    table: Any = sparse.csc_array(X) if is_sparse else np.asarray(X, np.float64)
    if columns is not None:
        table = table[:, np.asarray(columns, dtype=np.intp)]
    table = table.toarray() if is_sparse else table
    if np.isinf(table).any():
        raise ValueError("X must not hold infinity: it correlates with nothing.")
    known = ~np.isnan(table)
    if not known.all():
        return _of_pairs_known(table, known.astype(np.float64))
    constant = (table == table[:1]).all(axis=0)
    centred = np.where(constant, 0.0, table - table.mean(axis=0))
    length = np.sqrt((centred**2).sum(axis=0))
    unit = np.divide(centred, length, out=np.zeros_like(centred), where=length > 0)
    found: Array = np.minimum(np.abs(unit.T @ unit), 1.0)
    return found


def _of_pairs_known(table: Array, known: Array) -> Array:
    """Correlate every two columns on the rows where both are known."""
    filled = np.where(known > 0, table, 0.0)
    means = filled.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    centred = np.where(known > 0, table - means, 0.0)
    count = np.maximum(known.T @ known, 1)
    sums = centred.T @ known  # of the first of a pair, where the second is known
    squares = (centred**2).T @ known
    variance = squares - sums**2 / count
    # what rounding leaves of a column that is constant on these rows is none
    variance[variance <= 1e-12 * squares] = 0.0
    covariance = centred.T @ centred - sums * sums.T / count
    scale = np.sqrt(variance * variance.T)
    ratio = np.divide(
        np.abs(covariance), scale, out=np.zeros_like(scale), where=scale > 0
    )
    found: Array = np.minimum(ratio, 1.0)
    return found


def _mean_of_pairs(matrix: Array) -> float:
    m = len(matrix)
    if m < 2:
        return math.nan
    return math.fsum(matrix[np.triu_indices(m, 1)].tolist()) / (m * (m - 1) / 2)
