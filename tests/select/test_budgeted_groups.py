import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from example_counts import examples
from labelsift.select import CSIG, D2F, MLMIM, SCLS, BudgetedGroups, Chi2
from labelsift.select import budgeted_groups as module
from reference import budgeted_groups as reference

X = np.array(
    [
        [0, 0, 1],
        [0, 1, 1],
        [1, 0, 0],
        [1, 1, 1],
        [2, 0, 0],
        [2, 1, 1],
        [0, 1, 0],
        [1, 0, 0],
    ]
)
Y = np.array([[1, 1], [1, 0], [0, 1], [0, 0], [0, 0], [0, 1], [1, 0], [1, 1]])
GROUPS = {"A": [0, 2], "B": [1]}


def rotated(places):
    """Return shadows whose rows lie ``places`` further down."""

    def rows(rng, n, n_shadows):
        return np.tile(np.roll(np.arange(n), places), (n_shadows, 1))

    return rows


@pytest.mark.parametrize(
    ("places", "kept", "values"),
    [(1, [0], [0.716917]), (2, [0, 2], [0.716917, 0.783083])],
)
def test_worked_example(places, kept, values, monkeypatch):
    # step 1 takes a1; a2 (1.033083) does not fit. a3 is in the group of a1: .783083.
    # Its shadow one row down scores .783083 too, two rows down .25.
    monkeypatch.setattr(module, "shadow_rows", rotated(places))
    selector = BudgetedGroups(budget=30, costs=[10, 40, 10], cost_groups=GROUPS)
    selector.fit(X, Y)
    assert selector.get_support(indices=True).tolist() == kept
    np.testing.assert_allclose(selector.criterion_, values, atol=1e-6)
    assert selector.added_free_.tolist() == kept[1:]
    assert selector.total_cost_ == 10
    assert selector.cost_share_ == 0.2
    assert selector.order_.tolist() == ([0, 1, 2] if places == 1 else [0, 2, 1])


def table(seed, n=40, d=8, q=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n, d))
    Y = (rng.random((n, q)) < 0.5).astype(int)
    X[:, 1] = X[:, 1] * Y[:, 0]
    X[:, 4] = Y[:, 1] + rng.integers(0, 2, n)
    X[:, 6] = (X[:, 4] > 0) ^ Y[:, 2]
    return X, Y


@examples(25)
@given(
    seed=st.integers(0, 2**32 - 1),
    method=st.sampled_from(["d2f", "scls", "mlmim"]),
    skip=st.booleans(),
    budget=st.sampled_from([0.0, 3.0, 7.0, 30.0]),
)
@pytest.mark.filterwarnings("ignore:budget=.* pay")
def test_both_steps_equal_the_slow_reference(seed, method, skip, budget):
    X, Y = table(seed)
    X[:, 7] = 1  # constant: it must never be taken
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 4, 8)
    price = rng.integers(0, 6, 4).astype(float)
    groups = {
        f"g{g}": (float(price[g]), [int(f) for f in np.flatnonzero(group == g)])
        for g in np.unique(group)
    }
    selector = BudgetedGroups(
        method,
        budget=budget,
        costs=np.zeros(8),
        cost_groups=groups,
        on_exceed="skip" if skip else "stop",
        random_state=seed,
    ).fit(X, Y)
    columns, labels = X.T.tolist(), Y.T.tolist()
    picked, owned = reference.step_1(
        method, columns, labels, group, price, budget, skip
    )
    n_added = len(selector.added_free_)
    kept = selector.order_[: selector.n_features_].tolist()
    assert kept[: len(kept) - n_added] == picked
    free = [
        f
        for f in range(7)
        if f not in picked and (group[f] in owned or price[group[f]] == 0)
    ]
    if not free:
        assert n_added == 0
        return
    drawn = module.shadow_rows(np.random.RandomState(seed), len(X), len(free))
    shadows = {f: X[rows, f].tolist() for f, rows in zip(free, drawn, strict=True)}
    added = reference.step_2(method, columns, labels, picked, free, shadows)
    assert selector.added_free_.tolist() == added
    assert selector.total_cost_ <= budget
    assert selector.total_cost_ == selector.cost_of(kept)


@pytest.mark.parametrize("inner", [D2F(), SCLS(), MLMIM(discretize="none")])
def test_with_money_for_everything_it_is_the_ranking(inner):
    X, Y = table(1)
    plain = inner.fit(X, Y)
    rich = BudgetedGroups(inner, budget=100, costs=np.full(8, 5.0)).fit(X, Y)
    assert rich.order_.tolist() == plain.order_.tolist()
    np.testing.assert_array_equal(rich.criterion_, plain.criterion_)
    np.testing.assert_array_equal(rich.scores_, plain.scores_)
    assert rich.total_cost_ == 40
    free = BudgetedGroups(inner).fit(X, Y)
    assert free.order_.tolist() == plain.order_.tolist()
    assert (free.total_cost_, free.cost_share_) == (0, 0)


