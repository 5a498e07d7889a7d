"""Counts of pairs of features with every label, summed as ``x log x``.

All sums are of whole numbers (``table[x]`` is ``x log2 x`` in fixed point), so that
neither the order of work nor how a feature is kept can change them.

Of a pair, the *outer* feature is gone through level by level; of each level the rows
are counted by the level of the *inner* one, with their labels. What is left of the
inner feature's own counts in the end belongs to the outer one's base.
"""

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, overload


class Levels(NamedTuple):
    """Off-base levels of all features; those of ``f`` are ``first[f]:first[f + 1]``."""

    first: np.ndarray
    is_list: np.ndarray  # by feature: rows listed, or one bit a row
    place: np.ndarray  # by level: where its rows begin, or the number of its plane
    sizes: np.ndarray  # by level: its rows
    counts: np.ndarray  # by level and label
    rows: np.ndarray
    planes: np.ndarray


class Labels(NamedTuple):
    """Labels of each row, compressed, and one plane of bits a label."""

    indptr: np.ndarray
    indices: np.ndarray
    planes: np.ndarray
    counts: np.ndarray


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
def mark_rows(levels, f, marks):
    """Write the level of feature ``f`` in every row, 0 for its base."""
    marks[:] = 0
    for g in range(levels.first[f], levels.first[f + 1]):
        level = g - levels.first[f] + 1
        if levels.is_list[f]:
            for p in range(levels.place[g], levels.place[g] + levels.sizes[g]):
                marks[levels.rows[p]] = level
        else:
            plane = levels.planes[levels.place[g]]
            for i in range(len(marks)):
                if plane[i >> 6] >> np.uint64(i & 63) & np.uint64(1):
                    marks[i] = level


@njit(cache=True, nogil=True)
def _level_in_row(levels, f, i):
    """Return the level of a feature of planes in row i."""
    for g in range(levels.first[f], levels.first[f + 1]):
        word = levels.planes[levels.place[g], i >> 6]
        if word >> np.uint64(i & 63) & np.uint64(1):
            return g - levels.first[f] + 1
    return 0


@njit(cache=True, nogil=True)
def pair_rows(levels, candidates, start, stop, pick, marks, table, sums):
    """Sum ``table`` over the cells of each candidate with ``pick``."""
    n = len(marks)
    most = 1
    for f in range(len(levels.first) - 1):
        most = max(most, levels.first[f + 1] - levels.first[f] + 1)
    cells = np.zeros(most, dtype=np.int64)
    rest = np.empty(most, dtype=np.int64)
    touched = np.empty(most, dtype=np.int64)
    words = levels.planes.shape[1]
    for k in range(start, stop):
        f = candidates[k]
        swapped = levels.is_list[pick] and not levels.is_list[f]
        outer, inner = (pick, f) if swapped else (f, pick)
        inner_first = levels.first[inner]
        inner_levels = levels.first[inner + 1] - inner_first
        rest[0] = n
        for w in range(inner_levels):
            rest[w + 1] = levels.sizes[inner_first + w]
            rest[0] -= rest[w + 1]
        total = 0
        for g in range(levels.first[outer], levels.first[outer + 1]):
            alone = levels.sizes[g]
            m = 0
            if levels.is_list[outer]:
                for p in range(levels.place[g], levels.place[g] + levels.sizes[g]):
                    i = levels.rows[p]
                    w = _level_in_row(levels, f, i) if swapped else marks[i]
                    if w:
                        if cells[w] == 0:
                            touched[m] = w
                            m += 1
                        cells[w] += 1
            else:
                plane = levels.planes[levels.place[g]]
                for w in range(1, inner_levels + 1):
                    other = levels.planes[levels.place[inner_first + w - 1]]
                    both = 0
                    for j in range(words):
                        both += _popcount(plane[j] & other[j])
                    if both:
                        cells[w] = both
                        touched[m] = w
                        m += 1
            for t in range(m):
                w = touched[t]
                total += table[cells[w]]
                alone -= cells[w]
                rest[w] -= cells[w]
                cells[w] = 0
            total += table[alone]
            rest[0] -= alone
        for w in range(inner_levels + 1):
            total += table[rest[w]]
        sums[k] = total


@njit(cache=True, nogil=True)
def _add_cells(table, rows, cells, with_absent, z):
    for label in range(len(z)):
        z[label] += table[cells[label]]
    if with_absent:
        for label in range(len(z)):
            z[label] += table[rows - cells[label]]


@njit(cache=True, nogil=True)
def _count_labels(labels, row, cells):
    for p in range(labels.indptr[row], labels.indptr[row + 1]):
        cells[labels.indices[p]] += 1


