import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

from example_counts import examples
from labelsift.score import rough_set
from labelsift.select import ToleranceRoughSet, tolerance_rough_set
from labelsift.statistics import neighborhoods_bits
from labelsift.statistics.neighborhoods_distances import DistanceSpace
from labelsift.statistics.neighborhoods_windows import WindowSpace
from reference.tolerance_rough_set import reduct as plain_reduct

NAN = np.nan
X = np.array(
    [
        [0.20, 0.30, 0.50, 0.10, 0.40],
        [0.60, 0.35, 0.55, 0.20, 0.45],
        [0.25, 0.80, 0.60, 0.15, 0.50],
        [0.30, 0.40, NAN, 0.25, 0.55],
        [0.65, 0.45, 0.90, 0.70, 0.50],
    ]
)
Y = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1], [1, 0, 1], [0, 0, 1]])
THRESHOLDS = [0.18, 0.15, 0.21, 0.22, 0.24]

both_metrics = pytest.mark.parametrize("metric", ["manhattan", "euclidean"])
both_quantifiers = pytest.mark.parametrize("quantifier", ["all", "any"])


def fit(X, Y, **settings):
    return ToleranceRoughSet(**settings).fit(X, Y)


def planted(n=80, d=12, q=4, missing=0.1, seed=0):
    """Return noise in which the first features carry the labels, with gaps."""
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, q)) < 0.4).astype(int)
    Y[0] = [1, *[0] * (q - 1)]
    X = rng.normal(size=(n, d))
    X[:, :q] += 3 * Y
    X[rng.random(X.shape) < missing] = NAN
    return X, Y


@pytest.mark.parametrize("tie_break", ["index", "discerned"])
@pytest.mark.parametrize("backward", [False, True])
def test_worked_example_with_a_threshold_for_each_feature(tie_break, backward):
    settings = {"thresholds": THRESHOLDS, "scale": None, "tie_break": tie_break}
    every = fit(X, Y, backward=backward, **settings)
    assert every.reduct_.tolist() == [1, 0, 2]
    np.testing.assert_allclose(every.dependency_, [0.2, 0.4, 0.8])
    assert every.total_dependency_ == 0.8
    assert every.positive_region_.tolist() == [True, True, True, False, True]
    assert every.boundary_.tolist() == [False, False, False, True, False]
    assert every.thresholds_.tolist() == THRESHOLDS
    assert every.stopped_ == "complete"
    some = fit(X, Y, quantifier="any", backward=backward, **settings)
    assert some.reduct_.tolist() == [1, 0, 2]
    np.testing.assert_allclose(some.dependency_, [0.2, 0.6, 1.0])
    assert some.positive_region_.all()


def test_scores_put_the_reduct_first_and_then_what_parts_most_alone():
    # 16 pairs of a row and one that lacks its labels; the fourth feature parts
    # 1, 2, 3 and 4 from 5, and 5 from 1 and 2; the fifth has no value far from others
    fitted = fit(X, Y, thresholds=THRESHOLDS, scale=None)
    np.testing.assert_allclose(fitted.scores_, [3, 4, 2, 6 / 16, 0])
    assert fitted.order_.tolist() == [1, 0, 2, 3, 4]
    assert fitted.ranking_.tolist() == [2, 1, 3, 4, 5]
    assert fitted.get_support(indices=True).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("lam", "threshold", "every", "any_"),
    [
        (0.6, 0.262256, [1, 0, 2], [1, 0, 2]),
        (0.5, 0.314707, [1, 0, 2, 4], [1, 0, 2, 4]),
        (1.0, 0.157354, [1, 0, 3], [1, 0, 2]),
    ],
)
def test_worked_example_with_the_euclidean_distance(lam, threshold, every, any_):
    settings = {"metric": "euclidean", "scale": None, "tie_break": "index", "lam": lam}
    fitted = fit(X, Y, **settings)
    assert fitted.thresholds_ == pytest.approx(threshold, abs=1e-6)
    assert fitted.reduct_.tolist() == every
    assert fit(X, Y, quantifier="any", **settings).reduct_.tolist() == any_
    if lam == 0.5:
        np.testing.assert_allclose(fitted.dependency_ * 5, [1, 2, 3, 4])
    if lam == 1:
        assert fitted.total_dependency_ == 1


