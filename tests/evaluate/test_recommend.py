"""The recommendation: rules worked by hand, the search, and the fitted transformer."""

import pickle
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelsift.evaluate import (
    IterativeStratifiedKFold,
    RecommendedSelector,
    recommend,
)
from labelsift.evaluate.metrics import hamming_loss
from labelsift.evaluate.recommend_run import PortfolioRun
from labelsift.learn import BRkNN, MLkNN
from labelsift.read import Dataset
from labelsift.select import SPEC, Chi2, MultiLabelFStatistic

SMALL = {"cv": 4, "inner_cv": 3}


def table(n=150, d=12, seed=0):
    """Return three columns that say the three labels, among noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).round(1)
    X[np.abs(X) < 0.5] = 0.0
    noise = 0.3 * rng.normal(size=(n, 3))
    return X, (X[:, [3, 7, 9]] + noise > 0.5).astype(np.int64)


@pytest.fixture(scope="module")
def found():
    return recommend(*table(), **SMALL)


def figures(one):
    return (
        one.reason_,
        one.expected_,
        one.interval_,
        one.all_columns_,
        one.no_information_,
        one.difference_,
        one.support_.tolist(),
        one.order_.tolist(),
        one.frequency_.tolist(),
        one.stability_,
    )


def test_the_columns_that_matter_are_kept_and_the_promise_is_kept(found):
    assert set(found.get_support(indices=True)) == {3, 7, 9}
    assert found.justified_
    assert found.decision_.verdict == "fewer"
    assert found.reason_.startswith("Keep 3 of 12 features: Hamming loss 0.")
    assert found.expected_ < found.all_columns_ < found.no_information_
    low, high = found.interval_
    assert low < found.expected_ < high
    assert set(found.kept_) == {"x3", "x7", "x9"}
    assert (found.frequency_[[3, 7, 9]] >= 0.75).all()
    X, Y = table(75, seed=1)
    predicted = found.classifier_.predict(found.transform(X))
    assert low <= hamming_loss(Y, predicted) <= high


def test_the_expected_figure_is_the_mean_of_outer_folds_that_can_be_done_again(found):
    X, Y = table()
    folds = IterativeStratifiedKFold(4, shuffle=True, random_state=0)
    losses = []
    for (train, test), one in zip(folds.split(X, Y), found.measured_, strict=True):
        columns = one.columns
        classifier = MLkNN(10, scale="minmax").fit(X[np.ix_(train, columns)], Y[train])
        losses.append(hamming_loss(Y[test], classifier.predict(X[test][:, columns])))
    assert found.expected_ == pytest.approx(np.mean(losses), abs=1e-15)
    whole = []
    for train, test in folds.split(X, Y):
        classifier = MLkNN(10, scale="minmax").fit(X[train], Y[train])
        whole.append(hamming_loss(Y[test], classifier.predict(X[test])))
    assert found.all_columns_ == pytest.approx(np.mean(whole), abs=1e-15)
    prior = [
        hamming_loss(Y[test], np.tile(Y[train].mean(axis=0) > 0.5, (len(test), 1)))
        for train, test in folds.split(X, Y)
    ]
    assert found.no_information_ == pytest.approx(np.mean(prior), abs=1e-15)


def test_a_round_sees_nothing_of_the_rows_that_judge_it(found):
    X, Y = table()
    folds = IterativeStratifiedKFold(4, shuffle=True, random_state=0)
    splits = list(folds.split(X, Y))
    spoilt_X, spoilt_Y = X.copy(), Y.copy()
    held_out = splits[2][1]
    spoilt_X[held_out] = 1e3 * np.random.default_rng(5).normal(size=(len(held_out), 12))
    spoilt_Y[held_out] = 1 - spoilt_Y[held_out]
    spoilt = recommend(spoilt_X, spoilt_Y, cv=splits, inner_cv=3)
    before = recommend(X, Y, cv=splits, inner_cv=3)
    assert spoilt.measured_[2].choice == before.measured_[2].choice
    assert (spoilt.measured_[2].columns == before.measured_[2].columns).all()


def test_containers_and_processes_give_the_same_numbers(found):
    X, Y = table()
    names = [f"c{i}" for i in range(12)]
    in_sparse = recommend(sparse.csr_matrix(X), sparse.csr_array(Y), **SMALL)
    assert figures(in_sparse) == figures(found)
    few = {"selectors": [Chi2(), SPEC()], "cv": 3, "inner_cv": 2}
    dense = recommend(X, Y, **few)
    others = [
        recommend(pd.DataFrame(X, columns=names), pd.DataFrame(Y), **few),
        recommend(pl.DataFrame(X, schema=names), Y, **few),
        recommend(Dataset(X, Y, names, "abc"), **few),
        recommend(X, Y, n_jobs=2, **few),
    ]
    for other in others:
        assert figures(other) == figures(dense)
    assert set(others[0].kept_) == {"c3", "c7", "c9"}


def test_noise_says_that_no_selection_can_be_justified():
    rng = np.random.default_rng(4)
    X, Y = rng.normal(size=(120, 15)), rng.integers(0, 2, (120, 3))
    found = recommend(X, Y, **SMALL)
    assert not found.justified_
    assert found.decision_.verdict == "no signal"
    assert found.reason_.startswith(
        "No selection can be justified: no feature predicts the labels."
    )
    assert found.support_.all()
    assert found.transform(X).shape == (120, 15)


@pytest.mark.parametrize("seed", range(6))
def test_noise_with_rare_labels_and_any_metric_is_noise(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(100, 10))
    Y = (rng.random((100, 4)) < [0.5, 0.3, 0.1, 0.7]).astype(int)
    metric = ("subset_accuracy", "average_precision", "micro_f1")[seed % 3]
    selectors = [Chi2(), MultiLabelFStatistic()]
    found = recommend(X, Y, selectors=selectors, metric=metric, **SMALL)
    assert found.decision_.verdict == "no signal"


def test_when_every_column_counts_all_are_kept():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 6))
    Y = (X.sum(axis=1)[:, None] + 0.1 * rng.normal(size=(240, 2)) > 0).astype(int)
    found = recommend(X, Y, selectors=Chi2(), **SMALL)
    assert not found.justified_
    assert found.decision_.verdict in ("all best", "loss")
    assert found.reason_.startswith("Keep all 6 features: ")
    assert found.support_.all()
    assert found.expected_ == found.all_columns_


def test_a_dataset_brings_names_costs_and_nominal_columns():
    X, Y = table()
    X[:, 5] = np.arange(150) % 3
    kinds = [None] * 12
    kinds[5] = ("a", "b", "c")
    costs = np.where(np.isin(np.arange(12), [3]), 50.0, 1.0)
    data = Dataset(
        X, Y, [f"c{i}" for i in range(12)], "abc", categories=kinds, test_costs=costs
    )
    found = recommend(data, **SMALL)
    assert "CSIG" in found.search_.selectors
    mask = found.classifiers_["ML-kNN"].categorical_features
    assert np.flatnonzero(mask).tolist() == [5]
    assert found.label_names_in_.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="Y must be left out"):
        recommend(data, Y)
    with pytest.raises(ValueError, match="Y is missing"):
        recommend(X)


def test_costs_make_the_cheaper_of_two_equal_columns_win():
    rng = np.random.default_rng(0)
    signal = rng.normal(size=120)
    X = np.column_stack([signal, rng.normal(size=(120, 4)), signal])
    Y = np.column_stack([signal > 0, signal > 0.5]).astype(int)
    costs = [9.0, 1, 1, 1, 1, 2.0]
    found = recommend(X, Y, costs=costs, grid=[1], **SMALL)
    assert found.get_support(indices=True).tolist() == [5]
    assert found.choice_.selector == "CSIG"
    without = recommend(X, Y, grid=[1], **SMALL)
    assert without.get_support(indices=True).tolist() == [0]


def test_missing_values_leave_only_methods_that_take_them_or_say_how():
    X, Y = table()
    X[np.random.default_rng(1).random(X.shape) < 0.05] = np.nan
    found = recommend(X, Y, **SMALL)
    assert {3, 7, 9} <= set(found.get_support(indices=True))
    assert set(found.search_.selectors) == {
        "symmetrical uncertainty",
        "information gain",
        "ReliefF",
        "tolerance rough set",
        "chi2 max, gaps filled by medians",
        "SPEC, gaps filled by medians",
    }
    assert np.isnan(found.transform(X)).any()


@pytest.mark.parametrize("as_given", [np.asarray, sparse.csr_array])
def test_chosen_methods_that_cannot_use_missing_values_are_named(as_given):
    X, Y = table()
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"contains NaN: Chi2 cannot.*leave the meth"):
        recommend(as_given(X), Y, selectors={"mine": Chi2()}, **SMALL)
    X[3, 1] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        recommend(as_given(X), Y, **SMALL)


def test_classes_bring_methods_for_classes_and_a_classifier_of_classes():
    X, _ = table()
    y = np.array(["low", "mid", "top"])[(X[:, 3] > 0).astype(int) + (X[:, 7] > 0)]
    found = recommend(X, y, **SMALL)
    assert {"RRSPFS", "gain ratio"} <= set(found.search_.selectors)
    assert set(found.get_support(indices=True)) == {3, 7}
    predicted = found.classifier_.predict(found.transform(X))
    assert np.mean(predicted == y) > 0.9
    assert found.label_names_in_.tolist() == ["low", "mid", "top"]


def test_own_portfolio_and_classifiers():
    X, Y = table()
    found = recommend(
        X,
        Y,
        selectors={"mine": Chi2(), "other": SPEC()},
        classifiers={
            "near": BRkNN(5),
            "bayes": MultiOutputClassifier(GaussianNB()),
        },
        metric="macro_auc",
        grid=[1, 3, 6],
        **SMALL,
    )
    assert list(found.search_.selectors) == ["mine", "other"]
    assert list(found.search_.classifiers) == ["near", "bayes"]
    assert found.choice_.n_features == 3
    assert found.choice_.classifier == "bayes"
    assert isinstance(found.classifier_, MultiOutputClassifier)
    assert isinstance(found.selector_, Chi2 | SPEC)


def test_rule_best_takes_the_best_mean_of_the_search():
    X, Y = table()
    found = recommend(X, Y, selectors=Chi2(), rule="best", tolerance=1.0, **SMALL)
    sizes, values = found.search_.values("Chi2", "ML-kNN")
    assert found.choice_.value == values.mean(axis=1).min()
    assert found.choice_.n_features == sizes[values.mean(axis=1).argmin()]


class Broken(Chi2):
    def fit(self, X, y=None):
        raise RuntimeError("this one never works")


def test_errors_of_own_methods_are_raised_and_say_where():
    X, Y = table()
    with pytest.raises(RuntimeError, match="never works") as caught:
        recommend(X, Y, selectors={"bad": Broken()}, **SMALL)
    assert "In selector bad" in caught.value.__notes__[0]


def test_a_default_method_that_fails_is_left_out_and_named(monkeypatch):
    X, Y = table()
    monkeypatch.setattr("labelsift.evaluate.recommend_portfolio.Chi2", Broken)
    found = recommend(X, Y, **SMALL)
    assert {one.name for one in found.left_out_} == {"chi2 mean", "chi2 max"}
    assert found.left_out_[0].reason == "RuntimeError: this one never works"
    assert set(found.get_support(indices=True)) == {3, 7, 9}


# --- time limit and interruption


def test_a_time_limit_leaves_out_whole_methods_and_changes_nothing_else():
    X, Y = table()
    found = recommend(X, Y, time_limit=1e-3, **SMALL)
    through = list(found.search_.selectors)
    assert len(through) == 1
    assert len(found.left_out_) == 5
    assert all("were left" in one.reason for one in found.left_out_)
    alone = recommend(X, Y, selectors={through[0]: found.selector_}, **SMALL)
    assert figures(alone) == figures(found)


NOW = [0.0]


class Late(Chi2):
    """Takes a second of a clock that the test holds."""

    def fit(self, X, y=None):
        NOW[0] += 1.0
        return super().fit(X, y)


@pytest.mark.parametrize("first", ["quick", "late"])
def test_a_method_is_through_or_has_no_part_and_the_first_is_always_through(
    first, monkeypatch
):
    monkeypatch.setattr(
        "labelsift.evaluate.recommended_selector.PortfolioRun",
        partial(PortfolioRun, clock=lambda: NOW[0]),
    )
    X, Y = table()
    methods = {"quick": SPEC(), "late": Late()}
    selectors = {first: methods.pop(first), **methods}
    found = recommend(X, Y, selectors=selectors, time_limit=5.0, **SMALL)
    [left_out] = found.left_out_
    assert list(found.search_.selectors) == [first]
    if first == "quick":
        assert str(left_out) == "late: time was up before it was through"
    else:
        expected = "quick: it would have taken about 15 s and 0.0 s were left"
        assert str(left_out) == expected
    alone = recommend(X, Y, selectors={first: selectors[first]}, **SMALL)
    assert figures(alone) == figures(found)


class Interrupting(Chi2):
    def fit(self, X, y=None):
        raise KeyboardInterrupt


def test_an_interruption_ends_with_the_methods_that_are_through():
    X, Y = table()
    selectors = {"done": Chi2(), "stopped": Interrupting(), "never": SPEC()}
    found = recommend(X, Y, selectors=selectors, **SMALL)
    assert found.interrupted_
    assert [one.name for one in found.left_out_] == ["stopped", "never"]
    alone = recommend(X, Y, selectors={"done": Chi2()}, **SMALL)
    assert figures(alone) == figures(found)
    with pytest.raises(KeyboardInterrupt):
        recommend(X, Y, selectors={"stopped": Interrupting()}, **SMALL)
    with pytest.raises(KeyboardInterrupt):  # in a pipeline Ctrl-C stays what it is
        RecommendedSelector(selectors, **SMALL).fit(X, Y)


def test_progress_rises_to_the_end_and_tells_the_best_so_far():
    X, Y = table()
    seen, leading = [], []

    class Watch:
        def __call__(self, done, total):
            seen.append((done, total))

        def leading(self, choice):
            leading.append(choice)

    selectors = {"a": Chi2(), "b": SPEC()}
    found = recommend(X, Y, selectors=selectors, progress=Watch(), **SMALL)
    total = 5 * 3 + 4
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[0] == (0, total)
    assert seen[-1] == (total, total)
    assert leading[-1] == found.choice_
    assert len(leading) == 2


# --- rows and small tables


def test_of_many_rows_some_are_searched_and_all_are_fitted():
    X, Y = table(400)
    found = recommend(X, Y, selectors=Chi2(), max_samples=150, **SMALL)
    assert (found.n_searched_, found.n_samples_) == (150, 400)
    assert found.classifier_.graph_.n_samples_fit_ == 400
    assert (found.selector_.scores_ == Chi2().fit(X, Y).scores_).all()
    assert found.promise_.n_new == 75


def test_one_feature_or_few_rows():
    X, Y = table(40)
    one = recommend(X[:, [3]], Y, **SMALL)
    assert one.support_.tolist() == [True]
    assert one.selector_ is None
    assert one.search_ is None
    few = recommend(X[:8], Y[:8], selectors=Chi2())
    assert len(few.measured_) == 8
    assert few.support_.any()
    with pytest.raises(ValueError, match="minimum of 4"):
        recommend(X[:3], Y[:3])


def test_rows_without_labels_and_labels_without_rows():
    X, Y = table()
    Y[:60] = 0
    Y = np.column_stack([Y, np.zeros(150, dtype=int), np.ones(150, dtype=int)])
    found = recommend(X, Y, selectors=Chi2(), metric="average_precision", **SMALL)
    assert np.isfinite(found.expected_)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"metric": "accuracy"}, ValueError, "metric"),
        ({"tolerance": 2}, ValueError, "tolerance"),
        ({"time_limit": 0}, ValueError, "time_limit"),
        ({"inner_cv": 1}, ValueError, "inner_cv"),
        ({"cv": 1}, ValueError, "cv must be at least 2"),
        ({"rule": "worst"}, ValueError, "rule"),
        ({"selectors": Chi2}, TypeError, r"write it with \(\)"),
        ({"random_state": -1}, ValueError, "random_state"),
        ({"grid": [0]}, ValueError, "grid asks for 0"),
        ({"costs": [1, 2]}, ValueError, "12 features"),
        ({"n_jobs": 0}, ValueError, "n_jobs must not be 0"),
        ({"nonsense": 1}, TypeError, "nonsense"),
    ],
)
def test_wrong_arguments_are_named(settings, error, message):
    X, Y = table(40)
    with pytest.raises(error, match=message):
        recommend(X, Y, **settings)


# --- the transformer


def test_it_is_a_transformer_with_names_clones_and_pickles():
    X, Y = table()
    names = [f"c{i}" for i in range(12)]
    frame = pd.DataFrame(X, columns=names)
    selector = RecommendedSelector([Chi2()], **SMALL).set_output(transform="pandas")
    kept = selector.fit(frame, Y).transform(frame)
    assert kept.columns.tolist() == ["c3", "c7", "c9"]
    assert selector.get_feature_names_out().tolist() == ["c3", "c7", "c9"]
    again = pickle.loads(pickle.dumps(selector))
    assert again.transform(frame).equals(kept)
    assert not hasattr(again, "_data")
    with pytest.raises(ValueError, match="not kept in a pickle"):
        again.report("nowhere.html")
    assert not hasattr(clone(selector), "support_")
    pipe = make_pipeline(RecommendedSelector([Chi2()], **SMALL), MLkNN()).fit(X, Y)
    assert pipe[-1].n_features_in_ == 3
    assert pipe.predict(X).shape == Y.shape


@parametrize_with_checks([RecommendedSelector([Chi2()], cv=2, inner_cv=2)])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_results_are_kept_whole(found):
    assert found.search_.sizes[0] == 1
    assert found.search_.sizes[-1] == 11
    assert found.search_.has_baseline
    assert len(found.measured_) == 4
    cell = replace(found.measured_[0].chosen)
    assert cell.values["hamming_loss"] <= 1
    assert "macro_f1" in cell.values
