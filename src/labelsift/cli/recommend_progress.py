"""How far a recommendation is: a bar with the time left and the best so far."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from labelsift._words import counted
from labelsift.cli.compare_progress import bar
from labelsift.cli.terminal import duration, one_line
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.recommend_rule import Choice


class RecommendProgress:
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
        self._clock = clock
        self._begin: float | None = None
        self._done = self._total = 0
        self._best = ""
        self._bar: Any = None
        if not quiet and sys.stderr.isatty():
            self._bar = bar()

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task("", total=None, left="", best="")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Take note of what is done."""
        if self._begin is None:
            self._begin = self._clock()
        self._done, self._total = done, total
        self._show()

    def leading(self, choice: Choice) -> None:
        """Take note of the best choice so far."""
        title = METRICS[self._metric].title
        text = f"{choice.selector}, {counted(choice.n_features, 'feature')}"
        self._best = one_line(f"so far: {text} ({title} {choice.value:.3f})")
        self._show()

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

    def _show(self) -> None:
        if self._bar is not None:
            self._bar.update(
                self._task,
                completed=self._done,
                total=self._total,
                left=self.left(),
                best=self._best,
            )
