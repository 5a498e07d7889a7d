"""A bar with the time left and the best so far, for whoever watches long work."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self


class ProgressBar(ABC):
    """Watches work, and shows a bar on standard error if that is a terminal.

    Parameters
    ----------
    total : int or None
        What there is to do, if it is known.
    quiet : bool
        Show nothing.
    clock : callable
        Seconds.
    """

    def __init__(
        self, total: int | None, quiet: bool, clock: Callable[[], float]
    ) -> None:
        self._in_all = total
        self._clock = clock
        self._begin: float | None = None
        self._bar: Any = None
        if not quiet and sys.stderr.isatty():
            self._bar = bar()

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task("", total=self._in_all, left="", best="")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    @abstractmethod
    def left(self) -> str:
        """Return about how long it still takes; empty until that can be said."""

    @abstractmethod
    def best(self) -> str:
        """Return the best so far in words."""

    def _start_clock(self) -> None:
        if self._begin is None:
            self._begin = self._clock()

    def _show(self, **figures: Any) -> None:
        if self._bar is not None:
            self._bar.update(self._task, left=self.left(), best=self.best(), **figures)


def bar() -> Any:
    """Return a bar on standard error, with fields ``left`` and ``best`` beside it."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    return Progress(
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[left]}", markup=False),
        TextColumn("{task.fields[best]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
