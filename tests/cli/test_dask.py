"""``--engine dask --workers 2`` gives the numbers of the work done here."""

import csv
import json

import numpy as np
import pytest

from labelsift.cli import main
from labelsift.read import Dataset

pytestmark = pytest.mark.slow

pytest.importorskip("distributed", reason="Dask is not installed")

DASK = ["--engine", "dask", "--workers", "2"]
PLAN = """\
sizes = [2, "100%"]
metrics = ["hamming_loss", "average_precision"]
seed = 3
data.made = { path = "made.npz" }
folds.n_splits = 2
selectors.chi2 = {}
classifiers.mlknn = { settings = { n_neighbors = 5 } }
"""


@pytest.fixture
def data():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 5)).round(2)
    Y = (X[:, :2] + rng.normal(size=(60, 2)) > 0).astype(np.uint8)
    return Dataset(X, Y, tuple("abcde"), ("p", "q"))


def test_select_on_a_cluster_prints_the_scores_of_the_run_here(capsys, tmp_path, data):
    folder = tmp_path / "parts"
    folder.mkdir()
    for number in range(4):
        rows = range(15 * number, 15 * number + 15)
        data.take_rows(rows).save(folder / f"{number}.parquet")
    words = ["select", str(folder), "--method", "chi2", "--k", "2", "--json", "-q"]
    answers = []
    for where in (["--engine", "inline"], DASK):
        assert main([*words, *where]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        answers.append(json.loads(out))
        answers[-1].pop("seconds")
    assert answers[0] == answers[1]
    assert len(answers[0]["features"]) == 5
    assert answers[0]["features"][0]["score"] > 0


def test_compare_on_a_cluster_keeps_the_results_of_the_run_here(capsys, tmp_path, data):
    data.save(tmp_path / "made.npz")
    (tmp_path / "plan.toml").write_text(PLAN)
    found = []
    for number, where in enumerate(([], DASK)):
        out = tmp_path / str(number)
        words = ["compare", str(tmp_path / "plan.toml"), "--out", str(out), "--json"]
        assert main([*words, "-q", *where]) == 0
        printed, err = capsys.readouterr()
        assert err == ""
        answer = json.loads(printed)
        answer.pop("reports")
        with (out / "results.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            for column in [name for name in row if "seconds" in name]:
                row.pop(column)
        found.append((answer, rows))
    assert found[0] == found[1]
    # 2 features, 5, and all without a selector; by two folds and two metrics
    assert len(found[0][1]) == 12
