"""What every selector must do; the list of selectors is the registry itself."""

import inspect
import pickle
import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelsift.score.ranking import rounded
from labelsift.select import SELECTORS

each_selector = pytest.mark.parametrize("name", sorted(SELECTORS))


def table(n=60, d=6, q=3, seed=0):
    """Return counts 0..4, partly driven by the labels, and labels with every case."""
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, q)) < 0.4).astype(np.uint8)
    X = rng.integers(0, 4, (n, d)).astype(float)
    X[:, 1] += Y[:, 0]
    X[:, 2] = X[:, 2] * Y[:, 1] + rng.integers(0, 2, n)
    X[:, 3] += 2 * Y[:, q - 1]
    return X, Y


def continuous_table(n=60, d=6, q=3, seed=0):
    X, Y = table(n, d, q, seed)
    noise = np.random.default_rng(seed + 1).normal(scale=0.05, size=X.shape)
    return X + noise, Y


def quiet_fit(selector, X, Y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return selector.fit(X, Y)


@parametrize_with_checks([cls() for _, cls in sorted(SELECTORS.items())])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@each_selector
def test_scores_order_and_ranking_agree(name):
    X, Y = continuous_table()
    selector = SELECTORS[name]().fit(X, Y)
    d = X.shape[1]
    assert selector.scores_.shape == (d,)
    assert selector.scores_.dtype == np.float64
    assert not np.isnan(selector.scores_).any()
    assert sorted(selector.order_) == list(range(d))
    assert (selector.ranking_[selector.order_] == np.arange(1, d + 1)).all()


@each_selector
def test_informative_features_come_before_noise(name):
    rng = np.random.default_rng(3)
    Y = (rng.random((300, 3)) < 0.5).astype(int)
    X = rng.normal(size=(300, 8))
    X[:, [2, 5, 7]] += 4 * Y
    selector = SELECTORS[name]().fit(X, Y)
    assert set(selector.order_[:3]) == {2, 5, 7}


@each_selector
def test_sparse_and_dense_give_the_same_scores(name):
    X, Y = table()
    dense = quiet_fit(SELECTORS[name](), X, Y)
    if not dense.__sklearn_tags__().input_tags.sparse:
        with pytest.raises((TypeError, ValueError), match=r"[Ss]parse"):
            SELECTORS[name]().fit(sparse.csr_array(X), Y)
        return
    for make in (sparse.csr_array, sparse.csc_array, sparse.csr_matrix):
        for labels in (Y, sparse.csr_array(Y), sparse.csc_matrix(Y)):
            other = quiet_fit(SELECTORS[name](), make(X), labels)
            np.testing.assert_allclose(
                other.scores_, dense.scores_, rtol=1e-10, atol=1e-12
            )
            assert (other.order_ == dense.order_).all()


def odd_sparse(X, index=np.int64):
    """Return X with its columns out of order, each entry in two parts, zeros stored."""
    n, d = X.shape
    halves = np.concatenate([X[:, ::-1] / 2, X / 2], axis=1).ravel()
    columns = np.tile(np.concatenate([np.arange(d)[::-1], np.arange(d)]), n)
    rows = np.arange(0, 2 * n * d + 1, 2 * d)
    odd = sparse.csr_array((halves, columns, rows), shape=X.shape)
    odd.indices, odd.indptr = odd.indices.astype(index), odd.indptr.astype(index)
    for part in (odd.data, odd.indices, odd.indptr):
        part.setflags(write=False)
    return odd


@each_selector
def test_sparse_entries_in_parts_out_of_order_and_read_only(name):
    X, Y = table()
    if not SELECTORS[name]().__sklearn_tags__().input_tags.sparse:
        return
    plain = quiet_fit(SELECTORS[name](), sparse.csr_array(X), Y)
    for index in (np.int32, np.int64):
        odd = odd_sparse(X, index)
        scores = quiet_fit(SELECTORS[name](), odd, Y).scores_
        np.testing.assert_allclose(scores, plain.scores_, rtol=1e-12, atol=1e-14)
        assert odd.nnz == 2 * X.size


@each_selector
@pytest.mark.parametrize("layout", ["fortran", "float32", "list", "strided"])
def test_memory_layout_does_not_matter(name, layout):
    X, Y = table()
    plain = quiet_fit(SELECTORS[name](), X, Y)
    variants = {
        "fortran": np.asfortranarray(X),
        "float32": X.astype(np.float32),
        "list": X.tolist(),
        "strided": np.repeat(X, 2, axis=1)[:, ::2],
    }
    labels = Y.tolist() if layout == "list" else Y
    other = quiet_fit(SELECTORS[name](), variants[layout], labels)
    np.testing.assert_allclose(other.scores_, plain.scores_, rtol=1e-9, atol=1e-12)


@each_selector
def test_row_order_does_not_matter(name):
    X, Y = continuous_table()
    shuffled = np.random.default_rng(5).permutation(len(X))
    first = quiet_fit(SELECTORS[name](), X, Y)
    second = quiet_fit(SELECTORS[name](), X[shuffled], Y[shuffled])
    np.testing.assert_allclose(second.scores_, first.scores_, rtol=1e-9, atol=1e-12)
    assert (second.order_ == first.order_).all()


@each_selector
def test_column_order_permutes_the_scores(name):
    X, Y = continuous_table()
    shuffled = np.random.default_rng(6).permutation(X.shape[1])
    first = quiet_fit(SELECTORS[name](), X, Y)
    second = quiet_fit(SELECTORS[name](), X[:, shuffled], Y)
    np.testing.assert_allclose(
        second.scores_, first.scores_[shuffled], rtol=1e-9, atol=1e-12
    )
    if len(np.unique(rounded(first.scores_))) == X.shape[1]:
        assert (shuffled[second.order_] == first.order_).all()


@each_selector
def test_label_order_does_not_matter(name):
    X, Y = continuous_table()
    shuffled = [2, 0, 1]
    first = quiet_fit(SELECTORS[name](), X, Y)
    second = quiet_fit(SELECTORS[name](), X, Y[:, shuffled])
    np.testing.assert_allclose(second.scores_, first.scores_, rtol=1e-9, atol=1e-12)


@each_selector
@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_number_of_threads_does_not_matter(name, threads, monkeypatch):
    X, Y = continuous_table(n=80, d=9, q=4, seed=7)
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", "1")
    one = quiet_fit(SELECTORS[name](), X, Y).scores_
    monkeypatch.setenv("LABELSIFT_NUM_THREADS", threads)
    assert (quiet_fit(SELECTORS[name](), X, Y).scores_ == one).all()


@each_selector
def test_blocks_give_the_scores_of_the_whole(name):
    X, Y = table(n=90)
    selector = SELECTORS[name]()
    if not hasattr(selector, "partial_fit"):
        return
    if "discretize" in selector.get_params():
        selector.set_params(discretize="none")
    whole = quiet_fit(clone(selector), X, Y)
    for bounds in ([0, 90], [0, 30, 60, 90], [0, 1, 2, 50, 90]):
        blocks = clone(selector)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            for start, stop in pairwise(bounds):
                blocks.partial_fit(X[start:stop], Y[start:stop])
        np.testing.assert_allclose(blocks.scores_, whole.scores_, rtol=1e-10)
        assert (blocks.order_ == whole.order_).all()


@each_selector
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_names_are_kept(name, library):
    X, Y = table()
    frame = {"pandas": pd.DataFrame, "polars": pl.DataFrame}[library]
    columns = [f"feature {i} <&>" for i in range(X.shape[1])]
    labels = ["calm", "sad, slow", "löud"]
    data = frame(dict(zip(columns, X.T, strict=True)))
    truth = frame(dict(zip(labels, Y.T, strict=True)))
    selector = SELECTORS[name](n_features_to_select=2).set_output(transform=library)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        chosen = selector.fit(data, truth).transform(data)
    assert isinstance(chosen, frame)
    kept = [columns[i] for i in sorted(selector.order_[:2])]
    assert list(chosen.columns) == kept
    assert list(selector.get_feature_names_out()) == kept
    assert list(selector.label_names_in_) == labels
    np.testing.assert_array_equal(
        chosen.to_numpy(), X[:, selector.get_support(indices=True)]
    )
    with pytest.raises(ValueError, match="feature names"):
        selector.transform(frame(dict(zip(columns[::-1], X.T, strict=True))))


@each_selector
def test_a_lazy_frame_is_read(name):
    X, Y = table()
    frame = pl.DataFrame(X, schema=[f"f{i}" for i in range(X.shape[1])])
    lazy = quiet_fit(SELECTORS[name](), frame.lazy(), Y)
    eager = quiet_fit(SELECTORS[name](), frame, Y)
    assert (lazy.scores_ == eager.scores_).all()
    assert list(lazy.feature_names_in_) == frame.columns


@each_selector
def test_pickle_and_clone(name):
    X, Y = continuous_table()
    selector = quiet_fit(SELECTORS[name](n_features_to_select=3), X, Y)
    again = pickle.loads(pickle.dumps(selector))
    np.testing.assert_array_equal(again.transform(X), selector.transform(X))
    fresh = clone(selector)
    assert fresh.get_params() == selector.get_params()
    assert not hasattr(fresh, "scores_")


@each_selector
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pipeline_and_grid_search_with_several_labels(name):
    X, Y = continuous_table(n=80)
    pipe = make_pipeline(SELECTORS[name](), MultiOutputClassifier(GaussianNB()))
    step = pipe.steps[0][0]
    search = GridSearchCV(
        pipe, {f"{step}__n_features_to_select": [1, 0.5, 4]}, cv=2, error_score="raise"
    ).fit(X, Y)
    assert search.predict(X).shape == Y.shape
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()


@each_selector
def test_one_label_column_and_its_class_vector(name):
    X, Y = continuous_table()
    column = quiet_fit(SELECTORS[name](), X, Y[:, [0]])
    vector = quiet_fit(SELECTORS[name](), X, Y[:, 0])
    assert not np.isnan(column.scores_).any()
    assert column.n_labels_in_ == 1
    assert vector.order_[0] == column.order_[0]


@each_selector
def test_class_vector_of_text(name):
    X, Y = continuous_table()
    words = np.array(["setosa", "versicolor", "ægir"])[Y[:, 0] + Y[:, 1]]
    numbers = (Y[:, 0] + Y[:, 1]).astype(int)
    by_words = quiet_fit(SELECTORS[name](), X, words)
    by_numbers = quiet_fit(SELECTORS[name](), X, numbers)
    np.testing.assert_allclose(by_words.scores_, by_numbers.scores_)
    assert list(by_words.label_names_in_) == ["setosa", "versicolor", "ægir"]


@each_selector
def test_constant_features_rank_last_and_never_give_nan(name):
    X, Y = continuous_table()
    X[:, 0] = 7.0
    X[:, 4] = 0.0
    selector = quiet_fit(SELECTORS[name](), X, Y)
    assert not np.isnan(selector.scores_).any()
    assert set(selector.order_[-2:]) == {0, 4}


@each_selector
def test_labels_without_positives_or_negatives_and_rows_without_labels(name):
    X, Y = continuous_table()
    Y = np.column_stack([Y, np.zeros(len(Y)), np.ones(len(Y))]).astype(int)
    assert not np.isnan(quiet_fit(SELECTORS[name](), X, Y).scores_).any()
    X, Y = continuous_table()
    Y[:20] = 0
    selector = quiet_fit(SELECTORS[name](), X, Y)
    assert not np.isnan(selector.scores_).any()
    assert len(set(rounded(selector.scores_))) > 1


@each_selector
def test_one_distinct_label_set_gives_index_order_and_a_warning(name):
    X, _ = continuous_table()
    Y = np.tile([1, 0, 1], (len(X), 1))
    with pytest.warns(UserWarning, match="label"):
        selector = SELECTORS[name]().fit(X, Y)
    assert (selector.order_ == np.arange(X.shape[1])).all()


@each_selector
def test_equal_features_keep_column_order(name):
    X, Y = continuous_table()
    X[:, 5] = X[:, 1]
    order = quiet_fit(SELECTORS[name](), X, Y).order_.tolist()
    assert order.index(1) < order.index(5)


@each_selector
def test_missing_value_is_used_or_refused_by_column_name(name):
    X, Y = continuous_table()
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(X.shape[1])])
    frame.loc[3, "f2"] = np.nan
    selector = SELECTORS[name]()
    if selector.__sklearn_tags__().input_tags.allow_nan:
        assert not np.isnan(quiet_fit(selector, frame, Y).scores_).any()
        return
    with pytest.raises(ValueError, match=r"NaN.*row 3, column 'f2'"):
        selector.fit(frame, Y)


