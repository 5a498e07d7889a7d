import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from labelsift.learn import IBLR, BRkNN, NeighborGraph
from labelsift.learn._logistic import LogisticRegressions


def table(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    Y = (X @ rng.normal(size=(3, 3)) + rng.normal(scale=2, size=(n, 3)) > 0).astype(int)
    return X, Y


def test_inputs_are_the_shares_of_the_other_rows():
    X, Y = table()
    graph = NeighborGraph(5).fit(X)
    classifier = IBLR(5).fit(graph, Y)
    shares = np.array([Y[rows].mean(axis=0) for rows in graph.neighbors_.index])
    for label in range(3):
        model = LogisticRegression(C=1e8, tol=1e-10, max_iter=10_000)
        model.fit(shares, Y[:, label])
        np.testing.assert_allclose(classifier.coef_[label], model.coef_[0], rtol=1e-3)
    query = graph.query(X[:10] + 0.1)
    shares = BRkNN(5).fit(graph, Y).predict_proba(query)
    expected = expit(shares @ classifier.coef_.T + classifier.intercept_)
    np.testing.assert_allclose(classifier.predict_proba(query), expected)
    np.testing.assert_array_equal(classifier.predict(query), expected >= 0.5)


def test_weights_are_at_the_optimum_even_where_a_label_can_be_separated():
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(40, 3))
    for target in (inputs[:, 0] > 0, inputs[:, 0] + rng.normal(size=40) > 0):
        y = target.astype(float)
        weights, constant = LogisticRegressions(inputs, 1e-8).fit(y)
        wrong = expit(inputs @ weights + constant) - y
        width = inputs.std(axis=0, ddof=1)
        gradient = (inputs - inputs.mean(axis=0)).T @ wrong / width
        gradient += 2e-8 * weights * width
        assert np.abs(gradient).max() < 1e-7
        assert abs(wrong.sum()) < 1e-7


def test_more_inputs_than_rows_give_the_same_optimum():
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(12, 30))
    y = (np.arange(12) % 2).astype(float)
    weights, constant = LogisticRegressions(inputs, 0.1).fit(y)
    width, middle = inputs.std(axis=0, ddof=1), inputs.mean(axis=0)
    model = LogisticRegression(C=5.0, tol=1e-10, max_iter=10_000)
    model.fit((inputs - middle) / width, y)
    np.testing.assert_allclose(weights * width, model.coef_[0], atol=1e-5)
    assert constant + middle @ weights == pytest.approx(model.intercept_[0], abs=1e-5)
    stored = LogisticRegressions(sparse.csr_array(inputs), 0.1).fit(y)
    np.testing.assert_allclose(stored[0], weights, atol=1e-8)


def test_features_may_be_appended_nominal_ones_by_value():
    X, Y = table()
    X[:, 2] = np.random.default_rng(0).integers(0, 3, len(X))
    plus = IBLR(5, append_features=True, categorical_features=[2]).fit(X, Y)
    assert plus.coef_.shape == (3, 2 + 3 + 3)
    codes = IBLR(
        5, append_features=True, nominal_inputs="codes", categorical_features=[2]
    ).fit(X, Y)
    assert codes.coef_.shape == (3, 3 + 3)
    renamed = X.copy()
    renamed[:, 2] = np.array([7.0, 1.0, 4.0])[X[:, 2].astype(int)]
    other = IBLR(5, append_features=True, categorical_features=[2]).fit(renamed, Y)
    np.testing.assert_allclose(
        other.predict_proba(renamed), plus.predict_proba(X), atol=1e-6
    )
    stored = IBLR(5, append_features=True, categorical_features=[2]).fit(
        sparse.csr_array(X), Y
    )
    np.testing.assert_allclose(
        stored.predict_proba(sparse.csr_array(X)), plus.predict_proba(X), atol=1e-6
    )


def test_missing_features_count_as_the_mean():
    X, Y = table()
    X[::7, 0] = np.nan
    filled = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    graph = NeighborGraph(5).fit(X)
    found = IBLR(5, append_features=True).fit(graph, Y)
    inputs = np.hstack(
        [filled, [Y[rows].mean(axis=0) for rows in graph.neighbors_.index]]
    )
    expected = expit(inputs @ found.coef_.T + found.intercept_)
    np.testing.assert_allclose(found.predict_proba(graph.neighbors_), expected)


TARGETS = {
    ("emotions", None): (0.2805, 0.3564, 2.3020, 0.2573, 0.7302),
    ("emotions", "minmax"): (0.1889, 0.2624, 1.7475, 0.1440, 0.8217),
    ("yeast", None): (0.1999, 0.2410, 6.4111, 0.1730, 0.7573),
    ("scene", None): (0.0895, 0.2308, 0.5343, 0.0864, 0.8589),
}


class EarlyIBLR(IBLR):
    """IBLR as the known values have it: L-BFGS with its default stopping rule."""

    def _learn(self, neighbors):
        super()._learn(neighbors)
        inputs = self._inputs(neighbors)
        for label in range(self.n_labels_in_):
            model = LogisticRegression(C=1e8).fit(inputs, self._labels[:, label])
            self.coef_[label] = model.coef_[0]
            self.intercept_[label] = model.intercept_[0]


def log_loss(classifier, Y):
    scores = classifier.predict_proba(classifier.graph_.neighbors_)
    return -np.log(np.where(Y == 1, scores, 1 - scores)).sum()


@pytest.mark.slow
@pytest.mark.parametrize(("data", "scale"), TARGETS)
def test_official_splits_give_the_known_metrics(data, scale, check_targets, split):
    expected = TARGETS[data, scale]
    early, ours = EarlyIBLR(10, scale=scale), IBLR(10, scale=scale)
    check_targets(early, data, expected, atol=2e-3)
    check_targets(ours, data, expected, atol=np.array([3, 4, 20, 4, 4]) / 1000)
    train, _ = split(data)
    assert log_loss(ours, train.Y) < log_loss(early, train.Y)
