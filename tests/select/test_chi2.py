import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import chi2_contingency
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import reference.chi2 as plain
from labelsift.encode import EqualWidthDiscretizer
from labelsift.select import Chi2, _counts, _discretized
from labelsift.statistics import counts as statistics

X = np.array([[1, 0], [0, 0], [1, 0], [1, 1], [0, 1], [0, 0], [0, 0], [1, 0]])
Y = np.array([[1, 0], [1, 0], [1, 0], [1, 1], [0, 0], [0, 0], [0, 0], [0, 0]])
DENSE_SPARSE = [np.asarray, sparse.csr_array, sparse.csc_array]
SEED = st.integers(0, 2**32 - 1)
# labels all alike, or a constant one under "min", are warned of; not the point here
quiet = pytest.mark.filterwarnings("ignore::UserWarning")


def draw(seed, n=24, d=4, q=5, values=4):
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, values - 1, (n, d)).astype(float)
    Y = (rng.random((n, q)) < rng.random(q)).astype(int)
    Y[:2] = [[0] * q, [1] * q]  # no label is constant
    return X, Y


@pytest.mark.parametrize("container", DENSE_SPARSE)
@pytest.mark.parametrize(
    ("variant", "aggregate", "scores", "order"),
    [
        ("full", "mean", [11 / 7, 12 / 7], [1, 0]),
        ("full", "max", [2, 24 / 7], [1, 0]),
        ("full", "min", [8 / 7, 0], [0, 1]),
        ("simplified", "mean", [2.5, 1.5], [0, 1]),
        ("simplified", "max", [4, 3], [0, 1]),
        ("simplified", "min", [1, 0], [0, 1]),
    ],
)
def test_worked_example_pins_the_variant(container, variant, aggregate, scores, order):
    selector = Chi2(variant=variant, aggregate=aggregate).fit(
        container(X), container(Y)
    )
    np.testing.assert_allclose(selector.scores_, scores, rtol=1e-14)
    assert selector.order_.tolist() == order


def test_three_valued_feature_of_the_worked_example_scores_six():
    feature = np.array([[0, 0, 0, 1, 1, 2, 2, 2]]).T
    selector = Chi2(discretize="none").fit(feature, Y[:, :1])
    np.testing.assert_allclose(selector.scores_, [6.0], rtol=1e-14)


@quiet
@pytest.mark.parametrize("variant", ["full", "simplified"])
@given(seed=SEED)
def test_matches_the_definition_cell_by_cell(variant, seed):
    X, Y = draw(seed)
    expected = plain.chi2_matrix(X.T.tolist(), Y.T.tolist(), variant)
    for container in DENSE_SPARSE:
        for aggregate in ("mean", "max", "min"):
            selector = Chi2(
                discretize="none", variant=variant, aggregate=aggregate
            ).fit(container(X), container(Y))
            np.testing.assert_allclose(
                selector.scores_per_label_.values, expected, rtol=1e-11, atol=1e-12
            )
            wanted = [plain.aggregate(row, aggregate) for row in expected]
            np.testing.assert_allclose(selector.scores_, wanted, rtol=1e-11, atol=1e-12)


@given(seed=SEED)
def test_equals_scipy_on_tables_without_empty_margins(seed):
    X, Y = draw(seed, d=1, q=1)
    values = np.unique(X)
    if len(values) < 2:
        return
    table = [[((X[:, 0] == v) & (Y[:, 0] == c)).sum() for c in (0, 1)] for v in values]
    expected = chi2_contingency(table, correction=False)
    plain_score = Chi2(discretize="none").fit(X, Y).scores_[0]
    assert plain_score == pytest.approx(expected.statistic, rel=1e-12, abs=1e-12)
    p_score = Chi2(discretize="none", correction="p_value").fit(X, Y).scores_[0]
    assert p_score == pytest.approx(-np.log10(expected.pvalue), rel=1e-10, abs=1e-12)
    v_score = Chi2(discretize="none", correction="cramers_v").fit(X, Y).scores_[0]
    assert v_score == pytest.approx(np.sqrt(expected.statistic / len(X)), abs=1e-12)