def test_a_difference_equal_to_the_threshold_is_within_it():
    x = np.array([[0.0], [0.15], [0.3], [0.46]])
    y = np.array([[1, 0], [0, 1], [0, 1], [0, 1]])
    near = fit(x, y, thresholds=0.15, scale=None)
    assert near.positive_region_.tolist() == [False, False, True, True]


def test_chebyshev_has_one_threshold_for_the_largest_difference():
    x = np.array([[0.0, 0.0], [0.5, 0.5], [0.0, 1.0], [1.0, 0.0]])
    y = np.array([[1, 0], [0, 1], [1, 0], [0, 1]])
    # row 1 is within 0.5 of all others in each feature, but 0.71 away from them
    largest = fit(x, y, metric="chebyshev", thresholds=0.5)
    assert largest.positive_region_.tolist() == [False, False, False, True]
    assert largest.thresholds_ == 0.5
    assert fit(x, y, metric="euclidean", thresholds=0.5).positive_region_.all()


@pytest.mark.parametrize(
    ("metric", "lam"), [("manhattan", 0.9), ("euclidean", 0.6), ("chebyshev", 0.6)]
)
def test_default_lam_and_thresholds(metric, lam):
    x, y = planted()
    fitted = fit(x, y, metric=metric)
    low, high = np.nanmin(x, axis=0), np.nanmax(x, axis=0)
    spread = np.nanstd((x - low) / (high - low), axis=0)
    expected = spread / lam if metric == "manhattan" else spread.mean() / lam
    np.testing.assert_allclose(fitted.thresholds_, expected)


