"""SPEC on every two-class problem, by the n x n matrices."""

import itertools

import numpy as np

from reference.spec import scaled, spec


def problems(Y, order, min_pair_size):
    """Yield each problem, its rows, and the class (True or False) of these rows."""
    for labels in itertools.combinations(range(Y.shape[1]), order):
        if order == 1:
            rows = np.arange(len(Y))
        else:
            rows = np.flatnonzero(Y[:, labels[0]] != Y[:, labels[1]])
            if len(rows) < min_pair_size:
                continue
        positive = Y[rows, labels[0]] == 1
        if positive.any() and not positive.all():
            yield labels, rows, positive


def wrapper_spec(X, Y, order, criterion, *, self_loops, scale, min_pair_size):
    """Return {problem: phi of every feature}."""
    X = scaled(X, scale)
    found = {}
    for labels, rows, positive in problems(Y, order, min_pair_size):
        S = np.where(positive[:, None] == positive, 1.0, 0.0)
        S /= S.sum(axis=1)
        found[labels] = spec(X[rows], S, criterion, self_loops=self_loops, scale="none")
    return found


def round_robin(orders):
    """Let each order in turn take its best column that is left."""
    left = [list(order) for order in orders]
    chosen = []
    while len(chosen) < len(orders[0]):
        mine = left[len(chosen) % len(orders)]
        best = next(f for f in mine if f not in chosen)
        chosen.append(int(best))
    return chosen
