import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift import Dataset
from labelsift.select import CSIG, MLFSIE, InfoGain
from reference import cost as reference

X = np.array(
    [
        [0, 0, 1],
        [0, 1, 1],
        [1, 0, 0],
        [1, 1, 1],
        [2, 0, 0],
        [2, 1, 1],
        [0, 1, 0],
        [1, 0, 0],
    ]
)
Y = np.array([[1, 1], [1, 0], [0, 1], [0, 0], [0, 0], [0, 1], [1, 0], [1, 1]])
COSTS = [10, 40, 20]


def fit(costs=COSTS, **settings):
    return CSIG(costs, discretize="none", **settings).fit(X, Y)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_worked_example_over_features(container):
    fitted = CSIG(COSTS, discretize="none").fit(container(X), Y)
    np.testing.assert_allclose(
        fitted.scores_per_label_.values,
        [[0.255981, 0.023925], [0, 0.094361], [0, 0]],
        atol=1e-6,
    )
    np.testing.assert_allclose(fitted.relevance_, [0.279906, 0.094361, 0], atol=1e-6)
    np.testing.assert_allclose(
        fitted.scores_, [1.334343, -1.261404, -1.406272], atol=1e-6
    )
    assert fitted.threshold_ == pytest.approx(0.918267, abs=1e-6)
    assert fitted.get_support(indices=True).tolist() == [0]
    assert fitted.total_cost_ == 10
    assert fitted.cost_share_ == pytest.approx(1 / 7)
    np.testing.assert_allclose(
        fitted.cost_curve_, [[0, 0], [10, 0.747878], [50, 1]], atol=1e-6
    )


def test_raw_costs_in_the_threshold_keep_everything():
    fitted = fit(threshold_cost="raw")
    assert fitted.threshold_ == pytest.approx(-11.138185, abs=1e-6)
    assert fitted.get_support().all()


def test_worked_example_as_printed():
    fitted = fit(standardize="labels")
    np.testing.assert_allclose(fitted.scores_[:2], [1.206198, 1 - 1], atol=1e-6)
    assert fitted.scores_[2] == -np.inf
    assert fitted.order_.tolist() == [0, 1, 2]
    # mean |1.206198|, |0| less 0.415740
    assert fitted.threshold_ == pytest.approx(0.603099 - 0.415740, abs=1e-6)
    assert fitted.get_support(indices=True).tolist() == [0]


def test_mlfsie_is_selection_without_costs():
    kept = MLFSIE(discretize="none").fit(X, Y)
    np.testing.assert_allclose(
        kept.scores_, [1.334343, -0.261404, -1.072939], atol=1e-6
    )
    assert kept.get_support(indices=True).tolist() == [0]
    free = fit(costs=None, threshold=0.0)
    assert (free.scores_ == kept.scores_).all()
    assert (free.get_support() == kept.get_support()).all()
    assert free.total_cost_ == free.cost_share_ == 0
    automatic = MLFSIE(threshold="auto", discretize="none").fit(X, Y)
    # mean |z| = 0.889562, std of the sums 0.116275
    assert automatic.threshold_ == pytest.approx(0.889562 - 0.116275, abs=1e-5)
    assert MLFSIE(threshold=None, discretize="none").fit(X, Y).get_support().all()
    assert MLFSIE(2, discretize="none").fit(X, Y).get_support().sum() == 2
    with pytest.warns(UserWarning, match="no feature reaches the threshold 9"):
        best = MLFSIE(threshold=9.0, discretize="none").fit(X, Y)
    assert best.get_support(indices=True).tolist() == [0]


