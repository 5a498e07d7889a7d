"""Neighbours for every prefix of a ranking of the columns, found in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.learn._column_space import ColumnSpace, nominal_mask
from labelsift.learn._neighbor_classifier import NeighborClassifier
from labelsift.learn._prefix_table import PrefixTable
from labelsift.learn.neighbor_graph import NeighborGraph, Neighbors

Array = np.ndarray[Any, Any]

INDEX_BYTES = 1 << 28  # neighbours held at once; more sizes take several passes


@dataclass(frozen=True, eq=False)
class PrefixNeighbors:
    """What neighbour-based classifiers need to know of one prefix.

    Parameters
    ----------
    size : int
        Columns used: the first so many of the ranking.
    graph : NeighborGraph
        Fitted on the training rows; to be given to a classifier in place of them. It
        knows no distances and answers no queries.
    test : Neighbors
        Neighbours of the test rows, to be given in place of them.
    """

    size: int
    graph: NeighborGraph
    test: Neighbors


_OWN = (  # a subclass that differs is asked with rows, as anybody asks it
    "fit",
    "learn_from",
    "predict",
    "predict_proba",
    "predict_with_scores",
)


def reads_neighbors(classifier: Any) -> bool:
    """Return whether a classifier needs nothing but each row's nearest rows.

    Parameters
    ----------
    classifier : object
        Any classifier.
    """
    return (
        isinstance(classifier, NeighborClassifier)
        and all(
            getattr(type(classifier), name) is getattr(NeighborClassifier, name)
            for name in _OWN
        )
        and classifier.ties == "index"
        and not getattr(classifier, "append_features", False)
    )


def nominal_columns(
    classifier: Any, n_features: int, names: Sequence[str] | None
) -> Array | None:
    """Return a mask of the columns that a neighbour-based classifier takes as nominal.

    Parameters
    ----------
    classifier : object
        Any classifier.
    n_features : int
        Columns of the whole table.
    names : sequence of str or None
        Their names.

    Returns
    -------
    ndarray of bool of shape (n_features,), or None
        None if the classifier names no such columns, or is of another kind.
    """
    if not isinstance(classifier, NeighborClassifier):
        return None
    if classifier.categorical_features is None:
        return None
    return nominal_mask(classifier.categorical_features, n_features, names)


def prefix_neighbors(
    X_train: Any,
    X_test: Any,
    order: Any,
    sizes: Any,
    *,
    n_neighbors: int = 10,
    scale: str | None = None,
    nominal: Array | None = None,
) -> Iterator[PrefixNeighbors]:
    """Yield the neighbours of training and test rows for each prefix of an order.

    The same neighbours, ties included, as ``NeighborGraph`` finds on the columns
    ``np.sort(order[:size])`` alone: a squared distance grows by one column at a time,
    and where two are closer than rounding lets one tell, they are summed again in the
    order in which ``NeighborGraph`` sums.

    Parameters
    ----------
    X_train, X_test : ndarray or csr_array of shape (rows, n_features)
        Rows, NaN where missing. Sparse ones are made dense, but only in the columns of
        the longest prefix.
    order : array-like of int
        Column indices, each at most once; at least as many as the greatest size.
    sizes : array-like of int
        Lengths of prefixes, rising.
    n_neighbors : int, default=10
        Neighbours, at least 1 and less than the training rows.
    scale : {None, "minmax"}, default=None
        As in ``NeighborGraph``.
    nominal : ndarray of bool of shape (n_features,), optional
        Nominal columns.

    Yields
    ------
    PrefixNeighbors
        One for each size, in order.

    Notes
    -----
    Time O(n^2 d) for the longest prefix of d columns and all shorter ones together.
    Equally far rows: the lower index first, as with ``ties="index"``.
    """
    n, k = X_train.shape[0], int(n_neighbors)
    if k > n - 1:
        raise ValueError(
            f"n_neighbors={k} but there are n_samples={n} training rows, so a row has "
            f"at most {n - 1} neighbours. Use fewer neighbours or more rows."
        )
    sizes = np.asarray(sizes, dtype=np.int64)
    order = np.asarray(order, dtype=np.int64)[: sizes[-1]]
    used = np.sort(order)
    train, test = _columns_of(X_train, used), _columns_of(X_test, used)
    mask = np.zeros(len(used), dtype=bool) if nominal is None else nominal[used]
    space = ColumnSpace(train, mask, scale)
    B, A = (
        np.ascontiguousarray(space.prepare(rows), dtype=np.float64)
        for rows in (train, test)
    )
    table = PrefixTable(A, B, np.searchsorted(used, order), space.spans, mask)
    at_once = max(1, INDEX_BYTES // (4 * k * (len(A) + n)))
    shared = [_without_distances(rows, k) for rows in (n, len(A))]
    for start in range(0, len(sizes), at_once):
        some = sizes[start : start + at_once]
        found = table.search(B, some, k, itself=True), table.search(A, some, k)
        for at, size in enumerate(some.tolist()):
            graph = NeighborGraph(k, scale=scale)
            graph.n_samples_fit_, graph.n_features_in_ = n, size
            graph.neighbors_ = Neighbors(graph, X_train, None, found[0][at], *shared[0])
            asked = Neighbors(graph, X_test, None, found[1][at], *shared[1])
            yield PrefixNeighbors(size, graph, asked)


def _without_distances(n_rows: int, k: int) -> tuple[Array, Array, Array]:
    """Return unknown distances, and that no row is tied with the last neighbour."""
    unknown = np.broadcast_to(np.float64(np.nan), (n_rows, k))
    none = np.zeros(n_rows + 1, dtype=np.int64)
    return unknown, none, none[:0]


def _columns_of(X: Any, used: Array) -> Array:
    if sparse.issparse(X):
        dense: Array = sparse.csc_array(X)[:, used].toarray()
        return dense
    return np.asarray(X)[:, used]
