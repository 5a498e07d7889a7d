"""How often a count occurs among rows whose whole count vector is similar."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]
ONES = np.uint64(0x0101010101010101)
TOPS = np.uint64(0x8080808080808080)
BYTE = np.uint64(0xFF)
SEVEN = np.uint64(7)
NOTHING = np.uint64(0)


@njit(cache=True, nogil=True)
def similar_counts(
    queries: Array,
    counts: Array,
    labels: Array,
    delta: int,
    order: Array,
    present: Array,
    absent: Array,
) -> None:
    """Add, for each query and label, the similar rows that have its very count.

    A row is similar when its counts differ by at most ``delta`` in every label; labels
    are looked at in ``order``. ``present`` and ``absent`` (queries, labels) receive how
    many such rows have the label and how many have not.
    """
    n, L = counts.shape
    for t in range(queries.shape[0]):
        for i in range(n):
            similar = True
            for a in range(L):
                gap = counts[i, order[a]] - queries[t, order[a]]
                if gap > delta or gap < -delta:
                    similar = False
                    break
            if not similar:
                continue
            for label in range(L):
                if counts[i, label] == queries[t, label]:
                    if labels[i, label]:
                        present[t, label] += 1
                    else:
                        absent[t, label] += 1


@njit(cache=True, nogil=True)
def pack(values: Array, order: Array, words: Array) -> None:
    """Fill ``words`` (words, rows) with eight columns a word, in the given order."""
    for i in range(values.shape[0]):
        for a in range(len(order)):
            word = np.uint64(values[i, order[a]]) << np.uint64(8 * (a % 8))
            words[a // 8, i] |= word


@njit(cache=True, nogil=True)
def _flush(sums: Array, out: Array, order: Array) -> None:
    for a in range(len(order)):
        byte = (sums[a // 8] >> np.uint64(8 * (a % 8))) & BYTE
        out[order[a]] += np.int64(byte)
    sums[:] = NOTHING


@njit(cache=True, nogil=True)
def similar_counts_packed(
    queries: Array,
    counts: Array,
    labels: Array,
    delta: int,
    order: Array,
    present: Array,
    absent: Array,
) -> None:
    """Do as ``similar_counts`` does, on packed counts and labels of at most 63.

    Eight labels are compared at once: the top bit of each byte of ``(a + delta + 128)
    - b`` tells whether b is at most ``a + delta``.
    """
    words, n = counts.shape
    step = ONES * np.uint64(delta)
    near = np.zeros((n + 7) // 8 * 8, np.uint8)
    eights = near.view(np.uint64)
    with_label = np.zeros(words, np.uint64)
    without = np.zeros(words, np.uint64)
    for t in range(queries.shape[1]):
        a = queries[0, t]
        upper = (a + step) | TOPS
        for i in range(n):
            b = counts[0, i]
            near[i] = ((upper - b) & (((b + step) | TOPS) - a) & TOPS) == TOPS
        held = 0
        for e in range(len(eights)):
            if eights[e] == NOTHING:
                continue
            for i in range(8 * e, 8 * e + 8):
                if near[i] == 0:
                    continue
                similar = True
                for w in range(1, words):
                    a, b = queries[w, t], counts[w, i]
                    up, down = ((a + step) | TOPS) - b, ((b + step) | TOPS) - a
                    if (up & down & TOPS) != TOPS:
                        similar = False
                        break
                if not similar:
                    continue
                for w in range(words):
                    # The top bit of a byte stays where the counts differ.
                    other = ((queries[w, t] ^ counts[w, i]) | TOPS) - ONES
                    same = ((other & TOPS) ^ TOPS) >> SEVEN
                    with_label[w] += same & labels[w, i]
                    without[w] += same & (labels[w, i] ^ ONES)
                held += 1
                if held == 255:
                    _flush(with_label, present[t], order)
                    _flush(without, absent[t], order)
                    held = 0
        _flush(with_label, present[t], order)
        _flush(without, absent[t], order)
