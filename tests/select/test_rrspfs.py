import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.io import loadmat

from labelsift.encode import EqualWidthDiscretizer, MDLDiscretizer
from labelsift.select import RRSPFS, GainRatio
from reference import rrspfs as reference
from shared_data import data_file

CLASSES = [1, 1, 1, 1, 2, 2, 2, 3, 3]
FEATURES = np.array(
    [
        [1, 0, 1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 0, 1, 0, 0, 0, 1],
        [1, 1, 1, 1, 0, 0, 1, 0, 0],
        [1, 1, 0, 1, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 1],
    ]
).T
RATIOS = [
    [0.130006, 0.020548, 0.544032, 0.529462, 0],
    [0.167949, 0, 1, 0.459148, 0.487197],
    [0.432538, 0.020571, 0.236797, 0, 0.445928],
]
POOLED = [0.226690, 0.013705, 0.610678, 0.358951, 0.286268]


@pytest.mark.parametrize(
    ("mode", "order"), [("level", [2, 4, 3, 0, 1]), ("next", [2, 4, 0, 3, 1])]
)
def test_worked_example(mode, order):
    fitted = RRSPFS(2, mode=mode, discretize="none").fit(FEATURES, CLASSES)
    np.testing.assert_allclose(fitted.scores_per_problem_.values.T, RATIOS, atol=1e-6)
    np.testing.assert_allclose(fitted.scores_, POOLED, atol=1e-6)
    assert fitted.problem_sizes_.tolist() == [7, 6, 5]
    assert fitted.scores_per_problem_.label_names == ("1 vs 2", "1 vs 3", "2 vs 3")
    assert fitted.scores_per_problem_["x2", "1 vs 3"] == 1.0
    assert fitted.order_.tolist() == order
    assert fitted.get_support(indices=True).tolist() == sorted(order[:2])


@pytest.mark.parametrize(
    "classes",
    [
        np.array(["ewing", "BL", "RMS"])[np.array(CLASSES) - 1],
        np.array(["ewing", "BL", "RMS"], dtype=object)[np.array(CLASSES) - 1],
        np.array(CLASSES, dtype=np.uint8),
        np.array(CLASSES, dtype=float) - 7,
        np.array(CLASSES) > 1,
        CLASSES,
    ],
    ids=["text", "object", "uint8", "float", "bool", "list"],
)
def test_class_vector_of_any_type(classes):
    fitted = RRSPFS(discretize="none").fit(FEATURES, classes)
    names, sizes, scores = reference.pair_scores(
        FEATURES.tolist(), list(classes), mdl=False
    )
    assert list(fitted.problem_sizes_) == sizes
    assert list(fitted.scores_per_problem_.label_names) == names
    np.testing.assert_allclose(fitted.scores_per_problem_.values.T, scores, atol=1e-12)


@pytest.mark.parametrize("mdl", [False, True])
@pytest.mark.parametrize("mode", ["level", "next"])
@given(seed=st.integers(0, 2**32 - 1))
def test_matches_plain_python_reference(mode, mdl, seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(6, 50)), int(rng.integers(2, 5))
    y = np.r_[np.arange(k), rng.integers(0, k, n - k)]
    X = np.round(rng.normal(size=(n, 6)) + rng.normal(size=(k, 6))[y] * 2, int(mdl))
    names, sizes, scores = reference.pair_scores(X.tolist(), y.tolist(), mdl=mdl)
    fitted = RRSPFS(mode=mode, discretize="mdl" if mdl else "none").fit(X, y)
    assert fitted.scores_per_problem_.label_names == tuple(names)
    np.testing.assert_allclose(fitted.scores_per_problem_.values.T, scores, atol=1e-10)
    np.testing.assert_allclose(
        fitted.scores_, reference.pooled(sizes, scores), atol=1e-10
    )
    expected = reference.merged(sizes, scores, mode)
    constant = (X == X[0]).all(axis=0)
    if not constant.any():  # ours come last among equals
        assert fitted.order_.tolist() == expected


