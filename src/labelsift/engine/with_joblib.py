"""Run tasks in several processes with joblib."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from labelsift.engine.base import Lost, Result, Task, folded
from labelsift.kernels.threads import n_threads

_MOST_IDLE_DEATHS = 3
_AHEAD = 4


class JoblibEngine:
    """Tasks in ``n_jobs`` processes, or in the backend of ``joblib.parallel_config``.

    joblib maps large arrays into the processes instead of copying them. Where a process
    dies (killed for want of memory, or by a crash in compiled code) new ones are
    started, and each task that was being computed is tried once more, alone; one that
    is the death of its process again comes as ``Lost``.

    Parameters
    ----------
    n_jobs : int
        Number of processes, at least 1.
    """

    shares_work = True

    def __init__(self, n_jobs: int) -> None:
        self.n_jobs = self.n_workers = n_jobs

    def share(self, value: Any) -> Any:
        """Return the value itself: joblib shares its arrays."""
        return value

    def run(
        self,
        function: Callable[[Any, Task], Result],
        shared: Any,
        tasks: Sequence[Task],
        *,
        in_order: bool = True,
    ) -> Iterator[Result | Lost]:
        """Yield ``function(shared, task)`` for each task, in order or as it is done."""
        pool = _Pool(self.n_jobs, function, shared, tasks, in_order)
        try:
            if not in_order:
                for _, result in pool.results():
                    yield result
                return
            waiting: dict[int, Any] = {}
            following = 0
            for number, result in pool.results():
                waiting[number] = result
                while following in waiting:
                    yield waiting.pop(following)
                    following += 1
        finally:
            pool.close()

    def reduce(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        merge: Callable[[Result, Result], Result],
    ) -> Result | None:
        """Return all results merged, None where there is no task.

        Tasks that are made one by one are taken a few for each process at a time.
        """
        return folded(self._in_turn(function, tasks), merge)

    def _in_turn(self, function: Any, tasks: Iterable[Any]) -> Iterator[Any]:
        if isinstance(tasks, Sequence):
            yield from self.run(_call, function, tasks)
            return
        every = iter(tasks)
        while some := list(islice(every, _AHEAD * self.n_jobs)):
            yield from self.run(_call, function, some)

    def close(self) -> None:
        """Do nothing: joblib keeps its processes for the next call."""


def _call(function: Callable[[Any], Any], task: Any) -> Any:
    return function(task)


class _Pool:
    """Tasks in processes that may die.

    Each process says in a file, named by its number, which task it is at.
    """

    def __init__(
        self,
        n_jobs: int,
        function: Callable[[Any, Any], Any],
        shared: Any,
        tasks: Sequence[Any],
        in_order: bool,
    ) -> None:
        self.n_jobs = n_jobs
        self.function, self.shared, self.tasks = function, shared, tasks
        self.kind = "generator" if in_order else "generator_unordered"
        self.left = dict.fromkeys(range(len(tasks)))  # a set that keeps the order
        self.folder = Path(tempfile.mkdtemp(prefix="labelsift-"))

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def results(self) -> Iterator[tuple[int, Any]]:
        """Yield the number of each task, and its result."""
        idle_deaths = 0
        while self.left:
            try:
                yield from self._computed(list(self.left))
            except BrokenProcessPool:
                suspects = self._interrupted()
                idle_deaths += not suspects
                if idle_deaths > _MOST_IDLE_DEATHS:
                    raise
                for number in suspects:
                    yield from self._alone(number)

    def _alone(self, number: int) -> Iterator[tuple[int, Any]]:
        """Yield the result of a task that may have been the death of its process."""
        try:
            yield from self._computed([number])
        except BrokenProcessPool as error:
            self._interrupted()
            del self.left[number]
            yield number, Lost(self.tasks[number], _why(error))

    def _computed(self, numbers: list[int]) -> Iterator[tuple[int, Any]]:
        import joblib

        threads = max(1, n_threads() // self.n_jobs)
        call, here = joblib.delayed(_in_worker), os.getpid()
        parallel = joblib.Parallel(n_jobs=self.n_jobs, return_as=self.kind)
        with _deaf_to_ctrl_c():
            found = parallel(
                call(
                    here,
                    threads,
                    self.folder,
                    number,
                    self.function,
                    self.shared,
                    self.tasks[number],
                )
                for number in numbers
            )
        for number, result in found:
            del self.left[number]
            yield number, result

    def _interrupted(self) -> list[int]:
        """Return the tasks at which processes were when they ended."""
        found = set()
        for file in self.folder.iterdir():
            with suppress(OSError, ValueError):
                found.add(int(file.read_text()))
            file.unlink(missing_ok=True)
        return sorted(found & self.left.keys())


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach.

    A terminal sends it to all processes, and one that is just starting answers with a
    traceback of its own. The process that started them ends them.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only there can it be said how to take a signal
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # which they inherit
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def _why(error: BaseException) -> str:
    """Return what is known of a death, on one line."""
    text = str(error)
    signals = text[text.index("{") : text.rindex("}") + 1] if "{" in text else ""
    how = f" ({signals.strip('{}')})" if signals else ""
    return (
        f"its worker process died{how}, and again when this was tried alone. Too "
        "little memory, or a crash in compiled code: use less data or another method."
    )


def _in_worker(
    parent: int,
    threads: int,
    folder: Path,
    number: int,
    function: Callable[[Any, Any], Any],
    shared: Any,
    task: Any,
) -> tuple[int, Any]:
    if os.getpid() == parent:
        return number, function(shared, task)
    # Processes share the cores, so each takes its part of the threads.
    os.environ["LABELSIFT_NUM_THREADS"] = str(threads)
    file = folder / str(os.getpid())
    with suppress(OSError):
        file.write_text(str(number))
    try:
        return number, function(shared, task)
    finally:
        with suppress(OSError):
            file.unlink()
