"""Labels that a training fold hardly shows, or not at all."""

import numpy as np
import pytest

from labelsift.learn import CLASSIFIERS

each = pytest.mark.parametrize("name", ["brknn", "dmlknn", "iblr", "mlknn"])


def table(n=70, d=5, L=3, seed=0):
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, L)) < 0.4).astype(np.uint8)
    X = rng.normal(size=(n, d))
    X[:, :L] += 2 * Y
    return X, Y


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
