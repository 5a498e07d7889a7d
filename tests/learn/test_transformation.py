"""What holds for every classifier that hands sub-problems to a base classifier."""

import inspect

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import (
    check_classifier_multioutput,
    check_classifiers_multilabel_output_format_predict_proba,
)

from labelsift.evaluate import cross_validate
from labelsift.evaluate.metrics import measure
from labelsift.learn import (
    CLASSIFIERS,
    BinaryRelevance,
    CalibratedLabelRanking,
    ClassifierChain,
    LabelPowerset,
    RAkEL,
)
from labelsift.learn.entropy_tree import EntropyTree
from labelsift.select import InfoGain

LEARNERS = {
    name: cls
    for name, cls in CLASSIFIERS.items()
    if "base" in inspect.signature(cls).parameters
}
each = pytest.mark.parametrize("name", sorted(LEARNERS))
WITH_JOBS = [
    n for n, c in LEARNERS.items() if "n_jobs" in inspect.signature(c).parameters
]


def table(n=60, d=5, q=4, seed=0):
    rng = np.random.default_rng(seed)
    labels = (rng.random((n, q)) < 0.4).astype(int)
    rows = rng.normal(size=(n, d))
    rows[:, :q] += 2 * labels
    return rows, labels


def test_there_are_five():
    assert len(LEARNERS) == 5
    assert len(WITH_JOBS) == 3


