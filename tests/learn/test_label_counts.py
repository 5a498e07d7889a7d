import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labelsift.learn import BRkNN, DMLkNN, MLkNN, NeighborGraph
from labelsift.learn._label_counts import CountGroups, LabelCounts, packed


@given(seed=st.integers(0, 2**32 - 1), k=st.sampled_from([1, 3, 255, 256, 1000]))
def test_rows_with_the_same_counts_are_one_group(seed, k):
    rng = np.random.default_rng(seed)
    n, L = int(rng.integers(1, 40)), int(rng.integers(1, 20))
    counts = rng.integers(0, k + 1, (3, L)).astype(np.int32)[rng.integers(0, 3, n)]
    labels = rng.integers(0, 2, (n, L)).astype(np.uint8)
    groups = CountGroups(counts, k)
    np.testing.assert_array_equal(groups.counts[groups.of_row], counts)
    distinct = len(np.unique(counts, axis=0))
    assert len(groups.counts) == (distinct if k <= 255 else n)
    appeared = np.unique(groups.of_row, return_index=True)[1]
    assert (np.diff(appeared) > 0).all()
    sizes, having = groups.tally(labels)
    for group in range(len(groups.counts)):
        rows = groups.of_row == group
        assert sizes[group] == rows.sum()
        np.testing.assert_array_equal(having[group], labels[rows].sum(axis=0))


def test_packed_values_stand_where_they_should():
    words = packed(np.array([[1, 2, 3, 4, 5, 6, 7, 8, 9]]), np.arange(9)[::-1])
    assert [hex(word) for word in words[:, 0]] == ["0x203040506070809", "0x1"]
    quads = packed(np.array([[1, 2, 65535]]), np.arange(3), 16)
    assert [hex(word) for word in quads[:, 0]] == ["0xffff00020001"]


def test_a_graph_counts_once_for_all_who_ask_the_same():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    Y = (rng.random((40, 4)) < 0.4).astype(int)
    graph = NeighborGraph(6).fit(X)
    near = graph.query(X + 0.1)
    alone = [
        kind(k).fit(X, labels).predict_proba(X + 0.1)
        for kind in (MLkNN, BRkNN, DMLkNN)
        for k in (6, 4)
        for labels in (Y, 1 - Y)
    ]
    together = [
        kind(k).fit(graph, labels).predict_proba(near)
        for kind in (MLkNN, BRkNN, DMLkNN)
        for k in (6, 4)
        for labels in (Y, 1 - Y)
    ]
    np.testing.assert_array_equal(together, alone)
    first = near.label_counts(6, Y)
    assert near.label_counts(6, Y.copy()) is first
    assert near.label_counts(5, Y) is not first
    expected = LabelCounts(near.index, 6, Y).counts
    np.testing.assert_array_equal(first.counts, expected)
    # What was counted is no part of the graph.
    assert len(pickle.dumps(graph)) == len(pickle.dumps(NeighborGraph(6).fit(X)))
    assert pickle.loads(pickle.dumps(graph)).neighbors_._counted == []
