import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import datasets

from labelsift.encode import EqualFrequencyDiscretizer, EqualWidthDiscretizer
from labelsift.encode.label_transform import to_class_problem
from labelsift.encode.labels import as_label_matrix
from labelsift.read import load_dataset
from labelsift.select import Chi2, GainRatio, InfoGain, SymmetricalUncertainty
from reference import information as reference
from reference.mdl import cut_points
from shared_data import data_file, golden
from weka_data import gene_table, mulan_table, weka_table

SELECTORS = {
    "information_gain": InfoGain,
    "gain_ratio": GainRatio,
    "symmetrical_uncertainty": SymmetricalUncertainty,
}
WEKA = {
    "InfoGain": InfoGain,
    "GainRatio": GainRatio,
    "SymmetricalUncert": SymmetricalUncertainty,
}
MULAN_PROBLEMS = {
    "LP": "label_powerset",
    "Copy": "copy",
    "Ignore": "ignore",
}
each_measure = pytest.mark.parametrize("measure", SELECTORS)


def test_feature_equal_to_a_label_gains_one_bit_of_it():
    X = np.array([[0, 5], [0, 7], [1, 5], [1, 7]])
    Y = np.array([[0, 1], [0, 1], [1, 1], [1, 1]])
    fitted = InfoGain(1, discretize="none").fit(X, Y)
    assert fitted.scores_.tolist() == [0.5, 0.0]
    assert fitted.scores_per_label_["x0", "label0"] == 1.0
    assert fitted.get_support(indices=True).tolist() == [0]
    assert InfoGain(aggregate="max", discretize="none").fit(X, Y).scores_[0] == 1.0
    with pytest.warns(UserWarning, match="label1"):
        least = InfoGain(aggregate="min", discretize="none").fit(X, Y)
    assert least.scores_.tolist() == [0.0, 0.0]


def test_measures_of_a_four_valued_feature_and_its_half():
    # H(feature) = 2, H(class) = 1, the feature tells the class
    X, y = np.array([[0], [1], [2], [3]] * 2), [0, 0, 1, 1] * 2
    for selector, value in [
        (InfoGain, 1.0),
        (GainRatio, 1 / 2),
        (SymmetricalUncertainty, 2 / 3),
    ]:
        assert selector(discretize="none").fit(X, y).scores_[0] == value


@each_measure
@pytest.mark.parametrize("discretize", ["none", "mdl", "equal_width", "median"])
@given(seed=st.integers(0, 2**32 - 1))
def test_matches_plain_python_reference(measure, discretize, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 40))
    Y = (rng.random((n, 3)) < 0.5).astype(int)
    X = np.round(rng.normal(size=(n, 3)) + 2 * Y, 0 if discretize == "none" else 1)
    X[rng.random(X.shape) < 0.1] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        fitted = SELECTORS[measure](discretize=discretize).fit(X, Y)
    found = np.asarray(fitted.scores_per_label_)
    for f in range(3):
        known = ~np.isnan(X[:, f])
        for label in range(3):
            values, y = X[known, f].tolist(), Y[known, label].tolist()
            if discretize == "mdl":
                values = reference.bins(
                    values, cut_points(values, y, encoding="better")
                )
            elif discretize == "equal_width" and values:
                values = EqualWidthDiscretizer().fit_transform(np.c_[values]).ravel()
            elif discretize == "median" and values:
                values = [v > np.median(values) for v in values]
                if len(set(values)) == 1 and len(set(X[known, f])) > 1:
                    continue  # the median is the largest value: cut below it
            expected = getattr(reference, measure)(list(values), y)
            assert found[f, label] == pytest.approx(expected, abs=1e-10)


