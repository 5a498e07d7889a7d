"""Print the lowest version of each dependency that pyproject.toml allows.

As requirements for ``pip install -r``; ``make test-floor`` does so.
"""

import re
import sys
import tomllib
from pathlib import Path

_GROUPS = ("demo", "parquet", "matlab73", "rdata", "dask", "test")
_STATED = re.compile(r"([A-Za-z0-9._-]+(?:\[[^]]*\])?)>=([0-9.]+)")


def floors(text):
    """Return one ``name==version`` for each requirement, the highest of several."""
    project = tomllib.loads(text)["project"]
    lines = list(project["dependencies"])
    for group in _GROUPS:
        lines += project["optional-dependencies"][group]
    found = {}
    for line in lines:
        stated = _STATED.fullmatch(line)
        if stated is None:
            if line.startswith(project["name"]):
                continue
            raise ValueError(f"{line!r} states no lowest version")
        name, version = stated.groups()
        parts = tuple(map(int, version.split(".")))
        found[name] = max(found.get(name, parts), parts)
    return [f"{name}=={'.'.join(map(str, v))}" for name, v in sorted(found.items())]


if __name__ == "__main__":
    whole = Path(__file__).resolve().parents[1] / "pyproject.toml"
    sys.stdout.write("\n".join(floors(whole.read_text("utf-8"))) + "\n")
