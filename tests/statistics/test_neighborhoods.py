"""Neighbourhoods: units, lists and counts against all pairs of rows, one by one."""

from inspect import isabstract

import numpy as np
import pytest

from labelsift.encode.tolerance_columns import tolerance_columns
from labelsift.statistics import neighborhoods_windows
from labelsift.statistics.neighborhoods import (
    NeighborLists,
    Space,
    label_units,
    packed_labels,
)
from labelsift.statistics.neighborhoods_bits import BitSpace, window_space
from labelsift.statistics.neighborhoods_distances import DistanceSpace, distance_space
from labelsift.statistics.neighborhoods_windows import WindowSpace, _equal_rows

N, D = 70, 5
NOMINAL = np.array([False, True, False, False, True])


def drawn(n_values, *, gaps=True):
    """Return features, some missing, and labels, the last of which is beyond 64."""
    rng = np.random.default_rng(7)
    X = rng.integers(0, n_values, (N, D)).astype(float)
    X[:, 3] = rng.integers(0, 2, N)
    if gaps:
        X[rng.random((N, D)) < 0.05] = np.nan
    Y = np.zeros((N, 67), dtype=np.uint8)
    Y[:, [0, 40, 66]] = rng.random((N, 3)) < [0.6, 0.3, 0.5]
    return X, Y


def differences(table):
    """Return how far apart any two rows are in each feature; 0 where one is missing."""
    values = table.to_values(np.arange(D))
    apart = np.abs(values[:, None] - values[None])
    apart[..., NOMINAL] = (apart[..., NOMINAL] != 0) & ~np.isnan(apart[..., NOMINAL])
    return np.nan_to_num(apart)


def violating(units, Y):
    """Return for each unit the rows that lack one of the labels that it requires."""
    words = np.array([packed_labels(row[None])[0] for row in Y])
    return (units.required[:, None] & ~words[None]).any(axis=2)


class Plain:
    """What a space must answer, from all pairs."""

    def __init__(self, table, units, Y, kind, threshold):
        self.apart = differences(table)[units.rows]
        self.violates = violating(units, Y)
        self.kind, self.threshold = kind, threshold

    def near(self, columns):
        if self.kind == "distance":
            squares = (self.apart[..., columns] ** 2).sum(axis=2)
            return squares <= self.threshold**2 + 1e-9
        limits = np.where(NOMINAL, 0.0, self.threshold)[columns]
        return (self.apart[..., columns] <= limits + 1e-9).all(axis=2)

    def left(self, columns):
        """Return the violating neighbours of each unit, as a mask."""
        return self.violates & self.near(columns)


SPACES = {
    "bits": (4, lambda t, h: window_space(t, np.full(D, h))),
    "windows": (30, lambda t, h: WindowSpace(t, np.full(D, h))),
    "distance": (30, lambda t, h: DistanceSpace(t, h)),
}


def made(kind, quantifier, threshold, *, gaps=True):
    n_values, make = SPACES[kind]
    X, Y = drawn(n_values, gaps=gaps)
    table = tolerance_columns(X, NOMINAL, scale=True)
    units = label_units(Y, np.flatnonzero(Y.any(axis=1)), quantifier)
    return make(table, threshold), units, Plain(table, units, Y, kind, threshold)


CASES = [
    (kind, quantifier, threshold)
    for kind in SPACES
    for quantifier in ("all", "any")
    for threshold in (0.35, 1.1)
]


@pytest.mark.parametrize(("kind", "quantifier", "threshold"), CASES)
def test_certain_units_are_those_that_no_violating_row_is_near(
    kind, quantifier, threshold
):
    space, units, plain = made(kind, quantifier, threshold)
    for inner in ([0], [1, 2], list(range(D))):
        found = space.find_certain(units, np.array(inner))
        expected = ~plain.left(space.columns[inner]).any(axis=1)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("kind", "quantifier", "threshold"), CASES)
