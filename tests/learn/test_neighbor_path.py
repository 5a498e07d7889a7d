import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.learn import IBLR, BRkNN, DMLkNN, MLkNN, NeighborGraph
from labelsift.learn.neighbor_path import prefix_neighbors


def alone(X, queries, order, size, k, scale, nominal):
    columns = np.sort(order[:size])
    mask = None if nominal is None else nominal[columns]
    graph = NeighborGraph(k, scale=scale, categorical_features=mask)
    graph.fit(X[:, columns])
    return graph.neighbors_.index, graph.query(queries[:, columns]).index


def assert_same(X, queries, order, sizes, k=3, scale=None, nominal=None):
    found = list(
        prefix_neighbors(
            X, queries, order, sizes, n_neighbors=k, scale=scale, nominal=nominal
        )
    )
    assert [one.size for one in found] == list(sizes)
    for one in found:
        train, test = alone(X, queries, order, one.size, k, scale, nominal)
        np.testing.assert_array_equal(one.graph.neighbors_.index, train)
        np.testing.assert_array_equal(one.test.index, test)


def test_neighbours_by_hand():
    X = np.array([[0.0, 5.0], [1.0, 0.0], [2.0, 5.0], [4.0, 4.0]])
    found = list(
        prefix_neighbors(X, np.array([[1.0, 5.0]]), [0, 1], [1, 2], n_neighbors=2)
    )
    # column 0 alone: rows 0 and 2 are equally far from row 1
    assert found[0].graph.neighbors_.index.tolist() == [[1, 2], [0, 2], [1, 0], [2, 1]]
    assert found[0].test.index.tolist() == [[1, 0]]
    # squared distances of row 0: 26 to row 1, 4 to row 2, 17 to row 3
    assert found[1].graph.neighbors_.index[0].tolist() == [2, 3]
    assert found[1].test.index.tolist() == [[0, 2]]


@given(
    seed=st.integers(0, 2**32 - 1),
    levels=st.integers(2, 5),
    scale=st.sampled_from([None, "minmax"]),
    kind=st.sampled_from(["whole", "thirds", "real", "far", "mixed"]),
    container=st.sampled_from([np.asarray, sparse.csr_array]),
)
def test_every_prefix_as_if_it_were_alone_ties_included(
    seed, levels, scale, kind, container
):
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(6, 40)), int(rng.integers(1, 9)), int(rng.integers(1, 6))
    both = rng.integers(0, levels, (n + 7, d)).astype(float)
    if kind == "thirds":
        both /= 3.0
    elif kind == "real":
        both += 0.3 * rng.normal(size=both.shape)
    elif kind == "far":  # one column with outliers, the others in its rounding noise
        both[:, 0] += 1e7 * (rng.random(n + 7) < 0.2) + 1e-3
    elif kind == "mixed":  # differences that float32 cannot see
        both += 1e-9 * rng.integers(0, 3, both.shape)
    order = rng.permutation(d)
    sizes = np.flatnonzero(rng.random(d) < 0.7) + 1
    sizes = sizes if len(sizes) else np.array([d])
    X, queries = container(both[:n]), container(both[n:])
    assert_same(X, queries, order, sizes, k, scale)


@given(seed=st.integers(0, 2**32 - 1), scale=st.sampled_from([None, "minmax"]))
def test_nominal_columns_and_missing_values(seed, scale):
    rng = np.random.default_rng(seed)
    both = rng.integers(0, 4, (30, 6)) / 3.0
    both[rng.random(both.shape) < 0.1] = np.nan
    nominal = rng.random(6) < 0.4
    order = rng.permutation(6)
    assert_same(both[:23], both[23:], order, [1, 2, 4, 6], 4, scale, nominal)


def test_many_equally_far_rows():
    rng = np.random.default_rng(3)
    both = rng.integers(0, 2, (400, 6)) / 3.0  # 64 different rows, thirds are inexact
    assert_same(both[:360], both[360:], rng.permutation(6), [1, 2, 3, 4, 5, 6], 10)


def test_rounding_noise_of_every_order_of_summation():
    # Rows that are permutations of each other: equally far from the origin but for the
    # last digit, which depends on the order of the sum.
    rng = np.random.default_rng(0)
    values = rng.random(12)
    X = np.array([rng.permutation(values) for _ in range(200)])
    assert_same(X, np.zeros((1, 12)), rng.permutation(12), [3, 11, 12], 7)


def test_few_sizes_at_once_and_threads_change_nothing(monkeypatch):
    rng = np.random.default_rng(1)
    X, order = rng.integers(0, 3, (300, 10)) / 7.0, rng.permutation(10)
    sizes = range(1, 11)
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "1")
    first = list(prefix_neighbors(X, X[:9], order, sizes))
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "2")
    monkeypatch.setattr("labelsift.learn.neighbor_path.INDEX_BYTES", 4 * 10 * 309 * 3)
    second = list(prefix_neighbors(X, X[:9], order, sizes))
    for one, other in zip(first, second, strict=True):
        assert (one.graph.neighbors_.index == other.graph.neighbors_.index).all()
        assert (one.test.index == other.test.index).all()


def test_classifiers_read_fewer_neighbours_of_the_same_pass():
    rng = np.random.default_rng(2)
    X, Y = rng.integers(0, 3, (80, 5)) / 3.0, rng.integers(0, 2, (80, 3))
    order = np.array([4, 1, 0, 3, 2])
    for one in prefix_neighbors(X[:60], X[60:], order, [2, 5], n_neighbors=9):
        columns = np.sort(order[: one.size])
        for classifier in (MLkNN(4), BRkNN(9), MLkNN(9)):
            path = classifier.fit(one.graph, Y[:60]).predict_proba(one.test)
            alone = classifier.fit(X[:60, columns], Y[:60])
            assert (path == alone.predict_proba(X[60:, columns])).all()


def test_too_many_neighbours_are_refused():
    X = np.zeros((5, 2))
    with pytest.raises(ValueError, match=r"n_neighbors=5 but there are n_samples=5"):
        list(prefix_neighbors(X, X, [0, 1], [1], n_neighbors=5))


def test_learning_from_another_graph_is_fitting_it():
    rng = np.random.default_rng(2)
    X, Y = rng.random((60, 5)), rng.integers(0, 2, (60, 3))
    graphs = [NeighborGraph(9).fit(X[:, columns]) for columns in ([0, 1], [2, 3, 4])]
    for classifier in (MLkNN(4), BRkNN(3), DMLkNN(4), IBLR(4)):
        again = classifier.fit(graphs[0], Y).learn_from(graphs[1])
        found = again.predict_proba(X[:, 2:])
        assert (found == classifier.fit(graphs[1], Y).predict_proba(X[:, 2:])).all()
    with pytest.raises(ValueError, match="graph is of 50 rows, the labels are of 60"):
        classifier.learn_from(NeighborGraph(9).fit(X[:50]))
