import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler

from labelsift.encode import inject_missing
from labelsift.evaluate import PlanError, ResultStore, cross_validate, run_plan
from labelsift.evaluate._order import kept_first, kept_of, order_of
from labelsift.evaluate.plan import parse_plan
from labelsift.learn import MLkNN
from labelsift.read import load_dataset
from labelsift.report.again_section import python_lines
from labelsift.report.choice import contests
from labelsift.select import CSIG, Chi2, InfoGain, ToleranceRoughSet
from plan_tools import write_data

PLAN = """\
sizes = [2, 4]
metrics = ["hamming_loss"]
folds = { n_splits = 3 }

[data.one]
path = "one.npz"
missing = { rate = 0.1, seed = 4 }
costs = { distribution = "uniform", seed = 1 }

[selectors.tolerance]
method = "tolerance_rough_set"

[selectors.gain]
steps = ["sklearn.impute:SimpleImputer", "info_gain"]
grid = { infogain__n_bins = [3, 5] }

[selectors.csig]
steps = [
    { method = "sklearn.impute:SimpleImputer", settings = { strategy = "median" } },
    "csig",
]
sizes = "own"
settings = { csig__threshold = 0.0 }

[classifiers.mlknn]
steps = [
    "sklearn.impute:SimpleImputer",
    "sklearn.preprocessing:MinMaxScaler",
    { method = "mlknn", settings = { n_neighbors = 5 } },
]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_data(folder)
    return folder


@pytest.fixture(scope="module")
def data(folder):
    return load_dataset(folder / "one.npz")


def test_steps_are_a_pipeline_that_is_fitted_in_each_fold(folder, data):
    plan = parse_plan(PLAN, folder=folder)
    assert list(plan.selectors) == [
        "tolerance",
        "gain (infogain__n_bins 3)",
        "gain (infogain__n_bins 5)",
        "csig",
    ]
    with ResultStore.in_memory() as store:
        comparison = run_plan(plan, store)
    assert comparison.failed() == []
    (found,) = comparison.results
    holed = inject_missing(data, 0.1, random_state=4)
    costs = plan.data["one"].treatment.draw(data, 0).test_costs
    alone = cross_validate(
        {
            "tolerance": ToleranceRoughSet(),
            "gain (infogain__n_bins 3)": make_pipeline(
                SimpleImputer(), InfoGain(n_bins=3)
            ),
            "gain (infogain__n_bins 5)": make_pipeline(
                SimpleImputer(), InfoGain(n_bins=5)
            ),
            "csig": make_pipeline(
                SimpleImputer(strategy="median"),
                CSIG(threshold=0.0, costs=costs.tolist()),
            ),
        },
        {"mlknn": make_pipeline(SimpleImputer(), MinMaxScaler(), MLkNN(5))},
        holed,
        grid=[2, 4],
        cv=3,
        metrics=["hamming_loss"],
        own_size=["csig"],
    )
    assert [c.values for c in alone.cells] == [c.values for c in found.cells]
    assert alone.kept_by_itself("csig") == found.kept_by_itself("csig")
    best = contests(found, "hamming_loss")
    one = next(c for c in best if c.selector.startswith("gain"))
    lines = python_lines(data, found, one)
    assert "from sklearn.impute import SimpleImputer" in lines
    assert "selector[-1].set_params(n_features_to_select=" in lines


def test_an_alias_and_a_setting_of_a_nested_estimator_in_a_step(folder):
    text = PLAN.replace('"info_gain"', '"igmf"').replace(
        "grid = { infogain__n_bins = [3, 5] }",
        "grid = { simpleimputer__strategy = ['mean', 'median'] }",
    )
    selectors = parse_plan(text, folder=folder).selectors
    first = selectors["gain (simpleimputer__strategy mean)"]
    assert type(first[-1]).__name__ == "LabelTransform"
    second = selectors["gain (simpleimputer__strategy median)"]
    assert (first[0].strategy, second[0].strategy) == ("mean", "median")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"info_gain"]', "3]", "a step must name a method; found 3."),
        ('"info_gain"]', '"info_gian"]', 'Did you mean "info_gain"?'),
        (
            '["sklearn.impute:SimpleImputer", "info_gain"]',
            "[]",
            "must be a list of met",
        ),
        ("infogain__n_bins = [3", "infogain__bins = [3", 'no setting "infogain__bins"'),
        ("infogain__n_bins = [3", "infogain__n_bins = [0", "InfoGain: The 'n_bins' p"),
        ("csig__threshold", "chi2__threshold", "between; steps: simpleimputer, csig."),
        (
            '["sklearn.impute:SimpleImputer", "info_gain"]',
            '["sklearn.ensemble:ExtraTreesClassifier", "info_gain"]',
            "ExtraTreesClassifier cannot stand before another step: it has no",
        ),
        (
            "{ infogain__n_bins = [3, 5] }",
            "{ infogain__n_features_to_select = [3, 5] }",
            "n_features_to_select has no part in a comparison",
        ),
        ('steps = [\n    "sk', "method = 'mlknn'\nsteps = [\n    \"sk", "not both"),
    ],
)
def test_a_mistake_in_steps_is_named(folder, old, new, message):
    assert old in PLAN
    with pytest.raises(PlanError) as caught:
        parse_plan(PLAN.replace(old, new, 1), folder=folder)
    assert message in str(caught.value)


def test_columns_that_a_step_drops_rank_last(data):
    X = data.X.copy()
    X[:, 2] = 1.0
    X[:, 0] = np.nan
    steps = make_pipeline(SimpleImputer(), VarianceThreshold(), Chi2(3))
    with pytest.warns(UserWarning, match="without any observed values"):
        steps.fit(X, data.Y)
    order, scores = order_of(steps, 8)
    rest = [1, 3, 4, 5, 6, 7]
    alone = Chi2(3).fit(X[:, rest], data.Y)
    assert order.tolist() == [*np.array(rest)[alone.order_], 0, 2]
    assert scores[[0, 2]].tolist() == [-np.inf, -np.inf]
    np.testing.assert_array_equal(scores[rest], alone.scores_)
    kept = np.array(rest)[alone.get_support(indices=True)].tolist()
    assert kept_of(steps, 8).tolist() == kept
    first, _, n_kept = kept_first(steps, 8)
    assert n_kept == 3
    assert sorted(first[:3]) == kept
    assert sorted(first) == [*range(8)]


def test_a_selector_that_only_says_what_it_keeps_has_it_in_column_order():
    class Odd:
        def get_support(self, indices):
            assert indices
            return np.array([1, 3])

    order, scores, n_kept = kept_first(Odd(), 5)
    assert (order.tolist(), scores, n_kept) == ([1, 3, 0, 2, 4], None, 2)


def test_steps_that_make_other_columns_cannot_be_ranked(data):
    steps = make_pipeline(PCA(8), Chi2()).fit(data.X, data.Y)
    with pytest.raises(TypeError, match=r"which feature each is \(first 'pca0'\)"):
        order_of(steps, 8)
    # one that does not say what it makes counts as keeping as many columns as it got
    same = make_pipeline(FunctionTransformer(), Chi2()).fit(data.X, data.Y)
    np.testing.assert_array_equal(
        order_of(same, 8)[0], Chi2().fit(data.X, data.Y).order_
    )
    fewer = make_pipeline(FunctionTransformer(_half), SelectKBest(k=1))
    fewer.fit(data.X, data.Y[:, 0])
    with pytest.raises(TypeError, match="it does not say which"):
        order_of(fewer, 8)


def _half(X):
    return X[:, ::2]


def test_the_plans_of_the_documentation_are_plans():
    text = Path(__file__).resolve().parents[2].joinpath("docs/plans.md").read_text()
    blocks = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    drawn = next(block for block in blocks if "missing = " in block)
    steps = next(block for block in blocks if "steps = " in block)
    drawn = drawn.replace('path = "emotions-train.arff.gz"', "generate = {}")
    plan = parse_plan(drawn + steps)
    assert plan.data["emotions"].treatment.n_draws == 3
    assert list(plan.selectors) == [
        "gain (infogain__n_bins 3)",
        "gain (infogain__n_bins 5)",
    ]
    assert [name for name, _ in plan.classifiers["mlknn"].steps] == [
        "simpleimputer",
        "minmaxscaler",
        "mlknn",
    ]
