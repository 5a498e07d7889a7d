"""How far a plan is: a bar with the time left and the best so far."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from labelsift.cli.progress_bar import ProgressBar
from labelsift.cli.terminal import duration, one_line
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.plan import Plan
from labelsift.evaluate.plan_run import Survey
from labelsift.evaluate.records import ALL_FEATURES, Cell


class PlanProgress(ProgressBar):
    """Watches a plan, and shows a bar on standard error if that is a terminal.

    Parameters
    ----------
    plan : Plan
        What is run.
    surveys : sequence of Survey
        What there is to do.
    quiet : bool
        Show nothing.
    clock : callable, optional
        Seconds; for tests.
    """

    def __init__(
        self,
        plan: Plan,
        surveys: Sequence[Survey],
        quiet: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._metric = plan.metrics[0]
        self._own_size = plan.own_size
        self._many_classifiers = len(plan.classifiers) > 1
        self._missing = sum(s.n_missing for s in surveys)
        self._total = sum(s.n_fits for s in surveys)
        super().__init__(self._total, quiet, clock)
        self._before = self._done = self._in_dataset = 0
        self._sums: dict[tuple[str, str, str], tuple[float, int]] = {}
        self._dataset = ""

    def start(self, dataset: str) -> None:
        """Begin a data set."""
        self._before += self._in_dataset
        self._in_dataset = 0
        self._dataset = dataset
        self._sums = {}

    def __call__(self, done: int, total: int) -> None:
        """Take note of what is done of this data set."""
        self._start_clock()
        self._in_dataset = done
        self._done = self._before + done
        self._show(completed=self._done)

    def watch(self, cell: Cell) -> None:
        """Take note of a measurement."""
        value = cell.values[self._metric]
        if cell.selector == ALL_FEATURES or value != value:
            return
        size = "its own" if cell.selector in self._own_size else str(cell.n_features)
        key = cell.selector, cell.classifier, size
        total, count = self._sums.get(key, (0.0, 0))
        self._sums[key] = total + value, count + 1

    def left(self) -> str:
        """Return about how long it still takes; empty until that can be said.

        Only what this run computed tells the speed; what was there before came at once.
        """
        if self._begin is None:
            return ""
        computed = self._done - (self._total - self._missing)
        to_go = self._total - self._done
        seconds = self._clock() - self._begin
        if computed < 1 or seconds < 1 or to_go < 1:
            return ""
        return f"{duration(seconds / computed * to_go)} left"

    def best(self) -> str:
        """Return the best method so far on this data set, over equally many folds."""
        if not self._sums:
            return ""
        most = max(count for _, count in self._sums.values())
        means = {k: s / n for k, (s, n) in self._sums.items() if n == most}
        choose = max if METRICS[self._metric].greater_is_better else min
        key = choose(means, key=lambda k: means[k])
        name = f"{key[0]}, {key[1]}" if self._many_classifiers else key[0]
        kept = f"{key[2]} feature{'s' * (key[2] != '1')}"
        text = f"{self._dataset}: {name} leads with {kept}"
        return f"{one_line(text)} ({means[key]:.3f})"
