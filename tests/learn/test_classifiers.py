"""What every neighbour-based classifier of the registry must do."""

import inspect
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelsift.learn import CLASSIFIERS as ALL_CLASSIFIERS

CLASSIFIERS = {
    name: cls
    for name, cls in ALL_CLASSIFIERS.items()
    if "n_neighbors" in inspect.signature(cls).parameters
}
each = pytest.mark.parametrize("name", sorted(CLASSIFIERS))


def table(n=70, d=5, L=3, seed=0):
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, L)) < 0.4).astype(np.uint8)
    X = rng.normal(size=(n, d))
    X[:, :L] += 2 * Y
    return X, Y


# Some checks fit 10 rows, which have 9 other rows each. One wants probabilities over 0
# and under 1: a share of neighbours is 0 when none has the label, unless smoothed.
CHECKED = {"brknn": {"smoothing": "mulan"}}


@parametrize_with_checks(
    [
        cls(n_neighbors=5, **CHECKED.get(name, {}))
        for name, cls in sorted(CLASSIFIERS.items())
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@each
def test_container_does_not_matter(name):
    X, Y = table()
    X[X < 0.3] = 0.0
    expected = CLASSIFIERS[name]().fit(X, Y).predict_proba(X)
    assert expected.shape == Y.shape
    assert isinstance(expected, np.ndarray)
    columns = [f"c{j}" for j in range(X.shape[1])]
    names = ["amazed", "calm", "sad"]
    for rows, labels in (
        (np.asfortranarray(X), np.asfortranarray(Y)),
        (X.tolist(), Y.tolist()),
        (sparse.csr_array(X), sparse.csr_matrix(Y)),
        (sparse.csc_matrix(X), sparse.coo_array(Y)),
        (pd.DataFrame(X, columns=columns), pd.DataFrame(Y, columns=names)),
        (pl.DataFrame(X, schema=columns), pl.DataFrame(Y, schema=names)),
    ):
        classifier = CLASSIFIERS[name]().fit(rows, labels)
        np.testing.assert_array_equal(classifier.predict_proba(rows), expected)
        assert isinstance(classifier.predict(rows), np.ndarray)
        if isinstance(rows, pd.DataFrame | pl.DataFrame):
            assert classifier.label_names_in_.tolist() == names
            assert classifier.feature_names_in_.tolist() == columns


@each
def test_pickle_and_clone(name):
    X, Y = table()
    classifier = CLASSIFIERS[name]().fit(X, Y)
    again = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(again.predict_proba(X), classifier.predict_proba(X))
    twin = clone(classifier).fit(X, Y)
    np.testing.assert_array_equal(twin.predict_proba(X), classifier.predict_proba(X))


@each
def test_order_of_labels_only_permutes_the_scores(name):
    X, Y = table(L=4)
    order = [2, 0, 3, 1]
    scores = CLASSIFIERS[name]().fit(X, Y).predict_proba(X)
    moved = CLASSIFIERS[name]().fit(X, Y[:, order]).predict_proba(X)
    np.testing.assert_allclose(moved, scores[:, order], atol=1e-6)


@each
def test_one_label_is_a_column(name):
    X, Y = table(L=1)
    classifier = CLASSIFIERS[name]().fit(X, Y)
    assert classifier.predict(X).shape == (70, 1)
    assert (classifier.predict(X) == Y).mean() > 0.7


@each
def test_label_that_no_training_row_has_or_all_have(name):
    X, Y = table()
    Y[:, 0], Y[:, 1] = 0, 1
    classifier = CLASSIFIERS[name]().fit(X, Y)
    predicted, scores = classifier.predict(X), classifier.predict_proba(X)
    assert np.isfinite(scores).all()
    assert not predicted[:, 0].any()
    assert predicted[:, 1].all()


@each
def test_label_with_one_positive_in_training(name):
    X, Y = table()
    Y[:, 0] = 0
    Y[5, 0] = 1
    scores = CLASSIFIERS[name]().fit(X, Y).predict_proba(X)
    assert np.isfinite(scores).all()
    assert (scores >= 0).all()
    assert (scores <= 1).all()


@each
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X, Y: (X, Y[:-1]), "inconsistent numbers of samples"),
        (lambda X, Y: (X, 2 * Y), "y must hold only 0 and 1"),
        (lambda X, Y: (X * np.inf, Y), "infinity"),
        (lambda X, Y: (X, None), "requires y to be passed"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_wrong_input_is_named(name, change, message):
    with pytest.raises(ValueError, match=message):
        CLASSIFIERS[name]().fit(*change(*table()))
