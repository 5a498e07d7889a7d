"""Pairs of labels that part rows, and gain ratios inside them."""

import numpy as np
import pytest
from scipy import sparse

from labelsift.kernels.mdl import EVERY_VALUE
from labelsift.statistics.pair_ratios import pair_ratios, usable_pairs


def test_a_pair_needs_each_label_without_the_other():
    # b lies inside a; c meets neither; d is alone once, with a once
    Y = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 1]])
    first, second, sizes = usable_pairs(sparse.csr_array(Y))
    pairs = list(zip(first.tolist(), second.tolist(), sizes.tolist(), strict=True))
    # a-c: three and one; a-d: two and one; b-c, b-d, c-d
    assert pairs == [(0, 2, 4), (0, 3, 3), (1, 2, 2), (1, 3, 3), (2, 3, 3)]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_labels_may_be_more_than_rows(form):
    X = np.array([[0.0, 1, 3], [0, 2, 0], [1, 1, 0], [1, 2, 0]])
    Y = np.zeros((4, 9), dtype=np.uint8)
    Y[[0, 1], 0] = Y[[2, 3], 8] = Y[[1, 3], 7] = 1
    found = pair_ratios(
        form(X), sparse.csr_array(Y), np.array([0, 0]), np.array([8, 7]), EVERY_VALUE
    )
    # 0 against 8: the first feature tells all, the second nothing; the third parts one
    # row of four: gain 1 - 3/4 H(1/3), over its own entropy H(1/4)
    third = 1 - 0.75 * (np.log2(3) - 2 / 3)
    expected = third / (2 - 0.75 * np.log2(3))
    np.testing.assert_allclose(found[:, 0], [1, 0, expected], atol=1e-12)
    # 0 against 7: rows 0 and 3, for row 1 has both
    np.testing.assert_allclose(found[:, 1], [1, 1, 1], atol=1e-12)
