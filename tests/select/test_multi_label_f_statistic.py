import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.feature_selection import f_classif

from labelsift.select import MultiLabelFStatistic
from reference.f_statistic import f_statistic

X = np.array([[1.0, 0], [2, 1], [3, 0], [4, 1]])
Y = np.array([[1, 0], [1, 1], [0, 1], [0, 1]])


def test_four_rows_worked_by_hand():
    # n_k = (2, 3), S_b = (2.7, 1/30), S_w = (2.5, 7/6)
    scores = MultiLabelFStatistic().fit(X, Y).scores_
    np.testing.assert_allclose(scores, [2.16, 2 / 35], rtol=1e-12)


def test_class_vector_gives_the_statistic_of_analysis_of_variance():
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 4, 60)
    table = rng.normal(size=(60, 5)) + classes[:, None] * [0, 0.2, 0, 1, 3]
    scores = MultiLabelFStatistic().fit(table, classes).scores_
    np.testing.assert_allclose(scores, f_classif(table, classes)[0], rtol=1e-10)


@given(seed=st.integers(0, 10**6), is_sparse=st.booleans())
def test_equals_the_plain_formula(seed, is_sparse):
    rng = np.random.default_rng(seed)
    labels = (rng.random((30, 4)) < 0.4).astype(int)
    labels[:4] = np.eye(4)
    labels = np.column_stack([labels, np.zeros(30, dtype=int)])
    table = rng.normal(size=(30, 5)) + rng.choice([0, 50], 5)
    table[:, :3] *= rng.random((30, 3)) < 0.5
    data = sparse.csr_array(table) if is_sparse else table
    scores = MultiLabelFStatistic().fit(data, labels).scores_
    np.testing.assert_allclose(scores, f_statistic(table, labels), rtol=1e-8)


def test_a_feature_that_is_the_class_scores_infinity_and_a_constant_scores_zero():
    labels = np.repeat(np.eye(3, dtype=int), 4, axis=0)
    rng = np.random.default_rng(1)
    table = np.column_stack(
        [rng.normal(size=12), labels @ [0.1, 0.7, 0.3], np.full(12, 0.3)]
    )
    selector = MultiLabelFStatistic().fit(table, labels)
    assert selector.scores_[1] == np.inf
    assert selector.scores_[2] == 0
    assert selector.order_.tolist() == [1, 0, 2]


def test_a_feature_alike_in_all_classes_scores_zero_whatever_its_unit():
    # both classes hold 1, 2, 4; the second feature differs, and in units of 1e-3 too
    labels = np.repeat(np.eye(2, dtype=int), 3, axis=0)
    table = np.array([[1, 1], [2, 2], [4, 3], [1, 4], [2, 5], [4, 6]], dtype=float)
    for unit in (1.0, 1e-3):
        scores = MultiLabelFStatistic().fit(table * unit, labels).scores_
        assert scores[0] == 0
        # S_b = 6 (1.5)^2 = 13.5, S_w = 2 + 2, times 4 / 1
        assert scores[1] == pytest.approx(13.5)


def test_one_label_column_is_its_two_classes():
    rng = np.random.default_rng(2)
    table, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    column = MultiLabelFStatistic().fit(table, y[:, None]).scores_
    np.testing.assert_allclose(column, f_classif(table, y)[0], rtol=1e-10)


def test_more_labels_than_rows_stay_positive():
    rng = np.random.default_rng(3)
    labels = np.column_stack([np.eye(6), np.eye(6)[::-1], np.ones(6)]).astype(int)
    scores = MultiLabelFStatistic().fit(rng.normal(size=(6, 3)), labels).scores_
    assert (scores > 0).all()


def test_one_label_that_occurs_is_not_enough():
    labels = np.array([[1, 0], [0, 0], [1, 0], [0, 0]])
    with pytest.warns(UserWarning, match="fewer than two different labels"):
        selector = MultiLabelFStatistic().fit(X, labels)
    assert selector.scores_.tolist() == [0, 0]
    assert selector.order_.tolist() == [0, 1]
