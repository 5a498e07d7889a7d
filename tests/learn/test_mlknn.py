import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold

from labelsift.evaluate.metrics import measure
from labelsift.learn import MLkNN, NeighborGraph
from reference import mlknn as reference

NAMES = (
    "hamming_loss",
    "one_error",
    "coverage",
    "ranking_loss",
    "average_precision",
)

X = np.array([[0.0], [1.0], [2.0], [3.5], [10.0], [11.0]])
Y = np.array([[1], [1], [0], [0], [1], [0]])


def test_worked_example():
    classifier = MLkNN(2).fit(X, Y)
    assert classifier.graph_.neighbors_.index.tolist() == [
        [1, 2],
        [0, 2],
        [1, 3],
        [2, 1],
        [5, 3],
        [4, 3],
    ]
    assert classifier.prior_.tolist() == [0.5]
    queries = [[0.4], [10.6], [3.0]]
    scores = classifier.predict_proba(queries)
    np.testing.assert_allclose(scores.ravel(), [0.5, 3 / 7, 2 / 3], atol=1e-15)
    assert scores[0, 0] == 0.5  # equal evidence, to the last bit
    assert classifier.predict(queries).tolist() == [[0], [0], [1]]


def test_a_row_is_not_its_own_neighbour_while_learning():
    line = np.arange(12.0)[:, None]
    alternating = (np.arange(12) % 2)[:, None]
    classifier = MLkNN(1, smoothing=1).fit(line, alternating)
    # No row's nearest other row has its label: among the 6 with the label, count 1
    # never occurs: (1 + 0) / (1 * 2 + 6) = 0.125 against (1 + 6) / 8.
    assert classifier.posterior_[1, 0] == pytest.approx(0.125)
    assert classifier.predict_proba(line)[:, 0].tolist() == [
        0.875 if y == 0 else 0.125 for y in alternating.ravel()
    ]


@given(seed=st.integers(0, 2**32 - 1))
def test_matches_plain_reference(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(5, 20)), int(rng.integers(1, 4))
    rows = rng.integers(0, 4, (n, 3)) / 3  # many equal distances
    labels = (rng.random((n, 3)) < 0.4).astype(int)
    queries = rng.integers(0, 4, (6, 3)) / 3
    s = float(rng.choice([0.0, 0.5, 1.0]))
    found = MLkNN(k, smoothing=s).fit(rows, labels).predict_proba(queries)
    expected = reference.mlknn(rows.tolist(), labels.tolist(), queries.tolist(), k, s)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_equal_evidence_is_one_half_whatever_the_rounding():
    # 27 rows, 5 neighbours, every count as likely with the label as without it.
    for n_with in range(1, 27):
        rng = np.random.default_rng(n_with)
        labels = rng.permutation(27)[:, None] < n_with
        classifier = MLkNN(5).fit(rng.integers(0, 3, (27, 2)), labels.astype(int))
        present, absent = n_with, 27 - n_with
        counts = classifier._label_counts(classifier.graph_.neighbors_).counts
        for j in range(6):
            seen = int((labels & (counts == j)).sum())
            unseen = int((~labels & (counts == j)).sum())
            pro = (1 + present) * (1 + seen) * (6 + absent)
            contra = (1 + absent) * (1 + unseen) * (6 + present)
            score = classifier.posterior_[j, 0]
            assert np.sign(score - 0.5) == np.sign(pro - contra)


def test_without_smoothing_an_unseen_count_gives_the_prior():
    labels = np.array([[1, 1, 0]] * 3 + [[0, 1, 0]] * 3)
    classifier = MLkNN(2, smoothing=0).fit(X, labels)
    scores = classifier.predict_proba(X)
    assert scores[:, 1].tolist() == [1.0] * 6
    assert scores[:, 2].tolist() == [0.0] * 6
    assert classifier.prior_.tolist() == [0.5, 1.0, 0.0]
    assert np.isfinite(scores).all()


def test_prediction_is_score_over_one_half_and_may_be_empty():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(80, 4))
    labels = (rng.random((80, 5)) < 0.15).astype(int)
    classifier = MLkNN(5).fit(rows, labels)
    predicted = classifier.predict(rows)
    np.testing.assert_array_equal(predicted, classifier.predict_proba(rows) > 0.5)
    assert (predicted.sum(axis=1) == 0).any()
    assert predicted.dtype == np.int64


TARGETS = {
    ("emotions", None): (0.2937, 0.4059, 2.4901, 0.2829, 0.6938),
    ("emotions", "minmax"): (0.2087, 0.2822, 1.8762, 0.1586, 0.7965),
    ("yeast", None): (0.1980, 0.2345, 6.4144, 0.1715, 0.7585),
    ("yeast", "minmax"): (0.1980, 0.2421, 6.3642, 0.1707, 0.7574),
    ("scene", None): (0.0989, 0.2425, 0.5686, 0.0931, 0.8512),
    ("scene", "minmax"): (0.0953, 0.2425, 0.5652, 0.0925, 0.8513),
    ("birds", None): (0.0531, 0.7209, 7.4884, 0.3016, 0.3855),
    ("birds", "minmax"): (0.0490, 0.5523, 5.5930, 0.2075, 0.5294),
    ("medical", None): (0.0187, 0.3504, 3.5039, 0.0585, 0.7256),
    ("medical", "minmax"): (0.0187, 0.3504, 3.5039, 0.0585, 0.7256),
    ("medical swapped", None): (0.0153, 0.2492, 3.4294, 0.0540, 0.8015),
}


@pytest.mark.parametrize(("data", "scale"), TARGETS)
def test_official_splits_give_the_known_metrics(data, scale, check_targets):
    check_targets(MLkNN(10, scale=scale), data, TARGETS[data, scale], atol=1.0001e-4)


# Means over 10-fold runs with several seeds.
FOLDS = {
    ("emotions", None): (0.2617, 0.3882, 2.2499, 0.2569, 0.7131),
    ("emotions", "minmax"): (0.1941, 0.2700, 1.7842, 0.1615, 0.8008),
    ("yeast", None): (0.1947, 0.2328, 6.2777, 0.1674, 0.7637),
    ("yeast", "minmax"): (0.1923, 0.2296, 6.2090, 0.1645, 0.7664),
    ("scene", None): (0.0867, 0.2299, 0.4794, 0.0783, 0.8634),
    ("scene", "minmax"): (0.0867, 0.2320, 0.4807, 0.0786, 0.8626),
}


@pytest.mark.slow
@pytest.mark.parametrize(("data", "scale"), FOLDS)
def test_ten_folds_give_the_known_means(data, scale, split):
    parts = split(data)
    rows = np.vstack([p.X for p in parts])
    labels = np.vstack([p.Y for p in parts])
    deep = NeighborGraph(18).fit(rows)
    found = []
    for seed in range(3 if scale is None else 1):
        for train, test in KFold(10, shuffle=True, random_state=seed).split(rows):
            classifier = MLkNN(10, scale=scale)
            if scale is None:
                graph, near = deep.fold(train, test, 10)
                classifier.fit(graph, labels[train])
            else:
                near = rows[test]
                classifier.fit(rows[train], labels[train])
            values = measure(
                NAMES,
                labels[test],
                predictions=classifier.predict(near),
                scores=classifier.predict_proba(near),
            )
            found.append(list(values.values()))
    # Two standard deviations of one 10-fold run, and a little.
    near_enough = np.array([0.004, 0.012, 0.04, 0.005, 0.008])
    assert (np.abs(np.mean(found, axis=0) - FOLDS[data, scale]) < near_enough).all()
