"""Tolerance neighbourhoods of features with few values, by bits over rows.

The counterpart of ``rough_windows`` for many rows: the rows near value v of a feature,
those in which it is missing among them, are a *plane* of one bit a row, and the
neighbourhood of a row is the AND of one plane a feature. ``bits`` holds the violating
rows that are left for each unit. ``offsets`` says where the planes of a feature begin;
a row in which a feature is missing is near all others, so that no plane is needed.
"""

import numpy as np
from numba import njit

_NONE, _ONE = np.uint64(0), np.uint64(1)
_SHIFTS = (1, 2, 4, 8, 16, 32)
_S1, _S2, _S4, _S8, _S16, _S32 = (np.uint64(s) for s in _SHIFTS)
_M1 = np.uint64(0x5555555555555555)
_M2 = np.uint64(0x3333333333333333)
_M4 = np.uint64(0x0F0F0F0F0F0F0F0F)
_M7 = np.uint64(0x7F)
_LOW = np.uint64(0x00000000FFFFFFFF)


@njit(cache=True, nogil=True)
def _ones(x):
    x = x - ((x >> _S1) & _M1)
    x = (x & _M2) + ((x >> _S2) & _M2)
    x = (x + (x >> _S4)) & _M4
    x = x + (x >> _S8)
    x = x + (x >> _S16)
    x = x + (x >> _S32)
    return np.int64(x & _M7)


