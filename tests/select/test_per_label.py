import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest, f_classif, mutual_info_classif

from labelsift.select import InfoGain, PerLabel

RNG = np.random.default_rng(0)
Y = (RNG.random((80, 3)) < 0.4).astype(int)
X = RNG.integers(0, 3, (80, 5)).astype(float) + np.c_[Y, Y[:, :2]]


def count_of_ones(X, y):
    return X[y == 1].sum(axis=0)


def test_own_scorer_is_called_for_each_label():
    fitted = PerLabel(count_of_ones).fit(X, Y)
    expected = np.array([X[Y[:, i] == 1].sum(axis=0) for i in range(3)]).T
    assert (fitted.scores_per_label_.values == expected).all()
    np.testing.assert_allclose(fitted.scores_, expected.mean(axis=1))
    largest = PerLabel(count_of_ones, aggregate="max").fit(X, Y)
    assert (largest.scores_ == expected.max(axis=1)).all()
    scaled = PerLabel(count_of_ones, label_norm="dm").fit(X, Y)
    np.testing.assert_allclose(
        scaled.scores_, (expected / expected.max(axis=0)).mean(axis=1)
    )


def test_scorers_of_scikit_learn_fit_in():
    one = PerLabel().fit(X, Y)
    for label in range(3):
        expected = SelectKBest(f_classif, k=1).fit(X, Y[:, label]).scores_
        np.testing.assert_allclose(one.scores_per_label_.values[:, label], expected)

    def information(X, y):
        return mutual_info_classif(X, y, discrete_features=True)

    nats = PerLabel(information).fit(X, Y).scores_
    bits = InfoGain(discretize="none").fit(X, Y).scores_
    np.testing.assert_allclose(nats / np.log(2), bits, rtol=1e-10)


def test_class_vector_is_scored_once():
    classes = np.array(["a", "b", "c"])[Y[:, 0] + Y[:, 1]]
    fitted = PerLabel().fit(X, classes)
    np.testing.assert_allclose(fitted.scores_, f_classif(X, classes)[0])
    assert fitted.scores_per_label_.label_names == ("class",)


def test_nan_and_constant_labels_count_as_zero():
    def nothing(X, y):
        return np.full(X.shape[1], np.nan)

    assert PerLabel(nothing).fit(X, Y).scores_.tolist() == [0.0] * 5
    same = np.c_[Y[:, 0], np.ones(80, dtype=int)]
    assert (PerLabel().fit(X, same).scores_per_label_.values[:, 1] == 0).all()


def test_wrong_scorers_are_named():
    with pytest.raises(ValueError, match=r"label 'label0' it returned shape \(2,\)"):
        PerLabel(lambda X, y: [1, 2]).fit(X, Y)
    with pytest.raises(ValueError, match="'score_func' parameter"):
        PerLabel("f_classif").fit(X, Y)
    with pytest.raises(ValueError, match="label_norm='dl' needs scores of at least 0"):
        PerLabel(lambda X, y: -X.sum(axis=0), label_norm="dl").fit(X, Y)
    with pytest.raises(AttributeError, match="not fitted yet"):
        _ = PerLabel().scores_per_label_


def test_a_feature_that_parts_a_label_without_remainder_scores_infinity():
    # F is infinite where both classes are constant: x0 is label0 itself
    rows = np.array([[0, 0.0], [0, 1.0], [1, 2.0], [1, 3.0]])
    labels = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    plain = PerLabel().fit(rows, labels)
    # label0: means 0.5 and 2.5, F = 4 / (1 / 2) = 8; label1: 1 and 2, F = 1 / 2
    assert plain.scores_.tolist() == [np.inf, 4.25]
    assert plain.order_.tolist() == [0, 1]
    largest = PerLabel(label_norm="dm").fit(rows, labels)
    np.testing.assert_allclose(largest.scores_, [0.5, 0.5])
    length = PerLabel(label_norm="dl", aggregate="max").fit(rows, labels)
    np.testing.assert_allclose(length.scores_, [1.0, 1.0])


def test_infinities_of_both_signs_have_no_mean():
    def both(X, y):
        return [1.0, np.inf if y[0] else -np.inf]

    rows, labels = np.eye(2), np.eye(2)
    with pytest.raises(ValueError, match="feature 'x1' infinity for one label and"):
        PerLabel(both).fit(rows, labels)
    assert PerLabel(both, aggregate="min").fit(rows, labels).scores_[1] == -np.inf
