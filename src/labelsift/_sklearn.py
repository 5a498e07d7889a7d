"""Private parts of scikit-learn, imported here only: a release breaks one file."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from narwhals.exceptions import DuplicateError
from sklearn.base import _fit_context as fit_context
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    RealNotInt,
    StrOptions,
)
from sklearn.utils.validation import validate_data as _validate_data

from labelsift._whole_numbers import first_lost, lost_in_table, words_of_loss

__all__ = [
    "HasMethods",
    "Interval",
    "ParametersCheckedOnce",
    "RealNotInt",
    "StrOptions",
    "fit_context",
    "plain_words",
    "refuse_rounding",
    "table_of",
    "validate_data",
]


_SIMPLE = frozenset({type(None), bool, int, float, str})
_MOST_SETTINGS = 1000  # remembered of a class
# by class: the names of the parameters, and settings that passed
_known: WeakKeyDictionary[type, tuple[list[str], set[Any]]] = WeakKeyDictionary()


class ParametersCheckedOnce:
    """Base of estimators that do not check the same settings again.

    scikit-learn's check takes longer than some selectors need for all rows. Settings
    with anything but numbers, words and None are checked each time. To be named before
    ``BaseEstimator`` among the bases.
    """

    def _validate_params(self) -> None:
        known = _known.get(type(self))
        if known is None:
            names = list(type(self)._get_param_names())  # type: ignore[attr-defined]
            known = _known[type(self)] = names, set()
        names, passed = known
        values = [getattr(self, name) for name in names]
        kinds = [type(value) for value in values]
        settings = (*kinds, *values) if _SIMPLE.issuperset(kinds) else None
        if settings is None or settings not in passed:  # 1, 1.0 and True are equal
            super()._validate_params()  # type: ignore[misc]
            if settings is not None and len(passed) < _MOST_SETTINGS:
                passed.add(settings)


def validate_data(estimator: Any, X: Any, **checks: Any) -> Any:
    """Check ``X`` as scikit-learn does, and say which column of a frame is text.

    Parameters
    ----------
    estimator : estimator
        Whose features are checked or remembered.
    X : array-like, sparse matrix or data frame
        Rows.
    **checks
        As in ``sklearn.utils.validation.validate_data``.

    Raises
    ------
    ValueError
        Also as scikit-learn does, or if a column holds whole numbers that would be
        rounded: beyond 2**53, and no float64.
    TypeError
        If a column holds dates or times: as numbers they would be nanoseconds.
    """
    X = table_of(X)
    if _needs_no_check(X, checks):
        vars(estimator).pop("feature_names_in_", None)
        estimator.n_features_in_ = X.shape[1]
        return X
    _refuse_dates(X)
    refuse_rounding(estimator, X)
    with plain_words(estimator, X):
        return _validate_data(estimator, X, **checks)


def table_of(X: Any) -> Any:
    """Return ``X``, a lazy frame of polars with its rows; refuse what is no table."""
    if X is None or isinstance(X, str | bytes):
        raise ValueError(
            f"X must be a table of rows and columns; found {X!r:.60}. A file is read "
            "by labelsift.load_dataset."
        )
    if hasattr(X, "collect") and hasattr(X, "collect_schema"):
        return X.collect()
    return X


@contextmanager
def plain_words(estimator: Any, X: Any) -> Iterator[None]:
    """Say in one line, and with the column, what scikit-learn finds wrong with ``X``.

    Parameters
    ----------
    estimator : estimator
        For the remedy.
    X : array-like, sparse matrix or data frame
        What is checked in the block.
    """
    try:
        # scikit-learn adds the values up to see whether they are finite
        with np.errstate(over="ignore", invalid="ignore"):
            yield
    except DuplicateError as error:
        names = " ".join(str(error).split())
        raise ValueError(f"the columns of X must have different names: {names}") from (
            error
        )
    except (TypeError, ValueError) as error:
        found = _first_text(X)
        if found is None:
            text = _without_values(str(error))
            if text == str(error):
                raise
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(text) from error
        column, row, value = found
        remedy = (
            "by sklearn.preprocessing.OrdinalEncoder, and name them in "
            "categorical_features"
            if "categorical_features" in estimator.get_params(deep=False)
            else "by sklearn.preprocessing.OneHotEncoder"
        )
        raise ValueError(
            f"X must hold numbers; column {column} holds the text {value!r} at row "
            f"{row}. Encode such columns first, for example {remedy}."
        ) from error


def _without_values(message: str) -> str:
    """Return a message of scikit-learn on one line, without the table that it prints.

    Of a table without missing values it also recommends other estimators.
    """
    first, _, rest = message.partition("\n")
    if "Complex data" in first:
        return (
            f"{first}: X must hold real numbers; give real and imaginary parts, or "
            "sizes and angles, as columns."
        )
    if "contains NaN" in first:
        return f"{first} Impute it first (sklearn.impute), or drop those rows."
    _, found, remedy = rest.partition("Reshape your data")
    if found:
        return f"{first.removesuffix(':')}. {found}{' '.join(remedy.split())}"
    return " ".join(message.split())


def _needs_no_check(X: Any, checks: dict[str, Any]) -> bool:
    """Return whether scikit-learn would give back ``X`` as it is, without a word.

    Its way there takes longer than some selectors need for all rows.
    """
    return (
        type(X) is np.ndarray
        and X.ndim == 2
        and X.size > 0
        and checks.get("reset", True)
        and checks.get("ensure_all_finite", True) is False
        and isinstance(checks.get("dtype"), tuple)
        and X.dtype in checks["dtype"]
        and set(checks) <= {"reset", "accept_sparse", "dtype", "ensure_all_finite"}
    )


def _refuse_dates(X: Any) -> None:
    """Refuse dates and times, which scikit-learn takes for nanoseconds since 1970."""
    import narwhals.stable.v2 as nw

    names: list[str] = []
    if isinstance(X, np.ndarray):
        names = ["all of X"] if X.dtype.kind in "mM" else []
    elif not hasattr(X, "tocsr"):
        try:
            frame = nw.from_native(X, pass_through=True, eager_only=True)
            columns = frame.columns if isinstance(frame, nw.DataFrame) else []
            kinds = frame.schema.items() if columns else ()
        except DuplicateError as error:
            said = " ".join(str(error).split())
            raise ValueError(
                f"the columns of X must have different names: {said}"
            ) from error
        _refuse_repeated(columns)
        if columns:
            names = [f"column {name!r}" for name, kind in kinds if kind.is_temporal()]
    if names:
        raise TypeError(
            f"X must hold numbers; {names[0]} holds dates or times. Give the number "
            "that is meant, such as days: (X[name] - X[name].min()).dt.days, the month "
            "or the weekday, and leave the dates out."
        )


def refuse_rounding(estimator: Any, X: Any) -> None:
    """Refuse whole numbers that would become others; see ``_whole_numbers``.

    Parameters
    ----------
    estimator : estimator or None
        Which knows how many rows lie before these, where they are a block.
    X : array-like, sparse matrix or data frame
        Rows before they are floats.
    """
    found = _lost_in_frame(X)
    if found is None:
        entry = lost_in_table(X)
        if entry is None:
            return
        row, column, value = entry
        found = row, str(column), value
    row, name, value = found
    row += getattr(estimator, "_rows_before", 0)
    raise ValueError(f"X would be rounded: {words_of_loss(name, value, _at(row))}")


def _at(row: int) -> str:
    return f" at row {row}"


def _lost_in_frame(X: Any) -> tuple[int, str, int] | None:
    """Return row, column and value of the first loss in a data frame."""
    import narwhals.stable.v2 as nw

    if isinstance(X, np.ndarray | list | tuple) or hasattr(X, "tocsr"):
        return None
    frame = nw.from_native(X, pass_through=True, eager_only=True)
    if not isinstance(frame, nw.DataFrame):
        return None
    for name, column in zip(frame.columns, frame.iter_columns(), strict=True):
        found = lost_in_column(column)
        if found is not None:
            return found[0], repr(str(name)), found[1]
    return None


def lost_in_column(column: Any) -> tuple[int, int] | None:
    """Return row and value of the first whole number that would be rounded.

    Parameters
    ----------
    column : narwhals Series
        Of any type; integers of fewer than 64 bits, floats and texts are not read.
    """
    import narwhals.stable.v2 as nw

    kind = column.dtype
    if kind in (nw.Int64, nw.UInt64):
        if not column.null_count():
            return first_lost(np.asarray(column.to_numpy()))
    elif kind not in (nw.Int128, nw.UInt128, nw.Object, nw.Categorical, nw.Unknown):
        return None
    return first_lost(column.to_list())


def _refuse_repeated(names: list[Any]) -> None:
    # narwhals says so itself from some version on
    if len(set(names)) < len(names):
        repeated = [name for name in names if names.count(name) > 1]
        raise ValueError(
            f"the columns of X must have different names: {str(repeated[0])!r} occurs "
            f"{names.count(repeated[0])} times."
        )


def _first_text(X: Any) -> tuple[str, int, str] | None:
    """Return column, row and value of the first text in a table, if there is one."""
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, pass_through=True, eager_only=True)
    if not isinstance(frame, nw.DataFrame):
        return _first_text_of_array(X)
    for name, column in zip(frame.columns, frame.iter_columns(), strict=True):
        if column.dtype.is_numeric():
            continue
        for row, value in enumerate(column.to_list()):
            if isinstance(value, str) and not _is_number(value):
                return repr(str(name)), row, value
    return None


def _first_text_of_array(X: Any) -> tuple[str, int, str] | None:
    try:
        values = np.asarray(X)
    except ValueError:  # rows of unequal length
        return None
    if values.ndim != 2 or values.dtype.kind not in "OUS":
        return None
    for (row, column), value in np.ndenumerate(values):
        text = value.decode("latin-1") if isinstance(value, bytes) else value
        if isinstance(text, str) and not _is_number(text):
            return str(column), row, str(text)
    return None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