def test_prices_of_single_features_make_a_plain_budget():
    X, Y = table(2)
    order = D2F().fit(X, Y).order_
    costs = np.ones(8)
    costs[order[2]] = 10
    stop = BudgetedGroups(budget=5, costs=costs).fit(X, Y)
    assert stop.order_[: stop.n_features_].tolist() == order[:2].tolist()
    skip = BudgetedGroups(budget=5, costs=costs, on_exceed="skip").fit(X, Y)
    assert skip.n_features_ == 5
    assert order[2] not in skip.get_support(indices=True)
    assert skip.total_cost_ == 5


def test_what_was_too_dear_alone_is_bought_once_its_group_is_paid():
    # c shares its test with b; alone it costs more than there is
    X, Y = table(3)
    best = D2F().fit(X, Y).order_
    first, second = int(best[0]), int(best[1])
    costs = np.full(8, 100.0)
    costs[[first, second]] = [6, 0]
    groups = {"both": (4.0, [first, second])}
    selector = BudgetedGroups(
        budget=10, costs=costs, cost_groups=groups, on_exceed="skip"
    ).fit(X, Y)
    assert set(selector.get_support(indices=True)) == {first, second}
    assert selector.total_cost_ == 10


def test_noise_in_bought_groups_is_left_out_and_signal_is_not():
    rng = np.random.default_rng(4)
    Y = (rng.random((400, 3)) < 0.5).astype(int)
    noise = rng.integers(0, 3, (400, 6))
    X = np.column_stack([Y[:, 0], noise[:, :3], Y[:, 1], noise[:, 3:], Y[:, 2]])
    groups = {"one": [0, 1, 2, 3, 4], "two": [5, 6, 7, 8]}
    selector = BudgetedGroups(
        "scls", budget=10, costs=np.full(9, 10.0), cost_groups=groups
    ).fit(X, Y)
    kept = selector.get_support(indices=True).tolist()
    assert {0, 4} <= set(kept)
    assert 8 not in kept
    assert selector.total_cost_ == 10


def test_the_same_seed_gives_the_same_shadows_and_others_differ():
    rng = np.random.default_rng(5)
    X, Y = rng.integers(0, 2, (30, 12)), (rng.random((30, 2)) < 0.5).astype(int)
    costs, groups = np.full(12, 1.0), {"all": [0, 2, 4, 6, 8, 10]}

    def added(seed):
        settings = {"budget": 1, "costs": costs, "cost_groups": groups}
        fitted = BudgetedGroups(**settings, random_state=seed).fit(X, Y)
        return tuple(fitted.added_free_)

    assert added(1) == added(1)
    assert len({added(seed) for seed in range(20)}) > 1


def test_features_kept_are_counted_over_both_steps():
    X, Y = table(6)
    groups = {"all": list(range(8))}
    settings = {"budget": 5, "costs": np.full(8, 5.0), "cost_groups": groups}
    for size in (1, 3):
        selector = BudgetedGroups(**settings, n_features_to_select=size).fit(X, Y)
        assert selector.n_features_ == size
    assert (
        BudgetedGroups(**settings, n_features_to_select=0.5).fit(X, Y).n_features_ == 4
    )


def test_computed_features_pay_for_their_parts():
    X, Y = table(7)
    first = int(D2F().fit(X, Y).order_[0])
    parts = [f for f in range(8) if f != first][:2]
    costs = dict.fromkeys((f"x{f}" for f in range(8)), 3.0)
    del costs[f"x{first}"]
    selector = BudgetedGroups(
        budget=6,
        costs=costs,
        derived_features={f"x{first}": [f"x{p}" for p in parts]},
        n_features_to_select=1,
    ).fit(X, Y)
    assert selector.get_support(indices=True).tolist() == [first]
    assert selector.total_cost_ == 6


def test_sparse_rows_give_what_dense_ones_do():
    rng = np.random.default_rng(8)
    X = rng.integers(0, 3, (60, 10)) * (rng.random((60, 10)) < 0.4).astype(float)
    Y = (rng.random((60, 3)) < 0.4).astype(int)
    settings = {
        "budget": 2,
        "costs": np.ones(10),
        "cost_groups": {"a": [0, 1, 2, 3, 4], "b": [5, 6, 7, 8, 9]},
    }
    one = BudgetedGroups(**settings).fit(X, Y)
    other = BudgetedGroups(**settings).fit(sparse.csr_array(X), Y)
    assert one.order_.tolist() == other.order_.tolist()
    assert one.added_free_.tolist() == other.added_free_.tolist()


