"""Neighbour-based classifiers, slowly, from their published definitions."""


def neighbors(X, x, k, leave_out=None):
    """Return the k nearest rows; equal distances by row."""
    order = sorted(
        (sum((float(a) - float(b)) ** 2 for a, b in zip(x, row, strict=True)), j)
        for j, row in enumerate(X)
        if j != leave_out
    )
    return [j for _, j in order[:k]]


def label_counts(Y, near):
    return [sum(Y[j][label] for j in near) for label in range(len(Y[0]))]


def mlknn(X, Y, queries, k, s):
    """Return scores by the formulas of Zhang & Zhou, 2007."""
    n, L = len(Y), len(Y[0])
    counts = [label_counts(Y, neighbors(X, X[i], k, leave_out=i)) for i in range(n)]
    out = []
    for x in queries:
        c = label_counts(Y, neighbors(X, x, k))
        scores = []
        for label in range(L):
            with_label = [i for i in range(n) if Y[i][label]]
            without = [i for i in range(n) if not Y[i][label]]
            prior = (s + len(with_label)) / (2 * s + n)
            share = []
            for group in (with_label, without):
                same = sum(counts[i][label] == c[label] for i in group)
                total = s * (k + 1) + len(group)
                share.append((s + same) / total if total else 0.0)
            a, b = prior * share[0], (1 - prior) * share[1]
            scores.append(a / (a + b) if a + b > 0 else prior)
        out.append(scores)
    return out
