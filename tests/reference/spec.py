"""SPEC by the n x n matrices of the paper, eigenvectors and all."""

import itertools

import numpy as np


def label_similarity(Y, kind, *, bandwidth=1.0, empty=0.0):
    Y = np.asarray(Y, dtype=int)
    n = len(Y)
    frequency = Y.mean(axis=0)
    sets = [tuple(row) for row in Y]
    if bandwidth == "median":
        distances = [
            np.sqrt(sum((a - b) ** 2))
            for a, b in itertools.combinations(Y, 2)
            if (a != b).any()
        ]
        bandwidth = np.median(distances) if distances else 1.0
    S = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            a, b = Y[i], Y[j]
            if kind == "rbf":
                S[i, j] = np.exp(-((a - b) ** 2).sum() / (2 * bandwidth**2))
            elif kind == "same_class":
                if sets[i] == sets[j]:
                    S[i, j] = (1 if a.any() else empty) / sets.count(sets[i])
            elif not a.any() and not b.any():
                S[i, j] = empty
            elif kind == "jaccard":
                S[i, j] = (a & b).sum() / (a | b).sum()
            elif kind == "weighted_jaccard":
                S[i, j] = frequency[(a & b) > 0].sum() / frequency[(a | b) > 0].sum()
            elif kind == "cosine" and a.any() and b.any():
                S[i, j] = (a & b).sum() / np.sqrt(a.sum() * b.sum())
    return S


def scaled(X, scale):
    X = np.asarray(X, dtype=float)
    low, high, std = X.min(axis=0), X.max(axis=0), X.std(axis=0)
    if scale == "zscore":
        return (X - X.mean(axis=0)) / np.where(high > low, std, 1)
    if scale == "minmax":
        return (X - low) / np.where(high > low, high - low, 1)
    return X


def spec(X, S, criterion="phi_1", *, self_loops=False, power=1, k=None, scale="zscore"):
    """Return phi of every feature from the similarity matrix S."""
    X = scaled(X, scale)
    W = np.array(S, dtype=float)
    if not self_loops:
        np.fill_diagonal(W, 0)
    degree = W.sum(axis=1)
    keep = degree > 0  # a row without neighbours drops out
    W, X, degree = W[np.ix_(keep, keep)], X[keep], degree[keep]
    root = np.sqrt(degree)
    laplacian = np.eye(len(W)) - W / root[:, None] / root
    trivial = root / np.linalg.norm(root)
    # put the trivial vector at the far end, so that the others stay orthogonal to it
    values, vectors = np.linalg.eigh(laplacian + 4 * np.outer(trivial, trivial))
    values, vectors = np.clip(values[:-1], 0, None), vectors[:, :-1]
    phi = []
    for f in X.T:
        unit = root * f / np.linalg.norm(root * f)
        alpha0 = unit @ trivial
        alpha = vectors.T @ unit
        if criterion == "phi_1":
            phi.append((alpha**2 * values**power).sum())
        elif criterion == "phi_2":
            phi.append((alpha**2 * values**power).sum() / (1 - alpha0**2))
        else:
            gain = (2.0**power - values**power) * alpha**2
            phi.append(sum_of_leading(values, gain, k - 1))
    return np.array(phi)


def sum_of_leading(values, gain, places):
    """Sum the first places; among equal eigenvalues take their mean."""
    total, i = 0.0, 0
    while places > 0 and i < len(values):
        j = i
        while j < len(values) and values[j] - values[i] < 1e-8:
            j += 1
        total += gain[i:j].sum() * min(1, places / (j - i))
        places -= j - i
        i = j
    return total


def laplacian_score(X, S, *, self_loops=False):
    """He, Cai, Niyogi 2005, written out."""
    W = np.array(S, dtype=float)
    if not self_loops:
        np.fill_diagonal(W, 0)
    D = np.diag(W.sum(axis=1))
    one = np.ones(len(W))
    result = []
    for f in np.asarray(X, dtype=float).T:
        centred = f - (f @ D @ one) / (one @ D @ one) * one
        result.append((centred @ (D - W) @ centred) / (centred @ D @ centred))
    return np.array(result)
