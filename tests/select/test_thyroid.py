"""The example of thyroid tests buys what its page says."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from shared_data import data_file

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location(
        "thyroid_costs", ROOT / "examples" / "thyroid_costs.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def patients(example):
    data_file("thyroid-test-costs.csv")
    return example.read(data_file("meka-thyroid-L7.arff.gz").parent)


def test_no_patient_is_dropped_and_gaps_stay(patients):
    data, _ = patients
    assert data.X.shape == (9172, 28)
    assert np.isnan(data.X).sum() == 5806
    assert data.Y.sum(axis=0).tolist() == [241, 667, 414, 573, 355, 34, 197]


@pytest.mark.parametrize(
    ("budget", "spent", "blood"),
    [
        (10, 10.00, set()),
        (20, 19.41, {"T3"}),
        (40, 39.13, {"T3", "TT4", "T4U", "FTI"}),
        (70, 69.81, {"TSH", "T3", "TT4", "T4U", "FTI"}),
    ],
)
def test_purchases_of_the_page(example, patients, budget, spent, blood):
    data, costs = patients
    fitted = example.selector(data, costs, budget).fit(example.frame(data), data.Y)
    kept = set(fitted.get_feature_names_out())
    assert fitted.total_cost_ == pytest.approx(spent)
    assert kept & {"TSH", "T3", "TT4", "T4U", "FTI"} == blood
    free = {n for n, cost in costs.items() if cost == 0}
    assert {
        n for n in free if fitted.relevance_[data.feature_names.index(n)] > 0
    } <= kept


@pytest.mark.parametrize(
    ("budget", "spent", "blood"),
    [(10, 10.00, set()), (20, 19.41, {"T3"}), (40, 39.09, {"TSH", "T3"})],
)
def test_purchases_one_by_one(example, patients, budget, spent, blood):
    data, costs = patients
    table = example.binned(data, slice(None))
    assert not np.isnan(table.to_numpy()).any()
    fitted = example.one_by_one(costs, budget).fit(table, data.Y)
    assert fitted.total_cost_ == pytest.approx(spent)
    kept = set(fitted.get_feature_names_out())
    assert kept & {"TSH", "T3", "TT4", "T4U", "FTI"} == blood


def test_blood_is_drawn_once_and_the_index_is_free_with_its_parts(example, patients):
    data, costs = patients
    fitted = example.selector(data, costs, 40).fit(example.frame(data), data.Y)
    assert fitted.cost_of(["TSH"]) == pytest.approx(22.78)
    assert fitted.cost_of(["TSH", "T3"]) == pytest.approx(22.78 + 11.41 - 2.10)
    both = fitted.cost_of(["TT4", "T4U"])
    assert both == pytest.approx(14.51 + 11.41 - 2.10)
    assert fitted.cost_of(["FTI"]) == fitted.cost_of(["FTI", "TT4", "T4U"]) == both


def test_a_ranking_without_prices_buys_within_the_budget(example):
    prices = np.array([5.0, 3.0, 4.0])
    bought = example.bought_by_rank([0, 1, 2], lambda kept: prices[kept].sum(), 9.0)
    assert bought == [0, 1]
