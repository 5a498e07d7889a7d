"""Mistakes of a plan, each with its line and what would be right."""

import numpy as np
import pytest

from labelsift.evaluate import PlanError
from labelsift.evaluate.plan import parse_plan
from labelsift.read import Dataset

PLAN = """\
[data.toy]
path = "toy.npz"

[selectors.chi2]

[classifiers.mlknn]
"""


@pytest.fixture
def folder(tmp_path):
    X = np.random.default_rng(0).integers(0, 3, (12, 3)).astype(float)
    Dataset(X, X[:, :2] > 1, ["p", "q", "r"], ["a", "b"]).save(tmp_path / "toy.npz")
    return tmp_path


def mistakes(text, folder):
    with pytest.raises(PlanError) as caught:
        parse_plan(text, name="p.toml", folder=folder)
    return "\n".join(caught.value.mistakes)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[selectors.chi2]\n", "[selectors]\nchi2 = 3\n", "must be a table"),
        (
            "[selectors.chi2]\n",
            '[selectors." "]\n',
            "cannot be the name of a method",
        ),
        ("[selectors.chi2]\n", "", "the plan must name selectors"),
        (
            "[selectors.chi2]\n",
            "[selectors.chi2]\ngrid = { aggregate = [] }\n",
            "aggregate must be a list of the values to try",
        ),
        (
            "[selectors.chi2]\n",
            "[selectors.chi2]\nsettings = { n_bins = 3 }\ngrid = { n_bins = [3, 4] }\n",
            "n_bins stands in settings, too",
        ),
        (
            "[selectors.chi2]\n",
            f"[selectors.chi2]\ngrid = {{ n_bins = {list(range(2, 250))}, "
            f"aggregate = {['mean', 'max'] * 60} }}\n",
            "combinations; at most",
        ),
        (
            "[selectors.chi2]\n",
            "[selectors.chi2]\nsettings = { n_bins = 1979-05-27 }\n",
            "a date is no setting",
        ),
        (
            "[classifiers.mlknn]\n",
            '[classifiers.m]\nmethod = "sklearn.multioutput:MultiOutputClassifier"\n'
            "settings = { estimator = { method = 3 } }\n",
            "method must be text; found 3",
        ),
        (
            "[classifiers.mlknn]\n",
            '[classifiers.m]\nmethod = "sklearn.multioutput:MultiOutputClassifier"\n'
            'settings = { estimator = { method = "sklearn.naive_bayes:GaussianNB", '
            "settings = 3 } }\n",
            "settings must be a table; found 3",
        ),
        (
            "[classifiers.mlknn]\n",
            '[classifiers.m]\nmethod = "sklearn.multioutput:MultiOutputClassifier"\n',
            "MultiOutputClassifier needs the setting estimator",
        ),
        (
            'path = "toy.npz"',
            'path = "toy.npz"\nlabels = true',
            "must be a count",
        ),
        (
            'path = "toy.npz"',
            'path = "toy.npz"\nlabels = "no.xml"',
            "there is no",
        ),
        ('path = "toy.npz"', 'path = "toy.npz"\ncosts = 3', "must be a CSV file"),
        (
            'path = "toy.npz"',
            'path = "toy.npz"\ncosts = { p = -1 }',
            'the cost of "p" must be a number of 0 or more',
        ),
        (
            'path = "toy.npz"',
            'path = "toy.npz"\ncosts = [1, true, 2]',
            "the cost number 2 must be a number",
        ),
        (
            'path = "toy.npz"',
            'path = "toy.npz"\ntest = "toy.npz"',
            "test is for given splits",
        ),
        (
            'path = "toy.npz"',
            'path = "toy.npz"\n[folds]\nkind = "given"',
            "given splits: [data.toy] needs test",
        ),
        (
            'path = "toy.npz"',
            'path = "toy.npz"\ntest = "toy.npz"\nfolds = "toy.npz"\n'
            '[folds]\nkind = "given"',
            "give test or folds, not both",
        ),
        (
            'path = "toy.npz"',
            'generate = { seed = 0 }\n[folds]\nkind = "given"',
            "made-up data have no given splits",
        ),
        ('path = "toy.npz"', 'path = "t\\u0000oy.npz"', "there is no file"),
    ],
)
def test_each_mistake_is_named(folder, old, new, said):
    text = PLAN.replace(old, new)
    assert text != PLAN
    found = mistakes(text, folder)
    assert said in found
    assert found.startswith("p.toml line ")
