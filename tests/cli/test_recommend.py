"""``labelsift recommend``: what it says, writes and refuses."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from labelsift.cli import main
from labelsift.cli.recommend import Duration
from labelsift.cli.recommend_progress import RecommendProgress
from labelsift.evaluate.recommend_rule import Choice
from labelsift.read import Dataset, load_dataset

pytestmark = pytest.mark.slow

FEW = ("--folds", 4, "--inner-folds", 3, "-m", "chi2", "-m", "spec")


@pytest.fixture
def run(capsys):
    def call(*words):
        code = main(["recommend", *(str(word) for word in words)])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return call


def saved(tmp_path, *, signal_strength, name="songs", costs=None):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 12)).round(2)
    Y = rng.integers(0, 2, (150, 2))
    X[:, [3, 7]] += signal_strength * Y
    names = [f"c{i}" for i in range(12)]
    names[3] = "loud, <b>est"
    path = tmp_path / f"{name}.arff"
    Dataset(X, Y, names, ["calm", "sad"], name=name).save(path)
    return path


@pytest.fixture
def data(tmp_path):
    return saved(tmp_path, signal_strength=6.0)


def test_the_answer_comes_first_then_the_figures_then_the_features(run, data, tmp_path):
    page, out_file = tmp_path / "why.html", tmp_path / "kept.csv"
    code, out, err = run(data, *FEW, "--out", out_file, "--report", page)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Keep 2 of 12 features: Hamming loss 0.")
    assert "95 % interval" in lines[1]
    assert "for 75 rows" in lines[1]
    assert lines[2].startswith("  in the same folds: all features 0.")
    assert "measured by ML-kNN; stability" in lines[3]
    assert lines[4].split() == "feature score folds that keep it serves most".split()
    assert {line.split("  ")[1] for line in lines[5:7]} == {"loud, <b>est", "c7"}
    assert "100 %" in lines[5]
    assert lines[7] == f"written {out_file}"
    assert lines[8] == f"report: {page}"
    kept = load_dataset(out_file, labels=["calm", "sad"])
    assert kept.feature_names == ("loud, <b>est", "c7")
    assert kept.n_samples == 150
    text = page.read_text(encoding="utf-8")
    assert "loud, &lt;b&gt;est" in text
    assert "<b>est" not in text


def test_json_holds_every_figure(run, data, tmp_path):
    target = tmp_path / "kept.arff"
    code, out, err = run(data, *FEW, "--json", "--out", target)
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert found["justified"] is True
    assert found["n_kept"] == 2
    assert {row["feature"] for row in found["kept"]} == {"loud, <b>est", "c7"}
    low, high = found["interval"]
    assert low <= found["expected"] <= high
    assert found["expected"] < found["all_features"] < found["no_information"]
    assert found["method"] in ("chi2", "spec")
    assert found["written"] == [str(target), str(tmp_path / "kept.xml")]
    serves = {row["feature"]: row["serves"] for row in found["kept"]}
    assert serves == {"loud, <b>est": ["calm"], "c7": ["sad"]}


def test_noise_is_said_and_all_features_are_written(run, tmp_path):
    data = saved(tmp_path, signal_strength=0.0, name="noise")
    target = tmp_path / "kept.npz"
    code, out, err = run(data, *FEW, "--out", target)
    assert (code, err) == (0, "")
    assert out.startswith("No selection can be justified: no feature predicts")
    assert out.splitlines()[-1] == f"written {target}   (all features)"
    assert load_dataset(target).n_features == 12


def test_quiet_says_one_sentence_and_the_same_figures_come_from_two_processes(
    run, data
):
    code, out, err = run(data, *FEW, "--quiet")
    assert (code, err) == (0, "")
    assert out.count("\n") == 1
    assert run(data, *FEW, "--quiet", "--jobs", 2)[1] == out


def test_the_default_portfolio_is_used_and_what_is_left_out_is_noted(run, data):
    few = ("--folds", 3, "--inner-folds", 2, "--time-limit", "0.01s")
    code, out, err = run(data, *few)
    assert code == 0
    assert out.startswith("Keep ")
    noted = err.splitlines()
    assert len(noted) == 5
    assert all(line.startswith("! left out: ") for line in noted)
    assert run(data, *few, "-q")[2] == ""


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("-m", "chi3"), 'Did you mean "chi2"?'),
        (("--metric", "hammig_loss"), 'Did you mean "hamming_loss"?'),
        (("--time-limit", "soon"), "expected a time such as 90s, 2m or 1m30s"),
        (("--time-limit", "0"), "expected a time"),
        (("--out", "kept.docx"), "the name must end in one of"),
        (("--out", "no/such/kept.csv"), "there is no folder"),
        (("--report", "."), "is a folder"),
        (("--tolerance", "2"), "0<=x<=1"),
        (("--jobs", "0"), "--jobs must not be 0"),
        (("--out", "a.csv", "--report", "a.csv"), "name the same file"),
        (("--folds", "1"), "2<=x<=50"),
    ],
)
def test_wrong_words_end_at_once_with_a_remedy(run, data, words, part, monkeypatch):
    monkeypatch.chdir(data.parent)
    code, out, err = run(data, *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert part in err


def test_the_input_is_never_overwritten(run, data):
    before = data.read_bytes()
    for words in (("--out", data), ("--report", data)):
        code, out, err = run(data, *FEW, *words)
        assert (code, out) == (2, "")
        assert "would overwrite the input" in err
    assert data.read_bytes() == before


def test_times_are_read_as_people_write_them():
    read = Duration().convert
    times = ("90", "90s", "2m", "1m30s", "1.5h", "2 min", 7.0)
    assert [read(t, None, None) for t in times] == [90, 90, 120, 90, 5400, 120, 7]


def test_progress_tells_the_time_left_and_the_best_so_far():
    now = [0.0]
    progress = RecommendProgress("songs", "macro_f1", True, clock=lambda: now[0])
    with progress:
        assert progress.left() == ""
        progress(0, 10)
        now[0] = 20.0
        progress(4, 10)
        assert progress.left() == "30 s left"
        progress.leading(Choice("chi2 max", "ML-kNN", 31, 0.51234))
        assert progress.best() == "so far: chi2 max, 31 features (macro F1 0.512)"
        progress(10, 10)
        assert progress.left() == ""


SLOW = """
import signal, sys, time
from labelsift.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
from labelsift.select import SPEC
rank = SPEC.fit
def slow(self, X, y=None):
    print("spec", file=sys.stderr, flush=True)
    time.sleep(30)
    return rank(self, X, y)
SPEC.fit = slow
sys.exit(main(sys.argv[1:]))
"""


def test_ctrl_c_ends_with_the_methods_that_are_through(data, tmp_path):
    target = tmp_path / "kept.csv"
    words = ["recommend", str(data), *map(str, FEW), "--out", str(target)]
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr.readline() == "spec\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert out.startswith("Keep 2 of 12 features")
    assert target.exists()
    assert "! left out: spec: interrupted before it was through" in err
    assert err.splitlines()[-1].startswith("Interrupted; ")
    assert "Traceback" not in err
