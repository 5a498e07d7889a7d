"""Greedy selection by mutual information: worked examples, a slow reference, ties."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift.encode import EqualWidthDiscretizer
from labelsift.encode.labels import as_label_matrix
from labelsift.read import load_dataset
from labelsift.select import SELECTORS, _greedy_search
from labelsift.statistics import coded_rows, levels, pair_information
from reference import greedy as reference
from shared_data import data_file

METHODS = "ami d2f fimf lrfs mdmr mlcmim mljmi mlmim mlmrmr pmu scls".split()
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


def table(seed, n=60, d=7, q=4):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n, d))
    Y = (rng.random((n, q)) < 0.4).astype(int)
    X[:, 0] += 2 * Y[:, 0]
    X[:, 3] = X[:, 1] ^ X[:, 2]
    return X, Y


def information(X, Y, **settings):
    return start("mlmim", X, Y, **settings)._information


def test_identities_of_the_sums():
    X, Y = table(0)
    columns, labels = X.T.tolist(), Y.T.tolist()
    info = information(X, Y)
    d, q = X.shape[1], Y.shape[1]
    everything = np.arange(d)
    relevance = info.to_bits(info.relevance)
    pairs = info.label_pairs()
    for s in range(d):
        R, G = np.zeros((2, d), dtype=np.int64)
        info.add_interaction(s, everything, R, G)
        R, G = info.to_bits(R), info.to_bits(G)
        for f in range(d):
            if f == s:
                continue
            one, other = columns[f], columns[s]
            given = sum(reference.conditional(one, y, other) for y in labels)
            assert given == pytest.approx(relevance[f] - G[f], abs=1e-9)
            both = list(zip(one, other, strict=True))
            joint = sum(reference.information(both, y) for y in labels)
            assert joint == pytest.approx(relevance[f] + relevance[s] - G[f], abs=1e-9)
            known = reference.information(one, other)
            assert R[f] == pytest.approx(known, abs=1e-9)
    for f in range(d):
        others = sum(
            reference.conditional(columns[f], labels[i], labels[j])
            for i in range(q)
            for j in range(q)
            if i != j
        )
        assert others == pytest.approx((q - 1) * relevance[f] - 2 * pairs[f], abs=1e-9)


def test_three_way_information_is_positive_for_copies_and_negative_for_synergy():
    coin, other = rows("00 01 10 11").T
    xor = coin ^ other
    for f, s, label, expected in ((coin, coin, coin, 1), (coin, other, xor, -1)):
        info = information(np.column_stack([f, s]), label[:, None])
        R, G = np.zeros((2, 2), dtype=np.int64)
        info.add_interaction(0, np.array([1]), R, G)
        assert info.to_bits(G).tolist() == [0, expected]


@each_method
def test_pairs_counted_at_once_or_round_by_round_are_the_same(method, monkeypatch):
    X, Y = table(1)
    at_once = fitted(method, X, Y)
    monkeypatch.setattr(pair_information, "ALL_PAIRS", 0)
    by_round = fitted(method, X, Y)
    assert (at_once.order_ == by_round.order_).all()
    assert (at_once.criterion_ == by_round.criterion_).all()


@pytest.mark.parametrize(("with_labels", "most"), [(False, 2048), (True, 1448)])
def test_tables_of_all_pairs_are_kept_up_to_so_many_features(with_labels, most):
    row = np.arange(most + 1) % 2
    for d, is_kept in ((most, True), (most + 1, False)):
        info = information(np.array([row[:d], row[:d] ^ 1]), np.array([[0], [1]]))
        info.keep_all_pairs(with_labels=with_labels)
        assert (info.pairs is not None) == is_kept
    info = information(np.array([row[:9], row[:9] ^ 1]), np.array([[0], [1]]))
    info.keep_all_pairs(with_labels=with_labels)
    off = ~np.eye(9, dtype=bool)
    assert (info.to_bits(info.pairs)[:, off] == 1).all()
    assert not info.pairs[:, ~off].any()  # a pair with itself is not asked for


@each_method
def test_sums_beyond_64_bits_are_added_exactly(method, monkeypatch):
    X, Y = table(2)
    plain = fitted(method, X, Y)
    for limit in (0, 2**46):  # always, and from some round on
        monkeypatch.setattr(_greedy_search, "LIMIT", limit)
        assert (fitted(method, X, Y).criterion_ == plain.criterion_).all()


@each_method
@pytest.mark.parametrize("kind", ["rare", "dense", "mixed"])
def test_lists_and_bits_and_threads_give_the_same_order(method, kind, monkeypatch):
    rng = np.random.default_rng(3)
    n, d = 700, 24
    Y = (rng.random((n, 5)) < 0.2).astype(int)
    share = {"rare": [0.01], "dense": [0.5], "mixed": [0.01, 0.3]}[kind]
    X = (rng.random((n, d)) < np.resize(share, d)).astype(float)
    X[:, ::3] *= rng.integers(1, 4, (n, d))[:, ::3]
    X[:, 5] = X[:, 2]
    want = fitted(method, X, Y)
    monkeypatch.setattr(pair_information, "PAIR_WORK", 100)  # a few features a block
    for threads in ("1", "2"):
        monkeypatch.setenv("LABELSIFT_NUM_THREADS", threads)
        for at_once in (0, 2**25):
            monkeypatch.setattr(pair_information, "ALL_PAIRS", at_once)
            for list_rows in (0.0, 1.0, 1e9):  # bits for all, as rare, lists for all
                monkeypatch.setattr(levels, "LIST_ROWS", list_rows)
                found = fitted(method, sparse.csr_array(X), Y)
                assert (found.order_ == want.order_).all()
                assert (found.criterion_ == want.criterion_).all()


@each_method
def test_a_column_full_of_other_values_stays_sparse_and_is_counted_right(method):
    rng = np.random.default_rng(4)
    X = rng.integers(1, 4, (40, 4)).astype(float)
    X[:7, 1] = 0  # zeros are rare
    X[:20, 2] = 0
    Y = (rng.random((40, 3)) < 0.4).astype(int)
    dense = fitted(method, X, Y)
    for discretize in ("none", "equal_width"):
        dense = fitted(method, X, Y, discretize=discretize)
        other = fitted(method, sparse.csc_array(X), Y, discretize=discretize)
        assert (dense.order_ == other.order_).all()
        assert (dense.criterion_ == other.criterion_).all()


@each_method
def test_a_feature_of_as_many_values_as_rows(method):
    X, Y = table(5, n=40, d=4, q=2)
    X[:, 1] = np.random.default_rng(5).permutation(40)
    order, trace = reference.select(method, X.T.tolist(), Y.T.tolist())
    selector = fitted(method, X, Y)
    np.testing.assert_allclose(selector.criterion_, trace, atol=1e-8)
    assert selector.order_.tolist() == order


@each_method
def test_class_vector_is_one_variable_of_several_values(method):
    X, _ = table(6)
    y = np.random.default_rng(6).integers(0, 4, len(X))
    X[:, 2] += 3 * y
    order, trace = reference.select(method, X.T.tolist(), [y.tolist()])
    selector = fitted(method, X, y)
    np.testing.assert_allclose(selector.criterion_, trace, atol=1e-8)
    assert selector.order_.tolist() == order
    two = (y > 1).astype(int)
    vector, column = fitted(method, X, two), fitted(method, X, two[:, None])
    assert (vector.order_ == column.order_).all()
    np.testing.assert_allclose(vector.criterion_, column.criterion_, atol=1e-9)


@each_method
def test_interchangeable_features_go_by_index(method):
    coins = np.array(list(np.ndindex(2, 2, 2)) * 3)
    X = np.column_stack([coins[:, ::-1], coins])
    selector = fitted(method, X, coins)
    order, _ = reference.select(method, X.T.tolist(), coins.T.tolist())
    assert selector.order_.tolist() == order
    assert order[:3] == [0, 1, 2]


@each_method
def test_equal_values_from_other_tables_go_by_index(method):
    # each feature is independent of the label, with levels of another size: all values
    # are 0, but for the last places
    Y = np.tile([0, 1], 60)[:, None]
    sizes = [6, 10, 12, 15, 20, 24, 30]
    X = np.column_stack([np.arange(120) // 2 < size for size in sizes]).astype(int)
    info = information(X, Y)
    assert 1 < len(set(info.relevance.tolist()))
    for places in (slice(None), slice(None, None, -1)):
        selector = fitted(method, X[:, places], Y, n_features_to_select=1)
        assert selector.order_[0] == 0
    if method in reference.RANKINGS:
        assert fitted(method, X, Y).order_.tolist() == list(range(len(sizes)))


@each_method
def test_blocks_of_rows_and_merging_give_the_whole(method):
    X, Y = table(7, n=90)
    X = X + np.random.default_rng(7).normal(scale=0.2, size=X.shape)
    make = SELECTORS[method]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        whole = make().fit(X, Y)
        for container in (np.asarray, sparse.csr_array):
            blocks = [(container(X[i : i + 30]), Y[i : i + 30]) for i in (0, 30, 60)]
            parts = make().fit_blocks(blocks)
            assert (parts.order_ == whole.order_).all()
            assert (parts.criterion_ == whole.criterion_).all()
        one = make().partial_fit(X[:50], Y[:50], cut_points=whole.cut_points_)
        two = make().partial_fit(X[50:], Y[50:], cut_points=whole.cut_points_)
        assert (one.merge(two).criterion_ == whole.criterion_).all()


@each_method
def test_rows_on_disk_read_a_few_features_at_a_time(method, monkeypatch):
    X, Y = table(12, n=90)
    X = X * (np.arange(7) % 2 | (np.arange(90) % 9 == 0)[:, None])  # rare and not
    whole = fitted(method, X, Y, discretize="equal_width")
    monkeypatch.setattr(coded_rows, "RANGE_BYTES", 100)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for container in (np.asarray, sparse.csr_array):
            values = container(X.astype(float))
            blocks = [(values[i : i + 30], Y[i : i + 30]) for i in (0, 30, 60)]
            parts = SELECTORS[method]().fit_blocks(blocks, max_memory=1)
            assert (parts.order_ == whole.order_).all()
            assert (parts.criterion_ == whole.criterion_).all()


@each_method
def test_categories_are_not_cut(method):
    X, Y = table(8)
    X[:, 1] = X[:, 1] * 3 + np.arange(len(X)) % 3
    as_values = fitted(method, X, Y)
    nominal = fitted(
        method, X, Y, discretize="equal_width", categorical_features=range(X.shape[1])
    )
    assert (nominal.criterion_ == as_values.criterion_).all()
    some = dict(discretize="equal_width", categorical_features=[1, 4])
    dense = fitted(method, X, Y, **some)
    stored = fitted(method, sparse.csr_array(X.astype(float)), Y, **some)
    assert (dense.criterion_ == stored.criterion_).all()
    codes = EqualWidthDiscretizer(3).fit_transform(X.astype(float))
    codes[:, [1, 4]] = X[:, [1, 4]]
    assert (dense.criterion_ == fitted(method, codes, Y).criterion_).all()


@each_method
def test_shadows_stand_behind_the_features_with_the_same_picks(method):
    X, Y = table(9)
    rng = np.random.default_rng(9)
    order = np.array([rng.permutation(len(X)) for _ in range(2)])
    columns = np.array([5, 2])
    for container in (np.asarray, sparse.csr_array):
        values = container(X.astype(float))
        selector = SELECTORS[method](discretize="none")
        selector.n_features_in_ = X.shape[1]
        search = selector._start_search(values, as_label_matrix(Y))
        search.add(1)
        search.add(4)
        shadowed = search.with_shadows(columns, order)
        wide = np.column_stack([X, X[order[0], 5], X[order[1], 2]])
        want = start(method, wide, Y)
        want.add(1)
        want.add(4)
        np.testing.assert_array_equal(shadowed.criterion(), want.criterion())
        np.testing.assert_array_equal(
            shadowed.criterion()[: X.shape[1]], search.criterion()
        )
    with pytest.raises(ValueError, match="feature 4 cannot be taken"):
        search.add(4)
    assert search.start().best() == start(method, X, Y).best()


def test_budget_example_of_shadows_by_rotation():
    for turned, exceeds in ((1, False), (2, True)):
        search = start("d2f", X1, Y1)
        search.add(0)
        rotated = np.roll(np.arange(8), turned)[None]
        values = search.with_shadows(np.array([2]), rotated).criterion()
        assert values[2] == pytest.approx(0.783083, abs=1e-6)
        assert values[3] == pytest.approx(0.25 if exceeds else 0.783083, abs=1e-6)


def test_one_label_and_class_vectors_have_no_pairs():
    X, Y = table(10, q=1)
    with pytest.warns(UserWarning, match="LRFS compares labels"):
        lrfs = SELECTORS["lrfs"]().fit(X, Y)
    assert (lrfs.criterion_ == SELECTORS["mlmrmr"]().fit(X, Y).criterion_).all()
    same = {"pmu": "d2f", "fimf": "mlmim"}
    for one, other in same.items():
        for y in (Y, Y[:, 0]):
            found = SELECTORS[one]().fit(X, y)
            assert (found.criterion_ == SELECTORS[other]().fit(X, y).criterion_).all()


def test_labels_that_never_vary_change_nothing():
    X, Y = table(11)
    wide = np.column_stack([Y, np.zeros(len(Y)), np.ones(len(Y))]).astype(int)
    for method in set(METHODS) - {"lrfs"}:
        plain, more = fitted(method, X, Y), fitted(method, X, wide)
        np.testing.assert_allclose(more.criterion_, plain.criterion_, atol=1e-10)


def test_prefilter_scores_only_features_of_high_entropy():
    # entropies 1.361, 1, .722, 1.571, 0, 1
    few = fitted("fimf", X2, Y2, prefilter=3, n_pair_labels=2)
    assert (few.order_ + 1).tolist() == [1, 2, 4, 6, 3, 5]
    np.testing.assert_allclose(
        few.criterion_, [0.721928, 0.636453, 0.417390], atol=1e-6
    )
    assert few.scores_.tolist() == [6, 5, 2, 4, 0, 3]
    everything = fitted("fimf", X2, Y2)
    assert (fitted("fimf", X2, Y2, prefilter=9).order_ == everything.order_).all()


def test_settings_that_make_no_sense_are_refused():
    for settings, message in [
        ({"n_pair_labels": 0}, "n_pair_labels"),
        ({"prefilter": 0}, "prefilter"),
        ({"n_bins": 1}, "n_bins"),
        ({"discretize": "mdl"}, "discretize"),
    ]:
        with pytest.raises(ValueError, match=message):
            SELECTORS["fimf"](**settings).fit(X1, Y1)


@pytest.mark.parametrize("file", ["emotions.arff.gz", "yeast.arff.gz"])
def test_lrfs_takes_the_twenty_features_that_it_would_without_redundancy(file):
    data = load_dataset(data_file(file))
    picks = SELECTORS["lrfs"](20).fit(data.X, data.Y).order_[:20]
    without = SELECTORS["lrfs"](1).fit(data.X, data.Y).order_[:20]
    assert set(picks.tolist()) == set(without.tolist())
    assert picks.tolist() != without.tolist()


@pytest.mark.parametrize("method", ["d2f", "pmu", "mdmr"])
def test_emotions_equal_the_slow_reference(method):
    data = load_dataset(data_file("emotions.arff.gz"))
    X = EqualWidthDiscretizer(3).fit_transform(np.asarray(data.X, dtype=float))
    order, trace = reference.select(method, X.T[:12].tolist(), data.Y.T.tolist(), 4)
    found = SELECTORS[method](4).fit(np.asarray(data.X)[:, :12], data.Y)
    assert found.order_[:4].tolist() == order
    np.testing.assert_allclose(found.criterion_, trace, atol=1e-9)


def test_medical_has_the_same_order_sparse_dense_and_with_two_threads(monkeypatch):
    data = load_dataset(data_file("medical.arff.gz"))
    orders = []
    for threads, X in (("1", data.X), ("2", data.X), ("1", data.X.toarray())):
        monkeypatch.setenv("LABELSIFT_NUM_THREADS", threads)
        orders.append(SELECTORS["d2f"](150).fit(X, data.Y).order_)
    assert (orders[0] == orders[1]).all()
    assert (orders[0] == orders[2]).all()