@njit(cache=True, nogil=True)
def write_planes(codes, missing, low, high, planes):
    """Set the planes of a feature; ``low`` and ``high`` are the windows of its codes.

    ``planes`` has a row for each code and starts as zeros.
    """
    for j in range(len(codes)):
        bit = _ONE << np.uint64(j % 64)
        t = codes[j]
        for v in range(len(low)):
            if t == missing or (t >= low[v] and t <= high[v]):
                planes[v, j // 64] |= bit


@njit(cache=True, nogil=True)
def write_lacking(labels, n_labels, lacking):
    """Set bit j of row k of ``lacking`` (zeros) if row j has not label k."""
    for j in range(labels.shape[0]):
        bit = _ONE << np.uint64(j % 64)
        for k in range(n_labels):
            if not (labels[j, k // 64] >> np.uint64(k % 64)) & _ONE:
                lacking[k, j // 64] |= bit


@njit(cache=True, nogil=True)
def _violating(required, u, lacking, out):
    """Write the rows that lack a label that unit u requires."""
    out[:] = 0
    for w in range(required.shape[1]):
        word = required[u, w]
        while word:
            rest = word & (word - _ONE)
            label = 64 * w + _ones((word ^ rest) - _ONE)
            for p in range(lacking.shape[1]):
                out[p] |= lacking[label, p]
            word = rest


@njit(cache=True, nogil=True)
def find_certain(
    samples,
    required,
    lacking,
    start,
    stop,
    columns,
    codes,
    missing,
    offsets,
    planes,
    certain,
):
    """Mark the units of ``start`` to ``stop`` without a violating neighbour.

    Words that have become zero are left out, so that most columns cost little.
    """
    n_words = planes.shape[1]
    whole = np.empty(n_words, dtype=np.uint64)
    words = np.empty(n_words, dtype=np.int64)
    for u in range(start, stop):
        i = samples[u]
        _violating(required, u, lacking, whole)
        size = 0
        for p in range(n_words):
            words[size] = p
            size += whole[p] != 0
        for c in columns:
            if size == 0:
                break
            t = codes[i, c]
            if t == missing:
                continue
            plane = offsets[c] + np.int64(t)
            left = 0
            for p in range(size):
                w = words[p]
                word = whole[w] & planes[plane, w]
                whole[w] = word
                words[left] = w
                left += word != 0
            size = left
        certain[u] = size == 0


@njit(cache=True, nogil=True)
def list_neighbors(
    samples,
    required,
    lacking,
    units,
    columns,
    codes,
    missing,
    offsets,
    planes,
    bits,
    begin,
    length,
):
    """Write the violating neighbours of the units, a row of ``bits`` each."""
    for k in range(len(units)):
        i = samples[units[k]]
        _violating(required, units[k], lacking, bits[k])
        for c in columns:
            t = codes[i, c]
            if t != missing:
                plane = offsets[c] + np.int64(t)
                for p in range(bits.shape[1]):
                    bits[k, p] &= planes[plane, p]
        begin[k] = k
        length[k] = 0
        for p in range(bits.shape[1]):
            length[k] += _ones(bits[k, p])


@njit(cache=True, nogil=True)
def narrow(rows, column, codes, missing, offsets, planes, bits, begin, length):
    """Keep the neighbours that a column leaves; return how many there are."""
    total = 0
    for k in range(len(rows)):
        t = codes[rows[k], column]
        if t != missing:
            plane = offsets[column] + np.int64(t)
            size = 0
            for p in range(bits.shape[1]):
                word = bits[begin[k], p] & planes[plane, p]
                bits[begin[k], p] = word
                size += _ones(word)
            length[k] = size
        total += length[k]
    return total


@njit(cache=True, nogil=True)
def count_gains(
    rows,
    columns,
    codes,
    missing,
    offsets,
    planes,
    bits,
    begin,
    length,
    pointers,
    gains,
):
    """Count for each column the rows that it would leave without a violation.

    Units of one row follow each other; one of them without violation is enough. Words
    that a pointer has passed hold nothing that this column would leave.
    """
    n_words = bits.shape[1]
    k = 0
    while k < len(rows):
        stop = k + 1
        while stop < len(rows) and rows[stop] == rows[k]:
            stop += 1
        i = rows[k]
        for c in columns:
            t = codes[i, c]
            for u in range(k, stop):
                if t == missing:
                    is_free = length[u] == 0
                else:
                    plane = offsets[c] + np.int64(t)
                    p = pointers[u, c]
                    while p < n_words and not bits[begin[u], p] & planes[plane, p]:
                        p += 1
                    pointers[u, c] = p
                    is_free = p == n_words
                if is_free:
                    gains[c] += 1
                    break
        k = stop


@njit(cache=True, nogil=True)
def _transpose(square):
    """Turn 64 words of 64 bits about their diagonal."""
    j = 32
    mask = _LOW
    while j:
        shift = np.uint64(j)
        k = 0
        while k < 64:
            swap = ((square[k] >> shift) ^ square[k + j]) & mask
            square[k] ^= swap << shift
            square[k + j] ^= swap
            k = (k + j + 1) & ~j
        j //= 2
        mask ^= mask << np.uint64(j)


@njit(cache=True, nogil=True)
def turn(bits, begin, by_row):
    """Write for each row of the table the units that hold it, as bits."""
    square = np.empty(64, dtype=np.uint64)
    for group in range(by_row.shape[1]):
        for w in range(bits.shape[1]):
            for k in range(64):
                at = 64 * group + k
                if at < len(begin):
                    square[k] = bits[begin[at], w]
                else:
                    square[k] = _NONE
            _transpose(square)
            by_row[64 * w : 64 * w + 64, group] = square


@njit(cache=True, nogil=True)
def count_discerned(
    rows,
    columns,
    codes,
    missing,
    offsets,
    planes,
    n_far,
    bits,
    begin,
    by_row,
    counts,
):
    """Count for each column the listed pairs that it tells apart.

    Units of one value are counted by the rows that they hold among those far from that
    value, or each such row by the units that hold it, whichever are fewer.
    """
    n_words = bits.shape[1]
    n_groups = by_row.shape[1]
    most = 0
    for c in columns:
        most = max(most, offsets[c + 1] - offsets[c])
    holders = np.zeros((most, n_groups), dtype=np.uint64)
    sizes = np.zeros(most, dtype=np.int64)
    for c in columns:
        n_codes = offsets[c + 1] - offsets[c]
        holders[:] = 0
        sizes[:] = 0
        for k in range(len(rows)):
            t = codes[rows[k], c]
            if t != missing:
                sizes[t] += 1
                holders[t, k // 64] |= _ONE << np.uint64(k % 64)
        total = 0
        for v in range(n_codes):
            plane = offsets[c] + v
            if sizes[v] == 0 or n_far[plane] == 0:
                continue
            if sizes[v] * n_words <= n_words + 2 * n_far[plane] * n_groups:
                for k in range(len(rows)):
                    if codes[rows[k], c] == v:
                        for p in range(n_words):
                            total += _ones(bits[begin[k], p] & ~planes[plane, p])
                continue
            for p in range(n_words):
                word = ~planes[plane, p]
                while word:
                    rest = word & (word - _ONE)
                    j = 64 * p + _ones((word ^ rest) - _ONE)
                    word = rest
                    for group in range(n_groups):
                        total += _ones(by_row[j, group] & holders[v, group])
        counts[c] = total


@njit(cache=True, nogil=True)
def write_members(bits, begin, length, pointers, members):
    """Write the neighbours of each unit as a list, and make pointers point into it."""
    before = np.empty(bits.shape[1] + 1, dtype=np.int32)
    at = 0
    for k in range(len(begin)):
        first = at
        for p in range(bits.shape[1]):
            before[p] = at - first
            word = bits[begin[k], p]
            while word:
                rest = word & (word - _ONE)
                members[at] = 64 * p + _ones((word ^ rest) - _ONE)
                at += 1
                word = rest
        before[bits.shape[1]] = at - first
        for c in range(pointers.shape[1]):
            pointers[k, c] = before[pointers[k, c]]
        begin[k] = first
        length[k] = at - first
