"""Choose a number of features from a curve."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from labelsift.evaluate.summary import mean_and_sd
from labelsift.score.ranking import rounded

Array = np.ndarray[Any, Any]
RULES = ("best", "one_se")


def check_rule(rule: Any) -> str:
    """Return the rule if it is known."""
    if rule not in RULES:
        raise ValueError(f"rule must be 'best' or 'one_se'; found {rule!r}.")
    return str(rule)


def chosen_index(values: Array, greater_is_better: bool, rule: str) -> int:
    """Return which size to take.

    Parameters
    ----------
    values : ndarray of shape (n_sizes, n_folds)
        A metric at sizes in rising order; NaN where undefined.
    greater_is_better : bool
        Orientation of the metric.
    rule : {"best", "one_se"}
        The best mean, equal means to fewer features; or the fewest features whose mean
        is within one standard error of the best. With a single fold there is no
        standard error, and both are the same.

    Returns
    -------
    int
        Row of ``values``.
    """
    stats = [mean_and_sd(row) for row in values]
    sign = 1.0 if greater_is_better else -1.0
    merit = np.array([-np.inf if math.isnan(m) else sign * m for m, _ in stats])
    merit = rounded(merit)
    best = int(np.argmax(merit))
    if check_rule(rule) == "best" or not np.isfinite(merit[best]):
        return best
    spread = stats[best][1]
    count = int((~np.isnan(values[best])).sum())
    error = 0.0 if math.isnan(spread) else spread / math.sqrt(count)
    return int(np.flatnonzero(merit >= rounded(merit[best : best + 1] - error)[0])[0])
