"""Tell whoever listens how far a long piece of work is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[int, int, str], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Have what runs within the block call ``listener(done, in_all, unit)``.

    ``in_all`` is 0 where nobody knows it. With None nobody listens.
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def current_listener() -> Listener | None:
    """Return who listens, or None. To be asked by the thread that was called."""
    return _listener.get()


def teller(unit: str) -> Callable[[int, int], None] | None:
    """Return a function of what is done and of all there is, or None.

    None where nobody listens. Any thread may call the function.
    """
    listener = current_listener()
    if listener is None:
        return None
    return lambda done, in_all: listener(done, in_all, unit)
