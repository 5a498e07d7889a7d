"""A grown decision tree as arrays with an item for each node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.tree_answers import leaves_of, leaves_of_sparse

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class GrownTree:
    """A binary tree; node 0 is the root, and children have higher numbers.

    The names are those of the arrays in ``DecisionTreeClassifier().fit(X, y).tree_``.

    Parameters
    ----------
    children_left, children_right : ndarray of shape (n_nodes,), int64
        Node of the rows whose value is at most the threshold, and of the others; -1 in
        a leaf.
    feature : ndarray of shape (n_nodes,), int64
        Column that is cut; -2 in a leaf.
    threshold : ndarray of shape (n_nodes,), float64
        Middle of the two values beside the cut; infinite where missing values are
        parted from all others; -2 in a leaf.
    missing_go_to_left : ndarray of shape (n_nodes,), bool
        Where rows without a value go.
    n_node_samples : ndarray of shape (n_nodes,), int64
        Training rows.
    impurity : ndarray of shape (n_nodes,), float64
        Entropy of their classes, in bits.
    counts : ndarray of shape (n_nodes, n_classes), int64
        Training rows of each class.

    Examples
    --------
    >>> from labelsift.learn.entropy_tree import EntropyTree
    >>> tree = EntropyTree(min_samples_leaf=1).fit([[0], [1], [4]], [0, 0, 1]).tree_
    >>> tree.children_left.tolist(), tree.threshold.tolist()
    ([1, -1, -1], [2.5, -2.0, -2.0])
    >>> tree.apply([[2.4], [2.6]]).tolist()
    [1, 2]
    """

    children_left: Array
    children_right: Array
    feature: Array
    threshold: Array
    missing_go_to_left: Array
    n_node_samples: Array
    impurity: Array
    counts: Array

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.children_left < 0).sum())

    @property
    def value(self) -> Array:
        """Shares of the classes, of shape (n_nodes, n_classes)."""
        shares: Array = self.counts / self.n_node_samples[:, None]
        return shares

    def apply(self, X: Any) -> Array:
        """Return the leaf that each row comes to.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            Rows; NaN where missing.

        Returns
        -------
        ndarray of shape (n_rows,), int64
            Numbers of nodes.
        """
        parts = (
            self.children_left,
            self.children_right,
            self.feature,
            self.threshold,
            self.missing_go_to_left,
        )
        if sparse.issparse(X):
            rows = sparse.csr_array(X)
            data = np.asarray(rows.data, dtype=np.float64)
            return np.asarray(
                leaves_of_sparse(rows.indptr, rows.indices, data, X.shape[1], *parts)
            )
        dense = np.asarray(X, dtype=np.float64)
        return np.asarray(leaves_of(dense, *parts))