@pytest.mark.slow
def test_equals_plain_python_on_thousands_of_small_tables(monkeypatch):
    for seed in range(2400):
        # rows as bits, then as lists
        monkeypatch.setattr(neighborhoods_bits, "MOST_VALUES", 16 * (seed // 6 % 2))
        rng = np.random.default_rng(seed)
        n, d, q = rng.integers(3, 9), rng.integers(1, 5), rng.integers(2, 5)
        x = rng.normal(size=(n, d)) if seed % 2 else 1.0 * rng.integers(0, 4, (n, d))
        x[rng.random(x.shape) < rng.choice([0, 0.1, 0.3])] = NAN
        y = (rng.random((n, q)) < rng.choice([0.3, 0.5, 0.8])).astype(int)
        y[0], y[1] = 1, np.arange(q) == 0
        y[2, 0] = 0
        nominal = rng.random(d) < 0.2
        settings = {
            "metric": ("manhattan", "euclidean", "chebyshev")[seed % 3],
            "quantifier": ("all", "any")[seed // 3 % 2],
            "lam": float(rng.choice([0.5, 0.9, 1.5, 2.5])),
            "empty_labels": str(rng.choice(["exclude", "include", "drop"])),
            "tie_break": str(rng.choice(["index", "discerned", "standalone"])),
            "backward": bool(rng.random() < 0.3),
            "epsilon": float(rng.choice([0, 0, 0.3])),
        }
        scale = bool(rng.random() < 0.7)
        selector = ToleranceRoughSet(
            scale="minmax" if scale else None, categorical_features=nominal, **settings
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("warnings.warn", lambda *args, **kwargs: None)
            selector.fit(x, y)
        red, counts, positive, target = plain_reduct(
            x.tolist(), y.tolist(), scale=scale, nominal=nominal.tolist(), **settings
        )
        used = np.arange(n)
        if settings["empty_labels"] == "drop":
            used = np.flatnonzero(y.any(axis=1))
        assert selector.reduct_.tolist() == red, (seed, settings)
        assert np.rint(selector.dependency_ * len(used)).tolist() == counts
        found = set(np.flatnonzero(selector.positive_region_))
        assert found == {int(used[i]) for i in positive}, (seed, settings)
        assert selector.total_dependency_ == pytest.approx(len(target) / len(used))


@both_metrics
@both_quantifiers
def test_equals_plain_python_on_a_larger_table(metric, quantifier):
    x, y = planted(n=45, d=7, q=3, seed=2)
    fitted = fit(x, y, metric=metric, quantifier=quantifier, lam=0.9)
    red, counts, positive, _ = plain_reduct(
        x.tolist(), y.tolist(), metric, 0.9, quantifier, tie_break="discerned"
    )
    assert len(red) > 2
    assert fitted.reduct_.tolist() == red
    np.testing.assert_allclose(fitted.dependency_, np.array(counts) / 45)
    assert set(np.flatnonzero(fitted.positive_region_)) == positive


@both_metrics
@both_quantifiers
@examples(20)
@given(seed=st.integers(0, 2**32 - 1))
def test_dependency_rises_and_ends_at_that_of_all_features(metric, quantifier, seed):
    x, y = planted(n=40, d=8, seed=seed)
    fitted = fit(x, y, metric=metric, quantifier=quantifier, lam=1.5)
    assert (np.diff(fitted.dependency_) >= 0).all()
    assert fitted.dependency_[-1] == fitted.total_dependency_
    # all features at once have the same positive region as the reduct
    alone = np.zeros(len(x), dtype=bool)
    again = fit(
        x[:, fitted.reduct_],
        y,
        metric=metric,
        quantifier=quantifier,
        thresholds=_picked(fitted.thresholds_, fitted.reduct_),
    )
    alone |= again.positive_region_
    assert (alone == fitted.positive_region_).all()


def _picked(thresholds, reduct):
    return thresholds[reduct] if np.ndim(thresholds) else thresholds


@both_metrics
@both_quantifiers
@examples(15)
@given(seed=st.integers(0, 2**32 - 1))
def test_smaller_thresholds_give_a_larger_dependency(metric, quantifier, seed):
    """Property 1 of the paper."""
    x, y = planted(n=40, d=8, seed=seed)
    path = ToleranceRoughSet(metric=metric, quantifier=quantifier).lam_path(
        x, y, lams=[0.9, 1.3, 2.0]
    )
    certain = [fitted.positive_region_ for fitted in path]
    for wide, narrow in ((0, 1), (1, 2)):
        assert not (certain[wide] & ~certain[narrow]).any()
        assert path[wide].total_dependency_ <= path[narrow].total_dependency_


@both_metrics
@both_quantifiers
@pytest.mark.parametrize("seed", range(4))
def test_after_backward_no_feature_can_be_spared(metric, quantifier, seed):
    x, y = planted(n=60, d=10, seed=seed)
    settings = {"metric": metric, "quantifier": quantifier}
    fitted = fit(x, y, backward=True, tie_break="index", lam=1.2, **settings)
    assert len(fitted.reduct_) > 1
    share = fitted.positive_region_.mean()
    for feature in fitted.reduct_:
        rest = fitted.reduct_[fitted.reduct_ != feature]
        less = fit(
            x[:, rest], y, thresholds=_picked(fitted.thresholds_, rest), **settings
        )
        assert less.total_dependency_ < share


def test_backward_drops_what_later_features_made_needless():
    # the first feature makes four rows certain; the others together make all of them
    x = np.array([[5, 6, 6, 5, 7, 7, 7, 7], [0, 0, 1, 1] * 2, [0, 1, 0, 1] * 2]).T
    y = np.array([[1, 0], [0, 1], [0, 1], [1, 0]] * 2)
    forward = fit(x, y, thresholds=0.0)
    assert forward.reduct_.tolist() == [0, 1, 2]
    backward = fit(x, y, thresholds=0.0, backward=True)
    assert backward.added_.tolist() == [0, 1, 2]
    assert backward.reduct_.tolist() == [1, 2]
    assert backward.dependency_.tolist() == [0.5, 0.5, 1.0]
    assert backward.positive_region_.all()
    assert backward.n_features_ == 2


@both_metrics
def test_a_column_without_values_is_as_good_as_absent(metric):
    x, y = planted()
    thresholds = fit(x, y, metric=metric).thresholds_
    with_gap = np.insert(x, 3, NAN, axis=1)
    if metric == "manhattan":
        thresholds_gap = np.insert(thresholds, 3, 0.0)
    else:
        thresholds_gap = thresholds
    plain = fit(x, y, metric=metric, thresholds=thresholds)
    gap = fit(with_gap, y, metric=metric, thresholds=thresholds_gap)
    assert gap.reduct_.tolist() == [c + (c >= 3) for c in plain.reduct_]
    np.testing.assert_array_equal(np.delete(gap.scores_, 3), plain.scores_)
    assert gap.scores_[3] == 0
    assert gap.order_[-1] == 3


def test_row_order_changes_nothing():
    x, y = planted()
    shuffled = np.random.default_rng(1).permutation(len(x))
    for metric in ("manhattan", "euclidean", "chebyshev"):
        first = fit(x, y, metric=metric)
        second = fit(x[shuffled], y[shuffled], metric=metric)
        assert first.reduct_.tolist() == second.reduct_.tolist()
        assert (first.positive_region_[shuffled] == second.positive_region_).all()


@both_metrics
@both_quantifiers
@pytest.mark.parametrize("limit", [0, 2000])
def test_lists_that_do_not_fit_are_made_anew_with_the_same_result(
    metric, quantifier, limit, monkeypatch
):
    x, y = planted(n=150)
    kept = fit(x, y, metric=metric, quantifier=quantifier)
    monkeypatch.setattr(rough_set, "LIST_BYTES", limit)
    again = fit(x, y, metric=metric, quantifier=quantifier)
    assert again.reduct_.tolist() == kept.reduct_.tolist()
    assert again.dependency_.tolist() == kept.dependency_.tolist()


@pytest.mark.parametrize("seed", range(40))
def test_blocks_of_equal_rows_give_the_result_of_pairs(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 40))
    x = rng.integers(0, rng.integers(2, 4), (n, 6)).astype(float)
    y = (rng.random((n, 3)) < 0.4).astype(int)
    y[0], y[1] = [1, 0, 0], [0, 1, 1]
    x[1] = 9.0  # alone, so that some row is certain
    selector = ToleranceRoughSet(
        thresholds=0.0,
        quantifier=str(rng.choice(["all", "any"])),
        tie_break=str(rng.choice(["index", "standalone", "discerned"])),
        empty_labels=str(rng.choice(["exclude", "include", "drop"])),
        epsilon=float(rng.choice([0, 0.2])),
        backward=bool(rng.random() < 0.4),
    )
    blocks = clone(selector).fit(x, y)
    original = WindowSpace.__init__

    def with_pairs(space, *arguments):
        original(space, *arguments)
        space.is_partition = False

    monkeypatch.setattr(WindowSpace, "__init__", with_pairs)
    pairs = clone(selector).fit(x, y)
    assert blocks.reduct_.tolist() == pairs.reduct_.tolist()
    assert blocks.dependency_.tolist() == pairs.dependency_.tolist()
    assert blocks.total_dependency_ == pairs.total_dependency_
    assert (blocks.positive_region_ == pairs.positive_region_).all()
    assert (blocks.scores_ == pairs.scores_).all()
    assert blocks.stopped_ == pairs.stopped_


@pytest.mark.parametrize("seed", range(30))
def test_rows_as_bits_give_the_result_of_lists(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    n, d, q = rng.integers(60, 300), rng.integers(2, 70), rng.integers(2, 6)
    x = rng.integers(0, rng.integers(2, 6), (n, d)).astype(float)
    if seed % 2:
        x *= rng.random((n, d)) < 0.15
    x[rng.random((n, d)) < rng.choice([0.02, 0.1, 0.3])] = NAN
    y = (rng.random((n, q)) < rng.choice([0.2, 0.5])).astype(int)
    y[0] = 1
    x[0] = 9.0  # alone, so that some row is certain
    selector = ToleranceRoughSet(
        metric=("manhattan", "chebyshev", "euclidean")[seed % 3],
        lam=float(rng.choice([0.3, 0.6, 0.9, 2])),
        quantifier=str(rng.choice(["all", "any"])),
        tie_break=str(rng.choice(["index", "standalone", "discerned"])),
        backward=bool(rng.random() < 0.3),
    )
    bits = clone(selector).fit(x, y)
    monkeypatch.setattr(rough_set, "LIST_BYTES", 4000)  # forgotten and found again
    again = clone(selector).fit(x, y)
    monkeypatch.undo()
    monkeypatch.setattr(neighborhoods_bits, "MOST_VALUES", 0)
    lists = clone(selector).fit(x, y)
    for fitted in (again, lists):
        assert bits.reduct_.tolist() == fitted.reduct_.tolist()
        assert bits.dependency_.tolist() == fitted.dependency_.tolist()
        assert bits.total_dependency_ == fitted.total_dependency_
        assert (bits.positive_region_ == fitted.positive_region_).all()
        assert (bits.scores_ == fitted.scores_).all()


def test_distances_are_not_needed_where_any_difference_is_beyond_the_threshold(
    monkeypatch,
):
    rng = np.random.default_rng(3)
    x = (rng.random((120, 9)) < 0.4).astype(float)
    x[rng.random(x.shape) < 0.05] = NAN
    y = np.column_stack([x[:, 0] == 1, x[:, 1] != 1, rng.random(120) < 0.3]).astype(int)
    short = fit(x, y, metric="euclidean", thresholds=0.99)
    assert len(short.reduct_) > 2
    monkeypatch.setattr(tolerance_rough_set, "distance_space", DistanceSpace)
    long = fit(x, y, metric="euclidean", thresholds=0.99)
    assert short.reduct_.tolist() == long.reduct_.tolist()
    assert (short.scores_ == long.scores_).all()
    # a threshold of 1 lets rows be near that differ in one feature
    wide = fit(x, y, metric="euclidean", thresholds=1.0)
    assert wide.total_dependency_ < short.total_dependency_


@both_quantifiers
def test_counting_by_label_sets_gives_the_scores_of_pairs(quantifier, monkeypatch):
    x, y = planted(n=60)
    by_sets = fit(x, y, quantifier=quantifier)
    monkeypatch.setattr(WindowSpace, "discerned_alone", lambda *arguments: None)
    by_pairs = fit(x, y, quantifier=quantifier)
    assert (by_sets.scores_ == by_pairs.scores_).all()
    assert by_sets.reduct_.tolist() == by_pairs.reduct_.tolist()


@pytest.mark.parametrize("values", [200, 300, 70_000])
def test_any_number_of_distinct_values(values):
    # codes take one, two or four bytes
    n = 400
    rng = np.random.default_rng(0)
    x = rng.integers(0, values, (n, 4)).astype(float)
    y = (x[:, [0, 2]] > values / 2).astype(int)
    if values == 70_000:
        x[:, 1] = rng.permutation(n)
    fitted = fit(x, y, thresholds=0.0)
    assert fitted.total_dependency_ == pytest.approx(y.any(axis=1).mean())


def test_more_than_64_labels():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 5))
    y = np.zeros((40, 150), dtype=int)
    y[np.arange(40), rng.integers(0, 150, 40)] = 1
    y[:, 149] |= x[:, 2] > 0
    for quantifier in ("all", "any"):
        fitted = fit(x, y, quantifier=quantifier, lam=2.0)
        red, _, positive, _ = plain_reduct(
            x.tolist(),
            y.tolist(),
            lam=2.0,
            quantifier=quantifier,
            tie_break="discerned",
        )
        assert fitted.reduct_.tolist() == red
        assert set(np.flatnonzero(fitted.positive_region_)) == positive


def test_categorical_features_are_compared_by_equality():
    frame = pd.DataFrame({"colour": [0.0, 1.0, 2.0, NAN], "size": [0.0, 0.0, 0.1, 5]})
    y = np.array([[1, 0], [0, 1], [1, 0], [0, 1]])
    ordered = fit(frame, y, thresholds=[1.0, 0.1], scale=None)
    assert not ordered.positive_region_[:2].any()
    equal = fit(
        frame, y, thresholds=[1.0, 0.1], scale=None, categorical_features=["colour"]
    )
    # the last row has no colour, and agrees with all; its size parts it from them
    assert equal.positive_region_.all()
    assert equal.reduct_.tolist() == [0, 1]
    assert equal.thresholds_.tolist() == [0.0, 0.1]
    far = fit(frame, y, metric="euclidean", thresholds=0.9, categorical_features=[0])
    assert far.positive_region_.all()


def test_rows_without_labels():
    x = np.array([[0.0], [0.1], [1.0], [2.0], [2.1]])
    y = np.array([[1, 0], [0, 0], [0, 1], [0, 1], [0, 0]])
    settings = {"thresholds": 0.15, "scale": None}
    excluded = fit(x, y, **settings)
    assert excluded.positive_region_.tolist() == [False, False, True, False, False]
    assert excluded.total_dependency_ == 1 / 5
    assert excluded.boundary_.tolist() == [True, False, False, True, False]
    included = fit(x, y, empty_labels="include", **settings)
    assert included.positive_region_.tolist() == [False, True, True, False, True]
    dropped = fit(x, y, empty_labels="drop", **settings)
    assert dropped.positive_region_.tolist() == [True, False, True, True, False]
    assert dropped.total_dependency_ == 1


def test_a_single_label_is_told_from_its_absence():
    x, y = planted()
    column = fit(x, y[:, :1], empty_labels="drop")
    classes = fit(x, np.array(["no", "yes"])[y[:, 0]])
    both = fit(x, np.column_stack([1 - y[:, 0], y[:, 0]]))
    assert column.reduct_.tolist() == classes.reduct_.tolist() == both.reduct_.tolist()
    assert column.total_dependency_ > y[:, 0].mean()


def test_discerned_ties_look_beyond_the_first_column():
    # no feature makes a row certain alone; the last two together make all certain
    x = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1]] * 2, dtype=float)
    x[4:, 0] = 0.0
    y = np.array([[1, 0], [0, 1], [0, 1], [1, 0]] * 2)
    index = fit(x, y, tie_break="index", lam=2.0)
    assert index.reduct_.tolist() == [0, 1, 2]
    assert index.dependency_.tolist() == [0, 0, 1]
    discerned = fit(x, y, lam=2.0)
    assert discerned.reduct_.tolist() == [1, 2]


