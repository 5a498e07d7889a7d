from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from labelsift.learn import LabelPowerset, RAkEL
from labelsift.learn._labelsets_draw import cover_all, distinct_subsets, partition
from reference import transformation as reference

TREE = DecisionTreeClassifier(max_depth=2, random_state=0)


def table(n=60, d=4, q=6, seed=0):
    rng = np.random.default_rng(seed)
    labels = (rng.random((n, q)) < 0.4).astype(int)
    rows = rng.normal(size=(n, d))
    rows[:, : min(d, q)] += labels[:, : min(d, q)]
    return rows, labels


def test_worked_example():
    # Three rows at 0 with label sets {0, 1}, {0, 1}, {2} and two at 9 with {1, 2}.
    rows = [[0], [0], [0], [9], [9]]
    labels = [[1, 1, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1], [0, 1, 1]]
    model = RAkEL(KNeighborsClassifier(3), labelset_size=2).fit(rows, labels)
    assert model.labelsets_ == [(0, 1), (0, 2), (1, 2)]
    # At 0: (0, 1) says both, (0, 2) says 0, (1, 2) says 1.
    assert model.predict_proba([[0]]).tolist() == [[1.0, 1.0, 0.0]]
    soft = RAkEL(KNeighborsClassifier(3), labelset_size=2, voting="soft")
    np.testing.assert_allclose(
        soft.fit(rows, labels).predict_proba([[0]]), [[2 / 3, 2 / 3, 1 / 3]]
    )


@given(
    seed=st.integers(0, 2**32 - 1),
    soft=st.booleans(),
    threshold=st.sampled_from([0.3, 0.5, 1]),
)
def test_matches_plain_reference(seed, soft, threshold):
    rng = np.random.default_rng(seed)
    rows, queries = rng.integers(0, 4, (14, 2)), rng.integers(0, 4, (7, 2))
    labels = (rng.random((14, 5)) < rng.random(5)).astype(int)
    model = RAkEL(
        TREE,
        n_models=4,
        voting="soft" if soft else "hard",
        threshold=threshold,
        random_state=seed,
    ).fit(rows, labels)
    expected = reference.rakel(
        TREE,
        rows.tolist(),
        labels.tolist(),
        queries.tolist(),
        model.labelsets_,
        soft,
    )
    scores = model.predict_proba(queries)
    np.testing.assert_allclose(scores, expected, atol=1e-14)
    np.testing.assert_array_equal(model.predict(queries), scores >= threshold)


def test_default_number_of_models_is_twice_the_labels_or_all_labelsets():
    for q, k in ((3, 3), (4, 3), (6, 3), (5, 2), (5, 1), (2, 1)):
        rows, labels = table(q=q)
        model = RAkEL(TREE, labelset_size=k, random_state=0).fit(rows, labels)
        assert len(model.labelsets_) == min(2 * q, comb(q, k))
        assert len(set(model.labelsets_)) == len(model.labelsets_)
        assert {len(s) for s in model.labelsets_} == {k}


@given(
    q=st.integers(1, 9),
    k=st.integers(1, 9),
    m=st.integers(1, 60),
    seed=st.integers(0, 99),
)
def test_drawn_labelsets_are_distinct_and_cover(q, k, m, seed):
    k = min(k, q)
    m = min(m, comb(q, k))
    drawn = distinct_subsets(q, k, m, np.random.RandomState(seed))
    covering = cover_all(drawn, q, np.random.RandomState(seed))
    for subsets in (drawn, covering):
        assert len(set(subsets)) == len(subsets) == m
        assert subsets == sorted(subsets)
        for subset in subsets:
            assert list(subset) == sorted(set(subset))
            assert len(subset) == k
            assert set(subset) <= set(range(q))
    reached = set().union(*covering)
    assert len(reached) == min(q, m * k) or reached == set(range(q))
    if set().union(*drawn) == set(range(q)):
        assert covering == drawn


def test_labelsets_are_drawn_evenly():
    counts = dict.fromkeys(combinations(range(6), 2), 0)
    for seed in range(600):
        for subset in distinct_subsets(6, 2, 5, np.random.RandomState(seed)):
            counts[subset] += 1
    # Each of 15 pairs has a chance of 1/3: 200 +- 11.5 (one standard deviation).
    assert all(150 < c < 250 for c in counts.values())


def test_thousands_of_labels_need_no_list_of_all_labelsets():
    drawn = distinct_subsets(4000, 3, 500, np.random.RandomState(0))  # of 1e10
    assert len(set(drawn)) == 500


