"""The page of a selection: what is kept and why, safety, and what it leaves out."""

import re
from itertools import pairwise

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from labelsift.encode import inject_missing
from labelsift.evaluate.stability import absolute_correlations
from labelsift.read import Dataset, load_dataset, read_blocks
from labelsift.report import write_selection
from labelsift.report.again_section import argument_lines
from labelsift.select import (
    CSIG,
    MLCMIM,
    MLFSIE,
    RRSPFS,
    SPEC,
    Chi2,
    ToleranceRoughSet,
)
from report.page_reader import read_page

ODD = ["<script>alert(1)</script>", "a & b", "größe", "=SUM(A1)", "\u202eback"]


def table(n=80, d=8, q=3, seed=0):
    rng = np.random.default_rng(seed)
    Y = rng.integers(0, 2, (n, q)).astype(np.uint8)
    X = rng.normal(size=(n, d)).round(2)
    X[:, :q] += 3 * Y
    X[:, q] = X[:, 0] + 0.01 * X[:, q]  # says again what the first does
    return X, Y


def dataset(**options):
    X, Y = options.pop("table", None) or table()
    names = [*ODD, *(f"c{i}" for i in range(X.shape[1] - len(ODD)))]
    labels = ["calm", "<u>sad", "angry"][: Y.shape[1]]
    return Dataset(X, Y, names, labels, name="songs <b>", **options)


def read(selector, data, tmp_path, **options):
    path = write_selection(
        selector, data, tmp_path / "page.html", **{"date": "2026-01-31", **options}
    )
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    text = path.read_text(encoding="utf-8")
    return text, read_page(text)


def words(page, class_name):
    return [n.plain for n in page.walk() if class_name in n.classes]


def rows(page, ident):
    """Return the text of the cells of a table, its heading first."""
    return [
        [cell.plain for cell in row.walk() if cell.tag in ("th", "td")]
        for row in page.by_id(ident).all("tr")
    ]


@pytest.fixture(scope="module")
def chi2():
    data = dataset()
    return Chi2(4, aggregate="max").fit(data.X, data.Y), data


def test_the_answer_then_the_reason_then_the_largest_caution(chi2, tmp_path):
    _, page = read(*chi2, tmp_path, method="chi2", command="labelsift select x", took=2)
    assert words(page, "answer") == ["Keep 4 of 8 features, ranked by chi2."]
    why, caution = words(page, "caveat")
    assert why == "As many as were asked for (n_features_to_select=4)."
    assert caution.startswith("Features that repeat each other: 1 pair of kept")
    parts = ["verdict", "features", "labels", "alike", "method", "trust", "again"]
    assert [node.attributes["id"] for node in page.all("section")] == parts
    links = [a.attributes["href"][1:] for a in page.first("nav").all("a")]
    assert links == parts[1:]
    pairs = zip(page.all("dt"), page.all("dd"), strict=True)
    facts = {title.plain: text.plain for title, text in pairs}
    assert (facts["Rows"], facts["Kept"], facts["Time to select"]) == (
        "80",
        "4",
        "2.00 s",
    )
    assert facts["SHA-256 of values and names"].isalnum()
    assert "labelsift select x" in page.by_id("again").plain
    assert "aggregate='max'," in page.by_id("again").plain


def test_the_table_holds_order_scores_and_who_is_alike(chi2, tmp_path):
    selector, data = chi2
    _, page = read(selector, data, tmp_path)
    head, *found = rows(page, "features-table")
    assert head == [
        "Place", "Feature", "Score", "Kept", "Serves most", "Most alike of the kept",
        "|r|",
    ]  # fmt: skip
    assert len(found) == 8  # four, and the next in line
    assert [row[0] for row in found] == [str(i) for i in range(1, 9)]
    assert [row[3] for row in found] == ["yes"] * 4 + ["no"] * 4
    for row, column in zip(found, selector.order_, strict=True):
        assert float(row[2].replace("\u2212", "-")) == pytest.approx(
            selector.scores_[column], abs=0.006
        )
    strength = absolute_correlations(data.X, selector.order_[:4])
    np.fill_diagonal(strength, 0)
    assert [float(row[6]) for row in found[:4]] == np.round(
        strength.max(axis=0), 2
    ).tolist()
    cells = page.by_id("features-table").all("tr")[1].walk()
    values = [c.attributes.get("data-value") for c in cells if c.tag in ("td", "th")]
    assert float(values[2]) == pytest.approx(selector.scores_.max())
    assert "sortable" in page.by_id("features-table").classes


