import itertools
import math

import pytest
from scipy.stats import chi2

from labelsift.kernels.pair_scores import minus_log10_p


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 30, 255])
@pytest.mark.parametrize("x", [1e-3, 0.5, 1.0, 3.0, 10.0, 55.0, 300.0, 900.0])
def test_agrees_with_scipy_where_that_is_finite(x, df):
    expected = -chi2.logsf(x, df) / math.log(10)
    assert minus_log10_p(x, df) == pytest.approx(expected, rel=1e-11, abs=1e-13)


@pytest.mark.parametrize("x", [1e4, 1e6, 1e9])
def test_two_degrees_of_freedom_are_an_exponential_however_large(x):
    assert minus_log10_p(x, 2) == pytest.approx(x / 2 / math.log(10), rel=1e-14)


@pytest.mark.parametrize("x", [1e4, 1e6, 1e9])
def test_four_degrees_of_freedom_have_a_closed_form(x):
    expected = (x / 2 - math.log1p(x / 2)) / math.log(10)
    assert minus_log10_p(x, 4) == pytest.approx(expected, rel=1e-13)


def test_one_degree_of_freedom_has_the_normal_tail():
    # erfc(z) for z^2 = 1e6 / 2 is below any float: asymptotic series to four terms
    t = 5e5
    series = 1 - 1 / (2 * t) + 3 / (4 * t**2) - 15 / (8 * t**3)
    expected = (t + 0.5 * math.log(math.pi * t) - math.log(series)) / math.log(10)
    assert minus_log10_p(1e6, 1) == pytest.approx(expected, rel=1e-14)


def test_nothing_seen_is_no_evidence():
    assert minus_log10_p(0.0, 4) == 0.0
    assert minus_log10_p(5.0, 0) == 0.0


def test_rises_with_the_statistic_across_both_formulas():
    for df in (1, 4, 9):
        values = [minus_log10_p(x / 50, df) for x in range(1, 1500)]
        assert all(a < b for a, b in itertools.pairwise(values))
