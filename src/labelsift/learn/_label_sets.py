"""Number the distinct label sets of a 0/1 matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

Array = np.ndarray[Any, Any]


def label_set_codes(Y: Array) -> tuple[Array, Array]:
    """Return the number of each row's label set, and the sets.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, n_labels), uint8
        0/1 labels.

    Returns
    -------
    codes : ndarray of shape (n_samples,), int64
        The most frequent set is 0; equally frequent sets by first row. So the numbers
        do not depend on the order of the labels.
    sets : ndarray of shape (n_sets, n_labels), uint8
        The labels of each set.
    """
    packed = np.ascontiguousarray(np.packbits(Y, axis=1))
    keys = packed.view(f"V{packed.shape[1]}").ravel()
    _, first, codes, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((first, -counts))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    return number[codes.ravel()], Y[first[order]]


def marginal_scores(shares: Array, sets: Array) -> Array:
    """Return for each label the summed shares of the sets with it.

    Parameters
    ----------
    shares : ndarray of shape (n_samples, n_sets), float64
        Probability of each set.
    sets : ndarray of shape (n_sets, n_labels), uint8
        The labels of each set.
    """
    # A sparse product adds in a fixed order, whatever the BLAS; rounding must not lift
    # a sum over 1.
    sums: Array = (sparse.csr_array(sets.T.astype(np.float64)) @ shares.T).T
    return np.minimum(sums, 1.0)
