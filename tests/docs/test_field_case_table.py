"""The table of field cases names every case, and tests that exist."""

import ast
import re
from pathlib import Path

import pytest

from shared_data import SHARED

ROOT = Path(__file__).resolve().parents[2]


def named_tests():
    """Return the test that each case names."""
    text = (ROOT / "docs" / "field_cases.md").read_text("utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {
        row[0].strip("| "): re.fullmatch(r"`(\w+)` \|", row[-1]).group(1)
        for row in rows[2:]
    }


def existing_tests():
    path = ROOT / "tests" / "test_field_cases.py"
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_tests_that_the_table_names_exist():
    assert set(named_tests().values()) <= existing_tests()


def test_every_test_of_a_case_is_in_the_table():
    named = {name for name in existing_tests() if name.startswith("test_case")}
    assert named == set(named_tests().values())


def test_a_test_is_called_by_the_number_of_its_case():
    for case, name in named_tests().items():
        assert re.search(rf"_{case.lower()}_", name), f"{case} names {name}"


def test_every_case_of_the_collection_is_in_the_table():
    source = SHARED / "field-cases.md"
    if not source.is_file():
        pytest.skip(f"{source} is not there")
    text = source.read_text("utf-8")
    cases = set(re.findall(r"^(\d+|M\d+)\. ", text, flags=re.M))
    assert len(cases) > 30
    assert cases == set(named_tests())
