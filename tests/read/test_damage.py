"""What files of other programs hold that cannot be read, and what is said of it."""

import io
import struct
import sys

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet
from scipy import sparse

from labelsift import ReadError, load_dataset
from labelsift.read import Dataset, block_tables, describe, r_objects, read_blocks
from labelsift.read.frames import from_pair, table_from_frame, write_parquet
from labelsift.read.matlab5 import read_version5
from labelsift.read.npz import npz_names, npz_rows, read_npz

# ---- MATLAB, version 5: an element is its type, its length and its bytes -----------


def element(kind, body):
    return struct.pack("<II", kind, len(body)) + body + bytes(-len(body) % 8)


def whole_numbers(*values):
    return element(5, struct.pack(f"<{len(values)}i", *values))


def doubles(*values):
    return element(9, struct.pack(f"<{len(values)}d", *values))


def described(kind, *shape, name=b"M", flags=0):
    head = element(6, struct.pack("<II", kind | flags, 0))
    return head + whole_numbers(*shape) + element(1, name)


DOUBLE, STRUCT, SPARSE, CELL = 6, 2, 5, 1


def file_of(*bodies):
    head = b"labelsift".ljust(124) + struct.pack("<H", 0x100) + b"IM"
    return head + b"".join(element(14, body) for body in bodies)


def found_in(*bodies):
    return read_version5(file_of(*bodies), "x.mat", 10_000)


def struct_of(length, names, *fields):
    return (
        described(STRUCT, 1, 1)
        + whole_numbers(length)
        + element(1, names)
        + b"".join(fields)
    )


ONE = described(DOUBLE, 1, 2) + doubles(3.0, 4.0)


def test_matrices_structs_and_logical_values_come_by_name():
    assert found_in(ONE)["M"].tolist() == [[3.0, 4.0]]
    logical = described(DOUBLE, 2, 1, flags=0x200) + doubles(0.0, 5.0)
    assert found_in(logical)["M"].tolist() == [[False], [True]]
    field, empty = element(14, ONE), element(14, b"")
    inside = found_in(struct_of(2, b"a\0b\0", empty, field))
    assert inside["b"].tolist() == [[3.0, 4.0]]
    assert list(inside) == ["b"]


@pytest.mark.parametrize(
    "body",
    [
        described(DOUBLE, 1, 2, flags=0x800) + doubles(1.0, 2.0),  # complex
        described(DOUBLE, 1, 1, 2) + doubles(1.0, 2.0),  # three dimensions
        described(CELL, 1, 1),
        described(DOUBLE, 1, 2, name=b"") + doubles(1.0, 2.0),
        described(STRUCT, 1, 2) + whole_numbers(2) + element(1, b"a\0"),  # two structs
        element(6, struct.pack("<II", 17, 0)) + element(1, b"M"),  # an object
        struct_of(2, b"a\0", element(14, described(CELL, 1, 1))),
    ],
)
def test_what_is_no_real_matrix_is_passed_over(body):
    assert found_in(body) == {}
    both = found_in(body, ONE)
    assert both["M"].tolist() == [[3.0, 4.0]]


@pytest.mark.parametrize(
    ("body", "match"),
    [
        (element(6, struct.pack("<I", 6)), "a variable without a class"),
        (element(6, struct.pack("<II", 6, 0)) + doubles(1.0), "no whole numbers"),
        (described(DOUBLE, 3) + doubles(1.0), r"shape \(3,\)"),
        (described(DOUBLE, 2, -1) + doubles(1.0), r"shape \(2, -1\)"),
        (described(DOUBLE, 2, 2) + doubles(1.0), "1 numbers for 2 x 2"),
        (described(DOUBLE, 1, 1), "cut short"),
        (described(DOUBLE, 1, 1) + element(99, b"12345678"), "unknown type 99"),
        (described(DOUBLE, 1, 1) + element(9, b"1234567"), "7 bytes of 8-byte numbers"),
        (
            described(DOUBLE, 1, 1) + struct.pack("<I", 5 << 16 | 9) + bytes(4),
            "short element of 5 bytes",
        ),
        (struct_of(0, b"a\0"), "fields of length 0"),
        (struct_of(2, b"a\0b"), "fields of length 2"),
        (struct_of(2, b"a\0", doubles(1.0)), "a field of type 9"),
        (
            described(SPARSE, 3, 1) + doubles(0.0) + whole_numbers(0, 1) + doubles(1.0),
            "indices are no whole numbers",
        ),
        (
            described(SPARSE, 3, 2) + whole_numbers(0) * 2 + doubles(1.0),
            "2 columns and 1 starts",
        ),
        (
            described(SPARSE, 9000, 1)
            + whole_numbers(0)
            + whole_numbers(0, 1)
            + doubles(1),
            "9000 rows, more than max_bytes allows",
        ),
    ],
)
def test_damaged_variables_are_named(body, match):
    with pytest.raises(ReadError, match=f"not a whole MATLAB file.*{match}"):
        found_in(body)