@each_measure
@pytest.mark.parametrize("discretize", ["none", "mdl", "equal_width"])
@pytest.mark.parametrize("missing", ["pairwise", "distribute"])
def test_sparse_missing_and_dense_missing_agree(measure, discretize, missing):
    rng = np.random.default_rng(3)
    Y = (rng.random((80, 3)) < 0.4).astype(int)
    X = np.round(rng.normal(size=(80, 4)) + np.c_[Y, Y[:, 0]], 1)
    X[rng.random(X.shape) < 0.5] = 0
    X[rng.random(X.shape) < 0.1] = np.nan
    settings = {"discretize": discretize, "missing": missing}
    for nominal in (None, [1]):
        settings["categorical_features"] = nominal
        dense = SELECTORS[measure](**settings).fit(X, Y)
        stored = SELECTORS[measure](**settings).fit(sparse.csc_array(X), Y)
        np.testing.assert_allclose(stored.scores_, dense.scores_, rtol=1e-12)
        assert (stored.order_ == dense.order_).all()


def test_counted_and_sorted_columns_give_the_same_tables():
    rng = np.random.default_rng(4)
    Y = (rng.random((90, 4)) < 0.4).astype(int)
    X = rng.integers(0, 5, (90, 6)).astype(float) + np.c_[Y, Y[:, :2]]
    X[rng.random(X.shape) < 0.1] = np.nan
    for discretize in ("none", "equal_width", "equal_frequency"):
        counted = GainRatio(discretize=discretize).fit(X, Y)
        by_sorting = GainRatio(discretize=discretize, categorical_features=[]).fit(X, Y)
        assert (counted.scores_ == by_sorting.scores_).all()


def test_blocks_of_rows_with_missing_values_equal_the_whole():
    rng = np.random.default_rng(5)
    Y = (rng.random((90, 3)) < 0.4).astype(int)
    X = rng.integers(0, 4, (90, 5)).astype(float) + Y[:, [0, 1, 2, 0, 1]]
    X[60:][rng.random((30, 5)) < 0.2] = np.nan
    cuts = EqualFrequencyDiscretizer(3).fit(np.nan_to_num(X)).cut_points_
    for settings, first in [
        ({"discretize": "none"}, {}),
        ({"discretize": "mdl"}, {}),
        ({"discretize": "mdl"}, {"cut_points": cuts}),
        ({"discretize": "none", "problem": "copy"}, {}),
        ({"discretize": "none", "problem": "label_powerset"}, {}),
        ({"discretize": "equal_width", "problem": "select_max"}, {}),
    ]:
        parts = InfoGain(**settings)
        parts.partial_fit(X[:30], Y[:30], **first)
        parts.partial_fit(X[30:70], Y[30:70]).partial_fit(X[70:], Y[70:])
        if first:
            whole = InfoGain(**settings).partial_fit(X, Y, **first)
        else:
            whole = InfoGain(**settings).fit(X, Y)
        np.testing.assert_allclose(parts.scores_, whole.scores_, rtol=1e-12)


@pytest.mark.parametrize("discretize", ["equal_width", "equal_frequency", "mdl"])
@pytest.mark.parametrize("problem", ["binary_relevance", "label_powerset"])
@pytest.mark.parametrize("gaps", [False, True])
def test_blocks_read_twice_equal_the_whole(discretize, problem, gaps):
    rng = np.random.default_rng(10)
    Y = (rng.random((90, 3)) < 0.4).astype(int)
    X = rng.normal(size=(90, 4)) + Y[:, [0, 1, 2, 0]]
    if gaps:
        X[40:][rng.random((50, 4)) < 0.2] = np.nan
        X[:30, 2] = np.nan
    settings = {"discretize": discretize, "problem": problem}
    whole = InfoGain(**settings).fit(X, Y)
    for container in (np.asarray, sparse.csr_array):
        blocks = [(container(X[i : i + 30]), Y[i : i + 30]) for i in (0, 30, 60)]
        parts = InfoGain(**settings).fit_blocks(blocks)
        np.testing.assert_allclose(parts.scores_, whole.scores_, rtol=1e-12)


