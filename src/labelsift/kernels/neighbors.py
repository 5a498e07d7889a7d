"""Nearest rows: screen inner products, then compare squared distances exactly.

The squared distance that decides is the sum of squared differences in column order,
in double precision. Inner products from a BLAS, whose rounding differs from machine to
machine, only say which rows cannot be among the nearest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]
CHUNK = 32  # rows whose bounds are compared together
LANES = 128  # rows taken one of so many together, to guess a threshold


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
def dense_distances(
    A: Array, B: Array, nominal: Array, spans: Array, plain: bool, out: Array
) -> None:
    """Fill ``out`` (rows of A, rows of B) with squared distances, in column order.

    ``plain``: every column is numeric and nothing is missing.
    """
    n, d = B.shape
    for i in range(A.shape[0]):
        for j in range(n):
            total = 0.0
            if plain:
                for f in range(d):
                    gap = np.float64(A[i, f]) - np.float64(B[j, f])
                    total += gap * gap
            else:
                for f in range(d):
                    x = _difference(A[i, f], B[j, f], nominal[f], spans[f])
                    total += x * x
            out[i, j] = total


@njit(cache=True, nogil=True)
def _ceiling(G: Array, half: Array, k: int, lanes: Array, smallest: Array) -> None:
    """Fill ``smallest`` with k values of ``half - G`` that bound the k smallest.

    They are the least values of as many different lanes, a lane being every LANES-th
    place: k different places, and mostly the k smallest of all.
    """
    n = len(G)
    lanes[:] = np.inf
    for j in range(0, n - LANES + 1, LANES):
        for t in range(LANES):
            v = half[j + t] - G[j + t]
            lanes[t] = v if v < lanes[t] else lanes[t]
    smallest[:k] = np.inf
    for t in range(LANES):
        v = lanes[t]
        if v < smallest[k - 1]:
            place = k - 1
            while place > 0 and v < smallest[place - 1]:
                smallest[place] = smallest[place - 1]
                place -= 1
            smallest[place] = v


@njit(cache=True, nogil=True)
def nearest(
    G: Array,
    half: Array,
    factor: float,
    offsets: Array,
    first: int,
    k: int,
    index: Array,
    squared: Array,
) -> None:
    """Take the ``k`` smallest of ``half - G[i]``, equal ones by lower column.

    Their squared distances are ``factor`` times the value plus ``offsets[i]``; the
    caller vouches that these are exact. Row i leaves out column ``first + i`` unless
    ``first`` is negative.
    """
    n = G.shape[1]
    values = np.empty(k + 1, half.dtype)
    lanes = np.empty(LANES, half.dtype)
    guess = n >= 4 * LANES and 2 * (k + 1) <= LANES
    for i in range(G.shape[0]):
        own = first + i if first >= 0 else -1
        worst = half.dtype.type(np.inf)
        if guess:  # one more than k, since the row itself may be among them
            _ceiling(G[i], half, k + 1, lanes, values)
            worst = values[k]
        found = 0
        j = 0
        while j < n:
            stop = min(j + CHUNK, n)
            hits = 0
            for t in range(j, stop):
                hits += (half[t] - G[i, t]) <= worst
            if hits == 0:
                j = stop
                continue
            for t in range(j, stop):
                v = half[t] - G[i, t]
                if t == own or not v <= worst:
                    continue
                if found == k and not v < values[k - 1]:
                    continue
                place = found if found < k else k - 1
                while place > 0 and v < values[place - 1]:
                    values[place] = values[place - 1]
                    index[i, place] = index[i, place - 1]
                    place -= 1
                values[place] = v
                index[i, place] = t
                if found < k:
                    found += 1
                if found == k:
                    worst = values[k - 1]
            j = stop
        for a in range(k):
            squared[i, a] = factor * np.float64(values[a]) + offsets[i]


@njit(cache=True, nogil=True)
def _candidates(
    G: Array,
    low: Array,
    high: Array,
    slack: Any,
    own: int,
    k: int,
    lanes: Array,
    upper: Array,
    rows: Array,
    lower: Array,
) -> int:
    """Collect the rows that may be among the ``k`` nearest; return how many.

    Half the squared distance, less a constant, lies between ``low - G - slack / 2``
    and ``high - G + slack / 2``. The k-th smallest upper bound so far is a threshold:
    a row whose lower bound is above it is out.
    """
    n = len(G)
    count = 0
    found = 0
    threshold = low.dtype.type(np.inf)
    if n >= 4 * LANES and 2 * (k + 1) <= LANES:
        _ceiling(G, high, k + 1, lanes, upper)
        threshold = upper[k] + slack
    j = 0
    while j < n:
        stop = min(j + CHUNK, n)
        hits = 0
        for t in range(j, stop):
            hits += (low[t] - G[t]) <= threshold
        if hits == 0:
            j = stop
            continue
        for t in range(j, stop):
            bound = low[t] - G[t]
            if t == own or not bound <= threshold:
                continue
            rows[count] = t
            lower[count] = bound
            count += 1
            v = high[t] - G[t]
            if found == k and not v < upper[k - 1]:
                continue
            place = found if found < k else k - 1
            while place > 0 and v < upper[place - 1]:
                upper[place] = upper[place - 1]
                place -= 1
            upper[place] = v
            if found < k:
                found += 1
            if found == k:
                threshold = min(threshold, upper[k - 1] + slack)
        j = stop
    kept = 0
    for c in range(count):
        if lower[c] <= threshold:
            rows[kept] = rows[c]
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def _insert(
    d: float, row: int, found: int, k: int, squared: Array, index: Array
) -> int:
    """Insert a row in order of (squared distance, row); return how many are held."""
    if found == k and (
        d > squared[k - 1] or (d == squared[k - 1] and row > index[k - 1])
    ):
        return found
    place = found if found < k else k - 1
    while place > 0 and (
        d < squared[place - 1] or (d == squared[place - 1] and row < index[place - 1])
    ):
        squared[place] = squared[place - 1]
        index[place] = index[place - 1]
        place -= 1
    squared[place] = d
    index[place] = row
    return min(found + 1, k)


@njit(cache=True, nogil=True)
def nearest_dense(
    G: Array,
    low: Array,
    high: Array,
    slacks: Array,
    A: Array,
    B: Array,
    nominal: Array,
    plain: bool,
    first: int,
    k: int,
    index: Array,
    squared: Array,
) -> int:
    """Fill the ``k`` nearest rows of B for each row of A; return rows compared.

    ``low``, ``high`` and ``slacks`` bound the error of ``G``; see ``_candidates``.
    """
    n, d = B.shape
    lanes = np.empty(LANES, low.dtype)
    upper = np.empty(k + 1, low.dtype)
    lower = np.empty(n, low.dtype)
    rows = np.empty(n, np.int64)
    compared = 0
    for i in range(A.shape[0]):
        own = first + i if first >= 0 else -1
        count = _candidates(
            G[i], low, high, slacks[i], own, k, lanes, upper, rows, lower
        )
        compared += count
        found = 0
        c = 0
        while c < count:
            width = min(4, count - c)
            r0 = rows[c]
            r1 = rows[c + min(1, width - 1)]
            r2 = rows[c + min(2, width - 1)]
            r3 = rows[c + min(3, width - 1)]
            d0 = d1 = d2 = d3 = 0.0
            if plain:
                for f in range(d):  # four sums side by side, each in column order
                    a = np.float64(A[i, f])
                    x0 = a - np.float64(B[r0, f])
                    x1 = a - np.float64(B[r1, f])
                    x2 = a - np.float64(B[r2, f])
                    x3 = a - np.float64(B[r3, f])
                    d0 += x0 * x0
                    d1 += x1 * x1
                    d2 += x2 * x2
                    d3 += x3 * x3
            else:
                for f in range(d):
                    a = np.float64(A[i, f])
                    x0 = a - np.float64(B[r0, f])
                    x1 = a - np.float64(B[r1, f])
                    x2 = a - np.float64(B[r2, f])
                    x3 = a - np.float64(B[r3, f])
                    if nominal[f]:
                        x0 = np.float64(x0 != 0.0)
                        x1 = np.float64(x1 != 0.0)
                        x2 = np.float64(x2 != 0.0)
                        x3 = np.float64(x3 != 0.0)
                    d0 += x0 * x0
                    d1 += x1 * x1
                    d2 += x2 * x2
                    d3 += x3 * x3
            found = _insert(d0, r0, found, k, squared[i], index[i])
            if width > 1:
                found = _insert(d1, r1, found, k, squared[i], index[i])
            if width > 2:
                found = _insert(d2, r2, found, k, squared[i], index[i])
            if width > 3:
                found = _insert(d3, r3, found, k, squared[i], index[i])
            c += width
    return compared
