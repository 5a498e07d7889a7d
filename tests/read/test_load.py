import bz2
import gzip
import io
import lzma

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from labelsift import Dataset, ReadError, load_dataset
from labelsift.read.formats import format_of

CSV = b"a,b,y\n1,2,0\n3,4,1\n"
PACK = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


@pytest.mark.parametrize("packing", PACK)
@pytest.mark.parametrize("suffix", [".csv", ""])
def test_compression_and_format_are_told_with_and_without_a_suffix(
    tmp_path, packing, suffix
):
    path = tmp_path / f"set{suffix}{packing}"
    path.write_bytes(PACK[packing](CSV))
    data = load_dataset(path, labels=["y"])
    assert data.X.tolist() == [[1, 2], [3, 4]]
    assert data.name == "set"
    assert data.source == f"{path}: CSV"


@pytest.mark.parametrize("packing", PACK)
def test_cut_short_compression_is_an_error(tmp_path, packing):
    path = tmp_path / f"a.csv{packing}"
    packed = PACK[packing](CSV * 50)
    path.write_bytes(packed[: len(packed) - 6])
    with pytest.raises(ReadError, match=r"cut short|too early|damaged"):
        load_dataset(path, labels=1)


@pytest.mark.parametrize("packing", PACK)
def test_a_bomb_stops_at_the_limit_that_the_message_names(tmp_path, packing):
    path = tmp_path / f"a.csv{packing}"
    path.write_bytes(PACK[packing](b"1,2\n" * 300_000))
    with pytest.raises(ReadError, match=r"more than 100000 bytes.*max_bytes="):
        load_dataset(path, labels=1, max_bytes=100_000)


def test_bytes_after_several_xz_streams_are_read_on(tmp_path):
    path = tmp_path / "a.csv.xz"
    path.write_bytes(lzma.compress(CSV) + lzma.compress(b"5,6,1\n") + b"\0" * 4)
    assert load_dataset(path, labels=1).n_samples == 3


def test_damaged_middle_of_gzip_is_an_error(tmp_path):
    path = tmp_path / "a.csv.gz"
    packed = bytearray(gzip.compress(bytes(range(256)) * 99))
    packed[40] ^= 255
    path.write_bytes(bytes(packed))
    with pytest.raises(ReadError, match="damaged"):
        load_dataset(path, labels=1)


def test_layers_of_compression_have_an_end(tmp_path):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(gzip.compress(gzip.compress(gzip.compress(CSV)))))
    with pytest.raises(ReadError, match="more than 2 times"):
        load_dataset(path, labels=1)


def test_directory_missing_empty_and_forbidden_files(tmp_path, monkeypatch):
    with pytest.raises(ReadError, match="directory"):
        load_dataset(tmp_path)
    (tmp_path / "emotions.csv").write_bytes(b"")
    with pytest.raises(ReadError, match=r"no such file.*emotions\.csv"):
        load_dataset(tmp_path / "emotion.csv")
    with pytest.raises(ReadError, match="does not exist either"):
        load_dataset(tmp_path / "none" / "a.csv")
    with pytest.raises(ReadError, match="is empty"):
        load_dataset(tmp_path / "emotions.csv")
    with pytest.raises(ReadError, match="cannot be opened"):
        load_dataset("a\0b.csv")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(ReadError, match="no permission"):
        load_dataset(tmp_path / "emotions.csv")


def test_unknown_name_suggests_a_known_set():
    with pytest.raises(ReadError, match="Did you mean 'emotions'"):
        load_dataset("emotion")


def test_binary_stream_is_read_and_left_open():
    stream = io.BytesIO(CSV)
    assert load_dataset(stream, labels=1).n_samples == 2
    assert not stream.closed


