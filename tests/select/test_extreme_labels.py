"""Many sparse labels: what needs no table gives what tables give."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.score import pairs
from labelsift.select import Chi2, GainRatio, InfoGain, SymmetricalUncertainty
from labelsift.select import _counts as counts_module
from labelsift.statistics import counts
from reference.chi2 import chi2_matrix

KINDS = [InfoGain, GainRatio, SymmetricalUncertainty]


def draw(seed, n=40, d=6, q=9, levels=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, (n, d)) * (rng.random((n, d)) < 0.4)
    X[:, 0] = 0  # constant
    Y = rng.random((n, q)) < rng.choice([0.02, 0.3, 0.9], q)
    Y[:, 1] = 0  # a label that never occurs
    return X.astype(float), Y.astype(np.uint8)


def entropy(counts):
    total = sum(counts)
    parts = [c / total for c in counts if c]
    return -math.fsum(p * math.log2(p) for p in parts)


def plain(kind, x, y):
    """The measure from the definition, row by row."""
    n = len(x)
    bins = {v: [i for i in range(n) if x[i] == v] for v in set(x)}
    h_y = entropy([sum(y), n - sum(y)])
    h_x = entropy([len(rows) for rows in bins.values()])
    left = 0.0
    for rows in bins.values():
        ones = sum(int(y[i]) for i in rows)
        left += len(rows) / n * entropy([ones, len(rows) - ones])
    gain = h_y - left
    if kind is InfoGain:
        return gain
    if kind is GainRatio:
        return gain / h_x if h_x else 0.0
    return 2 * gain / (h_x + h_y) if h_x + h_y else 0.0


@pytest.fixture
def no_tables(monkeypatch):
    monkeypatch.setattr(counts, "TABLE_LIMIT", 0)


@pytest.mark.filterwarnings("ignore:aggregate='min'")
@pytest.mark.parametrize("levels", [2, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_information_of_never_meeting_pairs_is_exact(no_tables, kind, levels):
    for seed in range(4):
        X, Y = draw(seed, levels=levels)
        expected = np.array([[plain(kind, x, y) for y in Y.T] for x in X.T])
        for container in (np.asarray, sparse.csr_array, sparse.csc_array):
            for how in ("mean", "max", "min"):
                fitted = kind(discretize="none", aggregate=how).fit(
                    container(X), sparse.csr_array(Y)
                )
                assert fitted._statistic.coded() is not None
                wanted = getattr(expected, how)(axis=1)
                np.testing.assert_allclose(fitted.scores_, wanted, atol=1e-12)
            np.testing.assert_allclose(
                np.asarray(fitted.scores_per_label_), expected, atol=1e-12
            )


@given(seed=st.integers(0, 2**32 - 1))
def test_top_labels_are_the_largest_pairs(seed):
    X, Y = draw(seed)
    table = np.array(chi2_matrix(X.T.tolist(), Y.T.tolist()))
    before = counts_module.PAIR_LIMIT
    try:
        found = []
        for limit in (before, 1):
            counts_module.PAIR_LIMIT = limit
            fitted = Chi2(discretize="presence").fit(sparse.csr_array(X), Y)
            top = fitted.top_labels_
            assert repr(top) == "TopLabels(6 features, the best 5 labels of each)"
            found.append((top.labels, top.scores, [top[f] for f in range(len(top))]))
    finally:
        counts_module.PAIR_LIMIT = before
    # rounding may tell equal scores apart, so scores are compared first
    np.testing.assert_allclose(found[0][1], found[1][1], rtol=1e-12)
    np.testing.assert_array_equal(found[0][0], found[1][0])
    assert found[0][2] == found[1][2]
    for f, row in enumerate(table):
        np.testing.assert_allclose(found[0][1][f], np.sort(row)[::-1][:5], atol=1e-9)
        kept = found[0][0][f]
        np.testing.assert_allclose(row[kept[kept >= 0]], found[0][1][f][kept >= 0])
    assert (found[0][0][0] == -1).all()  # a constant feature tells nothing


def test_best_labels_of_a_table_break_ties_by_column():
    table = np.array([[1.0, 3.0, 3.0, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0]])
    scores, labels = pairs.best_labels(table, 4)
    assert labels.tolist() == [[1, 2, 4, 0], [-1, -1, -1, -1]]
    assert scores.tolist() == [[3.0, 3.0, 2.0, 1.0], [0.0, 0.0, 0.0, 0.0]]


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("correction", [None, "p_value", "cramers_v"])
def test_threads_and_the_cut_of_work_change_no_bit(monkeypatch, threads, correction):
    X, Y = draw(5, n=300, d=40, q=50)
    selector = Chi2(discretize="presence", correction=correction)
    expected = selector.fit(sparse.csr_array(X), sparse.csr_array(Y)).scores_
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", threads)
    monkeypatch.setattr(counts, "TABLE_LIMIT", 0)
    for items in (1, 64):
        monkeypatch.setattr(pairs, "_ITEMS", items)
        for container in (sparse.csr_array, sparse.csc_array, np.asarray):
            found = selector.fit(container(X), sparse.csr_array(Y)).scores_
            np.testing.assert_array_equal(found, expected)


def test_missing_values_among_many_labels(no_tables):
    X, Y = draw(7)
    Z = X.copy()
    Z[::5, 2] = np.nan
    selector = InfoGain(discretize="presence")
    without = selector.fit(sparse.csr_array(X), sparse.csr_array(Y)).scores_
    found = selector.fit(sparse.csr_array(Z), sparse.csr_array(Y)).scores_
    there = ~np.isnan(Z[:, 2])
    alone = selector.fit(X[there][:, [2]], sparse.csr_array(Y[there])).scores_
    np.testing.assert_allclose(found[2], alone[0], rtol=1e-12)
    np.testing.assert_allclose(np.delete(found, 2), np.delete(without, 2), rtol=1e-12)


def test_too_many_bins_are_a_clear_error():
    X, Y = draw(1)
    with pytest.raises(ValueError, match=r"n_bins.*65536"):
        Chi2(n_bins=10**9).fit(X, Y)
    with pytest.raises(ValueError, match="use fewer bins"):
        Chi2(n_bins=65_536).fit(np.random.default_rng(0).random((3, 1100)), Y[:3])


def test_dates_are_not_taken_for_nanoseconds():
    pandas = pytest.importorskip("pandas")
    days = pandas.date_range("2020-01-01", periods=6)
    Y = np.eye(2, dtype=int)[[0, 1, 0, 1, 0, 1]]
    for X in (pandas.DataFrame({"day": days}), days.to_numpy()[:, None]):
        with pytest.raises(TypeError, match=r"holds dates or times.*dt\.days"):
            Chi2().fit(X, Y)
