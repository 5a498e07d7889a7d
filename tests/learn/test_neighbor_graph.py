import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.model_selection import KFold

from labelsift.kernels.neighbors_weka import heap_neighbors
from labelsift.learn import CLASSIFIERS, BRkNN, MLkNN, NeighborGraph
from labelsift.learn import _row_index as row_index
from reference import mlknn as classifiers
from reference import neighbors as reference


def expected(train, queries, k, nominal=None, scale=None, itself=False):
    """Return neighbours and squared distances from the plain loops."""
    nominal = np.zeros(train.shape[1], bool) if nominal is None else nominal
    index, squared = [], []
    for i, query in enumerate(queries.tolist()):
        far = reference.squared_distances(train.tolist(), query, nominal, scale)
        near = reference.nearest(far, k, leave_out=i if itself else None)
        index.append(near)
        squared.append([far[j] for j in near])
    return np.array(index), np.array(squared)


def check(graph, queries, train, k, **options):
    """Assert that neighbours and distances are those of the plain loops, exactly."""
    for found, rows, itself in (
        (graph.neighbors_, train, True),
        (graph.query(queries), queries, False),
    ):
        index, squared = expected(train, rows, k, itself=itself, **options)
        np.testing.assert_array_equal(found.index, index)
        np.testing.assert_array_equal(found.squared, squared)


def grid(rng, n, d, kind):
    """Return rows with many equal and nearly equal distances."""
    if kind == "whole":
        return rng.integers(0, 3, (n, d)).astype(float)
    if kind == "thirds":  # equal in exact arithmetic, not always in floating point
        return rng.integers(0, 4, (n, d)) / 3
    if kind == "far":  # differences tiny beside the values
        return 1e6 + rng.integers(0, 4, (n, d)) * 1e-3
    if kind == "huge":
        return rng.integers(-3, 4, (n, d)) * 1e200
    if kind == "tiny":
        return rng.integers(-3, 4, (n, d)) * 1e-170
    return rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4, d)


@given(seed=st.integers(0, 2**32 - 1))
@pytest.mark.parametrize("kind", ["whole", "thirds", "far", "huge", "tiny", "normal"])
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_neighbours_are_those_of_the_plain_loops_to_the_last_bit(kind, seed):
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(4, 25)), int(rng.integers(1, 6)), int(rng.integers(1, 4))
    train, queries = grid(rng, n, d, kind), grid(rng, 5, d, kind)
    scale = None if kind in ("huge", "tiny") else rng.choice([None, "minmax"])
    graph = NeighborGraph(k, scale=scale).fit(train)
    check(graph, queries, train, k, scale=scale)


@given(seed=st.integers(0, 2**32 - 1))
@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("scale", [None, "minmax"])
def test_nominal_columns_and_missing_values(stored, scale, seed):
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(5, 20)), 4, int(rng.integers(1, 4))
    train, queries = grid(rng, n, d, "thirds") * 3, grid(rng, 6, d, "thirds") * 3
    nominal = rng.random(d) < 0.5
    if rng.random() < 0.5:
        train[rng.random(train.shape) < 0.2] = np.nan
    if rng.random() < 0.5:
        queries[rng.random(queries.shape) < 0.2] = np.nan
    graph = NeighborGraph(k, scale=scale, categorical_features=nominal)
    rows = (sparse.csr_array(train), sparse.csr_array(queries)) if stored else ()
    rows = rows or (train, queries)
    graph.fit(rows[0])
    for found, asked, itself in (
        (graph.neighbors_, train, True),
        (graph.query(rows[1]), queries, False),
    ):
        index, squared = expected(
            train, asked, k, nominal=nominal, scale=scale, itself=itself
        )
        np.testing.assert_array_equal(found.index, index)
        np.testing.assert_array_equal(found.squared, squared)


def test_missing_values_by_hand():
    nan = np.nan
    # Scaled, the first column is 0, 1/4, 1; the second is constant, so 0.
    train = np.array([[0.0, 5.0], [1.0, 5.0], [4.0, nan]])
    graph = NeighborGraph(2, scale="minmax").fit(train)
    # Row 0 to row 2: 1 and, one value missing, max(0, 1 - 0) = 1.
    assert graph.neighbors_.index[0].tolist() == [1, 2]
    np.testing.assert_allclose(graph.neighbors_.squared[0], [1 / 16, 2.0])
    # Unscaled: present 1 lies 1 from the low end and 3 from the high end of 0..4.
    graph = NeighborGraph(3 - 1).fit(train)
    found = graph.query([[nan, 5.0]])
    np.testing.assert_allclose(found.squared[0], [9.0, 16.0])
    assert found.index[0].tolist() == [1, 0]  # row 2 is as far as row 0: 16 + 0


