"""The command line as a user starts it, in a process of its own."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import labelsift
from labelsift.read import Dataset

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-m", "labelsift"]


@pytest.fixture
def data(tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 3000)).round(2)
    names = [f"feature number {i:060d}" for i in range(X.shape[1])]
    path = tmp_path / "wide.csv"
    Dataset(X, X[:, :1] > 0, names, ["l"]).save(path)
    return path


def start(*words, **options):
    return subprocess.run(
        [*COMMAND, *map(str, words)], capture_output=True, text=True, **options
    )


def test_help_comes_at_once_and_imports_nothing_heavy():
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        done = start("--help")
        seconds.append(time.perf_counter() - begin)
        assert done.returncode == 0
    # 0.1 s on an idle machine; importing numpy, scipy and numba takes over a second
    assert min(seconds) < 1
    code = (
        "import sys, labelsift.cli; "
        "print([m for m in ('numpy', 'sklearn', 'numba', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_results_go_to_standard_output_and_errors_to_standard_error(data):
    done = start("select", data, "--labels", "1", "-m", "chi2", "--k", "5")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("feature\trank\tscore\tkept")
    done = start("select", data, "--labels", "9999", "-m", "chi2")
    assert (done.returncode, done.stdout) == (2, "")
    assert "wide.csv" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_stops_early_is_no_error_message(data):
    words = [*COMMAND, "select", str(data), "--labels", "1", "-m", "chi2"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 1


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_sigterm_end_in_one_line(number):
    code = (
        "import signal, sys, labelsift.read\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def wait(*_, **__):\n"
        "    print('waiting', file=sys.stderr, flush=True)\n"
        "    __import__('time').sleep(60)\n"
        "labelsift.read.load_dataset = wait\n"
        "from labelsift.cli import main\n"
        "sys.exit(main(['info', 'x.csv']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr.readline() == "waiting\n"
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert err == "Interrupted; no file was left half written.\n"
    assert process.returncode == 1


def test_names_survive_where_the_environment_knows_only_ascii(tmp_path):
    X = np.array([[0.0, 1], [1, 0], [1, 1], [0, 0]])
    path = tmp_path / "t.csv"
    Dataset(X, X[:, :1], ["größe", "x"], ["l"]).save(path)
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    words = ["select", path, "--labels", "1", "-m", "chi2"]
    done = start(*words, env=environment, encoding="utf-8")
    assert done.returncode == 0
    assert "größe" in done.stdout


def test_closed_standard_output_is_no_fault(data):
    done = subprocess.run(
        ["sh", "-c", f'{" ".join(COMMAND)} info "$0" --labels l >&-', str(data)],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_names_the_file(data, tmp_path):
    out = tmp_path / "kept.csv"
    # what measures coverage writes files, too, and more than it may here
    untraced = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")}
    words = f'select "$0" --labels l -m chi2 --k 2000 --out "{out}"'
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f 64; {' '.join(COMMAND)} {words}", str(data)],
        capture_output=True,
        text=True,
        env={**untraced, "NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 1
    assert done.stderr == f"{out}: File too large\n"
    assert [path.name for path in tmp_path.iterdir()] == ["wide.csv"]


SLOW = """
import time
from labelsift.select import Chi2


class Slow(Chi2):
    def fit(self, X, y=None):
        time.sleep(0.2)
        return super().fit(X, y)
"""
PLAN = """
sizes = [1]
[folds]
n_splits = 2
n_repeats = {repeats}
[data.small]
path = "small.csv"
labels = ["l"]
[selectors.slow]
method = "slowly:Slow"
[classifiers.ml-knn]
method = "mlknn"
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_sigterm_leaves_a_comparison_that_goes_on(tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 3))
    Dataset(X, X[:, :1] > 0, "abc", ["l"]).save(tmp_path / "small.csv")
    (tmp_path / "slowly.py").write_text(SLOW)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format(repeats=400))
    words = [*COMMAND, "compare", "plan.toml", "--import-from", ".", "--quiet"]
    process = subprocess.Popen(
        words,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(labelsift.__file__).parents[1])},
    )

    def kept():
        [store] = tmp_path.rglob("results.sqlite")
        with sqlite3.connect(store) as connection:
            return connection.execute("SELECT count(*) FROM result").fetchone()[0]

    end = time.monotonic() + 100
    while time.monotonic() < end and process.poll() is None:
        try:
            if kept() > 3:
                break
        except (sqlite3.Error, ValueError):
            pass
        time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=100)
    assert process.returncode == 1
    assert "the same command goes on from there" in err
    assert not list(tmp_path.glob(".*.part"))
    assert kept() > 3
