import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import datasets
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelsift.encode import MDLDiscretizer
from reference import mdl as reference
from shared_data import golden
from weka_data import gene_table, weka_table

OPTIONS = {
    "": {},
    "-E": {"encoding": "better"},
    "-K": {"criterion": "kononenko"},
    "-K -E": {"encoding": "better", "criterion": "kononenko"},
}
each_option = pytest.mark.parametrize("option", OPTIONS)


@each_option
def test_eight_values_in_two_runs_are_cut_between_them(option):
    X = np.arange(1.0, 9.0)[:, None]
    cuts = MDLDiscretizer(**OPTIONS[option]).fit(X, [0, 0, 0, 0, 1, 1, 1, 1])
    assert [c.tolist() for c in cuts.cut_points_] == [[4.5]]


def test_gain_below_the_cost_of_its_description_makes_no_cut():
    X = np.arange(1.0, 7.0)[:, None]
    y = [0, 0, 1, 0, 1, 1]
    # best cut 2.5: gain 0.459148, cost 0.791973
    assert MDLDiscretizer().fit(X, y).cut_points_[0].size == 0


def test_kononenko_takes_a_cut_that_costs_just_what_it_saves():
    # log2(4) + log2(3) bits before; log2(2) + log2(3) + log2(2) after
    X = np.array([[-0.5], [-0.3], [3.4]])
    cuts = MDLDiscretizer(criterion="kononenko").fit(X, [0, 0, 1]).cut_points_
    np.testing.assert_allclose(cuts[0], [1.55])


def test_better_encoding_counts_boundaries_between_distinct_values():
    # one boundary: a cut costs log2(1) = 0 instead of log2(15)
    X = np.repeat([0.0, 1.0], 8)[:, None]
    y = [0] * 7 + [1] + [0] * 3 + [1] * 5
    assert MDLDiscretizer(encoding="default").fit(X, y).cut_points_[0].size == 0
    y = [0] * 8 + [0] * 4 + [1] * 4
    # gain 0.311278, delta = log2(7) - (2 * 0.811278 - 2 * 1 - 0) = 3.184799 bits:
    # 0.199050 with log2(1), 0.443230 with log2(15)
    assert MDLDiscretizer(encoding="default").fit(X, y).cut_points_[0].size == 0
    better = MDLDiscretizer(encoding="better").fit(X, y)
    assert better.cut_points_[0].tolist() == [0.5]


@each_option
@given(seed=st.integers(0, 2**32 - 1))
def test_matches_plain_python_reference(option, seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 60)), int(rng.integers(1, 5))
    y = rng.integers(0, k, n)
    X = np.round(rng.normal(size=(n, 4)) + y[:, None] * [0, 1, 3, 9], 1)
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 3] = np.where(rng.random(n) < 0.6, 0.0, X[:, 3])
    dense = MDLDiscretizer(**OPTIONS[option]).fit(X, y).cut_points_
    stored = MDLDiscretizer(**OPTIONS[option]).fit(sparse.csr_array(X), y).cut_points_
    for j in range(4):
        expected = reference.cut_points(X[:, j], y, **OPTIONS[option])
        np.testing.assert_allclose(dense[j], expected, rtol=1e-12, atol=1e-12)
        assert (stored[j] == dense[j]).all()


@each_option
@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_cut_points_of_bundled_data_equal_weka(name, option):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    check_cuts(X, y, golden(f"weka_discretize_{name}.json")["values"][option], option)


@each_option
@pytest.mark.parametrize("name", ["glass", "labor", "segment-challenge"])
def test_cut_points_of_sample_files_equal_weka(name, option):
    X, y, _ = weka_table(name)
    check_cuts(X, y, golden(f"weka_discretize_{name}.json")["values"][option], option)