def test_feature_of_one_class_pair_is_kept_that_plain_gain_ratio_drops():
    # thirty genes tell all ten classes apart but 0 from 1; the last tells those two
    # apart, and in all other classes it takes any value
    rng = np.random.default_rng(1)
    y = np.repeat(np.arange(10), 30)
    level = rng.normal(size=(10, 30))
    level[0] = level[1]
    X = rng.normal(size=(300, 40)) * 0.8
    X[:, :30] += 3 * level[y]
    X[:, 30] = rng.uniform(-3, 3, 300)
    X[:60, 30] = rng.normal(scale=0.3, size=60) + np.where(y[:60] == 0, -1, 1)
    pair_gene = 30
    plain = GainRatio().fit(X, y)
    robin = RRSPFS().fit(X, y)
    assert plain.ranking_[pair_gene] > 20
    assert robin.ranking_[pair_gene] <= 10
    table = robin.scores_per_problem_
    first = np.argmax(table.values[:, table.label_names.index("0 vs 1")])
    assert first == pair_gene
    assert pair_gene in RRSPFS(10).fit(X, y).get_support(indices=True)
    assert pair_gene not in GainRatio(20).fit(X, y).get_support(indices=True)


def test_pairs_of_labels_use_rows_with_exactly_one_of_them():
    Y = np.array([[1, 0, 1], [1, 1, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 0]])
    X = np.array([[0, 1, 1, 0, 1, 0], [3, 1, 4, 1, 5, 9]]).T
    fitted = RRSPFS(discretize="none").fit(X, Y)
    assert fitted.scores_per_problem_.label_names == (
        "label0 vs label1",
        "label0 vs label2",
        "label1 vs label2",
    )
    # rows 0 2 3 4; 3 4; 0 2
    assert fitted.problem_sizes_.tolist() == [4, 2, 2]
    np.testing.assert_allclose(
        fitted.scores_per_problem_.values[0], [1.0, 1.0, 1.0], atol=1e-12
    )
    # one-hot labels are the class vector
    y = np.array(CLASSES)
    one_hot = RRSPFS(discretize="none").fit(FEATURES, np.eye(3, dtype=int)[y - 1])
    np.testing.assert_allclose(one_hot.scores_, POOLED, atol=1e-6)


def test_labels_that_imply_each_other_make_no_subproblem():
    Y = np.array([[1, 1], [1, 0], [0, 0], [1, 1]])
    with pytest.warns(UserWarning, match="no two labels or label sets part any rows"):
        fitted = RRSPFS().fit(np.eye(4), Y)
    assert fitted.scores_per_problem_.shape == (4, 0)
    assert fitted.order_.tolist() == [0, 1, 2, 3]


def test_binary_relevance_is_gain_ratio_of_each_label():
    rng = np.random.default_rng(3)
    Y = (rng.random((120, 4)) < 0.4).astype(int)
    X = rng.normal(size=(120, 9)) + np.tile(Y, 3)[:, :9]
    fitted = RRSPFS(problem="binary_relevance").fit(X, Y)
    plain = GainRatio().fit(X, Y)
    np.testing.assert_allclose(fitted.scores_, plain.scores_, rtol=1e-12)
    assert (fitted.scores_per_problem_.values == plain.scores_per_label_.values).all()
    assert fitted.problem_sizes_.tolist() == [120] * 4


def test_label_sets_are_paired_as_classes():
    rng = np.random.default_rng(4)
    Y = (rng.random((80, 2)) < 0.5).astype(int)
    X = rng.normal(size=(80, 5)) + 2 * np.c_[Y, Y, Y[:, 0]]
    names = np.array(["(no label)", "label0", "label1", "label0+label1"])
    expected = RRSPFS().fit(X, names[Y @ [1, 2]])
    fitted = RRSPFS(problem="label_powerset").fit(X, Y)
    assert sorted(fitted.problem_sizes_) == sorted(expected.problem_sizes_)
    np.testing.assert_allclose(fitted.scores_, expected.scores_, rtol=1e-12)
    assert (fitted.order_ == expected.order_).all()


