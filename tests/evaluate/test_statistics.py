import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from labelsift.evaluate.pairwise import bayesian_signed_rank, holm, wilcoxon_holm
from labelsift.evaluate.ranks import (
    average_ranks,
    close_runs,
    critical_difference,
    friedman,
    nemenyi_critical_value,
)
from labelsift.evaluate.stability import (
    mean_jaccard,
    mean_kuncheva,
    nogueira,
    redundancies,
    redundancy,
)

# Demsar 2006, table 6: AUC of four variants of C4.5 on 14 data sets.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]


def test_demsars_example():
    found = friedman(DEMSAR, NAMES)
    np.testing.assert_allclose(
        found.average_ranks, [3.143, 2.000, 2.893, 1.964], atol=6e-4
    )
    # The paper's 9.28 is without correction for ties; CD at 4 methods, 14 data sets.
    assert found.critical_difference == pytest.approx(1.25, abs=6e-3)
    assert found.statistic == pytest.approx(
        stats.friedmanchisquare(*DEMSAR.T).statistic, rel=1e-12
    )
    # "C4.5 is significantly worse than C4.5+m and C4.5+m+cf" at 0.10 (page 14)
    assert friedman(DEMSAR, NAMES, alpha=0.1).groups == [
        ("C4.5+m+cf", "C4.5+m", "C4.5+cf"),
        ("C4.5+cf", "C4.5"),
    ]


@pytest.mark.parametrize(
    ("k", "q05", "q10"),
    [(2, 1.960, 1.645), (3, 2.343, 2.052), (4, 2.569, 2.291), (5, 2.728, 2.459),
     (7, 2.949, 2.693), (10, 3.164, 2.920)],
)  # fmt: skip
def test_critical_values_of_demsars_table_5(k, q05, q10):
    assert nemenyi_critical_value(k) == pytest.approx(q05, abs=1e-3)
    assert nemenyi_critical_value(k, 0.1) == pytest.approx(q10, abs=1e-3)


@pytest.mark.parametrize(
    ("k", "n", "difference"),
    # q of Demsar's table 5 (a): 1.960, 2.343, 2.569, 2.728, 3.164 by sqrt(k(k+1)/6n)
    [(2, 6, 0.800), (3, 10, 1.048), (4, 10, 1.483), (5, 20, 1.364), (10, 30, 2.473)],
)
def test_the_critical_difference_is_that_of_the_printed_table(k, n, difference):
    assert critical_difference(k, n) == pytest.approx(difference, abs=1.1e-3)


def test_runs_of_methods_that_cannot_be_told_apart():
    assert close_runs([1.0, 1.5, 2.4, 4.0], 1.0) == [(0, 1), (1, 2)]
    assert close_runs([1.0, 1.5, 1.9], 1.0) == [(0, 2)]
    assert close_runs([1.0, 2.0, 3.0], 1.0) == []  # an equal difference is significant
    assert close_runs([], 1.0) == []


@given(st.lists(st.floats(1, 20), max_size=12).map(sorted), st.floats(0.01, 10))
def test_runs_hold_every_close_pair_and_no_other(ranks, difference):
    joined = {
        (i, j)
        for first, last in close_runs(ranks, difference)
        for i in range(first, last + 1)
        for j in range(i + 1, last + 1)
    }
    assert joined == {
        (i, j)
        for i in range(len(ranks))
        for j in range(i + 1, len(ranks))
        if ranks[j] - ranks[i] < difference
    }


def test_critical_difference_of_four_methods_on_ten_data_sets():
    assert critical_difference(4, 10) == pytest.approx(1.483, abs=5e-4)


@given(seed=st.integers(0, 2**32 - 1), ties=st.booleans())
def test_friedman_is_scipys(seed, ties):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 15)), int(rng.integers(3, 7))
    values = rng.integers(0, 3, (n, k)) if ties else rng.normal(size=(n, k))
    if all(len(set(row)) == 1 for row in values.tolist()):
        return
    found = friedman(values)
    expected = stats.friedmanchisquare(*values.T)
    assert found.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-12)
    np.testing.assert_allclose(found.ranks, stats.rankdata(-values, axis=1))
    turned = friedman(-values, greater_is_better=False)
    np.testing.assert_array_equal(turned.ranks, found.ranks)
    assert (found.p_values == found.p_values.T).all()