# ---- .npz ------------------------------------------------------------------------

X = np.array([[1.0, 2], [3, 0], [0, 5]])
Y = np.array([[0, 1], [1, 1], [0, 0]], dtype=np.uint8)


def npz(path, **arrays):
    np.savez(path, **arrays)
    return path


def parts_of(matrix):
    names = ("data", "indices", "indptr", "shape")
    return {f"X_{name}": np.array(getattr(matrix, name)) for name in names}


def test_rows_of_both_kinds_come_a_few_at_a_time(tmp_path):
    dense = npz(tmp_path / "dense.npz", X=X, Y=Y)
    thin = npz(tmp_path / "thin.npz", **parts_of(sparse.csr_array(X)), Y=Y)
    for path in (dense, thin):
        blocks = list(npz_rows(path, 2))
        assert [len(block[1]) for block in blocks] == [2, 1]
        found = [b[0].toarray() if sparse.issparse(b[0]) else b[0] for b in blocks]
        assert np.vstack(found).tolist() == X.tolist()
        assert np.vstack([b[1] for b in blocks]).tolist() == Y.tolist()
        assert npz_names(path) == (None, None)


@pytest.mark.parametrize(
    ("arrays", "match"),
    [
        ({"X": X, "Y": Y[:2]}, "X has 3 rows but Y has 2"),
        ({"X": X, "other": Y}, "found no array named"),
        ({"X": np.asfortranarray(X), "Y": Y}, "lies by column"),
        ({"X": X.astype(object), "Y": Y}, "holds Python objects"),
        ({**parts_of(sparse.csr_array(X)), "X_indptr": [0, 2, 1, 3], "Y": Y}, "fall"),
        ({**parts_of(sparse.csr_array(X)), "X_data": [1.0], "Y": Y}, "cut short"),
    ],
)
def test_faults_of_archives_are_named_when_they_are_reached(tmp_path, arrays, match):
    path = npz(tmp_path / "x.npz", **arrays)
    with pytest.raises(ReadError, match=match):
        list(npz_rows(path, 5))


def test_a_member_whose_bytes_are_damaged_is_named(tmp_path):
    path = npz(tmp_path / "x.npz", X=np.arange(4000.0).reshape(1000, 4), Y=np.eye(1000))
    content = bytearray(path.read_bytes())
    content[5000] ^= 255  # inside X: the check sum of the archive tells
    path.write_bytes(content)
    with pytest.raises(ReadError, match="array 'X' is damaged"):
        list(npz_rows(path, 1000))


def test_names_of_bytes_and_versions_of_headers(tmp_path):
    path = npz(tmp_path / "x.npz", X=X, Y=Y, feature_names=np.array([b"a", b"\xe9"]))
    assert load_dataset(path).feature_names == ("a", "\u00e9")
    content = path.read_bytes().replace(b"\x93NUMPY\x01\x00", b"\x93NUMPY\x07\x00")
    with pytest.raises(ReadError, match="cannot be read"):
        read_npz(content, path="x.npz", name="x", source="x", max_bytes=10**6)


# ---- data frames and Parquet -------------------------------------------------------


