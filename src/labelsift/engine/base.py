"""What every engine offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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

    Examples
    --------
    >>> lost = Lost(task=7, reason="the worker process died twice")
    >>> lost.task
    7
    """

    task: Any
    reason: str


@runtime_checkable
class Engine(Protocol):
    """Runs tasks; the results never depend on which engine it is.

    The engines of this package have ``reduce`` and ``n_workers`` too.

    Examples
    --------
    >>> from labelsift.engine import InlineEngine
    >>> isinstance(InlineEngine(), Engine)
    True
    """

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


def folded(
    results: Iterable[Result], merge: Callable[[Result, Result], Result]
) -> Result | None:
    """Merge results in order, like ones first: few are held at a time.

    Two results of equally many tasks are merged as soon as they lie side by side, so
    that no result is merged more than a logarithmic number of times.
    """
    held: list[tuple[int, Result]] = []
    for result in results:
        if isinstance(result, Lost):
            raise RuntimeError(f"a part of the rows was not read: {result.reason}")
        size = 1
        while held and held[-1][0] == size:
            result = merge(held.pop()[1], result)
            size *= 2
        held.append((size, result))
    whole: Result | None = None
    for _, result in reversed(held):
        whole = result if whole is None else merge(result, whole)
    return whole
