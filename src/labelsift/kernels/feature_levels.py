"""Levels of discrete columns: which rows hold each, as lists of rows or as bits.

The most frequent level of a feature, its *base*, is kept implicitly: what holds for it
follows by subtraction. The others are numbered from 1, in the order of their codes.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, overload

FEW = 8
"""Codes of a feature up to which its rows are gone through once for each."""

# what the tuple ``levels`` holds; see statistics/levels.py
FIRST, IS_LIST, PLACE, SIZES, COUNTS, SUMS = range(6)


def _popcount(word: Any) -> Any:
    """Return the number of bits that are set."""
    return int(word).bit_count()


@intrinsic
def _ctpop(typingctx, word):
    def build(context, builder, signature, args):
        kind = ir.IntType(64)
        function = builder.module.declare_intrinsic("llvm.ctpop", [kind])
        return builder.call(function, args)

    return types.int64(types.uint64), build


@overload(_popcount)
def _popcount_compiled(word: Any) -> Any:
    def compiled(word: Any) -> Any:
        return _ctpop(word)  # type: ignore[call-arg]

    return compiled


@njit(cache=True, nogil=True)
def count_codes(codes, offsets, start, stop, counts):
    """Count the rows of every code of dense ``codes`` (features x rows)."""
    for f in range(start, stop):
        if offsets[f + 1] - offsets[f] > FEW:
            for i in range(codes.shape[1]):
                counts[offsets[f] + codes[f, i]] += 1
            continue
        for code in range(offsets[f + 1] - offsets[f]):
            rows = 0
            for i in range(codes.shape[1]):
                rows += codes[f, i] == code
            counts[offsets[f] + code] = rows


@njit(cache=True, nogil=True)
def count_stored_codes(indptr, data, default, n, offsets, start, stop, counts):
    """Count the rows of every code of column-compressed codes."""
    for f in range(start, stop):
        for p in range(indptr[f], indptr[f + 1]):
            counts[offsets[f] + data[p]] += 1
        if default[f] >= 0:
            counts[offsets[f] + default[f]] += n - (indptr[f + 1] - indptr[f])


@njit(cache=True, nogil=True)
def number_levels(offsets, counts, default, numbers, base, n_levels):
    """Give codes that occur a number; the base, and codes that do not, get 0.

    The code of 0 is the base unless another is more frequent, so that only stored
    entries of a sparse column have to be looked at.
    """
    for f in range(len(base)):
        best = max(default[f], 0)
        for b in range(offsets[f + 1] - offsets[f]):
            if counts[offsets[f] + b] > counts[offsets[f] + best]:
                best = b
        base[f] = best
        level = 0
        for b in range(offsets[f + 1] - offsets[f]):
            if b != best and counts[offsets[f] + b]:
                level += 1
                numbers[offsets[f] + b] = level
        n_levels[f] = level


@njit(cache=True, nogil=True, inline="always")
def _place(
    f, i, level, first, is_list, place, y_indptr, y_indices, rows, planes, counts, at
):
    g = first[f] + level - 1
    if is_list[f]:
        rows[place[g] + at[g]] = i
        at[g] += 1
    else:
        planes[place[g], i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    for p in range(y_indptr[i], y_indptr[i + 1]):
        counts[g, y_indices[p]] += 1


@njit(cache=True, nogil=True, inline="always")
def _fill_plane(codes, f, code, plane):
    """Set the bit of every row of a code; return their number."""
    n, rows = codes.shape[1], 0
    for j in range(len(plane)):
        word = np.uint64(0)
        for i in range(j << 6, min(n, (j + 1) << 6)):
            word |= np.uint64(codes[f, i] == code) << np.uint64(i & 63)
        plane[j] = word
        rows += _popcount(word)
    return rows


@njit(cache=True, nogil=True)
def place_codes(
    codes, offsets, numbers, start, stop, first, is_list, place,
    y_indptr, y_indices, y_planes, rows, planes, counts, at,
):  # fmt: skip
    """Fill in rows or bits, and label counts, of every level of dense codes."""
    n, words = codes.shape[1], planes.shape[1]
    for f in range(start, stop):
        if is_list[f]:
            for i in range(codes.shape[1]):
                level = numbers[offsets[f] + codes[f, i]]
                if level:
                    _place(
                        f, i, level, first, is_list, place,
                        y_indptr, y_indices, rows, planes, counts, at,
                    )  # fmt: skip
            continue
        for code in range(offsets[f + 1] - offsets[f]):
            level = numbers[offsets[f] + code]
            if not level:
                continue
            g = first[f] + level - 1
            plane = planes[place[g]]
            size = _fill_plane(codes, f, code, plane)
            # a row with its labels costs about as much as this many words of a plane
            if size * (8 + 4 * len(y_indices) // n) < len(y_planes) * words:
                for i in range(n):
                    if codes[f, i] == code:
                        for p in range(y_indptr[i], y_indptr[i + 1]):
                            counts[g, y_indices[p]] += 1
                continue
            for label in range(len(y_planes)):
                bits = y_planes[label]
                total = 0
                for j in range(words):
                    total += _popcount(plane[j] & bits[j])
                counts[g, label] = total


@njit(cache=True, nogil=True)
def place_stored_codes(
    indptr,
    indices,
    data,
    default,
    offsets,
    numbers,
    start,
    stop,
    first,
    is_list,
    place,
    y_indptr,
    y_indices,
    rows,
    planes,
    counts,
    at,
):
    """Do the same for column-compressed codes with sorted rows."""
    n = len(y_indptr) - 1
    for f in range(start, stop):
        resting = numbers[offsets[f] + default[f]] if default[f] >= 0 else 0
        row = 0
        for p in range(indptr[f], indptr[f + 1] + 1):
            stored = indices[p] if p < indptr[f + 1] else n
            if resting:  # the code of 0 is not the base: its rows are written out
                while row < stored:
                    _place(
                        f,
                        row,
                        resting,
                        first,
                        is_list,
                        place,
                        y_indptr,
                        y_indices,
                        rows,
                        planes,
                        counts,
                        at,
                    )
                    row += 1
                row = stored + 1
            if stored < n:
                level = numbers[offsets[f] + data[p]]
                if level:
                    _place(
                        f,
                        stored,
                        level,
                        first,
                        is_list,
                        place,
                        y_indptr,
                        y_indices,
                        rows,
                        planes,
                        counts,
                        at,
                    )


@njit(cache=True, nogil=True)
def label_planes(y_indptr, y_indices, planes):
    """Set the bit of every row in the planes of its labels."""
    for i in range(len(y_indptr) - 1):
        for p in range(y_indptr[i], y_indptr[i + 1]):
            planes[y_indices[p], i >> 6] |= np.uint64(1) << np.uint64(i & 63)


@njit(cache=True, nogil=True)
def one_way_sums(table, n, levels, label_counts, with_absent, own, joint):
    """Sum ``table`` over the levels of each feature, alone and with each label.

    ``own[f]`` is the sum over levels, ``joint[f]`` that over levels and labels, and
    over levels and absent labels too if ``with_absent``; the share of each off-base
    level goes into ``levels[SUMS]``.
    """
    q = len(label_counts)
    left = np.empty(q, dtype=np.int64)
    for f in range(len(own)):
        rest = n
        left[:] = label_counts
        total, cells = 0, 0
        for g in range(levels[FIRST][f], levels[FIRST][f + 1]):
            size = levels[SIZES][g]
            rest -= size
            total += table[size]
            of_level = 0
            for label in range(q):
                c = levels[COUNTS][g, label]
                left[label] -= c
                of_level += table[c]
                if with_absent:
                    of_level += table[size - c]
            levels[SUMS][g] = of_level
            cells += of_level
        for label in range(q):
            cells += table[left[label]]
            if with_absent:
                cells += table[rest - left[label]]
        joint[f] = cells
        own[f] = total + table[rest]
