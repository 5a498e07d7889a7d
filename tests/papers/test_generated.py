"""Data made up by a plan."""

import numpy as np
import pytest

from labelsift.evaluate import PlanError, load_data
from labelsift.evaluate._plan_generated import generated
from labelsift.evaluate.plan import parse_plan
from labelsift.select import Chi2

PLAN = """\
[data.x]
generate = { n_samples = 50, n_features = 9, n_labels = 3, n_informative = 4, seed = 2 }

[selectors.chi2]

[classifiers.mlknn]
"""


def test_a_plan_makes_data_up_and_a_seed_makes_the_same():
    (data,) = load_data(parse_plan(PLAN))
    X = data.dataset.X
    assert data.dataset.name == "x"
    assert (X.shape, data.dataset.Y.shape) == ((50, 9), (50, 3))
    assert data.dataset.feature_names[3:6] == ("signal3", "copy0", "copy1")
    assert data.dataset.feature_names[8] == "noise0"
    (again,) = load_data(parse_plan(PLAN))
    np.testing.assert_array_equal(again.dataset.X, X)
    (other,) = load_data(parse_plan(PLAN.replace("seed = 2", "seed = 3")))
    assert not np.array_equal(other.dataset.X, X)


def test_the_signal_is_found_and_the_noise_is_not():
    data = generated(n_samples=2000, n_features=30, n_informative=5, noise=0.1)
    order = Chi2().fit(data.X, data.Y).order_
    names = [data.feature_names[j] for j in order[:10]]
    assert not any(name.startswith("noise") for name in names)
    counts = data.Y.sum(axis=0)
    assert counts[0] == 1000
    assert counts[-1] == pytest.approx(300, abs=1)


def test_classes_are_one_label_a_row_and_of_equal_size():
    data = generated("classes", n_samples=90, n_labels=3, n_features=12)
    assert data.Y.sum(axis=1).tolist() == [1] * 90
    assert data.Y.sum(axis=0).tolist() == [30] * 3


@pytest.mark.parametrize(
    ("new", "message"),
    [
        ("generate = 3", "generate must be a table"),
        ("generate = { rows = 3 }", '"rows" in [data.x.generate] is not known'),
        ('generate = { kind = "text" }', "kind must be one of labels, classes"),
        ("generate = { n_samples = 1 }", "n_samples must be 4 or more"),
        ("generate = { n_samples = 2.5 }", "n_samples must be a whole number"),
        (
            "generate = { n_features = 3, n_informative = 4 }",
            "n_informative must be at most n_features, here 3",
        ),
        ("generate = { noise = -1 }", "noise must be 0 or more"),
        ("generate = { n_samples = 10000000 }", "at most 50000000 entries"),
        ('generate = { seed = 1 }\npath = "y"', "path has no part in made-up data"),
    ],
)
def test_wrong_settings_are_one_message_with_a_line(new, message):
    lines = PLAN.splitlines()
    lines[1] = new
    with pytest.raises(PlanError) as caught:
        parse_plan("\n".join(lines))
    assert len(caught.value.mistakes) == 1
    assert message in caught.value.mistakes[0]
    assert caught.value.mistakes[0].startswith("plan line ")


def test_costs_go_with_made_up_data():
    text = PLAN.replace("seed = 2 }", f"seed = 2 }}\ncosts = {[1] * 9}")
    (data,) = load_data(parse_plan(text))
    assert data.dataset.test_costs.tolist() == [1] * 9