@quiet
@pytest.mark.parametrize("discretize", ["none", "presence", "equal_width"])
@given(
    seed=SEED,
    aggregate=st.sampled_from(["mean", "max", "min"]),
    correction=st.sampled_from([None, "p_value", "cramers_v"]),
)
def test_rows_table_blocks_and_containers_agree_to_the_last_bit(
    discretize, aggregate, correction, seed
):
    X, Y = draw(seed, n=16, q=4)
    selector = Chi2(aggregate=aggregate, discretize=discretize, correction=correction)
    want = selector.fit(X, Y)
    others = [clone(selector).fit(c(X), c(Y)) for c in DENSE_SPARSE[1:]]
    blocks = clone(selector)
    for rows in (slice(0, 3), slice(3, 11), slice(11, 16)):
        blocks.partial_fit(X[rows], Y[rows])
    others.append(blocks)
    others.append(
        clone(selector).fit_blocks([(X[:9], Y[:9]), (sparse.csr_array(X[9:]), Y[9:])])
    )
    limit = statistics.TABLE_LIMIT
    statistics.TABLE_LIMIT = 0  # no table: rows are kept
    try:
        others.append(
            clone(selector).fit_blocks(
                [(X[9:], Y[9:]), (X[:2], Y[:2]), (X[2:9], Y[2:9])]
            )
        )
    finally:
        statistics.TABLE_LIMIT = limit
    for other in others:
        np.testing.assert_array_equal(other.scores_, want.scores_)
        np.testing.assert_array_equal(
            other.scores_per_label_.values, want.scores_per_label_.values
        )


@quiet
@given(seed=SEED, options=st.sampled_from([{}, {"correction": "p_value"}]))
def test_sparse_labels_scored_from_rows_equal_those_from_a_table(seed, options):
    # more cells than meetings: the fused kernel; merged: the table
    rng = np.random.default_rng(seed)
    X = sparse.random_array((30, 9), density=0.15, rng=rng, format="csr")
    Y = sparse.random_array((30, 40), density=0.04, rng=rng, format="csr")
    Y.data[:] = 1
    selector = Chi2(discretize="presence", **options)
    whole = clone(selector).fit(X, Y)
    a, b = (clone(selector).partial_fit(X[r], Y[r]) for r in (slice(13), slice(13, 30)))
    b.merge(a)
    np.testing.assert_array_equal(b.scores_, whole.scores_)
    reference = [
        [plain.chi2(f, y) for y in Y.toarray().T.astype(int).tolist()]
        for f in (X.toarray() > 0).T.tolist()
    ]
    if not options:
        np.testing.assert_allclose(
            whole.scores_, np.mean(reference, axis=1), rtol=1e-11, atol=1e-12
        )


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_threads_do_not_change_a_bit(monkeypatch, threads):
    X, Y = draw(5, n=60, d=130, q=20)
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "1")
    want = Chi2().fit(X, Y).scores_
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", threads)
    np.testing.assert_array_equal(Chi2().fit(X, Y).scores_, want)


@quiet
@given(seed=SEED)
def test_order_of_rows_columns_labels_and_names_of_values_do_not_matter(seed):
    X, Y = draw(seed)
    rng = np.random.default_rng(seed)
    selector = Chi2(discretize="none")
    want = selector.fit(X, Y).scores_
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    labels = rng.permutation(Y.shape[1])
    np.testing.assert_array_equal(selector.fit(X[rows], Y[rows]).scores_, want)
    np.testing.assert_array_equal(selector.fit(X[:, columns], Y).scores_, want[columns])
    np.testing.assert_array_equal(selector.fit(X, Y[:, labels]).scores_, want)
    renamed = np.array([7.0, -3.0, 0.0, 2.5])[X.astype(int) + 1]
    np.testing.assert_allclose(
        selector.fit(renamed, Y).scores_, want, rtol=1e-12, atol=1e-12
    )