def test_column_names_are_compared_as_text():
    with pytest.raises(ReadError, match="'1' occurs twice"):
        table_from_frame(nw.from_native(pd.DataFrame({1: [0], "1": [1]})), "it")


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(pd.Categorical([1, "1"], categories=[1, "1"])),
        pa.chunked_array([pa.DictionaryArray.from_arrays([0, 1], ["a", "a"])]),
    ],
)
def test_a_category_listed_twice_is_refused(column):
    frame = pa.table({"c": column}) if isinstance(column, pa.ChunkedArray) else None
    frame = pd.DataFrame({"c": column}) if frame is None else frame
    with pytest.raises(ReadError, match="'c' lists a category twice"):
        table_from_frame(nw.from_native(frame), "it")


def test_labels_of_text_and_objects_beside_features():
    found = from_pair(X, np.array([["b"], ["a"], ["b"]], dtype=object), path="it")
    assert found.label_names == ("a", "b")
    assert found.Y.tolist() == [[0, 1], [1, 0], [0, 1]]


def described_dataset():
    return Dataset(
        np.array([[0.0, 1], [1, 2], [np.nan, 3]]),
        Y,
        feature_names=("kind", "size"),
        label_names=("u", "v"),
        categories=(("b", "a"), None),
    )


def test_parquet_keeps_categories_in_their_order_and_gaps(tmp_path):
    path = tmp_path / "x.parquet"
    described_dataset().save(path)
    found = load_dataset(path)
    assert found.categories == (("b", "a"), None)
    np.testing.assert_array_equal(found.X, described_dataset().X)
    (block,) = read_blocks(path)
    np.testing.assert_array_equal(block[0], found.X)
    with pytest.raises(ReadError, match="unpacks to"):
        load_dataset(path, max_bytes=10)
    with pytest.raises(ReadError, match="row group 0 unpacks to"):
        read_blocks(path, max_bytes=10)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda t: t.rename_columns(["kind", "other", "u", "v"]), "description names"),
        (
            lambda t: t.set_column(0, "kind", pa.array(["b", "z", "a"])),
            "kind",
        ),
    ],
)
def test_parquet_that_is_not_what_it_says_is_refused(tmp_path, change, match):
    path = tmp_path / "x.parquet"
    described_dataset().save(path)
    table = parquet.read_table(path)
    changed = change(table).replace_schema_metadata(table.schema.metadata)
    parquet.write_table(changed, path)
    with pytest.raises(ReadError, match=match):
        load_dataset(path)


def test_a_name_of_both_kinds_cannot_be_a_column_of_parquet():
    both = Dataset(X, Y, feature_names=("a", "u"), label_names=("u", "v"))
    with pytest.raises(ValueError, match="'u' is both a feature and a label"):
        write_parquet(both, io.BytesIO())


def test_damaged_or_empty_parquet_in_blocks(tmp_path):
    path = tmp_path / "x.parquet"
    path.write_bytes(b"PAR1 nothing PAR1")
    with pytest.raises(ReadError, match="not a whole Parquet file"):
        read_blocks(path, labels=1)
    none = pa.array([], pa.float64())
    parquet.write_table(pa.table({"a": none, "u": none, "v": none}), path)
    with pytest.raises(ReadError, match="no rows of data"):
        read_blocks(path, labels=2)
    parquet.write_table(pa.table({"a": [1.0, 2.0], "c": ["x", None]}), path)
    with pytest.raises(ReadError, match="the class 'c' is missing somewhere"):
        list(read_blocks(path, labels="c"))


def test_parquet_without_pyarrow_names_the_remedy(tmp_path, monkeypatch):
    path = tmp_path / "x.parquet"
    described_dataset().save(path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ReadError, match="labelsift"):
        load_dataset(path)
    with (
        pytest.raises(ReadError, match="labelsift"),
        block_tables.parquet_reader(path),
    ):
        pass
    with pytest.raises(ImportError, match="labelsift"):
        write_parquet(described_dataset(), io.BytesIO())


def test_row_groups_without_rows_give_no_block(tmp_path):
    path = tmp_path / "x.parquet"
    table = pa.table({"a": [1.0, 2.0], "u": [0, 1], "v": [1, 1]})
    with parquet.ParquetWriter(path, table.schema) as writer:
        writer.write_table(table.slice(0, 0))
        writer.write_table(table)
        writer.write_table(table.slice(0, 0))
        writer.write_table(table)
    blocks = list(read_blocks(path, labels=["u", "v"]))
    assert np.vstack([X for X, _ in blocks]).ravel().tolist() == [1, 2, 1, 2]
    assert np.vstack([Y for _, Y in blocks]).tolist() == [[0, 1], [1, 1]] * 2


