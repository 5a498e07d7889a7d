"""What every engine offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

Task = TypeVar("Task")
Result = TypeVar("Result")


@runtime_checkable
class Engine(Protocol):
    """Runs tasks; the results never depend on which engine it is."""

    def share(self, value: Any) -> Any:
        """Return a handle of a large value, to be passed to ``run``."""

    def run(
        self,
        function: Callable[[Any, Task], Result],
        shared: Any,
        tasks: Sequence[Task],
        *,
        in_order: bool = True,
    ) -> Iterator[Result]:
        """Yield ``function(value, task)`` for each task.

        In the order of the tasks, or, with ``in_order=False``, as they are done.
        """

    def close(self) -> None:
        """Give back what the engine holds."""