def test_text_stream_is_refused():
    with pytest.raises(TypeError, match="binary mode"):
        load_dataset(io.StringIO("a,b\n1,0\n"), labels=1)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"%PDF-1.7", "PDF"),
        (b"<!doctype html><html>", "web page"),
        (b"<?xml version='1.0'?><labels/>", "XML"),
        (b"version https://git-lfs.github.com/spec/v1", "Git LFS pointer"),
        (b"\x80\x04\x95\x00", "pickle"),
        (b"\x93NUMPY\x01\x00", "savez"),
        (b"\x00\x01\x02\x03", "binary content of no known format"),
    ],
)
def test_foreign_content_is_named(tmp_path, content, what):
    path = tmp_path / "thing"
    path.write_bytes(content)
    with pytest.raises(ReadError, match=what):
        load_dataset(path)


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"% note\n@RELATION x\n", "arff"),
        (b"3 4 2\n0 1:1\n", "xc"),
        (b"1,3 0:1 5:2\n", "svmlight"),
        (b"# note\n 0:1 5:2\n", "svmlight"),
        (b"0:1 5:2\n", "svmlight"),
        (b"+1 qid:3 1:0.5 # c\n", "svmlight"),
        (b"a,b\n1,2\n", "csv"),
        (b"time\n12:30\n", "csv"),
        (b"PK\x03\x04", "npz"),
        (b"MATLAB 5.0 MAT-file, x", "mat"),
        (b"RDX3\nX\n", "rdata"),
        (b"PAR1", "parquet"),
    ],
)
def test_format_by_content(head, found):
    assert format_of("", head, "x") == found


def test_wrong_use_is_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(CSV)
    with pytest.raises(TypeError, match=r"no option 'n_features' for CSV.*delimiter"):
        load_dataset(path, labels=1, n_features=3)
    with pytest.raises(ValueError, match=r"format='xls' is not one of arff"):
        load_dataset(path, format="xls")
    with pytest.raises(ValueError, match="split= does not apply"):
        load_dataset(path, labels=1, split="train")
    with pytest.raises(ValueError, match="labels= does not apply to a known set"):
        load_dataset("yeast", labels=3)
    with pytest.raises(TypeError, match="found int"):
        load_dataset(3)
    with pytest.raises(TypeError, match="a Dataset already"):
        load_dataset(load_dataset(path, labels=1))
    with pytest.raises(ValueError, match="max_bytes must be"):
        load_dataset(path, labels=1, max_bytes=0)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_give_numbers_categories_and_labels(make):
    frame = make(
        {
            "n": [1.5, None, 3.0],
            "i": [1, 2, 3],
            "flag": [True, False, True],
            "town": ["b", None, "a"],
            "y": [0, 1, 1],
            "z": [False, True, False],
        }
    )
    data = load_dataset(frame, labels=["y", "z"], name="f")
    np.testing.assert_array_equal(
        data.X, [[1.5, 1, 1, 1], [np.nan, 2, 0, np.nan], [3, 3, 1, 0]]
    )
    assert data.categories == (None, None, None, ("a", "b"))
    assert data.Y.tolist() == [[0, 0], [1, 1], [1, 0]]
    assert (data.name, data.label_names) == ("f", ("y", "z"))


def test_lazy_frames_categoricals_and_dates():
    frame = pd.DataFrame(
        {
            "c": pd.Categorical(["lo", "hi", None], categories=["lo", "mid", "hi"]),
            "when": pd.to_datetime(["2020-01-01"] * 3),
            3: [1, 0, 1],
        }
    )
    with pytest.warns(UserWarning, match=r"left out: 'when'"):
        data = load_dataset(frame, labels=["3"])
    assert data.categories == (("lo", "mid", "hi"),)
    np.testing.assert_array_equal(data.X[:, 0], [0, 2, np.nan])
    lazy = pl.LazyFrame({"a": [1, 2], "y": [0, 1]})
    assert load_dataset(lazy, labels=1).X.tolist() == [[1], [2]]
    enum = pl.DataFrame(
        {"e": pl.Series(["x", "y"], dtype=pl.Enum(["y", "x"])), "y": [0, 1]}
    )
    assert load_dataset(enum, labels=["y"]).X.tolist() == [[1], [0]]


def test_frame_faults():
    with pytest.raises(ReadError, match="label 'y' is missing at row 1"):
        load_dataset(pd.DataFrame({"a": [1, 2], "y": [0, None]}), labels=["y"])
    with pytest.raises(ReadError, match="label 'y' must be 0 or 1; found '2' at row 1"):
        load_dataset(
            pd.DataFrame({"a": [1, 2], "y": [0, 2], "z": [0, 1]}), labels=["y", "z"]
        )
    with pytest.raises(ReadError, match="'a' mixes text"):
        load_dataset(pd.DataFrame({"a": [1, "x"], "y": [0, 1]}), labels=["y"])
    with pytest.raises(ReadError, match="no rows"):
        load_dataset(pd.DataFrame({"a": [], "y": []}), labels=["y"])
    with pytest.raises(ReadError, match="did you mean 'flu'"):
        load_dataset(pd.DataFrame({"a": [1], "flu": [0]}), labels=["fluu"])
    with pytest.raises(ReadError, match="which columns are labels"):
        load_dataset(pd.DataFrame({"a": [1], "flu": [0]}))


