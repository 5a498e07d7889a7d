"""Inner products and exact squared distances of sparse rows.

A row is given by ``indptr``, ``indices`` (rising) and ``data``; a value not stored in
column f is ``default[f]``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]


@njit(cache=True, nogil=True)
def products(
    a_indptr: Array,
    a_indices: Array,
    a_data: Array,
    start: int,
    stop: int,
    b_indptr: Array,
    b_rows: Array,
    b_data: Array,
    out: Array,
) -> None:
    """Fill ``out`` with inner products of rows ``start`` to ``stop``; B by columns."""
    out[:] = 0.0
    for i in range(start, stop):
        for a in range(a_indptr[i], a_indptr[i + 1]):
            f, x = a_indices[a], a_data[a]
            for b in range(b_indptr[f], b_indptr[f + 1]):
                out[i - start, b_rows[b]] += x * b_data[b]


@njit(cache=True, nogil=True)
def _difference(a: float, b: float, is_nominal: bool, span: Array) -> float:
    """Return the difference of two values; ``span`` is (low, high, both missing)."""
    a_missing, b_missing = a != a, b != b
    if is_nominal:
        return 1.0 if a_missing or b_missing or a != b else 0.0
    if a_missing or b_missing:
        if a_missing and b_missing:
            return float(span[2])
        present = b if a_missing else a
        return float(max(present - span[0], span[1] - present))
    return a - b


@njit(cache=True, nogil=True)
def _squared_distance(
    a_indices: Array,
    a_data: Array,
    a: int,
    a_stop: int,
    b_indices: Array,
    b_data: Array,
    b: int,
    b_stop: int,
    default: Array,
    nominal: Array,
    spans: Array,
    plain: bool,
) -> float:
    total = 0.0
    while a < a_stop or b < b_stop:
        if b == b_stop or (a < a_stop and a_indices[a] < b_indices[b]):
            f = a_indices[a]
            x, y = a_data[a], default[f]
            a += 1
        elif a == a_stop or b_indices[b] < a_indices[a]:
            f = b_indices[b]
            x, y = default[f], b_data[b]
            b += 1
        else:
            f = a_indices[a]
            x, y = a_data[a], b_data[b]
            a += 1
            b += 1
        gap = x - y if plain else _difference(x, y, nominal[f], spans[f])
        total += gap * gap
    return total


@njit(cache=True, nogil=True)
def sparse_distances(
    a_indptr: Array,
    a_indices: Array,
    a_data: Array,
    start: int,
    b_indptr: Array,
    b_indices: Array,
    b_data: Array,
    default: Array,
    nominal: Array,
    spans: Array,
    plain: bool,
    out: Array,
) -> None:
    """Fill ``out`` with squared distances of rows from ``start``, in column order."""
    for i in range(out.shape[0]):
        a, a_stop = a_indptr[start + i], a_indptr[start + i + 1]
        for j in range(out.shape[1]):
            out[i, j] = _squared_distance(
                a_indices,
                a_data,
                a,
                a_stop,
                b_indices,
                b_data,
                b_indptr[j],
                b_indptr[j + 1],
                default,
                nominal,
                spans,
                plain,
            )


@njit(cache=True, nogil=True)
def nearest_candidates(
    a_indptr: Array,
    a_indices: Array,
    a_data: Array,
    start: int,
    b_indptr: Array,
    b_indices: Array,
    b_data: Array,
    default: Array,
    nominal: Array,
    spans: Array,
    plain: bool,
    half: Array,
    errors: Array,
    error: Array,
    G: Array,
    first: int,
    k: int,
    index: Array,
    squared: Array,
) -> int:
    """Fill the ``k`` nearest rows of B; return how many rows were compared.

    Half the squared distance, less a constant, is ``half[j] - G[i, j]`` give or take
    ``error[i] + errors[j]``.
    """
    n = G.shape[1]
    compared = 0
    upper = np.empty(k)
    for i in range(G.shape[0]):
        own = first + i if first >= 0 else -1
        found = 0
        for j in range(n):
            v = half[j] - G[i, j] + errors[j]
            if j == own or (found == k and not v < upper[k - 1]):
                continue
            place = found if found < k else k - 1
            while place > 0 and v < upper[place - 1]:
                upper[place] = upper[place - 1]
                place -= 1
            upper[place] = v
            if found < k:
                found += 1
        threshold = upper[k - 1] + 2.0 * error[i]
        a, a_stop = a_indptr[start + i], a_indptr[start + i + 1]
        found = 0
        for j in range(n):
            if j == own or half[j] - G[i, j] - errors[j] > threshold:
                continue
            compared += 1
            d = _squared_distance(
                a_indices,
                a_data,
                a,
                a_stop,
                b_indices,
                b_data,
                b_indptr[j],
                b_indptr[j + 1],
                default,
                nominal,
                spans,
                plain,
            )
            # Rows come in rising order: an equal distance never displaces one.
            if found == k and not d < squared[i, k - 1]:
                continue
            place = found if found < k else k - 1
            while place > 0 and d < squared[i, place - 1]:
                squared[i, place] = squared[i, place - 1]
                index[i, place] = index[i, place - 1]
                place -= 1
            squared[i, place] = d
            index[i, place] = j
            if found < k:
                found += 1
    return compared
