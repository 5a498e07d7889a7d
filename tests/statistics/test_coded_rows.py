"""Blocks of coded rows: joined, kept on disk, read back a range at a time."""

import pickle

import numpy as np
import pytest
from scipy import sparse

from labelsift.encode.codes import Codes
from labelsift.statistics import coded_rows
from labelsift.statistics.coded_rows import (
    CodedRows,
    index_arrays,
    joined,
    places_of_zero,
    side_by_side,
)

N_BINS = np.array([3, 2, 4])
DEFAULT = np.array([0, 1, -1])
FIRST = np.array([[0, 2], [1, 0], [3, 2]], dtype=np.uint8)  # features x rows
SECOND = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 2]], dtype=np.uint8)
THIRD = np.array([[2], [0], [3]], dtype=np.uint8)
LABELS = [
    sparse.csr_array(np.array(rows, dtype=np.uint8))
    for rows in ([[1, 0], [0, 1]], [[1, 1], [0, 0], [0, 1]], [[1, 0]])
]


def dense(values):
    return Codes(values, N_BINS, DEFAULT)


def stored(values):
    feature, row = np.nonzero(values != DEFAULT[:, None])
    cells = (values[feature, row], (row, feature))
    return Codes(sparse.csc_array(cells, shape=values.shape[::-1]), N_BINS, DEFAULT)


def filled(*kinds, limit=None):
    rows = CodedRows(limit)
    for kind, values, labels in zip(kinds, (FIRST, SECOND, THIRD), LABELS, strict=True):
        rows.add(kind(values), labels)
    return rows


WHOLE = np.hstack([FIRST, SECOND, THIRD]).T
KINDS = [(dense,) * 3, (stored,) * 3, (stored, dense, stored), (dense, stored, dense)]


def is_on_disk(rows):
    return [not isinstance(codes, Codes) for codes in rows._features]


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("limit", [None, 0])
@pytest.mark.parametrize("size", [1, 17, 2**26])
def test_ranges_join_the_rows_of_all_blocks(monkeypatch, kinds, limit, size):
    monkeypatch.setattr(coded_rows, "RANGE_BYTES", size)
    rows = filled(*kinds, limit=limit)
    assert is_on_disk(rows) == [limit == 0] * 3
    seen = 0
    for start, stop, codes in rows.ranges():
        assert start == seen < stop
        np.testing.assert_array_equal(codes.to_array(), WHOLE[:, start:stop])
        np.testing.assert_array_equal(codes.n_bins, N_BINS[start:stop])
        np.testing.assert_array_equal(codes.default, DEFAULT[start:stop])
        seen = stop
    assert seen == 3
    np.testing.assert_array_equal(
        rows.labels().toarray(), sparse.vstack(LABELS).toarray()
    )


def test_a_range_holds_as_many_features_as_its_bytes_allow(monkeypatch):
    rows = filled(dense, dense, dense)  # 6 bytes a feature

    def ranges(size):
        monkeypatch.setattr(coded_rows, "RANGE_BYTES", size)
        return [(start, stop) for start, stop, _ in rows.ranges()]

    assert ranges(5) == ranges(6) == ranges(11) == [(0, 1), (1, 2), (2, 3)]
    assert ranges(12) == ranges(17) == [(0, 2), (2, 3)]
    assert ranges(18) == [(0, 3)]


def test_blocks_go_to_disk_when_together_they_are_beyond_the_limit():
    assert is_on_disk(filled(dense, dense, dense, limit=18)) == [False] * 3
    assert is_on_disk(filled(dense, dense, dense, limit=17)) == [True] * 3
    # 15 bytes of two blocks go, and the 3 of the last stay
    assert is_on_disk(filled(dense, dense, dense, limit=14)) == [True, True, False]
    alone = CodedRows(0)
    alone.add(dense(FIRST), LABELS[0])
    assert is_on_disk(alone) == [False]  # one block is in memory anyhow
    alone.extend(filled(dense, dense, dense))
    assert is_on_disk(alone) == [True] * 4
    few = CodedRows(0)
    few.extend(alone.for_labels(0, 1))
    assert is_on_disk(few) == [True] * 4


@pytest.mark.parametrize("limit", [None, 0])
@pytest.mark.parametrize("kinds", KINDS)
def test_blocks_sizes_labels_and_copies_are_those_of_memory(kinds, limit):
    rows = filled(*kinds, limit=limit)
    copy = pickle.loads(pickle.dumps(rows))
    for some in (rows, copy):
        for (codes, labels), values, expected in zip(
            some.blocks(), (FIRST, SECOND, THIRD), LABELS, strict=True
        ):
            np.testing.assert_array_equal(codes.to_array(), values.T)
            np.testing.assert_array_equal(labels.toarray(), expected.toarray())
        assert some.most_bins == 9
        held = filled(*kinds)
        assert some.nbytes == held.nbytes
        assert len(some) == 3
    part = rows.for_labels(1, 2)
    assert part.labels().toarray().ravel().tolist() == [0, 1, 1, 0, 1, 0]
    assert rows.labels().shape == (6, 2)
    rows.clear()
    assert (len(rows), rows.most_bins, rows.nbytes) == (0, 0, 0)


def test_bytes_of_dense_codes_and_labels():
    rows = filled(dense, dense, dense)
    entries = sum(labels.nnz for labels in LABELS)
    assert rows.nbytes == 18 + entries * LABELS[0].indices.itemsize


