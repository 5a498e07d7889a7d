"""Scores of every feature with every label from counts, without a table in memory.

Chi-square: for bins ``v`` of ``R_v`` rows, of which ``O_v`` carry a label of ``p``
among ``N``, it is ``S / (p (N - p))`` with ``S = sum_v (N O_v - R_v p)^2 / R_v``.
Information: ``x log2 x`` is summed over the cells. Labels of equal ``p`` make a class;
those that a feature never meets are handled a class at a time, and so are rare ones
that it meets equally often. Sums carry their rounding errors along, so that the order
in which labels are met has no say.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

CHI2, SIMPLIFIED, P_VALUE, CRAMERS_V = 0, 1, 2, 3
GAIN, GAIN_RATIO, SYMMETRICAL, NORMALIZED = 4, 5, 6, 7


@njit(cache=True, nogil=True)
def minus_log10_p(x, df):
    """Return -log10 of the chance that chi-square with ``df`` degrees exceeds ``x``.

    The upper incomplete gamma function, in logarithms: a continued fraction beyond
    the mean, one minus the series below it.
    """
    if x <= 0.0 or df < 1:
        return 0.0
    a, t = 0.5 * df, 0.5 * x
    front = a * math.log(t) - t - math.lgamma(a)
    if t < a + 1.0:
        term = total = 1.0 / a
        k = a
        while term > total * 1e-17:
            k += 1.0
            term *= t / k
            total += term
        lower = math.exp(front + math.log(total))
        if lower >= 1.0:
            lower = 1.0 - 1e-16
        return -math.log1p(-lower) / math.log(10.0)
    # Lentz evaluation of the continued fraction; t > a keeps all parts above 0
    b, c = t + 1.0 - a, 1e300
    d = fraction = 1.0 / b
    for k in range(1, 10000):
        step = -k * (k - a)
        b += 2.0
        d = 1.0 / (step * d + b)
        c = b + step / c
        change = d * c
        fraction *= change
        if abs(change - 1.0) < 1e-16:
            break
    return -(front + math.log(fraction)) / math.log(10.0)


@njit(cache=True, nogil=True)
def p_values(statistics, df):
    """Replace statistics (features x labels) by -log10 of their p-values."""
    for f in range(len(statistics)):
        for label in range(statistics.shape[1]):
            statistics[f, label] = minus_log10_p(statistics[f, label], df[f])


@njit(cache=True, nogil=True, forceinline=True)
def x_log_x(x, logs):
    """Return ``x log2 x`` of a whole number, from the table as far as it goes."""
    if x < len(logs):
        return logs[x]
    return x * math.log2(x) if x > 0 else 0.0


@njit(cache=True, nogil=True)
def raws_of_two(kind, m, n, logs, class_p, of, together, raw):
    """Write what ``make_values`` needs for a bin of ``m`` rows and the default one."""
    if kind < GAIN:
        scale = np.float64(n) / (np.float64(m) * (n - m))
        for k in range(len(of)):
            gap = np.float64(n * together[k] - m * class_p[of[k]])
            raw[k] = gap * gap * scale
        return
    for k in range(len(of)):
        both, p = together[k], class_p[of[k]]
        cells = x_log_x(n - m - p + both, logs) + x_log_x(p - both, logs)
        raw[k] = cells + x_log_x(m - both, logs) + x_log_x(both, logs)


@njit(cache=True, nogil=True)
def make_values(kind, classes, n, df, whole, bins, of, values):
    """Make scores of deviations or sums over the cells; the rest is x log x."""
    divisor, class_logs = classes[1], classes[2]
    if kind < GAIN:
        for k in range(len(of)):
            values[k] /= divisor[of[k]]
            if kind == P_VALUE:
                values[k] = minus_log10_p(values[k], df)
            elif kind == CRAMERS_V:
                values[k] = math.sqrt(values[k] / n)
        return
    for k in range(len(of)):
        logs_of_label = class_logs[of[k]]
        gain = whole - bins - logs_of_label + values[k]
        gain = gain / n if gain > 1e-12 * whole else 0.0
        if kind != GAIN:
            feature = max(whole - bins, 0.0) / n
            total = feature + max(whole - logs_of_label, 0.0) / n
            if kind == GAIN_RATIO:
                total = feature
            elif kind == SYMMETRICAL:
                gain *= 2
            gain = gain / total if total > 0.0 else 0.0
        values[k] = gain


@njit(cache=True, nogil=True)
def values_of_classes(kind, m, base, n, df, logs, classes, each, value):
    """Write the scores of labels that never meet the bins off the default.

    ``each`` numbers the classes, ``base`` sums ``x log2 x`` over these bins.
    """
    class_p, left, whole = classes[0], n - m, x_log_x(n, logs)
    for c in range(len(class_p)):
        p = class_p[c]
        if p > left:
            value[c] = 0.0
        elif kind < GAIN:
            value[c] = np.float64(p) * p * m * (np.float64(n) / left) if left else 0.0
        else:
            value[c] = x_log_x(left - p, logs) + x_log_x(p, logs) + base
    bins = base + x_log_x(left, logs)
    make_values(kind, classes, n, df, whole, bins, each, value)
    for c in range(len(class_p)):
        if class_p[c] > left:
            value[c] = 0.0


@njit(cache=True, nogil=True, forceinline=True)
def added(total, error, x):
    """Return ``total + error + x`` in two parts, losing next to nothing."""
    s = total + x
    back = s - total
    return s, error + ((total - (s - back)) + (x - back))


@njit(cache=True, nogil=True, forceinline=True)
def added_times(total, error, times, x):
    """Add ``x`` so many times; both products are exact below 2**26 times."""
    if times == 1:
        return added(total, error, x)
    high = 134217729.0 * x - (134217729.0 * x - x)
    total, error = added(total, error, times * high)
    return added(total, error, times * (x - high))


@njit(cache=True, nogil=True)
def insert(value, label, label_at, values, labels):
    """Put a label number into a short list, best first; equal scores by label."""
    k = len(values) - 1
    if not comes_before(value, label, values[k], labels[k], label_at):
        return
    while k > 0 and comes_before(value, label, values[k - 1], labels[k - 1], label_at):
        values[k], labels[k] = values[k - 1], labels[k - 1]
        k -= 1
    values[k], labels[k] = value, label


@njit(cache=True, nogil=True)
def comes_before(value, label, other_value, other, label_at):
    """Return whether one label is better than another, or than none (-1)."""
    if value != other_value:
        return value > other_value
    return other < 0 or label_at[label] < label_at[other]


@njit(cache=True, nogil=True)
def begin(kind, m, base, is_two, n, df, labels, logs, state, sums):
    """Set the class values and the total of no label met, unless they are those."""
    class_size, classes = labels[1], labels[2]
    _, value, each, _, held = state
    if not (is_two and m == held[0]):
        values_of_classes(kind, m, base, n, df, logs, classes, each, value)
        total = error = 0.0
        for c in range(len(class_size)):
            total, error = added_times(total, error, class_size[c], value[c])
        sums[4], sums[5] = total, error
    sums[0], sums[1], sums[2], sums[3] = sums[4], sums[5], 0.0, np.inf
    held[0], held[1] = m if is_two else -1, 0


@njit(cache=True, nogil=True)
def account(of, times, values, state, sums):
    """Add scores that so many labels of a class have; note how many were met."""
    touched, _, _, listed, held = state
    total, error, most, least, n_listed = sums[0], sums[1], sums[2], sums[3], held[1]
    for k in range(len(of)):
        c = of[k]
        listed[n_listed] = c
        n_listed += touched[c] == 0
        touched[c] += times[k]
        total, error = added_times(total, error, times[k], values[k])
        most, least = max(most, values[k]), min(least, values[k])
    sums[0], sums[1], sums[2], sums[3], held[1] = total, error, most, least, n_listed


@njit(cache=True, nogil=True)
def finish(state, class_size, q, is_monotone, sums):
    """Put the total of no label met right; return the mean over labels."""
    touched, value, _, listed, held = state
    total, error = sums[0], sums[1]
    for k in range(held[1]):
        c = listed[k]
        total, error = added_times(total, error, touched[c], -value[c])
    last = len(class_size) - 1
    for c in range(len(class_size)):
        if class_size[c] > touched[c]:
            sums[2] = max(sums[2], value[c])
            sums[3] = min(sums[3], value[c])
            if is_monotone:
                break
    if is_monotone:  # larger classes have larger values; they come first
        while last >= 0 and class_size[last] <= touched[last]:
            last -= 1
        if last >= 0:
            sums[3] = min(sums[3], value[last])
    return (total + error) / q


@njit(cache=True, nogil=True)
def lowest_of_best(values, times, bar):
    """Return the least of the best scores, of which so many labels have each."""
    bar[:] = lowest = 0.0
    for k in range(len(values)):
        score, left = values[k], times[k]
        while score > lowest and left > 0:
            place = len(bar) - 1
            while place > 0 and bar[place - 1] < score:
                bar[place] = bar[place - 1]
                place -= 1
            bar[place], lowest = score, bar[-1]
            left -= 1
        lowest = bar[-1]
    return lowest


@njit(cache=True, nogil=True)
def offer(met, entry, first, values, floor, label_class, label_at, top):
    """Insert labels of at least the score ``floor`` into the list of the best.

    The score of ``met[k]`` is ``values[entry[k] - first]``.
    """
    kept, best = top
    for k in range(len(met)):
        score = values[entry[k] - first]
        if score < floor or score <= 0.0:
            continue
        # of equal labels of one class, the lower number is the lower label
        label, worst = met[k], best[-1]
        is_new = label < worst or label_class[worst] != label_class[label]
        if score > kept[-1] or is_new:
            insert(score, label, label_at, kept, best)


@njit(cache=True, nogil=True)
def insert_absent(touched, value, class_size, met, label_at, is_monotone, top, seen):
    """Put labels that were not met into the list of the best.

    ``seen`` is all zeros, and left like that.
    """
    kept, best = top
    first, is_marked = 0, False
    for c in range(len(class_size)):
        worst, is_absent = kept[-1], class_size[c] > touched[c]
        if is_absent and value[c] >= worst and value[c] > 0.0:
            if not is_marked:
                is_marked = True
                seen[met] = 1
            left = len(kept)
            for rank in range(first, first + class_size[c]):
                if seen[rank] == 0:
                    insert(value[c], rank, label_at, kept, best)
                    left -= 1
                    if left == 0:
                        break
        elif is_monotone and is_absent and value[c] < worst:
            break
        first += class_size[c]
    if is_marked:
        seen[met] = 0


@njit(cache=True, nogil=True)
def score_entries(
    span, bins, starts, features, sizes, n, labels, logs, kind, entries, room, into
):
    """Score features from the labels that they meet.

    Parameters
    ----------
    span : tuple of int
        The features are ``features[i]`` for ``i`` in that span. Let those of equal
        size stand together.
    bins, starts, sizes : ndarray of int64
        The filled bins of feature ``i`` but the default one are
        ``bins[starts[i]:starts[i + 1]]``; ``sizes`` are the rows of each bin.
    n : int
        Rows in all.
    labels : tuple
        Class of each label number; of each class its size and (rows, divisor, x log x
        of both sides); label of each number.
    logs : ndarray of float64
        Table of ``x log2 x``.
    kind : int
        What to score.
    entries : tuple of ndarray
        As ``labelsift.kernels.pair_entries`` writes them, and an array for their
        scores, which holds the sums of features of several bins.
    room : tuple of ndarray
        Where class values are kept between calls.
    into : tuple of ndarray
        Written: mean, maximum and minimum; scores of all pairs, unless empty; and of
        the best labels scores and numbers.
    """
    label_class, class_size, classes, label_at = labels
    of, together, times, ends, met, entry, met_ends, all_values = entries
    state, sums, seen, bar = room
    touched, value, _, listed, held = state
    out, pairs, top_scores, top_labels = into
    whole, is_monotone = x_log_x(n, logs), kind < GAIN
    at, met_at = 0, 0
    for i in range(span[0], span[1]):
        f, m, base = features[i], 0, 0.0
        for b in bins[starts[i] : starts[i + 1]]:
            m += sizes[b]
            base += x_log_x(sizes[b], logs)
        df = starts[i + 1] - starts[i] - 1 + (m < n)
        is_two = starts[i + 1] - starts[i] == 1
        begin(kind, m, base, is_two, n, df, labels, logs, state, sums)
        here = slice(at, ends[i - span[0]])
        classes_here, values = of[here], all_values[here]
        if is_two:
            class_p, both = classes[0], together[here]
            raws_of_two(kind, m, n, logs, class_p, classes_here, both, values)
        bins_part = base + x_log_x(n - m, logs)
        make_values(kind, classes, n, df, whole, bins_part, classes_here, values)
        account(classes_here, times[here], values, state, sums)
        out[f, 0] = finish(state, class_size, len(label_class), is_monotone, sums)
        out[f, 1], out[f, 2] = sums[2], sums[3]
        some = slice(met_at, met_ends[i - span[0]])
        if len(pairs):
            for label in range(len(label_class)):
                pairs[f, label_at[label]] = value[label_class[label]]
            for k in range(some.start, some.stop):
                pairs[f, label_at[met[k]]] = all_values[entry[k]]
        if len(bar):
            top = top_scores[f], top_labels[f]
            floor = lowest_of_best(values, times[here], bar)
            offer(met[some], entry[some], at, values, floor, label_class, label_at, top)
            insert_absent(
                touched, value, class_size, met[some], label_at, is_monotone, top, seen
            )
        for k in range(held[1]):
            touched[listed[k]] = 0
        at, met_at = here.stop, some.stop
