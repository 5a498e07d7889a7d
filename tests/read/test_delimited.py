import gzip
import io
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift import ReadError, load_dataset
from labelsift.read import delimited
from labelsift.read.delimited import read_delimited
from labelsift.read.table import to_dataset


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


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "is empty"),
        ("\n\n", "there is no text"),
        ("a,b\n", "no rows of data"),
        ("a,a\n1,0\n", "line 1: the column name 'a' occurs twice"),
        ("a,,b\n1,2,0\n", "line 1: column 2 has no name"),
        ("a,b\n1,0\nx,1\n", "line 3: column 'a' mixes numbers and text; found 'x'"),
        ("a,b\nx,0\n1,1\n", "line 3: column 'a' mixes numbers and text; found '1'"),
        ("a,b\n1_0,0\n2,1\n", "line 3: column 'a' mixes .*; found '2'"),
        ("a,b\n1,0\n2,\n", "line 3: label 'b' is missing"),
        ("a,b\n1,nan\n", "line 2: label 'b' is missing"),
        ("a,b,c\n1,0,1\n2,1,2\n", "line 3: label 'c' must be 0 or 1; found '2'"),
        ("a,b\n1,0,3\n", "line 2: expected 2 values.*found 3"),
        ('a,b\n"1,0\n', "line 2: cannot be split into cells .*quote left open"),
    ],
)
def test_faults_name_the_line(tmp_path, text, match):
    labels = 2 if "c" in text.split("\n")[0] else 1
    with pytest.raises(ReadError, match=match):
        load_dataset(write(tmp_path, text), labels=labels)


def test_label_columns_that_are_not_there(tmp_path):
    path = write(tmp_path, "age,flu\n1,0\n")
    for labels, match in [
        (["flue"], "no label column 'flue'; did you mean 'flu'"),
        (["flu", "flu"], "'flu' more than once"),
        (["age", "flu"], "every column is a label"),
        (2, "at least one must be a feature"),
        (None, "which columns are labels"),
    ]:
        with pytest.raises(ReadError, match=match):
            load_dataset(path, labels=labels)
    with pytest.raises(ValueError, match="labels=0"):
        load_dataset(path, labels=0)
    with pytest.raises(TypeError, match="names or a count"):
        load_dataset(path, labels=1.5)
    assert load_dataset(path, labels=[]).n_labels == 0


def test_numbers_as_names_where_they_are_words(tmp_path):
    path = write(tmp_path, "code,y\n1,0\n3+,1\n2,1\n")
    data = load_dataset(path, labels=1, nominal=["code"])
    assert data.categories == (("1", "2", "3+"),)
    assert data.X.ravel().tolist() == [0, 2, 1]
    with pytest.raises(ReadError, match="nominal= names 'cod'"):
        load_dataset(path, labels=1, nominal=["cod"])


def test_a_first_line_of_numbers_is_data_unless_it_counts(tmp_path):
    data = load_dataset(write(tmp_path, "5,7,1\n2,3,0\n"), labels=1)
    assert data.X.tolist() == [[5, 7], [2, 3]]
    assert data.feature_names == ("column0", "column1")
    data = load_dataset(write(tmp_path, "0,1,2\n2,3,0\n"), labels=1)
    assert data.feature_names == ("0", "1")
    path = write(tmp_path, "7,5\n2,1\n")
    assert load_dataset(path, labels=["5"]).feature_names == ("7",)
    assert load_dataset(path, labels=1, header=True).n_samples == 1
    assert (
        load_dataset(path, labels=-1, header=False, positive_value="7").n_samples == 2
    )


