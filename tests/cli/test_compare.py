import importlib.util
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from labelsift.cli import main
from labelsift.cli.compare_progress import PlanProgress
from labelsift.cli.terminal import duration
from labelsift.evaluate.plan import parse_plan
from labelsift.evaluate.plan_run import Survey
from labelsift.evaluate.records import ALL_FEATURES, Cell
from plan_tools import PLAN, write_data

SMALL = PLAN.replace("n_splits = 3\nn_repeats = 2", "n_splits = 2")
SMALL = SMALL[: SMALL.index("[selectors.trees]")] + SMALL[SMALL.index("[classif") :]


@pytest.fixture
def folder(tmp_path):
    write_data(tmp_path)
    (tmp_path / "plan.toml").write_text(SMALL)
    return tmp_path


@pytest.mark.slow
def test_a_plan_ends_with_the_table_and_the_report_and_goes_on(folder, capsys):
    words = ["compare", str(folder / "plan.toml")]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == (
        "2 data sets \u00d7 2 selectors \u00d7 2 classifiers \u00d7 2 folds = 64 fits"
    )
    assert lines[1].startswith(
        "Hamming loss at each method's best size (features), lower"
    )
    assert lines[2].split() == ["method", "mean", "rank", "one", "two"]
    assert len(lines) == 8
    ranks = [float(line.split()[4]) for line in lines[3:7]]
    assert ranks == sorted(ranks)
    results = folder / "plan-results"
    assert lines[7].startswith(f"report: {results}")
    assert Path(lines[7].removeprefix("report: ")).is_file()
    assert sorted(path.name for path in results.iterdir()) == [
        "data-1-one.html",
        "data-2-two.html",
        "report.html",
        "results.csv",
        "results.sqlite",
    ]
    page = (results / "report.html").read_text(encoding="utf-8")
    assert 'href="data-1-one.html"' in page
    assert main(words) == 0
    out, _ = capsys.readouterr()
    assert out.splitlines()[0].endswith("64 fits; all done before")
    assert out.splitlines()[1:] == lines[1:]
    text = SMALL.replace("n_splits = 2", "n_splits = 2\nn_repeats = 2")
    (folder / "plan.toml").write_text(text)
    assert main(words) == 0
    assert "128 fits; 64 done before, 64 to go" in capsys.readouterr().out


def test_a_dry_run_tells_fits_and_time_and_leaves_no_file(folder, capsys):
    words = ["compare", str(folder / "plan.toml"), "--dry-run"]
    before = sorted(folder.iterdir())
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0].endswith("= 64 fits")
    assert lines[1:3] == [f"  {name}: 32 fits, 32 to go" for name in ("one", "two")]
    assert lines[3].startswith("time: about ")
    assert lines[3].endswith("nothing was run")
    assert sorted(folder.iterdir()) == before
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["fits"], found["missing"], found["broken"]) == (64, 64, {})
    assert found["seconds"] > 0


