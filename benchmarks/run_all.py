"""Run every benchmark and write what it printed to docs/benchmarks.md.

    python benchmarks/run_all.py                 # every bench_*.py
    python benchmarks/run_all.py chi2 spec       # only these; the others stay
    python benchmarks/run_all.py --minutes 20    # most time of one script
    python benchmarks/run_all.py --full extreme  # at full size, where there is one

Scripts that take long are run on part of their data unless ``--full`` is given; the
page names the words that they were called with.
A script that fails or takes too long is said on the page, and the others go on. Peers
that are not installed are named as such; scripts do without them.
"""

import argparse
import importlib.metadata
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("LABELSIFT_SHARED", HERE.parents[1] / "shared")) / "data"
PAGE = HERE.parent / "docs" / "benchmarks.md"
PEERS = (
    "numpy", "scipy", "scikit-learn", "numba", "liac-arff", "pandas", "polars",
    "pyarrow", "dask", "distributed", "scikit-multilearn", "river", "xgboost",
)  # fmt: skip
PART = {  # what a run of sensible length is called with
    "clr": ["emotions"],
    "neighbors": ["--small"],
    "recommend": ["--sets", "emotions", "--seeds", "1", "--simulated", "0"],
    "rough": ["scene", "growth"],
    "spec_claim": ["emotions"],
}
HEAD = """# Benchmarks

Written by `make bench` (`python benchmarks/run_all.py`); every figure is from the run
that its section names. Ratios are against a peer or a plain reference in the same run:
above 1, labelsift is faster. A machine that does other things at the same time shows
longer times, so ratios and seconds of processor say more than seconds of the clock.
"""


def machine():
    """Describe the machine without naming it."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[0]
    found, absent = [], []
    for name in PEERS:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            absent.append(name)
    if absent:
        found.append(f"not installed: {', '.join(absent)}")
    return (
        f"{cores or os.cpu_count()} cores ({platform.machine()}), {memory:.0f} GB, "
        f"{platform.system()}, Python {platform.python_version()}; "
        f"load before the run {load:.1f}; {', '.join(found)}"
    )


def ran(script, minutes, options=()):
    """Return what a script printed, how it ended if not well, wall and processor."""
    start, before = time.perf_counter(), os.times()
    known = {"LABELSIFT_DATA": str(SHARED)} if SHARED.is_dir() else {}
    try:
        done = subprocess.run(
            [sys.executable, str(script), *options],
            capture_output=True,
            text=True,
            timeout=60 * minutes,
            cwd=HERE,
            env={**known, **os.environ, "PYTHONUNBUFFERED": "1"},
        )
        text, code = done.stdout, done.returncode
        last = (done.stderr.strip().splitlines() or [""])[-1]
        end = "" if code == 0 else f"failed with code {code}: {last}"
    except subprocess.TimeoutExpired as error:
        text = (error.stdout or b"").decode(errors="replace")
        end = f"stopped after {minutes} minutes"
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    return text, end, time.perf_counter() - start, used


def without_places(text):
    """Leave out folders of this machine."""
    for place in {
        str(HERE.parent),
        str(Path.home()),
        os.environ.get("LABELSIFT_SHARED"),
        os.environ.get("LABELSIFT_DATA"),
    }:
        if place:
            text = text.replace(place, "...")
    return re.sub(r"/tmp/\S+", "...", text)


def section(script, minutes, is_full=False):
    where = machine()
    if is_full:
        options = ["--full"] if "--full" in script.read_text() else []
    else:
        options = PART.get(script.stem.removeprefix("bench_"), [])
    words = f", with `{' '.join(options)}`" if options else ""
    text, end, seconds, used = ran(script, minutes, options)
    summary = (script.read_text().split('"""')[1]).strip().splitlines()[0]
    day = time.strftime("%Y-%m-%d")
    lines = [
        f"## {script.stem}",
        "",
        summary,
        "",
        f"{day}{words}, {seconds:.0f} s, {used:.0f} s of processor; {where}.",
        "",
    ]
    if end:
        lines += [f"**{without_places(end)}**", ""]
    body = without_places(text).rstrip()
    return "\n".join([*lines, "```text", body or "(nothing printed)", "```", ""])


def sections_of(page):
    """Return the sections of an older page by name."""
    if not page.exists():
        return {}
    parts = re.split(r"^(?=## )", page.read_text(), flags=re.MULTILINE)[1:]
    return {part.splitlines()[0][3:]: part.rstrip() + "\n" for part in parts}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="such as chi2; default: all")
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--full", action="store_true", help="at full size")
    asked = parser.parse_args()
    scripts = sorted(HERE.glob("bench_*.py"))
    known = {script.stem.removeprefix("bench_"): script for script in scripts}
    unknown = sorted(set(asked.names) - set(known))
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; known: {', '.join(known)}")
    failed = []
    for name in asked.names or known:
        print(f"== {name}", flush=True)
        text = section(known[name], asked.minutes, asked.full)
        found = {**sections_of(PAGE), known[name].stem: text}
        order = [script.stem for script in scripts if script.stem in found]
        PAGE.write_text(HEAD + "\n" + "\n".join(found[stem] for stem in order))
        print(text, flush=True)
        if "**failed" in text or "**stopped" in text:
            failed.append(name)
    if failed:
        raise SystemExit(f"did not end well: {', '.join(failed)}; see {PAGE.name}")


if __name__ == "__main__":
    main()
