"""Every example in a docstring, the README and docs runs and prints what it says."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import numpy as np
import pytest

import labelsift

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def module_names():
    found = pkgutil.walk_packages(labelsift.__path__, "labelsift.")
    return ["labelsift", *sorted(i.name for i in found if "__main__" not in i.name)]


@pytest.mark.parametrize("name", module_names())
def test_docstring_examples(name):
    module = importlib.import_module(name)
    with np.printoptions(precision=8):
        result = doctest.testmod(module, optionflags=OPTIONS)
    assert result.failed == 0


@pytest.mark.parametrize(
    "path", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=str
)
def test_documents(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(
        str(path), module_relative=False, optionflags=OPTIONS, encoding="utf-8"
    )
    assert result.failed == 0
