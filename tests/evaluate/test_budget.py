"""Plans are lowered until they fit, in a fixed order, and what fits comes back."""

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

from labelsift.evaluate import budget, load_data
from labelsift.evaluate._budget_costs import PlanCosts
from labelsift.evaluate.budget import lower_by, lower_to_fit
from labelsift.evaluate.plan import parse_plan

PLAN = """\
sizes = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40]

[folds]
n_splits = 10
n_repeats = 10

[data.a]
generate = { seed = 0 }

[data.b]
generate = { seed = 1 }

[selectors.chi2]
[selectors.spec]

[classifiers.mlknn]

[classifiers.bayes]
method = "sklearn.multioutput:MultiOutputClassifier"
settings = { estimator = { method = "sklearn.naive_bayes:GaussianNB" } }
"""
PRICES = {"mlknn": 1.0, "bayes": 4.0}  # of a size


class Costs(PlanCosts):
    """Seconds by a list of prices instead of trials."""

    def __init__(self, plan, loaded, store):
        self.rank = {data.name: 0.0 for data in loaded}

    def of(self, plan, data, classifier):
        twice = 2 if data.name == "b" else 1
        return (
            twice
            * PRICES[classifier]
            * len(data.sizes[classifier])
            * len(plan.selectors)
        )


@pytest.fixture
def whole(monkeypatch, tmp_path):
    monkeypatch.setattr(budget, "PlanCosts", Costs)
    plan = parse_plan(PLAN, name="p.toml", folder=tmp_path)
    loaded = load_data(plan)
    return plan, loaded, Costs(plan, loaded, None).seconds(plan, loaded)


def lowered(whole, share, **options):
    plan, loaded, seconds = whole
    return lower_to_fit(plan, loaded, None, share * seconds, **options)


@pytest.mark.parametrize(
    ("share", "steps"),
    [
        (1.0, ()),
        (0.9, (("repeats", 5),)),
        (0.31, (("repeats", 3),)),
        (0.1, (("repeats", 1),)),
    ],
)
def test_repetitions_go_first(whole, share, steps):
    found = lowered(whole, share)
    assert found.steps == steps
    assert found.fits
    assert found.seconds <= share * whole[2]
    assert found.plan.folds.n_repeats == (steps[0][1] if steps else 10)
    assert bool(found.notes) == bool(steps)


def test_then_sizes_of_the_classifier_without_a_pass_then_folds_then_all_sizes(whole):
    kinds = []
    for share in (0.09, 0.05, 0.02, 0.01, 0.002):
        found = lowered(whole, share)
        kinds.append([kind for kind, _ in found.steps])
        assert found.fits == (found.seconds <= share * whole[2])
        again = lower_by(whole[0], whole[1], found.steps)
        assert again.plan.folds == found.plan.folds
        assert [d.sizes for d in again.loaded] == [d.sizes for d in found.loaded]
        assert math.isnan(again.seconds)
    assert any(kind.endswith("bayes") for kind in kinds[0])
    assert not any(kind == "splits" for kind in kinds[0])
    assert any(kind == "splits" for kind in kinds[2])


def test_the_least_is_one_of_each(whole):
    found = lowered(whole, 0.0)
    assert not found.fits
    assert found.seconds > 0
    assert (found.plan.folds.n_repeats, found.plan.folds.n_splits) == (1, 3)
    assert list(found.plan.classifiers) == ["mlknn"]  # the cheaper
    assert [data.name for data in found.loaded] == ["a"]
    assert list(found.plan.data) == ["a"]
    assert max(len(d.sizes["mlknn"]) for d in found.loaded) <= 5


def claims_of(first, classifiers, data):
    one = SimpleNamespace(
        first=[first], second=[first], classifiers=[classifiers], data=[data]
    )
    return SimpleNamespace(claims=[one], tables=[])


def test_what_claims_speak_of_goes_last(whole):
    found = lowered(whole, 0.0, claims=claims_of("spec", "bayes", "b"))
    assert list(found.plan.selectors) == ["spec"]
    assert list(found.plan.classifiers) == ["bayes"]
    assert [d.name for d in found.loaded] == ["b"]
    everything = lowered(whole, 0.0, claims=claims_of("others", "mlknn", "a"))
    assert list(everything.plan.selectors) == ["chi2", "spec"]


def test_more_workers_have_more_time(whole):
    one, four = lowered(whole, 0.25), lowered(whole, 0.25, n_workers=4)
    assert one.steps
    assert four.steps == ()
    assert four.seconds == pytest.approx(whole[2] / 4)


def test_given_folds_have_no_repetitions_to_lose(whole):
    plan, loaded, _ = whole
    given = replace(plan, folds=replace(plan.folds, kind="given"))
    found = lower_to_fit(given, loaded, None, 0.0)
    kinds = [kind for kind, _ in found.steps]
    assert "repeats" not in kinds
    assert "splits" not in kinds
