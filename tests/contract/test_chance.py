"""Random labels give chance level for every selector and every classifier.

Selection outside of the folds makes the same labels look predictable: the tables are
small and wide enough for that to show.
"""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from labelsift.evaluate import performance_path
from labelsift.learn import CLASSIFIERS, BinaryRelevance, MLkNN
from labelsift.select import SELECTORS, Chi2

METRICS = ("macro_auc", "hamming_loss")
SIZE = 10
# The area of three labels on 120 rows strays by 0.03 about one half, the loss too.
NEAR = 0.12
# Those whose scores say how much a single column tells about one label, so that of 400
# random columns the luckiest are chosen.
LEAKY = (
    "chi2", "csig", "gain_ratio", "hsic", "info_gain", "label_transform", "mdfs",
    "mlfsie", "mlmim", "multi_label_f_statistic", "per_label", "relief_f", "rfs",
    "rrspfs", "scls", "spec", "symmetrical_uncertainty", "wrapper_spec",
)  # fmt: skip


def noise(d=160):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(120, d))
    return X, np.array([rng.permutation(120) % 2 for _ in range(3)]).T


def means(results, metric):
    """Return the mean over the folds by selector and classifier."""
    return {
        (selector, classifier): results.values(selector, classifier, metric)[1].mean()
        for selector in results.selectors
        for classifier in results.classifiers
    }


@pytest.fixture(scope="module")
def selected():
    X, Y = noise()
    results = performance_path(
        {name: cls() for name, cls in SELECTORS.items()},
        {"ML-kNN": MLkNN(5)},
        X,
        Y,
        grid=[SIZE],
        cv=4,
        metrics=METRICS,
        baseline=False,
    )
    assert set(results.selectors) == set(SELECTORS)
    return results


@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_columns_chosen_for_random_labels_predict_by_chance(name, selected):
    assert abs(means(selected, "macro_auc")[name, "ML-kNN"] - 0.5) < NEAR
    assert abs(means(selected, "hamming_loss")[name, "ML-kNN"] - 0.5) < NEAR


@pytest.fixture(scope="module")
def one_label():
    """Return the areas of one random label, chosen for honestly, and with a leak."""
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(100, 400)), rng.permutation(100)[:, None] % 2
    return [
        means(
            performance_path(
                {name: SELECTORS[name]() for name in LEAKY},
                {"Bayes": BinaryRelevance(GaussianNB())},
                X,
                y,
                grid=[2 * SIZE],
                cv=5,
                metrics=METRICS,
                baseline=False,
                leaky=leaky,
            ),
            "macro_auc",
        )
        for leaky in (False, True)
    ]


@pytest.mark.parametrize("name", LEAKY)
def test_columns_chosen_on_all_rows_seem_to_predict_a_random_label(name, one_label):
    honest, leaky = one_label
    assert honest[name, "Bayes"] < 0.67
    assert leaky[f"{name} (leaky)", "Bayes"] > 0.72


@pytest.fixture(scope="module")
def classified():
    X, Y = noise()
    told = X.copy()
    told[:, :3] += 3 * Y
    return [
        performance_path(
            {"chi2": Chi2()},
            {name: cls() for name, cls in CLASSIFIERS.items()},
            table,
            Y,
            grid=[SIZE],
            cv=4,
            metrics=METRICS,
            baseline=False,
        )
        for table in (X, told)
    ]


@pytest.mark.parametrize("name", sorted(CLASSIFIERS))
def test_classifiers_learn_nothing_from_random_labels(name, classified):
    random, told = classified
    assert abs(means(random, "macro_auc")["chi2", name] - 0.5) < NEAR
    assert abs(means(random, "hamming_loss")["chi2", name] - 0.5) < NEAR
    # The same rows with three columns that tell: what is near chance above is not so
    # because nothing can be learnt from so few rows.
    assert means(told, "macro_auc")["chi2", name] > 0.85
    assert means(told, "hamming_loss")["chi2", name] < 0.25
