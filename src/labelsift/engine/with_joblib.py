"""Run tasks in several processes with joblib."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from labelsift.engine.base import Result, Task
from labelsift.kernels.threads import n_threads


class JoblibEngine:
    """Tasks in ``n_jobs`` processes, or in the backend of ``joblib.parallel_config``.

    joblib maps large arrays into the processes instead of copying them.

    Parameters
    ----------
    n_jobs : int
        Number of processes, at least 1.
    """

    shares_work = True

    def __init__(self, n_jobs: int) -> None:
        self.n_jobs = n_jobs

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
    ) -> Iterator[Result]:
        """Yield ``function(shared, task)`` for each task, in order or as it is done."""
        import joblib

        threads = max(1, n_threads() // self.n_jobs)
        here = os.getpid()
        call = joblib.delayed(_in_worker)
        kind = "generator" if in_order else "generator_unordered"
        parallel = joblib.Parallel(n_jobs=self.n_jobs, return_as=kind)
        yield from parallel(
            call(here, threads, function, shared, task) for task in tasks
        )

    def close(self) -> None:
        """Do nothing: joblib keeps its processes for the next call."""


def _in_worker(
    parent: int,
    threads: int,
    function: Callable[[Any, Any], Any],
    shared: Any,
    task: Any,
) -> Any:
    if os.getpid() != parent:
        # Processes share the cores, so each takes its part of the threads.
        os.environ["LABELSIFT_NUM_THREADS"] = str(threads)
    return function(shared, task)
