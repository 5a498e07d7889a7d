import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.encode.labels import as_label_matrix
from labelsift.score import label_graph, near_walk
from labelsift.score import spectral as spectral_module
from labelsift.score.label_graph import LabelGraph, histogram_median
from labelsift.score.spectral import spectral_scores
from labelsift.statistics.label_moments import LabelMoments
from reference.spec import label_similarity, laplacian_score, spec

# four rows with the label sets {1,2,3}, {2,3}, {1}, {}
Y4 = np.array([[1, 1, 1], [0, 1, 1], [1, 0, 0], [0, 0, 0]])
X4 = np.array([[1.0, 1], [2, 1], [3, 0], [4, 0]])


def scores(X, Y, similarity="jaccard", *, is_sparse=False, loops=False, **options):
    moments = LabelMoments(X.shape[1], np.shape(Y)[1], is_sparse=is_sparse)
    moments.update(sparse.csr_array(X) if is_sparse else X, as_label_matrix(Y))
    graph = LabelGraph(
        moments,
        similarity,
        self_loops=loops,
        bandwidth=options.pop("bandwidth", 1.0),
        empty_similarity=options.pop("empty_similarity", 0.0),
    )
    return spectral_scores(moments, graph, **{"scale": "none", **options})


@pytest.mark.parametrize(
    ("similarity", "loops", "empty", "criterion", "f", "g"),
    [
        ("jaccard", False, 0, "phi_1", 0.3, 0.2),
        ("jaccard", False, 0, "phi_2", 1.8, 1.2),
        ("jaccard", True, 1, "phi_1", 3 / 55, 1 / 11),
        ("jaccard", True, 1, "phi_2", 0.2842105, None),
        ("jaccard", True, 0, "phi_1", 3 / 31, None),
        ("jaccard", True, 0, "phi_2", 0.6164384, None),
        ("rbf", False, 0, "phi_1", 0.1777922, None),
        ("rbf", True, 0, "phi_1", 0.0968871, None),
    ],
)
def test_four_rows_worked_by_hand(similarity, loops, empty, criterion, f, g):
    for is_sparse in (False, True):
        phi = scores(
            X4,
            Y4,
            similarity,
            loops=loops,
            empty_similarity=empty,
            criterion=criterion,
            is_sparse=is_sparse,
        ).phi
        assert phi[0] == pytest.approx(f, abs=5e-8)
        if g is not None:
            assert phi[1] == pytest.approx(g, abs=1e-12)


def test_eigenvalues_of_the_four_rows():
    # with k = 2 phi_3 sees the second zero eigenvalue only: its part is 2 alpha_1^2
    options = {"loops": True, "empty_similarity": 1, "criterion": "phi_3"}
    leading = scores(X4, Y4, n_eigenvectors=2, **options).phi
    whole = scores(X4, Y4, **options).phi
    # sum over all j >= 1 of (2 - lambda) alpha^2 = 2 (1 - alpha_0^2) - phi_1
    assert whole[0] == pytest.approx(2 * (1 - 0.8080808) - 3 / 55, abs=1e-6)
    assert 0 < leading[0] < whole[0]


def test_degrees_of_rows_without_a_neighbour_are_zero():
    found = scores(X4, Y4)
    assert found.n_isolated == 1
    assert scores(X4, Y4, empty_similarity=1).n_isolated == 1
    assert scores(X4, Y4, "same_class").n_isolated == 4
    assert not scores(X4, Y4, "same_class").defined.any()


def take_near_pairs(patch):
    """Make small tables go the way of large ones: only pairs that share a label."""
    patch.setattr(near_walk, "FEW_GROUPS", 0)
    patch.setattr(near_walk, "seconds_of_near", lambda graph, sums: 0.0)


options = st.fixed_dictionaries(
    {
        "criterion": st.sampled_from(["phi_1", "phi_2", "phi_3"]),
        "power": st.sampled_from([1, 2, 3, 4]),
        "scale": st.sampled_from(["zscore", "minmax", "none"]),
    }
)


