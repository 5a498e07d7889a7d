"""Refuse what a plot cannot show: what it takes, what came, who makes it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from labelsift._words import counted
from labelsift.evaluate._arguments import check_metrics

Array = np.ndarray[Any, Any]


def told(value: Any) -> str:
    """Return what was found, in a few words."""
    shown = " ".join(repr(value).split())
    shown = shown if len(shown) <= 50 else shown[:47] + "..."
    kind = type(value).__name__
    return shown if kind in shown or value is None else f"{shown} ({kind})"


def check_kind(
    value: Any, kinds: type | tuple[type, ...], parameter: str, expected: str
) -> None:
    """Refuse a value of another type; ``expected`` says which, and who makes it."""
    if not isinstance(value, kinds):
        raise TypeError(f"{parameter} must be {expected}; found {told(value)}.")


def check_selector(value: Any, parameter: str, expected: str) -> None:
    """Refuse what is no selector (TypeError), and one not fitted (ValueError)."""
    if isinstance(value, type) or not hasattr(value, "get_support"):
        raise TypeError(f"{parameter} must be {expected}; found {told(value)}.")
    check_is_fitted(value)


def measured_metric(metric: Any, measured: Sequence[str], parameter: str) -> str:
    """Return the metric to draw; the first of those measured where none is named."""
    if metric is None:
        return measured[0]
    if not isinstance(metric, str):
        raise TypeError(
            f"metric must be a name such as {measured[0]!r}; found {told(metric)}."
        )
    [name] = check_metrics(metric)
    if name not in measured:
        raise ValueError(
            f"metric {name!r} was not measured; {parameter} has: {', '.join(measured)}."
        )
    return name


def check_most(most: Any) -> int:
    """Return how many methods to draw at the most."""
    if isinstance(most, bool | np.bool_) or not isinstance(most, Integral):
        raise TypeError(f"most must be a whole number; found {told(most)}.")
    if most < 1:
        raise ValueError(f"most must be at least 1; found {most}.")
    return int(most)


def refuse_complex(values: Any, parameter: str, expected: str) -> None:
    """Refuse complex numbers: drawing their real parts alone would not say so."""
    try:
        kind = (values if hasattr(values, "dtype") else np.asarray(values)).dtype.kind
    except ValueError:  # rows of unequal length are refused as what they are
        return
    if kind == "c":
        raise ValueError(f"{parameter} must be {expected}; found complex numbers.")


def number_table(values: Any, parameter: str, expected: str) -> Array:
    """Return a table of numbers, rows by columns, with at least one of each."""
    refuse_complex(values, parameter, expected)
    if sparse.issparse(values):
        table: Array = values.toarray()
    else:
        try:
            table = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError) as error:
            found = _column_of_text(values) or told(values)
            raise type(error)(
                f"{parameter} must be {expected}; found {found}."
            ) from error
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(
            f"{parameter} must be {expected}, at least one of each; found "
            f"shape {table.shape}."
        )
    return table


def _column_of_text(values: Any) -> str:
    """Name the first column of a data frame that holds no numbers, if it is one."""
    for name in getattr(values, "columns", ()):
        try:
            np.asarray(values[name], dtype=np.float64)
        except (TypeError, ValueError, KeyError):
            return f"column {str(name)!r} with what is no number"
    return ""


def column_places(
    columns: Any, n_columns: int, known: Sequence[str] | None = None
) -> Array:
    """Return the places of the chosen columns: from places, names or a mask of all.

    Parameters
    ----------
    columns : array-like of int, str or bool, or None
        What was chosen; None for all.
    n_columns : int
        How many there are.
    known : sequence of str, optional
        Their names, where they have any.
    """
    if columns is None:
        return np.arange(n_columns)
    expected = (
        f"columns must hold {'' if known is None else 'names of columns, '}whole "
        f"numbers from 0 to {n_columns - 1}, or True and False for each of the "
        f"{n_columns}"
    )
    if isinstance(columns, str) or not isinstance(columns, Collection):
        raise TypeError(f"{expected}; found {told(columns)}.")
    try:
        places = np.asarray(columns)
    except ValueError as error:  # parts of unequal length
        raise TypeError(f"{expected}; found {told(columns)}.") from error
    if places.size == 0:
        raise ValueError(f"{expected}; found none: at least one column is drawn.")
    if known is not None and places.ndim == 1 and places.dtype.kind in "OUT":
        places = _places_of([str(name) for name in columns], known)
    if places.dtype == np.bool_ and places.shape == (n_columns,):
        return column_places(np.flatnonzero(places), n_columns)
    if places.ndim != 1 or places.dtype.kind not in "iu":
        raise TypeError(f"{expected}; found {told(columns)}.")
    outside = places[(places < 0) | (places >= n_columns)]
    if outside.size:
        raise ValueError(f"{expected}; found {outside[0]}.")
    return places.astype(np.intp)


def _places_of(names: Sequence[str], known: Sequence[str]) -> Array:
    for name in names:
        if known.count(name) != 1:
            how = "no column" if name not in known else "several columns"
            raise ValueError(f"columns names {name!r}, which is {how} of X.")
    return np.array([known.index(name) for name in names])


def column_names(table: Any) -> list[str] | None:
    """Return the names of the columns of a data frame; None for anything else."""
    # a table of pyarrow calls its names so, and its columns are arrays
    names = getattr(table, "column_names", getattr(table, "columns", None))
    return None if names is None else [str(name) for name in names]


def names_for(names: Any, count: int, parameter: str) -> list[str]:
    """Return ``count`` names; places from 0 where none are given."""
    if names is None:
        return [str(i) for i in range(count)]
    try:
        found = [str(name) for name in names]
    except TypeError as error:
        raise TypeError(
            f"{parameter} must be a list of {count} names; found {told(names)}."
        ) from error
    if len(found) != count:
        entries = counted(len(found), "entry", "entries")
        raise ValueError(f"{parameter} has {entries} for {count}.")
    return found
