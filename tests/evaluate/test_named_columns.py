"""Selectors whose settings name columns are compared like any other."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from labelsift.evaluate import cross_validate
from labelsift.evaluate._named_columns import by_position
from labelsift.learn import BRkNN
from labelsift.select import CSIG, D2F, BudgetedGroups, Chi2, InfoGain

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.integers(0, 3, (60, 4)), columns=["age", "TSH", "T3", "ratio"])
Y = pd.DataFrame({"ill": X["TSH"] > 0, "old": X["age"] > 1}).astype(int)
COSTS = {"age": 0, "TSH": 20, "T3": 10, "ratio": 0}
PRICES = [0, 20, 10, 0]
GROUPS = {"blood": (2.0, ["TSH", "T3"])}
DERIVED = {"ratio": ["TSH", "T3"]}


def orders(selector, table):
    results = cross_validate(selector, BRkNN(5), table, Y, grid=[2], cv=3)
    return [ranking.order.tolist() for ranking in results.rankings]


@pytest.mark.parametrize(
    ("named", "numbered"),
    [
        (CSIG(COSTS), CSIG(PRICES)),
        (
            CSIG(COSTS, budget=25, cost_groups=GROUPS, derived_features=DERIVED),
            CSIG(
                PRICES, budget=25, cost_groups={"blood": (2.0, [1, 2])},
                derived_features={3: [1, 2]},
            ),
        ),
        (
            BudgetedGroups(D2F(categorical_features=["T3"]), budget=9, costs=COSTS),
            BudgetedGroups(D2F(categorical_features=[2]), budget=9, costs=PRICES),
        ),
        (
            CSIG(COSTS, cost_groups={"all at once": ["TSH", "T3"]}),
            CSIG(PRICES, cost_groups={"all at once": [1, 2]}),
        ),
        (InfoGain(categorical_features=["TSH"]), InfoGain(categorical_features=[1])),
    ],
)  # fmt: skip
def test_names_of_columns_mean_the_columns(named, numbered):
    assert orders(named, X) == orders(numbered, X.to_numpy())


def test_names_mean_their_columns_whatever_their_order():
    turned = X[["T3", "ratio", "age", "TSH"]]
    place = [turned.columns.get_loc(name) for name in X.columns]
    scores = cross_validate(CSIG(COSTS), BRkNN(5), X, Y, grid=[2], cv=3).rankings
    others = cross_validate(CSIG(COSTS), BRkNN(5), turned, Y, grid=[2], cv=3).rankings
    for one, other in zip(scores, others, strict=True):
        np.testing.assert_allclose(one.scores, other.scores[place], rtol=1e-12)


def test_inside_another_estimator():
    pipe = make_pipeline(FunctionTransformer(), CSIG(COSTS))
    [found] = by_position({"pipe": pipe}, list(X.columns)).values()
    assert found["csig"].costs == {0: 0, 1: 20, 2: 10, 3: 0}
    assert pipe["csig"].costs is COSTS  # what was given stays as it is


def test_what_names_nothing_is_the_same_object():
    for selector in (Chi2(), CSIG([1, 2, 3, 4]), InfoGain(categorical_features=[True])):
        assert by_position({"a": selector}, list("abcd"))["a"] is selector


def test_a_name_that_is_no_column_is_named():
    with pytest.raises(ValueError, match="'wrong', which is no feature"):
        orders(CSIG({**COSTS, "wrong": 1}), X)
    with pytest.raises(ValueError, match="'wrong', which is not a feature"):
        orders(InfoGain(categorical_features=["wrong"]), X)
