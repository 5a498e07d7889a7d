"""The graph of nearest rows, for spectral scores without labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from labelsift.kernels.spectral_neighbors import nearest_rows, nearest_sparse_rows
from labelsift.kernels.threads import run_blocks

Array = np.ndarray[Any, Any]


def neighbor_similarities(
    X: Any,
    factors: Array,
    *,
    n_neighbors: int,
    bandwidth: float | str,
    self_loops: bool,
) -> Any:
    """Return the symmetric similarities of rows that are near each other.

    Two rows are joined when either is among the ``n_neighbors`` nearest of the other
    (ties to the lower index), with weight exp(-distance**2 / (2 bandwidth**2)).

    Parameters
    ----------
    X : ndarray or sparse array of shape (n_samples, n_features)
        Rows. Sparse rows stay sparse.
    factors : ndarray of shape (n_features,), float64
        What each column is multiplied by first.
    n_neighbors : int
        Neighbours of each row, at least 1; all other rows if there are fewer.
    bandwidth : float or "median"
        Width of the weights; "median" is the median non-zero distance of a row to its
        neighbours.
    self_loops : bool
        Whether a row is its own neighbour, with weight 1.

    Returns
    -------
    csr_array of shape (n_samples, n_samples)
        The weights.

    Raises
    ------
    ValueError
        If every weight is smaller than a number can be.
    """
    n = X.shape[0]
    k = min(n_neighbors, n - 1)
    if k == 0:
        return sparse.csr_array(np.full((1, 1), float(self_loops)))
    neighbors = np.empty((n, k), dtype=np.int32)
    squared = np.empty((n, k))
    if sparse.issparse(X):
        rows = sparse.csr_array(X) @ sparse.diags_array(factors)
        rows.sort_indices()
        indptr, indices, values = rows.indptr, rows.indices, rows.data

        def work(start: int, stop: int) -> None:
            nearest_sparse_rows(
                indptr, indices, values, start, stop, neighbors, squared
            )
    else:
        columns = np.ascontiguousarray((X * factors).T, dtype=np.float64)

        def work(start: int, stop: int) -> None:
            nearest_rows(columns, start, stop, neighbors, squared)

    run_blocks(work, n, block=64)
    width = float(bandwidth) if not isinstance(bandwidth, str) else _median(squared)
    weights = np.exp(-squared / (2.0 * width * width))
    if not weights.any():
        raise ValueError(
            f"bandwidth={bandwidth} is so small beside the distances of rows that "
            "every similarity is 0. Use a larger one, or bandwidth='median'."
        )
    graph = sparse.csr_array(
        (weights.ravel(), neighbors.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n)
    )
    graph = graph.maximum(graph.T)
    if self_loops:
        graph = graph + sparse.eye_array(n, format="csr")
    return sparse.csr_array(graph)


def _median(squared: Array) -> float:
    positive = squared[squared > 0]
    return float(np.median(np.sqrt(positive))) if positive.size else 1.0
