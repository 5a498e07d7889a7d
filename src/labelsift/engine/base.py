"""What every engine offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


class Engine(Protocol):
    """Runs tasks; the results never depend on which engine it is."""

    def share(self, value: Any) -> Any:
        """Return a handle of a large value, to be passed to ``run``."""

    def run(
        self,
        function: Callable[[Any, Task], Result],
        shared: Any,
        tasks: Sequence[Task],
    ) -> Iterator[Result]:
        """Yield ``function(value, task)`` in the order of the tasks."""

    def close(self) -> None:
        """Give back what the engine holds."""
