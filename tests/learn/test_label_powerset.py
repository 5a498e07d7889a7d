import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from labelsift.learn import BinaryRelevance, LabelPowerset
from labelsift.learn._label_sets import label_set_codes
from reference import transformation as reference

TREE = DecisionTreeClassifier(max_depth=2, random_state=0)


def test_worked_example():
    rows = [[0], [1], [2], [10], [11], [12]]
    labels = [[1, 1], [1, 1], [0, 1], [1, 0], [1, 0], [1, 0]]
    # Near 1: {0, 1} twice and {1} once; near 11: {0} three times.
    model = LabelPowerset(KNeighborsClassifier(3)).fit(rows, labels)
    assert model.label_sets_.tolist() == [[1, 0], [1, 1], [0, 1]]  # 3, 2 and 1 rows
    scores = model.predict_proba([[1], [11]])
    np.testing.assert_allclose(scores, [[2 / 3, 1], [1, 0]], atol=1e-15)
    assert model.predict([[1], [11]]).tolist() == [[1, 1], [1, 0]]
    mulan = LabelPowerset(KNeighborsClassifier(3), scores="set").fit(rows, labels)
    # The chosen set has 2/3, as its labels; label 1 is not in the set of row 11: 1 - 1.
    np.testing.assert_allclose(
        mulan.predict_proba([[1], [11]]), [[2 / 3, 2 / 3], [1, 0]], atol=1e-15
    )


def test_prediction_is_the_likeliest_set_not_the_likeliest_labels():
    # {0}: 2 of 5 rows, {1}, {1, 2} and {1, 3} one each: label 1 has 3/5.
    labels = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1]]
    model = LabelPowerset(KNeighborsClassifier(5)).fit(np.zeros((5, 1)), labels)
    assert model.predict([[0.0]]).tolist() == [[1, 0, 0, 0]]
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[0.4, 0.6, 0.2, 0.2]])


@given(seed=st.integers(0, 2**32 - 1))
def test_matches_plain_reference(seed):
    rng = np.random.default_rng(seed)
    rows, queries = rng.integers(0, 4, (14, 2)), rng.integers(0, 4, (7, 2))
    labels = (rng.random((14, 3)) < rng.random(3)).astype(int)
    expected = reference.label_powerset(
        TREE, rows.tolist(), labels.tolist(), queries.tolist()
    )
    model = LabelPowerset(TREE).fit(rows, labels)
    np.testing.assert_array_equal(model.predict(queries), [s for s, _ in expected])
    np.testing.assert_allclose(
        model.predict_proba(queries),
        [reference.marginals(shares, 3) for _, shares in expected],
        atol=1e-14,
    )
    whole = LabelPowerset(TREE, scores="set").fit(rows, labels).predict_proba(queries)
    for found, (chosen, shares) in zip(whole, expected, strict=True):
        p = shares[chosen]
        np.testing.assert_allclose(found, [p if v else 1 - p for v in chosen])


@given(seed=st.integers(0, 2**32 - 1))
def test_label_sets_are_numbered_by_frequency_then_first_row(seed):
    rng = np.random.default_rng(seed)
    labels = (rng.random((15, 11)) < 0.1).astype(np.uint8)
    codes, sets = label_set_codes(labels)
    np.testing.assert_array_equal(sets[codes], labels)
    seen = [tuple(row) for row in labels.tolist()]
    order = sorted(set(seen), key=lambda s: (-seen.count(s), seen.index(s)))
    assert [tuple(row) for row in sets.tolist()] == order


def test_only_sets_of_the_training_rows_are_predicted():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(80, 6))
    labels = (rows + rng.normal(size=(80, 6)) > 0).astype(int)
    model = LabelPowerset().fit(rows[:40], labels[:40])
    known = {tuple(row) for row in labels[:40].tolist()}
    new = {tuple(row) for row in labels[40:].tolist()} - known
    assert new  # the other rows have sets of their own
    assert {tuple(row) for row in model.predict(rows[40:]).tolist()} <= known


def test_one_label_set_is_predicted_always():
    model = LabelPowerset().fit([[0.0], [1.0]], [[1, 0, 1], [1, 0, 1]])
    assert model.estimator_ is None
    assert model.predict([[5.0]]).tolist() == [[1, 0, 1]]
    assert model.predict_proba([[5.0]]).tolist() == [[1.0, 0.0, 1.0]]


def test_one_label_is_binary_relevance():
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(40, 2)), rng.integers(0, 2, (40, 1))
    labels[:25] = 1
    found = LabelPowerset(TREE).fit(rows, labels).predict_proba(rows)
    expected = BinaryRelevance(TREE).fit(rows, labels).predict_proba(rows)
    np.testing.assert_allclose(found, expected, atol=1e-15)


@pytest.mark.parametrize("scores", ["marginal", "set"])
def test_base_without_probabilities_scores_0_and_1(scores):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 3))
    labels = (rows[:, :2] > 0).astype(int)
    model = LabelPowerset(LinearSVC(random_state=0), scores=scores).fit(rows, labels)
    np.testing.assert_array_equal(model.predict_proba(rows), model.predict(rows))