@njit(cache=True, nogil=True)
def _count_bits(labels, plane, other, common, cells):
    """Count the rows of two levels with every label; return those rows."""
    words = len(plane)
    rows = 0
    for j in range(words):
        common[j] = plane[j] & other[j]
        rows += _popcount(common[j])
    if rows == 0:
        return rows
    q = len(cells)
    n = len(labels.indptr) - 1
    # one row with its labels costs about as much as this many words of a plane
    if rows * (8 + 4 * len(labels.indices) // n) < q * words:
        for j in range(words):
            word = common[j]
            while word:
                lowest = word ^ (word & (word - np.uint64(1)))
                row = (j << 6) + _popcount(lowest - np.uint64(1))
                _count_labels(labels, row, cells)
                word ^= lowest
    else:
        for label in range(q):
            bits = labels.planes[label]
            total = 0
            for j in range(words):
                total += _popcount(common[j] & bits[j])
            cells[label] = total
    return rows


@njit(cache=True, nogil=True)
def pair_cells(
    levels, labels, f, pick, marks, table, with_absent, rest_n, rest, cell_n, cells, z
):
    """Sum ``table`` over the cells of a pair with each label, into ``z``.

    Returns the sum over the cells of the pair alone. ``cell_n`` and ``cells`` are all
    zero before and after; ``rest_n`` and ``rest`` are overwritten.
    """
    n = len(marks)
    q = len(z)
    swapped = levels.is_list[pick] and not levels.is_list[f]
    outer, inner = (pick, f) if swapped else (f, pick)
    inner_first = levels.first[inner]
    inner_levels = levels.first[inner + 1] - inner_first
    touched = np.empty(inner_levels, dtype=np.int64)
    common = np.empty(levels.planes.shape[1], dtype=np.uint64)
    alone = np.empty(q, dtype=np.int64)
    rest_n[0] = n
    for label in range(q):
        rest[0, label] = labels.counts[label]
        z[label] = 0
    for w in range(1, inner_levels + 1):
        g = inner_first + w - 1
        rest_n[w] = levels.sizes[g]
        rest_n[0] -= levels.sizes[g]
        for label in range(q):
            rest[w, label] = levels.counts[g, label]
            rest[0, label] -= levels.counts[g, label]
    total = 0
    for g in range(levels.first[outer], levels.first[outer + 1]):
        m = 0
        if levels.is_list[outer]:
            for p in range(levels.place[g], levels.place[g] + levels.sizes[g]):
                i = levels.rows[p]
                w = _level_in_row(levels, f, i) if swapped else marks[i]
                if w:
                    if cell_n[w] == 0:
                        touched[m] = w
                        m += 1
                    cell_n[w] += 1
                    _count_labels(labels, i, cells[w])
        else:
            plane = levels.planes[levels.place[g]]
            for w in range(1, inner_levels + 1):
                other = levels.planes[levels.place[inner_first + w - 1]]
                cell_n[w] = _count_bits(labels, plane, other, common, cells[w])
                if cell_n[w]:
                    touched[m] = w
                    m += 1
        alone_n = levels.sizes[g]
        for label in range(q):
            alone[label] = levels.counts[g, label]
        for t in range(m):
            w = touched[t]
            rows = cell_n[w]
            total += table[rows]
            _add_cells(table, rows, cells[w], with_absent, z)
            alone_n -= rows
            rest_n[w] -= rows
            cell_n[w] = 0
            for label in range(q):
                alone[label] -= cells[w, label]
                rest[w, label] -= cells[w, label]
                cells[w, label] = 0
        total += table[alone_n]
        _add_cells(table, alone_n, alone, with_absent, z)
        rest_n[0] -= alone_n
        for label in range(q):
            rest[0, label] -= alone[label]
    for w in range(inner_levels + 1):
        total += table[rest_n[w]]
        _add_cells(table, rest_n[w], rest[w], with_absent, z)
    return total


@njit(cache=True, nogil=True)
def _most_levels(levels):
    most = 1
    for f in range(len(levels.first) - 1):
        most = max(most, levels.first[f + 1] - levels.first[f] + 1)
    return most


@njit(cache=True, nogil=True)
def pair_labels(
    levels,
    labels,
    candidates,
    start,
    stop,
    pick,
    marks,
    table,
    with_absent,
    sums,
    label_sums,
):
    """Sum ``table`` over cells of each candidate with ``pick``, and with the labels."""
    most, q = _most_levels(levels), len(labels.counts)
    rest_n = np.empty(most, dtype=np.int64)
    rest = np.empty((most, q), dtype=np.int64)
    cell_n = np.zeros(most, dtype=np.int64)
    cells = np.zeros((most, q), dtype=np.int64)
    z = np.empty(q, dtype=np.int64)
    for k in range(start, stop):
        sums[k] = pair_cells(
            levels,
            labels,
            candidates[k],
            pick,
            marks,
            table,
            with_absent,
            rest_n,
            rest,
            cell_n,
            cells,
            z,
        )
        total = 0
        for label in range(q):
            total += z[label]
        label_sums[k] = total


@njit(cache=True, nogil=True)
def lower_minima(
    levels,
    labels,
    candidates,
    start,
    stop,
    pick,
    marks,
    table,
    with_absent,
    pick_own,
    pick_joint,
    minima,
):
    """Lower each candidate's ``minima`` to its information given ``pick``.

    ``pick_own`` and ``pick_joint`` are the sums of the pick alone and with each label.
    Without ``with_absent`` the labels are the values of one variable, and ``minima``
    has one column.
    """
    most, q = _most_levels(levels), len(labels.counts)
    rest_n = np.empty(most, dtype=np.int64)
    rest = np.empty((most, q), dtype=np.int64)
    cell_n = np.zeros(most, dtype=np.int64)
    cells = np.zeros((most, q), dtype=np.int64)
    z = np.empty(q, dtype=np.int64)
    for k in range(start, stop):
        f = candidates[k]
        own = pair_cells(
            levels,
            labels,
            f,
            pick,
            marks,
            table,
            with_absent,
            rest_n,
            rest,
            cell_n,
            cells,
            z,
        )
        if with_absent:
            for label in range(q):
                given = pick_own - own - pick_joint[label] + z[label]
                minima[f, label] = min(minima[f, label], given)
        else:
            given = pick_own - own
            for label in range(q):
                given += z[label] - pick_joint[label]
            minima[f, 0] = min(minima[f, 0], given)


@njit(cache=True, nogil=True)
def _count_label_pairs(labels, row, pairs):
    q = pairs.shape[0]
    for p in range(labels.indptr[row], labels.indptr[row + 1]):
        one = labels.indices[p]
        for r in range(p + 1, labels.indptr[row + 1]):
            pairs[one, labels.indices[r]] += 1
    return q


@njit(cache=True, nogil=True)
def count_label_pairs(labels, pairs):
    """Count the rows with every two labels, above the diagonal."""
    for row in range(len(labels.indptr) - 1):
        _count_label_pairs(labels, row, pairs)


@njit(cache=True, nogil=True)
def _pair_table_sum(table, rows, counts, pairs):
    total = 0
    for one in range(len(counts)):
        for other in range(one + 1, len(counts)):
            c = pairs[one, other]
            total += table[c] + table[counts[one] - c] + table[counts[other] - c]
            total += table[rows - counts[one] - counts[other] + c]
    return total


@njit(cache=True, nogil=True)
def label_pair_sums(levels, labels, all_pairs, features, start, stop, table, sums):
    """Sum ``table`` over the cells of some features with every two labels.

    The sums wrap around at 64 bits; differences of such sums do not.
    """
    n, q = len(labels.indptr) - 1, len(labels.counts)
    pairs = np.zeros((q, q), dtype=np.int64)
    rest = np.empty((q, q), dtype=np.int64)
    left = np.empty(q, dtype=np.int64)
    for k in range(start, stop):
        f = features[k]
        rest[:] = all_pairs
        left[:] = labels.counts
        left_n = n
        total = 0
        for g in range(levels.first[f], levels.first[f + 1]):
            if levels.is_list[f]:
                for p in range(levels.place[g], levels.place[g] + levels.sizes[g]):
                    _count_label_pairs(labels, levels.rows[p], pairs)
            else:
                plane = levels.planes[levels.place[g]]
                for j in range(len(plane)):
                    word = plane[j]
                    while word:
                        lowest = word ^ (word & (word - np.uint64(1)))
                        row = (j << 6) + _popcount(lowest - np.uint64(1))
                        _count_label_pairs(labels, row, pairs)
                        word ^= lowest
            total += _pair_table_sum(table, levels.sizes[g], levels.counts[g], pairs)
            left_n -= levels.sizes[g]
            for one in range(q):
                left[one] -= levels.counts[g, one]
                for other in range(one + 1, q):
                    rest[one, other] -= pairs[one, other]
                    pairs[one, other] = 0
        sums[k] = total + _pair_table_sum(table, left_n, left, rest)
