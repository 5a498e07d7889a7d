"""Refuse two tables of pandas whose rows are the same in another order."""

from __future__ import annotations

from typing import Any


def refuse_other_order(X: Any, Y: Any, names: tuple[str, str] = ("X", "Y")) -> None:
    """Refuse an index that has the labels of another in another order.

    Rows are matched by position; indexes that hold different labels, or one twice, say
    nothing about that, and are passed over.

    Parameters
    ----------
    X, Y : object
        Data frames or series of pandas; anything else is passed over.
    names : tuple of str, default=("X", "Y")
        What the two are called in the message.

    Raises
    ------
    ValueError
        Names the first row that differs, and the remedy.
    """
    mine, other = (getattr(table, "index", None) for table in (X, Y))
    for index in (mine, other):  # lists have a method of that name
        if not (hasattr(index, "equals") and hasattr(index, "is_unique")):
            return
    if mine is None or other is None or len(mine) != len(other) or mine.equals(other):
        return
    if not (mine.is_unique and other.is_unique):
        return
    here, there = mine.tolist(), other.tolist()
    if here == there or set(here) != set(there):
        return
    row = next(
        i for i, pair in enumerate(zip(here, there, strict=True)) if len({*pair}) > 1
    )
    one, two = names
    raise ValueError(
        f"{one} and {two} have the same index in another order: row {row} is "
        f"{here[row]!r:.60} in {one} and {there[row]!r:.60} in {two}; use "
        f"{two}.loc[{one}.index], or reset_index(drop=True) where rows belong together "
        "by position."
    )
