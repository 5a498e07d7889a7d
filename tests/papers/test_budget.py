"""Plans that are lowered to the time that there is."""

import pytest

from labelsift.evaluate import (
    Claim,
    Claims,
    ResultStore,
    ResultTable,
    load_data,
    lower_by,
    lower_to_fit,
    run_plan,
)
from labelsift.evaluate._budget_steps import thinned
from labelsift.evaluate.plan import parse_plan

PLAN = """\
metrics = ["hamming_loss"]
sizes = "all"

[folds]
n_repeats = 10

[data.one]
generate = { n_samples = 90, n_features = 30 }

[data.two]
generate = { n_samples = 900, n_features = 30, seed = 1 }

[selectors.chi2]

[classifiers.mlknn]

[classifiers.rakel]
"""


@pytest.fixture(scope="module")
def loaded():
    plan = parse_plan(PLAN)
    return plan, load_data(plan)


def lowered(loaded, seconds, **options):
    plan, data = loaded
    return lower_to_fit(plan, data, ResultStore.in_memory(), seconds, **options)


def test_with_time_enough_nothing_is_left_out(loaded):
    found = lowered(loaded, 1e9)
    assert (found.steps, found.notes, found.fits) == ((), (), True)
    assert found.plan is loaded[0]


def test_with_no_time_the_least_is_left_and_all_that_is_gone_is_said(loaded):
    found = lowered(loaded, 1e-6)
    assert not found.fits
    assert (found.plan.folds.n_repeats, found.plan.folds.n_splits) == (1, 3)
    assert list(found.plan.classifiers) == ["mlknn"]
    assert list(found.plan.data) == ["one"]
    assert [data.sizes for data in found.loaded] == [{"mlknn": (1, 8, 15, 23, 30)}]
    assert found.notes == (
        "1 repetition of the folds instead of all",
        "3 folds instead of all",
        "at most 5 numbers of features on each data set",
        "without the classifier rakel",
        "without the data two",
    )


def test_repeats_go_first_and_more_processes_do_more(loaded, monkeypatch):
    def seconds(self, plan, loaded):
        return float(plan.folds.n_repeats * plan.folds.n_splits)

    monkeypatch.setattr("labelsift.evaluate._budget_costs.PlanCosts.seconds", seconds)
    half = lowered(loaded, 60.0)
    assert half.steps == (("repeats", 5),)
    assert list(half.plan.classifiers) == ["mlknn", "rakel"]
    assert (half.seconds, half.fits) == (50.0, True)
    two = lowered(loaded, 60.0, n_workers=2)
    assert (two.steps, two.seconds, two.fits) == ((), 50.0, True)


def test_the_steps_can_be_done_again(loaded):
    found = lowered(loaded, 1e-6)
    again = lower_by(*loaded, found.steps)
    assert again.plan.folds == found.plan.folds
    assert list(again.plan.classifiers) == list(found.plan.classifiers)
    assert [d.sizes for d in again.loaded] == [d.sizes for d in found.loaded]
    assert again.notes == found.notes


def test_sizes_are_thinned_evenly_with_both_ends():
    assert thinned((1, 5, 9), 5) == (1, 5, 9)
    assert thinned(tuple(range(1, 101)), 3) == (1, 51, 100)


DRAWS = """\
metrics = ["hamming_loss"]

[folds]
n_repeats = 3

[data.one]
generate = { n_samples = 90, n_features = 30 }
missing = { rate = 0.1, seeds = [4, 5, 6, 7] }
costs = { distribution = "uniform", seed = 3 }

[selectors.tolerance]
method = "tolerance_rough_set"
sizes = "own"

[classifiers.rakel]
steps = ["sklearn.impute:SimpleImputer", "rakel"]

[classifiers.trees]
method = "sklearn.ensemble:ExtraTreesClassifier"
sizes = { steps = 40 }
"""


def test_draws_go_after_repeats_and_a_size_of_its_own_stays():
    plan = parse_plan(DRAWS)
    loaded = load_data(plan)
    found = lowered((plan, loaded), 1e-6)
    assert found.steps[:5] == (
        ("repeats", 2),
        ("repeats", 1),
        ("draws", 3),
        ("draws", 2),
        ("draws", 1),
    )
    assert not any(kind == "sizes" for kind, _ in found.steps)
    assert found.notes[:2] == ("1 repetition of the folds instead of all", "one draw")
    (data,) = found.loaded
    assert data.treatment.n_draws == 1
    assert str(data.treatment).startswith("10 % of the values deleted (mcar, seed 4);")
    with ResultStore.in_memory() as store:
        (results,) = run_plan(found.plan, store, loaded=found.loaded).results
    assert len(results.folds) == 3
    assert len(results.classifiers) == 1
    whole = lowered((plan, loaded), 1e9).seconds
    one = lower_by(plan, loaded, [("draws", 1)])
    assert one.loaded[0].treatment.n_draws == 1
    assert whole > 0