def test_an_empty_file_has_no_blocks(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("")
    with pytest.raises(ReadError, match="the file is empty"):
        read_blocks(path, labels=1)


def test_text_that_comes_late_is_coded_as_in_the_whole_file(tmp_path):
    path = tmp_path / "x.csv"
    rows = [
        f"{'m' if i < 150_000 else 'ab'[i % 2]},{i % 7},{i % 2},1"
        for i in range(200_000)
    ]
    path.write_text("\n".join(["kind,size,u,v", *rows]) + "\n")
    blocks = list(read_blocks(path, labels=2))
    assert len(blocks) > 1
    kinds = np.concatenate([X[:, 0] for X, _ in blocks])
    expected = [2.0] * 150_000 + [float(i % 2) for i in range(150_000, 200_000)]
    np.testing.assert_array_equal(kinds, expected)


# ---- R ---------------------------------------------------------------------------


def loaded(monkeypatch, objects, labels=None, **options):
    """Load what an R file would hold."""
    monkeypatch.setattr(r_objects, "_objects", lambda *_: objects)
    facts = {"path": "x.rda", "name": "x", "source": "x"}
    return r_objects.read_r(b"", labels, extension=".rda", **facts, **options)


FRAME = pd.DataFrame({"a": [1.0, 2.0, 3.0], "u": [0, 1, 1], "v": [1, 0, 1]})


def test_data_frames_of_r_need_their_labels_named(monkeypatch):
    found = loaded(monkeypatch, {"note": "text", "frame": FRAME}, ["u", "v"])
    assert found.label_names == ("u", "v")
    assert found.X.ravel().tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("objects", "match"),
    [
        ({"note": "text", "b": 1}, "it holds b, note"),
        ({}, "it holds nothing"),
        ({"m": {"dataset": "text", "labels": {}}}, "holds no data frame"),
        ({"m": {"dataset": FRAME, "labels": {"index": [0, 2]}}}, "an index below 1"),
        ({"m": {"dataset": FRAME, "labels": {"index": [9]}}}, "is damaged"),
        ({"m": {"dataset": FRAME, "labels": {}}}, "is damaged"),
        (
            {"l": {"x": X, "y": np.array(["a", None, "b"], dtype=object)}},
            "class y is missing",
        ),
    ],
)
def test_r_objects_of_another_kind_are_named(monkeypatch, objects, match):
    with pytest.raises(ReadError, match=match):
        loaded(monkeypatch, objects)


def test_an_mldr_object_knows_its_labels_unless_they_are_given(monkeypatch):
    mldr = {"m": {"dataset": FRAME, "labels": {"index": [3, 2]}}}
    assert loaded(monkeypatch, mldr).label_names == ("u", "v")
    assert loaded(monkeypatch, mldr, ["v"]).label_names == ("v",)


def test_a_list_of_a_frame_and_classes(monkeypatch):
    names = {"l": {"x": FRAME, "y": np.array(["k", "m", "k"], dtype=object)}}
    found = loaded(monkeypatch, names)
    assert found.feature_names == ("a", "u", "v")
    assert found.Y.tolist() == [[1, 0], [0, 1], [1, 0]]
    with pytest.raises(ValueError, match="knows its labels"):
        loaded(monkeypatch, names, ["u"])
    plain = loaded(monkeypatch, {"l": {"x": X, "y": np.array([5, 7, 5])}})
    assert plain.label_names == ("5", "7")


