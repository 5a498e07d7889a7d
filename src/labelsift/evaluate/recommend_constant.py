"""The best answer that looks at no feature: what every classifier has to beat."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.evaluate.metrics import METRICS, measure

Array = np.ndarray[Any, Any]

_MOST_TRIED = 50


def constant_answer(Y: Array, metric: str) -> tuple[Array, Array]:
    """Return the labels and scores to give to every row when no feature is known.

    Scores are the shares of the rows that have each label. Predicted are the most
    frequent labels, as many as do best by the metric on these rows, or the most
    frequent label set if that does better; for the Hamming loss these are the labels
    that more than half of the rows have.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, n_labels), int
        0/1 labels of the training rows.
    metric : str
        Key of ``METRICS``.

    Returns
    -------
    prediction : ndarray of shape (n_labels,), int64
        0/1.
    scores : ndarray of shape (n_labels,), float64
        From 0 to 1.

    Notes
    -----
    Of more than 50 labels only some numbers of frequent labels are tried.
    """
    n, q = Y.shape
    scores: Array = Y.sum(axis=0, dtype=np.int64) / n
    majority = (2 * Y.sum(axis=0, dtype=np.int64) > n).astype(np.int64)
    if METRICS[metric].needs == "scores" or metric == "hamming_loss":
        return majority, scores
    by_frequency = np.argsort(-scores, kind="stable")
    counts = np.arange(q + 1)
    if q > _MOST_TRIED:
        counts = np.unique(np.geomspace(1, q + 1, _MOST_TRIED).astype(np.int64) - 1)
    tried = [majority]
    for count in counts.tolist():
        chosen = np.zeros(q, dtype=np.int64)
        chosen[by_frequency[:count]] = 1
        tried.append(chosen)
    sets, rows = np.unique(Y, axis=0, return_counts=True)
    tried.append(sets[int(np.argmax(rows))].astype(np.int64))
    sign = 1.0 if METRICS[metric].greater_is_better else -1.0
    merits = [
        sign * measure([metric], Y, predictions=np.tile(one, (n, 1)))[metric]
        for one in tried
    ]
    return tried[int(np.argmax(np.nan_to_num(merits, nan=-np.inf)))], scores


def constant_value(Y_train: Array, Y_test: Array, metric: str) -> float:
    """Return the metric of the constant answer of training rows on test rows.

    Parameters
    ----------
    Y_train, Y_test : ndarray of shape (n_samples, n_labels), int
        0/1 labels.
    metric : str
        Key of ``METRICS``.
    """
    prediction, scores = constant_answer(Y_train, metric)
    n = len(Y_test)
    return measure(
        [metric],
        Y_test,
        predictions=np.tile(prediction, (n, 1)),
        scores=np.tile(scores, (n, 1)),
    )[metric]
