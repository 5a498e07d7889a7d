from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.encode.labels import as_label_matrix
from labelsift.statistics import label_moments
from labelsift.statistics.label_moments import LabelMoments


def table(seed, n=40, d=5, q=3):
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, q)) < 0.4).astype(np.uint8)
    X = rng.normal(size=(n, d)) + rng.choice([0, 50], d)
    X[:, :3] *= rng.random((n, 3)) < 0.5
    return X, Y


def gathered(X, Y, bounds, *, is_sparse=False):
    moments = LabelMoments(X.shape[1], Y.shape[1], is_sparse=is_sparse)
    for start, stop in pairwise(bounds):
        block = X[start:stop]
        moments.update(
            sparse.csr_array(block) if is_sparse else block,
            as_label_matrix(Y[start:stop]),
        )
    return moments


def plain(moments):
    """Return counts, sums and squares about zero by label set."""
    if moments.is_sparse:
        origin, sums, squares = moments.columns()
        sums, squares = sums.toarray(), squares.toarray()
    else:
        origin, sums, squares = moments.dense()
    n = moments.counts[:, None]
    indptr, indices = moments.sets.indptr, moments.sets.indices
    return {
        tuple(indices[indptr[g] : indptr[g + 1]].tolist()): (
            int(n[g, 0]),
            (sums + n * origin)[g],
            (squares + 2 * origin * sums + n * origin**2)[g],
        )
        for g in range(moments.n_sets)
    }


def test_sums_of_a_table_worked_by_hand():
    X = np.array([[1.0, 5], [2, 5], [4, 5]])
    Y = np.array([[1, 0], [0, 1], [1, 0]])
    found = plain(gathered(X, Y, [0, 3]))
    assert set(found) == {(0,), (1,)}
    n, sums, squares = found[(0,)]
    assert n == 2
    assert sums.tolist() == [5, 10]
    assert squares.tolist() == [17, 50]
    assert found[(1,)][0] == 1


@pytest.mark.parametrize("is_sparse", [False, True])
@given(seed=st.integers(0, 10**6))
def test_sums_are_those_of_each_distinct_row_of_y(is_sparse, seed):
    X, Y = table(seed)
    found = plain(gathered(X, Y, [0, 17, 40], is_sparse=is_sparse))
    rows = {}
    for i, y in enumerate(Y):
        rows.setdefault(tuple(np.flatnonzero(y).tolist()), []).append(i)
    assert set(found) == set(rows)
    for labels, members in rows.items():
        n, sums, squares = found[labels]
        assert n == len(members)
        np.testing.assert_allclose(sums, X[members].sum(axis=0), atol=1e-9)
        np.testing.assert_allclose(squares, (X[members] ** 2).sum(axis=0), atol=1e-9)


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("bounds", [[0, 1, 2, 40], [0, 10, 20, 40], [0, 39, 40]])
def test_blocks_give_the_bits_of_the_whole(is_sparse, bounds):
    X, Y = table(3)
    whole = gathered(X, Y, [0, 40], is_sparse=is_sparse)
    parts = gathered(X, Y, bounds, is_sparse=is_sparse)
    for a, b in zip(_arrays(whole), _arrays(parts), strict=True):
        assert (a == b).all()


def _arrays(moments):
    first = moments.columns() if moments.is_sparse else moments.dense()
    tables = [a.toarray() if sparse.issparse(a) else a for a in first]
    return [moments.counts, *moments.range, *tables]


