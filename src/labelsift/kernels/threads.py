"""Spread blocks of work over threads; kernels release the interpreter lock."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Result = TypeVar("Result")

_kept = threading.local()


def n_threads() -> int:
    """Return the threads to use: ``LABELSIFT_NUM_THREADS``, else the usable cores."""
    asked = os.environ.get("LABELSIFT_NUM_THREADS", "").strip()
    if asked:
        if not asked.isdigit() or int(asked) < 1:
            raise ValueError(
                f"LABELSIFT_NUM_THREADS must be a whole number of at least 1; "
                f"found {asked!r}."
            )
        return int(asked)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_blocks(
    work: Callable[[int, int], Result], n_items: int, *, block: int
) -> list[Result]:
    """Call ``work(start, stop)`` on consecutive blocks; results in block order.

    The cut into blocks depends on ``n_items`` and ``block`` only, never on the number
    of threads, so that an answer cannot either.
    """
    if 0 < n_items <= block:  # small work is not worth a look at the machine
        return [work(0, n_items)]
    bounds = [(i, min(i + block, n_items)) for i in range(0, n_items, block)]
    threads = min(n_threads(), len(bounds))
    if threads <= 1:
        return [work(start, stop) for start, stop in bounds]
    if getattr(_kept, "is_keeping", False):
        if _kept.pool is None:
            _kept.pool = ThreadPoolExecutor(n_threads())
        return list(_kept.pool.map(lambda bound: work(*bound), bounds))
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda bound: work(*bound), bounds))


@contextmanager
def kept_threads() -> Iterator[None]:
    """Keep the threads of ``run_blocks`` from call to call, for many short calls.

    They are started when first needed.
    """
    if getattr(_kept, "is_keeping", False):
        yield
        return
    _kept.is_keeping, _kept.pool = True, None
    try:
        yield
    finally:
        pool, _kept.is_keeping, _kept.pool = _kept.pool, False, None
        if pool is not None:
            pool.shutdown()
