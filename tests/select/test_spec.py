from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.feature_selection import SelectKBest
from sklearn.neighbors import NearestNeighbors

from labelsift.score import near_walk
from labelsift.select import SPEC, LaplacianScore
from labelsift.select import spec as spec_module
from reference.spec import laplacian_score, spec

X4 = np.array([[1.0, 1], [2, 1], [3, 0], [4, 0]])
Y4 = np.array([[1, 1, 1], [0, 1, 1], [1, 0, 0], [0, 0, 0]])


def test_scores_are_larger_for_better_features_whatever_the_criterion():
    first = SPEC(1, scale="none").fit(X4, Y4)
    np.testing.assert_allclose(first.phi_, [0.3, 0.2])
    np.testing.assert_allclose(first.scores_, [-0.3, -0.2])
    assert first.order_.tolist() == [1, 0]
    third = SPEC(1, criterion="phi_3").fit(X4, Y4)
    assert (third.scores_ == third.phi_).all()


def test_best_feature_of_two_classes_comes_first():
    # a peer sorts these small scores downwards and puts the best feature last
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 50)
    X = rng.normal(size=(100, 2))
    X[:, 0] = y + 0.1 * X[:, 0]
    for criterion in ("phi_1", "phi_2", "phi_3"):
        selector = SPEC(1, criterion=criterion).fit(X, y)
        assert selector.order_[0] == 0
        assert selector.get_support().tolist() == [True, False]
    # and the scores serve scikit-learn's own selection
    best = SelectKBest(lambda X, y: SPEC().fit(X, y).scores_, k=1).fit(X, y)
    assert best.get_support().tolist() == [True, False]


def test_constant_features_come_last_though_their_phi_1_would_be_best():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 5))
    X[:, 0] = 0.1
    X[:, 3] = 1e9
    Y = rng.integers(0, 2, (30, 3))
    for is_sparse in (False, True):
        selector = SPEC(scale="none").fit(sparse.csr_array(X) if is_sparse else X, Y)
        assert selector.order_[-2:].tolist() == [0, 3]
        assert np.isneginf(selector.scores_[[0, 3]]).all()
        assert np.isnan(selector.phi_[[0, 3]]).all()
        assert np.isfinite(selector.scores_[[1, 2, 4]]).all()


def test_a_feature_that_varies_only_on_rows_without_neighbours_says_nothing():
    Y = np.array([[1, 1], [1, 0], [1, 1], [0, 0], [0, 0]])
    X = np.array([[2.0, 1], [2, 2], [2, 4], [5, 1], [0, 2]])
    selector = SPEC().fit(X, Y)
    assert selector.n_isolated_rows_ == 2
    assert selector.order_.tolist() == [1, 0]
    assert np.isnan(selector.phi_[0])


@pytest.mark.filterwarnings("ignore:all rows have the same label set")
def test_blocks_of_rows_give_the_bits_of_the_whole():
    rng = np.random.default_rng(2)
    X, Y = rng.normal(size=(90, 4)), rng.integers(0, 2, (90, 4))
    whole = SPEC().fit(X, Y)
    for bounds in ([0, 1, 90], [0, 30, 60, 90]):
        parts = SPEC()
        for start, stop in pairwise(bounds):
            parts.partial_fit(X[start:stop], Y[start:stop])
        assert (parts.phi_ == whole.phi_).all()
        assert parts.n_label_sets_ == whole.n_label_sets_
    mixed = SPEC().partial_fit(sparse.csr_array(X[:40]), Y[:40])
    mixed.partial_fit(X[40:], sparse.csr_array(Y[40:]))
    np.testing.assert_allclose(mixed.phi_, whole.phi_, rtol=1e-12)
    other = (
        SPEC().partial_fit(X[:40], Y[:40]).partial_fit(sparse.csr_array(X[40:]), Y[40:])
    )
    assert (other.phi_ == whole.phi_).all()


def test_float32_is_read_as_it_is():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(50, 4)).astype(np.float32)
    Y = rng.integers(0, 2, (50, 3))
    assert (SPEC().fit(X, Y).phi_ == SPEC().fit(X.astype(float), Y).phi_).all()


