"""An entropy tree grown and asked the slow way: every cut counted from its rows."""

from itertools import pairwise
from math import inf, isnan, log2


def entropy(y):
    """Return the entropy of a list of classes, in bits."""
    shares = [y.count(c) / len(y) for c in sorted(set(y))]
    return -sum(p * log2(p) for p in shares)


def cuts(column):
    """Yield thresholds and whether missing values go left, the preferred ones first."""
    known = sorted({v for v in column if not isnan(v)})
    sides = [False, True] if any(isnan(v) for v in column) else [None]
    for a, b in pairwise(known):
        for side in sides:
            middle = a / 2 + b / 2
            yield middle if a <= middle < b else a, side
    if known and sides != [None]:
        yield inf, False


def goes_left(value, threshold, missing_left):
    return missing_left if isnan(value) else value <= threshold


def grow(X, y, min_leaf):
    """Return a tree as nested dictionaries, for lists of rows and of classes.

    Gains that differ by less than 1e-9 are equal: the lowest column, then the lowest
    cut, then missing values on the right.
    """
    counts = {c: y.count(c) for c in set(y)}
    node = {"n": len(y), "counts": counts, "entropy": entropy(y)}
    best = None
    if len(set(y)) > 1 and len(y) >= 2 * min_leaf:
        for f in range(len(X[0])):
            column = [row[f] for row in X]
            for threshold, side in cuts(column):
                left = [goes_left(v, threshold, bool(side)) for v in column]
                n_left = sum(left)
                if min(n_left, len(y) - n_left) < min_leaf:
                    continue
                parts = [
                    [c for c, is_left in zip(y, left, strict=True) if is_left == wanted]
                    for wanted in (True, False)
                ]
                cost = sum(len(p) * entropy(p) for p in parts) / len(y)
                if best is None or cost < best[0] - 1e-9:
                    best = cost, f, threshold, side, left
    if best is None:
        return node
    _, f, threshold, side, left = best
    if side is None:
        side = sum(left) > len(y) - sum(left)
    node |= {"feature": f, "threshold": threshold, "missing_left": side}
    for name, wanted in (("left", True), ("right", False)):
        rows = [i for i in range(len(y)) if left[i] == wanted]
        node[name] = grow([X[i] for i in rows], [y[i] for i in rows], min_leaf)
    return node


def leaf(node, row):
    """Return the leaf that a row comes to."""
    while "feature" in node:
        value = row[node["feature"]]
        is_left = goes_left(value, node["threshold"], node["missing_left"])
        node = node["left" if is_left else "right"]
    return node
