"""Mulan's transformation learners, on the same rows with the same base classifiers."""

import functools
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler
from sklearn.svm import SVC

from labelsift import load_dataset
from labelsift.evaluate.metrics import measure
from labelsift.learn import (
    BinaryRelevance,
    CalibratedLabelRanking,
    ClassifierChain,
    LabelPowerset,
    RAkEL,
)
from labelsift.learn.entropy_tree import EntropyTree
from shared_data import data_file, golden
from weka_bases import WekaNaiveBayes, WekaNeighbors, one_column_a_value

pytestmark = pytest.mark.slow

METRICS = {
    "hamming_loss": {},
    "one_error": {"empty": "mulan", "ties": "mulan"},
    "coverage": {"empty": "mulan", "ties": "mulan"},
    "ranking_loss": {"empty": "mulan", "ties": "mulan"},
    "average_precision": {"empty": "mulan", "ties": "mulan"},
}
CLR = CalibratedLabelRanking


@functools.lru_cache(maxsize=4)
def data(name):
    return tuple(
        load_dataset(
            data_file(f"{name}-{part}.arff.gz"), labels=data_file(f"{name}.xml")
        )
        for part in ("train", "test")
    )


def sizes(train):
    return [None if values is None else len(values) for values in train.categories]


def support_vectors(train, **options):
    """Weka's SMO: one column a value, 0 to 1 over the rows of the sub-problem."""
    return make_pipeline(
        FunctionTransformer(one_column_a_value, kw_args={"n_values": sizes(train)}),
        MinMaxScaler(),
        SVC(C=1, tol=1e-4, **options),
    )


def figures(model, test):
    predicted, scores = model.predict(test.X), model.predict_proba(test.X)
    found = {}
    for name, options in METRICS.items():
        found |= measure(
            [name], test.Y, predictions=predicted, scores=scores, **options
        )
    return found, predicted, scores


@pytest.mark.parametrize(
    ("name", "entry", "build"),
    [
        (name, entry, build)
        for entry, build, names in (
            (
                "BR(NaiveBayes)",
                lambda t: BinaryRelevance(WekaNaiveBayes(sizes(t))),
                ("emotions", "flags", "yeast"),
            ),
            (
                "BR(IBk k=10)",
                lambda t: BinaryRelevance(
                    WekaNeighbors(10, [s is not None for s in sizes(t)])
                ),
                ("flags",),
            ),
            (
                "BR(SMO linear C=1)",
                lambda t: BinaryRelevance(
                    support_vectors(t, kernel="linear"), scores="votes"
                ),
                ("emotions",),
            ),
        )
        for name in names
    ],
)
def test_binary_relevance_is_mulans_where_the_base_classifier_is(name, entry, build):
    train, test = data(name)
    expected = golden(f"mulan_transform_{name}.json")
    assert list(train.label_names) == expected["dataset"]["label_names"]
    expected = expected["values"][entry]
    found, predicted, scores = figures(build(train).fit(train.X, train.Y), test)
    for metric, value in found.items():
        assert value == pytest.approx(expected["metrics"][metric], abs=1e-9), metric
    positives = expected["predicted_positive_counts"]
    assert predicted.sum(axis=0).tolist() == positives
    np.testing.assert_allclose(scores[:10], expected["confidences_first10"], atol=1e-9)
    np.testing.assert_array_equal(predicted[:10], expected["bipartition_first10"])
    np.testing.assert_allclose(
        scores.mean(axis=0), expected["mean_confidence_per_label"], atol=1e-9
    )


# SMO and libsvm stop within a tolerance of the optimum, and where all support vectors
# are at the bound (small gamma, few rows) the intercept is free within an interval, of
# which they take different points. So a few of some thousand votes differ.
@pytest.mark.parametrize(
    ("name", "entry", "options", "cells"),
    [
        ("emotions", "CLR(SMO linear C=1)", {"kernel": "linear"}, 1),
        ("emotions", "CLR(SMO RBF gamma=0.01 C=1)", {"gamma": 0.01}, 9),
        ("flags", "CLR(SMO linear C=1)", {"kernel": "linear"}, 3),
        ("flags", "CLR(SMO RBF gamma=0.01 C=1)", {"gamma": 0.01}, 8),
        ("flags", "CLR(SMO RBF gamma=1 C=1)", {"gamma": 1.0}, 12),
    ],
)
def test_label_ranking_is_mulans_but_for_a_few_votes(name, entry, options, cells):
    train, test = data(name)
    expected = golden(f"mulan_transform_{name}.json")["values"][entry]
    model = CLR(support_vectors(train, **options)).fit(train.X, train.Y)
    found, predicted, scores = figures(model, test)
    limits = {"coverage": 0.1, "one_error": 0.02, "hamming_loss": 0.025}
    for metric, value in found.items():
        limit = limits.get(metric, 0.02)
        assert value == pytest.approx(expected["metrics"][metric], abs=limit), metric
    positives = np.array(expected["predicted_positive_counts"])
    assert np.abs(predicted.sum(axis=0) - positives).sum() <= cells
    first = np.array(expected["confidences_first10"])
    assert (np.abs(scores[:10] - first) < 1e-9).mean() >= 0.9


# EntropyTree is not J48 (see there what differs), so these are levels. Mulan's test
# rows are 202 and 65: one standard error of an example-based metric is about 0.015 and
# 0.025, of coverage 0.12 and 0.2.
@pytest.mark.parametrize(
    ("name", "entry", "model"),
    [
        ("emotions", "BR(J48)", BinaryRelevance()),
        ("emotions", "CLR(J48)", CLR(EntropyTree())),
        ("emotions", "LP(J48)", LabelPowerset(scores="set")),
        ("flags", "BR(J48)", BinaryRelevance()),
        ("flags", "CLR(J48)", CLR(EntropyTree())),
        ("flags", "LP(J48)", LabelPowerset(scores="set")),
        ("flags", "CC(J48,label order)", ClassifierChain()),
    ],
)
def test_tree_based_learners_are_level_with_mulans(name, entry, model):
    train, test = data(name)
    values = golden(f"mulan_transform_{name}.json")["values"]
    # J48 does not read the codes of a nominal column as numbers
    X, asked = (one_column_a_value(part.X, sizes(train)) for part in (train, test))
    asked = SimpleNamespace(X=asked, Y=test.Y)
    found, _, _ = figures(model.fit(X, train.Y), asked)
    limits = {"hamming_loss": 0.045, "coverage": 0.5}
    for metric, value in found.items():
        limit = limits.get(metric, 0.125)
        expected = values[entry]["metrics"][metric]
        assert value == pytest.approx(expected, abs=limit), metric


@pytest.mark.parametrize("name", ["emotions", "flags"])
def test_mulans_rakel_lies_within_the_spread_over_seeds(name):
    train, test = data(name)
    values = golden(f"mulan_transform_{name}.json")["values"]
    expected = values["RAkEL(LP(J48),default models,k=3,seed=0)"]["metrics"]
    runs = [
        figures(RAkEL(random_state=seed).fit(train.X, train.Y), test)[0]
        for seed in range(6)
    ]
    for metric in METRICS:
        seen = np.array([run[metric] for run in runs])
        assert abs(expected[metric] - seen.mean()) < 3 * seen.std(ddof=1), metric
