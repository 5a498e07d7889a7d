"""Machines that share kernel values against machines that are fitted one by one."""

import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict
from sklearn.svm import SVC

from labelsift.learn import (
    BinaryRelevance,
    CalibratedLabelRanking,
    ClassifierChain,
    RAkEL,
)
from labelsift.learn import _kernel_machine as machines
from labelsift.learn._kernel_table import KernelTable
from labelsift.learn._sub_problem import SubProblem

BASES = {
    "rbf": SVC(),
    "rbf, auto": SVC(gamma="auto", C=3.0),
    "rbf, number": SVC(gamma=0.3, class_weight="balanced"),
    "linear": SVC(kernel="linear", C=0.1),
    "poly": SVC(kernel="poly", degree=2, coef0=1.0),
    "sigmoid": SVC(kernel="sigmoid", gamma=0.01, shrinking=False),
}


def table(seed=0, n=90, d=6, q=4):
    """Return rows, some twice with other labels, and labels of few and many rows."""
    rng = np.random.default_rng(seed)
    labels = (rng.random((n, q)) < np.linspace(0.1, 0.7, q)).astype(int)
    rows = rng.normal(size=(n, d)) + labels @ rng.normal(size=(q, d))
    rows[:8] = rows[8:16]
    return rows, labels, rng.normal(size=(25, d)) * 1.5


def both(model, X, y, monkeypatch):
    """Return the model fitted with a shared table, and without."""
    shared = clone(model).fit(X, y)
    with monkeypatch.context() as patch:
        patch.setattr(machines, "MOST_ROWS", 0)
        return shared, clone(model).fit(X, y)


def assert_same_machines(shared, alone, queries, atol=1e-8):
    fitted = [m for m in shared._models if m.estimator is not None]
    others = [m for m in alone._models if m.estimator is not None]
    assert len(fitted) == len(others) > 1
    rows = next(fitted[0].machine.table.asked(queries))
    for one, other in zip(fitted, others, strict=True):
        assert type(other.estimator) is SVC
        assert other.machine is None
        expected = other.estimator.decision_function(queries)
        for found in (
            one.estimator.decision_function(queries),
            one.machine.decision_function(rows),
        ):
            np.testing.assert_allclose(found, expected, rtol=0, atol=atol)
        np.testing.assert_array_equal(
            one.machine.predict(rows), other.estimator.predict(queries)
        )


def assert_same_answers(shared, alone, queries):
    np.testing.assert_array_equal(shared.predict(queries), alone.predict(queries))
    np.testing.assert_allclose(
        shared.predict_proba(queries), alone.predict_proba(queries), atol=1e-8
    )


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("form", ["dense", "sparse", "single precision"])
def test_every_kernel_as_without_sharing(base, form, monkeypatch):
    rows, labels, queries = table()
    if form == "sparse":
        rows[np.abs(rows) < 0.4] = 0
        rows, queries = sparse.csr_array(rows), sparse.csr_array(queries)
    elif form == "single precision":
        rows, queries = rows.astype(np.float32), queries.astype(np.float32)
    for learner in (CalibratedLabelRanking, BinaryRelevance):
        shared, alone = both(learner(BASES[base]), rows, labels, monkeypatch)
        assert_same_machines(shared, alone, queries)
        assert_same_answers(shared, alone, queries)


@given(seed=st.integers(0, 2**32 - 1))
def test_gamma_is_that_of_the_rows_of_each_machine(seed):
    rng = np.random.default_rng(seed)
    far, wide = 10.0 ** rng.integers(-3, 7), 10.0 ** rng.integers(-3, 4)
    X = far + wide * rng.normal(size=(20, 3))
    X[:6] = far  # a subset without any variance
    kernel = KernelTable(X, "rbf", "scale", 3, 0.0)
    for rows in (None, np.arange(6), np.arange(5, 9), rng.permutation(20)[:7]):
        chosen = X if rows is None else X[rows]
        expected = SVC().fit(chosen, np.arange(len(chosen)) % 2)._gamma
        np.testing.assert_allclose(kernel.gamma_of(rows), expected, rtol=1e-9)


@given(seed=st.integers(0, 2**32 - 1))
def test_values_are_symmetric_and_equal_for_equal_rows(seed):
    rng = np.random.default_rng(seed)
    X = 1e3 + rng.integers(0, 3, (150, 3)) / 7
    kernel = KernelTable(X, "rbf", 0.5, 3, 0.0)
    rows = np.sort(rng.permutation(150)[:140])
    values = kernel.values(rows, 0.5)
    far = ((X[rows][:, None] - X[rows]) ** 2).sum(axis=2)
    np.testing.assert_allclose(values, np.exp(-0.5 * far), atol=1e-12)
    np.testing.assert_array_equal(values, values.T)
    for group in (X[rows] == X[rows[0]]).all(axis=1), (X[rows] == X[rows[1]]).all(1):
        assert (values[group] == values[group][0]).all()