@pytest.mark.parametrize("standardize", ["features", "labels"])
@given(seed=st.integers(0, 2**32 - 1))
def test_matches_plain_python_reference(standardize, seed):
    rng = np.random.default_rng(seed)
    n, d, k = (int(i) for i in rng.integers([4, 2, 1], [30, 6, 4]))
    table = rng.integers(0, 3, (n, d))
    labels = (rng.random((n, k)) < 0.5).astype(int)
    costs = np.round(rng.uniform(0, 50, d), 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        fitted = CSIG(costs, standardize=standardize, discretize="none").fit(
            table, labels
        )
    gains = reference.relevance(table.tolist(), labels.tolist())
    np.testing.assert_allclose(fitted.scores_per_label_.values, gains, atol=1e-10)
    expected, paid = reference.scores(
        table.tolist(), labels.tolist(), costs.tolist(), standardize
    )
    clipped = np.abs(expected) > 1e9  # equal but for rounding, divided by 1e-12
    near = np.isfinite(expected) & ~clipped
    np.testing.assert_allclose(
        fitted.scores_[near], np.array(expected)[near], atol=1e-6
    )
    assert (np.isinf(fitted.scores_) == np.isinf(expected)).all()
    if near.all():
        level = np.mean(np.abs(expected)) - reference.deviation(paid)
        assert fitted.threshold_ == pytest.approx(level, abs=1e-6)


def test_costs_by_name_number_file_or_data_set(tmp_path):
    frame = pd.DataFrame(X, columns=["age", "TSH", "T3"])
    path = tmp_path / "costs.csv"
    path.write_text("feature,cost\nTSH,40\nT3,20\nage,10\n")
    data = Dataset(X.astype(float), Y, frame.columns, ["a", "b"], test_costs=COSTS)
    expected = fit().scores_
    for costs in (
        {"T3": 20, "age": 10, "TSH": 40},
        {2: 20, "age": 10, 1: 40},
        str(path),
        path,
        data,
        np.array(COSTS),
        pd.Series(COSTS),
    ):
        fitted = CSIG(costs, discretize="none").fit(frame, Y)
        assert (fitted.scores_ == expected).all()


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (
            [1, 2],
            r"one number for each of the 3 features; found 2\. Give all, in column",
        ),
        ([1, -2, 3], "cost of 'TSH' must be a number of 0 or more"),
        ([1, np.nan, 3], "cost of 'TSH' must be a number of 0 or more"),
        ({"age": 1, "TSH": 2}, "costs are missing for 'T3'"),
        (
            {"age": 1, "TSH": 2, "T3": 3, "T4": 1},
            "costs name 'T4', which is no feature",
        ),
        ({"age": "cheap", "TSH": 2, "T3": 3}, "found 'cheap'"),
        (Dataset(X.astype(float), Y, "abc", "de"), "has no test_costs"),
    ],
)
def test_wrong_costs_are_named(costs, message):
    frame = pd.DataFrame(X, columns=["age", "TSH", "T3"])
    with pytest.raises(ValueError, match=message):
        CSIG(costs).fit(frame, Y)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cost_groups": {"blood": ["x1", "x9"]}}, "names 'x9', which is no feature"),
        ({"cost_groups": {"blood": []}}, "lists no feature"),
        ({"cost_groups": {"blood": (-1, ["x1"])}}, "price must be a number of 0 or"),
        ({"cost_groups": {"blood": [1, 1]}}, "lists 'x1' twice"),
        ({"cost_groups": {"blood": [7]}}, "column numbers from 0 to 2"),
        ({"derived_features": {"x0": ["x1"], "x1": ["x0"]}}, "computed from itself"),
        ({"derived_features": {"y": ["x1"]}}, "names 'y', which is no feature"),
        ({"costs": None, "budget": 3}, "budget= needs costs"),
        ({"costs": None, "cost_groups": {"a": [0]}}, "need costs"),
        ({"budget": 5}, "budget=5 buys no feature .* cheapest feature costs 10"),
        ({"budget": -5}, "'budget' parameter"),
        ({"budget": 50, "threshold": 9.0}, "no feature reaches threshold=9, so budget"),
        ({"costs": np.array([-1.0, 2, 3])}, r"cost of 'x0' .* found -1\.0\."),
    ],
)
def test_wrong_groups_and_budgets_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        fit(**settings)
    with pytest.raises(TypeError, match="must map the name of a group"):
        fit(cost_groups=["x0"])
    with pytest.raises(TypeError, match="must map a feature"):
        fit(derived_features=["x0"])
    with pytest.raises(TypeError, match="must list features"):
        fit(cost_groups={"a": "x0"})


def test_budget_keeps_what_tells_most_for_the_money():
    assert fit(budget=10).get_support(indices=True).tolist() == [0]
    assert fit(budget=40).get_support(indices=True).tolist() == [0]
    both = fit(budget=50)
    assert both.get_support(indices=True).tolist() == [0, 1]
    assert both.total_cost_ == 50
    # x2 tells nothing: it is not bought however much money there is
    assert fit(budget=1000).get_support(indices=True).tolist() == [0, 1]
    assert fit(budget=1000, n_features_to_select=1).get_support().sum() == 1
    assert fit(budget=1000, threshold=0.0).get_support(indices=True).tolist() == [0]
    assert both.order_.tolist() == [0, 1, 2]


