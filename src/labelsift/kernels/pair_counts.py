"""How often the rows of a bin carry each label, for as many labels as there are.

Labels are numbered by falling frequency. Those of more than ``COLD`` rows, the hot
ones, are counted in 32 bits each: they are few and make up most of what is counted.
The cold ones are counted in 16 bits, of which the lower byte holds how many rows carry
the label and the upper how many of the bin do; such a pair is a *cell*. Single labels,
of one row each, are most of a long tail and need no counting. What comes out are lists
of the labels that were met: memory is that of the lists.
"""

from __future__ import annotations

import numpy as np
from numba import njit

COLD = 255  # rows of the most frequent label that is counted in a byte
GROUP = 128  # rows whose labels are fetched together
BYTE, EVERY = np.uint16(0xFF00), np.uint32(0xFFFFFFFF)  # where cells and counts count
STRIDE = np.uint64(8)  # labels copied at a time; as many lie behind the last row
ZERO, ONE = np.uint64(0), np.uint64(1)  # indices without a sign need no check


@njit(cache=True, nogil=True)
def fetch(rows, Y, ends, labels):
    """Copy the labels of a few rows behind each other; return how many.

    In three loops, so that none waits for memory far away: where the labels of the
    rows lie, a look at the first and last of each, and the copying.
    """
    pointers, y = Y
    start, stop = ends
    n_rows, seen, total = np.uint64(len(rows)), y[0], ZERO
    for j in range(n_rows):
        i = np.uint64(rows[j])
        start[j], stop[j] = pointers[i], pointers[i + ONE]
    for j in range(n_rows):
        seen ^= y[start[j]] ^ y[stop[j]]
    for j in range(n_rows):
        place, end = np.uint64(start[j]), np.uint64(stop[j])
        after = total + (end - place)
        for k in range(STRIDE):
            labels[total + k] = y[place + k]
        while place + STRIDE < end:  # few rows have more
            place += STRIDE
            total += STRIDE
            for k in range(STRIDE):
                labels[total + k] = y[place + k]
        total = after
    labels[total] = seen
    return total


@njit(cache=True, nogil=True)
def split(labels, n_labels, n_hot, n_counted, hot, cold, single):
    """Part hot, cold and single labels; return how many there are of each.

    Without a branch: a place is written before it is known whose it is.
    """
    hot_end = cold_end = single_end = ZERO
    for j in range(n_labels):
        label = labels[j]
        hot[hot_end] = single[single_end] = cold[cold_end] = label
        is_hot, is_single = np.uint64(label < n_hot), np.uint64(label >= n_counted)
        hot_end += is_hot
        single_end += is_single
        cold_end += ONE - (is_hot | is_single)
    return hot_end, cold_end, single_end


@njit(cache=True, nogil=True)
def count(labels, n_labels, one, counts):
    """Add ``one`` for each label of a list."""
    for j in range(n_labels):
        counts[labels[j]] += one


@njit(cache=True, nogil=True)
def take_listed(labels, n_listed, counts, mask, found):
    """Keep the labels of a list that were met, each once; set their counts back.

    Writes the counts to ``found``; the bits outside ``mask`` stay. Returns how many.
    """
    end = ZERO
    for j in range(n_listed):
        label = labels[j]
        times = counts[label]
        labels[end], found[end] = label, times
        end += np.uint64((times & mask) != 0)
        counts[label] = times & ~mask
    return end


@njit(cache=True, nogil=True)
def take_all(labels, start, counts, mask, found):
    """Do as ``take_listed`` does, with all labels from ``start`` on."""
    end = ZERO
    for label in range(start, len(counts)):
        times = counts[label]
        labels[end], found[end] = label, times
        end += np.uint64((times & mask) != 0)
        counts[label] = times & ~mask
    return end


@njit(cache=True, nogil=True)
def count_bins(rows, bin_start, bins, Y, n_single, many, room, found):
    """Count bins one after the other until the lists are full; return how many.

    Parameters
    ----------
    rows, bin_start : arrays of whole numbers
        The rows of bin ``b`` are ``rows[bin_start[b]:bin_start[b + 1]]``.
    bins : ndarray of int64
        The bins to count.
    Y : tuple of ndarray
        Pointers of the rows and label numbers, ``STRIDE`` more than there are.
    n_single : int
        Labels of one row.
    many : tuple of int
        Rows of a bin from which a look at all hot, and at all cold labels costs less
        than a list of those met.
    room : tuple of ndarray
        Counts of hot labels, cells of hot and cold ones (those of hot ones stay empty),
        nothing counted in either, and left like that; two arrays of ``GROUP``
        pointers, and two of labels.
    found : tuple of ndarray
        Written for each bin: hot labels and their counts, cold labels and their
        cells, single labels, and where these three lists end. Each is longer than
        there are such labels.
    """
    hot, cells, ends, labels, warm = room
    hot_label, hot_count, cold_label, cold_cell, single_label = found[:5]
    hot_end, cold_end, single_end = found[5:]
    n_hot, n_counted = np.uint32(len(hot)), np.uint32(len(cells))
    hot_at = cold_at = single_at = ZERO
    for k in range(len(bins)):
        at, stop = bin_start[bins[k]], bin_start[bins[k] + 1]
        hot_list, cold_list = hot_label[hot_at:], cold_label[cold_at:]
        is_full = len(hot_list) <= n_hot or len(cold_list) <= n_counted - n_hot
        is_full |= len(single_label[single_at:]) <= n_single
        if is_full or k == len(hot_end):
            return k
        all_hot, all_cold = stop - at >= many[0], stop - at >= many[1]
        hot_listed = cold_listed = ZERO
        while at < stop:
            size, total = 0, ZERO
            while size < GROUP and at + size < stop:
                i = np.uint64(rows[at + size])
                longer = total + np.uint64(Y[0][i + ONE] - Y[0][i])
                if longer + STRIDE >= len(labels) and size > 0:
                    break
                total = longer
                size += 1
            if total + STRIDE >= len(labels):
                labels = np.empty(total + STRIDE + ONE, np.uint32)
                warm = np.empty(total + STRIDE + ONE, np.uint32)
            total = fetch(rows[at : at + size], Y, ends, labels)
            all_hot |= hot_listed + total >= len(hot_list)
            all_cold |= cold_listed + total >= len(cold_list)
            to_hot = warm if all_hot else hot_list[hot_listed:]
            to_cold = labels if all_cold else cold_list[cold_listed:]
            to_single = single_label[single_at:]
            n_to_hot, n_to_cold, n_met = split(
                labels, total, n_hot, n_counted, to_hot, to_cold, to_single
            )
            count(to_hot, n_to_hot, np.uint32(1), hot)
            count(to_cold, n_to_cold, np.uint16(256), cells)
            hot_listed += n_to_hot
            cold_listed += n_to_cold
            single_at += n_met
            at += size
        found_hot, found_cold = hot_count[hot_at:], cold_cell[cold_at:]
        if all_hot:
            hot_at += take_all(hot_list, 0, hot, EVERY, found_hot)
        else:
            hot_at += take_listed(hot_list, hot_listed, hot, EVERY, found_hot)
        if all_cold:
            cold_at += take_all(cold_list, n_hot, cells, BYTE, found_cold)
        else:
            cold_at += take_listed(cold_list, cold_listed, cells, BYTE, found_cold)
        hot_end[k], cold_end[k], single_end[k] = hot_at, cold_at, single_at
    return len(bins)
