"""Compare two methods on the same folds without taking the folds as independent."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats


@dataclass(frozen=True)
class PairedDifference:
    """How much one method differs from another on the same folds.

    Parameters
    ----------
    mean : float
        Mean of the differences "first minus second".
    low, high : float
        Bounds of the interval; NaN with fewer than two folds.
    confidence : float
        Confidence of the interval, such as 0.95.
    n_folds : int
        Folds with a difference; folds where either value is NaN are left out.
    greater_is_better : bool
        Orientation of the metric.
    p_value : float
        Two-sided, of the corrected resampled t test; NaN with fewer than two folds.

    Examples
    --------
    >>> found = corrected_resampled_difference(
    ...     [0.8, 0.9, 0.7], [0.7, 0.7, 0.6], n_train=100, n_test=50
    ... )
    >>> round(found.mean, 3), found.n_folds
    (0.133, 3)
    """

    mean: float
    low: float
    high: float
    confidence: float
    n_folds: int
    greater_is_better: bool
    p_value: float

    @property
    def verdict(self) -> str:
        """``"better"``, ``"worse"``, or ``"undecided"`` where 0 is in the interval."""
        if not (self.low > 0 or self.high < 0):
            return "undecided"
        return "better" if (self.mean > 0) == self.greater_is_better else "worse"


def corrected_resampled_difference(
    first: Any,
    second: Any,
    *,
    n_train: float,
    n_test: float,
    greater_is_better: bool = True,
    confidence: float = 0.95,
) -> PairedDifference:
    """Return the mean difference over folds with the corrected resampled t interval.

    The folds of a cross-validation share most training rows, so that the usual paired
    t interval is too narrow; the variance is enlarged by ``n_test / n_train``.

    Parameters
    ----------
    first, second : array-like of shape (n_folds,)
        A metric of two methods on the same folds, in the same order.
    n_train, n_test : float
        Rows of a fold for training and testing; means where they vary.
    greater_is_better : bool, default=True
        Orientation of the metric.
    confidence : float, default=0.95
        Between 0 and 1, both excluded.

    Returns
    -------
    PairedDifference
        The difference, its interval and p value, ``n_folds - 1`` degrees of freedom.

    References
    ----------
    .. [1] Nadeau, Bengio. Inference for the generalization error. Machine Learning 52
       (2003) 239-281, doi:10.1023/A:1024068626366
    .. [2] Bouckaert, Frank. Evaluating the replicability of significance tests for
       comparing learning algorithms. PAKDD 2004, LNCS 3056, 3-12,
       doi:10.1007/978-3-540-24775-3_3 (the same for repeated cross-validation).

    Examples
    --------
    >>> corrected_resampled_difference([3, 2, 4], [2, 2, 2], n_train=2, n_test=1).mean
    1.0
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1; found {confidence}.")
    if n_train <= 0 or n_test <= 0:
        raise ValueError(
            f"n_train and n_test must be positive; found {n_train} and {n_test}."
        )
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(
            "first and second must be vectors with one value for each fold; found "
            f"shapes {a.shape} and {b.shape}."
        )
    gaps = a - b
    # noise of the subtraction is no difference: it would seem significant
    gaps[np.abs(gaps) <= 1e-12 * np.maximum(np.abs(a), np.abs(b))] = 0.0
    differences = gaps[~np.isnan(gaps)]
    count = len(differences)
    mean = math.fsum(differences) / count if count else math.nan
    low = high = p_value = math.nan
    if count >= 2:
        variance = math.fsum((differences - mean) ** 2) / (count - 1)
        error = math.sqrt((1 / count + n_test / n_train) * variance)
        half = float(stats.t.ppf((1 + confidence) / 2, count - 1)) * error
        low, high = mean - half, mean + half
        if error > 0:
            p_value = float(2 * stats.t.sf(abs(mean) / error, count - 1))
        else:
            p_value = 0.0 if mean else 1.0
    return PairedDifference(
        mean, low, high, confidence, count, greater_is_better, p_value
    )
