from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.select import ReliefF, RReliefFML
from reference.regression_relief import regression_relief

X = np.array([[0, 0], [0.2, 0.9], [0.9, 0.1], [1, 1]])
Y = np.array([[1, 0], [1, 1], [0, 1], [0, 0]])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    ("k", "expected"), [(1, [0.85, 0.1]), (2, [0.466667, -0.533333])]
)
def test_small_table_worked_by_hand(k, expected, container):
    found = RReliefFML(n_neighbors=k).fit(container(X), Y).scores_
    np.testing.assert_allclose(found, expected, atol=1e-6)


@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.integers(1, 30),
    kind=st.sampled_from(["hamming", "jaccard", "f1"]),
    sigma=st.sampled_from([None, 2.0]),
)
def test_equals_the_slow_reference(seed, k, kind, sigma):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 4)) * (rng.random((20, 4)) < 0.7)
    X[:, 0] = rng.normal(size=20)
    Y = (rng.random((20, 3)) < 0.4).astype(int)
    Y[0] = [1, 0, 0]
    Y[1] = [0, 1, 0]
    expected = regression_relief(X.tolist(), Y.tolist(), k, kind, sigma)
    for table in (X, sparse.csr_array(X)):
        found = RReliefFML(n_neighbors=k, label_distance=kind, sigma=sigma)
        np.testing.assert_allclose(
            found.fit(table, Y).scores_, expected, rtol=1e-9, atol=1e-10
        )


def test_more_neighbours_than_are_sorted_by_insertion():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(90, 3)), (rng.random((90, 2)) < 0.5).astype(int)
    for k in (64, 65, 89, 200):
        expected = regression_relief(X.tolist(), Y.tolist(), min(k, 89))
        found = RReliefFML(n_neighbors=k).fit(X, Y).scores_
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_equally_near_rows_are_taken_in_row_order():
    # rows 1 and 2 are equally near to row 0, and so are 1/3 + 1/3 + 1/3 and 1
    X = np.array([[0, 0, 0, 0], [0, 0, 0, 3], [1, 1, 1, 0], [3, 3, 3, 3]])
    Y = np.array([[1, 0], [0, 1], [1, 0], [1, 0]])
    for columns in ([0, 1, 2, 3], [3, 2, 1, 0]):
        table = X[:, columns]
        exact = [[Fraction(int(value), 3) for value in row] for row in table]
        expected = regression_relief(exact, Y.tolist(), 1)
        found = RReliefFML(n_neighbors=1).fit(table / 3, Y).scores_
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_feature_that_helps_only_together_with_another_is_seen():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (300, 6)).astype(float)
    Y = np.column_stack([X[:, 1] != X[:, 4], X[:, 1] == X[:, 4]]).astype(int)
    selector = RReliefFML(n_neighbors=20).fit(X, Y)
    assert set(selector.order_[:2]) == {1, 4}


def test_two_classes_order_features_as_relief_does():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 400)
    X = rng.normal(size=(400, 5)) + np.outer(y, [0, 3, 0, 1.5, 0])
    ours = RReliefFML().fit(X, y)
    assert ours.order_[:2].tolist() == ReliefF().fit(X, y).order_[:2].tolist() == [1, 3]
    column = RReliefFML().fit(X, y[:, None])
    np.testing.assert_array_equal(column.scores_, ours.scores_)


def test_classes_are_at_distance_one_however_many_there_are():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 4, 40)
    vector = RReliefFML().fit(X, y).scores_
    one_hot = RReliefFML(label_distance="f1").fit(X, np.eye(4, dtype=int)[y]).scores_
    np.testing.assert_allclose(vector, one_hot, rtol=1e-12)


def test_categories_are_equal_or_not():
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 3, (60, 2)).astype(float)
    Y = np.column_stack([codes[:, 0] == 1, rng.random(60) < 0.5]).astype(int)
    renamed = np.array([7.0, -2.0, 30.0])[codes.astype(int)]
    one = RReliefFML(categorical_features=[True, True]).fit(codes, Y).scores_
    other = RReliefFML(categorical_features=[0, 1]).fit(renamed, Y).scores_
    np.testing.assert_array_equal(one, other)
    assert (RReliefFML().fit(codes, Y).scores_ != one).any()


def test_missing_values_tell_where_they_do():
    rng = np.random.default_rng(5)
    Y = (rng.random((200, 2)) < 0.5).astype(int)
    X = rng.normal(size=(200, 3))
    X[:, 1] = np.where(Y[:, 0] == 1, np.nan, 1.0)  # constant where it is known
    selector = RReliefFML().fit(X, Y)
    assert selector.order_[0] == 1


def test_constant_features_come_last_even_behind_negative_weights():
    rng = np.random.default_rng(6)
    X, Y = rng.normal(size=(50, 4)), (rng.random((50, 2)) < 0.5).astype(int)
    X[:, 1] = 3
    selector = RReliefFML().fit(X, Y)
    assert selector.scores_[1] == 0
    assert (selector.scores_ < 0).any()
    assert selector.order_[-1] == 1


@pytest.mark.parametrize("kept", [True, False])
def test_blocks_of_rows_change_nothing(monkeypatch, kept):
    rng = np.random.default_rng(7)
    X, Y = rng.normal(size=(150, 3)), (rng.random((150, 3)) < 0.4).astype(int)
    whole = RReliefFML(n_neighbors=5).fit(X, Y).scores_
    monkeypatch.setattr("labelsift.score.regression_relief._NEIGHBORS", 320)
    if not kept:
        monkeypatch.setattr("labelsift.score.relief_rows._SYMMETRIC_BYTES", 0)
    found = RReliefFML(n_neighbors=5).fit(X, Y).scores_
    np.testing.assert_allclose(found, whole, rtol=1e-12)
