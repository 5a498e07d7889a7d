"""Scores of every feature with every label from counts, without a table in memory.

Chi-square: for bins ``v`` of ``R_v`` rows, of which ``O_v`` carry a label of ``p``
among ``N``, it is ``S / (p (N - p))`` with ``S = sum_v (N O_v - R_v p)^2 / R_v``.
Information: ``x log2 x`` is summed over the cells. Labels of equal ``p`` make a class;
those that a feature meets never or once are handled a class at a time. Sums carry
their rounding errors along, so that the order in which labels are met has no say.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

CHI2, SIMPLIFIED, P_VALUE, CRAMERS_V = 0, 1, 2, 3
GAIN, GAIN_RATIO, SYMMETRICAL, NORMALIZED = 4, 5, 6, 7
GROUP = 256  # rows whose labels are fetched together


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


@njit(cache=True, nogil=True)
def x_log_x(x, logs):
    """Return ``x log2 x`` of a whole number, from the table as far as it goes."""
    if x < len(logs):
        return logs[x]
    return x * math.log2(x)


@njit(cache=True, nogil=True)
def value_of(kind, raw, c, classes, n, df, whole, bins):
    """Return the score of a pair from its deviation or cells; the rest is x log x."""
    divisor, class_logs = classes[1], classes[2]
    if kind < GAIN:
        value = raw / divisor[c]
        if kind == P_VALUE:
            return minus_log10_p(value, df)
        return math.sqrt(value / n) if kind == CRAMERS_V else value
    gain = whole - bins - class_logs[c] + raw
    if not gain > 1e-12 * whole:
        return 0.0
    gain /= n
    if kind == GAIN:
        return gain
    feature, target = max(whole - bins, 0.0) / n, max(whole - class_logs[c], 0.0) / n
    if kind == GAIN_RATIO:
        return gain / feature if feature > 0.0 else 0.0
    total = feature + target
    if kind == SYMMETRICAL:
        gain *= 2
    return gain / total if total > 0.0 else 0.0


@njit(cache=True, nogil=True)
def raw_of_two(kind, together, p, m, n, logs):
    """Return what ``value_of`` needs for one bin of ``m`` rows and the default one."""
    if kind < GAIN:
        gap = np.float64(n * together - m * p)
        return gap * gap * (np.float64(n) / (np.float64(m) * (n - m)))
    cells = x_log_x(n - m - p + together, logs) + x_log_x(p - together, logs)
    return cells + x_log_x(m - together, logs) + x_log_x(together, logs)


@njit(cache=True, nogil=True)
def values_of_classes(kind, m, base, n, df, bins, classes, logs, value, one_value):
    """Write the scores of labels that meet the bins off the default never, or once."""
    class_p = classes[0]
    left, whole = n - m, x_log_x(n, logs)
    for c in range(len(class_p)):
        p = class_p[c]
        value[c] = one_value[c] = 0.0
        if p <= left:
            if kind < GAIN:
                raw = np.float64(p) * p * m * (np.float64(n) / left) if left else 0.0
            else:
                cells = base if base >= 0.0 else x_log_x(m, logs)
                raw = x_log_x(left - p, logs) + x_log_x(p, logs) + cells
            value[c] = value_of(kind, raw, c, classes, n, df, whole, bins)
        if base < 0.0 and 1 <= p <= left + 1 and left:
            raw = raw_of_two(kind, 1, p, m, n, logs)
            one_value[c] = value_of(kind, raw, c, classes, n, df, whole, bins)


@njit(cache=True, nogil=True)
def add(sums, x):
    """Add ``x`` to ``sums[0] + sums[1]``, losing next to nothing."""
    total = sums[0]
    s = total + x
    back = s - total
    sums[1] += (total - (s - back)) + (x - back)
    sums[0] = s


@njit(cache=True, nogil=True)
def add_times(sums, times, x):
    """Add ``x`` so many times; both products are exact below 2**26 times."""
    if times == 0:
        return
    high = 134217729.0 * x - (134217729.0 * x - x)
    add(sums, times * high)
    add(sums, times * (x - high))


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
def meet(rows, Y, together, met, buffers):
    """Count how often the rows carry each label; list the labels; return how many.

    In three loops, a few rows at a time, so that none waits for memory far away.
    ``met`` has a place more than there are labels: it is written before it is known
    whether the label is new.
    """
    y_indptr, y_indices = Y
    start, stop, labels = buffers
    n_met, done = 0, 0
    while done < len(rows):
        size, total = 0, 0
        while size < GROUP and done + size < len(rows):
            i = rows[done + size]
            start[size], stop[size] = y_indptr[i], y_indptr[i + 1]
            longer = total + stop[size] - start[size]
            if longer > len(labels) and size > 0:
                break
            total = longer
            size += 1
        if total > len(labels):
            labels = np.empty(total, met.dtype)
        k = 0
        for j in range(size):
            for place in range(start[j], stop[j]):
                labels[k] = y_indices[place]
                k += 1
        for j in range(total):
            label = labels[j]
            met[n_met] = label
            n_met += together[label] == 0
            together[label] += 1
        done += size
    return n_met


@njit(cache=True, nogil=True)
def fold(kind, count, size, label, p, n, logs, more):
    """Add a bin of ``size`` rows, ``count`` of them with the label, to its ``raw``."""
    raw, seen, whole = more
    if kind < GAIN:
        gap = np.float64(n * np.int64(count) - size * p)
        raw[label] += gap * gap / size
    else:
        cells = x_log_x(count, logs) + x_log_x(size - count, logs)
        raw[label] += cells - x_log_x(size, logs)
    seen[label] += size
    whole[label] += count


@njit(cache=True, nogil=True)
def completed(kind, label, p, m, n, base, logs, more):
    """Return ``raw`` of a label with the bins that it does not meet; clear its place.

    ``base`` is the sum of ``x log2 x`` over the bins off the default.
    """
    raw, seen, whole = more
    left = n - m
    value, rest = raw[label], p - whole[label]
    if kind < GAIN:
        value += np.float64(p) * p * (m - seen[label])
        if left > 0:
            gap = np.float64(n * rest - left * p)
            value += gap * gap / left
    else:
        value += base + x_log_x(left - rest, logs) + x_log_x(rest, logs)
    raw[label], seen[label], whole[label] = 0.0, 0, 0
    return value


@njit(cache=True, nogil=True)
def finish(classes_met, n_classes_met, state, class_size, q, is_monotone, sums):
    """Put the total of no label met right; return the mean over labels."""
    touched, ones, value, one_value = state
    for k in range(n_classes_met):
        c = classes_met[k]
        add_times(sums, -np.float64(touched[c]), value[c])
        if ones[c] > 0:
            add_times(sums, np.float64(ones[c]), one_value[c])
            sums[2] = max(sums[2], one_value[c])
            sums[3] = min(sums[3], one_value[c])
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
    return (sums[0] + sums[1]) / q


@njit(cache=True, nogil=True)
def insert_absent(touched, value, class_size, together, label_at, is_monotone, top):
    """Put labels that were not met into the list of the best."""
    values, labels = top
    first = 0
    for c in range(len(class_size)):
        worst, is_absent = values[-1], class_size[c] > touched[c]
        if is_absent and value[c] >= worst and value[c] > 0.0:
            left = len(values)
            for rank in range(first, first + class_size[c]):
                if together[rank] == 0:
                    insert(value[c], rank, label_at, values, labels)
                    left -= 1
                    if left == 0:
                        break
        elif is_monotone and is_absent and value[c] < worst:
            break
        first += class_size[c]


@njit(cache=True, nogil=True)
def begin(kind, m, base, filled, last_m, n, df, labels, logs, state, sums):
    """Set class values and the total of no label met; return the next ``last_m``."""
    class_size, classes = labels[1], labels[2]
    value, one_value = state[2], state[3]
    is_two = filled == 1
    if not (is_two and m == last_m):
        bins = base + x_log_x(n - m, logs)
        given = -1.0 if is_two else base
        values_of_classes(kind, m, given, n, df, bins, classes, logs, value, one_value)
        sums[0] = sums[1] = 0.0
        for c in range(len(class_size)):
            add_times(sums, np.float64(class_size[c]), value[c])
        sums[4], sums[5] = sums[0], sums[1]
    sums[0], sums[1], sums[2], sums[3] = sums[4], sums[5], 0.0, np.inf
    return m if is_two else -1


@njit(cache=True, nogil=True)
def score_rows(
    rows, bin_start, first_bin, n, Y, labels, logs, kind, order, room, out, pairs, tops
):
    """Score features from the rows of their bins.

    The rows of bin ``b`` are ``rows[bin_start[b]:bin_start[b + 1]]``; the bins of a
    feature, but the default one, start with ``first_bin[f]``. ``Y`` holds pointers and
    label numbers of rows, of frequent labels small ones; ``labels`` the class of each
    number, of a class size and (rows, divisor, x log x of both sides), and the label
    of each number. Let ``order`` have features of equal size together.
    """
    label_class, class_size, classes, label_at = labels
    together, met, listed, state, buffers = room
    touched, ones, value, _ = state
    q = len(label_class)
    more = np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64)
    again = np.empty(0, np.uint32)
    sums, last_m, is_monotone, n_top = np.zeros(6), -1, kind < GAIN, tops[0].shape[1]
    for k in range(len(order)):
        f = order[k]
        some = bin_start[first_bin[f] : first_bin[f + 1] + 1]
        m, filled, base = some[-1] - some[0], 0, 0.0
        for b in range(len(some) - 1):
            size = some[b + 1] - some[b]
            filled += size > 0
            base += x_log_x(size, logs)
        df = filled - 1 + (m < n)
        out[f] = 0.0
        if df < 1:
            if len(pairs):
                pairs[f] = 0.0
            continue
        last_m = begin(kind, m, base, filled, last_m, n, df, labels, logs, state, sums)
        is_two, n_met = filled == 1, 0
        bins = base + x_log_x(n - m, logs)
        whole = x_log_x(n, logs)
        if is_two:
            n_met = meet(rows[some[0] : some[-1]], Y, together, met, buffers)
        else:
            if len(again) == 0:
                more = np.zeros(q), np.zeros(q, np.int64), np.zeros(q, np.int64)
                again = np.empty(q + 1, np.uint32)
            for b in range(len(some) - 1):
                part = rows[some[b] : some[b + 1]]
                for j in range(meet(part, Y, together, again, buffers)):
                    label = again[j]
                    met[n_met] = label
                    n_met += more[2][label] == 0
                    p = classes[0][label_class[label]]
                    fold(kind, together[label], len(part), label, p, n, logs, more)
                    together[label] = 0
        if len(pairs):
            for label in range(q):
                pairs[f, label_at[label]] = value[label_class[label]]
        floor, worst, n_listed = 0.0, np.int64(-1), 0
        for j in range(n_met):
            label = met[j]
            c = label_class[label]
            if touched[c] == 0:
                listed[n_listed] = c
                n_listed += 1
            touched[c] += 1
            if is_two and together[label] == 1:
                ones[c] += 1
                score = state[3][c]
            else:
                p = classes[0][c]
                if is_two:
                    raw = raw_of_two(kind, np.int64(together[label]), p, m, n, logs)
                else:
                    raw = completed(kind, label, p, m, n, base, logs, more)
                    together[label] = 1
                score = value_of(kind, raw, c, classes, n, df, whole, bins)
                add(sums, score)
                sums[2], sums[3] = max(sums[2], score), min(sums[3], score)
            if len(pairs):
                pairs[f, label_at[label]] = score
            # of equal labels of one class, the lower number is the lower label
            if score >= floor and n_top > 0 and score > 0.0:
                if score > floor or label < worst or label_class[worst] != c:
                    insert(score, label, label_at, tops[0][f], tops[1][f])
                    floor, worst = tops[0][f, n_top - 1], tops[1][f, n_top - 1]
        out[f, 0] = finish(listed, n_listed, state, class_size, q, is_monotone, sums)
        out[f, 1], out[f, 2] = sums[2], sums[3]
        if n_top > 0:
            top = tops[0][f], tops[1][f]
            insert_absent(
                touched, value, class_size, together, label_at, is_monotone, top
            )
            for j in range(n_top):
                if top[1][j] >= 0:
                    top[1][j] = label_at[top[1][j]]
        for j in range(n_met):
            together[met[j]] = 0
        for j in range(n_listed):
            touched[listed[j]] = ones[listed[j]] = 0
