import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import examples
from labelsift.score.reduct import PositiveRegionSearch
from labelsift.select import MLFSPA
from reference import mlfspa as reference

X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 0, 0], [1, 1, 0]])
Y = np.array([[1, 0], [0, 1], [1, 1], [1, 1], [0, 1]])

each_quantifier = pytest.mark.parametrize("quantifier", ["all", "any", "powerset"])


def fit(X, Y, **settings):
    settings.setdefault("discretize", "none")
    return MLFSPA(**settings).fit(X, Y)


def quietly(X, Y, **settings):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *args, **kwargs: None)
        return fit(X, Y, **settings)


def small_table(seed):
    rng = np.random.default_rng(seed)
    n, d, q = rng.integers(3, 16), rng.integers(1, 6), rng.integers(2, 4)
    x = rng.integers(0, rng.integers(2, 4), (n, d))
    return x, (rng.random((n, q)) < rng.choice([0.3, 0.6])).astype(int)


@pytest.mark.parametrize("tie_break", ["index", "discerned", "standalone"])
@pytest.mark.parametrize(
    ("quantifier", "dependency"), [("powerset", [0.4, 1]), ("all", [0.6, 1])]
)
def test_worked_example(quantifier, dependency, tie_break):
    fitted = fit(X, Y, quantifier=quantifier, tie_break=tie_break, backward=True)
    assert fitted.reduct_.tolist() == [1, 0]
    np.testing.assert_allclose(fitted.dependency_, dependency)
    assert fitted.positive_region_.all()
    assert not fitted.boundary_.any()
    assert fitted.stopped_ == "complete"
    # of 8 pairs with different labels the third feature tells apart 4
    np.testing.assert_allclose(fitted.scores_, [2, 3, 4 / 8])


@pytest.mark.parametrize(
    ("features", "powerset", "every"),
    [
        ([0], [], [4]),
        ([1], [1, 4], [0, 1, 4]),
        ([2], [], [4]),
        ([0, 1], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]),
        ([0, 2], [2], [2, 4]),
        ([1, 2], [1, 3, 4], [0, 1, 3, 4]),
    ],
)
def test_positive_regions_of_the_worked_example(features, powerset, every):
    for quantifier, rows in (("powerset", powerset), ("all", every)):
        fitted = quietly(X[:, features], Y, quantifier=quantifier)
        assert np.flatnonzero(fitted.positive_region_).tolist() == rows
        assert fitted.total_dependency_ == len(rows) / 5


def test_equals_plain_python_on_hundreds_of_small_tables():
    for seed in range(500):
        x, y = small_table(seed)
        rng = np.random.default_rng(seed)
        y[0, 0], y[1, 0] = 1, 0
        settings = {
            "quantifier": str(rng.choice(["all", "any", "powerset"])),
            "empty_labels": str(rng.choice(["exclude", "include", "drop"])),
            "tie_break": str(rng.choice(["index", "discerned", "standalone"])),
            "backward": bool(rng.random() < 0.4),
        }
        plain = reference.reduct(x.tolist(), y.tolist(), **settings)
        for accelerate in (True, False):
            fitted = quietly(x, y, accelerate=accelerate, **settings)
            used = np.arange(len(y))
            if settings["empty_labels"] == "drop":
                used = np.flatnonzero(y.any(axis=1))
            where = (seed, accelerate, settings)
            assert fitted.reduct_.tolist() == plain[0], where
            assert np.rint(fitted.dependency_ * len(used)).tolist() == plain[1], where
            found = set(np.flatnonzero(fitted.positive_region_))
            assert found == {int(used[i]) for i in plain[2]}, where


@each_quantifier
@examples(25)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_accelerator_changes_nothing_but_the_rows_looked_at(quantifier, seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 3, (60, 6)), (rng.random((60, 3)) < 0.4).astype(int)
    fast = fit(x, y, quantifier=quantifier)
    slow = fit(x, y, quantifier=quantifier, accelerate=False)
    assert fast.added_.tolist() == slow.added_.tolist()
    assert fast.dependency_.tolist() == slow.dependency_.tolist()
    np.testing.assert_array_equal(fast.scores_, slow.scores_)


