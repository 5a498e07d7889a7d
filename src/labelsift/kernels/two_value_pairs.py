"""Gain ratios of features of two values on many pairs of labels, without their rows.

What a feature of two values does to a pair of labels is a table of four counts. They
follow from those of the labels over all rows and over the rows with one of the two
values, so that a pair costs a few look-ups however many rows it has.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

FAYYAD_IRANI_BETTER, EVERY_VALUE = 1, 4  # as in ``labelsift.kernels.mdl``


@njit(cache=True, nogil=True)
def _ratio(n, ones, low, low_ones, is_tested, table):
    """Return the gain ratio of a 2 x 2 table; 0 where its cut does not pay.

    Every sum is that of ``labelsift.kernels.mdl_two_classes``, term by term, so that
    both give the same number to the last bit.
    """
    high, high_ones = n - low, ones - low_ones
    prior = table[n] - table[ones] - table[n - ones]
    if is_tested:
        rest = (
            table[low]
            - table[low_ones]
            - table[low - low_ones]
            + table[high]
            - table[high_ones]
            - table[high - high_ones]
        )
        # What the cut costs is log2 7 - 2 whole + k_low on_low + k_high on_high bits. A
        # side of k = 1 has no entropy, so with low on_low + high on_high = n (whole -
        # gain) that is at least log2 7 - 2 gain: most cuts gain less.
        if (prior - rest) * (n + 2) < 2.8 * n:
            return 0.0
        whole = prior / n
        on_low = (table[low] - table[low_ones] - table[low - low_ones]) / low
        on_high = (table[high] - table[high_ones] - table[high - high_ones]) / high
        k_low = (1 if low_ones > 0 else 0) + (1 if low_ones < low else 0)
        k_high = (1 if high_ones > 0 else 0) + (1 if high_ones < high else 0)
        gain = whole - (low * on_low + high * on_high) / n
        delta = math.log2(7.0) - (2 * whole - k_high * on_high - k_low * on_low)
        if not gain > delta / n + 1e-12:  # the log of the number of cuts, 1, is 0
            return 0.0
    feature, joint = table[n], table[n]
    feature -= table[low]
    joint -= table[low_ones] + table[low - low_ones]
    feature -= table[high]
    joint -= table[high_ones] + table[high - high_ones]
    gain = prior + feature - joint
    if gain <= 1e-12 * table[n]:  # independent, but for rounding
        return 0.0
    return gain / feature


@njit(cache=True, nogil=True)
def _list_rows(rows, label_start, label_of, n_with, begin, row_of):
    """List the rows of each label; ``row_of`` may come back longer."""
    n_with[:] = 0
    for row in rows:
        for e in range(label_start[row], label_start[row + 1]):
            n_with[label_of[e]] += 1
    for c in range(len(n_with)):
        begin[c + 1] = begin[c] + n_with[c]
        n_with[c] = 0
    if begin[len(n_with)] > len(row_of):
        row_of = np.empty(begin[len(n_with)], dtype=np.int32)
    for row in rows:
        for e in range(label_start[row], label_start[row + 1]):
            c = label_of[e]
            row_of[begin[c] + n_with[c]] = row
            n_with[c] += 1
    return row_of


@njit(cache=True, nogil=True)
def _count_beside(rows, label_start, label_of, step, beside):
    """Add ``step`` to the count of each label that each of some rows has."""
    for row in rows:
        for e in range(label_start[row], label_start[row + 1]):
            beside[label_of[e]] += step


@njit(cache=True, nogil=True)
def two_value_ratios(
    rows,
    listed,
    missing,
    listed_are_high,
    label_start,
    label_of,
    n_with,
    pair_start,
    second,
    n_both,
    rule,
    table,
    features,
    result,
):
    """Write the gain ratios of features of two values on each pair of labels.

    A pair's rows are those with exactly one of its two labels.

    Parameters
    ----------
    rows : ndarray, int32
        Row numbers, feature after feature.
    listed, missing : ndarray of shape (k, 2), int64
        Where in ``rows`` are a feature's rows with one of its two values, and those
        where it is missing. All others have the other value.
    listed_are_high : ndarray of shape (k,), bool
        Whether the listed rows have the larger of the two values.
    label_start, label_of : ndarray, int
        Labels of row i: ``label_of[label_start[i]:label_start[i + 1]]``.
    n_with : ndarray of shape (n_labels,), int64
        Rows of each label.
    pair_start : ndarray of shape (n_labels + 1,), int64
        Pairs whose first label is a: ``pair_start[a]`` to ``pair_start[a + 1] - 1``.
    second : ndarray of shape (s,), int
        The second label of each pair.
    n_both : ndarray of shape (s,), int
        Rows with both labels of each pair.
    rule : int
        ``FAYYAD_IRANI_BETTER``, or ``EVERY_VALUE`` for a cut that is always made.
    table : ndarray of shape (n + 1,), float64
        ``x log2 x``.
    features : ndarray of shape (k,), int
        Which row of ``result`` each feature has.
    result : ndarray of shape (d, s), float64
        Zeros; takes gain ratios, from 0 to 1.
    """
    n_labels = len(n_with)
    here, away = np.zeros_like(n_with), np.zeros_like(n_with)
    here_begin = np.zeros(n_labels + 1, dtype=np.int64)
    away_begin = np.zeros(n_labels + 1, dtype=np.int64)
    here_row = np.empty(len(label_of), dtype=np.int32)
    away_row = np.empty(0, dtype=np.int32)
    here_both, away_both = np.zeros_like(n_with), np.zeros_like(n_with)
    is_tested = rule != EVERY_VALUE
    for k in range(len(features)):
        ratios = result[features[k]]
        is_high = listed_are_high[k]
        here_row = _list_rows(
            rows[listed[k, 0] : listed[k, 1]],
            label_start,
            label_of,
            here,
            here_begin,
            here_row,
        )
        away_row = _list_rows(
            rows[missing[k, 0] : missing[k, 1]],
            label_start,
            label_of,
            away,
            away_begin,
            away_row,
        )
        for a in range(n_labels):
            if pair_start[a] == pair_start[a + 1]:
                continue
            here_a, known_a = here[a], n_with[a] - away[a]
            here_rows = here_row[here_begin[a] : here_begin[a + 1]]
            away_rows = away_row[away_begin[a] : away_begin[a + 1]]
            _count_beside(here_rows, label_start, label_of, 1, here_both)
            _count_beside(away_rows, label_start, label_of, 1, away_both)
            for s in range(pair_start[a], pair_start[a + 1]):
                b = second[s]
                size = here_a + here[b] - 2 * here_both[b]
                if size == 0:
                    continue  # the feature is constant on these rows
                both = n_both[s] - away_both[b]
                ones = n_with[b] - away[b] - both
                n = known_a - both + ones
                if size == n or ones == 0 or ones == n:
                    continue
                low, low_ones = size, here[b] - here_both[b]
                if is_high:
                    low, low_ones = n - low, ones - low_ones
                ratios[s] = _ratio(n, ones, low, low_ones, is_tested, table)
            _count_beside(here_rows, label_start, label_of, -1, here_both)
            _count_beside(away_rows, label_start, label_of, -1, away_both)
