"""RFS and MDFS, slowly: every matrix of the formulas written out."""

import numpy as np
from scipy.linalg import solve_sylvester

TINY = 1e-20  # under the root of each norm


def row_norms(W):
    return np.sqrt((W**2).sum(axis=1) + TINY)


def rfs(X, Y, gamma, rounds):
    """Return W and the objective of ||XW - Y||_21 + gamma ||W||_21."""
    W = np.linalg.lstsq(X, Y, rcond=None)[0]
    for _ in range(rounds):
        E = np.diag(1 / (2 * row_norms(X @ W - Y)))
        U = np.diag(1 / (2 * row_norms(W)))
        W = np.linalg.solve(X.T @ E @ X + gamma * U, X.T @ E @ Y)
    return W, row_norms(X @ W - Y).sum() + gamma * row_norms(W).sum()


def mdfs(X, Y, L, L0, alpha, beta, gamma, rounds):
    """Return W, F and the objective of MDFS; F from a Sylvester equation."""
    n = len(X)
    H = np.eye(n) - np.ones((n, n)) / n
    F = np.array(Y, dtype=float)
    W = np.linalg.lstsq(H @ X, H @ F, rcond=None)[0]
    for _ in range(rounds):
        left = L + alpha * H + alpha * np.eye(n)
        F = solve_sylvester(left, beta * L0, alpha * H @ X @ W + alpha * Y)
        U = np.diag(1 / (2 * row_norms(W)))
        W = np.linalg.solve(alpha * X.T @ H @ X + gamma * U, alpha * X.T @ H @ F)
    value = (
        np.trace(F.T @ L @ F)
        + alpha * ((H @ (X @ W - F)) ** 2).sum()
        + alpha * ((F - Y) ** 2).sum()
        + beta * np.trace(F @ L0 @ F.T)
        + gamma * row_norms(W).sum()
    )
    return W, F, value


def graph_of_rows(X, k):
    """Return the Laplacian of the graph of the k nearest rows, either way."""
    n = len(X)
    distances = np.array([[np.sqrt(((a - b) ** 2).sum()) for b in X] for a in X])
    near = [
        sorted((distances[i, j], j) for j in range(n) if j != i)[:k] for i in range(n)
    ]
    found = [gap for row in near for gap, _ in row if gap > 0]
    width = np.median(found)
    A = np.zeros((n, n))
    for i, row in enumerate(near):
        for gap, j in row:
            A[i, j] = A[j, i] = np.exp(-(gap**2) / (2 * width**2))
    return np.diag(A.sum(axis=1)) - A


def graph_of_labels(Y):
    """Return the Laplacian of the graph of all pairs of labels."""
    q = Y.shape[1]
    gaps = np.array(
        [[((Y[:, a] - Y[:, b]) ** 2).sum() for b in range(q)] for a in range(q)]
    )
    found = [np.sqrt(gaps[a, b]) for a in range(q) for b in range(a) if gaps[a, b] > 0]
    width = np.median(found) if found else 1.0
    A = np.exp(-gaps / (2 * width**2)) * (1 - np.eye(q))
    return np.diag(A.sum(axis=1)) - A
