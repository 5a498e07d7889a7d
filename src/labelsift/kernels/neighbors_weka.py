"""Rows that Weka's linear search keeps when the k-th place is tied."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]


@njit(cache=True, nogil=True)
def _swap(rows: Array, values: Array, a: int, b: int) -> None:
    rows[a], rows[b] = rows[b], rows[a]
    values[a], values[b] = values[b], values[a]


@njit(cache=True, nogil=True)
def _push(rows: Array, values: Array, size: int, row: int, value: float) -> None:
    """Put an element at place ``size`` (from 1) and let it rise past smaller ones."""
    rows[size], values[size] = row, value
    i = size
    while i > 1 and values[i] > values[i // 2]:
        _swap(rows, values, i, i // 2)
        i //= 2


@njit(cache=True, nogil=True)
def _pop(rows: Array, values: Array, size: int) -> None:
    """Remove the top: the last element takes its place and sinks."""
    rows[1], values[1] = rows[size], values[size]
    size -= 1
    i = 1
    while True:
        left, right = 2 * i, 2 * i + 1
        below_left = left <= size and values[i] < values[left]
        below_right = right <= size and values[i] < values[right]
        if not (below_left or below_right):
            return
        # Of two equal children the right one rises.
        child = left if right > size or values[left] > values[right] else right
        _swap(rows, values, i, child)
        i = child


@njit(cache=True, nogil=True)
def heap_neighbors(D: Array, own: Array, k: int, index: Array) -> None:
    """Fill ``index`` (rows, k) with the rows in the heap, nearest first.

    ``D`` holds squared distances to all rows in file order; row i leaves out column
    ``own[i]`` unless that is negative.
    """
    n = D.shape[1]
    rows = np.empty(k + 2, np.int64)
    values = np.empty(k + 2)
    for i in range(D.shape[0]):
        size = 0
        for j in range(n):
            if j == own[i]:
                continue
            if size < k:
                size += 1
                _push(rows, values, size, j, D[i, j])
            elif D[i, j] < values[1]:
                _pop(rows, values, k)
                _push(rows, values, k, j, D[i, j])
        for place in range(k - 1, -1, -1):
            index[i, place] = rows[1]
            _pop(rows, values, place + 1)
