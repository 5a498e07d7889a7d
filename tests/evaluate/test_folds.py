import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.neighbors import KNeighborsClassifier

from labelsift.evaluate import (
    IterativeStratifiedKFold,
    RepeatedIterativeStratifiedKFold,
)
from labelsift.evaluate.folds import assign_folds
from reference.iterative_stratification import stratify


def folds_of(splitter, Y):
    fold = np.full(Y.shape[0], -1)
    for number, (train, test) in enumerate(splitter.split(np.zeros(Y.shape[0]), Y)):
        assert not set(train) & set(test)
        assert len(train) + len(test) == Y.shape[0]
        assert (fold[test] == -1).all()
        fold[test] = number
    return fold


def test_small_table_worked_by_hand():
    # Label 1 is rarest (rows 1, 3): row 1 to fold 0, row 3 to fold 1 (which has none).
    # Label 0 then has rows 0, 2, 4; row 1 already gave fold 0 one of it, so row 0 goes
    # to fold 1; then 1 : 1 with sizes 1 : 2, so row 2 goes to fold 0; then 2 : 1, so
    # row 4 goes to fold 1. Row 5 has no label and goes to the smaller fold, 0.
    Y = np.array([[1, 0], [1, 1], [1, 0], [0, 1], [1, 0], [0, 0]])
    assert folds_of(IterativeStratifiedKFold(2), Y).tolist() == [1, 0, 0, 1, 1, 0]


@given(
    seed=st.integers(0, 2**31),
    n=st.integers(4, 40),
    q=st.integers(1, 6),
    k=st.integers(2, 4),
    density=st.floats(0, 1),
)
def test_matches_the_algorithm_as_printed(seed, n, q, k, density):
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, q)) < density).astype(np.uint8)
    np.testing.assert_array_equal(assign_folds(Y, k, None), stratify(Y, k))


@given(
    seed=st.integers(0, 2**31),
    n=st.integers(5, 60),
    q=st.integers(1, 8),
    density=st.floats(0, 1),
    shuffle=st.booleans(),
)
def test_every_row_is_tested_once_and_no_fold_is_empty(seed, n, q, density, shuffle):
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, q)) < density).astype(int)
    splitter = IterativeStratifiedKFold(
        5, shuffle=shuffle, random_state=seed if shuffle else None
    )
    fold = folds_of(splitter, Y)
    assert np.bincount(fold, minlength=5).min() >= 1


def test_disjoint_labels_differ_by_at_most_one_between_folds():
    rng = np.random.default_rng(3)
    classes = rng.integers(0, 4, 103)
    splitter = IterativeStratifiedKFold(5, shuffle=True, random_state=1)
    fold = folds_of(splitter, classes)
    counts = np.array([np.bincount(fold[classes == c], minlength=5) for c in range(4)])
    assert (counts.max(axis=1) - counts.min(axis=1)).max() <= 1


def test_rare_labels_reach_every_fold_where_plain_folds_miss_some():
    rng = np.random.default_rng(0)
    Y = (rng.random((500, 12)) < 0.03).astype(int)

    def missed(splitter):
        fold = folds_of(splitter, Y)
        return sum((Y[fold == f].sum(axis=0) == 0).sum() for f in range(5))

    assert Y.sum(axis=0).min() >= 5
    assert missed(IterativeStratifiedKFold(5, shuffle=True, random_state=0)) == 0
    assert missed(KFold(5, shuffle=True, random_state=0)) > 0


def test_labels_never_positive_and_rows_without_labels_still_fill_even_folds():
    Y = np.zeros((20, 3), dtype=int)
    Y[:4, 0] = 1
    fold = folds_of(IterativeStratifiedKFold(4, shuffle=True, random_state=5), Y)
    assert np.bincount(fold).tolist() == [5, 5, 5, 5]
    assert sorted(fold[:4]) == [0, 1, 2, 3]