def test_every_mistake_is_one_line_and_nothing_runs(folder, capsys):
    text = SMALL.replace("[selectors.chi2]", "[selectors.chi3]")
    (folder / "plan.toml").write_text(text.replace("n_neighbors", "neighbors"))
    assert main(["compare", str(folder / "plan.toml")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    first, second = err.splitlines()
    assert first == (
        'plan.toml line 14: selector "chi3" is not known. Did you mean "chi2"? '
        "`labelsift methods` lists all; any other class is named by its import path, "
        '"package.module:Class".'
    )
    assert second.startswith("plan.toml line 18: MLkNN has no setting")
    assert not (folder / "plan-results").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare", "none.toml"], "none.toml: there is no such file."),
        (["compare"], "Missing argument 'PLAN'"),
        (["compare", "x", "--jobs", "0"], "--jobs must not be 0"),
        (["compare", "x", "--import-from", "nowhere"], "there is no folder nowhere"),
    ],
)
def test_wrong_usage_is_exit_code_2(words, message, capsys):
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_what_fails_is_said_and_the_rest_is_reported(folder, capsys):
    (folder / "broken.arff").write_text("@relation x\n@attribute a {0,1\n@data\n")
    text = SMALL + (
        '[data.broken]\npath = "broken.arff"\nlabels = 1\n'
        '[selectors.bad]\nmethod = "plan_tools:Fails"\n'
    )
    (folder / "plan.toml").write_text(text)
    out_folder = folder / "somewhere" / "else"
    words = ["compare", str(folder / "plan.toml"), "--out", str(out_folder)]
    assert main([*words, "--json"]) == 1
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["datasets"] == ["one", "two"]
    assert {s["selector"] for s in found["standings"]} == {
        "chi2 (aggregate mean)",
        "chi2 (aggregate max)",
    }
    lines = err.splitlines()
    assert lines[0].startswith("! broken cannot be measured: ")
    assert [line.partition(": ")[0] for line in lines[1:]] == ["failed"] * 3
    assert "bad failed in 2 of 2 folds: ArithmeticError: it never works" in lines[2]
    board = (out_folder / "report.html").read_text(encoding="utf-8")
    assert "What went wrong" in board
    assert "Not everything could be measured: 3 problems" in board
    assert "broken.arff" in board
    for report in found["reports"]:
        page = Path(report).read_text(encoding="utf-8")
        assert "it never works" in page or report.endswith(".csv")


def test_all_that_fails_is_a_failure_without_a_report(folder, capsys):
    start = SMALL[: SMALL.index("[selectors.chi2]")]
    text = start + '[selectors.bad]\nmethod = "plan_tools:Fails"\n'
    (folder / "plan.toml").write_text(text + SMALL[SMALL.index("[classifiers") :])
    assert main(["compare", str(folder / "plan.toml")]) == 1
    out, err = capsys.readouterr()
    assert "Nothing was measured on every data set." in out
    assert len([line for line in err.splitlines() if line.startswith("failed")]) == 2


def test_ctrl_c_says_what_is_kept_and_how_to_go_on(folder, capsys, monkeypatch):
    import plan_tools

    class Interrupts(plan_tools.Fails):
        def fit(self, X, y):
            raise KeyboardInterrupt

    monkeypatch.setattr(plan_tools, "Fails", Interrupts)
    text = SMALL + '[selectors.bad]\nmethod = "plan_tools:Fails"\n'
    (folder / "plan.toml").write_text(text)
    assert main(["compare", str(folder / "plan.toml")]) == 1
    _, err = capsys.readouterr()
    store = folder / "plan-results" / "results.sqlite"
    assert err == (
        f"Interrupted; 2 new results are kept in {store}: the same command goes on "
        "from there.\n"
    )
    connection = sqlite3.connect(store)
    rows = connection.execute("SELECT method, fold FROM result ORDER BY method")
    assert rows.fetchall() == [
        ("chi2 (aggregate max)", 0),
        ("chi2 (aggregate mean)", 0),
    ]
    connection.close()


SIX = """\
import time

from sklearn.base import BaseEstimator


class SlowOnSix(BaseEstimator):
    def fit(self, X, y):
        if X.shape[1] == 6:
            print("slow", flush=True)
            time.sleep(60)
        self.scores_ = X.var(axis=0)
        return self
"""


