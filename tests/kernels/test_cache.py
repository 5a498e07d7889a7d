"""Kernels where numba has no folder of its own to keep compiled code in."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import labelsift

SCRIPT = """
import os
from labelsift.select import Chi2
print(*Chi2().fit([[0.0], [1.0], [0.0], [1.0]], [[0], [1], [0], [1]]).scores_)
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
    scores, cache = run(tmp_path, HOME=os.devnull)
    assert float(scores) == 4.0
    assert "labelsift-numba-" in cache
    assert not Path(cache).exists()  # it went away with the process


def test_where_numba_has_a_place_nothing_changes():
    scores, cache = run(Path(labelsift.__file__).parent.parent)
    assert (float(scores), cache) == (4.0, "")
