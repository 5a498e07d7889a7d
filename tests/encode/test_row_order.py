"""The same index in another order is refused; anything else is matched by position."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelsift.encode import MDLDiscretizer
from labelsift.encode.row_order import refuse_other_order
from labelsift.evaluate.prediction_metrics import hamming_loss
from labelsift.learn import BinaryRelevance, MLkNN
from labelsift.learn.entropy_tree import EntropyTree
from labelsift.select import Chi2

X = pd.DataFrame({"a": [0.0, 1, 2, 3], "b": [1.0, 0, 0, 1]}, index=list("pqrs"))
Y = pd.DataFrame({"u": [0, 1, 1, 0], "v": [1, 0, 1, 0]}, index=list("pqrs"))
MIXED = ["p", "s", "r", "q"]
METHODS = [Chi2(), MLkNN(2), BinaryRelevance(), MDLDiscretizer()]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
def test_methods_refuse_it_and_take_the_remedy(method):
    said = (
        r"X and Y have the same index in another order: row 1 is 'q' in X and 's' in Y"
    )
    with pytest.raises(ValueError, match=said + r".*use Y\.loc\[X\.index\]"):
        method.fit(X, Y.loc[MIXED])
    method.fit(X, Y.loc[MIXED].loc[X.index])


def test_class_vectors_are_looked_at_too():
    classes = pd.Series([0, 1, 1, 0], index=MIXED)
    for method in (EntropyTree(), Chi2()):
        with pytest.raises(ValueError, match="same index in another order"):
            method.fit(X, classes)


def test_streamed_blocks_are_looked_at_too():
    with pytest.raises(ValueError, match="same index in another order"):
        Chi2().partial_fit(X, Y.loc[MIXED])


@pytest.mark.parametrize(
    "other",
    [
        Y.set_axis(list("pqrt")),
        Y.set_axis(list("sqqp")),
        Y.reset_index(drop=True),
        Y.to_numpy()[::-1],
        Y.to_numpy().tolist(),
        pl.DataFrame(Y.to_numpy()),
        Y.set_axis(pd.Index(list("pqrs"), dtype="category")),
    ],
)
def test_other_indexes_are_matched_by_position(other):
    refuse_other_order(X, other)
    refuse_other_order(other, X)
    Chi2().fit(X, other)


def test_a_default_index_in_another_order_is_refused():
    plain = X.reset_index(drop=True)
    with pytest.raises(ValueError, match="row 0 is 0 in X and 3 in Y"):
        refuse_other_order(plain, Y.reset_index(drop=True)[::-1])


def test_metrics_refuse_it():
    with pytest.raises(ValueError, match=r"Y and P have the same index.*use P\.loc\[Y"):
        hamming_loss(Y, Y.loc[MIXED])
    assert hamming_loss(Y, Y.loc[MIXED].loc[Y.index]) == 0.0
    assert hamming_loss(Y, np.asarray(Y)) == 0.0
