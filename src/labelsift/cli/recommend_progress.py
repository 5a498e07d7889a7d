"""How far a recommendation is: a bar with the time left and the best so far."""

from __future__ import annotations

import time
from collections.abc import Callable

from labelsift._words import counted
from labelsift.cli.progress_bar import ProgressBar
from labelsift.cli.terminal import duration, one_line
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.recommend_rule import Choice


class RecommendProgress(ProgressBar):
    """Watches a search, and shows a bar on standard error if that is a terminal.

    Parameters
    ----------
    dataset, metric : str
        Names.
    quiet : bool
        Show nothing.
    clock : callable, optional
        Seconds; for tests.
    """

    def __init__(
        self,
        dataset: str,
        metric: str,
        quiet: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._dataset = dataset
        self._metric = metric
        super().__init__(None, quiet, clock)
        self._done = self._total = 0
        self._best = ""

    def __call__(self, done: int, total: int) -> None:
        """Take note of what is done."""
        self._start_clock()
        self._done, self._total = done, total
        self._show(completed=done, total=total)

    def leading(self, choice: Choice) -> None:
        """Take note of the best choice so far."""
        title = METRICS[self._metric].title
        text = f"{choice.selector}, {counted(choice.n_features, 'feature')}"
        self._best = one_line(f"so far: {text} ({title} {choice.value:.3f})")
        self._show(completed=self._done, total=self._total)

    def left(self) -> str:
        """Return about how long it still takes; empty until that can be said."""
        if self._begin is None or self._done < 1 or self._done >= self._total:
            return ""
        seconds = self._clock() - self._begin
        if seconds < 1:
            return ""
        to_go = seconds / self._done * (self._total - self._done)
        return f"{duration(to_go)} left"

    def best(self) -> str:
        """Return the best choice so far in words."""
        return self._best
