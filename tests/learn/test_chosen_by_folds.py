import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelsift.learn._pruning_path import collapse_alphas, wrong_answers
from labelsift.learn.chosen_by_folds import ChosenByFolds, fold_numbers

TREE = DecisionTreeClassifier(random_state=0)


@parametrize_with_checks([ChosenByFolds(TREE, "ccp_alpha")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@given(seed=st.integers(0, 2**32 - 1), k=st.integers(2, 6), shuffled=st.booleans())
def test_folds_deal_out_each_class_in_turn(seed, k, shuffled):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, 25)
    random = np.random.RandomState(seed) if shuffled else None
    folds = fold_numbers(codes, k, random)
    assert np.ptp(np.bincount(folds, minlength=k)) <= 1
    for c in range(4):
        assert np.ptp(np.bincount(folds[codes == c], minlength=k)) <= 1


def test_choice_by_hand():
    # Rows come in pairs of one class, side by side, the pairs in turn of class 0 and 1.
    # With 1 neighbour the other of the pair decides, with 7 the crowd does.
    X = np.repeat(np.arange(12.0), 2)[:, None] + np.tile([0, 0.1], 12)[:, None]
    y = np.repeat(np.arange(12) % 2, 2)
    model = ChosenByFolds(KNeighborsClassifier(), "n_neighbors", [7, 1], n_folds=2)
    model.fit(X, y)
    assert model.errors_[1] == 0 < model.errors_[0]
    assert model.value_ == 1
    by_hand = KNeighborsClassifier(1).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(model.predict_proba(X), by_hand)


def test_of_equally_good_values_the_first_is_taken():
    X, y = np.array([[0.0], [0.1], [9.0], [9.1]]), [0, 0, 1, 1]
    for values in ([1.0, 10.0], [10.0, 1.0]):
        model = ChosenByFolds(LogisticRegression(), "C", values).fit(X, y)
        assert model.errors_.tolist() == [0, 0]
        assert model.value_ == values[0]


def test_pruning_path_is_counted_like_a_loop():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + rng.normal(size=60) > 0).astype(int)
    model = ChosenByFolds(TREE, "ccp_alpha", n_folds=3).fit(X, y)
    alphas = np.unique(TREE.cost_complexity_pruning_path(X, y).ccp_alphas.clip(0))
    between = [*np.sqrt(alphas[:-1] * alphas[1:]), alphas[-1]]
    folds = fold_numbers(y, 3)
    errors = []
    for alpha in between[::-1]:
        wrong = 0
        for fold in range(3):
            tree = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha)
            tree.fit(X[folds != fold], y[folds != fold])
            wrong += (tree.predict(X[folds == fold]) != y[folds == fold]).sum()
        errors.append(wrong)
    assert len(between) <= 20
    assert model.errors_.tolist() == errors
    assert model.value_ == between[::-1][int(np.argmin(errors))]


def test_long_pruning_paths_are_thinned():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.integers(0, 3, 300)
    model = ChosenByFolds(TREE, "ccp_alpha").fit(X, y)
    assert len(model.errors_) == 20
    path = TREE.cost_complexity_pruning_path(X, y)
    assert len(np.unique(path.ccp_alphas)) > 40
    assert 0 <= model.value_ <= path.ccp_alphas.max()


@pytest.mark.parametrize("counts", [(5, 1), (2, 2), (9, 3, 1)])
def test_rare_classes_are_no_trouble(counts):
    y = np.repeat(np.arange(len(counts)), counts)
    X = np.arange(len(y), dtype=float)[:, None]
    model = ChosenByFolds(LogisticRegression(), "C", [1.0, 100.0]).fit(X, y)
    assert set(model.predict(X)) <= set(y)
    assert model.predict_proba(X).shape == (len(y), len(counts))


def test_without_two_rows_of_a_class_the_middle_value_is_taken():
    model = ChosenByFolds(LogisticRegression(), "C", [0.1, 1.0, 10.0])
    assert model.fit([[0.0], [5.0]], [0, 1]).value_ == 1.0


@given(seed=st.integers(0, 2**32 - 1))
def test_weakest_links_are_scikit_learns(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 5, (40, 3)).astype(float), rng.integers(0, 3, 40)
    asked, truth = rng.integers(0, 5, (30, 3)).astype(float), rng.integers(0, 3, 30)
    grown = DecisionTreeClassifier(random_state=0).fit(X, y)
    path = grown.cost_complexity_pruning_path(X, y).ccp_alphas.clip(0)
    known = np.unique(path.round(12))
    alphas = [*(known[:-1] + known[1:]) / 2, 2 * known[-1] + 1e-9]
    expected, sizes = [], []
    for alpha in alphas:
        tree = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y)
        expected.append(int((tree.predict(asked) != truth).sum()))
        sizes.append(tree.get_n_leaves())
    assert wrong_answers(grown, alphas, asked, truth) == expected
    collapse = collapse_alphas(grown.tree_)
    assert np.isclose(collapse.max(), known[-1], atol=1e-11)
    # The inner nodes that are left number one less than the leaves.
    assert [int((collapse > alpha).sum()) + 1 for alpha in alphas] == sizes
