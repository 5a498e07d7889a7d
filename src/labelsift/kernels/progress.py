"""Tell whoever listens how far a long piece of work is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Lock, Thread

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


class Tally:
    """Adds up what threads have done, and tells whoever listens.

    Parameters
    ----------
    unit : str
        What is told.
    in_all : int
        Steps that there are.
    told_as : int, optional
        How many units all steps are; by default each step is one.
    """

    def __init__(self, unit: str, in_all: int, told_as: int | None = None) -> None:
        self._in_all, self._done = in_all, 0
        self._told_as = in_all if told_as is None else told_as
        self._tell = teller(unit)
        self._lock = Lock()

    def add(self, steps: int) -> None:
        """Say that so many more are done; any thread may."""
        if self._tell is None:
            return
        with self._lock:
            self._done += steps
            self._tell(self._done * self._told_as // self._in_all, self._told_as)


@contextmanager
def one_long_step(unit: str, in_all: int, *, every: float = 0.5) -> Iterator[None]:
    """Tell again and again that nothing of ``in_all`` is done; in the end, all.

    For a call that cannot be asked how far it is.
    """
    tell = teller(unit)
    if tell is None:
        yield
        return
    tell(0, in_all)
    ended = Event()

    def repeat() -> None:
        while not ended.wait(every):
            tell(0, in_all)

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    tell(in_all, in_all)
