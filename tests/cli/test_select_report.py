"""``labelsift select --report``: the page, what it refuses, and what is printed."""

import json
import shlex
import sys

import numpy as np
import pytest

from labelsift.cli import main
from labelsift.read import Dataset, load_dataset


@pytest.fixture
def run(capsys):
    def call(*words):
        code = main(["select", *(str(word) for word in words)])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return call


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5)).round(2)
    Y = (X[:, :2] > 0).astype(np.uint8)
    names = ["a <b>", "b", "c", "d", "e"]
    path = tmp_path / "songs.arff"
    Dataset(X, Y, names, ["p", "q"]).save(path)
    return path


def test_the_page_stands_beside_the_reduced_file(run, data, tmp_path, monkeypatch):
    page, out_file = tmp_path / "why & how.html", tmp_path / "kept.npz"
    words = [data, "-m", "chi2", "--k", 2, "--out", out_file, "--report", page]
    monkeypatch.setattr(sys, "argv", ["labelsift", "select", *map(str, words)])
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == f"  report: {page}"
    kept = load_dataset(out_file).feature_names
    text = page.read_text(encoding="utf-8")
    assert "Keep 2 of 5 features, ranked by chi2." in text
    assert set(kept) == {"a <b>", "b"}
    assert "a &lt;b&gt;" in text
    assert "<b>" not in text
    typed = shlex.join(["labelsift", "select", *map(str, words)])
    assert typed.replace("&", "&amp;").replace("'", "&#39;") in text


def test_without_out_the_scores_are_printed_as_before(run, data, tmp_path):
    page = tmp_path / "why.html"
    plain = run(data, "-m", "chi2", "--k", 2)
    code, out, err = run(data, "-m", "chi2", "--k", 2, "--report", page)
    assert (code, out) == (0, plain[1])
    assert err == f"  report: {page}\n"
    assert run(data, "-m", "chi2", "--k", 2, "--report", page, "-q")[2] == ""
    found = json.loads(run(data, "-m", "chi2", "--report", page, "--json")[1])
    assert found["report"] == str(page)
    assert json.loads(run(data, "-m", "chi2", "--json")[1])["report"] is None
    assert "All 5 features, ranked by chi2; none is left out." in page.read_text(
        "utf-8"
    )


def test_several_files_are_reported_as_far_as_is_known(run, tmp_path):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40, 4)).round(2)
    Y = (X[:, :2] > 0).astype(np.uint8)
    whole = Dataset(X, Y, list("abcd"), ["p", "q"])
    files = [tmp_path / "1.npz", tmp_path / "2.npz"]
    whole.take_rows(range(20)).save(files[0])
    whole.take_rows(range(20, 40)).save(files[1])
    page = tmp_path / "why.html"
    code, _, err = run(*files, "-m", "chi2", "--k", 2, "--report", page, "-q")
    assert (code, err) == (0, "")
    text = page.read_text(encoding="utf-8")
    assert "Keep 2 of 4 features, ranked by chi2." in text
    assert "The rows were read in blocks and are not held." in text


def test_what_cannot_be_written_is_refused_before_anything_is_read(run, data, tmp_path):
    before = data.read_bytes()
    for report, message in (
        (data, "--report songs.arff would overwrite the input songs.arff"),
        (tmp_path, "is a folder; give a file name."),
        (tmp_path / "no" / "x.html", "there is no folder"),
        (tmp_path / f"{'n' * 300}.html", "is longer than 200 bytes; give a shorter"),
    ):
        code, out, err = run(data, "-m", "chi2", "--k", 2, "--report", report)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert message in err.replace(f"{tmp_path}/", "")
    for name in ("kept.arff", "kept.xml", "kept.scores.csv"):
        words = ("--out", tmp_path / "kept.arff", "--report", tmp_path / name)
        code, _, err = run(data, "-m", "chi2", "--k", 2, *words)
        assert code == 2
        assert "--out and --report name the same file." in err
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "songs.arff",
        "songs.xml",
    ]
    assert data.read_bytes() == before


def test_a_page_that_fails_leaves_what_was_there(run, data, tmp_path, monkeypatch):
    page = tmp_path / "why.html"
    page.write_text("old")

    def fails(*_, **__):
        raise OSError(28, "No space left on device", str(page))

    monkeypatch.setattr("labelsift.read.whole_file.os.replace", fails)
    code, _, err = run(data, "-m", "chi2", "--k", 2, "--report", page)
    assert code == 1
    assert "No space left" in err
    assert page.read_text() == "old"
    assert not list(tmp_path.glob(".*"))
