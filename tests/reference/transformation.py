"""Problem transformations, slowly; ``base`` learns single-label problems."""

from fractions import Fraction

from sklearn.base import clone


def binary_scores(base, rows, targets, queries):
    """Return the probability of class 1 for each query."""
    if len(set(targets)) == 1:
        return [float(targets[0])] * len(queries)
    model = clone(base).fit(rows, targets)
    return [
        float(p[list(model.classes_).index(1)]) for p in model.predict_proba(queries)
    ]


def binary_relevance(base, X, Y, queries):
    columns = [
        binary_scores(base, X, [row[label] for row in Y], queries)
        for label in range(len(Y[0]))
    ]
    return [list(scores) for scores in zip(*columns, strict=True)]


def label_powerset(base, X, Y, queries):
    """Return for each query the predicted set and {set: probability}."""
    sets = [tuple(int(v) for v in row) for row in Y]
    order = sorted(set(sets), key=lambda s: (-sets.count(s), sets.index(s)))
    if len(order) == 1:
        return [(order[0], {order[0]: 1.0})] * len(queries)
    model = clone(base).fit(X, [order.index(s) for s in sets])
    out = []
    for p in model.predict_proba(queries):
        shares = {order[c]: float(v) for c, v in zip(model.classes_, p, strict=True)}
        best = max(shares.values())
        out.append((next(s for s in order if shares[s] == best), shares))
    return out


def marginals(shares, n_labels):
    return [sum(p for s, p in shares.items() if s[label]) for label in range(n_labels)]


def rakel(base, X, Y, queries, labelsets, soft=False):
    votes = [[[] for _ in Y[0]] for _ in queries]
    for labels in labelsets:
        small = [[row[label] for label in labels] for row in Y]
        answers = label_powerset(base, X, small, queries)
        for i, (chosen, shares) in enumerate(answers):
            values = marginals(shares, len(labels)) if soft else chosen
            for label, value in zip(labels, values, strict=True):
                votes[i][label].append(value)
    return [[sum(v) / len(v) if v else 0.0 for v in row] for row in votes]


def half(p):
    """Return the hard vote of a probability: 1, 0, or a half for each side."""
    return Fraction(1, 2) if p == 0.5 else Fraction(int(p > 0.5))


def label_ranking(base, X, Y, queries, soft=False, calibrated=True):
    """Return the votes of the labels and of the virtual label, for each query."""
    q = len(Y[0])
    votes = [[Fraction(0)] * q for _ in queries]
    virtual = [Fraction(0)] * len(queries)
    for a in range(q):
        for b in range(a + 1, q):
            kept = [i for i, row in enumerate(Y) if row[a] + row[b] == 1]
            if not kept:
                continue
            rows, targets = [X[i] for i in kept], [Y[i][a] for i in kept]
            for i, p in enumerate(binary_scores(base, rows, targets, queries)):
                share = Fraction(p) if soft else half(p)
                votes[i][a] += share
                votes[i][b] += 1 - share
    if calibrated:
        for i, row in enumerate(binary_relevance(base, X, Y, queries)):
            for label, p in enumerate(row):
                yes = Fraction(p) if soft else Fraction(int(p >= 0.5))
                votes[i][label] += yes
                virtual[i] += 1 - yes
    return votes, virtual


def classifier_chain(base, X, Y, queries, order):
    """Return scores, label by label of the chain."""
    scores = [[0.0] * len(order) for _ in queries]
    train = [list(row) for row in X]
    asked = [list(row) for row in queries]
    for label in order:
        targets = [row[label] for row in Y]
        for i, p in enumerate(binary_scores(base, train, targets, asked)):
            scores[i][label] = p
        for row, value in zip(train, targets, strict=True):
            row.append(value)
        for row, found in zip(asked, scores, strict=True):
            row.append(int(found[label] >= 0.5))
    return scores
