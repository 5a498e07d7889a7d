"""Moments of classes made of label sets, against the rows themselves."""

import numpy as np
import pytest
from scipy import sparse

from labelsift.encode.labels import as_label_matrix
from labelsift.score import class_moments
from labelsift.score.class_moments import ClassMoments, ClassSums, membership
from labelsift.statistics.label_moments import LabelMoments

rng = np.random.default_rng(11)
X = rng.normal(loc=[0, 3, -100, 0, 1], size=(40, 5))
X[:, 3:] *= rng.random((40, 2)) < 0.3
Y = (rng.random((40, 3)) < 0.4).astype(int)


def moments(container=np.asarray):
    found = LabelMoments(5, 3, is_sparse=container is sparse.csr_array)
    found.update(container(X), as_label_matrix(Y, 40))
    return found


def test_scatter_of_a_class_and_of_an_empty_one():
    # rows 1 and 4 about the mean 0 of all: 1 + 16 - 25 / 2
    classes = ClassMoments(
        np.array([2.0, 0.0]), np.array([[5.0], [0.0]]), np.array([[17.0], [0.0]])
    )
    assert classes.scatter.tolist() == [[4.5], [0.0]]


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("few", [0, 1 << 20])
def test_classes_are_those_of_the_rows(monkeypatch, container, few):
    monkeypatch.setattr(class_moments, "_FEW_WEIGHTS", few)
    gathered = moments(container)
    sums = ClassSums(gathered)
    np.testing.assert_allclose(sums.mean, X.mean(axis=0), rtol=1e-12)
    member = membership(gathered)
    assert member.shape == (3, gathered.n_sets)
    found = sums.of(member)
    about = X - X.mean(axis=0)
    np.testing.assert_array_equal(found.counts, Y.sum(axis=0))
    np.testing.assert_allclose(found.sums, Y.T @ about, atol=1e-9)
    np.testing.assert_allclose(found.squares, Y.T @ about**2, rtol=1e-9)
    scatter = [((X[y > 0] - X[y > 0].mean(axis=0)) ** 2).sum(axis=0) for y in Y.T]
    np.testing.assert_allclose(found.scatter, scatter, rtol=1e-9)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("few", [0, 1 << 20])
def test_weighted_sums_weigh_each_row_by_the_share_of_its_set(
    monkeypatch, container, few
):
    monkeypatch.setattr(class_moments, "_FEW_WEIGHTS", few)
    gathered = moments(container)
    sums, sets = ClassSums(gathered), gathered.sets
    shares = 1.0 / np.maximum(np.diff(sets.indptr), 1)
    weights = sums.weights(sets.indptr, sets.indices, shares)
    assert sparse.issparse(weights) == (few == 0 or container is sparse.csr_array)
    each = Y / np.maximum(Y.sum(axis=1, keepdims=True), 1)
    expected = each.T @ (X - X.mean(axis=0))
    np.testing.assert_allclose(sums.sums_of(weights), expected, atol=1e-9)
