"""What people hit with other tools, as they wrote it; each must work here.

The name of each test says where it was reported.
"""

import io
import tomllib
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from packaging.requirements import Requirement
from scipy import sparse
from scipy.stats import chi2_contingency
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.feature_selection import chi2 as sklearn_chi2
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import coverage_error, label_ranking_average_precision_score
from sklearn.model_selection import cross_validate as cross_validate_in_folds
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from labelsift import load_dataset
from labelsift.evaluate import PrefixSearchCV, cross_validate
from labelsift.evaluate.metrics import average_precision, coverage, hamming_loss
from labelsift.learn import BRkNN, MLkNN
from labelsift.select import (
    SELECTORS,
    SPEC,
    Chi2,
    InfoGain,
    LaplacianScore,
    PerLabel,
    ReliefF,
    ToleranceRoughSet,
    make_selector,
)


def two_columns(table):
    """Return a feature and a class vector whose contingency table this is."""
    cells = [
        (row, column)
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]
    return np.array(cells).T


def test_case_1_scikit_learn_7628_selection_before_one_vs_rest():
    docs = ["calm sea", "sad sea", "calm sad song"]
    Y = np.array([[1, 0], [0, 1], [1, 1]])
    pipe = Pipeline(
        [
            ("words", CountVectorizer()),
            ("select", Chi2(2)),
            ("classify", OneVsRestClassifier(LogisticRegression())),
        ]
    ).fit(docs, Y)
    assert pipe["select"].scores_per_label_.shape == (4, 2)
    assert pipe.predict(docs).shape == (3, 2)


def test_case_2_mrmr_5_frame_of_four_label_columns():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(40, 5)), columns=list("abcde"))
    Y = pd.DataFrame(rng.integers(0, 2, (40, 4)), columns=["w", "x", "y", "z"])
    chosen = Chi2(3).set_output(transform="pandas").fit_transform(X, Y)
    assert chosen.shape == (40, 3)
    assert set(chosen.columns) < set("abcde")


def test_case_3_mlr_2822_a_scorer_of_ones_own_for_each_label():
    def gap(X, y):
        return np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))

    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (60, 3))
    X = rng.normal(size=(60, 5)) + 5 * np.column_stack(
        [Y[:, [2, 0]], np.zeros((60, 3))]
    )
    selector = PerLabel(gap, n_features_to_select=2, aggregate="max").fit(X, Y)
    assert sorted(selector.get_support(indices=True)) == [0, 1]
    for label in range(3):
        expected = gap(X, Y[:, label])
        np.testing.assert_allclose(selector.scores_per_label_[:, label], expected)


def test_case_4_mlr_866_filter_and_wrapper_on_fourteen_labels():
    data = load_dataset("yeast")
    X, Y = data.X[:400], data.Y[:400]
    filtered = make_pipeline(Chi2(20), BRkNN(10)).fit(X[:300], Y[:300])
    assert filtered.predict(X[300:]).shape == (100, 14)
    wrapped = PrefixSearchCV(Chi2(), BRkNN(10), grid=[5, 20, 60], cv=3)
    outer = cross_validate_in_folds(wrapped, X, Y, cv=2)
    assert (outer["test_score"] > -0.3).all()  # the Hamming loss, negative


def test_case_5_scikit_learn_28791_no_y():
    X = np.random.default_rng(0).normal(size=(20, 4))
    with pytest.raises(ValueError, match="needs labels"):
        Chi2(2).fit_transform(X)
    with pytest.raises(ValueError, match="needs labels"):
        make_pipeline(StandardScaler(), Chi2(2)).fit(X)
    assert SPEC(2).fit(X).transform(X).shape == (20, 2)


def test_case_6_meka_38_one_label():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 40)
    X = rng.normal(size=(40, 3)) + y[:, None]
    column = Chi2(1).fit(X, y[:, None])
    assert column.scores_per_label_.shape == (3, 1)
    np.testing.assert_array_equal(column.scores_, column.scores_per_label_.values[:, 0])
    model = MLkNN(5).fit(X, y[:, None])
    assert model.predict(X).shape == (40, 1)