# ---- arrays in memory --------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "match"),
    [
        ({"Y": Y[:2]}, "X has 3 rows but Y has 2"),
        ({"X": np.zeros(3)}, "X must have two dimensions; found 1"),
        ({"categories": (None,)}, "categories describes 1 feature, X has 2"),
        ({"weights": np.ones(2)}, r"weights must have shape \(3,\)"),
        ({"label_names": ("a", "a")}, "label name 'a' occurs more than once"),
        ({"feature_names": ("a",)}, "1 feature name for 2 features"),
        ({"Y": sparse.csr_array(Y * 3)}, "3"),
        ({"test_costs": [1.0, -1.0]}, "at 1"),
    ],
)
def test_parts_of_a_data_set_that_do_not_fit(facts, match):
    with pytest.raises(ValueError, match=match):
        Dataset(
            **{
                "X": X,
                "Y": Y,
                "feature_names": ("p", "q"),
                "label_names": ("u", "v"),
                **facts,
            }
        )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_blocks_of_arrays_in_memory(form):
    blocks = list(read_blocks((form(X), Y), block_rows=2))
    assert [block[1].shape[0] for block in blocks] == [2, 1]
    found = [b[0].toarray() if sparse.issparse(b[0]) else b[0] for b in blocks]
    assert np.vstack(found).tolist() == X.tolist()
    whole = list(read_blocks((form(X), Y)))
    assert len(whole) == 1


@pytest.mark.parametrize(
    ("sides", "error", "match"),
    [
        (lambda da: (X, Y[:2]), ValueError, "X has 3 rows but Y has 2"),
        (lambda da: (da.from_array(X), Y), TypeError, "Y is none"),
        (
            lambda da: (da.from_array(X), da.from_array(Y[:2])),
            ValueError,
            "X has 3 rows but Y has 2",
        ),
        (
            lambda da: (da.from_array(X)[da.from_array(X)[:, 0] > 0], da.from_array(Y)),
            ValueError,
            "compute_chunk_sizes",
        ),
    ],
)
def test_sides_in_memory_that_do_not_fit(sides, error, match):
    da = pytest.importorskip("dask.array")
    with pytest.raises(error, match=match):
        read_blocks(sides(da))


# ---- ARFF and descriptions ---------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "match"),
    [
        ({"label_names": ("u", "\x01")}, "XML cannot hold the label name"),
        ({"X": np.array([[np.inf, 0], [0, 0], [0, 0]])}, "cannot hold an infinite"),
        ({"X": X, "categories": (("a", "b"), None)}, "holds 3; expected a position"),
        ({"X": X - 0.5, "categories": (("a", "b"), None)}, "holds 0.5; expected"),
    ],
)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_what_arff_and_its_labels_cannot_hold(tmp_path, facts, match, form):
    whole = {"X": X, "feature_names": ("p", "q"), "label_names": ("u", "v"), **facts}
    data = Dataset(Y=form(Y), **{**whole, "X": form(whole["X"])})
    with pytest.raises(ValueError, match=match):
        data.save(tmp_path / "x.arff")


def test_stored_zeros_are_not_written(tmp_path):
    stored = sparse.csr_array(X)
    stored.data[:] = [0.0, 2.0, 0.0, 5.0]
    data = Dataset(stored, sparse.csr_array(Y), ("p", "q"), ("u", "v"))
    data.save(tmp_path / "x.arff")
    lines = (tmp_path / "x.arff").read_text().splitlines()
    rows = lines[lines.index("@data") + 1 :]
    assert [row for row in rows if row] == ["{1 2,3 1}", "{2 1,3 1}", "{1 5}"]


@pytest.mark.parametrize(
    ("table", "constant", "missing"),
    [
        (np.zeros((3, 2)), ("p", "q"), 0),
        (np.array([[0, 1], [0, 2], [0, 3]]), ("p",), 0),
        (np.array([[0, np.nan], [0, 2], [0, 2]]), ("p", "q"), 1),
        (np.zeros((0, 2)), ("p", "q"), 0),
    ],
)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_constant_features_and_missing_values(table, constant, missing, form):
    labels = np.zeros((len(table), 2), dtype=np.uint8)
    data = Dataset(form(table), labels, ("p", "q"), ("u", "v"))
    found = data.describe()
    assert found.constant_features == constant
    assert found.n_missing == missing


@pytest.mark.parametrize(
    ("size", "text"),
    [(999, "999 B"), (1000, "1.0 kB"), (999_600, "1.0 MB"), (5.2e9, "5.2 GB")],
)
def test_sizes_in_words(size, text):
    assert describe._size(size) == text
