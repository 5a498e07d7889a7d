"""Keep the BLAS to one thread while blocks of work run in threads of our own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_state: dict[str, Any] = {"controller": None, "users": 0, "limit": None}


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit the BLAS to one thread within the block.

    Its threads would compete with ours, and spin where the products are small. Blocks
    may overlap in several threads: the first sets the limit, the last one lifts it.
    """
    with _lock:
        if _state["controller"] is None:
            _state["controller"] = ThreadpoolController()
        if _state["users"] == 0:
            _state["limit"] = _state["controller"].limit(limits=1, user_api="blas")
            _state["limit"].__enter__()
        _state["users"] += 1
    try:
        yield
    finally:
        with _lock:
            _state["users"] -= 1
            if _state["users"] == 0:
                _state["limit"].__exit__(None, None, None)
