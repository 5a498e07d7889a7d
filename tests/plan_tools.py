"""A plan over made-up data, and methods of one's own that it names."""

import os
import time

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from labelsift.read import Dataset

PLAN = """\
sizes = [2, 5, "100%"]
metrics = ["hamming_loss", "average_precision"]
seed = 3

[folds]
n_splits = 3
n_repeats = 2

[data.one]
path = "one.npz"

[data.two]
path = "two.npz"

[selectors.chi2]
grid = { aggregate = ["mean", "max"] }

[selectors.trees]
method = "sklearn.ensemble:ExtraTreesClassifier"
settings = { n_estimators = 4 }

[classifiers.mlknn]
settings = { n_neighbors = 5 }

[classifiers.tree]
method = "sklearn.tree:DecisionTreeClassifier"
"""
HIDDEN = ("seconds_select", "seconds_fit", "seconds_predict")


class Fails(BaseEstimator):
    """A selector that always fails."""

    def fit(self, X, y):
        raise ArithmeticError("it never works")


class Slow(BaseEstimator):
    """Rank by variance, taking its time and leaving a mark for each fit."""

    def __init__(self, seconds=0.0, marks=""):
        self.seconds = seconds
        self.marks = marks

    def fit(self, X, y):
        time.sleep(self.seconds)
        with open(self.marks, "a") as file:
            file.write(f"{os.getpid()}\n")
        self.scores_ = X.var(axis=0)
        return self


class Spread(BaseEstimator):
    """Rank by the variance of a column on the training rows."""

    def fit(self, X, y):
        X = X.toarray() if sparse.issparse(X) else X
        self.scores_ = np.nan_to_num(X).var(axis=0)
        return self


def write_data(folder):
    """Write two data sets of 60 rows."""
    for seed, name, d in ((0, "one", 8), (1, "two", 6)):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, d))
        Y = (X[:, :3] + 0.5 * rng.normal(size=(60, 3)) > 0).astype(np.uint8)
        names = [f"x{i}" for i in range(d)]
        Dataset(X, Y, names, ["a", "b", "c"]).save(folder / f"{name}.npz")


def numbers(comparison):
    """Return everything but the times."""
    return [
        tuple(str(value) for key, value in row.items() if key not in HIDDEN)
        for row in comparison.rows()
    ]


def sorted_numbers(results):
    """Return everything but the times, in an order that no method decides."""
    return sorted(numbers(results))
