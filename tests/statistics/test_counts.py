import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.encode.codes import encode_by_cuts, encode_by_value
from labelsift.encode.labels import as_label_matrix
from labelsift.statistics import coded_rows
from labelsift.statistics import counts as module
from labelsift.statistics.counts import ContingencyCounts

CUTS = [np.array([0.5, 1.5])] * 3


def counted(X, Y, encode=lambda X: encode_by_cuts(X, CUTS, below=True)):
    statistic = ContingencyCounts(X.shape[1], Y.shape[1])
    statistic.update(encode(X), as_label_matrix(Y))
    return statistic


def draw(seed, n=17):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 3, (n, 3)).astype(float), rng.integers(0, 2, (n, 4))


def naive(X, Y):
    return [
        [[int(((X[:, f] == v) & (Y[:, k] == 1)).sum()) for k in range(Y.shape[1])]]
        for f in range(X.shape[1])
        for v in (0, 1, 2)
    ]


@pytest.mark.parametrize("limit", [0, 2**25])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@given(seed=st.integers(0, 2**32 - 1))
def test_table_holds_the_rows_of_each_bin_and_label(container, limit, seed):
    X, Y = draw(seed)
    before = module.TABLE_LIMIT
    module.TABLE_LIMIT = limit
    try:
        whole = counted(container(X), Y)
        parts = counted(container(X[:5]), Y[:5])
        parts.update(
            encode_by_cuts(container(X[5:]), CUTS, below=True), as_label_matrix(Y[5:])
        )
    finally:
        module.TABLE_LIMIT = before
    for statistic in (whole, parts):
        table = statistic.table()
        assert table.counts[:, None].tolist() == naive(X, Y)
        assert table.bin_rows.tolist() == [
            int((X[:, f] == v).sum()) for f in range(3) for v in (0, 1, 2)
        ]
        assert statistic.label_counts.tolist() == Y.sum(axis=0).tolist()
        assert statistic.n_samples == 17


@given(seed=st.integers(0, 2**32 - 1))
def test_merging_in_any_order_gives_the_table_of_the_whole(seed):
    X, Y = draw(seed)
    cuts = [(0, 4), (4, 5), (5, 17)]
    tables = []
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        for by_value in (False, True):
            encode = encode_by_value if by_value else None
            parts = []
            for k in order:
                rows = slice(*cuts[k])
                args = (encode,) if encode else ()
                parts.append(counted(X[rows], Y[rows], *args))
            first, *rest = parts
            for part in rest:
                first.merge(part)
            tables.append((by_value, first.table()))
    for by_value, table in tables:
        reference = next(t for flag, t in tables if flag == by_value)
        np.testing.assert_array_equal(table.counts, reference.counts)
        np.testing.assert_array_equal(table.bin_rows, reference.bin_rows)
    whole = counted(X, Y, encode_by_value).table()
    np.testing.assert_array_equal(tables[1][1].counts, whole.counts)


def test_merge_leaves_the_other_as_it_was():
    X, Y = draw(1)
    one, other = counted(X[:8], Y[:8]), counted(X[8:], Y[8:])
    before = other.table().counts.copy()
    one.merge(other)
    one.update(encode_by_cuts(X, CUTS, below=True), as_label_matrix(Y))
    np.testing.assert_array_equal(other.table().counts, before)
    assert other.n_samples == 9


def test_counts_of_some_labels_are_those_columns():
    X, Y = draw(2)
    statistic = counted(X, Y)
    np.testing.assert_array_equal(
        statistic.for_labels(1, 3).table().counts, statistic.table().counts[:, 1:3]
    )


def test_counts_of_other_shape_or_other_cuts_do_not_add_up():
    X, Y = draw(3)
    with pytest.raises(ValueError, match="3 features x 3 labels cannot be merged"):
        counted(X, Y).merge(counted(X, Y[:, :3]))
    statistic = counted(X, Y)
    with pytest.raises(ValueError, match="different cut points"):
        statistic.update(
            encode_by_cuts(X, [np.array([0.5])] * 3, below=True), as_label_matrix(Y)
        )


def test_no_rows_no_table():
    with pytest.raises(ValueError, match="no rows"):
        ContingencyCounts(2, 2).table()


def wide():
    """Return rows whose table would have more cells than there are meetings."""
    X = sparse.csr_array(np.eye(6, 40))
    return X, np.eye(6, 9, dtype=np.uint8)


def test_rows_are_kept_where_a_table_would_be_larger():
    X, Y = wide()
    statistic = counted(X, Y, encode_by_value)
    kept = statistic.coded()
    assert kept is not None
    assert len(kept) == 1
    statistic.update(encode_by_value(X), as_label_matrix(Y))
    assert statistic.coded() is None  # two blocks are counted
    assert statistic.table().counts.sum() == 2 * 40 * 6
    small, labels = draw(4)
    assert counted(small, labels).coded() is None
    assert ContingencyCounts(2, 2).coded() is None