def neighbor_matrix(X, k, width):
    distances, neighbors = NearestNeighbors(n_neighbors=k + 1).fit(X).kneighbors(X)
    S = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for distance, j in zip(distances[i], neighbors[i], strict=True):
            if i != j:
                S[i, j] = S[j, i] = np.exp(-(distance**2) / (2 * width**2))
    return S


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("loops", [False, True])
def test_without_labels_the_graph_is_that_of_nearest_rows(is_sparse, loops):
    X = np.random.default_rng(4).normal(size=(40, 5))
    X[:, 1] *= 100
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    S = neighbor_matrix(Z, 4, 2.0)
    if loops:
        np.fill_diagonal(S, 1)
    data = sparse.csr_array(X) if is_sparse else X
    for criterion, power in [("phi_1", 1), ("phi_1", 2), ("phi_2", 1), ("phi_3", 1)]:
        selector = SPEC(
            criterion=criterion,
            n_neighbors=4,
            bandwidth=2.0,
            spectral_power=power,
            self_loops=loops,
        ).fit(data)
        want = spec(X, S, criterion, self_loops=loops, power=power, k=40)
        np.testing.assert_allclose(selector.phi_, want, rtol=1e-9)
    alias = LaplacianScore(n_neighbors=4, bandwidth=2.0, self_loops=loops).fit(data)
    np.testing.assert_allclose(
        alias.phi_, laplacian_score(Z, S, self_loops=loops), rtol=1e-9
    )


def test_without_labels_clusters_are_found():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(80, 4))
    X[:40, 2] += 12
    for selector in (SPEC(bandwidth="median"), LaplacianScore()):
        assert selector.fit(X).order_[0] == 2
        assert selector.n_label_sets_ == 0
        assert selector.transform(X).shape == (80, 4)


def test_minmax_and_unscaled_distances_differ():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(30, 3)) * [1, 10, 100]
    phi = {
        scale: SPEC(criterion="phi_2", bandwidth="median", scale=scale).fit(X).phi_
        for scale in ("zscore", "minmax", "none")
    }
    assert not np.allclose(phi["zscore"], phi["minmax"], rtol=1e-3)
    assert not np.allclose(phi["zscore"], phi["none"], rtol=1e-3)
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    again = SPEC(criterion="phi_2", bandwidth="median", scale="none").fit(scaled).phi_
    np.testing.assert_allclose(phi["minmax"], again, rtol=1e-9)


def test_laplacian_score_with_labels_is_phi_2():
    rng = np.random.default_rng(7)
    X, Y = rng.normal(size=(40, 5)), rng.integers(0, 2, (40, 3))
    alias = LaplacianScore(similarity="cosine").fit(X, Y)
    assert (
        alias.phi_ == SPEC(similarity="cosine", criterion="phi_2").fit(X, Y).phi_
    ).all()


def test_duplicate_rows_and_ties_go_to_the_lower_index():
    X = np.array([[0.0], [0.0], [1.0], [-1.0]])
    dense = SPEC(n_neighbors=1, scale="none", criterion="phi_2").fit(X)
    # neighbours: 0-1, 1-0, 2-0 (tie with 1), 3-0
    S = np.zeros((4, 4))
    S[0, 1] = S[1, 0] = 1
    S[2, 0] = S[0, 2] = S[3, 0] = S[0, 3] = np.exp(-0.5)
    np.testing.assert_allclose(dense.phi_, laplacian_score(X, S))
    rows = SPEC(n_neighbors=1, scale="none", criterion="phi_2").fit(sparse.csr_array(X))
    np.testing.assert_allclose(rows.phi_, dense.phi_)


def test_a_bandwidth_too_small_is_named():
    X = np.random.default_rng(8).normal(size=(20, 3))
    with pytest.raises(ValueError, match=r"bandwidth=1e-05.*bandwidth='median'"):
        SPEC(bandwidth=1e-5).fit(X)


def test_blocks_without_labels_are_refused():
    with pytest.raises(ValueError, match="partial_fit needs labels"):
        SPEC().partial_fit(X4)


