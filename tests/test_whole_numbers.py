"""Whole numbers that no float64 holds are found, and no others."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from labelsift._whole_numbers import first_lost, has_lost, is_lost, lost_in_table
from labelsift.evaluate import performance_path
from labelsift.learn import MLkNN
from labelsift.select import Chi2

FIRST = 2**53 + 1  # the first whole number that is no float64


def near_powers(low, high):
    powers = st.builds(
        lambda sign, power, more: sign * 2**power + more,
        st.sampled_from([-1, 1]),
        st.integers(50, 64),
        st.integers(-(2**12), 2**12),
    )
    return (powers | st.integers(low, high)).filter(lambda v: low <= v <= high)


@settings(max_examples=60, deadline=None)
@given(st.lists(near_powers(-(2**63), 2**63 - 1), max_size=8))
def test_signed_integers_are_lost_where_the_float_is_another_number(values):
    expected = [i for i, v in enumerate(values) if int(float(v)) != v]
    array = np.array(values, dtype=np.int64)
    assert [i for i, v in enumerate(values) if is_lost(v)] == expected
    assert has_lost(array) == bool(expected)
    found = (expected[0], values[expected[0]]) if expected else None
    assert first_lost(array) == first_lost(values) == found


@settings(max_examples=60, deadline=None)
@given(st.lists(near_powers(0, 2**64 - 1), max_size=8))
def test_unsigned_integers_are_lost_where_the_float_is_another_number(values):
    expected = [(i, v) for i, v in enumerate(values) if int(float(v)) != v]
    found = first_lost(np.array(values, dtype=np.uint64))
    assert found == (expected[0] if expected else None)


def test_only_integers_of_64_bits_are_looked_at():
    assert first_lost(np.array([2.0**60, 1e300, np.nan, np.inf])) is None
    assert first_lost(np.array([2**31 - 1], dtype=np.int32)) is None
    assert first_lost([2.5, None, "9007199254740993", True, 2**70]) is None
    assert first_lost([1.5, 10**400]) == (1, 10**400)


def big_table():
    X = np.zeros((5, 3), dtype=np.int64)
    X[4, 1], X[0, 2], X[2, 1] = FIRST, FIRST + 2, -(2**60)
    return X


@pytest.mark.parametrize(
    "as_table",
    [
        np.asarray, np.asfortranarray, np.ndarray.tolist, sparse.csr_array,
        sparse.csc_matrix, sparse.coo_array, sparse.lil_array, sparse.dok_array,
        lambda X: X.astype(object),
    ],
)  # fmt: skip
def test_the_first_is_named_column_by_column(as_table):
    assert lost_in_table(as_table(big_table())) == (4, 1, FIRST)


@pytest.mark.parametrize(
    "as_frame",
    [
        pd.DataFrame,
        lambda d: pd.DataFrame(d).astype("Int64"),
        lambda d: pd.DataFrame(d).astype("int64[pyarrow]"),
        lambda d: pd.DataFrame(d).astype(object),
        lambda d: pd.DataFrame(d).astype("category"),
        pl.DataFrame,
        lambda d: pl.DataFrame(d).lazy(),
    ],
)
@pytest.mark.parametrize("make", [Chi2, MLkNN])
def test_the_column_of_a_frame_is_named(as_frame, make):
    columns = {"age": [3, 5, 4, 3], "customer": [1, 2, FIRST, FIRST + 2]}
    Y = [[0, 1], [1, 0], [1, 1], [0, 1]]
    with pytest.raises(
        ValueError, match=rf"column 'customer' .*{FIRST} at row 2, .*co"
    ):
        make().fit(as_frame(columns), Y)


def test_a_column_with_gaps_is_refused_too():
    X = pd.DataFrame({"a": pd.array([None, FIRST, 2, 3], "Int64")})
    with pytest.raises(ValueError, match=rf"'a' holds .*{FIRST} at row 1"):
        MLkNN(n_neighbors=1).fit(X, np.eye(4, dtype=int))


def test_evaluations_refuse_it_before_they_start():
    X, Y = np.zeros((6, 2), dtype=np.int64), np.eye(6, 2, dtype=int)
    X[4, 1] = FIRST
    with pytest.raises(ValueError, match=rf"column 'b' .*{FIRST} at row 4"):
        performance_path(
            {"c": Chi2()}, {"k": MLkNN(1)}, pd.DataFrame(X, columns=["a", "b"]), Y
        )


def test_the_row_of_a_stream_is_that_of_all_rows():
    X, Y = np.zeros((4, 2), dtype=np.int64), np.eye(4, 2, dtype=int)
    late = X.copy()
    late[1, 1] = FIRST
    with pytest.raises(ValueError, match="at row 5"):
        Chi2().fit_blocks([(X, Y), (late, Y)])


def test_large_integers_that_are_floats_give_the_same_answer():
    rng = np.random.default_rng(0)
    X = 2**53 + 2 * rng.integers(0, 9, size=(30, 3))
    Y = (rng.random((30, 2)) < 0.5).astype(int)
    scores = Chi2().fit(X, Y).scores_
    assert (scores == Chi2().fit(X.astype(float), Y).scores_).all()
    assert (scores == Chi2().fit((X - 2**53).astype(float), Y).scores_).all()
