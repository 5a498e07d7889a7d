"""How often a count occurs among rows whose whole count vector is similar."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]
ONES = np.uint64(0x0101010101010101)  # in each of eight bytes
TOPS = np.uint64(0x8080808080808080)
ONES16 = np.uint64(0x0001000100010001)  # in each of four parts of 16 bits
TOPS16 = np.uint64(0x8000800080008000)
LOW16 = np.uint64(0xFFFF)
FIFTEEN = np.uint64(15)
NOTHING = np.uint64(0)


@njit(cache=True, nogil=True)
def similar_counts(
    queries: Array,
    counts: Array,
    sizes: Array,
    having: Array,
    delta: int,
    order: Array,
    present: Array,
    absent: Array,
) -> None:
    """Add, for each query and label, the similar rows that have its very count.

    Rows come in groups of equal ``counts`` (groups, labels), of which ``sizes`` tells
    how many rows there are and ``having`` (groups, labels) how many have each label.
    A group is similar when its counts differ by at most ``delta`` in every label;
    labels are looked at in ``order``. ``present`` and ``absent`` (queries, labels)
    receive how many such rows have the label and how many have not.
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
                    present[t, label] += having[i, label]
                    absent[t, label] += sizes[i] - having[i, label]


@njit(cache=True, nogil=True)
def similar_counts_packed(
    asked: Array,
    known: Array,
    queries: Array,
    counts: Array,
    sizes: Array,
    having: Array,
    delta: int,
    order: Array,
    present: Array,
    absent: Array,
) -> None:
    """Do as ``similar_counts`` does, for counts of at most 63 in less than 2^16 rows.

    ``asked`` (words, queries) and ``known`` (words, groups) hold the counts eight to a
    word, ``queries``, ``counts`` and ``having`` (words, queries or groups) four to a
    word, all of them in ``order``; ``sizes`` (groups,) are uint64. Eight labels are
    compared at once: the top bit of each byte of ``(a + delta + 128) - b`` tells
    whether b is at most ``a + delta``; four are added up at once.
    """
    words, n = known.shape
    quads = counts.shape[0]
    step = ONES * np.uint64(delta)
    near = np.zeros((n + 7) // 8 * 8, np.uint8)
    eights = near.view(np.uint64)
    with_label = np.empty(quads, np.uint64)
    in_all = np.empty(quads, np.uint64)
    for t in range(asked.shape[1]):
        a = asked[0, t]
        upper = (a + step) | TOPS
        for i in range(n):
            b = known[0, i]
            near[i] = ((upper - b) & (((b + step) | TOPS) - a) & TOPS) == TOPS
        with_label[:] = NOTHING
        in_all[:] = NOTHING
        for e in range(len(eights)):
            if eights[e] == NOTHING:
                continue
            for i in range(8 * e, 8 * e + 8):
                if near[i] == 0:
                    continue
                similar = True
                for w in range(1, words):
                    a, b = asked[w, t], known[w, i]
                    up, down = ((a + step) | TOPS) - b, ((b + step) | TOPS) - a
                    if (up & down & TOPS) != TOPS:
                        similar = False
                        break
                if not similar:
                    continue
                size = sizes[i] * ONES16
                for w in range(quads):
                    # The top bit of a part stays where the counts differ.
                    other = ((queries[w, t] ^ counts[w, i]) | TOPS16) - ONES16
                    top = (other & TOPS16) ^ TOPS16
                    same = top | (top - (top >> FIFTEEN))  # all bits where equal
                    with_label[w] += same & having[w, i]
                    in_all[w] += same & size
        for label in range(len(order)):
            part = np.uint64(16 * (label % 4))
            hits = np.int64((with_label[label // 4] >> part) & LOW16)
            rows = np.int64((in_all[label // 4] >> part) & LOW16)
            present[t, order[label]] += hits
            absent[t, order[label]] += rows - hits
