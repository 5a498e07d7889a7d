"""A greedy walk over tables of all pairs of features."""

import numpy as np
from numba import njit

TILE = 32


@njit(cache=True, nogil=True)
def mirror(table):
    """Copy what lies above the diagonal of a square table below it."""
    d = len(table)
    for top in range(0, d, TILE):
        for left in range(top, d, TILE):
            for i in range(top, min(top + TILE, d)):
                for j in range(max(left, i + 1), min(left + TILE, d)):
                    table[j, i] = table[i, j]


@njit(cache=True, nogil=True)
def walk(
    tables, sums, relevance, scale, base, shape, unit, tolerance, bounds,
    is_open, picks, trace, values,
):  # fmt: skip
    """Take one feature after another; return how many were taken.

    ``values`` are those without picks, and in the end those that chose the last one;
    ``base`` are those of sums of nothing. Sums over picks of the rows of ``tables``,
    in ``unit``, are taken off, divided by their number if ``shape[0]``; then the mean
    relevance of picks is added if ``shape[1]``. If ``shape[2]`` their share of
    ``scale`` is taken off instead. It ends early where a sum that grows by up to
    ``bounds[0]`` could reach ``bounds[1]``. Of the last pick nothing is added.
    """
    is_mean, has_shift, is_share = shape
    most, limit = bounds
    reach, picked = np.int64(0), np.int64(0)
    left = np.flatnonzero(is_open)
    n_left, shift = len(left), 0.0
    for step in range(len(picks)):
        if step:
            if reach > limit - most:
                reach = np.int64(0)
                for table in range(len(sums)):
                    for k in range(n_left):
                        reach = max(reach, abs(sums[table, left[k]]))
                if reach > limit - most:
                    return step
            reach += most
            pick = picks[step - 1]
            is_open[pick] = False
            picked += relevance[pick]
            if has_shift:
                shift = picked / unit / step
            m = 0
            for k in range(n_left):
                f = left[k]
                if f == pick:
                    continue
                left[m] = f
                m += 1
                taken = 0.0
                for table in range(len(sums)):
                    sums[table, f] += tables[table, pick, f]
                    taken += sums[table, f] / unit
                if is_mean:
                    taken /= step
                if is_share:
                    values[f] = base[f] * (1 - taken / scale[f])
                else:
                    values[f] = base[f] - taken + shift
            n_left = m
        best = -np.inf
        for k in range(n_left):
            best = max(best, values[left[k]])
        best -= tolerance
        for k in range(n_left):
            f = left[k]
            if values[f] >= best:
                picks[step], trace[step] = f, values[f]
                break
    return len(picks)
