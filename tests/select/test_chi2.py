import numpy as np
import pytest
from scipy import sparse

from labelsift.select import Chi2

X = np.array([[1, 0], [0, 0], [1, 0], [1, 1], [0, 1], [0, 0], [0, 0], [1, 0]])
Y = np.array([[1, 0], [1, 0], [1, 0], [1, 1], [0, 0], [0, 0], [0, 0], [0, 0]])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize(
    ("variant", "aggregate", "scores", "order"),
    [
        ("full", "mean", [11 / 7, 12 / 7], [1, 0]),
        ("full", "max", [2, 24 / 7], [1, 0]),
        ("full", "min", [8 / 7, 0], [0, 1]),
        ("simplified", "mean", [2.5, 1.5], [0, 1]),
        ("simplified", "max", [4, 3], [0, 1]),
        ("simplified", "min", [1, 0], [0, 1]),
    ],
)
def test_worked_example_pins_the_variant(container, variant, aggregate, scores, order):
    selector = Chi2(variant=variant, aggregate=aggregate).fit(
        container(X), container(Y)
    )
    np.testing.assert_allclose(selector.scores_, scores, rtol=1e-14)
    assert selector.order_.tolist() == order


def test_three_valued_feature_of_the_worked_example_scores_six():
    feature = np.array([[0, 0, 0, 1, 1, 2, 2, 2]]).T
    selector = Chi2(discretize="none").fit(feature, Y[:, :1])
    np.testing.assert_allclose(selector.scores_, [6.0], rtol=1e-14)
