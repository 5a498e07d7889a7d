import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.feature_selection import SelectKBest

from example_counts import examples
from labelsift.score import relief as relief_module
from labelsift.score import relief_problems, relief_rows
from labelsift.select import ReliefF
from labelsift.select import relief_f as module
from reference.relief import pairwise, relief

X4 = np.array([[0, 0], [0.2, 0.9], [0.9, 0.1], [1, 1]])
Y4 = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])


@pytest.mark.parametrize("y", [list("aabb"), Y4, Y4[:, :1]])
@pytest.mark.parametrize("problem", ["binary_relevance", "pairwise", "label_powerset"])
def test_four_rows_worked_by_hand(y, problem):
    # hits (2, 1, 4, 3), misses (3, 4, 1, 2)
    selector = ReliefF(n_neighbors=1, problem=problem).fit(X4, y)
    np.testing.assert_allclose(selector.scores_, [0.7, -0.8])
    assert selector.order_.tolist() == [0, 1]


def test_six_rows_of_three_classes_worked_by_hand():
    # one feature, k = 1, priors 1/2, 1/3, 1/6; distances in units of 1/10
    X = np.array([[0.0], [1], [4], [6], [7], [10]])
    y = np.array(["a", "a", "a", "b", "b", "c"])
    #       hit  nearest b (share)  nearest c (share)
    # 0 a:  1    6 * 2/3            10 * 1/3
    # 1 a:  1    5 * 2/3             9 * 1/3
    # 4 a:  3    2 * 2/3             6 * 1/3
    # 6 b:  1    2 to a * 3/4        4 to c * 1/4
    # 7 b:  1    3 to a * 3/4        3 to c * 1/4
    # 10 c: 0    6 to a * 3/5        3 to b * 2/5
    gain = (6 + 5 + 2) * 2 / 3 + (10 + 9 + 6) / 3 + (2 + 3) * 3 / 4 + (4 + 3) / 4
    gain += 6 * 3 / 5 + 3 * 2 / 5
    want = (gain - (1 + 1 + 3 + 1 + 1)) / 10 / 6
    selector = ReliefF(n_neighbors=1).fit(X, y)
    assert selector.scores_[0] == pytest.approx(want, rel=1e-12)
    assert selector.scores_per_problem_["x0", "class"] == selector.scores_[0]


def test_a_feature_of_a_rare_class_does_not_outrank_one_of_the_common_classes():
    # a peer divides by the prior and puts the feature of the rare class first
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [280, 280, 40])
    X = np.column_stack([y == 2, y == 1]) + rng.normal(scale=0.05, size=(600, 2))
    scores = ReliefF().fit(X, y).scores_
    assert scores[1] > 2 * scores[0] > 0


