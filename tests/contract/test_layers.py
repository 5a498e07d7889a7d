"""Imports go one way; public names are documented."""

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import labelsift

SOURCE = Path(labelsift.__file__).parent
# a folder may import from folders before it, and from kernels
LAYERS = [
    "kernels",
    "read",
    "encode",
    "statistics",
    "score",
    "select",
    "learn",
    "evaluate",
    "papers",
    "report",
    "cli",
]
# each imports nothing of the package but those before it
SHARED = ("_docstrings", "_words", "_whole_numbers", "_sklearn")
ENGINE_USERS = {"read", "evaluate"}
UPWARD = {("evaluate/recommend_answer.py", "report")}
"""What a user asks of a lower layer and a higher one does: each within a function."""


def modules():
    return sorted(SOURCE.rglob("*.py"))


def folder(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_folders(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module]
            if node.module == "labelsift":
                names = [f"labelsift.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"relative import in {path.name}"]
        for name in names:
            parts = name.split(".")
            if parts[0] == "labelsift" and len(parts) > 1:
                yield parts[1]
            elif name.startswith("relative"):
                yield name


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_go_one_way(path):
    here = folder(path)
    if here not in LAYERS:
        return
    for target in imported_folders(path):
        if target in (here, *SHARED, "__version__", "kernels"):
            continue
        if target == "engine":
            assert here in ENGINE_USERS, f"{path} imports engine"
            continue
        assert target in LAYERS, f"{path} imports {target}"
        if (path.relative_to(SOURCE).as_posix(), target) in UPWARD:
            continue
        both_on_one_level = {here, target} == {"select", "learn"}
        assert LAYERS.index(target) < LAYERS.index(here), f"{path} imports {target}"
        assert not both_on_one_level, f"{path} imports {target}"


def test_exceptions_are_needed_and_do_not_load_the_higher_layer():
    for name, target in UPWARD:
        path = SOURCE / name
        assert target in imported_folders(path), f"{name} needs no exception"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        top = [n.module for n in tree.body if isinstance(n, ast.ImportFrom)]
        assert f"labelsift.{target}" not in top


def test_no_layer_is_imported_by_a_name_that_the_tests_cannot_see():
    for path in modules():
        if folder(path) not in LAYERS:
            continue
        text = path.read_text(encoding="utf-8")
        assert 'import_module("labelsift' not in text, path
        assert '__import__("labelsift' not in text, path


def test_kernels_import_nothing_of_the_package():
    for path in (SOURCE / "kernels").glob("*.py"):
        assert not [t for t in imported_folders(path) if t != "kernels"], path


def test_what_all_layers_share_imports_only_what_is_shared_before_it():
    for place, name in enumerate(SHARED):
        path = SOURCE / f"{name}.py"
        found = set(imported_folders(path)) - {name}
        assert found <= set(SHARED[:place]), path


def test_every_folder_is_a_layer():
    known = {*LAYERS, *SHARED, "engine", "__init__", "__main__"}
    assert {folder(path) for path in modules()} <= known


def public_objects():
    found = {}
    for info in pkgutil.walk_packages([str(SOURCE)], "labelsift."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        for name in getattr(module, "__all__", []):
            found.setdefault(id(getattr(module, name)), (info.name, name, module))
    return sorted(
        (where, name, getattr(module, name)) for where, name, module in found.values()
    )


@pytest.mark.parametrize(
    ("where", "name", "thing"),
    [p for p in public_objects() if callable(p[2])],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_public_names_have_docstrings_with_their_parameters(where, name, thing):
    text = inspect.getdoc(thing)
    assert text, f"{where}.{name} has no docstring"
    try:
        parameters = inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return
    if isinstance(thing, type) and issubclass(thing, BaseException):
        return
    for parameter in parameters.values():
        if parameter.name in ("self", "args", "kwargs"):
            continue
        assert parameter.name in text, f"{where}.{name}: {parameter.name} undocumented"


def test_modules_stay_readable():
    too_long = {
        str(path.relative_to(SOURCE)): len(path.read_text("utf-8").splitlines())
        for path in modules()
        if len(path.read_text("utf-8").splitlines()) > 400
    }
    assert not too_long
