"""Compiled loops: arrays in, arrays out."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

import numba


def _has_cache() -> bool:
    """Return whether numba finds a folder, here or in the home, to keep code in."""
    try:
        numba.njit(cache=True)(_nothing)
    except RuntimeError:  # "cannot cache function ...: no locator available"
        return False
    return True


def _nothing() -> None:
    return None


def _give_cache() -> None:
    # Installed read-only and without a home, numba would refuse every kernel. A fresh
    # folder, never a shared one: what lies in a cache is run.
    folder = tempfile.mkdtemp(prefix="labelsift-numba-")
    setattr(numba.config, "CACHE_DIR", folder)  # noqa: B010 (made when numba starts)
    os.environ["NUMBA_CACHE_DIR"] = folder  # for worker processes
    atexit.register(_remove, folder, os.getpid())


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # not in a fork
        shutil.rmtree(folder, ignore_errors=True)


if not _has_cache():
    _give_cache()
