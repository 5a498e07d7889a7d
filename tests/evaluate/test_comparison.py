"""Tests and profiles of a comparison."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from labelsift.evaluate import METRICS, holm, nogueira, redundancy
from labelsift.evaluate.significance import against_best_of_each
from report.made_up import made_up
from report.test_comparison_page import comparison

NAMES = ("one", "two", "three", "four", "five", "six", "seven")


def fold_means(found, method, metric):
    sizes = found.values(metric)[1]
    j = found.methods().index(method)
    return [
        np.array([c.values[metric] for c in r.cells_of(*pair(method), int(k))])
        for r, k in zip(found.results, sizes[:, j], strict=True)
    ]


def pair(method):
    return method.selector, method.classifier


@pytest.mark.parametrize("metric", ["average_precision", "hamming_loss"])
@pytest.mark.parametrize("against", ["best", "all features"])
def test_tests_over_the_data_sets_are_scipys_with_holm(metric, against):
    found = comparison(names=NAMES)
    ranked = [s.method for s in found.standings(metric)]
    tests = found.tests(metric, against=against)
    assert [t.method for t in tests] == ranked[1 if against == "best" else 0 :]
    raw = []
    for test in tests:
        own = fold_means(found, test.method, metric)
        if against == "best":
            assert test.against == str(ranked[0])
            other = fold_means(found, ranked[0], metric)
        else:
            assert test.against == "all features"
            other = [r.baseline(test.method.classifier, metric) for r in found.results]
        gaps = [a.mean() - b.mean() for a, b in zip(own, other, strict=True)]
        assert test.median_difference == pytest.approx(np.median(gaps))
        gaps = [gap for gap in gaps if gap]  # at all features there is none
        p = stats.wilcoxon(gaps, method="exact").pvalue if gaps else 1.0
        raw.append(p)
        assert test.p_value == pytest.approx(raw[-1])
        for fold, a, b in zip(test.differences, own, other, strict=True):
            assert fold.mean == pytest.approx((a - b).mean())
            # 5 folds: the variance grows from 1/5 to 1/5 + 1/4
            if not (a - b).any():
                assert fold.p_value == 1
                continue
            t = (a - b).mean() / np.sqrt((a - b).var(ddof=1) * (1 / 5 + 1 / 4))
            assert fold.p_value == pytest.approx(2 * stats.t.sf(abs(t), 4))
        total = test.posterior
        assert total.first_better + total.equivalent + total.second_better == (
            pytest.approx(1)
        )
    np.testing.assert_allclose([t.adjusted for t in tests], holm(raw))
    for i in range(len(NAMES)):
        np.testing.assert_allclose(
            [t.adjusted_on_each[i] for t in tests],
            holm([t.differences[i].p_value for t in tests]),
        )


def test_verdicts_follow_the_orientation_and_the_level():
    found = comparison(names=NAMES)
    for metric in ("average_precision", "hamming_loss"):
        worst = found.tests(metric)[-1]
        assert worst.verdict(0.05) == "worse"
        assert worst.verdict(1e-9) == "undecided"
        assert set(worst.verdicts(1e-9)) == {"undecided"}
        assert "worse" in worst.verdicts(0.5)
        assert "better" not in worst.verdicts(0.5)
        assert worst.greater_is_better == METRICS[metric].greater_is_better


def test_five_data_sets_are_too_few_for_wilcoxon():
    found = comparison(names=NAMES[:5])
    assert min(t.p_value for t in found.tests()) == pytest.approx(2 / 2**5)
    assert {t.verdict() for t in found.tests()} == {"undecided"}


def test_without_all_features_nothing_is_tested_against_them():
    found = comparison(baseline=False)
    assert not found.has_baseline
    assert found.tests(against="all features") == []
    assert comparison(selectors=("a",)).tests() == []
    with pytest.raises(ValueError, match="against must be 'best' or 'all features'"):
        found.tests(against="worst")


def test_each_data_set_has_its_own_best():
    found = comparison()
    p_values = against_best_of_each(found, "average_precision")
    values, _ = found.values("average_precision")
    assert (np.isnan(p_values).sum(axis=1) == 1).all()
    assert np.isnan(p_values[range(3), values.argmax(axis=1)]).all()
    rest = ~np.isnan(p_values)
    assert ((p_values[rest] >= 0) & (p_values[rest] <= 1)).all()


def test_a_metric_that_is_nowhere_defined_decides_nothing():
    found = comparison(is_nan=lambda metric, fold, size: metric == "hamming_loss")
    for test in found.tests("hamming_loss"):
        assert test.verdict() == "undecided"
        assert set(test.verdicts()) == {"undecided"}
        assert np.isnan(test.posterior.equivalent)
    assert np.isnan(against_best_of_each(found, "hamming_loss")).all()


def test_profiles_tell_stability_redundancy_and_time():
    results, dataset = made_up(selectors=("a", "b"))
    found = replace(comparison(), results=(results,))
    profiles = found.profiles({"birds": dataset})
    assert [p.method for p in profiles] == [s.method for s in found.standings()]
    for profile, standing in zip(profiles, found.standings(), strict=True):
        assert profile.n_features == standing.sizes[0]
        kept = [
            r.order[: profile.n_features]
            for r in results.rankings
            if r.selector == profile.method.selector
        ]
        assert profile.stability == nogueira(kept, results.n_features)
        assert profile.redundancy == pytest.approx(
            np.mean([redundancy(dataset.X, columns) for columns in kept])
        )
        assert profile.seconds_select == pytest.approx(0.02)
        assert profile.seconds_learn == pytest.approx(0.012)
    assert all(np.isnan(p.redundancy) for p in found.profiles())
