import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.encode.codes import encode_by_cuts, encode_by_value

CUTS = [np.array([0.5]), np.array([-1.0, 0.0, 2.0]), np.empty(0)]


def random_table(seed):
    rng = np.random.default_rng(seed)
    return rng.integers(-2, 4, (12, 3)).astype(float)


@given(seed=st.integers(0, 2**32 - 1), below=st.booleans())
def test_codes_count_the_cuts_that_a_value_lies_beyond(seed, below):
    X = random_table(seed)
    expected = [
        [
            sum(x > cut or (not below and x == cut) for cut in CUTS[f])
            for f, x in enumerate(row)
        ]
        for row in X
    ]
    for container in (np.asarray, sparse.csr_array, sparse.csc_array):
        codes = encode_by_cuts(container(X), CUTS, below=below)
        assert codes.to_array().tolist() == expected
        assert codes.n_bins.tolist() == [2, 4, 1]


@given(seed=st.integers(0, 2**32 - 1))
def test_codes_by_value_stand_for_their_categories(seed):
    X = random_table(seed)
    for container in (np.asarray, sparse.csr_array):
        codes = encode_by_value(container(X))
        for f, values in enumerate(codes.categories):
            np.testing.assert_array_equal(values[codes.to_array()[:, f]], X[:, f])


def test_sparse_codes_store_only_rows_off_the_bin_of_zero():
    X = sparse.csr_array(np.array([[0.0, 3.0], [1.0, 0.0], [0.2, 0.0]]))
    codes = encode_by_cuts(X, [np.array([0.5]), np.array([-1.0])], below=True)
    assert codes.default.tolist() == [0, 1]
    assert codes.values.nnz == 1  # 0.2 is in the bin of 0, and 3 in that of column 1


def test_many_bins_get_a_wider_type():
    X = np.arange(300.0)[:, None]
    assert encode_by_value(X).values.dtype == np.uint16
    assert encode_by_cuts(X, [np.arange(255.0)], below=True).values.dtype == np.uint8
    codes = encode_by_cuts(X, [np.arange(299.0)], below=True)
    assert codes.to_array().ravel().tolist() == list(range(300))
