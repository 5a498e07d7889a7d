"""The league plan names every selector; its page is made from any comparison."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from labelsift.evaluate import critical_difference, read_plan
from labelsift.evaluate._remember import RememberingEngine
from labelsift.evaluate.plan import parse_plan
from labelsift.evaluate.plan_run import load_data, run_plan
from labelsift.evaluate.store import ResultStore
from labelsift.read import Dataset
from labelsift.select import SELECTORS

ROOT = Path(__file__).resolve().parents[1]
PLAN = """\
sizes = ["2%", "5%", "10%", "15%", "20%", "30%", "40%", "50%", "65%", "80%"]
metrics = ["average_precision", "ranking_loss", "one_error", "hamming_loss", "macro_f1"]
[folds]
n_splits = 2
[data.one]
path = "one.npz"
[data.two]
path = "two.npz"
[selectors.chi2]
[selectors.hsic]
[selectors.upside_down]
method = "per_label"
settings = { aggregate = "min" }
[classifiers.near]
method = "mlknn"
[classifiers.nearer]
method = "brknn"
"""


@pytest.fixture(scope="module")
def league():
    spec = importlib.util.spec_from_file_location(
        "league", ROOT / "benchmarks" / "league.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules["league"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def comparison(tmp_path_factory):
    folder = tmp_path_factory.mktemp("league")
    for number, name in enumerate(("one", "two")):
        rng = np.random.default_rng(number)
        Y = rng.random((60, 3)) < 0.4
        X = rng.normal(size=(60, 20 + 10 * number))
        X[:, :3] += 2 * Y
        names = [f"x{i}" for i in range(X.shape[1])]
        Dataset(X, Y, names, ["a", "b", "c"]).save(folder / f"{name}.npz")
    plan = parse_plan(PLAN, name="p.toml", folder=folder)
    return run_plan(plan, ResultStore.in_memory())


def test_the_plan_names_every_selector_the_papers_first():
    plan = read_plan(ROOT / "benchmarks" / "league.toml")
    used = {type(selector) for selector in plan.selectors.values()}
    # without prices BudgetedGroups is D2F
    assert set(SELECTORS.values()) - used == {SELECTORS["budgeted_groups"]}
    papers = ["chi2", "spec", "tolerance_rough_set", "csig", "rrspfs"]
    assert list(plan.selectors)[:5] == papers
    assert plan.folds.n_splits == 10
    assert len(plan.sizes) == 10
    assert list(plan.classifiers) == ["ml-knn", "linear"]


def test_places_are_those_of_the_means_at_each_share(league, comparison):
    places = league.ranks(comparison, "ranking_loss", "near")
    assert places.shape == (2, 10, 3)
    assert (places.sum(axis=2) == 6).all()
    _, values = comparison.results[1].values("hsic", "near", "ranking_loss")
    _, others = comparison.results[1].values("chi2", "near", "ranking_loss")
    # 30 features: the share of 50 % is the 15 of the eighth size
    sizes = comparison.results[1].sizes
    at = sizes.index(15)
    ours, theirs = values[at].mean(), others[at].mean()
    assert (places[1, 7, 1] < places[1, 7, 0]) == (ours < theirs)


def test_the_page_says_what_was_compared_and_what_was_not(league, comparison):
    text = league.page(comparison, "python league.py --data one,two", ["three"])
    assert "3 selectors at their defaults on 2 data sets" in text
    assert "one (60 x 20, 3 labels), two (60 x 30, 3 labels)" in text
    assert f"is {critical_difference(3, 2):.1f} places" in text
    assert "**Not in it yet**: three." in text
    assert "    python league.py --data one,two" in text
    assert text.count("| chi2 * |") == 3
    assert text.count("| upside_down |") == 3
    for heading in ("By metric, near", "By metric, nearer", "By number of features"):
        assert f"## {heading}" in text
    for line in text.splitlines():
        if line.startswith("| chi2"):
            places = [float(c.strip(" *")) for c in line.split("|")[2:-2]]
            assert all(1 <= place <= 3 for place in places)


def test_a_data_set_may_be_measured_on_its_first_folds(league, comparison):
    plan, store = comparison.plan, ResultStore.in_memory()
    loaded = load_data(plan)
    found = league.measured(plan, store, loaded, {"one": 1}, None)
    assert found.datasets == ("one", "two")
    few = found.results[0]
    assert [len(r.folds) for r in found.results] == [1, 2]
    for selector in ("chi2", "hsic", "upside_down"):
        expected = comparison.results[0].values(selector, "near", "ranking_loss")[1]
        assert (
            few.values(selector, "near", "ranking_loss")[1] == expected[:, :1]
        ).all()
    text = league.page(found, "python league.py --first one=1", [])
    assert "2 folds (one on the first 1 of them), selection" in text
    assert "summed over the data sets of all folds," in text
    spent = [r.seconds for r in found.results[1].rankings if r.selector == "hsic"]
    assert league.seconds(found)["hsic"] == np.median(spent)
    assert "on the first" not in league.page(comparison, "python league.py", [])
    calls = []
    engine = RememberingEngine._compute
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            RememberingEngine,
            "_compute",
            lambda self, f, s, todo: calls.extend(todo) or engine(self, f, s, todo),
        )
        league.measured(plan, store, loaded, {}, None)
    # the first fold is there already
    assert {task.split.number for _, task in calls if hasattr(task, "split")} == {1}
