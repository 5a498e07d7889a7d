import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.select import HSIC
from reference.hsic import hsic

X = np.array([[1, 0, 2], [0, 1, 1], [2, 1, 0], [1, 2, 1], [0, 0, 1], [2, 2, 0]])
Y = np.array([[1, 0], [0, 1], [1, 1], [0, 1], [0, 0], [1, 0]])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"scale": "none"}, [4, 1, 0.5]),
        ({}, [6, 1.5, 1.058824]),
        ({"label_kernel": "cosine"}, [4.5, 1.5, 0.277396]),
    ],
)
def test_small_table_worked_by_hand(settings, expected, container):
    found = HSIC(**settings).fit(container(X.astype(float)), Y).scores_
    np.testing.assert_allclose(found, expected, atol=1e-6)


@given(
    seed=st.integers(0, 2**32 - 1),
    kernel=st.sampled_from(["linear", "cosine"]),
    scale=st.sampled_from(["zscore", "minmax", "none"]),
)
def test_equals_the_trace_with_n_by_n_matrices(seed, kernel, scale):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(25, 5)) * rng.integers(0, 2, (25, 5))
    X[:, 3] = 2.5
    Y = (rng.random((25, 4)) < 0.4).astype(int)
    Y[0] = 0
    expected = hsic(X, Y, kernel, scale)
    for table in (X, sparse.csc_array(X)):
        found = HSIC(label_kernel=kernel, scale=scale).fit(table, Y).scores_
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_z_scored_it_is_the_squared_correlations_weighted_by_label_variance():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 3)), (rng.random((40, 5)) < 0.4).astype(int)
    both = np.corrcoef(np.hstack([X, Y]).T)[:3, 3:]
    expected = 40**2 * (both**2 * Y.var(axis=0)).sum(axis=1)
    np.testing.assert_allclose(HSIC().fit(X, Y).scores_, expected, rtol=1e-10)


@pytest.mark.parametrize("scale", ["zscore", "minmax"])
def test_units_and_offsets_do_not_matter_when_scaled(scale):
    rng = np.random.default_rng(1)
    X, Y = rng.normal(size=(50, 4)), (rng.random((50, 3)) < 0.5).astype(int)
    one = HSIC(scale=scale).fit(X, Y).scores_
    far = HSIC(scale=scale).fit(1e6 + 1e-3 * X, Y).scores_
    np.testing.assert_allclose(far, one, rtol=1e-5)
    stored = HSIC(scale=scale).fit(sparse.csr_array(1e6 + 1e-3 * X), Y).scores_
    np.testing.assert_allclose(stored, far, rtol=1e-10)


def test_a_feature_without_any_covariance_scores_exactly_zero():
    y = np.array([[0], [0], [1], [1]])
    X = np.array([[0.1, 1], [0.7, 2], [0.1, 3], [0.7, 4]])
    assert HSIC().fit(X, y).scores_[0] == 0


def test_labels_that_all_rows_or_none_carry_add_nothing():
    rng = np.random.default_rng(2)
    X, Y = rng.normal(size=(30, 3)), (rng.random((30, 2)) < 0.5).astype(int)
    more = np.column_stack([Y, np.ones(30), np.zeros(30)]).astype(int)
    np.testing.assert_allclose(
        HSIC().fit(X, more).scores_, HSIC().fit(X, Y).scores_, rtol=1e-12
    )


def test_many_labels_are_taken_a_few_at_a_time(monkeypatch):
    rng = np.random.default_rng(3)
    X, Y = rng.normal(size=(30, 4)), (rng.random((30, 11)) < 0.3).astype(int)
    whole = HSIC().fit(X, Y).scores_
    monkeypatch.setattr("labelsift.score.hsic._CELLS", 8)
    assert (HSIC().fit(X, Y).scores_ == whole).all()
