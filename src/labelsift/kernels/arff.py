"""ARFF rows to numbers, straight from the bytes of the file.

The kernel takes the plain rows, which are nearly all, and stops in front of the first
that it is not sure of: an escape, a comment behind the values, any mistake. The caller
reads that row with care, reports what is wrong with it, and calls again.

Decimal numbers are rounded as Python's ``float`` rounds them: exactly where mantissa
and power of ten are both exact doubles, else by a product with a 128-bit power of five
(Lemire, Number parsing at a gigabyte per second, Software: Practice and Experience 51,
2021, doi:10.1002/spe.2984); where that cannot tell, the row is left to the caller.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

NUMERIC, NOMINAL, DROPPED, NUMERIC_LABEL, NOMINAL_LABEL = range(5)
UNKNOWN = 255  # a value that says neither 0 nor 1
LOWEST_POWER, HIGHEST_POWER = -342, 308
_BLANK = 32  # every byte up to it parts values
_NEWLINE, _COMMA, _OPEN, _CLOSE, _PERCENT = 10, 44, 123, 125, 37
_DOUBLE, _SINGLE, _BACKSLASH, _MISSING = 34, 39, 92, 63
_PLUS, _MINUS, _DOT, _BIG_E, _SMALL_E = 43, 45, 46, 69, 101
_MAX_DIGITS = 18  # ten times this mantissa still fits 64 bits
_EXACT = 1 << 53  # every whole number up to it is a double
_ONES32 = np.uint64(0xFFFFFFFF)
_ONES64 = np.uint64(0xFFFFFFFFFFFFFFFF)


@njit(cache=True, nogil=True)
def _product(a, b):
    """Return the high and the low 64 bits of a product of 64-bit numbers."""
    half = np.uint64(32)
    a1, a0 = a >> half, a & _ONES32
    b1, b0 = b >> half, b & _ONES32
    lowest = a0 * b0
    cross, other = a1 * b0, a0 * b1
    middle = (lowest >> half) + (cross & _ONES32) + (other & _ONES32)
    high = a1 * b1 + (cross >> half) + (other >> half) + (middle >> half)
    return high, ((middle & _ONES32) << half) | (lowest & _ONES32)


@njit(cache=True, nogil=True)
def _nearest(mantissa, power, high, low):
    """Return the double nearest to mantissa * 10^power, or -1 where unsure.

    Lemire 2021, algorithm 1: the top bits of mantissa * 5^power decide the rounding
    unless they lie too near to a tie. The mantissa is from 1 to 10^18.
    """
    if power < LOWEST_POWER or power > HIGHEST_POWER:
        return -1.0
    w = np.uint64(mantissa)
    zeros = 0
    step = 32
    while step > 0:
        if w >> np.uint64(64 - step) == np.uint64(0):
            w = w << np.uint64(step)
            zeros += step
        step >>= 1
    at = power - LOWEST_POWER
    top, bottom = _product(w, high[at])
    mask = np.uint64(0x1FF)
    if top & mask == mask:
        more, _ = _product(w, low[at])
        if bottom > _ONES64 - more:
            bottom = bottom - (_ONES64 - more) - np.uint64(1)
            top = top + np.uint64(1)
        else:
            bottom = bottom + more
        if bottom == _ONES64:
            return -1.0
    upper = np.int64(top >> np.uint64(63))
    shift = np.uint64(upper + 9)
    bits = top >> shift  # 54 bits: the 53 of a double and one to round by
    exponent = ((217706 * power) >> 16) + 63 + upper - zeros
    if exponent <= -1022 or exponent >= 1023:
        return -1.0  # subnormal or perhaps infinite
    if bottom <= np.uint64(1) and bits & np.uint64(3) == np.uint64(1):
        if bits << shift == top:
            return -1.0  # perhaps an exact tie
    bits = (bits + (bits & np.uint64(1))) >> np.uint64(1)
    return math.ldexp(float(bits), int(exponent - 52))


@njit(cache=True, nogil=True)
def _long_mantissa(data, i):
    """Return (position after, mantissa, power of ten, whether digits were cut off)."""
    mantissa = np.int64(0)
    digits = 0
    power = np.int64(0)
    cut = False
    behind_point = False
    while True:
        digit = np.int64(data[i]) - 48
        if digit < 0 or digit > 9:
            if data[i] != _DOT or behind_point:
                return i, mantissa, power, cut
            behind_point = True
        elif digits < _MAX_DIGITS:
            mantissa = mantissa * 10 + digit
            digits += int(mantissa > 0)
            power -= int(behind_point)
        else:
            cut |= bool(digit > 0)
            power += int(not behind_point)
        i += 1


@njit(cache=True, nogil=True)
def _far_number(mantissa, cut, power, high, low):
    """Return `_nearest`, or -1 if digits that were ``cut`` off might change it."""
    value = _nearest(mantissa, power, high, low)
    return value if value == _nearest(mantissa + cut, power, high, low) else -1.0


@njit(cache=True, nogil=True)
def _zero_or_one(value, negative, positive, mode):
    """Return 0, 1 or UNKNOWN for the value of a numeric label."""
    if mode == 1.0:
        return 1.0 if value != negative else 0.0
    if mode == 2.0 or value == positive:
        return 1.0 if value == positive else 0.0
    return 0.0 if value == negative else float(UNKNOWN)


@njit(cache=True, nogil=True)
def _ends(byte):
    return byte <= _BLANK or byte == _COMMA or byte == _OPEN or byte == _CLOSE


# One long function: handing arrays to a helper for each value would count references,
# which takes several times longer than reading the value.
@njit(cache=True, nogil=True)
def read_rows(data, at, is_sparse, plan, dense, features, labels, seen, weights, rows):
    """Read rows of one kind from ``at`` on, until one that is not plain or not theirs.

    Parameters
    ----------
    data, at : ndarray of uint8, int
        Text that ends with a newline, and where a line starts.
    is_sparse : bool
        Whether to read sparse rows into ``features`` and ``labels``, or dense ones
        into ``dense``, which is (X, Y).
    plan : Plan
    features, labels : tuple
        (row pointer, columns, values) and (row pointer, columns) of two CSR
        structures with room for all that ``data`` holds. Of the labels only those are
        listed that differ from their omitted value.
    seen : ndarray of int64, one entry an attribute
        The sparse row that had the attribute last; finds repeated indices.
    weights : ndarray of float64
        Set to 1 where a row has none.
    rows : tuple of int
        The first free row, and the one in front of which to stop.

    Returns
    -------
    at, row : int
        Where the next line starts, and the next free row.
    weighted, unsorted : bool
        Whether a row had a weight, and whether one had its indices out of order.
    """
    kinds, columns, omitted = plan.kind, plan.column, plan.omitted
    firsts, lasts = plan.first, plan.last
    value_at, value_bytes, value_code = plan.value_at, plan.value_bytes, plan.value_code
    ten, high, low = plan.ten, plan.high, plan.low
    negative, positive, mode = plan.label_rule
    X, Y = dense
    x_start, x_column, x_value = features
    y_start, y_column = labels
    row, room = rows
    n = len(kinds)
    end = len(data)
    weighted, unsorted = False, False
    while at < end and row < room:
        i = at
        while data[i] <= _BLANK and data[i] != _NEWLINE:
            i += 1
        if data[i] == _NEWLINE or data[i] == _PERCENT:
            while data[i] != _NEWLINE:
                i += 1
            at = i + 1
            continue
        if (data[i] == _OPEN) != is_sparse:
            break
        nx, ny = np.int64(0), np.int64(0)
        if is_sparse:
            nx, ny = x_start[row], y_start[row]
            i += 1
        a, last = np.int64(-1), np.int64(-1)
        start_of_row = True
        in_weight, jumbled, sure = False, False, False
        weight = 1.0
        while True:
            # to the next value, the weight, or the end of the row
            before = i
            comma = False
            while data[i] <= _BLANK and data[i] != _NEWLINE:
                i += 1
            if data[i] == _COMMA and not start_of_row:
                comma = True
                i += 1
                while data[i] <= _BLANK and data[i] != _NEWLINE:
                    i += 1
            if is_sparse:
                complete = data[i] == _CLOSE
                if complete:
                    if comma:
                        break
                    i += 1
                    while data[i] <= _BLANK and data[i] != _NEWLINE:
                        i += 1
                    if data[i] == _COMMA:
                        comma = True
                        i += 1
                        while data[i] <= _BLANK and data[i] != _NEWLINE:
                            i += 1
            else:
                complete = a + 1 == n
            if complete:
                if data[i] != _OPEN:
                    sure = data[i] == _NEWLINE and not comma
                    break
                in_weight = True
                i += 1
            elif i == before and not start_of_row:
                break
            elif is_sparse:
                a = np.int64(0)
                before = i
                while data[i] >= 48 and data[i] <= 57 and a < n:
                    a = a * 10 + np.int64(data[i]) - 48
                    i += 1
                if i == before or a >= n or data[i] > _BLANK:
                    break
                while data[i] <= _BLANK and data[i] != _NEWLINE:
                    i += 1
                if a > last:
                    last = a
                elif seen[a] == row:
                    break
                else:
                    jumbled = True
                seen[a] = row
            else:
                a += 1
            start_of_row = False
            kind = NUMERIC if in_weight else kinds[a]
            quote = data[i]
            value = 0.0
            if quote == _MISSING and _ends(data[i + 1]):
                if in_weight or kind > DROPPED:
                    break
                value = math.nan
                i += 1
            elif kind == NUMERIC or kind == NUMERIC_LABEL:
                if quote == _SINGLE or quote == _DOUBLE:
                    i += 1
                minus = data[i] == _MINUS
                if minus or data[i] == _PLUS:
                    i += 1
                first = i
                mantissa = np.int64(0)
                power = np.int64(0)
                cut = False
                limit = i + _MAX_DIGITS
                while i < limit and 48 <= data[i] <= 57:
                    mantissa = mantissa * 10 + np.int64(data[i]) - 48
                    i += 1
                n_digits = i - first
                if data[i] == _DOT:
                    i += 1
                    limit = i + _MAX_DIGITS - n_digits
                    n_digits -= i
                    while i < limit and 48 <= data[i] <= 57:
                        mantissa = mantissa * 10 + np.int64(data[i]) - 48
                        i += 1
                        power -= 1
                    n_digits += i
                if 48 <= data[i] <= 57:
                    i, mantissa, power, cut = _long_mantissa(data, first)
                if n_digits == 0:
                    break
                if data[i] == _SMALL_E or data[i] == _BIG_E:
                    i += 1
                    downwards = data[i] == _MINUS
                    if downwards or data[i] == _PLUS:
                        i += 1
                    before = i
                    size = np.int64(0)
                    while data[i] >= 48 and data[i] <= 57:
                        if size < 99999:
                            size = size * 10 + np.int64(data[i]) - 48
                        i += 1
                    if i == before:
                        break
                    power += -size if downwards else size
                if mantissa == 0:
                    value = 0.0
                elif cut or mantissa > _EXACT or power < -22 or power > 22:
                    value = _far_number(mantissa, cut, power, high, low)
                    if value < 0.0:
                        break
                elif power < 0:
                    value = float(mantissa) / ten[-power]
                else:
                    value = float(mantissa) * ten[power]
                if minus:
                    value = -value
                if quote == _SINGLE or quote == _DOUBLE:
                    if data[i] != quote:
                        break
                    i += 1
                if kind == NUMERIC_LABEL:
                    value = _zero_or_one(value, negative, positive, mode)
                    if value == UNKNOWN:
                        break
            else:
                start = i
                if quote == _SINGLE or quote == _DOUBLE:
                    start += 1
                    i += 1
                    while (
                        data[i] != quote
                        and data[i] != _NEWLINE
                        and data[i] != _BACKSLASH
                    ):
                        i += 1
                    if data[i] != quote:
                        break
                    stop = i
                    i += 1
                else:
                    if quote == _PERCENT or _ends(quote):
                        break
                    while not _ends(data[i]):
                        i += 1
                    stop = i
                if kind != DROPPED:
                    bottom, top = firsts[a], lasts[a]
                    found = np.int64(-1)
                    while bottom < top:
                        middle = (bottom + top) >> 1
                        v, v_end = value_at[middle], value_at[middle + 1]
                        j = start
                        while j < stop and v < v_end and data[j] == value_bytes[v]:
                            j += 1
                            v += 1
                        if j == stop and v == v_end:
                            found = middle
                            break
                        if j == stop or (v < v_end and data[j] < value_bytes[v]):
                            top = middle
                        else:
                            bottom = middle + 1
                    if found < 0:
                        break
                    value = float(value_code[found])
            if not _ends(data[i]):
                break
            if in_weight:
                if data[i] != _CLOSE or value < 0.0:
                    break
                i += 1
                while data[i] <= _BLANK and data[i] != _NEWLINE:
                    i += 1
                weight = value
                sure = data[i] == _NEWLINE
                break
            column = columns[a]
            if kind <= NOMINAL:
                if not is_sparse:
                    X[row, column] = value
                elif value != 0.0:
                    x_column[nx] = column
                    x_value[nx] = value
                    nx += 1
            elif kind != DROPPED:
                if not is_sparse:
                    Y[row, column] = np.uint8(value)
                elif value != omitted[a]:
                    y_column[ny] = column
                    ny += 1
        if not sure:
            break
        weighted = weighted or in_weight
        unsorted = unsorted or jumbled
        weights[row] = weight
        at = i + 1
        row += 1
        if is_sparse:
            x_start[row], y_start[row] = nx, ny
    if is_sparse:
        for j in range(n):
            if seen[j] == row:  # of a row given up half way
                seen[j] = -1
    return at, row, weighted, unsorted
