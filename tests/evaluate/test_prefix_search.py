import math
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_selection import RFE, SelectKBest, f_classif
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelsift.evaluate import PrefixSearchCV, cross_validate
from labelsift.evaluate.metrics import average_precision, hamming_loss
from labelsift.learn import MLkNN
from labelsift.select import Chi2


@parametrize_with_checks(
    [
        PrefixSearchCV(Chi2(), DecisionTreeClassifier(random_state=0), cv=2, grid=None),
        PrefixSearchCV(SelectKBest(), MLkNN(3), cv=2, grid=None),
    ]
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 8))
    Y = (X[:, [3, 5, 3]] + 0.2 * rng.normal(size=(120, 3)) > 0).astype(int)
    return X, Y


def test_finds_the_two_features_that_matter_and_predicts_from_them(data):
    X, Y = data
    search = PrefixSearchCV(Chi2(), MLkNN(5)).fit(X[:80], Y[:80])
    assert search.best_n_features_ == 2
    assert search.get_support(indices=True).tolist() == [3, 5]
    assert search.transform(X).shape == (120, 2)
    assert sorted(search.ranking_.tolist()) == list(range(1, 9))
    by_hand = MLkNN(5).fit(X[:80][:, [3, 5]], Y[:80])
    kept = X[80:][:, [3, 5]]
    np.testing.assert_array_equal(search.predict(X[80:]), by_hand.predict(kept))
    np.testing.assert_array_equal(
        search.predict_proba(X[80:]), by_hand.predict_proba(kept)
    )
    assert not hasattr(search, "decision_function")


def test_table_is_that_of_cross_validation(data):
    search = PrefixSearchCV(Chi2(), MLkNN(5), grid=[1, 2, 4, 8], cv=4).fit(*data)
    results = cross_validate(
        Chi2(), MLkNN(5), *data, grid=[1, 2, 4, 8], cv=4, metrics=["hamming_loss"]
    )
    values = results.values("Chi2", "MLkNN", "hamming_loss")[1]
    table = search.cv_results_
    assert table["param_n_features"].tolist() == [1, 2, 4, 8]
    for fold in range(4):
        np.testing.assert_array_equal(
            table[f"split{fold}_test_score"], -values[:, fold]
        )
    np.testing.assert_allclose(table["mean_test_score"], -values.mean(axis=1))
    np.testing.assert_allclose(table["std_test_score"], values.std(axis=1, ddof=1))
    best = int(np.argmin(values.mean(axis=1)))
    assert table["rank_test_score"][best] == 1
    assert search.best_score_ == pytest.approx(values.mean(axis=1)[best])
    assert (table["mean_fit_time"] > 0).all()
    assert pd.DataFrame(table).shape == (4, 10)


def test_one_standard_error_takes_fewer_features():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(150, 10))
    weight = np.array([3, 2, 0.5, 0.3, 0.2, 0, 0, 0, 0, 0])
    Y = (X @ weight + rng.normal(size=150) > 0).astype(int)[:, None]
    options = {"metric": "macro_auc", "cv": 5}
    best = PrefixSearchCV(Chi2(), MLkNN(7), **options).fit(X, Y)
    frugal = PrefixSearchCV(Chi2(), MLkNN(7), rule="one_se", **options).fit(X, Y)
    assert frugal.best_n_features_ < best.best_n_features_
    table = best.cv_results_
    top = int(np.argmax(table["mean_test_score"]))
    limit = table["mean_test_score"][top] - table["std_test_score"][top] / math.sqrt(5)
    within = table["param_n_features"][table["mean_test_score"] >= limit]
    assert frugal.best_n_features_ == within.min()


@pytest.mark.parametrize(
    "selector",
    [
        SelectKBest(f_classif, k=1),
        ExtraTreesClassifier(20),
        RFE(DecisionTreeClassifier(random_state=0), n_features_to_select=1),
        Chi2(1),
    ],
)
def test_any_ranker_and_classes(selector):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 6))
    y = np.array(["low", "mid", "high"])[np.digitize(X[:, 4], [-0.5, 0.5])]
    search = PrefixSearchCV(selector, DecisionTreeClassifier(), cv=3).fit(X, y)
    assert search.support_[4]
    assert search.order_[0] == 4
    assert search.classes_.tolist() == ["high", "low", "mid"]
    assert (search.predict(X) == y).all()
    assert search.score(X, y) == 1.0
    again = PrefixSearchCV(selector, DecisionTreeClassifier(), cv=3).fit(X, y)
    assert (again.order_ == search.order_).all()  # open seeds are set


def test_classifiers_with_a_decision_function_and_sparse_input(data):
    X, Y = data
    ranks = PrefixSearchCV(
        Chi2(), OneVsRestClassifier(LinearSVC()), metric="average_precision", cv=3
    ).fit(sparse.csr_array(X), sparse.csr_array(Y))
    scores = ranks.decision_function(X)
    assert average_precision(Y, scores) > 0.95
    assert not hasattr(ranks, "predict_proba")
    assert hamming_loss(Y, ranks.predict(sparse.csr_array(X))) < 0.1


def test_frames_pipelines_grids_clones_and_pickles(data):
    X, Y = data
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(8)])
    search = PrefixSearchCV(Chi2(), MLkNN(5), cv=3).set_output(transform="pandas")
    pipe = make_pipeline(StandardScaler().set_output(transform="pandas"), search)
    pipe.fit(frame, Y)
    assert list(pipe[:-1].transform(frame).columns) == list(frame.columns)
    assert list(search.get_feature_names_out()) == ["f3", "f5"]
    assert list(search.transform(pipe[0].transform(frame)).columns) == ["f3", "f5"]
    again = pickle.loads(pickle.dumps(search))
    frame = pipe[0].transform(frame)
    assert (again.predict_proba(frame) == search.predict_proba(frame)).all()
    assert clone(search).get_params()["cv"] == 3
    grid = GridSearchCV(
        PrefixSearchCV(Chi2(), MLkNN(5), cv=2, grid=None),
        {"classifier__n_neighbors": [3, 5]},
        cv=2,
    ).fit(X, Y)
    assert not np.isnan(grid.cv_results_["mean_test_score"]).any()


def test_groups_and_search_without_refit(data):
    X, Y = data
    groups = np.repeat(np.arange(6), 20)
    search = PrefixSearchCV(Chi2(), MLkNN(5), cv=GroupKFold(3), refit=False)
    search.fit(X, Y, groups=groups)
    assert len(search.path_.folds) == 3
    assert search.best_n_features_ >= 1
    with pytest.raises(Exception, match="not fitted"):
        search.predict(X)
    with pytest.raises(Exception, match="not fitted"):
        search.transform(X)


def test_plot_marks_the_choice(data):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    search = PrefixSearchCV(Chi2(), MLkNN(5), cv=3, grid=[1, 2, 8]).fit(*data)
    labels = [line.get_label() for line in search.plot().get_lines()]
    assert "2 kept" in labels
    plt.close("all")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "accuracy"}, "'metric' parameter"),
        ({"rule": "1se"}, "'rule' parameter"),
        ({"refit": "yes"}, "'refit' parameter"),
        ({"grid": [9]}, "grid asks for 9 features; X has 8"),
        ({"cv": 1}, "cv must be at least 2"),
    ],
)
def test_wrong_arguments_are_named(data, options, message):
    with pytest.raises(ValueError, match=message):
        PrefixSearchCV(Chi2(), MLkNN(5), **options).fit(*data)
