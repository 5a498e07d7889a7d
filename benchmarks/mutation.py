"""Put small faults into the code, one at a time, and see whether a test notices.

    make coverage                              # once: which test reaches which line
    python benchmarks/mutation.py              # draw, run, write docs/mutation.md
    python benchmarks/mutation.py score/chi2   # only these modules; the others stay
    python benchmarks/mutation.py --again      # only what survived last time
    python benchmarks/mutation.py --page       # only write the page again

A sample of mutants is drawn for each module (see `mutants.py`). A mutant meets only the
tests that reach its line until one fails: first those written since the map was made,
then those of files that import its module or have its name, then those of scores,
statistics and selectors, then all others, each the fastest of every file first. Time
is that of the processor, so that a busy machine changes no figure. The tests are
collected once, in a process which has imported everything and run the fastest ones;
each mutant is a fork of it in which the code of one function is exchanged, so that most
take less than a second. What runs at import (constants, defaults, decorators) takes a
new process. In the end the tests that failed are run once without a fault: one that
still fails has noticed nothing. Nothing is written into the sources.

Survivors whose reason is known are in `mutation_reasons.toml`; one that is not there is
named on the page as not explained.
"""

import argparse
import ast
import gc
import importlib
import json
import multiprocessing
import os
import pkgutil
import resource
import select
import signal
import sys
import time
import types
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from dataclasses import fields
from functools import cache
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path

os.environ["LABELSIFT_NUM_THREADS"] = "1"  # a fork has no threads
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import coverage
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SOURCE = ROOT / "src" / "labelsift"
RESULTS = ROOT / ".mutation"  # one file of results for each module
MODULES = (
    *("score/*.py", "statistics/*.py", "kernels/blocks.py", "evaluate/metrics.py"),
    *("evaluate/prediction_metrics.py", "evaluate/ranking_metrics.py"),
    "evaluate/_metric_arguments.py",
)
SEED = 20140905
FOLDERS = (  # tests that run within the process, so that a fork can
    *("score", "statistics", "select", "evaluate", "learn", "contract", "encode"),
    *("engine", "kernels", "read", "papers", "report", "docs", "."),
)
WORKERS = {"tests/contract/test_examples.py"}  # starts processes, which a fork cannot
NEAR_FOLDERS = ("score", "statistics", "select")  # tests of values, not of their use
NEAR = 8  # lines that a line may have moved by since the map was made
MOST_TESTS = 60  # functions, of a mutant that needs a new process
PRELOADED = (
    *("numpy", "numba", "pandas", "polars"),
    *("scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.special", "scipy.stats"),
    *("sklearn.base", "sklearn.metrics", "sklearn.model_selection", "sklearn.pipeline"),
)
WALL = 500  # times the processor's, at most
IDLE = 60  # seconds in which a mutant that waits for what never comes does nothing
NOT_IMPORTED = 70  # how a process ends
MEMORY = 8 << 30  # bytes of address space beyond which a mutant is dead


def modules(names=()):
    """Return the paths of the modules under test, relative to the package."""
    found = [
        path.relative_to(SOURCE).as_posix()
        for pattern in MODULES
        for path in sorted(SOURCE.glob(pattern))
        if path.name != "__init__.py"
    ]
    wanted = [m for m in found if not names or m.removesuffix(".py") in names]
    unknown = set(names) - {m.removesuffix(".py") for m in found}
    if unknown:
        raise SystemExit(f"no such module: {', '.join(sorted(unknown))}")
    return wanted


def sample_size(n_lines):
    """Return how many mutants a module gives: 10, and one more for each 15 lines."""
    return 10 + n_lines // 15


