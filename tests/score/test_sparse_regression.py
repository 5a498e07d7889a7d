import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from example_counts import examples
from labelsift.score import centered_rows
from labelsift.score.centered_rows import CenteredRows
from labelsift.score.manifold import label_laplacian, row_laplacian
from labelsift.score.sparse_regression import (
    _conjugate_gradients,
    manifold_regression,
    robust_regression,
)
from reference import sparse_regression as reference

X = np.array([[1, 0, 2], [0, 1, 1], [2, 1, 0], [1, 2, 1], [0, 0, 1], [2, 2, 0.0]])
Y = np.array([[1, 0], [0, 1], [1, 1], [0, 1], [0, 0], [1, 0.0]])
CHAIN = np.diag([1.0, 2, 2, 2, 2, 1]) - np.eye(6, k=1) - np.eye(6, k=-1)
PAIR = np.array([[1.0, -1], [-1, 1]])
LONG = {"max_iter": 5000, "tol": 1e-15}


def problem(seed, n, d, q=3):
    """Return a table with empty cells and labels that depend on two columns."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6)
    signal = X[:, :2] @ rng.normal(size=(2, q)) + 0.5 * rng.normal(size=(n, q))
    return X, (signal > 0).astype(float)


def centered(table):
    return table - table.mean(axis=0)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_robust_regression_worked_example(container):
    rows = CenteredRows(container(X), scale="none", center=False)
    fit = robust_regression(rows, Y, gamma=1.0, **LONG)
    np.testing.assert_allclose(fit.objective[-1], 3.717814, atol=1e-6)
    np.testing.assert_allclose(fit.scores, [0.634839, 0.527476, 0], atol=1e-6)
    assert fit.scores[2] == 0


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    ("gamma", "objective", "norms"),
    [
        (0.1, 2.263766, [0.125491, 0.065334, 0.015507]),
        (0.2, 2.280467, [0.094539, 0.042912, 0]),
    ],
)
def test_manifold_regression_worked_example(container, gamma, objective, norms):
    rows = CenteredRows(container(X), scale="none")
    weights = {"alpha": 1.0, "beta": 0.5, "gamma": gamma}
    fit = manifold_regression(rows, Y, sparse.csr_array(CHAIN), PAIR, **weights, **LONG)
    np.testing.assert_allclose(fit.objective[-1], objective, atol=1e-6)
    np.testing.assert_allclose(fit.scores, norms, atol=1e-6)


sizes = st.sampled_from([(14, 5), (9, 20)])
seeds = st.integers(0, 2**32 - 1)


@examples(8)
@given(seed=seeds, size=sizes, gamma=st.sampled_from([0.3, 1.0, 3.0]))
def test_robust_regression_is_at_the_minimum_and_never_rose(seed, size, gamma):
    X, Y = problem(seed, *size)
    rows = CenteredRows(X)
    Z, T = rows.times(np.eye(X.shape[1])), centered(Y)
    fit = robust_regression(rows, T, gamma=gamma, max_iter=1500, tol=1e-13)
    assert (np.diff(fit.objective) <= 1e-9 * fit.objective[:-1]).all()
    _, least = reference.rfs(Z, T, gamma, rounds=100)
    assert fit.objective[-1] <= least * (1 + 1e-5)
    # a point of the dual problem bounds the minimum from below
    W = fit.coefficients
    residual = Z @ W - T
    dual = residual / np.sqrt((residual**2).sum(axis=1) + 1e-16)[:, None]
    pulls = np.sqrt(((Z.T @ dual) ** 2).sum(axis=1))
    dual *= min(1.0, gamma / pulls.max())
    assert -(dual * T).sum() >= 0.9 * fit.objective[-1]


@examples(8)
@given(
    seed=seeds,
    size=sizes,
    alpha=st.sampled_from([0.5, 2.0]),
    beta=st.sampled_from([0.0, 1.0]),
    gamma=st.sampled_from([0.1, 1.0]),
)
def test_manifold_regression_equals_the_reference(seed, size, alpha, beta, gamma):
    X, Y = problem(seed, *size)
    rows = CenteredRows(X)
    Z = rows.times(np.eye(X.shape[1]))
    L, L0 = reference.graph_of_rows(Z, 3), reference.graph_of_labels(Y)
    weights = {"alpha": alpha, "beta": beta, "gamma": gamma}
    fit = manifold_regression(
        rows, Y, sparse.csr_array(L), L0, **weights, max_iter=500, tol=1e-11
    )
    assert (np.diff(fit.objective) <= 1e-10 * fit.objective[:-1]).all()
    _, _, least = reference.mdfs(Z, Y, L, L0, alpha, beta, gamma, rounds=200)
    np.testing.assert_allclose(fit.objective[-1], least, rtol=1e-6)


@examples(25)
@given(
    seed=seeds,
    scale=st.sampled_from(["zscore", "minmax", "none"]),
    center=st.booleans(),
    offset=st.sampled_from([0.0, 3.0, 1e6]),
)
def test_products_of_sparse_rows_are_those_of_dense_ones(seed, scale, center, offset):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(9, 5)) * (rng.random((9, 5)) < 0.5)
    X[:, 1] = rng.normal(size=9) + offset  # stored in full
    X[:, 3] = offset
    one = CenteredRows(X, scale=scale, center=center)
    other = CenteredRows(sparse.csc_array(X), scale=scale, center=center)
    if center:
        spread = {"zscore": X.std(axis=0), "minmax": np.ptp(X, axis=0), "none": 1.0}
        divisor = np.where(np.ptp(X, axis=0) > 0, spread[scale], 1.0)
        plain = centered(X) / divisor * (np.ptp(X, axis=0) > 0)
        np.testing.assert_allclose(one.times(np.eye(5)), plain, atol=1e-9)
    W, R = rng.normal(size=(5, 2)), rng.normal(size=(9, 2))
    weights, reach = rng.random(9), rng.random(5)
    for ours, theirs in (
        (other.times(W), one.times(W)),
        (other.transposed_times(R), one.transposed_times(R)),
        (other.gram(weights), one.gram(weights)),
        (other.outer(reach), one.outer(reach)),
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)
    assert (one.factors == other.factors).all()
    assert one.is_constant.tolist() == other.is_constant.tolist()


def test_more_features_than_rows_give_what_fewer_do():
    X, Y = problem(1, 20, 6)
    more = np.hstack([X, np.full((20, 30), 2.0)])
    few, many = CenteredRows(X), CenteredRows(more)
    L = row_laplacian(X, few.factors, n_neighbors=4)
    L0 = label_laplacian(Y)
    short = {"gamma": 0.7, "max_iter": 100, "tol": 1e-9}
    for one, other in (
        (
            robust_regression(few, centered(Y), **short),
            robust_regression(many, centered(Y), **short),
        ),
        (
            manifold_regression(few, Y, L, L0, alpha=1.0, beta=1.0, **short),
            manifold_regression(many, Y, L, L0, alpha=1.0, beta=1.0, **short),
        ),
    ):
        np.testing.assert_allclose(other.scores[:6], one.scores, atol=1e-7)
        assert (other.scores[6:] == 0).all()
        assert len(one.objective) == len(other.objective)


def test_rows_that_are_fitted_exactly_do_not_cost_digits():
    # more columns than the labels need: most residuals are 0, so their weights are huge
    rng = np.random.default_rng(0)
    X = (rng.random((60, 50)) < 0.15).astype(float)
    Y = centered((X[:, :4] + X[:, 4:8] > 0).astype(float))
    order = rng.permutation(50)
    short = {"gamma": 0.5, "max_iter": 500, "tol": 1e-8}
    one = robust_regression(CenteredRows(X), Y, **short)
    other = robust_regression(CenteredRows(X[:, order]), Y, **short)
    assert len(one.objective) == len(other.objective)
    np.testing.assert_allclose(other.scores, one.scores[order], atol=1e-9)


def test_graphs_are_those_of_the_definition():
    X, Y = problem(2, 25, 4)
    rows = CenteredRows(X)
    found = row_laplacian(X, rows.factors, n_neighbors=5).toarray()
    expected = reference.graph_of_rows(rows.times(np.eye(4)), 5)
    np.testing.assert_allclose(found, expected, atol=1e-10)
    np.testing.assert_allclose(
        label_laplacian(Y), reference.graph_of_labels(Y), atol=1e-12
    )
    assert label_laplacian(Y[:, :1]).tolist() == [[0.0]]


def test_labels_that_are_the_same_are_joined_with_weight_one():
    y = np.array([[1, 1], [0, 0], [1, 1.0]])
    np.testing.assert_array_equal(label_laplacian(y), PAIR)


def test_coefficients_of_zero_score_zero():
    X, Y = problem(3, 20, 4)
    fit = robust_regression(CenteredRows(X), 0 * Y, gamma=1.0, max_iter=10, tol=1e-6)
    assert fit.scores.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("shape", [(2300, 75), (75, 2300), (40, 6)])
@pytest.mark.parametrize("narrow", [512, 0])
def test_products_in_parts_are_those_of_the_whole(shape, narrow, monkeypatch):
    monkeypatch.setattr(centered_rows, "_NARROW", narrow)
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=shape), rng.random(shape[0]) * 1e-3
    rows = CenteredRows(X)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    found = rows.gram(weights)
    np.testing.assert_allclose(found, Z.T @ (weights[:, None] * Z), atol=1e-12)
    np.testing.assert_allclose(
        rows.outer(found[0] ** 2), (Z * found[0] ** 2) @ Z.T, atol=1e-12
    )
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "1")
    np.testing.assert_array_equal(rows.gram(weights), found)


class Counted:
    """A matrix that counts its products."""

    def __init__(self, matrix):
        self.matrix, self.products = matrix, 0

    def diagonal(self):
        return self.matrix.diagonal()

    def __matmul__(self, other):
        self.products += 1
        return self.matrix @ other


def test_conjugate_gradients_end_after_about_as_many_steps_as_rows():
    rng = np.random.default_rng(4)
    weights = np.triu(rng.random((30, 30)) * (rng.random((30, 30)) < 0.3), 1)
    weights += weights.T
    laplacian = np.diag(weights.sum(axis=0)) - weights
    shifts, right = np.array([0.05, 2.0]), rng.normal(size=(30, 2))
    counted = Counted(sparse.csr_array(laplacian))
    found = _conjugate_gradients(counted, shifts, right, np.zeros((30, 2)))
    for j, shift in enumerate(shifts):
        exact = np.linalg.solve(laplacian + shift * np.eye(30), right[:, j])
        np.testing.assert_allclose(found[:, j], exact, rtol=1e-9, atol=1e-11)
    assert counted.products <= 61


@pytest.mark.parametrize("tol", [1e-2, 1e-4])
def test_rounds_end_with_the_first_that_gains_less_than_asked(tol):
    X, Y = problem(3, 20, 4)
    fit = robust_regression(CenteredRows(X), Y, gamma=0.5, max_iter=200, tol=tol)
    gains = -np.diff(fit.objective) / fit.objective[:-1]
    assert fit.has_converged
    assert len(fit.objective) < 200
    assert gains[-1] <= tol
    assert (gains[:-1] > tol).all()
