"""A table of named columns, and its split into features and labels."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from labelsift._words import counted
from labelsift.read.dataset import Categories, Dataset
from labelsift.read.errors import ReadError

Labels = str | int | Sequence[str] | None

NO_AND_YES = (
    ("0", "1"),
    ("-1", "1"),
    ("f", "t"),
    ("false", "true"),
    ("n", "y"),
    ("no", "yes"),
    ("off", "on"),
    ("neg", "pos"),
    ("negative", "positive"),
    ("absent", "present"),
)
"""Values that say no and yes by themselves, in any letter case."""


@dataclass(frozen=True, eq=False)
class Table:
    """Columns before it is known which of them are labels.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns), float64
        Numbers, or the position in ``categories``; NaN where missing.
    names : tuple of str
        Column names.
    categories : tuple
        ``None`` for a numeric column, else its values as text.
    lines : ndarray of shape (n_rows,), optional
        Line of each row in a text file, for messages.
    """

    values: np.ndarray[Any, Any]
    names: tuple[str, ...]
    categories: tuple[Categories, ...]
    lines: np.ndarray[Any, Any] | None = None


def label_columns(names: Sequence[str], labels: Labels, path: str) -> list[int]:
    """Return the positions of the label columns.

    Parameters
    ----------
    names : sequence of str
        All column names.
    labels : str, int or sequence of str
        Names (an empty list for no label), or a count: the last ``labels`` columns,
        the first ``-labels`` where it is negative. The table decides the order.
    path : str
        For messages.

    Raises
    ------
    ReadError
        If a name is not there or occurs twice, or the count exceeds the columns.
    """
    if labels is None:
        shown = ", ".join(repr(n) for n in names[-3:])
        raise ReadError(
            "which columns are labels? Give their names, labels=[...], or their "
            f"number, labels=6 (last 6) or -6 (first 6); last columns: {shown}.",
            path,
        )
    if isinstance(labels, bool) or not isinstance(labels, Integral | Iterable):
        raise TypeError(
            f"labels must be names or a count; found {type(labels).__name__}."
        )
    if isinstance(labels, Integral):
        count = int(labels)
        if count == 0:
            raise ValueError("labels=0 names no column; labels=[] reads no label.")
        if abs(count) >= len(names):
            raise ReadError(
                f"labels={count} asks for {abs(count)} labels, but there are "
                f"{len(names)} columns and at least one must be a feature.",
                path,
            )
        last = range(len(names) - count, len(names))
        return list(last if count > 0 else range(-count))
    wanted = [labels] if isinstance(labels, str) else [str(name) for name in labels]
    place = {name: i for i, name in enumerate(names)}
    if len(set(wanted)) < len(wanted):
        twice = next(n for i, n in enumerate(wanted) if n in wanted[:i])
        raise ReadError(f"labels= names {twice!r} more than once.", path)
    for name in wanted:
        if name not in place:
            near = difflib.get_close_matches(name, list(names)[:20000], n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "."
            raise ReadError(f"there is no label column {name!r}{hint}", path)
    if wanted and len(wanted) == len(names):
        raise ReadError("every column is a label; nothing is left as a feature.", path)
    return sorted(place[name] for name in wanted)


def to_dataset(
    table: Table,
    labels: Labels,
    *,
    path: str,
    positive_value: Any = None,
    negative_value: Any = None,
    one_of_several: bool = False,
    **facts: Any,
) -> Dataset:
    """Split a table into X and Y.

    A single label column that holds neither 0/1 nor yes/no values is a class: it
    gives one label for each of its values.

    Parameters
    ----------
    table : Table
        All columns.
    labels : str, int, or sequence of str
        As in ``label_columns``.
    path : str
        For messages.
    positive_value, negative_value : optional
        The one label value that means 1, or the one that means 0.
    one_of_several : bool, default=False
        Whether more rows are to come, which may have other values: a single label
        column is then no class, and a given value need not occur.
    **facts
        Passed to ``Dataset``: name, source, licence.

    Raises
    ------
    ReadError
        If a label is missing somewhere or holds other values than 0 and 1.
    """
    columns = label_columns(table.names, labels, path)
    if len(table.values) == 0:
        raise ReadError("there are no rows of data.", path)
    if not one_of_several:
        _check_values(table, columns, path, positive_value, negative_value)
    as_class = (
        len(columns) == 1
        and not one_of_several
        and positive_value is None
        and negative_value is None
        and not _is_binary(table, columns[0])
    )
    if as_class:
        Y, names = _class_labels(table, columns[0], path)
    else:
        Y = np.empty((len(table.values), len(columns)), dtype=np.uint8)
        for k, j in enumerate(columns):
            Y[:, k] = _label(table, j, path, positive_value, negative_value)
        names = tuple(table.names[j] for j in columns)
    is_feature = np.ones(len(table.names), dtype=bool)
    is_feature[columns] = False
    kept = np.flatnonzero(is_feature)
    return Dataset(
        table.values[:, kept],
        Y,
        tuple(table.names[j] for j in kept),
        names,
        tuple(table.categories[j] for j in kept),
        **facts,
    )


def class_columns(
    classes: Any, path: str
) -> tuple[np.ndarray[Any, Any], tuple[str, ...]]:
    """Return one 0/1 column for each class, and the classes as text.

    Parameters
    ----------
    classes : array-like of shape (n_rows,)
        Numbers (whole ones are named without a decimal point) or text.
    path : str
        For messages.

    Raises
    ------
    ReadError
        If a class is missing, or the values are not classes but measurements.
    """
    values = np.asarray(classes)
    if values.dtype.kind == "f":
        if np.isnan(values).any():
            row = int(np.flatnonzero(np.isnan(values))[0])
            raise ReadError(f"the class of row {row} is missing.", path)
        if (values != np.floor(values)).any():
            raise ReadError(
                "the class column holds fractions; classes are whole numbers or text.",
                path,
            )
    found, codes = np.unique(values, return_inverse=True)
    Y = np.zeros((len(values), len(found)), dtype=np.uint8)
    Y[np.arange(len(values)), codes] = 1
    return Y, tuple(_text(v) for v in found)


def _meanings(kinds: Iterable[str]) -> dict[str, bool] | None:
    """Return which of these values mean 1, or None if they do not say so."""
    plain = {kind: kind.strip().casefold() for kind in kinds}
    for no, yes in NO_AND_YES:
        if set(plain.values()) <= {no, yes}:
            return {kind: text == yes for kind, text in plain.items()}
    return None


def _text(value: Any) -> str:
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _is_binary(table: Table, j: int) -> bool:
    return not is_class_column(table.values[:, j], table.categories[j])


def is_class_column(values: Any, kinds: Categories) -> bool:
    """Return whether a single label column holds classes rather than yes and no.

    Parameters
    ----------
    values : ndarray of shape (n_rows,), float64
        Its values, or each of them once.
    kinds : tuple of str or None
        What they stand for, where it is text.
    """
    if kinds is None:
        found = np.unique(values[~np.isnan(values)])[:3]
        kinds = tuple(_text(value) for value in found)
    return _meanings(kinds) is None


def _class_labels(
    table: Table, j: int, path: str
) -> tuple[np.ndarray[Any, Any], tuple[str, ...]]:
    values, kinds = table.values[:, j], table.categories[j]
    _refuse_missing(table, j, path)
    if kinds is None:
        return class_columns(values, path)
    return class_columns(np.asarray(kinds)[values.astype(np.intp)], path)


def _label(
    table: Table, j: int, path: str, positive: Any, negative: Any
) -> np.ndarray[Any, Any]:
    _refuse_missing(table, j, path)
    values, kinds = table.values[:, j], table.categories[j]
    if kinds is None:
        texts, codes = np.unique(values, return_inverse=True)
        kinds = tuple(_text(v) for v in texts)
    else:
        codes = values.astype(np.intp)
    used = np.bincount(codes, minlength=len(kinds)) > 0
    known = _meanings(kind for kind, occurs in zip(kinds, used, strict=True) if occurs)
    meaning = np.zeros(len(kinds), dtype=np.uint8)
    for code in np.flatnonzero(used).tolist():
        kind = kinds[code]
        if positive is not None or negative is not None:
            means = _means(kind, positive, negative)
        else:
            found = known or _meanings([kind, "0"])
            means = found[kind] if found else None
        if means is None:
            row = int(np.flatnonzero(codes == code)[0])
            raise ReadError(
                f"label {table.names[j]!r} must be 0 or 1; found {kind!r}"
                f"{_at_row(table, row)}. For other values give positive_value= or "
                "negative_value=.",
                path,
                _line(table, row),
            )
        meaning[code] = means
    return meaning[codes]


def _check_values(
    table: Table, columns: list[int], path: str, positive: Any, negative: Any
) -> None:
    """Refuse a value of 1 or 0 that no label has: a slip, or all labels would be 0."""
    given = {"positive_value": positive, "negative_value": negative}
    given = {name: _text(v) for name, v in given.items() if v is not None}
    if not given:
        return
    if len(given) == 2 and len(set(given.values())) == 1:
        raise ValueError("positive_value and negative_value must differ.")
    found: set[str] = set()
    for j in columns:
        values, kinds = table.values[:, j], table.categories[j]
        values = np.unique(values[~np.isnan(values)]).tolist()
        found.update(_text(v) if kinds is None else kinds[int(v)] for v in values)
    for name, value in given.items():
        if value not in found and len(given) == 1:
            shown = ", ".join(sorted(found)[:5])
            raise ReadError(
                f"no label has the value {value!r} ({name}); found {shown}. Where "
                "no row has it, give the other of the two values.",
                path,
            )


def _means(kind: str, positive: Any, negative: Any) -> bool | None:
    if positive is not None and kind == _text(positive):
        return True
    if negative is None:
        return False
    if kind == _text(negative):
        return False
    return True if positive is None else None


def _refuse_missing(table: Table, j: int, path: str) -> None:
    missing = np.isnan(table.values[:, j])
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise ReadError(
            f"label {table.names[j]!r} is missing{_at_row(table, row)} "
            f"({counted(int(missing.sum()), 'such row')}). Drop those rows or fill "
            "them first.",
            path,
            _line(table, row),
        )


def _line(table: Table, row: int) -> int | None:
    return None if table.lines is None else int(table.lines[row])


def _at_row(table: Table, row: int) -> str:
    return "" if table.lines is not None else f" at row {row}"
