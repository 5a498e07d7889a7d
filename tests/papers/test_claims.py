"""Claims on hand-made comparisons, where it is plain what must come out."""

import numpy as np
import pytest

from labelsift.evaluate import (
    Claim,
    Comparison,
    Plan,
    PlanError,
    Results,
    judge,
    read_claims,
)
from labelsift.evaluate.claims_file import parse_claims
from labelsift.evaluate.plan import Folds
from labelsift.evaluate.records import ALL_FEATURES, Cell, Fold, Method, Ranking
from labelsift.read import Dataset

METRICS = ("average_precision", "hamming_loss")
NOTHING = np.zeros(2, dtype=np.int64)


def results(curves, *, data="one", classifier="knn", all_features=None, seconds=()):
    """Return results whose average precision is given, and Hamming loss 1 less it.

    ``curves``: for each selector a value for each size, or for each size and fold.
    """
    d = 8
    sizes = (2, 4, 8)[: len(next(iter(curves.values())))]
    cells, rankings = [], []
    folds = tuple(Fold(i, 0, i, 0, 40, 20, (), (), (), 0, 0) for i in range(3))

    def add(selector, size, values):
        for fold, value in enumerate(np.broadcast_to(values, 3)):
            both = {METRICS[0]: float(value), METRICS[1]: 1 - float(value)}
            cells.append(
                Cell(selector, classifier, fold, size, both, *[NOTHING] * 3, None, 0,
                     (), 0.1, 0.1)
            )  # fmt: skip

    for number, (selector, curve) in enumerate(curves.items()):
        for size, values in zip(sizes, curve, strict=True):
            add(selector, size, values)
        order = np.roll(np.arange(d), -number)
        took = dict(seconds).get(selector, 1.0)
        rankings += [Ranking(selector, f, order, None, took) for f in range(3)]
    if all_features is not None:
        add(ALL_FEATURES, d, all_features)
    method = Method("m", "m()", {})
    names = tuple(f"x{i}" for i in range(d))
    return Results(
        data, 60, names, ("a", "b"), (30, 20), METRICS, sizes,
        dict.fromkeys(curves, method), {classifier: method}, folds, tuple(rankings),
        tuple(cells),
    )  # fmt: skip


def comparison(*found, broken=None):
    plan = Plan("t", "", {}, {}, {}, None, METRICS, Folds())
    return Comparison(plan, found, broken or {})


GOOD = {"a": [0.5, 0.8, 0.7], "b": [0.4, 0.7, 0.75]}


def outcome(claim, *found, **options):
    return judge(comparison(*(found or [results(GOOD)])), [claim], **options)[0]


def test_better_over_all_sizes_compares_means_of_each_metric():
    found = outcome(Claim("", "better", ("a",), ("b",)))
    assert found.outcome == "holds"
    assert [c.metric for c in found.cases] == list(METRICS)
    first, second = found.cases[0].first_value, found.cases[0].second_value
    assert first == pytest.approx(2 / 3)
    assert second == pytest.approx(1.85 / 3)
    assert outcome(Claim("", "better", ("b",), ("a",))).outcome == "does not hold"


def test_each_size_is_a_case_and_some_hold():
    found = outcome(
        Claim("", "better", ("a",), ("b",), ("average_precision",), sizes="each")
    )
    assert found.outcome == "holds in part"
    assert [(c.size, c.held) for c in found.cases] == [("2", 1), ("4", 1), ("8", 0)]
    assert found.n_held == 2


def test_what_holds_in_fewer_than_half_of_the_cases_does_not_hold():
    claim = Claim("", "better", ("b",), ("a",), METRICS[:1], sizes="each")
    found = outcome(claim)
    assert [case.held for case in found.cases] == [0, 0, 1]
    assert (found.n_held, found.outcome) == (1, "does not hold")


def test_sizes_that_are_asked_for_are_the_nearest_measured():
    claim = Claim("", "better", ("a",), ("b",), METRICS[:1], sizes=(0.5, 7))
    assert [c.size for c in outcome(claim).cases] == ["4", "8"]


def test_best_sizes_may_differ():
    claim = Claim("", "better", ("a",), ("b",), METRICS[:1], sizes="best")
    (case,) = outcome(claim).cases
    assert case.size == "4 / 8"
    assert (case.first_value, case.second_value) == pytest.approx((0.8, 0.75))


def test_a_smaller_difference_in_the_same_direction_holds_in_part():
    claim = Claim("", "better", ("a",), ("b",), METRICS[:1], sizes="best", by=0.1)
    found = outcome(claim)
    assert found.outcome == "holds in part"
    assert (found.n_held, found.cases[0].held) == (0, 0.5)


