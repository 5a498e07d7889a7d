"""Rows with Zipf-distributed features and labels, made on the spot from a seed."""

import numpy as np
from numba import njit
from scipy import sparse

SIZES = 490_449, 135_909, 670_091
"""Rows, features and labels of the largest public set of titles."""
FEATURES_A_ROW, LABELS_A_ROW = 75, 6


@njit(cache=True)
def draw(seed, n, columns, draws, names, indptr, indices):
    """Draw ranks with P(rank) about 1 / rank; repeats in a row are drawn again."""
    np.random.seed(seed)  # noqa: NPY002 (what compiled code has)
    log = np.log(columns + 1.0)
    at = 0
    for i in range(n):
        start = at
        tries = 0
        while at - start < draws and tries < 20 * draws:
            tries += 1
            uniform = np.random.random()  # noqa: NPY002
            rank = min(int(np.exp(uniform * log)) - 1, columns - 1)
            column = names[rank]
            is_new = True
            for k in range(start, at):
                if indices[k] == column:
                    is_new = False
                    break
            if is_new:
                indices[at] = column
                at += 1
        indices[start:at].sort()
        indptr[i + 1] = at
    return at


def zipf_rows(n, columns, draws, seed, data_type):
    """Return a CSR matrix of ones, so many a row, in (n, columns)."""
    names = np.random.default_rng(seed).permutation(columns).astype(np.int32)
    indptr = np.zeros(n + 1, dtype=np.int64)
    indices = np.empty(n * draws, dtype=np.int32)
    total = draw(seed, n, columns, draws, names, indptr, indices)
    if total < 2**31:
        indptr = indptr.astype(np.int32)
    data = np.ones(total, dtype=data_type)
    return sparse.csr_array((data, indices[:total], indptr), shape=(n, columns))


def extreme(n=SIZES[0], d=SIZES[1], q=SIZES[2], seed=0):
    """Return X (float32) and Y (uint8)."""
    X = zipf_rows(n, d, FEATURES_A_ROW, seed, np.float32)
    Y = zipf_rows(n, q, LABELS_A_ROW, seed + 1, np.uint8)
    return X, Y