@each_option
@pytest.mark.parametrize("name", ["colon", "SRBCT", "lung_small"])
def test_cut_points_of_gene_data_equal_weka(name, option):
    X, y = gene_table(name)
    listed = golden(f"weka_discretize_{name}.json")["values"][option]
    expected = {int(f): c for f, c in listed["cut_points_by_attribute"].items()}
    found = MDLDiscretizer(**OPTIONS[option]).fit(X, y).cut_points_
    assert sum(c.size > 0 for c in found) == listed["n_attributes_with_cuts"]
    assert sum(c.size for c in found) == listed["total_cuts"]
    for f, cuts in expected.items():
        np.testing.assert_allclose(found[f], cuts, rtol=1e-9)


def check_cuts(X, y, expected, option):
    found = MDLDiscretizer(**OPTIONS[option]).fit(X, y).cut_points_
    numeric = [f for f, cuts in enumerate(expected) if cuts is not None]
    assert numeric
    for f in numeric:
        np.testing.assert_allclose(found[f], expected[f], rtol=1e-9, atol=1e-9)


def test_label_sets_are_the_classes_of_a_label_matrix():
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (200, 2))
    X = rng.normal(size=(200, 3)) + 3 * Y[:, [0, 1, 0]]
    both = MDLDiscretizer().fit(X, Y).cut_points_
    classes = MDLDiscretizer().fit(X, Y @ [1, 2]).cut_points_
    assert all((a == b).all() for a, b in zip(both, classes, strict=True))
    assert all(c.size for c in both)


def test_value_on_a_cut_is_below_it_and_outside_values_are_in_the_end_bins():
    X = np.arange(1.0, 9.0)[:, None]
    fitted = MDLDiscretizer().fit(X, [0] * 4 + [1] * 4)
    assert fitted.transform([[-1e9], [4.5], [4.6], [1e9]]).ravel().tolist() == [
        0,
        0,
        1,
        1,
    ]


def test_missing_values_stay_missing():
    X = np.array([[1.0], [2.0], [np.nan], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]])
    fitted = MDLDiscretizer().fit(X, [0, 0, 1, 0, 0, 1, 1, 1, 1])
    assert fitted.cut_points_[0].tolist() == [4.5]
    np.testing.assert_array_equal(
        fitted.transform(X).ravel(), [0, 0, np.nan, 0, 0, 1, 1, 1, 1]
    )
    with pytest.raises(ValueError, match="sparse matrix; give a dense X"):
        fitted.transform(sparse.csr_array(X))


def test_neighbouring_and_huge_numbers_are_parted():
    after = np.nextafter(1.0, 2.0)
    X = np.repeat([1.0, after], 10)[:, None]
    y = np.repeat([0, 1], 10)
    assert MDLDiscretizer().fit_transform(X, y).ravel().tolist() == y.tolist()
    X = np.repeat([1.6e308, 1.7e308], 10)[:, None]
    assert MDLDiscretizer().fit_transform(X, y).ravel().tolist() == y.tolist()


def test_many_classes_do_not_overflow():
    y = np.repeat(np.arange(900), 2)
    X = np.arange(1800.0)[:, None]
    cuts = MDLDiscretizer(criterion="kononenko").fit(X, y).cut_points_[0]
    assert np.isfinite(cuts).all()
    assert np.isfinite(MDLDiscretizer().fit(X, y).cut_points_[0]).all()


def test_row_order_does_not_matter():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 150)
    X = np.round(rng.normal(size=(150, 5)) + y[:, None], 1)
    mixed = rng.permutation(150)
    first = MDLDiscretizer().fit(X, y).cut_points_
    second = MDLDiscretizer().fit(X[mixed], y[mixed]).cut_points_
    assert all((a == b).all() for a, b in zip(first, second, strict=True))


def test_wrong_input_is_named():
    with pytest.raises(ValueError, match="requires y to be passed"):
        MDLDiscretizer().fit(np.eye(3))
    with pytest.raises(ValueError, match="'encoding' parameter"):
        MDLDiscretizer(encoding="best").fit(np.eye(3), [0, 1, 0])
    with pytest.raises(TypeError, match="need labels"):
        MDLDiscretizer().find_cuts(np.eye(3))


@parametrize_with_checks([MDLDiscretizer()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)
