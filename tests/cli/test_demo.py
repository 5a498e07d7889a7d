import json

import numpy as np
import pytest

from labelsift.cli import main
from labelsift.evaluate import Results
from labelsift.read import Dataset, ReadError


@pytest.fixture
def small_yeast(monkeypatch):
    """Random rows of yeast's shape, in the place of yeast."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 103))
    Y = (X[:, :14] + 0.3 * rng.normal(size=(150, 14)) > 0.5).astype(np.uint8)
    dataset = Dataset(
        X,
        Y,
        [f"Att{i}" for i in range(103)],
        [f"C{i}" for i in range(14)],
        name="yeast",
    )
    monkeypatch.setattr("labelsift.read.load_dataset", lambda name: dataset)


def test_demo_ends_with_the_table_the_answer_and_the_report(
    small_yeast, tmp_path, capsys
):
    folder = tmp_path / "new" / "demo"
    assert main(["demo", "--folds", "3", "--out", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0].startswith("yeast  150 rows · 103 features · 14 labels")
    assert lines[1].split() == "keep Hamming loss average precision".split()
    assert [line.split()[0] for line in lines[2:10]] == [
        str(size) for size in (5, 10, 20, 31, 41, 52, 72, 103)
    ]
    assert sum(line.endswith("best") for line in lines) == 1
    assert "all 103" in lines[10]
    assert "95 % interval" in lines[10]
    assert lines[11:] == [f"report: {folder / 'report.html'}"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "labelsift demo --folds 3" in page
    results = Results.load(folder / "results.json")
    assert results.verdict() == lines[10]
    best = results.best()
    marked = next(line for line in lines if line.endswith("best"))
    assert marked.split()[0] == str(best.n_features)
    assert best.text("hamming_loss") in marked


def test_demo_as_json_and_quiet(small_yeast, tmp_path, capsys):
    words = ["demo", "--folds", "2", "--out", str(tmp_path)]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(row["is_best"] for row in found["rows"]) == 1
    assert found["report"] == str(tmp_path / "report.html")
    assert main([*words, "--quiet"]) == 0
    assert capsys.readouterr() == (f"{tmp_path / 'report.html'}\n", "")


def test_without_the_data_or_with_a_file_in_the_way_it_says_so(
    tmp_path, capsys, monkeypatch
):
    def missing(name):
        raise ReadError("install labelsift[demo] for this data set.", name)

    monkeypatch.setattr("labelsift.read.load_dataset", missing)
    folder = tmp_path / "demo"
    assert main(["demo", "--out", str(folder)]) == 2
    assert capsys.readouterr().err == (
        "yeast: install labelsift[demo] for this data set.\n"
    )
    assert not folder.exists()
    assert main(["demo", "--folds", "1"]) == 2
    assert "--folds" in capsys.readouterr().err
