"""Entropy cuts of sorted columns for many two-class problems at once.

One label against the rest, or one class against another: the counts of a problem are
kept as running totals over blocks of neighbouring values, so that a candidate cut
costs six table look-ups whatever the number of rows.
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
def log_table(n):
    """Return ``x log2 x`` for x = 0 .. n, with 0 at 0."""
    table = np.zeros(n + 1)
    for x in range(2, n + 1):
        table[x] = x * math.log2(x)
    return table


@njit(cache=True, nogil=True)
def _log2_choose(a, b):
    return (
        math.lgamma(a + 1.0) - math.lgamma(b + 1.0) - math.lgamma(a - b + 1.0)
    ) / math.log(2.0)


@njit(cache=True, nogil=True)
def _is_worth_it(rule, n, ones, left, left_ones, n_cuts, table):
    """Return whether the best cut of an interval pays for its own description."""
    right, right_ones = n - left, ones - left_ones
    cost = math.log2(n_cuts)
    if rule >= KONONENKO_DEFAULT:
        # both classes are there, or the cut would have gained nothing
        before = math.log2(n + 1.0) + _log2_choose(n, ones)
        after = (
            math.log2(left + 1.0)
            + _log2_choose(left, left_ones)
            + math.log2(right + 1.0)
            + _log2_choose(right, right_ones)
        )
        return before > cost + after - 1e-10 * before  # a tie is cut, as in Weka
    whole = (table[n] - table[ones] - table[n - ones]) / n
    on_left = (table[left] - table[left_ones] - table[left - left_ones]) / left
    on_right = (table[right] - table[right_ones] - table[right - right_ones]) / right
    k_left = (1 if left_ones > 0 else 0) + (1 if left_ones < left else 0)
    k_right = (1 if right_ones > 0 else 0) + (1 if right_ones < right else 0)
    gain = whole - (left * on_left + right * on_right) / n
    delta = math.log2(7.0) - (2 * whole - k_right * on_right - k_left * on_left)
    return gain > (cost + delta) / n + 1e-12  # not by rounding alone


@njit(cache=True, nogil=True)
def _mark_cuts(
    rule,
    n_blocks,
    rows,
    ones,
    values,
    table,
    is_cut,
    stack,
):
    """Set ``is_cut[b]`` where a cut lies between block ``b - 1`` and block ``b``.

    ``rows``, ``ones`` and ``values`` are running totals before each block: of rows,
    of rows of class one, and of distinct values.
    """
    for b in range(n_blocks + 1):
        is_cut[b] = False
    stack[0], stack[1] = 0, n_blocks
    top = 1
    while top > 0:
        top -= 1
        lo, hi = stack[2 * top], stack[2 * top + 1]
        if hi - lo < 2:
            continue
        row0, one0 = rows[lo], ones[lo]
        n, p = rows[hi] - row0, ones[hi] - one0
        if p == 0 or p == n:
            continue
        prior = table[n] - table[p] - table[n - p]
        # equal but for rounding counts as equal: the first minimum wins
        slack = 1e-11 * table[n]
        best, at = prior, -1
        for b in range(lo + 1, hi):
            left, left_ones = rows[b] - row0, ones[b] - one0
            right, right_ones = n - left, p - left_ones
            rest = (
                table[left]
                - table[left_ones]
                - table[left - left_ones]
                + table[right]
                - table[right_ones]
                - table[right - right_ones]
            )
            if rest < best - slack:
                best, at = rest, b
        if at < 0:
            continue
        if rule == FAYYAD_IRANI_DEFAULT or rule == KONONENKO_DEFAULT:
            n_cuts = n - 1
        else:
            n_cuts = values[hi] - values[lo] - 1
        if _is_worth_it(rule, n, p, rows[at] - row0, ones[at] - one0, n_cuts, table):
            is_cut[at] = True
            stack[2 * top], stack[2 * top + 1] = lo, at
            stack[2 * top + 2], stack[2 * top + 3] = at, hi
            top += 2


@njit(cache=True, nogil=True)
def _close_value(n_blocks, n, n_ones, merge, rows, ones, values):
    """Append one distinct value; return the number of blocks.

    Neighbouring values of one and the same class are one block where ``merge``: no
    best cut can part them (Fayyad and Irani 1992).
    """
    b = n_blocks
    if merge and b > 0:
        last, last_ones = rows[b] - rows[b - 1], ones[b] - ones[b - 1]
        if (n_ones == 0 and last_ones == 0) or (n_ones == n and last_ones == last):
            rows[b] += n
            ones[b] += n_ones
            values[b] += 1
            return b
    rows[b + 1] = rows[b] + n
    ones[b + 1] = ones[b] + n_ones
    values[b + 1] = values[b] + 1
    return b + 1


@njit(cache=True, nogil=True)
def _gain_ratio(n_blocks, rows, ones, table, is_cut):
    n, p = rows[n_blocks], ones[n_blocks]
    feature, joint = table[n], table[n]
    start = 0
    n_bins = 0
    for b in range(1, n_blocks + 1):
        if b == n_blocks or is_cut[b]:
            size, inside = rows[b] - rows[start], ones[b] - ones[start]
            feature -= table[size]
            joint -= table[inside] + table[size - inside]
            start = b
            n_bins += 1
    if n_bins < 2:
        return 0.0
    gain = (table[n] - table[p] - table[n - p]) + feature - joint
    if gain <= 1e-12 * table[n]:  # independent, but for rounding
        return 0.0
    return gain / feature


@njit(cache=True, nogil=True)
def pair_gain_ratios(
    order,
    ranks,
    n_known,
    label_start,
    label_of,
    n_labels,
    first,
    second,
    rules,
    table,
    features,
    result,
):
    """Write the gain ratio of each feature on each pair of labels.

    A pair's rows are those with exactly one of its two labels. Each feature is sorted
    once; a pair merges the sorted places of its two labels.

    Parameters
    ----------
    order, ranks : ndarray of shape (d, n), int
        Sorted rows of each feature and the ranks of their values.
    n_known : ndarray of shape (d,), int64
        Values that are not missing.
    label_start, label_of : ndarray, int
        Labels of row i: ``label_of[label_start[i]:label_start[i + 1]]``.
    n_labels : int
        Number of labels.
    first, second : ndarray of shape (s,), int
        The two labels of each pair.
    rules : ndarray of shape (d,), int
        Which rule cuts each feature.
    table : ndarray of shape (n + 1,), float64
        ``x log2 x``.
    features : ndarray of shape (d,), int
        Which row of ``result`` each feature has.
    result : ndarray with ``s`` columns, float64
        Zeros; takes gain ratios, from 0 to 1.
    """
    d, n = order.shape
    n_pairs = len(first)
    size = np.zeros(n_labels + 1, dtype=np.int64)
    for e in range(len(label_of)):
        size[label_of[e] + 1] += 1
    begin = np.cumsum(size)
    end = np.empty(n_labels, dtype=np.int64)
    place = np.empty(len(label_of) + 1, dtype=np.int32)
    rows = np.zeros(n + 1, dtype=np.int64)
    ones = np.zeros(n + 1, dtype=np.int64)
    values = np.zeros(n + 1, dtype=np.int64)
    is_cut = np.zeros(n + 1, dtype=np.bool_)
    stack = np.empty(2 * n + 4, dtype=np.int64)
    for j in range(d):
        for c in range(n_labels):
            end[c] = begin[c]
        for i in range(n_known[j]):
            row = order[j, i]
            for e in range(label_start[row], label_start[row + 1]):
                c = label_of[e]
                place[end[c]] = i
                end[c] += 1
        merge = rules[j] != EVERY_VALUE
        for s in range(n_pairs):
            a, a_end = begin[first[s]], end[first[s]]
            b, b_end = begin[second[s]], end[second[s]]
            n_blocks, rank, count, n_ones = 0, -1, 0, 0
            while a < a_end or b < b_end:
                if b >= b_end:
                    at, one = place[a], 0
                    a += 1
                elif a >= a_end or place[b] < place[a]:
                    at, one = place[b], 1
                    b += 1
                elif place[a] < place[b]:
                    at, one = place[a], 0
                    a += 1
                else:  # a row with both labels
                    a += 1
                    b += 1
                    continue
                if ranks[j, at] != rank:
                    if count > 0:
                        n_blocks = _close_value(
                            n_blocks, count, n_ones, merge, rows, ones, values
                        )
                    rank, count, n_ones = ranks[j, at], 0, 0
                count += 1
                n_ones += one
            if count == 0:
                continue
            n_blocks = _close_value(n_blocks, count, n_ones, merge, rows, ones, values)
            if merge:
                _mark_cuts(rules[j], n_blocks, rows, ones, values, table, is_cut, stack)
            else:
                for k in range(n_blocks + 1):
                    is_cut[k] = True
            result[features[j], s] = _gain_ratio(n_blocks, rows, ones, table, is_cut)


@njit(cache=True, nogil=True)
def label_tables(
    rows_of,
    ranks,
    start,
    n_known,
    zero_rank,
    codes,
    rules,
    table,
):
    """Return the counts of each feature's bins for each label on its own.

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
    codes : ndarray of shape (L, n), uint8
        0/1 labels.
    rules : ndarray of shape (d,), int64
        Which rule cuts each feature.
    table : ndarray of shape (n + 1,), float64
        ``x log2 x``.

    Returns
    -------
    counts : ndarray of shape (n_bins, 2), float64
        Rows without and with the label, bin after bin, label after label within
        a feature.
    n_bins : ndarray of shape (d, L), int64
        Bins of each pair.
    missing : ndarray of shape (d, L, 2), float64
        Rows without and with the label where the feature is missing.
    """
    d, (n_labels, n) = len(n_known), codes.shape
    counts = np.empty((max(4 * d * n_labels, 16), 2))
    used = 0
    n_bins = np.zeros((d, n_labels), dtype=np.int64)
    missing = np.zeros((d, n_labels, 2))
    n_with = np.zeros(n_labels, dtype=np.int64)
    for c in range(n_labels):
        for i in range(n):
            n_with[c] += codes[c, i]
    rows = np.zeros(n + 2, dtype=np.int64)
    ones = np.zeros(n + 2, dtype=np.int64)
    values = np.zeros(n + 2, dtype=np.int64)
    is_cut = np.zeros(n + 2, dtype=np.bool_)
    stack = np.empty(2 * n + 8, dtype=np.int64)
    for j in range(d):
        lo, known, hi = start[j], start[j] + n_known[j], start[j + 1]
        merge = rules[j] != EVERY_VALUE
        for c in range(n_labels):
            code = codes[c]
            for i in range(known, hi):
                missing[j, c, code[rows_of[i]]] += 1
            zero = zero_rank[j]
            zeros, zero_ones = 0, 0
            if zero >= 0:
                zeros = n - (hi - lo)
                zero_ones = n_with[c]
                for i in range(lo, hi):
                    zero_ones -= code[rows_of[i]]
            n_blocks, rank, count, n_ones = 0, -1, 0, 0
            if zero == 0:
                n_blocks = _close_value(0, zeros, zero_ones, merge, rows, ones, values)
            for i in range(lo, known):
                if ranks[i] != rank:
                    if count > 0:
                        n_blocks = _close_value(
                            n_blocks, count, n_ones, merge, rows, ones, values
                        )
                    if zero > 0 and rank < zero and ranks[i] > zero:
                        n_blocks = _close_value(
                            n_blocks, zeros, zero_ones, merge, rows, ones, values
                        )
                    rank, count, n_ones = ranks[i], 0, 0
                count += 1
                n_ones += code[rows_of[i]]
            if count > 0:
                n_blocks = _close_value(
                    n_blocks, count, n_ones, merge, rows, ones, values
                )
            if zero > 0 and rank < zero:
                n_blocks = _close_value(
                    n_blocks, zeros, zero_ones, merge, rows, ones, values
                )
            if merge:
                _mark_cuts(rules[j], n_blocks, rows, ones, values, table, is_cut, stack)
            else:
                for b in range(n_blocks + 1):
                    is_cut[b] = True
            if used + n_blocks > len(counts):
                larger = np.empty((2 * len(counts) + n_blocks, 2))
                larger[:used] = counts[:used]
                counts = larger
            last = 0
            for b in range(1, n_blocks + 1):
                if b == n_blocks or is_cut[b]:
                    inside = ones[b] - ones[last]
                    counts[used, 0] = rows[b] - rows[last] - inside
                    counts[used, 1] = inside
                    used += 1
                    n_bins[j, c] += 1
                    last = b
    return counts[:used].copy(), n_bins, missing
