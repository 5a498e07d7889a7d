"""Unsupervised discretisers: cut points from the training rows, codes for any rows.

Each is a scikit-learn transformer with ``cut_points_`` (one increasing array a
feature) whose ``transform`` gives whole-number codes; ``encode`` gives the same as
``Codes``, which the count statistics read. Rows outside the training range fall into
the first or the last bin. A sparse ``X`` is never made dense: the entries it does not
store are zeros like any other.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from labelsift._sklearn import Interval
from labelsift.encode.columns import (
    between,
    column_ranges,
    distinct_columns,
    equal_width_cuts,
    joined,
    stored_columns,
)
from labelsift.encode.discretizer_base import StreamingDiscretizer
from labelsift.kernels.discretize import exact_sum, nearest_boundaries
from labelsift.read.dataset import Matrix

MOST_BINS = 65_536
"""Largest ``n_bins``: codes of more bins would take more room than the values."""


class EqualWidthDiscretizer(StreamingDiscretizer):
    """Cut the range of each feature into bins of one width.

    The bin of ``x`` is ``floor((x - lo) / w)`` with ``w = (hi - lo) / n_bins``, at
    most ``n_bins - 1``; a constant feature has one bin.

    Parameters
    ----------
    n_bins : int, default=5
        Bins of each feature, at least 1.

    Attributes
    ----------
    cut_points_ : list of ndarray
        For each feature the smallest value of every bin but the first.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [5.0], [10.0]])
    >>> EqualWidthDiscretizer(n_bins=3).fit_transform(X).ravel()
    array([0, 0, 0, 1, 2], dtype=uint8)
    """

    _parameter_constraints = {
        "n_bins": [Interval(Integral, 1, MOST_BINS, closed="both")]
    }
    _ties_below = False

    def __init__(self, n_bins: int = 5) -> None:
        self.n_bins = n_bins

    def _gather(self, X: Matrix) -> Any:
        return column_ranges(X)

    def _combine(self, one: Any, other: Any) -> Any:
        return np.minimum(one[0], other[0]), np.maximum(one[1], other[1])

    def _cuts(self, seen: Any) -> list[np.ndarray[Any, Any]]:
        low, high = seen
        return equal_width_cuts(low, high, self.n_bins)


class EqualFrequencyDiscretizer(StreamingDiscretizer):
    """Cut each feature into bins of nearly equal numbers of rows.

    Equal values stay together. Of the boundaries between distinct values the one with
    the nearest number of rows below is taken for each of the targets
    ``n_samples k / n_bins``, so that a feature of two values is never left in one bin.

    Parameters
    ----------
    n_bins : int, default=5
        Bins of each feature at most, at least 1.

    Attributes
    ----------
    cut_points_ : list of ndarray
        Cuts of each feature, midway between two values; a value equal to a cut is in
        the bin below.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.0], [0.0], [1.0], [2.0], [9.0]])
    >>> EqualFrequencyDiscretizer(n_bins=2).fit(X).cut_points_
    [array([0.5])]
    """

    _parameter_constraints = {
        "n_bins": [Interval(Integral, 1, MOST_BINS, closed="both")]
    }

    def __init__(self, n_bins: int = 5) -> None:
        self.n_bins = n_bins

    def _gather(self, X: Matrix) -> Any:
        return list(distinct_columns(X))

    def _combine(self, one: Any, other: Any) -> Any:
        return joined(one, other)

    def _cuts(self, seen: Any) -> list[np.ndarray[Any, Any]]:
        cuts = []
        for values, counts in seen:
            if len(values) < 2:
                cuts.append(np.empty(0))
                continue
            room = np.empty(self.n_bins)
            written = nearest_boundaries(values, counts, self.n_bins, room)
            cuts.append(room[:written].copy())
        return cuts

    def _cut_runs(
        self, before: np.ndarray[Any, Any], after: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, np.dtype[np.bool_]]:
        # a target n k / n_bins lies inside: else one of its ends is the nearest
        n = max(int(after.max(initial=0)), 1)
        return np.asarray(
            (after * self.n_bins - 1) // n > before * self.n_bins // n, dtype=bool
        )


class MeanDiscretizer(StreamingDiscretizer):
    """Cut each feature at its mean: 1 above it, else 0.

    The sum carries its rounding errors along, so that the order of the rows does not
    decide. A feature that is not constant always gets two bins.

    Attributes
    ----------
    cut_points_ : list of ndarray
        The mean of each feature, or nothing where it is constant.

    Examples
    --------
    >>> MeanDiscretizer().fit_transform([[0.0], [1.0], [5.0]]).ravel().tolist()
    [0, 0, 1]
    """

    def _gather(self, X: Matrix) -> Any:
        sums = np.array([exact_sum(stored) for stored in stored_columns(X)])
        n_rows = np.full(X.shape[1], X.shape[0])
        return *column_ranges(X), sums.reshape(-1, 2), n_rows

    def _combine(self, one: Any, other: Any) -> Any:
        sums = [
            exact_sum(np.array([*a, *b])) for a, b in zip(one[2], other[2], strict=True)
        ]
        low, high = np.minimum(one[0], other[0]), np.maximum(one[1], other[1])
        return low, high, np.array(sums), one[3] + other[3]

    def _cuts(self, seen: Any) -> list[np.ndarray[Any, Any]]:
        cuts = []
        for low, high, total, n_rows in zip(*seen, strict=True):
            mean = (total[0] + total[1]) / max(n_rows, 1)
            if not low < high:
                cuts.append(np.empty(0))
            elif low <= mean < high:
                cuts.append(np.array([mean]))
            else:  # rounding, or a sum beyond the largest number
                cuts.append(np.array([between(low, high)]))
        return cuts


class MedianDiscretizer(StreamingDiscretizer):
    """Cut each feature at its median: 1 above it, else 0.

    Where the median is the largest value, the cut lies just below it instead, so that
    a feature that is not constant always gets two bins.

    Attributes
    ----------
    cut_points_ : list of ndarray
        The cut of each feature, or nothing where it is constant.

    Examples
    --------
    >>> MedianDiscretizer().fit_transform([[0.0], [1.0], [5.0]]).ravel().tolist()
    [0, 0, 1]
    """

    def _gather(self, X: Matrix) -> Any:
        return list(distinct_columns(X))

    def _combine(self, one: Any, other: Any) -> Any:
        return joined(one, other)

    def _cuts(self, seen: Any) -> list[np.ndarray[Any, Any]]:
        cuts = []
        for values, counts in seen:
            if len(values) < 2:
                cuts.append(np.empty(0))
                continue
            total = np.cumsum(counts)
            n = total[-1]
            low = values[np.searchsorted(total, (n - 1) // 2, side="right")]
            high = values[np.searchsorted(total, n // 2, side="right")]
            median = low if low == high else between(low, high)
            cuts.append(np.array([median if median < values[-1] else values[-2]]))
        return cuts

    def _cut_runs(
        self, before: np.ndarray[Any, Any], after: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, np.dtype[np.bool_]]:
        n = int(after.max(initial=0))
        ranks = (n - 1) // 2, n // 2
        inside = [(before <= r) & (r < after) for r in ranks]
        return np.asarray(inside[0] | inside[1], dtype=bool)


DISCRETIZERS: dict[str, type[StreamingDiscretizer]] = {
    "equal_width": EqualWidthDiscretizer,
    "equal_frequency": EqualFrequencyDiscretizer,
    "mean": MeanDiscretizer,
    "median": MedianDiscretizer,
}


def make_discretizer(name: str, n_bins: int) -> StreamingDiscretizer:
    """Return the discretiser of this name, with ``n_bins`` where it asks for them."""
    kind = DISCRETIZERS[name]
    return kind(n_bins) if "n_bins" in kind._parameter_constraints else kind()