def test_cutting_once_on_all_rows():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 4, 150)
    X = rng.normal(size=(150, 6)) + y[:, None] * [0, 1, 2, 3, 0, 1]
    for name, discretizer in [
        ("mdl_global", MDLDiscretizer(encoding="better")),
        ("equal_width", EqualWidthDiscretizer(4)),
    ]:
        coded = discretizer.fit(X, y).transform(X)
        expected = RRSPFS(discretize="none").fit(coded, y)
        for container in (np.asarray, sparse.csr_array):
            fitted = RRSPFS(discretize=name, n_bins=4).fit(container(X), y)
            assert (fitted.scores_ == expected.scores_).all()
            assert (fitted.order_ == expected.order_).all()


def test_random_mode_draws_subproblems_by_seed():
    orders = {
        tuple(
            RRSPFS(mode="random", discretize="none", random_state=seed)
            .fit(FEATURES, CLASSES)
            .order_
        )
        for seed in range(20)
    }
    assert len(orders) > 1
    assert {order[0] for order in orders} <= {2, 4}  # the best of some pair
    again = RRSPFS(mode="random", random_state=7, discretize="none")
    first, second = (again.fit(FEATURES, CLASSES).order_ for _ in range(2))
    assert (first == second).all()


def test_missing_values_are_left_out_pair_by_pair():
    X = np.array([[0.0, 1, np.nan, 2, 3, 10, 11, np.nan, 12, 13, 14]]).T
    y = [0] * 5 + [1] * 6
    fitted = RRSPFS().fit(X, y)
    assert fitted.scores_[0] == pytest.approx(1.0)
    assert fitted.problem_sizes_.tolist() == [11]
    all_missing = RRSPFS().fit(np.c_[X, np.full(11, np.nan)], y)
    np.testing.assert_allclose(all_missing.scores_, [1.0, 0.0])


def test_gene_data_ranks_as_the_reference_on_a_slice():
    table = loadmat(data_file("lung_small.mat"))
    X, y = table["X"][:, :40].astype(float), table["Y"].ravel()
    _, sizes, scores = reference.pair_scores(X.tolist(), y.tolist(), mdl=True)
    for mode in ("level", "next"):
        fitted = RRSPFS(mode=mode).fit(X, y)
        assert fitted.order_.tolist() == reference.merged(sizes, scores, mode)


def test_blocks_of_rows_equal_the_whole():
    whole = RRSPFS(discretize="none").fit(FEATURES, CLASSES)
    parts = RRSPFS(discretize="none").partial_fit(
        FEATURES[:5], CLASSES[:5], classes=[1, 2, 3]
    )
    parts.partial_fit(FEATURES[5:], CLASSES[5:])
    assert (parts.scores_ == whole.scores_).all()
    assert (parts.order_ == whole.order_).all()
    with pytest.warns(UserWarning, match="starts afresh"):
        whole.partial_fit(FEATURES[:5], CLASSES[:5], classes=[1, 2, 3])


def test_one_class_and_too_many_subproblems_are_refused(monkeypatch):
    with pytest.raises(ValueError, match="y has one class, 'a'"):
        RRSPFS().fit(np.eye(3), ["a", "a", "a"])
    monkeypatch.setattr("labelsift.select.rrspfs.CELL_LIMIT", 10)
    with pytest.raises(ValueError, match="makes 3 subproblems for 5 features"):
        RRSPFS().fit(FEATURES, CLASSES)
    with pytest.raises(AttributeError, match="not fitted yet"):
        _ = RRSPFS().scores_per_problem_
