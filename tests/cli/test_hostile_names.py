"""Names in the data that would do something: in what the commands print and write."""

import json
import re

import numpy as np
import pytest

from labelsift.cli import main
from labelsift.read import Dataset

HOSTILE = (
    "<script>alert(1)</script>",
    '=HYPERLINK("http://x")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\x1b]0;owned\x07\x1b[31m",
    "\u202egpj.exe",
    "\x9b31m",
    "two\nlines",
    "tab\tin",
    "\\input{/etc/passwd}",
    "../../etc/passwd",
    "a  b",
)
HARMLESS_FIRST = re.compile(r"[^=+\-@\t\r]|-?\d")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, len(HOSTILE))).round(2)
    Y = (X[:, :3] + rng.normal(size=(40, 3)) > 0).astype(int)
    labels = ["<b>calm</b>", "\x1b[2Jsad", "=1+1"]
    path = tmp_path_factory.mktemp("hostile") / "x.npz"
    Dataset(X, Y, HOSTILE, labels, name="\x1b[1m<i>=2").save(path)
    return path


def assert_inert(text):
    """No character but letters, signs, blanks, tabs and line ends."""
    bad = [c for c in text if not (c.isprintable() or c in "\n\t\r\u00a0")]
    assert not bad, bad


@pytest.mark.parametrize(
    "words",
    [
        ["info"],
        ["info", "--json"],
        ["select", "-m", "chi2", "--k", "5"],
        ["select", "-m", "chi2", "--k", "5", "--json"],
        ["select", "-m", "no_such"],
        ["info", "--labels", "\x1b[31m"],
    ],
    ids=" ".join,
)
def test_nothing_printed_steers_a_terminal(data, words, capsys):
    main([words[0], str(data), *words[1:]])
    out, err = capsys.readouterr()
    assert out or err
    assert_inert(out)
    assert_inert(err)
    if "--json" in words:
        found = json.loads(out)
        assert found
        if words[0] == "select":  # programs get the names as they are
            names = [row["feature"] for row in found["features"]]
            assert set(names) <= set(HOSTILE)
            assert "\x1b" in "".join(row["feature"] for row in found["features"])


@pytest.mark.parametrize("table", ["tsv", "csv"])
def test_scores_hold_no_formula(data, table, capsys):
    assert main(["select", str(data), "-m", "chi2", "--table", table]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(HOSTILE) + 1
    cells = [line.split("\t" if table == "tsv" else ",")[0] for line in lines]
    for cell in cells:
        assert HARMLESS_FIRST.match(cell.strip('"')), cell
    assert "a  b" in cells


def test_files_that_select_writes(data, tmp_path, capsys):
    out = tmp_path / "kept.csv"
    assert main(["select", str(data), "-m", "chi2", "--k", "9", "--out", str(out)]) == 0
    assert_inert(capsys.readouterr().out)
    scores = tmp_path / "kept.scores.csv"
    assert_inert(scores.read_text("utf-8"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["kept.csv", "kept.scores.csv"]
    # the data keep their names: another program reads them back
    heads = out.read_text("utf-8")
    assert sum(name in heads.replace('""', '"') for name in HOSTILE) == 9