@given(
    seed=st.integers(0, 10**6),
    similarity=st.sampled_from(sorted(label_graph.SIMILARITIES)),
    loops=st.booleans(),
    empty=st.sampled_from([0.0, 0.4, 1.0]),
    bandwidth=st.sampled_from([0.7, 1.0, "median"]),
    is_sparse=st.booleans(),
    way=st.sampled_from(["all pairs", "near pairs"]),
    chosen=options,
)
def test_equals_the_matrices_of_the_paper(
    seed, similarity, loops, empty, bandwidth, is_sparse, way, chosen
):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 40))
    Y = (rng.random((n, 4)) < 0.35).astype(int)
    Y[:4] = [1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 1]
    X = rng.normal(size=(n, 6)) + rng.choice([0, 1, 30], 6)
    X[:, 3:] *= rng.random((n, 3)) < 0.5
    S = label_similarity(Y, similarity, bandwidth=bandwidth, empty=empty)
    W = S - (0 if loops else np.diag(np.diag(S)))
    k = len(np.unique(Y[W.sum(axis=1) > 0], axis=0))
    with pytest.MonkeyPatch.context() as patch:
        if way == "near pairs":
            take_near_pairs(patch)
        found = scores(
            X,
            Y,
            similarity,
            loops=loops,
            empty_similarity=empty,
            bandwidth=bandwidth,
            is_sparse=is_sparse,
            **chosen,
        )
    want = spec(X, S, self_loops=loops, k=k, **chosen)
    usable = found.defined
    assert usable.all() or similarity == "same_class"
    np.testing.assert_allclose(found.phi[usable], want[usable], rtol=1e-9, atol=1e-10)


@given(seed=st.integers(0, 10**6), loops=st.booleans())
def test_phi_2_is_the_laplacian_score_and_ignores_shift_and_scale(seed, loops):
    rng = np.random.default_rng(seed)
    Y = (rng.random((25, 4)) < 0.4).astype(int)
    Y[:2] = 1
    X = rng.normal(size=(25, 3))
    phi = scores(X, Y, criterion="phi_2", loops=loops).phi
    S = label_similarity(Y, "jaccard")
    np.testing.assert_allclose(phi, laplacian_score(X, S, self_loops=loops), rtol=1e-10)
    moved = scores(-3 * X + 7, Y, criterion="phi_2", loops=loops).phi
    np.testing.assert_allclose(moved, phi, rtol=1e-9)


def test_laplacian_score_of_classes_is_fisher_score_in_other_words():
    # He et al. 2005, section 3.1: with S = 1/n_c, 1 / (1 + Fisher score)
    rng = np.random.default_rng(2)
    classes = rng.integers(0, 3, 60)
    X = rng.normal(size=(60, 4)) + classes[:, None] * [0, 1, 2, 0.5]
    Y = (classes[:, None] == np.arange(3)).astype(int)
    between = np.zeros(4)
    within = np.zeros(4)
    for c in range(3):
        rows = X[classes == c]
        between += len(rows) * (rows.mean(axis=0) - X.mean(axis=0)) ** 2
        within += len(rows) * rows.var(axis=0)
    phi = scores(X, Y, "same_class", loops=True, criterion="phi_2").phi
    np.testing.assert_allclose(phi, 1 / (1 + between / within), rtol=1e-12)


def test_jaccard_of_single_labels_is_the_same_class_indicator():
    rng = np.random.default_rng(3)
    Y = np.eye(3, dtype=int)[rng.integers(0, 3, 30)]
    X = rng.normal(size=(30, 4))
    S = (Y @ Y.T).astype(float)
    np.testing.assert_allclose(scores(X, Y).phi, spec(X, S, scale="none"), rtol=1e-10)


def test_a_column_far_from_zero_scores_as_the_same_column_near_zero():
    rng = np.random.default_rng(4)
    Y = (rng.random((50, 3)) < 0.5).astype(int)
    X = np.round(rng.normal(size=(50, 3)) * 1024) / 1024
    near = scores(X, Y, scale="zscore").phi
    for is_sparse in (False, True):
        far = scores(X + 2.0**36, Y, scale="zscore", is_sparse=is_sparse).phi
        np.testing.assert_allclose(far, near, rtol=1e-9)


