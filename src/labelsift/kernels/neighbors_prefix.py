"""Nearest rows for every prefix of a list of columns, in one pass.

Squared differences are added one column at a time in the order of the list. That sum
may differ in its last digits from the one that decides, which runs in column order; so
where two sums are too close to tell apart, the deciding ones are computed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]
SPARE = 32  # rows too close to the k-th to tell that are sorted with it


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
def _add(total: Array, column: Array, x: float) -> None:
    for j in range(len(total)):
        gap = x - column[j]
        total[j] += gap * gap


@njit(cache=True, nogil=True)
def _add_any(
    total: Array, column: Array, x: float, is_nominal: bool, span: Array
) -> None:
    for j in range(len(total)):
        gap = _difference(x, column[j], is_nominal, span)
        total[j] += gap * gap


@njit(cache=True, nogil=True)
def _add_and_mark(
    total: Array, column: Array, x: float, bound: Any, near: Array
) -> None:
    for j in range(len(total)):
        gap = x - column[j]
        value = total[j] + gap * gap
        total[j] = value
        near[j] = value <= bound


@njit(cache=True, nogil=True)
def _marked(
    total: Array, near: Array, words: Array, own: int, rows: Array, values: Array
) -> int:
    """List the marked rows and their sums; ``words`` are the marks, eight at a time."""
    count = 0
    for w in range(len(words)):
        if words[w]:
            for j in range(8 * w, 8 * w + 8):
                if near[j] and j != own:
                    rows[count] = j
                    values[count] = total[j]
                    count += 1
    return count


@njit(cache=True, nogil=True)
def _limit(value: float, relative: float, absolute: float) -> float:
    """Return how large a sum may be so as not to be certainly above ``value``."""
    if relative == 0.0:
        return value
    root: float = np.sqrt(value) * (1.0 + relative) + absolute
    return root * root


@njit(cache=True, nogil=True)
def _in_column_order(
    a: Array,
    b: Array,
    place: Array,
    size: int,
    plain: Array,
    nominal: Array,
    spans: Array,
) -> float:
    """Return the squared distance over the first ``size`` columns, as it decides."""
    total = 0.0
    for c in range(len(place)):
        f = place[c]
        if f < size:
            if plain[f]:
                gap = a[c] - b[c]
            else:
                gap = _difference(a[c], b[c], nominal[f], spans[f])
            total += gap * gap
    return total


@njit(cache=True, nogil=True)
def _take(
    values: Array, rows: Array, count: int, k: int, best: Array, index: Array
) -> None:
    """Take the k smallest of ``values[:count]``; equal ones as they come."""
    found = 0
    for c in range(count):
        v = values[c]
        if found == k and not v < best[k - 1]:
            continue
        a = found if found < k else k - 1
        while a > 0 and v < best[a - 1]:
            best[a] = best[a - 1]
            index[a] = index[a - 1]
            a -= 1
        best[a] = v
        index[a] = rows[c]
        if found < k:
            found += 1


@njit(cache=True, nogil=True)
def _up_to(values: Array, rows: Array, count: int, limit: float) -> int:
    """Keep what is within the limit; return how many."""
    kept = 0
    for c in range(count):
        if values[c] <= limit:
            values[kept] = values[c]
            rows[kept] = rows[c]
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def _sort(values: Array, index: Array, start: int, stop: int) -> None:
    """Sort a part by value, equal ones by index."""
    for c in range(start + 1, stop):
        v, row = values[c], index[c]
        a = c
        while a > start and (
            v < values[a - 1] or (v == values[a - 1] and row < index[a - 1])
        ):
            values[a] = values[a - 1]
            index[a] = index[a - 1]
            a -= 1
        values[a] = v
        index[a] = row


@njit(cache=True, nogil=True)
def nearest_of_prefixes(
    A: Array,
    B: Array,
    queries: Array,
    columns: Array,
    place: Array,
    plain: Array,
    nominal: Array,
    spans: Array,
    sizes: Array,
    relative: Array,
    absolute: Array,
    first: int,
    k: int,
    total: Array,
    index: Array,
) -> int:
    """Fill the k nearest rows of B for each row of A and each prefix.

    Parameters
    ----------
    A, B : ndarray of shape (rows, d), float64
        Prepared rows, columns in the order in which the deciding sum runs.
    queries : ndarray of shape (rows of A, d), float32 or float64
        The rows of A, columns in the order of the list.
    columns : ndarray of shape (d, rows of B), of the same type
        The columns of B in the order of the list.
    place : ndarray of shape (d,), int64
        Place in the list of each column of B.
    plain, nominal, spans : ndarrays of length d, in the order of the list
        Numeric columns without a missing value; nominal ones; what a missing value
        counts.
    sizes : ndarray of int64
        Lengths of the prefixes, rising.
    relative, absolute : ndarray of float64, one for each size
        Two sums can be told apart if the root of the greater is above that of the
        smaller times ``1 + relative`` plus ``absolute``; 0 if sums are exact.
    first : int
        Row i of A is row ``first + i`` of B and not its own neighbour; negative: no.
    k : int
        Neighbours.
    total : ndarray of shape (rows of A, rows of B), of the type of ``columns``
        Room for the sums.
    index : ndarray of shape (sizes, rows of A, k), int32
        Receives the neighbours, nearest first; equally far ones by row.

    Returns
    -------
    int
        Deciding distances that had to be computed.
    """
    n = B.shape[0]
    compared = 0
    rows = np.empty(n, np.int64)
    values = np.empty(n)
    best = np.empty(k + SPARE)
    chosen = np.zeros(k + SPARE, np.int64)
    near = np.zeros((n + 7) // 8 * 8, np.uint8)
    words = near.view(np.uint64)
    total[:] = 0.0
    cut = 0
    for f in range(sizes[-1]):
        is_cut = sizes[cut] == f + 1
        for i in range(A.shape[0]):
            x = queries[i, f]
            if not is_cut:
                if plain[f]:
                    _add(total[i], columns[f], x)
                else:
                    _add_any(total[i], columns[f], x, nominal[f], spans[f])
                continue
            # The neighbours of the last prefix are k rows: the k nearest are no
            # farther than the farthest of them.
            bound = np.inf
            if cut > 0:
                bound = 0.0
                for a in range(k):
                    j = index[cut - 1, i, a]
                    gap = x - columns[f, j]
                    if not plain[f]:
                        gap = _difference(x, columns[f, j], nominal[f], spans[f])
                    bound = max(bound, total[i, j] + gap * gap)
                bound = _limit(bound, relative[cut], absolute[cut])
            limit = columns.dtype.type(bound)
            if plain[f]:
                _add_and_mark(total[i], columns[f], x, limit, near)
            else:
                _add_any(total[i], columns[f], x, nominal[f], spans[f])
                for j in range(n):
                    near[j] = total[i, j] <= limit
            own = first + i if first >= 0 else -1
            count = _marked(total[i], near, words, own, rows, values)
            _take(values, rows, count, k, best, chosen)
            r, s = relative[cut], absolute[cut]
            if r > 0.0:
                within = _up_to(values, rows, count, _limit(best[k - 1], r, s))
                if within <= len(best):
                    if within > k:
                        _take(values, rows, within, within, best, chosen)
                    start = 0
                    while start < k:
                        stop = start + 1
                        while stop < within and best[stop] <= _limit(
                            best[stop - 1], r, s
                        ):
                            stop += 1
                        if stop - start > 1:
                            compared += stop - start
                            for c in range(start, stop):
                                best[c] = _in_column_order(
                                    A[i],
                                    B[chosen[c]],
                                    place,
                                    f + 1,
                                    plain,
                                    nominal,
                                    spans,
                                )
                            _sort(best, chosen, start, stop)
                        start = stop
                else:
                    compared += within
                    for c in range(within):
                        values[c] = _in_column_order(
                            A[i], B[rows[c]], place, f + 1, plain, nominal, spans
                        )
                    _take(values, rows, within, k, best, chosen)
            for a in range(k):
                index[cut, i, a] = chosen[a]
        if is_cut:
            cut += 1
    return compared
