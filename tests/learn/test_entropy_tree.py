import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelsift.learn.entropy_tree import EntropyTree, expected_errors


@parametrize_with_checks([EntropyTree()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_expected_errors_by_hand():
    # No error in 6 rows: (1 - p)^6 = 0.25, p = 0.206, 1.236 errors.
    assert expected_errors(6, 0, 0.25) == pytest.approx(1.23783, abs=1e-4)
    # Quinlan's example, chapter 4: leaves of 6, 9 and 1 rows without error expect
    # 6 x 0.206 + 9 x 0.143 + 1 x 0.750 = 3.273 errors.
    total = sum(expected_errors(n, 0, 0.25) for n in (6, 9, 1))
    assert total == pytest.approx(3.273, abs=3e-3)
    # 2 errors in 10 rows, z = 0.67449: share 0.25 before the limit.
    z, f = 0.6744897501960817, 0.25
    limit = (f + z**2 / 20 + z * np.sqrt(f / 10 * (1 - f) + z**2 / 400)) / (
        1 + z**2 / 10
    )
    assert expected_errors(10, 2, 0.25) == pytest.approx(10 * limit, rel=1e-12)
    assert expected_errors(3, 3, 0.25) == 3


@given(
    n=st.integers(1, 200), share=st.floats(0, 1), c=st.sampled_from([0.05, 0.25, 0.5])
)
def test_expected_errors_are_near_the_exact_limit_and_grow(n, share, c):
    errors = int(share * n)
    found = expected_errors(n, errors, c)
    assert errors <= found <= n
    if errors < n:
        assert expected_errors(n, errors + 1, c) > found - 1e-9
        exact = n * beta.ppf(1 - c, errors + 1, n - errors)
        assert abs(found - exact) < 0.5  # the normal approximation


def test_any_confidence_above_nothing_is_one():
    X, y = np.arange(8.0)[:, None], [0, 0, 0, 0, 1, 1, 1, 1]
    errors = [expected_errors(100, 5, c) for c in (1e-12, 1e-15, 1e-16, 1e-17, 5e-324)]
    assert errors == sorted(errors)
    assert errors[-1] <= 100
    for confidence in (1e-15, 1e-16, 1e-17, 5e-324):
        # so careful a tree expects over 7.99 errors of two leaves, 7.99 of one at most
        assert EntropyTree(confidence=confidence).fit(X, y).n_leaves_ == 1


def test_without_pruning_and_ties_it_is_scikit_learns_tree():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(400, 4)), rng.integers(0, 3, 400)
    ours = EntropyTree(confidence=None, min_samples_leaf=20).fit(X, y)
    found = ours.predict_proba(X)
    for seed in range(4):  # which would decide ties
        tree = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=20, random_state=seed
        ).fit(X, y)
        np.testing.assert_array_equal(found, tree.predict_proba(X))
        assert ours.n_leaves_ == tree.get_n_leaves() == ours.tree_.n_leaves == 16


def plain_prune(tree, node, confidence):
    """Return (training errors, expected errors, leaves as {node: answering node})."""
    n = int(tree.n_node_samples[node])
    errors = n - tree.counts[node].max()
    as_leaf = expected_errors(n, errors, confidence)
    left, right = int(tree.children_left[node]), int(tree.children_right[node])
    if left < 0:
        return errors, as_leaf, {node: node}
    below = [plain_prune(tree, child, confidence) for child in (left, right)]
    seen, expected = sum(b[0] for b in below), sum(b[1] for b in below)
    leaves = {**below[0][2], **below[1][2]}
    if as_leaf <= expected + 0.1 or seen >= errors:
        return errors, as_leaf, dict.fromkeys(leaves, node)
    return seen, expected, leaves


@given(seed=st.integers(0, 2**32 - 1), confidence=st.sampled_from([0.05, 0.25, 0.5]))
def test_pruning_matches_plain_recursion(seed, confidence):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    y = (X[:, 0] + rng.normal(size=40) > 0) + (X[:, 1] > 1)
    model = EntropyTree(confidence=confidence).fit(X, y)
    tree = model.tree_
    _, _, answers = plain_prune(tree, 0, confidence)
    leaf = tree.apply(X)
    expected = np.array([tree.value[answers[i]] for i in leaf])
    np.testing.assert_array_equal(model.predict_proba(X), expected)
    assert model.n_leaves_ == len(set(answers.values()))
    # Leaf shares are those of the training rows.
    for node in set(answers.values()):
        rows = np.array([answers[i] == node for i in leaf])
        share = np.bincount(y[rows], minlength=model.classes_.size) / rows.sum()
        np.testing.assert_allclose(model.predict_proba(X[rows])[0], share, atol=1e-12)


def test_noise_is_pruned_to_one_leaf():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 5)), (rng.random(200) < 0.2).astype(int)
    assert EntropyTree(confidence=None).fit(X, y).n_leaves_ > 20
    assert EntropyTree(confidence=0.01).fit(X, y).n_leaves_ <= 3