def test_pair_of_arrays_frames_and_sparse():
    X = pd.DataFrame({"a": [1, 2, 3], "t": ["u", "v", "u"]})
    Y = pd.DataFrame({"l": [0, 1, 1], "m": [1, 1, 0]})
    data = load_dataset((X, Y))
    assert data.feature_names == ("a", "t")
    assert data.label_names == ("l", "m")
    assert data.categories == (None, ("u", "v"))
    again = load_dataset((sparse.csr_array(np.eye(3)), sparse.csc_array(Y.to_numpy())))
    assert sparse.issparse(again.X)
    assert again.Y.toarray().tolist() == Y.to_numpy().tolist()
    classes = load_dataset((np.eye(3), pd.Series(["p", "q", "p"])))
    assert classes.label_names == ("p", "q")
    with pytest.raises(ReadError, match="X has 3 rows but Y has 2"):
        load_dataset((np.eye(3), np.array([0, 1])))


def test_single_class_column_gives_one_label_a_class():
    frame = pd.DataFrame({"a": [1, 2, 3], "kind": ["x", "z", "x"]})
    data = load_dataset(frame, labels="kind")
    assert data.label_names == ("x", "z")
    assert data.Y.tolist() == [[1, 0], [0, 1], [1, 0]]


def test_label_values_by_meaning_and_by_name():
    frame = pd.DataFrame({"a": [1, 2], "y": ["F", "T"], "z": ["NEG", "A"]})
    data = load_dataset(frame.drop(columns="z"), labels=["y"])
    assert data.Y.tolist() == [[0], [1]]
    data = load_dataset(frame.drop(columns="y"), labels=["z"], negative_value="NEG")
    assert data.Y.tolist() == [[0], [1]]
    data = load_dataset(frame.drop(columns="y"), labels=["z"], positive_value="NEG")
    assert data.Y.tolist() == [[1], [0]]


def test_costs_by_order_name_and_file(tmp_path):
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4], "y": [0, 1]})
    file = tmp_path / "costs.csv"
    file.write_text("feature,cost\nb,2.5\na,1\n")
    for costs in ([1, 2.5], {"b": 2.5, "a": 1}, str(file), file):
        data = load_dataset(frame, labels=["y"], costs=costs)
        assert data.test_costs.tolist() == [1, 2.5]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("a,1\nc,2\n", r"costs\.csv line 2: costs name 'c', which is no feature"),
        ("a,1\n", r"costs are missing for 'b'"),
        ("a,1\nb,-2\n", r"line 2: the cost of 'b' must be a number of 0 or more"),
        ("a,1\nb,x\n", r"line 2: the cost of 'b'.*found 'x'"),
        ("a,1\na,2\n", r"line 2: 'a' has two costs"),
        ("a;1\n", r"line 1: expected feature,cost"),
    ],
)
def test_faults_in_a_cost_file_name_the_line(tmp_path, text, match):
    file = tmp_path / "costs.csv"
    file.write_text(text)
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4], "y": [0, 1]})
    with pytest.raises(ReadError, match=match):
        load_dataset(frame, labels=["y"], costs=file)


def test_faults_in_costs_given_directly():
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4], "y": [0, 1]})
    for costs in ([1], [1, -1], [1, np.nan], {"a": 1}, {"a": 1, "b": "x"}, ["u", "v"]):
        with pytest.raises(ValueError, match="cost"):
            load_dataset(frame, labels=["y"], costs=costs)


def test_dataset_shows_itself_short():
    data = Dataset(np.eye(2), np.eye(2), ("a", "b"), ("<b>", "y"), name="<script>")
    assert repr(data) == "Dataset('<script>': 2 rows, 2 features, 2 labels)"
    shown = data._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