def test_case_7_stats_exchange_298046_label_only_in_the_test_part():
    X = np.random.default_rng(0).normal(size=(30, 3))
    Y = np.zeros((30, 3), dtype=int)
    Y[:20:2, 0] = Y[1:20:2, 1] = Y[20:, 2] = 1
    split = [(np.arange(20), np.arange(20, 30))]
    results = cross_validate(Chi2(), MLkNN(3), X, Y, grid=[2], cv=split)
    assert results.label_names == ("label0", "label1", "label2")
    assert results.folds[0].absent_from_train == (2,)


def test_case_9_scikit_learn_21455_codes_of_categories_do_not_matter():
    x = np.array([0] * 40 + [1] * 5 + [2] * 5 + [0] * 5 + [1] * 40 + [2] * 5)
    y = np.array([1] * 50 + [0] * 50)
    table = [[np.sum((x == v) & (y == c)) for c in (0, 1)] for v in (0, 1, 2)]
    pearson = chi2_contingency(table, correction=False).statistic
    assert pearson == pytest.approx(54.44, abs=0.01)
    for codes in ([0, 1, 2], [1, 0, 2], [7, -3, 0.5]):
        recoded = np.array(codes)[x][:, None]
        score = Chi2(discretize="none").fit(recoded, y[:, None]).scores_[0]
        assert score == pytest.approx(pearson, rel=1e-12)


def test_case_10_scikit_learn_13102_all_four_cells():
    y, x = two_columns([[45, 5], [30, 20]])
    x = 1 - x
    score = Chi2().fit(x[:, None], y[:, None]).scores_[0]
    assert score == pytest.approx(12.0, rel=1e-12)
    assert sklearn_chi2(x[:, None], y)[0][0] == pytest.approx(3.0)


def test_case_11_scikit_learn_17286_units_do_not_matter():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    metres = rng.uniform(0, 2, 60) + y
    both = np.column_stack([metres, 1000 * metres])
    scores = Chi2().fit(both, y[:, None]).scores_
    assert scores[0] == pytest.approx(scores[1], rel=1e-12)


def test_case_12_negative_values_after_standardising():
    data = load_dataset("yeast")
    scaled = StandardScaler().fit_transform(data.X)
    assert (scaled < 0).any()
    np.testing.assert_allclose(
        Chi2().fit(scaled, data.Y).scores_,
        Chi2().fit(data.X, data.Y).scores_,
        rtol=0.05,  # a value on the edge of a bin may fall on its other side
    )


@pytest.mark.parametrize("selector", [Chi2(), SPEC(), InfoGain(), ReliefF()])
def test_cases_13_and_14_scores_order_and_ranking_mean_one_thing(selector):
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (60, 2))
    X = rng.normal(size=(60, 5))
    X[:, 3] += 5 * Y[:, 0]
    selector.fit(X, Y)
    assert selector.order_[0] == 3
    assert selector.ranking_[3] == 1
    assert selector.scores_.argmax() == 3


def test_case_16_mast_ml_107_names_travel_with_the_columns(tmp_path):
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (30, 1))
    X = rng.normal(size=(30, 10))
    X[:, [7, 2, 4]] += 3 * Y
    frame = pd.DataFrame(X, columns=[f"col {i}" for i in range(10)])
    selector = Chi2(3).fit(frame, Y)
    data = load_dataset((frame, pd.DataFrame(Y, columns=["sick"])))
    reduced = data.take_features(selector.get_support(indices=True))
    reduced.save(tmp_path / "three.csv")
    again = load_dataset(tmp_path / "three.csv", labels=["sick"])
    assert again.feature_names == ("col 2", "col 4", "col 7")
    np.testing.assert_array_equal(again.X, X[:, [2, 4, 7]])


def test_case_18_scikit_learn_10585_two_rows_tie_and_keep_column_order():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selector = Chi2().fit([[4, 1, 0], [5, 10, 0]], [0, 1])
    assert selector.scores_[0] == selector.scores_[1] == 2.0
    assert selector.order_.tolist() == [0, 1, 2]