@pytest.mark.parametrize("name", ["emotions-train.arff.gz", "medical.arff.gz"])
def test_real_data_in_any_order_of_rows_and_labels(name, read_rows, monkeypatch):
    rows, labels = read_rows(name)
    rng = np.random.default_rng(1)
    order, columns = rng.permutation(len(rows)), rng.permutation(labels.shape[1])[:6]
    train, test = order[: len(rows) // 2], order[len(rows) // 2 :]
    model = CalibratedLabelRanking()
    shared, alone = both(model, rows[train], labels[train][:, columns], monkeypatch)
    assert_same_machines(shared, alone, rows[test])
    assert_same_answers(shared, alone, rows[test])


@pytest.fixture
def read_rows(split):
    def read(name):
        train, test = split(name.removesuffix(".arff.gz").removesuffix("-train"))
        X = np.vstack(
            [r.X.toarray() if sparse.issparse(r.X) else r.X for r in (train, test)]
        )
        kept = X.std(axis=0) > 0
        X = (X[:, kept] - X[:, kept].mean(axis=0)) / X[:, kept].std(axis=0)
        return X, np.vstack([train.Y, test.Y])

    return read


def test_pairs_of_two_rows_that_are_equal_split_their_vote(monkeypatch):
    # Rows 0 and 1 are equal and part labels 0 and 1: no evidence either way.
    X = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 1.0], [3.0, 3.0], [2.0, 0.0]])
    Y = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [0, 0, 1]]
    shared, alone = both(CalibratedLabelRanking(), X, Y, monkeypatch)
    queries = np.array([[5.0, 1.0], [0.3, 0.1], [1.0, 2.0]])
    assert (shared.pair_estimators_[0].decision_function(queries) == 0).all()
    rows = next(shared._models[3].machine.table.asked(queries))
    assert (shared._models[3].machine.decision_function(rows) == 0).all()
    assert_same_answers(shared, alone, queries)


def test_several_classes_and_probabilities(monkeypatch):
    rows, labels, queries = table(n=120)
    model = RAkEL(SVC(), labelset_size=2, random_state=0)
    shared, alone = both(model, rows, labels, monkeypatch)
    assert_same_answers(shared, alone, queries)
    assert {len(m.machine.svc.classes_) for m in shared._models} == {4}
    asked = next(shared._models[0].machine.table.asked(queries))
    np.testing.assert_allclose(
        shared._models[0].machine.decision_function(asked),
        alone.estimators_[0].decision_function(queries),
        atol=1e-8,
    )
    model = BinaryRelevance(SVC(probability=True, random_state=3))
    with warnings.catch_warnings():  # from scikit-learn 1.8 on
        warnings.filterwarnings("ignore", ".*`probability` parameter", FutureWarning)
        shared, alone = both(model, rows, labels, monkeypatch)
    assert hasattr(shared._models[0].machine, "predict_proba")
    assert_same_answers(shared, alone, queries)


def test_a_machine_of_its_own_columns_shares_nothing(monkeypatch):
    rows, labels, queries = table()
    lists = {0: [0, 1], (1, 2): [2, 3, 4]}
    model = CalibratedLabelRanking(feature_lists=lists)
    shared, alone = both(model, rows, labels, monkeypatch)
    kinds = [type(e) is SVC for e in shared.estimators_ + shared.pair_estimators_]
    assert kinds == [True, False, False, False] + [
        pair == (1, 2) for pair in shared.pairs_
    ]
    assert_same_answers(shared, alone, queries)


def test_a_shared_machine_is_a_support_vector_machine(monkeypatch):
    rows, labels, queries = table()
    for X in (rows, sparse.csr_array(rows)):
        shared, alone = both(BinaryRelevance(SVC(C=2.0)), X, labels, monkeypatch)
        for one, other in zip(shared.estimators_, alone.estimators_, strict=True):
            assert isinstance(one, SVC)
            assert one.get_params() == other.get_params()
            assert one.shape_fit_ == other.shape_fit_
            np.testing.assert_array_equal(one.support_, other.support_)
            np.testing.assert_array_equal(one.n_support_, other.n_support_)
            vectors = one.support_vectors_ - other.support_vectors_
            assert abs(vectors).sum() == 0
            anew = clone(one).fit(queries, np.arange(25) % 2)
            by_hand = SVC(C=2.0).fit(queries, np.arange(25) % 2)
            one.fit(queries, np.arange(25) % 2)
            for again in (anew, one):
                np.testing.assert_array_equal(
                    again.decision_function(rows), by_hand.decision_function(rows)
                )