def test_nothing_that_can_be_paid_is_told():
    with pytest.warns(UserWarning, match="budget=2 pays for no feature .* costs 5"):
        selector = BudgetedGroups(budget=2, costs=[5, 6, 7]).fit(X, Y)
    assert selector.get_support().sum() == 0
    assert selector.total_cost_ == 0
    assert sorted(selector.order_) == [0, 1, 2]


def test_what_could_be_paid_is_told_where_the_best_could_not():
    best = int(BudgetedGroups().fit(X, Y).order_[0])
    costs = np.ones(3)
    costs[best] = 9
    with pytest.warns(UserWarning, match="does not pay for the best .*'skip'"):
        selector = BudgetedGroups(budget=1, costs=costs).fit(X, Y)
    assert selector.get_support().sum() == 0
    skipping = BudgetedGroups(budget=1, costs=costs, on_exceed="skip").fit(X, Y)
    assert skipping.get_support().sum() == 1


def test_what_costs_nothing_is_kept_though_nothing_can_be_bought():
    # The best feature is too dear. Age is known anyway and tells of the labels, so it
    # is kept; noise that is known anyway is not.
    rng = np.random.default_rng(0)
    label = np.arange(120) % 2
    known = np.where(rng.random(120) < 0.9, label, 1 - label)
    noise = rng.integers(0, 2, 120)
    table = np.column_stack([label, noise, known])
    labels = np.column_stack([label, rng.integers(0, 2, 120)])
    for on_exceed in ("stop", "skip"):
        selector = BudgetedGroups(budget=0, costs=[9, 0, 0], on_exceed=on_exceed)
        selector.fit(table, labels)
        kept = selector.get_support(indices=True).tolist()
        # what is free is bought in step 1, noise too, by those who ask to go on
        assert kept == ([2] if on_exceed == "stop" else [1, 2])
        assert selector.total_cost_ == 0
    stopped = BudgetedGroups(budget=0, costs=[9, 0, 0]).fit(table, labels)
    assert stopped.added_free_.tolist() == [2]
    with pytest.warns(UserWarning, match="budget=0 does not pay for the best feature"):
        none = BudgetedGroups(budget=0, costs=[9, 0]).fit(table[:, :2], labels)
    assert none.get_support().sum() == 0


def test_constant_features_are_told_whatever_they_cost():
    with pytest.warns(UserWarning, match=r"^no feature varies\. Nothing is kept\.$"):
        BudgetedGroups(budget=5, costs=[1, 1, 1]).fit(np.ones((len(Y), 3)), Y)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"selector": Chi2()}, TypeError, "picks features greedily.*found Chi2"),
        ({"selector": "scl"}, ValueError, "there is no selector 'scl'"),
        ({"budget": 5}, ValueError, "budget= needs costs"),
        ({"budget": -1, "costs": [1, 1, 1]}, ValueError, "budget"),
        ({"budget": 5, "costs": [1, -1, 1]}, ValueError, "-1"),
        ({"budget": 5, "costs": [1, np.nan, 1]}, ValueError, "nan"),
        ({"budget": 5, "costs": [1, 1]}, ValueError, "3"),
        ({"on_exceed": "wait"}, ValueError, "on_exceed"),
    ],
)
def test_wrong_settings_are_named(settings, error, message):
    with pytest.raises(error, match=message):
        BudgetedGroups(**settings).fit(X, Y)


def test_settings_of_the_inner_selector_can_be_searched():
    X, Y = table(9)
    pipe = make_pipeline(
        BudgetedGroups(D2F(), budget=3, costs=np.ones(8)),
        MultiOutputClassifier(GaussianNB()),
    )
    search = GridSearchCV(
        pipe, {"budgetedgroups__selector__n_bins": [2, 3]}, cv=2, error_score="raise"
    ).fit(X, Y)
    inner = search.best_estimator_[0].selector_
    assert inner.n_bins in (2, 3)
    assert search.predict(X).shape == Y.shape


def test_it_spends_as_the_selector_with_costs_counts():
    X, Y = table(10)
    settings = {
        "costs": np.arange(8.0),
        "cost_groups": {"a": (2.0, [1, 2, 3])},
        "derived_features": {"x5": ["x1", "x2"]},
    }
    ours = BudgetedGroups(**settings, budget=12).fit(X, Y)
    theirs = CSIG(**settings).fit(X, Y)
    np.testing.assert_array_equal(ours.costs_, theirs.costs_)
    kept = ours.get_support()
    assert ours.total_cost_ == theirs.cost_of(kept) <= 12
