import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import datasets

from labelsift.encode.label_transform import to_class_problem
from labelsift.encode.labels import as_label_matrix
from labelsift.score.chi2 import chi2_of_tables
from labelsift.select import Chi2
from labelsift.select._problems import BETTER
from labelsift.statistics.tables import EVERY_VALUE, measure_classes
from reference import information as reference
from reference.mdl import cut_points
from shared_data import golden
from weka_data import gene_table, mulan_table, weka_table

MULAN_PROBLEMS = {"LP": "label_powerset", "Copy": "copy", "Ignore": "ignore"}


def test_class_vector_makes_one_table_of_values_by_classes():
    x = np.array([0] * 40 + [1] * 5 + [2] * 5 + [0] * 5 + [1] * 40 + [2] * 5)
    y = np.array(["a"] * 50 + ["b"] * 30 + ["c"] * 20)
    table = np.array([[(y[x == v] == c).sum() for c in "abc"] for v in range(3)])
    expected = stats.chi2_contingency(table, correction=False)
    fitted = Chi2(discretize="none").fit(x[:, None], y)
    assert fitted.scores_[0] == pytest.approx(expected.statistic)
    assert fitted.scores_per_label_.label_names == ("class",)
    p_value = Chi2(discretize="none", correction="p_value").fit(x[:, None], y)
    assert p_value.scores_[0] == pytest.approx(-np.log10(expected.pvalue))
    cramer = Chi2(discretize="none", correction="cramers_v").fit(x[:, None], y)
    v = stats.contingency.association(table, method="cramer", correction=False)
    assert cramer.scores_[0] == pytest.approx(v)


@pytest.mark.parametrize("variant", ["full", "simplified"])
@given(seed=st.integers(0, 2**32 - 1))
def test_supervised_cuts_for_each_label_match_the_reference(variant, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 50))
    Y = np.c_[np.arange(n) < n // 2, rng.random(n) < 0.5].astype(int)
    X = np.round(rng.normal(size=(n, 3)) + 3 * np.c_[Y, Y[:, 0]], 1)
    found = Chi2(discretize="mdl", variant=variant).fit(X, Y).scores_per_label_.values
    for f in range(3):
        for label in range(2):
            values, y = X[:, f].tolist(), Y[:, label].tolist()
            cuts = cut_points(values, y, encoding="better")
            expected = reference.chi_square(reference.bins(values, cuts), y)
            if variant == "simplified":
                expected *= sum(y) * (n - sum(y)) / n
            assert found[f, label] == pytest.approx(expected, abs=1e-9)


def test_corrections_of_supervised_cuts_agree_with_given_bins():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = rng.integers(0, 2, (200, 4)) * (rng.random((200, 4)) < 0.7) + y[:, None]
    X = np.minimum(X, 1.0)  # two values: a cut between them, or none
    for correction in (None, "p_value", "cramers_v"):
        cut = Chi2(discretize="mdl", correction=correction).fit(X, y[:, None])
        given_bins = Chi2(discretize="none", correction=correction).fit(X, y[:, None])
        assert (cut.scores_ > 0).any()
        kept = cut.scores_ > 0
        np.testing.assert_allclose(cut.scores_[kept], given_bins.scores_[kept])


def test_simplified_form_needs_single_labels():
    X, y = datasets.load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="defined for one label at a time"):
        Chi2(variant="simplified").fit(X, y)
    with pytest.raises(ValueError, match="defined for one label at a time"):
        Chi2(variant="simplified", problem="copy").fit(X, np.eye(3, dtype=int)[y])


@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_bundled_data_equal_weka(name):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    check_weka(Chi2(discretize="mdl").fit(X, y).scores_, name)


@pytest.mark.parametrize("name", ["glass", "segment-challenge", "colon", "SRBCT"])
def test_numeric_files_equal_weka(name):
    X, y = gene_table(name) if name in ("colon", "SRBCT") else weka_table(name)[:2]
    check_weka(Chi2(discretize="mdl").fit(X, y).scores_, name)


@pytest.mark.parametrize("name", ["vote", "soybean", "labor"])
def test_files_with_missing_values_equal_weka_where_they_are_spread(name):
    X, y, nominal = weka_table(name)
    problem = to_class_problem(as_label_matrix(y), "label_powerset")
    rules = np.where(nominal, EVERY_VALUE, BETTER)
    scores = measure_classes(
        X, problem, rules, lambda tables: chi2_of_tables(tables.with_missing_spread())
    )
    check_weka(scores, name)


def check_weka(scores, name):
    expected = golden(f"weka_evaluators_{name}.json")["values"]
    expected = expected["ChiSquaredAttributeEval"]
    if "scores" in expected:
        # twelve digits are printed, and statistics run into the thousands
        np.testing.assert_allclose(scores, expected["scores"], rtol=1e-9, atol=1e-9)
        return
    for feature, score in expected["top"]:
        assert scores[feature] == pytest.approx(score, rel=1e-9)
    assert (scores > 0).sum() == expected["n_nonzero"]
    assert scores.sum() == pytest.approx(expected["sum"], rel=1e-9)


@pytest.mark.parametrize(
    ("name", "file", "n_labels"),
    [("emotions", "emotions", 6), ("yeast", "yeast-train", 14)],
)
def test_labels_and_problems_equal_mulan(name, file, n_labels):
    X, Y = mulan_table(file, n_labels)
    seen = 0
    for entry, expected in golden(f"mulan_feature_selection_{name}.json")[
        "values"
    ].items():
        kind, scorer, *rest = entry.split()
        if scorer != "ChiSquared" or rest[-1:] == ["rank"]:
            continue
        settings = {}
        if kind == "BR":
            settings["aggregate"] = {"avg": "mean"}.get(rest[0], rest[0])
            settings["label_norm"] = None if rest[1] == "none" else rest[1]
        elif kind in MULAN_PROBLEMS:
            settings["problem"] = MULAN_PROBLEMS[kind]
        elif kind != "per_label":
            continue
        fitted = Chi2(discretize="mdl", **settings).fit(X, Y)
        if kind == "per_label":
            found, scores = fitted.scores_per_label_.values.T, expected
        else:
            found, scores = fitted.scores_, expected["scores"]
        np.testing.assert_allclose(found, scores, rtol=1e-9, atol=1e-9, err_msg=entry)
        seen += 1
    assert seen >= 5


def test_weighted_copies_equal_weka():
    X, Y = mulan_table("emotions", 6)
    values = golden("weka36_copyweight_emotions.json")["values"]
    scores = Chi2(discretize="mdl", problem="copy_weight").fit(X, Y).scores_
    expected = values["ChiSquaredAttributeEval"]["scores"]
    np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)
