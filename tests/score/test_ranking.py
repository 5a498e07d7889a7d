"""Ties: values as good as the best, and orders of values as good as each other."""

import numpy as np
import pytest

from labelsift.score.ranking import best_within, order_within


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