def test_each_label_has_the_feature_that_serves_it_best(chi2, tmp_path):
    selector, data = chi2
    _, page = read(selector, data, tmp_path)
    head, *found = rows(page, "labels-table")
    assert head == ["Label", "Rows", "Share", "Best kept feature", "Score"]
    counts = data.Y.sum(axis=0)
    assert [int(row[1]) for row in found] == sorted(counts.tolist())
    scores = np.asarray(selector.scores_per_label_)
    kept = selector.get_support(indices=True)
    for name, n, _, _, score in found:
        j = data.label_names.index(name)
        assert int(n) == counts[j]
        assert float(score) == pytest.approx(scores[kept, j].max(), abs=0.006)


def test_names_are_escaped_and_nothing_is_loaded(chi2, tmp_path):
    text, page = read(*chi2, tmp_path, name="<i>x", method="<b>m", command="a <b> b")
    for raw in ("<script>alert", "<u>sad", "<i>x", "<b>m", "a <b> b", "\u202e"):
        assert raw not in text
    assert "default-src 'none'" in text.replace("&#39;", "'")
    for node in page.walk():
        for attribute in ("src", "href"):
            target = node.attributes.get(attribute) or "#"
            assert target[0] == "#" or target.startswith("data:")
    levels = [int(n.tag[1]) for n in page.walk() if re.fullmatch("h[1-6]", n.tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [n.attributes["id"] for n in page.walk() if "id" in n.attributes]
    assert len(ids) == len(set(ids))


def test_names_in_cautions_steer_no_terminal(tmp_path):
    X, Y = table(q=1)
    Y[3:] = 0  # few rows: the rarest label is named
    data = Dataset(X, Y, [f"c{i}" for i in range(8)], ["\x1b[2Jz"], name="songs")
    text, page = read(Chi2(2).fit(X, Y), data, tmp_path)
    assert "\x1b" not in text
    assert any("Rarest label" in node.plain for node in page.walk())


def test_the_method_comes_with_settings_and_source(chi2, tmp_path):
    _, page = read(*chi2, tmp_path)
    settings = {row[0]: row[1:3] for row in rows(page, "method-table")[1:]}
    assert settings["aggregate"] == ["max", "mean"]
    assert settings["n_features_to_select"] == ["4", "none"]
    part = page.by_id("method").plain
    assert "labelsift.select.Chi2" in part
    assert "CAAI Transactions on Intelligent Systems 9(3), 2014" in part


@pytest.mark.parametrize(
    ("selector", "why"),
    [
        (Chi2(0.5), "50 % of the features were asked for (n_features_to_select=0.5)."),
        (SPEC(), "No number was asked for, so that the order alone is the answer."),
        (CSIG(costs=[2.0] * 8, budget=4), "What a budget of 4 pays for: 4 is spent."),
        (MLFSIE(threshold=0.1), "Those that score at least the threshold of 0.1."),
        (ToleranceRoughSet(lam=0.9), "The search ended by its own rule. Reduct: "),
    ],
    ids=lambda value: type(value).__name__,
)
def test_why_so_many_are_kept(selector, why, tmp_path):
    data = dataset()
    selector.fit(data.X, data.Y)
    _, page = read(selector, data, tmp_path)
    assert words(page, "caveat")[0].replace("\u00a0", " ").startswith(why)
    [answer] = words(page, "answer")
    n = selector.get_support().sum()
    start = "All 8 features, ranked by SPEC; none" if n == 8 else f"Keep {n} of 8"
    assert answer.startswith(start)
    kept = [r for r in rows(page, "features-table")[1:] if n == 8 or r[3] == "yes"]
    assert len(kept) == n


def test_a_greedy_search_shows_the_criterion_of_each_pick(tmp_path):
    data = dataset()
    selector = MLCMIM(3).fit(data.X, data.Y)
    _, page = read(selector, data, tmp_path)
    head, *found = rows(page, "features-table")
    assert head[2] == "Criterion"
    shown = [float(row[2]) for row in found[:3]]
    assert shown == pytest.approx(selector.criterion_[:3], abs=1e-3)
    assert [row[2] for row in found[3:]] == ["\u2013"] * 5


def test_costs_are_shown_with_or_without_a_method_that_knows_them(tmp_path):
    costs = np.arange(1.0, 9.0)
    data = dataset(test_costs=costs)
    selector = Chi2(2).fit(data.X, data.Y)
    _, page = read(selector, data, tmp_path)
    spent = costs[selector.get_support()].sum()
    said = f"cost {spent:g} of 36 in all; this method takes no notice of costs."
    assert said in page.by_id("features").plain
    assert rows(page, "features-table")[0][-1] == "Cost"
    selector = CSIG(n_features_to_select=2, costs=costs).fit(data.X, data.Y)
    _, page = read(selector, data, tmp_path)
    assert f"cost {selector.total_cost_:g}, " in page.by_id("features").plain
    assert "What money buys" in page.by_id("features").plain
    assert "costs=data.test_costs" in page.by_id("again").plain


def test_gaps_constant_features_and_ties_are_cautions(tmp_path):
    X, Y = table()
    X[:20, 6] = np.nan
    data = dataset(table=(X, Y))
    selector = ToleranceRoughSet(3).fit(X, Y)
    _, page = read(selector, data, tmp_path)
    assert rows(page, "missing-table")[1][:2] == ["c1", "25.0 %"]
    assert "20 in 1 feature, most in c1 (25 %)" in page.by_id("trust").plain
    X, Y = table()
    X[:, 3:] = 1.0
    data = dataset(table=(X, Y))
    _, page = read(Chi2(5).fit(X, Y), data, tmp_path, is_interrupted=True)
    trust = page.by_id("trust").plain
    assert "Caution. A tie at the cut: 5 features score 0" in trust
    assert "Caution. Constant features are kept: =SUM(A1), " in trust
    assert words(page, "caveat")[1].startswith("Interrupted: the features found so far")


def test_an_order_that_is_not_by_score_has_no_tie_of_scores(tmp_path):
    X = np.array(
        [
            [1, 0, 1, 1, 0, 1, 0, 1, 1],
            [1, 1, 0, 0, 1, 0, 0, 0, 1],
            [1, 1, 1, 1, 0, 0, 1, 0, 0],
            [1, 1, 0, 1, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0, 1],
        ]
    ).T.astype(float)
    Y = np.repeat(np.eye(3, dtype=np.uint8), [4, 3, 2], axis=0)
    selector = RRSPFS(2, discretize="none").fit(X, Y)
    assert selector.order_[:3].tolist() == [2, 4, 3]  # of scores .61 .29 .36
    _, page = read(selector, dataset(table=(X, Y)), tmp_path)
    trust = page.by_id("trust").plain
    assert "tie at the cut" not in trust
    assert "Ties: the order is not that of one score" in trust
    assert "in the order of the ranking" in page.by_id("features").plain


def test_rows_in_blocks_show_what_the_method_knows_and_say_what_is_missing(tmp_path):
    X, Y = table()
    blocks = read_blocks((X, Y), block_rows=30)
    known = Chi2(4).fit_blocks(blocks)
    _, page = read(known, blocks, tmp_path, name="parts")
    assert rows(page, "labels-table")[0] == ["Label", "Best kept feature", "Score"]
    assert rows(page, "features-table")[1][1].startswith("feature")
    assert "alike" not in [s.attributes["id"] for s in page.all("section")]
    assert words(page, "caveat")[1].startswith("Not shown: missing values, how alike")
    unknown = SPEC(3).fit_blocks(blocks)
    _, page = read(unknown, blocks, tmp_path)
    idents = [section.attributes["id"] for section in page.all("section")]
    assert idents == ["verdict", "features", "method", "trust", "again"]
    assert "which of them a feature serves" in page.by_id("trust").plain


def test_one_label_and_one_feature(tmp_path):
    X, Y = table()
    data = Dataset(X[:, :1], Y[:, :1], ["only"], ["calm"])
    _, page = read(Chi2(1).fit(data.X, data.Y), data, tmp_path)
    assert words(page, "answer") == [
        "The one feature, ranked by Chi2; none is left out."
    ]
    idents = [section.attributes["id"] for section in page.all("section")]
    assert idents == ["verdict", "features", "method", "trust", "again"]


def test_a_wide_table_stays_small_and_its_file_goes_on(tmp_path):
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (30, 60))
    X = rng.normal(size=(30, 600))
    names = [f"{'größe ☃' * 9} number {i}" for i in range(600)]
    data = Dataset(X, Y, names, [f"{'größe ☃' * 9} {j}" for j in range(60)])
    text, page = read(Chi2(250).fit(X, Y), data, tmp_path)
    assert len(text.encode()) < 500_000
    assert "The first 40 of 250 kept features" in page.by_id("features").plain
    assert "The rarest 40 of 60 labels." in page.by_id("labels").plain
    assert "Of the first 200, two have an absolute correlation of" in (
        page.by_id("alike").plain
    )
    assert "holds the first" in page.by_id("again").plain


def test_what_does_not_fit_together_is_refused_and_nothing_is_written(chi2, tmp_path):
    selector, data = chi2
    path = tmp_path / "page.html"
    few = data.take_features([0, 1])
    with pytest.raises(ValueError, match=r"on 8 features, the data has 2"):
        write_selection(selector, few, path)
    with pytest.raises(ValueError, match=r"on 1 label, the data has 3"):
        write_selection(Chi2().fit(data.X, data.Y[:, :1]), data, path)
    with pytest.raises(NotFittedError, match="Chi2 is not fitted"):
        write_selection(Chi2(), data, path)
    with pytest.raises(TypeError, match="selector of labelsift; found dict"):
        write_selection({}, data, path)
    assert not list(tmp_path.iterdir())


def lines_run(page):
    """Run the Python lines of a page; return what they made."""
    made = {}
    exec("\n".join(words_of_python(page)), made)
    return made


def test_python_lines_read_the_data_as_they_were_read_and_select_the_same(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    X, Y = table()
    names = ["two  blanks", "a-b c", "it's", *"defgh"]
    data = Dataset(X, Y, names, ["calm, or so", "sad", "angry"])
    data.save("songs.arff")
    data.save("songs.csv")
    labels = list(data.label_names)
    for source, given in (
        ("songs.arff", {}),
        (tmp_path / "songs.arff", {"xml": "songs.xml"}),
        ("songs.csv", {"labels": 3}),
        ("songs.csv", {"labels": labels, "nominal": ["it's"], "name": "mine"}),
        ("songs.csv", {"labels": labels, "costs": dict.fromkeys(names, 2.5)}),
    ):
        again = load_dataset(source, **given)
        selector = Chi2(2).fit(again.X, again.Y)
        _, page = read(selector, again, tmp_path / "out")
        made = lines_run(page)
        assert made["data"].name == again.name
        assert made["kept"].feature_names == tuple(
            again.feature_names[i] for i in selector.get_support(indices=True)
        )
        if "costs" in given:
            assert made["data"].test_costs.tolist() == [2.5] * 8
    # other data than those of the file
    for other in (data, again.take_rows(range(40)), inject_missing(again, 0.1)):
        selector = ToleranceRoughSet(2).fit(other.X, other.Y)
        _, page = read(selector, other, tmp_path / "out")
        assert f"data = ...  # {other.name}, as it was given" in words_of_python(page)


def test_python_lines_of_rows_in_blocks_run_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    data = dataset()
    data.save("a.csv")
    data.save("b.csv")
    for source in ("a.csv", ["a.csv", "b.csv"]):
        blocks = read_blocks(source, labels=3, block_rows=30)
        selector = Chi2(2).fit_blocks(blocks)
        _, page = read(selector, blocks, tmp_path / "out")
        assert "labels=3" in "".join(words_of_python(page))
        assert lines_run(page)["kept"].tolist() == selector.get_support(True).tolist()
    blocks = read_blocks(table())
    _, page = read(Chi2(2).fit_blocks(blocks), blocks, tmp_path / "out")
    assert "data = ...  # the blocks that were given" in words_of_python(page)


def test_a_setting_breaks_between_the_items_of_a_list_only():
    names = [f"a name-of {i}" for i in range(12)]
    lines = argument_lines("own_size", names)
    assert len(lines) > 2
    assert all(len(line) <= 76 for line in lines)
    assert eval(f"dict({' '.join(lines)})") == {"own_size": names}
    assert argument_lines("grid", [1, 2]) == ["    grid=[1, 2],"]
    assert argument_lines("rule", "a  b " * 20) == [f"    rule={'a  b ' * 20!r},"]


def words_of_python(page):
    return "".join(page.by_id("again").all("code")[-1].children).splitlines()


def test_a_constant_feature_fills_no_number_where_none_was_asked_for(tmp_path):
    X, Y = table()
    X[:, 3:] = 1.0
    data = dataset(table=(X, Y))
    _, page = read(Chi2().fit(X, Y), data, tmp_path)
    assert (
        "the same value in every row, which tells nothing." in words(page, "caveat")[1]
    )