def test_every_label_is_in_a_model_unless_left_to_chance():
    rows, labels = table(q=12)
    labels[:] = labels | (np.arange(12) == 11)  # the last label is everywhere
    uncovered = 0
    for seed in range(30):
        options = {"n_models": 4, "random_state": seed}
        sure = RAkEL(TREE, **options).fit(rows, labels)
        assert {i for s in sure.labelsets_ for i in s} == set(range(12))
        assert sure.predict(rows)[:, 11].all()
        chance = RAkEL(TREE, cover=False, **options).fit(rows, labels)
        missing = set(range(12)) - {i for s in chance.labelsets_ for i in s}
        uncovered += len(missing)
        assert not chance.predict_proba(rows)[:, sorted(missing)].any()
    assert uncovered


def test_too_few_models_to_reach_all_labels_are_named():
    rows, labels = table(q=6)
    with pytest.warns(UserWarning, match=r"1 models of 3 labels .* Take n_models=2"):
        RAkEL(TREE, n_models=1, random_state=0).fit(rows, labels)


@pytest.mark.parametrize(
    ("q", "k", "sizes"),
    [
        (6, 3, [3, 3]),
        (7, 3, [3, 4]),  # the single label left over joins the group before
        (8, 3, [2, 3, 3]),
        (3, 3, [3]),
        (4, 1, [1, 1, 1, 1]),
        (1, 1, [1]),
    ],
)
def test_disjoint_groups_part_the_labels(q, k, sizes):
    groups = partition(q, k, np.random.RandomState(0))
    assert sorted(len(g) for g in groups) == sizes
    assert sorted(i for g in groups for i in g) == list(range(q))
    rows, labels = table(q=q)
    model = RAkEL(TREE, labelset_size=k, disjoint=True, random_state=0)
    assert sorted(len(g) for g in model.fit(rows, labels).labelsets_) == sizes


def test_n_models_with_disjoint_is_an_error():
    rows, labels = table()
    with pytest.raises(
        ValueError, match=r"n_models=5 with disjoint=True.*Leave n_models"
    ):
        RAkEL(TREE, n_models=5, disjoint=True).fit(rows, labels)


def test_more_models_than_labelsets_are_named():
    rows, labels = table(q=4)
    with pytest.warns(
        UserWarning, match="4 labels have 4 labelsets of 3; all are used"
    ):
        model = RAkEL(TREE, n_models=9).fit(rows, labels)
    assert len(model.labelsets_) == 4


@pytest.mark.parametrize("q", [1, 2])
@pytest.mark.parametrize("disjoint", [False, True])
def test_fewer_labels_than_a_labelset_is_label_powerset_with_a_note(q, disjoint):
    rows, labels = table(q=q)
    with pytest.warns(UserWarning, match=f"labelset_size=3 but y has {q} label"):
        model = RAkEL(TREE, disjoint=disjoint).fit(rows, labels)
    expected = LabelPowerset(TREE).fit(rows, labels)
    np.testing.assert_array_equal(model.predict(rows), expected.predict(rows))


def test_as_many_labels_as_a_labelset_is_label_powerset():
    rows, labels = table(q=3)
    model = RAkEL(TREE).fit(rows, labels)
    expected = LabelPowerset(TREE).fit(rows, labels).predict(rows)
    np.testing.assert_array_equal(model.predict(rows), expected)


def test_seed_settles_labelsets_and_base_for_any_number_of_jobs():
    rows, labels = table(n=40)
    base = RandomForestClassifier(3)
    runs = [
        RAkEL(base, random_state=3, n_jobs=jobs).fit(rows, labels).predict_proba(rows)
        for jobs in (None, None, 2)
    ]
    np.testing.assert_array_equal(runs[0], runs[1])
    np.testing.assert_array_equal(runs[0], runs[2])
    assert base.random_state is None
    own = RAkEL(RandomForestClassifier(3, random_state=5), random_state=3)
    assert own.fit(rows, labels).estimators_[0].random_state == 5


def test_models_that_part_the_rows_alike_share_a_fit():
    rows, labels = table(q=2)
    twins = labels[:, [0, 1, 0, 1]]
    model = RAkEL(TREE, labelset_size=2).fit(rows, twins)
    assert len(model.labelsets_) == 6
    # {0, 1}, {0, 3}, {1, 2}, {2, 3} part the rows alike; so do {0, 2}; and {1, 3}.
    assert model.n_fits_ == 3
