import pickle
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.tree import DecisionTreeClassifier

from example_counts import examples
from labelsift.learn import (
    BinaryRelevance,
    CalibratedLabelRanking,
    LabelPowerset,
    RAkEL,
    _tree_table,
)
from labelsift.learn._tree_table import TreeTable
from labelsift.learn.entropy_tree import EntropyTree
from reference import entropy_tree as reference

SEEDS = st.integers(0, 2**32 - 1)


class Alone(EntropyTree):
    """Fitted by itself: what shares work does not know what a subclass does."""


def table(seed, n=30, d=4, levels=None, missing=0.0, n_classes=3):
    """Return rows and classes; few levels make ties."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) if levels is None else rng.integers(0, levels, (n, d))
    X = X.astype(float)
    X[rng.random(X.shape) < missing] = np.nan
    return X, rng.integers(0, n_classes, n)


def grown(X, y, min_leaf=2, **options):
    """Return the only tree."""
    (tree,) = TreeTable(X).grow(y, int(y.max()) + 1, min_leaf, **options)
    return tree


def assert_same(one, other):
    for a, b in zip(astuple(one), astuple(other), strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_tree_by_hand():
    X = np.array([[1, 0], [2, 4], [3, 9], [6, 4], [7, 0]], dtype=float)
    y = np.array([0, 0, 1, 1, 1])
    tree = grown(X, y, min_leaf=1)
    # Column 0 parts the classes between 2 and 3 and so gains all of 5 H(2/5) bits.
    assert tree.feature.tolist() == [0, -2, -2]
    assert tree.threshold.tolist() == [2.5, -2, -2]
    assert tree.children_left.tolist() == [1, -1, -1]
    assert tree.children_right.tolist() == [2, -1, -1]
    assert tree.n_node_samples.tolist() == [5, 2, 3]
    assert tree.counts.tolist() == [[2, 3], [2, 0], [0, 3]]
    np.testing.assert_allclose(tree.impurity, [0.970951, 0, 0], atol=1e-6)
    # Leaves of three rows: five rows cannot be parted.
    assert grown(X, y, min_leaf=3).node_count == 1
    # A row without a value gains on the right, with its class; where there was none,
    # it goes to the side with more rows.
    X[2, 0] = np.nan
    assert grown(X, y, min_leaf=1).missing_go_to_left.tolist() == [False] * 3
    assert not tree.missing_go_to_left[0]
    assert grown(-X[:, :1], y, min_leaf=1).missing_go_to_left[0]


def test_gains_equal_by_arithmetic_are_equal():
    # Columns 0 and 1 part 12 rows into 6 + 6 with 4 of one class each way round, and
    # column 2 into 3 + 9 so that 3 of them are pure: the lower of equals wins.
    y = np.array([0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1])
    a = np.array([0] * 6 + [1] * 6)
    X = np.column_stack([a[::-1], a, a]).astype(float)
    assert grown(X, y).feature[0] == 0
    assert grown(X[:, [2, 1, 0]], 1 - y).feature[0] == 0
    # 6 log 6 = 6 + 6 log 3: what a table of rounded values would miss.
    powers = _tree_table._powers(100, 44)
    assert powers[6] == 2 * powers[3] + 3 * powers[2]
    assert powers[15] == 5 * powers[3] + 3 * powers[5]
    assert powers[64] == 6 * 64 << 44
    np.testing.assert_allclose(
        powers[1:] / 2.0**44, np.arange(1, 101) * np.log2(np.arange(1, 101)), rtol=1e-13
    )


def same_as_reference(tree, node, plain, columns):
    assert tree.n_node_samples[node] == plain["n"]
    assert tree.impurity[node] == pytest.approx(plain["entropy"], abs=1e-9)
    counts = {c: n for c, n in enumerate(tree.counts[node].tolist()) if n}
    assert counts == plain["counts"]
    if "feature" not in plain:
        assert tree.feature[node] == -2
        return
    assert tree.feature[node] == plain["feature"]
    assert tree.threshold[node] == plain["threshold"]
    assert tree.missing_go_to_left[node] == plain["missing_left"]
    same_as_reference(tree, tree.children_left[node], plain["left"], columns)
    same_as_reference(tree, tree.children_right[node], plain["right"], columns)


@examples(50)
@given(
    seed=SEEDS,
    n=st.integers(1, 28),
    levels=st.sampled_from([None, 2, 3, 6]),
    missing=st.sampled_from([0.0, 0.2]),
    min_leaf=st.integers(1, 4),
)
def test_equal_to_the_plain_reference(seed, n, levels, missing, min_leaf):
    X, y = table(seed, n, 3, levels, missing)
    tree = grown(X, y, min_leaf)
    plain = reference.grow(X.tolist(), y.tolist(), min_leaf)
    same_as_reference(tree, 0, plain, X.shape[1])
    asked, _ = table(seed + 1, 20, 3, levels, missing)
    found = tree.counts[tree.apply(asked)].tolist()
    for row, counts in zip(asked.tolist(), found, strict=True):
        leaf = reference.leaf(plain, row)
        assert {c: n for c, n in enumerate(counts) if n} == leaf["counts"]


@examples(8)
@given(seed=SEEDS, n_classes=st.integers(2, 6), min_leaf=st.integers(1, 5))
def test_every_node_gains_what_scikit_learns_best_cut_does(seed, n_classes, min_leaf):
    X, y = table(seed, 70, 3, n_classes=n_classes)
    tree = grown(X, y, min_leaf)
    rows_of = [np.flatnonzero(row) for row in paths(tree, X)]
    for node, rows in enumerate(rows_of):
        stump = DecisionTreeClassifier(
            criterion="entropy", max_depth=1, min_samples_leaf=min_leaf
        ).fit(X[rows], y[rows])
        ends = stump.tree_
        assert (tree.feature[node] == -2) == (ends.node_count == 1)
        assert tree.impurity[node] == pytest.approx(ends.impurity[0], abs=1e-10)
        if ends.node_count == 1:
            continue
        below = tree.children_left[node], tree.children_right[node]
        cost = sum(tree.n_node_samples[c] * tree.impurity[c] for c in below)
        best = (ends.n_node_samples[1:] * ends.impurity[1:]).sum()
        assert cost == pytest.approx(best, abs=1e-9)


def paths(tree, X):
    """Return for each node which rows come through it."""
    through = np.zeros((tree.node_count, len(X)), dtype=bool)
    through[tree.apply(X), np.arange(len(X))] = True
    for node in range(tree.node_count - 1, -1, -1):
        if tree.children_left[node] >= 0:
            through[node] = through[tree.children_left[node]]
            through[node] |= through[tree.children_right[node]]
    return through


@examples(25)
@given(
    seed=SEEDS,
    levels=st.sampled_from([None, 2, 5]),
    missing=st.sampled_from([0.0, 0.15]),
)
def test_order_of_rows_names_of_classes_and_copies_of_rows_change_nothing(
    seed, levels, missing
):
    X, y = table(seed, 40, 4, levels, missing)
    tree = grown(X, y)
    rng = np.random.default_rng(seed)
    rows, names = rng.permutation(40), rng.permutation(3)
    assert_same(grown(X[rows], y[rows]), tree)
    other = grown(X, names[y])
    np.testing.assert_array_equal(other.threshold, tree.threshold)
    np.testing.assert_array_equal(other.feature, tree.feature)
    np.testing.assert_array_equal(other.counts[:, names[y]], tree.counts[:, y])
    twice = grown(np.vstack([X, X]), np.concatenate([y, y]), 4)
    np.testing.assert_array_equal(twice.threshold, tree.threshold)
    np.testing.assert_array_equal(twice.feature, tree.feature)
    np.testing.assert_array_equal(twice.counts, 2 * tree.counts)


@examples(20)
@given(seed=SEEDS)
def test_order_of_columns_changes_nothing_without_ties(seed):
    X, y = table(seed, 60, 5)
    each = [bits_left(grown(X[:, [f]], y, 15)) for f in range(5)]
    assume(np.diff(sorted(each)).min() > 1e-6)
    tree, order = grown(X, y, 15), np.random.default_rng(seed).permutation(5)
    other = grown(X[:, order], y, 15)
    assert tree.feature[0] == order[other.feature[0]] == np.argmin(each)
    assert tree.threshold[0] == other.threshold[0]


def bits_left(tree):
    """Return the bits that the root's cut leaves."""
    return (tree.n_node_samples * tree.impurity)[1:3].sum()