def test_nemenyi_p_values_and_groups_agree():
    rng = np.random.default_rng(0)
    found = friedman(rng.normal(size=(12, 5)) + np.arange(5) * 0.6)
    gaps = np.abs(found.average_ranks[:, None] - found.average_ranks)
    off = ~np.eye(5, dtype=bool)
    differs = gaps >= found.critical_difference
    assert ((found.p_values <= 0.05) == differs)[off].all()
    joined = {
        pair for group in found.groups for pair in itertools.permutations(group, 2)
    }
    for i, j in zip(*np.nonzero(off), strict=True):
        names = found.names[i], found.names[j]
        assert (names in joined) == (not differs[i, j])
    diagram = found.diagram()
    assert [name for name, _ in diagram["methods"]] == [
        found.names[i] for i in np.argsort(found.average_ranks, kind="stable")
    ]
    for low, high, names in diagram["bars"]:
        assert high - low < found.critical_difference
        assert names in found.groups


# scikit-posthocs 0.17.1, posthoc_nemenyi_friedman and posthoc_wilcoxon(p_adjust="holm",
# method="exact"), and baycomp 1.0.3, SignedRankTest with 400 000 draws, on these:
PEERS = np.array(
    [
        [-0.0068, 1.3461, 1.6416, 1.9240],
        [1.6188, -0.9056, 0.2730, -0.1207],
        [-0.1078, 1.2988, 0.8781, 1.6959],
        [-1.9108, 0.4471, -0.0069, 2.9754],
        [0.8868, 1.2493, 0.8421, 1.8129],
        [0.6579, -0.0444, 0.4026, 1.0852],
        [-0.6055, -0.2943, 0.6166, 0.4716],
        [0.7663, -1.2961, 1.7236, 0.5744],
        [-0.5459, -1.0508, 0.7558, 0.9523],
    ]
)


def test_nemenyi_is_that_of_scikit_posthocs():
    upper = np.triu_indices(4, 1)
    np.testing.assert_allclose(
        friedman(PEERS).p_values[upper],
        [0.9978413, 0.6923328, 0.0822209, 0.576973, 0.0517498, 0.576973],
        atol=1e-6,
    )
    np.testing.assert_allclose(
        friedman(DEMSAR).p_values[upper],
        [0.088673, 0.956177, 0.074185, 0.259228, 0.999859, 0.226697],
        atol=1e-5,
    )


def test_wilcoxon_with_holm_is_that_of_scikit_posthocs():
    found = wilcoxon_holm(PEERS)
    np.testing.assert_allclose(
        [test.p_value for test in found],
        [1.0, 0.1640625, 0.07421875, 0.1640625, 0.00390625, 0.30078125],
        atol=1e-12,
    )
    np.testing.assert_allclose(
        [test.adjusted for test in found],
        [1.0, 0.65625, 0.37109375, 0.65625, 0.0234375, 0.65625],
        atol=1e-12,
    )


@pytest.mark.parametrize(
    ("i", "j", "rope", "probabilities"),
    [
        (0, 3, 0.1501, (0.02323, 0.00038, 0.97639)),
        (0, 1, 0.2503, (0.44040, 0.00394, 0.55566)),
        (1, 2, 0.3007, (0.02757, 0.09289, 0.87955)),
        (2, 3, 0.1501, (0.09147, 0.02089, 0.88764)),
    ],
)
def test_the_signed_rank_posterior_is_that_of_baycomp(i, j, rope, probabilities):
    found = bayesian_signed_rank(PEERS[:, i], PEERS[:, j], rope=rope)
    # five standard errors of 50 000 draws
    np.testing.assert_allclose(
        [found.first_better, found.equivalent, found.second_better],
        probabilities,
        atol=5 * (0.25 / 50_000) ** 0.5,
    )


def test_iman_davenport_by_hand():
    # Demsar's formula: F = (N - 1) chi2 / (N (k - 1) - chi2)
    found = friedman(DEMSAR)
    chi2 = found.statistic
    assert found.f_statistic == pytest.approx(13 * chi2 / (14 * 3 - chi2))
    assert found.f_p_value == pytest.approx(stats.f.sf(found.f_statistic, 3, 39))
    same = friedman([[3, 2, 1], [6, 5, 4]])
    assert same.f_statistic == np.inf
    assert same.f_p_value == 0
    tied = friedman(np.ones((4, 3)))
    assert (tied.statistic, tied.p_value, tied.f_statistic) == (0, 1, 0)
    assert tied.groups == [tied.names]
    assert "3 methods on 4 data sets" in str(tied)


