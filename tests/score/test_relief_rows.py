"""Distances of rows on the scale of each feature, dense and sparse."""

import numpy as np
import pytest
from scipy import sparse

from labelsift.score import relief_rows as module
from labelsift.score.relief_rows import ReliefRows

# numbers from 1 to 5, a constant, categories, zeros but for one, zeros
X = np.array([[1.0, 4, 2, 0, 0], [3, 4, 2, 0, 0], [5, 4, 7, 0, 0], [1, 4, 3, 8, 0]])
CATEGORICAL = np.array([False, False, True, False, False])
EXPECTED = np.array(
    [[0, 0.5, 2, 2], [0.5, 0, 1.5, 2.5], [2, 1.5, 0, 3], [2, 2.5, 3, 0]]
)


def stored_zeros():
    """Return the table with some of its zeros stored, in a column of nothing else."""
    rows = sparse.csr_array(X + 100.0)
    rows.data -= 100.0
    some = sparse.coo_array(rows)
    kept = (some.data != 0) | (some.row < 2)
    return sparse.csr_array(
        (some.data[kept], (some.row[kept], some.col[kept])), shape=X.shape
    )


@pytest.mark.parametrize("form", ["dense", "sparse", "stored"])
def test_differences_are_shares_of_the_range_or_equal_or_not(form):
    table = {"dense": X, "sparse": sparse.csr_array(X), "stored": stored_zeros()}[form]
    rows = ReliefRows(table, CATEGORICAL)
    assert rows.constant.tolist() == [False, True, False, False, True]
    np.testing.assert_allclose(rows.distances(np.arange(4)), EXPECTED, atol=1e-12)
    some = rows.distances(np.array([2, 0]), 1)
    np.testing.assert_allclose(some[:, 1:], EXPECTED[[2, 0], 1:], atol=1e-12)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_all_distances_at_once_are_those_row_by_row(monkeypatch, form):
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "1")  # blocks end one after another
    rows = ReliefRows(form(X), CATEGORICAL)
    said = []
    table = rows.all_distances(block=2, report=said.append)
    np.testing.assert_allclose(table, EXPECTED, atol=1e-12)
    assert said == [12 / 16, 1.0]
    monkeypatch.setattr(module, "_SYMMETRIC_BYTES", 8 * 16 - 1)
    assert rows.all_distances(block=2) is None
    monkeypatch.setattr(module, "_SYMMETRIC_BYTES", 8 * 16)
    assert rows.all_distances(block=2) is not None
