"""The pages as people see them: phone and desktop, light and dark, paper, keyboard."""

from __future__ import annotations

import re

import numpy as np
import pytest

from labelsift.report import write_comparison, write_report, write_selection
from labelsift.select import CSIG
from report.browser import SCREENS, axe_findings, browser, opened, overflow
from report.made_up import made_up
from report.test_comparison_page import comparison

LONG = "a method with a rather long name that goes on and on, aggregate=max"


@pytest.fixture(scope="module")
def chromium():
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    results, dataset = made_up(
        selectors=("Chi2 (mean)", "Chi2 (max)", LONG), costs=np.arange(12.0)
    )
    return {
        "report": write_report(results, dataset, folder / "one.html", command="x"),
        "comparison": write_comparison(
            comparison(selectors=("Chi2 (mean)", "b", LONG)),
            folder / "all.html",
            command="labelsift compare plan.toml",
        ),
        "selection": write_selection(
            CSIG(dataset.test_costs, n_features_to_select=6).fit(dataset.X, dataset.Y),
            dataset,
            folder / "kept.html",
            command="labelsift select songs.arff --method csig --k 6",
        ),
    }


KINDS = ("report", "comparison", "selection")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_the_page_fits_and_is_accessible(chromium, pages, kind, width, scheme):
    with opened(chromium, pages[kind], width, scheme) as (page, complaints):
        assert overflow(page) <= 0
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        brightness = sum(map(int, re.findall(r"\d+", background)[:3]))
        assert (brightness < 200) == (scheme == "dark")
        for details in page.query_selector_all("details"):
            details.evaluate("each => { each.open = true; }")
        assert overflow(page) <= 0
        assert axe_findings(page) == []
        assert complaints == []


def column(page, table, i):
    return page.evaluate(
        "([id, i]) => [...document.getElementById(id).tBodies[0].rows]"
        ".map(row => row.cells[i].textContent)",
        [table, i],
    )


@pytest.mark.parametrize(
    ("kind", "table", "i"),
    [("report", "methods-table", 2), ("comparison", "leaderboard", 1)],
)
def test_a_heading_sorts_by_keyboard_and_says_so(chromium, pages, kind, table, i):
    with opened(chromium, pages[kind]) as (page, complaints):
        before = column(page, table, 0)
        head = page.locator(f"#{table} thead th").nth(i)
        head.get_by_role("button").focus()
        figures = []
        for way in ("ascending", "descending"):
            page.keyboard.press("Enter")
            assert head.get_attribute("aria-sort") == way
            assert page.locator("[aria-sort]").count() == 1
            shown = [re.match(r"[\d.]+", t) for t in column(page, table, i)]
            figures.append([float(match[0]) for match in shown if match])
        assert figures[0] == sorted(figures[0])
        assert figures[1] == sorted(figures[1], reverse=True)
        assert len(set(figures[0])) > 1
        page.keyboard.press("Space")
        assert head.get_attribute("aria-sort") is None
        assert column(page, table, 0) == before
        page.locator(f"#{table} thead th").first.get_by_role("button").click()
        names = column(page, table, 0)
        assert names == sorted(names, key=str.lower)
        assert complaints == []


@pytest.mark.parametrize("kind", KINDS)
def test_without_script_everything_is_there_to_read(chromium, pages, kind):
    with opened(chromium, pages[kind]) as (page, _):
        tables = page.locator("table").count()
        assert page.locator("thead button").count() > 0
        words = page.locator("main").inner_text()
    with opened(chromium, pages[kind], java_script_enabled=False) as (page, _):
        assert page.locator("thead button").count() == 0
        assert page.locator("table").count() == tables
        assert page.locator("main").inner_text().split() == words.split()


@pytest.mark.parametrize("kind", KINDS)
def test_no_other_script_runs_and_nothing_is_sent(chromium, pages, kind):
    with opened(chromium, pages[kind]) as (page, complaints):
        page.evaluate(
            "() => { const s = document.createElement('script');"
            "s.textContent = 'window.ran = 1'; document.body.append(s);"
            "const i = document.createElement('img');"
            "i.src = 'https://example.org/x.png'; document.body.append(i); }"
        )
        assert page.evaluate("window.ran") is None
        page.wait_for_timeout(50)
        assert len(complaints) == 2
        assert all("Content Security Policy" in text for text in complaints)


@pytest.mark.parametrize("kind", KINDS)
def test_on_paper_it_is_a4_without_controls(chromium, pages, kind, tmp_path):
    with opened(chromium, pages[kind], scheme="dark") as (page, _):
        path = tmp_path / "page.pdf"
        page.pdf(path=path, prefer_css_page_size=True)
        content = path.read_bytes()
        assert content.startswith(b"%PDF-")
        sizes = set(re.findall(rb"/MediaBox \[([\d. ]+)\]", content))
        assert sizes
        for size in sizes:
            assert [round(float(v)) for v in size.split()] == [0, 0, 595, 842]
        assert 1 <= len(re.findall(rb"/Type /Page\b", content)) <= 8
        page.emulate_media(media="print")
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == "rgb(255, 255, 255)"  # dark is for screens only
        wide = page.evaluate(
            "[...document.querySelectorAll('.scroll')]"
            ".every(e => getComputedStyle(e).overflowX === 'visible')"
        )
        assert wide