# With probabilities that are never 0 or 1, scores are probabilities as scikit-learn
# wants them; where labels are not cut at one half, it holds for the scores alone.
@pytest.mark.parametrize(
    "model",
    [
        BinaryRelevance(GaussianNB()),
        ClassifierChain(GaussianNB()),
        RAkEL(LogisticRegression(C=0.1, max_iter=1000), voting="soft"),
        CalibratedLabelRanking(GaussianNB(), voting="soft"),
        LabelPowerset(LogisticRegression(C=0.1, max_iter=1000)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_scikit_learn_checks_of_probabilities(model):
    name = type(model).__name__
    check_classifiers_multilabel_output_format_predict_proba(name, model)
    if not isinstance(model, CalibratedLabelRanking | LabelPowerset):
        check_classifier_multioutput(name, model)


@pytest.mark.parametrize("name", WITH_JOBS)
def test_number_of_jobs_does_not_matter(name):
    rows, labels = table(n=40)
    base = RandomForestClassifier(3, random_state=0)
    options = {"random_state": 0} if name == "rakel" else {}
    one, two = (
        LEARNERS[name](base, n_jobs=jobs, **options).fit(rows, labels)
        for jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.predict_proba(rows), two.predict_proba(rows))
    assert one.n_fits_ == two.n_fits_


@each
def test_equal_labels_score_equally(name):
    rows, labels = table(q=2)
    twins = labels[:, [0, 1, 0]]
    model = LEARNERS[name](GaussianNB()).fit(rows, twins)
    if name == "classifier_chain":  # the second twin reads the first
        np.testing.assert_array_equal(*model.predict(rows)[:, [0, 2]].T)
        return
    np.testing.assert_allclose(*model.predict_proba(rows)[:, [0, 2]].T, atol=1e-15)


def test_equal_sub_problems_are_fitted_once():
    rows, labels = table(q=2)
    twins = labels[:, [0, 1, 0]]
    assert BinaryRelevance(GaussianNB()).fit(rows, twins).n_fits_ == 2
    lists = {0: [0, 1], 1: [0, 1], 2: [1, 2]}
    parted = BinaryRelevance(GaussianNB(), feature_lists=lists).fit(rows, twins)
    assert parted.n_fits_ == 3
    turned = BinaryRelevance(GaussianNB(), feature_lists={0: [0, 1], 2: [1, 0]})
    assert turned.fit(rows, twins).n_fits_ == 2
    # Labels 0 and 2, never parted; 1 against either: the same rows, turned round.
    ranking = CalibratedLabelRanking(GaussianNB()).fit(rows, twins)
    assert ranking.n_fits_ == 2 + 2


@each
def test_rare_label_that_a_fold_lacks(name):
    # Labels with one or two rows: some training folds have none of them.
    rows, labels = table(n=40)
    rare = np.zeros((40, 2), dtype=int)
    rare[3, 0] = 1
    rare[[5, 20], 1] = 1
    labels = np.hstack([labels, rare])
    lacking = 0
    for train, test in KFold(4).split(rows):
        model = LEARNERS[name](SVC()).fit(rows[train], labels[train])
        scores, predicted = model.predict_proba(rows[test]), model.predict(rows[test])
        assert scores.shape == predicted.shape == (10, 6)
        absent = ~labels[train].any(axis=0)
        lacking += absent.sum()
        assert not predicted[:, absent].any()
        assert np.isfinite(scores).all()
    assert lacking == 1
    results = cross_validate(
        InfoGain(),
        LEARNERS[name](SVC()),
        rows,
        labels,
        grid=[3],
        cv=KFold(4),
        metrics=["hamming_loss", "average_precision"],
    )
    assert results is not None


@each
def test_label_of_the_test_rows_that_no_training_row_has(name):
    rows, labels = table(n=60)
    labels[:40, 3] = 0
    labels[45, 3] = 1
    model = LEARNERS[name]().fit(rows[:40], labels[:40])
    predicted, scores = model.predict(rows[40:]), model.predict_proba(rows[40:])
    found = measure(
        ["hamming_loss", "average_precision"],
        labels[40:],
        predictions=predicted,
        scores=scores,
    )
    assert all(np.isfinite(v) for v in found.values())
    assert not predicted[:, 3].any()


@each
@pytest.mark.parametrize("base", [None, SVC(), GaussianNB(), KNeighborsClassifier(3)])
def test_one_label_equals_the_binary_method(name, base):
    rows, labels = table(q=1)
    model = LEARNERS[name](base)
    if name == "rakel":
        model.set_params(labelset_size=1)
    model.fit(rows, labels)
    if base is None:
        base = model._base()
    np.testing.assert_array_equal(
        model.predict(rows)[:, 0], base.fit(rows, labels[:, 0]).predict(rows)
    )


@each
def test_any_container_gives_arrays_with_any_base(name):
    rows, labels = table()
    rows[np.abs(rows) < 0.5] = 0
    frame = pd.DataFrame(rows, columns=list("abcde"))
    truth = pd.DataFrame(labels, columns=["p", "q", "r", "s"])
    for base in (SVC(kernel="linear"), None):
        options = {"random_state": 0} if name == "rakel" else {}
        plain = LEARNERS[name](base, **options).fit(rows, labels)
        for data, y in (
            (frame, truth),
            (sparse.csr_array(rows), sparse.csc_matrix(labels)),
        ):
            model = LEARNERS[name](base, **options).fit(data, y)
            assert isinstance(model.predict(data), np.ndarray)
            np.testing.assert_array_equal(model.predict(data), plain.predict(rows))
    assert LEARNERS[name]().fit(frame, truth).label_names_in_.tolist() == list("pqrs")


@each
def test_sparse_rows_for_a_base_that_takes_none_are_named(name):
    rows, labels = table()
    with pytest.raises(TypeError, match=r"(?i)sparse"):
        LEARNERS[name](LinearDiscriminantAnalysis()).fit(sparse.csr_array(rows), labels)


@each
def test_missing_values_pass_where_the_base_takes_them(name):
    rows, labels = table()
    rows[3, 1] = np.nan
    for base in (HistGradientBoostingClassifier(max_iter=3), EntropyTree()):
        model = LEARNERS[name](base).fit(rows, labels)
        assert np.isfinite(model.predict_proba(rows)).all()
    with pytest.raises(ValueError, match="contains NaN"):
        LEARNERS[name](make_pipeline(StandardScaler(), SVC())).fit(rows, labels)


@each
def test_trouble_in_a_base_classifier_names_the_sub_problem(name):
    rows, labels = table(n=12)
    truth = pd.DataFrame(labels, columns=["calm", "sad", "angry", "happy"])

    class Fails(GaussianNB):
        def fit(self, X, y):
            raise RuntimeError("no luck")

    with pytest.raises(RuntimeError, match="no luck") as caught:
        LEARNERS[name](Fails()).fit(rows, truth)
    (note,) = caught.value.__notes__
    assert note.startswith("while fitting Fails on ")
    assert "12 rows" in note
    assert "calm" in note or "label sets" in note

    # 20 neighbours of 12 rows: noticed when asked.
    model = LEARNERS[name](KNeighborsClassifier(20)).fit(rows, truth)
    with pytest.raises(ValueError, match="n_neighbors") as caught:
        model.predict(rows)
    assert "in the base classifier of" in caught.value.__notes__[0]


@each
def test_base_that_is_no_classifier_is_an_error(name):
    with pytest.raises(ValueError, match="The 'base' parameter"):
        LEARNERS[name]("tree").fit(*table())


@each
def test_base_is_not_altered(name):
    rows, labels = table()
    base = GaussianNB()
    LEARNERS[name](base).fit(rows, labels)
    assert not hasattr(base, "classes_")


@each
def test_order_of_rows_does_not_matter(name):
    rows, labels = table(n=50)
    order = np.random.default_rng(1).permutation(50)
    base = GaussianNB(var_smoothing=1e-2)
    options = {"random_state": 0} if name == "rakel" else {}
    first = LEARNERS[name](base, **options).fit(rows, labels).predict_proba(rows)
    moved = LEARNERS[name](base, **options).fit(rows[order], labels[order])
    np.testing.assert_allclose(moved.predict_proba(rows), first, atol=1e-9)


@pytest.mark.parametrize("name", LEARNERS)
def test_sparse_rows_with_long_indices_are_taken(name):
    # scikit-learn's trees and linear models refuse 64-bit indices
    rng = np.random.default_rng(3)
    table = rng.integers(0, 3, (20, 4)).astype(float)
    Y = np.c_[table[:, 0] > 0, table[:, 1] > 1, table[:, 2] > 0].astype(int)
    X = sparse.csr_array(table)
    parts = (X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64))
    long = sparse.csr_array(parts, shape=X.shape)
    assert long.indices.dtype == np.int64
    expected = LEARNERS[name]().fit(X, Y).predict_proba(X)
    found = LEARNERS[name]().fit(long, Y).predict_proba(long)
    np.testing.assert_array_equal(found, expected)
    assert long.indices.dtype == np.int64


@pytest.mark.parametrize("name", LEARNERS)
def test_a_regressor_is_no_base(name):
    # LabelPowerset would round quantities to the numbers of label sets
    X, Y = np.eye(4), np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    for base in (LinearRegression(), make_pipeline(StandardScaler(), Ridge())):
        with pytest.raises(
            ValueError, match=r"base must be a classifier; .* regressor"
        ):
            LEARNERS[name](base).fit(X, Y)


class Counted(GaussianNB):
    asked = 0

    def predict(self, X):
        Counted.asked += 1
        return super().predict(X)

    def predict_proba(self, X):
        Counted.asked += 1
        return super().predict_proba(X)


@each
@pytest.mark.parametrize("as_classes", [False, True])
def test_predictions_and_scores_of_one_walk(name, as_classes):
    rows, labels = table()
    model = LEARNERS[name](Counted())
    model.fit(rows, labels.argmax(axis=1) if as_classes else labels)
    said, asked = {}, {}
    for method in ("predict", "predict_proba", "predict_with_scores"):
        Counted.asked = 0
        said[method], asked[method] = getattr(model, method)(rows), Counted.asked
    predictions, scores = said["predict_with_scores"]
    assert predictions.dtype == said["predict"].dtype
    assert (predictions == said["predict"]).all()
    assert (scores == said["predict_proba"]).all()
    assert asked["predict_with_scores"] == asked["predict"] == asked["predict_proba"]
    assert asked["predict"] > 0
