"""Columns for tolerance neighbourhoods: coded by rank, on one scale, NaN allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class ToleranceColumns:
    """Features as codes and as values on the scale on which they are compared.

    Parameters
    ----------
    codes : ndarray of shape (n_samples, n_features), unsigned integers
        Position of each entry among the sorted distinct values of its feature; the
        largest number of the type stands for "missing".
    values : list of ndarray
        The sorted distinct values of each feature, scaled.
    counts : list of ndarray
        How many rows have each of them.
    spread : ndarray of shape (n_features,), float64
        Population standard deviation of the observed values, scaled; 0 where fewer
        than two are observed. Values of a nominal feature count as 0 or 1 apart.
    nominal : ndarray of shape (n_features,), bool
        Features compared by equality.
    """

    codes: Array
    values: list[Array]
    counts: list[Array]
    spread: Array
    nominal: Array

    @property
    def missing(self) -> Any:
        """The code of a missing entry."""
        return self.codes.dtype.type(np.iinfo(self.codes.dtype).max)

    def to_values(self, columns: Array) -> Array:
        """Return the scaled entries of these columns, float64, NaN where missing."""
        out = np.empty((self.codes.shape[0], len(columns)))
        for k, c in enumerate(columns):
            known = np.append(self.values[c], np.nan)
            codes = self.codes[:, c]
            at = np.where(codes == self.missing, len(known) - 1, codes)
            out[:, k] = known[at]
        return out


def tolerance_columns(X: Array, nominal: Array, *, scale: bool) -> ToleranceColumns:
    """Code the columns of a table.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features), float
        Feature values, NaN where missing.
    nominal : ndarray of shape (n_features,), bool
        Features whose values have no order.
    scale : bool
        Map the observed values of each numeric feature to [0, 1].

    Returns
    -------
    ToleranceColumns
        The standard deviations do not depend on the order of the rows.
    """
    n, d = X.shape
    values, counts, spread = [], [], np.zeros(d)
    most = 0
    places = np.empty((n, d), dtype=np.uint32, order="F")
    for c in range(d):
        column = np.asarray(X[:, c], dtype=np.float64)
        known, place, count = np.unique(
            column, return_inverse=True, return_counts=True, equal_nan=True
        )
        if known.size and np.isnan(known[-1]):
            is_missing = place == len(known) - 1
            known, count = known[:-1], count[:-1]
            place = np.where(is_missing, np.iinfo(np.uint32).max, place)
        places[:, c] = place
        if scale and not nominal[c]:
            known = _to_unit_range(known)
        values.append(known)
        counts.append(count)
        most = max(most, len(known))
        spread[c] = _deviation(known, count, is_nominal=bool(nominal[c]))
    kind = _code_type(most)
    # the largest 32-bit number becomes the largest of the narrower type
    codes = np.ascontiguousarray(places.astype(kind))
    return ToleranceColumns(codes, values, counts, spread, nominal)


def _code_type(most: int) -> Any:
    # the largest number is taken by "missing"
    for kind in (np.uint8, np.uint16):
        if most <= np.iinfo(kind).max:
            return kind
    return np.uint32


def _to_unit_range(known: Array) -> Array:
    if len(known) < 2:
        return np.zeros(len(known))
    low, high = known[0], known[-1]
    with np.errstate(over="ignore"):
        width = high - low
    if not np.isfinite(width):
        known, low, width = known / 2, low / 2, high / 2 - low / 2
    scaled: Array = (known - low) / width
    return scaled


def _deviation(known: Array, count: Array, *, is_nominal: bool) -> float:
    total = count.sum()
    if total < 2:
        return 0.0
    if is_nominal:
        # the variance is half the mean squared distance of two rows, here of 0 or 1
        return float(np.sqrt((1 - ((count / total) ** 2).sum()) / 2))
    # a power of two, so that no digit changes, keeps squares within range
    unit = np.exp2(np.floor(np.log2(max(np.abs(known).max(), 1e-300))))
    unit = unit if unit > 1e100 else 1.0
    known = known / unit
    mean = (known * count).sum() / total
    return float(np.sqrt((count * (known - mean) ** 2).sum() / total)) * float(unit)