@examples(25)
@given(seed=SEEDS, share=st.sampled_from([0.1, 0.6, 1.0]), n=st.integers(1, 40))
def test_sparse_rows_give_the_tree_of_dense_ones(seed, share, n):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (n, 5)) * (rng.random((n, 5)) < share).astype(float)
    y = rng.integers(0, 3, n)
    tree = grown(X, y, 1)
    for container in (sparse.csr_array, sparse.csc_array, sparse.coo_matrix):
        other = grown(container(X), y, 1)
        assert_same(other, tree)
        np.testing.assert_array_equal(other.apply(container(X)), tree.apply(X))
    # what is stored twice adds up, and a stored zero is one
    rows, columns = np.indices(X.shape).reshape(2, -1)
    stored = np.concatenate([X.ravel() - 1, np.ones(X.size)])
    places = np.tile(rows, 2), np.tile(columns, 2)
    double = sparse.coo_array((stored, places), shape=X.shape)
    assert_same(grown(double, y, 1), tree)
    np.testing.assert_array_equal(tree.apply(double.tocsr()), tree.apply(X))


@examples(15)
@given(seed=SEEDS, levels=st.sampled_from([None, 3]), missing=st.booleans())
def test_some_rows_and_columns_are_those_of_a_smaller_table(seed, levels, missing):
    X, y = table(seed, 50, 6, levels, 0.1 * missing)
    rng = np.random.default_rng(seed)
    rows, columns = np.flatnonzero(rng.random(50) < 0.6), np.array([0, 2, 5])
    if not rows.size:
        return
    part = grown(X[rows][:, columns], y[rows])
    (found,) = TreeTable(X).grow(
        y[rows], part.counts.shape[1], 2, rows=rows, features=columns
    )
    is_cut = part.feature >= 0
    np.testing.assert_array_equal(columns[part.feature[is_cut]], found.feature[is_cut])
    np.testing.assert_array_equal(part.threshold, found.threshold)
    np.testing.assert_array_equal(part.counts, found.counts)


