"""``labelsift paper``: each paper in short, plans of one's own, and what goes wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from labelsift.cli import main
from labelsift.evaluate import ResultStore, run_plan
from labelsift.papers import PAPERS, Paper
from plan_tools import numbers

pytestmark = pytest.mark.slow

TESTS = Path(__file__).resolve().parents[1]
PLAN = """\
title = "Mine"
metrics = ["average_precision", "hamming_loss"]
sizes = [2, 4, 8]

[folds]
n_splits = 3

[data.one]
generate = { n_samples = 60, n_features = 8, n_informative = 3, n_labels = 3 }

[selectors.chi2]

[selectors.spec]

[classifiers.mlknn]
"""
CLAIMS = """\
[[claims]]
text = "chi2 beats spec"
first = "chi2"
second = "spec"
metrics = ["average_precision"]

[[tables]]
title = "What is best"
kind = "best"

[[tables]]
title = "Curves"
kind = "curves"
metrics = ["average_precision"]
"""


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.toml").write_text(PLAN)
    (tmp_path / "mine.claims.toml").write_text(CLAIMS)
    (tmp_path / "mine.md").write_text("# My paper\n\nWhat it does.\n")
    return tmp_path


def run(*words):
    return main(["paper", *map(str, words)])


@pytest.mark.parametrize("name", PAPERS)
def test_the_files_of_each_paper_fit_together(name):
    paper = PAPERS[name]
    plan, quick = paper.plan(), paper.plan(quick=True)
    claims = paper.claims(plan)
    assert claims.claims
    assert claims.tables
    assert len(paper.title) > len(name)
    assert set(quick.selectors) <= set(plan.selectors)
    assert set(quick.classifiers) <= set(plan.classifiers)
    assert plan.metrics == quick.metrics


@pytest.mark.parametrize("name", PAPERS)
def test_each_paper_in_short_judges_most_of_its_claims(name, tmp_path, capsys):
    assert run(name, "--quick", "--out", tmp_path, "--json") == 0
    out, err = capsys.readouterr()
    assert err == ""
    found = json.loads(out)
    assert found["paper"] == name
    outcomes = [claim["outcome"] for claim in found["claims"]]
    assert 2 * outcomes.count("not judged") < len(outcomes)
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert report.index("Claims of the paper") < report.index("Leaderboard</h2>")
    assert len(report.encode()) < 500_000
    page = (tmp_path / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith(PAPERS[name].page.strip())
    assert "## What came out here" in page


def test_a_plan_of_ones_own_ends_with_its_claims_and_a_page(mine, capsys):
    words = (mine / "mine.toml", "--full", "--out", mine / "out")
    assert run(*words, "--page", mine / "page.md") == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "My paper"
    assert lines[1] == "  one: 2 selectors, 1 classifier, 3 folds"
    assert lines[2].startswith("Of 1 claim 1 ")
    assert "chi2 beats spec" in out
    assert (mine / "page.md").read_text() == (mine / "out" / "mine.md").read_text()
    page = (mine / "page.md").read_text()
    assert page.startswith("# My paper\n\nWhat it does.\n\n## What came out here")
    assert "### What is best" in page
    assert "one: 60 rows, 8 features, 3 labels" in page
    assert sorted(path.name for path in (mine / "out").iterdir()) == [
        "curves.csv",
        "mine.md",
        "report.html",
        "results.sqlite",
    ]
    curves = (mine / "out" / "curves.csv").read_text().splitlines()
    assert curves[0] == "dataset,selector,classifier,metric,n_features,mean,sd"
    # two selectors at three sizes and all features, by two metrics
    assert len(curves) == 1 + 2 * (2 * 3 + 1)
    assert curves[1].startswith("one,chi2,mlknn,average_precision,2,0.")
    with ResultStore(mine / "out" / "results.sqlite") as store:
        n_kept, seconds = len(store), store.seconds()
    # 3 folds: two rankings, all features, and each at two sizes, equal columns once
    assert 3 * (2 + 1 + 2) <= n_kept <= 3 * (2 + 1 + 4)
    kept = f"; {n_kept} fits and rankings are kept, all computed now; one after another"
    assert kept in lines[-1]
    assert run(*words, "--quiet") == 0
    assert capsys.readouterr().out == f"{mine / 'out' / 'report.html'}\n"
    assert run(*words, "--json") == 0
    took = json.loads(capsys.readouterr().out)["took"]
    assert (took["n_computed"], took["n_kept"]) == (0, n_kept)
    assert took["seconds_kept"] == seconds > 0


def test_missing_data_are_skipped_and_said(mine, capsys, monkeypatch):
    monkeypatch.setenv("LABELSIFT_DATA", str(mine))
    text = PLAN.replace("[selectors.chi2]", "[data.cal500]\n\n[selectors.chi2]")
    (mine / "mine.toml").write_text(text)
    assert run(mine / "mine.toml", "--full", "--out", mine / "out") == 0
    out, err = capsys.readouterr()
    assert err.startswith("! cal500 is left out: ")
    assert "LABELSIFT_DATA" in err
    assert "Of 1 claim 1 " in out
    caution = "All data of this run are made up"
    assert caution in out
    for name in ("mine.md", "report.html"):
        assert caution in (mine / "out" / name).read_text(encoding="utf-8")
    assert "cal500" in (mine / "out" / "mine.md").read_text()
    (mine / "mine.toml").write_text(
        text.replace("[data.one]", "[data.mediamill]\n#").replace("generate", "#")
    )
    (mine / "mine.claims.toml").unlink()
    assert run(mine / "mine.toml", "--full", "--out", mine / "out") == 2
    assert "none of the data could be read; first: mediamill: " in (
        capsys.readouterr().err
    )


def test_a_budget_says_what_was_left_out_and_stays_the_same(mine, capsys):
    words = (mine / "mine.toml", "--budget", "0.00001", "--out", mine / "out")
    text = PLAN.replace("n_splits = 3", "n_splits = 5\nn_repeats = 2")
    (mine / "mine.toml").write_text(text)
    assert run(*words) == 0
    first, err = capsys.readouterr()
    assert "the least that can be run takes longer than 1e-05 minutes" in err
    said = "left out for lack of time: 1 repetition of the folds instead of all"
    assert said in first
    assert "left out for lack of time: 3 folds instead of all" in first
    for name in ("mine.md", "report.html"):
        assert said.partition(": ")[2] in (mine / "out" / name).read_text(
            encoding="utf-8"
        )
    steps = json.loads((mine / "out" / "lowered.json").read_text())
    assert steps["steps"] == [["repeats", 1], ["splits", 3]]
    assert run(*words) == 0
    again, err = capsys.readouterr()
    assert err == ""
    assert again.splitlines()[3:-1] == first.splitlines()[3:-1]
    assert "; 20 fits and rankings are kept, 0 computed now;" in again.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chi3"], 'There is no paper "chi3". Did you mean "chi2"? Papers: chi2'),
        (["x.toml"], 'There is no paper "x.toml".'),
        (["chi2", "--quick", "--budget", "3"], "--quick and --budget say how much"),
        (["chi2", "--quick", "--full"], "--quick and --full say how much to run"),
        (["chi2", "--budget", "inf"], "above 0; found inf. --full runs everything"),
        (["chi2", "--budget", "0"], "--budget must be a number of minutes above 0"),
        (["chi2", "--budget", "nan"], "--budget must be a number of minutes above 0"),
        (["chi2", "--jobs", "0"], "--jobs must not be 0"),
        (
            ["chi2", "--quick", "--page", "no/such/x.md"],
            ": there is no folder no/such.",
        ),
        (["chi2", "--quick", "--page", "/"], "--page / is a folder; give a file name."),
        ([], "Missing argument 'NAME'"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(words, message, capsys, tmp_path):
    options = ["--out", tmp_path / "out"] if words else []
    assert run(*words, *options) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert message in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "name", ["results.sqlite", ".results.sqlite.lock", "report.html", "curves.csv"]
)
def test_the_page_takes_the_place_of_no_result(mine, name, capsys):
    words = (mine / "mine.toml", "--full", "--out", mine / "out")
    assert run(*words, "-q") == 0
    before = (mine / "out" / "results.sqlite").read_bytes()
    assert run(*words, "--page", mine / "out" / ".." / "out" / name) == 2
    assert "is kept there by the run itself" in capsys.readouterr().err
    assert (mine / "out" / "results.sqlite").read_bytes() == before
    assert run(*words, "-q", "--page", mine / "out" / "mine.md") == 0


def test_the_page_takes_the_place_of_no_data(mine, capsys):
    rows = "".join(f"{i % 7},{i % 5},{i % 2}\n" for i in range(40))
    (mine / "songs.csv").write_text("a,b,label\n" + rows)
    source = 'path = "songs.csv"\nlabels = ["label"]'
    start, end = PLAN.index("generate"), PLAN.index("\n\n[selectors.chi2]")
    (mine / "mine.toml").write_text(PLAN[:start] + source + PLAN[end:])
    words = (mine / "mine.toml", "--full", "--out", mine / "out")
    assert run(*words, "--page", mine / "songs.csv") == 2
    assert "would overwrite the input" in capsys.readouterr().err


def test_a_file_where_the_folder_should_be_is_named_before_anything_runs(mine, capsys):
    (mine / "out").write_text("")
    assert run(mine / "mine.toml", "--full", "--out", mine / "out") == 2
    assert capsys.readouterr().err == (
        f"--out: {mine / 'out'} is a file; give the name of a folder.\n"
    )


def test_a_very_long_time_runs_everything(mine, capsys):
    (mine / "mine.claims.toml").unlink()
    assert run(mine / "mine.toml", "--budget", "1e9", "--out", mine / "out") == 0
    out = capsys.readouterr().out
    assert "one: 2 selectors, 1 classifier, 3 folds; 1e+09 minutes allowed" in out
    assert "left out" not in out
    page = (mine / "out" / "mine.md").read_text()
    assert "labelsift.papers" not in page  # the plan is not one of those


def test_mistakes_in_plan_and_claims_are_named_with_their_lines(mine, capsys):
    (mine / "mine.claims.toml").write_text(CLAIMS.replace('"spec"', '"spek"'))
    assert run(mine / "mine.toml", "--full", "--out", mine / "out") == 2
    err = capsys.readouterr().err
    assert err == (
        'mine.claims.toml line 4: the plan has no selectors "spek". Did you mean '
        '"spec"?\n'
    )
    (mine / "mine.toml").write_text(PLAN.replace("sizes", "size"))
    assert run(mine / "mine.toml", "--full") == 2
    assert "mine.toml line 3:" in capsys.readouterr().err
    assert run(mine / "mine.toml", "--quick") == 2
    assert "there is no quick version of mine" in capsys.readouterr().err


def test_a_run_that_is_killed_goes_on_with_the_same_numbers(mine, capsys):
    marks = mine / "marks"
    slow = f"""
[selectors.slow]
method = "plan_tools:Slow"
settings = {{ seconds = 0.2, marks = '{marks}' }}
"""
    (mine / "mine.toml").write_text(PLAN.replace("n_splits = 3", "n_splits = 9") + slow)
    words = ["paper", str(mine / "mine.toml"), "--full", "--out", str(mine / "out")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(TESTS), *filter(None, sys.path)]),
    }
    command = [sys.executable, "-m", "labelsift", *words]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as first:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and first.poll() is None:
            if marks.exists() and len(marks.read_text().split()) >= 3:
                break
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
    assert first.returncode == -signal.SIGKILL
    started = len(marks.read_text().split())
    assert 3 <= started < 9
    assert main(words) == 0
    capsys.readouterr()
    # the one that was at work when the process died is done again, the others not
    assert len(marks.read_text().split()) in (9, 10)
    plan = Paper("mine", mine).plan()
    with ResultStore(mine / "out" / "results.sqlite") as store:
        resumed = run_plan(plan, store)
    assert len(marks.read_text().split()) in (9, 10)
    with ResultStore.in_memory() as store:
        assert numbers(run_plan(plan, store)) == numbers(resumed)