class Reach:
    """Which test reaches which line, and how long it takes, from `make coverage`."""

    def __init__(self, data_file, times_file):
        if not Path(data_file).exists() or not Path(times_file).exists():
            raise SystemExit(
                f"{data_file} or {times_file} is missing: run `make coverage` first."
            )
        self.made = Path(data_file).stat().st_mtime
        self._data = coverage.CoverageData(data_file)
        self._data.read()
        self.seconds = {}
        for case in ElementTree.parse(times_file).iter("testcase"):
            name = f"{case.get('file')}::{case.get('name')}"
            classes = case.get("classname", "").split(".")
            inner = [part for part in classes if part[:1].isupper()]
            if inner:
                name = f"{case.get('file')}::{'::'.join(inner)}::{case.get('name')}"
            self.seconds[name] = float(case.get("time", 0))
        self._files = {}
        measured = {Path(f).as_posix(): f for f in self._data.measured_files()}
        for module in modules():
            ending = f"/labelsift/{module}"
            for known, name in measured.items():
                if known.endswith(ending):
                    self._files[module] = self._data.contexts_by_lineno(name)

    def tests(self, module, spans, *, at_import=False):
        """Return the tests that reach lines, the nearest to their module first.

        Of tests that are as near the fastest of each file first, then the second
        fastest of each: the tests of a file are alike.

        A fixture of a whole file is set up for its first test only, so all tests of
        that file count. Without ``spans``, and where no test reaches them, those that
        reach anything of the module are returned; and for what runs at import those of
        files that are about the module, too.
        """
        lines = self._files.get(module, {})
        if (SOURCE / module).stat().st_mtime > self.made:  # lines have moved since
            spans = [(first - NEAR, last + NEAR) for first, last in spans]
        reached = [i for first, last in spans for i in range(first, last + 1)]
        contexts = set().union(*(lines.get(i, ()) for i in reached)) - {""}
        contexts = contexts or set().union(*lines.values()) - {""}
        found, files = set(), set()
        for context in contexts:
            name, _, phase = context.rpartition("|")
            found.add(name)
            if phase == "setup":
                files.add(name.split("::")[0])
        if at_import:
            every = {name.split("::")[0] for name in self.seconds}
            files |= {file for file in every if _is_about(file, module)}
        found |= {name for name in self.seconds if name.split("::")[0] in files}
        found &= set(self.seconds)
        folders, seen = {*NEAR_FOLDERS, Path(module).parent.name}, Counter()
        placed = []
        for seconds, name in sorted((self.seconds[name], name) for name in found):
            file = name.split("::")[0]
            distance = 2 - (Path(file).parent.name in folders)
            if _is_about(file, module):
                distance = 0
            placed.append((distance, seen[file], seconds, name))
            seen[file] += 1
        return [name for *_, name in sorted(placed)]


