"""ReliefF, feature by feature and row by row, from Robnik-Sikonja and Kononenko 2003.

Missing values and the last place among rows at one distance follow Weka.
"""

import itertools
import math

import numpy as np


def difference(a, b, n_categories):
    """Return the difference of two scaled numbers or, if n_categories, two codes."""
    if n_categories:
        if math.isnan(a) or math.isnan(b):
            return 1 - 1 / n_categories
        return float(a != b)
    if math.isnan(a) and math.isnan(b):
        return 1.0
    if math.isnan(a) or math.isnan(b):
        present = b if math.isnan(a) else a
        return max(present, 1 - present)
    return abs(a - b)


def prepared(X, categorical):
    """Return scaled columns, and the number of categories (0 for numbers)."""
    X = np.array(X, dtype=float)
    sizes = []
    for f in range(X.shape[1]):
        present = X[~np.isnan(X[:, f]), f]
        if categorical is not None and categorical[f]:
            sizes.append(len(set(present.tolist())))
            continue
        sizes.append(0)
        low, high = present.min(), present.max()
        X[:, f] = (X[:, f] - low) / (high - low) if high > low else X[:, f] * 0
    return X, sizes


def nearest(i, members, distances, k):
    """Return k members; one that is closer takes the place of the first farthest."""
    kept = []
    for j in members:
        if j == i:
            continue
        if len(kept) < k:
            kept.append(j)
            continue
        farthest = max(distances[i][m] for m in kept)
        if distances[i][j] < farthest:
            place = next(p for p, m in enumerate(kept) if distances[i][m] == farthest)
            kept[place] = j
    return sorted(kept, key=lambda j: distances[i][j])


def shares(neighbors, distances, sigma):
    if sigma is None:
        return [1 / len(neighbors)] * len(neighbors)
    weights = [math.exp(-((r / sigma) ** 2)) for r in range(len(neighbors))]
    result = []
    for _, tied in itertools.groupby(range(len(neighbors)), lambda r: distances[r]):
        tied = list(tied)
        result += [sum(weights[r] for r in tied) / len(tied)] * len(tied)
    return [w / sum(weights) for w in result]


def relief(X, classes, k, *, categorical=None, sigma=None, rows=None, table=None):
    """Return the weight of each feature; ``rows`` restricts the problem to these."""
    scaled, sizes = prepared(X if table is None else table, categorical)
    n, d = scaled.shape
    rows = range(n) if rows is None else rows
    gap = [
        [
            [difference(scaled[i, f], scaled[j, f], sizes[f]) for f in range(d)]
            for j in range(n)
        ]
        for i in range(n)
    ]
    distances = []
    for i in range(n):
        distances.append([])
        for j in range(n):
            total = 0.0
            for value in gap[i][j]:
                total += value
            distances[i].append(total)
    names = sorted({classes[i] for i in rows})
    prior = {c: sum(classes[i] == c for i in rows) / len(rows) for c in names}
    weights = np.zeros(d)
    for i in rows:
        for c in names:
            members = [j for j in rows if classes[j] == c]
            found = nearest(i, members, distances, k)
            if not found:
                continue
            factor = -1.0
            if c != classes[i]:
                factor = 1.0
                if len(names) > 2:
                    factor = prior[c] / (1 - prior[classes[i]])
            at = [distances[i][j] for j in found]
            for share, j in zip(shares(found, at, sigma), found, strict=True):
                weights += factor * share * np.array(gap[i][j])
    return weights / len(rows)


def pairwise(X, Y, k):
    """Return {(a, b): weights} of the problems of pairs of labels."""
    found = {}
    for a, b in itertools.combinations(range(Y.shape[1]), 2):
        rows = [i for i in range(len(Y)) if Y[i, a] != Y[i, b]]
        if len({int(Y[i, a]) for i in rows}) == 2:
            found[a, b] = relief(X, Y[:, a].tolist(), k, rows=rows)
    return found
