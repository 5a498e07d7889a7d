"""Show how far a long search is, on standard error."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from labelsift._words import counted
from labelsift.kernels.progress import (
    Listener,
    current_listener,
    listening,
    teller,
)

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
        itself. False: whoever listens anyway, such as ``show_progress``.
    """
    if callable(progress):
        yield progress
        return
    if not progress:
        listener = current_listener()
        yield None if listener is None else _search_teller(listener)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        # rich before 14.3 ends even a bar that is off by a line
        yield _silent
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("looking for rows that can be certain", total=None)

        def report(features: int, rows: int, goal: int) -> None:
            text = f"{counted(features, 'feature')}, {rows} of {goal} rows certain"
            bar.update(task, description=text, completed=rows, total=goal)

        yield report


def _silent(features: int, rows: int, goal: int) -> None:
    """Say nothing."""


def _search_teller(listener: Listener) -> Report:
    def report(features: int, rows: int, goal: int) -> None:
        # how many features there will be is not known
        listener(features, 0, f"features, {rows} of {goal} rows certain")

    return report


@contextmanager
def row_progress(progress: Any, text: str) -> Iterator[RowReport | None]:
    """Yield a function of (rows done, rows in all), or None if nothing is asked for.

    Parameters
    ----------
    progress : bool or callable
        True: a bar with the time left on standard error, on terminals only and only
        after two seconds. A callable is called itself. False: whoever listens anyway,
        such as ``show_progress``.
    text : str
        What stands before the bar.
    """
    if isinstance(progress, bool | np.bool_) and progress:
        with show_progress(text):
            yield teller("rows")
        return
    yield progress if callable(progress) else teller("rows")


@contextmanager
def show_progress(text: str = "working") -> Iterator[None]:
    """Show how far the fits within the block are, with the time left.

    A bar on standard error, on terminals only and only after two seconds. Selectors
    that take long tell how far they are: by rows (the Relief family), label sets
    (SPEC; then features, with a higher power, or eigenvectors, with phi_3), problems
    (wrapper-SPEC), features (greedy selectors, RRSPFS, MDL cuts for each label) or
    rounds (RFS, MDFS).

    Parameters
    ----------
    text : str, default="working"
        What stands before the bar.

    Examples
    --------
    >>> from labelsift.select import ReliefF, show_progress
    >>> with show_progress("ReliefF"):
    ...     selector = ReliefF().fit([[0, 1], [1, 1], [0, 2], [1, 2]], [0, 1, 0, 1])
    >>> selector.order_
    array([0, 1])
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        with listening(None):
            yield
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[counts]}"),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task(text, total=None, counts="")
    begin = time.monotonic()

    def report(done: int, in_all: int, unit: str) -> None:
        counts = f"{done} of {in_all} {unit}, left" if in_all else f"{done} {unit}"
        bar.update(task, completed=done, total=in_all or None, counts=counts)
        if not bar.live.is_started and time.monotonic() - begin > _PATIENCE:
            bar.start()

    try:
        with listening(report):
            yield
    finally:
        bar.stop()
