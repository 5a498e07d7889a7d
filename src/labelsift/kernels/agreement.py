"""How predictions and scores agree with the truth, row by row and label by label."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]


@njit(cache=True, nogil=True)
def count_agreement(
    truth: Array, predicted: Array, by_row: Array, by_label: Array
) -> None:
    """Add up cells that are relevant and predicted, and those predicted.

    ``truth`` and ``predicted`` are 0/1 of shape (rows, labels); ``by_row`` (2, rows)
    and ``by_label`` (2, labels) receive the two counts.
    """
    for i in range(truth.shape[0]):
        for label in range(truth.shape[1]):
            if predicted[i, label]:
                by_row[1, i] += 1
                by_label[1, label] += 1
                if truth[i, label]:
                    by_row[0, i] += 1
                    by_label[0, label] += 1


@njit(cache=True, nogil=True)
def areas(truth: Array, scores: Array, out: Array) -> None:
    """Fill ``out`` with the area under the ROC curve of each column.

    NaN where all or no rows are relevant. Ties count half.
    """
    n = truth.shape[0]
    column = np.empty(n)
    for label in range(truth.shape[1]):
        positives = 0
        for i in range(n):
            column[i] = scores[i, label]
            positives += truth[i, label]
        negatives = n - positives
        if positives == 0 or negatives == 0:
            out[label] = np.nan
            continue
        order = np.argsort(column)
        twice = 0  # twice the sum of the mean ranks of relevant rows: whole numbers
        start = 0
        while start < n:
            stop = start + 1
            relevant = int(truth[order[start], label])
            while stop < n and column[order[stop]] == column[order[start]]:
                relevant += truth[order[stop], label]
                stop += 1
            twice += relevant * (start + stop + 1)
            start = stop
        out[label] = (twice - positives * (positives + 1)) / (2 * positives * negatives)
