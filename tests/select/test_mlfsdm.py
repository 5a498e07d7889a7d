import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import examples
from labelsift.score.reduct import DiscernibilitySearch
from labelsift.select import MLFSDM
from reference import mlfsdm as reference

X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 0, 0], [1, 1, 0]])
Y = np.array([[1, 0], [0, 1], [1, 1], [1, 1], [0, 1]])


def fit(X, Y, **settings):
    settings.setdefault("discretize", "none")
    return MLFSDM(**settings).fit(X, Y)


def test_worked_example():
    matrix = reference.entries(X.tolist(), Y.tolist())
    assert matrix == {
        (0, 1): {1},
        (0, 2): {0},
        (0, 3): {0, 2},
        (0, 4): {0, 1, 2},
        (1, 2): {0, 1},
        (1, 3): {0, 1, 2},
        (2, 4): {1, 2},
        (3, 4): {1},
    }
    fitted = fit(X, Y)
    assert fitted.reduct_.tolist() == [1, 0]
    assert fitted.n_entries_ == 8
    assert fitted.n_empty_entries_ == 0
    np.testing.assert_allclose(fitted.discerned_, [6 / 8, 1])
    np.testing.assert_allclose(fitted.scores_, [2, 3, 4 / 8])
    assert fitted.stopped_ == "complete"


def test_equals_the_matrix_written_out_on_hundreds_of_small_tables():
    for seed in range(600):
        rng = np.random.default_rng(seed)
        n, d, q = rng.integers(3, 14), rng.integers(1, 6), rng.integers(2, 4)
        x = rng.integers(0, rng.integers(2, 4), (n, d))
        y = (rng.random((n, q)) < 0.4).astype(int)
        y[0, 0], y[1, 0] = 1, 0
        pairs = ("different", "certain")[seed % 2]
        backward = bool(seed // 2 % 2)
        kept, added, hits, entries, empty = reference.reduct(
            x.tolist(), y.tolist(), pairs, backward
        )
        fitted = fit(x, y, pairs=pairs, backward=backward)
        assert fitted.reduct_.tolist() == kept, seed
        assert fitted.added_.tolist() == added, seed
        assert (fitted.n_entries_, fitted.n_empty_entries_) == (entries, empty), seed
        np.testing.assert_allclose(
            fitted.discerned_, np.array(hits) / max(entries - empty, 1)
        )


@examples(25)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_reduct_hits_all_that_can_be_hit_and_none_can_be_spared(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 3, (40, 7)), (rng.random((40, 3)) < 0.4).astype(int)
    fitted = fit(x, y)
    entries = [e for e in reference.entries(x.tolist(), y.tolist()).values() if e]
    chosen = set(fitted.reduct_.tolist())
    assert all(entry & chosen for entry in entries)
    for feature in chosen:
        assert not all(entry & (chosen - {feature}) for entry in entries)


def test_rows_that_agree_in_all_features_have_an_empty_entry():
    x = np.array([[0, 0], [0, 0], [1, 0], [1, 1]])
    y = np.array([[1, 0], [0, 1], [1, 1], [1, 0]])
    fitted = fit(x, y)
    # six pairs less one of equal label sets, rows 0 and 3
    assert (fitted.n_entries_, fitted.n_empty_entries_) == (5, 1)
    assert fitted.reduct_.tolist() == [0, 1]
    # rows 0 and 1 agree in all, so neither is certain, and their pair is left out
    certain = fit(x, y, pairs="certain")
    assert (certain.n_entries_, certain.n_empty_entries_) == (4, 0)


def test_backward_drops_what_can_be_spared():
    # entries {0, 1, 3}, {2}, {0, 2, 3} and {1}: every feature is in two, so the first
    # is added; then the two that must be, and they do without it
    x = np.array([[1, 1, 1, 1], [0, 0, 1, 0], [1, 0, 0, 1], [1, 1, 0, 1]])
    y = np.array([[1, 0], [0, 1], [1, 0], [0, 1]])
    forward = fit(x, y, backward=False)
    assert forward.reduct_.tolist() == [0, 1, 2]
    np.testing.assert_allclose(forward.discerned_, [2 / 4, 3 / 4, 1])
    backward = fit(x, y)
    assert backward.added_.tolist() == [0, 1, 2]
    assert backward.reduct_.tolist() == [1, 2]


def test_thousands_of_rows_make_no_matrix():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(20_000, 12))
    y = (x[:, :3] > 0).astype(int)
    fitted = MLFSDM(n_bins=8).fit(x, y)
    assert fitted.n_entries_ > 10**8
    assert fitted.discerned_[-1] == 1


def test_an_interrupt_leaves_a_usable_selector(monkeypatch):
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 3, (80, 8)), (rng.random((80, 3)) < 0.4).astype(int)
    whole = fit(x, y, backward=False)

    def interrupted(search):
        raise KeyboardInterrupt

    monkeypatch.setattr(DiscernibilitySearch, "drop_needless", interrupted)
    selector = MLFSDM(discretize="none")
    with pytest.raises(KeyboardInterrupt):
        selector.fit(x, y)
    assert selector.stopped_ == "interrupted"
    assert selector.reduct_.tolist() == whole.reduct_.tolist()
    assert selector.transform(x).shape == (80, len(whole.reduct_))


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"pairs": "all"}, "pairs"), ({"backward": "no"}, "backward")],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        fit(X, Y, **settings)
