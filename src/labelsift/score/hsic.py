"""Dependence of features on all labels together, with linear kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.kernels.blocks import fitting
from labelsift.score.class_moments import ClassSums
from labelsift.statistics.label_moments import LabelMoments

Array = np.ndarray[Any, Any]
LABEL_KERNELS = ("linear", "cosine")
_CELLS = 1 << 22  # labels x features looked at together
_ZERO = 1e-13  # of the largest that a covariance can be: what rounding leaves of 0


def hsic_scores(moments: LabelMoments, *, label_kernel: str, scale: str) -> Array:
    """Return ``x' H Y Y' H x`` of every feature x, H being the centring matrix.

    Parameters
    ----------
    moments : LabelMoments
        Sums of the features in each label set.
    label_kernel : {"linear", "cosine"}
        Labels as they are, or each row of Y divided by its Euclidean norm.
    scale : {"zscore", "minmax", "none"}
        What the features are divided by: standard deviation, range, 1.

    Returns
    -------
    ndarray of shape (n_features,), float64
        At least 0; 0 for a constant feature. Time O(u L d) at most for u label sets
        and L labels a set.
    """
    classes = ClassSums(moments)
    sizes = np.diff(moments.sets.indptr)
    shares = np.ones(moments.n_sets)
    if label_kernel == "cosine":
        shares = 1.0 / np.sqrt(np.maximum(sizes, 1))
    weights = classes.weights(moments.sets.indptr, moments.sets.indices, shares)
    scatter = classes.of(np.ones((1, moments.n_sets))).squares.ravel()  # of one class
    low, high = moments.range
    n = moments.n_samples
    largest = np.sqrt(np.maximum(scatter, 0.0) * n)
    total = np.zeros(moments.n_features)
    step = fitting(_CELLS, moments.n_features)
    for start in range(0, moments.n_labels, step):
        for row in classes.sums_of(weights[start : start + step]):
            total += np.where(np.abs(row) > _ZERO * largest, row, 0.0) ** 2
    varies = (high > low) & (scatter > 0)
    if scale == "zscore":
        divisor = scatter / n
    elif scale == "minmax":
        divisor = (high - low) ** 2
    else:
        divisor = np.ones(len(total))
    scores: Array = np.where(varies, total / np.where(varies, divisor, 1.0), 0.0)
    return scores
