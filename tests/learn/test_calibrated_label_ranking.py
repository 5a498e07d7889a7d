import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from labelsift.learn import BinaryRelevance, CalibratedLabelRanking
from labelsift.select import WrapperSPEC
from reference import transformation as reference

TREE = DecisionTreeClassifier(max_depth=1, random_state=0)
X = np.arange(6.0)[:, None]
Y = np.array([[1, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 1]])


def test_worked_example():
    # Pair (0, 1): rows 0, 1 against 3, 4, 5: first label up to 2. Pair (0, 2): rows
    # 0, 1, 2 against 5: first up to 3.5. Pair (1, 2): rows 2, 3, 4, all first. Alone:
    # label 0 up to 2.5, label 1 from 1.5, label 2 from 4.5.
    model = CalibratedLabelRanking(TREE).fit(X, Y)
    assert model.pairs_ == [(0, 1), (0, 2), (1, 2)]
    assert model.pair_estimators_[2] is None
    queries = [[0.0], [2.0], [3.0], [5.0]]
    votes = np.array([[3, 1, 0], [3, 2, 0], [1, 3, 0], [0, 3, 2]])
    virtual = np.array([2, 1, 2, 1])
    np.testing.assert_allclose(model.predict_proba(queries), votes / 3, atol=1e-15)
    np.testing.assert_array_equal(model.predict(queries), votes >= virtual[:, None])


def test_tie_with_the_virtual_label():
    # Each game reads a column of its own. Asked about (1, 0, 1): alone, label 0 is
    # there and label 1 is not; against each other label 1 wins. One vote for all three.
    rows = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
    lists = {0: [0], 1: [1], (0, 1): [2]}
    for tie, expected in (("relevant", [[1, 1]]), ("irrelevant", [[0, 0]])):
        model = CalibratedLabelRanking(TREE, tie=tie, feature_lists=lists)
        model.fit(rows, [[1, 0], [0, 1]])
        assert model.predict_proba([[1, 0, 1]]).tolist() == [[0.5, 0.5]]
        assert model.predict([[1, 0, 1]]).tolist() == expected
        assert model.predict([[1, 0, 0]]).tolist() == [[1, 0]]


def random_table(seed, n=12, q=4, d=2):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 4, (n, d)).astype(float)
    labels = (rng.random((n, q)) < rng.random(q)).astype(int)
    return rows, labels, rng.integers(0, 4, (7, d)).astype(float)


@given(
    seed=st.integers(0, 2**32 - 1),
    soft=st.booleans(),
    calibrated=st.booleans(),
    tie=st.sampled_from(["relevant", "irrelevant"]),
)
def test_matches_plain_reference(seed, soft, calibrated, tie):
    rows, labels, queries = random_table(seed)
    model = CalibratedLabelRanking(
        TREE, voting="soft" if soft else "hard", calibrated=calibrated, tie=tie
    ).fit(rows, labels)
    votes, virtual = reference.label_ranking(
        TREE, rows.tolist(), labels.tolist(), queries.tolist(), soft, calibrated
    )
    games = 4 if calibrated else 3
    expected = np.array(votes, dtype=float) / games
    np.testing.assert_allclose(model.predict_proba(queries), expected, atol=1e-12)
    if not calibrated:
        m = int(np.floor(labels.sum() / 12 + 0.5))
        assert model.n_top_ == m
        for found, row in zip(model.predict(queries), votes, strict=True):
            top = sorted(range(4), key=lambda j: (-row[j], j))[:m]
            if not soft:
                assert np.flatnonzero(found).tolist() == sorted(top)
    elif not soft:  # soft votes are rounded sums: equal ones may differ in a last bit
        above = [
            [v >= zero if tie == "relevant" else v > zero for v in row]
            for row, zero in zip(votes, virtual, strict=True)
        ]
        np.testing.assert_array_equal(model.predict(queries), above)