def test_no_worse_and_equal_allow_what_they_are_told():
    for test, within, held in (
        ("no worse", 0.04, False),
        ("no worse", 0.06, True),
        ("equal", 0.04, False),
        ("equal", 0.06, True),
    ):
        claim = Claim(
            "", test, ("b",), ("a",), METRICS[:1], within=within, sizes="best"
        )
        assert (outcome(claim).outcome == "holds") == held
    for test, first, second in (("no worse", "a", "b"), ("equal", "a", "a2")):
        curves = {**GOOD, "a2": GOOD["a"]}
        claim = Claim("", test, (first,), (second,))
        assert outcome(claim, results(curves)).outcome == "holds"


def test_fewer_asks_for_a_peak_before_all_features():
    claim = Claim("", "fewer", ("a", "b"), (), METRICS[:1])
    found = outcome(claim, results(GOOD, all_features=0.7))
    # b is best with all eight features
    assert [(c.first, c.size, c.held) for c in found.cases] == [
        ("a", "4 / 8", 1.0),
        ("b", "8 / 8", 0.0),
    ]
    strict = Claim("", "fewer", ("a",), (), METRICS[:1], at_most=0.25)
    (case,) = outcome(strict, results(GOOD, all_features=0.7)).cases
    assert case.held == 0.5
    worse = outcome(claim, results(GOOD, all_features=0.9))
    assert worse.outcome == "does not hold"


def test_faster_compares_the_median_time_to_rank():
    timed = results(GOOD, seconds={"a": 2.0, "b": 1.0}.items())
    assert outcome(Claim("", "faster", ("b",), ("a",)), timed).outcome == "holds"
    assert outcome(Claim("", "faster", ("a",), ("b",)), timed).n_held == 0


def test_kept_looks_at_the_best_size():
    claim = Claim("", "kept", ("a",), ("b",), METRICS[:1])
    assert outcome(claim).outcome == "holds"
    bounds = Claim("", "kept", ("a", "b"), (), METRICS[:1], at_most=0.5)
    assert [c.held for c in outcome(bounds).cases] == [1.0, 0.0]


def test_value_compares_with_what_was_published():
    claim = Claim("", "value", ("a",), (), METRICS[:1], expected=0.81, within=0.02)
    assert outcome(claim).outcome == "holds"
    near = Claim("", "value", ("a",), (), METRICS[:1], expected=0.81, within=0.001)
    assert outcome(near).outcome == "does not hold"


def test_cheaper_needs_costs_and_weighs_what_is_kept():
    claim = Claim("", "cheaper", ("a",), ("b",), METRICS[:1])
    open_ = outcome(claim)
    assert (open_.outcome, open_.missing) == ("not judged", ("one has no test costs",))
    costs = np.array([1.0, 1, 1, 1, 2, 2, 1, 1])
    X, Y = np.zeros((60, 8)), np.zeros((60, 2), np.uint8)
    names = tuple(f"x{i}" for i in range(8))
    data = Dataset(X, Y, names, ("a", "b"), test_costs=costs)
    found = outcome(claim, datasets={"one": data})
    (case,) = found.cases
    # a keeps x0 to x3, b all eight
    assert (case.first_value, case.second_value) == pytest.approx((40.0, 100.0))
    assert found.outcome == "holds"


def test_a_price_restricts_the_sizes_to_what_it_pays_for():
    X, Y = np.zeros((60, 8)), np.zeros((60, 2), np.uint8)
    names = tuple(f"x{i}" for i in range(8))
    costs = np.array([1.0, 1, 1, 1, 2, 2, 1, 1])
    data = Dataset(X, Y, names, ("a", "b"), test_costs=costs)
    options = {"datasets": {"one": data}}
    claim = Claim("", "better", ("a",), ("b",), METRICS[:1], price=0.4)
    (case,) = outcome(claim, **options).cases
    # four features of a cost 4 of 10; of b two cost 2, four cost 5
    assert case.size == "4 / 2"
    assert (case.first_value, case.second_value) == pytest.approx((0.8, 0.4))
    poor = Claim("", "better", ("a",), ("b",), METRICS[:1], price=0.1)
    found = outcome(poor, **options)
    assert found.outcome == "not judged"
    assert "a has no size that cheap on one" in found.missing
    assert outcome(claim).missing == ("one has no test costs",)


def test_the_mean_of_classifiers_and_of_data_are_single_cases():
    parts = [results(GOOD, classifier=c) for c in ("knn", "tree")]
    both = Results(
        **{
            **{f: getattr(parts[0], f) for f in parts[0].__dataclass_fields__},
            "classifiers": {**parts[0].classifiers, **parts[1].classifiers},
            "cells": (*parts[0].cells, *parts[1].cells),
        }
    )
    each = Claim("", "better", ("a",), ("b",), METRICS[:1])
    assert len(outcome(each, both).cases) == 2
    mean = Claim("", "better", ("a",), ("b",), METRICS[:1], mean_of_classifiers=True)
    assert [c.classifier for c in outcome(mean, both).cases] == ["mean"]
    other = results({"a": GOOD["b"], "b": GOOD["a"]}, data="two")
    over = Claim("", "better", ("a",), ("b",), METRICS[:1], mean_of_data=True)
    found = outcome(over, results(GOOD), other)
    assert [(c.data, c.held) for c in found.cases] == [("mean of 2", 0.0)]


