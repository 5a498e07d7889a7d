"""Classifiers that share their neighbours give what each gives alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from example_counts import examples
from labelsift.evaluate import METRICS, _neighbor_work, cross_validate
from labelsift.evaluate._neighbor_work import one_pass_pays, sharing
from labelsift.learn import IBLR, BRkNN, DMLkNN, MLkNN
from labelsift.learn.neighbor_path import reads_neighbors
from plan_tools import Spread, sorted_numbers


def plain(monkeypatch, *arguments, **options):
    """Return the results with every prefix and classifier fitted by itself."""
    with monkeypatch.context() as patch:
        patch.setattr(
            "labelsift.evaluate._fold_work.reads_neighbors", lambda classifier: False
        )
        patch.setattr(
            "labelsift.evaluate._neighbor_work.reads_neighbors", lambda _: False
        )
        return cross_validate(*arguments, **options)


def table(seed, missing=False, levels=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, (60, 7)) / rng.choice([1.0, 3.0])
    if missing:
        X[rng.random(X.shape) < 0.05] = np.nan
    return X, (rng.random((60, 3)) < 0.4).astype(int)


FOUR = {
    "ML-kNN": MLkNN(5),
    "BRkNN": BRkNN(3, extension="a"),
    "DMLkNN": DMLkNN(4),
    "IBLR": IBLR(5),
    "scaled": MLkNN(4, scale="minmax"),
    "Weka": MLkNN(4, ties="weka"),
    "IBLR+": IBLR(5, append_features=True),
}


@pytest.mark.parametrize("one_pass", [True, False])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_the_same_numbers_as_each_alone(monkeypatch, one_pass, container):
    X, Y = table(0)
    options = {"grid": "all", "cv": 3, "metrics": tuple(METRICS)}
    expected = plain(monkeypatch, Spread(), FOUR, container(X), Y, **options)
    monkeypatch.setattr(_neighbor_work, "one_pass_pays", lambda *_: one_pass)
    found = cross_validate(Spread(), FOUR, container(X), Y, **options)
    assert sorted_numbers(found) == sorted_numbers(expected)
    assert found.classifiers == expected.classifiers


@pytest.fixture(scope="module")
def patch():
    with pytest.MonkeyPatch.context() as context:
        yield context


@examples(12)
@given(seed=st.integers(0, 2**32 - 1), missing=st.booleans())
def test_ties_missing_values_and_nominal_columns(patch, seed, missing):
    X, Y = table(seed, missing, levels=2 + seed % 3)
    two = {
        "ML-kNN": MLkNN(3, categorical_features=[1, 4]),
        "BRkNN": BRkNN(5, categorical_features=[1, 4]),
    }
    options = {"grid": "all", "cv": 2, "random_state": seed % 1000}
    expected = plain(patch, Spread(), two, X, Y, **options)
    assert sorted_numbers(
        cross_validate(Spread(), two, X, Y, **options)
    ) == sorted_numbers(expected)


def test_nominal_columns_are_those_of_the_whole_table():
    # Column 2 is nominal: its codes 0, 50, 100 differ by 1, or the distance drowns.
    rng = np.random.default_rng(5)
    X = np.column_stack([rng.normal(size=(90, 2)), rng.choice([0.0, 50, 100], 90)])
    Y = (X[:, :1] > 0).astype(int)

    def loss(classifier):
        results = cross_validate(Spread(), classifier, X, Y, grid=[2, 3], cv=3)
        return results.values("Spread", type(classifier).__name__)[1].mean(axis=1)

    for kind in (MLkNN, DMLkNN):
        nominal = loss(kind(5, categorical_features=[2]))
        assert (loss(kind(5, categorical_features=["x2"])) == nominal).all()
        weka = loss(kind(5, categorical_features=[2], ties="weka"))
        np.testing.assert_allclose(weka, nominal, atol=0.1)
        assert (
            loss(kind(5, categorical_features=[False, False, True])) == nominal
        ).all()
        assert nominal[1] < loss(kind(5))[1]


def test_processes_and_engines_that_look_into_tasks_change_nothing():
    from labelsift.engine import InlineEngine

    class Looking(InlineEngine):
        shares_work = False

        def run(self, function, shared, tasks, **options):
            assert all(hasattr(task, "seed") for task in tasks)
            return super().run(function, shared, tasks, **options)

    X, Y = table(3)
    two = {"ML-kNN": MLkNN(3), "BRkNN": BRkNN(3)}
    one = cross_validate(Spread(), two, X, Y, grid="all", cv=3)
    other = cross_validate(Spread(), two, X, Y, grid="all", cv=3, n_jobs=2)
    looked = cross_validate(Spread(), two, X, Y, grid="all", cv=3, n_jobs=Looking())
    assert sorted_numbers(one) == sorted_numbers(other) == sorted_numbers(looked)


def test_who_reads_only_neighbours():
    assert [name for name, one in FOUR.items() if reads_neighbors(one)] == [
        "ML-kNN", "BRkNN", "DMLkNN", "IBLR", "scaled"
    ]  # fmt: skip
    assert sharing(FOUR) == [
        ["ML-kNN", "BRkNN", "DMLkNN", "IBLR"], ["scaled"], ["Weka"], ["IBLR+"]
    ]  # fmt: skip


def test_one_pass_is_for_many_sizes_of_few_columns():
    X = np.zeros((100, 16000))
    assert one_pass_pays(X[:, :300], range(1, 301))
    assert not one_pass_pays(X, [10, 16000])
    assert not one_pass_pays(X, [300])
    assert not one_pass_pays(np.broadcast_to(0.0, (10**6, 500)), range(1, 501))


def test_errors_say_which_classifier_and_where():
    X, Y = table(1)
    two = {"ML-kNN": MLkNN(3), "deep": BRkNN(500)}
    with pytest.raises(ValueError, match="n_neighbors=500 but there are") as caught:
        cross_validate(Spread(), two, X, Y, grid="all", cv=3)
    assert (
        "classifier deep with 7 features, repeat 0, fold 0" in caught.value.__notes__[0]
    )
    with pytest.raises(ValueError, match="'smoothing' parameter") as caught:
        cross_validate(Spread(), MLkNN(3, smoothing=-1), X, Y, grid="all", cv=3)
    assert "classifier MLkNN" in caught.value.__notes__[0]
    wrong = MLkNN(3, categorical_features=["x9"])
    with pytest.raises(ValueError, match="'x9', not a column"):
        cross_validate(Spread(), wrong, X, Y, grid="all", cv=3)


def test_a_failing_classifier_leaves_the_others(monkeypatch):
    X, Y = table(1)
    two = {"ML-kNN": MLkNN(3), "deep": BRkNN(500)}
    results = cross_validate(Spread(), two, X, Y, grid="all", cv=3, on_error="record")
    assert list(results.classifiers) == ["ML-kNN"]
    alone = cross_validate(Spread(), MLkNN(3), X, Y, grid="all", cv=3)
    assert len(results.failures) == 3 * 8  # 7 sizes, and the base line
    assert [c.values for c in results.cells] == [c.values for c in alone.cells]
