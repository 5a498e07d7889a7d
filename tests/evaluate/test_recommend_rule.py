"""The rules of a recommendation, on numbers worked by hand."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import sparse, stats

from labelsift.encode.labels import as_label_matrix
from labelsift.evaluate.metrics import hamming_loss, micro_f1
from labelsift.evaluate.recommend_constant import constant_answer, constant_value
from labelsift.evaluate.recommend_portfolio import (
    MedianFilled,
    TableFacts,
    default_portfolio,
)
from labelsift.evaluate.recommend_rule import (
    Curve,
    choose,
    decide,
    promise,
    within_bounds,
)
from labelsift.evaluate.recommend_setup import rows_to_search, sizes_to_try
from labelsift.select import Chi2

CONSTANT = np.array([0.5, 0.5, 0.5, 0.5])


def curve(name, sizes, rows, burden=None):
    burden = sizes if burden is None else burden
    return Curve(name, "c", tuple(sizes), np.array(rows), np.array(burden, float))


def pick(curves, *, metric="hamming_loss", rule="one_se", tolerance=1.0, base=CONSTANT):
    found = choose(curves, base, metric=metric, rule=rule, tolerance=tolerance)
    return found.selector, found.n_features


# best: b at 8, mean 0.2, deviation 0.04, standard error over 4 folds 0.02
B = curve(
    "b",
    [2, 4, 8],
    [[0.25] * 4, [0.215] * 4, [0.2 - 0.0346, 0.2 + 0.0346, 0.2 - 0.0346, 0.2 + 0.0346]],
)


def test_the_fewest_features_within_one_standard_error_of_the_best_are_chosen():
    assert pick([B], rule="best") == ("b", 8)
    assert pick([B]) == ("b", 4)
    a = curve("a", [2, 3], [[0.24] * 4, [0.219] * 4])
    assert pick([a, B]) == ("a", 3)
    assert pick([a, B], rule="best") == ("b", 8)


def test_no_more_than_half_of_the_tolerance_is_given_up():
    # the best gains 0.3 over the constant answer; 0.015 is 5 % of that
    assert pick([B], tolerance=0.11) == ("b", 4)
    assert pick([B], tolerance=0.09) == ("b", 8)
    assert pick([B], tolerance=0.0) == ("b", 8)


def test_equal_burdens_go_to_the_better_mean_then_to_the_first():
    a = curve("a", [4], [[0.212] * 4])
    assert pick([B, a]) == ("a", 4)
    same = curve("same", [4], [[0.215] * 4])
    assert pick([B, same]) == ("b", 4)
    assert pick([same, B]) == ("same", 4)


def test_with_costs_the_least_cost_is_chosen():
    dear = curve("dear", [3], [[0.21] * 4], burden=[100.0])
    cheap = curve("cheap", [9], [[0.21] * 4], burden=[7.0])
    best = curve("best", [9], B.values[2:], burden=[200.0])
    assert pick([dear, cheap, best]) == ("cheap", 9)


def test_greater_is_better_where_it_is():
    a = curve("a", [1, 2], [[0.7] * 4, [0.9] * 4])
    assert pick([a], metric="macro_f1") == ("a", 2)
    assert pick([a], metric="hamming_loss", base=1 - CONSTANT) == ("a", 1)


def test_undefined_values_never_win():
    a = curve("a", [1, 2], [[math.nan] * 4, [0.4, math.nan, 0.4, 0.4]])
    assert pick([a]) == ("a", 2)
    assert pick([curve("a", [3], [[math.nan] * 4])]) == ("a", 3)


def rule(chosen, everything, constant, *, ends_at_all=False, how="one_se", margin=0.05):
    n = len(chosen)
    return decide(
        np.array(chosen),
        np.array(everything),
        np.array(constant),
        ends_at_all=ends_at_all,
        metric="hamming_loss",
        rule=how,
        tolerance=margin,
        n_train=90.0,
        n_test=10.0 if n == 10 else 22.5,
    )


def test_a_loss_within_the_margin_is_recommended_and_a_larger_one_is_not():
    everything, constant = [0.2, 0.22, 0.18, 0.2], [0.4] * 4
    at = rule([v + 0.0099 for v in everything], everything, constant)
    assert at.verdict == "fewer"
    assert at.is_justified
    assert at.margin == pytest.approx(0.05 * 0.2)
    assert at.loss == pytest.approx(0.0099)
    above = rule([v + 0.0101 for v in everything], everything, constant)
    assert above.verdict == "loss"
    assert not above.is_justified
    assert rule([0.1] * 4, everything, constant).verdict == "fewer"


def test_a_loss_within_one_corrected_standard_error_is_no_reason_against():
    everything, constant = [0.2, 0.22, 0.18, 0.2], [0.4] * 4
    chosen = [0.25, 0.19, 0.23, 0.21]  # losses 0.05, -0.03, 0.05, 0.01
    found = rule(chosen, everything, constant)
    deviation = np.std([0.05, -0.03, 0.05, 0.01], ddof=1)
    assert found.error == pytest.approx(deviation * math.sqrt(1 / 4 + 22.5 / 90))
    assert found.margin == found.error
    assert found.loss == pytest.approx(0.02)
    assert found.verdict == "fewer"
    strict = rule(chosen, everything, constant, how="best")
    assert strict.margin == pytest.approx(0.01)
    assert strict.verdict == "loss"


def test_nothing_is_justified_without_a_gain_over_the_constant_answer():
    values, constant = [0.39, 0.42, 0.4, 0.38], [0.4] * 4
    assert rule(values, values, constant).verdict == "no signal"
    assert rule([0.4] * 4, [0.4] * 4, constant).verdict == "no signal"
    # all features are shown to be better, the chosen ones are not
    assert rule(values, [0.2] * 4, constant).verdict == "loss"
    # the chosen ones are, all are not
    assert rule([0.2] * 4, values, constant).verdict == "fewer"
    assert rule([0.2] * 4, [0.2] * 4, constant, ends_at_all=True).verdict == "all best"


def test_one_fold_is_too_few_to_justify_anything():
    found = rule([0.1], [0.2], [0.5])
    assert found.verdict == "no signal"


def test_the_promise_is_wider_by_the_noise_of_the_new_test():
    values = [0.2, 0.3, 0.4, 0.3]
    found = promise(values, n_train=30, n_test=10, n_new=20)
    t = stats.t.ppf(0.975, 3)
    deviation = math.sqrt(0.02 / 3)
    half = t * deviation * math.sqrt(1 / 4 + 10 / 30 + 10 / 20)
    assert found.mean == pytest.approx(0.3)
    assert found.high - found.mean == pytest.approx(half)
    assert found.mean - found.low == pytest.approx(half)
    assert within_bounds(found, "hamming_loss") == found
    wide = promise([0.1, 0.9, 0.5], n_train=30, n_test=10, n_new=20)
    assert wide.low < 0
    assert wide.high > 1
    cut = within_bounds(wide, "hamming_loss")
    assert (cut.low, cut.mean, cut.high) == (0.0, wide.mean, 1.0)
    far = promise([5, 9], n_train=9, n_test=1, n_new=5)
    assert within_bounds(far, "coverage").high == far.high
    one = promise([0.5, math.nan], n_train=9, n_test=1, n_new=5)
    assert one.mean == 0.5
    assert math.isnan(one.low)


@pytest.mark.parametrize("seed", range(3))
def test_the_promise_holds_as_often_as_it_says(seed):
    # folds of rows whose losses are independent: what the formula assumes
    rng = np.random.default_rng(seed)
    n, folds, trials = 200, 10, 2000
    rows = rng.random((trials, n)) < 0.3
    new = (rng.random((trials, n // 2)) < 0.3).mean(axis=1)
    by_fold = rows.reshape(trials, folds, -1).mean(axis=2)
    kept = 0
    for values, test in zip(by_fold, new, strict=True):
        found = promise(values, n_train=180, n_test=20, n_new=100)
        kept += found.low <= test <= found.high
    assert 0.94 <= kept / trials <= 0.99


# --- the constant answer


def test_the_constant_answer_is_the_majority_for_the_hamming_loss():
    Y = np.array([[1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 0, 1]])
    prediction, scores = constant_answer(Y, "hamming_loss")
    assert prediction.tolist() == [1, 0, 0]
    assert scores.tolist() == [0.75, 0.25, 0.5]
    assert constant_value(Y, Y, "hamming_loss") == pytest.approx(4 / 12)


def test_the_constant_answer_suits_the_metric():
    Y = np.array([[1, 0, 0]] * 3 + [[0, 1, 1]] * 2 + [[0, 1, 0]] * 2)
    # the most frequent set, where the labels of the majority are another one
    assert constant_answer(Y, "hamming_loss")[0].tolist() == [0, 1, 0]
    assert constant_answer(Y, "subset_accuracy")[0].tolist() == [1, 0, 0]
    assert constant_value(Y, Y, "subset_accuracy") == pytest.approx(3 / 7)
    # recall is best where everything is predicted
    assert constant_answer(Y, "micro_recall")[0].tolist() == [1, 1, 1]
    assert constant_value(Y, Y, "macro_auc") == pytest.approx(0.5)


def test_no_constant_answer_of_some_frequent_labels_is_better():
    rng = np.random.default_rng(0)
    Y = (rng.random((40, 5)) < [0.2, 0.6, 0.4, 0.5, 0.1]).astype(int)
    every = [np.tile(one, (40, 1)) for one in product([0, 1], repeat=5)]
    assert constant_value(Y, Y, "micro_f1") == max(micro_f1(Y, P) for P in every)
    lowest = min(hamming_loss(Y, P) for P in every)
    assert constant_value(Y, Y, "hamming_loss") == lowest


# --- the portfolio


def facts(**given):
    usual = {
        "n_samples": 600,
        "n_features": 70,
        "n_labels": 6,
        "n_label_sets": 27,
        "filled": 1.0,
        "is_sparse": False,
        "has_missing": False,
        "has_classes": False,
    }
    return TableFacts(**{**usual, **given})


def names_of(facts, **given):
    members, left_out = default_portfolio(facts, **given)
    seconds = [member.seconds for member in members]
    assert seconds == sorted(seconds)
    return {m.name for m in members}, {one.name for one in left_out}


def test_the_portfolio_suits_the_table():
    usual, none = names_of(facts())
    assert none == set()
    assert {"chi2 max", "SPEC", "ReliefF", "F statistic"} <= usual
    assert names_of(facts(), costs=np.ones(70))[0] == usual | {"CSIG"}
    assert {"RRSPFS", "gain ratio"} <= names_of(facts(has_classes=True))[0]
    holes = names_of(facts(has_missing=True))[0]
    assert "tolerance rough set" in holes
    assert "SPEC, gaps filled by medians" in holes
    sparse_holes = names_of(facts(has_missing=True, is_sparse=True, filled=0.1))[0]
    assert not any("medians" in name for name in sparse_holes)


def test_slow_methods_are_left_out_of_large_tables_and_named():
    large = facts(n_samples=100_000, n_features=500)
    members, left_out = default_portfolio(large)
    assert "ReliefF" in {one.name for one in left_out}
    assert "chi2 max" in {member.name for member in members}
    assert str(left_out[-1]).endswith("s on this table")
    huge = facts(n_samples=10**8, n_features=10**5)
    assert len(default_portfolio(huge)[0]) == 1


def test_facts_are_read_off_the_table():
    X = sparse.csr_array(np.array([[0.0, 1.0], [0.0, 0.0], [np.nan, 0.0], [2.0, 0.0]]))
    found = TableFacts.of(X, as_label_matrix([[1, 0], [1, 0], [0, 0], [1, 1]]))
    assert found == TableFacts(4, 2, 2, 3, 3 / 8, True, True, False)
    assert TableFacts.of(np.ones((3, 2)), as_label_matrix(["a", "b", "a"])).has_classes


def test_gaps_are_filled_by_the_median_of_the_column():
    X = np.array([[1.0, np.nan], [np.nan, np.nan], [3.0, np.nan], [9.0, np.nan]])
    Y = np.array([[1], [0], [1], [0]])
    filled = MedianFilled(Chi2()).fit(X, Y)
    by_hand = Chi2().fit(np.array([[1.0, 0], [3.0, 0], [3.0, 0], [9.0, 0]]), Y)
    assert (filled.scores_ == by_hand.scores_).all()
    assert (filled.order_ == by_hand.order_).all()
    assert np.isnan(X).sum() == 5


def test_sizes_and_rows():
    assert sizes_to_try(None, 1) == ()
    assert sizes_to_try(None, 4) == (1, 2, 3)
    assert max(sizes_to_try(None, 100)) == 99
    assert max(sizes_to_try(None, 300)) == 225
    assert len(sizes_to_try(None, 1449)) <= 16
    assert rows_to_search(5, None, 0).tolist() == [0, 1, 2, 3, 4]
    drawn = rows_to_search(1000, 30, 7)
    assert len(set(drawn.tolist())) == 30
    assert (np.diff(drawn) > 0).all()
    assert (drawn == rows_to_search(1000, 30, 7)).all()
