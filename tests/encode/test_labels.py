"""The one place where y is checked."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from labelsift.encode.labels import as_label_matrix

Y = np.array([[0, 1], [1, 1], [1, 0]])


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        (None, ("0", "1")),
        ([7, 3], ("7", "3")),
        (["b", "a"], ("b", "a")),
        (pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]), ("('a', 1)", "('a', 2)")),
    ],
)
@pytest.mark.parametrize("dtype", ["int64", "Int8", "category", "str"])
def test_frames_keep_column_names_of_any_kind(columns, names, dtype):
    frame = pd.DataFrame(Y, columns=columns).astype(dtype)
    labels = as_label_matrix(frame, 3)
    assert labels.names == names
    np.testing.assert_array_equal(labels.values, Y)


def test_missing_value_is_named_by_the_column_that_has_it():
    frame = pd.DataFrame(Y).astype("Int8")
    frame.iloc[1, 1] = pd.NA
    with pytest.raises(ValueError, match=r"label '1' has 1 missing"):
        as_label_matrix(frame)


def test_columns_of_the_same_name_are_refused():
    with pytest.raises(ValueError, match="columns of y must have different names"):
        as_label_matrix(pd.DataFrame(Y, columns=["a", "a"]))


def test_rows_of_label_names_point_to_the_binarizer():
    for rows in ([{"a"}, {"b", "a"}], [frozenset("a"), frozenset()]):
        with pytest.raises(ValueError, match=r"at row 0.*MultiLabelBinarizer"):
            as_label_matrix(rows)


@pytest.mark.parametrize("missing", [None, np.nan, np.float64("nan"), pd.NA, pd.NaT])
def test_missing_class_names_its_row(missing):
    with pytest.raises(ValueError, match="y is missing at row 2"):
        as_label_matrix(np.array(["a", "b", missing], dtype=object))


def test_complex_numbers_are_refused_rather_than_cut():
    for y in (Y * 1j, Y[:, 0] * 1j):
        with pytest.raises(ValueError, match="complex"):
            as_label_matrix(y)


def test_repeated_entries_of_sparse_labels_add_up():
    parts = (np.array([1, 1]), np.array([0, 0]), np.array([0, 2, 2]))
    with pytest.raises(ValueError, match="found 2 at row 0, label 0"):
        as_label_matrix(sparse.csr_array(parts, shape=(2, 1)))


@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
@pytest.mark.parametrize("repeat", [1, 2])
def test_sparse_labels_of_the_caller_stay_as_they_are(dtype, repeat):
    # stored zeros; with repeat=2 each cell is stored twice and adds up
    data = np.repeat(np.array([1, 0, 0, 1, 1, 0], dtype=dtype), repeat)
    if repeat == 2:
        data[1::2] = 0
    columns = np.repeat(np.array([1, 0, 0, 1, 0, 1]), repeat)
    y = sparse.csr_array((data, columns, np.arange(4) * 2 * repeat), shape=(3, 2))
    before = [part.copy() for part in (y.data, y.indices, y.indptr)]
    labels = as_label_matrix(y)
    assert labels.values.toarray().tolist() == [[0, 1], [0, 1], [1, 0]]
    assert labels.values.nnz == 3
    for part, old in zip((y.data, y.indices, y.indptr), before, strict=True):
        np.testing.assert_array_equal(part, old)
