"""Chi-square of every feature with every label, without a table in memory.

For feature bins ``v`` with ``R_v`` rows, of which ``O_v`` carry a label of ``p`` among
``N`` rows, the statistic is ``S / (p (N - p))`` with the deviation
``S = sum_v (N O_v - R_v p)^2 / R_v``. Labels that meet no bin but the default one share
a value with all such labels of equal ``p``, so they are handled a class of equal ``p``
at a time. Sums over labels carry their rounding errors along: they come out the same
whatever the order in which labels are met.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

PLAIN, P_VALUE, CRAMERS_V = 0, 1, 2


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
        term = 1.0 / a
        total = term
        k = a
        while term > total * 1e-17:
            k += 1.0
            term *= t / k
            total += term
        lower = math.exp(front + math.log(total))
        if lower >= 1.0:
            lower = 1.0 - 1e-16
        return -math.log1p(-lower) / math.log(10.0)
    # modified Lentz evaluation of the continued fraction
    b = t + 1.0 - a
    c = 1e300
    d = 1.0 / b
    fraction = d
    for k in range(1, 10000):
        step = -k * (k - a)
        b += 2.0
        d = step * d + b
        if abs(d) < 1e-300:
            d = 1e-300
        c = b + step / c
        if abs(c) < 1e-300:
            c = 1e-300
        d = 1.0 / d
        change = d * c
        fraction *= change
        if abs(change - 1.0) < 1e-16:
            break
    return -(front + math.log(fraction)) / math.log(10.0)


@njit(cache=True, nogil=True)
def value_of(deviation, divisor, n, df, correction):
    """Return the score of one pair from its deviation ``S``."""
    value = deviation / divisor
    if correction == P_VALUE:
        return minus_log10_p(value, df)
    if correction == CRAMERS_V:
        return math.sqrt(value / n)
    return value


@njit(cache=True, nogil=True)
def untouched_deviation(p, m, n, n_default):
    """Return ``S`` of a label whose rows all lie in the default bin."""
    if n_default == 0:
        return 0.0
    return np.float64(p) * p * m * (np.float64(n) / n_default)


@njit(cache=True, nogil=True)
def single_deviation(together, p, m, n, n_default):
    """Return ``S`` where one bin beside the default holds all the other rows."""
    gap = np.float64(n * together - m * p)
    return gap * gap * (np.float64(n) / (np.float64(m) * n_default))


@njit(cache=True, nogil=True)
def whole_deviation(deviation, seen, together, p, m, n, n_default):
    """Complete ``S`` from the bins that meet the label, which hold ``seen`` rows."""
    deviation += np.float64(p) * p * (m - seen)
    if n_default > 0:
        gap = np.float64(n * (p - together) - n_default * p)
        deviation += gap * gap / n_default
    return deviation


@njit(cache=True, nogil=True)
def add(total, error, x):
    """Add ``x`` to the sum ``total + error``, losing next to nothing."""
    s = total + x
    back = s - total
    return s, error + ((total - (s - back)) + (x - back))


@njit(cache=True, nogil=True)
def finish(out, f, total, error, most, least, untouched, class_touched, class_value, q):
    """Add the labels that were not met, a class at a time, and write the aggregates."""
    for c in range(len(untouched)):
        left = untouched[c] - class_touched[c]
        class_touched[c] = 0
        if left > 0:
            value = class_value[c]
            total, error = add(total, error, left * value)
            most = max(most, value)
            least = min(least, value)
    out[f, 0] = (total + error) / q
    out[f, 1] = most
    out[f, 2] = least


@njit(cache=True, nogil=True)
def score_rows(
    dense,
    dense_codes,
    indptr,
    indices,
    codes,
    n_bins,
    default,
    n,
    y_indptr,
    y_indices,
    label_class,
    class_p,
    class_divisor,
    class_size,
    correction,
    label_at,
    start,
    stop,
    out,
    table,
):
    """Score features from coded rows; see ``labelsift.score.chi2`` for the arguments.

    Labels are numbered by class; ``label_at`` gives the column of ``table`` of each.
    ``table`` has no rows when pairs are not wanted.
    """
    q, n_classes = len(label_class), len(class_p)
    longest, widest = 0, 1
    for f in range(start, stop):
        if not dense:
            longest = max(longest, indptr[f + 1] - indptr[f])
        widest = max(widest, n_bins[f])
    if dense:
        longest = n
    together = np.zeros(q, np.int32)
    met = np.empty(q, np.int32)
    many = widest > 2
    for f in range(start, stop):
        many = many or default[f] < 0
    size = q if many else 0
    whole = np.zeros(size, np.int32)
    seen = np.zeros(size, np.int64)
    deviation = np.zeros(size, np.float64)
    ever_met = np.empty(size, np.int32)
    rows = np.empty(longest, np.int32)
    bin_start = np.zeros(widest + 1, np.int64)
    fill = np.zeros(widest + 1, np.int64)
    class_touched = np.zeros(n_classes, np.int64)
    class_value = np.zeros(n_classes, np.float64)
    write = table.shape[0] > 0
    for f in range(start, stop):
        r, zero = n_bins[f], default[f]
        # rows off the default bin, by bin
        bin_start[: r + 1] = 0
        if dense:
            for i in range(n):
                bin_start[dense_codes[f, i] + 1] += 1
            if zero >= 0:
                bin_start[zero + 1] = 0
        elif r == 2 and zero >= 0:
            bin_start[2 - zero] = indptr[f + 1] - indptr[f]
        else:
            for place in range(indptr[f], indptr[f + 1]):
                bin_start[codes[place] + 1] += 1
        filled = 0
        for b in range(r):
            if bin_start[b + 1] > 0:
                filled += 1
            bin_start[b + 1] += bin_start[b]
            fill[b] = bin_start[b]
        m = bin_start[r]
        n_default = n - m
        used = filled + (1 if n_default > 0 else 0)
        if used < 2:
            out[f, 0] = 0.0
            out[f, 1] = 0.0
            out[f, 2] = 0.0
            if write:
                table[f, :] = 0.0
            continue
        if dense:
            for i in range(n):
                b = dense_codes[f, i]
                if b != zero:
                    rows[fill[b]] = i
                    fill[b] += 1
        elif filled > 1:
            for place in range(indptr[f], indptr[f + 1]):
                b = codes[place]
                rows[fill[b]] = indices[place]
                fill[b] += 1
        else:
            rows[:m] = indices[indptr[f] : indptr[f + 1]]
        df = used - 1
        for c in range(n_classes):
            class_value[c] = value_of(
                untouched_deviation(class_p[c], m, n, n_default),
                class_divisor[c],
                n,
                df,
                correction,
            )
        if write:
            for label in range(q):
                table[f, label_at[label]] = class_value[label_class[label]]
        total, error, most, least = 0.0, 0.0, 0.0, np.inf
        if filled == 1:
            n_met = 0
            for k in range(m):
                i = rows[k]
                for place in range(y_indptr[i], y_indptr[i + 1]):
                    label = y_indices[place]
                    if together[label] == 0:
                        met[n_met] = label
                        n_met += 1
                    together[label] += 1
            for k in range(n_met):
                label = met[k]
                c = label_class[label]
                value = value_of(
                    single_deviation(
                        np.int64(together[label]), class_p[c], m, n, n_default
                    ),
                    class_divisor[c],
                    n,
                    df,
                    correction,
                )
                together[label] = 0
                class_touched[c] += 1
                total, error = add(total, error, value)
                most = max(most, value)
                least = min(least, value)
                if write:
                    table[f, label_at[label]] = value
        else:
            n_ever = 0
            for b in range(r):
                r_b = bin_start[b + 1] - bin_start[b]
                n_met = 0
                for k in range(bin_start[b], bin_start[b + 1]):
                    i = rows[k]
                    for place in range(y_indptr[i], y_indptr[i + 1]):
                        label = y_indices[place]
                        if together[label] == 0:
                            met[n_met] = label
                            n_met += 1
                        together[label] += 1
                for k in range(n_met):
                    label = met[k]
                    if whole[label] == 0:
                        ever_met[n_ever] = label
                        n_ever += 1
                    p = class_p[label_class[label]]
                    gap = np.float64(n * np.int64(together[label]) - r_b * p)
                    deviation[label] += gap * gap / r_b
                    seen[label] += r_b
                    whole[label] += together[label]
                    together[label] = 0
            for k in range(n_ever):
                label = ever_met[k]
                c = label_class[label]
                value = value_of(
                    whole_deviation(
                        deviation[label],
                        seen[label],
                        np.int64(whole[label]),
                        class_p[c],
                        m,
                        n,
                        n_default,
                    ),
                    class_divisor[c],
                    n,
                    df,
                    correction,
                )
                whole[label] = 0
                seen[label] = 0
                deviation[label] = 0.0
                class_touched[c] += 1
                total, error = add(total, error, value)
                most = max(most, value)
                least = min(least, value)
                if write:
                    table[f, label_at[label]] = value
        finish(
            out, f, total, error, most, least, class_size, class_touched, class_value, q
        )


@njit(cache=True, nogil=True)
def score_table(
    counts,
    bin_rows,
    offsets,
    default,
    n,
    label_class,
    class_p,
    class_divisor,
    class_size,
    correction,
    start,
    stop,
    out,
    table,
):
    """Score features from a table of counts without the default bins."""
    q, n_classes = len(label_class), len(class_p)
    class_touched = np.zeros(n_classes, np.int64)
    class_value = np.zeros(n_classes, np.float64)
    write = table.shape[0] > 0
    for f in range(start, stop):
        filled, m, single = 0, 0, 0
        for b in range(offsets[f], offsets[f + 1]):
            if bin_rows[b] > 0:
                filled += 1
                m += bin_rows[b]
                single = b
        n_default = n - m
        used = filled + (1 if n_default > 0 else 0)
        if used < 2:
            out[f, 0] = 0.0
            out[f, 1] = 0.0
            out[f, 2] = 0.0
            if write:
                table[f, :] = 0.0
            continue
        df = used - 1
        for c in range(n_classes):
            class_value[c] = value_of(
                untouched_deviation(class_p[c], m, n, n_default),
                class_divisor[c],
                n,
                df,
                correction,
            )
        total, error, most, least = 0.0, 0.0, 0.0, np.inf
        for label in range(q):
            c = label_class[label]
            p = class_p[c]
            dev, seen, whole = 0.0, 0, 0
            for b in range(offsets[f], offsets[f + 1]):
                o_b = counts[b, label]
                if o_b > 0:
                    r_b = bin_rows[b]
                    gap = np.float64(n * o_b - r_b * p)
                    dev += gap * gap / r_b
                    seen += r_b
                    whole += o_b
            value = class_value[c]
            if whole > 0:
                if filled == 1:
                    dev = single_deviation(counts[single, label], p, m, n, n_default)
                else:
                    dev = whole_deviation(dev, seen, whole, p, m, n, n_default)
                value = value_of(dev, class_divisor[c], n, df, correction)
                class_touched[c] += 1
                total, error = add(total, error, value)
                most = max(most, value)
                least = min(least, value)
            if write:
                table[f, label] = value
        finish(
            out, f, total, error, most, least, class_size, class_touched, class_value, q
        )