def test_small_blocks_of_similarities_give_the_same_bits(monkeypatch):
    rng = np.random.default_rng(5)
    Y = (rng.random((70, 6)) < 0.5).astype(int)
    X = rng.normal(size=(70, 5)) * (rng.random((70, 5)) < 0.4)
    for criterion, power in [("phi_1", 1), ("phi_1", 3), ("phi_2", 1), ("phi_3", 1)]:
        for is_sparse in (False, True):
            asked = {"criterion": criterion, "power": power, "is_sparse": is_sparse}
            whole = scores(X, Y, **asked).phi
            with monkeypatch.context() as patch:
                patch.setattr(label_graph, "_BLOCK_ENTRIES", 300)
                assert (scores(X, Y, **asked).phi == whole).all()


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("similarity", sorted(label_graph.SIMILARITIES))
def test_pairs_that_share_a_label_give_what_all_pairs_give(
    monkeypatch, similarity, is_sparse
):
    # 60 labels, so that most pairs of sets share none; some rows without labels
    rng = np.random.default_rng(6)
    Y = (rng.random((300, 60)) < 0.04).astype(int)
    X = rng.normal(size=(300, 7)) * (rng.random((300, 7)) < 0.5)
    for asked in ({}, {"loops": True, "empty_similarity": 0.7}, {"criterion": "phi_2"}):
        asked["is_sparse"] = is_sparse
        every = scores(X, Y, similarity, **asked)
        with monkeypatch.context() as patch:
            take_near_pairs(patch)
            near = scores(X, Y, similarity, **asked)
            patch.setattr(near_walk, "_BLOCK_ENTRIES", 50)
            patch.setattr(near_walk, "_ROUND", 3)
            in_blocks = scores(X, Y, similarity, **asked)
        assert near.n_isolated == in_blocks.n_isolated == every.n_isolated
        assert near.defined.tolist() == every.defined.tolist()
        np.testing.assert_allclose(near.phi, every.phi, rtol=1e-12)
        np.testing.assert_allclose(in_blocks.phi, near.phi, rtol=1e-12)


def test_the_shorter_way_is_taken(monkeypatch):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(3000, 3))
    taken = []
    for name, module in (("_all_walk", spectral_module), ("near_walk", near_walk)):
        walk = getattr(module, name)

        def noted(graph, sums, name=name, walk=walk):
            taken.append(name)
            return walk(graph, sums)

        monkeypatch.setattr(module, name, noted)
    rare = np.zeros((3000, 1500), dtype=int)
    rare[np.arange(3000), np.arange(3000) // 2] = 1
    rare[np.arange(3000), rng.integers(0, 1500, 3000)] = 1
    common = (rng.random((3000, 14)) < 0.5).astype(int)
    for Y in (rare, common):
        scores(X, Y)
    assert taken == ["near_walk", "_all_walk"]


def test_phi_3_beyond_the_stated_size_is_refused_with_a_remedy(monkeypatch):
    monkeypatch.setattr(spectral_module, "MAX_GROUPS_FOR_EIGENVECTORS", 3)
    with pytest.raises(ValueError, match=r"4 x 4 distinct label sets.*phi_1"):
        scores(X4, Y4, criterion="phi_3")


def test_equal_eigenvalues_count_in_proportion():
    # two classes, self-loops: eigenvalues 0, 0 and then 1, four times
    Y = np.repeat(np.eye(2, dtype=int), 3, axis=0)
    X = np.array([[0.0], [1], [2], [2], [2], [5]])
    S = label_similarity(Y, "same_class")
    for k in range(1, 7):
        found = scores(
            X, Y, "same_class", loops=True, criterion="phi_3", n_eigenvectors=k
        )
        want = spec(X, S, "phi_3", self_loops=True, k=k, scale="none")
        np.testing.assert_allclose(found.phi, want, atol=1e-12)


def test_median_of_a_histogram_of_squared_distances():
    assert histogram_median(np.array([9, 1, 0, 0, 1])) == pytest.approx(1.5)
    assert histogram_median(np.array([0, 3, 0, 0, 1])) == 1
    assert histogram_median(np.array([5])) == 1


@pytest.mark.parametrize("is_sparse", [False, True])
def test_values_within_four_roundings_of_each_other_are_one(is_sparse):
    Y = np.array([[1, 0], [1, 1], [0, 1], [1, 1]])
    steps = np.array([[0, 0], [4, 5], [4, 5], [0, 0]])
    X = 1 + steps * np.finfo(float).eps
    found = scores(X, Y, is_sparse=is_sparse, scale="zscore")
    assert found.defined.tolist() == [False, True]
    assert np.isnan(found.phi).tolist() == [True, False]
