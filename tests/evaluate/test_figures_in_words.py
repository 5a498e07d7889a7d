"""Figures of a recommendation in words: as many decimals as tell them apart."""

import math

import pytest

from labelsift.evaluate.recommend_words import decimals, figure


@pytest.mark.parametrize(
    ("values", "places"),
    [
        ([0.2, 0.03], 3),
        ([0.2, 0.004], 4),
        ([0.2, -0.0004], 5),
        ([1e-9, 0.5], 5),
        ([0.0, math.nan], 3),
        ([], 3),
        ([math.inf, 0.004], 4),
        ([250.0], 3),
    ],
)
def test_the_smallest_decides_how_many_decimals(values, places):
    assert decimals(values) == places


@pytest.mark.parametrize(
    ("value", "places", "signed", "text"),
    [
        (0.12345, 3, False, "0.123"),
        (0.12345, 3, True, "+0.123"),
        (-0.5, 2, True, "-0.50"),
        (-0.0001, 3, True, "0.000"),
        (0.0001, 3, True, "0.000"),
        (math.nan, 3, False, "unknown"),
    ],
)
def test_a_zero_has_no_sign_and_nan_is_unknown(value, places, signed, text):
    assert figure(value, places, signed=signed) == text
