"""The sorted values of columns in bounded memory: exact where it matters.

A column with few distinct values is held as it is. One with more is held as runs of
neighbouring values, each with its ends and its number of rows. Which runs a cut point
lies in is then known, and another reading of the rows looks into those only, until
they are single values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

RUN_BYTES = 2**27
"""What the runs of all columns take (128 MB), but for the least of each column."""

_RUN = 24  # bytes
_FEWEST, _MOST = 256, 2**18
_A_CUT = 8  # runs for each cut point, so that every reading gets ahead
_SIGN = np.uint64(2**63)


def runs_kept(n_columns: int, n_bins: int) -> int:
    """Return the most runs of a column.

    Parameters
    ----------
    n_columns : int
        How many columns share the memory.
    n_bins : int
        Bins of each.
    """
    share = min(_MOST, RUN_BYTES // (_RUN * max(n_columns, 1)))
    return max(_FEWEST, _A_CUT * n_bins, share)


@dataclass(frozen=True, eq=False)
class Runs:
    """Runs of the sorted values of a column.

    Parameters
    ----------
    low, high : ndarray of shape (m,), float64
        Smallest and largest value of each run, both of which occur; increasing.
    rows : ndarray of shape (m,), int64
        Rows with a value of the run.
    shift : int
        Values are of one run if they agree in all but so many of the last bits; 0
        where every run is a value.
    """

    low: Floats
    high: Floats
    rows: Counts
    shift: int = 0

    @classmethod
    def of(cls, values: Floats, counts: Counts) -> Runs:
        """Return distinct values, sorted, as runs."""
        return cls(values, values, counts.astype(np.int64))

    def within(self, low: Floats, high: Floats) -> Runs:
        """Return the runs of single values that lie in some intervals.

        Parameters
        ----------
        low, high : ndarray of shape (k,), float64
            Ends of the intervals, which belong to them; increasing.
        """
        place = np.searchsorted(low, self.low, side="right") - 1
        inside = (place >= 0) & (self.low <= high[np.maximum(place, 0)])
        return Runs(self.low[inside], self.high[inside], self.rows[inside], self.shift)

    def joined(self, other: Runs, most: int) -> Runs:
        """Return the runs of both sets of rows, no more than ``most``."""
        low = np.concatenate([self.low, other.low])
        order = np.argsort(low, kind="stable")
        high = np.concatenate([self.high, other.high])[order]
        rows = np.concatenate([self.rows, other.rows])[order]
        return _grouped(low[order], high, rows, max(self.shift, other.shift), most)

    def bounded(self, most: int) -> Runs:
        """Return the same rows in no more than ``most`` runs."""
        if len(self.low) <= most:
            return self
        return _grouped(self.low, self.high, self.rows, self.shift, most)

    def replaced(self, chosen: NDArray[np.bool_], finer: Runs) -> Runs:
        """Return the runs with finer ones in place of the chosen.

        Raises
        ------
        ValueError
            If the finer runs are not of as many rows.
        """
        if finer.rows.sum() != self.rows[chosen].sum():
            raise ValueError(
                "blocks gave other rows when they were read again; they must be the "
                "same each time."
            )
        low = np.concatenate([self.low[~chosen], finer.low])
        order = np.argsort(low, kind="stable")
        high = np.concatenate([self.high[~chosen], finer.high])[order]
        rows = np.concatenate([self.rows[~chosen], finer.rows])[order]
        return Runs(low[order], high, rows, finer.shift)

    def wide(self) -> NDArray[np.bool_]:
        """Return which runs are of several values."""
        return np.asarray(self.low < self.high)

    def ends(self) -> tuple[Floats, Counts]:
        """Return values and rows as if runs held no values but their two ends."""
        wide = self.wide()
        times = 1 + wide
        values, rows = np.repeat(self.low, times), np.repeat(self.rows, times)
        second = (np.cumsum(times) - 1)[wide]
        values[second] = self.high[wide]
        rows[second] -= 1
        rows[second - 1] = 1
        return values, rows


def _grouped(low: Floats, high: Floats, rows: Counts, shift: int, most: int) -> Runs:
    """Put neighbours together that agree in all but the last ``shift`` bits, or more.

    Where there would be more than ``most`` runs, bits are given up until there are half
    as many, so that not every block does it again.
    """
    if not len(low):
        return Runs(low, high, rows, shift)
    keys = _keys(low)
    starts = _starts(keys, shift)
    if len(starts) > most:
        while len(starts) > max(1, most // 2):
            shift += 1
            starts = _starts(keys, shift)
    return Runs(
        low[starts],
        np.maximum.reduceat(high, starts),
        np.add.reduceat(rows, starts),
        shift,
    )


def _starts(keys: NDArray[np.uint64], shift: int) -> NDArray[np.intp]:
    groups = keys >> np.uint64(min(shift, 63))
    return np.flatnonzero(np.concatenate([[True], groups[1:] != groups[:-1]]))


def _keys(values: Floats) -> NDArray[np.uint64]:
    """Return whole numbers in the order of the values, equal where those are."""
    bits = (values + 0.0).view(np.uint64)  # -0 + 0 is 0
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)
