"""The bar of a recommendation: time left and the best so far, on a terminal only."""

import io
import sys

import pytest

from labelsift.cli import progress_bar
from labelsift.cli.recommend_progress import RecommendProgress
from labelsift.evaluate.recommend_rule import Choice


class Bar:
    """Notes what it is told."""

    def __init__(self):
        self.said, self.shown = [], {}

    def start(self):
        self.said.append("start")

    def stop(self):
        self.said.append("stop")

    def add_task(self, text, **shown):
        self.shown = shown
        return 7

    def update(self, task, **shown):
        assert task == 7
        self.shown = shown


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self):
        return True


class Clock:
    """Stands still unless it is set."""

    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def bar(monkeypatch):
    made = Bar()
    monkeypatch.setattr(progress_bar, "bar", lambda: made)
    return made


def watching(monkeypatch, *, terminal, quiet=False):
    monkeypatch.setattr(sys, "stderr", Terminal() if terminal else io.StringIO())
    clock = Clock()
    return RecommendProgress("birds", "hamming_loss", quiet, clock), clock


def test_time_left_is_in_proportion_to_what_is_done(monkeypatch, bar):
    watcher, clock = watching(monkeypatch, terminal=True)
    with watcher:
        assert watcher.left() == ""
        watcher(0, 40)
        clock.now += 0.5
        watcher(5, 40)
        assert watcher.left() == ""  # too early to say
        clock.now += 9.5
        watcher(10, 40)
        assert watcher.left() == "30 s left"
        assert bar.shown["completed"] == 10
        assert bar.shown["total"] == 40
        assert bar.shown["left"] == "30 s left"
        watcher(40, 40)
        assert watcher.left() == ""
    assert bar.said == ["start", "stop"]


def test_the_best_so_far_is_said(monkeypatch, bar):
    watcher, _ = watching(monkeypatch, terminal=True)
    with watcher:
        assert watcher.best() == ""
        watcher.leading(Choice("chi2", "mlknn", 12, 0.25))
        assert watcher.best() == "so far: chi2, 12 features (Hamming loss 0.250)"
        assert bar.shown["best"] == watcher.best()


@pytest.mark.parametrize(("terminal", "quiet"), [(False, False), (True, True)])
def test_no_bar_where_none_is_wanted(monkeypatch, bar, terminal, quiet):
    watcher, clock = watching(monkeypatch, terminal=terminal, quiet=quiet)
    with watcher:
        watcher(1, 4)
        clock.now += 10
        assert watcher.left() == "30 s left"
        watcher.leading(Choice("chi2", "mlknn", 12, 0.25))
    assert bar.said == []
    assert bar.shown == {}
