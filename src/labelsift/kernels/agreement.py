"""How predictions and scores agree with the truth, and means that are exact."""

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

    ``truth`` (rows, labels) and ``predicted`` (sets, rows, labels) are 0/1; ``by_row``
    (2, sets, rows) and ``by_label`` (2, sets, labels) receive the two counts.
    """
    for p in range(predicted.shape[0]):
        for i in range(truth.shape[0]):
            for label in range(truth.shape[1]):
                if predicted[p, i, label]:
                    by_row[1, p, i] += 1
                    by_label[1, p, label] += 1
                    if truth[i, label]:
                        by_row[0, p, i] += 1
                        by_label[0, p, label] += 1


@njit(cache=True, nogil=True)
def areas(truth: Array, scores: Array, out: Array) -> None:
    """Fill ``out`` (sets, labels) with the areas under the ROC curves.

    ``truth`` is (rows, labels), ``scores`` (sets, rows, labels). NaN where all or no
    rows are relevant. Ties count half.
    """
    n = truth.shape[0]
    low = np.empty(n)
    high = np.empty(n)
    for label in range(truth.shape[1]):
        positives = 0
        for i in range(n):
            positives += truth[i, label]
        negatives = n - positives
        if positives == 0 or negatives == 0:
            out[:, label] = np.nan
            continue
        for p in range(scores.shape[0]):
            a = b = 0
            for i in range(n):
                if truth[i, label]:
                    high[a] = scores[p, i, label]
                    a += 1
                else:
                    low[b] = scores[p, i, label]
                    b += 1
            high[:positives].sort()
            low[:negatives].sort()
            # Twice the pairs in the right order, ties counted once: whole numbers.
            twice, below, up_to = 0, 0, 0
            for a in range(positives):
                x = high[a]
                while below < negatives and low[below] < x:
                    below += 1
                while up_to < negatives and low[up_to] <= x:
                    up_to += 1
                twice += below + up_to
            out[p, label] = twice / (2 * positives * negatives)


@njit(cache=True, nogil=True)
def exact_means(values: Array, out: Array) -> None:
    """Fill ``out`` with the mean of each row of ``values``, NaN left out.

    The sum is exact and rounded once, as that of ``math.fsum``, so that it does not
    depend on the order of the values. NaN where nothing is left.
    """
    # Parts of the sum that share no digits, the smallest first.
    parts = np.empty(2100)
    for r in range(values.shape[0]):
        count = used = 0
        for c in range(values.shape[1]):
            x = values[r, c]
            if x != x:
                continue
            count += 1
            kept = 0
            for j in range(used):
                part = parts[j]
                total = x + part
                # What rounding took from the sum: the smaller one less what it added.
                if abs(x) < abs(part):
                    rest = x - (total - part)
                else:
                    rest = part - (total - x)
                if rest != 0.0:
                    parts[kept] = rest
                    kept += 1
                x = total
            parts[kept] = x
            used = kept + 1
        if count == 0:
            out[r] = np.nan
            continue
        # From the greatest part down, until a part is too small to be added whole.
        total, rest, j = parts[used - 1], 0.0, used - 2
        while j >= 0:
            before = total
            total = before + parts[j]
            rest = parts[j] - (total - before)
            j -= 1
            if rest != 0.0:
                break
        # Halfway between two numbers what is left decides, not the even digit.
        if j >= 0 and rest != 0.0 and (rest > 0.0) == (parts[j] > 0.0):
            twice = 2.0 * rest
            further = total + twice
            if further - total == twice:
                total = further
        out[r] = total / count
