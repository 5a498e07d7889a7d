"""The greedy search for a reduct and the pairs that features tell apart."""

import numpy as np
import pytest

from labelsift.encode.tolerance_columns import tolerance_columns
from labelsift.score.rough_set import (
    ForwardSearch,
    alone_shares,
    certain_rows,
    count_discerned,
    drop_needless,
)
from labelsift.statistics import neighborhoods_windows
from labelsift.statistics.neighborhoods import label_units
from labelsift.statistics.neighborhoods_windows import WindowSpace

# the label is the exclusive or of the first two features; the third says nothing
BITS = np.array([[a, b, 0] for a in (0, 1) for b in (0, 1)] * 2, dtype=float)
PARITY = (BITS[:, 0] != BITS[:, 1]).astype(np.uint8)
Y = np.column_stack([PARITY, 1 - PARITY])


def space_of(X):
    table = tolerance_columns(X, np.zeros(X.shape[1], dtype=bool), scale=True)
    return WindowSpace(table, np.zeros(X.shape[1]))


def search(X, Y, always=(), **options):
    rows = np.setdiff1d(np.arange(len(X)), always)
    units = label_units(Y, rows, "all")
    found = ForwardSearch(space_of(X), units, np.array(always, dtype=int), len(X))
    found.run(**options)
    return found


def test_two_features_that_tell_nothing_alone():
    found = search(BITS, Y)
    assert found.added == [0, 1]
    assert found.counts == [0, 8]
    assert found.stopped == "complete"
    assert found.positive.all()


def test_a_round_without_gain_stops_if_it_may():
    found = search(BITS, Y, stop_on_no_gain=True)
    assert (found.added, found.stopped) == ([], "no_gain")
    # rows that are positive with any feature are a gain of the first
    found = search(BITS, Y, always=[3], stop_on_no_gain=True)
    assert (found.added, found.counts, found.stopped) == ([0, 1], [1, 8], "complete")


def test_enough_and_nothing():
    steps = np.array([[0, 0], [0, 1], [1, 2], [1, 3]], dtype=float)
    labels = np.eye(4, dtype=np.uint8)
    labels[1] = labels[0]
    heard = []
    found = search(steps, labels, report=lambda *told: heard.append(told))
    assert found.added == [1]
    assert (found.counts, found.stopped) == ([4], "complete")
    assert heard == [(1, 4, 4)]
    first = search(steps[:, :1], labels, enough=2)
    assert (first.counts, first.stopped) == ([2], "epsilon")
    none = search(steps, labels, always=[0, 1, 2, 3])
    assert none.goal == 4
    assert (
        ForwardSearch(
            space_of(steps), label_units(labels, np.arange(0), "all"), np.arange(0), 4
        ).goal
        == 0
    )


@pytest.mark.parametrize("share", [0, 1e9])
@pytest.mark.parametrize("quantifier", ["all", "any"])
def test_pairs_that_a_feature_alone_tells_apart(monkeypatch, share, quantifier):
    monkeypatch.setattr(neighborhoods_windows, "_PAIRS_PER_CELL", share)
    rng = np.random.default_rng(2)
    X = rng.integers(0, 3, (40, 4)).astype(float)
    labels = (rng.random((40, 3)) < 0.5).astype(np.uint8)
    units = label_units(labels, np.flatnonzero(labels.any(axis=1)), quantifier)
    counts, n_pairs = count_discerned(space_of(X), units)
    pairs = []
    for unit, row in enumerate(units.rows):
        needs = [k for k in range(3) if int(units.required[unit, 0]) >> k & 1]
        pairs += [(row, j) for j in range(40) if not labels[j, needs].all()]
    assert n_pairs == len(pairs)
    assert counts.tolist() == [
        sum(X[i, f] != X[j, f] for i, j in pairs) for f in range(4)
    ]
    shares = alone_shares(counts, n_pairs)
    np.testing.assert_allclose(shares, counts / len(pairs), rtol=1e-11)
    assert alone_shares(np.zeros(2), 0).tolist() == [0, 0]


