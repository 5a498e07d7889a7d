"""A table of named columns, and its split into features and labels."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.read.dataset import Categories, Dataset
from labelsift.read.errors import ReadError

Labels = str | int | Sequence[str] | None

_YES = frozenset({"1", "1.0", "true", "t", "yes", "y"})
_NO = frozenset({"0", "0.0", "false", "f", "no", "n"})


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
        Names, in the order the labels shall have; or a count: the last ``labels``
        columns, the first ``-labels`` where it is negative; 0 for none.
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
    if isinstance(labels, bool):
        raise TypeError("labels must be column names or a count; found a bool.")
    if isinstance(labels, int | np.integer):
        count = int(labels)
        if abs(count) > len(names):
            raise ReadError(
                f"labels={count}, but there are only {len(names)} columns.", path
            )
        last = range(len(names) - count, len(names))
        return list(last if count >= 0 else range(-count))
    wanted = [labels] if isinstance(labels, str) else [str(name) for name in labels]
    place = {name: i for i, name in enumerate(names)}
    if len(set(wanted)) < len(wanted):
        twice = next(n for i, n in enumerate(wanted) if n in wanted[:i])
        raise ReadError(f"labels= names {twice!r} more than once.", path)
    for name in wanted:
        if name not in place:
            near = difflib.get_close_matches(name, names, n=3)
            hint = f"did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise ReadError(
                f"there is no label column {name!r}; {hint}".rstrip("; "), path
            )
    return [place[name] for name in wanted]


def to_dataset(
    table: Table,
    labels: Labels,
    *,
    path: str,
    positive_value: Any = None,
    negative_value: Any = None,
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
    if len(columns) == len(table.names):
        raise ReadError("every column is a label; nothing is left as a feature.", path)
    as_class = (
        len(columns) == 1
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


def value_is_positive(text: str) -> bool | None:
    """Return what a label's value means; None if it is neither yes nor no.

    Parameters
    ----------
    text : str
        ``0``/``1``, ``true``/``false``, ``yes``/``no`` or their first letters.
    """
    plain = text.strip().lower()
    if plain in _YES:
        return True
    return False if plain in _NO else None


def _text(value: Any) -> str:
    if isinstance(value, float | np.floating) and value == int(value):
        return str(int(value))
    return str(value)


def _is_binary(table: Table, j: int) -> bool:
    values, kinds = table.values[:, j], table.categories[j]
    if kinds is not None:
        return all(value_is_positive(c) is not None for c in kinds)
    present = values[~np.isnan(values)]
    return bool(np.isin(present, (0, 1)).all())


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
    meaning = np.zeros(len(kinds), dtype=np.uint8)
    for code, kind in enumerate(kinds):
        if positive is not None:
            means: bool | None = kind == _text(positive)
        elif negative is not None:
            means = kind != _text(negative)
        else:
            means = value_is_positive(kind)
        if means is None and used[code]:
            row = int(np.flatnonzero(codes == code)[0])
            raise ReadError(
                f"label {table.names[j]!r} must be 0 or 1; found {kind!r}"
                f"{_at_row(table, row)}. For other values give positive_value= or "
                "negative_value=.",
                path,
                _line(table, row),
            )
        meaning[code] = bool(means)
    return meaning[codes]


def _refuse_missing(table: Table, j: int, path: str) -> None:
    missing = np.isnan(table.values[:, j])
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise ReadError(
            f"label {table.names[j]!r} is missing{_at_row(table, row)} "
            f"({int(missing.sum())} such rows). Drop those rows or fill them first.",
            path,
            _line(table, row),
        )


def _line(table: Table, row: int) -> int | None:
    return None if table.lines is None else int(table.lines[row])


def _at_row(table: Table, row: int) -> str:
    return "" if table.lines is not None else f" at row {row}"