@given(seed=st.integers(0, 2**32 - 1))
def test_container_layout_threads_and_blocks_change_nothing(seed):
    rng = np.random.default_rng(seed)
    kind = rng.choice(["thirds", "whole", "normal"])
    train = grid(rng, 60, 5, kind)
    train[rng.random(train.shape) < 0.4] = 0.0
    scale = rng.choice([None, "minmax"])
    graph = NeighborGraph(4, scale=scale).fit(train)
    for rows in (
        np.asfortranarray(train),
        np.repeat(train, 2, axis=0)[::2],
        sparse.csr_array(train),
        sparse.csc_array(train),
        pd.DataFrame(train, columns=list("abcde")),
    ):
        other = NeighborGraph(4, scale=scale).fit(rows)
        np.testing.assert_array_equal(other.neighbors_.index, graph.neighbors_.index)
        np.testing.assert_array_equal(
            other.neighbors_.squared, graph.neighbors_.squared
        )
        found = other.query(rows)
        np.testing.assert_array_equal(found.index[:, 0], graph.query(train).index[:, 0])


@pytest.mark.parametrize("stored", [False, True])
def test_one_thread_or_two_and_any_block_size(monkeypatch, stored):
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 4, (700, 220)) / 3
    rows[rng.random(rows.shape) < 0.7] = 0.0
    rows = sparse.csr_array(rows) if stored else rows
    found = []
    for threads, entries in (("1", 1 << 24), ("2", 1 << 24), ("2", 1000)):
        monkeypatch.setenv("LABELSIFT_NUM_THREADS", threads)
        monkeypatch.setattr(row_index, "_BLOCK_ENTRIES", entries)
        found.append(NeighborGraph(7).fit(rows).neighbors_)
    for other in found[1:]:
        np.testing.assert_array_equal(other.index, found[0].index)
        np.testing.assert_array_equal(other.squared, found[0].squared)


def test_many_rows_with_a_guessed_threshold_are_exact():
    rng = np.random.default_rng(1)
    for train in (
        rng.normal(size=(900, 6)),
        rng.integers(0, 3, (900, 6)).astype(float),
        np.repeat(rng.normal(size=(90, 6)), 10, axis=0),  # ten of each
    ):
        found = NeighborGraph(12).fit(train).neighbors_
        far = ((train[:, None] - train[None]) ** 2).cumsum(axis=2)[:, :, -1]
        far[np.diag_indices(len(far))] = np.inf
        index = np.argsort(far, axis=1, kind="stable")[:, :12]
        np.testing.assert_array_equal(found.index, index)
        np.testing.assert_array_equal(
            found.squared, np.take_along_axis(far, index, axis=1)
        )


def test_tight_clusters_far_apart_are_exact():
    # Single precision cannot part the rows of a cluster: double precision must.
    rng = np.random.default_rng(2)
    centres = rng.normal(size=(2, 5)) * 1e4
    train = centres[rng.integers(0, 2, 800)] + rng.normal(size=(800, 5)) * 1e-4
    graph = NeighborGraph(5).fit(train)
    found = graph.neighbors_
    assert {str(dtype) for dtype, _ in graph._row_index._screens} >= {"float64"}
    index, _ = expected(train, train[:40], 6)
    index = [[j for j in row if j != i][:5] for i, row in enumerate(index.tolist())]
    assert found.index[:40].tolist() == index


def test_single_precision_rows_are_taken_as_they_are():
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(50, 4)).astype(np.float32)
    single = NeighborGraph(5).fit(rows)
    double = NeighborGraph(5).fit(rows.astype(np.float64))
    assert single._values.dtype == np.float32
    np.testing.assert_array_equal(single.neighbors_.index, double.neighbors_.index)
    np.testing.assert_array_equal(single.neighbors_.squared, double.neighbors_.squared)