class Server:
    """A pytest session that, instead of running the tests, serves the mutants."""

    def __init__(self, work, times, seconds, warm, finished):
        self.work, self.times, self.finished = work, times, finished
        self.seconds, self.warm = seconds, warm
        self.child, self.items = None, {}

    def pytest_collection(self):
        """Import everything; find a failing example, but do not make it small."""
        import hypothesis

        load_all()
        phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
        hypothesis.settings.register_profile(
            "mutation",
            parent=hypothesis.settings.get_profile("labelsift"),
            phases=phases,
            report_multiple_bugs=False,
        )
        hypothesis.settings.load_profile("mutation")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        """End a mutant at its first failing test, before a report of it is written."""
        skipped = call.excinfo and call.excinfo.errisinstance(pytest.skip.Exception)
        if call.excinfo and not skipped and not item.get_closest_marker("xfail"):
            if self.child is not None:
                os.write(self.child, item.nodeid.encode())
                os._exit(1)
            self.broken.add(item.nodeid)

    def pytest_runtestloop(self, session):
        """Run the fastest tests once without a fault, then every mutant in a fork."""
        self.items = {item.nodeid: item for item in session.items}
        self.new = [name for name in self.items if name not in self.times]
        self.broken = set()
        started = time.perf_counter()
        warm = {
            name
            for _, tests, _ in self.work
            for name in [t for t in tests if t in self.items][: self.warm]
        }
        threads = {f for f in {n.split("::")[0] for n in self.items} if _threads(f)}
        warm = {n for n in warm.union(self.new) if n.split("::")[0] not in threads}
        for name in sorted(warm):
            self._run(name, None)
        say(
            f"{len(self.items)} tests collected, {len(warm)} run without a fault in "
            f"{time.perf_counter() - started:.0f} s; failing: {sorted(self.broken)}"
        )
        functions, killed = self._functions(), []
        gc.collect()
        gc.freeze()
        for number, (mutant, tests, is_cut) in enumerate(self.work, 1):
            files = {name.split("::")[0] for name in tests}
            new = [
                t
                for t in self.new
                if t.split("::")[0] in files
                or _is_about(t.split("::")[0], mutant.module)
            ]
            known = [*new, *(t for t in tests if t in self.items)]
            known = [t for t in known if t not in self.broken]
            started = time.perf_counter()
            outcome, by = self._meet(mutant, known, functions)
            if outcome == "survived" and is_cut:
                outcome = "out of time"  # not all tests were tried
            took = time.perf_counter() - started
            record = {**mutant.as_dict(), "outcome": outcome, "by": by}
            record["tests"] = len(known)
            if outcome == "killed":
                killed.append((mutant, record, place_of(mutant) is None))
            self.finished(mutant, record)
            say(
                f"{number}/{len(self.work)} {took:.1f} s {outcome} {mutant.module}:"
                f"{mutant.line} {mutant.before} => {mutant.after}"
                + (f" [{by}]" if by else "")
            )
        for at_import in (False, True):
            some = [(m, record) for m, record, where in killed if where == at_import]
            by = {record["by"] for _, record in some if "tests/" in record["by"]}
            by = {_function(n) for n in by} if at_import else by - warm
            by = sorted(by)
            failing = self._failing_anyway(by, at_import) if by else set()
            say(f"{len(by)} tests run without a fault; failing: {sorted(failing)}")
            for mutant, record in some:
                if _function(record["by"]) in failing:
                    self.finished(mutant, {**record, "outcome": "out of time"})
        return True

    def _failing_anyway(self, names, at_import):
        """Return which tests fail without a fault where mutants are run."""
        failing = set()
        if at_import:
            module = modules()[0]
            asked = module, (SOURCE / module).read_text()
            while names:
                outcome, by = in_new_process(*asked, names[:MOST_TESTS], WALL)
                if outcome == "killed":
                    failing.add(_function(by))
                    names = [name for name in names if name not in failing]
                else:
                    names = names[MOST_TESTS:]
            return failing
        for name in names:
            child = os.fork()
            if child == 0:
                self.broken = set()
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                self._run(name, None)
                os._exit(len(self.broken))
            if os.waitpid(child, 0)[1]:
                failing.add(_function(name))
        return failing

    def _run(self, name, following):
        item = self.items[name]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    def _functions(self):
        """Return {(file, qualified name): functions} of what is loaded."""
        found = defaultdict(list)
        for thing in gc.get_objects():
            if isinstance(thing, types.FunctionType):
                code = thing.__code__
                if "/labelsift/" in code.co_filename:
                    found[code.co_filename, code.co_qualname].append(thing)
        return found

    def _meet(self, mutant, tests, functions):
        if not tests:
            return "survived", "no test reaches the line"
        original = (SOURCE / mutant.module).read_text()
        mutated = mutant.source(original)
        place = function_at(original, mutant.line)
        if place is None:
            return in_new_process(mutant.module, mutated, tests, self.seconds)
        path = str(SOURCE / mutant.module)
        changed = functions.get((path, place[0]), [])
        code = _code(compile(mutated, path, "exec"), *place)
        if not changed or code is None:
            return in_new_process(mutant.module, mutated, tests, self.seconds)
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            self._be_mutant(write_end, changed, code, place[1], tests)
        os.close(write_end)
        ready = _wait(read_end, child, WALL * self.seconds)
        if not ready:
            os.kill(child, signal.SIGKILL)
        said = os.read(read_end, 4096).decode() if ready else "time"
        os.close(read_end)
        status = os.waitpid(child, 0)[1]
        if not ready:
            return "out of time", ""
        if said in ("survived", "out of time"):
            return said, ""
        if (
            not said
            and os.WIFSIGNALED(status)
            and os.WTERMSIG(status) == signal.SIGXCPU
        ):
            return "killed", "took too long"
        return "killed", said or f"the process ended with {status}"

    def _be_mutant(self, pipe, changed, code, first_line, tests):
        """Run the tests with the exchanged code; never returns."""
        self.child = pipe
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        for function in changed:
            if function.__code__.co_firstlineno == first_line:
                function.__code__ = code
        spent = time.process_time()  # of this process, whatever else the machine does
        limit = int(2 * self.seconds + 2)  # one test that does not end
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        said = b"survived"
        for name, after in zip(tests, [*tests[1:], None], strict=True):
            self._run(name, self.items[after] if after else None)
            if time.process_time() - spent > self.seconds:
                said = b"out of time" if after else said
                break
        os.write(pipe, said)
        os._exit(0)


def _wait(pipe, child, most):
    """Wait for a word of a process; tell whether it came before that did nothing."""
    started, before = time.monotonic(), None
    while time.monotonic() - started < most:
        if select.select([pipe], [], [], IDLE)[0]:
            return True
        spent = _spent(child)
        if spent is not None and spent == before:
            return False
        before = spent
    return False


def _spent(process):
    """Return the processor's time of a process so far, None where it is not known."""
    try:
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(words[11]) + int(words[12])


def place_of(mutant):
    """Return the function that a mutant is in, None where it runs at import."""
    return function_at((SOURCE / mutant.module).read_text(), mutant.line)


