"""Tables and figures as files: what is in them, and that names do nothing there."""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from labelsift.evaluate import METRICS
from labelsift.evaluate.spreadsheet import harmless
from labelsift.report import export_comparison, leaderboard_table
from labelsift.report.exports import FORMATS
from labelsift.report.file_name import file_name
from report.made_up import made_up
from report.test_comparison_page import SEVEN, comparison

STEMS = {
    "leaderboard-average_precision", "leaderboard-hamming_loss", "tests-best",
    "tests-all", "stability", "time", "profiles", "data", "cautions",
    "labels-1-one", "labels-2-two",
}  # fmt: skip
FIGURES = {
    "curves-1-one", "curves-2-two",
    "critical-difference-average_precision", "critical-difference-hamming_loss",
    "stability", "time",
}  # fmt: skip


def test_every_format_has_every_table_or_figure(tmp_path):
    pytest.importorskip("pyarrow", reason="for Parquet")
    found = comparison(names=("one", "two"))
    written = export_comparison(found, tmp_path / "new" / "folder")
    assert sorted(written) == sorted((tmp_path / "new" / "folder").iterdir())
    for name, ending in FORMATS.items():
        stems = {path.stem for path in written if path.suffix == ending}
        if name in ("svg", "pdf"):
            assert stems == FIGURES
        else:
            assert stems == STEMS | (
                {"results"} if name in ("csv", "parquet") else set()
            )
    for path in written:
        assert path.stat().st_size > 30
        if path.suffix == ".pdf":
            assert path.read_bytes().startswith(b"%PDF-")
        if path.suffix == ".svg":
            ET.fromstring(path.read_text("utf-8"))


def test_only_the_formats_that_are_asked_for(tmp_path):
    found = comparison()
    written = export_comparison(found, tmp_path, formats=["latex"])
    assert {path.suffix for path in written} == {".tex"}
    with pytest.raises(ValueError, match="formats must be of markdown, latex"):
        export_comparison(found, tmp_path, formats=["docx"])


def test_parquet_without_pyarrow_names_the_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr("labelsift.report.exports._has_pyarrow", lambda: False)
    with pytest.raises(ImportError, match=r"labelsift\[parquet\]"):
        export_comparison(comparison(), tmp_path, formats=["parquet"])
    assert list(tmp_path.iterdir()) == []
    written = export_comparison(comparison(names=("one",)), tmp_path)
    assert {path.suffix for path in written} == set(FORMATS.values()) - {".parquet"}


@pytest.mark.parametrize("metric", ["average_precision", "hamming_loss"])
def test_the_latex_table_has_the_best_in_bold_and_signs(metric):
    found = comparison(names=SEVEN)
    text = leaderboard_table(found, metric).to_latex()
    assert "\\usepackage{booktabs}" in text
    for rule in ("\\toprule", "\\midrule", "\\bottomrule"):
        assert text.count(rule) == 1
    body = text.split("\\midrule\n")[1].split("\\bottomrule")[0].splitlines()
    standings = found.standings(metric)
    assert len(body) == len(standings) + 1
    choose = max if METRICS[metric].greater_is_better else min
    bests = [choose(s.values[i] for s in standings) for i in range(7)]
    close = {t.method: t.verdict() for t in found.tests(metric)}
    gains = {t.method: t for t in found.tests(metric, against="all features")}
    signs = {"better": "+", "worse": "-", "undecided": ""}
    for line, standing in zip(body, standings, strict=False):
        cells = line.removesuffix(" \\\\").split(" & ")
        assert cells[0] == standing.method.selector
        rank = re.fullmatch(r"([\d.]+)(?:\\rlap\{\$\^\{(.*)\}\$\})?", cells[1])
        assert float(rank[1]) == pytest.approx(standing.mean_rank, abs=6e-3)
        is_close = close.get(standing.method) == "undecided"
        sign = ("\\approx" if is_close else "") + signs[
            gains[standing.method].verdict()
        ]
        assert (rank[2] or "") == sign
        verdicts = gains[standing.method].verdicts()
        for cell, value, best, verdict in zip(
            cells[2::2], standing.values, bests, verdicts, strict=True
        ):
            assert cell.startswith("\\textbf{") == (value == best)
            assert f"{value:.3f}" in cell
            assert signs[verdict] in cell
    assert "cannot be told apart from the best" in text