@given(seed=st.integers(0, 2**32 - 1))
def test_order_of_rows_permutes_neighbours_where_distances_differ(seed):
    rng = np.random.default_rng(seed)
    train = rng.normal(size=(30, 3))
    order = rng.permutation(30)
    plain = NeighborGraph(4).fit(train).neighbors_
    moved = NeighborGraph(4).fit(train[order]).neighbors_
    np.testing.assert_array_equal(order[moved.index], plain.index[order])


@given(seed=st.integers(0, 2**32 - 1))
def test_weka_ties_follow_its_heap(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(5, 40)), int(rng.integers(1, 5))
    kind = rng.choice(["whole", "thirds"])
    train, queries = grid(rng, n, 2, kind), grid(rng, 6, 2, kind)
    graph = NeighborGraph(k, ties="weka").fit(train)
    for found, asked, itself in (
        (graph.neighbors_, train, True),
        (graph.query(queries), queries, False),
    ):
        for i, query in enumerate(asked.tolist()):
            far = reference.squared_distances(train.tolist(), query, [False] * 2, None)
            heap, tied = classifiers.weka_search(far, k, i if itself else None)
            assert set(found.index[i]) == set(heap)
            start, stop = found.tied_indptr[i : i + 2]
            assert found.tied_index[start:stop].tolist() == tied
            np.testing.assert_array_equal(found.squared[i], [far[j] for j in heap])


def test_heap_kernel_gives_rows_in_rising_distance():
    D = np.array([[3.0, 1.0, 2.0, 1.0, 2.0]])
    index = np.empty((1, 3), dtype=np.int64)
    heap_neighbors(D, np.array([-1]), 3, index)
    assert sorted(D[0, index[0]]) == D[0, index[0]].tolist() == [1.0, 1.0, 2.0]


@given(seed=st.integers(0, 2**32 - 1))
def test_a_fold_is_what_fitting_on_its_rows_gives(seed):
    rng = np.random.default_rng(seed)
    rows = grid(rng, 40, 3, rng.choice(["whole", "thirds", "normal"]))
    labels = (rng.random((40, 3)) < 0.4).astype(int)
    deep = NeighborGraph(int(rng.integers(5, 12))).fit(rows)
    for train, test in KFold(4, shuffle=True, random_state=0).split(rows):
        graph, near = deep.fold(train, test, 5)
        plain = NeighborGraph(5).fit(rows[train])
        query = plain.query(rows[test])
        for mine, its in ((graph.neighbors_, plain.neighbors_), (near, query)):
            np.testing.assert_array_equal(mine.index, its.index)
            np.testing.assert_array_equal(mine.squared, its.squared)
            np.testing.assert_array_equal(mine.X, its.X)
        again, _ = graph.fold(np.arange(10, 25), [3, 1], 4)
        inner = NeighborGraph(4).fit(rows[train][10:25]).neighbors_
        np.testing.assert_array_equal(again.neighbors_.index, inner.index)
        np.testing.assert_array_equal(again.neighbors_.X, rows[train][10:25])
        np.testing.assert_array_equal(
            MLkNN(5).fit(graph, labels[train]).predict_proba(near),
            MLkNN(5).fit(rows[train], labels[train]).predict_proba(rows[test]),
        )
        asked = np.where(rng.random((len(test), 3)) < 0.3, np.nan, rows[test])
        mine, its = graph.query(asked), plain.query(asked)
        np.testing.assert_array_equal(mine.squared, its.squared)


def test_one_graph_serves_every_classifier():
    rng = np.random.default_rng(4)
    rows, queries = rng.normal(size=(60, 4)), rng.normal(size=(9, 4))
    labels = (rng.random((60, 3)) < 0.4).astype(int)
    graph = NeighborGraph(8).fit(pd.DataFrame(rows, columns=list("abcd")))
    near = graph.query(pd.DataFrame(queries, columns=list("abcd")))
    for name in ("mlknn", "brknn", "dmlknn", "iblr"):
        shared = CLASSIFIERS[name](5).fit(graph, labels)
        alone = CLASSIFIERS[name](5).fit(rows, labels)
        np.testing.assert_array_equal(
            shared.predict_proba(near), alone.predict_proba(queries)
        )
        assert shared.feature_names_in_.tolist() == list("abcd")
    # Fitted on plain rows afterwards, it forgets the names.
    assert not hasattr(shared.fit(rows, labels), "feature_names_in_")


