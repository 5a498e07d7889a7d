"""Pairs of labels on features of two values: counted, as if every row were walked."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from labelsift.kernels.mdl_two_classes import (
    EVERY_VALUE,
    FAYYAD_IRANI_BETTER,
    KONONENKO_DEFAULT,
)
from labelsift.select import RRSPFS
from labelsift.statistics import pair_ratios as module
from labelsift.statistics.pair_ratios import pair_ratios, usable_pairs
from reference import rrspfs as reference


def measured(X, Y, rule, **options):
    Y = sparse.csr_array(np.asarray(Y, dtype=np.uint8))
    first, second, sizes = usable_pairs(Y)
    ratios = pair_ratios(X, Y, first, second, rule, **options)
    assert ratios.shape == (X.shape[1], len(sizes))
    return ratios


def column(*values):
    return np.array(values, dtype=float)[:, None]


TWO_CLASSES = np.array([[1, 0]] * 4 + [[0, 1]] * 4)


@pytest.mark.parametrize(
    ("x", "cut", "every"),
    [
        # gain 1 against (log2 7 - 2) / 8 = 0.101
        ([0, 0, 0, 0, 1, 1, 1, 1], 1.0, 1.0),
        ([7, 7, 7, 7, -2, -2, -2, -2], 1.0, 1.0),
        # gain 1 - 5/8 H(1/5) = 0.549 against (log2 7 - 2 + 2 H(1/5)) / 8 = 0.281;
        # the feature's entropy is H(3/8) = 0.954
        ([0, 0, 0, 0, 0, 1, 1, 1], 0.574995, 0.574995),
        # gain 1 - 7/8 H(3/7) = 0.138 against (log2 7 - 2 + 2 H(3/7)) / 8 = 0.347
        ([0, 0, 0, 0, 0, 0, 0, 1], 0.0, 0.253743),
        ([0, 0, 1, 1, 0, 0, 1, 1], 0.0, 0.0),
        ([5, 5, 5, 5, 5, 5, 5, 5], 0.0, 0.0),
        # without the rows that are missing a cut of 1 and 3 rows: gain 0.811 against
        # (log2 7 - 1.623) / 4 = 0.296
        ([0, np.nan, np.nan, np.nan, 1, 1, 1, np.nan], 1.0, 1.0),
        ([np.nan, np.nan, np.nan, np.nan, 0, 1, 1, 1], 0.0, 0.0),
        ([np.nan] * 8, 0.0, 0.0),
    ],
)
def test_numbers_worked_by_hand(x, cut, every):
    for rule, expected in ((FAYYAD_IRANI_BETTER, cut), (EVERY_VALUE, every)):
        found = measured(column(*x), TWO_CLASSES, rule)
        np.testing.assert_allclose(found, [[expected]], atol=1e-6)


def test_rows_with_both_labels_are_left_out():
    Y = [[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [1, 1], [0, 0]]
    x = column(0, 0, 1, 1, 0, 1, 1)
    np.testing.assert_allclose(measured(x, Y, FAYYAD_IRANI_BETTER), [[1.0]])


def random_table(rng):
    n, q = int(rng.integers(2, 90)), int(rng.integers(2, 9))
    Y = rng.random((n, q)) < rng.choice([0.1, 0.3, 0.6])
    X = (rng.random((n, 8)) < rng.random(8)).astype(float)
    for j in range(4):  # features that follow a label
        X[:, j] = Y[:, rng.integers(q)] ^ (rng.random(n) < rng.choice([0, 0.1]))
    X[:, 1] = 1 - X[:, 1]
    X[:, 2] *= -2.5
    X[:, 3] = 4 - 3 * X[:, 3]
    X[:, 5] = np.where(X[:, 5] == 1, 0.25, -0.0)
    X[:, 6] = rng.choice([0.0, 7.0])
    X[:, 7] = rng.integers(-1, 2, n)
    if rng.random() < 0.5:
        X[rng.random(X.shape) < rng.choice([0.05, 0.5])] = np.nan
    return X, Y


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_counted_and_walked_are_equal_to_the_last_bit(seed):
    X, Y = random_table(np.random.default_rng(seed))
    for rule in (FAYYAD_IRANI_BETTER, EVERY_VALUE):
        walked = measured(X, Y, rule, by_counts=False)
        for container in (np.asarray, np.asfortranarray, sparse.csr_array):
            counted = measured(container(X), Y, rule)
            assert counted.tobytes() == walked.tobytes()
        stored = measured(sparse.csc_array(X), Y, rule, by_counts=False)
        assert stored.tobytes() == walked.tobytes()


def test_who_is_walked(monkeypatch):
    X = np.array([[0, 1, 0, 1, 0, 1], [3, 3, 3, 3, 3, 3], [0, 2, 1, 0, 2, 0]]).T * 1.0
    Y = np.array([[1, 0], [0, 1]] * 3)
    walked = []
    by_rows = module._by_rows

    def spied(block, *rest):
        walked.append((len(block.n_known), len(block.rows)))
        by_rows(block, *rest)

    monkeypatch.setattr(module, "_by_rows", spied)
    for container in (np.asarray, sparse.csr_array):
        measured(container(X), Y, FAYYAD_IRANI_BETTER)
        measured(container(X), Y, KONONENKO_DEFAULT)  # has no short way
    assert walked == [(1, 6), (2, 12)] * 2  # features, rows


@pytest.mark.parametrize("mdl", [False, True])
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1))
def test_matches_plain_python_reference(mdl, seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(6, 60)), int(rng.integers(2, 5))
    y = np.r_[np.arange(k), rng.integers(0, k, n - k)]
    X = (rng.random((n, 5)) < rng.random((k, 5))[y]).astype(float)
    X[:2] = [[0], [1]]
    names, sizes, scores = reference.pair_scores(X.tolist(), y.tolist(), mdl=mdl)
    fitted = RRSPFS(discretize="mdl" if mdl else "none").fit(sparse.csr_array(X), y)
    assert fitted.scores_per_problem_.label_names == tuple(names)
    np.testing.assert_allclose(fitted.scores_per_problem_.values.T, scores, atol=1e-10)
    assert fitted.order_.tolist() == reference.merged(sizes, scores, "level")


def test_progress_and_blocks_do_not_matter(monkeypatch):
    X, Y = random_table(np.random.default_rng(5))
    whole = measured(X, Y, FAYYAD_IRANI_BETTER)
    monkeypatch.setattr(module, "_CELLS_A_BLOCK", 1)  # one feature a block
    for container in (np.asarray, sparse.csr_array):
        parts = measured(container(X), Y, FAYYAD_IRANI_BETTER)
        assert parts.tobytes() == whole.tobytes()
