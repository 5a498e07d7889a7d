"""Sparse rows that all lie beyond one cut are coded as any others are."""

import numpy as np
import pytest
from scipy import sparse

from labelsift.encode import codes
from labelsift.encode.codes import encode_by_cuts


def coded(X, cuts, below):
    found = encode_by_cuts(X, cuts, below=below)
    return found.values.toarray(), found.values.nnz, found.default, found.n_bins


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("below", [True, False])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize(
    ("sign", "cut", "shift"),
    [(1, 0.0, 0), (1, 0.5, 0), (-1, 0.0, 0), (-1, -1.0, 0), (1, 1.0, 0), (1, 0.0, -1)],
)
def test_one_side_of_one_cut(monkeypatch, threads, below, index, sign, cut, shift):
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", threads)
    rng = np.random.default_rng(2)
    X = sparse.random_array((40, 9), density=0.3, rng=rng, format="csr")
    X.data[:] = sign * rng.integers(1, 4, X.nnz) + shift
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    cuts = [np.array([cut])] * 9
    found = coded(X, cuts, below)
    expected = coded(X.tocsc(), cuts, below)
    monkeypatch.setattr(codes, "_only_code", lambda *_: None)
    for one, other, plain in zip(found, expected, coded(X, cuts, below), strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(one, plain)


def test_no_entries_and_different_cuts():
    for X in (sparse.csr_array((3, 2)), sparse.csr_array(np.eye(3, 2))):
        for cuts in ([[0.0], [0.0]], [[0.0], [0.5]], [[0.0], []], [[], []]):
            found = encode_by_cuts(X, [np.array(c) for c in cuts], below=True)
            dense = encode_by_cuts(X.toarray(), [np.array(c) for c in cuts], below=True)
            np.testing.assert_array_equal(found.to_array(), dense.to_array())
