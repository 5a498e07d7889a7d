"""Kernels where numba has no folder of its own to keep compiled code in."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import labelsift

pytestmark = pytest.mark.slow

SCRIPT = """
import os
import labelsift.learn, labelsift.select  # every kernel looks for its place
from labelsift.kernels.tables import _x_log_x
print(_x_log_x(1.0))
print(os.environ.get("NUMBA_CACHE_DIR", ""))
"""


def run(package, **environment):
    environment = {**os.environ, **environment, "PYTHONPATH": str(package)}
    environment.pop("NUMBA_CACHE_DIR", None)
    environment.pop("XDG_CACHE_HOME", None)
    done = subprocess.run(
        [sys.executable, "-B", "-c", SCRIPT],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_a_place_that_cannot_be_written_is_no_obstacle(tmp_path):
    package = tmp_path / "labelsift"
    shutil.copytree(
        Path(labelsift.__file__).parent,
        package,
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    # files where the cache folders would be: this stops even the superuser
    for folder in (package, *package.rglob("*/")):
        if folder.is_dir():
            (folder / "__pycache__").touch()
    answer, cache = run(tmp_path, HOME=os.devnull)
    assert float(answer) == 0.0
    assert "labelsift-numba-" in cache
    assert not Path(cache).exists()  # it went away with the process


def test_where_numba_has_a_place_nothing_changes():
    answer, cache = run(Path(labelsift.__file__).parent.parent)
    assert (float(answer), cache) == (0.0, "")


SMALL = """
from labelsift.kernels.tables import _x_log_x
print(_x_log_x(2.0))
"""


def run_small(cache):
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": str(Path(labelsift.__file__).parent.parent),
    }
    done = subprocess.run(
        [sys.executable, "-c", SMALL],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """Return a folder of compiled code, and what it gives."""
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        pytest.skip("nothing is compiled")
    cache = tmp_path_factory.mktemp("cache")
    return cache, run_small(cache)


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["cut", "empty", "other"])
def test_a_damaged_cache_is_compiled_anew_and_mended(tmp_path, filled, ending, damage):
    whole_cache, expected = filled
    cache = shutil.copytree(whole_cache, tmp_path / "cache")
    files = list(cache.rglob(f"*.{ending}"))
    assert files
    for file in files:
        whole = file.read_bytes()
        other = {"cut": whole[: len(whole) // 3], "empty": b"", "other": b"\x95" * 99}
        file.write_bytes(other[damage])
    assert run_small(cache) == expected
    for file in files:
        assert file.stat().st_size > 99
