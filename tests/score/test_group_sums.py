"""How long sums over all pairs of groups take, as estimated before they are made."""

import numpy as np
import pytest
from scipy import sparse

from labelsift.encode.labels import as_label_matrix
from labelsift.score import group_sums
from labelsift.score.group_sums import DenseSums, SparseSums
from labelsift.statistics.label_moments import LabelMoments


def sums(X, *, is_sparse):
    """Return the sums of a table each of whose rows is a group."""
    moments = LabelMoments(X.shape[1], len(X), is_sparse=is_sparse)
    moments.update(
        sparse.csr_array(X) if is_sparse else X,
        as_label_matrix(np.eye(len(X), dtype=np.uint8)),
    )
    return (SparseSums if is_sparse else DenseSums)(moments)


def stored(n_groups, n_features, n_filled, *, of=None):
    """Return a table in which the first rows of the first columns are not 0."""
    X = np.zeros((n_groups, n_features))
    X[:n_filled, :of] = 1 + np.arange(n_filled)[:, None]
    return X


def test_a_full_sparse_table_takes_as_long_as_the_same_dense_one():
    X = stored(80, 8, 80)
    seconds = [sums(X, is_sparse=form).seconds_of_all() for form in (False, True)]
    assert seconds[0] == pytest.approx(seconds[1], rel=1e-12)


@pytest.mark.parametrize("is_sparse", [False, True])
def test_twice_the_groups_take_four_times_as_long(is_sparse):
    few, many = (
        sums(stored(n, 8, n), is_sparse=is_sparse).seconds_of_all() for n in (50, 100)
    )
    assert many == pytest.approx(4 * few, rel=1e-12)


@pytest.mark.parametrize("length", [10, 20, 25])
def test_a_column_of_half_the_groups_takes_time_by_the_square_of_its_length(length):
    empty, few, many = (
        sums(stored(100, 8, n), is_sparse=True).seconds_of_all()
        for n in (0, length, 2 * length)
    )
    assert few > empty
    assert many - empty == pytest.approx(4 * (few - empty), rel=1e-9)


@pytest.mark.parametrize("length", [20, 100])
def test_every_column_takes_time(length):
    times = [
        sums(stored(100, 8, length, of=of), is_sparse=True).seconds_of_all()
        for of in (0, 1, 2, 8)
    ]
    assert times == sorted(set(times))
    assert times[3] - times[0] == pytest.approx(8 * (times[1] - times[0]), rel=1e-9)


@pytest.mark.parametrize("n_groups", [1000, 5000, 40_000, 10**7])
def test_columns_that_are_made_dense_together_fill_the_room_and_no_more(n_groups):
    columns = sums(stored(40, 8, 3), is_sparse=True).chunks(n_groups)
    takes, room = 8 * n_groups, group_sums._DENSE_BYTES
    assert columns == 32 or columns * takes <= room
    assert (columns + 1) * takes > room
