"""How many neighbours have each label, and which rows have the same counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
# Odd numbers below 2^32: their products with 32 bits overflow nothing.
FIRST = np.uint64(0x9E3779B1)
SECOND = np.uint64(0x85EBCA77)
SEVEN = np.uint64(7)


@njit(cache=True, nogil=True)
def count_labels(index: Array, k: int, labels: Array, out: Array) -> None:
    """Add to ``out`` (rows, labels) the label rows of each row's first k neighbours."""
    for i in range(index.shape[0]):
        for a in range(k):
            row = index[i, a]
            for label in range(labels.shape[1]):
                out[i, label] += labels[row, label]


@njit(cache=True, nogil=True)
def count_pairs(counts: Array, labels: Array, seen: Array) -> None:
    """Add to ``seen`` (2, counts, labels) the rows without and with each label."""
    for i in range(counts.shape[0]):
        for label in range(counts.shape[1]):
            seen[labels[i, label], counts[i, label], label] += 1


@njit(cache=True, nogil=True)
def pack(values: Array, order: Array, bits: int, words: Array) -> None:
    """Fill ``words`` (words, rows) with columns of so many bits, in the given order."""
    each = 64 // bits
    for i in range(values.shape[0]):
        for a in range(len(order)):
            word = np.uint64(values[i, order[a]]) << np.uint64(bits * (a % each))
            words[a // each, i] |= word


@njit(cache=True, nogil=True)
def group_rows(words: Array, group: Array, first: Array) -> int:
    """Give a number to the distinct columns of ``words`` (words, rows) as they appear.

    ``group`` (rows,) receives the number of each row, ``first`` (rows,) the first row
    of each number. Returns how many there are.
    """
    n_words, n = words.shape
    size = 16
    while size < 2 * n:
        size *= 2
    slots = np.full(size, -1, np.int64)
    last = np.uint64(size - 1)
    found = 0
    for i in range(n):
        mixed = np.uint64(0)
        for w in range(n_words):
            word = words[w, i]
            mixed = (
                (mixed >> SEVEN) ^ ((word & LOW) * FIRST) ^ ((word >> HALF) * SECOND)
            )
        slot: Any = np.int64((mixed ^ (mixed >> HALF)) & last)
        while True:
            known = slots[slot]
            if known < 0:
                slots[slot] = found
                first[found] = i
                group[i] = found
                found += 1
                break
            same = True
            for w in range(n_words):
                if words[w, i] != words[w, first[known]]:
                    same = False
                    break
            if same:
                group[i] = known
                break
            slot = (slot + 1) % size
    return found


@njit(cache=True, nogil=True)
def count_groups(group: Array, labels: Array, sizes: Array, having: Array) -> None:
    """Add up the rows of each group, (groups,), and those with each label."""
    for i in range(len(group)):
        g = group[i]
        sizes[g] += 1
        for label in range(labels.shape[1]):
            having[g, label] += labels[i, label]
