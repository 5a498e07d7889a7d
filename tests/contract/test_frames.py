"""Text columns and columns of one name are named, whatever reads the frame."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelsift.encode.discretize import EqualWidthDiscretizer
from labelsift.encode.mdl import MDLDiscretizer
from labelsift.learn import CLASSIFIERS
from labelsift.select import SELECTORS

READERS = {
    **SELECTORS,
    **CLASSIFIERS,
    "equal_width": EqualWidthDiscretizer,
    "mdl": MDLDiscretizer,
}
COLUMNS = {"age": [40.0, 31.5, 28.0], "city": ["12", "Oslo", "Rome"]}
Y = np.array([[1, 0], [0, 1], [1, 1]])


@pytest.mark.parametrize("name", READERS)
def test_the_text_column_is_named_with_a_remedy(name):
    reader = READERS[name]()
    remedy = (
        "OrdinalEncoder, and name them in categorical_features"
        if "categorical_features" in reader.get_params()
        else "OneHotEncoder"
    )
    message = rf"column 'city' holds the text 'Oslo' at row 1\. .*{remedy}\."
    with pytest.raises(ValueError, match=message):
        reader.fit(pd.DataFrame(COLUMNS), Y)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(COLUMNS).astype({"city": "category"}),
        pd.DataFrame(COLUMNS).astype({"city": object}),
        pl.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS).with_columns(pl.col("city").cast(pl.Categorical)),
    ],
    ids=["pandas-category", "pandas-object", "polars", "polars-categorical"],
)
def test_every_kind_of_text_is_found(frame):
    with pytest.raises(ValueError, match="column 'city' holds the text 'Oslo'"):
        SELECTORS["info_gain"]().fit(frame, Y)


def test_other_complaints_of_scikit_learn_stay():
    frame = pd.DataFrame({"age": [1.0, 2.0, np.inf]})
    with pytest.raises(ValueError, match="infinity"):
        SELECTORS["info_gain"]().fit(frame, Y)
    with pytest.raises(ValueError, match="0 sample"):
        CLASSIFIERS["mlknn"]().fit(frame[:0], Y[:0])
    with pytest.raises(ValueError, match="column 0 holds the text 'a' at row 0"):
        SELECTORS["info_gain"]().fit(np.array([["a"], ["b"], ["c"]]), Y)


@pytest.mark.parametrize("name", READERS)
def test_columns_of_one_name_are_refused(name):
    frame = pd.DataFrame(np.eye(3), columns=["age", "bp", "age"])
    with pytest.raises(ValueError, match="columns of X must have different names"):
        READERS[name]().fit(frame, Y)