def _function(name):
    """Return the name of a test without that of the case."""
    return name.split("[")[0]


@cache
def _is_about(file, module):
    """Tell whether a test file imports a module, or has its folder and its name."""
    path, tested = Path(file), Path(module)
    imports = f"from labelsift.{module.removesuffix('.py').replace('/', '.')} import"
    is_named = path.stem.startswith(f"test_{tested.stem.lstrip('_')}")
    same_folder = path.parent.name == tested.parent.name
    return (is_named and same_folder) or (path.exists() and imports in path.read_text())


def _threads(file):
    """Tell whether tests of a file may start threads, which a fork would miss."""
    text = Path(file).read_text()
    return any(word in text for word in ("polars", "dask", "n_jobs", "joblib"))


def _code(module_code, name, first_line):
    """Return the code of a function inside the code of its module."""
    waiting = [module_code]
    while waiting:
        code = waiting.pop()
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                same = constant.co_qualname == name
                if same and constant.co_firstlineno == first_line:
                    return constant
                waiting.append(constant)
    return None


def used_at(source, line):
    """Return the lines that depend on what runs at import, as (first, last) pairs.

    For a decorator or a default those of the function, for a constant those that read
    it; none where nobody knows.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first <= line < node.body[0].lineno:
                return [(node.body[0].lineno, node.end_lineno)]
    names = {
        name.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and node.lineno <= line <= node.end_lineno
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    return [
        statement_lines(source, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and getattr(node, "id", getattr(node, "attr", "")) in names
        and function_at(source, node.lineno) is not None
    ]


def in_new_process(module, mutated, tests, seconds):
    """Run tests in a process that imports the mutated source; return the outcome."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    receiver, sender = context.Pipe(duplex=False)
    # a fault may change the name of a case, but not that of its function
    tests = list(dict.fromkeys(map(_function, tests)))
    asked = (module, mutated, tests[:MOST_TESTS], int(seconds), sender)
    process = context.Process(target=imported, args=asked)
    process.start()
    process.join(WALL * seconds)
    if process.exitcode is None:
        process.kill()
        process.join()
        return "out of time", ""
    if process.exitcode == NOT_IMPORTED:
        return "killed", "cannot be imported"
    if receiver.poll():  # a test failed, or could not be collected
        return "killed", receiver.recv()
    if process.exitcode == 0 and len(tests) <= MOST_TESTS:
        return "survived", ""
    return "out of time", ""


class FirstFailure:
    """Sends the name of the first test that fails."""

    def __init__(self, sender):
        self._sender = sender

    def pytest_runtest_logreport(self, report):
        """Look at what came of a test, its setup or its end."""
        if report.failed:
            self._sender.send(report.nodeid)

    def pytest_collectreport(self, report):
        """Look at what came of reading a file of tests."""
        if report.failed:
            self._sender.send(report.nodeid)