@pytest.mark.parametrize("is_sparse", [False, True])
def test_merged_halves_equal_the_whole(is_sparse):
    X, Y = table(4)
    whole = plain(gathered(X, Y, [0, 40], is_sparse=is_sparse))
    left = gathered(X[:15], Y[:15], [0, 15], is_sparse=is_sparse)
    right = gathered(X[15:], Y[15:], [0, 25], is_sparse=is_sparse)
    low, high = right.range[0].min(), right.range[1].max()
    empty = LabelMoments(5, 3, is_sparse=is_sparse)
    empty.merge(right)
    assert empty.range[0].min() == low
    assert empty.range[1].max() == high
    left.merge(empty)
    left.merge(LabelMoments(5, 3, is_sparse=is_sparse))
    merged = plain(left)
    assert left.n_samples == 40
    assert set(merged) == set(whole)
    for labels, (n, sums, squares) in whole.items():
        assert merged[labels][0] == n
        np.testing.assert_allclose(merged[labels][1], sums, rtol=1e-12, atol=1e-9)
        np.testing.assert_allclose(merged[labels][2], squares, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("is_sparse", [False, True])
def test_a_column_far_from_zero_keeps_its_digits(is_sparse):
    rng = np.random.default_rng(0)
    Y = (rng.random((200, 2)) < 0.5).astype(np.uint8)
    small = np.round(rng.normal(size=(200, 1)) * 1024) / 1024
    moments = gathered(small + 2.0**40, Y, [0, 200], is_sparse=is_sparse)
    if is_sparse:
        origin, sums, squares = (
            a.toarray() if sparse.issparse(a) else a for a in moments.columns()
        )
    else:
        origin, sums, squares = moments.dense()
    mean = sums.sum() / 200
    assert mean + (origin[0] - 2.0**40) == pytest.approx(small.mean(), rel=1e-12)
    assert squares.sum() / 200 - mean**2 == pytest.approx(small.var(), rel=1e-10)


def test_range_counts_the_zeros_of_sparse_rows():
    X = np.array([[0.0, 3, -2], [4, 5, 0], [6, 4, -1]])
    moments = gathered(X, np.ones((3, 1), dtype=int), [0, 2, 3], is_sparse=True)
    assert moments.range[0].tolist() == [0, 3, -2]
    assert moments.range[1].tolist() == [6, 5, 0]


def test_many_labels_need_no_table_of_label_sets():
    rng = np.random.default_rng(1)
    n, q = 3000, 500_000
    columns = rng.integers(0, q, 2 * n)
    Y = sparse.csr_array(
        (np.ones(2 * n), columns, np.arange(0, 2 * n + 1, 2)), shape=(n, q)
    )
    Y.sum_duplicates()
    Y.data[:] = 1
    moments = LabelMoments(1, q)
    labels = as_label_matrix(sparse.vstack([Y, Y]).tocsr())
    moments.update(np.arange(2.0 * n)[:, None], labels)
    assert moments.n_sets == len({tuple(Y[[i]].indices) for i in range(n)})
    assert (moments.counts >= 2).all()


def test_too_many_label_sets_are_refused_with_a_remedy():
    moments = LabelMoments(1, 3, max_sets=2)
    with pytest.raises(ValueError, match=r"more than 2 distinct label sets. Keep"):
        moments.update(np.zeros((3, 1)), as_label_matrix(np.eye(3, dtype=int)))


def test_tables_that_do_not_fit_are_refused():
    moments = LabelMoments(2, 2)
    with pytest.raises(ValueError, match="expected 2 features and 2 labels; found 3"):
        moments.update(np.zeros((1, 3)), as_label_matrix(np.array([[1, 0]])))
    with pytest.raises(ValueError, match="same features"):
        moments.merge(LabelMoments(2, 3))
    with pytest.raises(ValueError, match="no rows"):
        moments.dense()
    with pytest.raises(ValueError, match="use dense"):
        moments.columns()
    with pytest.raises(ValueError, match="use columns"):
        LabelMoments(2, 2, is_sparse=True).dense()


def test_input_arrays_are_left_as_they_are():
    rows = sparse.csc_array(
        (np.array([1.0, 2.0, 3.0]), np.array([1, 0, 0]), np.array([0, 3])), shape=(2, 1)
    )
    moments = LabelMoments(1, 1, is_sparse=True)
    moments.update(rows, as_label_matrix(np.array([[1], [0]])))
    assert rows.data.tolist() == [1, 2, 3]
    assert plain(moments)[()][1].tolist() == [1]
    assert plain(moments)[(0,)][1].tolist() == [5]
    assert plain(moments)[(0,)][2].tolist() == [25]  # 2 and 3 are one entry, of 5


@pytest.mark.parametrize("size", [1, 8 * 5 * 7, 1 << 23])
def test_rows_wider_than_a_block_go_one_by_one(monkeypatch, size):
    X, Y = table(5)
    whole = gathered(X, Y, [0, 40])
    monkeypatch.setattr(label_moments, "_BLOCK_BYTES", size)
    parts = gathered(X, Y, [0, 40])
    for a, b in zip(_arrays(whole), _arrays(parts), strict=True):
        assert (a == b).all()


def test_a_column_with_hidden_zeros_is_summed_about_0_and_a_full_one_about_a_row():
    X = np.array([[3.0, 3.0], [5.0, 0.0], [4.0, 2.0]])
    Y = np.array([[1], [0], [1]])
    origin, sums, squares = gathered(X, Y, [0, 3], is_sparse=True).columns()
    assert origin.tolist() == [3.0, 0.0]
    assert sums.toarray().tolist() == [[0 + 1, 3 + 2], [2, 0]]
    assert squares.toarray().tolist() == [[0 + 1, 9 + 4], [4, 0]]


def test_sparse_sums_about_different_rows_are_moved_before_they_are_added():
    X, Y = np.array([[3.0], [5.0], [7.0], [4.0]]), np.array([[1], [0], [0], [1]])
    one = gathered(X, Y, [0, 2], is_sparse=True)
    one.merge(gathered(X, Y, [2, 4], is_sparse=True))  # about 3, and about 7
    found = plain(one)
    assert found[(0,)] == (2, [3 + 4], [9 + 16])
    assert found[()] == (2, [5 + 7], [25 + 49])


@pytest.mark.parametrize("is_sparse", [False, True])
def test_what_is_added_to_nothing_is_what_it_was(is_sparse):
    X, Y = table(2)
    other = gathered(X, Y, [0, 40], is_sparse=is_sparse)
    empty = LabelMoments(5, 3, is_sparse=is_sparse)
    empty.merge(other)
    for a, b in zip(_arrays(empty), _arrays(other), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("least", [1, 50, 500])
def test_sparse_columns_go_in_blocks_of_about_equal_room(monkeypatch, least):
    monkeypatch.setattr(label_moments, "_SPARSE_ENTRIES", least)
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "1")
    blocks, add = [], label_moments.add_sparse_columns

    def noted(*arguments):
        blocks.append(arguments[-2:])
        return add(*arguments)

    monkeypatch.setattr(label_moments, "add_sparse_columns", noted)
    rng = np.random.default_rng(0)
    X = rng.random((30, 400)) * (rng.random((30, 400)) < 0.2)
    X[:, 0] = X[:, 1] = 0.0
    X[3, 0] = 1.0  # a column of one entry, one of none
    Y = (rng.random((30, 3)) < 0.4).astype(np.uint8)
    gathered(X, Y, [0, 30], is_sparse=True)
    assert blocks[0][0] == 0
    assert [stop for _, stop in blocks] == [start for start, _ in blocks[1:]] + [400]
    entries = (X != 0).sum(axis=0)
    room = max(least, entries.sum() // 64)
    largest = max(entries[start:stop].sum() for start, stop in blocks)
    assert largest <= room + entries.max()
    assert len(blocks) <= -(-entries.sum() // room)