@each_selector
def test_infinity_is_refused_by_column_name(name):
    X, Y = continuous_table()
    X[4, 1] = -np.inf
    with pytest.raises(ValueError, match=r"infinity.*row 4, column 1"):
        SELECTORS[name]().fit(X, Y)


@each_selector
@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([[0, 1], [2, 0]] * 10, r"only 0 and 1; found 2 at row 1, label 0"),
        ([[0, 1], [np.nan, 0]] * 10, r"NaN: missing at row 1, label 0"),
        ([[0, 1]] * 19, "inconsistent numbers of samples: X has 20 rows, y has 19"),
        (np.zeros((20, 0)), "no label columns"),
        ([["a"], ["b", "c"]] * 10, "MultiLabelBinarizer"),
        (np.linspace(0, 1, 20), "continuous"),
    ],
)
def test_wrong_labels_are_named(name, y, message):
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(ValueError, match=message):
        SELECTORS[name]().fit(X, y)


@each_selector
def test_labels_are_asked_for_at_once(name):
    selector = SELECTORS[name]()
    X = np.random.default_rng(0).normal(size=(20, 3))
    if selector.__sklearn_tags__().target_tags.required:
        with pytest.raises(ValueError, match="needs labels"):
            selector.fit(X)
        with pytest.raises(ValueError, match="needs labels"):
            selector.fit_transform(X)
    else:
        assert selector.fit(X).transform(X).shape[0] == 20