def test_a_certain_row_stays_in_a_block_that_is_not_done_with():
    # the first block holds {0}, {0, 1} and nothing else: with "all" the row {0} is
    # certain. Without it {0, 1} would seem to be alone, which it is not.
    x = np.array([[0, 0], [0, 0], [1, 0], [1, 1]])
    y = np.array([[1, 0], [1, 1], [0, 1], [1, 0]])
    fitted = fit(x, y)
    assert fitted.positive_region_.tolist() == [True, False, True, True]
    assert fitted.total_dependency_ == 0.75


def test_discretisation_is_that_of_the_rows_of_fit():
    x = np.array([[0.0, 3], [1, 3], [2, 3], [5, 3], [10, 3]])
    y = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [1, 1]])
    fitted = MLFSPA(n_bins=3).fit(x, y)
    assert [len(cuts) for cuts in fitted.cut_points_] == [2, 0]
    np.testing.assert_allclose(fitted.cut_points_[0], [10 / 3, 20 / 3])
    assert fitted.reduct_.tolist() == [0]
    assert fitted.positive_region_.all()
    two = quietly(x, y, n_bins=2, discretize="equal_width")
    # bins {0, 1, 2} and {5, 10}: of the second only {1}, which {0, 1} has too
    assert two.positive_region_.tolist() == [True, True, True, True, False]
    assert MLFSPA(discretize="none").fit(x, y).cut_points_ is None


def test_categorical_features_are_not_cut():
    frame = pd.DataFrame({"kind": [0, 1, 2, 3, 100], "size": [0.0, 1, 2, 3, 4]})
    y = np.eye(5, dtype=int)
    cut = quietly(frame[["kind"]], y, discretize="equal_width", n_bins=2)
    assert cut.total_dependency_ == 0.2
    kept = fit(
        frame,
        y,
        discretize="equal_width",
        n_bins=2,
        categorical_features=["kind"],
    )
    assert kept.reduct_.tolist() == [0]
    assert kept.total_dependency_ == 1.0


def test_stop_on_no_gain_says_so():
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    y = np.array([[1, 0], [0, 1], [0, 1], [1, 0]])
    for accelerate in (True, False):
        selector = MLFSPA(
            discretize="none", stop_on_no_gain=True, accelerate=accelerate
        )
        with pytest.warns(UserWarning, match="stopped at 0 features"):
            selector.fit(x, y)
        assert selector.stopped_ == "no_gain"
    assert fit(x, y).reduct_.tolist() == [0, 1]


def test_nothing_certain_is_said():
    selector = MLFSPA(discretize="none")
    with pytest.warns(UserWarning, match=r"no row is certain.*more bins"):
        selector.fit(np.zeros((4, 2)), [[1, 0], [0, 1], [1, 0], [0, 1]])
    assert selector.reduct_.size == 0
    assert selector.transform(np.zeros((4, 2))).shape == (4, 1)


def test_an_interrupt_leaves_a_usable_selector(monkeypatch):
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 3, (80, 8)), (rng.random((80, 3)) < 0.4).astype(int)
    whole = fit(x, y)
    certain, calls = PositiveRegionSearch._certain, []

    def interrupted(search, blocks):
        calls.append(blocks)
        if len(calls) == 4:  # once for all features, then after each addition
            raise KeyboardInterrupt
        return certain(search, blocks)

    monkeypatch.setattr(PositiveRegionSearch, "_certain", interrupted)
    selector = MLFSPA(discretize="none")
    with pytest.raises(KeyboardInterrupt):
        selector.fit(x, y)
    assert selector.stopped_ == "interrupted"
    assert selector.reduct_.tolist() == whole.reduct_[:2].tolist()
    assert selector.transform(x).shape == (80, 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"discretize": "mdl"}, "discretize"),
        ({"n_bins": 1}, "n_bins"),
        ({"quantifier": "some"}, "quantifier"),
        ({"categorical_features": ["x9"]}, "'x9', which is not a feature"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        fit(X, Y, **settings)


def test_dropping_all_rows_is_an_error():
    with pytest.raises(ValueError, match="no row of y has a label"):
        fit(np.eye(4), np.zeros((4, 2)), empty_labels="drop")