def test_case_19_scikit_rebate_43_three_classes_by_the_formula():
    # hits and misses are one row away: for x = 0 (class a) the hit is 0.1, the nearest
    # misses 0.4 (b) and 0.9 (c), each weighted by 1/3 over 1 - 1/3 = 1/2; and so on
    X = np.array([[0.0], [0.1], [0.4], [0.5], [0.9], [1.0]])
    y = ["a", "a", "b", "b", "c", "c"]
    hits = 6 * 0.1
    misses = 0.5 * ((0.4 + 0.9) + (0.3 + 0.8) + (0.3 + 0.5) + (0.4 + 0.4))
    misses += 0.5 * ((0.8 + 0.4) + (0.9 + 0.5))
    score = ReliefF(n_neighbors=1).fit(X, y).scores_[0]
    assert score == pytest.approx((misses - hits) / 6, rel=1e-12)


@pytest.mark.parametrize("n_features", [5, 10, 20, 40])
def test_case_21_fuzzy_rough_learn_9_a_reduct_has_as_many_features_as_it_takes(
    n_features,
):
    X = np.random.default_rng(n_features).integers(0, 2, (1500, n_features))
    Y = X[:, :4]  # four features decide, one for each label
    selector = ToleranceRoughSet().fit(X, Y)
    assert sorted(selector.reduct_) == [0, 1, 2, 3]
    assert selector.dependency_.shape == (4,)
    assert (np.diff(selector.dependency_) > 0).all()
    assert selector.dependency_[-1] == selector.total_dependency_
    assert selector.stopped_ == "complete"


def test_case_22_mlxtend_134_missing_values_without_dropping_rows():
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (80, 2))
    X = rng.normal(size=(80, 4))
    X[:, 1] += 4 * Y[:, 0]
    X[rng.random(X.shape) < 0.2] = np.nan
    selector = InfoGain(1).fit(X, Y)
    assert selector.order_[0] == 1
    assert load_dataset((X, Y)).describe().n_missing == np.isnan(X).sum()
    with pytest.raises(ValueError, match="NaN"):
        Chi2(1).fit(X, Y)


def test_case_23_scikit_multilearn_245_missing_labels_are_not_zeros():
    X = np.random.default_rng(0).normal(size=(10, 2))
    Y = np.ones((10, 2))
    Y[3, 1] = np.nan
    for estimator in (Chi2(1), MLkNN(2)):
        with pytest.raises(ValueError, match=r"missing at row 3, label 1"):
            estimator.fit(X, Y)


def test_case_25_scikit_rebate_18_sparse_input():
    rng = np.random.default_rng(0)
    X = sparse.random_array((60, 500), density=0.05, rng=rng, format="csr")
    Y = rng.integers(0, 2, (60, 3))
    for selector in (Chi2(5), SPEC(5), ReliefF(5)):
        assert selector.fit(X, Y).transform(X).shape == (60, 5)


def test_case_26_scikit_rebate_74_a_sample_of_rows_with_its_progress():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 100)
    X = np.column_stack([y + 0.1 * rng.normal(size=300), rng.normal(size=(300, 20))])
    told = []
    sample = ReliefF(
        1, n_samples=30, random_state=0, progress=lambda *done: told.append(done)
    ).fit(X, y)
    assert sample.get_support(indices=True).tolist() == [0]
    assert told[-1] == (30, 30)


def test_case_28_scikit_multilearn_22_a_row_is_not_its_own_neighbour():
    # on a line with alternating labels the nearest other row has the other label:
    # P(no neighbour has it | on) = (1 + 6) / (2 + 6), and of one (1 + 0) / (2 + 6)
    X = np.cumsum(1 + 0.01 * np.arange(12.0))[:, None]
    y = np.tile([1, 0], 6)[:, None]
    model = MLkNN(1).fit(X, y)
    on_top = model.predict_proba(X + 1e-6)[:, 0]
    # a query beside a row with the label: prior 1/2, 1/8 against 7/8
    np.testing.assert_allclose(on_top[0], 0.125)


