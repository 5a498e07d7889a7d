"""Ties: values as good as the best, and orders of values as good as each other."""

import numpy as np
import pytest

from labelsift.score.ranking import (
    best_within,
    order_from_scores,
    order_within,
    ranking_from_order,
    rounded,
)


@pytest.mark.parametrize(
    ("values", "tolerance", "best"),
    [
        ([1.0, 2.0, 2.0], 0.0, 1),
        ([1.95, 2.0, 1.0], 0.1, 0),
        ([1.95, 2.0, 1.0], 0.01, 1),
        ([-np.inf, -5.0, -4.0], 1.0, 1),
        ([-np.inf, -np.inf], 1e-8, 0),
    ],
)
def test_of_values_as_good_as_the_best_the_first_wins(values, tolerance, best):
    assert best_within(np.array(values), tolerance) == best


def test_chains_of_close_values_go_by_index():
    values = np.array([1.0, 3.05, 2.0, 3.0, 2.96, 2.01])
    assert order_within(values, 0.05).tolist() == [1, 3, 4, 2, 5, 0]
    assert order_within(values, 0.0).tolist() == [1, 3, 4, 5, 2, 0]
    assert order_within(values, 5.0).tolist() == list(range(6))
    assert order_within(np.empty(0), 0.1).tolist() == []
    assert order_within(np.zeros(1), 0.1).dtype == np.int64


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1 / 3, 0.333333333333),
        (-2e15 / 3, -666666666667e3),
        (123456789012.6, 123456789013.0),
        (0.1234567890126, 0.123456789013),
        (9.999999999996e-5, 1e-4),
        (1.5, 1.5),
    ],
)
def test_scores_have_12_digits(value, expected):
    assert rounded(np.array([value]))[0] == pytest.approx(expected, rel=2e-16)


def test_zeros_infinities_and_the_largest_numbers_stay():
    values = np.array([0.0, np.inf, -np.inf, 5e-324, np.finfo(float).max])
    found = rounded(values)
    assert found[:4].tolist() == values[:4].tolist()
    assert found[4] == pytest.approx(values[4], rel=1e-11)
    assert rounded(np.array([1234.5, 0.0012346]), 3).tolist() == pytest.approx(
        [1230, 0.00123], rel=1e-15
    )


def test_noise_in_the_13th_digit_decides_nothing():
    scores = np.array([1.0, 1.0 + 4e-13, 2.0, 1.0 - 4e-13, 1.0 + 6e-12])
    assert order_from_scores(scores).tolist() == [2, 4, 0, 1, 3]
    last = np.array([True, False, False, False, False])
    assert order_from_scores(scores, last).tolist() == [2, 4, 1, 3, 0]
    assert ranking_from_order(np.array([2, 0, 1])).tolist() == [2, 3, 1]
