import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from labelsift.learn import BinaryRelevance
from labelsift.select import WrapperSPEC
from reference import transformation as reference

TREE = DecisionTreeClassifier(max_depth=1, random_state=0)
X = np.arange(6.0)[:, None]
Y = np.array([[1, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 1]])


def test_worked_example():
    # Label 0 up to 2.5, label 1 from 1.5, label 2 from 4.5.
    model = BinaryRelevance(TREE).fit(X, Y)
    assert [e.tree_.threshold[0] for e in model.estimators_] == [2.5, 1.5, 4.5]
    assert model.predict([[2.0], [4.6]]).tolist() == [[1, 1, 0], [0, 1, 1]]


def test_equal_evidence_predicts_the_label():
    model = BinaryRelevance(TREE).fit(np.zeros((4, 1)), [[1], [1], [0], [0]])
    assert model.predict_proba([[0.0]]).tolist() == [[0.5]]
    assert model.predict([[0.0]]).tolist() == [[1]]


@given(seed=st.integers(0, 2**32 - 1))
def test_matches_plain_reference(seed):
    rng = np.random.default_rng(seed)
    rows, queries = rng.integers(0, 4, (12, 2)), rng.integers(0, 4, (7, 2))
    labels = (rng.random((12, 4)) < rng.random(4)).astype(int)
    model = BinaryRelevance(TREE).fit(rows, labels)
    expected = reference.binary_relevance(
        TREE, rows.tolist(), labels.tolist(), queries.tolist()
    )
    np.testing.assert_array_equal(model.predict_proba(queries), expected)
    np.testing.assert_array_equal(model.predict(queries), np.array(expected) >= 0.5)


def test_scores_of_a_base_without_probabilities():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 3))
    labels = (rows[:, :2] > 0).astype(int)
    for base in (RidgeClassifier(), LinearSVC(random_state=0)):
        model = BinaryRelevance(base).fit(rows, labels)
        for label, estimator in enumerate(model.estimators_):
            decision = estimator.decision_function(rows)
            scores = model.predict_proba(rows)[:, label]
            np.testing.assert_allclose(scores, 1 / (1 + np.exp(-decision)), rtol=1e-12)
            assert (model.predict(rows)[:, label] == estimator.predict(rows)).all()
        votes = BinaryRelevance(base, scores="votes").fit(rows, labels)
        np.testing.assert_array_equal(votes.predict_proba(rows), votes.predict(rows))
        np.testing.assert_array_equal(votes.predict(rows), model.predict(rows))


def test_base_that_only_predicts_gives_votes():
    class Only(DecisionTreeClassifier):
        @property
        def predict_proba(self):
            raise AttributeError("no probabilities")

    model = BinaryRelevance(Only(max_depth=1)).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), model.predict(X))
    np.testing.assert_array_equal(model.predict(X), Y)


@pytest.mark.parametrize("as_list", [False, True])
def test_labels_read_the_columns_of_wrapper_spec(as_list):
    rng = np.random.default_rng(1)
    labels = (rng.random((200, 3)) < 0.4).astype(int)
    rows = rng.normal(size=(200, 30))
    rows[:, [4, 9, 22]] += 2 * labels
    lists = WrapperSPEC(order=1).fit(rows, labels).feature_lists(1)
    assert {key: columns.tolist() for key, columns in lists.items()} == {
        0: [4],
        1: [9],
        2: [22],
    }
    given_lists = list(lists.values()) if as_list else lists
    model = BinaryRelevance(GaussianNB(), feature_lists=given_lists).fit(rows, labels)
    for label, column in enumerate([4, 9, 22]):
        by_hand = GaussianNB().fit(rows[:, [column]], labels[:, label])
        np.testing.assert_array_equal(
            model.predict_proba(rows)[:, label],
            by_hand.predict_proba(rows[:, [column]])[:, 1],
        )


def test_wrong_feature_lists_are_named():
    with pytest.raises(ValueError, match="has 2 entries for 3 labels"):
        BinaryRelevance(TREE, feature_lists=[[0], [0]]).fit(X, Y)
    with pytest.raises(ValueError, match="key 3, which is no sub-problem"):
        BinaryRelevance(TREE, feature_lists={3: [0]}).fit(X, Y)