def test_class_vector_in_blocks_is_one_problem():
    X, y = datasets.load_iris(return_X_y=True)
    X = np.round(X)
    whole = GainRatio(discretize="none").fit(X, y)
    parts = GainRatio(discretize="none").partial_fit(X[:60], y[:60], classes=[0, 1, 2])
    parts.partial_fit(X[60:], y[60:])
    assert (parts.scores_ == whole.scores_).all()
    assert whole.scores_per_label_.label_names == ("class",)


def test_cut_points_need_rows_that_can_be_counted():
    with pytest.raises(ValueError, match="cut_points= needs rows that can be counted"):
        InfoGain(problem="label_powerset").partial_fit(
            np.eye(3), np.eye(3, dtype=int), cut_points=[[0.5]] * 3
        )


@pytest.mark.parametrize("problem", ["copy", "ignore", "select_max", "select_min"])
def test_rows_of_one_label_make_every_transformation_the_class_vector(problem):
    X, y = datasets.load_iris(return_X_y=True)
    expected = InfoGain().fit(X, y).scores_
    found = InfoGain(problem=problem).fit(X, np.eye(3, dtype=int)[y]).scores_
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_copying_rows_is_what_the_problem_says():
    rng = np.random.default_rng(6)
    Y = (rng.random((60, 3)) < 0.5).astype(int)
    X = rng.normal(size=(60, 4)) + np.c_[Y, Y[:, 0]]
    row, label = np.nonzero(Y)
    for discretize in ("mdl", "equal_frequency"):
        if discretize == "mdl":
            expected = InfoGain().fit(X[row], label).scores_
        else:
            coded = EqualFrequencyDiscretizer().fit_transform(X)
            expected = InfoGain(discretize="none").fit(coded[row], label).scores_
        found = InfoGain(problem="copy", discretize=discretize).fit(X, Y).scores_
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_weights_of_copied_rows_count_in_the_tables():
    X = np.array([[0], [0], [1], [1]])
    Y = np.array([[1, 0], [1, 1], [1, 1], [0, 1]])
    # value 0: weight 3/2 of a, 1/2 of b; value 1 the other way round
    gain = 1 + 0.75 * np.log2(0.75) + 0.25 * np.log2(0.25)
    found = InfoGain(problem="copy_weight", discretize="none").fit(X, Y).scores_
    np.testing.assert_allclose(found, [gain], rtol=1e-12)


def test_constant_feature_comes_after_noise_that_scores_nothing_either():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(40, 3))
    X[:, 0] = 1
    y = rng.integers(0, 2, 40)
    fitted = InfoGain().fit(X, y)
    assert fitted.scores_.tolist() == [0, 0, 0]
    assert fitted.order_.tolist() == [1, 2, 0]


@pytest.mark.parametrize("evaluator", WEKA)
@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_bundled_data_equal_weka(name, evaluator):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    expected = golden(f"weka_evaluators_{name}.json")["values"]
    scores = expected[f"{evaluator}AttributeEval"]["scores"]
    np.testing.assert_allclose(WEKA[evaluator]().fit(X, y).scores_, scores, atol=1e-9)


@pytest.mark.parametrize("evaluator", WEKA)
@pytest.mark.parametrize(
    "name", ["glass", "segment-challenge", "vote", "soybean", "labor"]
)
def test_sample_files_equal_weka(name, evaluator):
    X, y, nominal = weka_table(name)
    expected = golden(f"weka_evaluators_{name}.json")["values"]
    scores = expected[f"{evaluator}AttributeEval"]["scores"]
    selector = WEKA[evaluator](categorical_features=nominal, missing="distribute")
    np.testing.assert_allclose(selector.fit(X, y).scores_, scores, atol=1e-9)


