"""Compiled loops: arrays in, arrays out."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numba
import numba.core.caching


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


def _pass_over_damage() -> None:
    """Let numba compile anew what it cannot read in its cache of these kernels.

    After a full disk or a crash a file there may be cut short; numba would fail at
    every start until someone finds and deletes it.
    """
    file: Any = numba.core.caching.IndexDataCacheFile
    read_index, read_code = file._load_index, file._load_data

    def load_index(self: Any) -> Any:
        try:
            return read_index(self)
        except OSError:
            raise
        except Exception:  # whatever pickle makes of damaged bytes
            if _is_ours(self):
                return {}
            raise

    def load_code(self: Any, name: str) -> Any:
        try:
            return read_code(self, name)
        except OSError:
            raise
        except Exception as error:
            if _is_ours(self):
                raise OSError(f"damaged: {name}") from error  # "compile it"
            raise

    file._load_index, file._load_data = load_index, load_code


def _is_ours(file: Any) -> bool:
    """Return whether a file of numba's cache is of a kernel in this folder."""
    here = Path(__file__).parent
    module = Path(file._index_path).name.partition(".")[0]
    return (here / f"{module}.py").is_file()


if not _has_cache():
    _give_cache()
_pass_over_damage()
