"""Every fit that may take long tells whoever listens how far it is."""

import io
import threading

import numpy as np
import pytest
from rich import console
from scipy import sparse

from labelsift.kernels.progress import listening, one_long_step, teller
from labelsift.score import near_walk
from labelsift.select import (
    D2F,
    MDFS,
    RFS,
    RRSPFS,
    SPEC,
    BudgetedGroups,
    ReliefF,
    RReliefFML,
    ToleranceRoughSet,
    WrapperSPEC,
    _progress,
    show_progress,
)

rng = np.random.default_rng(0)
X = rng.normal(size=(150, 6))
Y = (rng.random((150, 6)) < 0.4).astype(int)
N_SETS = len(np.unique(Y, axis=0))

FITS = {
    "ReliefF": (ReliefF(), "rows", 150),
    "RReliefFML": (RReliefFML(), "rows", 150),
    "SPEC": (SPEC(), "label sets", N_SETS),
    "WrapperSPEC": (WrapperSPEC(order=2), "problems", 15),
    "D2F": (D2F(4), "features", 4),  # all pairs at once
    "D2F, pick by pick": (D2F(2), "features", 2),
    "RRSPFS": (RRSPFS(), "features", 6),
    "RRSPFS, label by label": (RRSPFS(problem="binary_relevance"), "features", 6),
    "RFS": (RFS(), "rounds", 0),
    "MDFS": (MDFS(), "rounds", 0),
    "BudgetedGroups": (BudgetedGroups(budget=3, costs=np.ones(6)), "features", 0),
    "ToleranceRoughSet": (ToleranceRoughSet(), None, 0),
}


def heard(selector, table=X):
    """Return what a fit tells, and the selector."""
    told = []
    with listening(lambda *words: told.append(words)):
        selector.fit(table, Y)
    return told, selector


@pytest.mark.parametrize("name", FITS)
@pytest.mark.parametrize("make", [np.array, sparse.csr_array])
def test_what_is_done_rises_to_all_there_is_and_changes_nothing(name, make):
    selector, unit, in_all = FITS[name]
    if name == "ToleranceRoughSet" and make is not np.array:
        make = np.asfortranarray
    table = make(X)
    told, fitted = heard(selector, table)
    done = [words[0] for words in told]
    assert done
    assert done == sorted(done)
    assert {words[1] for words in told} == {in_all}
    if in_all:
        assert done[-1] == in_all
    elif unit == "rounds":
        assert done == list(range(1, fitted.n_iter_ + 1))
    if unit is None:
        assert told[-1][2].startswith("features, ")
        assert done[-1] == len(fitted.reduct_)
    else:
        assert {words[2] for words in told} == {unit}
    scores = fitted.scores_.copy()
    np.testing.assert_array_equal(selector.fit(table, Y).scores_, scores)


def test_lists_of_near_label_sets_tell_how_far_they_are(monkeypatch):
    monkeypatch.setattr(near_walk, "FEW_GROUPS", 4)
    monkeypatch.setattr(near_walk, "seconds_of_near", lambda *of: 0.0)
    monkeypatch.setattr(near_walk, "_BLOCK_ENTRIES", 64)
    monkeypatch.setattr(near_walk, "_ROUND", 2)
    told, _ = heard(SPEC())
    done = [words[0] for words in told]
    assert len(done) > 3
    assert done == sorted(set(done))
    assert told[-1] == (N_SETS, N_SETS, "label sets")


@pytest.mark.parametrize(
    ("selector", "units"),
    [
        (SPEC(spectral_power=3), ["label sets", "features"]),
        (SPEC(criterion="phi_3"), ["label sets", "eigenvectors", "features"]),
    ],
)
def test_each_part_of_a_long_criterion_tells_how_far_it_is(selector, units):
    told, _ = heard(selector)
    assert list(dict.fromkeys(words[2] for words in told)) == units
    for unit in units:
        part = [words[:2] for words in told if words[2] == unit]
        assert part == sorted(part)
        assert part[-1] == (part[0][1], part[0][1])


def test_a_call_that_cannot_be_asked_is_told_of_again_and_again():
    told, heard_twice = [], threading.Event()

    def listener(done, in_all, unit):
        told.append((done, in_all, unit))
        if len(told) == 3:
            heard_twice.set()

    with listening(listener), one_long_step("eigenvectors", 7, every=0.001):
        assert heard_twice.wait(30)
    assert set(told[:-1]) == {(0, 7, "eigenvectors")}
    assert told[-1] == (7, 7, "eigenvectors")


def test_nobody_listens_unless_asked_to():
    assert teller("rows") is None
    with listening(lambda *words: None):
        assert teller("rows") is not None
        with listening(None):
            assert teller("rows") is None
    assert teller("rows") is None


def test_an_own_callable_is_called_and_not_the_listener():
    own = []
    told, _ = heard(ReliefF(progress=lambda *counts: own.append(counts)))
    assert told == []
    assert own[-1] == (150, 150)


def test_show_progress_is_silent_in_a_pipe(capsys):
    with show_progress():
        RReliefFML().fit(X, Y)
    assert capsys.readouterr() == ("", "")


def test_show_progress_waits_two_seconds_on_a_terminal(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    now, shown, real = [0.0], Terminal(), console.Console
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(
        console,
        "Console",
        lambda stderr: real(file=shown, force_terminal=True, width=120),
    )
    with show_progress("fitting"):
        tell, rounds = teller("label sets"), teller("rounds")
        tell(10, 100)
        assert shown.getvalue() == ""
        now[0] = 2.5
        tell(40, 100)
        assert "fitting" in shown.getvalue()
        assert "40 of 100 label sets" in shown.getvalue()
        rounds(7, 0)
    assert "7 rounds" in shown.getvalue()
