import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from labelsift import ReadError, load_dataset


def read(text, kind="svmlight", **options):
    return load_dataset(io.BytesIO(text.encode()), format=kind, **options)


def test_rows_with_comments_qid_and_no_label():
    data = read(
        "# head\n1,3 0:1 5:2.5 # note\n 2:-1\n\n10 qid:7 5:1e-3 0:4\n2:8 # none\n"
    )
    assert data.label_names == ("1", "3", "10")
    assert data.Y.toarray().tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert data.feature_names == tuple(f"feature{i}" for i in range(6))
    expected = np.zeros((4, 6))
    expected[0, [0, 5]], expected[1, 2], expected[2, [5, 0]] = (1, 2.5), -1, (1e-3, 4)
    expected[3, 2] = 8
    np.testing.assert_array_equal(data.X.toarray(), expected)
    assert sparse.issparse(data.X)
    assert sparse.issparse(data.Y)


def test_first_index_is_found_or_given():
    assert read("1 1:5 2:6\n").feature_names == ("feature1", "feature2")
    assert read("1 1:5 2:6\n", zero_based=True).X.toarray().tolist() == [[0, 5, 6]]
    assert read("1 1:5\n", n_features=3).X.shape == (1, 3)
    with pytest.raises(ReadError, match=r"line 1: 0 is out of range: 2 features"):
        read("1 0:5 2:6\n", zero_based=False)
    with pytest.raises(ReadError, match=r"line 2: 9 is out of range: 3 features"):
        read("1 1:5\n1 9:6\n", n_features=3)


def test_labels_can_be_listed():
    data = read("b 0:1\na,b 0:1\n", labels=["a", "b", "c"])
    assert data.label_names == ("a", "b", "c")
    assert data.Y.toarray().tolist() == [[0, 1, 0], [1, 1, 0]]
    with pytest.raises(ReadError, match="line 2: label 'x' is not among the 2"):
        read("a 0:1\nx 0:1\n", labels=["a", "b"])
    with pytest.raises(ValueError, match="must list all names"):
        read("a 0:1\n", labels=2)


def test_float_and_signed_classes_have_plain_names():
    assert read("+1 0:1\n-1.0 0:2\n").label_names == ("-1", "1")


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("1 0:1 0:2", "index 0 occurs twice"),
        ("1 0:1 x", "expected index:value pairs; found 'x'"),
        ("1 0:1:2 3", "expected index:value pairs; found '0:1:2'"),
        ("1 a:1", "expected whole-number:number; found 'a:1'"),
        ("1 0:b", "expected whole-number:number; found '0:b'"),
        ("1 1_0:1", "expected whole-number:number; found '1_0:1'"),
        ("1 -3:1", "expected indices from 0 to .*; found -3"),
        ("1 99999999999999999999:1", "expected indices from 0 to"),
        ("1,,2 0:1", "a label is empty"),
        ("1,1.0 0:1", "a label repeats"),
    ],
)
def test_faults_name_the_line(line, match):
    with pytest.raises(ReadError, match=f"line 2: .*{match}"):
        read(f"1 0:1\n{line}\n")


def test_a_stray_index_does_not_fill_the_memory():
    with pytest.raises(ReadError, match=r"2000000001 columns .*max_bytes="):
        read("1 0:1 2000000000:1\n")


def test_nothing_to_read():
    for text, match in [("# only\n", "no rows"), ("1\n", "no row has a feature")]:
        with pytest.raises(ReadError, match=match):
            read(text)
    with pytest.raises(ReadError, match="no row has a label"):
        read("0:1\n")


@given(st.integers(0, 2**32 - 1))
def test_agrees_with_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    lines = []
    for _ in range(8):
        labels = sorted(rng.choice(4, rng.integers(1, 4), replace=False).tolist())
        columns = sorted(rng.choice(9, rng.integers(1, 6), replace=False).tolist())
        pairs = " ".join(f"{j}:{rng.normal()!r}" for j in map(int, columns))
        lines.append(f"{','.join(map(str, labels))} {pairs}".replace("np.float64", ""))
    text = "\n".join(lines).replace("(", "").replace(")", "")
    X, sets = load_svmlight_file(
        io.BytesIO(text.encode()), multilabel=True, zero_based=True
    )
    data = read(text, zero_based=True)
    np.testing.assert_array_equal(data.X.toarray(), X.toarray())
    found = [
        tuple(float(name) for name, on in zip(data.label_names, row, strict=True) if on)
        for row in data.Y.toarray()
    ]
    assert found == sets


EXTREME = "3 4 2\n0,1 0:1 3:2.5\n 1:1\n1\n"


def test_extreme_form():
    data = load_dataset(io.BytesIO(EXTREME.encode()))
    assert data.X.toarray().tolist() == [[1, 0, 0, 2.5], [0, 1, 0, 0], [0, 0, 0, 0]]
    assert data.Y.toarray().tolist() == [[1, 1], [0, 0], [0, 1]]


def test_extreme_blank_rows_are_rows_but_blank_ends_are_not():
    data = read("2 3 2\n0 1:1\n\n\n\n", "xc")
    assert data.Y.toarray().tolist() == [[1, 0], [0, 0]]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("3 4\n", "line 1: expected three whole numbers"),
        ("3 4 x\n", "line 1: expected three whole numbers"),
        ("0 4 2\n", "line 1: expected sizes of at least 1"),
        ("2 4 2\n0 1:1\n", "says 2 rows; found 1"),
        ("1 4 2\n0 1:1\n0 1:1\n", "line 3: the first line says 1 row; found more"),
        ("1 4 2\n0 4:1\n", "line 2: 4 is out of range: the first line says 4 features"),
        ("1 4 2\n2 1:1\n", "line 2: 2 is out of range: the first line says 2 labels"),
        ("1 4 2\n-1 1:1\n", "line 2: label out of range"),
        ("1 4 2\nx 1:1\n", "line 2: expected label numbers"),
        ("1 4 2\n0,0 1:1\n", "line 2: a label repeats"),
        ("1 4 2\n0 1:1 1:1\n", "line 2: index 1 occurs twice"),
        ("1 99999999999 2\n0 1:1\n", "columns would take"),
        ("1 4 99999999999\n0 1:1\n", "columns would take"),
    ],
)
def test_faults_in_extreme_form(text, match):
    with pytest.raises(ReadError, match=match):
        read(text, "xc")


@given(st.data())
def test_mutated_bytes_read_or_raise_read_error(data):
    kind = data.draw(st.sampled_from(["svmlight", "xc"]))
    start = EXTREME if kind == "xc" else "1,3 0:1 5:2.5 # x\n2 qid:1 2:3\n"
    content = bytearray(start.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(
            st.sampled_from(b"0189:,# \n\t-+.eqnai_") | st.integers(0, 255)
        )
    try:
        found = load_dataset(io.BytesIO(content), format=kind)
    except ReadError:
        return
    assert found.X.shape[0] == found.Y.shape[0]
    assert found.X.has_canonical_format


def test_a_number_too_large_is_not_read_as_infinity():
    for number in ("1e999", "-1e400"):
        with pytest.raises(ReadError, match=rf"line 2: '{number}' is too large"):
            read(f"1 1:5\n1 1:2 2:{number}\n")
    assert read("1 1:5 2:-inf\n").X.toarray().tolist() == [[5, -np.inf]]
