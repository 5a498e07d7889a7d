"""The rules of a recommendation: which method and size, and whether to select at all.

Pure functions of measured values; what they promise is in ``docs/recommend.md``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from labelsift.evaluate.compare import (
    PairedDifference,
    corrected_resampled_difference,
)
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.summary import mean_and_sd
from labelsift.score.ranking import rounded

Array = np.ndarray[Any, Any]

_ENOUGH_FOLDS = 4  # with two, an interval is twelve standard errors wide
NO_SIGNAL, ALL_BEST, LOSS, FEWER = "no signal", "all best", "loss", "fewer"


@dataclass(frozen=True, eq=False)
class Curve:
    """What the inner folds say of one selector with one classifier.

    Parameters
    ----------
    selector, classifier : str
        Names; the selector is ``ALL_FEATURES`` for all columns.
    sizes : tuple of int
        Numbers of features, rising.
    values : ndarray of shape (n_sizes, n_folds)
        The metric; NaN where undefined.
    burden : ndarray of shape (n_sizes,)
        What the features cost on average over the folds; without costs their number.
    """

    selector: str
    classifier: str
    sizes: tuple[int, ...]
    values: Array
    burden: Array


@dataclass(frozen=True)
class Choice:
    """A method and a size.

    Parameters
    ----------
    selector, classifier : str
        Names.
    n_features : int
        How many of the selector's best features to keep.
    value : float
        Mean of the metric over the inner folds.
    """

    selector: str
    classifier: str
    n_features: int
    value: float


def choose(
    curves: Sequence[Curve],
    constant: Array,
    *,
    metric: str,
    rule: str,
    tolerance: float,
) -> Choice:
    """Return the method and size that the inner folds speak for.

    Parameters
    ----------
    curves : sequence of Curve
        Every method, all columns included; the first ones win ties.
    constant : ndarray of shape (n_folds,)
        The metric of the best constant answer in the same folds.
    metric : str
        Key of ``METRICS``.
    rule : {"best", "one_se"}
        ``"best"``: the best mean. ``"one_se"``: of all methods and sizes whose mean is
        within one standard error of the best mean, and gives up no more than half of
        ``tolerance`` of what the best one gains over the constant answer, those of the
        least burden. Equals go to the better mean, then to the first.
    tolerance : float
        From 0 to 1.
    """
    sign = 1.0 if METRICS[metric].greater_is_better else -1.0
    entries = [
        (curve, at, row, _merit(row, sign))
        for curve in curves
        for at, row in enumerate(curve.values)
    ]
    merits = rounded(np.array([merit for *_, merit in entries]))
    burdens = np.array([curve.burden[at] for curve, at, *_ in entries])
    best = int(np.lexsort((burdens, -merits))[0])
    picked = best
    if rule == "one_se" and np.isfinite(merits[best]):
        row = entries[best][2]
        known = row[~np.isnan(row)]
        spread = mean_and_sd(known)[1]
        error = 0.0 if math.isnan(spread) else spread / math.sqrt(len(known))
        gain = merits[best] - _merit(constant, sign)
        # half of the tolerance: the search is optimistic about what it picks
        allowed = max(min(error, tolerance * gain / 2), 0.0) if gain == gain else 0.0
        within = merits >= rounded(merits[best : best + 1] - allowed)[0]
        order = np.lexsort((-merits, rounded(burdens)))
        picked = int(order[within[order]][0])
    curve, at, row, _ = entries[picked]
    return Choice(
        curve.selector, curve.classifier, curve.sizes[at], mean_and_sd(row)[0]
    )


def _merit(values: Array, sign: float) -> float:
    mean = mean_and_sd(values)[0]
    return -math.inf if math.isnan(mean) else sign * mean


@dataclass(frozen=True)
class Promise:
    """What a test on new rows will show.

    Parameters
    ----------
    mean : float
        Expected value.
    low, high : float
        Interval for the value on ``n_new`` new rows; NaN with fewer than two folds.
    confidence : float
        Share of such tests that fall within.
    n_new : int
        Rows of that test.
    """

    mean: float
    low: float
    high: float
    confidence: float
    n_new: int


def promise(
    values: Any, *, n_train: float, n_test: float, n_new: int, confidence: float = 0.95
) -> Promise:
    """Return the mean over folds and an interval for a test on new rows.

    The corrected resampled t interval is meant for the expected value. A new test adds
    noise of its own, that of a fold times ``n_test / n_new``; the half width is
    ``t * s * sqrt(1/J + n_test/n_train + n_test/n_new)`` for J folds of deviation s and
    the t quantile of J - 1 degrees of freedom.

    Parameters
    ----------
    values : array-like of shape (n_folds,)
        A metric, or a difference of two on the same folds; NaN is left out.
    n_train, n_test : float
        Rows of a fold for training and testing.
    n_new : int
        Rows of the new test.
    confidence : float, default=0.95
        Between 0 and 1.

    References
    ----------
    .. [1] Nadeau, Bengio. Inference for the generalization error. Machine Learning 52
       (2003) 239-281, doi:10.1023/A:1024068626366

    Examples
    --------
    >>> found = promise([0.2, 0.3, 0.4], n_train=90, n_test=10, n_new=50)
    >>> round(found.mean, 3), round(found.high - found.mean, 3)
    (0.3, 0.345)
    """
    kept = np.asarray(values, dtype=np.float64)
    kept = kept[~np.isnan(kept)]
    mean, deviation = mean_and_sd(kept)
    if math.isnan(deviation):
        return Promise(mean, math.nan, math.nan, confidence, n_new)
    count = len(kept)
    widening = math.sqrt(1 / count + n_test / n_train + n_test / n_new)
    t = float(stats.t.ppf((1 + confidence) / 2, count - 1))
    half = t * deviation * widening
    return Promise(mean, mean - half, mean + half, confidence, n_new)


def within_bounds(found: Promise, metric: str) -> Promise:
    """Return a promise cut to the values that a metric can take."""
    top = math.inf if metric == "coverage" else 1.0
    low, high = max(found.low, 0.0), min(found.high, top)
    return Promise(found.mean, low, high, found.confidence, found.n_new)


@dataclass(frozen=True)
class Decision:
    """Whether to select, and why.

    Parameters
    ----------
    verdict : {"fewer", "all best", "loss", "no signal"}
        ``"fewer"``: keep the chosen columns. ``"all best"``: the search on all rows
        ends at all columns. ``"loss"``: the chosen columns lose more than the margin.
        ``"no signal"``: nothing beats the constant answer.
    loss, margin : float
        Mean loss of the chosen columns against all, positive where they are worse, and
        the most that may be lost.
    error : float
        Corrected standard error of the loss; NaN with fewer than two folds.
    gain, gain_of_all : PairedDifference
        Chosen columns, and all columns, less the constant answer.
    """

    verdict: str
    loss: float
    margin: float
    error: float
    gain: PairedDifference
    gain_of_all: PairedDifference

    @property
    def is_justified(self) -> bool:
        """Whether fewer columns are recommended."""
        return self.verdict == FEWER

    @property
    def is_open(self) -> bool:
        """Whether columns do better than the constant answer, in too few folds."""
        gains = (self.gain, self.gain_of_all)
        ahead = any((g.mean > 0) == g.greater_is_better and g.mean != 0 for g in gains)
        return self.verdict == NO_SIGNAL and ahead and self.gain.n_folds < _ENOUGH_FOLDS


def decide(
    chosen: Array,
    everything: Array,
    constant: Array,
    *,
    ends_at_all: bool,
    metric: str,
    rule: str,
    tolerance: float,
    n_train: float,
    n_test: float,
) -> Decision:
    """Return whether fewer columns are justified, from the outer folds.

    Parameters
    ----------
    chosen, everything, constant : ndarray of shape (n_folds,)
        The metric of the chosen columns, of all, and of the constant answer.
    ends_at_all : bool
        Whether the search on all rows ends at all columns.
    metric : str
        Key of ``METRICS``.
    rule : {"best", "one_se"}
        With ``"one_se"`` a loss within its standard error counts as none.
    tolerance : float
        Share of what all columns gain over the constant answer that may be lost.
    n_train, n_test : float
        Rows of a fold.
    """
    greater = METRICS[metric].greater_is_better
    sign = 1.0 if greater else -1.0

    def against_constant(values: Array) -> PairedDifference:
        return corrected_resampled_difference(
            values,
            constant,
            n_train=n_train,
            n_test=n_test,
            greater_is_better=greater,
        )

    gain, gain_of_all = against_constant(chosen), against_constant(everything)
    losses = sign * (everything - chosen)
    loss, deviation = mean_and_sd(losses)
    count = int((~np.isnan(losses)).sum())
    error = math.nan
    if count > 1:
        error = deviation * math.sqrt(1 / count + n_test / n_train)
    margin = tolerance * max(sign * gain_of_all.mean, 0.0)
    if rule == "one_se" and error > margin:
        margin = error
    shown = gain.verdict == "better", gain_of_all.verdict == "better"
    limits = rounded(np.array([loss, margin]))
    if not any(shown):
        verdict = NO_SIGNAL
    elif ends_at_all:
        verdict = ALL_BEST
    elif shown[0] and limits[0] <= limits[1]:
        verdict = FEWER
    else:
        verdict = LOSS
    return Decision(verdict, loss, margin, error, gain, gain_of_all)