def test_too_many_rows_few_problems_and_other_estimators_share_nothing(monkeypatch):
    rows, labels, _ = table()

    def kinds(base, y, **options):
        fitted = BinaryRelevance(base, **options).fit(rows, y)
        return {type(e) for e in fitted.estimators_ if e is not None}

    assert kinds(SVC(), labels) == {machines.SharedSVC}
    assert kinds(SVC(), labels[:, :1]) == {SVC}
    monkeypatch.setattr(machines, "MOST_ROWS", 89)
    assert kinds(SVC(), labels) == {SVC}
    monkeypatch.undo()

    class Own(SVC):
        pass

    assert kinds(Own(), labels) == {Own}
    assert kinds(SVC(kernel=lambda a, b: a @ b.T), labels) == {SVC}


def test_few_rows_of_many_share_nothing():
    # Two pairs of two rows read 8 values; the table would have 400.
    X = np.arange(40.0).reshape(20, 2)
    few = [SubProblem("few", np.array([0, 1]), np.array([i, i + 1])) for i in (0, 5)]
    many = [SubProblem("many", np.arange(20) % 2), few[0]]
    assert machines.shared_machines(SVC(), X, few) is None
    assert machines.shared_machines(SVC(), X, many) is not None


def test_nothing_depends_on_threads_jobs_or_rows_beside(monkeypatch):
    rows, labels, queries = table(n=250)
    plain = CalibratedLabelRanking().fit(rows, labels)
    expected = [e.decision_function(queries) for e in plain.pair_estimators_]
    asked = next(plain._models[0].machine.table.asked(queries))
    for threads, n_jobs in (("1", None), ("2", 2)):
        monkeypatch.setenv("LABELSIFT_NUM_THREADS", threads)
        model = CalibratedLabelRanking(n_jobs=n_jobs).fit(rows, labels)
        for one, values in zip(model.pair_estimators_, expected, strict=True):
            np.testing.assert_array_equal(one.decision_function(queries), values)
    for i in (0, 7, 24):
        alone = next(plain._models[0].machine.table.asked(queries[i : i + 1]))
        for model in plain._models:
            one, all_rows = (model.machine.decision_function(a) for a in (alone, asked))
            assert one[0] == all_rows[i]


def test_what_is_kept_does_not_grow_with_pairs_nor_follow_the_callers_rows():
    rows, labels, queries = table(n=400, d=20, q=9)
    model = CalibratedLabelRanking().fit(rows, labels)
    expected = model.predict_proba(queries)
    rows[:] = 0
    np.testing.assert_array_equal(model.predict_proba(queries), expected)
    stored = pickle.dumps(model)
    np.testing.assert_array_equal(pickle.loads(stored).predict_proba(queries), expected)
    support = sum(len(e.support_) for e in model.pair_estimators_ + model.estimators_)
    assert len(stored) < 0.5 * 8 * 20 * support  # as plain machines would keep


def test_many_rows_are_asked_in_parts(monkeypatch):
    rows, labels, _ = table()
    queries = np.random.default_rng(2).normal(size=(300, 6))
    model = CalibratedLabelRanking().fit(rows, labels)
    expected = model.predict_proba(queries)
    monkeypatch.setattr("labelsift.learn._kernel_table._ASKED", 96 * 90)
    assert len(list(model._models[0].machine.table.asked(queries))) == 4
    np.testing.assert_array_equal(model.predict_proba(queries), expected)


def test_a_wrong_parameter_of_the_machine_is_named():
    rows, labels, _ = table()
    with pytest.raises(ValueError, match="'gamma' parameter of SVC"):
        CalibratedLabelRanking(SVC(gamma=-1.0)).fit(rows, labels)


@pytest.mark.parametrize("learner", [BinaryRelevance, CalibratedLabelRanking])
def test_a_precomputed_kernel_is_cut_to_the_rows_of_each_pair(learner):
    rows, labels, queries = table()
    direct = learner(SVC(kernel="linear")).fit(rows, labels)
    given = learner(SVC(kernel="precomputed")).fit(rows @ rows.T, labels)
    values = queries @ rows.T
    np.testing.assert_array_equal(given.predict(values), direct.predict(queries))
    np.testing.assert_allclose(
        given.predict_proba(values), direct.predict_proba(queries), atol=1e-6
    )
    again = cross_val_predict(given, rows @ rows.T, labels, cv=3)
    expected = cross_val_predict(direct, rows, labels, cv=3)
    np.testing.assert_array_equal(again, expected)
    with pytest.raises(ValueError, match=r"X must be square; found shape \(90, 6\)"):
        learner(SVC(kernel="precomputed")).fit(rows, labels)


def test_a_precomputed_kernel_has_no_columns_to_choose_or_to_add():
    rows, labels, _ = table()
    kernel = rows @ rows.T
    base = SVC(kernel="precomputed")
    with pytest.raises(ValueError, match=r"cannot read other columns than those of"):
        BinaryRelevance(base, feature_lists={0: [0, 1]}).fit(kernel, labels)
    with pytest.raises(ValueError, match=r"label 'label1' cannot read other columns"):
        ClassifierChain(base).fit(kernel, labels)
