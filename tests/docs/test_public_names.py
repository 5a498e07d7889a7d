"""Every public name is on the page of names, and has an example that runs."""

import importlib
import inspect
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import public_names  # noqa: E402

sys.path.pop(0)

NAMES = [
    (package, name)
    for package in public_names.PACKAGES
    for name in public_names.names_of(package)
]


def test_all_packages_that_list_names_are_public():
    listing = {
        ".".join(path.relative_to(ROOT / "src").parent.parts)
        for path in (ROOT / "src" / "labelsift").rglob("__init__.py")
        if "__all__" in path.read_text("utf-8")
    }
    assert listing - {"labelsift.cli"} == {
        package
        for package in public_names.PACKAGES
        if package != "labelsift.evaluate.metrics"
    }


def test_the_page_of_names_is_up_to_date():
    """Write it anew with `python docs/_ext/public_names.py`."""
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    assert page == public_names.page()


@pytest.mark.parametrize(("package", "name"), NAMES)
def test_a_public_name_has_an_example_that_runs(package, name):
    module = importlib.import_module(package)
    thing = getattr(module, name)
    if callable(thing):
        text = inspect.getdoc(thing)
        lines = text.splitlines()
        assert "Examples" in lines, f"{package}.{name} has no example"
    else:  # a table of names: the docstring of its package shows it
        text, lines = module.__doc__, module.__doc__.splitlines()
    examples = [line for line in lines if line.lstrip().startswith(">>>")]
    assert examples
    if not isinstance(thing, type):  # results of a function are shown by its name
        run = [line for line in lines if line.lstrip()[:3] in (">>>", "...")]
        assert any(name in line for line in run)
    assert "+SKIP" not in text
