"""Tables of bins by labels or classes: what is measured, and what counts as missing."""

import numpy as np
import pytest
from scipy import sparse

from labelsift.encode.codes import encode_by_value
from labelsift.encode.labels import as_label_matrix
from labelsift.statistics import tables
from labelsift.statistics.counts import BinTable, ContingencyCounts

rng = np.random.default_rng(11)
X = rng.integers(0, 3, (30, 4)).astype(float)
Y = rng.integers(0, 2, (30, 5)).astype(np.uint8)


def products(found):
    """Return the sum over the bins of rows without times rows with, table by table."""
    starts = np.concatenate([[0], np.cumsum(found.n_bins)[:-1]])
    return np.add.reduceat(found.counts[:, 0] * found.counts[:, 1], starts)


def plain_products():
    return [
        [
            sum(
                ((X[:, f] == v) & (Y[:, k] == 0)).sum()
                * ((X[:, f] == v) & (Y[:, k] == 1)).sum()
                for v in range(3)
            )
            for k in range(5)
        ]
        for f in range(4)
    ]


class Sizes:
    """Stands for counts of which only the rows of each bin are asked."""

    def __init__(self, sizes, categories=None):
        self.sizes, self.categories = sizes, categories

    def bin_rows(self):
        rows = np.concatenate(self.sizes)
        offsets = np.concatenate([[0], np.cumsum([len(each) for each in self.sizes])])
        none = np.full(len(self.sizes), -1)
        return BinTable(np.zeros((len(rows), 0)), rows, offsets, none, self.categories)


SIZES = [[5, 1, 0], [6, 0, 0], [3, 0, 3], [0, 0, 6], [4, 1, 1]]


@pytest.mark.parametrize(
    ("last", "constant", "with_missing"),
    [
        (True, [False, True, True, True, False], [2, 3, 4]),
        (False, [False, True, False, True, False], []),
    ],
)
def test_one_row_in_a_second_bin_is_no_constant(last, constant, with_missing):
    counts = Sizes(SIZES)
    found = tables.constant_features(counts, last_is_missing=last)
    assert found.tolist() == constant
    found = tables.features_with_missing(counts, last_is_missing=last)
    assert found.tolist() == with_missing


@pytest.mark.parametrize("last", [True, False])
def test_where_bins_are_values_nan_is_the_missing_one(last):
    known, gap = np.array([0.0, 1, 2]), np.array([0.0, 1, np.nan])
    counts = Sizes(SIZES, (known, known, gap, known, gap))
    found = tables.constant_features(counts, last_is_missing=last)
    assert found.tolist() == [False, True, True, True, False]
    found = tables.features_with_missing(counts, last_is_missing=last)
    assert found.tolist() == [2, 4]


def test_labels_are_measured_a_few_at_a_time(monkeypatch):
    counts = ContingencyCounts(4, 5)
    counts.update(encode_by_value(X), as_label_matrix(Y))
    (whole,) = tables.measure_counted_labels(counts, products, last_is_missing=False)
    assert whole.tolist() == plain_products()
    monkeypatch.setattr(tables, "CELL_LIMIT", 12)  # three labels of four features
    parts = list(tables.measure_counted_labels(counts, products, last_is_missing=False))
    assert [part.shape for part in parts] == [(4, 3), (4, 2)]
    np.testing.assert_array_equal(np.hstack(parts), whole)
    monkeypatch.setattr(tables, "CELL_LIMIT", 1)
    parts = tables.measure_counted_labels(counts, products, last_is_missing=False)
    assert [part.shape for part in parts] == [(4, 1)] * 5


@pytest.mark.parametrize("label_bytes", [1 << 27, 60, 1])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_every_value_is_a_bin_for_each_label(monkeypatch, label_bytes, form):
    monkeypatch.setattr(tables, "_LABEL_BYTES", label_bytes)
    rules = np.full(4, tables.EVERY_VALUE)
    found = tables.measure_labels(form(X), form(Y), rules, products)
    assert found.tolist() == plain_products()


def test_classes_that_are_labels_have_one_table_a_feature():
    counts = ContingencyCounts(4, 2)
    counts.update(encode_by_value(X), as_label_matrix(Y[:, :2]))
    found = tables.measure_counted_classes(counts, products, last_is_missing=False)
    assert found.tolist() == [
        sum(
            ((X[:, f] == v) & (Y[:, 0] == 1)).sum()
            * ((X[:, f] == v) & (Y[:, 1] == 1)).sum()
            for v in range(3)
        )
        for f in range(4)
    ]


def test_missing_rows_are_shared_out_only_where_there_are_some():
    counts = np.array([[4.0, 0.0], [2.0, 2.0]])
    known = tables.ContingencyTables(counts, np.array([2]), np.zeros((1, 2)))
    assert known.with_missing_spread() is known
    some = tables.ContingencyTables(counts, np.array([2]), np.array([[3.0, 1.0]]))
    spread = some.with_missing_spread()
    assert not spread.missing.any()
    np.testing.assert_allclose(spread.counts.sum(axis=0), [9.0, 3.0])


def test_features_are_measured_one_by_one_where_labels_are_many():
    q = 20_001
    labels = sparse.csr_array(
        (np.ones(60, dtype=np.uint8), np.arange(60) * 300, np.arange(0, 61, 2)),
        shape=(30, q),
    )
    counts = ContingencyCounts(4, q)
    counts.update(encode_by_value(X), as_label_matrix(labels))
    (found,) = tables.measure_counted_labels(counts, products, last_is_missing=False)
    assert found.shape == (4, q)
    # a label of one row, in whose bin are so many others
    held = np.flatnonzero(found[0])
    for f in range(4):
        bins = [int((X[:, f] == X[i, f]).sum()) for i in range(30)]
        expected = np.zeros(q)
        expected[np.arange(60) * 300] = np.repeat(bins, 2) - 1
        np.testing.assert_array_equal(found[f], expected)
    assert len(held) == 60
