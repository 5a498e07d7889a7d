"""Show how far a long search is, on standard error."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Report = Callable[[int, int, int], None]
RowReport = Callable[[int, int], None]
_PATIENCE = 2.0  # seconds before anything is shown


@contextmanager
def search_progress(progress: Any) -> Iterator[Report | None]:
    """Yield a function of (features, rows, goal), or None if nothing is asked for.

    Parameters
    ----------
    progress : bool or callable
        True: a bar on standard error, shown on terminals only. A callable is called
        itself.
    """
    if callable(progress):
        yield progress
        return
    if not progress:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("looking for rows that can be certain", total=None)

        def report(features: int, rows: int, goal: int) -> None:
            text = f"{features} features, {rows} of {goal} rows certain"
            bar.update(task, description=text, completed=rows, total=goal)

        yield report


@contextmanager
def row_progress(
    progress: Any, text: str
) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a function of (rows done, rows in all), or None if nothing is asked for.

    Parameters
    ----------
    progress : bool or callable
        True: a bar with the time left on standard error, on terminals only and only
        after two seconds. A callable is called itself.
    text : str
        What stands before the bar.
    """
    if callable(progress) or not progress:
        yield progress if callable(progress) else None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed} of {task.total} rows, left"),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task(text, total=None)
    begin = time.monotonic()

    def report(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)
        if not bar.live.is_started and time.monotonic() - begin > _PATIENCE:
            bar.start()

    try:
        yield report
    finally:
        bar.stop()