def test_case_29_scikit_multilearn_193_probabilities_agree_with_predictions():
    data = load_dataset("yeast")
    model = MLkNN(10).fit(data.X[:500], data.Y[:500])
    scores = model.predict_proba(data.X[500:800])
    np.testing.assert_array_equal(model.predict(data.X[500:800]), scores > 0.5)


def test_case_30_scikit_multilearn_239_frames_in_arrays_out():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(20, 3)), columns=list("abc"))
    Y = pd.DataFrame(rng.integers(0, 2, (20, 2)), columns=["x", "y"])
    for data, truth in ((X, Y), (sparse.csr_matrix(X), sparse.csr_matrix(Y))):
        model = MLkNN(3).fit(data, truth)
        assert type(model.predict(data)) is np.ndarray
        assert type(model.predict_proba(data)) is np.ndarray


def test_case_31_mteb_1835_ranking_metrics_do_not_take_predictions():
    class OnlyPredicts(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.shape_ = y.shape[1]
            return self

        def predict(self, X):
            return np.zeros((len(X), self.shape_), dtype=int)

    X = np.random.default_rng(0).normal(size=(20, 3))
    Y = np.random.default_rng(1).integers(0, 2, (20, 2))
    with pytest.raises(TypeError, match="scores"):
        cross_validate(
            Chi2(), OnlyPredicts(), X, Y, cv=2, metrics=["average_precision"]
        )


def test_case_32_scikit_learn_7698_coverage_as_in_the_papers():
    Y = [[1, 0, 0], [0, 0, 1]]
    S = [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    assert coverage(Y, S) == 1.5
    assert coverage_error(Y, S) == 2.5


def test_case_33_scikit_learn_10843_labels_and_rows_without_positives():
    Y = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
    S = np.array([[0.1, 0.2, 0.3], [0.9, 0.1, 0.2], [0.8, 0.9, 0.1]])
    assert average_precision(Y, S) == 1.0  # the row without labels does not count
    assert average_precision(Y, S, empty="sklearn") == pytest.approx(
        label_ranking_average_precision_score(Y, S)
    )
    assert hamming_loss(Y, np.zeros_like(Y)) == pytest.approx(3 / 9)
    assert np.isnan(average_precision(np.zeros((2, 3)), S[:2]))


def test_case_34_scikit_multilearn_203_rows_without_a_predicted_label_are_counted():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    Y = (rng.random((60, 4)) < 0.1).astype(int)
    results = cross_validate(Chi2(), MLkNN(5), X, Y, grid=[2], cv=3, baseline=False)
    empty = sum(cell.rows_without_prediction for cell in results.cells)
    assert empty > 40
    assert any("predicts no label for" in note for note in results.notes())


def test_case_36_mlr_587_label_with_one_positive_in_cross_validation():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    Y = rng.integers(0, 2, (30, 3))
    Y[:, 2] = 0
    Y[4, 2] = 1
    results = cross_validate(Chi2(), MLkNN(3), X, Y, grid=[2], cv=5)
    assert sum(2 in f.absent_from_train for f in results.folds) == 1


def test_case_38_scikit_multilearn_131_sparse_mulan_file(tmp_path):
    (tmp_path / "toy.arff").write_text(
        "@relation 'toy: -C 9'\n@attribute 'it\\'s' {0,1}\n@attribute sad {0,1}\n"
        "@attribute tempo numeric\n@data\n{0 1,2 0.5}\n{1 1}\n"
    )
    (tmp_path / "toy.xml").write_text(
        '<labels xmlns="http://mulan.sourceforge.net/labels">'
        '<label name="sad"/><label name="it\'s"/></labels>'
    )
    data = load_dataset(tmp_path / "toy.arff")
    assert data.label_names == ("it's", "sad")
    assert data.Y.toarray().tolist() == [[1, 0], [0, 1]]
    assert data.X.toarray().tolist() == [[0.5], [0.0]]


def test_case_39_boruta_122_what_is_installed_is_what_was_asked_for():
    root = Path(__file__).resolve().parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [Requirement(text) for text in project["dependencies"]]
    assert all(str(need.specifier).startswith(">=") for need in needed)
    for need in needed:
        assert need.specifier.contains(version(need.name), prereleases=True), need


def test_case_40_selection_inside_the_fold_scores_chance_on_noise():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2000))
    y = rng.integers(0, 2, (200, 1))
    honest = cross_validate(
        Chi2(), MLkNN(5), X, y, grid=[20], cv=5, metrics=["hamming_loss"]
    )
    error = honest.best().mean["hamming_loss"]
    assert abs(error - 0.5) < 0.1
    leaked = Chi2(20).fit_transform(X, y)
    cheating = cross_validate(
        Chi2(), MLkNN(5), leaked, y, grid=[20], cv=5, metrics=["hamming_loss"]
    )
    assert cheating.best().mean["hamming_loss"] < error - 0.1