@pytest.mark.parametrize("evaluator", WEKA)
@pytest.mark.parametrize("name", ["colon", "SRBCT", "lung_small"])
def test_gene_data_equal_weka(name, evaluator):
    X, y = gene_table(name)
    expected = golden(f"weka_evaluators_{name}.json")["values"]
    expected = expected[f"{evaluator}AttributeEval"]
    scores = WEKA[evaluator]().fit(X, y).scores_
    for feature, score in expected["top"]:
        assert scores[feature] == pytest.approx(score, abs=1e-9)
    assert (scores > 0).sum() == expected["n_nonzero"]
    assert scores.sum() == pytest.approx(expected["sum"], rel=1e-9)


MULAN = [("emotions", "emotions", 6), ("yeast", "yeast-train", 14)]


@pytest.mark.parametrize("evaluator", WEKA)
@pytest.mark.parametrize(("name", "file", "n_labels"), MULAN)
def test_labels_and_problems_equal_mulan(name, file, n_labels, evaluator):
    X, Y = mulan_table(file, n_labels)
    values = golden(f"mulan_feature_selection_{name}.json")["values"]
    seen = 0
    for entry, expected in values.items():
        kind, scorer, *rest = entry.split()
        if scorer != evaluator or rest[-1:] == ["rank"]:
            continue
        settings = {}
        if kind == "BR":
            settings["aggregate"] = {"avg": "mean"}.get(rest[0], rest[0])
            settings["label_norm"] = None if rest[1] == "none" else rest[1]
        elif kind in MULAN_PROBLEMS:
            settings["problem"] = MULAN_PROBLEMS[kind]
        elif kind != "per_label":
            continue  # see the next test
        fitted = WEKA[evaluator](**settings).fit(X, Y)
        if kind == "per_label":
            found, scores = np.asarray(fitted.scores_per_label_).T, expected
        else:
            found, scores = fitted.scores_, expected["scores"]
        np.testing.assert_allclose(found, scores, atol=1e-9, err_msg=entry)
        seen += 1
    assert seen >= (0 if evaluator == "SymmetricalUncert" and name == "yeast" else 5)


@pytest.mark.parametrize("evaluator", WEKA)
@pytest.mark.parametrize(("entry", "how"), [("SelectMax", max), ("SelectMin", min)])
def test_select_one_label_equals_mulan_but_for_its_slip(entry, how, evaluator):
    # Mulan starts from label 0 whether the row has it or not; where that does not
    # matter its class is ours, and with its classes its scores are ours
    X, Y = mulan_table("emotions", 6)
    total = Y.sum(axis=0)
    slipped = np.zeros(len(Y), dtype=int)
    for i, row in enumerate(Y):
        for label in np.flatnonzero(row):
            if how(total[label], total[slipped[i]]) != total[slipped[i]]:
                slipped[i] = label
    values = golden("mulan_feature_selection_emotions.json")["values"]
    scores = WEKA[evaluator]().fit(X, slipped).scores_
    expected = values[f"{entry} {evaluator}"]["scores"]
    np.testing.assert_allclose(scores, expected, atol=1e-9)
    problem = to_class_problem(
        as_label_matrix(Y),
        {"SelectMax": "select_max", "SelectMin": "select_min"}[entry],
    )
    has_it = Y[np.arange(len(Y)), slipped] == 1
    assert 0 < has_it.sum() < len(Y)
    assert (problem.classes[has_it] == slipped[has_it]).all()


@pytest.mark.parametrize("evaluator", ["InfoGain", "GainRatio"])
def test_weighted_copies_equal_weka(evaluator):
    X, Y = mulan_table("emotions", 6)
    values = golden("weka36_copyweight_emotions.json")["values"]
    scores = WEKA[evaluator](problem="copy_weight").fit(X, Y).scores_
    expected = values[f"{evaluator}AttributeEval"]["scores"]
    np.testing.assert_allclose(scores, expected, atol=1e-9)


