"""Whole numbers that a float64 cannot hold, found before they are rounded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy import sparse

EXACT = 2**53
"""Every whole number up to this one is a float64; of those beyond, only some are."""
REMEDY = (
    "Subtract a constant from the column, or read it as text or codes: an identifier "
    "is no measurement."
)


def is_lost(value: Any) -> bool:
    """Return whether a value is a whole number that changes when it becomes a float.

    Parameters
    ----------
    value : object
        Only a Python or NumPy integer can be lost.

    Examples
    --------
    >>> is_lost(2**53 + 1), is_lost(2**53 + 2), is_lost(2.0**60), is_lost(10**400)
    (True, False, False, True)
    """
    if not isinstance(value, int | np.integer) or -EXACT <= value <= EXACT:
        return False
    try:
        return int(float(value)) != int(value)
    except OverflowError:
        return True


def first_lost(values: Any) -> tuple[int, int] | None:
    """Return place and value of the first whole number that would be rounded.

    Parameters
    ----------
    values : ndarray of one dimension, or iterable of values
        An array of anything but 64-bit integers and objects is not looked at; of
        64-bit integers only the extremes, unless they lie beyond 2**53.

    Examples
    --------
    >>> first_lost(np.array([5, 2**53 + 2, 2**53 + 3]))
    (2, 9007199254740995)
    >>> first_lost(np.array([2**53, -(2**63)])) is None
    True
    """
    if not isinstance(values, np.ndarray):
        return _first_of(values)
    if values.dtype.kind == "O":
        return _first_of(values.tolist())
    if not has_lost(values):
        return None
    place = int(np.flatnonzero(_lost(values))[0])
    return place, int(values[place])


def has_lost(values: np.ndarray[Any, Any]) -> bool:
    """Return whether an array of any shape holds integers that would be rounded.

    Parameters
    ----------
    values : ndarray
        Answered from its type, where that is not a 64-bit integer.
    """
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8 or not values.size:
        return False
    if -EXACT <= int(values.min()) and int(values.max()) <= EXACT:
        return False
    return bool(_lost(values).any())


def lost_in_table(X: Any) -> tuple[int, int, int] | None:
    """Return row, column and value of the first loss in an array or sparse matrix.

    Parameters
    ----------
    X : ndarray, sparse matrix, or rows of Python numbers
        The first is the first column by column. What has not two dimensions is not
        looked at.
    """
    if sparse.issparse(X):
        return _lost_in_sparse(X)
    if isinstance(X, list | tuple):
        values = _array_of(X)
    else:
        values = X if isinstance(X, np.ndarray) else np.empty(0)
    if values.ndim != 2:
        return None
    if values.dtype.kind == "O":
        for column in range(values.shape[1]):
            found = first_lost(values[:, column])
            if found is not None:
                return found[0], column, found[1]
        return None
    if not has_lost(values):
        return None
    lost = _lost(np.asarray(values))
    column = int(np.flatnonzero(lost.any(axis=0))[0])
    row = int(np.flatnonzero(lost[:, column])[0])
    return row, column, int(values[row, column])


def words_of_loss(column: str, value: int, where: str = "") -> str:
    """Return what is wrong with a column, and the remedy.

    Parameters
    ----------
    column : str
        The column as it is to be named.
    value : int
        The first value that would be rounded.
    where : str, default=""
        Where that stands, such as `` at row 3``.
    """
    near = ""
    shown = str(value) if abs(value) < 10**40 else f"one of {value.bit_length()} bits"
    if abs(value) < 2**64:
        near = f" (it would become {int(float(value))})"
    return (
        f"column {column} holds the whole number {shown}{where}, which a float64 "
        f"cannot hold{near}. {REMEDY}"
    )


def _first_of(values: Iterable[Any]) -> tuple[int, int] | None:
    for place, value in enumerate(values):
        if is_lost(value):
            return place, int(value)
    return None


def _lost(values: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which 64-bit integers have more than 53 digits between the outer ones."""
    size = values.astype(np.uint64)  # of negative ones: 2**64 less their size
    if values.dtype.kind == "i":
        size = np.where(values < 0, ~size + np.uint64(1), size)
    lowest = np.maximum(size & (~size + np.uint64(1)), np.uint64(1))
    beyond: np.ndarray[Any, np.dtype[np.bool_]] = size // lowest > EXACT
    return beyond


def _array_of(rows: Any) -> np.ndarray[Any, Any]:
    try:
        values = np.asarray(rows)
        if values.dtype.kind != "f" or not (np.abs(values) >= EXACT).any():
            return values
        return np.asarray(rows, dtype=object)  # integers beside floats, not yet floats
    except (ValueError, TypeError, OverflowError):  # scikit-learn says what is wrong
        return np.empty(0)


def _lost_in_sparse(X: Any) -> tuple[int, int, int] | None:
    if X.dtype.kind not in "iu" or X.dtype.itemsize < 8:
        return None
    if X.format in ("csr", "csc", "coo", "bsr") and not has_lost(X.data):
        return None
    entries = X.tocoo()
    order = np.lexsort((entries.row, entries.col))
    found = first_lost(entries.data[order])
    if found is None:
        return None
    place = order[found[0]]
    return int(entries.row[place]), int(entries.col[place]), found[1]
