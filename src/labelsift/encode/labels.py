"""Check ``y`` and turn it into a 0/1 label matrix: the one place where this is done."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from labelsift.read.dataset import Matrix


@dataclass(frozen=True, eq=False)
class LabelMatrix:
    """A checked ``y``.

    Parameters
    ----------
    values : ndarray (C order) or csr_array of shape (n_samples, n_labels), uint8
        0/1 labels. CSR where ``y`` was sparse.
    names : tuple of str
        One name for each label: column names of a data frame, classes of a class
        vector as text, otherwise ``"label0"``, ``"label1"``, ...
    classes : ndarray or None
        The classes of a 1-D ``y`` in sorted order (one label per class), or None.
    """

    values: Matrix
    names: tuple[str, ...]
    classes: np.ndarray[Any, Any] | None = None

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return int(self.values.shape[1])

    @property
    def codes(self) -> np.ndarray[Any, Any]:
        """Class index of each row, for a class vector; shape (n_samples,), int64."""
        if self.classes is None:
            raise ValueError("codes exist for a class vector only.")
        codes: np.ndarray[Any, Any] = np.asarray(self.values).argmax(axis=1)
        return codes


def as_label_matrix(y: Any, n_samples: int | None = None) -> LabelMatrix:
    """Return ``y`` as a 0/1 matrix with names.

    Parameters
    ----------
    y : array-like, sparse matrix or data frame, (n_samples, n_labels) or (n_samples,)
        0/1 or boolean labels, or a class vector (one label for each class, in sorted
        order; classes may be numbers or text).
    n_samples : int, optional
        Rows of ``X``; a different number of rows in ``y`` is an error.

    Returns
    -------
    LabelMatrix
        The labels, their names, and the classes of a class vector.

    Raises
    ------
    ValueError
        If ``y`` holds anything but 0 and 1, is missing somewhere, is empty, holds
        continuous values, or has another number of rows than ``X``.
    """
    names: tuple[str, ...] | None = None
    classes = None
    if sparse.issparse(y):
        matrix: Any = sparse.csr_array(y)
        if not matrix.has_canonical_format:
            matrix = matrix.copy()  # it may share its arrays with y
            matrix.sum_duplicates()
    else:
        array, names = _as_array(y)
        if array.ndim == 1:
            matrix, classes = _one_label_per_class(array)
            names = tuple(str(c) for c in classes)
        elif array.ndim == 2:
            matrix = array
        else:
            raise ValueError(f"y must have one or two dimensions; found {array.ndim}.")
    if matrix.shape[1] == 0:
        raise ValueError("y has no label columns; give at least one.")
    if n_samples is not None and matrix.shape[0] != n_samples:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {n_samples} rows, y has {matrix.shape[0]}."
        )
    if names is None:
        names = tuple(map("label{}".format, range(matrix.shape[1])))
    return LabelMatrix(_checked(matrix, names), names, classes)


def with_classes(labels: LabelMatrix, classes: Any) -> LabelMatrix:
    """Return the labels of a class vector with one column for each of ``classes``.

    Parameters
    ----------
    labels : LabelMatrix
        Of a class vector that may not hold every class.
    classes : array-like
        All classes, in any order.

    Raises
    ------
    ValueError
        If the labels are no class vector, or hold a class that is not listed.
    """
    if labels.classes is None:
        raise ValueError("classes= is for a class vector; y is a label matrix.")
    wanted = np.unique(np.asarray(classes))
    unknown = np.setdiff1d(labels.classes, wanted)
    if unknown.size:
        name = unknown.tolist()[0]  # without numpy's type
        raise ValueError(f"y holds {name!r}, which is not in classes.")
    values = np.zeros((labels.values.shape[0], len(wanted)), dtype=np.uint8)
    values[:, np.searchsorted(wanted, labels.classes)] = labels.values
    return LabelMatrix(values, tuple(str(c) for c in wanted), wanted)


def class_column(y: Any) -> Any:
    """Return a column of classes as a vector, with scikit-learn's warning.

    Parameters
    ----------
    y : object
        Labels as the user gives them; anything but one column of classes is returned
        as it is, a column of 0 and 1 too: that is one label.
    """
    if sparse.issparse(y):
        return y
    try:
        column = np.asarray(y)
    except ValueError:  # rows of unequal length: as_label_matrix says what to do
        return y
    if column.ndim != 2 or column.shape[1] != 1:
        return y
    column = column.ravel()
    if column.dtype.kind in "buif" and np.isin(column, (0, 1)).all():
        return y
    if column.dtype.kind == "f" and np.isnan(column).any():
        return y
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected: it is read as a "
        "class vector, one label for each class.",
        DataConversionWarning,
        stacklevel=4,
    )
    return column


def _as_array(y: Any) -> tuple[np.ndarray[Any, Any], tuple[str, ...] | None]:
    if isinstance(y, np.ndarray):
        return y, None
    try:
        frame = nw.from_native(y, pass_through=True, allow_series=True)
    except DuplicateError as error:
        said = " ".join(str(error).split())
        raise ValueError(f"the columns of y must have different names: {said}") from (
            error
        )
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        if len(set(frame.columns)) < len(frame.columns):
            raise ValueError("the columns of y must have different names.")
        return _frame_values(frame), tuple(str(c) for c in frame.columns)
    if isinstance(frame, nw.Series):
        return np.asarray(frame.to_numpy()), None
    try:
        array = np.asarray(y)
    except ValueError as error:
        raise ValueError(
            "y must be a 0/1 matrix with rows of equal length; for lists of label "
            "names use sklearn.preprocessing.MultiLabelBinarizer first."
        ) from error
    return array, None


def _frame_values(frame: nw.DataFrame[Any]) -> np.ndarray[Any, Any]:
    # by position: pandas names columns by numbers and tuples, too
    for name, column in zip(frame.columns, frame.iter_columns(), strict=True):
        missing = int(column.is_null().sum())
        if missing:
            raise ValueError(
                f"y must not be missing; label {str(name)!r} has {missing} missing "
                "values. Drop those rows or the label."
            )
    return np.asarray(frame.to_numpy())


def _one_label_per_class(
    y: np.ndarray[Any, Any],
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    if y.dtype.kind == "f":
        missing = ~np.isfinite(y)
        if missing.any():
            row = int(np.flatnonzero(missing)[0])
            raise ValueError(
                f"Input y contains NaN or infinity, first at row {row}; a class "
                "vector must not be missing."
            )
        if (y != np.floor(y)).any():
            raise ValueError(
                "Unknown label type: continuous. y holds continuous values; give a "
                "class vector or a 0/1 label matrix."
            )
    if y.dtype.kind == "O":
        for row, value in enumerate(y):
            if isinstance(value, set | frozenset | dict | list | tuple):
                raise ValueError(
                    f"y holds a {type(value).__name__} at row {row}; for collections "
                    "of label names use sklearn.preprocessing.MultiLabelBinarizer "
                    "first."
                )
            if _is_missing(value):
                raise ValueError(f"y is missing at row {row}.")
    if y.dtype.kind == "c":
        raise ValueError("y holds complex numbers; give a class vector or 0/1 labels.")
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError as error:
        raise TypeError(
            "y mixes types that cannot be sorted, such as text and numbers; "
            "use one type for all classes."
        ) from error
    matrix = np.zeros((len(y), len(classes)), dtype=np.uint8)
    matrix[np.arange(len(y)), codes] = 1
    return matrix, classes


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas' NA is neither equal nor unequal to itself
        return True


def _checked(matrix: Any, names: tuple[str, ...]) -> Matrix:
    values = matrix.data if sparse.issparse(matrix) else matrix
    if values.dtype.kind == "c":
        raise ValueError("y must hold only 0 and 1; found complex numbers.")
    if values.dtype.kind not in "buif":
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"y must hold only 0 and 1; found values of type {values.dtype}. For "
                "label names use sklearn.preprocessing.MultiLabelBinarizer first."
            ) from error
    if values.dtype.kind != "b":
        bad = ~((values == 0) | (values == 1))
        if bad.any():
            raise ValueError(_describe_bad(matrix, values, bad, names))
    if sparse.issparse(matrix):
        clean = sparse.csr_array(
            (values.astype(np.uint8), matrix.indices, matrix.indptr),
            shape=matrix.shape,
        )
        if not clean.data.all():
            clean = clean.copy()  # y keeps the zeros that it stores
            clean.eliminate_zeros()
        return clean
    return np.ascontiguousarray(values, dtype=np.uint8)


def _describe_bad(matrix: Any, values: Any, bad: Any, names: tuple[str, ...]) -> str:
    if sparse.issparse(matrix):
        place = int(np.flatnonzero(bad)[0])
        row = int(np.searchsorted(matrix.indptr, place, side="right") - 1)
        column, value = int(matrix.indices[place]), values[place]
    else:
        row, column = (int(i) for i in np.argwhere(bad)[0])
        value = values[row, column]
    count = int(bad.sum())
    entries = "entry" if count == 1 else "entries"
    label = str(column) if names[column] == f"label{column}" else repr(names[column])
    if value != value:
        return (
            f"Input y contains NaN: missing at row {row}, label {label} ({count} "
            f"{entries} of {bad.size}). Drop those rows or labels, or fill them first."
        )
    return (
        f"y must hold only 0 and 1; found {value:g} at row {row}, label {label} "
        f"({count} {entries} of {bad.size})."
    )
