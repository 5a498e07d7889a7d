"""What cut points are made from: ranges, distinct values and sums of columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.discretize import halve_to_steps
from labelsift.read.dataset import Matrix

Array = np.ndarray[Any, Any]
MOST_CUTS = 2**26
"""Cut points of all features together (512 MB)."""


def equal_width_cuts(low: Array, high: Array, n_bins: int) -> list[Array]:
    """Return for each range the smallest values of all bins but the first.

    They are the numbers at which ``floor((x - lo) / w)`` itself steps, found by
    halving, so that coding by cuts and by that formula agree to the last bit.
    """
    with np.errstate(over="ignore"):
        scale = np.where(np.isfinite(high - low), 1.0, 0.25)
    low, high = low * scale, high * scale
    width = (high - low) / n_bins
    steps = np.arange(1, n_bins, dtype=np.float64)
    usable = width > 0
    if int(usable.sum()) * n_bins > MOST_CUTS:
        raise ValueError(
            f"n_bins={n_bins} for {int(usable.sum())} features makes more than "
            f"{MOST_CUTS} cut points; use fewer bins."
        )
    lo, w = low[usable, None], width[usable, None]
    guess = lo + steps * w
    slack = 8 * np.finfo(float).eps * np.maximum(np.abs(lo), np.abs(high[usable, None]))
    under = np.maximum(guess - slack, np.nextafter(lo, -np.inf))
    over = guess + slack
    halve_to_steps(low[usable], width[usable], n_bins, under, over)
    # constant columns share one array: there may be millions of them
    cuts = [np.empty(0)] * len(usable)
    found = over / scale[usable, None]
    for f, of_feature in zip(np.flatnonzero(usable).tolist(), found, strict=True):
        cuts[f] = of_feature.copy()
    return cuts


def column_ranges(X: Matrix) -> tuple[Array, Array]:
    """Return the smallest and the largest value of each column.

    Without rows they are infinite, and the smallest is the larger.
    """
    if X.shape[0] == 0:
        return np.full(X.shape[1], np.inf), np.full(X.shape[1], -np.inf)
    if sparse.issparse(X):
        columns = sparse.csc_array(X)
        low = np.asarray(columns.min(axis=0).todense(), dtype=np.float64).ravel()
        high = np.asarray(columns.max(axis=0).todense(), dtype=np.float64).ravel()
        return low, high
    return X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)


def stored_columns(X: Matrix) -> Iterator[Array]:
    """Yield each column's stored values as float64; all of them where X is dense."""
    if not sparse.issparse(X):
        yield from np.asarray(X, dtype=np.float64).T
        return
    columns = sparse.csc_array(X)
    for start, stop in zip(columns.indptr[:-1], columns.indptr[1:], strict=True):
        yield columns.data[start:stop].astype(np.float64)


def between(low: float, high: float) -> float:
    """Return the middle without overflow, and never the upper of the two."""
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low


def joined(
    one: list[tuple[Array, Array]], other: list[tuple[Array, Array]]
) -> list[tuple[Array, Array]]:
    """Return the distinct values of two sets of rows together."""
    together = []
    for (a, a_counts), (b, b_counts) in zip(one, other, strict=True):
        values, place = np.unique(np.concatenate([a, b]), return_inverse=True)
        counts = np.zeros(len(values), dtype=np.int64)
        np.add.at(counts, place, np.concatenate([a_counts, b_counts]))
        together.append((values, counts))
    return together


def distinct_columns(X: Matrix) -> Iterator[tuple[Array, Array]]:
    """Yield the sorted distinct values of each column, and the rows of each."""
    n = X.shape[0]
    for stored in stored_columns(X):
        values, counts = np.unique(stored, return_counts=True)
        absent = n - len(stored)
        if absent:
            place = int(np.searchsorted(values, 0.0))
            if place < len(values) and values[place] == 0:
                counts[place] += absent
            else:
                values = np.insert(values, place, 0.0)
                counts = np.insert(counts, place, absent)
        yield values, counts