def test_lists_hold_the_violating_neighbours_from_round_to_round(
    kind, quantifier, threshold
):
    space, units, plain = made(kind, quantifier, threshold)
    chosen = np.arange(1, len(units))
    lists = space.lists(units, chosen)
    for reduct in ([], [2], [2, 0], [2, 0, 1], [2, 0, 1, 4]):
        lists.update(reduct)
        left = plain.left(space.columns[reduct])[chosen]
        np.testing.assert_array_equal(lists.length, left.sum(axis=1))
        assert lists.n_pairs == left.sum()
        free = [c for c in range(D) if c not in reduct]
        parted, gains = [], np.zeros(space.width, dtype=int)
        for c in free:
            then = plain.left(space.columns[[*reduct, c]])[chosen]
            parted.append(int(left.sum() - then.sum()))
            certain = units.rows[chosen][~then.any(axis=1)]
            gains[c] = len(np.unique(certain))
        found = lists.discerned(space.view(np.array(free)))
        assert found.tolist() == parted
        assert lists.gains(np.array(free)).tolist() == gains.tolist()
    certain = lists.drop_certain()
    is_certain = ~left.any(axis=1)
    assert certain.tolist() == np.unique(units.rows[chosen][is_certain]).tolist()
    assert not np.isin(lists.rows, certain).any()
    assert len(lists.rows) == len(lists.chosen) == len(lists.length)


@pytest.mark.parametrize("kind", SPACES)
def test_memory_is_that_of_the_pairs_that_are_left(kind):
    space, units, _ = made(kind, "all", 0.35)
    assert space.pair_bytes == (10 if kind == "distance" else 2)
    lists = space.lists(units, np.arange(len(units)))
    lists.update([0, 1, 2, 3, 4])
    assert 0 < lists.n_pairs < len(units)
    assert lists.n_bytes == lists.n_pairs * space.pair_bytes
    assert len(lists.members) == lists.n_pairs
    lists.forget()
    assert len(lists.members) == 0
    assert lists.pointers.size == 0
    lists.update([0])
    assert lists.n_pairs == space_pairs(space, units, [0])


def space_pairs(space, units, reduct):
    fresh = space.lists(units, np.arange(len(units)))
    fresh.update(reduct)
    return fresh.n_pairs


@pytest.mark.parametrize("kind", ["windows", "distance"])
def test_lists_of_half_the_length_are_copied(kind):
    space, units, _ = made(kind, "all", 0.35)
    lists = space.lists(units, np.arange(len(units)))
    lists.update([])
    before = len(lists.members)
    assert before == lists.n_pairs
    reduct = []
    for column in range(D):
        reduct.append(column)
        lists.update(reduct)
        assert lists.n_pairs <= len(lists.members) < max(2 * lists.n_pairs, 1)
    assert len(lists.members) < before


def test_bits_become_lists_below_one_neighbour_in_32_rows():
    space, units, _ = made("bits", "all", 0.35)
    lists = space.lists(units, np.arange(len(units)))
    seen = set()
    for reduct in ([], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3, 4]):
        lists.update(reduct)
        is_many = lists.n_pairs * 32 > len(units) * N
        assert (lists.bits is not None) == is_many
        if is_many:
            assert lists.n_bytes == len(units) * 2 * 8  # 70 rows are two words
        seen.add(is_many)
    assert seen == {True, False}


@pytest.mark.parametrize(("n", "words"), [(63, 1), (64, 1), (65, 2)])
def test_planes_have_a_bit_for_each_row(n, words):
    X = (np.arange(n) % 3.0)[:, None]
    space = window_space(
        tolerance_columns(X, np.array([False]), scale=True), np.array([0.5])
    )
    assert isinstance(space, BitSpace)
    assert space.planes.shape == (3, words)
    # 0, 1/2 and 1: the middle value is near all, the others are near two
    first, second, third = (len(X[value::3]) for value in range(3))
    assert space.n_far.tolist() == [third, 0, first]
    assert first + second + third == n


@pytest.mark.parametrize(("kind", "quantifier", "threshold"), CASES)
def test_pairs_that_a_feature_tells_apart_alone(
    monkeypatch, kind, quantifier, threshold
):
    if kind == "bits":
        kind = "windows"
    monkeypatch.setattr(neighborhoods_windows, "_PAIRS_PER_CELL", 1e9)
    space, units, plain = made(kind, quantifier, threshold)
    found = space.discerned_alone(units)[:D]
    expected = [
        int((plain.violates & ~plain.near(np.array([c]))).sum()) for c in space.columns
    ]
    assert found.tolist() == expected


def test_many_label_sets_are_counted_pair_by_pair(monkeypatch):
    monkeypatch.setattr(neighborhoods_windows, "_PAIRS_PER_CELL", 0)
    for kind in ("windows", "distance"):
        space, units, _ = made(kind, "all", 0.35)
        assert space.discerned_alone(units) is None


