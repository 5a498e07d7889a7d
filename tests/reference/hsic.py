"""HSIC with linear kernels, slowly: the trace with n x n matrices."""

import numpy as np


def hsic(X, Y, label_kernel="linear", scale="zscore"):
    """Return tr(x x' H Y Y' H) of every column x."""
    X, Y = np.array(X, dtype=float), np.array(Y, dtype=float)
    n = len(X)
    if label_kernel == "cosine":
        for row in Y:
            if row.any():
                row /= np.sqrt((row**2).sum())
    H = np.eye(n) - np.ones((n, n)) / n
    scores = []
    for x in X.T:
        if x.min() == x.max():
            scores.append(0.0)
            continue
        if scale == "zscore":
            x = x / x.std()
        elif scale == "minmax":
            x = x / (x.max() - x.min())
        scores.append(np.trace(np.outer(x, x) @ H @ Y @ Y.T @ H))
    return scores
