"""Who is best for which job, on hand-made comparisons."""

import numpy as np
import pytest

from labelsift.evaluate import ResultTable
from labelsift.read import Dataset
from labelsift.report.paper_ranks import contest_of, overview
from labelsift.report.paper_tables import paper_figures
from labelsift.report.paper_view import View
from papers.test_claims import METRICS, comparison, results

CURVES = {"a": [0.5, 0.8, 0.8], "b": [0.6, 0.6, 0.6], "c": [0.4, 0.7, 0.7]}


def table(data, **settings):
    return ResultTable("A job", "ranks", metrics=METRICS[:1], data=data, **settings)


def view(found, asked, datasets=None):
    return View(found, asked, "x", datasets or {})


@pytest.fixture
def found():
    swapped = {"a": CURVES["b"], "b": CURVES["a"], "c": CURVES["c"]}
    return comparison(
        results(CURVES, data="one", all_features=0.65),
        results(CURVES, data="two", all_features=0.9),
        results(swapped, data="three"),
    )


def test_methods_are_ranked_by_their_means_over_the_sizes(found):
    # a 0.7, b and c 0.6; on three a 0.6, b 0.7, c 0.6
    contest = contest_of(view(found, table(("*",))))
    assert contest.names == ["a", "b", "c"]
    assert contest.ranks.tolist() == pytest.approx([4.5 / 3, 6 / 3, 7.5 / 3])
    assert contest.values[0].tolist() == pytest.approx([0.7, 0.6, 0.6])
    assert contest.whole[:2].tolist() == pytest.approx([0.65, 0.9])
    assert np.isnan(contest.whole[2])
    # three methods on three data sets: 2.343 * sqrt(12 / 18)
    assert contest.difference == pytest.approx(1.913, abs=0.001)
    assert contest.close == ["b", "c"]
    losses = contest_of(
        view(found, ResultTable("A job", "ranks", metrics=("hamming_loss",)))
    )
    assert losses.names == ["a", "b", "c"]


def test_with_a_price_the_best_that_it_buys_counts(found):
    costs = np.array([1.0, 1, 1, 1, 2, 2, 1, 1])
    X, Y = np.zeros((60, 8)), np.zeros((60, 2), np.uint8)
    names = tuple(f"x{i}" for i in range(8))
    priced = {"one": Dataset(X, Y, names, ("a", "b"), test_costs=costs)}
    asked = table(("one",), price=0.4, first=("a", "b"))
    contest = contest_of(view(found, asked, priced))
    # of a four features, of b two
    assert contest.values.tolist() == [pytest.approx([0.8, 0.6])]
    assert contest_of(view(found, asked)) is None


def test_the_overview_names_the_best_of_each_job(found):
    jobs = [table(("one", "two")), table(("three",))]
    figure = overview([view(found, asked) for asked in jobs])
    rows = [[cell.text for cell in row] for row in figure.table.rows]
    assert [row[1] for row in rows] == ["a", "b"]
    assert rows[0][2:4] == ["1.00", "b (2.50)"]
    assert rows[0][-1] == "1 of 2"
    assert rows[1][-2:] == ["\u2013", "0 of 0"]
    assert overview([view(found, jobs[0])]) is None


def test_the_figures_come_after_the_overview_and_say_what_is_missing(found):
    asked = [table(("one", "two")), table(("none",)), table(("three",))]
    figures = paper_figures(found, asked)
    assert [f.title for f in figures] == ["Who is best for which job", *["A job"] * 3]
    assert figures[1].picture is not None
    assert figures[1].caption.startswith("a leads on 2 data sets. Not told apart")
    assert (figures[2].table, figures[2].caption) == (
        None, "Nothing of this was measured.",
    )  # fmt: skip
    assert figures[3].picture is None
    assert figures[3].table.rows[0][0].text == "b"
