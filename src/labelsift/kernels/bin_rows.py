"""Rows sorted by the bin that a feature puts them in; the default bin is left out."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def rows_of_codes(codes, default, first_bin, start, bin_start, rows):
    """Sort the rows of dense ``codes`` (some features x rows) by bin.

    The bins of the feature ``start + k`` are numbered from ``first_bin[start + k]``,
    counted from ``first_bin[start]``; ``bin_start`` is written for all of them.
    """
    for k in range(len(codes)):
        a = first_bin[start + k] - first_bin[start]
        b = first_bin[start + k + 1] - first_bin[start]
        sizes = np.zeros(b - a, np.int64)
        for code in codes[k]:
            sizes[code] += 1
        zero = default[start + k]
        if zero >= 0:
            sizes[zero] = 0
        for v in range(a, b):
            bin_start[v + 1] = bin_start[v] + sizes[v - a]
            sizes[v - a] = bin_start[v]
        for i in range(codes.shape[1]):
            code = codes[k, i]
            if code != zero:
                rows[sizes[code]] = i
                sizes[code] += 1


@njit(cache=True, nogil=True)
def rows_of_entries(indptr, indices, codes, first_bin, start, stop, bin_start, rows):
    """Sort stored entries by bin as ``rows_of_codes`` does."""
    for f in range(start, stop):
        a, b = first_bin[f] - first_bin[start], first_bin[f + 1] - first_bin[start]
        sizes = np.zeros(b - a, np.int64)
        for place in range(indptr[f], indptr[f + 1]):
            sizes[codes[place]] += 1
        for v in range(a, b):
            bin_start[v + 1] = bin_start[v] + sizes[v - a]
            sizes[v - a] = bin_start[v]
        for place in range(indptr[f], indptr[f + 1]):
            code = codes[place]
            rows[sizes[code]] = indices[place]
            sizes[code] += 1


@njit(cache=True, nogil=True)
def sizes_of_entries(indptr, codes, first_bin, start, stop, bin_rows):
    """Count the stored entries of each bin."""
    for f in range(start, stop):
        for place in range(indptr[f], indptr[f + 1]):
            bin_rows[first_bin[f] + codes[place]] += 1


@njit(cache=True, nogil=True)
def sizes_of_codes(codes, default, first_bin, start, stop, bin_rows):
    """Count the rows of each bin, without the default ones."""
    for f in range(start, stop):
        for code in codes[f]:
            bin_rows[first_bin[f] + code] += 1
        if default[f] >= 0:
            bin_rows[first_bin[f] + default[f]] = 0