@given(seed=st.integers(0, 2**32 - 1))
def test_every_game_gives_one_vote(seed):
    rows, labels, queries = random_table(seed)
    model = CalibratedLabelRanking(TREE).fit(rows, labels)
    votes, virtual = model._votes(queries)
    np.testing.assert_array_equal(
        votes.sum(axis=1) + virtual, len(model.pairs_) + labels.shape[1]
    )


@given(seed=st.integers(0, 2**32 - 1))
def test_order_of_labels_does_not_matter(seed):
    rows, labels, queries = random_table(seed)
    order = np.random.default_rng(seed).permutation(4)
    model = CalibratedLabelRanking(TREE).fit(rows, labels)
    moved = CalibratedLabelRanking(TREE).fit(rows, labels[:, order])
    np.testing.assert_array_equal(
        moved.predict_proba(queries), model.predict_proba(queries)[:, order]
    )
    np.testing.assert_array_equal(
        moved.predict(queries), model.predict(queries)[:, order]
    )


def test_equal_evidence_gives_half_a_vote_each():
    rows = np.zeros((4, 1))
    labels = np.array([[1, 0], [0, 1], [1, 0], [0, 1]])
    model = CalibratedLabelRanking(TREE, calibrated=False).fit(rows, labels)
    assert model.predict_proba([[0.0]]).tolist() == [[0.5, 0.5]]
    assert model.predict([[0.0]]).tolist() == [[1, 0]]  # m = 1: the lower index


def test_a_pair_that_never_differs_has_no_vote():
    labels = np.column_stack([Y[:, 0], Y[:, 0], Y[:, 2]])
    model = CalibratedLabelRanking(TREE).fit(X, labels)
    assert model.pairs_ == [(0, 2), (1, 2)]
    assert model.n_fits_ == 3  # labels 0 and 1 are one problem, pairs are one too
    scores = model.predict_proba(X)
    assert (scores[:, 0] == scores[:, 1]).all()
    assert scores[:, :2].max() == 2 / 3
    assert scores[:, 2].max() == 1


def test_one_label_is_binary_relevance():
    one = Y[:, [1]]
    model = CalibratedLabelRanking(TREE).fit(X, one)
    binary = BinaryRelevance(TREE, scores="votes").fit(X, one)
    np.testing.assert_array_equal(model.predict(X), binary.predict(X))
    np.testing.assert_array_equal(model.predict_proba(X), binary.predict_proba(X))
    with pytest.raises(ValueError, match=r"y has one label\. Use calibrated=True"):
        CalibratedLabelRanking(TREE, calibrated=False).fit(X, one)


def test_a_class_vector_ranks_classes():
    classes = np.array(["a", "b", "c"])[np.arange(30) % 3]
    rows = (
        np.random.default_rng(0).normal(size=(30, 2)) + 5 * (np.arange(30) % 3)[:, None]
    )
    model = CalibratedLabelRanking().fit(rows, classes)
    assert (model.predict(rows) == classes).mean() > 0.9
    assert isinstance(model.estimators_[0], SVC)


@pytest.fixture(scope="module")
def noisy():
    """Each label shows in a column of its own; the last 20 columns are noise."""
    rng = np.random.default_rng(0)
    labels = (rng.random((150, 4)) < 0.4).astype(int)
    rows = rng.normal(size=(150, 24))
    rows[:, :4] += 2 * labels
    return rows, labels


def test_pairs_read_the_columns_of_wrapper_spec(noisy):
    rows, labels = noisy
    pairs = WrapperSPEC(order=2).fit(rows, labels).feature_lists(3)
    alone = WrapperSPEC(order=1).fit(rows, labels).feature_lists(2)
    lists = {**pairs, **alone}
    model = CalibratedLabelRanking(feature_lists=lists).fit(rows, labels)
    for pair, estimator in zip(model.pairs_, model.pair_estimators_, strict=True):
        assert estimator.n_features_in_ == 3
        kept = np.flatnonzero(labels[:, pair[0]] != labels[:, pair[1]])
        columns = np.sort(pairs[pair])
        by_hand = SVC().fit(rows[np.ix_(kept, columns)], labels[kept, pair[0]])
        np.testing.assert_array_equal(
            estimator.decision_function(rows[:, columns]),
            by_hand.decision_function(rows[:, columns]),
        )
    assert [e.n_features_in_ for e in model.estimators_] == [2] * 4
    only_pairs = CalibratedLabelRanking(feature_lists=pairs).fit(rows, labels)
    assert [e.n_features_in_ for e in only_pairs.estimators_] == [24] * 4
    assert (model.predict(rows) != labels).mean() < 0.5 * labels.mean()