HEARS_CTRL_C = """
import signal, sys
from labelsift.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_with_the_report_of_what_is_done(folder, jobs):
    (folder / "six.py").write_text(SIX)
    text = SMALL + '[selectors.six]\nmethod = "six:SlowOnSix"\n'
    (folder / "plan.toml").write_text(text)
    words = [sys.executable, "-c", HEARS_CTRL_C, "compare", str(folder / "plan.toml")]
    words += ["--jobs", jobs, "--import-from", str(folder)]
    words += ["--export", str(folder / "paper"), "--format", "markdown"]
    process = subprocess.Popen(
        words,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    head = process.stdout.readline()
    assert "92 fits" in head
    assert process.stdout.readline() == "slow\n"
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Traceback" not in err
    lines = [line for line in err.splitlines() if line]
    assert len(lines) == 1
    assert lines[0].startswith("Interrupted; ")
    assert lines[0].endswith("the same command goes on from there.")
    report = folder / "plan-results" / "report.html"
    assert f"report: {report}" in out
    assert "six" in report.read_text("utf-8")
    board = (folder / "paper" / "leaderboard-hamming_loss.md").read_text("utf-8")
    assert "| six, mlknn |" in board
    assert " one " in board
    assert " two " not in board
    kept = sqlite3.connect(folder / "plan-results" / "results.sqlite")
    count = kept.execute("SELECT COUNT(*) FROM result WHERE dataset = 'one'")
    assert count.fetchone()[0] >= 30
    kept.close()


def test_tables_and_figures_are_exported(folder, capsys):
    words = ["compare", str(folder / "plan.toml"), "--export", str(folder / "paper")]
    assert main([*words, "--format", "latex", "--format", "svg"]) == 0
    out, _ = capsys.readouterr()
    files = sorted(path.name for path in (folder / "paper").iterdir())
    assert f"exported: {len(files)} files in {folder / 'paper'}" in out
    assert {name.rpartition(".")[2] for name in files} == {"tex", "svg"}
    assert "leaderboard-hamming_loss.tex" in files
    assert "curves-1-one.svg" in files
    assert main([*words, "--format", "csv", "--json"]) == 0
    exported = json.loads(capsys.readouterr().out)["exported"]
    assert str(folder / "paper" / "results.csv") in exported
    assert main([words[0], words[1], "--format", "csv"]) == 2
    assert "--format needs --export" in capsys.readouterr().err


def test_parquet_that_cannot_be_written_is_said_before_anything_runs(
    folder, capsys, monkeypatch
):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec",
        lambda n, *a: None if n == "pyarrow" else found(n, *a),
    )
    words = ["compare", str(folder / "plan.toml"), "--export", str(folder / "paper")]
    assert main([*words, "--format", "parquet"]) == 2
    assert 'pip install "labelsift[parquet]"' in capsys.readouterr().err
    assert not (folder / "plan-results").exists()


def test_results_in_use_are_refused(folder, capsys):
    from labelsift.evaluate import ResultStore

    (folder / "plan-results").mkdir()
    with ResultStore(folder / "plan-results" / "results.sqlite"):
        assert main(["compare", str(folder / "plan.toml")]) == 2
    assert "another process is writing these results" in capsys.readouterr().err


def test_the_example_plan_with_a_selector_of_ones_own_runs(tmp_path, capsys):
    pytest.importorskip("river", reason="the data of the example come with river")
    examples = Path(__file__).resolve().parents[2] / "examples"
    text = (examples / "compare.toml").read_text()
    # the plan as it is, on fewer sizes to be quick
    (tmp_path / "compare.toml").write_text(text.replace('[5, 10, 20, "50%"]', "[5]"))
    words = ["compare", str(tmp_path / "compare.toml")]
    assert main([*words, "--import-from", str(examples), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {s["selector"] for s in found["standings"]} >= {"mine", "spec"}
    assert all(0 < s["values"]["yeast"] < 0.4 for s in found["standings"])
    source = (examples / "my_selector.py").read_text()
    lines = source.split("\nclass ")[1].splitlines()
    assert 8 <= len(lines) <= 15
    documented = (examples.parent / "docs" / "plans.md").read_text()
    assert "class " + "\n".join(lines) + "\n```" in documented
    assert '[selectors.mine]\nmethod = "my_selector:LargestGap"' in documented


def test_a_classifier_with_columns_of_its_own_runs_as_documented(tmp_path, capsys):
    examples = Path(__file__).resolve().parents[2] / "examples"
    documented = (examples.parent / "docs" / "plans.md").read_text()
    source = (examples / "own_columns.py").read_text()
    assert "class " + source.split("\nclass ")[1].strip() + "\n```" in documented
    start = documented.index('sizes = ["100%"]\n\n[selectors.wrapper_spec]')
    plan = documented[start : documented.index("```", start)]
    made = "{ n_samples = 45, n_features = 12, n_labels = 3 }"
    head = f"folds.n_splits = 3\ndata.made.generate = {made}\n"
    (tmp_path / "own.toml").write_text(head + plan.replace("10, 20, 50", "1, 12"))
    words = ["compare", str(tmp_path / "own.toml"), "--import-from", str(examples)]
    assert main([*words, "--json"]) == 0
    standings = json.loads(capsys.readouterr().out)["standings"]
    found = {s["classifier"]: s["values"]["made"] for s in standings}
    assert list(sorted(found)) == [
        "own columns (n_features 1)", "own columns (n_features 12)",
    ]  # fmt: skip
    assert len(set(found.values())) == 2  # the setting has an effect


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def cell(selector, fold, size, value):
    none = np.zeros(1, dtype=int)
    values = {"hamming_loss": value}
    return Cell(
        selector, "tree", fold, size, values, none, none, none, None, 0, (), 0.0, 0.0
    )


def test_time_left_counts_only_what_this_run_computes(folder):
    plan = parse_plan(SMALL, folder=folder)
    clock = Clock()
    watcher = PlanProgress(plan, [Survey("one", 100, (), 50)], True, clock)
    watcher.start("one")
    watcher(0, 100)
    watcher(50, 100)  # from the store, at once
    assert watcher.left() == ""
    clock.now = 20.0
    watcher(60, 100)
    assert watcher.left() == "1 min 20 s left"
    clock.now = 100.0
    watcher(100, 100)
    assert watcher.left() == ""


def test_the_running_best_compares_over_equally_many_folds(folder):
    plan = parse_plan(SMALL, folder=folder)
    watcher = PlanProgress(plan, [Survey("one", 10, (), 10)], True, Clock())
    watcher.start("one")
    assert watcher.best() == ""
    watcher.watch(cell(ALL_FEATURES, 0, 8, 0.0))
    watcher.watch(cell("a", 0, 2, 0.3))
    watcher.watch(cell("a", 1, 2, 0.5))
    watcher.watch(cell("b", 0, 5, 0.1))
    assert watcher.best() == "one: a, tree leads with 2 features (0.400)"
    watcher.watch(cell("b", 1, 5, 0.6))
    assert watcher.best() == "one: b, tree leads with 5 features (0.350)"
    watcher.start("two")
    assert watcher.best() == ""


def test_a_terminal_shows_the_bar_and_a_pipe_does_not(folder, monkeypatch):
    plan = parse_plan(SMALL, folder=folder)

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for is_quiet, screen, shows in (
        (False, Terminal(), True),
        (True, Terminal(), False),
        (False, io.StringIO(), False),
    ):
        monkeypatch.setattr("sys.stderr", screen)
        monkeypatch.setenv("TERM", "xterm")
        with PlanProgress(plan, [Survey("[red]one", 10, (), 10)], is_quiet) as watcher:
            watcher.start("[red]one")
            watcher.watch(cell("a", 0, 2, 0.25))
            watcher(5, 10)
            if watcher._bar is not None:
                watcher._bar.refresh()
        assert ("[red]one: a, tree leads" in screen.getvalue()) == shows
        assert ("50%" in screen.getvalue()) == shows


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s"),
        (40.4, "40 s"),
        (200, "3 min 20 s"),
        (1500, "25 min"),
        (7500, "2 h 05 min"),
    ],
)
def test_durations_have_two_units_at_most(seconds, text):
    assert duration(seconds) == text


def test_costs_of_too_few_features_end_before_anything_runs(folder, capsys):
    text = SMALL.replace('path = "one.npz"', 'path = "one.npz"\ncosts = [1, 2]')
    (folder / "plan.toml").write_text(text)
    for more in ([], ["--dry-run"]):
        assert main(["compare", str(folder / "plan.toml"), *more]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert "each of the 8 features of 'one'; found 2. Give all" in err
