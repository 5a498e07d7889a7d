"""What ``labelsift select`` says of a search for a reduct."""

import csv
import json

import numpy as np
import pytest

from labelsift.cli import main, terminal
from labelsift.read import Dataset, load_dataset
from labelsift.score.rough_set import ForwardSearch
from labelsift.select import ToleranceRoughSet

ROUGH = ("-m", "tolerance_rough_set")


@pytest.fixture
def run(capsys):
    def call(*words):
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return call


@pytest.fixture
def data(tmp_path):
    """Two rows agree in all features, the last has no labels, five can be certain."""
    X = np.array(
        [[0, 0, 5], [0, 1, 5], [1, 0, 5], [1, 1, 5], [9, 9, 5], [9, 9, 5], [7, 0, 5]]
    )
    Y = np.array([[1, 0], [0, 1], [0, 1], [1, 0], [1, 0], [1, 1], [0, 0]])
    path = tmp_path / "small.arff"
    Dataset(X.astype(float), Y, ["a", "b", "c"], ["l", "m"], name="small").save(path)
    return path


def test_what_happened_is_said_in_words(run, data, tmp_path):
    out = tmp_path / "kept.arff"
    words = ("select", data, *ROUGH, "--scale", "none", "--thresholds", 0)
    code, said, err = run(*words, "--out", out)
    assert (code, err) == (0, "")
    lines = said.splitlines()
    assert lines[0].startswith("tolerance_rough_set (")
    assert lines[0].endswith(" s")
    # the row of both labels has a neighbour without one of them; the other has none
    assert lines[1:3] == [
        "  reduct: 2 features make 5 of 7 rows certain (dependency 0.7143), as many as "
        "all 3 features do",
        "  boundary: 1 row with labels not certain; 1 row without labels left out",
    ]
    assert lines[3].startswith("  kept 2 of 3 ")
    assert list(load_dataset(out).feature_names) == ["a", "b"]
    # without a file the table is alone on standard output
    code, said, err = run(*words)
    assert len(said.splitlines()) == 4
    assert err.splitlines()[:2] == lines[1:3]
    assert run(*words, "--quiet")[2] == ""


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (
            ("--epsilon", 0.8),
            ("stopped within epsilon: 1 feature makes 1 of 7 rows certain", "it is 5"),
        ),
        (("--thresholds", 9), ("no row is certain even with all 3 features",)),
        (
            ("--stop-on-no-gain", "true", "--tie-break", "index"),
            ("reduct: 2 features",),
        ),
        (("--empty-labels", "drop"), ("make 5 of 6 rows certain",)),
    ],
)
def test_why_the_search_ended(run, data, words, parts):
    given = () if "--thresholds" in words else ("--thresholds", 0)
    result = run("select", data, *ROUGH, "--scale", "none", *given, *words)
    assert result[0] == 0
    for part in parts:
        assert part in result[2]


def test_a_search_without_gain_says_so(run, tmp_path):
    X, Y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([1, 0, 0, 1])
    path = tmp_path / "xor.csv"
    Dataset(X, np.column_stack([Y, 1 - Y]), ["a", "b"], ["l", "m"]).save(path)
    words = ("select", path, "--labels", 2, *ROUGH, "--stop-on-no-gain", "true")
    code, _, err = run(*words)
    assert code == 0
    assert "no further feature makes a row certain: 0 features make 0 of 4" in err
    assert "with all 2 features it is 4 (1)" in err


def test_facts_in_json(run, data):
    words = ("select", data, *ROUGH, "--scale", "none", "--thresholds", 0, "--json")
    code, said, err = run(*words)
    assert (code, err) == (0, "")
    assert json.loads(said)["reduct"] == {
        "reduct_size": 2,
        "stopped": "complete",
        "added": 2,
        "dependency": pytest.approx(5 / 7),
        "total_dependency": pytest.approx(5 / 7),
        "certain_rows": 5,
        "certain_rows_with_all_features": 5,
        "boundary_rows": 1,
    }


def test_a_discernibility_matrix_speaks_of_pairs(run, data):
    words = ("select", data, "-m", "mlfsdm", "--discretize", "none")
    code, _, err = run(*words)
    # 21 pairs of rows, 5 of them of equal label sets, 1 equal in all features
    assert code == 0
    assert "2 features tell apart all 16 pairs of rows that can be; 1 pairs" in err


