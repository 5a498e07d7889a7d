"""ReliefF beside the numbers of Weka's and Mulan's programs."""

import numpy as np
import pytest
from scipy.io import loadmat
from sklearn import datasets

from labelsift.read import load_dataset
from labelsift.select import ReliefF
from shared_data import data_file, golden
from weka_data import weka_table

PREFIX = "ReliefFAttributeEval -M -1 -D 1 -K"
KEYS = {
    f"{PREFIX} 10": {"n_neighbors": 10},
    f"{PREFIX} 5": {"n_neighbors": 5},
    f"{PREFIX} 1": {"n_neighbors": 1},
}
BY_RANK = f"{PREFIX} 10 -W -A 2"


def bundled(name):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return X, y, {}


def weka(name):
    X, y, nominal = weka_table(name)
    options = {"categorical_features": nominal}
    if name == "soybean":
        sizes = np.array([len(np.unique(c[~np.isnan(c)])) for c in X.T])
        sizes[28] += 1  # fruit-spots: no row is "distort"
        options["n_categories"] = sizes
    return X, y, options


@pytest.mark.parametrize(
    "name",
    [
        "iris",  # many tied distances
        "wine",
        "digits",
        "glass",
        "segment-challenge",
        "soybean",  # 19 classes, nominal, missing
        "vote",
        "labor",  # numbers, categories and missing values
    ],
)
def test_weights_of_weka_ties_included(name):
    make = bundled if name in ("iris", "wine", "digits") else weka
    values = golden(f"weka_evaluators_{name}.json")["values"]
    X, y, options = make(name)
    for key, asked in KEYS.items():
        scores = ReliefF(**asked, **options).fit(X, y).scores_
        np.testing.assert_allclose(scores, values[key]["scores"], atol=1e-9)


@pytest.mark.parametrize("name", ["wine", "glass", "segment-challenge"])
def test_weights_by_rank_of_weka_where_no_ranks_are_tied(name):
    make = bundled if name == "wine" else weka
    values = golden(f"weka_evaluators_{name}.json")["values"]
    X, y, options = make(name)
    scores = ReliefF(sigma=2, **options).fit(X, y).scores_
    np.testing.assert_allclose(scores, values[BY_RANK]["scores"], atol=1e-9)


@pytest.mark.parametrize("name", ["colon", "lung_small", "SRBCT"])
def test_weights_of_weka_on_gene_expression(name):
    values = golden(f"weka_evaluators_{name}.json")["values"]
    table = {k.lower(): v for k, v in loadmat(data_file(f"{name}.mat")).items()}
    X = np.asarray(table.get("x", table.get("data")), dtype=float)
    y = np.asarray(table.get("y", table.get("label"))).ravel()
    for key, asked in KEYS.items():
        scores = ReliefF(**asked).fit(X, y).scores_
        compare(scores, values[key])
        assert scores.min() == pytest.approx(values[key]["min"], abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("emotions", "emotions.arff.gz"),
        ("yeast", "yeast-train.arff.gz"),
        ("birds", "birds-train.arff.gz"),
        ("medical", "medical.arff.gz"),  # sparse, binary: ties everywhere
    ],
)
def test_several_labels_of_mulan(name, file):
    values = golden(f"mulan_feature_selection_{name}.json")["values"]
    data = load_dataset(data_file(file))
    nominal = np.array([c is not None for c in data.categories])

    def check(key, **asked):
        selector = ReliefF(categorical_features=nominal, **asked).fit(data.X, data.Y)
        compare(selector.scores_, values[key])
        return selector

    check("BR ReliefF max none eval", aggregate="max")
    check("BR ReliefF min none eval", aggregate="min")
    selector = check("BR ReliefF avg none eval")
    if "per_label ReliefF" in values:
        table = selector.scores_per_problem_.values.T
        np.testing.assert_allclose(table, values["per_label ReliefF"], atol=1e-9)
    problems = {"LP": "label_powerset", "Copy": "copy", "Ignore": "ignore"}
    for word, problem in problems.items():
        if f"{word} ReliefF" in values:
            check(f"{word} ReliefF", problem=problem)


def compare(scores, want):
    """Compare with all scores, or with the best and the sum where only these stand."""
    if "scores" in want:
        np.testing.assert_allclose(scores, want["scores"], atol=1e-9)
        return
    for column, score in want["top"]:
        assert scores[column] == pytest.approx(score, abs=1e-9)
    assert scores.sum() == pytest.approx(want["sum"], abs=1e-7)
