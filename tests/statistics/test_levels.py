"""Levels of features: every row off the base, as a list or as bits."""

import numpy as np
import pytest
from scipy import sparse

from labelsift.encode.codes import Codes
from labelsift.encode.labels import LabelMatrix
from labelsift.statistics import coded_rows
from labelsift.statistics.levels import PairRows, some_labels

N = 200  # four words of bits
rng = np.random.default_rng(5)
LABELS = (rng.random((N, 3)) < [0.5, 0.1, 0.9]).astype(np.uint8)
# a rare level, two frequent ones, three, as many as are planes, one more, one value
N_BINS = np.array([2, 3, 4, 16, 17, 1, 2])
CODES = np.array(
    [
        rng.random(N) < 0.01,
        rng.integers(0, 3, N),
        rng.choice(4, N, p=[0.1, 0.2, 0.3, 0.4]),
        np.arange(N) % 16,
        np.arange(N) % 17,
        np.zeros(N),
        np.arange(N) < 4,  # 4 rows: as many as there are words
    ]
).astype(np.uint8)


def pair_rows(codes, *, is_sparse, cuts=()):
    """Return rows in blocks; default bins that are not the most frequent, too."""
    default = np.array([0, 1, -1, 0, 3, 0, 0])
    rows = PairRows(len(codes), 3)
    for block, labels in zip(
        np.split(codes, cuts, axis=1), np.split(LABELS, cuts), strict=True
    ):
        values = block
        if is_sparse:
            f, i = np.nonzero(block != default[:, None])
            values = sparse.csc_array((block[f, i], (i, f)), shape=block.shape[::-1])
            labels = sparse.csr_array(labels)
        names = ("a", "b", "c")
        rows.update(Codes(values, N_BINS, default), LabelMatrix(labels, names))
    return rows


def rows_of(levels, feature, level):
    """Return the rows of one level, whether they are listed or bits."""
    at = levels.place[level]
    if levels.is_list[feature]:
        return sorted(levels.rows[at : at + levels.sizes[level]].tolist())
    bits = np.unpackbits(levels.planes[at].view(np.uint8), bitorder="little")
    return np.flatnonzero(bits[:N]).tolist()


def check(levels):
    for f, codes in enumerate(CODES):
        sizes = np.bincount(codes, minlength=N_BINS[f])
        mine = range(levels.first[f], levels.first[f + 1])
        held = [rows_of(levels, f, g) for g in mine]
        off = [np.flatnonzero(codes == b).tolist() for b in np.flatnonzero(sizes)]
        base = next(rows for rows in off if rows not in held)
        off.remove(base)
        assert held == off
        assert len(base) == sizes.max()
        for g, rows in zip(mine, held, strict=True):
            assert levels.sizes[g] == len(rows)
            np.testing.assert_array_equal(levels.counts[g], LABELS[rows].sum(axis=0))
    # list: at most one row for each word of a plane, or more than 15 levels
    assert levels.is_list.tolist() == [True, False, False, False, True, True, True]
    assert levels.most == 17
    assert levels.most_planes == 15
    assert len(levels.planes) == 2 + 3 + 15


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("size", [1, 700, 2**26])
@pytest.mark.parametrize("cuts", [(), (70, 128)])
def test_levels_hold_the_rows_off_the_base(monkeypatch, is_sparse, size, cuts):
    monkeypatch.setattr(coded_rows, "RANGE_BYTES", size)
    levels, labels = pair_rows(CODES, is_sparse=is_sparse, cuts=cuts).levels()
    check(levels)
    for label in range(3):
        bits = np.unpackbits(labels.planes[label].view(np.uint8), bitorder="little")
        assert bits[:N].tolist() == LABELS[:, label].tolist()
    assert labels.counts.tolist() == LABELS.sum(axis=0).tolist()
    assert labels.planes.shape == (3, 4)