def test_row_names_are_left_out_with_a_warning(tmp_path):
    path = write(tmp_path, ",a,y\nr1,1,0\nr2,2,1\n")
    with pytest.warns(UserWarning, match="taken as row names"):
        data = load_dataset(path, labels=1)
    assert data.feature_names == ("a",)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a;y\n1,5;0\n", 1.5),
        ("a;y\n-2,5e1;0\n", -25),
        ("a|y\n1.5|0\n", 1.5),
        ("a\ty\n1.5\t0\n", 1.5),
    ],
)
def test_delimiters_and_decimal_commas(tmp_path, text, value):
    assert load_dataset(write(tmp_path, text), labels=1).X.tolist() == [[value]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_encodings(tmp_path, encoding):
    path = write(tmp_path, "gr\u00f6\u00dfe,y\n\u00e9,0\n\u00e8,1\n".encode(encoding))
    data = load_dataset(path, labels=1)
    assert data.feature_names == ("gr\u00f6\u00dfe",)
    assert data.categories == (("\u00e8", "\u00e9"),)


def test_line_ends_of_every_system(tmp_path):
    for end in ("\n", "\r\n", "\r"):
        data = load_dataset(write(tmp_path, f"a,y{end}1,0{end}2,1{end}"), labels=1)
        assert data.X.ravel().tolist() == [1, 2]


def outcome(content, labels):
    try:
        table = read_delimited(io.BytesIO(content), path="t.csv")
        data = to_dataset(table, labels, path="t.csv")
    except ReadError as error:
        return str(error)
    return (
        data.X.tobytes(), data.Y.tobytes(), data.categories, data.feature_names,
        table.lines.tolist(),
    )  # fmt: skip


FAR = "0.1000000000000000055511151231257827"
PLAIN = ["1", "0", "-2.5", "3e-7", " 4", "5 ", "", "?", "NA", "nan", "x", "y z", FAR]
ODD = ['"1"', '"a,b"', '"u\nv"', "1 2", "1_0", "%1", "{1}", "'1'", "1e400", "12,5"]
cells = st.sampled_from([*PLAIN, *ODD])


@given(st.data())
def test_blocks_and_the_compiled_reader_change_nothing(data):
    delimiter = data.draw(st.sampled_from([",", ";", "\t"]))
    m = data.draw(st.integers(1, 3))
    pools = [data.draw(st.lists(cells, min_size=1, max_size=3)) for _ in range(m)]
    end = data.draw(st.sampled_from(["\n", "\r\n"]))
    lines = [delimiter.join([*"abc"[:m], "label"])]
    for _ in range(data.draw(st.integers(1, 30))):
        row = [data.draw(st.sampled_from(pool)) for pool in pools]
        if data.draw(st.integers(0, 40)) == 0:
            row = row[1:]
        lines.append(delimiter.join([*row, data.draw(st.sampled_from("01"))]))
        if data.draw(st.integers(0, 20)) == 0:
            lines.append("")
    content = end.join(lines).encode() + data.draw(st.sampled_from([b"", b"\n"]))
    whole = outcome(content, 1)
    old = delimited._BLOCK_BYTES, delimited._WORTH_COMPILING
    delimited._BLOCK_BYTES, delimited._WORTH_COMPILING = (
        data.draw(st.sampled_from([3, 16, 64])), 0,
    )  # fmt: skip
    try:
        found = outcome(content, 1)
    finally:
        delimited._BLOCK_BYTES, delimited._WORTH_COMPILING = old
    # of several mistakes in one file another may be met first
    assert found == whole or (isinstance(found, str) and isinstance(whole, str))


def test_the_compiled_reader_is_used_on_plain_rows(monkeypatch):
    """So that the test above compares two different readers."""
    used = []
    real = delimited.plain_rows

    def spy(*args):
        found = real(*args)
        used.append(found is not None)
        return found

    monkeypatch.setattr(delimited, "plain_rows", spy)
    monkeypatch.setattr(delimited, "_BLOCK_BYTES", 64)
    monkeypatch.setattr(delimited, "_WORTH_COMPILING", 0)
    content = b"a,t,label\n" + b"1.5,up,0\n,down,1\n" * 40
    table = read_delimited(io.BytesIO(content), path="t.csv")
    assert sum(used) > len(used) / 2
    assert table.categories == (None, ("down", "up"), None)
    np.testing.assert_array_equal(table.values[-2:], [[1.5, 1, 0], [np.nan, 0, 1]])
    assert table.lines[-1] == 81


@given(st.data())
def test_mutated_bytes_read_or_raise_read_error(data):
    content = bytearray(b'a,"b c",t,y\n1,2.5,"x\ny",0\n3,?,z,1\n,4,z,1\n')
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*taken as row names")
        try:
            found = load_dataset(io.BytesIO(content), format="csv", labels=1)
        except ReadError:
            return
    assert found.X.shape[0] == found.Y.shape[0]


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("number", ["1e999", "-2e400", "9" * 400])
def test_a_number_too_large_is_not_read_as_infinity(tmp_path, number, rows):
    path = write(tmp_path, "a,b,y\n" + "1,x,0\n" * rows + f"{number},x,1\n")
    where = rf"line {rows + 2}: column 'a': '{number}' is too large"
    with pytest.raises(ReadError, match=where):
        load_dataset(path, labels=1)


@pytest.mark.parametrize("word", ["inf", "-Infinity"])
def test_infinity_is_read_where_it_is_written(tmp_path, word):
    path = write(tmp_path, f"a,y\n{word},0\n2,1\n")
    assert load_dataset(path, labels=1).X[:, 0].tolist() == [float(word), 2]


def test_a_number_too_large_deep_in_a_compiled_block(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "_WORTH_COMPILING", 1 << 10)
    monkeypatch.setattr(delimited, "_BLOCK_BYTES", 1 << 10)
    path = write(tmp_path, "a,y\n" + "1.5,0\n" * 1000 + "1e999,1\n")
    with pytest.raises(ReadError, match=r"line 1002: column 'a': '1e999' is too large"):
        load_dataset(path, labels=1)


def test_nul_bytes_are_named_not_read(tmp_path):
    with pytest.raises(ReadError, match="line 2: expected text, found a NUL byte"):
        load_dataset(write(tmp_path, "a,y\n1,0\0\n"), labels=1)
    bare = "a,y\n1,0\n".encode("utf-16-le")
    with pytest.raises(ReadError, match="line 1: expected text, found a NUL byte"):
        load_dataset(write(tmp_path, bare), labels=1)


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n", b",", 5])
def test_a_delimiter_is_one_character(tmp_path, delimiter):
    path = write(tmp_path, "a,y\n1,0\n")
    with pytest.raises(ValueError, match="delimiter must be one character"):
        load_dataset(path, labels=1, delimiter=delimiter)


@pytest.mark.parametrize("name", ["positive_value", "negative_value"])
def test_a_label_value_that_never_occurs_is_a_slip(tmp_path, name):
    path = write(tmp_path, "a,k,l\n1,sick,well\n2,well,well\n")
    with pytest.raises(ReadError, match=rf"no label has the value 'ill' \({name}\)"):
        load_dataset(path, labels=2, **{name: "ill"})
    data = load_dataset(path, labels=2, positive_value="sick")
    assert data.Y.tolist() == [[1, 0], [0, 0]]
    path = write(tmp_path, "a,l\n1,well\n2,well\n")
    both = {"positive_value": "sick", "negative_value": "well"}
    assert load_dataset(path, labels=1, **both).Y.tolist() == [[0], [0]]
    with pytest.raises(ValueError, match="must differ"):
        load_dataset(path, labels=1, positive_value="well", negative_value="well")
