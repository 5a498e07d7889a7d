"""Show how far a long computation is, on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Report = Callable[[int, int], None]


@contextmanager
def reporting(progress: Any, text: str) -> Iterator[Report]:
    """Yield a function of (done, total) that shows progress as asked.

    Parameters
    ----------
    progress : bool, str, callable or None
        True: a bar on standard error, shown on terminals only; text: the same, with
        this text before it. A callable is called itself. False or None: nothing.
    text : str
        What stands before the bar if ``progress`` is True.
    """
    if callable(progress):
        yield progress
    elif progress in (None, False):
        yield lambda done, total: None
    elif progress is True or isinstance(progress, str):
        with _bar(text if progress is True else progress) as report:
            yield report
    else:
        raise TypeError(
            f"progress must be True, False, text or a function of (done, total); found "
            f"{progress!r}."
        )


@contextmanager
def _bar(text: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _silent
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(escape(text), total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield report


def _silent(done: int, total: int) -> None:
    """Say nothing: a file wants no bar, and rich before 14.3 ends it with a line."""
