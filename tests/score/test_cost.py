import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.score import generate_test_costs, purchase
from labelsift.score.cost import cost_threshold, standardized_relevance, z_scores
from labelsift.score.purchase import Prices, best_within, greedy_steps
from reference import cost as reference


def test_threshold_readings_of_the_worked_example():
    scores = np.array([1.334343, -1.261404, -1.406272])
    costs = np.array([10.0, 40.0, 20.0])
    assert cost_threshold(scores, costs) == pytest.approx(0.918267, abs=1e-6)
    assert cost_threshold(scores, costs, cost="raw") == pytest.approx(
        -11.138185, abs=1e-6
    )
    mean = scores.mean()
    assert cost_threshold(scores, costs, bars="signed") == pytest.approx(
        mean - 0.415740, abs=1e-6
    )
    assert cost_threshold(scores, costs, bars="abs_of_mean") == pytest.approx(
        -mean - 0.415740, abs=1e-6
    )


def test_printed_standardisation_is_the_inverse_coefficient_of_variation():
    nig = np.array([[0.255981, 0.023925], [0, 0.094361], [0, 0]])
    printed = standardized_relevance(nig, "labels")
    np.testing.assert_allclose(printed[:2], [1.206198, 1.0], atol=1e-5)
    assert printed[2] == -np.inf
    # it does not see the amount of information
    np.testing.assert_allclose(
        standardized_relevance(nig * 0.001, "labels")[:2], printed[:2], rtol=1e-9
    )
    # information that is the same for all labels: clipped, far above the rest
    alike = standardized_relevance(np.array([[0.2, 0.2, 0.2]]), "labels")
    np.testing.assert_allclose(alike, [2 * 0.2 / 1e-12])
    # one label: as over the features
    one = np.array([[0.1], [0.3]])
    assert standardized_relevance(one, "labels").tolist() == pytest.approx([-1, 1])


def test_equal_values_standardise_to_zero():
    assert z_scores(np.full(5, 0.1)).tolist() == [0.0] * 5


def test_costs_of_one_feature_can_be_drawn():
    assert generate_test_costs(1, low=7, high=7).tolist() == [7.0]


@pytest.mark.parametrize("distribution", ["uniform", "normal", "pareto"])
def test_drawn_costs_are_whole_in_range_and_repeat_by_seed(distribution):
    costs = generate_test_costs(2000, distribution, random_state=3)
    assert costs.dtype == np.float64
    assert (costs == np.rint(costs)).all()
    assert costs.min() >= 1
    assert costs.max() <= 100
    again = generate_test_costs(2000, distribution, random_state=3)
    assert (costs == again).all()
    other = generate_test_costs(2000, distribution, random_state=4)
    assert (costs != other).any()
    narrow = generate_test_costs(500, distribution, low=0, high=3, random_state=0)
    assert set(narrow) <= {0, 1, 2, 3}
    assert len(set(narrow)) > 1


def test_drawn_costs_have_the_shape_of_their_distribution():
    draw = {
        name: generate_test_costs(20_000, name, random_state=0)
        for name in ("uniform", "normal", "pareto")
    }
    assert draw["uniform"].mean() == pytest.approx(50.5, abs=1)
    assert draw["uniform"].std() == pytest.approx(np.sqrt((100**2 - 1) / 12), abs=0.5)
    assert set(draw["uniform"]) == set(range(1, 101))
    assert draw["normal"].mean() == pytest.approx(50.5, abs=0.5)
    assert draw["normal"].std() == pytest.approx(99 / 8, abs=0.3)
    # low - 1 + 1/u: the median of 1/u is 2
    assert np.median(draw["pareto"]) == 2
    assert (draw["pareto"] > 10.5).mean() == pytest.approx(1 / 10.5, abs=0.01)
    assert draw["pareto"].max() == 100


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"distribution": "cauchy"}, "uniform, normal, pareto; found 'cauchy'"),
        ({"low": -1}, "0 <= low <= high"),
        ({"low": 5, "high": 4}, "0 <= low <= high"),
        ({"low": 1.2, "high": 1.8}, "no whole number"),
        ({"n_features": 0}, "at least 1"),
        ({"high": float("inf")}, "drawn up to 1e[+]15.*found high=inf"),
        ({"high": 1e300, "distribution": "normal"}, "drawn up to 1e[+]15"),
    ],
)
def test_wrong_draws_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        generate_test_costs(**{"n_features": 3, **settings})


# TSH alone 20, blood 2 once, FTI free with TT4 and T4U
THYROID = Prices(
    np.array([1.0, 20.0, 12.0, 9.0, 0.0]), ((2.0, (1, 2, 3)),), {4: (2, 3)}
)


def test_shared_prices_are_paid_once_and_parts_are_bought():
    def total(*features):
        mask = np.zeros(5, dtype=bool)
        mask[list(features)] = True
        return THYROID.total(mask)

    assert total() == 0
    assert total(0) == 1
    assert total(1) == 22
    assert total(1, 2) == 34
    assert total(2, 3) == total(2, 3, 4) == total(4) == 23
    assert THYROID.alone().tolist() == [1, 22, 14, 11, 23]


