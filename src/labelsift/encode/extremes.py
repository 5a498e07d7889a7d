"""Refuse values that cannot be computed with: missing, infinite, huge, tiny."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from labelsift._words import counted
from labelsift.read.dataset import Matrix

MOST = 1e100
"""Squares of more values than there are atoms would still be finite."""
LEAST = 1e-100


def column_by_name(names: Any) -> Callable[[int], str]:
    """Return a function that names a column in a message.

    Parameters
    ----------
    names : sequence of str or None
        Names of the columns, if they have names.
    """
    if names is None:
        return str
    return lambda column: repr(str(names[column]))


def refuse_unusable(
    X: Matrix,
    who: str,
    name_of: Callable[[int], str],
    *,
    accepts_nan: bool,
    accepts_huge: bool,
    whole: bool,
    rows_before: int = 0,
) -> None:
    """Refuse what cannot be computed with; one pass over X where all is well.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features), float
        Rows.
    who, name_of, accepts_nan
        As in ``refuse_not_finite``.
    accepts_huge : bool
        Whether values of any finite size are fine.
    whole : bool
        Whether these are all rows, so that a column of tiny values is no accident.
    rows_before : int, default=0
        Rows of all data that lie before these.

    Raises
    ------
    ValueError
        As the functions below.
    """
    if _all_is_well(X, whole and not accepts_huge):
        return
    refuse_not_finite(X, who, name_of, accepts_nan=accepts_nan, rows_before=rows_before)
    if not accepts_huge:
        refuse_huge(X, name_of, rows_before=rows_before)
        if whole:
            refuse_tiny(X, name_of)


def _all_is_well(X: Matrix, whole: bool) -> bool:
    """Return whether sums of squares say so; False where a closer look is needed."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        if sparse.issparse(X):
            total = float(np.dot(X.data, X.data))
            low = X.data.min(initial=1.0) if whole else 1.0  # no copy of the values
            return total <= MOST**2 and low >= LEAST
        totals = np.einsum("ij,ij->j", X, X).astype(np.float64)
    fine = totals <= MOST**2
    if not whole:
        return bool(fine.all())
    empty = totals == 0
    if not (fine & (empty | (totals >= LEAST**2))).all():
        return False
    return not (empty.any() and X[:, empty].any())


def refuse_not_finite(
    X: Matrix,
    who: str,
    name_of: Callable[[int], str],
    *,
    accepts_nan: bool,
    rows_before: int = 0,
) -> None:
    """Refuse missing values, unless they are accepted, and infinite ones.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features), float
        Rows.
    who : str
        What cannot use them, for the message.
    name_of : callable
        See ``column_by_name``.
    accepts_nan : bool
        Whether NaN is fine.
    rows_before : int, default=0
        As in ``refuse_unusable``.

    Raises
    ------
    ValueError
        Names the first such value, column by column, and a remedy.
    """
    values = X.data if sparse.issparse(X) else X
    if np.isfinite(values).all():
        return
    missing, infinite = np.isnan(values), np.isinf(values)
    bad = infinite if accepts_nan else missing | infinite
    if not bad.any():
        return
    row, column, value = _first(X, bad)
    what = "NaN" if value != value else "infinity"
    remedy = (
        "Impute it first (sklearn.impute), or drop those rows."
        if what == "NaN"
        else "Replace it by a finite value."
    )
    raise ValueError(
        f"Input X contains {what}: {who} cannot use it; first at row "
        f"{rows_before + row}, column "
        f"{name_of(column)} ({counted(int(bad.sum()), 'such value')}). {remedy}"
    )


def refuse_huge(
    X: Matrix,
    name_of: Callable[[int], str],
    most: float = MOST,
    *,
    rows_before: int = 0,
) -> None:
    """Refuse values whose squares or sums would overflow.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Rows; NaN and infinity are passed over.
    name_of : callable
        See ``column_by_name``.
    most : float, default=1e100
        Largest absolute value that can be computed with.
    rows_before : int, default=0
        As in ``refuse_unusable``.

    Raises
    ------
    ValueError
        Names the first such value, column by column, and the remedy.
    """
    values = X.data if sparse.issparse(X) else X
    if not values.size or not _may_reach(values, most):
        return
    high, low = np.fmax.reduce(values, axis=None), np.fmin.reduce(values, axis=None)
    if max(float(high), -float(low)) <= most:
        return
    bad = np.isfinite(values) & ((values > most) | (values < -most))
    if not bad.any():
        return
    row, column, value = _first(X, bad)
    raise ValueError(
        "X holds values too large to be computed with: "
        f"{value:g} at row {rows_before + row}, column "
        f"{name_of(column)} ({int(bad.sum())} beyond {most:.2g}; their squares or sums "
        "would overflow). Divide the column by a constant first, for example with "
        "sklearn.preprocessing.MaxAbsScaler."
    )


def refuse_tiny(X: Matrix, name_of: Callable[[int], str]) -> None:
    """Refuse a column whose values are all so small that their squares would vanish.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        All rows.
    name_of : callable
        See ``column_by_name``.

    Raises
    ------
    ValueError
        Names the first such column and the remedy.
    """
    if not min(X.shape) or not _may_reach(X, MOST):  # nor LEAST
        return
    if sparse.issparse(X):
        if not (np.abs(X.data) < LEAST).any():
            return
        entries = X.tocoo()
        peak = np.zeros(X.shape[1])
        np.fmax.at(peak, entries.col, np.abs(entries.data))
    else:
        peak = np.fmax(np.fmax.reduce(X, axis=0), -np.fmin.reduce(X, axis=0))
    tiny = (peak > 0) & (peak < LEAST)
    if tiny.any():
        column = int(np.flatnonzero(tiny)[0])
        raise ValueError(
            f"column {name_of(column)} of X holds values too small to compute with: "
            f"none is beyond {peak[column]:g} "
            f"({counted(int(tiny.sum()), 'such column')}; squares of values below "
            f"{LEAST:g} vanish). Multiply it by a constant first, for example "
            "with sklearn.preprocessing.MaxAbsScaler."
        )


def _may_reach(values: Any, most: float) -> bool:
    """Return whether the type of these numbers has values beyond a limit."""
    kind = values.dtype
    return bool(kind.kind == "f" and float(np.finfo(kind).max) > most)


def _first(X: Matrix, bad: Any) -> tuple[int, int, float]:
    """Return row, column and value of the first bad entry, column by column."""
    if sparse.issparse(X):
        entries = X.tocoo()  # its data are in the order of X.data
        order = np.lexsort((entries.row, entries.col))
        place = order[bad[order]][0]
        row, column = int(entries.row[place]), int(entries.col[place])
        return row, column, float(entries.data[place])
    column = int(np.flatnonzero(bad.any(axis=0))[0])
    row = int(np.flatnonzero(bad[:, column])[0])
    return row, column, float(X[row, column])
