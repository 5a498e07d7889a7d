"""Graphs of rows and of labels as Laplacian matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from labelsift.score.neighbor_graph import neighbor_similarities

Array = np.ndarray[Any, Any]


def row_laplacian(X: Any, factors: Array, *, n_neighbors: int) -> Any:
    """Return the Laplacian of the graph that joins each row to its nearest.

    Parameters
    ----------
    X : ndarray or sparse array of shape (n_samples, n_features)
        Rows.
    factors : ndarray of shape (n_features,), float64
        What each column is multiplied by first.
    n_neighbors : int
        Neighbours of each row; weights are exp(-distance**2 / (2 s**2)) with s the
        median distance of a row to its neighbours.

    Returns
    -------
    csr_array of shape (n_samples, n_samples)
        Degrees less weights.
    """
    weights = neighbor_similarities(
        X, factors, n_neighbors=n_neighbors, bandwidth="median", self_loops=False
    )
    degrees = np.asarray(weights.sum(axis=1)).ravel()
    return sparse.csr_array(sparse.diags_array(degrees) - weights)


def label_laplacian(Y: Array) -> Array:
    """Return the Laplacian of the graph of all pairs of labels.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, n_labels), float64
        0/1 labels. The squared distance of two labels is the number of rows in which
        they differ; weights are as for rows, with the median over all pairs.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
        Degrees less weights.
    """
    together = Y.T @ Y  # whole numbers: exact whatever the BLAS
    held = np.diag(together)
    squared = held[:, None] + held - 2.0 * together
    pairs = squared[np.triu_indices(len(held), 1)]
    pairs = pairs[pairs > 0]
    width = float(np.median(np.sqrt(pairs))) if pairs.size else 1.0
    weights = np.exp(-squared / (2.0 * width * width))
    np.fill_diagonal(weights, 0.0)
    laplacian: Array = np.diag(weights.sum(axis=1)) - weights
    return laplacian