@quiet
@given(seed=SEED)
def test_every_row_twice_doubles_the_statistic(seed):
    X, Y = draw(seed)
    selector = Chi2(discretize="none")
    once = selector.fit(X, Y).scores_
    twice = selector.fit(np.vstack([X, X]), np.vstack([Y, Y])).scores_
    np.testing.assert_allclose(twice, 2 * once, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("label_norm", ["dl", "dm", "rank"])
@pytest.mark.parametrize("aggregate", ["mean", "max", "min"])
def test_scaled_labels_are_aggregated_alike_in_parts(
    monkeypatch, label_norm, aggregate
):
    X, Y = draw(3, n=40, d=6, q=7)
    selector = Chi2(label_norm=label_norm, aggregate=aggregate)
    whole = clone(selector).fit(X, Y)
    table = np.asarray(whole.scores_per_label_)
    scale = {
        "dl": table / np.sqrt((table**2).sum(axis=0)),
        "dm": table / table.max(axis=0),
        "rank": (table[:, None] > table[None]).sum(axis=1) / 5,
    }[label_norm]
    expected = getattr(scale, aggregate)(axis=1)
    np.testing.assert_allclose(whole.scores_, expected, rtol=1e-12)
    monkeypatch.setattr(_counts, "PAIR_LIMIT", 13)
    parts = clone(selector).fit(X, Y)
    np.testing.assert_array_equal(parts.scores_, whole.scores_)


def test_pairs_beyond_the_limit_are_not_kept_and_the_error_says_what_to_do(monkeypatch):
    monkeypatch.setattr(_counts, "PAIR_LIMIT", 3)
    selector = Chi2().fit(X, Y)
    np.testing.assert_allclose(selector.scores_, [11 / 7, 12 / 7])
    with pytest.raises(AttributeError, match="2 features x 2 labels are more than the"):
        selector.scores_per_label_  # noqa: B018
    with pytest.raises(AttributeError, match="not fitted yet"):
        Chi2().scores_per_label_  # noqa: B018


def test_pairs_are_looked_up_by_name():
    frame = pd.DataFrame(X, columns=["tempo", "loudness"])
    labels = pd.DataFrame(Y, columns=["calm", "sad"])
    table = Chi2().fit(frame, labels).scores_per_label_
    assert table["loudness", "sad"] == pytest.approx(24 / 7)
    assert table.label_names == ("calm", "sad")


def test_constant_features_and_labels_score_zero_and_never_nan():
    X = np.array([[1, 5, 0], [1, 6, 0], [1, 5, 1], [1, 6, 1]])
    Y = np.array([[0, 1, 0], [0, 1, 0], [0, 1, 1], [0, 1, 1]])
    for label_norm in (None, "dl", "dm", "rank"):
        for correction in (None, "p_value", "cramers_v"):
            selector = Chi2(label_norm=label_norm, correction=correction).fit(X, Y)
            assert np.isfinite(selector.scores_).all()
            assert selector.order_[0] == 2
            assert selector.scores_[0] == 0
            assert (selector.scores_per_label_.values[:, :2] == 0).all()


def test_smallest_over_labels_with_a_constant_one_warns_and_is_zero():
    with pytest.warns(UserWarning, match="label 'label2' is the same in all rows"):
        selector = Chi2(aggregate="min").fit(X, np.column_stack([Y, np.ones(8)]))
    assert selector.scores_.tolist() == [0, 0]


def test_rows_that_all_carry_the_same_labels_warn_and_keep_the_column_order():
    with pytest.warns(UserWarning, match="all rows carry the same labels"):
        selector = Chi2().fit(X, np.ones((8, 3)))
    assert selector.scores_.tolist() == [0, 0]
    assert selector.order_.tolist() == [0, 1]


def test_p_value_is_finite_and_tells_huge_statistics_apart():
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 40_000)
    near = np.where(rng.random(40_000) < 0.01, 1 - label, label)
    selector = Chi2(correction="p_value").fit(
        np.column_stack([near, label]), label[:, None]
    )
    assert np.isfinite(selector.scores_).all()
    assert selector.scores_[1] > selector.scores_[0] > 8000


