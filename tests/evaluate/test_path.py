import math
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB

from labelsift.evaluate import (
    PerformancePath,
    Results,
    cross_validate,
    performance_path,
)
from labelsift.evaluate._size_choice import chosen_index
from labelsift.learn import BRkNN, MLkNN
from labelsift.read import Dataset
from labelsift.report import write_report
from labelsift.select import Chi2

HIDDEN = ("seconds_select", "seconds_fit", "seconds_predict")
LOSS = ("hamming_loss", "average_precision")


def numbers(results):
    return [
        tuple(str(value) for key, value in row.items() if key not in HIDDEN)
        for row in results.rows()
    ]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 8))
    Y = (X[:, [3, 5, 3]] + 0.3 * rng.normal(size=(90, 3)) > 0).astype(int)
    return X, Y


@pytest.fixture(scope="module")
def path(data):
    two = {"ML-kNN": MLkNN(5), "BRkNN": BRkNN(5)}
    return performance_path(Chi2(), two, *data, cv=3, metrics=LOSS)


def test_is_cross_validation_at_every_size(data, path):
    two = {"ML-kNN": MLkNN(5), "BRkNN": BRkNN(5)}
    plain = cross_validate(Chi2(), two, *data, cv=3, metrics=LOSS, grid="all")
    assert isinstance(path, PerformancePath)
    assert path.sizes == tuple(range(1, 9))
    assert numbers(path) == numbers(plain)
    X, Y = data
    sparser = performance_path(
        Chi2(), two, sparse.csr_array(X), sparse.csr_array(Y), cv=3, metrics=LOSS
    )
    assert numbers(sparser) == numbers(path)


def test_given_orders_by_index_and_name(data):
    X, Y = data
    found = performance_path([5, 3, 0], MLkNN(5), X, Y, cv=3)
    assert found.sizes == (1, 2, 3)
    assert found.rankings[0].order.tolist() == [5, 3, 0, 1, 2, 4, 6, 7]
    assert found.best_size() == 2
    assert "order of the features was given" in found.notes()[0]
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(8)])
    named = performance_path({"mine": ["f5", "f3", "f0"]}, MLkNN(5), frame, Y, cv=3)
    assert [c.values for c in named.cells] == [c.values for c in found.cells]
    both = performance_path(
        {"mine": np.array([5, 3]), "chi2": Chi2()}, MLkNN(5), X, Y, cv=3
    )
    assert both.sizes == (1, 2)
    assert list(both.selectors) == ["mine", "chi2"]


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ([0, 8], "holds column 8; X has 8 columns"),
        ([0, 1, 0], "holds column 0 more than once"),
        (["x1", "blue"], "names 'blue', not a column of X"),
        (np.zeros((2, 2)), r"found an array of shape \(2, 2\)"),
    ],
)
def test_wrong_orders_are_named(data, order, message):
    with pytest.raises(ValueError, match=message):
        performance_path(order, MLkNN(5), *data)


def test_leakage_makes_noise_predictable_and_is_marked():
    # 1000 noise features: the best ones on all rows fit the test rows by chance.
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 1000)), rng.integers(0, 2, 60)
    options = {"grid": [10, 20], "cv": 5, "n_repeats": 3, "metrics": ["macro_auc"]}
    for classifier in (MLkNN(5), OneVsRestClassifier(GaussianNB())):
        fair, leaky = (
            performance_path(
                {"s": SelectKBest(f_classif)},
                classifier,
                X,
                y,
                leaky=leak,
                baseline=False,
                **options,
            )
            for leak in (False, True)
        )
        honest = fair.summary().rows[0].mean["macro_auc"]
        wrong = leaky.summary().rows[0].mean["macro_auc"]
        assert abs(honest - 0.5) < 0.12
        assert wrong > honest + 0.2
        assert list(leaky.selectors) == ["s (leaky)"]
        assert leaky.settings["leaky"] is True
        assert leaky.notes()[0].startswith("LEAKY")
        assert fair.settings["leaky"] is False
        assert not fair.notes()[0].startswith("LEAKY")
        orders = {tuple(ranking.order) for ranking in leaky.rankings}
        assert len(orders) == 1  # one ranking, whatever the fold


def test_best_size_by_both_rules(path):
    sizes, values = path.values("Chi2", "ML-kNN", "hamming_loss")
    means = values.mean(axis=1)
    assert path.best_size() == sizes[np.argmin(means)]
    best = np.argmin(means)
    limit = means[best] + values[best].std(ddof=1) / math.sqrt(3)
    assert path.best_size(rule="one_se") == sizes[np.flatnonzero(means <= limit)[0]]
    with pytest.raises(ValueError, match="rule must be 'best' or 'one_se'"):
        path.best_size(rule="1se")


def test_choice_by_hand():
    # means .5 .3 .2 .2; the standard error of the best is .2 / sqrt(2) / sqrt(2) = .1
    losses = np.array([[0.5, 0.5], [0.3, 0.3], [0.1, 0.3], [0.2, 0.2]])
    assert chosen_index(losses, False, "best") == 2
    assert chosen_index(losses, False, "one_se") == 1
    assert chosen_index(-losses, True, "one_se") == 1
    assert chosen_index(losses[:, :1], False, "one_se") == 2
    assert chosen_index(np.array([[np.nan], [0.4]]), True, "best") == 1


def test_plot_draws_every_curve(path):
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    ax = path.plot("average_precision")
    sizes, values = path.values("Chi2", "BRkNN", "average_precision")
    lines = {line.get_label(): line for line in ax.get_lines()}
    np.testing.assert_array_equal(lines["BRkNN"].get_xdata(), sizes)
    np.testing.assert_allclose(lines["BRkNN"].get_ydata(), values.mean(axis=1))
    assert "all 8 features, ML-kNN" in lines
    assert ax.get_ylabel() == "average precision (higher is better)"
    _, own = plt.subplots()
    assert path.plot(ax=own) is own
    plt.close("all")


def test_shows_itself_in_a_notebook_with_names_escaped(data):
    path = performance_path(
        {"<b>$a$": Chi2()}, MLkNN(5), *data, cv=3, grid=[2, 4], dataset_name="a<b"
    )
    html = path._repr_html_()
    svg = html[: html.index("</svg>") + 6]
    ElementTree.fromstring(svg)
    assert "<b>$" not in html
    assert "a&lt;b" in html


def test_report_save_and_load_take_it(data, path, tmp_path):
    again = PerformancePath.load(path.save(tmp_path / "path.json"))
    assert numbers(again) == numbers(path)
    assert isinstance(again, Results)
    assert again.best_size() == path.best_size()
    names = path.feature_names, path.label_names
    dataset = Dataset(*data, *names, name="made up")
    report = write_report(path, dataset, tmp_path / "report.html")
    assert report.stat().st_size > 1000
