"""Settings for the whole suite, and the order of its tests."""

from pathlib import Path

from hypothesis import HealthCheck, settings

from example_counts import PROFILES, USUAL

for name, count in PROFILES.items():
    settings.register_profile(
        name,
        deadline=None,
        max_examples=count,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(next(name for name, n in PROFILES.items() if n == USUAL))

TESTS = Path(__file__).resolve().parent
FIRST = ("contract", "encode", "read", "fuzz", "report", "docs")


def pytest_collection_modifyitems(items):
    """Keep tests that compile the same loops in one worker.

    A worker begins with a run of neighbouring tests. The contracts call every loop, so
    they come first, and selector by selector; the other worker begins with readers and
    pages, where next to nothing is compiled, and later finds the loops made.
    """
    items.sort(key=_place)


def _place(item):
    if not item.path.is_relative_to(TESTS):
        return len(FIRST), ""
    folder, *rest = item.path.relative_to(TESTS).parts
    place = FIRST.index(folder) if folder in FIRST else len(FIRST)
    return place, _selector(item) if rest == ["test_selectors.py"] else ""


def _selector(item):
    """Return the selector that a contract is about, in letters alone."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    name = parameters.get("name", type(parameters.get("estimator")).__name__)
    return name.replace("_", "").lower()