@examples(40)
@given(
    seed=SEEDS,
    levels=st.sampled_from([None, 2, 4]),
    missing=st.sampled_from([0.0, 0.15]),
    min_leaf=st.integers(1, 4),
)
def test_trees_of_prefixes_are_those_grown_alone(seed, levels, missing, min_leaf):
    X, y = table(seed, 45, 7, levels, missing)
    rng = np.random.default_rng(seed)
    order = rng.permutation(7)
    sizes = np.flatnonzero(rng.random(7) < 0.7) + 1
    if not sizes.size:
        return
    together = TreeTable(X).grow(y, 3, min_leaf, features=order, sizes=sizes)
    assert len(together) == len(sizes)
    for tree, size in zip(together, sizes, strict=True):
        alone = TreeTable(X).grow(y, 3, min_leaf, features=np.sort(order[:size]))
        assert_same(tree, alone[0])


def test_many_rows_take_wider_numbers(monkeypatch):
    X, y = table(3, 300, 5, missing=0.05)
    short = TreeTable(X)
    tree = grown(X, y)
    monkeypatch.setattr(_tree_table, "_shift", lambda n: 32)
    wide = TreeTable(X)
    assert short.columns.entries.dtype == np.uint32
    assert wide.columns.entries.dtype == np.int64
    assert_same(wide.grow(y, 3, 2)[0], tree)
    assert _tree_table._bits(300) == 44
    assert _tree_table._bits(10**6) == 36


def test_neighbouring_and_tiny_values_are_parted():
    for low, high in [(1.0, np.nextafter(1.0, 2)), (5e-324, 1e-323), (-1e100, 1e100)]:
        X = np.array([[low], [high], [low], [high]])
        y = np.array([0, 1, 0, 1])
        model = EntropyTree(min_samples_leaf=1, confidence=None).fit(X, y)
        assert model.predict(X).tolist() == [0, 1, 0, 1]
        assert low <= model.tree_.threshold[0] < high


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    "build",
    [
        lambda base: RAkEL(base, random_state=0, voting="soft"),
        lambda base: RAkEL(base, random_state=0, n_jobs=2),
        lambda base: BinaryRelevance(base, feature_lists={1: [3, 0]}),
        lambda base: LabelPowerset(base),
        lambda base: CalibratedLabelRanking(base),
    ],
)
def test_shared_tables_answer_as_trees_that_are_fitted_alone(build, container):
    rng = np.random.default_rng(8)
    X = container(rng.integers(0, 4, (80, 6)) * 1.0)
    Y = (rng.random((80, 4)) < 0.4).astype(int)
    shared, alone = (build(base).fit(X, Y) for base in (EntropyTree(), Alone()))
    np.testing.assert_array_equal(shared.predict_proba(X), alone.predict_proba(X))
    np.testing.assert_array_equal(shared.predict(X), alone.predict(X))
    pairs = zip(fitted(shared), fitted(alone), strict=True)
    for one, other in pairs:
        assert_same(one.tree_, other.tree_)
        assert one.n_leaves_ == other.n_leaves_
        assert one.n_features_in_ == other.n_features_in_
    again = pickle.loads(pickle.dumps(shared))
    np.testing.assert_array_equal(again.predict_proba(X), shared.predict_proba(X))


def fitted(model):
    return model.estimators_ if hasattr(model, "estimators_") else [model.estimator_]


def test_wrong_settings_of_a_shared_base_are_named():
    with pytest.raises(ValueError, match="confidence"):
        RAkEL(EntropyTree(confidence=2.0)).fit(np.eye(4), np.eye(4, dtype=int))
