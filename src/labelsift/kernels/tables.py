"""Entropies and chi-square of many small tables of bins by classes, in one pass."""

from __future__ import annotations

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _x_log_x(x):
    return x * math.log2(x) if x > 0.0 else 0.0


@njit(cache=True, nogil=True)
def table_entropies(counts, n_bins):
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
def table_chi_squares(counts, n_bins):
    """Return Pearson's chi-square of each table and its sizes.

    Parameters
    ----------
    counts : ndarray of shape (n_rows, k), float64
        The rows of all tables, one table after the other.
    n_bins : ndarray of shape (n_tables,), int64
        Rows of each table.

    Returns
    -------
    ndarray of shape (n_tables, 4), float64
        The statistic, 0 where the table has one bin or one class that occurs; the
        total of the table; the classes that occur; the sum of their squared totals.
    """
    k = counts.shape[1]
    result = np.zeros((len(n_bins), 4))
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
            if in_class[c] > 0.0:
                result[t, 2] += 1
                result[t, 3] += in_class[c] * in_class[c]
        result[t, 1] = n
        chi_square = 0.0
        for b in range(row, row + n_bins[t]):
            size = 0.0
            for c in range(k):
                size += counts[b, c]
            if size <= 0.0:
                continue
            for c in range(k):
                if in_class[c] > 0.0:
                    # N (O - E)^2 / E with one rounding in O - E, exact for counts
                    product = size * in_class[c]
                    gap = n * counts[b, c] - product
                    chi_square += gap * gap / (product * n)
        if n_bins[t] > 1:
            result[t, 0] = chi_square
        row += n_bins[t]
    return result


@njit(cache=True, nogil=True)
def spread_missing(counts, n_bins, missing):
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


@njit(cache=True, nogil=True)
def label_tables_of_bins(counts, bin_rows, offsets, has_missing, start, stop):
    """Write the tables "without, with" of every feature and label one by one.

    Parameters
    ----------
    counts : ndarray of shape (n_bins_in_all, n_labels), int64
        Rows of each bin that carry each label.
    bin_rows : ndarray of shape (n_bins_in_all,), int64
        Rows of each bin.
    offsets : ndarray of shape (n_features + 1,), int64
        Where the bins of each feature start.
    has_missing : ndarray of shape (n_features,), bool
        Whether the last bin of a feature is that of missing values.
    start, stop : int
        The features to write.

    Returns
    -------
    tables : ndarray of shape (n_rows, 2), float64
        Bin after bin, label after label within a feature.
    n_bins : ndarray of shape (n_tables,), int64
        Bins of each table, without that of missing values.
    missing : ndarray of shape (n_tables, 2), float64
        Rows without and with the label where the feature is missing.
    """
    n_labels = counts.shape[1]
    n_tables = (stop - start) * n_labels
    n_bins = np.zeros(n_tables, dtype=np.int64)
    missing = np.zeros((n_tables, 2))
    total = 0
    for f in range(start, stop):
        total += offsets[f + 1] - offsets[f]
    tables = np.empty((total * n_labels, 2))
    row, table = 0, 0
    for f in range(start, stop):
        end = offsets[f + 1] - (1 if has_missing[f] else 0)
        for c in range(n_labels):
            for b in range(offsets[f], end):
                if bin_rows[b] > 0:
                    tables[row, 0] = bin_rows[b] - counts[b, c]
                    tables[row, 1] = counts[b, c]
                    row += 1
                    n_bins[table] += 1
            if has_missing[f]:
                missing[table, 0] = bin_rows[end] - counts[end, c]
                missing[table, 1] = counts[end, c]
            table += 1
    return tables[:row].copy(), n_bins, missing


@njit(cache=True, nogil=True)
def class_tables_of_bins(counts, offsets, has_missing):
    """Split counts of bins by classes into tables and missing values.

    Parameters
    ----------
    counts : ndarray of shape (n_bins_in_all, n_classes), int64
        Rows of each bin of each class.
    offsets : ndarray of shape (n_features + 1,), int64
        Where the bins of each feature start.
    has_missing : ndarray of shape (n_features,), bool
        Whether the last bin of a feature is that of missing values.

    Returns
    -------
    tables : ndarray of shape (n_rows, n_classes), float64
        The bins that are not empty.
    n_bins : ndarray of shape (n_features,), int64
        Bins of each table.
    missing : ndarray of shape (n_features, n_classes), float64
        Rows of each class where the feature is missing.
    """
    d, k = len(offsets) - 1, counts.shape[1]
    tables = np.empty(counts.shape)
    n_bins = np.zeros(d, dtype=np.int64)
    missing = np.zeros((d, k))
    row = 0
    for f in range(d):
        end = offsets[f + 1] - (1 if has_missing[f] else 0)
        for b in range(offsets[f], end):
            size = 0
            for c in range(k):
                tables[row, c] = counts[b, c]
                size += counts[b, c]
            if size > 0:
                row += 1
                n_bins[f] += 1
        if has_missing[f]:
            for c in range(k):
                missing[f, c] = counts[end, c]
    return tables[:row].copy(), n_bins, missing


@njit(cache=True, nogil=True)
def class_tables_of_codes(
    codes, n_bins, class_start, class_of, weight_of, k, start, stop
):
    """Count the classes of coded rows in each bin of the features start..stop-1.

    Parameters
    ----------
    codes : ndarray of shape (n_features, n_rows), unsigned integer
        Bin of each value; the last bin of a feature is that of missing values.
    n_bins : ndarray of shape (n_features,), int64
        Bins of each feature, that one included.
    class_start, class_of, weight_of : ndarray
        Classes of row i and their weights, from ``class_start[i]`` to
        ``class_start[i + 1]``.
    k : int
        Number of classes.
    start, stop : int
        Which features.

    Returns
    -------
    tables, n_bins, missing : ndarray
        As of ``class_tables_of_bins``, for these features.
    """
    room = 0
    for f in range(start, stop):
        room += n_bins[f]
    tables = np.zeros((room, k))
    filled = np.zeros(room, dtype=np.bool_)
    n_filled = np.zeros(stop - start, dtype=np.int64)
    missing = np.zeros((stop - start, k))
    first, row = 0, 0
    for f in range(start, stop):
        own = codes[f]
        for i in range(len(own)):
            b = first + own[i]
            for e in range(class_start[i], class_start[i + 1]):
                tables[b, class_of[e]] += weight_of[e]
                filled[b] = True
        last = first + n_bins[f] - 1
        missing[f - start] = tables[last]
        for b in range(first, last):
            if filled[b]:
                tables[row] = tables[b]  # rows move up: row <= b
                row += 1
                n_filled[f - start] += 1
        first = last + 1
    return tables[:row].copy(), n_filled, missing
