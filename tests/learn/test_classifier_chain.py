import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import ClassifierChain as TheirChain
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from labelsift.learn import ClassifierChain
from reference import transformation as reference

TREE = DecisionTreeClassifier(max_depth=2, random_state=0)


def test_a_label_that_copies_the_one_before_is_read_from_it():
    # Label 1 is label 0 turned round; x tells label 0 only. The stump of label 1 may
    # split on x or on label 0 equally well, so x is noise in half of the rows.
    rng = np.random.default_rng(0)
    first = rng.integers(0, 2, 40)
    rows = np.column_stack([first + 0.1, rng.normal(size=40)])
    labels = np.column_stack([first, 1 - first])
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    model = ClassifierChain(stump, order=[1, 0]).fit(rows[:, [1]], labels)
    assert model.order_.tolist() == [1, 0]
    assert model.estimators_[1].tree_.feature[0] == 1  # label 1, put after column 0
    predicted = model.predict(rows[:, [1]])
    np.testing.assert_array_equal(predicted[:, 0], 1 - predicted[:, 1])


@given(seed=st.integers(0, 2**32 - 1))
def test_matches_plain_reference(seed):
    rng = np.random.default_rng(seed)
    rows, queries = rng.integers(0, 4, (14, 2)), rng.integers(0, 4, (7, 2))
    labels = (rng.random((14, 4)) < rng.random(4)).astype(int)
    order = rng.permutation(4)
    model = ClassifierChain(TREE, order=order).fit(rows, labels)
    expected = reference.classifier_chain(
        TREE, rows.tolist(), labels.tolist(), queries.tolist(), order.tolist()
    )
    np.testing.assert_array_equal(model.predict_proba(queries), expected)
    np.testing.assert_array_equal(model.predict(queries), np.array(expected) >= 0.5)


def test_equals_scikit_learn_where_that_works_and_works_where_it_does_not():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(80, 4))
    labels = (rows[:, :3] + rng.normal(size=(80, 3)) > 0).astype(int)
    ours = ClassifierChain(GaussianNB()).fit(rows, labels)
    theirs = TheirChain(GaussianNB()).fit(rows, labels)
    np.testing.assert_allclose(
        ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-12
    )
    labels[:, 1] = 0
    with pytest.raises(ValueError, match=r"2 classes|one class"):
        TheirChain(LogisticRegression()).fit(rows, labels)
    model = ClassifierChain(LogisticRegression()).fit(rows, labels)
    assert not model.predict_proba(rows)[:, 1].any()


def test_sparse_rows_get_sparse_label_columns():
    rng = np.random.default_rng(0)
    rows = np.where(rng.random((60, 5)) < 0.5, 0, rng.normal(size=(60, 5)))
    labels = (rows[:, :3] > 0).astype(int)
    dense = ClassifierChain(LogisticRegression()).fit(rows, labels)
    thin = ClassifierChain(LogisticRegression()).fit(sparse.csr_array(rows), labels)
    np.testing.assert_allclose(
        thin.predict_proba(sparse.csr_array(rows)), dense.predict_proba(rows), atol=1e-4
    )


def test_random_order_follows_the_seed():
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(30, 2)), rng.integers(0, 2, (30, 8))
    orders = [
        ClassifierChain(TREE, order="random", random_state=s).fit(rows, labels).order_
        for s in (0, 0, 1)
    ]
    assert orders[0].tolist() == orders[1].tolist() != orders[2].tolist()
    assert sorted(orders[2].tolist()) == list(range(8))


@pytest.mark.parametrize("order", [[0, 0], [0], [0, 2], [0.5, 1]])
def test_order_that_is_no_order_is_named(order):
    with pytest.raises(ValueError, match="each of the labels 0 to 1 once"):
        ClassifierChain(TREE, order=order).fit([[0.0], [1.0]], [[0, 1], [1, 0]])
