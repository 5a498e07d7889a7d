"""Run tasks on a Dask cluster, by address or started here."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any

from labelsift.engine.base import Lost, Result, Task, folded

_AHEAD = 3  # tasks given out for each worker: one runs, the others are on their way
_TRIES = 4  # for a task whose data went with a worker
_KILLED = (
    "the workers of the cluster that took it died, one after another. Too little "
    "memory, or a crash in compiled code: use less data or another method."
)
_FAN_IN = 4  # results that are merged in one go


class DaskEngine:
    """Tasks as futures of a Dask cluster; results are merged where they are.

    A worker that dies takes its results with it: Dask computes them again.

    Parameters
    ----------
    address : str, optional
        Of a running scheduler. Default: a cluster of this machine is started, which
        listens on 127.0.0.1 only and ends with the engine.
    n_workers : int, optional
        Workers of the cluster that is started.
    """

    shares_work = True

    def __init__(
        self, address: str | None = None, n_workers: int | None = None
    ) -> None:
        try:
            import distributed
        except ImportError as error:
            raise ImportError(
                "engine='dask' needs Dask: pip install \"labelsift[dask]\"."
            ) from error
        Client, LocalCluster = _untyped(distributed, "Client", "LocalCluster")
        self._cluster: Any = None
        if address is None:
            with _keeping_freed_memory():
                self._cluster = LocalCluster(
                    n_workers=n_workers or 1,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",  # health only: no pages
                    worker_dashboard_address=None,
                    scheduler_kwargs={"dashboard": False},
                    silence_logs=logging.ERROR,
                )
            address = self._cluster.scheduler_address
        self._address = address
        try:
            self._client: Any = Client(address, set_as_default=False, timeout="15s")
            self._client.wait_for_workers(1, timeout=60)
        except (OSError, TimeoutError, ValueError) as error:
            if self._cluster is not None:
                self._cluster.close()
            raise OSError(
                f"no Dask cluster answers at {address!r} ({type(error).__name__}). "
                "Start one with dask-scheduler and dask-worker, or leave address= out."
            ) from error

    @property
    def n_workers(self) -> int:
        """Workers that the cluster has now."""
        return max(1, len(self._client.nthreads()))

    @property
    def address(self) -> str:
        """Address of the scheduler."""
        return self._address

    def share(self, value: Any) -> Any:
        """Send a value to all workers."""
        return _Shared(value, self._scattered(value))

    def run(
        self,
        function: Callable[[Any, Task], Result],
        shared: Any,
        tasks: Iterable[Task],
        *,
        in_order: bool = True,
    ) -> Iterator[Result | Lost]:
        """Yield ``function(value, task)`` for each task, in order or as it is done."""
        import distributed
        import distributed.scheduler

        (as_completed,) = _untyped(distributed, "as_completed")
        handle = shared if isinstance(shared, _Shared) else _Shared(shared, shared)
        left = enumerate(tasks)
        running: dict[Any, tuple[int, Any, int]] = {}
        done: dict[int, Any] = {}
        turn, is_left = 0, True
        queue = as_completed(loop=self._client.loop)

        def give(number: int, task: Any, tries: int) -> None:
            future = self._submit(_on_worker, function, handle.future, task)
            running[future] = number, task, tries
            queue.add(future)

        while is_left or running:
            while is_left and len(running) < _AHEAD * self.n_workers:
                number, task = next(left, (-1, None))
                is_left = number >= 0
                if is_left:
                    give(number, task, 1)
            if not running:
                break
            future = next(queue)
            number, task, tries = running.pop(future)
            try:
                if isinstance(future.exception(), distributed.scheduler.KilledWorker):
                    done[number] = Lost(task, _KILLED)
                else:
                    done[number] = future.result()  # or raises what the task raised
                    future.release()
            except CancelledError:  # its data, or its result, went with a worker
                if tries == _TRIES:
                    raise
                if isinstance(shared, _Shared):
                    handle.future = self._scattered(handle.value)
                give(number, task, tries + 1)
                continue
            if not in_order:
                yield done.pop(number)
            while turn in done:
                yield done.pop(turn)
                turn += 1

    def reduce(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        merge: Callable[[Result, Result], Result],
    ) -> Result | None:
        """Return all results merged, None where there is no task.

        Results stay on the workers; neighbours are merged there, few at a time. Of
        tasks that are made one by one the results come here instead, so that the
        cluster need not keep all of them.
        """
        if not isinstance(tasks, Sequence):
            results: Any = self.run(_call, function, tasks)
            return folded(results, merge)
        level = [self._submit(_apply, function, task) for task in tasks]
        if not level:
            return None
        while len(level) > 1:
            level = [
                self._submit(_merged, merge, level[k : k + _FAN_IN])
                for k in range(0, len(level), _FAN_IN)
            ]
        result: Result = level[0].result()
        return result

    def close(self) -> None:
        """Leave the cluster, and end it if it was started here."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _submit(self, function: Any, *arguments: Any) -> Any:
        with warnings.catch_warnings():
            # blocks of rows that only this process can read are sent as they are
            warnings.filterwarnings("ignore", message="Sending large graph")
            return self._client.submit(function, *arguments, pure=False)

    def _scattered(self, value: Any) -> Any:
        return self._client.scatter(value, broadcast=True, hash=False)


def _untyped(module: Any, *names: str) -> list[Any]:
    # types of Dask differ from version to version, and some are missing
    return [getattr(module, name) for name in names]


@contextmanager
def _keeping_freed_memory() -> Iterator[None]:
    """Start workers that do not give every freed array back to the system.

    Dask tells them to (``MALLOC_TRIM_THRESHOLD_``), so that each block of rows is
    zeroed by the system anew, page by page: twice the time of this work.
    """
    import dask

    name = "distributed.nanny.pre-spawn-environ"
    environ = dict(dask.config.get(name, {}))
    environ.pop("MALLOC_TRIM_THRESHOLD_", None)
    with dask.config.set({name: environ}):
        yield


class _Shared:
    """A value here and on the workers."""

    def __init__(self, value: Any, future: Any) -> None:
        self.value, self.future = value, future


def _quiet() -> None:
    # workers share the cores of a machine, one thread each
    os.environ.setdefault("LABELSIFT_NUM_THREADS", "1")


def _on_worker(function: Any, value: Any, task: Any) -> Any:
    _quiet()
    return function(value, task)


def _apply(function: Any, task: Any) -> Any:
    _quiet()
    return function(task)


def _call(function: Any, task: Any) -> Any:
    return function(task)


def _merged(merge: Any, results: list[Any]) -> Any:
    whole = results[0]
    for result in results[1:]:
        whole = merge(whole, result)
    return whole