def imported(module, mutated, tests, seconds, sender):
    """Run tests with a module's source replaced; exit as pytest does."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    most = seconds + 60  # it has everything to import
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    path, original = str(SOURCE / module), SourceFileLoader.get_code

    def get_code(loader, name):
        if loader.get_filename(name) == path:
            return compile(mutated, path, "exec")
        return original(loader, name)

    SourceFileLoader.get_code = get_code
    sys.path.insert(0, str(ROOT / "src"))
    os.chdir(ROOT)
    name = module.removesuffix(".py").replace("/", ".")
    try:
        importlib.import_module(f"labelsift.{name}")
    except Exception:
        sys.exit(NOT_IMPORTED)
    asked = [*tests, "-x", "-q", "-p", "no:cacheprovider", *QUIET]
    sys.exit(int(pytest.main(asked, plugins=[FirstFailure(sender)])))


QUIET = ("-p", "no:xdist", "-p", "no:pytest_cov")


def say(line):
    """Print a line of progress."""
    print(line, file=sys.stderr, flush=True)


def load_all():
    """Import every module of the package, so that a fork has nothing left to load."""
    import labelsift

    for module in pkgutil.walk_packages(labelsift.__path__, "labelsift."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def serve(chosen, reach, asked, finished):
    """Run the mutants; hand each result to ``finished``."""
    place = Counter()
    work, sources = [], {m: (SOURCE / m).read_text() for m in modules()}
    for mutant in chosen:
        source = sources[mutant.module]
        at_import = function_at(source, mutant.line) is None
        spans = [statement_lines(source, mutant.line)]
        if at_import:
            spans = used_at(source, mutant.line)
        tests = reach.tests(mutant.module, spans, at_import=at_import)
        place[mutant.module] += 1
        is_cut, tests = len(tests) > asked.tests, tests[: asked.tests]
        work.append((place[mutant.module], (mutant, tests, is_cut)))
    # in turn, as drawn, so that a run that is stopped has a fair sample of each module
    work = [one for _, one in sorted(work, key=lambda w: w[0])]
    files = {name.split("::")[0] for _, tests, _ in work for name in tests}
    mapped = {name.split("::")[0] for name in reach.seconds}
    for folder in {Path(name).parent for name in mapped}:
        written = [
            path.as_posix()
            for path in folder.glob("test_*.py")
            if path.stat().st_mtime > reach.made
        ]
        about = {mutant.module for mutant in chosen}
        files |= {f for f in written if any(_is_about(f, m) for m in about)}
    in_process = {f for f in files if (Path(f).parts[1:-1] or (".",))[0] in FOLDERS}
    files = in_process - WORKERS
    say(
        f"{len(work)} mutants; {len(files)} files, {len(files - mapped)} not on the map"
    )
    server = Server(work, reach.seconds, asked.seconds, asked.warm, finished)
    quiet = ["-q", "-s", "-p", "no:cacheprovider", *QUIET]
    status = pytest.main([*sorted(files), *quiet], plugins=[server])
    if not server.items:
        raise SystemExit(f"the tests cannot be collected: pytest ended with {status}")


def digest_of(module):
    """Return what changes with all that decides the sample of a module."""
    source = (SOURCE / module).read_text()
    how = (HERE / "mutants.py").read_text()
    size = sample_size(len(source.splitlines()))
    return sha256(f"{source}{how}{size}{SEED}".encode()).hexdigest()


def drawn_anew(module, before):
    """Return the sample of a module; as before, if nothing that decides it changed."""
    digest = digest_of(module)
    if before.get("digest") == digest:
        return before
    source = (SOURCE / module).read_text()
    size = sample_size(len(source.splitlines()))
    drawn, n_sites = draw(module, source, size, SEED)
    records = {m.key: {**m.as_dict(), "outcome": "not run", "by": ""} for m in drawn}
    for key, record in before.get("mutants", {}).items():
        same = ("before", "after", "line")
        if key in records and all(record[s] == records[key][s] for s in same):
            records[key] = record
    return {"digest": digest, "sites": n_sites, "mutants": records}


def kept(module):
    """Return the results of a module so far."""
    path = RESULTS / f"{module.replace('/', '-')}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def keep(module, result):
    """Write the results of a module, so that a stopped run loses nothing."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{module.replace('/', '-')}.json"
    partly = path.with_suffix(f".{os.getpid()}")
    partly.write_text(json.dumps(result, indent=1))
    partly.replace(path)


def main():
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("modules", nargs="*", help="such as score/chi2; default: all")
    parser.add_argument("--again", action="store_true", help="only the survivors")
    parser.add_argument("--page", action="store_true", help="only write the page")
    parser.add_argument(
        "--seconds", type=float, default=12, help="of processor, most for one mutant"
    )
    parser.add_argument(
        "--tests", type=int, default=10**6, help="most for one mutant, nearest first"
    )
    parser.add_argument("--warm", type=int, default=6, help="tests run first, a mutant")
    parser.add_argument("--coverage", default=str(ROOT / ".coverage"))
    parser.add_argument("--times", default=str(ROOT / ".times.xml"))
    asked = parser.parse_args()
    results = {module: kept(module) for module in modules()}
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT / "src"))
    if not asked.page:
        chosen = []
        for module in modules(asked.modules):
            results[module] = drawn_anew(module, results[module])
            keep(module, results[module])
            for record in results[module]["mutants"].values():
                mutant = Mutant(**{f.name: record[f.name] for f in fields(Mutant)})
                was_run = record["outcome"] != "not run"
                done = record["outcome"] == "killed" or (was_run and reason(mutant))
                if not asked.again or not done:
                    chosen.append(mutant)

        def finished(mutant, record):
            results[mutant.module]["mutants"][mutant.key] = record
            keep(mutant.module, results[mutant.module])

        if chosen:
            reach = Reach(asked.coverage, asked.times)
            serve(chosen, reach, asked, finished)
    results = {m: result for m, result in results.items() if result}
    older = [m for m, result in results.items() if result["digest"] != digest_of(m)]
    print(write_page(results, older))
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    from mutants import Mutant, draw, function_at, statement_lines
    from mutation_page import reason, write_page

    sys.exit(main())
