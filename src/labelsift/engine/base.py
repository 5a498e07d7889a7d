"""What every engine offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Lost:
    """What stands in the place of a result that died with its process, twice.

    Parameters
    ----------
    task : object
        The task.
    reason : str
        What is known, on one line.
    """

    task: Any
    reason: str


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
    ) -> Iterator[Result | Lost]:
        """Yield ``function(value, task)`` for each task.

        In the order of the tasks, or, with ``in_order=False``, as they are done. A task
        that is the death of its process twice comes as ``Lost``.
        """

    def close(self) -> None:
        """Give back what the engine holds."""