@each_selector
def test_size_as_number_as_share_and_too_large(name):
    X, Y = continuous_table()

    def sized(size):
        return SELECTORS[name](n_features_to_select=size)

    for size, kept in ((2, 2), (0.5, 3), (0.01, 1)):
        assert quiet_fit(sized(size), X, Y).get_support().sum() == kept
    with pytest.warns(UserWarning, match=r"n_features_to_select=50 but X has 6"):
        assert sized(50).fit(X, Y).get_support().sum() == 6
    for wrong in (0, -1, 1.5, "many"):
        with pytest.raises(ValueError, match="n_features_to_select"):
            sized(wrong).fit(X, Y)


@each_selector
def test_fit_does_not_change_its_input(name):
    X, Y = table()
    before_x, before_y = X.copy(), Y.copy()
    quiet_fit(SELECTORS[name](), X, Y)
    assert (before_x == X).all()
    assert (before_y == Y).all()
    X.flags.writeable = Y.flags.writeable = False
    quiet_fit(SELECTORS[name](), X, Y)
    rows = sparse.csr_array(before_x)
    kept = rows.copy()
    if SELECTORS[name]().__sklearn_tags__().input_tags.sparse:
        quiet_fit(SELECTORS[name](), rows, Y)
        assert (rows.data == kept.data).all()
        assert (rows.indices == kept.indices).all()


@each_selector
def test_docstring_has_shapes_cost_and_source(name):
    text = inspect.getdoc(SELECTORS[name])
    for part in ("Parameters", "Attributes", "Notes", "References", "Examples"):
        assert f"\n{part}\n{'-' * len(part)}" in text, part
    assert "scores_ : ndarray of shape (n_features,)" in text
    assert "O(" in text, "state the cost"
    for parameter in inspect.signature(SELECTORS[name]).parameters:
        assert f"\n{parameter} : " in text, parameter
