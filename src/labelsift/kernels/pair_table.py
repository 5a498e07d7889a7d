"""Chi-square deviations of every feature and label from a table of counts."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def absent(p, m, n):
    """Return ``S`` of a label of ``p`` rows that ``m`` rows off the default lack."""
    return np.float64(p) * p * m * (np.float64(n) / (n - m)) if m < n else 0.0


@njit(cache=True, nogil=True)
def deviations_of_table(counts, bin_rows, offsets, label_counts, n, start, stop, out):
    """Write ``S`` of ``labelsift.kernels.pair_scores`` from counts of filled bins.

    ``counts`` (bins x labels) and ``bin_rows`` leave the default bins empty; ``out``
    is features x labels. Returns the degrees of freedom of each feature.
    """
    q = len(label_counts)
    freedom = np.zeros(stop - start, np.int64)
    seen, whole = np.zeros(q, np.int64), np.zeros(q, np.int64)
    for f in range(start, stop):
        m, filled, single = 0, 0, 0
        for b in range(offsets[f], offsets[f + 1]):
            m += bin_rows[b]
            if bin_rows[b] > 0:
                filled += 1
                single = b
        freedom[f - start] = filled - 1 + (m < n)
        out[f] = 0.0
        if freedom[f - start] < 1:
            continue
        left = n - m
        if filled == 1:
            factor = np.float64(n) / (np.float64(m) * left)
            for label in range(q):
                p, count = label_counts[label], counts[single, label]
                gap = np.float64(n * count - m * p)
                out[f, label] = gap * gap * factor if count else absent(p, m, n)
            continue
        seen[:] = 0
        whole[:] = 0
        for b in range(offsets[f], offsets[f + 1]):
            size = bin_rows[b]
            for label in range(q):
                count = counts[b, label]
                if count > 0:
                    gap = np.float64(n * count - size * label_counts[label])
                    out[f, label] += gap * gap / size
                    seen[label] += size
                    whole[label] += count
        for label in range(q):
            p = label_counts[label]
            if whole[label] == 0:
                out[f, label] = absent(p, m, n)
                continue
            out[f, label] += np.float64(p) * p * (m - seen[label])
            if left > 0:
                gap = np.float64(n * (p - whole[label]) - left * p)
                out[f, label] += gap * gap / left
    return freedom
