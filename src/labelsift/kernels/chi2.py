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
    # Lentz evaluation of the continued fraction; t > a keeps all parts above 0
    b = t + 1.0 - a
    c = 1e300
    d = 1.0 / b
    fraction = d
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
def gather_dense(codes, zero, bin_start, fill, rows):
    """Write the rows off bin ``zero``, bin after bin; return how many bins hold any."""
    bin_start[:] = 0
    for code in codes:
        bin_start[code + 1] += 1
    if zero >= 0:
        bin_start[zero + 1] = 0
    filled = add_up(bin_start, fill)
    for i in range(len(codes)):
        b = codes[i]
        if b != zero:
            rows[fill[b]] = i
            fill[b] += 1
    return filled


@njit(cache=True, nogil=True)
def gather_entries(codes, indices, bin_start, fill, rows):
    """Sort stored entries by bin as ``gather_dense`` does."""
    bin_start[:] = 0
    for code in codes:
        bin_start[code + 1] += 1
    filled = add_up(bin_start, fill)
    for place in range(len(codes)):
        b = codes[place]
        rows[fill[b]] = indices[place]
        fill[b] += 1
    return filled


@njit(cache=True, nogil=True)
def add_up(bin_start, fill):
    """Turn bin sizes into positions; return the number of bins that hold rows."""
    filled = 0
    for b in range(len(bin_start) - 1):
        filled += bin_start[b + 1] > 0
        bin_start[b + 1] += bin_start[b]
        fill[b] = bin_start[b]
    return filled


@njit(cache=True, nogil=True)
def meet(rows, y_indptr, y_indices, together, met):
    """Count how often the rows carry each label; list the labels; return how many.

    A few rows at a time, in three loops: where their labels are, what they are, and
    the counting. So no loop waits for a jump that hangs on memory far away, which
    halves the time. ``met`` has one place more than there are labels: it is written
    before it is known whether the label is new.
    """
    start, stop = np.empty(GROUP, np.int64), np.empty(GROUP, np.int64)
    labels = np.empty(16 * GROUP, met.dtype)
    n_met, done = 0, 0
    while done < len(rows):
        size, total = 0, 0
        while size < GROUP and done + size < len(rows):
            i = rows[done + size]
            start[size], stop[size] = y_indptr[i], y_indptr[i + 1]
            total += stop[size] - start[size]
            size += 1
        if total > len(labels):
            labels = np.empty(2 * total, met.dtype)
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
def deviations_of_two_bins(rows, Y, n, class_p, label_class, room, met):
    """Deviations of the labels met by ``rows``, all others being in the default bin."""
    together, deviations, classes = room
    m, n_default = len(rows), n - len(rows)
    factor = np.float64(n) / (np.float64(m) * n_default)
    n_met = meet(rows, Y[0], Y[1], together, met)
    for k in range(n_met):
        label = met[k]
        c = label_class[label]
        gap = np.float64(n * np.int64(together[label]) - m * class_p[c])
        together[label] = 0
        deviations[k] = gap * gap * factor
        classes[k] = c
    return n_met


@njit(cache=True, nogil=True)
def deviations_of_bins(rows, bin_start, Y, n, class_p, label_class, room, more, met):
    """Deviations of the labels met by any bin of ``rows``, which are sorted by bin."""
    together, deviations, classes = room
    whole, seen, partial, ever_met = more
    m, n_default = len(rows), n - len(rows)
    n_ever = 0
    for b in range(len(bin_start) - 1):
        size = bin_start[b + 1] - bin_start[b]
        some = rows[bin_start[b] : bin_start[b + 1]]
        for k in range(meet(some, Y[0], Y[1], together, met)):
            label = met[k]
            ever_met[n_ever] = label
            n_ever += whole[label] == 0
            gap = np.float64(
                n * np.int64(together[label]) - size * class_p[label_class[label]]
            )
            partial[label] += gap * gap / size
            seen[label] += size
            whole[label] += together[label]
            together[label] = 0
    for k in range(n_ever):
        label = ever_met[k]
        c = label_class[label]
        deviations[k] = whole_deviation(
            partial[label], seen[label], whole[label], class_p[c], m, n, n_default
        )
        classes[k] = c
        met[k] = label
        partial[label], seen[label], whole[label] = 0.0, 0, 0
    return n_ever


@njit(cache=True, nogil=True)
def summarise(deviations, classes, class_value, class_size, divisor, kind, n, df, out):
    """Turn deviations into scores, in place; write mean, maximum, minimum to ``out``.

    Labels that were not met are added a class at a time.
    """
    touched = np.zeros(len(class_size), np.int64)
    total, error, most, least = 0.0, 0.0, 0.0, np.inf
    for k in range(len(deviations)):
        c = classes[k]
        touched[c] += 1
        value = value_of(deviations[k], divisor[c], n, df, kind)
        deviations[k] = value
        total, error = add(total, error, value)
        most = max(most, value)
        least = min(least, value)
    q = 0
    for c in range(len(class_size)):
        q += class_size[c]
        left = class_size[c] - touched[c]
        if left > 0:
            value = class_value[c]
            total, error = add(total, error, left * value)
            most = max(most, value)
            least = min(least, value)
    out[0] = (total + error) / q
    out[1] = most
    out[2] = least