def test_all_features_may_be_a_reduct(run, data, tmp_path):
    out = tmp_path / "kept.csv"
    X = load_dataset(data).X[:, :2]
    path = tmp_path / "two.csv"
    Dataset(X, load_dataset(data).Y, ["a", "b"], ["l", "m"]).save(path)
    words = ("select", path, "--labels", 2, *ROUGH, "--thresholds", 0, "--out", out)
    code, said, _ = run(*words)
    assert code == 0
    assert "kept 2 of 2" in said


def test_an_interrupt_leaves_what_was_found_and_says_so(
    run, data, tmp_path, monkeypatch
):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(80, 9)), (rng.random((80, 3)) < 0.4).astype(int)
    path, out = tmp_path / "more.csv", tmp_path / "kept.csv"
    Dataset(X, Y, [f"f{i}" for i in range(9)], list("abc")).save(path)
    table = load_dataset(path, labels=3)
    whole = ToleranceRoughSet().fit(table.X, table.Y)
    choose, calls = ForwardSearch._choose, []

    def interrupted(search, *arguments):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return choose(search, *arguments)

    monkeypatch.setattr(ForwardSearch, "_choose", interrupted)
    words = ("select", path, "--labels", 3, *ROUGH, "--out", out)
    code, said, err = run(*words)
    assert code == 1
    assert "interrupted: so far 2 features make " in said
    assert err.startswith("Interrupted; the 2 features found so far are in ")
    kept = load_dataset(out, labels=3).feature_names
    assert list(kept) == [f"f{i}" for i in sorted(whole.reduct_[:2])]
    with open(tmp_path / "kept.scores.csv", encoding="utf-8") as file:
        assert sum(row["kept"] == "1" for row in csv.DictReader(file)) == 2
    # before the first feature there is nothing to keep
    calls[:] = [1, 1]
    out.unlink()
    code, said, err = run(*words)
    assert (code, said) == (1, "")
    assert err == "Interrupted; no file was left half written.\n"
    assert not out.exists()


def test_progress_is_told_while_it_runs(run, data, monkeypatch):
    told = []

    class Terminal:
        def __init__(self, text, quiet):
            told.append(text)

        def __enter__(self):
            return told.append

        def __exit__(self, *error):
            return None

    from labelsift.cli import select

    assert select.waiting is terminal.waiting
    monkeypatch.setattr(select, "waiting", Terminal)
    code, _, _ = run("select", data, *ROUGH, "--scale", "none", "--thresholds", 0)
    assert code == 0
    assert told[0] == "ranking 3 features by tolerance_rough_set"
    assert told[-1] == "2 features, 5 of 5 rows certain"


def test_the_option_progress_is_the_command_s_own(run):
    assert "--progress" not in run("select", *ROUGH, "--help")[1]
    assert "--progress" not in run("select", "--method", "relief_f", "--help")[1]


def test_a_pass_over_rows_tells_how_far_it_is_and_the_time_left():
    from labelsift.cli.select import _so_far

    assert _so_far(200, 1000, "rows", seconds=10.0) == "200 of 1000 rows, 40 s left"
    assert _so_far(0, 1000, "rows", seconds=10.0) == "0 of 1000 rows"
    assert _so_far(1000, 1000, "pairs", seconds=10.0) == "1000 of 1000 pairs"
    assert _so_far(7, 0, "rounds", seconds=10.0) == "7 rounds"


@pytest.mark.parametrize(
    ("method", "last"),
    [
        ("rrelieff_ml", "{n} of {n} rows"),
        ("relief_f", "{n} of {n} rows"),
        ("spec", "4 of 4 label sets"),
        ("wrapper_spec", "2 of 2 problems"),
        ("d2f", "2 of 2 features"),
        ("rfs", " rounds"),
    ],
)
def test_every_long_fit_tells_how_far_it_is(run, data, monkeypatch, method, last):
    told = []

    class Terminal:
        def __init__(self, text, quiet):
            pass

        def __enter__(self):
            return told.append

        def __exit__(self, *error):
            return None

    from labelsift.cli import select

    monkeypatch.setattr(select, "waiting", Terminal)
    code, _, err = run("select", data, "--labels", 2, "--method", method)
    assert code == 0, err
    assert told[-1].endswith(last.format(n=load_dataset(data, labels=2).n_samples))
