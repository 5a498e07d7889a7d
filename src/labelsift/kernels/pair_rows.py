"""Counts of pairs of features, summed as ``x log x``; see ``pair_labels.py``."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, overload

# what the tuple ``levels`` holds; see statistics/levels.py
FIRST, IS_LIST, PLACE, SIZES, COUNTS, SUMS, ROWS, PLANES, MOST = range(9)


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
def _common_rows(levels, f, pick, marks):
    """Return the rows of the only levels of two features that are in both."""
    g, h = levels[FIRST][f], levels[FIRST][pick]
    rows = 0
    if levels[IS_LIST][f]:
        for p in range(levels[PLACE][g], levels[PLACE][g] + levels[SIZES][g]):
            rows += marks[levels[ROWS][p]]
    elif levels[IS_LIST][pick]:
        plane = levels[PLANES][levels[PLACE][g]]
        for p in range(levels[PLACE][h], levels[PLACE][h] + levels[SIZES][h]):
            i = levels[ROWS][p]
            if plane[i >> 6] >> np.uint64(i & 63) & np.uint64(1):
                rows += 1
    else:
        plane, other = (
            levels[PLANES][levels[PLACE][g]],
            levels[PLANES][levels[PLACE][h]],
        )
        for j in range(len(plane)):
            rows += _popcount(plane[j] & other[j])
    return rows


@njit(cache=True, nogil=True)
def pair_rows(
    levels, picks, candidates, start, stop, from_pick, table, own, redundancy
):
    """Add to ``redundancy`` the information of picks about candidates.

    ``redundancy[p, candidates[k]]`` grows by that of ``picks[p]``; with ``from_pick``
    for candidates behind the pick only. ``own`` is the sum of ``table`` over the levels
    of each feature.
    """
    n, words = len(table) - 1, levels[PLANES].shape[1]
    marks = np.empty(n, dtype=np.int32)
    cells = np.zeros(levels[MOST], dtype=np.int64)
    rest = np.empty(levels[MOST], dtype=np.int64)
    touched = np.empty(levels[MOST], dtype=np.int64)
    for p in range(len(picks)):
        pick = picks[p]
        mark_rows(levels, pick, marks)
        n_s = levels[FIRST][pick + 1] - levels[FIRST][pick]
        for k in range(max(start, pick + 1) if from_pick else start, stop):
            f = candidates[k]
            if n_s == 1 and levels[FIRST][f + 1] - levels[FIRST][f] == 1:
                rows = _common_rows(levels, f, pick, marks)
                n_f = levels[SIZES][levels[FIRST][f]]
                n_p = levels[SIZES][levels[FIRST][pick]]
                total = table[rows] + table[n_f - rows] + table[n_p - rows]
                total += table[n - n_f - n_p + rows]
                redundancy[p, f] += table[n] - own[f] - own[pick] + total
                continue
            swapped = levels[IS_LIST][pick] and not levels[IS_LIST][f]
            outer, inner = (pick, f) if swapped else (f, pick)
            inner_first = levels[FIRST][inner]
            inner_levels = levels[FIRST][inner + 1] - inner_first
            rest[0] = n
            for w in range(inner_levels):
                rest[w + 1] = levels[SIZES][inner_first + w]
                rest[0] -= rest[w + 1]
            total = 0
            for g in range(levels[FIRST][outer], levels[FIRST][outer + 1]):
                alone = levels[SIZES][g]
                m = 0
                if levels[IS_LIST][outer]:
                    for r in range(levels[PLACE][g], levels[PLACE][g] + alone):
                        i = levels[ROWS][r]
                        w = _level_in_row(levels, f, i) if swapped else marks[i]
                        if w:
                            if cells[w] == 0:
                                touched[m] = w
                                m += 1
                            cells[w] += 1
                else:
                    plane = levels[PLANES][levels[PLACE][g]]
                    for w in range(1, inner_levels + 1):
                        other = levels[PLANES][levels[PLACE][inner_first + w - 1]]
                        both = 0
                        for j in range(words):
                            both += _popcount(plane[j] & other[j])
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
            redundancy[p, f] += table[n] - own[f] - own[pick] + total
