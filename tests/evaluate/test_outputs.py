"""What classifiers say is asked for once where they can say all of it at once."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from labelsift.evaluate import cross_validate
from labelsift.evaluate._outputs import answers_of, predictions_of, scores_of
from labelsift.learn import (
    BinaryRelevance,
    CalibratedLabelRanking,
    ClassifierChain,
    LabelPowerset,
    MLkNN,
    RAkEL,
)
from labelsift.select import Chi2


class Contrary(LabelPowerset):
    def predict(self, X):
        return 1 - super().predict(X)


class Doubtful(MLkNN):
    def predict_proba(self, X):
        return super().predict_proba(X) / 2


class Counted(GaussianNB):
    asked = 0

    def predict(self, X):
        Counted.asked += 1
        return super().predict(X)


def table(q=3):
    rng = np.random.default_rng(0)
    Y = (rng.random((50, q)) < 0.4).astype(np.uint8)
    X = rng.normal(size=(50, 4))
    X[:, :q] += 2 * Y
    return X, Y


def pipeline(last):
    before = [("scale", StandardScaler()), ("skip", "passthrough"), ("none", None)]
    return Pipeline([*before, ("last", last)])


@pytest.mark.parametrize("q", [1, 3])
@pytest.mark.parametrize(
    "model",
    [
        BinaryRelevance(GaussianNB()),
        CalibratedLabelRanking(),
        ClassifierChain(GaussianNB()),
        LabelPowerset(GaussianNB()),
        LabelPowerset(GaussianNB(), scores="set"),
        RAkEL(GaussianNB(), labelset_size=1, random_state=0),
        MLkNN(),
        Contrary(GaussianNB()),
        Doubtful(),
        DecisionTreeClassifier(),
        pipeline(LabelPowerset(GaussianNB())),
        pipeline(Contrary(GaussianNB())),
        make_pipeline(MinMaxScaler(), MLkNN()),
        make_pipeline(make_pipeline(MinMaxScaler(), MLkNN())),
        make_pipeline(BinaryRelevance(GaussianNB())),
    ],
    ids=str,
)
def test_the_same_as_predictions_and_scores_one_by_one(model, q):
    X, Y = table(q)
    fitted = model.fit(X, Y)
    predictions, scores = answers_of(fitted, X, q)
    assert (predictions == predictions_of(fitted, X, q)).all()
    assert (scores == scores_of(fitted, X, q)).all()
    for label in range(q):  # a column is never turned round
        has = Y[:, label] == 1
        assert scores[has, label].mean() > scores[~has, label].mean()


def test_a_base_classifier_is_asked_once_a_fold():
    X, Y = table()
    for model in (
        LabelPowerset(Counted()),
        make_pipeline(StandardScaler(), LabelPowerset(Counted())),
    ):
        Counted.asked = 0
        cross_validate(Chi2(), {"model": model}, X, Y, grid=[2], cv=2, baseline=False)
        assert Counted.asked == 2


@pytest.mark.parametrize("kind", [MLkNN, LabelPowerset])
def test_folds_ask_what_a_subclass_has_redefined(kind):
    class Same(kind):
        def predict(self, X):
            return np.ones_like(super().predict(X))

    rng = np.random.default_rng(3)
    X, Y = rng.normal(size=(40, 3)), rng.integers(0, 2, (40, 2))
    Y[:, 0] = Y[:, 0] | (X[:, 0] > 0)
    found = cross_validate(
        Chi2(), Same(), X, Y, grid=[2, 3], cv=2, metrics=["hamming_loss"]
    )
    assert found.best().mean["hamming_loss"] == pytest.approx(1 - Y.mean())
