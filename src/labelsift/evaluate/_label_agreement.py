"""How predictions agree with the truth, counted by row and by label."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.evaluate._metric_arguments import aligned, same_shape, zero_one
from labelsift.kernels.agreement import exact_means

Array = np.ndarray[Any, Any]


class Counts:
    """Cells relevant, predicted, and both, by row and by label."""

    def __init__(self, Y: Any, P: Any) -> None:
        truth, predicted = zero_one(Y, "Y"), zero_one(aligned(Y, P, "P"), "P")
        same_shape(truth, predicted, "P")
        self.n_rows, self.n_labels = truth.shape
        if sparse.issparse(truth) or sparse.issparse(predicted):
            truth, predicted = sparse.csr_array(truth), sparse.csr_array(predicted)
        self._parts = truth * predicted, truth, predicted
        both, relevant, named = self.per_row()
        self.wrong = relevant + named - 2 * both

    def per_row(self) -> tuple[Array, Array, Array]:
        both, relevant, named = (p.sum(axis=1, dtype=np.int64) for p in self._parts)
        return both, relevant, named

    def per_label(self) -> tuple[Array, Array, Array]:
        both, relevant, named = (p.sum(axis=0, dtype=np.int64) for p in self._parts)
        return both, relevant, named


def ratio(
    kind: str,
    counts: tuple[Array, Array, Array],
    zero_division: float,
    *,
    micro: bool = False,
) -> float:
    """Return the mean of a ratio of counts; see ``ratios``."""
    if not (zero_division in (0, 1) or zero_division != zero_division):
        raise ValueError(f"zero_division must be 0, 1 or nan; found {zero_division!r}.")
    both, relevant, named = counts
    return ratios(
        kind, (both[None], relevant, named[None]), zero_division, micro=micro
    )[0]


def ratios(
    kind: str,
    counts: tuple[Array, Array, Array],
    zero_division: float,
    *,
    micro: bool = False,
) -> list[float]:
    """Return the mean of a ratio of counts, for each of several sets of predictions.

    Parameters
    ----------
    kind : {"precision", "recall", "f1", "jaccard"}
        The ratio.
    counts : three ndarrays of int
        Cells that are relevant and predicted, of shape (n_sets, n); relevant, of shape
        (n,); predicted, of shape (n_sets, n).
    zero_division : {0, 1, nan}
        Value where nothing is relevant and nothing predicted.
    micro : bool, default=False
        Add the counts up first.
    """
    both, relevant, named = counts
    if micro:
        both, named = (c.sum(axis=1, keepdims=True) for c in (both, named))
        relevant = relevant.sum(keepdims=True)
    top, bottom = {
        "precision": (both, named),
        "recall": (both, np.broadcast_to(relevant, both.shape)),
        "f1": (2 * both, relevant + named),
        "jaccard": (both, relevant + named - both),
    }[kind]
    values = np.divide(top, bottom, out=np.zeros(both.shape), where=bottom > 0)
    values[(relevant == 0) & (named == 0)] = zero_division
    return means(values)


def auc(relevant: Array, scores: Array) -> float:
    positives = int(relevant.sum())
    negatives = len(relevant) - positives
    if positives == 0 or negatives == 0:
        return math.nan
    _, place, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    # Twice the mean rank of each tied group: whole numbers, so sums are exact.
    twice = 2 * np.cumsum(sizes) - sizes + 1
    ranks = int(twice[place.ravel()][relevant].sum())
    return (ranks - positives * (positives + 1)) / (2 * positives * negatives)


def mean(values: Any) -> float:
    """Return the mean of what is not NaN, its sum exact; NaN if nothing is left."""
    return means(np.asarray(values)[None])[0]


def means(values: Array) -> list[float]:
    """Return the mean of each row, as ``mean`` does."""
    out = np.empty(len(values))
    exact_means(np.ascontiguousarray(values, dtype=np.float64), out)
    return out.tolist()
