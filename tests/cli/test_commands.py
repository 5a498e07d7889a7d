import csv
import gzip
import io
import json
import os
import warnings

import click
import numpy as np
import pytest

from labelsift import __version__
from labelsift.cli import app, main
from labelsift.evaluate.spreadsheet import harmless
from labelsift.read import Dataset, load_dataset
from labelsift.select import SELECTORS, _counts

ODD = [
    "plain",
    "a, b",
    'say "hi"',
    "größe ☃",
    "<b>&amp;",
    "=SUM(A1)",
    "  spaced  ",
    "it's",
    "back\\slash",
]


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
    """A small data set whose names are as odd as names can be."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, len(ODD))).round(3)
    Y = (X[:, [2, 4]] > 0).astype(np.uint8)
    dataset = Dataset(X, Y, ODD, ["calm, cool", "<i>wild"], name="odd")
    path = tmp_path / "odd.arff"
    dataset.save(path)
    return path


def fails(result, code, *parts):
    found, out, err = result
    assert (found, out) == (code, "")
    assert err.count("\n") == 1
    for part in parts:
        assert part in err
    return True


# --- what is there


def test_version_and_help(run):
    assert run("--version") == (0, f"labelsift {__version__}\n", "")
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    for word in ("demo", "info", "methods", "select", "Exit codes"):
        assert word in out
    code, out, err = run()
    assert (code, out) == (2, "")
    assert "Commands:" in err


def test_every_command_explains_itself(run):
    for command in app.cli.commands:
        code, out, _ = run(command, "--help")
        assert code == 0
        assert "--json" in out
        assert "--quiet" in out


def test_methods_lists_every_selector_with_its_source(run):
    code, out, _ = run("methods")
    assert code == 0
    for name in SELECTORS:
        assert f"\n  {name} " in out
    code, out, _ = run("methods", "--json")
    listed = {entry["name"]: entry for entry in json.loads(out)}
    assert set(SELECTORS) <= set(listed)
    assert listed["mlknn"]["kind"] == "classifier"
    for name in SELECTORS:
        assert listed[name]["source"], f"{name} names no source"
        assert listed[name]["summary"]


def test_methods_explains_one_with_all_options(run):
    code, out, _ = run("methods", "chi2")
    assert code == 0
    assert "labelsift.select.Chi2" in out
    assert "--aggregate max|mean|min   default mean" in out
    assert "[1] Guo, Li." in out
    options = json.loads(run("methods", "chi2", "--json")[1])["options"]
    bins = next(o for o in options if o["option"] == "--n-bins")
    assert (bins["values"], bins["default"]) == ("INTEGER", 5)


@pytest.mark.slow
def test_an_alias_is_a_method_with_other_defaults(run, data):
    code, out, _ = run("methods")
    assert code == 0
    assert "\n  igmf   " in out
    words = "label_transform --transformation lp --measure symmetrical_uncertainty"
    assert f"= {words}\n" in out
    assert run("methods", "igmf")[1].startswith(f"igmf is {words}\n")
    options = json.loads(run("methods", "igmf", "--json")[1])["options"]
    measure = next(o for o in options if o["option"] == "--measure")
    assert measure["default"] == "symmetrical_uncertainty"
    code, help_text, _ = run("select", "--method", "igmf", "--help")
    assert "[default: symmetrical_uncertainty]" in help_text
    short = run("select", data, "--method", "igmf")
    assert short == run("select", data, "--method", *words.split())
    other = run("select", data, "--method", "igmf", "--measure", "chi2")
    assert other == run("select", data, "--method", "lp_chi2")
    assert other != short
    assert fails(run("methods", "igfm"), 2, 'Did you mean "igmf"?')


def test_a_mistyped_name_is_answered_with_the_likely_one(run):
    assert fails(run("methods", "chi3"), 2, 'Did you mean "chi2"?', "lists all")
    assert fails(run("inof", "x"), 2, 'Did you mean "info"?')
    wrong = run("select", "x.csv", "--method", "chi3")
    assert fails(wrong, 2, '"chi3" is not known. Did you mean "chi2"?')
    wrong = run("select", "x.csv", "--method=chi2", "--agregate", "max")
    assert fails(wrong, 2, "--agregate", "--aggregate", "select --help")


# --- info


def test_info_says_what_is_in_a_file(run, data):
    code, out, err = run("info", data)
    assert (code, err) == (0, "")
    assert "60 rows · 9 features (numeric) · 2 labels" in out
    found = json.loads(run("info", data, "--json")[1])
    assert (found["n_samples"], found["n_features"], found["n_labels"]) == (60, 9, 2)


def test_info_takes_every_way_to_name_labels(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('x,"a, b",c\n' + "1,yes,yes\n2,no,yes\n3,yes,no\n")
    for spec in ("2", '"a, b",c', '"a, b", c'):
        code, out, _ = run("info", path, "--labels", spec)
        assert code == 0
        assert "1 feature (numeric) · 2 labels" in out
    xml = tmp_path / "list.xml"
    xml.write_text(
        '<labels xmlns="http://mulan.sourceforge.net/labels">'
        '<label name="c"></label></labels>'
    )
    assert "1 label" in run("info", path, "--labels", xml)[1]
    assert fails(run("info", path, "--labels", "a,,c"), 2, "names with commas")


def test_a_bad_file_is_named_with_its_line(run, tmp_path):
    path = tmp_path / "bad.arff"
    path.write_text(
        "@relation 'r: -C 1'\n@attribute l {0,1}\n@attribute x numeric\n@data\n0,1\n1\n"
    )
    assert fails(run("info", path), 2, "bad.arff line 6: ", "expected 2")
    assert fails(run("info", tmp_path / "none.arff"), 2, "none.arff", "no such file")
    assert fails(run("info", tmp_path), 2, str(tmp_path))


# --- select


def test_select_prints_a_table_that_other_programs_can_read(run, data):
    code, out, err = run("select", data, "--method", "chi2", "--k", 2)
    assert (code, err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert sorted(row["feature"] for row in rows) == sorted(map(harmless, ODD))
    assert [row["rank"] for row in rows] == [str(i) for i in range(1, 10)]
    assert [row["kept"] for row in rows] == ["1", "1"] + ["0"] * 7
    assert {row["feature"] for row in rows[:2]} == {'say "hi"', "<b>&amp;"}
    scores = [float(row["score"]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    by_label = np.array([[float(r["score for calm, cool"]) for r in rows]])
    assert by_label.max() == by_label[0, [r["feature"] for r in rows].index('say "hi"')]
    commas = run("select", data, "-m", "chi2", "--k", 2, "--table", "csv")[1]
    assert list(csv.DictReader(io.StringIO(commas))) == rows


def test_where_not_all_pairs_are_kept_the_best_labels_are_told(
    run, data, tmp_path, monkeypatch
):
    words = ["select", data, "-m", "chi2", "--k", 2]
    every = json.loads(run(*words, "--json")[1])["features"]
    monkeypatch.setattr(_counts, "PAIR_LIMIT", 1)
    code, out, err = run(*words, "--json")
    assert (code, err) == (0, "")
    for more, less in zip(every, json.loads(out)["features"], strict=True):
        assert "label_scores" not in less
        scores = {label: s for label, s in more["label_scores"].items() if s > 0}
        assert less["top_labels"] == pytest.approx(scores)
        assert list(less["top_labels"]) == sorted(scores, key=scores.get, reverse=True)
    code, out, _ = run(*words, "--out", tmp_path / "kept.npz")
    (best,) = [line for line in out.splitlines() if line.startswith("  best:")]
    assert best.count(", for ") == 2


@pytest.mark.parametrize("name", ["igmf", "label_transform"])
def test_scores_of_a_transformed_problem_are_of_no_single_label(
    run, data, tmp_path, name
):
    words = ["select", data, "-m", name, "--k", 2]
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    rows = list(csv.reader(io.StringIO(out), delimiter="\t"))
    assert rows[0] == ["feature", "rank", "score", "kept"]
    assert {len(row) for row in rows} == {4}
    code, out, err = run(*words, "--json")
    assert (code, err) == (0, "")
    assert all("label_scores" not in row for row in json.loads(out)["features"])
    assert ", for " not in run(*words, "--out", tmp_path / "kept.csv")[1]


def test_select_writes_data_labels_and_scores_with_all_names(run, data, tmp_path):
    out = tmp_path / "kept.arff"
    words = ["--method", "chi2", "--aggregate", "max", "--k", "50%", "--out", out]
    code, printed, err = run("select", data, *words)
    assert (code, err) == (0, "")
    assert printed.startswith("chi2 (aggregate max)   ")
    assert "kept 4 of 9" in printed
    for name in ("kept.arff", "kept.xml", "kept.scores.csv"):
        assert str(tmp_path / name) in printed
        assert (tmp_path / name).is_file()
    assert 'say "hi" (' in printed
    assert ", for calm, cool)" in printed
    back, whole = load_dataset(out), load_dataset(data)
    assert back.n_features == 4
    assert back.label_names == ("calm, cool", "<i>wild")
    for i, name in enumerate(back.feature_names):
        np.testing.assert_array_equal(
            back.X[:, i], whole.X[:, whole.feature_names.index(name)]
        )
    with (tmp_path / "kept.scores.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sorted(row["feature"] for row in rows) == sorted(map(harmless, ODD))
    kept = {row["feature"] for row in rows if row["kept"] == "1"}
    assert kept == set(map(harmless, back.feature_names))


def test_select_gives_the_same_as_the_library(run, data):
    found = json.loads(run("select", data, "-m", "chi2", "--k", 3, "--json")[1])
    dataset = load_dataset(data)
    selector = SELECTORS["chi2"](3).fit(dataset.X, dataset.Y)
    order = [dataset.feature_names[i] for i in selector.order_]
    assert [row["feature"] for row in found["features"]] == order
    assert [row["score"] for row in found["features"]] == pytest.approx(
        selector.scores_[selector.order_].tolist(), abs=0
    )
    assert found["n_kept"] == 3
    assert found["settings"]["aggregate"] == "mean"
    assert found["written"] == []


@pytest.mark.parametrize("ending", ["csv", "tsv", "npz", "arff.gz", "parquet"])
def test_the_ending_decides_the_format(run, data, tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    out = tmp_path / f"kept.v1.{ending}"
    code, printed, _ = run("select", data, "-m", "chi2", "--k", 2, "--out", out, "-q")
    assert (code, printed) == (0, "")
    assert (tmp_path / "kept.v1.scores.csv").is_file()
    labels = {} if ending.startswith(("npz", "arff")) else {"labels": 2}
    assert load_dataset(out, **labels).n_features == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_every_selector_works_without_code_of_its_own(run, data, name):
    code, out, _ = run("select", data, "--method", name, "--k", 2)
    assert code == 0
    assert len(out.splitlines()) == 1 + len(ODD)
    code, out, _ = run("select", "--method", name, "--help")
    assert code == 0
    for option in json.loads(run("methods", name, "--json")[1])["options"]:
        assert option["option"] in out


@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_options_of_a_selector_never_hide_those_of_the_command(name):
    from labelsift.cli.method_options import method_options
    from labelsift.cli.select import select

    fixed = {flag for parameter in select.params for flag in parameter.opts}
    own = [flag for option in method_options(SELECTORS[name]) for flag in option.opts]
    assert not fixed & set(own)
    assert len(set(own)) == len(own)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--aggregate", "maxx"], ["--aggregate", "max, mean, min", 'mean "max"?']),
        (["--n-bins", "1"], ["--n-bins", "at least 2 and at most 65536; found '1'"]),
        (["--n-bins", "many"], ["at least 2 and at most 65536; found 'many'"]),
        (["--k", "0"], ["--k", "a number of features (30)", "found '0'"]),
        (["--k", "1.5"], ["found '1.5'"]),
        (["--k", "120%"], ["found '120%'"]),
        (["--k", "-3"], ["found '-3'"]),
        (["--k", "two"], ["found 'two'"]),
        (["--table", "xml"], ["--table", "xml"]),
        (["--variant", "simplified", "--correction", "p_value"], ["correction="]),
    ],
)
def test_wrong_settings_are_explained_in_one_line(run, data, words, parts):
    assert fails(run("select", data, "--method", "chi2", *words), 2, *parts)


def test_settings_of_all_kinds_reach_the_selector(run, data):
    words = ["--n-bins", "3", "--label-norm", "dm", "--correction", "none"]
    found = json.loads(run("select", data, "-m", "chi2", *words, "--json")[1])
    assert found["settings"]["n_bins"] == 3
    assert found["settings"]["label_norm"] == "dm"
    assert found["settings"]["correction"] is None


def test_more_features_than_there_are_is_a_note_that_quiet_silences(run, data):
    code, out, err = run("select", data, "-m", "chi2", "--k", 99)
    assert code == 0
    assert err.startswith("! n_features_to_select=99 but X has 9 features")
    assert run("select", data, "-m", "chi2", "--k", 99, "--quiet") == (0, out, "")


def test_missing_values_are_named_by_feature(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("tempo,x,l\n1,2,0\n,1,1\n,3,1\n4,,0\n")
    result = run("select", path, "--labels", "1", "-m", "chi2")
    assert fails(result, 2, "2 of 2 features", '"tempo" (50 %)', "chi2 cannot")


def test_nothing_is_written_where_it_must_not_be(run, data, tmp_path):
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    start = ["select", data, "--method", "chi2", "--k", "2", "--out"]
    assert fails(run(*start, data), 2, "would overwrite the input")
    assert fails(run(*start, tmp_path / "sub" / "x.csv"), 2, "there is no folder")
    assert fails(run(*start, tmp_path), 2, "is a folder")
    assert fails(run(*start, tmp_path / "x.docx"), 2, "x.docx", ".arff")
    link = tmp_path / "link.arff"
    link.symlink_to(data)
    assert fails(run(*start, link), 2, "would overwrite the input")
    link.unlink()
    words = ["select", data, "-m", "chi2", "--out", tmp_path / "all.csv"]
    assert fails(run(*words), 2, "--k")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_a_name_that_cannot_be_written_is_told_before_the_data_are_read(run, tmp_path):
    words = ["select", tmp_path / "missing.arff", "-m", "chi2", "--k", 2, "--out"]
    assert fails(run(*words, tmp_path / "x.docx"), 2, "cannot write 'x.docx'")
    assert fails(run(*words, tmp_path / "x.npz.gz"), 2, "compressed by itself")
    assert fails(run(*words, tmp_path / "x.csv"), 2, "missing.arff", "no such file")


def test_the_label_list_of_a_packed_part_is_not_overwritten(run, data, tmp_path):
    load_dataset(data).save(tmp_path / "songs-train.arff.gz")
    (tmp_path / "songs-train.xml").rename(tmp_path / "songs.xml")
    before = (tmp_path / "songs.xml").read_bytes()
    words = ["select", tmp_path / "songs-train.arff.gz", "-m", "chi2", "--k", 2]
    result = run(*words, "--out", tmp_path / "songs.arff")
    assert fails(result, 2, "would overwrite the input", "songs.xml")
    assert (tmp_path / "songs.xml").read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ["-m", "chi2"],
        ["-mchi2"],
        ["-qmchi2"],
        ["-qm", "chi2"],
        ["--method=chi2"],
        ["-m", "mlfsie", "-m", "chi2"],
    ],
)
def test_every_way_to_write_the_method_brings_its_options(run, data, words):
    code, out, err = run("select", data, *words, "--variant", "simplified", "--k", 2)
    assert (code, err) == (0, "")
    dataset = load_dataset(data)
    chosen = SELECTORS["chi2"](2, variant="simplified").fit(dataset.X, dataset.Y)
    scores = [float(row[2]) for row in csv.reader(out.splitlines()[1:], delimiter="\t")]
    np.testing.assert_array_equal(scores, chosen.scores_[chosen.order_])


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--labels", "zz"], "--labels names 'zz', but"),
        (["--labels", 99], "--labels 99 asks for 99 labels"),
        (["--split", "train"], "--split does not apply to a file."),
        (["--nominal", "zz"], "'nominal'"),
        (["--delimiter", ";"], "'delimiter'"),
    ],
)
def test_messages_name_options_as_they_are_typed_here(run, data, words, part):
    assert fails(run("info", data, *words), 2, part)


def test_the_remedies_of_messages_can_be_typed(run, tmp_path):
    packed = tmp_path / "big.csv.gz"
    packed.write_bytes(gzip.compress(b"a,y\n" + b"1,0\n2,1\n" * 500))
    words = ["info", packed, "--labels", "y"]
    assert fails(run(*words, "--max-bytes", 99), 2, "allow more with --max-bytes.")
    assert run(*words, "--max-bytes", 9999)[0] == 0
    words = ["info", tmp_path / "mixed.csv", "--labels", "y"]
    (tmp_path / "mixed.csv").write_text("a;y\n1;0\nb;1\n")
    assert fails(run(*words), 2, "give --nominal ['a']")
    code, out, _ = run(*words, "--nominal", "a", "--delimiter", ";")
    assert code == 0
    assert "1 features (nominal)" in out or "1 feature (nominal)" in out


def test_a_failed_write_leaves_no_half_file(run, data, tmp_path, monkeypatch):
    from labelsift.cli import score_table

    def full(rows, path):
        with score_table.whole_file(path) as file:
            file.write("half")
            raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(score_table, "write_scores", full)
    out = tmp_path / "kept.csv"
    result = run("select", data, "-m", "chi2", "--k", 2, "--out", out)
    assert fails(result, 1, "kept.scores.csv: No space left on device")
    assert not [name for name in os.listdir(tmp_path) if "scores" in name]


@pytest.mark.slow
def test_control_characters_in_names_cannot_steer_the_terminal(run, tmp_path):
    X = np.array([[0.0, 1], [1, 0], [1, 1], [0, 0]])
    names = ["\x1b[31mred", "x"]
    Dataset(X, X[:, :1], names, ["l"], name="t").save(tmp_path / "t.csv")
    words = ["--labels", "1", "-m", "chi2", "--k", "1", "--out", tmp_path / "o.csv"]
    code, out, _ = run("select", tmp_path / "t.csv", *words)
    assert code == 0
    assert "\\x1b[31mred" in out
    assert "\x1b" not in out


# --- whatever happens, one line


@pytest.mark.parametrize(
    ("error", "code", "part"),
    [
        (MemoryError(), 1, "Not enough memory"),
        (KeyboardInterrupt(), 1, "Interrupted"),
        (PermissionError(13, "Permission denied", "x.csv"), 1, "x.csv: Permission"),
        (ImportError("x needs h5py: pip install h5py"), 1, "pip install h5py"),
        (RuntimeError("two\nlines"), 1, "stumbled over RuntimeError: two lines"),
        (ValueError("bad value"), 2, "bad value"),
        (click.Abort(), 1, "Interrupted"),
    ],
)
def test_any_error_becomes_one_line(run, monkeypatch, error, code, part):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("labelsift.read.load_dataset", fail)
    assert fails(run("info", "x.csv"), code, part)


def test_notes_on_an_error_are_part_of_the_line(run, monkeypatch):
    def fail(*_, **__):
        error = ValueError("bad")
        error.add_note("In fold 3.")
        raise error

    monkeypatch.setattr("labelsift.read.load_dataset", fail)
    assert fails(run("info", "x.csv"), 2, "bad In fold 3.")


def test_warnings_become_notes_on_standard_error(run, monkeypatch, data):
    real = load_dataset

    def warn(*arguments, **options):
        warnings.warn("dropped 2 columns", UserWarning, stacklevel=2)
        return real(*arguments, **options)

    monkeypatch.setattr("labelsift.read.load_dataset", warn)
    code, _, err = run("info", data)
    assert (code, err) == (0, "! dropped 2 columns\n")
    assert run("info", data, "--quiet")[2] == ""


@pytest.fixture
def priced(tmp_path):
    """A file with a column of words, and what its columns cost."""
    rows = ["age,TSH,T3,colour,a,b"]
    rows += [f"{i % 3},{i % 2},{i % 4 // 2},{'rgb'[i % 3]},{i % 3 == 0:d},{i % 2}"
             for i in range(24)]  # fmt: skip
    path, costs = tmp_path / "priced.csv", tmp_path / "costs.csv"
    path.write_text("\n".join(rows) + "\n")
    costs.write_text("feature,cost\nage,10\nTSH,40\nT3,20\ncolour,5\n")
    return path, costs


def test_select_within_a_budget_says_what_it_spends(run, priced, tmp_path):
    path, costs = priced
    words = ["select", path, "--labels", "a,b", "--method", "csig", "--costs", costs]
    code, out, _ = run(*words, "--budget", 45, "--json")
    said = json.loads(out)
    assert code == 0
    assert said["kept"] == ["TSH", "colour"]
    assert (said["total_cost"], said["cost_share"]) == (45, 45 / 75)
    assert said["settings"]["costs"] == [10, 40, 20, 5]
    assert said["settings"]["categorical_features"] == [False, False, False, True]
    code, out, _ = run(*words, "--budget", 45, "--out", tmp_path / "kept.csv")
    assert code == 0
    assert "total cost 45, 60% of all features'" in out
    assert load_dataset(tmp_path / "kept.csv", labels=2).feature_names == (
        "TSH",
        "colour",
    )


def test_select_names_what_is_wrong_with_costs(run, priced):
    path, costs = priced
    words = ["select", path, "--labels", "a,b", "--method", "csig"]
    few = costs.with_name("few.csv")
    few.write_text("age,10\nTSH,40\nT3,20\n")
    said = "few.csv: costs are missing for 'colour' (3 costs for the 4 features of "
    fails(run(*words, "--costs", few), 2, said + "'priced'); give 0 where it is free.")
    fails(run(*words, "--budget", 45), 2, "budget= needs costs")
    fails(run(*words, "--budget", 2, "--costs", costs), 2, "budget=2 buys no feature")
    fails(run(*words, "--budget", -1, "--costs", costs), 2, "--budget", "at least 0")
    costs.write_text("feature,cost\nage,10\nTHS,40\nT3,20\ncolour,5\n")
    fails(run(*words, "--costs", costs), 2, "costs.csv", "'THS'", "did you mean 'TSH'")