def test_pickled_graph_answers_the_same():
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(30, 3))
    graph = NeighborGraph(3).fit(rows)
    again = pickle.loads(pickle.dumps(graph))
    np.testing.assert_array_equal(again.query(rows).index, graph.query(rows).index)


ROWS = np.arange(12.0).reshape(6, 2)
LABELS = np.array([[0, 1]] * 3 + [[1, 0]] * 3)
GRAPH = NeighborGraph(3).fit(ROWS)
FRAME = pd.DataFrame(ROWS, columns=["a", "b"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: NeighborGraph(6).fit(ROWS),
            r"n_neighbors=6 but there are n_samples=6 .* at most 5 neighbours",
        ),
        (lambda: MLkNN(6).fit(ROWS, LABELS), "n_neighbors=6 but there are n_samples=6"),
        (lambda: MLkNN(4).fit(GRAPH, LABELS), "the graph holds 3 .* at least as deep"),
        (
            lambda: MLkNN(2, ties="weka").fit(
                NeighborGraph(3, ties="weka").fit(ROWS), LABELS
            ),
            "ties='weka' depends on that number",
        ),
        (
            lambda: BRkNN(2, scale="minmax").fit(GRAPH, LABELS),
            "BRkNN has scale='minmax' but the graph has scale=None",
        ),
        (
            lambda: BRkNN(2, categorical_features=[0]).fit(GRAPH, LABELS),
            "categorical_features belongs to the graph",
        ),
        (lambda: BRkNN(2).fit(GRAPH, LABELS[:4]), "X has 6 rows, y has 4"),
        (
            lambda: BRkNN(2).fit(ROWS, LABELS).predict(GRAPH.query(ROWS)),
            "belong to another graph",
        ),
        (
            lambda: GRAPH.fold([3, 1, 2], [0], 1),
            "train must hold row indices in rising",
        ),
        (lambda: GRAPH.fold([1, 2], [0], 2), "train has n_samples=2"),
        (
            lambda: NeighborGraph(2, scale="minmax").fit(ROWS).fold([1, 2], [0], 1),
            "scale='minmax' is fitted on the training rows",
        ),
        (
            lambda: NeighborGraph(2, ties="weka").fit(ROWS).fold([1, 2], [0], 1),
            "ties='weka' depends on all training rows",
        ),
        (
            lambda: (
                NeighborGraph(2)
                .fit(np.where(ROWS == 0, np.nan, ROWS))
                .fold([1, 2], [0], 1)
            ),
            "range of columns with missing values",
        ),
        (
            lambda: NeighborGraph(2, categorical_features=[True]).fit(ROWS),
            "as a mask must have 2 entries",
        ),
        (
            lambda: NeighborGraph(2, categorical_features=[2]).fit(ROWS),
            "holds column 2; X has 2 columns",
        ),
        (
            lambda: NeighborGraph(2, categorical_features=["c"]).fit(FRAME),
            "names 'c', not a column of X",
        ),
        (
            lambda: NeighborGraph(2, categorical_features=["a"]).fit(ROWS),
            "holds names but X has none",
        ),
        (
            lambda: NeighborGraph(2, categorical_features=[0.5]).fit(ROWS),
            "must be a list of column indices, names",
        ),
        (lambda: NeighborGraph(0).fit(ROWS), "'n_neighbors' parameter"),
        (lambda: NeighborGraph(2, ties="first").fit(ROWS), "'ties' parameter"),
        (lambda: GRAPH.query(ROWS[:, :1]), "expecting 2 features"),
    ],
)
def test_wrong_use_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_nominal_columns_by_mask_index_or_name():
    for asked in ([False, True], [1], [-1], ["b"], np.array([1])):
        graph = NeighborGraph(2, categorical_features=asked).fit(FRAME)
        assert graph._space.nominal.tolist() == [False, True]
    for nothing in (None, []):
        graph = NeighborGraph(2, categorical_features=nothing).fit(FRAME)
        assert graph._space.nominal.tolist() == [False, False]


def test_values_whose_sum_overflows_are_no_reason_to_warn():
    X = np.random.default_rng(0).integers(1, 9, (40, 3)).astype(float)
    small = NeighborGraph(3, scale="minmax").fit(X).neighbors_
    large = NeighborGraph(3, scale="minmax").fit(X * 2.0**1019).neighbors_
    np.testing.assert_array_equal(large.index, small.index)