def test_stop_on_no_gain_says_so():
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    y = np.array([[1, 0], [0, 1], [0, 1], [1, 0]])
    selector = ToleranceRoughSet(stop_on_no_gain=True, lam=2.0)
    with pytest.warns(UserWarning, match=r"stopped at 0 features.*stop_on_no_gain"):
        selector.fit(x, y)
    assert selector.stopped_ == "no_gain"
    assert selector.reduct_.size == 0
    assert selector.total_dependency_ == 1


def test_epsilon_stops_early():
    x, y = planted(n=120)
    whole = fit(x, y)
    part = fit(x, y, epsilon=0.2)
    assert part.stopped_ == "epsilon"
    assert part.reduct_.tolist() == whole.reduct_[: len(part.reduct_)].tolist()
    needed = 0.8 * whole.total_dependency_
    assert part.dependency_[-1] >= needed - 1e-9 > part.dependency_[-2]
    assert part.positive_region_.mean() == pytest.approx(part.dependency_[-1])


def test_lam_path_equals_single_fits():
    x, y = planted()
    lams = [2.0, 0.01, 0.9, 1.4]
    for metric in ("manhattan", "euclidean"):
        with pytest.warns(UserWarning, match="no row is certain"):
            path = ToleranceRoughSet(metric=metric).lam_path(x, y, lams=lams)
        assert [fitted.lam for fitted in path] == lams
        for fitted, lam in zip(path, lams, strict=True):
            if lam == 0.01:
                assert fitted.stopped_ == "nothing_certain"
                continue
            single = fit(x, y, metric=metric, lam=lam)
            assert fitted.reduct_.tolist() == single.reduct_.tolist()
            np.testing.assert_array_equal(fitted.scores_, single.scores_)
            assert fitted.transform(x).shape == single.transform(x).shape
    with pytest.raises(ValueError, match="no use for thresholds"):
        ToleranceRoughSet(thresholds=0.1).lam_path(x, y)
    with pytest.warns(UserWarning, match="no row is certain"):
        twenty = ToleranceRoughSet(tie_break="index").lam_path(*planted(missing=0))
    assert [fitted.lam for fitted in twenty] == [k / 10 for k in range(1, 21)]


