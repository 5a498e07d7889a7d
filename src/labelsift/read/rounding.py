"""Refuse whole numbers that a reader would have to round: one place for all formats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from labelsift._whole_numbers import (
    EXACT,
    first_lost,
    is_lost,
    lost_in_table,
    words_of_loss,
)
from labelsift.read.errors import ReadError

_WHOLE = re.compile(r"\s*[-+]?[0-9]+\s*", re.ASCII)


def refuse_in_column(values: Any, name: str, path: str, first_row: int = 0) -> None:
    """Refuse a column that holds a whole number which no float64 holds.

    Parameters
    ----------
    values : ndarray of one dimension or list
        Numbers before they are floats.
    name, path : str
        The column and the file, for the message.
    first_row : int, default=0
        Rows of all data that lie before these.
    """
    found = first_lost(values)
    if found is not None:
        where = f" at row {first_row + found[0]}"
        raise ReadError(words_of_loss(repr(name), found[1], where), path)


def refuse_in_table(
    X: Any, names: Sequence[str] | None, path: str, first_row: int = 0
) -> None:
    """Refuse a matrix that holds a whole number which no float64 holds.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Numbers before they are floats.
    names : sequence of str or None
        Names of the columns, where they are known.
    path, first_row
        As in ``refuse_in_column``.
    """
    found = lost_in_table(X)
    if found is not None:
        row, column, value = found
        name = str(column)
        if names is not None and column < len(names):
            name = repr(str(names[column]))
        where = f" at row {first_row + row}"
        raise ReadError(words_of_loss(f"{name} of X", value, where), path)


def refuse_texts(
    names: Sequence[Any], texts: Sequence[str], path: str, line: int
) -> None:
    """Refuse a row of a text file that holds such a whole number.

    Parameters
    ----------
    names : sequence
        The column of each text.
    texts : sequence of str
        Numbers as they are written; what has a point or an exponent is no whole number.
    path, line
        The file and its line, for the message.
    """
    for name, text in zip(names, texts, strict=True):
        what = loss_of_text(text, repr(name))
        if what:
            raise ReadError(what, path, line)


def loss_of_text(text: str, name: str) -> str:
    """Return what is wrong with a number as it is written, or nothing.

    Parameters
    ----------
    text : str
        The number.
    name : str
        Its column, as it is to be named.
    """
    if len(text) < 16 or not _WHOLE.fullmatch(text):
        return ""
    digits = text.strip()
    value = int(digits) if len(digits) < 4000 else 0  # longer ones are no float64
    return words_of_loss(name, value) if is_lost(value) else ""


def may_be_rounded(values: np.ndarray[Any, Any]) -> bool:
    """Return whether floats are so large that their texts should be looked at.

    Parameters
    ----------
    values : ndarray of float64
        NaN is passed over.
    """
    if not values.size:
        return False
    high, low = np.fmax.reduce(values, axis=None), np.fmin.reduce(values, axis=None)
    return bool(high >= EXACT or low <= -EXACT)