def test_correction_needs_pearsons_statistic():
    with pytest.raises(ValueError, match="use it with variant='full'"):
        Chi2(variant="simplified", correction="p_value").fit(X, Y)


# what people meet in the field


def test_several_labels_of_text_go_through_a_pipeline():
    docs = ["red apple pie", "green apple", "red car", "green car", "apple red car"]
    Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1]])
    pipe = make_pipeline(
        CountVectorizer(),
        Chi2(0.4, discretize="presence", aggregate="max"),
        OneVsRestClassifier(LogisticRegression()),
    ).fit(docs, Y)
    kept = pipe[:-1].get_feature_names_out()
    assert set(kept) == {"apple", "car"}
    assert len(pipe[1].scores_per_label_.label_names) == 2


def test_category_codes_may_be_named_in_any_way():
    x = [0] * 40 + [1] * 5 + [2] * 5 + [0] * 5 + [1] * 40 + [2] * 5
    y = np.array([[1]] * 50 + [[0]] * 50)
    for names in ([0, 1, 2], [2, 1, 0], [1, 0, 2]):
        column = np.array(names)[x][:, None]
        score = Chi2(discretize="none").fit(column, y).scores_[0]
        assert score == pytest.approx(54.4444, abs=1e-3)


def test_absent_values_count_too():
    x = np.array([0] * 45 + [1] * 5 + [0] * 30 + [1] * 20)[:, None]
    y = np.array([[0]] * 50 + [[1]] * 50)
    assert Chi2().fit(x, y).scores_[0] == pytest.approx(12.0, rel=1e-12)


def test_units_do_not_matter():
    rng = np.random.default_rng(0)
    metres, y = rng.random((60, 1)), rng.integers(0, 2, (60, 1))
    # a power of two, so that the same rows lie on the same side of every cut
    assert Chi2().fit(metres * 1024, y).scores_ == Chi2().fit(metres, y).scores_


def test_negative_values_are_welcome():
    rng = np.random.default_rng(0)
    data, Y = rng.random((50, 3)), rng.integers(0, 2, (50, 2))
    scaled = StandardScaler().fit_transform(data)
    selector = Chi2(2).fit(scaled, Y)
    assert selector.transform(scaled).shape == (50, 2)


def test_scores_order_and_ranking_say_the_same():
    selector = Chi2(1).fit(X, Y)
    assert selector.order_.tolist() == [1, 0]
    assert selector.ranking_.tolist() == [2, 1]
    assert selector.scores_[selector.order_[0]] == selector.scores_.max()
    assert selector.get_support().tolist() == [False, True]


def test_two_rows_tie_all_columns_that_differ_and_keep_their_order():
    selector = Chi2(discretize="none").fit([[4, 1, 0], [5, 10, 0]], [[0], [1]])
    assert selector.scores_.tolist() == [2, 2, 0]
    assert selector.order_.tolist() == [0, 1, 2]


def test_several_labels_are_never_summed_over_present_cells_only():
    rng = np.random.default_rng(0)
    counts, labels = rng.poisson(2.0, (200, 3)), rng.integers(0, 2, (200, 4))
    by_label = [
        Chi2().fit(counts, labels[:, [k]]).scores_ for k in range(labels.shape[1])
    ]
    for aggregate in ("mean", "max", "min"):
        got = Chi2(aggregate=aggregate).fit(counts, labels).scores_
        np.testing.assert_allclose(got, getattr(np, aggregate)(by_label, axis=0))


# blocks of rows


def test_cut_points_known_beforehand_make_blocks_forgettable():
    X, Y = draw(11, n=40)
    coder = EqualWidthDiscretizer(5).fit(X)
    want = Chi2().fit(X, Y)
    for given_as in (coder, coder.cut_points_, [c.tolist() for c in coder.cut_points_]):
        blocks = Chi2().partial_fit(X[:15], Y[:15], cut_points=given_as)
        blocks.partial_fit(X[15:], Y[15:])
        np.testing.assert_array_equal(blocks.scores_, want.scores_)
        assert blocks._statistic.coded() is None  # counted, not kept