def test_sparse_labels_give_the_same_folds_as_dense():
    rng = np.random.default_rng(1)
    Y = (rng.random((80, 7)) < 0.2).astype(int)
    splitter = IterativeStratifiedKFold(4, shuffle=True, random_state=2)
    dense = folds_of(splitter, Y)
    np.testing.assert_array_equal(dense, folds_of(splitter, sparse.csr_array(Y)))


def test_the_seed_decides_and_other_seeds_differ():
    Y = (np.random.default_rng(1).random((60, 4)) < 0.3).astype(int)
    first, again, other = (
        folds_of(IterativeStratifiedKFold(3, shuffle=True, random_state=s), Y)
        for s in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_one_label_is_an_ordinary_stratified_split():
    Y = np.array([[1]] * 6 + [[0]] * 14)
    fold = folds_of(IterativeStratifiedKFold(2, shuffle=True, random_state=0), Y)
    assert np.bincount(fold[:6]).tolist() == [3, 3]
    assert np.bincount(fold).tolist() == [10, 10]


def test_repeats_reshuffle_and_each_tests_every_row():
    Y = (np.random.default_rng(1).random((30, 4)) < 0.3).astype(int)
    splitter = RepeatedIterativeStratifiedKFold(3, n_repeats=2, random_state=7)
    tests = [test for _, test in splitter.split(Y, Y)]
    assert len(tests) == splitter.get_n_splits() == 6
    for start in (0, 3):
        assert sorted(np.concatenate(tests[start : start + 3])) == list(range(30))
    assert any(set(a) != set(b) for a, b in zip(tests[:3], tests[3:], strict=True))
    second = IterativeStratifiedKFold(3, shuffle=True, random_state=8)
    for mine, (_, expected) in zip(tests[3:], second.split(Y, Y), strict=True):
        np.testing.assert_array_equal(mine, expected)


def test_works_inside_scikit_learn():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(60, 4)), rng.integers(0, 2, (60, 3))
    splitter = IterativeStratifiedKFold(3, shuffle=True, random_state=0)
    assert len(cross_validate(KNeighborsClassifier(), X, Y, cv=splitter)["score_time"])
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, cv=splitter)
    assert search.fit(X, Y).n_splits_ == 3
    repeated = RepeatedIterativeStratifiedKFold(3, n_repeats=2, random_state=0)
    result = cross_validate(KNeighborsClassifier(), X, Y, cv=repeated)
    assert len(result["test_score"]) == 6


def test_five_thousand_rows_take_well_under_half_a_second():
    Y = (np.random.default_rng(0).random((5000, 20)) < 0.1).astype(np.uint8)
    splitter = IterativeStratifiedKFold(10, shuffle=True, random_state=0)
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        list(splitter.split(Y, Y))
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.5


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n_splits": 1}, ValueError, "at least 2; found 1"),
        ({"n_splits": 2.5}, ValueError, "whole number"),
        ({"random_state": 0}, ValueError, "no effect without shuffle"),
        ({"shuffle": "yes"}, TypeError, "True or False"),
    ],
)
def test_wrong_settings_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        IterativeStratifiedKFold(**arguments)


def test_wrong_repeats_are_refused():
    with pytest.raises(ValueError, match="n_repeats must be a whole number"):
        RepeatedIterativeStratifiedKFold(3, n_repeats=0)
    with pytest.raises(TypeError, match="random_state must be a whole number"):
        RepeatedIterativeStratifiedKFold(3, random_state=np.random.RandomState(0))


def test_missing_labels_or_too_few_rows_are_refused():
    with pytest.raises(ValueError, match="needs y"):
        list(IterativeStratifiedKFold(2).split(np.zeros((4, 1))))
    with pytest.raises(ValueError, match="n_splits=5 but there are only 3 rows"):
        list(IterativeStratifiedKFold(5).split(np.zeros((3, 1)), np.eye(3)))
