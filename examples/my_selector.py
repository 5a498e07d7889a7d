"""A selector of one's own: any class with fit, scores_ and settings will do."""

import numpy as np
from sklearn.base import BaseEstimator


class LargestGap(BaseEstimator):
    """Score a feature by how far the rows with a label lie from those without it."""

    def __init__(self, power=1.0):
        self.power = power

    def fit(self, X, Y):
        with_label = (Y.T @ X) / np.maximum(Y.sum(axis=0), 1)[:, None]
        without = ((1 - Y).T @ X) / np.maximum((1 - Y).sum(axis=0), 1)[:, None]
        gap = np.abs(with_label - without) / np.maximum(X.std(axis=0), 1e-12)
        self.scores_ = (gap**self.power).mean(axis=0)
        return self
