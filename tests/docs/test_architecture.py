"""The page on architecture shows the imports that there are."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import import_graph  # noqa: E402

sys.path.pop(0)
FOUND = import_graph.imports()
REMEDY = "write it anew: python docs/_ext/import_graph.py"


def test_the_table_is_that_of_the_source():
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert import_graph.with_table(page, FOUND) == page, REMEDY


def test_the_picture_is_that_of_the_source():
    drawn = (ROOT / "docs" / "architecture.svg").read_text("utf-8")
    assert import_graph.picture(FOUND) == drawn, REMEDY
    assert drawn.count("<circle") == sum(map(len, FOUND.values()))


def test_all_imports_go_one_way_but_for_the_one_that_the_page_names():
    order = list(FOUND)
    upward = {
        (here, other)
        for here, others in FOUND.items()
        for other in others
        if order.index(other) > order.index(here)
    }
    assert upward == {("evaluate", "report")}
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert "calls `report`" in page


def test_every_folder_of_the_package_is_in_it():
    folders = {
        path.name
        for path in import_graph.SOURCE.iterdir()
        if path.is_dir() and any(path.glob("*.py"))
    }
    shared = {"_docstrings", "_sklearn", "_whole_numbers", "_words"}
    assert folders | shared == set(FOUND)
    assert "select" not in FOUND["learn"]
    assert "learn" not in FOUND["select"]
