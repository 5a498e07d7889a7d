"""Counts of pairs of features with every label, summed as ``x log x``.

All sums are of whole numbers (``table[x]`` is ``x log2 x`` in fixed point), so that
neither the order of work nor how a feature is kept can change them.

Of a pair, the *outer* feature is gone through level by level; of each level the rows
are counted by the level of the *inner* one, with their labels. What is left of the
inner feature's own counts in the end belongs to the outer one's base.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, overload

# what the tuples ``levels`` and ``labels`` hold; see statistics/levels.py
FIRST, IS_LIST, PLACE, SIZES, COUNTS, SUMS, ROWS, PLANES, MOST, MOST_PLANES = range(10)
Y_INDPTR, Y_INDICES, Y_PLANES, Y_COUNTS = range(4)
# and ``room``, the room for one pair; CELL_N and CELLS are zero between pairs
REST_N, REST, CELL_N, CELLS, TOUCHED = range(5)
ALONE, ALONE_N, COLUMN, COMMON, COMMON_N = range(5, 10)


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
    for g in range(levels[FIRST][f], levels[FIRST][f + 1]):
        level = g - levels[FIRST][f] + 1
        if levels[IS_LIST][f]:
            for p in range(levels[PLACE][g], levels[PLACE][g] + levels[SIZES][g]):
                marks[levels[ROWS][p]] = level
        else:
            plane = levels[PLANES][levels[PLACE][g]]
            for i in range(len(marks)):
                if plane[i >> 6] >> np.uint64(i & 63) & np.uint64(1):
                    marks[i] = level


@njit(cache=True, nogil=True, inline="always")
def _level_in_row(levels, f, i):
    """Return the level of a feature of planes in row i."""
    for g in range(levels[FIRST][f], levels[FIRST][f + 1]):
        word = levels[PLANES][levels[PLACE][g], i >> 6]
        if word >> np.uint64(i & 63) & np.uint64(1):
            return g - levels[FIRST][f] + 1
    return 0


@njit(cache=True, nogil=True, inline="always")
def _count_labels(labels, row, cells):
    for p in range(labels[Y_INDPTR][row], labels[Y_INDPTR][row + 1]):
        cells[labels[Y_INDICES][p]] += 1


@njit(cache=True, nogil=True, inline="always")
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
    # a row with its labels costs about as much as this many words of a plane
    if (
        rows * (8 + 4 * len(labels[Y_INDICES]) // (len(labels[Y_INDPTR]) - 1))
        < q * words
    ):
        for j in range(words):
            word = common[j]
            while word:
                lowest = word ^ (word & (word - np.uint64(1)))
                _count_labels(
                    labels, (j << 6) + _popcount(lowest - np.uint64(1)), cells
                )
                word ^= lowest
    else:
        for label in range(q):
            bits = labels[Y_PLANES][label]
            total = 0
            for j in range(words):
                total += _popcount(common[j] & bits[j])
            cells[label] = total
    return rows


@njit(cache=True, nogil=True, inline="always")
def _cells_of_two(levels, labels, f, pick, marks, table, with_absent, room, each, z):
    """Sum over the cells of two features of one off-base level."""
    n, q = len(marks), len(z)
    g, h = levels[FIRST][f], levels[FIRST][pick]
    cells = room[CELLS][1]
    rows = 0
    if levels[IS_LIST][f]:
        for p in range(levels[PLACE][g], levels[PLACE][g] + levels[SIZES][g]):
            i = levels[ROWS][p]
            if marks[i]:
                rows += 1
                _count_labels(labels, i, cells)
    elif levels[IS_LIST][pick]:
        plane = levels[PLANES][levels[PLACE][g]]
        for p in range(levels[PLACE][h], levels[PLACE][h] + levels[SIZES][h]):
            i = levels[ROWS][p]
            if plane[i >> 6] >> np.uint64(i & 63) & np.uint64(1):
                rows += 1
                _count_labels(labels, i, cells)
    else:
        rows = _count_bits(
            labels,
            levels[PLANES][levels[PLACE][g]],
            levels[PLANES][levels[PLACE][h]],
            room[COMMON][0],
            cells,
        )
    n_f, n_s = levels[SIZES][g] - rows, levels[SIZES][h] - rows
    neither = n - n_f - n_s - rows
    of_f, of_s = levels[COUNTS][g], levels[COUNTS][h]
    total = 0
    if rows == 0 and not each:
        # what is in one of them is as in that one alone
        for label in range(q):
            c = labels[Y_COUNTS][label] - of_f[label] - of_s[label]
            total += table[c]
            if with_absent:
                total += table[neither - c]
        total += levels[SUMS][g] + levels[SUMS][h]
    else:
        for label in range(q):
            c = cells[label]
            cells[label] = 0
            a = of_f[label] - c
            b = of_s[label] - c
            rest = labels[Y_COUNTS][label] - a - b - c
            value = table[c] + table[a] + table[b] + table[rest]
            if with_absent:
                value += table[rows - c] + table[n_f - a]
                value += table[n_s - b] + table[neither - rest]
            total += value
            if each:
                z[label] = value
    return table[rows] + table[n_f] + table[n_s] + table[neither], total


@njit(cache=True, nogil=True, inline="always")
def _cells_of_planes(levels, labels, f, pick, n, table, with_absent, room, each, z):
    """Sum over the cells of two features of planes, label by label."""
    first, other_first = levels[FIRST][f], levels[FIRST][pick]
    n_f = levels[FIRST][f + 1] - first
    n_s = levels[FIRST][pick + 1] - other_first
    words = levels[PLANES].shape[1]
    common, rows = room[COMMON], room[COMMON_N]
    total = 0
    left_n = n
    for w in range(n_s):
        room[REST_N][w] = levels[SIZES][other_first + w]
    for v in range(n_f):
        plane = levels[PLANES][levels[PLACE][first + v]]
        alone = levels[SIZES][first + v]
        left_n -= alone
        for w in range(n_s):
            other = levels[PLANES][levels[PLACE][other_first + w]]
            both = common[v * n_s + w]
            count = 0
            for j in range(words):
                both[j] = plane[j] & other[j]
                count += _popcount(both[j])
            rows[v * n_s + w] = count
            alone -= count
            room[REST_N][w] -= count
            total += table[count]
        room[ALONE_N][v] = alone
        total += table[alone]
    for w in range(n_s):
        left_n -= room[REST_N][w]
        total += table[room[REST_N][w]]
    total += table[left_n]
    label_total = 0
    for label in range(len(z)):
        bits = labels[Y_PLANES][label]
        left = labels[Y_COUNTS][label]
        value = 0
        for w in range(n_s):
            room[COLUMN][w] = levels[COUNTS][other_first + w, label]
        for v in range(n_f):
            alone = levels[COUNTS][first + v, label]
            left -= alone
            for w in range(n_s):
                both = common[v * n_s + w]
                count = 0
                for j in range(words):
                    count += _popcount(both[j] & bits[j])
                alone -= count
                room[COLUMN][w] -= count
                value += table[count]
                if with_absent:
                    value += table[rows[v * n_s + w] - count]
            value += table[alone]
            if with_absent:
                value += table[room[ALONE_N][v] - alone]
        for w in range(n_s):
            count = room[COLUMN][w]
            left -= count
            value += table[count]
            if with_absent:
                value += table[room[REST_N][w] - count]
        value += table[left]
        if with_absent:
            value += table[left_n - left]
        label_total += value
        if each:
            z[label] = value
    return total, label_total


@njit(cache=True, nogil=True, inline="always")
def _add_cells(table, rows, cells, with_absent, z):
    for label in range(len(z)):
        z[label] += table[cells[label]]
        if with_absent:
            z[label] += table[rows - cells[label]]


@njit(cache=True, nogil=True, inline="always")
def _cells_by_level(levels, labels, f, pick, marks, table, with_absent, room, z):
    """Sum over the cells of two features, one of lists, level by level."""
    q = len(z)
    rest_n, rest = room[REST_N], room[REST]
    cell_n, cells = room[CELL_N], room[CELLS]
    touched, alone = room[TOUCHED], room[ALONE]
    swapped = levels[IS_LIST][pick] and not levels[IS_LIST][f]
    outer, inner = (pick, f) if swapped else (f, pick)
    inner_first = levels[FIRST][inner]
    inner_levels = levels[FIRST][inner + 1] - inner_first
    rest_n[0] = len(marks)
    for label in range(q):
        rest[0, label] = labels[Y_COUNTS][label]
        z[label] = 0
    for w in range(1, inner_levels + 1):
        g = inner_first + w - 1
        rest_n[w] = levels[SIZES][g]
        rest_n[0] -= levels[SIZES][g]
        for label in range(q):
            rest[w, label] = levels[COUNTS][g, label]
            rest[0, label] -= levels[COUNTS][g, label]
    total = 0
    for g in range(levels[FIRST][outer], levels[FIRST][outer + 1]):
        m = 0
        for p in range(levels[PLACE][g], levels[PLACE][g] + levels[SIZES][g]):
            i = levels[ROWS][p]
            w = _level_in_row(levels, f, i) if swapped else marks[i]
            if w:
                if cell_n[w] == 0:
                    touched[m] = w
                    m += 1
                cell_n[w] += 1
                _count_labels(labels, i, cells[w])
        alone_n = levels[SIZES][g]
        for label in range(q):
            alone[label] = levels[COUNTS][g, label]
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
    label_total = 0
    for label in range(q):
        label_total += z[label]
    return total, label_total


@njit(cache=True, nogil=True)
def pair_labels(
    levels, labels, picks, candidates, start, stop, from_pick, table, with_absent,
    own, joint, variables, redundancy, interaction, pick_joint, minima,
):  # fmt: skip
    """Add to the sums of candidates what they have in common with picks.

    ``redundancy[p, candidates[k]]`` grows by the information of ``picks[p]`` about the
    candidate, ``interaction`` by what both tell of the labels; with ``from_pick`` for
    candidates behind the pick only. ``own`` and ``joint`` are the sums of ``table``
    over each feature's levels, alone and with every label, and ``variables`` that over
    the labels. Unless ``minima`` is empty, its row of each candidate is lowered to the
    candidate's information about each variable given the pick, whose sum with each is
    ``pick_joint``. Without ``with_absent`` the labels are the values of one variable.
    """
    n, q = len(labels[Y_INDPTR]) - 1, len(labels[Y_COUNTS])
    most, pairs = levels[MOST], levels[MOST_PLANES] * levels[MOST_PLANES]
    room = (
        np.empty(most, dtype=np.int64),
        np.empty((most, q), dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros((max(most, 2), q), dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.empty(q, dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.empty((pairs, levels[PLANES].shape[1]), dtype=np.uint64),
        np.empty(pairs, dtype=np.int64),
    )
    z = np.empty(q, dtype=np.int64)
    marks = np.empty(n, dtype=np.int32)
    each = minima.shape[0] > 0
    times = q if with_absent else 1
    for p in range(len(picks)):
        pick = picks[p]
        mark_rows(levels, pick, marks)
        n_s = levels[FIRST][pick + 1] - levels[FIRST][pick]
        for k in range(max(start, pick + 1) if from_pick else start, stop):
            f = candidates[k]
            n_f = levels[FIRST][f + 1] - levels[FIRST][f]
            if n_f == 1 and n_s == 1:
                total, label_total = _cells_of_two(
                    levels, labels, f, pick, marks, table, with_absent, room, each, z
                )
            elif not levels[IS_LIST][f] and not levels[IS_LIST][pick]:
                total, label_total = _cells_of_planes(
                    levels, labels, f, pick, n, table, with_absent, room, each, z
                )
            else:
                total, label_total = _cells_by_level(
                    levels, labels, f, pick, marks, table, with_absent, room, z
                )
            shared = table[n] - own[f] - own[pick] + total
            redundancy[p, f] += shared
            interaction[p, f] += times * shared - variables - label_total
            interaction[p, f] += joint[f] + joint[pick]
            if each and with_absent:
                for label in range(q):
                    given = own[pick] - total - pick_joint[label] + z[label]
                    minima[f, label] = min(minima[f, label], given)
            elif each:
                given = own[pick] - total - pick_joint[0] + label_total
                minima[f, 0] = min(minima[f, 0], given)
