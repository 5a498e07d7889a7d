"""Run tasks one after another in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from labelsift.engine.base import Result, Task, folded


class InlineEngine:
    """One task after another; a task starts when its result is asked for.

    Examples
    --------
    >>> engine = InlineEngine()
    >>> list(engine.run(lambda shared, task: shared * task, engine.share(10), [1, 2]))
    [10, 20]
    >>> engine.reduce(len, ["ab", "c"], lambda one, other: one + other)
    3
    """

    shares_work = True
    n_workers = 1

    def share(self, value: Any) -> Any:
        """Return the value itself."""
        return value

    def run(
        self,
        function: Callable[[Any, Task], Result],
        shared: Any,
        tasks: Sequence[Task],
        *,
        in_order: bool = True,
    ) -> Iterator[Result]:
        """Yield ``function(shared, task)`` in the order of the tasks, in any case."""
        for task in tasks:
            yield function(shared, task)

    def reduce(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        merge: Callable[[Result, Result], Result],
    ) -> Result | None:
        """Return all results merged, None where there is no task."""
        return folded((function(task) for task in tasks), merge)

    def close(self) -> None:
        """Do nothing: nothing is held."""
