"""One table with several labels a row: what every reader returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import pairwise
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from labelsift._words import counted
from labelsift.read.numbered_names import NumberedNames, as_names

if TYPE_CHECKING:
    from labelsift.read.describe import DatasetSummary

Matrix = Any  # ndarray or scipy.sparse.csr_array; scipy ships no types
Categories = tuple[str, ...] | None
MOST_COST = 1e100
"""Largest cost of a test: sums and squares up to here are finite."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features, labels and what is known about them.

    Parameters
    ----------
    X : ndarray or csr_array of shape (n_samples, n_features), float
        Feature values; NaN where missing. A nominal feature holds the position of
        its value in ``categories``, from 0.
    Y : ndarray or csr_array of shape (n_samples, n_labels), uint8
        1 where the label is relevant, else 0.
    feature_names, label_names : sequence of str
        Unique names, in column order.
    categories : sequence, optional
        For each feature ``None`` (numeric) or the tuple of its nominal values.
        Without it every feature is numeric.
    test_costs : ndarray of shape (n_features,), optional
        What measuring each feature costs; from 0 to 1e100.
    weights : ndarray of shape (n_samples,), optional
        Instance weights, where the file has them.
    name, source : str
        A short name, and where the data came from.
    licence : str
        What is known of the licence; empty when nothing is stated.
    loaded : str
        The call of ``load_dataset`` that gives the same again, where there is one.

    Raises
    ------
    ValueError
        If shapes, names or label values do not fit together.

    Examples
    --------
    >>> data = Dataset(
    ...     [[0.5, 1], [0.1, 0]], [[1, 0], [1, 1]], ["tempo", "minor"], ["happy", "sad"]
    ... )
    >>> data.n_samples, data.n_features, data.n_labels
    (2, 2, 2)
    >>> data.take_features([1]).feature_names
    ('minor',)
    """

    X: Matrix
    Y: Matrix
    feature_names: Sequence[str]
    label_names: Sequence[str]
    categories: tuple[Categories, ...] = ()
    test_costs: np.ndarray[Any, Any] | None = None
    weights: np.ndarray[Any, Any] | None = None
    name: str = "data"
    source: str = ""
    licence: str = field(default="", repr=False)
    loaded: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the dataclass is frozen; this is its __init__
        set_field(self, "feature_names", as_names(self.feature_names))
        set_field(self, "label_names", as_names(self.label_names))
        set_field(self, "X", _as_matrix(self.X, "X"))
        set_field(self, "Y", _as_matrix(self.Y, "Y"))
        n, d = self.X.shape
        if self.Y.shape[0] != n:
            raise ValueError(f"X has {counted(n, 'row')} but Y has {self.Y.shape[0]}.")
        _check_names(self.feature_names, d, "feature")
        _check_names(self.label_names, self.Y.shape[1], "label")
        set_field(self, "categories", tuple(self.categories) or (None,) * d)
        if len(self.categories) != d:
            told = counted(len(self.categories), "feature")
            raise ValueError(f"categories describes {told}, X has {d}.")
        set_field(self, "Y", _as_zero_one(self.Y, self.label_names))
        set_field(self, "test_costs", _as_vector(self.test_costs, d, "test_costs"))
        set_field(self, "weights", _as_vector(self.weights, n, "weights"))

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of feature columns."""
        return int(self.X.shape[1])

    @property
    def n_labels(self) -> int:
        """Number of label columns."""
        return int(self.Y.shape[1])

    @property
    def is_nominal(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """True for each feature with a list of values, shape (n_features,)."""
        if self.categories.count(None) == self.n_features:
            return np.zeros(self.n_features, dtype=bool)
        return np.array([c is not None for c in self.categories], dtype=bool)

    def take_features(self, columns: Sequence[int] | np.ndarray[Any, Any]) -> Dataset:
        """Return the same rows with only these feature columns, in this order.

        Parameters
        ----------
        columns : sequence of int
            Column indices, each from 0 to ``n_features - 1``.
        """
        picked = np.asarray(columns, dtype=np.intp)
        return replace(
            self,
            X=self.X[:, picked],
            feature_names=tuple(self.feature_names[i] for i in picked),
            categories=tuple(self.categories[i] for i in picked),
            test_costs=None if self.test_costs is None else self.test_costs[picked],
            loaded="",
        )

    def take_rows(self, rows: Sequence[int] | np.ndarray[Any, Any]) -> Dataset:
        """Return only these rows, in this order.

        Parameters
        ----------
        rows : sequence of int
            Row indices, each from 0 to ``n_samples - 1``.
        """
        picked = np.asarray(rows, dtype=np.intp)
        return replace(
            self,
            X=self.X[picked],
            Y=self.Y[picked],
            weights=None if self.weights is None else self.weights[picked],
            loaded="",
        )

    def describe(self) -> DatasetSummary:
        """Return sizes, label statistics, missing values and warnings.

        Returns
        -------
        DatasetSummary
            Prints as ``labelsift info`` does; ``to_dict()`` gives plain figures.
        """
        from labelsift.read.describe import describe

        return describe(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write to a file whose ending tells the format.

        Parameters
        ----------
        path : str or path-like
            Ends in .arff (a .xml with the labels is written beside it), .csv, .tsv,
            .parquet, .npz, .svm or .svmlight; and further in .gz, .bz2 or .xz where
            the format does not compress by itself. ``.npz`` keeps everything.

        Raises
        ------
        ValueError
            If the ending is not known, or the format cannot hold these names or
            values.

        Warns
        -----
        UserWarning
            If the format has no place for test costs or weights.
        """
        from labelsift.read.save import save_dataset

        save_dataset(self, path)

    def __repr__(self) -> str:
        """Return name and sizes: the matrices would fill the screen."""
        sizes = (
            counted(self.n_samples, "row"),
            counted(self.n_features, "feature"),
            counted(self.n_labels, "label"),
        )
        return f"Dataset({self.name!r}: {', '.join(sizes)})"

    def _repr_html_(self) -> str:
        return self.describe()._repr_html_()


def as_loaded(dataset: Dataset, call: str) -> Dataset:
    """Return a data set with the call that loads it; nothing is checked again."""
    same = copy(dataset)
    object.__setattr__(same, "loaded", call)
    return same


def _as_matrix(values: Any, name: str) -> Matrix:
    if sparse.issparse(values):
        matrix = sparse.csr_array(values)  # shares its arrays with a CSR input
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        return matrix
    array = np.asarray(values)
    if array.ndim != 2:
        raise ValueError(f"{name} must have two dimensions; found {array.ndim}.")
    return array


def _as_vector(values: Any, length: int, name: str) -> np.ndarray[Any, Any] | None:
    if values is None:
        return None
    vector = np.asarray(values, dtype=np.float64)
    if vector.shape != (length,):
        raise ValueError(
            f"{name} must have shape ({length},); found {tuple(vector.shape)}."
        )
    bad = ~((vector >= 0) & (vector <= MOST_COST))
    if name == "test_costs" and bad.any():
        column = int(np.flatnonzero(bad)[0])
        raise ValueError(
            f"test_costs must be 0 or more, at most {MOST_COST:g}; found "
            f"{vector[column]:g} at {column}."
        )
    return vector


def _check_names(names: Sequence[str], expected: int, kind: str) -> None:
    if len(names) != expected:
        found = counted(len(names), f"{kind} name")
        raise ValueError(f"found {found} for {counted(expected, kind)}.")
    if not isinstance(names, NumberedNames) and len(set(names)) < len(names):
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise ValueError(f"the {kind} name {name!r} occurs more than once.")
            seen.add(name)


def _as_zero_one(Y: Matrix, names: Sequence[str]) -> Matrix:
    values = Y.data if sparse.issparse(Y) else Y
    if values.dtype != np.uint8 or (values.size and values.max() > 1):
        bad = ~((values == 0) | (values == 1))
        if bad.any():
            if sparse.issparse(Y):
                place = int(np.flatnonzero(bad)[0])
                row = int(np.searchsorted(Y.indptr, place, side="right") - 1)
                column, value = int(Y.indices[place]), values[place]
            else:
                row, column = (int(i) for i in np.argwhere(bad)[0])
                value = values[row, column]
            many = counted(int(bad.sum()), "such entry", "such entries")
            raise ValueError(
                f"Y must hold only 0 and 1; found {value} at row {row}, "
                f"label {names[column]!r} ({many})."
            )
        Y = Y.astype(np.uint8)
    if sparse.issparse(Y) and not Y.data.all():
        Y = Y.copy()  # the caller's matrix stays as it is
        Y.eliminate_zeros()
    return Y


def dense_columns(matrix: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Yield the columns of a dense or sparse matrix, one dense array at a time.

    Parameters
    ----------
    matrix : ndarray or csr_array
        Where from.
    """
    if not sparse.issparse(matrix):
        for j in range(matrix.shape[1]):
            yield np.ascontiguousarray(matrix[:, j])
        return
    columns = matrix.tocsc()
    for start, end in pairwise(columns.indptr.tolist()):
        column = np.zeros(matrix.shape[0], dtype=matrix.dtype)
        column[columns.indices[start:end]] = columns.data[start:end]
        yield column
