"""The report as a page: structure, access, safety, size, and what it says."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest

from labelsift.evaluate.records import Failure
from labelsift.report import write_report
from labelsift.select import Chi2, _counts
from report.made_up import made_up
from report.page_reader import read_page

THREE = ("Chi2 (mean)", "Chi2 (max)", "Chi2 (min)")


def written(tmp_path, results, dataset, **options):
    options.setdefault("date", "2026-01-31")
    path = write_report(results, dataset, tmp_path / "report.html", **options)
    return path.read_text(encoding="utf-8")


@pytest.fixture
def usual(tmp_path):
    results, dataset = made_up(selectors=THREE, costs=np.arange(12.0))
    selector = Chi2(aggregate="max").fit(dataset.X, dataset.Y)
    text = written(
        tmp_path, results, dataset, selector=selector, command="labelsift demo --k 4"
    )
    return results, dataset, text, read_page(text)


def test_sections_come_in_order_answer_first(usual):
    page = usual[3]
    sections = [node.attributes["id"] for node in page.all("section")]
    assert sections == [
        "verdict",
        "curve",
        "features",
        "methods",
        "labels",
        "trust",
        "again",
    ]
    for section in page.all("section"):
        title = page.by_id(section.attributes["aria-labelledby"])
        assert title.tag == "h2"
        assert title.text


def test_landmarks_language_title_and_skip_link(usual):
    page = usual[3]
    assert page.first("html").attributes["lang"] == "en"
    assert page.first("title").text == "birds: which features to keep"
    for landmark in ("header", "main", "nav", "footer"):
        assert len(page.all(landmark)) == 1
    body = [n for n in page.first("body").children if not isinstance(n, str)]
    assert body[0].tag == "a"
    assert body[0].attributes["href"] == "#main"
    assert page.by_id("main").tag == "main"


def test_headings_never_skip_a_level(usual):
    levels = [int(n.tag[1]) for n in usual[3].walk() if re.fullmatch("h[1-6]", n.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_ids_are_unique_and_every_reference_is_there(usual):
    page = usual[3]
    ids = [n.attributes["id"] for n in page.walk() if "id" in n.attributes]
    assert len(ids) == len(set(ids))
    for node in page.walk():
        for name in ("for", "aria-labelledby", "aria-describedby"):
            for wanted in (node.attributes.get(name) or "").split():
                assert wanted in ids
        target = node.attributes.get("href", "")
        if target.startswith("#"):
            assert target[1:] in ids


def test_nothing_is_fetched_and_no_attribute_runs(usual):
    _, _, text, page = usual
    assert not {"img", "iframe", "object", "form", "base"} & {
        node.tag for node in page.walk()
    }
    for node in page.walk():
        for name, value in node.attributes.items():
            assert not name.startswith("on")
            assert name != "style"  # the policy would refuse it
            if name in ("href", "src", "xlink:href", "action"):
                assert value.startswith(("#", "data:"))
    assert "http://" not in text
    assert "https://" not in text
    assert "url(" not in text
    assert "@import" not in text


def test_the_policy_allows_this_one_style_sheet_and_script_only(usual):
    page = usual[3]
    policy = next(
        n.attributes["content"]
        for n in page.all("meta")
        if n.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for tag in ("style", "script"):
        [only] = page.all(tag)
        digest = hashlib.sha256("".join(only.children).encode()).digest()
        assert rules[f"{tag}-src"] == f"'sha256-{base64.b64encode(digest).decode()}'"
        assert only.attributes == {}
    assert not {"script-src-attr", "script-src-elem", "connect-src"} & set(rules)


def test_the_script_is_the_file_of_the_package_whatever_the_data(usual, tmp_path):
    source = files("labelsift.report").joinpath("templates/sort.js").read_text("utf-8")
    [script] = usual[3].all("script")
    assert "".join(script.children) == source
    other = written(tmp_path, *made_up(name=EVIL[0], feature_names=EVIL))
    assert "".join(read_page(other).first("script").children) == source
    assert len(source) < 2000
    for word in ("innerHTML", "eval", "Function", "fetch", "http", "</", "write"):
        assert word not in source


def test_figures_of_sortable_tables_carry_their_number(usual):
    table = usual[3].by_id("methods-table")
    assert "sortable" in table.classes
    for row in table.first("tbody").all("tr"):
        for cell in row.all("td"):
            value = cell.attributes["data-value"]
            shown = cell.plain.split()[0].replace("\u2212", "-")
            if value and "s" not in cell.plain and "\u2248" not in cell.plain:
                assert float(shown) == pytest.approx(float(value), abs=6e-4)
    assert [c for c in usual[3].walk() if c.tag == "button"] == []


def test_colours_follow_light_dark_paper_and_high_contrast(usual):
    page = usual[3]
    style = "".join(page.first("style").children)
    light = re.search(r":root \{(.*?)\}", style, re.S).group(1)
    dark = re.search(
        r"@media screen and \(prefers-color-scheme: dark\) \{\s*:root \{(.*?)\}",
        style,
        re.S,
    ).group(1)
    names = set(re.findall(r"--[\w-]+(?=:)", light))
    assert {"--paper", "--ink", "--accent", *(f"--c{i}" for i in range(7))} <= names
    assert set(re.findall(r"--[\w-]+(?=:)", dark)) == names
    assert "forced-colors: active" in style
    assert "@page" in style
    used = set(re.findall(r"var\((--[\w-]+)\)", style)) - {"--c"}
    assert used <= names
    for svg in page.all("svg"):
        for node in svg.walk():
            assert not {"fill", "stroke", "style", "color"} & set(node.attributes)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_the_contrast_that_reading_needs(usual, scheme):
    style = "".join(usual[3].first("style").children)
    block = style.split("prefers-color-scheme: dark")[scheme == "dark"]
    colours = dict(re.findall(r"--(\w+): (#\w{6})", block.split("}")[0]))
    for name in ("ink", "soft", "accent", "warn"):
        assert contrast(colours[name], colours["paper"]) >= 4.5
    assert contrast(colours["ink"], colours["wash"]) >= 4.5


def contrast(first, second):
    """WCAG 2 contrast ratio."""

    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [
            p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(first), light(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_every_picture_has_a_title_and_description_or_is_hidden(usual):
    pictures = usual[3].all("svg")
    told = [svg for svg in pictures if svg.attributes.get("role") == "img"]
    assert len(told) == 2 * 2 + 1  # two metrics at two widths, and the heat map
    for svg in told:
        assert svg.first("title").text
        assert len(svg.first("desc").text) > 30
        assert svg.attributes["aria-labelledby"] == svg.first("title").attributes["id"]
        assert svg.attributes["aria-describedby"] == svg.first("desc").attributes["id"]
        assert svg.all("text"), "text stays text"
    for svg in set(pictures) - set(told):
        assert svg.attributes["aria-hidden"] == "true"


def test_tables_are_real_tables(usual):
    tables = usual[3].all("table")
    assert len(tables) == 5
    for table in tables:
        assert table.first("caption").text
        head = table.first("thead").all("th")
        assert all(th.attributes["scope"] == "col" and th.text for th in head)
        for row in table.first("tbody").all("tr"):
            cells = [n for n in row.children if not isinstance(n, str)]
            assert len(cells) == len(head)
            assert [c.attributes.get("scope") for c in cells if c.tag == "th"] == [
                "row"
            ]
            assert all(cell.text for cell in cells)
        region = table.parent
        assert region.attributes["role"] == "region"
        assert region.attributes["tabindex"] == "0"


def test_figures_of_a_column_have_the_same_number_of_decimals(usual):
    for table in usual[3].all("table"):
        columns = zip(
            *(
                [n for n in row.children if not isinstance(n, str)]
                for row in table.first("tbody").all("tr")
            ),
            strict=True,
        )
        for column in columns:
            if "figure-cell" not in column[0].classes:
                continue
            decimals = {
                len(match.group(1))
                for cell in column
                if (match := re.match(r"[+\u2212]?\d+\.(\d+)( |$|\u00a0)", cell.text))
            }
            assert len(decimals) <= 1


def test_metric_switch_is_radio_buttons_that_show_their_panel(usual):
    page = usual[3]
    buttons = page.all("input")
    assert [b.attributes["type"] for b in buttons] == ["radio"] * 2
    assert ["checked" in b.attributes for b in buttons] == [True, False]
    assert len({b.attributes["name"] for b in buttons}) == 1
    assert page.first("fieldset").first("legend").text == "Metric"
    style = "".join(page.first("style").children)
    for i, button in enumerate(buttons):
        assert button.attributes["id"] == f"metric-{i}"
        assert f"#metric-{i}:checked ~ .panels > #panel-{i}" in style
        assert page.by_id(f"panel-{i}")
    # hidden on screens only: on paper every metric is there
    hides = style.index(".panel { display: none; }")
    assert style.rindex("@media", 0, hides) == style.rindex("@media screen {", 0, hides)


def test_verdict_names_size_value_and_the_interval_of_the_results(usual):
    results, _, _, page = usual
    best = results.best()
    found = results.compare_with_all(best.selector, best.classifier, best.n_features)
    answer = next(n for n in page.all("p") if "answer" in n.classes).plain
    assert answer.startswith(
        f"Keep {best.n_features} of 12 features: average precision"
    )
    for number in (found.mean, found.low, found.high):
        assert f"{number:+.3f}".replace("-", "\u2212") in answer
    assert f"{best.mean['average_precision']:.3f}" in answer
    caveat = next(n for n in page.all("p") if "caveat" in n.classes).plain
    assert caveat.startswith(
        "Rows without labels: 5 of 60 rows (8\u00a0%)".replace("\u00a0", " ")
    )


def test_features_are_those_of_the_fit_on_all_rows(usual):
    results, dataset, _, page = usual
    size = results.best().n_features
    selector = Chi2(aggregate="max").fit(dataset.X, dataset.Y)
    rows = page.by_id("features-table").first("tbody").all("tr")
    names = [row.first("th").text for row in rows]
    assert names == [dataset.feature_names[i] for i in selector.order_[:size]]
    assert "Cost" in page.by_id("features-table").first("thead").text
    total = dataset.test_costs[selector.order_[:size]].sum()
    assert f"cost {total:.2f} of 66.00" in page.by_id("features").text


def test_share_of_folds_counts_the_folds_rankings(usual):
    results, dataset, _, page = usual
    best = results.best()
    for row in page.by_id("features-table").first("tbody").all("tr"):
        column = dataset.feature_names.index(row.first("th").text)
        kept = [
            column in r.order[: best.n_features]
            for r in results.rankings
            if r.selector == best.selector
        ]
        assert f"{100 * np.mean(kept):.0f}\u00a0%" in row.text.replace(" %", "\u00a0%")


def test_best_method_is_bold_and_named_first(usual):
    results, _, _, page = usual
    rows = page.by_id("methods-table").first("tbody").all("tr")
    assert len(rows) == 4
    assert rows[0].first("th").text == results.best().selector
    assert rows[-1].first("th").text == "all features"
    assert "best" in rows[0].all("td")[1].classes


def test_labels_come_worst_first(usual):
    results, _, _, page = usual
    best = results.best()
    found = results.per_label(best.selector, best.classifier, best.n_features)
    names = [
        row.first("th").text
        for row in page.by_id("labels-table").first("tbody").all("tr")
    ]
    assert names == [label.label for label in sorted(found, key=lambda x: x.f1)]


def test_command_python_checksum_and_settings_are_there(usual):
    page = usual[3]
    command, python = (code.text for code in page.all("code"))
    assert command == "labelsift demo --k 4"
    assert "load_dataset('birds.arff')" in python
    assert "cross_validate(" in python
    assert "grid=[2, 4, 8, 12]" in python
    compile(
        "\n".join("".join(c.children) for c in page.all("code")[1:]), "page", "exec"
    )
    facts = [dd.text for dd in page.by_id("again").all("dd")]
    assert len([text for text in facts if re.fullmatch("[0-9a-f]{64}", text)]) == 1
    assert "python 3.11.7, labelsift 0.1.0" in facts


def test_downloads_hold_the_tables(usual):
    results, _, _, page = usual
    links = [a for a in page.all("a") if "download" in a.attributes]
    files = {a.attributes["download"]: a.attributes["href"] for a in links}
    assert set(files) == {
        f"{stem}.{ending}"
        for stem in ("curve", "kept-features", "methods", "labels")
        for ending in ("csv", "tex", "md")
    }
    curve = decoded(files["curve.csv"]).splitlines()
    assert curve[0] == "Features,Chi2 (mean),Chi2 (max),Chi2 (min)"
    mean = results.values("Chi2 (mean)", "MLkNN")[1].mean(axis=1)
    assert float(curve[1].split(",")[1]) == pytest.approx(mean[0], abs=1e-15)
    assert r"\toprule" in decoded(files["methods.tex"])
    assert decoded(files["methods.md"]).startswith("| Method | Features | ")


def decoded(uri):
    head, _, code = uri.partition(",")
    assert head.endswith(";base64")
    return base64.b64decode(code).decode("utf-8")


EVIL = (
    "<script>alert(1)</script>",
    "</title></svg><script>alert(2)</script>",
    '" onmouseover="alert(3)" x="',
    "' onfocus='alert(4)",
    "a & b &lt;i&gt; &#x3c;",
    "\u05de\u05e9\u05e7\u05dc \u0627\u0644\u0648\u0632\u0646",
    "\u202egnp.exe\u2069",
    "x" * 150 + "<b>" + "y" * 150,
    " \t\n",
    "\x00\x1b[31m\ud800",
    "{{ 7 * 7 }}{% raw %}",
    "=HYPERLINK(1)",
)


def test_names_of_the_best_labels_stay_text_where_not_all_pairs_are_kept(
    tmp_path, monkeypatch
):
    labels = tuple(name + " " for name in EVIL[:9])
    results, dataset = made_up(q=9, label_names=labels)
    monkeypatch.setattr(_counts, "PAIR_LIMIT", 1)
    selector = Chi2(aggregate="max").fit(dataset.X, dataset.Y)
    page = read_page(written(tmp_path, results, dataset, selector=selector))
    body = page.by_id("features-table").first("tbody")
    found = {b.attributes.get("title") or b.text for b in body.all("bdi")}
    rows = selector.order_[: len(body.all("tr"))]
    firsts = {labels[j].strip() for j in selector.top_labels_.labels[rows, 0].tolist()}
    # the noise of the made-up data decides which; those that are shown as they are
    plain = firsts & set(EVIL[:5])
    assert len(plain) >= 2
    assert plain <= {name.strip() for name in found}
    assert not [n for n in page.walk() if n.tag in ("b", "i")]
    assert len(page.all("script")) == 1
    assert "correlation" not in page.by_id("features").text


def test_names_from_data_stay_text_everywhere(tmp_path):
    labels = (*(name + " " for name in EVIL[:9]), "\u200b")
    results, dataset = made_up(
        d=12,
        q=10,
        feature_names=EVIL,
        label_names=labels,
        selectors=EVIL[:3],
        classifiers=EVIL[2:4],
        name=EVIL[1],
        absent_from_test=range(10),
        warnings={EVIL[0]: 3, EVIL[7]: 1},
    )
    text = written(tmp_path, results, dataset, command=EVIL[1])
    page = read_page(text)
    [script] = page.all("script")
    assert "alert" not in script.text
    assert not [node for node in page.walk() if node.tag in ("b", "i")]
    for node in page.walk():
        assert not [name for name in node.attributes if name.startswith("on")]
    assert not set("\x00\x1b\u202e") & set(text)
    names = {b.attributes.get("title") or b.text for b in page.all("bdi")}
    assert {EVIL[0], EVIL[2], EVIL[4], EVIL[5], "(empty name)"} <= names
    assert "x" * 150 + "<b>" + "y" * 150 in names
    assert "49" not in page.by_id("features-table").text.replace(".49", "")
    longest = max(len(b.text) for b in page.all("bdi"))
    assert longest <= 80
    links = [a.attributes["href"] for a in page.all("a") if "download" in a.attributes]
    tables = "".join(map(decoded, links))
    assert "'=HYPERLINK(1)" in tables
    assert "\n=" not in tables
    assert ",=" not in tables
    assert r"a \& b \&lt;i\&gt; \&\#x3c;" in tables


@pytest.mark.parametrize(
    "options",
    [
        {"q": 1, "d": 3, "sizes": (1, 3)},
        {"sizes": (4,), "baseline": False},
        {"n_folds": 1, "sizes": (2, 4)},
        {"has_scores": False, "has_auc": False},
        {"sizes": (12,)},
        {"selectors": THREE, "classifiers": ("MLkNN", "BRkNN"), "sizes": (3,)},
        {"is_nan": lambda metric, fold, size: True},
        {"is_nan": lambda metric, fold, size: size == 4},
        {"is_nan": lambda metric, fold, size: size == 12},
        {"is_nan": lambda metric, fold, size: metric == "hamming_loss"},
        {"is_nan": lambda metric, fold, size: fold == 0},
    ],
    ids=[
        "one label",
        "no baseline",
        "one fold",
        "no scores",
        "all features only",
        "several classifiers",
        "all NaN",
        "NaN at a size",
        "NaN baseline",
        "NaN metric",
        "NaN fold",
    ],
)
def test_poor_results_still_make_a_whole_page(tmp_path, options):
    results, dataset = made_up(**options)
    text = written(tmp_path, results, dataset)
    page = read_page(text)
    assert not re.search(r"\b(nan|inf|None)\b", page.first("body").text)
    assert "nan" not in re.sub(r"base64,[\w+/=]+", "", text)
    ids = [n.attributes["id"] for n in page.walk() if "id" in n.attributes]
    assert len(ids) == len(set(ids))
    assert next(n for n in page.all("p") if "answer" in n.classes).text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"is_nan": lambda *_: True}, "No verdict"),
        ({"sizes": (12,)}, "Keep all 12 features"),
        ({"baseline": False}, "all features were not measured"),
        ({"n_folds": 1}, "one fold is too few for an interval"),
    ],
)
def test_verdict_says_what_it_cannot_say(tmp_path, options, words):
    page = read_page(written(tmp_path, *made_up(**options)))
    assert words in next(n for n in page.all("p") if "answer" in n.classes).plain


def test_verdict_takes_a_decimal_more_where_rounding_would_contradict(tmp_path):
    results, dataset = made_up(sizes=(4,), metrics=("hamming_loss",))
    for cell in results.cells:
        cell.values["hamming_loss"] = 0.1934 if cell.n_features == 4 else 0.1938
    page = read_page(written(tmp_path, results, dataset))
    answer = next(n for n in page.all("p") if "answer" in n.classes).plain
    assert "Hamming loss 0.1934, better than the 0.1938 with all" in answer
    assert "difference \u22120.0004" in answer


def test_largest_caution_is_the_second_sentence(tmp_path):
    results, dataset = made_up(absent_from_test=(0, 1), warnings={"slow": 2})
    page = read_page(written(tmp_path, results, dataset))
    caveat = next(n for n in page.all("p") if "caveat" in n.classes).plain
    assert caveat.startswith("Labels absent from folds: 2 of 5 labels")
    trust = page.by_id("trust")
    assert "“Class1”, “Class2”" in trust.text.replace("\u2068", "").replace(
        "\u2069", ""
    )
    assert "Warning, 2 times" in trust.text


@pytest.mark.slow
def test_large_results_stay_under_500_kb_and_say_what_is_left_out(tmp_path):
    long = "n" * 290
    results, dataset = made_up(
        n=40,
        d=3000,
        q=1000,
        sizes=tuple(range(20, 3001, 20)),
        selectors=tuple(f"{long}{i}" for i in range(10)),
        metrics=(
            "average_precision",
            "hamming_loss",
            "one_error",
            "coverage",
            "ranking_loss",
            "micro_f1",
            "macro_f1",
            "subset_accuracy",
        ),
        n_folds=2,
        feature_names=tuple(f"{i:05d}{long}" for i in range(3000)),
        label_names=tuple(f"{i:05d}{long}" for i in range(1000)),
    )
    text = written(tmp_path, results, dataset)
    assert len(text.encode()) < 500_000
    page = read_page(text)
    assert len(page.by_id("labels-table").first("tbody").all("tr")) == 40
    assert len(page.by_id("features-table").first("tbody").all("tr")) == 40
    body = page.first("body").text
    assert "The worst 40 of 1000 labels" in body
    assert "20 of 1000 labels with the strongest cells" in body
    assert "Drawn: the best 7 of 10 methods" in body
    assert re.search(r"20 of 150 sizes|21 of 150 sizes", body)
    assert re.search(r"CSV holds the first \d+ of 1000 rows", body)


def test_one_method_needs_no_comparison(tmp_path):
    page = read_page(written(tmp_path, *made_up()))
    assert "methods" not in [n.attributes["id"] for n in page.all("section")]
    assert "Methods" not in page.first("nav").text


def test_another_metric_can_decide(tmp_path):
    results, dataset = made_up()
    page = read_page(written(tmp_path, results, dataset, metric="hamming_loss"))
    answer = next(n for n in page.all("p") if "answer" in n.classes).plain
    assert results.best("hamming_loss").n_features == int(answer.split()[1])
    assert "Hamming loss" in answer
    assert page.all("label")[0].text == "Hamming loss"


def test_same_results_write_the_same_bytes(tmp_path):
    first = written(tmp_path, *made_up())
    assert written(tmp_path, *made_up()) == first


def test_nothing_is_left_behind_when_writing_fails(tmp_path):
    results, dataset = made_up()
    target = tmp_path / "report.html"
    target.write_text("old")
    with pytest.raises(
        ValueError, match="metric='auc' was not measured; measured: aver"
    ):
        write_report(results, dataset, target, metric="auc")
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_other_data_or_selector_is_refused(tmp_path):
    results, dataset = made_up()
    with pytest.raises(ValueError, match="results are of 12 features, the data has 5"):
        write_report(results, dataset.take_features(range(5)), tmp_path / "a.html")
    small = Chi2().fit(dataset.X[:, :5], dataset.Y)
    with pytest.raises(ValueError, match="selector was fitted on 5 features"):
        write_report(results, dataset, tmp_path / "a.html", selector=small)
    assert list(tmp_path.iterdir()) == []


def test_folds_that_disagree_are_called_not_stable(tmp_path):
    results, dataset = made_up(n_folds=3, sizes=(3, 12))
    for cell in results.cells:
        if cell.n_features == 3:
            cell.values["average_precision"] = 0.9
    for i, ranking in enumerate(results.rankings):
        ranking.order[:] = np.roll(np.arange(12), 3 * i)  # no two share a feature
        ranking.scores[:] = 1.0  # and every cut goes through a tie
    page = read_page(written(tmp_path, results, dataset))
    trust = page.by_id("trust").text
    assert "The choice is not stable" in trust
    assert "0 are the same in all 3 folds, and 9 are among them" in trust
    assert "agree on 0 % on average" in trust.replace("\u00a0", " ")
    assert "in 3 of 3 folds the last kept feature has the same score" in trust
    assert "Two folds share 0 %" in page.by_id("features").text.replace("\u00a0", " ")


def test_one_feature_is_not_many(tmp_path):
    results, dataset = made_up(sizes=(1,), baseline=False)
    body = read_page(written(tmp_path, results, dataset)).first("body").plain
    assert "The 1 feature to keep" in body
    assert not re.search(r"\b1 features", body.replace("of 1 features", ""))


def test_what_failed_is_the_heaviest_caution_and_escaped(tmp_path):
    results, dataset = made_up(selectors=("chi2",))
    failed = tuple(
        Failure("<b>bad</b>", None, fold, None, "ValueError: no <i>luck</i>")
        for fold in (0, 2)
    )
    page = read_page(written(tmp_path, replace(results, failures=failed), dataset))
    text = page.by_id("trust").plain
    assert "<b>bad</b> failed in 2 of 5 folds: ValueError: no <i>luck</i>" in text
    assert "Methods that failed: " in page.by_id("verdict").plain