def test_rounding_noise_makes_no_rank():
    ranks, _ = average_ranks([[0.1 + 0.2, 0.3, 0.1]])
    assert ranks.tolist() == [[1.5, 1.5, 3.0]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: friedman([[1, 2], [1, 2]]), "at least 2 data sets and 3 methods"),
        (lambda: friedman([[1, 2, np.nan]] * 3), "NaN for data set 0, method 2"),
        (lambda: friedman(np.ones((3, 3)), ["a"]), "1 entry for 3 methods"),
        (lambda: friedman(np.ones((3, 3)), alpha=5), "alpha must lie between 0 and 1"),
        (lambda: friedman([1, 2, 3]), r"found shape \(3,\)"),
        (lambda: critical_difference(1, 5), "n_methods must be at least 2"),
        (lambda: critical_difference(3, 0), "n_data_sets must be at least 1"),
        (lambda: holm([0.5, 2.0]), "from 0 to 1"),
        (lambda: wilcoxon_holm([[1], [2]]), "at least two columns"),
        (lambda: wilcoxon_holm(np.ones((3, 2)), control="b"), "is no method"),
        (lambda: bayesian_signed_rank([1], [1, 2]), "shapes"),
        (lambda: bayesian_signed_rank([1], [1], rope=-1), "rope must be at least 0"),
        (lambda: bayesian_signed_rank([np.nan], [1]), "no data set"),
        (lambda: nogueira([[0], [9]], 4), "selection 1 holds column 9; there are 4"),
        (lambda: nogueira([[0.5], [1]], 4), "must hold column indices"),
        (lambda: nogueira([[0], [1]], 4, confidence=2), "confidence must lie"),
        (lambda: nogueira(np.ones((2, 3), bool), 4), r"shape \(n_selections, 4\)"),
        (lambda: mean_kuncheva([[0], [1, 2]], 4), "sizes from 1 to 2"),
        (lambda: mean_kuncheva([[0, 1], [0, 1]], 2), "not defined for 2 of 2"),
        (lambda: redundancy([[1, np.inf]]), "X must not hold infinity"),
    ],
)
def test_wrong_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_holm_by_hand():
    # sorted .01 .02 .03 .04 times 4 3 2 1, never falling
    np.testing.assert_allclose(holm([0.04, 0.01, 0.03, 0.02]), [0.06, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]


@given(seed=st.integers(0, 2**32 - 1))
def test_wilcoxon_is_scipys(seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=(int(rng.integers(6, 20)), 3)), 2)
    found = wilcoxon_holm(values, ["a", "b", "c"])
    assert [(t.first, t.second) for t in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    raw = []
    for test, (i, j) in zip(found, itertools.combinations(range(3), 2), strict=True):
        gaps = np.round(values[:, i] - values[:, j], 6)
        gaps = gaps[gaps != 0]
        tied = len(set(np.abs(gaps))) < len(gaps)
        expected = stats.wilcoxon(gaps, method="asymptotic" if tied else "exact")
        assert test.statistic == expected.statistic
        assert test.p_value == pytest.approx(expected.pvalue, rel=1e-9)
        assert test.median_difference == pytest.approx(
            np.median(values[:, i] - values[:, j]), abs=1e-9
        )
        raw.append(expected.pvalue)
    np.testing.assert_allclose([t.adjusted for t in found], holm(raw))


def test_wilcoxon_against_one_method_and_without_difference():
    values = np.column_stack([np.arange(6.0), np.arange(6.0), np.arange(6.0) ** 2])
    first, second = wilcoxon_holm(values, ["a", "b", "c"], control="b")
    assert (first.first, first.second, second.second) == ("b", "a", "c")
    assert np.isnan(first.statistic)
    assert first.p_value == first.adjusted == 1.0


def test_signed_rank_posterior():
    # One data set, difference 1, prior 0: up is the weight of pairs above the region,
    # w1^2 + 2 w0 w1 with (w0, w1) ~ Dirichlet(0.5, 1); down is 0. Up is the greatest
    # where w0^2 <= 1/2, so with probability F(2^-1/2) of Beta(0.5, 1) = 2^-1/4.
    found = bayesian_signed_rank([1.0], [0.0], rope=0.1, n_samples=200_000)
    assert found.first_better == pytest.approx(2**-0.25, abs=0.005)
    assert found.second_better == 0
    assert found.first_better + found.equivalent == pytest.approx(1)
    turned = bayesian_signed_rank(
        [1.0], [0.0], rope=0.1, n_samples=200_000, greater_is_better=False
    )
    assert turned.second_better == found.first_better
    same = bayesian_signed_rank([0.5] * 8, [0.5] * 8)
    assert same.equivalent == 1
    rng = np.random.default_rng(0)
    a = rng.normal(size=15)
    found = bayesian_signed_rank(a, a + rng.normal(size=15), rope=0)
    assert 0.01 < found.first_better < 0.99
    again = bayesian_signed_rank(a, a + rng.normal(size=15), rope=100)
    assert again.equivalent == 1
    # a difference that is exactly as wide as the region is within it
    edge = bayesian_signed_rank([0.3] * 5, [0.1 + 0.2 - 0.01] * 5, rope=0.01)
    assert edge.equivalent == 1


def test_nogueira_by_hand():
    # Selections {0,1} {0,1} {0,2} of 4: shares 1, 2/3, 1/3, 0; unbiased variances
    # 0, 1/3, 1/3, 0, mean 1/6; chance 1/2 * 1/2; so 1 - (1/6) / (1/4) = 1/3.
    found = nogueira([[0, 1], [0, 1], [0, 2]], 4)
    assert found.value == pytest.approx(1 / 3)
    assert found.low < 1 / 3 < found.high
    mask = np.zeros((3, 4), bool)
    mask[[0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 2]] = True
    assert nogueira(mask, 4) == found
    assert nogueira([[1, 3]] * 5, 6).value == 1
    assert nogueira([[1, 3]] * 5, 6).low == 1
    assert np.isnan(nogueira([[1, 3]], 6).value)
    assert np.isnan(nogueira([[], []], 6).value)


def test_nogueira_of_equal_sizes_is_kuncheva_and_chance_is_zero():
    rng = np.random.default_rng(0)
    chosen = [rng.choice(20, 6, replace=False) for _ in range(400)]
    assert nogueira(chosen, 20).value == pytest.approx(mean_kuncheva(chosen, 20))
    assert abs(nogueira(chosen, 20).value) < 0.01


def test_the_interval_of_nogueira_holds_what_it_promises():
    # Features chosen independently with known chances: the true value is known.
    rng = np.random.default_rng(1)
    chances = np.array([0.9, 0.8, 0.6, 0.3, 0.2, 0.1, 0.1, 0.5])
    p = chances.mean()
    truth = 1 - (chances * (1 - chances)).mean() / (p * (1 - p))
    hits = 0
    for _ in range(400):
        found = nogueira(rng.random((60, 8)) < chances, 8)
        hits += found.low <= truth <= found.high
    assert 0.91 < hits / 400 < 0.985


def test_jaccard_and_redundancy():
    assert mean_jaccard([[0, 1], [1, 2], [1]], 4) == pytest.approx(
        (1 / 3 + 0.5 + 0.5) / 3
    )
    assert mean_jaccard([[], []], 4) == 1
    assert np.isnan(mean_jaccard([[1]], 4))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    X[:, 4] = 3.0
    expected = np.abs(np.corrcoef(X[:, :4].T))[np.triu_indices(4, 1)]
    assert redundancy(X, [0, 1, 2, 3]) == pytest.approx(expected.mean())
    assert redundancy(X) == pytest.approx(expected.sum() / 10)
    from scipy import sparse

    assert redundancy(sparse.csr_array(X)) == pytest.approx(redundancy(X))
    assert np.isnan(redundancy(X, [0]))


def test_redundancy_of_missing_values_is_pairwise():
    import pandas as pd

    rng = np.random.default_rng(4)
    X = rng.normal(size=(30, 5)) + rng.normal(size=(30, 1))
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 3] = np.where(np.isnan(X[:, 3]), np.nan, 7.0)
    X[:, 4] = np.nan
    expected = pd.DataFrame(X[:, :3]).corr().abs().to_numpy()[np.triu_indices(3, 1)]
    assert redundancy(X, [0, 1, 2]) == pytest.approx(expected.mean())
    assert redundancy(X) == pytest.approx(expected.sum() / 10)


@pytest.mark.parametrize("most", [2, 3, 2000])
def test_redundancies_are_those_of_each_alone(most):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(30, 6)) + rng.normal(size=(30, 1))
    chosen = [[4, 0, 1], [2, 5], [0, 1, 4], [3], []]
    found = redundancies(X, chosen, most=most)
    expected = [redundancy(X, columns[:most]) for columns in chosen]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert redundancies(X, []).shape == (0,)
