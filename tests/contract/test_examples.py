"""Every example in a docstring, the README and docs runs and prints what it says."""

import doctest
import importlib
import pkgutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import labelsift

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
MADE_BEFORE = {  # what examples take as made, as they say, and who makes it
    "comparison": "labelsift.evaluate.plan_run.run_plan",
    "results": "labelsift.report.html.write_report",
}


def module_names():
    found = pkgutil.walk_packages(labelsift.__path__, "labelsift.")
    return ["labelsift", *sorted(i.name for i in found if "__main__" not in i.name)]


@cache
def made_before(name):
    """Return what the example of another docstring ends up with."""
    where, _, function = MADE_BEFORE[name].rpartition(".")
    module = importlib.import_module(where)
    [test] = [
        found
        for found in doctest.DocTestFinder(recurse=False).find(
            getattr(module, function), function, module
        )
        if found.examples
    ]
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, clear_globs=False)
    return test.globs[name]


def needed(module):
    """Return what the examples of a module take as made."""
    source = Path(module.__file__).read_text("utf-8")
    marks = {
        "comparison": ("(comparison", ">>> comparison", "= comparison."),
        "results": (">>> results.best()",),
    }
    lines = [line for line in source.splitlines() if line.strip().startswith(">>>")]
    return {
        name: made_before(name)
        for name, forms in marks.items()
        if any(form in line for line in lines for form in forms)
        and not any(f">>> {name} =" in line for line in lines)
    }


@pytest.mark.parametrize("name", module_names())
def test_docstring_examples(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    with np.printoptions(precision=8):
        result = doctest.testmod(module, optionflags=OPTIONS, extraglobs=needed(module))
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
