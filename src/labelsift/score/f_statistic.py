"""F-statistics of features for overlapping classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.score.class_moments import ClassMoments

Array = np.ndarray[Any, Any]
_ZERO = 1e-13  # of the total scatter: what rounding leaves of a scatter of 0


def f_statistic(classes: ClassMoments, n_samples: int) -> Array:
    """Return the F-statistic of each feature.

    A row counts once in each class it belongs to, in the overall mean too.

    Parameters
    ----------
    classes : ClassMoments
        Moments of at least two classes, none of them empty.
    n_samples : int
        Rows of the table.

    Returns
    -------
    ndarray of shape (n_features,), float64
        At least 0; ``inf`` where classes differ and nothing varies within them, 0 for
        a constant feature.
    """
    q = len(classes.counts)
    n = classes.counts[:, None]
    grand = classes.sums.sum(axis=0) / classes.counts.sum()
    between = (n * (classes.sums / n - grand) ** 2).sum(axis=0)
    within = classes.scatter.sum(axis=0)
    scale = classes.squares.sum(axis=0)
    between[between <= _ZERO * scale] = 0.0
    within[within <= _ZERO * scale] = 0.0
    factor = max(n_samples - q, 1) / (q - 1)
    ratio = np.full(len(within), np.inf)
    np.divide(between, within, out=ratio, where=within > 0)
    ratio[between == 0] = 0.0
    return factor * ratio
