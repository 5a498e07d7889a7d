"""What every multi-label classifier must do; the list is the registry itself."""

import inspect
import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelsift.learn import CLASSIFIERS

each_classifier = pytest.mark.parametrize("name", sorted(CLASSIFIERS))


def table(n=60, d=5, q=3, seed=0):
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, q)) < 0.4).astype(np.uint8)
    X = rng.normal(size=(n, d))
    X[:, :q] += 2 * Y
    return X, Y


def fitted(name, X, Y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return CLASSIFIERS[name]().fit(X, Y)


def small(cls):
    """Return an instance that can learn from the ten rows of some of the checks.

    One check wants probabilities strictly between 0 and 1; a share of neighbours is 0
    when none has the label, unless it is smoothed.
    """
    settings = {"n_neighbors": 3} if "n_neighbors" in _parameters(cls) else {}
    if cls.__name__ == "BRkNN":
        settings["smoothing"] = "mulan"
    return cls(**settings)


def _parameters(cls):
    return inspect.signature(cls).parameters


def expected_failures(estimator):
    """Return the checks that take scores for probabilities of independent labels."""
    strict = "check_classifiers_multilabel_output_format_predict_proba"
    half = "check_classifier_multioutput"
    votes = {strict: "votes may be unanimous: a score of exactly 0 or 1"}
    ranks = {half: "labels are predicted by more than a score over one half"}
    return {
        "BinaryRelevance": votes,
        "CalibratedLabelRanking": votes | ranks,
        "ClassifierChain": votes,
        "LabelPowerset": votes | ranks,
        "RAkEL": votes,
    }.get(type(estimator).__name__, {})


@parametrize_with_checks(
    [small(cls) for _, cls in sorted(CLASSIFIERS.items())],
    expected_failed_checks=expected_failures,
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@each_classifier
def test_predictions_are_0_1_and_probabilities_one_matrix(name):
    X, Y = table()
    model = fitted(name, X, Y)
    predicted, scores = model.predict(X), model.predict_proba(X)
    assert isinstance(predicted, np.ndarray)
    assert isinstance(scores, np.ndarray)
    assert predicted.shape == scores.shape == Y.shape
    assert set(np.unique(predicted)) <= {0, 1}
    assert ((scores >= 0) & (scores <= 1)).all()


@each_classifier
def test_learns_what_can_be_learnt(name):
    X, Y = table(n=300)
    model = fitted(name, X[:200], Y[:200])
    wrong = (model.predict(X[200:]) != Y[200:]).mean()
    always_no = Y[200:].mean()
    assert wrong < 0.75 * always_no


@each_classifier
def test_containers_do_not_matter(name):
    X, Y = table()
    X = np.where(np.abs(X) < 0.5, 0, X)
    plain = fitted(name, X, Y).predict_proba(X)
    columns = [f"f{i}" for i in range(X.shape[1])]
    labels = ["calm", "sad", "löud"]
    variants = [
        (sparse.csr_array(X), sparse.csr_array(Y)),
        (sparse.csc_matrix(X), sparse.csc_matrix(Y)),
        (np.asfortranarray(X), Y.astype(bool)),
        (X.tolist(), Y.tolist()),
        (pd.DataFrame(X, columns=columns), pd.DataFrame(Y, columns=labels)),
        (
            pl.DataFrame(dict(zip(columns, X.T, strict=True))),
            pl.DataFrame(dict(zip(labels, Y.T, strict=True))),
        ),
    ]
    for data, truth in variants:
        model = fitted(name, data, truth)
        np.testing.assert_allclose(model.predict_proba(data), plain, atol=1e-9)
        assert isinstance(model.predict(data), np.ndarray)


@each_classifier
def test_number_of_threads_does_not_matter(name, monkeypatch):
    X, Y = table(n=120)
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "1")
    one = fitted(name, X, Y).predict_proba(X)
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "2")
    assert (fitted(name, X, Y).predict_proba(X) == one).all()


@each_classifier
def test_label_order_permutes_the_scores(name):
    X, Y = table()
    first = fitted(name, X, Y)
    second = fitted(name, X, Y[:, [2, 0, 1]])
    if "random_state" in first.get_params():
        return  # the draw of label sets follows the label positions
    np.testing.assert_allclose(
        second.predict_proba(X), first.predict_proba(X)[:, [2, 0, 1]], atol=1e-6
    )


@each_classifier
def test_one_label_and_constant_labels_and_rows_without_labels(name):
    X, Y = table()
    one = fitted(name, X, Y[:, [0]])
    assert one.predict(X).shape == one.predict_proba(X).shape == (60, 1)
    wide = np.column_stack([Y, np.zeros(60), np.ones(60)]).astype(int)
    model = fitted(name, X, wide)
    assert (model.predict(X)[:, 3] == 0).all()
    assert (model.predict(X)[:, 4] == 1).all()
    assert not np.isnan(model.predict_proba(X)).any()
    Y[:30] = 0
    assert not np.isnan(fitted(name, X, Y).predict_proba(X)).any()


@each_classifier
def test_pickle_clone_pipeline_and_grid_search(name):
    X, Y = table()
    model = fitted(name, X, Y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    assert clone(model).get_params().keys() == model.get_params().keys()
    pipe = make_pipeline(StandardScaler(), CLASSIFIERS[name]())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        search = GridSearchCV(
            pipe, {"standardscaler__with_mean": [True, False]}, cv=2
        ).fit(X, Y)
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()


@each_classifier
@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([[0, 1], [2, 0]] * 10, r"only 0 and 1; found 2 at row 1, label 0"),
        ([[0, 1], [np.nan, 0]] * 10, r"NaN: missing at row 1, label 0"),
        ([[0, 1]] * 19, "inconsistent numbers of samples: X has 20 rows, y has 19"),
        (np.zeros((20, 0)), "no label columns"),
    ],
)
def test_wrong_labels_are_named(name, y, message):
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(ValueError, match=message):
        CLASSIFIERS[name]().fit(X, y)


@each_classifier
def test_wrong_features_are_named(name):
    X, Y = table()
    model = fitted(name, X, Y)
    with pytest.raises(ValueError, match=r"X has 3 features.*expecting 5"):
        model.predict(X[:, :3])
    X[3, 1] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        CLASSIFIERS[name]().fit(X, Y)


@each_classifier
def test_docstring_has_shapes_cost_and_source(name):
    text = inspect.getdoc(CLASSIFIERS[name])
    for part in ("Parameters", "Notes", "References", "Examples"):
        assert f"\n{part}\n{'-' * len(part)}" in text, part
    assert "O(" in text, "state the cost"
    for parameter in inspect.signature(CLASSIFIERS[name]).parameters:
        assert f"\n{parameter} : " in text, parameter
