"""Show how far a long search is, on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Report = Callable[[int, int, int], None]


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