def test_after_fit_blocks_are_added_with_the_cuts_of_fit():
    X, Y = draw(12, n=40)
    selector = Chi2().fit(X, Y)
    selector.partial_fit(X, Y)
    np.testing.assert_allclose(selector.scores_, 2 * Chi2().fit(X, Y).scores_)


def test_after_a_fit_too_large_to_keep_blocks_start_afresh_with_a_warning(monkeypatch):
    monkeypatch.setattr(_discretized, "KEPT_BYTES", 10)
    selector = Chi2().fit(X, Y)
    with pytest.warns(UserWarning, match="starts afresh"):
        selector.partial_fit(X, Y)
    np.testing.assert_allclose(selector.scores_, [11 / 7, 12 / 7])


def test_merging_selectors_of_other_cuts_settings_or_columns_is_refused():
    X, Y = draw(13)
    cuts = [[0.5]] * 4
    one = Chi2().partial_fit(X, Y, cut_points=cuts)
    with pytest.raises(ValueError, match="same cut points"):
        one.merge(Chi2().partial_fit(X, Y, cut_points=[[1.5]] * 4))
    with pytest.raises(ValueError, match="same cut points"):
        one.merge(Chi2().partial_fit(X, Y))
    with pytest.raises(ValueError, match="equal settings"):
        one.merge(Chi2(aggregate="max").partial_fit(X, Y, cut_points=cuts))
    with pytest.raises(ValueError, match="same labels"):
        one.merge(Chi2().partial_fit(X, Y[:, :3], cut_points=cuts))


@pytest.mark.parametrize(
    ("cut_points", "message"),
    [
        ([[0.5]], "one array a feature: found 1 for 2"),
        ([[0.5], [2, 1]], "feature 1 must be finite and increasing"),
        ([[0.5], [np.nan]], "feature 1 must be finite and increasing"),
    ],
)
def test_cut_points_that_cannot_be_used_are_named(cut_points, message):
    with pytest.raises(ValueError, match=message):
        Chi2().partial_fit(X, Y, cut_points=cut_points)


def test_cut_points_out_of_place_are_refused():
    with pytest.raises(ValueError, match="has no use for cut_points"):
        Chi2(discretize="none").partial_fit(X, Y, cut_points=[[0.5]] * 2)
    selector = Chi2().partial_fit(X, Y, cut_points=[[0.5]] * 2)
    with pytest.raises(ValueError, match="belongs in the first call"):
        selector.partial_fit(X, Y, cut_points=[[0.5]] * 2)


def test_blocks_that_can_be_read_once_only_are_refused():
    with pytest.raises(TypeError, match="found an iterator"):
        Chi2().fit_blocks(iter([(X, Y)]))
    with pytest.raises(ValueError, match="holds no block"):
        Chi2().fit_blocks([])


@pytest.mark.parametrize(
    ("blocks", "found"),
    [
        ((X, Y), "block 0 is a ndarray"),
        ([(X, Y), (X, Y, Y)], "block 1 is a tuple of 3"),
        (X, "found ndarray"),
        (None, "found NoneType"),
    ],
)
def test_what_is_no_blocks_is_told_how_they_are_given(blocks, found):
    with pytest.raises(TypeError, match=rf"pairs \(X, y\) of rows.*{found}"):
        Chi2().fit_blocks(blocks)


def test_categories_may_turn_up_in_later_blocks():
    X = np.array([[1.0], [1.0], [2.0], [0.0], [0.0], [3.0]])
    Y = np.array([[1], [0], [1], [0], [1], [0]])
    want = Chi2(discretize="none").fit(X, Y).scores_
    for container in DENSE_SPARSE:
        selector = Chi2(discretize="none")
        for rows in (slice(0, 2), slice(2, 3), slice(3, 6)):
            selector.partial_fit(container(X[rows]), Y[rows])
        np.testing.assert_array_equal(selector.scores_, want)