@pytest.mark.parametrize("at", [1, 3])
def test_an_interrupt_leaves_a_usable_selector(at):
    x, y = planted(n=120)
    whole = fit(x, y)

    def interrupt(features, rows, goal):
        if features == at:
            raise KeyboardInterrupt

    selector = ToleranceRoughSet(progress=interrupt, backward=True)
    with pytest.raises(KeyboardInterrupt):
        selector.fit(x, y)
    assert selector.stopped_ == "interrupted"
    assert selector.reduct_.tolist() == whole.reduct_[:at].tolist()
    assert selector.dependency_.tolist() == whole.dependency_[:at].tolist()
    assert selector.transform(x).shape == (120, at)
    selector.set_params(progress=False, backward=False).fit(x, y)
    assert selector.reduct_.tolist() == whole.reduct_.tolist()


def test_progress_is_told_after_each_feature():
    x, y = planted()
    seen = []
    fitted = fit(x, y, progress=lambda *args: seen.append(args))
    goal = round(fitted.total_dependency_ * len(x))
    assert [features for features, _, _ in seen] == [
        k + 1 for k in range(len(fitted.reduct_))
    ]
    assert seen[-1] == (len(fitted.reduct_), goal, goal)
    assert fit(x, y, progress=True).reduct_.tolist() == fitted.reduct_.tolist()