def test_columns_that_part_most_rows_come_first():
    # of 6 rows: halves part 18 ordered pairs, thirds 24, one apart 10, none 0
    X = np.array([[0, 0, 0, 5], [0, 0, 0, 5], [0, 1, 0, 5]] * 2, dtype=float)
    X[3:, 0], X[3:, 1], X[5, 2] = 1, [1, 2, 2], 1
    X[:, 1] = [0, 0, 1, 1, 2, 2]
    table = tolerance_columns(X, np.zeros(4, dtype=bool), scale=False)
    space = WindowSpace(table, np.zeros(4))
    assert space.columns.tolist() == [1, 0, 2, 3]
    # one apart is near in column 1: only 0 and 2 part, 8 pairs, fewer than 10
    space = WindowSpace(table, np.array([0.0, 1.0, 0.0, 0.0]))
    assert space.columns.tolist() == [0, 2, 1, 3]
    assert space.exact.tolist() == [True, True, False, True]
    assert not space.is_partition


def test_columns_that_part_as_many_rows_stay_in_their_order():
    # either parts one row of six from five, from the other end
    X = np.array([[0, 0, 0, 0, 0, 1], [0, 1, 1, 1, 1, 1], [np.nan] * 6]).T
    for order in ([0, 1, 2], [1, 0, 2], [2, 1, 0]):
        table = tolerance_columns(X[:, order], np.zeros(3, dtype=bool), scale=False)
        space = WindowSpace(table, np.zeros(3))
        assert space.columns.tolist() == [c for c in range(3) if order[c] < 2] + [
            order.index(2)
        ]


def test_missing_values_part_no_rows():
    # one of six apart: 10 ordered pairs; two of five from three: 12, one is missing;
    # one of four from three: 6, two are missing
    gap = np.nan
    X = np.array([[0, 0, 0, 0, 0, 1], [0, 0, 1, 1, 1, gap], [0, 1, 1, 1, gap, gap]]).T
    table = tolerance_columns(X, np.zeros(3, dtype=bool), scale=False)
    space = WindowSpace(table, np.zeros(3))
    assert space.columns.tolist() == [1, 0, 2]
    assert space.exact.tolist() == [False, True, False]


def test_views_are_padded_where_instructions_take_32_columns_together():
    X = np.random.default_rng(0).integers(0, 3, (6, 40)).astype(float)
    table = tolerance_columns(X, np.zeros(40, dtype=bool), scale=True)
    space = WindowSpace(table, np.full(40, 0.1))
    assert space.width == 64
    for size, width in ((1, 1), (16, 16), (17, 32), (32, 32)):
        columns = np.arange(size)[::-1]
        codes, low, high = space.view(columns).data
        assert codes.shape == low.shape == high.shape == (6, width)
        np.testing.assert_array_equal(codes[:, :size], space.codes[:, columns])
        assert (codes[:, size:] == space.missing).all()
    assert space.view(np.arange(33)).data[0] is space.codes


def test_more_columns_than_rows_are_counted_each():
    X = np.random.default_rng(1).integers(0, 40, (6, 40)).astype(float)
    Y = np.eye(6, dtype=np.uint8)
    table = tolerance_columns(X, np.zeros(40, dtype=bool), scale=True)
    space = WindowSpace(table, np.full(40, 0.3))
    units = label_units(Y, np.arange(6), "all")
    lists = space.lists(units, np.arange(6))
    lists.update([])
    values = table.to_values(space.columns)
    apart = np.abs(values[:, None] - values[None]) > 0.3 + 1e-12
    for columns in (np.arange(40), np.array([39, 0, 7])):
        found = lists.discerned(space.view(columns))
        assert found.tolist() == apart.sum(axis=(0, 1))[columns].tolist()


@pytest.mark.parametrize(
    ("values", "threshold", "by_distance"),
    [
        ([0.0, 0.5, 1.0], 0.4, False),  # 0.25 is more than 0.16
        ([0.0, 0.3, 1.0], 0.4, True),
        ([0.0, 0.5, 1.0], 0.5, True),
        ([0.0, 1.0], 0.9, False),
        ([0.5, 0.5], 0.9, False),  # one value only
    ],
)
def test_distances_are_taken_where_different_values_may_be_near(
    values, threshold, by_distance
):
    X = np.array([values]).T
    table = tolerance_columns(X, np.array([False]), scale=False)
    assert isinstance(distance_space(table, threshold), DistanceSpace) == by_distance