def test_blocks_without_labels_of_their_own_are_an_error():
    rows = filled(dense, dense, dense)
    rows._labels.pop()
    with pytest.raises(ValueError, match="shorter"):
        list(rows.blocks())


def test_a_file_cut_short_is_named():
    rows = filled(dense, dense, dense, limit=0)
    rows._features[0]._file.truncate(3)
    with pytest.raises(OSError, match="cut short"):
        rows._features[0].take(0, 3)


def named(values, *categories):
    listed = tuple(np.array(c, dtype=float) for c in categories)
    n_bins = np.array([len(c) for c in categories])
    codes = np.array(values, dtype=np.uint8)
    default = np.full(len(listed), -1)
    for f, known in enumerate(listed):
        if 0 in known:
            default[f] = np.flatnonzero(known == 0)[0]
    return Codes(codes, n_bins, default, listed)


def test_codes_of_values_are_renumbered_over_the_values_of_all_blocks():
    first = named([[0, 1], [0, 0]], [-2, 5], [7])
    second = named([[1, 0, 2], [0, 1, 0]], [-1, 0, 5], [3, 9])
    both = joined([first, second])
    assert [c.tolist() for c in both.categories] == [[-2, -1, 0, 5], [3, 7, 9]]
    assert both.to_array().tolist() == [[0, 1], [3, 1], [2, 0], [1, 2], [3, 0]]
    assert both.n_bins.tolist() == [4, 3]
    assert both.default.tolist() == [2, -1]  # where 0 is; where no value is 0


def test_stored_codes_of_values_are_renumbered_too():
    # feature 0 of one block: 0 (not stored), 4; of the other: 0, 2, 4
    blocks = []
    for data, known in (([1, 1], [0, 4]), ([1, 2], [0, 2, 4])):
        values = sparse.csc_array(
            (np.array(data, dtype=np.uint8), [0, 2], [0, 2]), shape=(3, 1)
        )
        categories = (np.array(known, dtype=float),)
        blocks.append(Codes(values, np.array([len(known)]), np.array([0]), categories))
    both = joined(blocks)
    assert both.is_sparse
    assert both.to_array().ravel().tolist() == [2, 0, 2, 1, 0, 2]
    assert both.categories[0].tolist() == [0, 2, 4]


def test_one_block_is_given_back_as_it_is_and_index_arrays_are_not_copied():
    only = dense(FIRST)
    assert joined([only]) is only
    pointers, rows = index_arrays(
        sparse.csr_array(
            (np.ones(2), np.array([0, 1], np.int32), np.array([0, 1, 2], np.int64)),
            shape=(2, 2),
        )
    )
    assert (pointers.dtype, rows.dtype) == (np.int64, np.int32)
    assert (pointers.tolist(), rows.tolist()) == ([0, 1, 2], [0, 1])


def test_indices_of_a_matrix_are_copied_only_to_change_their_type():
    narrow = sparse.csc_array(np.eye(3))
    wide = sparse.csc_array(np.eye(3))
    narrow.indptr, narrow.indices = (
        narrow.indptr.astype(np.int64),
        narrow.indices.astype(np.int32),
    )
    wide.indptr, wide.indices = (
        wide.indptr.astype(np.int32),
        wide.indices.astype(np.int64),
    )
    for matrix, is_shared in ((narrow, True), (wide, False)):
        pointers, indices = index_arrays(matrix)
        assert (pointers.dtype, indices.dtype) == (np.int64, np.int32)
        assert pointers.tolist() == [0, 1, 2, 3]
        assert indices.tolist() == [0, 1, 2]
        assert np.shares_memory(pointers, matrix.indptr) == is_shared
        assert np.shares_memory(indices, matrix.indices) == is_shared


def test_where_0_stands_among_the_values_of_a_feature():
    values = ([0.0, 2.0], [-1.0, 0.0], [1.0, 2.0], [-2.0, -1.0, 0.0, np.nan], [])
    found = places_of_zero(tuple(np.array(each) for each in values))
    assert found.tolist() == [0, 1, -1, 2, -1]


@pytest.mark.parametrize("is_sparse", [False, True])
def test_bytes_of_features_in_memory_and_on_disk(is_sparse):
    values = np.array([[1, 0, 2, 0], [0, 0, 0, 3]], dtype=np.uint8)
    codes = Codes(values, np.array([3, 4]), np.array([0, 0]))
    if is_sparse:
        columns = sparse.csc_array(values.T)
        columns.indices = columns.indices.astype(np.int32)
        codes = Codes(columns, codes.n_bins, codes.default)
    # a code takes a byte, and where it is stored its row takes four
    expected = [2 * 5, 1 * 5] if is_sparse else [4, 4]
    assert codes.bytes_of_features().tolist() == expected
    assert coded_rows._OnDisk(codes).bytes_of_features().tolist() == expected


@pytest.mark.parametrize("n_parts", [1, 2])
def test_features_side_by_side(n_parts):
    values = np.array([[1, 0, 2], [0, 1, 1]], dtype=np.uint8)
    one = Codes(values, np.array([3, 2]), np.array([0, -1]))
    found = side_by_side([one] * n_parts)
    assert found.values.tolist() == values.tolist() * n_parts
    assert found.n_bins.tolist() == [3, 2] * n_parts
    assert found.default.tolist() == [0, -1] * n_parts
    assert found.categories is None
