"""Graphs of label sets and of rows, a few rows at a time."""

import numpy as np
import pytest
from scipy import sparse

from labelsift.encode.labels import as_label_matrix
from labelsift.score import near_walk
from labelsift.score.group_sums import DenseSums, SparseSums
from labelsift.score.label_graph import (
    _BLOCK_ENTRIES,
    LabelGraph,
    RowGraph,
    histogram_median,
)
from labelsift.score.spectral import spectral_scores
from labelsift.statistics.label_moments import LabelMoments

J = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.2], [0.0, 0.2, 1.0]])


def moments_of(Y, X=None, *, is_sparse=False):
    X = np.zeros((len(Y), 1)) if X is None else X
    found = LabelMoments(X.shape[1], Y.shape[1], is_sparse=is_sparse)
    found.update(sparse.csr_array(X) if is_sparse else X, as_label_matrix(Y))
    return found


@pytest.mark.parametrize(
    ("squared", "median"),
    [
        ([4], 2.0),
        ([1, 4, 9], 2.0),
        ([0, 0, 0, 1, 4, 9], 2.0),  # equal rows do not count
        ([1, 4], 1.5),
        ([1, 1, 4, 9], 1.5),
        ([1, 4, 9, 16, 16, 16, 16], 4.0),
        ([0, 0], 1.0),
    ],
)
def test_median_of_counted_distances(squared, median):
    assert histogram_median(np.bincount(squared)) == median


@pytest.mark.parametrize("width", [1, 2, 3])
def test_rows_of_a_sparse_graph_have_as_many_columns_as_are_asked(width):
    graph = RowGraph(sparse.csr_array(J))
    rows = np.full((2, width), 7.0)
    graph.fill(1, 3, rows)
    assert rows.tolist() == J[1:, :width].tolist()


def test_smaller_neighbours_of_rows_and_what_all_neighbours_weigh():
    graph = RowGraph(sparse.csr_array(J))
    reach = np.zeros(3)
    indptr, near, weights = graph.near_rows(1, 3, reach)
    assert indptr.tolist() == [0, 1, 2]
    assert near.tolist() == [0, 1]
    assert weights.tolist() == [0.5, 0.2]
    assert reach.tolist() == [0.0, 0.7, 0.2]  # without the row itself
    graph.near_rows(0, 1, reach)
    assert reach.tolist() == [0.5, 0.7, 0.2]
    assert graph.near_entries().tolist() == [2, 3, 2]
    # seven entries; row 0 is met twice, 1 three times, 2 twice
    entries, held = graph.near_steps(np.array([2, 3, 4]))
    assert (entries, held) == (7.0, (2 * 2 + 3 * 3 + 2 * 4) / 2)


def test_classes_have_no_near_groups():
    graph = LabelGraph(moments_of(np.eye(4, dtype=np.uint8)), "same_class")
    assert graph.near_entries().tolist() == [0, 0, 0, 0]
    assert graph.near_steps(np.array([1, 1, 1, 1])) == (0.0, 0.0)
    indptr, near, weights = graph.near_rows(1, 4, np.zeros(4))
    assert indptr.tolist() == [0, 0, 0, 0]
    assert len(near) == len(weights) == 0


def test_near_groups_share_a_label():
    Y = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 0]], dtype=np.uint8)
    graph = LabelGraph(moments_of(Y), "jaccard")
    # each of its labels lists the sets that hold it: two of a, two of b, one of c
    assert graph.near_entries().tolist() == [4, 3, 2, 0]
    entries, held = graph.near_steps(np.array([5, 7, 11, 13]))
    assert entries == 4 + 4 + 1
    assert held == (2 * (5 + 11) + 2 * (5 + 7) + 1 * 7) / 2


@pytest.mark.parametrize(
    ("n_groups", "rows"), [(1, _BLOCK_ENTRIES), (1000, 2096), (1 << 20, 4)]
)
def test_a_block_is_of_four_rows_at_least_and_holds_so_many_numbers(n_groups, rows):
    graph = RowGraph(sparse.csr_array((n_groups, n_groups)))
    assert graph._block == rows


@pytest.mark.parametrize("is_sparse", [False, True])
def test_features_of_each_group(is_sparse):
    X = np.array([[1.0, 0, 2, 0, 0, 5], [0, 0, 3, 0, 0, 0], [0, 0, 0, 0, 0, 0]])
    moments = moments_of(np.eye(3, dtype=np.uint8), X, is_sparse=is_sparse)
    sums = SparseSums(moments) if is_sparse else DenseSums(moments)
    # dense tables are as wide as whole vectors
    assert sums.row_lengths.tolist() == ([3, 1, 0] if is_sparse else [8, 8, 8])


def test_graphs_that_take_too_long_are_refused_with_the_hours(monkeypatch):
    moments = moments_of(np.eye(4, dtype=np.uint8))
    monkeypatch.setattr(DenseSums, "seconds_of_all", lambda self: 3600.0 * 7200)
    monkeypatch.setattr(near_walk, "MAX_SECONDS", 3600.0 * 9)
    with pytest.raises(ValueError, match=r"about 7200 hours .* the limit is 9\. Leave"):
        spectral_scores(moments, LabelGraph(moments, "jaccard"))
