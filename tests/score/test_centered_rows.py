"""Centred and scaled rows, dense or sparse, without a change to the caller's table."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from labelsift.score import centered_rows
from labelsift.score.centered_rows import CenteredRows

# the second column is constant, the third hides zeros where it is sparse
X = np.array([[1.0, 4, 0], [2, 4, 0], [3, 4, 6], [6, 4, 0]])
FORMS = {
    "dense": np.array,
    "csr": sparse.csr_array,
    "csc": sparse.csc_array,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize(
    ("scale", "spread"),
    [
        ("zscore", [np.sqrt(3.5), 1, np.sqrt(6.75)]),
        ("minmax", [5, 1, 6]),
        ("none", [1, 1, 1]),
    ],
)
def test_rows_less_their_means_by_their_spread(form, center, scale, spread):
    table = FORMS[form](X)
    rows = CenteredRows(table, scale=scale, center=center)
    Z = (X - X.mean(axis=0) if center else X) / spread
    kept = table.toarray() if form != "dense" else table
    np.testing.assert_array_equal(kept, X)
    assert rows.is_constant.tolist() == [False, True, False]
    factors = 1 / np.array(spread)
    if center:
        factors[1] = 0  # a constant column says nothing
    np.testing.assert_allclose(rows.factors, factors, rtol=1e-11)
    weights = np.array([0.5, 2.0, 1.0])
    np.testing.assert_allclose(rows.times(np.eye(3)), Z, atol=1e-10)
    np.testing.assert_allclose(rows.transposed_times(np.eye(4)), Z.T, atol=1e-10)
    np.testing.assert_allclose(rows.outer(weights), (Z * weights) @ Z.T, atol=1e-9)
    of_rows = np.array([1.0, 0.5, 2.0, 1.5])
    np.testing.assert_allclose(rows.gram(of_rows), (Z.T * of_rows) @ Z, atol=1e-9)


def test_stored_twice_is_added_up_in_a_copy():
    table = sparse.csc_array(
        (np.array([1.0, 2.0, 4.0]), np.array([0, 0, 1]), np.array([0, 3])), shape=(2, 1)
    )
    rows = CenteredRows(table, scale="none")
    assert rows.times(np.eye(1)).ravel().tolist() == [-0.5, 0.5]
    assert table.data.tolist() == [1.0, 2.0, 4.0]


def peak_of(work):
    """Return the most memory that arrays took at a time during a call."""
    work()  # threads and modules are there
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_rows_are_added_in_four_parts_at_most():
    X = np.random.default_rng(0).random((12_000, 40))
    rows, R = CenteredRows(X), X[:, :25] - 0.5
    part = 40 * 25 * 8
    # twelve parts of a thousand rows would take twelve
    assert 4 * part <= peak_of(lambda: rows.transposed_times(R)) < 8 * part


def test_a_wide_table_of_products_is_made_once(monkeypatch):
    monkeypatch.setattr(centered_rows, "_NARROW", 80)
    X = np.random.default_rng(0).random((4096, 160))
    scaled, products = X.nbytes, 160 * 160 * 8
    rows = CenteredRows(X)
    peak = peak_of(lambda: rows.gram(np.ones(4096)))
    assert products <= peak - scaled < 2 * products  # four parts would take four


@pytest.mark.parametrize("form", FORMS)
def test_a_spread_whose_square_is_0_divides_by_nothing(form):
    rows = CenteredRows(FORMS[form](np.array([[0.0], [1e-200]])))
    assert rows.is_constant.tolist() == [False]
    assert rows.factors.tolist() == [1.0]
