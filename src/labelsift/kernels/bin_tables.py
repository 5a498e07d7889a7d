"""Entropies and chi-square of many small tables of bins by classes, in one pass."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _x_log_x(x: float) -> float:
    return x * math.log2(x) if x > 0.0 else 0.0


@njit(cache=True, nogil=True)
def table_entropies(counts: Any, n_bins: Any) -> Any:
    """Return the entropies of each table, in bits.

    Parameters
    ----------
    counts : ndarray of shape (n_rows, k), float64
        The rows of all tables, one table after the other.
    n_bins : ndarray of shape (n_tables,), int64
        Rows of each table.

    Returns
    -------
    ndarray of shape (n_tables, 4), float64
        Entropy of the bins, of the classes, their mutual information and the total
        of the table. An information that is 0 but for rounding is 0.
    """
    k = counts.shape[1]
    result = np.zeros((len(n_bins), 4))
    in_class = np.zeros(k)
    row = 0
    for t in range(len(n_bins)):
        in_class[:] = 0.0
        bins, cells = 0.0, 0.0
        for _ in range(n_bins[t]):
            size = 0.0
            for c in range(k):
                x = counts[row, c]
                if x > 0.0:
                    size += x
                    in_class[c] += x
                    cells += _x_log_x(x)
            bins += _x_log_x(size)
            row += 1
        n, classes = 0.0, 0.0
        for c in range(k):
            n += in_class[c]
            classes += _x_log_x(in_class[c])
        if n <= 0.0:
            continue
        whole = _x_log_x(n)
        gain = whole - bins - classes + cells
        result[t, 0] = max(whole - bins, 0.0) / n
        result[t, 1] = max(whole - classes, 0.0) / n
        if n_bins[t] > 1 and gain > 1e-12 * whole:
            result[t, 2] = gain / n
        result[t, 3] = n
    return result


@njit(cache=True, nogil=True)
def table_chi_squares(counts: Any, n_bins: Any) -> Any:
    """Return Pearson's chi-square of each table.

    Parameters
    ----------
    counts : ndarray of shape (n_rows, k), float64
        The rows of all tables, one table after the other.
    n_bins : ndarray of shape (n_tables,), int64
        Rows of each table.

    Returns
    -------
    ndarray of shape (n_tables,), float64
        0 where the table has one bin or one class that occurs.
    """
    k = counts.shape[1]
    result = np.zeros(len(n_bins))
    in_class = np.zeros(k)
    row = 0
    for t in range(len(n_bins)):
        in_class[:] = 0.0
        for b in range(row, row + n_bins[t]):
            for c in range(k):
                in_class[c] += counts[b, c]
        n = 0.0
        for c in range(k):
            n += in_class[c]
        chi_square = 0.0
        for b in range(row, row + n_bins[t]):
            size = 0.0
            for c in range(k):
                size += counts[b, c]
            if size <= 0.0:
                continue
            for c in range(k):
                if in_class[c] > 0.0:
                    expected = size * in_class[c] / n
                    chi_square += (counts[b, c] - expected) ** 2 / expected
        if n_bins[t] > 1:
            result[t] = chi_square
        row += n_bins[t]
    return result


@njit(cache=True, nogil=True)
def spread_missing(counts: Any, n_bins: Any, missing: Any) -> Any:
    """Return tables with the rows of unknown bin shared out among the bins.

    Parameters
    ----------
    counts : ndarray of shape (n_rows, k), float64
        The rows of all tables, one table after the other.
    n_bins : ndarray of shape (n_tables,), int64
        Rows of each table.
    missing : ndarray of shape (n_tables, k), float64
        Of each class how much has no known bin.

    Returns
    -------
    ndarray of shape (n_rows, k), float64
        Each class's share goes to the bins in proportion to their totals.
    """
    result = counts.copy()
    k = counts.shape[1]
    row = 0
    for t in range(len(n_bins)):
        n = 0.0
        for b in range(row, row + n_bins[t]):
            for c in range(k):
                n += counts[b, c]
        if n > 0.0:
            for b in range(row, row + n_bins[t]):
                size = 0.0
                for c in range(k):
                    size += counts[b, c]
                for c in range(k):
                    result[b, c] += missing[t, c] * (size / n)
        row += n_bins[t]
    return result