def test_some_labels_are_those_asked_for_in_every_part():
    _, labels = pair_rows(CODES, is_sparse=False).levels()
    part = some_labels(labels, np.array([0, 2]))
    assert part.counts.tolist() == LABELS[:, [0, 2]].sum(axis=0).tolist()
    np.testing.assert_array_equal(part.planes, labels.planes[[0, 2]])
    found = np.zeros((N, 2), dtype=int)
    for i in range(N):
        found[i, part.indices[part.indptr[i] : part.indptr[i + 1]]] = 1
    assert found.tolist() == LABELS[:, [0, 2]].tolist()


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("cuts", [(), (70, 128)])
def test_shadows_are_columns_in_another_order_of_rows(is_sparse, cuts):
    rows = pair_rows(CODES, is_sparse=is_sparse, cuts=cuts)
    order = np.array([np.random.default_rng(k).permutation(N) for k in range(2)])
    wide = rows.with_shadows(np.array([3, 1]), order)
    ((codes, labels),) = wide._rows.blocks()
    found = codes.to_array()
    np.testing.assert_array_equal(found[:, :7], CODES.T)
    np.testing.assert_array_equal(found[:, 7], CODES[3][order[0]])
    np.testing.assert_array_equal(found[:, 8], CODES[1][order[1]])
    np.testing.assert_array_equal(labels.toarray(), LABELS)
    assert wide.n_features == 9
    assert codes.n_bins.tolist() == [*N_BINS, 16, 3]
    assert codes.default.tolist() == [0, 1, -1, 0, 3, 0, 0, 0, 1]


def test_rows_are_merged_and_those_of_another_shape_refused():
    whole = pair_rows(CODES, is_sparse=False)
    first = PairRows(7, 3)
    first.merge(whole)
    check(first.levels()[0])
    assert first.nbytes == whole.nbytes == CODES.nbytes + LABELS.sum() * 4
    for shape in ((6, 3), (7, 2)):
        with pytest.raises(ValueError, match="cannot be added"):
            PairRows(*shape).merge(whole)
    with pytest.raises(ValueError, match="no rows"):
        PairRows(7, 3).levels()


def test_a_limit_of_memory_holds_until_it_is_taken_back():
    rows = PairRows(7, 3)
    rows.limit_memory(0)
    rows.merge(pair_rows(CODES, is_sparse=False, cuts=(70, 128)))
    assert not any(isinstance(codes, Codes) for codes in rows._rows._features)
    check(rows.levels()[0])
    rows.limit_memory(None)
    assert rows._rows.limit == coded_rows.DEFAULT_LIMIT


@pytest.mark.parametrize(("n", "words"), [(64, 1), (65, 2), (128, 2), (129, 3)])
def test_planes_of_labels_have_a_bit_for_each_row(n, words):
    labels = np.zeros((n, 2), dtype=np.uint8)
    labels[[0, n - 1], 1] = 1
    rows = PairRows(1, 2)
    codes = Codes(np.zeros((1, n), dtype=np.uint8), np.array([1]), np.array([0]))
    rows.update(codes, LabelMatrix(labels, ("a", "b")))
    _, found = rows.levels()
    assert found.planes.shape == (2, words)
    assert found.counts.tolist() == [0, 2]
    assert not found.planes[0].any()
    bits = np.unpackbits(found.planes[1].view(np.uint8), bitorder="little")
    assert np.flatnonzero(bits).tolist() == [0, n - 1]


def test_a_list_has_at_most_one_row_for_each_word():
    # 200 rows are four words: four rows are listed, five are bits; with two levels
    # off the base, eight and nine
    sizes = ((4,), (5,), (4, 4), (4, 5))
    columns = [np.repeat(np.arange(1, 3)[: len(s)], s) for s in sizes]
    codes = np.array([np.pad(column, (0, N - len(column))) for column in columns])
    values = codes.astype(np.uint8)
    rows = PairRows(4, 3)
    rows.update(
        Codes(values, np.array([2, 2, 3, 3]), np.zeros(4, dtype=np.int64)),
        LabelMatrix(LABELS, ("a", "b", "c")),
    )
    levels, _ = rows.levels()
    assert levels.is_list.tolist() == [True, False, True, False]


def test_lists_ascend_whatever_the_order_of_stored_rows():
    values = sparse.csc_array(
        (np.ones(3, dtype=np.uint8), np.array([9, 2, 5]), np.array([0, 3])),
        shape=(N, 1),
    )
    assert not values.has_sorted_indices
    rows = PairRows(1, 3)
    rows.update(
        Codes(values, np.array([2]), np.array([0])),
        LabelMatrix(LABELS, ("a", "b", "c")),
    )
    levels, _ = rows.levels()
    assert levels.rows.tolist() == [2, 5, 9]
    assert values.indices.tolist() == [9, 2, 5]


def test_two_ranges_of_features_are_joined(monkeypatch):
    monkeypatch.setattr(coded_rows, "RANGE_BYTES", 4 * N)
    rows = pair_rows(CODES, is_sparse=False, cuts=(70, 128))
    assert len(list(rows._rows.ranges())) == 2
    check(rows.levels()[0])
