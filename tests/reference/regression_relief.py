"""RReliefF for label sets, slowly, from its formula."""

from math import exp


def label_distance(a, b, kind):
    """Return how far two 0/1 rows are apart."""
    differ = sum(x != y for x, y in zip(a, b, strict=True))
    either = sum(x or y for x, y in zip(a, b, strict=True))
    if kind == "hamming":
        return differ / len(a)
    if either == 0:
        return 0.0
    return differ / (either if kind == "jaccard" else sum(a) + sum(b))


def regression_relief(X, Y, k, kind="hamming", sigma=None):
    """Return W of every column of a table of numbers without ties of distance."""
    n, d = len(X), len(X[0])
    spans = [max(c) - min(c) or 1.0 for c in zip(*X, strict=True)]

    def difference(i, j, f):
        return abs(X[i][f] - X[j][f]) / spans[f]

    n_c, n_a, n_ca = 0.0, [0.0] * d, [0.0] * d
    for i in range(n):
        near = sorted(
            (j for j in range(n) if j != i),
            key=lambda j: (sum(difference(i, j, f) for f in range(d)) / d, j),
        )[:k]
        shares = [1.0 if sigma is None else exp(-((r / sigma) ** 2)) for r in range(k)]
        shares = shares[: len(near)]
        for share, j in zip(shares, near, strict=True):
            w = share / sum(shares)
            gap = label_distance(Y[i], Y[j], kind)
            n_c += w * gap
            for f in range(d):
                n_a[f] += w * difference(i, j, f)
                n_ca[f] += w * gap * difference(i, j, f)
    weights = []
    for f in range(d):
        gain = n_ca[f] / n_c if n_c > 1e-12 else 0.0
        loss = (n_a[f] - n_ca[f]) / (n - n_c) if n - n_c > 1e-12 else 0.0
        weights.append(gain - loss)
    return weights
