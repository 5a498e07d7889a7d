"""Who is near whom, computed once and read by every neighbour-based classifier."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import Interval, StrOptions, fit_context
from labelsift.kernels.neighbors_weka import heap_neighbors
from labelsift.learn._column_space import ColumnSpace, nominal_mask
from labelsift.learn._columns import validate_rows
from labelsift.learn._label_counts import LabelCounts
from labelsift.learn._row_index import RowIndex

Array = np.ndarray[Any, Any]

DISTANCE_CONSTRAINTS: dict[str, list[Any]] = {
    "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    "scale": [StrOptions({"minmax"}), None],
    "ties": [StrOptions({"index", "weka"})],
    "categorical_features": ["array-like", None],
}


@dataclass(frozen=True, eq=False)
class Neighbors:
    """The nearest training rows of some rows.

    Parameters
    ----------
    graph : NeighborGraph
        The graph whose training rows these are.
    source : ndarray or csr_array
        Rows among which those that were asked about are.
    rows : ndarray of int or None
        Which rows of ``source`` were asked about; all where None.
    index : ndarray of shape (n_rows, n_neighbors), int64
        Training rows, nearest first.
    squared : ndarray of shape (n_rows, n_neighbors), float64
        Squared distances.
    tied_indptr, tied_index : ndarray of int64
        With ``ties="weka"``, the further training rows exactly as far as the last
        neighbour: those of row i are
        ``tied_index[tied_indptr[i]:tied_indptr[i + 1]]``. Empty otherwise.

    Examples
    --------
    >>> NeighborGraph(1).fit([[0.0], [1.0], [3.0]]).query([[0.9]]).index
    array([[1]])
    """

    graph: NeighborGraph
    source: Any
    rows: Array | None
    index: Array
    squared: Array
    tied_indptr: Array
    tied_index: Array
    _counted: list[LabelCounts] = field(default_factory=list, init=False, repr=False)

    def label_counts(self, n_neighbors: int, labels: Array) -> LabelCounts:
        """Return how many neighbours have each label, counted once for all who ask.

        Parameters
        ----------
        n_neighbors : int
            Neighbours that count, at most those that are here.
        labels : ndarray of shape (n_training_rows, n_labels)
            0/1 labels of the training rows.
        """
        for known in self._counted:
            if known.are_of(n_neighbors, labels):
                return known
        found = LabelCounts(self.index, n_neighbors, labels)
        self._counted[:] = [found]
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_counted": []}

    @property
    def X(self) -> Any:
        """The rows that were asked about, of shape (n_rows, n_features)."""
        return self.source if self.rows is None else self.source[self.rows]

    @property
    def distances(self) -> Array:
        """Distances, of shape (n_rows, n_neighbors)."""
        return np.sqrt(self.squared)

    def __len__(self) -> int:
        return len(self.index)


class NeighborGraph(BaseEstimator):
    """Exact k nearest training rows, computed once for several classifiers.

    Give the fitted graph to a classifier in place of the training rows, and what
    ``query`` returns in place of the rows to predict.

    Parameters
    ----------
    n_neighbors : int, default=10
        Neighbours of each row, at least 1 and less than the number of training rows. A
        classifier may use fewer (with ``ties="index"``).
    scale : {None, "minmax"}, default=None
        ``"minmax"`` maps every numeric column to 0..1 over the training rows, as Mulan
        does; a column constant in training becomes 0.
    ties : {"index", "weka"}, default="index"
        Which of several equally far rows is taken at the k-th place: the lower training
        index, or the one that Weka's (and so Mulan's) search keeps.
    categorical_features : array-like of bool, int or str, default=None
        Mask, indices or names of the nominal columns, which differ by 0 or 1.

    Attributes
    ----------
    neighbors_ : Neighbors
        Neighbours of the training rows, each row itself left out.
    n_samples_fit_ : int
        Training rows.
    n_features_in_ : int
        Columns.
    feature_names_in_ : ndarray of str
        Column names, where ``X`` was a data frame with text names.

    Notes
    -----
    Euclidean distance. Neighbours are decided by the sum of squared differences in
    column order in double precision, whatever the container, the BLAS, its threads or
    the size of blocks. Missing values (NaN) are allowed: in a numeric column one
    missing value counts as far as the training range allows, two as the whole range
    (1 when scaled); in a nominal one as different. A row without a known value is thus
    nearest to the rows in the middle of the ranges.

    Time O(n^2 d) as a matrix product; memory beyond the data about 100 MB, whatever n.
    Sparse ``X`` stays sparse, float32 stays float32 unless scaled.

    References
    ----------
    .. [1] Zhang, Zhou. ML-KNN: a lazy learning approach to multi-label learning.
       Pattern Recognition 40(7), 2007, 2038-2048. doi:10.1016/j.patcog.2006.12.019

    Examples
    --------
    >>> from labelsift.learn import BRkNN, MLkNN, NeighborGraph
    >>> X = [[0.0], [1.0], [2.0], [3.5], [10.0], [11.0]]
    >>> Y = [[1], [1], [0], [0], [1], [0]]
    >>> graph = NeighborGraph(2).fit(X)
    >>> graph.neighbors_.index.tolist()
    [[1, 2], [0, 2], [1, 3], [2, 1], [5, 3], [4, 3]]
    >>> query = graph.query([[3.0]])
    >>> MLkNN(2).fit(graph, Y).predict_proba(query).round(3).tolist()
    [[0.667]]
    >>> BRkNN(2).fit(graph, Y).predict_proba(query).tolist()
    [[0.0]]
    """

    _parameter_constraints: dict[str, list[Any]] = {**DISTANCE_CONSTRAINTS}

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        scale: str | None = None,
        ties: str = "index",
        categorical_features: Any = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.scale = scale
        self.ties = ties
        self.categorical_features = categorical_features

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the neighbours of the training rows.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Training rows; NaN where missing.
        y : object
            Ignored.

        Returns
        -------
        self
            The fitted graph.
        """
        X = validate_rows(self, X, reset=True)
        names = getattr(self, "feature_names_in_", None)
        return self._fit_rows(X, names)

    def _fit_rows(self, X: Any, names: Any) -> Self:
        n = X.shape[0]
        if self.n_neighbors > n - 1:
            raise ValueError(
                f"n_neighbors={self.n_neighbors} but there are n_samples={n} training "
                f"rows, so a row has at most {n - 1} neighbours. Use fewer neighbours "
                "or more rows."
            )
        nominal = nominal_mask(self.categorical_features, X.shape[1], names)
        self._space = ColumnSpace(X, nominal, self.scale)
        self._values, self._train = self._space.prepare(X), None
        self._row_index: RowIndex | None = None
        self.n_samples_fit_ = n
        self.neighbors_ = self._find(X, self._values, itself=True)
        return self

    def _search_index(self) -> RowIndex:
        """Return the training rows ready to be searched; a fold makes them late."""
        if self._row_index is None:
            values = self._values
            if self._train is not None:
                values = values[self._train]
                self._space = ColumnSpace(values, self._space.nominal, None)
            self._row_index = RowIndex(self._space, values)
        return self._row_index

    def query(self, X: Any) -> Neighbors:
        """Return the nearest training rows of new rows.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows like those of training; a row equal to a training row has it as its
            neighbour.

        Returns
        -------
        Neighbors
            Indices and distances.
        """
        check_is_fitted(self, "neighbors_")
        return self._query_rows(validate_rows(self, X, reset=False))

    def _query_rows(self, X: Any) -> Neighbors:
        if sparse.issparse(self._values) and not sparse.issparse(X):
            X = sparse.csr_array(X)
        elif sparse.issparse(X) and not sparse.issparse(self._values):
            X = X.toarray()
        return self._find(X, self._space.prepare(X), itself=False)

    def fold(
        self, train: Any, test: Any, n_neighbors: int
    ) -> tuple[NeighborGraph, Neighbors]:
        """Return the graph of some of the training rows, and neighbours of others.

        What ``fit(X[train])`` and ``query(X[test])`` would give, read from the lists of
        this graph. A row whose list holds too few rows of ``train`` is searched again,
        so make this graph a little deeper: 18 neighbours where 10 are wanted in 10
        folds.

        Parameters
        ----------
        train : array-like of int
            Training rows of this graph, in rising order.
        test : array-like of int
            Other training rows of this graph, in any order.
        n_neighbors : int
            Neighbours wanted, less than the rows of ``train``.

        Returns
        -------
        graph : NeighborGraph
            Fitted on the rows of ``train``.
        neighbors : Neighbors
            Of the rows of ``test``.

        Raises
        ------
        ValueError
            If something depends on which rows are in ``train``: scaling, the range of
            columns with missing values, ``ties="weka"``; or if ``train`` does not rise.
        """
        check_is_fitted(self, "neighbors_")
        train, test = np.asarray(train, np.int64), np.asarray(test, np.int64)
        why = (
            "scale='minmax' is fitted on the training rows"
            if self.scale is not None
            else "ties='weka' depends on all training rows"
            if self.ties != "index"
            else "the range of columns with missing values is that of the training rows"
            if self._space.has_missing
            else None
        )
        if why:
            raise ValueError(f"a fold cannot be read from this graph: {why}.")
        if (np.diff(train) <= 0).any():
            raise ValueError("train must hold row indices in rising order.")
        graph = NeighborGraph(n_neighbors, categorical_features=self._space.nominal)
        graph._space = self._space
        graph._values = self._values
        graph._train = train if self._train is None else self._train[train]
        graph._row_index = None
        graph.n_samples_fit_ = len(train)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(graph, name, getattr(self, name))
        if n_neighbors > len(train) - 1:
            raise ValueError(
                f"n_neighbors={n_neighbors} but train has n_samples={len(train)} rows."
            )
        place = np.full(self.n_samples_fit_, -1, dtype=np.int64)
        place[train] = np.arange(len(train))
        graph.neighbors_ = self._read(graph, place, train, itself=True)
        return graph, self._read(graph, place, test, itself=False)

    def _read(
        self, graph: NeighborGraph, place: Array, rows: Array, *, itself: bool
    ) -> Neighbors:
        k, mine = graph.n_neighbors, self.neighbors_
        index = place[mine.index[rows]]
        inside = index >= 0
        order = np.argsort(~inside, axis=1, kind="stable")[:, :k]
        squared = np.take_along_axis(mine.squared[rows], order, axis=1)
        index = np.take_along_axis(index, order, axis=1)
        short = np.flatnonzero(inside.sum(axis=1) < k)
        if index.shape[1] < k:
            index = np.empty((len(rows), k), dtype=np.int64)
            squared = np.empty((len(rows), k))
        if len(short):
            values = self._values
            picked = rows[short] if self._train is None else self._train[rows[short]]
            found, far = graph._search_index().nearest(
                values[picked], min(k + itself, graph.n_samples_fit_)
            )
            if itself:  # drop the row itself, wherever it stands among equals
                own = found == place[rows[short], None]
                own[~own.any(axis=1), -1] = True
                found, far = (a[~own].reshape(len(short), k) for a in (found, far))
            index[short], squared[short] = found, far
        indptr = np.zeros(len(rows) + 1, dtype=np.int64)
        source = mine.source
        at = rows if mine.rows is None else mine.rows[rows]
        return Neighbors(graph, source, at, index, squared, indptr, indptr[:0])

    def _find(self, X: Any, rows: Any, *, itself: bool) -> Neighbors:
        index, squared, indptr, tied = search(
            self._search_index(), rows, int(self.n_neighbors), self.ties, itself=itself
        )
        return Neighbors(self, X, None, index, squared, indptr, tied)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def search(
    rows: RowIndex, queries: Any, k: int, ties: str, *, itself: bool
) -> tuple[Array, Array, Array, Array]:
    """Return neighbours, squared distances, and rows tied with the last neighbour."""
    n = queries.shape[0]
    cells = queries.data if sparse.issparse(queries) else queries
    missing = bool(np.isnan(cells).any())
    deeper = min(k + 1, rows.n_rows - itself) if ties == "weka" else k
    index, squared = rows.nearest(queries, deeper, itself=itself, missing=missing)
    indptr = np.zeros(n + 1, dtype=np.int64)
    found: list[Array] = []
    if deeper > k:
        tied = np.flatnonzero(squared[:, k - 1] == squared[:, k])
        index = np.ascontiguousarray(index[:, :k])
        squared = np.ascontiguousarray(squared[:, :k])
        step = max(1, (1 << 22) // rows.n_rows)
        for start in range(0, len(tied), step):
            part = tied[start : start + step]
            D = rows.distances(queries[part], missing=missing)
            own = part if itself else np.full(len(part), -1, dtype=np.int64)
            heap = np.empty((len(part), k), dtype=np.int64)
            heap_neighbors(D, own, k, heap)
            index[part] = heap
            same = squared[part, k - 1, None] == D
            same[np.arange(len(part))[:, None], heap] = False
            if itself:
                same[np.arange(len(part)), own] = False
            indptr[part + 1] = same.sum(axis=1)
            found.append(np.nonzero(same)[1])
    indptr = np.cumsum(indptr)
    none = np.empty(0, dtype=np.int64)
    return index, squared, indptr, np.concatenate([none, *found])
