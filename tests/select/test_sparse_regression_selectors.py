import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from example_counts import examples
from labelsift.select import MDFS, RFS

each = pytest.mark.parametrize("selector", [RFS, MDFS])


def table(seed=0, n=80, d=10):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    Y = (X[:, [1, 4, 7]] + 0.4 * rng.normal(size=(n, 3)) > 0).astype(int)
    return X, Y


@each
def test_features_that_the_labels_are_made_of_come_first(selector):
    X, Y = table()
    fitted = selector().fit(X, Y)
    assert set(fitted.order_[:3]) == {1, 4, 7}
    assert fitted.coef_.shape == (10, 3)
    norms = np.sqrt((fitted.coef_**2).sum(axis=1))
    np.testing.assert_allclose(fitted.scores_, norms, atol=1e-6)


@each
@examples(15)
@given(
    seed=st.integers(0, 2**32 - 1),
    shape=st.sampled_from([(30, 8), (12, 30)]),
    gamma=st.sampled_from([0.05, 1.0, 20.0]),
)
def test_the_objective_never_rises(selector, seed, shape, gamma):
    X, Y = table(seed, *shape)
    fitted = selector(gamma=gamma).fit(X, Y)
    assert len(fitted.objective_) == fitted.n_iter_ > 1
    assert (np.diff(fitted.objective_) <= 1e-10 * fitted.objective_[:-1]).all()


@pytest.mark.parametrize(
    ("selector", "gammas"), [(RFS, (0.1, 10.0)), (MDFS, (0.1, 5.0))]
)
def test_a_larger_penalty_leaves_fewer_features(selector, gammas):
    X, Y = table(1)
    used = [
        np.count_nonzero(selector(gamma=gamma, tol=1e-10).fit(X, Y).scores_)
        for gamma in gammas
    ]
    assert used[0] == 10
    assert 0 < used[1] < 10


@each
def test_a_penalty_that_leaves_nothing_is_told(selector):
    X, Y = table(1)
    with pytest.warns(UserWarning, match="gamma=1000 lets .* all features vanish"):
        fitted = selector(gamma=1000.0, tol=1e-12).fit(X, Y)
    assert (fitted.scores_ == 0).all()
    assert fitted.order_.tolist() == list(range(10))


@each
@pytest.mark.parametrize("scale", ["zscore", "minmax"])
def test_units_do_not_matter_when_scaled(selector, scale):
    X, Y = table(2)
    one = selector(scale=scale).fit(X, Y)
    other = selector(scale=scale).fit(X * np.logspace(-3, 3, 10) + 5, Y)
    np.testing.assert_allclose(other.scores_, one.scores_, atol=1e-7)
    assert (selector(scale="none").fit(10 * X, Y).scores_ != one.scores_).any()


@each
@pytest.mark.parametrize("shape", [(60, 20), (20, 60)])
def test_sparse_rows_give_what_dense_ones_do(selector, shape):
    rng = np.random.default_rng(3)
    X = rng.normal(size=shape) * (rng.random(shape) < 0.2)
    Y = (rng.random((shape[0], 4)) < 0.4).astype(int)
    one, other = selector().fit(X, Y), selector().fit(sparse.csr_array(X), Y)
    np.testing.assert_allclose(other.scores_, one.scores_, atol=1e-8)
    assert (other.order_ == one.order_).all()


@each
def test_copies_share_and_come_in_column_order(selector):
    X, Y = table(4)
    X[:, 8] = X[:, 4]
    fitted = selector().fit(X, Y)
    assert fitted.scores_[4] == fitted.scores_[8] > 0
    assert fitted.order_.tolist().index(4) < fitted.order_.tolist().index(8)


@each
def test_too_few_rounds_are_told(selector):
    X, Y = table(5)
    with pytest.warns(ConvergenceWarning, match="after max_iter=2 rounds"):
        fitted = selector(max_iter=2).fit(X, Y)
    assert fitted.n_iter_ == 2


@each
def test_a_table_too_large_for_a_dense_matrix_is_refused_with_a_remedy(
    selector, monkeypatch
):
    monkeypatch.setattr("labelsift.select._sparse_regression.MOST", 9)
    X, Y = table()
    with pytest.raises(ValueError, match=r"n_features, 10 here; at most 9\. .*sample"):
        selector().fit(X, Y)
    selector().fit(X[:, :9], Y)


@pytest.mark.parametrize(
    "wrong", [{"gamma": 0}, {"alpha": 0}, {"beta": -1}, {"n_neighbors": 0}]
)
def test_weights_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        MDFS(**wrong).fit(*table())


def test_without_a_graph_of_labels_a_label_is_judged_on_its_own():
    X, Y = table(6)
    together = MDFS(beta=5.0).fit(X, Y).coef_
    alone = MDFS(beta=0.0).fit(X, Y).coef_
    # labels that are joined have coefficients more alike
    assert np.ptp(together, axis=1).sum() < np.ptp(alone, axis=1).sum()