def test_size_beyond_the_reduct_goes_on_with_the_best_alone():
    x, y = planted(d=30)
    reduct = fit(x, y).reduct_
    more = fit(x, y, n_features_to_select=len(reduct) + 2)
    assert more.get_support().sum() == len(reduct) + 2
    assert more.order_[: len(reduct)].tolist() == reduct.tolist()
    rest = more.scores_[more.order_[len(reduct) :]]
    assert (np.diff(rest) <= 0).all()
    assert rest[0] <= 1


def test_sparse_input_equals_dense():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, (50, 6)).astype(float)
    y = (x[:, :2] > 1).astype(int)
    y[0] = 1
    dense = fit(x, y, lam=2.0)
    for table in (sparse.csr_array(x), sparse.csc_array(x)):
        fitted = fit(table, sparse.csr_array(y), lam=2.0)
        np.testing.assert_array_equal(fitted.scores_, dense.scores_)


def test_nothing_certain_is_said_and_leaves_one_feature():
    x, y = planted()
    selector = ToleranceRoughSet(lam=0.01)
    with pytest.warns(UserWarning, match="no row is certain even with all features"):
        selector.fit(x, y)
    assert selector.reduct_.size == 0
    assert selector.total_dependency_ == 0
    assert selector.transform(x).shape[1] == 1


