"""Distinct label sets: numbers in order of appearance, whatever is added at once."""

from itertools import pairwise

import numpy as np
import pytest

from labelsift.encode.labels import as_label_matrix
from labelsift.statistics.label_sets import LabelSets, label_lists


def add(sets, rows):
    """Add label sets given as lists; return their numbers."""
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    indices = np.array([label for row in rows for label in row], dtype=np.int32)
    return sets.add(indptr.astype(np.int64), indices).tolist()


def held(sets):
    bounds = sets.indptr.tolist()
    return [sets.indices[a:b].tolist() for a, b in pairwise(bounds)]


@pytest.mark.parametrize(
    ("n_rows", "slots"), [(0, 0), (1, 4), (31, 64), (32, 128), (63, 128), (64, 256)]
)
def test_the_table_has_two_slots_a_set_at_least_and_a_power_of_two_of_them(
    n_rows, slots
):
    sets = LabelSets()
    sets._make_room(n_rows, 0)  # a full table would be searched without end
    assert len(sets._table) == slots
    assert (sets._table < 0).all()


def test_sets_are_numbered_in_order_of_appearance_and_known_again():
    sets = LabelSets()
    assert add(sets, [[]]) == [0]
    assert add(sets, [[2], [], [0, 2], [2], [1]]) == [1, 0, 2, 1, 3]
    assert add(sets, [[1], [0, 1, 2], [0, 2]]) == [3, 4, 2]
    assert sets.n_sets == 5
    assert held(sets) == [[], [2], [0, 2], [1], [0, 1, 2]]


def test_a_new_list_knows_no_set():
    sets = LabelSets()
    assert sets.n_sets == 0
    assert sets.indptr.tolist() == [0]
    assert sets.indices.tolist() == []


@pytest.mark.parametrize("at_once", [1, 7, 300])
def test_hundreds_of_sets_keep_their_numbers_while_room_is_made(at_once):
    rows = [[k % 20, 20 + k // 20] for k in range(300)]
    sets, found = LabelSets(), []
    for first in range(0, 300, at_once):
        found += add(sets, rows[first : first + at_once])
    assert found == list(range(300))
    assert held(sets) == rows
    assert add(sets, rows[::-1]) == list(range(299, -1, -1))


def test_lists_of_dense_labels_are_those_of_the_rows_asked_for():
    labels = as_label_matrix(np.array([[1, 1, 0], [0, 0, 1], [0, 0, 0], [1, 0, 1]]))
    indptr, indices = label_lists(labels, 1, 4)
    assert indptr.tolist() == [0, 1, 1, 3]
    assert indices.tolist() == [2, 0, 2]


def test_room_doubles_so_that_sets_one_by_one_are_copied_a_few_times():
    sets, rooms = LabelSets(), set()
    for k in range(1000):
        add(sets, [[k]])
        rooms.add(len(sets._keys))
    assert max(rooms) >= 1000
    assert len(rooms) <= 11  # 1, 2, 4 and so on to 1024
