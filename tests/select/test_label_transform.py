import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from example_counts import examples
from labelsift.encode.label_transform import to_class_problem, whole_weights
from labelsift.encode.labels import as_label_matrix
from labelsift.select import (
    ALIASES,
    Chi2,
    GainRatio,
    InfoGain,
    LabelTransform,
    make_selector,
)
from reference import label_transform as reference

X = np.array(
    [
        [0, 0, 1],
        [0, 1, 1],
        [1, 0, 0],
        [1, 1, 1],
        [2, 0, 0],
        [2, 1, 1],
        [0, 1, 0],
        [1, 0, 0],
    ]
)
Y = np.array([[1, 1], [1, 0], [0, 1], [0, 0], [0, 0], [0, 1], [1, 0], [1, 1]])

TRANSFORMATIONS = ["lp", "ppt", "ela", "copy", "br"]
SCORES = ["chi2", "info_gain", "symmetrical_uncertainty"]
each_transformation = pytest.mark.parametrize("transformation", TRANSFORMATIONS)
each_score = pytest.mark.parametrize("score", SCORES)


def scores(transformation, score, X=X, Y=Y, **settings):
    selector = LabelTransform(
        transformation=transformation, measure=score, discretize="none", **settings
    )
    return selector.fit(X, Y).scores_


@pytest.mark.parametrize(
    ("transformation", "score", "expected"),
    [
        ("lp", "info_gain", [0.811278, 0.5, 0]),
        ("lp", "symmetrical_uncertainty", [0.455611, 0.333333, 0]),
        ("lp", "chi2", [6.666667, 4, 0]),
        ("ela", "chi2", [2.833333, 0.666667, 0]),
        ("ela", "info_gain", [0.404563, 0.081704, 0]),
        ("copy", "chi2", [2.333333, 0.533333, 0]),
        ("br", "chi2", [3, 1, 0]),
    ],
)
def test_small_table_worked_by_hand(transformation, score, expected):
    np.testing.assert_allclose(scores(transformation, score), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("min_count", "first", "second"),
    [(1, 0.768854, 0.156657), (2, 0.75, 0.015712), (3, 1, 0)],
)
def test_pruning_worked_by_hand(min_count, first, second):
    sets = ["10"] * 3 + ["01"] * 3 + ["11"] + ["00"] * 2
    Y = np.array([[int(c) for c in text] for text in sets])
    X = np.array([[int(c) for c in text] for text in ("000111010", "011011001")]).T
    found = scores("ppt", "info_gain", X, Y, min_count=min_count)
    np.testing.assert_allclose(found, [first, second], atol=1e-6)


@each_transformation
@each_score
@examples(12)
@given(seed=st.integers(0, 2**32 - 1))
def test_equals_the_slow_reference(transformation, score, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 20))
    X = rng.integers(0, 3, (n, 4))
    Y = (rng.random((n, 3)) < 0.5).astype(int)
    Y[:2] = [[1, 0, 0], [0, 1, 0]]
    Y[2:4] = Y[:2]
    X[:4, 0] = [0, 1, 0, 1]
    expected = reference.label_transform(
        X.tolist(), Y.tolist(), transformation, score, min_count=2
    )
    for table in (X.astype(float), sparse.csc_array(X.astype(float))):
        found = scores(transformation, score, table, Y, min_count=2)
        np.testing.assert_allclose(found, expected, atol=1e-12, rtol=1e-10)


@each_score
def test_a_pruned_table_is_that_of_the_rows_that_are_left(score):
    rng = np.random.default_rng(0)
    Y = (rng.random((200, 4)) < 0.3).astype(int)
    X = rng.integers(0, 4, (200, 5))
    texts = np.array(["".join(map(str, row)) for row in Y])
    names, counts = np.unique(texts, return_counts=True)
    kept = np.isin(texts, names[counts >= 12])
    assert 0 < kept.sum() < 200
    pruned = scores("ppt", score, X, Y, min_count=12)
    np.testing.assert_array_equal(pruned, scores("lp", score, X[kept], Y[kept]))


def test_rows_without_labels_count_in_no_copy():
    more = np.vstack([X, [[2, 1, 1]] * 3])
    labels = np.vstack([Y, [[0, 0]] * 3])
    for transformation in ("ela", "copy"):
        alone = scores(transformation, "chi2")
        assert (scores(transformation, "chi2", more, labels) == alone).all()


def test_weighted_sums_are_exact_in_any_order_of_rows():
    rng = np.random.default_rng(1)
    Y = (rng.random((300, 7)) < 0.4).astype(int)
    X = rng.integers(0, 3, (300, 6))
    one = scores("ela", "chi2", X, Y)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(300)
        assert (scores("ela", "chi2", X[order], Y[order]) == one).all()


def test_weights_too_large_for_whole_numbers_stay_as_they_are():
    q = 60
    Y = np.tril(np.ones((q, q), dtype=int))  # 1 to 60 labels a row
    problem = to_class_problem(as_label_matrix(Y), "copy_weight")
    same, factor = whole_weights(problem)
    assert factor == 1
    assert same is problem
    few, factor = whole_weights(to_class_problem(as_label_matrix(Y[:4]), "copy_weight"))
    assert factor == 12
    assert few.weights.tolist() == [12, 6, 6, 4, 4, 4, 3, 3, 3, 3]