def test_nominal_features_are_given_by_mask_number_or_name():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(8)
    X = pandas.DataFrame(rng.integers(0, 9, (60, 3)), columns=["a", "b", "c"])
    y = rng.integers(0, 2, 60)
    by_mask = InfoGain(categorical_features=[False, True, False]).fit(X, y)
    assert by_mask.scores_[1] > 0
    for given_as in ([1], ["b"], np.array([1])):
        other = InfoGain(categorical_features=given_as).fit(X, y)
        assert (other.scores_ == by_mask.scores_).all()
    for wrong, message in [
        (["z"], "names 'z', which is not a feature"),
        ([3], "column numbers from 0 to 2"),
        ([True], "one a feature, 3"),
        ([0.5], "column numbers from 0 to 2"),
    ]:
        with pytest.raises(ValueError, match=message):
            InfoGain(categorical_features=wrong).fit(X, y)


@pytest.mark.parametrize("evaluator", [*WEKA, "ChiSquared"])
@pytest.mark.parametrize(
    ("name", "file"), [("birds", "birds-train"), ("medical", "medical")]
)
def test_nominal_and_sparse_files_equal_mulan(name, file, evaluator):
    data = load_dataset(data_file(f"{file}.arff.gz"))
    assert data.is_nominal.any()
    seen = 0
    for entry, expected in golden(f"mulan_feature_selection_{name}.json")[
        "values"
    ].items():
        kind, scorer, *rest = entry.split()
        if scorer != evaluator:
            continue
        settings = {"problem": "label_powerset"}
        if kind == "BR":
            settings = {"aggregate": {"avg": "mean"}.get(rest[0], rest[0])}
        if evaluator == "ChiSquared":
            # a nominal feature of two values is one that is cut between them
            if data.is_nominal.sum() < data.n_features:
                continue
            selector = Chi2(discretize="none", **settings)
        else:
            selector = WEKA[evaluator](categorical_features=data.is_nominal, **settings)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            scores = selector.fit(data.X, data.Y).scores_
        if "scores" in expected:
            np.testing.assert_allclose(
                scores, expected["scores"], rtol=1e-9, atol=1e-9, err_msg=entry
            )
        else:
            for feature, score in expected["top"]:
                assert scores[feature] == pytest.approx(score, rel=1e-9, abs=1e-9)
            assert scores.sum() == pytest.approx(expected["sum"], rel=1e-9)
        seen += 1
    assert seen or name == "birds"


def test_counts_of_two_processes_merge():
    rng = np.random.default_rng(9)
    Y = (rng.random((60, 3)) < 0.4).astype(int)
    X = rng.integers(0, 3, (60, 4)).astype(float) + Y[:, [0, 1, 2, 0]]
    X[rng.random(X.shape) < 0.1] = np.nan
    whole = GainRatio(discretize="none").fit(X, Y)
    for settings in ({"discretize": "none"}, {"discretize": "mdl"}):
        whole = GainRatio(**settings).fit(X, Y)
        first = GainRatio(**settings).partial_fit(X[:25], Y[:25])
        second = GainRatio(**settings).partial_fit(X[25:], Y[25:])
        np.testing.assert_allclose(
            first.merge(second).scores_, whole.scores_, rtol=1e-12
        )


@pytest.mark.parametrize(
    "asked",
    [np.array([1], dtype=object), np.array([False, True], dtype=object), ["x1"]],
    ids=["numbers", "mask", "names"],
)
def test_categorical_features_may_come_as_objects(asked):
    rows, labels = np.array([[0, 5], [1, 6], [2, 5], [3, 6]]), [[1], [0], [1], [0]]
    # x1 is too short for a cut, and as a category it tells the label: 1 bit
    fitted = InfoGain(categorical_features=asked).fit(rows, labels)
    assert (
        fitted.scores_.tolist()
        == InfoGain(categorical_features=[1]).fit(rows, labels).scores_.tolist()
    )
    assert fitted.scores_[1] == 1.0


def test_nested_categorical_features_are_refused():
    with pytest.raises(ValueError, match=r"must be a flat list .* shape \(1, 2\)"):
        InfoGain(categorical_features=[[0, 1]]).fit(np.eye(4), np.eye(4)[:, :1])
