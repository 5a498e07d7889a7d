import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelsift.encode import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MeanDiscretizer,
    MedianDiscretizer,
)
from reference.chi2 import equal_width_bin

ALL = [
    EqualWidthDiscretizer(),
    EqualFrequencyDiscretizer(),
    MeanDiscretizer(),
    MedianDiscretizer(),
]
finite = st.floats(-1e6, 1e6, allow_subnormal=False)


def column(*values):
    return np.array(values, dtype=float)[:, None]


def codes(discretizer, x):
    return discretizer.fit_transform(x).ravel().tolist()


@parametrize_with_checks(ALL)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_equal_width_example_of_three_bins():
    assert codes(EqualWidthDiscretizer(3), column(0, 1, 2, 5, 10)) == [0, 0, 0, 1, 2]


def test_equal_width_value_on_an_edge_is_in_the_upper_bin_and_the_largest_in_the_last():
    assert codes(EqualWidthDiscretizer(5), column(0, 2, 4, 6, 8, 10)) == [
        0,
        1,
        2,
        3,
        4,
        4,
    ]


@given(st.lists(finite, min_size=2, max_size=30), st.integers(2, 9))
def test_equal_width_is_the_floor_rule_to_the_last_bit(values, bins):
    low, high = min(values), max(values)
    expected = [equal_width_bin(x, low, high, bins) for x in values]
    assert codes(EqualWidthDiscretizer(bins), column(*values)) == expected


@given(st.integers(-50, 50), st.integers(1, 40), st.integers(2, 9))
def test_equal_width_is_the_floor_rule_at_its_own_edges(low, width, bins):
    low, high = low / 7, low / 7 + width / 3
    step = (high - low) / bins
    edges = [low + k * step for k in range(bins + 1)]
    around = [math.nextafter(e, side) for e in edges for side in (-1e9, 1e9)]
    inside = [x for x in edges + around if low <= x <= high]
    fitted = EqualWidthDiscretizer(bins).fit(column(low, high))
    expected = [equal_width_bin(x, low, high, bins) for x in inside]
    assert fitted.transform(column(*inside)).ravel().tolist() == expected


def test_equal_width_survives_ranges_beyond_the_largest_number():
    x = column(-1.7e308, 0.0, 1.7e308)
    assert codes(EqualWidthDiscretizer(3), x) == [0, 1, 2]


def test_values_outside_the_training_range_fall_into_the_end_bins():
    fitted = EqualWidthDiscretizer(4).fit(column(0, 1))
    assert fitted.transform(column(-9, 9)).ravel().tolist() == [0, 3]


def test_equal_frequency_cuts_midway_and_keeps_equal_values_together():
    fitted = EqualFrequencyDiscretizer(2).fit(column(0, 0, 0, 1, 2, 9))
    assert fitted.cut_points_[0].tolist() == [0.5]
    fitted = EqualFrequencyDiscretizer(3).fit(column(1, 2, 3, 4, 5, 6))
    assert fitted.cut_points_[0].tolist() == [2.5, 4.5]


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40), st.integers(2, 6))
def test_equal_frequency_takes_the_nearest_boundary_of_each_target(values, bins):
    distinct = sorted(set(values))
    below = [sum(v <= edge for v in values) for edge in distinct[:-1]]
    expected = []
    for k in range(1, bins):
        if not below:
            break
        gaps = [abs(b * bins - len(values) * k) for b in below]
        best = gaps.index(min(gaps))
        cut = (distinct[best] + distinct[best + 1]) / 2
        if cut not in expected:
            expected.append(cut)
    fitted = EqualFrequencyDiscretizer(bins).fit(column(*values))
    assert fitted.cut_points_[0].tolist() == expected


@pytest.mark.parametrize("discretizer", ALL, ids=lambda d: type(d).__name__)
def test_constant_feature_has_one_bin(discretizer):
    fitted = discretizer.fit(column(0.1, 0.1, 0.1))
    assert len(fitted.cut_points_[0]) == 0
    assert codes(discretizer, column(0.1, 0.1, 0.1)) == [0, 0, 0]


@pytest.mark.parametrize("discretizer", ALL, ids=lambda d: type(d).__name__)
@pytest.mark.parametrize("x", [[0, 0, 0, 0, 1], [0, 1, 1, 1, 1], [0.1, 0.1, 0.3]])
def test_two_values_are_never_put_into_one_bin(discretizer, x):
    found = codes(discretizer, column(*x))
    assert found[0] < found[-1]


@pytest.mark.parametrize("discretizer", [MeanDiscretizer(), MedianDiscretizer()])
def test_neighbouring_numbers_are_told_apart(discretizer):
    low = 0.1
    high = math.nextafter(low, 1)
    assert codes(discretizer, column(low, high, high)) == [0, 1, 1]


def test_mean_and_median_cut_where_they_are():
    x = column(0, 1, 2, 9)
    assert MeanDiscretizer().fit(x).cut_points_[0].tolist() == [3.0]
    assert MedianDiscretizer().fit(x).cut_points_[0].tolist() == [1.5]


def test_mean_does_not_depend_on_the_order_of_rows_that_cancel():
    x = column(1e16, 1.0, -1e16, 3.0)
    assert MeanDiscretizer().fit(x).cut_points_[0].tolist() == [1.0]
    assert MeanDiscretizer().fit(x[::-1]).cut_points_[0].tolist() == [1.0]


@pytest.mark.parametrize("discretizer", ALL, ids=lambda d: type(d).__name__)
@given(seed=st.integers(0, 2**32 - 1))
def test_blocks_give_the_cuts_of_the_whole_and_sparse_those_of_dense(discretizer, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(30, 4)) * (rng.random((30, 4)) < 0.6)
    whole = type(discretizer)().fit(x)
    blocks, thin = type(discretizer)(), type(discretizer)()
    for part in np.split(x, [7, 19]):
        blocks.partial_fit(part)
        thin.partial_fit(sparse.csr_array(part))
    for a, b, c in zip(
        whole.cut_points_, blocks.cut_points_, thin.cut_points_, strict=True
    ):
        assert a.tolist() == b.tolist() == c.tolist()
    found = whole.transform(sparse.csr_array(x))
    assert sparse.issparse(found)
    np.testing.assert_array_equal(found.toarray(), whole.transform(x))


def test_float32_and_float64_get_equal_bins():
    x = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)
    np.testing.assert_array_equal(
        EqualWidthDiscretizer().fit_transform(x),
        EqualWidthDiscretizer().fit_transform(x.astype(np.float64)),
    )
