"""Cut points by rank, from blocks, in a memory that does not grow with the rows."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.encode import value_runs
from labelsift.encode.known_values import KnownRows, find_known_cuts, known_cuts
from labelsift.encode.value_runs import Runs, runs_kept
from labelsift.read import read_blocks
from labelsift.select import Chi2


class Gather:
    """Reads blocks as a selector does, two at a time, and notes what was held."""

    def __init__(self, blocks):
        self.blocks, self.readings, self.most = blocks, 0, 0

    def __call__(self, function, merge):
        self.readings += 1
        found = None
        for start in range(0, len(self.blocks), 2):
            part = function([(X, None) for X in self.blocks[start : start + 2]])
            found = part if found is None else merge(found, part)
        if isinstance(found.seen, list):
            sizes = [len(runs.low) for runs in found.seen]
            assert max(sizes) <= found._most_runs()
            self.most = max(self.most, *sizes)
        return found


def few_runs():
    """Keep eight runs a bin and no more, so that small columns need several looks."""
    return mock.patch.multiple(value_runs, _FEWEST=1, _MOST=1)


def drawn_columns(rng, n):
    columns = [
        rng.normal(size=n),
        rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n),
        np.round(rng.normal(size=n), 1),
        rng.integers(0, 3, n) * 1.0,
        np.where(rng.random(n) < 0.7, 5.0, rng.normal(size=n)),  # the largest, mostly
        np.where(rng.random(n) < 0.7, -0.0, rng.normal(size=n)),
        1 + rng.integers(0, n, n) * np.finfo(float).eps,  # the last bits only
        np.full(n, 3.0),
    ]
    return np.array(columns).T[:, rng.permutation(len(columns))]


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 400),
    name=st.sampled_from(["equal_frequency", "median"]),
    n_bins=st.sampled_from([2, 3, 5, 17]),
    has_gaps=st.booleans(),
    is_sparse=st.booleans(),
)
def test_cuts_of_blocks_are_those_of_all_rows(
    seed, n, name, n_bins, has_gaps, is_sparse
):
    rng = np.random.default_rng(seed)
    X = drawn_columns(rng, n)
    if has_gaps:
        X[rng.random(X.shape) < 0.2] = np.nan
        X[:, 2] = np.nan
    edges = np.sort(rng.integers(0, n + 1, 4)).tolist()
    pairs = zip([0, *edges], [*edges, n], strict=True)
    blocks = [X[a:b] for a, b in pairs if b > a]
    if is_sparse:
        blocks = [sparse.csc_array(block) for block in blocks]
    with few_runs():
        gather = Gather(blocks)
        found = known_cuts(gather, name, n_bins)
    assert gather.most <= 8 * n_bins
    expected = find_known_cuts(X, name, n_bins)
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_columns_of_few_values_are_read_once():
    X = np.random.default_rng(0).integers(0, 200, (5000, 3)) * 1.0
    gather = Gather([X[:2000], X[2000:]])
    known_cuts(gather, "equal_frequency", 5)
    assert gather.readings == 1
    with few_runs():
        gather = Gather([X[:2000], X[2000:]])
        known_cuts(gather, "equal_frequency", 5)
    assert gather.readings > 1


def test_measurements_are_read_a_few_times_and_not_held():
    X = np.random.default_rng(0).normal(size=(60_000, 1))
    blocks = np.split(X, 12)
    with mock.patch.multiple(value_runs, _FEWEST=1, _MOST=1000):
        gather = Gather(blocks)
        (found,) = known_cuts(gather, "median", 2)
    assert gather.readings == 2  # a thousand runs of sixty values, then the one
    assert gather.most <= 1000
    ordered = np.sort(X[:, 0])
    middle = ordered[29_999] / 2 + ordered[30_000] / 2
    assert found.tolist() == [middle]


def test_runs_share_the_memory():
    assert runs_kept(1, 5) == 2**18
    assert runs_kept(1000, 5) == 2**27 // 24_000
    assert runs_kept(10**6, 5) == 256
    assert runs_kept(10**6, 100) == 800


def test_runs_are_joined_by_hand():
    one = Runs.of(np.array([1.0, 2.0, 4.0]), np.array([3, 1, 2]))
    other = Runs.of(np.array([2.0, 8.0]), np.array([5, 1]))
    both = one.joined(other, 4)
    assert both.low.tolist() == both.high.tolist() == [1, 2, 4, 8]
    assert both.rows.tolist() == [3, 6, 2, 1]
    # five are more than four, so that bits are given up until there are two or fewer
    less = both.joined(Runs.of(np.array([1.5]), np.array([4])), 4)
    assert less.rows.sum() == 16
    assert len(less.low) <= 2
    assert less.low[0] == 1
    assert less.high[-1] == 8
    values, rows = less.ends()
    assert values[0] == 1
    assert values[-1] == 8
    assert rows.sum() == 16
    assert (rows > 0).all()


def test_rows_that_change_between_readings_are_an_error():
    rng = np.random.default_rng(0)

    def gather(function, merge):
        return function([(rng.normal(size=(500, 1)), None)])

    with few_runs(), pytest.raises(ValueError, match="other rows when they were read"):
        known_cuts(gather, "median", 2)


def test_blocks_of_other_widths_are_an_error():
    rows = KnownRows("median", 2)
    rows.update(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="a block has 3 features, those before it"):
        rows.update(np.zeros((3, 3)))
    other = KnownRows("median", 2)([(np.zeros((3, 4)), None)])
    with pytest.raises(ValueError, match="a block has 4 features, those before it"):
        rows.merge(other)


@pytest.mark.parametrize("how", ["equal_frequency", "median"])
def test_scores_of_blocks_are_those_of_fit(how):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(600, 5))
    Y = (X[:, :2] + rng.normal(size=(600, 2)) > 0).astype(np.uint8)
    expected = Chi2(discretize=how).fit(X, Y)
    with few_runs():
        found = Chi2(discretize=how).fit_blocks(read_blocks((X, Y), block_rows=70))
    for mine, theirs in zip(found.cut_points_, expected.cut_points_, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(found.scores_, expected.scores_)
