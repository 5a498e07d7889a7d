import math

import numpy as np
import pytest
from scipy import stats

from labelsift.evaluate import corrected_resampled_difference


def test_worked_by_hand():
    # differences 1, 0, 2: mean 1, variance 1; (1/3 + 1/2) * 1 = .8333; t(.975, 2 df) =
    # 4.302653, so the half width is 4.302653 * .912871 = 3.927767
    found = corrected_resampled_difference([3, 2, 4], [2, 2, 2], n_train=2, n_test=1)
    assert found.mean == 1
    assert found.low == pytest.approx(1 - 3.927767, abs=1e-5)
    assert found.high == pytest.approx(1 + 3.927767, abs=1e-5)
    assert found.verdict == "undecided"


def test_the_p_value_is_that_of_baycomps_correlated_t_test():
    # CorrelatedTTest.probs of baycomp 1.0.3, one run of 10 folds: the lesser of its two
    # probabilities is half the p value. Its mean, variance: 0.015, 3.8703704e-05
    a = [0.71, 0.74, 0.69, 0.72, 0.75, 0.70, 0.73, 0.71, 0.72, 0.74]
    b = [0.70, 0.72, 0.69, 0.70, 0.72, 0.71, 0.70, 0.70, 0.71, 0.71]
    found = corrected_resampled_difference(a, b, n_train=9, n_test=1)
    assert found.mean == pytest.approx(0.015)
    half = found.high - found.mean
    assert (half / stats.t.ppf(0.975, 9)) ** 2 == pytest.approx(3.87037037e-05)
    assert found.p_value == pytest.approx(2 * 0.01958918490443029, rel=1e-9)


@pytest.mark.parametrize("shift", [0.0, 0.4, 0.9])
def test_the_p_value_and_the_interval_say_the_same(shift):
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=10), rng.normal(shift, 0.3, size=10)
    found = corrected_resampled_difference(a, b, n_train=9, n_test=1)
    assert (found.p_value < 0.05) == (found.low > 0 or found.high < 0)
    same = corrected_resampled_difference(a, b, n_train=1, n_test=1e-15)
    assert same.p_value == pytest.approx(stats.ttest_rel(a, b).pvalue)


def test_without_test_rows_it_would_be_the_paired_t_interval():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=10), rng.normal(0.5, 1, size=10)
    found = corrected_resampled_difference(a, b, n_train=1, n_test=1e-15)
    expected = stats.ttest_rel(a, b).confidence_interval(0.95)
    assert found.low == pytest.approx(expected.low)
    assert found.high == pytest.approx(expected.high)
    wider = corrected_resampled_difference(a, b, n_train=9, n_test=1)
    assert wider.high - wider.low == pytest.approx(
        (found.high - found.low) * math.sqrt(1 + 10 / 9)
    )


@pytest.mark.parametrize(
    ("sign", "greater", "verdict"),
    [
        (1, True, "better"),
        (1, False, "worse"),
        (-1, True, "worse"),
        (-1, False, "better"),
    ],
)
def test_verdict_follows_the_orientation(sign, greater, verdict):
    a = sign * np.array([1.0, 1.01, 0.99])
    found = corrected_resampled_difference(
        a, np.zeros(3), n_train=9, n_test=1, greater_is_better=greater
    )
    assert found.verdict == verdict


def test_equal_values_differ_by_exactly_zero_and_nan_folds_are_left_out():
    found = corrected_resampled_difference(
        [0.5, 0.25, math.nan], [0.5, 0.25, 1.0], n_train=2, n_test=1
    )
    assert (found.mean, found.low, found.high, found.p_value) == (0, 0, 0, 1)
    assert found.n_folds == 2
    assert found.verdict == "undecided"


def test_rounding_noise_is_no_difference():
    found = corrected_resampled_difference(
        [0.1 + 0.2] * 5, [0.3] * 5, n_train=4, n_test=1
    )
    assert (found.mean, found.p_value, found.verdict) == (0, 1, "undecided")


def test_one_fold_gives_no_interval():
    found = corrected_resampled_difference([0.5], [0.25], n_train=2, n_test=1)
    assert found.mean == 0.25
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert math.isnan(found.p_value)
    assert found.verdict == "undecided"


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="confidence must lie between"):
        corrected_resampled_difference([1], [1], n_train=1, n_test=1, confidence=1)
    with pytest.raises(ValueError, match="must be positive"):
        corrected_resampled_difference([1], [1], n_train=0, n_test=1)
    with pytest.raises(ValueError, match=r"shapes \(1,\) and \(2,\)"):
        corrected_resampled_difference([1], [1, 2], n_train=1, n_test=1)
