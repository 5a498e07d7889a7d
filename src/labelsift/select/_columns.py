"""Columns as a user names them: a mask, numbers or names."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np


def column_mask(
    asked: Any, names: Sequence[str], parameter: str
) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return a mask of the columns that are asked for.

    Parameters
    ----------
    asked : None or array-like of bool, int or str
        A mask, column numbers or names; None for no column.
    names : sequence of str
        All columns.
    parameter : str
        What the user calls it, for messages.

    Returns
    -------
    ndarray of shape (n_columns,), bool

    Raises
    ------
    ValueError
        If a column does not exist.
    """
    d = len(names)
    mask = np.zeros(d, dtype=bool)
    if asked is None:
        return mask
    chosen = np.atleast_1d(np.asarray(asked))
    if chosen.ndim > 1:
        raise ValueError(
            f"{parameter} must be a flat list of column numbers, names or booleans; "
            f"found shape {chosen.shape}."
        )
    if chosen.dtype.kind == "O":  # numbers or booleans that came as objects
        for plain, kind in ((bool | np.bool_, bool), (Integral, int)):
            if chosen.size and all(isinstance(item, plain) for item in chosen):
                chosen = chosen.astype(kind)
                break
    if chosen.dtype.kind == "b":
        if chosen.shape != (d,):
            raise ValueError(
                f"{parameter} as booleans needs one a feature, {d}; found shape "
                f"{chosen.shape}."
            )
        return chosen
    if chosen.dtype.kind in "UO":
        places = {name: i for i, name in enumerate(names)}
        unknown = [str(name) for name in chosen if str(name) not in places]
        if unknown:
            raise ValueError(
                f"{parameter} names {unknown[0]!r}, which is not a feature of X."
            )
        chosen = np.array([places[str(name)] for name in chosen], dtype=int)
    if chosen.size and (
        chosen.dtype.kind not in "iu" or chosen.min() < 0 or chosen.max() >= d
    ):
        raise ValueError(
            f"{parameter} must hold column numbers from 0 to {d - 1}, names or "
            f"booleans; found {chosen.tolist()!r}."
        )
    mask[chosen.astype(int)] = True
    return mask
