import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.score.aggregate import aggregate, column_sums, scale_labels

TABLE = np.array([[3.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 0.0, 2.0]])


def test_mean_maximum_and_minimum_over_labels():
    assert aggregate(TABLE, "mean").tolist() == [4 / 3, 5 / 3, 2 / 3]
    assert aggregate(TABLE, "max").tolist() == [3, 4, 2]
    assert aggregate(TABLE, "min").tolist() == [0, 0, 0]


def test_mean_of_many_labels_and_of_infinite_scores():
    # Four labels of two features; a mean with an infinite score is infinite, quietly.
    table = np.array([[1.0, 2.0, 3.0, 6.0], [np.inf, 0.0, np.inf, 1.0]])
    assert aggregate(table, "mean").tolist() == [3.0, np.inf]
    assert aggregate(table[:1], "mean").tolist() == [3.0]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("dl", [[0.6, 0, 6**-0.5], [0.8, 0, 6**-0.5], [0, 0, 2 * 6**-0.5]]),
        ("dm", [[0.75, 0, 0.5], [1, 0, 0.5], [0, 0, 1]]),
        ("rank", [[0.5, 0, 0], [1, 0, 0], [0, 0, 1]]),
    ],
)
def test_labels_are_scaled_and_a_label_of_zeros_stays(how, expected):
    np.testing.assert_allclose(scale_labels(TABLE, how), expected, rtol=1e-15)


def test_no_scaling_changes_nothing():
    np.testing.assert_array_equal(scale_labels(TABLE, None), TABLE)


@pytest.mark.parametrize("how", ["dl", "dm"])
def test_scaling_neither_overflows_nor_underflows(how):
    scaled = scale_labels(np.array([[1e300, 1e-300], [1e300, 1e-300]]), how)
    expected = 2**-0.5 if how == "dl" else 1.0
    np.testing.assert_allclose(scaled, expected, rtol=1e-15)


def test_one_feature_beats_none():
    assert scale_labels(np.array([[5.0]]), "rank").tolist() == [[0.0]]


@given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=40))
def test_sums_are_those_of_exact_arithmetic_in_any_order(values):
    import math

    table = np.array(values)[:, None]
    expected = math.fsum(values)
    assert column_sums(table)[0] == pytest.approx(expected, rel=1e-15, abs=1e-15)
    assert column_sums(table[::-1])[0] == pytest.approx(expected, rel=1e-15, abs=1e-15)


@pytest.mark.parametrize(
    ("scores", "shares"),
    [([3, 1], [1, 0]), ([2, 2], [0, 0]), ([1, 5, 3], [0, 1, 0.5]), ([4], [0])],
)
def test_the_share_of_the_others_that_a_feature_beats(scores, shares):
    table = np.array(scores, dtype=float)[:, None]
    assert scale_labels(table, "rank").ravel().tolist() == shares
