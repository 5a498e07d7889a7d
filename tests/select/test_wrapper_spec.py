import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.select import WrapperSPEC
from labelsift.select import wrapper_spec as module
from reference.wrapper_spec import round_robin, wrapper_spec

Y4 = np.array([[1, 1, 1], [0, 1, 1], [1, 0, 0], [0, 0, 0]])
X4 = np.array([[1.0], [2], [3], [4]])


@pytest.mark.parametrize(("loops", "phi"), [(True, 0.1333333), (False, 0.2666667)])
def test_first_label_of_the_four_rows_worked_by_hand(loops, phi):
    selector = WrapperSPEC(scale="none", self_loops=loops).fit(X4, Y4)
    assert selector.problems_[0] == (0,)
    assert -selector.scores_per_problem_["x0", "label0"] == pytest.approx(phi, abs=5e-8)


@given(
    seed=st.integers(0, 10**6),
    order=st.sampled_from([1, 2]),
    criterion=st.sampled_from(["phi_1", "phi_2"]),
    loops=st.booleans(),
    scale=st.sampled_from(["zscore", "minmax", "none"]),
    is_sparse=st.booleans(),
)
def test_equals_spec_on_every_problem(seed, order, criterion, loops, scale, is_sparse):
    rng = np.random.default_rng(seed)
    Y = (rng.random((30, 4)) < 0.4).astype(int)
    X = rng.normal(size=(30, 5)) + rng.choice([0, 2, 20], 5)
    X[:, :3] *= rng.random((30, 3)) < 0.6
    want = wrapper_spec(
        X, Y, order, criterion, self_loops=loops, scale=scale, min_pair_size=12
    )
    selector = WrapperSPEC(
        order=order,
        criterion=criterion,
        self_loops=loops,
        scale=scale,
        min_pair_size=12,
    ).fit(sparse.csr_array(X) if is_sparse else X, Y)
    assert selector.problems_ == list(want)
    np.testing.assert_allclose(
        -selector.scores_per_problem_.values.T,
        list(want.values()),
        rtol=1e-9,
        atol=1e-11,
    )


def made(order=2, **options):
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (80, 4))
    X = rng.normal(size=(80, 6))
    X[:, 3] += 3 * Y[:, 1]
    X[:, 4] -= 3 * Y[:, 2]
    return WrapperSPEC(order=order, **options).fit(X, Y)


def test_each_problem_keeps_its_own_ranking():
    selector = made(order=1)
    assert selector.problems_ == [(0,), (1,), (2,), (3,)]
    assert selector.orders_[1][0] == 3
    assert selector.orders_[2][0] == 4
    for scores, order, ranks in zip(
        selector.scores_per_problem_.values.T,
        selector.orders_,
        selector.rankings_,
        strict=True,
    ):
        assert (np.diff(scores[order]) <= 0).all()
        assert (ranks[order] == np.arange(1, 7)).all()
    lists = selector.feature_lists(2)
    assert list(lists) == [0, 1, 2, 3]
    assert lists[1].tolist() == selector.orders_[1][:2].tolist()
    pairs = made(order=2).feature_lists(3)
    assert list(pairs) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert set(pairs[1, 2][:2]) == {3, 4}


def test_aggregates_worked_from_the_rankings():
    selector = made()
    np.testing.assert_allclose(selector.scores_, -selector.rankings_.mean(axis=0))
    table = selector.scores_per_problem_.values.T
    assert selector.scores_per_problem_.label_names[1] == "label0 vs label2"
    np.testing.assert_allclose(made(aggregate="mean_score").scores_, table.mean(axis=0))
    np.testing.assert_allclose(made(aggregate="min_score").scores_, table.min(axis=0))
    turns = made(aggregate="round_robin")
    assert turns.order_.tolist() == round_robin(turns.orders_)
    assert sorted(turns.scores_) == [0, 1, 2, 3, 4, 5]


def test_small_and_one_class_problems_are_left_out_and_use_the_common_ranking():
    rng = np.random.default_rng(1)
    Y = rng.integers(0, 2, (40, 2))
    Y = np.column_stack([Y, Y[:, 0], np.ones(40, dtype=int), np.zeros(40, dtype=int)])
    X = rng.normal(size=(40, 3))
    first = WrapperSPEC().fit(X, Y)
    assert first.problems_ == [(0,), (1,), (2,)]
    assert (first.feature_lists(2)[3] == first.order_[:2]).all()
    second = WrapperSPEC(order=2).fit(X, Y)
    assert (0, 2) not in second.problems_  # equal labels: no row has exactly one
    assert (second.feature_lists(1)[0, 2] == second.order_[:1]).all()
    large = WrapperSPEC(order=2, min_pair_size=41)
    with pytest.warns(UserWarning, match="no label or pair of labels parts the rows"):
        large.fit(X, Y)
    assert large.scores_.tolist() == [0, 0, 0]
    assert large.feature_lists(2)[0, 1].tolist() == [0, 1]


@pytest.mark.parametrize(
    "aggregate", ["mean_rank", "mean_score", "min_score", "round_robin"]
)
def test_constant_features_come_last_with_every_aggregate(aggregate):
    rng = np.random.default_rng(2)
    X, Y = rng.normal(size=(40, 4)), rng.integers(0, 2, (40, 3))
    X[:, 1] = 5
    X[:, 2] = np.where(Y[:, 0] == Y[:, 1], X[:, 2], 1.0)  # constant for one pair
    selector = WrapperSPEC(order=2, aggregate=aggregate, scale="none").fit(X, Y)
    assert selector.order_[-1] == 1
    assert not np.isnan(selector.scores_).any()
    assert np.isneginf(selector.scores_per_problem_[2, 0])


def test_blocks_of_problems_do_not_matter(monkeypatch):
    whole = made()
    monkeypatch.setattr(module, "_BLOCK_ENTRIES", 1)
    again = made()
    assert (again.scores_per_problem_.values == whole.scores_per_problem_.values).all()


def test_sizes_beyond_the_stated_limit_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_ENTRIES", 20)
    with pytest.raises(ValueError, match=r"more than 3 problems with 6 features"):
        made()


def test_wrong_use_is_named():
    with pytest.raises(ValueError, match="order=2 compares pairs"):
        WrapperSPEC(order=2).fit(X4, Y4[:, :1])
    with pytest.raises(ValueError, match="n_features must be at least 1"):
        made().feature_lists(0)
    for wrong in ({"order": 3}, {"aggregate": "max"}, {"criterion": "phi_3"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            WrapperSPEC(**wrong).fit(X4, Y4)
