"""Searches for a reduct on discrete features, worked by hand."""

import numpy as np
import pytest

from labelsift.score.reduct import DiscernibilitySearch, PositiveRegionSearch
from labelsift.statistics.partitions import CodedTable

# label sets of the rows: a, a, ab, b, b, a
LABELS = np.array([[1], [1], [3], [2], [2], [1]], dtype=np.uint64)
GROUPS = np.array([0, 0, 1, 2, 2, 0])
CODES = np.array([[0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 1, 0]], dtype=np.uint8)
NONE = np.zeros(6, dtype=bool)


def table(codes=CODES):
    return CodedTable(np.asarray(codes, dtype=np.uint8), LABELS, GROUPS)


def region(rule="powerset", codes=CODES, excluded=NONE, included=NONE, **options):
    options = {"tie_break": "index", "accelerate": True, **options}
    return PositiveRegionSearch(table(codes), rule, excluded, included, **options)


@pytest.mark.parametrize("accelerate", [True, False])
def test_rows_that_become_certain_from_feature_to_feature(accelerate):
    search = region(accelerate=accelerate)
    assert search.goal == 4
    assert search.stopped == "interrupted"  # nothing was run yet
    heard = []
    search.run(report=lambda *told: heard.append(told))
    assert (search.added, search.counts) == ([0, 1], [0, 4])
    assert heard == [(1, 0, 4), (2, 4, 4)]
    assert search.stopped == "complete"
    assert np.flatnonzero(search.positive).tolist() == [1, 3, 4, 5]


@pytest.mark.parametrize("accelerate", [True, False])
def test_where_a_search_may_stop_early(accelerate):
    search = region(accelerate=accelerate)
    search.run(stop_on_no_gain=True)
    assert (search.added, search.stopped) == ([], "no_gain")
    search = region("all", accelerate=accelerate)
    search.run(enough=2)
    assert (search.added, search.counts, search.stopped) == ([0], [2], "epsilon")
    nothing = region(excluded=~NONE)
    assert (nothing.goal, nothing.stopped) == (0, "nothing_certain")
    nothing.run()
    assert (nothing.added, nothing.stopped) == ([], "nothing_certain")


def test_a_feature_that_others_make_needless_is_dropped():
    codes = [*CODES, [0, 1, 0, 2, 2, 3]]  # the last tells all that both tell
    search = region(codes=codes)
    search.run()
    assert search.added == [2]
    search.added = [0, 1, 2]
    assert search.drop_needless() == [2]
    search.added = [2, 0, 1]
    assert search.drop_needless() == [0, 1]


def test_pairs_that_differ_in_their_labels_are_told_apart():
    search = DiscernibilitySearch(table(), NONE)
    assert (search.n_entries, search.n_empty) == (11, 1)
    assert search.alone().tolist() == [7, 7]
    search.run()
    assert (search.added, search.covered) == ([0, 1], [7, 10])
    assert search.stopped == "complete"
    assert search.drop_needless() == [0, 1]


def test_pairs_of_two_skipped_rows_need_not_be():
    skipped = np.array([True, False, True, False, False, True])
    search = DiscernibilitySearch(table(), skipped)
    # of the 11, row 2 with 0 and with 5 are left out; 0 and 2 were never told apart
    assert (search.n_entries, search.n_empty) == (9, 0)
    assert search.alone().tolist() == [6, 7]
    search.run()
    assert (search.added, search.covered) == ([1, 0], [7, 9])


def test_the_best_of_many_features_comes_first():
    codes = [[0] * 6, [0, 0, 1, 2, 2, 0], [0, 0, 0, 1, 1, 0]]
    search = DiscernibilitySearch(table(codes), NONE)
    search.run()
    assert (search.added, search.covered) == ([1], [11])
