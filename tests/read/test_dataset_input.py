import numpy as np
from scipy import sparse

from labelsift import Dataset


def test_sparse_input_with_stored_zeros_and_disorder_is_left_as_it_was():
    y = sparse.csr_array(
        (np.array([1, 0, 1], dtype=np.uint8), [0, 1, 1], [0, 2, 3]), shape=(2, 2)
    )
    x = sparse.csr_array(
        (np.array([5.0, 6.0, 1.0]), [1, 0, 0], [0, 2, 3]), shape=(2, 2)
    )
    data = Dataset(x, y, ("a", "b"), ("k", "l"))
    assert data.Y.toarray().tolist() == [[1, 0], [0, 1]]
    assert data.Y.nnz == 2
    assert data.X.indices.tolist() == [0, 1, 0]
    assert y.nnz == 3
    assert y.indices.tolist() == [0, 1, 1]
    assert x.indices.tolist() == [1, 0, 0]


def test_rows_are_taken_with_their_labels_and_weights():
    data = Dataset(
        np.arange(6.0).reshape(3, 2), np.eye(3), "ab", "xyz", weights=[1, 2, 3]
    )
    taken = data.take_rows([2, 0])
    assert taken.X.tolist() == [[4, 5], [0, 1]]
    assert taken.Y.tolist() == [[0, 0, 1], [1, 0, 0]]
    assert taken.weights.tolist() == [3, 1]