def test_budget_buys_what_tells_most():
    value = np.array([0.1, 0.5, 0.2, 0.2, 0.3])

    def bought(budget, **settings):
        return np.flatnonzero(best_within(THYROID, value, budget, **settings)).tolist()

    assert bought(0) == []
    assert bought(5) == [0]
    assert bought(22) == [1]  # 0.5, against 0.1 + 0.2
    assert bought(23) == [2, 3, 4]  # 0.7
    assert bought(24) == [0, 2, 3, 4]
    assert bought(43) == [1, 2, 3, 4]
    assert bought(44) == [0, 1, 2, 3, 4]
    assert bought(44, n_most=2) == [1, 3]  # 2 tells as much, but costs more
    assert bought(44, candidates=np.array([1, 1, 0, 0, 0], dtype=bool)) == [0, 1]


@pytest.mark.parametrize("own", [[5.0, 3.0, 4.0], [3.0, 5.0, 4.0], [4.0, 5.0, 3.0]])
def test_of_sets_that_tell_as_much_the_cheapest_is_bought(own):
    prices = Prices(np.array(own), ((1.0, (0, 1, 2)),))
    mask = best_within(prices, np.full(3, 0.5), 7.0, n_most=1)
    assert mask.tolist() == [cost == 3.0 for cost in own]


@st.composite
def purchases(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    d = int(rng.integers(1, 9))
    own = np.round(rng.uniform(0, 10, d), 1) * (rng.random(d) < 0.8)
    groups = tuple(
        (
            float(np.round(rng.uniform(0, 6), 1)),
            tuple(np.flatnonzero(rng.random(d) < 0.5).tolist()),
        )
        for _ in range(rng.integers(0, 3))
    )
    groups = tuple(g for g in groups if g[1])
    parts = {0: (d - 1,)} if d > 1 and rng.random() < 0.5 else {}
    value = np.round(rng.random(d), 3) * (rng.random(d) < 0.8)
    return Prices(own, groups, parts), value, float(rng.uniform(0, 25))


@given(case=purchases(), n_most=st.integers(1, 9))
def test_exact_purchase_is_the_best_of_all_sets(case, n_most):
    prices, value, budget = case
    mask = best_within(prices, value, budget, n_most=n_most)
    assert prices.total(mask) <= budget * (1 + 1e-8)
    assert (mask == prices.with_parts(np.flatnonzero(mask))).all()
    assert mask.sum() <= n_most

    def closed_cost(chosen):
        closed = prices.with_parts(chosen)
        return prices.total(closed) if set(np.flatnonzero(closed)) == chosen else np.inf

    _, best = reference.best_set(value.tolist(), closed_cost, budget, n_most)
    assert value[mask].sum() == pytest.approx(best, abs=1e-9)


@given(case=purchases(), n_most=st.integers(1, 9))
def test_greedy_purchase_is_at_least_half_as_good_without_shared_prices(case, n_most):
    prices, value, budget = case
    plain = Prices(prices.own)
    exact = best_within(plain, value, budget)
    limit = purchase.EXACT_LIMIT
    purchase.EXACT_LIMIT = -1
    try:
        greedy = best_within(plain, value, budget)
        capped = best_within(prices, value, budget, n_most=n_most)
    finally:
        purchase.EXACT_LIMIT = limit
    assert plain.total(greedy) <= budget * (1 + 1e-8)
    assert 2 * value[greedy].sum() >= value[exact].sum() - 1e-12
    assert prices.total(capped) <= budget * (1 + 1e-8)
    assert capped.sum() <= n_most


def test_many_priced_features_are_bought_by_value_for_money():
    rng = np.random.default_rng(0)
    prices, value = Prices(rng.integers(1, 100, 400).astype(float)), rng.random(400)
    mask = best_within(prices, value, 500.0)
    order = np.argsort(-value / prices.own, kind="stable")
    surely = order[: np.searchsorted(np.cumsum(prices.own[order]), 500.0)]
    assert mask[surely].all()
    assert prices.total(mask) <= 500


def test_curve_of_money_and_information_rises_to_everything():
    steps, curve = greedy_steps(THYROID, np.array([0.1, 0.5, 0.2, 0.2, 0.0]))
    assert sorted(steps) == [0, 1, 2, 3]
    assert curve[0].tolist() == [0, 0]
    assert (np.diff(curve, axis=0) >= 0).all()
    assert curve[-1].tolist() == pytest.approx([44, 1.0])
    assert steps[0] == 0  # 0.1 for 1


@given(case=purchases())
def test_sorting_by_ratio_takes_the_steps_of_the_search(case):
    prices, value, _ = case
    plain = Prices(prices.own)
    steps, curve = greedy_steps(plain, value)
    same = Prices(prices.own, ((0.0, (0,)),))  # a group without a price
    searched, searched_curve = greedy_steps(same, value)
    assert steps == searched
    np.testing.assert_allclose(curve, searched_curve, atol=1e-9)


def test_the_dearest_test_costs_as_much_as_whole_numbers_are_exact():
    found = generate_test_costs(4, low=1e15, high=1e15)
    assert found.tolist() == [1e15] * 4
    with pytest.raises(ValueError, match="costs are drawn up to 1e\\+15"):
        generate_test_costs(4, high=1e15 + 1)


def test_what_is_free_and_tells_nothing_is_not_bought():
    prices = Prices(np.array([0.0, 5.0, 1.0]))
    relevance = np.array([0.0, 1.0, 0.0])
    for candidates in (None, np.ones(3, dtype=bool)):
        bought = best_within(prices, relevance, 9.0, candidates=candidates)
        assert bought.tolist() == [False, True, False]
    none = best_within(prices, relevance, 9.0, candidates=relevance == 0)
    assert not none.any()