def test_others_are_all_that_are_not_the_first_and_patterns_find_names():
    curves = {"a 1": GOOD["a"], "a 2": GOOD["a"], "b": GOOD["b"]}
    claim = Claim("", "better", ("a *",), ("others",), METRICS[:1])
    pairs = [(c.first, c.second) for c in outcome(claim, results(curves)).cases]
    assert pairs == [("a 1", "b"), ("a 2", "b")]


def test_what_was_not_measured_is_said():
    claim = Claim("", "better", ("a",), ("c",))
    found = outcome(claim)
    assert found.outcome == "not judged"
    assert found.missing == ("c was not measured on one",)
    elsewhere = judge(
        comparison(results(GOOD), broken={"two": "no file"}),
        [Claim("", "better", ("a",), ("b",), data=("two", "three"))],
    )[0]
    assert elsewhere.outcome == "not judged"
    assert set(elsewhere.missing) == {
        "two was not measured",
        "three is not among the data of this run",
    }
    pattern = Claim("", "better", ("a",), ("b",), data=("one", "th*"))
    assert outcome(pattern).missing == ()  # a pattern may fit nothing
    small = Claim("", "better", ("a",), ("b",), data=("flags", "birds", "on*"))
    assert outcome(small).missing == ()  # names of the whole plan, not of this one
    some = Claim("", "better", ("a",), ("b",), data=("one", "birds", "on*"))
    assert outcome(some).missing == ("birds is not among the data of this run",)


def test_significance_counts_folds_that_agree():
    steady = {"a": [[0.90, 0.91, 0.92]], "b": [[0.50, 0.51, 0.521]]}
    found = outcome(Claim("", "better", ("a",), ("b",)), results(steady))
    assert found.n_significant == (2, 0)
    against = outcome(Claim("", "better", ("b",), ("a",)), results(steady))
    assert against.n_significant == (0, 2)
    noisy = {"a": [[0.9, 0.2, 0.6]], "b": [[0.5, 0.6, 0.5]]}
    found = outcome(Claim("", "better", ("a",), ("b",)), results(noisy))
    assert found.n_significant == (0, 0)


FILE = """\
[[claims]]
text = "a beats b"
first = "a"
second = ["b"]
metrics = ["average_precision"]
sizes = [0.5, 3]

[[tables]]
title = "Best"
kind = "best"
"""


def test_a_file_of_claims_is_read(tmp_path):
    path = tmp_path / "x.claims.toml"
    path.write_text(FILE)
    found = read_claims(path)
    assert found.claims == (
        Claim("a beats b", "better", ("a",), ("b",), METRICS[:1], sizes=(0.5, 3)),
    )
    assert [(t.title, t.kind) for t in found.tables] == [("Best", "best")]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('text = "a beats b"', "", "x line 1: text must say what this is."),
        ('first = "a"', 'frist = "a"', 'x line 3: "frist"'),
        ('first = "a"', "", "x line 1: a claim needs first"),
        ('second = ["b"]', "", 'x line 1: "better" needs second'),
        ('second = ["b"]', "second = 3", "x line 4: second must be a name"),
        ("average_precision", "precison", 'x line 5: metric "precison" is not known.'),
        ("[0.5, 3]", '"some"', 'x line 6: sizes must be "mean"'),
        ("[0.5, 3]", "[0, 3]", 'x line 6: sizes must be "mean"'),
        ('kind = "best"', 'kind = "bset"', 'Did you mean "best"?'),
        ('kind = "best"', 'kind = "only"', 'x line 8: "only" needs first'),
        ('title = "Best"', "", "x line 8: title must say"),
        ("sizes", 'test = "value"\nsizes', '"value" needs expected'),
        ("sizes", 'test = "beter"\nsizes', 'x line 6: test "beter" is not known'),
        ("sizes", "by = -1\nsizes", "x line 6: by must be 0 or more"),
        ("[[claims]]", "[claims]", "claims must be tables"),
        ("[[claims]]", "[[claims", "this is no TOML"),
    ],
)
def test_each_mistake_in_a_file_has_its_line(old, new, message):
    with pytest.raises(PlanError) as caught:
        parse_claims(FILE.replace(old, new, 1), name="x")
    assert any(message in mistake for mistake in caught.value.mistakes)
