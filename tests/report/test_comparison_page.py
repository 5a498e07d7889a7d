"""The page that compares methods over several data sets."""

from __future__ import annotations

import csv
import itertools
from dataclasses import replace

import numpy as np
import pytest

from labelsift.evaluate.comparison import Comparison
from labelsift.evaluate.plan import Folds, Plan
from labelsift.evaluate.ranks import close_runs
from labelsift.evaluate.records import Failure
from labelsift.report import comparison_page, write_comparison
from labelsift.report.critical_difference import critical_difference_diagram
from labelsift.report.figures import NARROW, WIDE
from report.made_up import made_up
from report.page_reader import read_page

EVIL = "</title><script>alert(1)</script>"


def comparison(selectors=("a", "b", "c"), names=("one", "two", "three"), **options):
    results = tuple(
        made_up(selectors=selectors, name=name, seed=i, **options)[0]
        for i, name in enumerate(names)
    )
    plan = Plan(
        "three by three",
        "# the plan\nsizes = [2]",
        {},
        {},
        {},
        None,
        results[0].metrics,
        Folds(),
    )
    return Comparison(plan, results)


def page_of(found, tmp_path, **options):
    path = write_comparison(found, tmp_path / "r.html", date="2026-01-31", **options)
    text = path.read_text(encoding="utf-8")
    return read_page(text), text


def test_the_verdict_the_board_and_the_diagram_name_the_leader(tmp_path):
    found = comparison()
    page, text = page_of(found, tmp_path, command="labelsift compare p.toml")
    leader = found.standings()[0]
    answer = page.by_id("verdict").plain
    assert f"{leader.method.selector} leads by average precision" in answer
    assert f"mean rank {leader.mean_rank:.2f} of 3 over 3 data sets" in answer
    board = page.by_id("leaderboard")
    rows = [
        [cell.plain for cell in row.children if hasattr(cell, "tag")]
        for row in board.first("tbody").all("tr")
    ]
    names = [s.method.selector for s in found.standings()]
    assert [row[0] for row in rows] == [*names, "all features"]
    assert rows[-1][1] == "\u2013"
    for shown, results in zip(rows[-1][2::2], found.results, strict=True):
        assert shown == f"{results.baseline('MLkNN').mean():.3f}"
    for row, standing in zip(rows, found.standings(), strict=False):
        assert row[1].startswith(f"{standing.mean_rank:.2f}")
        for shown, value in zip(row[2::2], standing.values, strict=True):
            assert shown.startswith(f"{value:.3f}")
        assert row[3::2] == [str(size) for size in standing.sizes]
    best = np.max([s.values for s in found.standings()], axis=0)
    bold = [c.plain for c in board.walk() if "best" in c.classes]
    assert sorted(t[:5] for t in bold) == sorted(f"{value:.3f}" for value in best)
    assert len([n for n in page.all("svg") if "cd" in n.classes]) == 2
    assert "# the plan sizes = [2]" in page.by_id("again").plain
    assert "labelsift compare p.toml" in text


def test_the_page_stands_alone_and_names_are_escaped(tmp_path):
    found = comparison(selectors=(EVIL, "b"), names=(EVIL, "two"))
    failed = (Failure(EVIL, None, 0, None, f"ValueError: {EVIL}"),)
    found = replace(
        found,
        results=(replace(found.results[0], failures=failed), found.results[1]),
        broken={f"x{EVIL}": EVIL},
        plan=replace(found.plan, title=EVIL, text=f"title = '{EVIL}'"),
    )
    page, text = page_of(found, tmp_path, reports={EVIL: "a b.html"}, command=EVIL)
    assert text.count("<script") == 1
    assert "alert" not in page.first("script").text
    for node in page.walk():
        for name in ("src", "href"):
            target = node.attributes.get(name, "#")
            assert target.startswith(("#", "data:")) or target == "a%20b.html"
    assert "Not everything could be measured: 2 problems" in page.by_id("verdict").plain
    assert EVIL in page.by_id("verdict").plain


