"""Blocks of equal rows, worked by hand."""

from itertools import pairwise

import numpy as np
import pytest

from labelsift.statistics.partitions import CodedTable, finest, whole

# label sets of the rows: a, a, ab, b, b, a; labels as bits
LABELS = np.array([[1], [1], [3], [2], [2], [1]], dtype=np.uint64)
GROUPS = np.array([0, 0, 1, 2, 2, 0])
CODES = np.array([[0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 1, 0]], dtype=np.uint8)
ALL = np.ones(6, dtype=bool)


@pytest.fixture
def table():
    return CodedTable(CODES, LABELS, GROUPS)


def blocks_of(partition):
    bounds = partition.bounds.tolist()
    return [partition.order[start:stop].tolist() for start, stop in pairwise(bounds)]


def test_label_sets_and_those_that_hold_them(table):
    assert table.n_codes == 2
    held, starts = table.holders
    assert held.tolist() == [0, 1, 1, 1, 2]  # a: a and ab; ab: ab; b: ab and b
    assert starts.tolist() == [0, 2, 3, 5]


def test_features_part_blocks_one_after_the_other(table):
    one = whole(table)
    assert blocks_of(one) == [[0, 1, 5, 2, 3, 4]]  # by label set
    by_first = one.split(0)
    assert blocks_of(by_first) == [[0, 1, 2], [5, 3, 4]]
    parted = [[0, 2], [1], [5], [3, 4]]
    assert blocks_of(by_first.split(1)) == parted
    assert blocks_of(finest(table)) == parted
    assert blocks_of(by_first.split(0)) == blocks_of(by_first)


def test_more_values_than_one_make_more_blocks():
    codes = np.array([[2, 0, 1, 2, 1, 0], [0, 1, 2, 3, 4, 5], [0, 0, 0, 1, 1, 1]])
    table = CodedTable(codes.astype(np.uint8), LABELS, GROUPS)
    assert table.n_codes == 6
    assert blocks_of(whole(table).split(0)) == [[1, 5], [2, 4], [0, 3]]
    assert len(finest(table).bounds) == 7
    assert blocks_of(whole(table).split(0).split(2)) == [
        [1],
        [5],
        [2],
        [4],
        [0],
        [3],
    ]


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        ("powerset", [1, 3, 4, 5]),
        ("all", [0, 1, 3, 4, 5]),  # row 2 carries b, row 0 of its block does not
        ("any", [0, 1, 2, 3, 4, 5]),
    ],
)
def test_certain_rows_by_rule(table, rule, rows):
    assert np.flatnonzero(finest(table).certain(rule)).tolist() == rows


@pytest.mark.parametrize(
    ("rule", "gains"), [("powerset", [0, 0]), ("all", [2, 2]), ("any", [3, 3])]
)
def test_rows_that_each_feature_would_make_certain(table, rule, gains):
    assert whole(table).gains(np.array([0, 1]), rule, ALL).tolist() == gains


def test_only_counted_rows_and_features_asked_for_count(table):
    some = whole(table).split(0)
    assert some.gains(np.array([1]), "powerset", ALL).tolist() == [0, 4]
    counted = np.array([True, False, True, True, True, True])
    assert some.gains(np.array([1]), "powerset", counted).tolist() == [0, 3]


def test_blocks_without_a_wanted_row_go(table):
    wanted = np.arange(6) == 2
    kept = finest(table).keep(wanted)
    assert blocks_of(kept) == [[0, 2]]
    assert kept.certain("all").tolist() == [True, *[False] * 5]
    nothing = kept.keep(np.zeros(6, dtype=bool))
    assert blocks_of(nothing) == []
    assert nothing.keep(wanted) is nothing
    assert nothing.mixed_pairs() == 0
    assert blocks_of(nothing.split(1)) == []


def test_pairs_of_other_label_sets(table):
    one = whole(table)
    assert one.mixed_pairs() == 11  # of 15, 3 are of a alone and 1 of b
    assert one.split(0).mixed_pairs() == 4
    assert finest(table).mixed_pairs() == 1
    assert one.discerned(np.array([0, 1])).tolist() == [7, 7]
    assert one.split(0).discerned(np.array([1])).tolist() == [0, 3]


def test_pairs_that_stay_in_violation(table):
    one, both = whole(table), np.array([0, 1])
    assert one.violations(both, ALL).tolist() == [6, 6]
    assert one.violations(both, np.arange(6) == 2).tolist() == [2, 2]
    assert one.split(0).violations(np.array([1]), ALL).tolist() == [0, 1]
