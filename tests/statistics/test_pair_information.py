"""What features tell of labels and of each other, against entropies from tables."""

import numpy as np
import pytest

from labelsift.encode.codes import Codes
from labelsift.encode.labels import LabelMatrix
from labelsift.statistics import pair_information as module
from labelsift.statistics.levels import PairRows
from labelsift.statistics.pair_information import PairInformation

N, D, Q = 40, 6, 3
rng = np.random.default_rng(8)
CODES = rng.integers(0, 3, (D, N)).astype(np.uint8)
LABELS = (rng.random((N, Q)) < [0.5, 0.2, 0.7]).astype(np.uint8)


def information(labels=LABELS, codes=CODES):
    rows = PairRows(len(codes), labels.shape[1])
    bins, default = np.full(len(codes), 3), np.zeros(len(codes), dtype=np.int64)
    names = tuple(map(str, range(labels.shape[1])))
    rows.update(Codes(codes, bins, default), LabelMatrix(labels, names))
    return PairInformation(rows)


def entropy(*columns):
    _, counts = np.unique(np.array(columns), axis=1, return_counts=True)
    share = counts / counts.sum()
    return float(-(share * np.log2(share)).sum())


def told(a, b):
    return entropy(a) + entropy(b) - entropy(a, b)


def told_given(a, b, c):
    return entropy(a, c) + entropy(b, c) - entropy(a, b, c) - entropy(c)


@pytest.mark.parametrize("limit", [0, 2**25])
def test_pairs_of_features_all_at_once_or_one_by_one(monkeypatch, limit):
    monkeypatch.setattr(module, "ALL_PAIRS", limit)
    found = information()
    found.keep_all_pairs(with_labels=True, rounds=4)
    assert (found.pairs is None) == (limit == 0)
    for pick in (0, 4):
        others = np.setdiff1d(np.arange(D), [pick])
        alone = np.zeros(D, dtype=np.int64)
        redundancy, interaction = alone.copy(), alone.copy()
        found.add_redundancy(pick, others, alone)
        found.add_interaction(pick, others, redundancy, interaction)
        np.testing.assert_array_equal(alone[others], redundancy[others])
        for f in others:
            expected = told(CODES[f], CODES[pick])
            assert found.to_bits(redundancy[f]) == pytest.approx(expected, abs=1e-9)
            twice = sum(
                told(CODES[f], y) - told_given(CODES[f], y, CODES[pick])
                for y in LABELS.T
            )
            assert found.to_bits(interaction[f]) == pytest.approx(twice, abs=1e-9)


def test_the_least_that_is_told_given_any_pick():
    found = information()
    minima = np.full((D, Q), np.iinfo(np.int64).max)
    others = np.array([1, 2, 5])
    for pick in (0, 3):
        found.lower_minima(pick, others, minima)
    for f in others:
        for k in range(Q):
            least = min(told_given(CODES[f], LABELS[:, k], CODES[p]) for p in (0, 3))
            assert found.to_bits(minima[f, k]) == pytest.approx(least, abs=1e-9)
    assert (minima[[0, 3, 4]] == np.iinfo(np.int64).max).all()


@pytest.mark.parametrize("features", [None, np.array([1, 4])])
def test_pairs_of_labels(features):
    found = information().label_pairs(features=features)
    for f in range(D):
        twice = sum(
            told(CODES[f], LABELS[:, a])
            - told_given(CODES[f], LABELS[:, a], LABELS[:, b])
            for a in range(Q)
            for b in range(a + 1, Q)
        )
        asked = features is None or f in features
        assert found[f] == pytest.approx(twice if asked else 0.0, abs=1e-9)
    one = information().label_pairs(among=np.array([2]))
    assert one.tolist() == [0.0] * D


def test_a_thousand_labels_have_fewer_places_and_the_same_answer():
    # copies of two labels: the pairs within and between the copies
    n_a, n_b = 600, 500
    many = np.repeat(LABELS[:, :2], [n_a, n_b], axis=1)
    found = information(many, CODES[:2]).label_pairs()

    def pair(a, b):
        return information(LABELS[:, [a, b]], CODES[:2]).label_pairs()

    within = n_a * (n_a - 1) // 2 * pair(0, 0) + n_b * (n_b - 1) // 2 * pair(1, 1)
    np.testing.assert_allclose(found, within + n_a * n_b * pair(0, 1), rtol=1e-6)


def test_entropies_and_relevance():
    found = information()
    assert found.n_variables == Q
    for f in range(D):
        assert found.to_bits(found.entropy[f]) == pytest.approx(entropy(CODES[f]))
        relevance = sum(told(CODES[f], y) for y in LABELS.T)
        assert found.to_bits(found.relevance[f]) == pytest.approx(relevance, abs=1e-9)
    expected = [entropy(y) for y in LABELS.T]
    np.testing.assert_allclose(found.to_bits(found.variable_entropy), expected)
    assert found.is_constant.tolist() == [False] * D


def test_two_features_are_a_pair():
    found = information(codes=CODES[:2])
    found.keep_all_pairs(with_labels=True)
    one = information(codes=CODES[:2])
    redundancy, interaction = np.zeros((2, 2), dtype=np.int64)
    one.add_interaction(0, np.array([1]), redundancy, interaction)
    expected = told(CODES[0], CODES[1])
    assert found.to_bits(found.pairs[0][0, 1]) == pytest.approx(expected, abs=1e-9)
    assert (found.pairs[0] == found.pairs[0].T).all()
    assert (found.pairs[1] == found.pairs[1].T).all()
    assert found.pairs[:, 0, 1].tolist() == [redundancy[1], interaction[1]]
