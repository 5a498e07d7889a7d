"""Benchmark data and golden values that lie beside the repository, where present."""

import json
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("LABELSIFT_SHARED", ROOT.parent / "shared"))


def data_file(name: str) -> Path:
    """Return the path of a benchmark file, or skip the test."""
    path = SHARED / "data" / name
    if not path.is_file():
        pytest.skip(f"benchmark file {name} is not on this machine")
    return path


def golden(name: str) -> dict:
    """Return a file of golden values, or skip the test."""
    path = SHARED / "golden" / name
    if not path.is_file():
        pytest.skip(f"golden values {name} are not on this machine")
    return json.loads(path.read_text())
