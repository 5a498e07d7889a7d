import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.kernels.neighbors_conditions import (
    similar_counts,
    similar_counts_packed,
)
from labelsift.learn import DMLkNN, MLkNN
from labelsift.learn._label_counts import CountGroups, packed
from reference import mlknn as reference

X = np.array([[0.0], [1.0], [2.0], [3.5], [10.0], [11.0]])
Y = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [0, 1]])


@pytest.mark.parametrize(
    ("delta", "scores"), [(0, [0.5, 0.5]), (1, [0.5, 0.75]), (2, [0.5, 0.6])]
)
def test_worked_example(delta, scores):
    classifier = DMLkNN(2, delta=delta).fit(X, Y)
    np.testing.assert_allclose(classifier.predict_proba([[0.4]]), [scores], atol=1e-15)
    assert classifier.predict([[0.4]]).tolist() == [[1, 1]]  # one half is enough


@given(seed=st.integers(0, 2**32 - 1))
def test_matches_plain_reference(seed):
    rng = np.random.default_rng(seed)
    n, k, delta = int(rng.integers(6, 18)), int(rng.integers(1, 5)), rng.integers(0, 4)
    rows = rng.integers(0, 4, (n, 3)) / 3
    labels = (rng.random((n, 3)) < 0.4).astype(int)
    queries = rng.integers(0, 4, (5, 3)) / 3
    s = float(rng.choice([0.0, 0.5, 1.0]))
    for normalizer, cells in (("labels", 3), ("counts", k + 1)):
        found = DMLkNN(k, smoothing=s, delta=int(delta), normalizer=normalizer).fit(
            rows, labels
        )
        expected = reference.dmlknn(
            rows.tolist(), labels.tolist(), queries.tolist(), k, s, delta, cells
        )
        np.testing.assert_allclose(found.predict_proba(queries), expected, atol=1e-12)


@given(seed=st.integers(0, 2**32 - 1))
def test_without_the_condition_on_other_labels_it_is_mlknn_to_the_last_bit(seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(30, 3))
    labels = (rng.random((30, 4)) < 0.3).astype(int)
    s = float(rng.choice([0.5, 1.0, 2.0]))
    wide = DMLkNN(5, smoothing=s, delta=5, normalizer="counts").fit(rows, labels)
    plain = MLkNN(5, smoothing=s).fit(rows, labels)
    np.testing.assert_array_equal(wide.predict_proba(rows), plain.predict_proba(rows))


TARGETS = {
    "emotions": (0.3086, 0.4010, 2.4901, 0.2824, 0.6964),
    "yeast": (0.2081, 0.2781, 6.7470, 0.1873, 0.7357),
    "scene": (0.0957, 0.2383, 0.5677, 0.0929, 0.8527),
}


@pytest.mark.parametrize("data", TARGETS)
def test_official_splits_give_the_known_metrics(data, check_targets):
    check_targets(DMLkNN(10), data, TARGETS[data], atol=1.0001e-4)


@given(seed=st.integers(0, 2**32 - 1), L=st.integers(1, 20), k=st.integers(1, 63))
def test_counts_compared_eight_at_a_time_give_the_same(seed, L, k):
    rng = np.random.default_rng(seed)
    n, m, delta = 400, 5, int(rng.integers(0, k + 1))
    top = int(rng.integers(0, k + 1)) + 1
    counts = rng.integers(0, top, (n, L)).astype(np.int32)
    queries = rng.integers(0, top, (m, L)).astype(np.int32)
    labels = rng.integers(0, 2, (n, L)).astype(np.uint8)
    order = rng.permutation(L)
    similar = (np.abs(queries[:, None] - counts) <= delta).all(axis=2)
    bears = similar[:, :, None] & (queries[:, None] == counts)
    expected = [(bears & (labels == value)).sum(axis=1) for value in (1, 0)]
    groups = CountGroups(counts, k)
    sizes, having = groups.tally(labels)
    assert sizes.sum() == n
    witnesses = groups.counts, sizes, having, delta
    slow = np.zeros((2, m, L), np.int64)
    similar_counts(queries, *witnesses, order, *slow)
    np.testing.assert_array_equal(slow, expected)
    fast = np.zeros((2, m, L), np.int64)
    similar_counts_packed(
        packed(queries, order),
        packed(groups.counts, order),
        packed(queries, order, 16),
        packed(groups.counts, order, 16),
        sizes.astype(np.uint64),
        packed(having, order, 16),
        delta,
        order,
        *fast,
    )
    np.testing.assert_array_equal(fast, expected)


def test_many_neighbours_and_many_rows_take_the_plain_loop():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 2))
    labels = (rng.random((300, 3)) < 0.4).astype(int)
    queries = rng.normal(size=(20, 2))
    for k in (63, 64, 270):
        found = DMLkNN(k, delta=9).fit(rows, labels).predict_proba(queries)
        expected = reference.dmlknn(
            rows.tolist(), labels.tolist(), queries.tolist(), k, 1.0, 9, 3
        )
        np.testing.assert_allclose(found, expected, atol=1e-12)
