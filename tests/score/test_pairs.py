"""Scores of pairs from coded rows against the table of each pair."""

import numpy as np
import pytest
from scipy import sparse

from labelsift.encode.codes import Codes, encode_by_value
from labelsift.encode.labels import as_label_matrix
from labelsift.score import pairs as module
from labelsift.score.pairs import PairScores, best_labels, score_pairs
from labelsift.statistics.counts import ContingencyCounts

rng = np.random.default_rng(3)


def entropy(counts):
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log2(share)).sum())


def plain(x, y, kind):
    """Score one pair from its table of values by label."""
    values = np.unique(x)
    table = np.array([[((x == v) & (y == k)).sum() for k in (0, 1)] for v in values])
    n, rows, labels = table.sum(), table.sum(axis=1), table.sum(axis=0)
    expected = np.outer(rows, labels) / n
    used = expected > 0
    squares = ((table - expected)[used] ** 2 / expected[used]).sum()
    gain = entropy(rows) + entropy(labels) - entropy(table.ravel())
    h = entropy(rows), entropy(labels)
    return {
        "chi2": squares,
        "cramers_v": np.sqrt(squares / n),
        "information_gain": gain,
        "gain_ratio": gain / h[0] if h[0] else 0.0,
        "symmetrical_uncertainty": 2 * gain / sum(h) if sum(h) else 0.0,
    }[kind]


def scored(X, Y, kind, **options):
    counts = ContingencyCounts(X.shape[1], Y.shape[1])
    counts._rows.add(encode_by_value(X), as_label_matrix(sparse.csr_array(Y)).values)
    counts.n_samples, counts.label_counts = X.shape[0], Y.sum(axis=0).astype(np.int64)
    return score_pairs(counts._rows, counts, kind, **options)


N = 24
Y = (rng.random((N, 7)) < [0.5, 0.1, 0.3, 0.05, 0.3, 0.9, 0.0]).astype(np.uint8)
Y[3, 3] = Y[7, 1] = 1
TABLES = {
    "single": np.eye(N, 6) * 2.0,  # each feature has one row off its default
    "binary": rng.integers(0, 2, (N, 6)).astype(float),
    "several": rng.integers(0, 4, (N, 6)) * (rng.random((N, 6)) < 0.6),
}
TABLES["binary"][:, 5] = 1.0  # constant


@pytest.mark.parametrize(
    "kind",
    ["chi2", "cramers_v", "information_gain", "gain_ratio", "symmetrical_uncertainty"],
)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("name", TABLES)
def test_every_pair_as_from_its_table(name, form, kind):
    X = TABLES[name].astype(float)
    found = scored(form(X), Y, kind, pairs=True, n_top=2)
    expected = np.array(
        [[plain(X[:, f], Y[:, k], kind) for k in range(7)] for f in range(6)]
    )
    np.testing.assert_allclose(found.table, expected, atol=1e-11)
    summary = [expected.mean(axis=1), expected.max(axis=1), expected.min(axis=1)]
    np.testing.assert_allclose(found.aggregates, np.transpose(summary), atol=1e-11)
    scores, labels = best_labels(found.table, 2)
    np.testing.assert_array_equal(found.top_scores, scores)
    np.testing.assert_array_equal(found.top_labels, labels)
    alone = scored(form(X), Y, kind)
    assert alone.table.shape == (0, 7)
    assert alone.top_scores.shape == (6, 0)
    np.testing.assert_array_equal(alone.aggregates, found.aggregates)


@pytest.mark.parametrize("q", [3, 40])
def test_best_labels_of_a_table_are_sorted_and_above_0(q):
    table = np.zeros((3, q))
    table[0, [0, 2]] = 1.0, 3.0
    table[1] = 2.0
    scores, labels = best_labels(table, 2)
    assert scores.tolist() == [[3.0, 1.0], [2.0, 2.0], [0.0, 0.0]]
    assert labels.tolist() == [[2, 0], [0, 1], [-1, -1]]
    scores, labels = best_labels(table, 0)
    assert scores.shape == labels.shape == (3, 0)
    scores, labels = best_labels(table[:, :1], 2)
    assert scores.tolist() == [[1.0, 0.0], [2.0, 0.0], [0.0, 0.0]]


def test_what_is_said_of_a_feature_is_replaced():
    table = rng.random((3, 4))
    whole = PairScores.of_table(rng.random((3, 3)), table.copy(), 2)
    one = PairScores.of_table(np.ones((1, 3)), np.arange(4.0)[None], 2)
    whole.put(1, one)
    assert whole.aggregates[1].tolist() == [1, 1, 1]
    assert whole.top_scores[1].tolist() == [3, 2]
    assert whole.top_labels[1].tolist() == [3, 2]
    assert whole.table[1].tolist() == [0, 1, 2, 3]
    np.testing.assert_array_equal(whole.table[[0, 2]], table[[0, 2]])
    kept = PairScores(whole.aggregates, np.zeros((0, 4)), *best_labels(table, 2))
    kept.put(0, one)
    assert len(kept.table) == 0


def stored(columns, n_bins, default):
    X = sparse.csc_array(np.array(columns).T)
    return Codes(X, np.array(n_bins), np.array(default))


@pytest.mark.parametrize(
    ("codes", "is_short"),
    [
        (stored([[0, 1, 1], [1, 0, 0]], [2, 2], [0, 0]), True),
        (stored([[0, 1, 1], [0, 0, 0]], [2, 1], [0, 0]), True),
        (stored([[0, 2, 2], [1, 0, 1]], [3, 2], [0, 0]), True),
        (stored([[0, 2, 1], [1, 0, 1]], [3, 2], [0, 0]), False),
        (stored([[0, 0, 0], [0, 0, 0]], [3, 3], [0, 0]), True),
        (stored([[0, 1, 1], [1, 2, 1]], [2, 3], [0, -1]), False),
    ],
)
def test_features_of_one_bin_off_the_default_are_known(codes, is_short):
    assert module._have_one_bin(codes) == is_short


def test_work_is_cut_into_runs_that_cover_all_features():
    cuts = module._cuts(np.array([0, 1000, 0, 0, 2000, 10]), 3)
    assert cuts[0] == 0
    assert cuts[-1] == 6
    assert (np.diff(cuts) > 0).all()
    assert module._cuts(np.zeros(0, dtype=int), 3).tolist() == [0]


def test_more_rows_than_32_bits_count_are_refused():
    counts = ContingencyCounts(1, 1)
    counts.n_samples = module.LARGEST_N + 1
    with pytest.raises(ValueError, match="at most 2147483647 rows"):
        score_pairs(counts._rows, counts, "chi2")


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_hundreds_of_features_score_as_a_few(form):
    # so many that each thread takes several at a time, of two bins and of more
    few = np.hstack([TABLES["several"], TABLES["binary"]]).astype(float)
    many = np.tile(few, 30)
    alone = scored(form(few), Y, "chi2", pairs=True)
    found = scored(form(many), Y, "chi2", pairs=True)
    np.testing.assert_array_equal(found.table, np.tile(alone.table.T, 30).T)
    np.testing.assert_array_equal(found.aggregates, np.tile(alone.aggregates.T, 30).T)
