"""Write docs/fidelity.md: every comparison with recorded answers of Weka and Mulan.

    python benchmarks/fidelity.py                      # all; many minutes
    python benchmarks/fidelity.py --only mdl --minutes 5

Runs the tests that read recorded answers and notes what they compare: how many values,
the tolerance that is asked for, the largest difference that is found. The tests are the
only list; a test without recorded answers plays no part, and what was not run is named.
The answers are looked for as the tests do, in ``../shared/golden`` or
``$LABELSIFT_SHARED/golden``.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
ApproxScalar: Any = type(pytest.approx(1.0))
PROGRAMS = {"weka": "Weka", "weka36": "Weka 3.6", "mulan": "Mulan"}


@dataclass
class Comparisons:
    """What one test compared with one recorded file."""

    n_values: int = 0
    asked: set[str] = field(default_factory=set)
    largest: float = 0.0
    n_tests: int = 0
    n_failed: int = 0

    def add(self, found: Any, known: Any, rtol: float, atol: float) -> None:
        """Count values compared within ``atol + rtol * |known|``."""
        found, known = np.broadcast_arrays(
            np.asarray(found, dtype=np.float64), np.asarray(known, dtype=np.float64)
        )
        self.n_values += found.size
        parts = [f"{tol:.0e} {of}" for tol, of in ((atol, "absolute"),) if tol]
        parts += [f"{rtol:.0e} relative"] if rtol else []
        self.asked.add(" + ".join(parts) or "equal")
        gaps = np.abs(found - known)
        gaps = gaps[np.isfinite(gaps)]
        self.largest = max(self.largest, float(gaps.max(initial=0.0)))


class Recorder:
    """A pytest plugin that listens to comparisons once recorded answers are read."""

    def __init__(self, only: list[str], minutes: float) -> None:
        self.only = only
        self.end = time.monotonic() + 60 * minutes
        self.not_run: dict[str, None] = {}
        self.found: dict[tuple[str, str], Comparisons] = {}
        self.now: list[Comparisons] = []
        self.files: list[str] = []

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        """Keep the tests that read recorded answers, and listen to the reading."""
        kept = [
            item
            for item in items
            if reads_answers(item.function.__code__, item.module, set())
        ]
        self.not_run = dict.fromkeys(item.function.__name__ for item in kept)
        kept = [
            item
            for item in kept
            if not self.only or any(word in item.nodeid for word in self.only)
        ]
        config.hook.pytest_deselected(items=[i for i in items if i not in kept])
        items[:] = kept
        for module in {item.module for item in kept}:
            read = module.golden
            module.golden = lambda name, read=read: (self._start(name), read(name))[1]

    def _start(self, name: str) -> None:
        if name not in self.files:
            self.files.append(name)
            self.now.append(self.found.setdefault((self.test, name), Comparisons()))
            self.now[-1].n_tests += 1

    def pytest_runtest_setup(self, item: Any) -> None:
        """Note which test runs."""
        if time.monotonic() > self.end:
            item.session.shouldstop = "the time is over"
            pytest.skip("the time is over")
        self.test, self.now, self.files = item.function.__name__, [], []
        self.not_run.pop(self.test, None)

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """Note what fails, but not what is skipped."""
        is_skipped = call.excinfo and call.excinfo.errisinstance(pytest.skip.Exception)
        for each in self.now if call.when == "call" else ():
            if is_skipped:
                each.n_tests -= 1
            elif call.excinfo:
                each.n_failed += 1

    def add(self, found: Any, known: Any, rtol: float, atol: float) -> None:
        """Count a comparison for the file that was read last."""
        if self.now:
            try:
                self.now[-1].add(found, known, rtol, atol)
            except (TypeError, ValueError):  # text, or lists of unequal length
                self.now[-1].asked.add("equal")

    def listen(self) -> None:
        """Wrap the three ways in which the tests compare."""
        close, equal = np.testing.assert_allclose, np.testing.assert_array_equal
        is_near = ApproxScalar.__eq__

        def all_close(found: Any, known: Any, rtol: float = 1e-7, atol: float = 0, **k):
            self.add(found, known, rtol, atol)
            return close(found, known, rtol=rtol, atol=atol, **k)

        def all_equal(found: Any, known: Any, *args: Any, **options: Any) -> None:
            self.add(found, known, 0.0, 0.0)
            return equal(found, known, *args, **options)

        def near(approx: Any, found: Any) -> bool:
            if isinstance(found, int | float | np.number):
                rel = approx.rel or 0.0
                # pytest takes the larger of the two tolerances
                both = {"rtol": rel, "atol": approx.abs or 0.0}
                if approx.abs is not None and approx.rel is None:
                    both["rtol"] = 0.0
                self.add(found, approx.expected, **both)
            return is_near(approx, found)

        np.testing.assert_allclose = all_close
        np.testing.assert_array_equal = all_equal
        ApproxScalar.__eq__ = near


def reads_answers(code: CodeType, module: ModuleType, seen: set[str]) -> bool:
    """Tell whether a function, or one of its module that it calls, reads answers."""
    if "golden" in code.co_names:
        return True
    for name in code.co_names:
        inner = getattr(getattr(module, name, None), "__code__", None)
        if (
            inner is not None
            and name not in seen
            and inner.co_filename == module.__file__
        ):
            seen.add(name)
            if reads_answers(inner, module, seen):
                return True
    return False


def page(found: dict[tuple[str, str], Comparisons], not_run: list[str]) -> str:
    """Return the page in Markdown."""
    rows = []
    for (test, file), each in found.items():
        program, _, rest = file.removesuffix(".json").partition("_")
        kind, _, data = rest.replace("feature_s", "feature s").partition("_")
        what = test.removeprefix("test_").replace("_", " ")
        rows.append((PROGRAMS[program], kind, data, what, each))
    rows.sort(key=lambda row: (row[0], row[3], row[2]))
    run = [row for row in rows if row[4].n_tests]
    failed = sum(each.n_failed for *_, each in run)
    values = sum(each.n_values for *_, each in run)
    lines = [
        "# Fidelity: recorded answers of Weka and Mulan",
        "",
        "Written by `make fidelity` from the tests that compare with what Weka and",
        "Mulan answered on public data: the tolerance that each asks for, and the",
        "largest absolute difference. Where none is given, the test compares",
        "sets or counts, or has a limit of its own that its name and text say.",
        "",
        f"{len(run)} comparisons of {values} values; {failed or 'none'} failed.",
        "",
        "| program | data | what (name of the test) | values | asked | largest |",
        "| :-- | :-- | :-- | --: | :-- | --: |",
    ]
    for program, kind, data, what, each in run:
        largest = f"{each.largest:.1e}" if each.largest else "0"
        shown = largest if each.n_values else "-"
        result = " **fails**" if each.n_failed else ""
        asked = "; ".join(sorted(each.asked)) or "see the test"
        lines.append(
            f"| {program} ({kind}) | {data} | {what}{result} | "
            f"{each.n_values or '-'} | {asked} | {shown} |"
        )
    if not_run:
        names = "; ".join(sorted(n.removeprefix("test_") for n in not_run))
        lines += ["", f"Not run for this page: {names.replace('_', ' ')}."]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the tests and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="parts of tests' names")
    parser.add_argument("--minutes", type=float, default=120.0, help="most time")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "fidelity.md")
    asked = parser.parse_args()
    files = [
        str(path)
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if "import golden" in (text := path.read_text("utf-8"))
        or "import data_file, golden" in text
    ]
    recorder = Recorder(asked.only, asked.minutes)
    recorder.listen()
    code = pytest.main(["-q", "--rootdir", str(ROOT), *files], plugins=[recorder])
    if not any(each.n_tests for each in recorder.found.values()):
        print("no recorded answers were found: see $LABELSIFT_SHARED.", file=sys.stderr)
        return 1
    asked.out.write_text(page(recorder.found, list(recorder.not_run)), encoding="utf-8")
    print(f"written {asked.out}")
    return int(code)


if __name__ == "__main__":
    raise SystemExit(main())
