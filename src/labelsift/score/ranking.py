"""From scores to an order: the rules for ties, written once."""

from __future__ import annotations

from typing import Any

import numpy as np


def order_from_scores(
    scores: np.ndarray[Any, Any], last: np.ndarray[Any, Any] | None = None
) -> np.ndarray[Any, Any]:
    """Return column indices, best score first; ties to the lower index.

    Scores are compared at 12 significant digits, so that rounding noise does not
    decide between equal features.

    Parameters
    ----------
    scores : ndarray of shape (n_features,), float64
        Larger is better. ``-inf`` ranks last, ``+inf`` first; never NaN.
    last : ndarray of shape (n_features,), bool, optional
        Features that come after others of the same score, such as constant ones.

    Returns
    -------
    ndarray of shape (n_features,), int64
        A permutation of the column indices.
    """
    if last is not None:
        return np.lexsort((last, -rounded(scores))).astype(np.int64)
    return np.argsort(-rounded(scores), kind="stable").astype(np.int64)


def best_within(values: np.ndarray[Any, Any], tolerance: float) -> int:
    """Return the index of the largest value; of those as good, the lowest.

    Parameters
    ----------
    values : ndarray of shape (n,), float64
        Never NaN; ``-inf`` cannot win over a number.
    tolerance : float
        A value that falls short by no more than this is as good.
    """
    return int((values >= values[values.argmax()] - tolerance).argmax())


def order_within(
    values: np.ndarray[Any, Any], tolerance: float
) -> np.ndarray[Any, Any]:
    """Return indices by falling value; those as good as their neighbour by index.

    Parameters
    ----------
    values : ndarray of shape (n,), float64
        Finite values.
    tolerance : float
        Values closer than this to the next are equal, and so are chains of them.
    """
    falling = np.argsort(-values, kind="stable")
    gaps = values[falling][:-1] - values[falling][1:]
    group = np.concatenate([[0], np.cumsum(gaps > tolerance)])[: len(falling)]
    return falling[np.lexsort((falling, group))].astype(np.int64)


def ranking_from_order(order: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the rank of each feature, 1 = best: the inverse of ``order``."""
    ranking = np.empty(len(order), dtype=np.int64)
    ranking[order] = np.arange(1, len(order) + 1)
    return ranking


def rounded(scores: np.ndarray[Any, Any], digits: int = 12) -> np.ndarray[Any, Any]:
    """Round to significant digits, leaving zeros and infinities as they are."""
    values = np.asarray(scores, dtype=np.float64)
    usable = np.isfinite(values) & (values != 0)
    exponent = np.zeros_like(values)
    exponent[usable] = np.floor(np.log10(np.abs(values[usable])))
    # two factors: one alone overflows for the smallest and largest numbers
    shift = digits - 1 - exponent
    half = np.floor(shift / 2)
    first, second = 10.0**half, 10.0 ** (shift - half)
    result = values.copy()
    result[usable] = (
        np.rint(values[usable] * first[usable] * second[usable])
        / first[usable]
        / second[usable]
    )
    return result