def test_kept_features_come_first_in_the_order_of_a_budget():
    rng = np.random.default_rng(0)
    labels = (rng.random((200, 2)) < 0.5).astype(int)
    table = np.c_[labels, labels] + (rng.random((200, 4)) < [0.1, 0.1, 0.2, 0.2])
    fitted = CSIG([50, 50, 10, 10], budget=20, discretize="none").fit(table, labels)
    assert fitted.get_support(indices=True).tolist() == [2, 3]
    assert set(fitted.order_[:2]) == {2, 3}
    assert fitted.total_cost_ == 20


def test_features_bought_together_cost_the_dearest_of_them():
    fitted = fit(cost_groups={"blood": ["x0", "x1"]}, n_features_to_select=1)
    assert fitted.costs_.tolist() == [40, 40, 20]
    assert fitted.total_cost_ == 40
    two = fit(cost_groups={"blood": ["x0", "x1"]}, budget=40)
    assert two.get_support(indices=True).tolist() == [0, 1]
    assert two.total_cost_ == 40
    assert two.cost_share_ == pytest.approx(40 / 60)


def test_price_paid_once_is_on_top_of_the_features_own():
    needle = {"needle": (5, ["x0", "x1"])}
    fitted = fit(cost_groups=needle)
    assert fitted.costs_.tolist() == [15, 45, 20]
    assert fit(cost_groups=needle, budget=54).get_support().sum() == 1
    both = fit(cost_groups=needle, budget=55)
    assert both.get_support(indices=True).tolist() == [0, 1]
    assert both.total_cost_ == 55
    assert both.cost_of([]) == 0
    assert both.cost_of(["x0"]) == both.cost_of([True, False, False]) == 15
    assert both.cost_of([0, 1, 2]) == 75
    with pytest.raises(ValueError, match="features names 'x7', which is not"):
        both.cost_of(["x7"])


def test_what_is_computed_is_free_once_its_parts_are_bought():
    labels = Y[:, [0]]
    table = np.c_[X, X[:, 1] * 2 + Y[:, 0]]
    names = {"x0": 10, "x1": 40, "x2": 20}
    fitted = CSIG(names, derived_features={"x3": ["x1", "x2"]}, discretize="none")
    fitted.fit(table, labels)
    assert fitted.costs_.tolist() == [10, 40, 20, 60]
    rich = fitted.set_params(budget=60).fit(table, labels)
    assert rich.get_support(indices=True).tolist() == [1, 2, 3]
    assert rich.total_cost_ == 60


def test_class_vector_and_streams():
    y = Y[:, 0] + 2 * Y[:, 1]
    fitted = fit().fit(X, y)
    assert fitted.scores_per_label_.label_names == ("class",)
    parts = CSIG(COSTS, discretize="none", threshold=0.5)
    parts.partial_fit(X[:4], Y[:4])
    parts.partial_fit(X[4:], Y[4:])
    np.testing.assert_allclose(parts.scores_, fit().scores_, rtol=1e-12)
    assert parts.total_cost_ == 10


def test_merging_compares_costs_that_are_arrays():
    def part(rows, costs):
        selector = CSIG(np.array(costs), discretize="none", threshold=None)
        return selector.partial_fit(X[rows], Y[rows])

    merged = part(slice(0, 4), COSTS).merge(part(slice(4, 8), COSTS))
    np.testing.assert_allclose(merged.scores_, fit().scores_, rtol=1e-12)
    with pytest.raises(ValueError, match="only selectors of equal settings"):
        part(slice(0, 4), COSTS).merge(part(slice(4, 8), [1, 2, 3]))


def test_nothing_above_the_threshold_keeps_the_best_with_a_warning():
    with pytest.warns(UserWarning, match="no feature reaches the threshold 5"):
        fitted = fit(threshold=5.0)
    assert fitted.get_support(indices=True).tolist() == [0]


def test_without_costs_the_ranking_is_that_of_normalised_gain():
    rng = np.random.default_rng(2)
    labels = (rng.random((150, 3)) < 0.4).astype(int)
    table = rng.normal(size=(150, 6)) + np.c_[labels, labels] * [0, 1, 2, 1, 0, 3]
    assert set(CSIG(n_features_to_select=2).fit(table, labels).order_[:2]) == set(
        InfoGain(discretize="equal_width").fit(table, labels).order_[:2]
    )


def test_one_feature_has_a_cost_by_number_and_by_name():
    fitted = fit()
    assert fitted.cost_of("x2") == fitted.cost_of(2) == fitted.costs_[2]
