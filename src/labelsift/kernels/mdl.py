"""Entropy cuts of sorted columns for one problem with any number of classes.

A row may carry several classes, each with a weight: the transformations of a label
matrix into one class (copying rows, label sets) come down to that.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

FAYYAD_IRANI_DEFAULT, FAYYAD_IRANI_BETTER, KONONENKO_DEFAULT, KONONENKO_BETTER = range(
    4
)
EVERY_VALUE = 4  # no search: each distinct value is a bin


@njit(cache=True, nogil=True)
def _x_log_x(x):
    return x * math.log2(x) if x > 0.0 else 0.0


@njit(cache=True, nogil=True)
def _log2_choose(a, b):
    return (
        math.lgamma(a + 1.0) - math.lgamma(b + 1.0) - math.lgamma(a - b + 1.0)
    ) / math.log(2.0)


@njit(cache=True, nogil=True)
def _side(size, rows, weight):
    """Return entropy, number of classes and log2 of the multinomial coefficient."""
    inside, present, arrangements = 0.0, 0, math.lgamma(size + 1.0)
    for c in range(len(rows)):
        if rows[c] > 0:
            present += 1
            inside += _x_log_x(weight[c])
            arrangements -= math.lgamma(weight[c] + 1.0)
    entropy = (_x_log_x(size) - inside) / size
    return entropy, present, arrangements / math.log(2.0)


@njit(cache=True, nogil=True)
def _is_worth_it(
    rule,
    n_cuts,
    left,
    left_rows,
    left_weight,
    right,
    right_rows,
    right_weight,
):
    """Return whether the best cut of an interval pays for its own description."""
    n = left + right
    h, k, m = _side(n, left_rows + right_rows, left_weight + right_weight)
    h_left, k_left, m_left = _side(left, left_rows, left_weight)
    h_right, k_right, m_right = _side(right, right_rows, right_weight)
    cost = math.log2(n_cuts)
    if rule >= KONONENKO_DEFAULT:
        before = _log2_choose(n + k - 1, k - 1) + m
        after = (
            _log2_choose(left + k - 1, k - 1)
            + m_left
            + _log2_choose(right + k - 1, k - 1)
            + m_right
        )
        return before > cost + after - 1e-10 * before  # a tie is cut, as in Weka
    gain = h - (left * h_left + right * h_right) / n
    # log2(3^k - 2) without the power, which overflows from k = 647 on
    choices = k * math.log2(3.0) + math.log2(1.0 - 2.0 * 3.0 ** (-k))
    delta = choices - (k * h - k_right * h_right - k_left * h_left)
    return gain > (cost + delta) / n + 1e-12  # not by rounding alone


@njit(cache=True, nogil=True)
def _gather(
    rows_of,
    ranks,
    lo,
    known,
    hi,
    zero,
    class_start,
    class_of,
    weight_of,
    total_rows,
    total_weight,
    out_rank,
    out_class,
    out_rows,
    out_weight,
):
    """List (value, class, rows, weight) of a feature by rising value."""
    k = len(total_rows)
    zero_rows, zero_weight = total_rows.copy(), total_weight.copy()
    if zero >= 0:
        for i in range(lo, hi):
            row = rows_of[i]
            for e in range(class_start[row], class_start[row + 1]):
                zero_rows[class_of[e]] -= 1
                zero_weight[class_of[e]] -= weight_of[e]
    m = 0
    waiting = zero >= 0
    for i in range(lo, known + 1):
        if waiting and (i == known or ranks[i] > zero):
            for c in range(k):
                if zero_rows[c] > 0:
                    out_rank[m], out_class[m] = zero, c
                    out_rows[m], out_weight[m] = zero_rows[c], zero_weight[c]
                    m += 1
            waiting = False
        if i == known:
            break
        row = rows_of[i]
        for e in range(class_start[row], class_start[row + 1]):
            out_rank[m], out_class[m] = ranks[i], class_of[e]
            out_rows[m], out_weight[m] = 1, weight_of[e]
            m += 1
    return m


@njit(cache=True, nogil=True)
def _mark_cuts(
    rule,
    m,
    rank,
    cls,
    rows,
    weight,
    k,
    is_weighted,
    table,
    is_cut,
    stack,
):
    """Set ``is_cut[e]`` where a cut lies between entries ``e - 1`` and ``e``."""
    for e in range(m + 1):
        is_cut[e] = False
    left_rows = np.zeros(k, dtype=np.int64)
    right_rows = np.zeros(k, dtype=np.int64)
    left_weight = np.zeros(k)
    right_weight = np.zeros(k)
    stack[0], stack[1] = 0, m
    top = 1
    while top > 0:
        top -= 1
        lo, hi = stack[2 * top], stack[2 * top + 1]
        if hi - lo < 2:
            continue
        left_rows[:], right_rows[:] = 0, 0
        left_weight[:], right_weight[:] = 0.0, 0.0
        n_rows = 0
        for e in range(lo, hi):
            right_rows[cls[e]] += rows[e]
            right_weight[cls[e]] += weight[e]
            n_rows += rows[e]
        n, in_right = 0.0, 0.0
        for c in range(k):
            n += right_weight[c]
            in_right += _x_log_x(right_weight[c])
        in_left, on_left = 0.0, 0.0
        whole = _x_log_x(n)
        # equal but for rounding counts as equal: the first minimum wins
        slack = 1e-11 * whole
        best, at, n_cuts = whole - in_right, -1, 0
        for e in range(lo, hi - 1):
            c = cls[e]
            if is_weighted:
                in_left -= _x_log_x(left_weight[c])
                in_right -= _x_log_x(right_weight[c])
                left_weight[c] += weight[e]
                right_weight[c] -= weight[e]
                if right_rows[c] == rows[e]:
                    right_weight[c] = 0.0
                in_left += _x_log_x(left_weight[c])
                in_right += _x_log_x(right_weight[c])
            else:
                before = left_rows[c]
                after = right_rows[c]
                in_left += table[before + rows[e]] - table[before]
                in_right += table[after - rows[e]] - table[after]
            left_rows[c] += rows[e]
            right_rows[c] -= rows[e]
            on_left += weight[e]
            if rank[e] != rank[e + 1]:
                n_cuts += 1
                if is_weighted:
                    sides = _x_log_x(on_left) + _x_log_x(n - on_left)
                else:
                    size = int(on_left)
                    sides = table[size] + table[int(n) - size]
                rest = sides - in_left - in_right
                if rest < best - slack:
                    best, at = rest, e + 1
        if at < 0:
            continue
        left_rows[:], right_rows[:] = 0, 0
        left_weight[:], right_weight[:] = 0.0, 0.0
        on_left = 0.0
        for e in range(lo, hi):
            if e < at:
                left_rows[cls[e]] += rows[e]
                left_weight[cls[e]] += weight[e]
                on_left += weight[e]
            else:
                right_rows[cls[e]] += rows[e]
                right_weight[cls[e]] += weight[e]
        if rule == FAYYAD_IRANI_DEFAULT or rule == KONONENKO_DEFAULT:
            n_cuts = n_rows - 1
        if _is_worth_it(
            rule,
            n_cuts,
            on_left,
            left_rows,
            left_weight,
            n - on_left,
            right_rows,
            right_weight,
        ):
            is_cut[at] = True
            stack[2 * top], stack[2 * top + 1] = lo, at
            stack[2 * top + 2], stack[2 * top + 3] = at, hi
            top += 2


@njit(cache=True, nogil=True)
def class_tables(
    rows_of,
    ranks,
    start,
    n_known,
    zero_rank,
    class_start,
    class_of,
    weight_of,
    k,
    is_weighted,
    rules,
):
    """Return cuts and counts of each feature's bins.

    Parameters
    ----------
    rows_of, ranks : ndarray, int32
        Sorted rows of all features, one after the other, and the ranks of their
        values; after the known values the rows where the feature is missing.
    start : ndarray of shape (d + 1,), int64
        Where each feature begins.
    n_known : ndarray of shape (d,), int64
        Rows of each feature that are not missing.
    zero_rank : ndarray of shape (d,), int64
        The rank of zero where rows that are not listed are zero, else -1.
    class_start, class_of, weight_of : ndarray
        Classes of row i and their weights, from ``class_start[i]`` to
        ``class_start[i + 1]``.
    k : int
        Number of classes.
    is_weighted : bool
        False where all weights are 1.
    rules : ndarray of shape (d,), int64
        Which rule cuts each feature.

    Returns
    -------
    counts : ndarray of shape (n_bins, k), float64
        Weight of each class in each bin, feature after feature.
    n_bins : ndarray of shape (d,), int64
        Bins of each feature.
    missing : ndarray of shape (d, k), float64
        Weight of each class where the feature is missing.
    below, above : ndarray of shape (n_bins,), int32
        Rank of the last value of each bin, and of the first.
    """
    d, n_entries = len(n_known), len(class_of)
    total_rows = np.zeros(k, dtype=np.int64)
    total_weight = np.zeros(k)
    for e in range(n_entries):
        total_rows[class_of[e]] += 1
        total_weight[class_of[e]] += weight_of[e]
    table = np.zeros(n_entries + 1)
    for x in range(2, n_entries + 1):
        table[x] = _x_log_x(x)
    capacity = n_entries + k
    rank = np.empty(capacity, dtype=np.int64)
    cls = np.empty(capacity, dtype=np.int64)
    rows = np.empty(capacity, dtype=np.int64)
    weight = np.empty(capacity)
    is_cut = np.zeros(capacity + 1, dtype=np.bool_)
    stack = np.empty(2 * capacity + 8, dtype=np.int64)
    counts = np.empty((2 * d + 4, k))
    below = np.empty(2 * d + 4, dtype=np.int32)
    above = np.empty(2 * d + 4, dtype=np.int32)
    n_bins = np.zeros(d, dtype=np.int64)
    missing = np.zeros((d, k))
    used = 0
    for j in range(d):
        lo, known, hi = start[j], start[j] + n_known[j], start[j + 1]
        for i in range(known, hi):
            row = rows_of[i]
            for e in range(class_start[row], class_start[row + 1]):
                missing[j, class_of[e]] += weight_of[e]
        m = _gather(
            rows_of,
            ranks,
            lo,
            known,
            hi,
            zero_rank[j],
            class_start,
            class_of,
            weight_of,
            total_rows,
            total_weight,
            rank,
            cls,
            rows,
            weight,
        )
        if rules[j] == EVERY_VALUE:
            for e in range(1, m):
                is_cut[e] = rank[e] != rank[e - 1]
        else:
            _mark_cuts(
                rules[j],
                m,
                rank,
                cls,
                rows,
                weight,
                k,
                is_weighted,
                table,
                is_cut,
                stack,
            )
        for e in range(m):
            if e == 0 or is_cut[e]:
                if used == len(counts):
                    counts = _longer_table(counts)
                    below, above = _longer(below), _longer(above)
                counts[used] = 0.0
                above[used] = rank[e]
                used += 1
                n_bins[j] += 1
            counts[used - 1, cls[e]] += weight[e]
            below[used - 1] = rank[e]
    return (
        counts[:used].copy(),
        n_bins,
        missing,
        below[:used].copy(),
        above[:used].copy(),
    )


@njit(cache=True, nogil=True)
def _longer_table(values):
    longer = np.empty((2 * values.shape[0], values.shape[1]))
    longer[: values.shape[0]] = values
    return longer


@njit(cache=True, nogil=True)
def _longer(values):
    longer = np.empty(2 * len(values), dtype=np.int32)
    longer[: len(values)] = values
    return longer