def test_labels_all_different_give_index_order_and_a_warning():
    with pytest.warns(UserWarning, match="no two rows have similar label sets"):
        selector = SPEC().fit(
            np.random.default_rng(0).normal(size=(3, 4)), np.eye(3, dtype=int)
        )
    assert selector.scores_.tolist() == [0, 0, 0, 0]


def test_too_many_label_sets_are_refused(monkeypatch):
    monkeypatch.setattr(spec_module, "MAX_LABEL_SETS", 3)
    with pytest.raises(ValueError, match="more than 3 distinct label sets"):
        SPEC(spectral_power=2).fit(X4, Y4)
    assert SPEC(scale="none").fit(X4, Y4).phi_.round(3).tolist() == [0.3, 0.2]


def test_pairs_of_label_sets_that_take_days_are_refused_with_a_remedy(monkeypatch):
    monkeypatch.setattr(near_walk, "MAX_SECONDS", 1e-12)
    with pytest.raises(ValueError, match=r"pairs of 4 distinct label sets .* a sample"):
        SPEC().fit(X4, Y4)


@pytest.mark.parametrize(
    "wrong",
    [
        {"similarity": "dice"},
        {"criterion": "phi_4"},
        {"bandwidth": 0},
        {"bandwidth": "mean"},
        {"empty_similarity": 1.5},
        {"spectral_power": 0},
        {"scale": "robust"},
        {"n_eigenvectors": 1},
        {"n_neighbors": 0},
        {"self_loops": "yes"},
    ],
)
def test_wrong_options_are_named(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        SPEC(**wrong).fit(X4, Y4)


def test_frames_keep_names():
    frame = pd.DataFrame(X4, columns=["tempo", "rhythm"])
    labels = pd.DataFrame(Y4, columns=["calm", "sad", "slow"])
    selector = SPEC(1, scale="none").fit(frame, labels)
    assert selector.get_feature_names_out().tolist() == ["rhythm"]
    assert selector.label_names_in_.tolist() == ["calm", "sad", "slow"]


@pytest.mark.parametrize("criterion", ["phi_1", "phi_2", "phi_3"])
@pytest.mark.parametrize("similarity", ["jaccard", "cosine", "same_class"])
def test_one_label_column_is_its_two_classes(criterion, similarity):
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(30, 4)), rng.integers(0, 2, 30)
    column = SPEC(criterion=criterion, similarity=similarity).fit(X, y[:, None])
    vector = SPEC(criterion=criterion, similarity=similarity).fit(X, y)
    np.testing.assert_allclose(column.phi_, vector.phi_, rtol=1e-10)


def test_later_blocks_of_a_class_vector_may_lack_classes():
    rng = np.random.default_rng(10)
    X = rng.normal(size=(30, 3))
    y = np.array(["a", "b", "c"] * 5 + ["b"] * 15)
    whole = SPEC().fit(X, y)
    parts = SPEC().partial_fit(X[:15], y[:15]).partial_fit(X[15:], y[15:])
    assert (parts.phi_ == whole.phi_).all()
    more = SPEC().fit(X[:15], y[:15]).partial_fit(X[15:], y[15:])
    assert (more.phi_ == whole.phi_).all()


@pytest.mark.parametrize("make", [np.array, sparse.csr_array])
def test_a_feature_scores_the_same_bits_beside_any_others(make):
    rng = np.random.default_rng(5)
    Y = (rng.random((50, 6)) < 0.4).astype(int)
    X = rng.normal(size=(50, 9)) * (rng.random((50, 9)) < 0.8)
    alone = [SPEC().fit(make(X[:, [f]]), Y).phi_[0] for f in range(9)]
    for d in range(2, 10):
        assert SPEC().fit(make(X[:, :d]), Y).phi_.tolist() == alone[:d]


def test_refitting_on_an_array_forgets_names():
    X, Y = np.arange(12.0).reshape(6, 2) % 5, np.eye(2, dtype=int)[[0, 0, 0, 1, 1, 1]]
    selector = SPEC().fit(pd.DataFrame(X, columns=["a", "b"]), Y)
    assert selector.feature_names_in_.tolist() == ["a", "b"]
    selector.fit(X[:, :1], Y)
    assert selector.n_features_in_ == 1
    assert not hasattr(selector, "feature_names_in_")
