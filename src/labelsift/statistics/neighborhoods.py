"""Who is near whom, and who among them carries other labels.

``LabelUnits`` say what a neighbourhood must not hold. A ``WindowSpace`` (a threshold
for each feature) or a ``DistanceSpace`` (one for the Euclidean distance) finds the
violating neighbours of units; ``NeighborLists`` keep those of a few units while
features are added, each feature leaving fewer. The two kinds of space have a module
each beside this one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
SLACK = 1e-12
"""Two values are within a threshold if they differ by at most this much more."""


@dataclass(frozen=True, eq=False)
class LabelUnits:
    """Rows, with the labels that all their neighbours must carry.

    Parameters
    ----------
    rows : ndarray of shape (n_units,), int64
        Row of each unit, in rising order. A row with several units is certain as soon
        as one of them has no violating neighbour.
    required : ndarray of shape (n_units, n_words), uint64
        Labels that neighbours must carry, as bits.
    labels : ndarray of shape (n_samples, n_words), uint64
        Labels that rows carry, as bits.
    """

    rows: Array
    required: Array
    labels: Array

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self.rows)

    def take(self, chosen: Array) -> LabelUnits:
        """Return some of the units."""
        return LabelUnits(self.rows[chosen], self.required[chosen], self.labels)


def label_units(Y: Array, rows: Array, quantifier: str) -> LabelUnits:
    """Return what neighbourhoods must hold: all labels of a row, or any of them.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, n_labels), uint8
        0/1 labels.
    rows : ndarray of int
        Rows that are to have units, in rising order.
    quantifier : {"all", "any"}
        ``all``: one unit a row, which requires all labels of the row; ``any``: one
        unit for each label of the row.
    """
    bits = packed_labels(Y)
    if quantifier == "all":
        return LabelUnits(rows.astype(np.int64), bits[rows], bits)
    row, label = np.nonzero(Y[rows])
    required = np.zeros((len(row), bits.shape[1]), dtype=np.uint64)
    required[np.arange(len(row)), label // 64] = np.uint64(1) << (label % 64).astype(
        np.uint64
    )
    return LabelUnits(rows[row].astype(np.int64), required, bits)


def packed_labels(Y: Array) -> Array:
    """Return 0/1 labels as bits, 64 to a word; shape (n_samples, n_words), uint64."""
    n, q = Y.shape
    padded = np.zeros((n, -(-q // 64) * 64), dtype=np.uint8)
    padded[:, :q] = Y
    packed = np.packbits(padded, axis=1, bitorder="little")
    return np.ascontiguousarray(packed).view("<u8").astype(np.uint64)


class Space(ABC):
    """Base of both kinds of neighbourhood; columns are sorted by how much they part."""

    columns: Array
    """Feature of each internal column, those that part most rows first."""

    width: int
    """Internal columns, a few of which may be padding."""

    pair_bytes: int
    """Bytes that a listed neighbour takes."""

    n_samples: int

    is_partition = False
    """Whether rows are near only if they are equal in every feature."""

    @abstractmethod
    def find_certain(self, units: LabelUnits, columns: Array) -> Array:
        """Return which units no violating row is near, over these internal columns."""

    def discerned_alone(self, units: LabelUnits) -> Array | None:
        """Return for each internal column the violating pairs it tells apart alone.

        None where there is no shorter way than to look at all pairs.
        """
        return None

    @abstractmethod
    def view(self, columns: Array) -> View:
        """Return what ``discerned`` reads of these internal columns."""

    @abstractmethod
    def lists(self, units: LabelUnits, chosen: Array) -> NeighborLists:
        """Return the lists of some units, not filled yet."""

    @property
    def member_type(self) -> Any:
        """The type that holds a row number."""
        return np.uint16 if self.n_samples <= 2**16 else np.uint32

    def to_features(self, by_column: Array) -> Array:
        """Return figures of internal columns in the order of the features."""
        out = np.empty(len(self.columns), dtype=by_column.dtype)
        out[self.columns] = by_column[: len(self.columns)]
        return out


@dataclass(frozen=True, eq=False)
class View:
    """Some internal columns, next to each other.

    Parameters
    ----------
    columns : ndarray of int64
        Which they are.
    data : tuple of ndarray
        Their part of what kernels read, perhaps padded.
    """

    columns: Array
    data: tuple[Any, ...]


class NeighborLists(ABC):
    """The violating neighbours of a few units under the columns chosen so far."""

    def __init__(self, space: Space, units: LabelUnits, chosen: Array) -> None:
        self.units = units
        self.chosen = chosen
        self.rows = units.rows[chosen]
        self.width = space.width
        self.pair_bytes = space.pair_bytes
        self.reach: int | None = None  # columns that the lists account for, if any
        self.begin = np.zeros(len(chosen), dtype=np.int64)
        self.length = np.zeros(len(chosen), dtype=np.int64)
        self.pointers = np.empty((0, 0), dtype=np.int32)
        self.members = np.empty(0, dtype=np.uint16)

    def update(self, reduct: list[int]) -> None:
        """Bring the lists to the state after these internal columns."""
        if self.reach is None:
            self._list(np.array(reduct, dtype=np.int64))
            self.pointers = np.zeros((len(self.rows), self.width), dtype=np.int32)
        else:
            for column in reduct[self.reach :]:
                self._fit(self._narrow(column))
        self.reach = len(reduct)

    def drop_certain(self) -> Array:
        """Return the rows of which a unit has no violating neighbour, and drop them."""
        certain = np.unique(self.rows[self.length == 0])
        if certain.size:
            keep = ~np.isin(self.rows, certain)
            self.rows, self.chosen = self.rows[keep], self.chosen[keep]
            self.begin, self.length = self.begin[keep], self.length[keep]
            self.pointers = self.pointers[keep]
        return certain

    def forget(self) -> None:
        """Free the lists; ``update`` makes them anew."""
        self.reach = None
        self.pointers = np.empty((0, 0), dtype=np.int32)
        self._fit(0)

    @property
    def n_pairs(self) -> int:
        """Neighbours in the lists."""
        return int(self.length.sum())

    @property
    def n_bytes(self) -> int:
        """Bytes that the lists take."""
        return self.n_pairs * self.pair_bytes

    def gains(self, columns: Array) -> Array:
        """Return for each internal column the rows that it would make certain."""
        gains = np.zeros(self.width, dtype=np.int64)
        self._count_gains(columns, gains)
        return gains

    @abstractmethod
    def discerned(self, view: View) -> Array:
        """Return for each column of a view the listed pairs that it tells apart."""

    @abstractmethod
    def _list(self, columns: Array) -> None:
        """Fill the lists."""

    @abstractmethod
    def _narrow(self, column: int) -> int:
        """Narrow the lists by a column; return how many neighbours are left."""

    @abstractmethod
    def _count_gains(self, columns: Array, gains: Array) -> None:
        """Add to ``gains``."""

    def _fit(self, used: int) -> None:
        if 2 * used <= len(self.members):
            self.members = self.members[:used].copy()
