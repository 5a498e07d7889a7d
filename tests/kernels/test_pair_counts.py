"""Labels of bins are counted right, whatever their frequency and however they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from example_counts import examples
from labelsift.kernels import pair_counts
from labelsift.score import pair_room
from labelsift.select import Chi2, InfoGain, SymmetricalUncertainty
from labelsift.statistics import counts

SHARES = [0.9, 0.6, 0.5, 0.3, 0.2, 0.05, 0.02, 0.004, 0.002, 0.002, 0.001, 0.001, 0]


def drawn(seed, n=700, d=5, levels=2):
    """Labels of more than 255 rows, of fewer, of one and of none; a row with many."""
    rng = np.random.default_rng(seed)
    Y = rng.random((n, 6 * len(SHARES))) < np.repeat(SHARES, 6)
    Y[3] |= rng.random(Y.shape[1]) < 0.7
    Y[5] = False
    X = rng.integers(1, levels, (n, d), endpoint=True)
    X *= rng.random((n, d)) < rng.choice([0.01, 0.1, 0.5, 0.99], d)
    X[:, 0] = Y[:, 0]
    return X.astype(float), Y.astype(np.uint8)


def expected(X, Y, kind):
    """Scores of all pairs from tables of counts."""
    n, scores = len(X), np.zeros((X.shape[1], Y.shape[1]))
    Y = np.stack([1 - Y.astype(float), Y.astype(float)])
    for f, x in enumerate(X.T):
        table = np.stack([[(x == v) @ y for v in np.unique(x)] for y in Y])
        both = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / n
        with np.errstate(divide="ignore", invalid="ignore"):
            if kind is Chi2:
                cells = (table - both) ** 2 / both
            else:
                cells = table / n * np.log2(table / both)
        scores[f] = np.nan_to_num(cells).sum(axis=(0, 1))
        if kind is SymmetricalUncertainty:
            scores[f] *= 2 / (entropy(table.sum(axis=0)) + entropy(table.sum(axis=1)))
    return np.nan_to_num(scores)


def entropy(sizes):
    share = sizes / sizes.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.nan_to_num(share * np.log2(share)).sum(axis=0)


@pytest.mark.filterwarnings("ignore:aggregate='min'")
@pytest.mark.parametrize("kind", [Chi2, InfoGain, SymmetricalUncertainty])
@pytest.mark.parametrize("levels", [1, 3])
@pytest.mark.parametrize("listed", [1, 40, 2**15])
def test_scores_are_those_of_tables(monkeypatch, kind, levels, listed):
    monkeypatch.setattr(counts, "TABLE_LIMIT", 0)
    monkeypatch.setattr(pair_room, "LISTED", listed)
    X, Y = drawn(1, levels=levels)
    wanted = expected(X, Y, kind)
    for how in ("mean", "max", "min"):
        fitted = kind(discretize="none", aggregate=how).fit(
            sparse.csr_array(X), sparse.csr_array(Y)
        )
        assert fitted._statistic.coded() is not None
        found = np.asarray(fitted.scores_per_label_)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(
            fitted.scores_, getattr(wanted, how)(axis=1), rtol=1e-9, atol=1e-9
        )


def plain_lists(X, Y, n_hot, n_single):
    """For each feature the labels met, and how often."""
    met = (X > 0).astype(int).T @ Y
    cold = slice(n_hot, Y.shape[1] - n_single)
    return [
        (
            {k: int(row[k]) for k in np.flatnonzero(row[:n_hot])},
            {k + n_hot: int(row[cold][k]) for k in np.flatnonzero(row[cold])},
            sorted((np.flatnonzero(row[cold.stop :]) + cold.stop).tolist()),
        )
        for row in met
    ]


@examples(20)
@given(
    seed=st.integers(0, 2**32 - 1),
    many=st.tuples(st.sampled_from([0, 50, 10**6]), st.sampled_from([0, 50, 10**6])),
    spare=st.sampled_from([1, 30, 5000]),
    width=st.sampled_from([16, 40, 2048]),
)
def test_lists_hold_every_label_met_once(seed, many, spare, width):
    X, Y = drawn(seed)
    Y = Y[:, np.argsort(-Y.sum(axis=0, dtype=int), kind="stable")]
    p = Y.sum(axis=0, dtype=int)
    Y = Y[:, p > 0]
    p = p[p > 0]
    n_hot, n_single = int((p > pair_counts.COLD).sum()), int((p == 1).sum())
    n_counted = len(p) - n_single
    rows, labels = sparse.csc_array(X), sparse.csr_array(Y)
    cells = np.where(np.arange(n_counted) < n_hot, 0, p[:n_counted]).astype(np.uint16)
    hot, was = np.zeros(n_hot, dtype=np.uint32), cells.copy()
    group = np.empty((2, pair_counts.GROUP), dtype=np.uint32)
    room = hot, cells, tuple(group), *np.empty((2, width), dtype=np.uint32)
    padded = np.concatenate([labels.indices, np.zeros(8)]).astype(np.uint32)
    lists = (
        *np.empty((2, n_hot + spare), dtype=np.uint32),
        np.empty(n_counted - n_hot + spare, dtype=np.uint32),
        np.empty(n_counted - n_hot + spare, dtype=np.uint16),
        np.empty(n_single + spare, dtype=np.uint32),
        *np.empty((3, 2), dtype=np.int64),
    )
    found, bins = [], np.arange(X.shape[1])
    while len(found) < len(bins):
        done = pair_counts.count_bins(
            rows.indices.view(np.uint32),
            rows.indptr.astype(np.int64),
            bins[len(found) :],
            (labels.indptr.astype(np.uint32), padded),
            n_single,
            many,
            room,
            lists,
        )
        assert done > 0
        at = [0, 0, 0]
        for k in range(done):
            part = [slice(a, int(end[k])) for a, end in zip(at, lists[5:], strict=True)]
            at = [each.stop for each in part]
            frequent, times = lists[0][part[0]].tolist(), lists[1][part[0]].tolist()
            rare, codes = lists[2][part[1]].tolist(), lists[3][part[1]]
            assert len({*frequent, *rare}) == len(frequent) + len(rare)
            assert (codes & 255).tolist() == p[rare].tolist()
            found.append(
                (
                    dict(zip(frequent, times, strict=True)),
                    dict(zip(rare, (codes >> 8).tolist(), strict=True)),
                    sorted(lists[4][part[2]].tolist()),
                )
            )
    assert found == plain_lists(X, Y, n_hot, n_single)
    assert not hot.any()
    assert (cells == was).all()