def test_csv_and_data_frames_hold_full_precision(tmp_path):
    found = comparison()
    export_comparison(found, tmp_path, formats=["csv"])
    with (tmp_path / "leaderboard-hamming_loss.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    frame = leaderboard_table(found, "hamming_loss").to_frame("polars")
    standings = found.standings("hamming_loss")
    assert len(rows) == len(frame) == len(standings) + 1
    for i, standing in enumerate(standings):
        assert rows[i]["Method"] == frame["Method"][i] == standing.method.selector
        for dataset, value, size in zip(
            found.datasets, standing.values, standing.sizes, strict=True
        ):
            assert float(rows[i][dataset]) == frame[dataset][i] == value
            title = f"features of {dataset}"
            assert int(rows[i][title]) == frame[title][i] == size
    with (tmp_path / "profiles.csv").open(newline="") as file:
        profiles = list(csv.DictReader(file))
    for row, profile in zip(profiles, found.profiles(), strict=True):
        assert (row["data"], row["selector"]) == (
            profile.dataset,
            profile.method.selector,
        )
        if row["stability"]:
            assert float(row["low"]) == profile.stability.low


def test_parquet_holds_every_measurement(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="for Parquet")
    found = comparison()
    export_comparison(found, tmp_path, formats=["parquet"])
    rows = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    assert rows == list(found.rows())


def test_nothing_measured_everywhere_exports_the_rows_only(tmp_path):
    found = replace(
        comparison(),
        results=(comparison().results[0], made_up(selectors=("z",))[0]),
    )
    written = export_comparison(found, tmp_path, formats=["csv", "latex", "svg"])
    assert sorted(path.name for path in written) == [
        "curves-1-one.svg", "curves-2-birds.svg", "results.csv",
    ]  # fmt: skip


HOSTILE = (
    "<script>alert(1)</script>",
    '=HYPERLINK("http://x")',
    "[x](javascript:alert(1)) www.example.org",
    "\\input{/etc/passwd} $x^2$ %",
    "\x1b]0;owned\x07\x1b[31m",
    "../../etc/passwd",
    "[1ex] *",
    "\t=1+1",
    "\uff1d1+1",
    "a|b\n| c | d |",
)


@pytest.fixture(scope="module")
def hostile_files(tmp_path_factory):
    pytest.importorskip("pyarrow", reason="for Parquet")
    folder = tmp_path_factory.mktemp("hostile")
    found = comparison(
        selectors=HOSTILE,
        names=(HOSTILE[0], HOSTILE[3], HOSTILE[5]),
        label_names=HOSTILE[:5],
        n_folds=2,
        sizes=(4, 12),
    )
    inner = folder / "out"
    export_comparison(found, inner, formats=set(FORMATS) - {"pdf"})
    assert list(folder.iterdir()) == [inner]
    return sorted(inner.iterdir())


def test_hostile_names_make_harmless_file_names(hostile_files):
    assert len(hostile_files) > 50
    for path in hostile_files:
        assert re.fullmatch(r"[\w-]+\.[a-z]+", path.name)
        assert not path.name.startswith(("-", "."))


def test_hostile_names_steer_no_terminal(hostile_files):
    for path in hostile_files:
        if path.suffix not in (".parquet", ".pdf"):
            text = path.read_text("utf-8")
            assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x9b]", text), path


def test_hostile_names_are_no_formulas(hostile_files):
    seen = set()
    for path in hostile_files:
        if path.suffix != ".csv":
            continue
        with path.open(encoding="utf-8", newline="") as file:
            for cell in (cell for row in csv.reader(file) for cell in row):
                seen.add(cell)
                if cell.strip()[:1] in tuple("=+-@\uff1d"):
                    float(cell)  # only a number may begin so
    assert '\'=HYPERLINK("http://x")' in seen
    assert "' =1+1" in seen


def test_hostile_names_are_no_commands_of_latex(hostile_files):
    known = set(
        "usepackage begin end caption centering toprule midrule bottomrule textbf rlap "
        "approx par smallskip footnotesize textbackslash textless textgreater textbar "
        "textasciitilde textasciicircum pm geq ldots bullet circ".split()
    )
    for path in hostile_files:
        if path.suffix != ".tex":
            continue
        text = path.read_text("utf-8")
        assert set(re.findall(r"\\([a-zA-Z]+)", text)) <= known
        bare = re.sub(r"\\[\\{}$&#%_]", "", text)
        assert bare.count("{") == bare.count("}")
        assert bare.count("$") % 2 == 0
        lines = text.splitlines()
        assert [line for line in lines if "%" in line.replace("\\%", "")] == lines[:1]
        # a bracket or star that begins a row would be an option of the row before
        assert not [line for line in lines if line[:1] in ("[", "*")]
        n_columns = {
            line.replace("\\&", "").count("&")
            for line in lines
            if line.endswith("\\\\")
        }
        assert len(n_columns) == 1


def test_hostile_names_are_no_markup_of_markdown_and_svg(hostile_files):
    for path in hostile_files:
        text = path.read_text("utf-8") if path.suffix in (".md", ".svg") else ""
        if path.suffix == ".md":
            table = [line for line in text.splitlines() if line.startswith("|")]
            widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table}
            assert len(widths) == 1
            assert not re.search(r"(?<!\\)[<\[`]", text)
            assert "www." not in text
        if path.suffix == ".svg":
            tags = {node.tag.rpartition("}")[2] for node in ET.fromstring(text).iter()}
            assert not tags & {"script", "a", "image", "foreignObject"}


def test_parquet_keeps_names_as_they_are(hostile_files):
    from pyarrow import parquet

    [path] = [p for p in hostile_files if p.name == "results.parquet"]
    names = set(parquet.read_table(path).column("selector").to_pylist())
    assert names == {*HOSTILE, "all features"}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("=1", "'=1"), ("+1", "'+1"), ("-x", "'-x"), ("@SUM", "'@SUM"),
        ("  =1", "'  =1"), ("\r=1", "' =1"), ("\uff20x", "'\uff20x"),
        ("a=1", "a=1"), ("größe", "größe"), ("\x1b[1m", "\ufffd[1m"), ("", ""),
    ],
)  # fmt: skip
def test_spreadsheets_get_text(name, shown):
    assert harmless(name) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../x", "------x"), ("C:\\x", "C--x"), ("a b.html", "a-b-html"),
        ("größe", "größe"), ("\x00", "-"), ("", ""), ("x" * 200, "x" * 80),
        ("\u6570" * 100, "\u6570" * 26),
    ],
)  # fmt: skip
def test_file_names_have_letters_and_few_bytes(name, shown):
    assert file_name(name) == shown
    assert len(file_name(name).encode()) <= 80