def test_what_other_selectors_have_too_is_the_same():
    rng = np.random.default_rng(2)
    Y = (rng.random((150, 5)) < 0.3).astype(int)
    X = rng.normal(size=(150, 6))
    for transformation, problem in (
        ("lp", "label_powerset"),
        ("ela", "copy_weight"),
        ("copy", "copy"),
        ("br", "binary_relevance"),
    ):
        for score, other in (("chi2", Chi2), ("info_gain", InfoGain)):
            for cut in ("equal_width", "equal_frequency", "mdl"):
                ours = LabelTransform(
                    transformation=transformation, measure=score, discretize=cut
                ).fit(X, Y)
                theirs = other(problem=problem, discretize=cut, n_bins=3).fit(X, Y)
                np.testing.assert_allclose(
                    ours.scores_, theirs.scores_, rtol=1e-12, atol=1e-14
                )


def test_scores_per_label_name_the_transformation_or_the_labels():
    table = LabelTransform(transformation="ppt", min_count=1).fit(X, Y)
    assert table.scores_per_label_.label_names == ("ppt",)
    table = LabelTransform(transformation="br").fit(X, Y)
    assert table.scores_per_label_.label_names == ("label0", "label1")


def test_settings_of_an_earlier_fit_leave_no_trace():
    selector = LabelTransform(transformation="ela", discretize="none").fit(X, Y)
    again = selector.set_params(transformation="copy").fit(X, Y)
    np.testing.assert_allclose(again.scores_, [2.333333, 0.533333, 0], atol=1e-6)


def test_rare_classes_of_a_class_vector_are_left_out():
    y = np.array(["a"] * 4 + ["b"] * 4 + ["c"])
    X = np.array([0, 0, 0, 1, 1, 1, 1, 0, 1])[:, None]
    pruned = scores("ppt", "chi2", X, y, min_count=2)
    assert pruned == scores("lp", "chi2", X[:-1], y[:-1])
    assert pruned != scores("lp", "chi2", X, y)


def test_nothing_left_says_how_many_rows_the_most_frequent_set_has():
    with pytest.raises(ValueError, match=r"min_count=6: .* by 2\. Take a smaller min"):
        LabelTransform(transformation="ppt").fit(X, Y)


def test_one_set_left_scores_zero_and_warns():
    labels = np.array([[1, 0]] * 6 + [[0, 1], [1, 1]])
    with pytest.warns(UserWarning, match="one label set only"):
        selector = LabelTransform(transformation="ppt").fit(X, labels)
    assert selector.scores_.tolist() == [0, 0, 0]
    assert selector.order_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("alias", sorted(ALIASES))
def test_an_alias_is_the_selector_with_its_settings(alias):
    name, preset = ALIASES[alias]
    selector = make_selector(alias, n_features_to_select=2)
    assert selector.n_features_to_select == 2
    for key, value in preset.items():
        assert selector.get_params()[key] == value
    assert type(selector) is type(make_selector(name))


def test_igmf_is_the_information_over_the_mean_entropy():
    found = make_selector("igmf", discretize="none").fit(X, Y).scores_
    np.testing.assert_allclose(found, [0.455611, 0.333333, 0], atol=1e-6)


def test_settings_go_before_those_of_an_alias():
    assert make_selector("igmf", measure="chi2").measure == "chi2"


def test_a_selector_that_is_not_there_is_named():
    with pytest.raises(ValueError, match=r"no selector 'igfm'; known are: .*igmf"):
        make_selector("igfm")


@pytest.mark.parametrize("discretize", ["equal_width", "equal_frequency", "median"])
@pytest.mark.parametrize("transformation", ["lp", "ppt", "ela", "copy"])
def test_coded_rows_and_sorted_columns_give_the_same_tables(transformation, discretize):
    # Dense columns are coded, sparse ones sorted.
    rng = np.random.default_rng(3)
    X = rng.integers(0, 9, (80, 5)).astype(float)
    Y = (rng.random((80, 4)) < 0.3).astype(int)
    settings = {"transformation": transformation, "discretize": discretize}
    for measure in ("chi2", "info_gain", "symmetrical_uncertainty"):
        dense, other = (
            LabelTransform(measure=measure, **settings, min_count=2).fit(x, Y)
            for x in (X, sparse.csc_array(X))
        )
        assert dense.scores_.max() > 0
        np.testing.assert_allclose(dense.scores_, other.scores_, rtol=1e-12)


def test_missing_values_are_coded_apart():
    rng = np.random.default_rng(4)
    X = rng.integers(0, 9, (80, 5)).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 4] = np.nan
    y = rng.integers(0, 3, 80)
    coded = GainRatio(discretize="equal_width").fit(X, y)
    nominal = GainRatio(discretize="equal_width", categorical_features=[4]).fit(X, y)
    assert coded.scores_[:4].min() > 0
    np.testing.assert_allclose(coded.scores_, nominal.scores_, rtol=1e-12)
