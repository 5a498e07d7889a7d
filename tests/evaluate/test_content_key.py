"""Keys of work: the same for the same, another for anything that may matter."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import FunctionTransformer

from labelsift.evaluate._content_key import (
    _source,
    column_keys,
    estimator_key,
    key_of,
    matrix_key,
    split_key,
)
from labelsift.evaluate._splits import Split
from labelsift.select import Chi2

TABLE = np.array([[0.0, 2.0], [1.0, 0.0]])


@dataclass
class Settings:
    size: int
    name: str = "a"


def transform(X):
    return X


class Closed:
    """Cannot be written down."""

    def __reduce__(self):
        raise RuntimeError("no")


def of(value):
    return key_of(estimator_key(FunctionTransformer(kw_args={"v": value})))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        (1, "1"),
        (None, "None"),
        ([1, 2], (1, 2)),
        ([1, 2], [2, 1]),
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        (TABLE, TABLE + 1),
        (TABLE, TABLE.astype(np.float32)),
        (TABLE, sparse.csr_array(TABLE)),
        (Settings(1), Settings(2)),
        (Chi2(), Chi2(aggregate="max")),
        (Chi2, Settings),
        (transform, of),
        (len, max),
        (slice(1, 2), slice(1, 3)),
    ],
)
def test_settings_that_differ_have_other_keys(one, other):
    assert of(one) == of(one)
    assert of(one) != of(other)


@pytest.mark.parametrize("value", [Closed(), lambda X: X])
def test_what_cannot_be_described_is_like_no_other(value):
    assert of(value) != of(value)


def test_values_count_and_not_how_they_are_stored():
    rows = sparse.csr_array(
        (np.array([2.0, 1.0, 3.0]), np.array([1, 0, 0]), np.array([0, 2, 3])),
        shape=(2, 2),
    )
    assert not rows.has_sorted_indices
    dense = rows.toarray()
    assert matrix_key(rows) == matrix_key(sparse.csc_array(dense))
    assert not rows.has_sorted_indices  # the caller's stays as it is
    assert matrix_key(dense) == matrix_key(np.asfortranarray(dense))
    assert matrix_key(dense) != matrix_key(dense.reshape(4, 1))
    texts = np.array([["a", None]], dtype=object)
    assert matrix_key(texts) == matrix_key(texts.copy())
    assert matrix_key(texts) != matrix_key(texts[:, ::-1])


def test_rows_that_train_do_not_pass_for_rows_that_test():
    one, two = np.array([0, 1]), np.array([2])

    def key(train, test, number=0):
        return split_key(Split(number, 0, 0, None, train, test))

    assert key(one, two) == key(one.astype(np.int32), two, number=3)
    assert key(one, two) != key(one[:1], np.array([1, 2]))
    assert key(one, two) != key(two, one)


def test_code_that_is_gone_has_an_empty_key(tmp_path):
    there = tmp_path / "a.py"
    there.write_text("a = 1\n")
    assert len(_source(str(there))) == 64
    assert _source(str(tmp_path / "none.py")) == ""


def test_keys_of_many_sets_of_columns_are_those_of_each():
    sets = [np.arange(3), np.array([7, 120]), np.array([], dtype=np.int64)]
    found = column_keys("of the rest", sets)
    assert found == [key_of("of the rest", columns.tolist()) for columns in sets]
    assert column_keys("of the rest", []) == []