def test_columns_that_no_list_names_do_not_matter(noisy):
    rows, labels = noisy
    lists = {
        **WrapperSPEC(order=2).fit(rows, labels).feature_lists(3),
        0: [0],
        1: [1],
        2: [2],
        3: [3],
    }
    used = np.unique(np.concatenate([np.asarray(c) for c in lists.values()]))
    other = rows.copy()
    free = np.setdiff1d(np.arange(24), used)
    assert free.size
    other[:, free] = 0
    first = CalibratedLabelRanking(feature_lists=lists).fit(rows, labels)
    second = CalibratedLabelRanking(feature_lists=lists).fit(other, labels)
    np.testing.assert_array_equal(
        first.predict_proba(rows), second.predict_proba(other)
    )


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        (
            {(1, 0): [0]},
            r"key \(1, 0\), which is no sub-problem; expected such as 0 to \(1, 2\)",
        ),
        (
            {(0, 1): [1]},
            r"feature_lists\[\(0, 1\)\] names column 1, but X has 1 columns",
        ),
        ({0: []}, r"feature_lists\[0\] must be a list of at least one column index"),
        ({0: [0.5]}, r"of at least one column index or name; found \[0.5\]"),
        ({0: [-1]}, "names column -1"),
        ({0: ["x0"]}, "names column 'x0', but X has no column names"),
        ({0: ["x0", 1]}, "must hold column indices or names, not both; found 1"),
        ({"calm": [0]}, "has the key 'calm', which is no sub-problem"),
    ],
)
def test_wrong_feature_lists_are_named(lists, message):
    with pytest.raises(ValueError, match=message):
        CalibratedLabelRanking(TREE, feature_lists=lists).fit(X, Y)


def test_columns_and_labels_may_be_named():
    rng = np.random.default_rng(3)
    names, labels = ["low", "mid", "high"], ["calm", "sad", "loud"]
    rows = pd.DataFrame(rng.normal(size=(80, 3)), columns=names)
    answers = pd.DataFrame((rng.random((80, 3)) < 0.4).astype(int), columns=labels)
    numbers = {0: [2], (0, 1): [0, 1], (1, 2): [2]}
    words = {"calm": ["high"], ("sad", "calm"): ["mid", "low"], ("sad", "loud"): [2]}
    one, other = (
        CalibratedLabelRanking(TREE, feature_lists=lists).fit(rows, answers)
        for lists in (numbers, words)
    )
    np.testing.assert_array_equal(one.predict_proba(rows), other.predict_proba(rows))
    plain = CalibratedLabelRanking(TREE).fit(rows, answers)
    assert (plain.predict_proba(rows) != other.predict_proba(rows)).any()
    with pytest.raises(ValueError, match=r"'hihg', which X does not have\. Did you m"):
        CalibratedLabelRanking(TREE, feature_lists={"sad": ["hihg"]}).fit(rows, answers)
    with pytest.raises(ValueError, match="names the sub-problem 1 twice"):
        CalibratedLabelRanking(TREE, feature_lists={"sad": [0], 1: [0]}).fit(
            rows, answers
        )


def test_binary_relevance_takes_names_too():
    rng = np.random.default_rng(4)
    rows = pd.DataFrame(rng.normal(size=(80, 2)), columns=["low", "high"])
    answers = pd.DataFrame((rng.random((80, 2)) < 0.4).astype(int), columns=["a", "b"])
    found = [
        BinaryRelevance(TREE, feature_lists=lists)
        .fit(rows, answers)
        .predict_proba(rows)
        for lists in ({1: [0]}, {"b": ["low"]}, [["low", "high"], ["low"]])
    ]
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
