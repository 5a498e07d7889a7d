import os
import signal
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.neighbors import KNeighborsClassifier

from labelsift.evaluate import (
    NothingMeasured,
    Results,
    WorkerDied,
    cross_validate,
    performance_path,
)
from labelsift.evaluate.records import ALL_FEATURES


class Breaks(BaseEstimator):
    """Rank by variance; fail where the first training row has a marked value."""

    def __init__(self, below=0.0):
        self.below = below

    def fit(self, X, y):
        if X[0, 0] < self.below:
            raise ArithmeticError("no luck\nwith this fold")
        self.scores_ = X.var(axis=0)
        return self


class Picky(ClassifierMixin, BaseEstimator):
    """Refuse a number of columns."""

    def __init__(self, refuses=4):
        self.refuses = refuses

    def fit(self, X, Y):
        if X.shape[1] == self.refuses:
            raise ValueError(f"{self.refuses} columns are too many")
        self.model_ = KNeighborsClassifier().fit(X, Y)
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 6))
    return X, (X[:, :3] > 0).astype(int)


TREES = ExtraTreesClassifier(5)
OPTIONS = {"grid": [2, 4], "cv": 3, "metrics": ["hamming_loss", "one_error"]}


def values(results, selector, classifier):
    return results.values(selector, classifier)[1].tolist()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_selector_that_fails_is_listed_and_the_rest_is_as_without_it(data, n_jobs):
    good = {"trees": TREES, "quiet": Breaks(-99.0)}
    knn = {"knn": KNeighborsClassifier()}
    found = cross_validate(
        {**good, "bad": Breaks(99.0)},
        knn,
        *data,
        on_error="record",
        n_jobs=n_jobs,
        **OPTIONS,
    )
    assert list(found.selectors) == ["trees", "quiet"]
    assert [(f.selector, f.classifier, f.fold) for f in found.failures] == [
        ("bad", None, 0),
        ("bad", None, 1),
        ("bad", None, 2),
    ]
    assert found.failures[0].error.startswith("ArithmeticError: no luck with this fold")
    assert found.has_baseline
    without = cross_validate(good, knn, *data, **OPTIONS)
    for name in good:
        assert values(found, name, "knn") == values(without, name, "knn")
    assert any(
        "bad failed in 3 of 3 folds: ArithmeticError" in n for n in found.notes()
    )
    assert "bad" not in {row.selector for row in found.summary().rows}


def test_a_method_that_fails_in_one_fold_is_left_out_of_all(data):
    X, Y = data
    # training starts with row 0 in one fold and with row 1 in the other
    found = cross_validate(
        {"trees": TREES, "sometimes": Breaks(float(X[:2, 0].mean()))},
        KNeighborsClassifier(),
        X,
        Y,
        grid=[2],
        cv=[(np.arange(start, 40), np.arange(40, 60)) for start in (0, 1)],
        metrics=["hamming_loss"],
        on_error="record",
    )
    assert [f.selector for f in found.failures] == ["sometimes"]
    assert list(found.selectors) == ["trees"]
    assert {ranking.selector for ranking in found.rankings} == {"trees"}


def test_one_size_that_fails_takes_its_selector_but_not_the_other_classifier(data):
    found = cross_validate(
        {"trees": TREES},
        {"picky": Picky(4), "knn": KNeighborsClassifier()},
        *data,
        on_error="record",
        **OPTIONS,
    )
    # picky fails with the only selector, so picky goes and the selector stays
    assert list(found.classifiers) == ["knn"]
    assert {f.n_features for f in found.failures} == {4}
    assert len(found.failures) == 3


def test_a_base_line_that_fails_leaves_the_selectors(data):
    found = cross_validate(
        {"trees": TREES},
        {"picky": Picky(6)},
        *data,
        on_error="record",
        **OPTIONS,
    )
    assert not found.has_baseline
    assert {f.selector for f in found.failures} == {ALL_FEATURES}
    assert "picky with all features failed in 3 of 3 folds" in found.notes()[0]


def test_nothing_left_says_what_failed_first(data):
    with pytest.raises(NothingMeasured, match="first bad failed: ArithmeticError") as e:
        cross_validate(
            {"bad": Breaks(99.0)}, Picky(), *data, on_error="record", **OPTIONS
        )
    assert len(e.value.failures) == 3


def test_failures_are_saved_and_an_unknown_wish_is_refused(data, tmp_path):
    found = cross_validate(
        {"trees": TREES, "bad": Breaks(99.0)},
        KNeighborsClassifier(),
        *data,
        on_error="record",
        **OPTIONS,
    )
    again = Results.load(found.save(tmp_path / "r.json"))
    assert again.failures == found.failures
    with pytest.raises(ValueError, match="on_error must be 'raise' or 'record'"):
        cross_validate(TREES, TREES, *data, on_error="ignore", **OPTIONS)


class Dies(Picky):
    """End the process that fits it with so many columns, for good or only once."""

    def __init__(self, columns=4, mark=None):
        self.columns = columns
        self.mark = mark

    def fit(self, X, Y):
        if X.shape[1] == self.columns and not (self.mark and Path(self.mark).exists()):
            if self.mark:
                Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        self.refuses = None
        return super().fit(X, Y)


class DiesOfRanking(Breaks):
    """End the process that ranks."""

    def fit(self, X, y):
        os.kill(os.getpid(), signal.SIGKILL)


posix = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")


@pytest.mark.slow
@posix
def test_a_worker_that_is_killed_once_changes_nothing(data, tmp_path):
    mark = tmp_path / "mark"
    found = cross_validate(
        TREES, Dies(mark=str(mark)), *data, on_error="record", n_jobs=2, **OPTIONS
    )
    assert mark.exists()
    assert not found.failures
    expected = cross_validate(TREES, Dies(columns=0), *data, **OPTIONS)
    name = next(iter(found.selectors))
    assert values(found, name, "Dies") == values(expected, name, "Dies")


@pytest.mark.slow
@posix
def test_what_always_kills_its_worker_is_recorded_and_the_rest_goes_on(data):
    one_split = {**OPTIONS, "cv": [(np.arange(40), np.arange(40, 60))]}
    knn = KNeighborsClassifier()
    found = performance_path(
        {"trees": TREES, "deadly": DiesOfRanking()},
        {"dies": Dies(), "knn": knn},
        *data,
        on_error="record",
        n_jobs=2,
        **one_split,
    )
    assert list(found.selectors) == ["trees"]
    assert list(found.classifiers) == ["knn"]
    ranked = [f for f in found.failures if f.classifier is None]
    assert [(f.selector, f.fold) for f in ranked] == [("deadly", 0)]
    measured = [f for f in found.failures if f.classifier is not None]
    assert {(f.classifier, f.n_features) for f in measured} == {
        ("dies", 2),
        ("dies", 4),
    }
    for failure in found.failures:
        assert failure.error.startswith("WorkerDied: its worker process died (SIGKILL")
    expected = cross_validate({"trees": TREES}, knn, *data, **one_split)
    assert values(found, "trees", "knn") == values(
        expected, "trees", "KNeighborsClassifier"
    )


@pytest.mark.slow
@posix
def test_a_death_is_an_error_where_errors_are_not_recorded(data):
    with pytest.raises(WorkerDied, match=r"classifier Dies, repeat 0, fold 0: its wor"):
        cross_validate(TREES, Dies(columns=6), *data, n_jobs=2, **OPTIONS)
