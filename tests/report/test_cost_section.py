import numpy as np
import pytest

from labelsift.report import write_report
from labelsift.report.cost_section import cost_curve
from labelsift.select import CSIG, Chi2
from report.made_up import made_up
from report.page_reader import read_page

COSTS = np.arange(12.0)


def page_of(tmp_path, **settings):
    results, dataset = made_up(costs=COSTS)
    selector = CSIG(dataset, threshold=None, **settings).fit(dataset.X, dataset.Y)
    path = write_report(
        results, dataset, tmp_path / "a.html", selector=selector, date="2026-01-31"
    )
    return selector, read_page(path.read_text(encoding="utf-8"))


def test_money_against_information_is_drawn_and_tabled(tmp_path):
    selector, page = page_of(tmp_path)
    assert page.by_id("cost-title").text == "What money buys"
    for frame in ("wide", "narrow"):
        words = page.by_id(f"cost-{frame}-desc").text
        assert words == "66 buys 100 % of the information; everything costs 66."
    curve = cost_curve(selector)
    paid = [row[0].raw for row in curve.table.rows]
    had = [row[1].raw for row in curve.table.rows]
    assert paid == sorted(set(paid))
    assert had == sorted(had)
    assert (paid[0], paid[-1]) == (0, 66)
    assert had[-1] == pytest.approx(1)
    assert page.by_id("cost-table").tag == "table"


def test_the_mark_is_what_a_budget_keeps(tmp_path):
    selector, page = page_of(tmp_path, budget=10)
    assert selector.total_cost_ <= 10
    share = selector.relevance_[selector.get_support()].sum()
    share /= selector.relevance_.sum()
    said = f"{selector.total_cost_:g} buys {100 * share:.0f} % of the information"
    assert page.by_id("cost-wide-desc").text.startswith(said)


def test_no_costs_no_curve():
    _, dataset = made_up()
    assert cost_curve(None) is None
    assert cost_curve(Chi2().fit(dataset.X, dataset.Y)) is None
    free = CSIG(threshold=None).fit(dataset.X, dataset.Y)
    assert cost_curve(free) is None