def test_case_m1_two_columns_of_labels_are_not_summed():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (200, 3))
    Y = rng.integers(0, 2, (200, 4))
    table = Chi2(discretize="none").fit(X, Y).scores_per_label_
    for f in range(3):
        for c in range(4):
            counts = pd.crosstab(X[:, f], Y[:, c]).to_numpy()
            expected = chi2_contingency(counts, correction=False).statistic
            assert table[f, c] == pytest.approx(expected, rel=1e-12)


def test_case_m2_the_class_itself_ranks_first():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    X = np.column_stack([rng.normal(size=(80, 4)), y + 0.01 * rng.normal(size=80)])
    for selector in (Chi2(1), SPEC(1), InfoGain(1), ReliefF(1)):
        assert selector.fit(X, y).get_support(indices=True).tolist() == [4]


def test_case_m3_scores_are_scores_for_scikit_learn_too():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    X = np.column_stack([rng.normal(size=(80, 3)), y])

    def score(X, y):
        return InfoGain(discretize="equal_width").fit(X, y).scores_

    best = SelectKBest(score, k=1).fit(X, y)
    assert best.get_support(indices=True).tolist() == [3]


def test_case_m4_a_rare_class_does_not_outrank_the_common_ones():
    rng = np.random.default_rng(0)
    y = np.repeat(["rare", "one", "two"], [14, 93, 93])
    rare = (y == "rare") + 0.01 * rng.normal(size=200)
    common = (y == "one") + 0.01 * rng.normal(size=200)
    selector = ReliefF(n_neighbors=5).fit(np.column_stack([rare, common]), y)
    assert selector.order_[0] == 1


@pytest.mark.parametrize("name", ["igmf", "pmu"])
def test_cases_m7_and_m8_the_feature_that_decides_comes_first(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 8))
    level = np.digitize(X[:, 5], [-0.5, 0.5])
    Y = np.column_stack([level == 0, level == 2, level > 0]).astype(int)
    assert make_selector(name).fit(X, Y).order_[0] == 5


@pytest.mark.parametrize("selector", [SPEC(1), LaplacianScore(1)])
def test_case_m10_spectral_scores_run_on_the_numpy_that_is_there(selector):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = np.column_stack([rng.normal(size=(60, 2)), y + 0.1 * rng.normal(size=60)])
    assert selector.fit(X, y).get_support(indices=True).tolist() == [2]


@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_case_m11_a_missing_value_is_used_as_said_or_refused(name):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 4)), rng.integers(0, 2, (40, 2))
    X[3, 1] = np.nan
    selector = make_selector(name)
    if selector.__sklearn_tags__().input_tags.allow_nan:
        assert np.isfinite(selector.fit(X, Y).ranking_).all()
    else:
        with pytest.raises(ValueError, match="NaN"):
            selector.fit(X, Y)


def test_reading_from_an_open_file():
    stream = io.BytesIO(b"a,b,sick\n1,2,0\n3,4,1\n")
    data = load_dataset(stream, format="csv", labels=["sick"])
    assert data.X.tolist() == [[1, 2], [3, 4]]
    assert data.Y.tolist() == [[0], [1]]