@pytest.mark.parametrize("threshold", [0.9, 1.0])
def test_values_of_a_nominal_feature_are_1_apart(threshold):
    table = tolerance_columns(
        np.array([[1.0], [2.0], [9.0]]), np.array([True]), scale=False
    )
    is_near = threshold >= 1
    assert isinstance(distance_space(table, threshold), DistanceSpace) == is_near


def test_what_a_column_adds_at_most_is_its_range_squared():
    X = np.array([[3.0, 1.0, 10.0], [5.0, 7.0, 10.5], [4.0, 9.0, 11.0]])
    nominal = np.array([False, True, False])
    table = tolerance_columns(X, nominal, scale=False)
    assert DistanceSpace(table, 0.5).most == 4.0  # from 3 to 5
    table = tolerance_columns(X[:, 1:], nominal[1:], scale=False)
    assert DistanceSpace(table, 0.5).most == 1.0
    table = tolerance_columns(X[:, 2:], nominal[2:], scale=False)
    space = DistanceSpace(table, 0.5)
    assert space.most == 1.0
    assert space.limit == pytest.approx(0.25, rel=1e-9)


@pytest.mark.parametrize("q", [1, 63, 64, 65, 128])
def test_labels_are_packed_64_to_a_word(q):
    Y = np.random.default_rng(q).integers(0, 2, (5, q)).astype(np.uint8)
    words = packed_labels(Y)
    assert words.shape == (5, -(-q // 64))
    for row, packed in zip(Y, words, strict=True):
        value = sum(int(word) << (64 * k) for k, word in enumerate(packed))
        assert value == sum(1 << j for j in range(q) if row[j])


def test_units_of_any_label_require_one_label_each():
    Y = np.zeros((3, 70), dtype=np.uint8)
    Y[0, [3, 69]], Y[2, 64] = 1, 1
    units = label_units(Y, np.array([0, 2]), "any")
    assert units.rows.tolist() == [0, 0, 2]
    assert units.required.tolist() == [[8, 0], [0, 32], [0, 1]]
    part = units.take(np.array([2]))
    assert len(part) == 1
    assert part.required.tolist() == [[0, 1]]
    whole = label_units(Y, np.array([0, 2]), "all")
    assert whole.required.tolist() == [[8, 32], [0, 1]]


def test_row_numbers_take_two_bytes_up_to_65536_rows():
    space, _, _ = made("windows", "all", 0.35)
    for n, kind in ((2**16, np.uint16), (2**16 + 1, np.uint32)):
        space.n_samples = n
        assert space.member_type is kind


def test_equal_rows_stand_together_in_order():
    table = np.array([[2, 1], [0, 5], [2, 1], [0, 4]])
    order, bounds, kind = _equal_rows(table)
    assert order.tolist() == [3, 1, 0, 2]
    assert bounds.tolist() == [0, 1, 2, 4]
    assert kind.tolist() == [2, 1, 2, 0]
    order, bounds, kind = _equal_rows(np.empty((3, 0)))
    assert (order.tolist(), bounds.tolist()) == ([0, 1, 2], [0, 3])
    assert kind.tolist() == [0, 0, 0]


@pytest.mark.parametrize(("n", "size"), [(2**16, 2), (2**16 + 1, 4)])
def test_a_neighbour_takes_two_bytes_as_long_as_they_can_name_every_row(n, size):
    X = (np.arange(n) % 2.0)[:, None]
    space = WindowSpace(
        tolerance_columns(X, np.array([True]), scale=False), np.zeros(1)
    )
    assert space.pair_bytes == size
    assert np.iinfo(space.member_type).max >= n - 1


NEEDED = {
    Space: ["find_certain", "view", "lists"],
    NeighborLists: ["discerned", "_list", "_narrow", "_count_gains"],
}


@pytest.mark.parametrize("base", NEEDED)
def test_a_kind_that_lacks_a_method_cannot_be_made(base):
    given = {name: lambda self, *rest: None for name in NEEDED[base]}
    assert not isabstract(type("Whole", (base,), given))
    for name in NEEDED[base]:
        part = {each: method for each, method in given.items() if each != name}
        kind = type("Part", (base,), part)
        with pytest.raises(TypeError, match=f"abstract method '?{name}'?$"):
            kind()