def test_a_slow_classifier_loses_sizes_before_one_that_has_all_in_one_pass(loaded):
    kinds = [kind for kind, _ in lowered(loaded, 1e-6).steps]
    assert kinds.index("sizes of rakel") < kinds.index("splits") < kinds.index("sizes")
    found = lower_by(*loaded, [("sizes of rakel", 10), ("sizes of rakel", 3)])
    for data in found.loaded:
        assert data.sizes == {"mlknn": tuple(range(1, 31)), "rakel": (1, 15, 30)}
    assert found.notes == ("at most 3 numbers of features with rakel",)
    gone = lower_by(*loaded, [("sizes of rakel", 3), ("classifier", "rakel")])
    assert gone.notes == ("without the classifier rakel",)


def test_what_fits_again_without_a_dear_classifier_comes_back(loaded, monkeypatch):
    def seconds(self, plan, loaded):
        dear = 1000.0 if "rakel" in plan.classifiers else 0.0
        return dear + plan.folds.n_repeats * plan.folds.n_splits

    monkeypatch.setattr("labelsift.evaluate._budget_costs.PlanCosts.seconds", seconds)
    found = lowered(loaded, 35.0)
    assert found.steps == (("repeats", 3), ("classifier", "rakel"))
    assert (found.seconds, found.fits) == (30.0, True)
    assert found.notes == (
        "3 repetitions of the folds instead of all",
        "without the classifier rakel",
    )


CLAIMED = """\
metrics = ["hamming_loss"]
folds.n_splits = 3

[data.one]
generate = { n_samples = 60, n_features = 30 }

[data.two]
generate = { n_samples = 60, n_features = 30, seed = 1 }

[data.three]
generate = { n_samples = 60, n_features = 30, seed = 2 }

[selectors.tolerance]
method = "tolerance_rough_set"
sizes = "own"
grid.lam = [0.5, 1.0, 1.5]

[selectors.mlfspa]
sizes = "own"

[classifiers.mlknn]

[classifiers.rakel]

[classifiers.brknn]
"""


def claim(**fields):
    of = {"first": ("tolerance (lam 1.0)",), "second": ("mlfspa",), **fields}
    return Claim("a claim", "better", **of)


def claimed_steps(monkeypatch, seconds, *claims, tables=()):
    """Return how the plan is lowered; rakel, and three before two, take longest."""

    def of(self, plan, data, classifier):
        dear = {"mlknn": 1.0, "brknn": 2.0, "rakel": 50.0}[classifier]
        times = {"one": 1, "two": 2, "three": 3}[data.name]
        return dear * times * len(plan.selectors)

    monkeypatch.setattr("labelsift.evaluate._budget_costs.PlanCosts.of", of)
    plan = parse_plan(CLAIMED)
    said = Claims(claims, tables)
    return lowered((plan, load_data(plan)), seconds, claims=said)


def test_a_classifier_that_claims_name_outlasts_the_others_and_the_data(monkeypatch):
    found = claimed_steps(monkeypatch, 1e-6, claim(classifiers=("rakel",)))
    assert found.steps == (
        ("selectors", ["tolerance (lam 1.0)", "mlfspa"]),
        ("classifier", "brknn"),
        ("classifier", "mlknn"),
        ("data", "three"),
        ("data", "two"),
    )
    assert list(found.plan.selectors) == ["tolerance (lam 1.0)", "mlfspa"]
    assert found.plan.own_size == ("tolerance (lam 1.0)", "mlfspa")
    assert found.notes[0] == "of the selectors only the 2 that claims or tables name"
    with ResultStore.in_memory() as store:
        (results,) = run_plan(found.plan, store, loaded=found.loaded).results
    assert list(results.classifiers) == ["rakel"]
    assert set(results.selectors) == {"tolerance (lam 1.0)", "mlfspa"}


def test_what_claims_need_goes_at_last_and_it_is_said(monkeypatch):
    found = claimed_steps(
        monkeypatch,
        1e-6,
        claim(classifiers=("rakel",), data=("three",)),
        claim(classifiers=("mlknn",), data=("one", "three")),
    )
    assert found.steps[1:] == (
        ("classifier", "brknn"),
        ("data", "two"),
        ("data", "one"),
        ("claimed classifier", "rakel"),
    )
    assert found.notes[1:] == (
        "without the classifier brknn",
        "without the data two; one",
        "without the classifier rakel, although claims speak of it",
    )
    assert list(found.plan.data) == ["three"]


def test_claims_about_all_selectors_and_classifiers_keep_no_one_of_them(monkeypatch):
    found = claimed_steps(monkeypatch, 1e-6, claim(second=("others",)))
    assert found.steps[0] == ("classifier", "rakel")
    tables = (ResultTable("all", "best", first=("tolerance*", "mlfspa")),)
    found = claimed_steps(monkeypatch, 1e-6, claim(), tables=tables)
    assert found.steps[0] == ("classifier", "rakel")


def test_cheap_classifiers_come_back_when_a_dear_set_is_gone(monkeypatch):
    monkeypatch.setattr("labelsift.evaluate._budget_costs._TRIALS", 0.0)
    # selectors 2, folds 3: rakel on one set takes 300, mlknn and brknn 18
    said = claim(classifiers=("rakel",), data=("one",))
    found = claimed_steps(monkeypatch, 330.0, said)
    assert found.fits
    assert list(found.plan.data) == ["one"]
    assert set(found.plan.classifiers) == {"rakel", "mlknn", "brknn"}