def test_huge_values_do_not_overflow():
    x = np.array([[-1.7e308, 1], [1.7e308, 2], [0, 3], [1e308, 4]])
    y = np.array([[1, 0], [0, 1], [1, 1], [0, 1]])
    for metric in ("manhattan", "euclidean", "chebyshev"):
        assert np.isfinite(fit(x, y, metric=metric).scores_).all()
        fitted = fit(x, y, metric=metric, scale=None, thresholds=1.0)
        assert fitted.total_dependency_ == 1


def test_too_many_rows_are_refused_with_the_remedy():
    x, y = planted(n=60)
    with pytest.raises(
        ValueError, match=r"60 rows.*max_samples=50\. Fit on a sample.*max_samples=60"
    ):
        fit(x, y, max_samples=50)
    wide = sparse.csr_array((1000, 300_000))
    labels = np.tile([[1, 0], [0, 1]], (500, 1))
    with pytest.raises(ValueError, match=r"2\.2 GB of numbers written out"):
        fit(wide, labels)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"thresholds": [0.1, 0.2]}, r"must be one or 12 of them; found shape \(2,\)"),
        ({"thresholds": [0.1] * 12, "metric": "euclidean"}, "must be one; found shape"),
        ({"thresholds": [-0.1] * 12}, "finite and at least 0; found -0.1"),
        ({"thresholds": [NAN] * 12}, "finite and at least 0"),
        ({"thresholds": -1.0}, "thresholds"),
        ({"lam": 0}, "lam"),
        ({"metric": "cosine"}, "metric"),
        ({"epsilon": 1.0}, "epsilon"),
        ({"tie_break": "first"}, "tie_break"),
        ({"categorical_features": [40]}, "column numbers from 0 to 11"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    x, y = planted()
    with pytest.raises(ValueError, match=message):
        fit(x, y, **settings)


def test_dropping_all_rows_is_an_error():
    with pytest.raises(ValueError, match="no row of y has a label"):
        fit(np.eye(4), np.zeros((4, 2)), empty_labels="drop")
