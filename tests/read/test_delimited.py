import gzip

import numpy as np
import pytest

from labelsift import ReadError, load_dataset


def write(folder, text, name="a.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_numbers_text_missing_and_labels(tmp_path):
    path = write(
        tmp_path,
        'age,"town, country",l1,l2\n3,Bern,0,1\n?,"Rome, It",1,1\n4.5e1,NA,1,0\n',
    )
    data = load_dataset(path, labels=["l2", "l1"])
    np.testing.assert_array_equal(data.X[:, 0], [3, np.nan, 45])
    np.testing.assert_array_equal(data.X[:, 1], [0, 1, np.nan])
    assert data.categories == (None, ("Bern", "Rome, It"))
    assert data.feature_names == ("age", "town, country")
    assert data.label_names == ("l1", "l2")  # the file decides the order
    assert data.Y.tolist() == [[0, 1], [1, 1], [1, 0]]
    assert data.name == "a"


@pytest.mark.parametrize(
    ("labels", "names"), [(1, ("c",)), (-1, ("a",)), ("b", ("b",))]
)
def test_labels_by_count_or_name(tmp_path, labels, names):
    path = write(tmp_path, "a,b,c\n1,0,1\n0,1,0\n")
    assert load_dataset(path, labels=labels).label_names == names


def test_line_of_a_short_row_is_named(tmp_path):
    path = write(tmp_path, 'a,b\n"x\ny",1\n\nz\n')
    with pytest.raises(ReadError, match=r"a\.csv line 5: expected 2 values.*found 1"):
        load_dataset(path, labels=1)


def test_compression_is_told_from_the_content(tmp_path):
    path = write(tmp_path, gzip.compress(b"a,b\n1,0\n"), "plain-name.csv")
    assert load_dataset(path, labels=1).X.tolist() == [[1.0]]
