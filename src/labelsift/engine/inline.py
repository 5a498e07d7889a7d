"""Run tasks one after another in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from labelsift.engine.base import Result, Task


class InlineEngine:
    """One task after another; a task starts when its result is asked for."""

    shares_work = True

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

    def close(self) -> None:
        """Do nothing: nothing is held."""
