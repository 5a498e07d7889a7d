"""``labelsift select`` on several files, and where the work runs."""

import json

import numpy as np
import pytest

from labelsift.cli import main
from labelsift.read import Dataset, load_dataset
from labelsift.select import Chi2


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 5)).round(2)
    Y = (X[:, :2] + rng.normal(size=(60, 2)) > 0).astype(np.uint8)
    data = Dataset(X, Y, tuple("abcde"), ("p", "q"))
    folder = tmp_path / "rest"
    folder.mkdir()
    data.take_rows(range(25)).save(tmp_path / "first.parquet")
    data.take_rows(range(25, 40)).save(folder / "1.parquet")
    data.take_rows(range(40, 60)).save(folder / "2.parquet")
    return data, str(tmp_path / "first.parquet"), str(folder)


@pytest.mark.parametrize(
    "where", [[], ["--engine", "inline"], ["--engine", "processes", "--workers", "2"]]
)
def test_several_files_are_ranked_as_one(capsys, tmp_path, files, where):
    data, first, folder = files
    out = tmp_path / "kept.npz"
    words = ["select", first, folder, "--method", "chi2", "--k", "2", "--json", "-q"]
    assert main([*words, "--out", str(out), *where]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = Chi2(2).fit(data.X, data.Y)
    best = [data.feature_names[i] for i in np.flatnonzero(expected.get_support())]
    assert found["kept"] == best
    scores = {row["feature"]: row["score"] for row in found["features"]}
    assert [scores[name] for name in data.feature_names] == expected.scores_.tolist()
    kept = load_dataset(out)
    np.testing.assert_array_equal(kept.X, expected.transform(data.X))
    np.testing.assert_array_equal(kept.Y, data.Y)


def test_how_many_to_keep_is_asked_before_anything_is_read(capsys, tmp_path):
    words = ["select", "none.parquet", "-m", "spec", "--out", str(tmp_path / "k.npz")]
    assert main(words) == 2
    asked = "spec ranks the features and leaves none out; say how many to keep with --k"
    assert asked in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--workers", "2"], "--workers goes with --engine"),
        (["--address", "h:1"], "--address goes with --engine"),
        (["--engine", "inline", "--workers", "2"], "use --engine processes"),
        (["--engine", "processes", "--address", "h:1"], "add --engine dask"),
        (["--engine", "dask", "--address", "h:1", "--workers", "2"], "leave --workers"),
        (["--engine", "inline", "--costs", "c.csv"], "--costs needs all rows at once"),
        (["--engine", "inline", "-m", "relief_f"], "relief_f needs all rows at once"),
    ],
)
def test_options_that_do_not_go_together_are_named(capsys, files, words, part):
    _, first, _ = files
    assert main(["select", first, "-m", "chi2", *words]) == 2
    assert part in capsys.readouterr().err


def test_files_of_other_columns_are_named(capsys, tmp_path, files):
    data, first, _ = files
    other = tmp_path / "other.parquet"
    data.take_features([1, 0, 2]).save(other)
    assert main(["select", first, str(other), "-m", "chi2"]) == 2
    assert (
        "other.parquet: its feature names are not those of" in capsys.readouterr().err
    )


def test_compare_takes_one_engine(capsys, tmp_path):
    words = ["compare", "p.toml", "--jobs", "2", "--engine", "processes"]
    assert main(words) == 2
    assert "--jobs and --engine" in capsys.readouterr().err


def test_files_without_rows_are_one_message(capsys, tmp_path):
    paths = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    for path in paths:
        with open(path, "w", encoding="utf-8") as file:
            file.write("a,b,p,q\n")
    assert main(["select", *paths, "--labels", "2", "-m", "chi2"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "b.csv: there are no rows of data" in error