def test_a_feature_that_others_make_needless_is_dropped():
    X = np.column_stack([BITS, PARITY])
    units = label_units(Y, np.arange(8), "all")
    space = space_of(X)
    positive = np.arange(8)
    assert certain_rows(space, units, np.array([3])).tolist() == list(range(8))
    assert certain_rows(space, units, np.array([0, 2])).tolist() == []
    assert drop_needless(space, units, [0, 1, 3], positive) == [3]
    assert drop_needless(space, units, [3, 0, 1], positive) == [0, 1]
    assert drop_needless(space, units, [2, 0, 1], positive) == [0, 1]


def test_one_row_of_hundreds_that_fails_is_seen():
    n = 700
    X = np.zeros((n, 2))
    X[:, 0] = np.arange(n)
    X[n - 1, 0] = n - 2  # the last two are told apart by the second feature only
    X[n - 1, 1] = 1
    labels = np.eye(n, dtype=np.uint8)[:, :n]
    units = label_units(labels, np.arange(n), "all")
    assert drop_needless(space_of(X), units, [1, 0], np.arange(n)) == [1, 0]
    same = np.delete(np.arange(n), [n - 2, n - 1])
    assert drop_needless(space_of(X), units, [1, 0], same) == [0]


def test_the_first_row_is_looked_at_too():
    # row 0 needs both labels, which its neighbour lacks; no other row fails
    X = np.array([[0, 0], [0, 1], [1, 0], [2, 0]], dtype=float)
    labels = np.array([[1, 1], [1, 0], [0, 1], [1, 1]], dtype=np.uint8)
    units = label_units(labels, np.arange(4), "all")
    assert certain_rows(space_of(X), units, np.array([0])).tolist() == [1, 2, 3]
    assert drop_needless(space_of(X), units, [1, 0], np.arange(4)) == [1, 0]
    assert drop_needless(space_of(X), units, [1, 0], np.arange(1, 4)) == [0]


def test_units_of_a_row_are_looked_at_together():
    # row 0 has one unit and all others two, so that a look at 256 units would end
    # between those of row 128, of which the first only is certain with feature 0:
    # row 129 is near it and has its first label, but not its second
    n = 200
    X = np.column_stack([np.arange(n), np.arange(n)]).astype(float)
    X[129, 0] = 128
    labels = np.zeros((n, 5), dtype=np.uint8)
    labels[:, [0, 1]] = 1
    labels[0, 1] = 0
    labels[129] = [1, 0, 1, 0, 0]
    units = label_units(labels, np.arange(n), "any")
    assert units.rows[[255, 256]].tolist() == [128, 128]
    space = space_of(X)
    certain = space.find_certain(units, np.flatnonzero(space.columns == 0))
    assert certain[[255, 256]].tolist() == [True, False]
    assert drop_needless(space, units, [1, 0], np.arange(n)) == [0]


def test_ties_of_a_later_round_are_broken_by_the_pairs_that_are_left(monkeypatch):
    # rows 0 and 3 carry the label. Feature 2 makes row 0 certain, then 3 rows 1 and 2;
    # of the pairs, 3 and 4 is left, which 0 and 1 tell apart, so that 0 comes first.
    # From the beginning 1 would have told three pairs apart, and 0 two
    monkeypatch.setattr(neighborhoods_windows, "_PAIRS_PER_CELL", 1e9)
    X = np.array(
        [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 1], [0, 1, 1, 1]],
        dtype=float,
    )
    label = np.array([1, 0, 0, 1, 0], dtype=np.uint8)
    units = label_units(np.column_stack([label, 1 - label]), np.arange(5), "all")
    space = space_of(X)
    counts, _ = count_discerned(space, units)
    assert counts[:2].tolist() == [2 * 2, 2 * 3]  # each pair from either end
    found = ForwardSearch(space, units, np.arange(0), 5, tie_break="discerned")
    found.run()
    assert found.added == [2, 3, 0]
    assert found.counts == [1, 3, 5]
