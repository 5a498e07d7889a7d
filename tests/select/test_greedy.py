"""Greedy selection by mutual information: worked examples, a slow reference, ties."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.encode.labels import as_label_matrix
from labelsift.select import SELECTORS
from reference import greedy as reference

METHODS = sorted(
    {
        "ami",
        "d2f",
        "fimf",
        "lrfs",
        "mdmr",
        "mlcmim",
        "mljmi",
        "mlmim",
        "mlmrmr",
        "pmu",
        "scls",
    }
    & set(SELECTORS)
)
each_method = pytest.mark.parametrize("method", METHODS)


def rows(text):
    return np.array([[int(digit) for digit in row] for row in text.split()])


X1 = rows("001 011 100 111 200 211 010 100")
Y1 = rows("11 10 01 00 00 01 10 11")
# the values of all candidates left, round by round; the order is 0, 1, 2
ROUNDS = {
    "mlmim": [[0.716917, 0.188722, 0], [0.188722, 0], [0]],
    "fimf": [[0.811278, 0.5, 0], [0.5, 0], [0]],
    "mlmrmr": [[0.716917, 0.188722, 0], [0.127444, -0.061278], [-0.125]],
    "ami": [[0.716917, 0.188722, 0], [0.127444, -0.061278], [-0.25]],
    "scls": [[0.716917, 0.188722, 0], [0.177157, 0], [0]],
    "lrfs": [[0.905639, 0.811278, 0], [0.75, -0.061278], [-0.125]],
    "d2f": [[0.716917, 0.188722, 0], [1.033083, 0.783083], [1.216917]],
    "pmu": [[0.811278, 0.5, 0], [1.344361, 0.783083], [1.216917]],
    "mljmi": [[0.716917, 0.188722, 0], [1.75, 1.5], [1.061278]],
    "mdmr": [[0.716917, 0.188722, 0], [1.160527, 0.721805], [0.483459]],
    "mlcmim": [[0.716917, 0.188722, 0], [1.033083, 0.783083], [0.216917]],
}

# column 5 (the last) equals column 1, column 4 is constant
X2 = rows("201110 211211 001010 011111 200110 111211 010011 211111 001210 201010")
Y2 = rows("001 110 111 111 011 011 011 110 101 001")
PICKS = {
    "mlmim": ([2, 6, 1, 3, 4], [0.661318, 0.661318, 0.497771, 0.427102, 0.176753]),
    "fimf": ([1, 2, 6, 3, 4], [0.721928, 0.636453, 0.636453, 0.519345, 0.417390]),
    "mlmrmr": ([2, 3, 1, 6, 4], [0.661318, 0.427102, 0.422282, 0.289810, 0.050391]),
    "ami": ([2, 3, 1, 4, 6], [0.661318, 0.427102, 0.346793, -0.279673, -0.502229]),
    "scls": ([2, 1, 3, 4, 6], [0.661318, 0.455883, 0.405536, 0.125399, -0.108157]),
    "lrfs": ([1, 3, 2, 4, 6], [2.126387, 0.948033, 0.927223, 0.623267, 0.693599]),
    "pmu": ([1, 4, 2, 6, 3], [1.063193, 1.289934, 1.826033, 1.164715, 0.773085]),
    "d2f": ([2, 1, 4, 6, 3], [0.661318, 1.266412, 1.644131, 1.333790, 0.707944]),
    "mljmi": ([2, 1, 4, 6, 3], [0.661318, 1.927730, 1.489986, 1.330756, 0.996602]),
    "mdmr": ([2, 1, 3, 6, 4], [0.661318, 1.649658, 0.970295, 1.008828, 0.721883]),
    "mlcmim": ([2, 1, 4, 3, 6], [0.661318, 1.266412, 0.505448, 0.373534, 0]),
}


def fitted(method, X, Y, **settings):
    settings = {"discretize": "none", **settings}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return SELECTORS[method](**settings).fit(X, Y)


def start(method, X, Y, **settings):
    selector = SELECTORS[method](discretize="none", **settings)
    selector.n_features_in_ = X.shape[1]
    return selector._start_search(np.asarray(X, dtype=float), as_label_matrix(Y))


@each_method
def test_first_example_value_of_every_candidate_in_every_round(method):
    search = start(method, X1, Y1)
    for step, expected in enumerate(ROUNDS[method]):
        values = search.criterion()
        np.testing.assert_allclose(values[step:], expected, atol=1e-6)
        assert (values[:step] == -np.inf).all()
        assert search.best() == step
        search.add(step)
    assert search.best() is None
    selector = fitted(method, X1, Y1)
    assert selector.order_.tolist() == [0, 1, 2]
    trace = [values[0] for values in ROUNDS[method]]
    np.testing.assert_allclose(selector.criterion_, trace, atol=1e-6)


@each_method
def test_second_example_order_and_value_at_each_pick(method):
    settings = {"n_pair_labels": 2} if method == "fimf" else {}
    order, trace = PICKS[method]
    selector = fitted(method, X2, Y2, **settings)
    assert (selector.order_ + 1).tolist() == [*order, 5]
    np.testing.assert_allclose(selector.criterion_, trace, atol=1e-6)
    assert selector.scores_[4] == 0
    assert selector.scores_[selector.order_[:5]].tolist() == [6, 5, 4, 3, 2]
    for k in range(1, 6):
        short = fitted(method, X2, Y2, n_features_to_select=k, **settings)
        assert (short.order_[:k] + 1).tolist() == order[:k]
        assert sorted(short.order_) == list(range(6))
        assert short.criterion_.tolist() == selector.criterion_[:k].tolist()
        assert short.order_[-1] == 4


@each_method
@given(seed=st.integers(0, 2**32 - 1))
def test_random_tables_equal_the_slow_reference(method, seed):
    rng = np.random.default_rng(seed)
    n, d, q = rng.integers([8, 3, 1], [30, 7, 5])
    X = rng.integers(0, rng.integers(1, 5, d), (n, d))
    Y = (rng.random((n, q)) < rng.random(q)).astype(int)
    X[:, 0] = X[:, -1]  # equal columns
    order, trace = reference.select(method, X.T.tolist(), Y.T.tolist())
    selector = fitted(method, X, Y)
    if (Y == Y[0]).all():
        assert (selector.criterion_ == 0).all()
        assert selector.order_[: len(order)].tolist() == sorted(order)
        return
    np.testing.assert_allclose(selector.criterion_, trace, atol=1e-8)
    assert selector.order_[: len(order)].tolist() == order
    container = sparse.csr_array if seed % 2 else sparse.csc_matrix
    other = fitted(method, container(X.astype(float)), sparse.csr_array(Y))
    assert (other.order_ == selector.order_).all()
    assert (other.criterion_ == selector.criterion_).all()
