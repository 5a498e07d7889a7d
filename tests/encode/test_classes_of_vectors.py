"""Class vectors whose classes are known from elsewhere, and columns of frames."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from labelsift.encode.labels import as_label_matrix, with_classes


def test_codes_are_places_among_the_classes():
    found = as_label_matrix(np.array([30, 10, 30]))
    assert found.codes.tolist() == [1, 0, 1]
    assert found.classes.tolist() == [10, 30]
    matrix = as_label_matrix(np.array([[0, 1], [1, 1]]))
    with pytest.raises(ValueError, match="for a class vector only"):
        matrix.codes  # noqa: B018


def test_classes_that_a_part_of_the_rows_lacks():
    part = as_label_matrix(np.array(["b", "d", "b"]))
    found = with_classes(part, ["d", "a", "b"])
    assert found.names == ("a", "b", "d")
    assert found.values.tolist() == [[0, 1, 0], [0, 0, 1], [0, 1, 0]]
    assert found.codes.tolist() == [1, 2, 1]
    with pytest.raises(ValueError, match="y holds 'd', which is not in classes"):
        with_classes(part, ["a", "b"])
    with pytest.raises(ValueError, match="y is a label matrix"):
        with_classes(as_label_matrix(np.array([[0, 1], [1, 1]])), [0, 1])


def test_labels_of_a_lazy_frame_are_collected():
    frame = pl.LazyFrame({"u": [0, 1], "v": [1, 1]})
    found = as_label_matrix(frame)
    assert found.names == ("u", "v")
    assert np.asarray(found.values).tolist() == [[0, 1], [1, 1]]


def test_two_labels_of_one_name_are_refused():
    frame = pd.DataFrame([[0, 1], [1, 1]], columns=["u", "u"])
    with pytest.raises(ValueError, match="must have different names"):
        as_label_matrix(frame)
