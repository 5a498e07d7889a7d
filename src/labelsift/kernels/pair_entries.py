"""From labels met to the distinct cases among them, each of which is scored once.

An *entry* is a class of equally frequent labels, how often they are met, and how many
such labels there are. A feature of one bin off the default makes one for each frequent
label and for each cell of rare ones (see ``labelsift.kernels.pair_counts``); a feature
of several bins makes one for each label, and for how often a sum over the bins.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def x_log_x(x, logs):
    """Return ``x log2 x`` of a whole number, from the table as far as it goes."""
    if x < len(logs):
        return logs[x]
    return x * math.log2(x) if x > 0 else 0.0


@njit(cache=True, nogil=True)
def entries_of_bins(n_bins, lists, label_class, class_of, room, has_labels, entries):
    """Make the entries of features of one bin each, which ``lists`` holds.

    Parameters
    ----------
    n_bins : int
        How many bins were counted.
    lists : tuple of ndarray
        As ``count_bins`` has written them.
    label_class, class_of : ndarray of whole numbers
        Class of each label, and of labels of so many rows.
    room : tuple of ndarray
        A number for each of 2**16 cells, zeros that are left so, and an array for
        the cells met, one longer.
    has_labels : bool
        Whether to list the labels and their entries.
    entries : tuple of ndarray
        Written: class, meetings and number of each entry, where those of a feature
        end, labels met, the entry of each, and where those of a feature end.
    """
    hot_label, hot_count, cold_label, cold_cell, single_label = lists[:5]
    hot_end, cold_end, single_end = lists[5:]
    of, together, times, ends, label, entry, label_ends = entries
    number, met = room
    hot_at, cold_at, single_at, at, label_at = 0, 0, 0, 0, 0
    for k in range(n_bins):
        for j in range(hot_at, hot_end[k]):
            of[at], together[at], times[at] = label_class[hot_label[j]], hot_count[j], 1
            if has_labels:
                label[label_at], entry[label_at] = hot_label[j], at
                label_at += 1
            at += 1
        n_met = 0
        for j in range(cold_at, cold_end[k]):
            cell = cold_cell[j]
            met[n_met] = cell
            n_met += number[cell] == 0
            number[cell] += 1
        for j in range(n_met):
            cell = met[j]
            of[at + j], together[at + j] = class_of[cell & 255], cell >> 8
            times[at + j], number[cell] = number[cell], at + j
        if has_labels:
            for j in range(cold_at, cold_end[k]):
                label[label_at], entry[label_at] = cold_label[j], number[cold_cell[j]]
                label_at += 1
        for j in range(n_met):
            number[met[j]] = 0
        at += n_met
        n_single = single_end[k] - single_at
        if n_single:
            of[at], together[at], times[at] = class_of[1], 1, n_single
            for j in range(single_at, single_end[k] if has_labels else single_at):
                label[label_at], entry[label_at] = single_label[j], at
                label_at += 1
            at += 1
        hot_at, cold_at, single_at = hot_end[k], cold_end[k], single_end[k]
        ends[k], label_ends[k] = at, label_at


@njit(cache=True, nogil=True)
def fold(is_chi2, labels, counts, shift, size, n, label_class, class_p, logs, more):
    """Add a bin of ``size`` rows to the sums of the labels that it meets.

    The bits of ``counts`` from ``shift`` on say how often; new labels are listed.
    """
    raw, seen, whole, met, held = more
    for k in range(len(labels)):
        label, count = labels[k], np.int64(counts[k] >> shift)
        if is_chi2:
            gap = np.float64(n * count - size * class_p[label_class[label]])
            raw[label] += gap * gap / size
        else:
            cells = x_log_x(count, logs) + x_log_x(size - count, logs)
            raw[label] += cells - x_log_x(size, logs)
        met[held[0]] = label
        held[0] += whole[label] == 0
        seen[label] += size
        whole[label] += count


@njit(cache=True, nogil=True)
def complete(is_chi2, m, base, n, label_class, class_p, logs, more, at, of, raws):
    """Write the entries of the labels that ``fold`` has listed, and clear the places.

    With the bins that they do not meet; ``base`` is the sum of ``x log2 x`` over the
    bins off the default, ``m`` the rows in them.
    """
    raw, seen, whole, met, held = more
    left = n - m
    for k in range(held[0]):
        label = met[k]
        c = label_class[label]
        value, p = raw[label], class_p[c]
        rest = p - whole[label]
        if is_chi2:
            value += np.float64(p) * p * (m - seen[label])
            if left > 0:
                gap = np.float64(n * rest - left * p)
                value += gap * gap / left
        else:
            value += base + x_log_x(left - rest, logs) + x_log_x(rest, logs)
        of[at + k], raws[at + k] = c, value
        raw[label], seen[label], whole[label] = 0.0, 0, 0


@njit(cache=True, nogil=True)
def entries_of_features(
    span,
    bins,
    starts,
    sizes,
    n,
    is_chi2,
    lists,
    label_class,
    class_p,
    logs,
    more,
    entries,
):
    """Make the entries of features of any number of bins; return how many ended.

    Parameters
    ----------
    span : tuple of int
        The counted bins are ``bins[span[0]:span[1]]``.
    bins, starts : ndarray of int64
        The bins of feature ``i`` are ``bins[starts[i]:starts[i + 1]]``.
    sizes : ndarray of int64
        Rows of each bin.
    n : int
        Rows in all.
    is_chi2 : bool
        Whether the sums are those of chi-square, else of ``x log2 x``.
    lists : tuple of ndarray
        As ``count_bins`` has written them.
    label_class, class_p : ndarray
        Class of each label, rows of the labels of each class.
    logs : ndarray of float64
        Table of ``x log2 x``.
    more : tuple of ndarray
        Sums, rows of the bins met and meetings of each label, all zero; labels met;
        and their number, and the feature to go on with. Kept between calls.
    entries : tuple of ndarray
        As in ``entries_of_bins``, with the sums for meetings.
    """
    hot_label, hot_count, cold_label, cold_cell, single_label = lists[:5]
    hot_end, cold_end, single_end = lists[5:]
    of, raws, times, ends, labels, entry, label_ends = entries
    met, held = more[3], more[4]
    hot_at, cold_at, single_at, at, n_ended = 0, 0, 0, 0, 0
    for j in range(span[0], span[1]):
        i, k = held[1], j - span[0]
        hot, cold = slice(hot_at, hot_end[k]), slice(cold_at, cold_end[k])
        single = single_label[single_at : single_end[k]]
        rest = sizes[bins[j]], n, label_class, class_p, logs, more
        fold(is_chi2, hot_label[hot], hot_count[hot], 0, *rest)
        fold(is_chi2, cold_label[cold], cold_cell[cold], 8, *rest)
        fold(is_chi2, single, np.ones(len(single), np.uint16), 0, *rest)
        hot_at, cold_at, single_at = hot_end[k], cold_end[k], single_end[k]
        if j + 1 < starts[i + 1]:
            continue
        m, base = 0, 0.0
        for b in bins[starts[i] : starts[i + 1]]:
            m += sizes[b]
            base += x_log_x(sizes[b], logs)
        complete(is_chi2, m, base, n, label_class, class_p, logs, more, at, of, raws)
        for k in range(held[0]):
            labels[at + k], entry[at + k], times[at + k] = met[k], at + k, 1
        at += held[0]
        ends[n_ended] = label_ends[n_ended] = at
        n_ended += 1
        held[0], held[1] = 0, i + 1
    return n_ended