def mixed(seed, n=24):
    """Return numbers, codes and missing values, with many tied distances."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n, 6)).astype(float)
    X[:, 0] = np.round(rng.normal(size=n), 1)
    X[:, 5] = 2.5
    categorical = np.array([False, False, True, True, False, False])
    X[rng.random(n) < 0.2, 1] = np.nan
    X[rng.random(n) < 0.2, 3] = np.nan
    return X, categorical, rng.integers(0, 3, n)


@examples(15)
@given(
    seed=st.integers(0, 10**6),
    k=st.sampled_from([1, 2, 5, 40]),
    sigma=st.sampled_from([None, 2.0]),
    is_sparse=st.booleans(),
)
def test_classes_match_the_plain_program_with_ties_codes_and_missing_values(
    seed, k, sigma, is_sparse
):
    X, categorical, y = mixed(seed)
    want = relief(X, y.tolist(), k, categorical=categorical, sigma=sigma)
    data = sparse.csr_array(X) if is_sparse else X
    selector = ReliefF(n_neighbors=k, sigma=sigma, categorical_features=categorical)
    np.testing.assert_allclose(selector.fit(data, y).scores_, want, atol=1e-12)


@examples(12)
@given(
    seed=st.integers(0, 10**6),
    k=st.sampled_from([1, 3, 8]),
    ties=st.booleans(),
    sigma=st.sampled_from([None, 1.5]),
)
def test_labels_match_the_plain_program_problem_by_problem(seed, k, ties, sigma):
    rng = np.random.default_rng(seed)
    Y = (rng.random((26, 4)) < [0.5, 0.3, 0.1, 0.6]).astype(int)
    X = rng.integers(0, 3, (26, 3)).astype(float) if ties else rng.normal(size=(26, 3))
    selector = ReliefF(n_neighbors=k, sigma=sigma).fit(X, Y)
    for label in range(4):
        want = np.zeros(3)
        if 0 < Y[:, label].sum() < 26:
            want = relief(X, Y[:, label].tolist(), k, sigma=sigma)
        got = selector.scores_per_problem_.values[:, label]
        np.testing.assert_allclose(got, want, atol=1e-12)
    powerset = ReliefF(n_neighbors=k, problem="label_powerset").fit(X, Y)
    want = relief(X, [tuple(row) for row in Y.tolist()], k)
    np.testing.assert_allclose(powerset.scores_, want, atol=1e-12)
    pairs = ReliefF(n_neighbors=k, problem="pairwise").fit(X, Y)
    want = pairwise(X, Y, k)
    names = tuple(f"label{a} vs label{b}" for a, b in want)
    assert pairs.scores_per_problem_.label_names == names
    np.testing.assert_allclose(
        pairs.scores_per_problem_.values.T, list(want.values()), atol=1e-12
    )
    np.testing.assert_allclose(
        pairs.scores_, np.mean(list(want.values()), axis=0), atol=1e-12
    )


def test_long_lists_of_neighbours_and_rare_labels_agree_with_each_label_alone():
    # more rows than the sorted list holds, so that rare labels are scanned for
    rng = np.random.default_rng(1)
    n = 500
    Y = (rng.random((n, 3)) < [0.5, 0.02, 0.97]).astype(int)
    X = rng.normal(size=(n, 4))
    X[:, 3] = rng.integers(0, 2, n)
    scores = ReliefF(n_neighbors=5).fit(X, Y).scores_per_problem_.values
    for label in range(3):
        alone = ReliefF(n_neighbors=5).fit(X, Y[:, label]).scores_
        np.testing.assert_allclose(scores[:, label], alone, rtol=1e-10)
    # rows with the extremes take part in every pair: the scaling is the same
    Y[:4] = [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1]
    X[[0, 2]], X[[1, 3]] = X.min(axis=0) - 1, X.max(axis=0) + 1
    pairs = ReliefF(n_neighbors=5, problem="pairwise").fit(X, Y).scores_per_problem_
    for column, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        rows = np.flatnonzero(Y[:, a] != Y[:, b])
        part = ReliefF(n_neighbors=5).fit(X[rows], Y[rows, a])
        np.testing.assert_allclose(pairs.values[:, column], part.scores_, rtol=1e-10)


def test_binary_data_with_ties_everywhere_agree_with_the_plain_program():
    rng = np.random.default_rng(2)
    X = (rng.random((60, 5)) < 0.4).astype(float)
    y = rng.integers(0, 2, 60)
    want = relief(X, y.tolist(), 3)
    for labels in (y, np.column_stack([1 - y, y])):
        for data in (X, sparse.csr_array(X)):
            got = ReliefF(n_neighbors=3).fit(data, labels).scores_
            np.testing.assert_allclose(got, want, atol=1e-12)


def test_weka_rule_for_the_last_place_among_equal_distances():
    # from row 0, class b: distances 2, 2, 1 in this order; k = 2 keeps the 1 and, of
    # the two 2s, the second: the first gave way
    X = np.array([[0.0, 0], [1, 1], [1, 1], [1, 0]])
    X = np.column_stack([X, [0, 1, 0, 0]])
    y = ["a", "b", "b", "b"]
    X[2] = [1, 0, 1]  # at distance 2 as well, but along other columns
    got = ReliefF(n_neighbors=2).fit(X, y).scores_
    np.testing.assert_allclose(got, relief(X, y, 2), atol=1e-15)


def made(**options):
    rng = np.random.default_rng(3)
    Y = (rng.random((70, 5)) < 0.4).astype(int)
    X = rng.normal(size=(70, 6))
    X[:, 2] += 2 * Y[:, 1]
    return ReliefF(**options), X, Y


def test_blocks_and_kept_distances_do_not_matter(monkeypatch):
    for problem in ("binary_relevance", "pairwise", "label_powerset"):
        selector, X, Y = made(problem=problem)
        whole = selector.fit(X, Y).scores_
        rows = sparse.csr_array(X)
        assert (made(problem=problem)[0].fit(rows, Y).scores_ == whole).all()
        with monkeypatch.context() as patch:
            patch.setattr(relief_rows, "_SYMMETRIC_BYTES", 0)
            patch.setattr(relief_module, "_ROWS", 7)
            patch.setattr(relief_module, "_NEIGHBORS", 1)
            assert (selector.fit(X, Y).scores_ == whole).all()
            assert (selector.fit(rows, Y).scores_ == whole).all()


def test_many_columns_and_rows_cross_the_blocks_of_the_cache():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(300, 270)), rng.integers(0, 3, 300)
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    distances = np.abs(scaled[:, None] - scaled).sum(axis=2)
    want = np.zeros(270)
    prior = np.bincount(y) / 300
    for i in range(300):
        for c in range(3):
            members = np.flatnonzero((y == c) & (np.arange(300) != i))
            near = members[np.argsort(distances[i, members], kind="stable")[:4]]
            factor = -1 if c == y[i] else prior[c] / (1 - prior[y[i]])
            want += factor * np.abs(scaled[near] - scaled[i]).mean(axis=0)
    got = ReliefF(n_neighbors=4).fit(X, y).scores_
    np.testing.assert_allclose(got, want / 300, rtol=1e-9)


def test_samples_are_drawn_with_the_seed_and_all_rows_are_neighbours():
    selector, X, Y = made(n_samples=20, random_state=0)
    first = selector.fit(X, Y).scores_
    assert (made(n_samples=20, random_state=0)[0].fit(X, Y).scores_ == first).all()
    assert (made(n_samples=20, random_state=1)[0].fit(X, Y).scores_ != first).any()
    rows = np.sort(np.random.RandomState(0).choice(70, 20, replace=False))
    table = relief_rows.ReliefRows(X, np.zeros(6, dtype=bool))
    problem = relief_problems.class_problem(Y[:, 1], 2)
    parts = [
        relief_module.relief_weights(table, problem, n_neighbors=3, chosen=rows[[r]])
        for r in range(20)
    ]
    whole = relief_module.relief_weights(table, problem, n_neighbors=3, chosen=rows)
    np.testing.assert_allclose(np.mean(parts, axis=0), whole, rtol=1e-12)
    share = made(n_samples=20 / 70, random_state=0)[0].fit(X, Y).scores_
    assert (share == first).all()
    everything = made(n_samples=500)[0].fit(X, Y).scores_
    assert (everything == made()[0].fit(X, Y).scores_).all()


@pytest.mark.parametrize("aggregate", ["mean", "max", "min"])
@pytest.mark.parametrize("problem", ["binary_relevance", "pairwise"])
def test_aggregates_are_taken_over_the_problems(aggregate, problem):
    selector, X, Y = made(aggregate=aggregate, problem=problem)
    selector.fit(X, Y)
    table = selector.scores_per_problem_.values
    np.testing.assert_allclose(selector.scores_, getattr(table, aggregate)(axis=1))


def test_pairs_weighted_by_priors_add_up_to_relieff_of_the_classes():
    # P(b) / (1 - P(a)) over all b sums to 1, so that the pairs of one-label rows,
    # weighted by their rows, are the many-class weights
    rng = np.random.default_rng(5)
    y = rng.integers(0, 4, 90)
    X = rng.normal(size=(90, 5)) + (y == 2)[:, None]
    Y = np.eye(4, dtype=int)[y]
    pairs = ReliefF(problem="pairwise", pair_weight="prior").fit(X, Y)
    count = np.bincount(y)
    sizes = [count[a] + count[b] for a in range(4) for b in range(a + 1, 4)]
    total = pairs.scores_per_problem_.values @ np.array(sizes) / 90
    np.testing.assert_allclose(total, ReliefF().fit(X, y).scores_, rtol=1e-10)
    uniform = ReliefF(problem="pairwise").fit(X, Y).scores_
    assert not np.allclose(uniform, pairs.scores_)


@pytest.mark.parametrize("problem", ["copy", "ignore", "select_max", "select_min"])
def test_one_class_of_several_labels(problem):
    selector, X, Y = made(problem=problem)
    rows, classes = [], []
    frequency = Y.sum(axis=0)
    for i, row in enumerate(Y):
        labels = np.flatnonzero(row).tolist()
        if problem == "ignore":
            labels = labels if len(labels) == 1 else []
        elif problem != "copy" and labels:
            best = max if problem == "select_max" else min
            labels = [best(labels, key=lambda c: frequency[c])]
        rows += [i] * len(labels)
        classes += labels
    want = ReliefF().fit(X[rows], classes).scores_
    np.testing.assert_allclose(selector.fit(X, Y).scores_, want, rtol=1e-12)
    assert selector.scores_per_problem_.label_names == (problem,)


def test_missing_codes_differ_by_the_declared_number_of_categories():
    X = np.array([[0.0], [np.nan], [1.0], [1.0]])
    y = [0, 0, 1, 1]
    # hits: 0-1 u, 1-0 u, 2-3 0, 3-2 0; misses: 0-2 1, 1-2 u, 2-1 or 0, 3 the same
    few = ReliefF(n_neighbors=1, categorical_features=[0]).fit(X, y).scores_[0]
    # u = 1/2: misses 1, 1/2, 1/2, 1/2, hits 1/2, 1/2
    assert few == pytest.approx((2.5 - 1) / 4)
    many = ReliefF(n_neighbors=1, categorical_features=[0], n_categories=[10])
    # u = 0.9: misses 1, 0.9, 0.9, 0.9, hits 0.9, 0.9
    assert many.fit(X, y).scores_[0] == pytest.approx((3.7 - 1.8) / 4)


def test_constant_features_score_zero_and_come_after_equals():
    selector, X, Y = made()
    X[:, 0] = 3.0
    X[:, 1] = np.nan
    selector.fit(X, Y)
    assert selector.scores_[0] == 0
    assert selector.scores_[1] == 0
    X[:, :] = 1.0
    X[:, 3] = np.nan
    assert ReliefF().fit(X, Y).order_.tolist() == [0, 1, 2, 3, 4, 5]


def test_labels_that_part_no_rows_score_zero_and_warn_with_min():
    selector, X, Y = made(aggregate="min")
    Y = np.column_stack([Y, np.ones(70, dtype=int)])
    with pytest.warns(UserWarning, match="minimum over labels is at most 0"):
        selector.fit(X, Y)
    assert (selector.scores_per_problem_.values[:, 5] == 0).all()
    assert (selector.scores_ <= 0).all()
    with pytest.warns(UserWarning, match="no label or pair of labels parts the rows"):
        alone = ReliefF(problem="pairwise").fit(X, Y[:, [5, 5]])
    assert alone.scores_.tolist() == [0] * 6
    assert alone.order_.tolist() == list(range(6))


def test_wide_sparse_tables_are_not_made_dense():
    rng = np.random.default_rng(6)
    n, d = 60, 100_000
    columns = np.concatenate([rng.choice(d, 20, replace=False) for _ in range(n)])
    X = sparse.csr_array(
        (np.ones(20 * n), columns, np.arange(0, 20 * n + 1, 20)), shape=(n, d)
    )
    y = np.arange(n) % 2
    X = sparse.hstack([X, sparse.csr_array(y[:, None].astype(float))]).tocsr()
    selector = ReliefF(1).fit(X, y)  # dense: 48 MB
    assert selector.order_[0] == d
    few = np.unique(X.indices)
    dense = ReliefF().fit(X[:, few].toarray(), y)
    np.testing.assert_allclose(selector.scores_[few], dense.scores_, rtol=1e-12)


def test_sizes_beyond_the_stated_limits_are_refused(monkeypatch):
    selector, X, Y = made()
    monkeypatch.setattr(module, "MAX_ENTRIES", 20)
    with pytest.raises(ValueError, match="5 problems with 6 features"):
        selector.fit(X, Y)
    monkeypatch.setattr(relief_problems, "MAX_ENTRIES", 100)
    with pytest.raises(ValueError, match=r"70 rows x 5 labels.*label_powerset"):
        selector.fit(X, Y)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors"),
        ({"problem": "chain"}, "problem"),
        ({"sigma": 0}, "sigma"),
        ({"n_samples": 0}, "n_samples"),
        ({"n_samples": 1.5}, "n_samples"),
        ({"pair_weight": "prior"}, "is for problem='pairwise'"),
        ({"categorical_features": [9]}, "column numbers from 0 to 1"),
        ({"categorical_features": ["hue"]}, "names 'hue'"),
        ({"n_categories": [1, 2, 3]}, "each of the 2 features"),
        ({"n_categories": [1.5, 2]}, "whole number"),
    ],
)
def test_wrong_options_are_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        ReliefF(**wrong).fit(X4, Y4)


def test_scores_order_and_ranking_say_the_same_and_serve_other_selectors():
    selector, X, Y = made()
    selector.fit(X, Y)
    assert selector.order_[0] == np.argmax(selector.scores_) == 2
    assert selector.ranking_[2] == 1
    best = SelectKBest(lambda X, y: ReliefF().fit(X, y).scores_, k=1).fit(X, Y[:, 1])
    assert best.get_support().tolist() == [False, False, True, False, False, False]


def test_memory_stays_far_below_a_table_of_all_pairs():
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(4000, 3)), rng.integers(0, 3, 4000)
    ReliefF(n_samples=5).fit(X, y)  # compiled
    tracemalloc.start()
    ReliefF(n_samples=300, random_state=0).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4000 * 4000 * 8 / 8


def test_true_neighbours_are_one_neighbour():
    one = ReliefF(n_neighbors=1).fit(X4, Y4)
    assert (ReliefF(n_neighbors=True).fit(X4, Y4).scores_ == one.scores_).all()


@pytest.mark.parametrize("limit", [1 << 26, 0])  # all distances at once, or in blocks
@pytest.mark.parametrize("make", [np.array, sparse.csr_array])
def test_progress_rises_to_the_end_and_changes_nothing(monkeypatch, make, limit):
    monkeypatch.setattr(relief_rows, "_SYMMETRIC_BYTES", limit)
    monkeypatch.setattr(relief_module, "_REPORTED", 16)
    monkeypatch.setattr(relief_module, "_ROWS", 16)
    rng = np.random.default_rng(0)
    X, Y = make(rng.normal(size=(90, 4))), (rng.random((90, 3)) < 0.4).astype(int)
    seen = []
    told = ReliefF(progress=lambda *counts: seen.append(counts)).fit(X, Y)
    assert (told.scores_ == ReliefF().fit(X, Y).scores_).all()
    done = [rows for rows, _ in seen]
    assert len(done) > 4
    assert done == sorted(done)
    assert set(seen[i][1] for i in range(len(seen))) == {90}
    assert done[-1] == 90


def test_progress_is_silent_in_a_pipe(capsys):
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10) % 2
    ReliefF(progress=True).fit(X, y)
    assert capsys.readouterr() == ("", "")


def test_progress_on_a_terminal_waits_two_seconds(monkeypatch):
    import io

    from rich import console

    from labelsift.select import _progress

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    now = [0.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    shown = Terminal()
    real = console.Console
    monkeypatch.setattr(
        console,
        "Console",
        lambda stderr: real(file=shown, force_terminal=True, width=120),
    )
    with _progress.row_progress(True, "ReliefF") as report:
        report(10, 100)
        assert shown.getvalue() == ""
        now[0] = 2.5
        report(40, 100)
        assert "40 of 100 rows" in shown.getvalue()
