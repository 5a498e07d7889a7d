"""Weka's naive Bayes, k nearest neighbours and coding of nominal values, for tests."""

import numpy as np
from scipy.special import ndtr
from sklearn.base import BaseEstimator, ClassifierMixin


class WekaNaiveBayes(ClassifierMixin, BaseEstimator):
    """Normal mass of a cell as wide as the attribute's mean gap; Laplace for counts."""

    def __init__(self, n_values=None):
        self.n_values = n_values  # values of each nominal attribute, None for numbers

    def fit(self, X, y):
        X, y = np.asarray(X, dtype=float), np.asarray(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        n_values = self.n_values or [None] * X.shape[1]
        counts = np.bincount(codes)
        self.prior_ = (counts + 1) / (len(y) + len(counts))
        self.parts_ = []
        for column, size in zip(X.T, n_values, strict=True):
            if size is not None:
                table = np.ones((len(counts), size))
                known = ~np.isnan(column)
                np.add.at(table, (codes[known], column[known].astype(int)), 1)
                self.parts_.append(table / table.sum(axis=1, keepdims=True))
                continue
            known = ~np.isnan(column)
            gaps = np.diff(np.unique(column[known]))
            precision = _sum(gaps) / gaps.size if gaps.size else 0.01
            rounded = np.rint(column / precision) * precision
            mean, spread = np.zeros((2, len(counts)))
            for c in range(len(counts)):
                group = rounded[(codes == c) & known]
                if group.size:
                    total = _sum(group)
                    mean[c] = total / len(group)
                    spread[c] = abs(_sum(group**2) - mean[c] * total) / len(group)
            spread = np.sqrt(spread)
            self.parts_.append((precision, mean, np.maximum(spread, precision / 6)))
        return self

    def predict_proba(self, X):
        product = np.tile(self.prior_, (len(X), 1))
        for column, part in zip(np.asarray(X, dtype=float).T, self.parts_, strict=True):
            if isinstance(part, tuple):
                precision, mean, spread = part
                x = (np.rint(column / precision) * precision)[:, None]
                high = ndtr((x - mean + precision / 2) / spread)
                mass = high - ndtr((x - mean - precision / 2) / spread)
            else:
                mass = part[:, np.nan_to_num(column).astype(int)].T
            product *= np.where(np.isnan(column)[:, None], 1.0, np.maximum(mass, 1e-75))
            low = product.max(axis=1) < 1e-75
            product[low] *= 1e75
        return product / product.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def _sum(values):
    """Add one by one, as Weka does: far tails of the normal mass feel the rounding."""
    return np.cumsum(values)[-1]


class WekaNeighbors(ClassifierMixin, BaseEstimator):
    """IBk: the k nearest, and all as far as the last, vote; 1/n more for each class.

    Weka's program widens the range by which an attribute is divided with every row it
    is asked about, so an answer depends on the rows asked about before.
    """

    def __init__(self, n_neighbors=10, nominal=None):
        self.n_neighbors = n_neighbors
        self.nominal = nominal

    def fit(self, X, y):
        self.classes_, self.codes_ = np.unique(y, return_inverse=True)
        self.X_ = np.asarray(X, dtype=float)
        return self

    def predict_proba(self, X):
        votes = np.full((len(X), len(self.classes_)), 1 / len(self.codes_))
        low, high = self.X_.min(axis=0), self.X_.max(axis=0)
        numeric = ~np.asarray(self.nominal)
        for i, row in enumerate(np.asarray(X, dtype=float)):
            low, high = np.minimum(low, row), np.maximum(high, row)
            span = np.where(high > low, high - low, 1.0)
            apart = np.where(numeric, (self.X_ - row) / span, self.X_ != row)
            squared = (apart**2).sum(axis=1)
            near = squared <= np.sort(squared)[self.n_neighbors - 1] + 1e-12
            votes[i] += np.bincount(self.codes_[near], minlength=votes.shape[1])
        return votes / votes.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def one_column_a_value(X, n_values):
    """Code nominal values of more than two kinds by one 0/1 column each."""
    parts = []
    for column, size in zip(np.asarray(X).T, n_values, strict=True):
        if size is None or size == 2:
            parts.append(column[:, None])
        else:
            parts.append(np.eye(size)[column.astype(int)])
    return np.hstack(parts)
