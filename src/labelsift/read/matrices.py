"""Turn arrays of unknown origin into X, Y and names, trusting nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.read.dataset import Dataset, Matrix
from labelsift.read.errors import ReadError
from labelsift.read.facts import dataset_from
from labelsift.read.numbered_names import numbered
from labelsift.read.rounding import refuse_in_table
from labelsift.read.table import class_columns

NAME_BYTES = 64
"""What one generated column name is reckoned to take in memory."""


def from_arrays(
    X: Any,
    Y: Any,
    *,
    path: str,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    **facts: Any,
) -> Dataset:
    """Return a data set from a feature array and a label array or class vector.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Real numbers; integers become float.
    Y : array-like or sparse matrix, (n_samples, n_labels), (n_samples,) or a vector
        0/1 labels; a vector of classes gives one label for each class, and a -1/1
        matrix is read as 0/1. A (1, n_samples) vector is turned.
    path : str
        For messages.
    feature_names, label_names : sequence of str, optional
        Default: ``feature0``, ...; ``label0``, ... or the classes.
    **facts
        Other fields of ``Dataset``.

    Raises
    ------
    ReadError
        If shapes do not fit, or values are no numbers or no labels.
    """
    X = checked_features(X, path, feature_names)
    n, d = X.shape
    labels, class_names = _labels(Y, n, path)
    if label_names is None:
        label_names = class_names or numbered("label", labels.shape[1])
    if n == 0 or d == 0:
        raise ReadError(f"X has {n} rows and {d} columns; nothing to read.", path)
    names = numbered("feature", d) if feature_names is None else feature_names
    facts |= {"feature_names": names, "label_names": label_names}
    return dataset_from(X, labels, facts, path)


def checked_features(
    X: Any, path: str, names: Sequence[str] | None = None, first_row: int = 0
) -> Matrix:
    """Return X as float64, dense or CSR, after checking every sparse index.

    Parameters
    ----------
    X : array-like or sparse matrix
        Two-dimensional, real.
    path : str
        For messages.
    names : sequence of str, optional
        Names of the columns, for messages.
    first_row : int, default=0
        Rows of all data that lie before these.

    Raises
    ------
    ReadError
        If it is not a two-dimensional array of real numbers, or holds whole numbers
        that no float64 holds.
    """
    matrix = _two_dimensional(X, "X", path)
    refuse_in_table(matrix, names, path, first_row)
    if sparse.issparse(matrix):
        return matrix.astype(np.float64)
    return np.ascontiguousarray(matrix, dtype=np.float64)


def check_sparse(matrix: Any) -> None:
    """Raise ValueError unless every index of a CSR, CSC or BSR matrix is within it.

    Parameters
    ----------
    matrix : sparse matrix
        From a file; compiled code must not see it before.
    """
    matrix.check_format(full_check=True)
    # scipy does not look at the pointers of a matrix whose last one is 0
    if len(matrix.indptr) > 1 and np.diff(matrix.indptr).min() < 0:
        raise ValueError("index pointers must not decrease")


def checked_csr(data: Any, indices: Any, indptr: Any, shape: Any, path: str) -> Matrix:
    """Return a CSR matrix from its parts, every index checked.

    Parameters
    ----------
    data, indices, indptr, shape : array-like
        The parts, from a file.
    path : str
        For messages.

    Raises
    ------
    ReadError
        If the parts do not make a matrix.
    """
    try:
        n, d = (int(size) for size in np.asarray(shape).ravel())
        if min(n, d) < 0 or np.asarray(indices).dtype.kind not in "iu":
            raise ValueError("sizes and indices must be whole numbers from 0")
        matrix = sparse.csr_array((data, indices, indptr), shape=(n, d))
        check_sparse(matrix)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise ReadError(f"the sparse matrix is damaged: {error}.", path) from error
    return matrix


def _two_dimensional(values: Any, name: str, path: str) -> Matrix:
    if sparse.issparse(values):
        # Indices from a file may point anywhere: compiled code must not see them
        # before they are checked.
        if values.format not in ("csr", "csc", "bsr"):
            values = values.tocsr()
        try:
            check_sparse(values)
        except (ValueError, TypeError) as error:
            raise ReadError(f"{name} is damaged: {error}.", path) from error
        matrix = sparse.csr_array(values)
        kind = matrix.dtype.kind
    else:
        matrix = np.asarray(values)
        kind = matrix.dtype.kind
        if matrix.ndim != 2:
            raise ReadError(
                f"{name} must have two dimensions; found {matrix.ndim}.", path
            )
    if kind not in "buif":
        raise ReadError(
            f"{name} must hold real numbers; found type {matrix.dtype}.", path
        )
    return matrix


def _labels(Y: Any, n: int, path: str) -> tuple[Matrix, tuple[str, ...] | None]:
    if sparse.issparse(Y):
        matrix = _two_dimensional(Y, "Y", path)
    else:
        array = np.asarray(Y)
        if array.ndim == 2 and 1 in array.shape:
            flat = array.ravel()
            # one 0/1 column is one label, unless it is a row or holds other values
            if array.shape[0] == 1 != n or not _is_zero_one(flat):
                array = flat
        if array.ndim == 1:
            if len(array) != n:
                raise ReadError(f"X has {n} rows but Y has {len(array)}.", path)
            if array.dtype.kind not in "buifUS":
                raise ReadError(f"Y holds {array.dtype}, not classes.", path)
            if array.dtype.kind == "S":
                array = np.char.decode(array, "latin-1")
            return class_columns(array, path)
        matrix = _two_dimensional(array, "Y", path)
    if matrix.shape[0] != n:
        turned = matrix.shape[1] == n
        hint = "; Y looks transposed" if turned else ""
        raise ReadError(f"X has {n} rows but Y has {matrix.shape[0]}{hint}.", path)
    if (
        not sparse.issparse(matrix)
        and matrix.size
        and set(np.unique(matrix).tolist()) == {-1, 1}
    ):
        matrix = (matrix > 0).astype(np.uint8)
    values = matrix.data if sparse.issparse(matrix) else matrix
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise ReadError(
            f"Y misses {int(np.isnan(values).sum())} values; a label must be 0 or 1. "
            "Drop those rows or fill them first.",
            path,
        )
    return matrix, None


def _is_zero_one(values: np.ndarray[Any, Any]) -> bool:
    return values.dtype.kind in "buif" and bool(np.isin(values, (0, 1)).all())
