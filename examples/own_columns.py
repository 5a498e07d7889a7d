"""A classifier that selects inside itself: each pair of labels has its own columns."""

from sklearn.base import BaseEstimator, ClassifierMixin

from labelsift.learn import CalibratedLabelRanking
from labelsift.select import WrapperSPEC


class OwnColumns(ClassifierMixin, BaseEstimator):
    """Calibrated label ranking; each pair of labels reads its own best features."""

    def __init__(self, n_features=20):
        self.n_features = n_features

    def fit(self, X, Y):
        lists = WrapperSPEC(order=2).fit(X, Y).feature_lists(self.n_features)
        self.model_ = CalibratedLabelRanking(feature_lists=lists).fit(X, Y)
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)