@pytest.mark.parametrize("limit", [0, 2**25])
def test_a_table_that_would_be_too_large_is_not_kept(monkeypatch, limit):
    X, Y = wide()
    monkeypatch.setattr(module, "TABLE_LIMIT", limit)
    statistic = counted(X, Y, encode_by_value)
    assert statistic.fits_table == (limit > 0)
    statistic.update(encode_by_value(X), as_label_matrix(Y))
    assert (statistic.coded() is None) == (limit > 0)
    # by value, a column has its values 0 and 1, or 0 alone
    assert statistic.bin_rows().bin_rows.tolist() == [10, 2] * 6 + [12] * 34


@pytest.mark.parametrize("rows_kept", [True, False])
def test_rows_of_bins_and_some_labels_from_either_form(rows_kept):
    X, Y = wide() if rows_kept else draw(5)
    statistic = counted(X, Y, encode_by_value)
    assert (statistic.coded() is not None) == rows_kept
    table = statistic.table()
    alone = statistic.bin_rows()
    assert alone.counts.shape == (len(table.bin_rows), 0)
    np.testing.assert_array_equal(alone.bin_rows, table.bin_rows)
    np.testing.assert_array_equal(alone.offsets, table.offsets)
    for mine, other in zip(alone.categories, table.categories, strict=True):
        np.testing.assert_array_equal(mine, other)
    part = statistic.for_labels(1, 4)
    assert part.n_labels == 3
    assert part.n_samples == X.shape[0]
    assert part.label_counts.tolist() == Y[:, 1:4].sum(axis=0).tolist()
    np.testing.assert_array_equal(part.table().counts, table.counts[:, 1:4])


def test_some_features_of_kept_rows():
    X, Y = wide()
    part = counted(X, Y, encode_by_value).for_features(np.array([2, 5, 30]))
    assert part.n_features == 3
    table = part.table()
    assert table.offsets.tolist() == [0, 2, 4, 5]
    assert table.bin_rows.tolist() == [5, 1, 5, 1, 6]
    assert table.counts[1].tolist() == np.eye(9)[2].tolist()


def test_some_features_of_rows_that_are_read_in_ranges(monkeypatch):
    monkeypatch.setattr(module, "TABLE_LIMIT", 0)
    monkeypatch.setattr(coded_rows, "RANGE_BYTES", 1)  # a feature at a time
    X, Y = wide()
    statistic = counted(X, Y, encode_by_value)
    statistic.update(encode_by_value(X), as_label_matrix(Y))
    part = statistic.for_features(np.array([2, 5, 30]))
    assert part.bin_rows().bin_rows.tolist() == [10, 2, 10, 2, 12]
    monkeypatch.setattr(module, "TABLE_LIMIT", 2**25)
    assert part.table().counts[1].tolist() == (2 * np.eye(9)[2]).tolist()


def test_memory_may_be_limited_or_left_as_it_is():
    statistic = ContingencyCounts(3, 4)
    before = statistic._rows.limit
    statistic.limit_memory(None)
    assert statistic._rows.limit == before
    statistic.limit_memory(7)
    assert statistic._rows.limit == 7
    X, Y = draw(6)
    statistic = counted(X, Y)
    assert statistic.nbytes == 9 * 4 * 8
    kept = counted(*wide(), encode_by_value)
    assert kept.nbytes == kept.coded().nbytes


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_zero_is_the_default_among_values_on_either_side(container):
    X = np.array([[-1.0, 0], [0, 0], [2, -3], [0, -3], [-1, 5], [0, 0]])
    Y = np.array([[1, 0], [0, 1], [1, 1], [1, 0], [0, 0], [0, 1]], dtype=np.uint8)
    statistic = counted(container(X[:2]), Y[:2], encode_by_value)
    for start, stop in ((2, 3), (3, 6)):
        statistic.merge(
            counted(container(X[start:stop]), Y[start:stop], encode_by_value)
        )
    table = statistic.table()
    assert [values.tolist() for values in table.categories] == [[-1, 0, 2], [-3, 0, 5]]
    assert table.bin_rows.tolist() == [2, 3, 1, 2, 3, 1]
    assert table.counts.tolist() == [[1, 0], [1, 2], [1, 1], [2, 1], [1, 2], [0, 0]]
    assert table.default.tolist() == [1, 1]


def test_tables_of_different_numbers_of_features_are_not_added():
    X, Y = draw(1)
    three, two = (counted(X[:, :d], Y, encode_by_value).table() for d in (3, 2))
    for a, b in ((three, two), (two, three)):
        with pytest.raises(ValueError, match=r"argument 2 is (shorter|longer)"):
            a.plus(b)
