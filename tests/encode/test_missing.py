import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from scipy.stats import rankdata

from labelsift.encode import inject_missing
from labelsift.read import Dataset

MECHANISMS = ["mcar", "mar", "mnar"]


def table(n=200, d=9, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("rate", [0.0, 0.05, 0.3])
def test_exactly_this_share_goes_and_the_rest_stays(mechanism, rate):
    X = table()
    before = X.copy()
    holed = inject_missing(X, rate, mechanism, random_state=0)
    missing = np.isnan(holed)
    assert missing.sum() == round(rate * X.size)
    assert (holed[~missing] == X[~missing]).all()
    assert (before == X).all()
    again = inject_missing(X, rate, mechanism, random_state=0)
    np.testing.assert_array_equal(holed, again)
    if rate:
        other = inject_missing(X, rate, mechanism, random_state=1)
        assert (np.isnan(other) != missing).any()


def test_completely_at_random_spares_no_feature_and_no_size():
    X = table(n=2000)
    missing = np.isnan(inject_missing(X, 0.3, random_state=0))
    share = missing.mean(axis=0)
    # 5 standard deviations of a share of 2000 rows
    assert (np.abs(share - 0.3) < 5 * np.sqrt(0.3 * 0.7 / 2000)).all()
    large = missing[X > 0].mean()
    assert abs(large - 0.3) < 5 * np.sqrt(0.3 * 0.7 / 9000)


def test_not_at_random_takes_large_values_of_the_feature_itself():
    X = table(n=2000)
    missing = np.isnan(inject_missing(X, 0.2, "mnar", random_state=0))
    for c in range(X.shape[1]):
        rank = rankdata(X[:, c]) / 2000
        assert rank[missing[:, c]].mean() > 0.6
        top, bottom = missing[rank > 0.9, c].mean(), missing[rank < 0.1, c].mean()
        assert top > 5 * bottom


def test_at_random_depends_on_complete_features_only():
    X = table(n=2000)
    missing = np.isnan(inject_missing(X, 0.2, "mar", random_state=0))
    complete = np.flatnonzero(~missing.any(axis=0))
    assert len(complete) == 3
    for c in np.flatnonzero(missing.any(axis=0)):
        gone = missing[:, c]
        # the value itself tells nothing, one of the complete features does
        own = rankdata(X[:, c])[gone].mean() / 2000
        assert abs(own - 0.5) < 5 * np.sqrt(1 / 12 / gone.sum())
        driven = [rankdata(X[:, k])[gone].mean() / 2000 for k in complete]
        assert max(driven) > 0.6


def test_values_missing_before_stay_missing_and_do_not_count():
    X = table()
    X[:, 0] = np.nan
    holed = inject_missing(X, 0.25, random_state=0)
    assert np.isnan(holed[:, 0]).all()
    assert np.isnan(holed[:, 1:]).sum() == round(0.25 * 200 * 8)


def test_frames_keep_their_kind_names_and_rows():
    X = np.arange(40).reshape(10, 4)
    rows = [f"r{i}" for i in range(10)]
    frame = pd.DataFrame(X, index=rows, columns=list("abcd"))
    holed = inject_missing(frame, 0.5, random_state=3)
    assert isinstance(holed, pd.DataFrame)
    assert list(holed.index) == rows
    assert list(holed.columns) == list("abcd")
    assert holed.isna().sum().sum() == 20
    polar = inject_missing(pl.DataFrame(X, schema=list("abcd")), 0.5, random_state=3)
    assert isinstance(polar, pl.DataFrame)
    np.testing.assert_array_equal(polar.to_numpy(), holed.to_numpy())


def test_a_dataset_keeps_labels_and_names():
    Y = np.eye(2, dtype=int)[[0, 1, 1, 0]]
    data = Dataset(np.arange(8.0).reshape(4, 2), Y, ["a", "b"], ["x", "y"])
    holed = inject_missing(data, 0.25, random_state=0)
    assert np.isnan(holed.X).sum() == 2
    assert (holed.Y == Y).all()
    assert holed.feature_names == ("a", "b")
    assert holed.describe().n_missing == 2
    assert np.isfinite(data.X).all()


def test_single_precision_stays_single():
    X = table().astype(np.float32)
    assert inject_missing(X, 0.1, random_state=0).dtype == np.float32
    assert inject_missing(X.tolist(), 0.1, random_state=0).dtype == np.float64


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            (table(), 1.0),
            ValueError,
            r"rate must be at least 0 and below 1; found 1\.0",
        ),
        ((table(), -0.1), ValueError, "rate must be"),
        ((table(), 0.1, "random"), ValueError, "mechanism must be one of mcar, mar"),
        ((table(), 0.9, "mar"), ValueError, "keeps 3 of 9 features complete"),
        ((np.zeros(3), 0.1), ValueError, "two dimensions; found 1"),
        ((sparse.csr_array(np.eye(3)), 0.1), TypeError, "sparse"),
    ],
)
def test_wrong_arguments_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        inject_missing(*arguments)