@njit(cache=True, nogil=True)
def values_of_untouched(class_value, class_p, divisor, kind, n, m, df):
    """Write the score of a label of each class that no bin but the default meets."""
    for c in range(len(class_p)):
        deviation = untouched_deviation(class_p[c], m, n, n - m)
        class_value[c] = value_of(deviation, divisor[c], n, df, kind)


@njit(cache=True, nogil=True)
def score_rows(
    dense, columns, n_bins, default, n, Y, labels, kind, start, stop, out, table
):
    """Score features from coded rows.

    ``dense`` holds codes (features x rows) or nothing, ``columns`` the pointers, rows
    and codes of stored entries, ``Y`` pointers and label numbers of rows; ``labels``
    the class of each label number, rows, divisor and number of labels of each class,
    and the column of ``table`` of each label number. ``table`` may have no rows.
    """
    indptr, indices, entries = columns
    label_class, class_p, divisor, class_size, label_at = labels
    q, is_dense, write = len(label_class), len(dense) > 0, len(table) > 0
    longest, widest, one_each = 0, 2, True
    for f in range(start, stop):
        widest = max(widest, n_bins[f])
        one_each = one_each and n_bins[f] == 2 and default[f] >= 0
        if not is_dense:
            longest = max(longest, indptr[f + 1] - indptr[f])
    if is_dense:
        longest = n
    elif one_each:
        longest = 0
    room = np.zeros(q, np.int32), np.empty(q), np.empty(q, np.int32)
    more_q = 0 if one_each else q
    more = (
        np.zeros(more_q, np.int64),
        np.zeros(more_q, np.int64),
        np.zeros(more_q),
        np.empty(more_q + 1, np.uint32),
    )
    met = np.empty(q + 1, np.uint32)
    buffer = np.empty(longest, indices.dtype)
    starts, fill = np.zeros(widest + 1, np.int64), np.zeros(widest, np.int64)
    class_value = np.empty(len(class_p))
    for f in range(start, stop):
        bin_start = starts[: n_bins[f] + 1]
        rows = buffer
        if is_dense:
            filled = gather_dense(dense[f], default[f], bin_start, fill, buffer)
            m = bin_start[-1]
        else:
            first, last = indptr[f], indptr[f + 1]
            m = last - first
            if n_bins[f] == 2 and default[f] >= 0:
                filled = 1 if m > 0 else 0
                rows = indices[first:last]
            else:
                filled = gather_entries(
                    entries[first:last], indices[first:last], bin_start, fill, buffer
                )
        rows = rows[:m]
        df = filled - 1 + (m < n)
        if df < 1:
            out[f] = 0.0
            if write:
                table[f] = 0.0
            continue
        values_of_untouched(class_value, class_p, divisor, kind, n, m, df)
        if filled == 1:
            n_met = deviations_of_two_bins(rows, Y, n, class_p, label_class, room, met)
        else:
            n_met = deviations_of_bins(
                rows, bin_start, Y, n, class_p, label_class, room, more, met
            )
        values = room[1][:n_met]
        summarise(
            values, room[2], class_value, class_size, divisor, kind, n, df, out[f]
        )
        if write:
            for label in range(q):
                table[f, label_at[label]] = class_value[label_class[label]]
            for k in range(n_met):
                table[f, label_at[met[k]]] = values[k]


@njit(cache=True, nogil=True)
def score_table(counts, bin_rows, offsets, n, labels, kind, start, stop, out, table):
    """Score features from a table of counts whose default bins are left empty."""
    label_class, class_p, divisor, class_size = labels
    q, write = len(label_class), len(table) > 0
    values, classes = np.empty(q + 1), np.empty(q + 1, np.int32)
    met = np.empty(q + 1, np.int64)
    class_value = np.empty(len(class_p))
    for f in range(start, stop):
        first, last = offsets[f], offsets[f + 1]
        filled, m, single = 0, 0, 0
        for b in range(first, last):
            m += bin_rows[b]
            if bin_rows[b] > 0:
                filled += 1
                single = b
        df = filled - 1 + (m < n)
        if df < 1:
            out[f] = 0.0
            if write:
                table[f] = 0.0
            continue
        values_of_untouched(class_value, class_p, divisor, kind, n, m, df)
        n_met = 0
        factor = np.float64(n) / (np.float64(m) * (n - m)) if m < n else 0.0
        for label in range(q):
            c = label_class[label]
            p = class_p[c]
            deviation, seen, whole = 0.0, 0, 0
            if filled == 1:
                whole = counts[single, label]
                gap = np.float64(n * whole - m * p)
                deviation = gap * gap * factor
            else:
                for b in range(first, last):
                    if counts[b, label] > 0:
                        gap = np.float64(n * counts[b, label] - bin_rows[b] * p)
                        deviation += gap * gap / bin_rows[b]
                        seen += bin_rows[b]
                        whole += counts[b, label]
                deviation = whole_deviation(deviation, seen, whole, p, m, n, n - m)
            values[n_met], classes[n_met], met[n_met] = deviation, c, label
            n_met += whole > 0
        summarise(
            values[:n_met],
            classes,
            class_value,
            class_size,
            divisor,
            kind,
            n,
            df,
            out[f],
        )
        if write:
            for label in range(q):
                table[f, label] = class_value[label_class[label]]
            for k in range(n_met):
                table[f, met[k]] = values[k]