def test_headings_ids_and_references_are_sound(tmp_path):
    page, _ = page_of(comparison(), tmp_path, reports={"one": "one.html"})
    idents = [n.attributes["id"] for n in page.walk() if "id" in n.attributes]
    assert len(idents) == len(set(idents))
    for node in page.walk():
        for name in ("aria-labelledby", "aria-describedby"):
            for ident in node.attributes.get(name, "").split():
                assert ident in idents
    levels = [int(n.tag[1]) for n in page.walk() if n.tag in ("h1", "h2", "h3")]
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))


def test_one_data_set_or_one_method_has_no_diagram(tmp_path):
    for found in (comparison(names=("one",)), comparison(selectors=("a",))):
        page, _ = page_of(found, tmp_path)
        assert [n for n in page.all("svg") if "cd" in n.classes] == []
    page, _ = page_of(comparison(names=("one",)), tmp_path)
    assert "does best: average precision" in page.by_id("verdict").plain


def test_nothing_measured_everywhere_is_refused(tmp_path):
    found = comparison()
    other = made_up(selectors=("z",))[0]
    found = replace(found, results=(found.results[0], other))
    with pytest.raises(ValueError, match="no method was measured on every data set"):
        write_comparison(found, tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("frame", [WIDE, NARROW])
@pytest.mark.parametrize("difference", [0.4, 30.0])
def test_the_diagram_stays_in_its_frame(frame, difference):
    names = [f"a method with a long name, number {i}" for i in range(30)]
    ranks = np.linspace(1, 17, 30).tolist()
    drawn = critical_difference_diagram("d", names, ranks, difference, frame)
    picture = read_page(str(drawn)).first("svg")
    height = float(picture.attributes["height"])
    for node in picture.walk():
        for name, most in (
            ("x", frame.width), ("x1", frame.width), ("x2", frame.width),
            ("cx", frame.width), ("y", height), ("y2", height), ("cy", height),
        ):  # fmt: skip
            assert 0 <= float(node.attributes.get(name, 0)) <= most
    assert len(picture.all("circle")) == 24
    assert len([n for n in picture.walk() if "cd-clique" in n.classes]) == len(
        close_runs(ranks[:24], difference)
    )


def test_all_rows_are_written_as_csv(tmp_path):
    found = comparison()
    path = found.save(tmp_path / "r.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(list(found.rows()))
    assert {row["dataset"] for row in rows} == {"one", "two", "three"}
    with pytest.raises(ValueError, match=r"saved as \.csv or \.tsv"):
        found.save(tmp_path / "r.json")


def table_rows(page, ident):
    table = page.by_id(ident)
    return [
        [cell.plain for cell in row.children if hasattr(cell, "tag")]
        for row in table.first("tbody").all("tr")
    ]


SEVEN = ("one", "two", "three", "four", "five", "six", "seven")


def test_the_tests_are_in_words_and_figures(tmp_path):
    found = comparison(names=SEVEN)
    page, _ = page_of(found, tmp_path)
    for ident, against in (("tests-best", "best"), ("tests-all", "all features")):
        rows = table_rows(page, ident)
        tests = found.tests(against=against)
        assert len(rows) == len(tests) > 0
        for row, test in zip(rows, tests, strict=True):
            assert row[0] == test.method.selector
            for text, p in zip(row[2:4], (test.p_value, test.adjusted), strict=True):
                assert float(text.removeprefix("< ")) == pytest.approx(p, abs=6e-4)
            verdicts = test.verdicts()
            assert row[4] == " / ".join(
                str(verdicts.count(v)) for v in ("better", "undecided", "worse")
            )
            assert float(row[6]) == pytest.approx(test.posterior.equivalent, abs=6e-4)
        marked = {t.method.selector for t in tests if t.verdict() != "undecided"}
        bold = [
            row.plain
            for row in page.by_id(ident).first("tbody").all("tr")
            if [c for c in row.walk() if "best" in c.classes]
        ]
        assert {text.split()[0][:1] for text in bold} == marked
    # beside a mean rank: Wilcoxon with Holm over seven data sets
    close = {t.method.selector: t.verdict() for t in found.tests()}
    for row in table_rows(page, "leaderboard")[1:-1]:
        assert ("\u2248" in row[1]) == (close[row[0]] == "undecided")
    caption = page.by_id("difference").plain
    assert "Friedman: \u03c7\u00b2(2) = " in caption
    assert "Iman and Davenport: F(2, 12) = " in caption


def test_too_few_data_sets_for_wilcoxon_are_said(tmp_path):
    assert "With 3 data sets Wilcoxon" in page_of(comparison(), tmp_path)[1]
    assert "Wilcoxon's test cannot" not in page_of(comparison(names=SEVEN), tmp_path)[1]


def test_curves_time_stability_labels_and_cautions_are_there(tmp_path):
    names = ("one", "two", "three")
    found = comparison(absent_from_test=(1,))
    data = {n: made_up(name=n, seed=i)[1] for i, n in enumerate(names)}
    page, _ = page_of(found, tmp_path, datasets=data, command="x")
    leader = found.standings()[0]
    panels = [n for n in page.walk() if "panel" in n.classes]
    assert len(panels) == 3
    assert all("band" in str([n.classes for n in p.walk()]) for p in panels)
    dots = [n for n in page.by_id("time").walk() if "dot" in n.classes]
    assert len(dots) == 2 * 3  # wide and narrow
    times = table_rows(page, "time-table")
    assert {tuple(row[1:]) for row in times} == {("20 ms", "12 ms") * 3}
    profiles = {(p.method.selector, p.dataset): p for p in found.profiles(data)}
    for row in table_rows(page, "stability-table"):
        for dataset, shown, repeated in zip(names, row[1::2], row[2::2], strict=True):
            profile = profiles[row[0], dataset]
            if np.isfinite(profile.stability.value):
                value = f"{profile.stability.value:.2f} ({profile.stability.low:.2f} to"
                assert shown.startswith(value)
            else:
                assert shown == "\u2013"
            assert repeated == f"{profile.redundancy:.2f}"
    labels = table_rows(page, "labels-table-0")
    best = found.results[0].per_label(
        leader.method.selector, leader.method.classifier, leader.sizes[0]
    )
    worst = min(best, key=lambda label: label.f1)
    assert labels[0][0] == worst.label
    assert labels[0][1].startswith(f"{worst.positives} (")
    cautions = page.by_id("trust").plain
    assert "Caution. one: Labels absent from folds: 1 of 5 labels" in cautions
    [row] = [r for r in table_rows(page, "caution-table") if r[0] == "two"]
    assert row[1:] == ["5 of 60", "0 of 5", "1 of 5", "8 %"]
    again = page.by_id("again").plain
    for words in ("run_plan", "Seeds of the shuffles7", "scikit-learn", "SHA-256"):
        assert words in again


@pytest.mark.slow
def test_a_large_comparison_stays_small_and_says_what_it_leaves_out(tmp_path):
    found = comparison(
        selectors=[f"a method with some settings, number {i}" for i in range(30)],
        names=[f"data set number {i}" for i in range(14)],
        q=40,
        sizes=tuple(range(1, 13)),
        n_folds=2,
    )
    page, text = page_of(found, tmp_path)
    assert len(text.encode()) < 500_000
    panels = len([n for n in page.walk() if "panel" in n.classes])
    assert 1 <= panels < 14
    words = page.by_id("verdict").plain
    assert f"curves of {panels} of 14 data sets" in words
    assert "To keep this page small, it shows " in words
    assert len(page.by_id("leaderboard").first("tbody").all("tr")) == 31


def test_where_little_else_is_left_long_tables_are_cut_and_say_so(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(comparison_page, "MOST_BYTES", 150_000)
    found = comparison(
        selectors=[f"number {i}" for i in range(45)], names=["one", "two"], n_folds=2
    )
    page, _ = page_of(found, tmp_path)
    for name in ("leaderboard", "time-table", "stability-table"):
        assert len(page.by_id(name).first("tbody").all("tr")) == 20
    assert "rows the first 20 stand here, for a small page." in page.plain
    assert "Curves of 1 of 2" not in page.by_id("verdict").plain


def test_data_sets_with_the_same_rows_are_no_two_witnesses(tmp_path):
    found = comparison(names=["one", "two"], n_folds=2)
    title = "one, one again: the same rows and labels"
    assert title not in page_of(found, tmp_path)[0].by_id("trust").plain
    again = replace(found.results[0], dataset="one again")
    twice = replace(found, results=(*found.results, again))
    assert title in page_of(twice, tmp_path)[0].by_id("trust").plain
