"""Kernels that turn columns of numbers into bins: codes, cut points, column sums."""

from __future__ import annotations

import numpy as np
from numba import njit

TILE = 64
"""Rows that are gone through feature by feature."""


@njit(cache=True, nogil=True)
def code_of(value, cuts, start, stop, below):
    """Return the bin of ``value`` among ``cuts[start:stop]``.

    ``below`` says where a value equal to a cut belongs: in the bin below it or above.
    """
    low, high = start, stop
    while low < high:
        middle = (low + high) // 2
        if value > cuts[middle] or (not below and value == cuts[middle]):
            low = middle + 1
        else:
            high = middle
    return low - start


@njit(cache=True, nogil=True)
def encode_dense(X, cuts, offsets, below, start, stop, codes):
    """Fill ``codes[f, i]`` (features x rows) with the bin of ``X[i, f]``."""
    for top in range(0, X.shape[0], TILE):
        end = min(top + TILE, X.shape[0])
        for f in range(start, stop):
            first, last = offsets[f], offsets[f + 1]
            if last - first > 8:
                for i in range(top, end):
                    value = np.float64(X[i, f])
                    codes[f, i] = code_of(value, cuts, first, last, below)
                continue
            for i in range(top, end):
                value = np.float64(X[i, f])
                code = 0
                if below:
                    for c in range(first, last):
                        code += value > cuts[c]
                else:
                    for c in range(first, last):
                        code += value >= cuts[c]
                codes[f, i] = code


@njit(cache=True, nogil=True)
def halve_to_steps(low, width, n_bins, under, over):
    """Find where ``floor((x - low) / width)`` steps up.

    ``over[k, s]`` ends as the smallest number at which it is ``s + 1``, if that lies
    between ``under[k, s]`` and ``over[k, s]``.
    """
    for k in range(len(low)):
        for s in range(n_bins - 1):
            a, b = under[k, s], over[k, s]
            while True:
                middle = a / 2 + b / 2
                if not a < middle < b:
                    break
                if np.floor((middle - low[k]) / width[k]) >= s + 1:
                    b = middle
                else:
                    a = middle
            over[k, s] = b


@njit(cache=True, nogil=True)
def encode_entries(indptr, data, cuts, offsets, below, start, stop, codes):
    """Fill ``codes`` with the bin of each stored entry of a column-compressed X."""
    for f in range(start, stop):
        for place in range(indptr[f], indptr[f + 1]):
            codes[place] = code_of(
                np.float64(data[place]), cuts, offsets[f], offsets[f + 1], below
            )


@njit(cache=True, nogil=True)
def count_off_default(indptr, codes, default, start, stop, counts):
    """Count the entries of each column whose code is not the column's default."""
    for f in range(start, stop):
        count = 0
        for place in range(indptr[f], indptr[f + 1]):
            if codes[place] != default[f]:
                count += 1
        counts[f] = count


@njit(cache=True, nogil=True)
def keep_off_default(
    indptr, indices, codes, default, out_indptr, start, stop, out_indices, out_codes
):
    """Copy the entries whose code is not the column's default, in order."""
    for f in range(start, stop):
        target = out_indptr[f]
        for place in range(indptr[f], indptr[f + 1]):
            if codes[place] != default[f]:
                out_indices[target] = indices[place]
                out_codes[target] = codes[place]
                target += 1


@njit(cache=True, nogil=True)
def exact_sum(values):
    """Return the sum and what rounding took from it."""
    total, error = 0.0, 0.0
    for x in values:
        s = total + x
        back = s - total
        error += (total - (s - back)) + (x - back)
        total = s
    return total, error


@njit(cache=True, nogil=True)
def nearest_boundaries(values, counts, n_bins, cuts):
    """Cut distinct sorted ``values`` so that bins hold nearly equal numbers of rows.

    For each of the targets ``n k / n_bins`` the boundary between distinct values whose
    number of rows below is nearest is taken, the lower one of two. Returns the number
    of cuts written.
    """
    n = counts.sum()
    written, place, below = 0, 0, counts[0]
    last = len(values) - 1  # a boundary lies after each value but the last
    last_taken = -1
    for k in range(1, n_bins):
        # compared in units of 1 / n_bins, so in whole numbers
        target = n * k
        while place + 1 < last and abs(
            (below + counts[place + 1]) * n_bins - target
        ) < (abs(below * n_bins - target)):
            place += 1
            below += counts[place]
        if place < last and place != last_taken:
            cut = values[place] / 2 + values[place + 1] / 2
            if not values[place] <= cut < values[place + 1]:
                cut = values[place]
            cuts[written] = cut
            written += 1
            last_taken = place
    return written


@njit(cache=True, nogil=True)
def count_coded(
    indptr, indices, data, cuts, offsets, below, default, start, stop, counts
):
    """Count the entries of some rows off the default bin, column by column."""
    for place in range(indptr[start], indptr[stop]):
        f = indices[place]
        code = code_of(np.float64(data[place]), cuts, offsets[f], offsets[f + 1], below)
        counts[f] += code != default[f]


@njit(cache=True, nogil=True)
def place_coded(
    indptr,
    indices,
    data,
    cuts,
    offsets,
    below,
    default,
    start,
    stop,
    fill,
    out_indices,
    out_data,
):
    """Write row and code of the entries that ``count_coded`` counts, by column."""
    for i in range(start, stop):
        for place in range(indptr[i], indptr[i + 1]):
            f = indices[place]
            code = code_of(
                np.float64(data[place]), cuts, offsets[f], offsets[f + 1], below
            )
            if code != default[f]:
                at = fill[f]
                out_indices[at] = i
                out_data[at] = code
                fill[f] = at + 1


@njit(cache=True, nogil=True)
def count_entries(indptr, indices, start, stop, counts):
    """Count the entries of some rows, column by column."""
    for place in range(indptr[start], indptr[stop]):
        counts[indices[place]] += np.uint32(1)


@njit(cache=True, nogil=True)
def place_rows(indptr, indices, start, stop, fill, out_indices):
    """Write the row of each entry of some rows, by column, from ``fill`` on."""
    for i in range(start, stop):
        for place in range(indptr[i], indptr[i + 1]):
            f = indices[place]
            at = fill[f]
            out_indices[at] = i
            fill[f] = at + 1
