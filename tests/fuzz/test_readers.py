"""A bounded part of ``fuzz_readers.py``, and what the whole of it has found."""

import io
import random
import struct
import zipfile

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from scipy.io import savemat

from fuzz.mutations import damaged
from fuzz.reading import complaints
from fuzz.seeds import all_seeds
from labelsift.read import Dataset, ReadError, load_dataset, read_blocks
from labelsift.read.errors import plain_line
from shared_data import SHARED

pytestmark = pytest.mark.slow

X = np.array([[1.5, 0, 2], [0, 1, 0], [3, 0, 0], [0, 2, 1.25]])
Y = np.array([[0, 1], [1, 1], [0, 0], [1, 0]])


@pytest.mark.parametrize("part", range(4))
def test_damaged_files_are_read_right_or_refused(part):
    folder = SHARED / "data"
    seeds = all_seeds(folder if folder.is_dir() else None)
    found, n_read = [], 0
    for number in range(250):
        rng = random.Random(f"suite {part}/{number}")
        seed = rng.choice(seeds)
        said, was_read = complaints(seed, damaged(seed, seeds, rng), rng, seconds=60)
        found += [f"{number} {seed.name}: {text}" for text in said]
        n_read += was_read
    assert not found
    assert n_read > 10


def test_each_seed_is_a_file_that_can_be_read():
    for seed in all_seeds():
        found, was_read = complaints(seed, seed.content, random.Random(0), seconds=60)
        assert not found
        assert was_read, seed.name


# MATLAB: scipy's reader ended the process on these --------------------------------


def mat(variables, packed=False):
    stream = io.BytesIO()
    savemat(stream, variables, do_compression=packed)
    return stream.getvalue()


def read_mat(content, **options):
    return load_dataset(io.BytesIO(content), **options)


@pytest.mark.parametrize("kind", [0, 8, 10, 11, 14, 15, 99, 65535])
@pytest.mark.parametrize("what", ["flags", "shape", "values"])
def test_elements_of_unknown_type_are_refused(kind, what):
    content = bytearray(mat({"X": X, "Y": Y}))
    # after the head: the variable's tag, then flags, shape, name, values
    at = {"flags": 136, "shape": 152, "values": 176}[what]
    assert content[at] in (5, 6, 9)
    struct.pack_into("<I", content, at, kind)
    if what == "flags":
        assert read_mat(bytes(content)).X.tolist() == X.tolist()  # eight bytes they are
        return
    with pytest.raises(ReadError, match="not a whole MATLAB file"):
        read_mat(bytes(content))


@pytest.mark.parametrize("packed", [False, True])
def test_every_class_of_numbers_and_byte_order(packed):
    for dtype in "u1 i1 u2 i2 u4 i4 u8 i8 f4 f8 ?".split():
        data = read_mat(mat({"X": X.astype(dtype), "Y": Y}, packed))
        assert data.X.tolist() == X.astype(dtype).astype(float).tolist()
    big = mat({"X": X, "Y": Y.astype(float)})
    swapped = bytearray(big[:124] + struct.pack(">H", 0x0100) + b"MI")
    for array in (X, Y.astype(float)):
        name = b"X" if array is X else b"Y"
        body = struct.pack(">IIII", 6, 8, 6, 0)
        body += struct.pack(">IIii", 5, 8, *array.shape)
        body += struct.pack(">HH", 1, 1) + name + b"\0\0\0"
        body += struct.pack(">II", 9, 8 * array.size) + array.T.astype(">f8").tobytes()
        swapped += struct.pack(">II", 14, len(body)) + body
    data = read_mat(bytes(swapped))
    assert data.X.tolist() == X.tolist()
    assert data.Y.tolist() == Y.tolist()


@pytest.mark.parametrize(
    ("column", "rows", "starts", "message"),
    [
        (4, [0, 1, 2, 3], [0, 1, 2, 3, 9], "9 values that are not there"),
        (4, [0, 1, 2, 3], [0, 1, 2, 3], "4 columns and 4 starts"),
        (4, [0, 1, 2, 3], [0, 3, 2, 3, 4], "damaged"),
        (4, [0, 1, 2, -3], [0, 1, 2, 3, 4], "damaged"),
        (4, [], [0, 6, 6553613, 6, 0], "must not decrease"),  # scipy: a crash
    ],
)
def test_sparse_parts_that_do_not_fit(column, rows, starts, message):
    def element(kind, numbers):
        body = np.array(numbers, {5: "<i4", 9: "<f8"}[kind]).tobytes()
        return struct.pack("<II", kind, len(body)) + body + b"\0" * (-len(body) % 8)

    head = mat({})[:128]
    body = struct.pack("<IIII", 6, 8, 5, 4) + element(5, [4, column])
    body += struct.pack("<HH", 1, 1) + b"X\0\0\0"
    body += element(5, rows) + element(5, starts) + element(9, [1.0, 2, 3, 4])
    good = mat({"Y": Y})[128:]
    with pytest.raises(ReadError, match=message):
        read_mat(head + struct.pack("<II", 14, len(body)) + body + good)


def test_many_rows_claimed_by_a_sparse_matrix_take_no_memory():
    content = mat({"X": sparse.csc_array(X), "Y": Y})
    shape = struct.pack("<IIii", 5, 8, 4, 3)
    assert shape in content
    lie = content.replace(shape, struct.pack("<IIii", 5, 8, 2**31 - 1, 3))
    with pytest.raises(ReadError, match="2147483647 rows, more than max_bytes allows"):
        read_mat(lie, max_bytes=2**25)


def test_head_without_a_version_is_refused():
    content = bytearray(mat({"X": X, "Y": Y}))
    content[126:128] = b"IX"
    with pytest.raises(ReadError, match="no version in its head"):
        read_mat(bytes(content))


# archives -------------------------------------------------------------------------


def archive(folder, change, compression=zipfile.ZIP_STORED):
    path = folder / "x.npz"
    data = Dataset(
        X, Y, ("a", "b", "c"), ("u", "v"), (None, None, ("low", "high", "top"))
    )
    data.save(path)
    with zipfile.ZipFile(path) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w", compression) as out:
        for name, content in members.items():
            out.writestr(name, content)
    return path


def both_ways(path):
    """Read whole and in blocks; the second where the rows are reached."""
    return (lambda: load_dataset(path)), (lambda: list(read_blocks(path)))


def test_archive_whose_array_head_does_not_end(tmp_path):
    def change(members):
        head = members["X.npy"]
        members["X.npy"] = head.replace(b"), }", b"(, }")

    for read in both_ways(archive(tmp_path, change)):
        with pytest.raises(ReadError, match="cannot be read"):
            read()


def test_archive_damaged_where_it_is_streamed(tmp_path):
    path = archive(tmp_path, lambda members: None)
    content = bytearray(path.read_bytes())
    at = content.index(b"NUMPY") + 130
    content[at] ^= 0xFF  # the checksum tells
    path.write_bytes(content)
    for read in both_ways(path):
        with pytest.raises(ReadError, match=r"CRC|cannot be read|cut short"):
            read()
    at = content.index(b"PK\x01\x02")
    struct.pack_into("<H", content, at + 10, 77)  # no such way to compress
    path.write_bytes(content)
    for read in both_ways(path):
        with pytest.raises(ReadError, match=r"not supported|cannot be read"):
            read()
    path.write_bytes(content[: len(content) // 2])
    for read in both_ways(path):
        with pytest.raises(ReadError, match=r"not a whole \.npz"):
            read()


def test_codes_without_a_value_are_refused(tmp_path):
    data = Dataset(X, Y, ("a", "b", "c"), ("u", "v"), (None, None, ("low", "high")))
    path = tmp_path / "x.npz"
    data.save(path)
    with pytest.raises(ReadError, match="'c' has 2 values, numbered from 0; found 2"):
        load_dataset(path)


# frames ---------------------------------------------------------------------------


def test_missing_values_of_pandas_own_types():
    columns = {
        "integer": pd.array([1, None, 3], dtype="Int64"),
        "truth": pd.array([True, None, False], dtype="boolean"),
        "real": pd.array([1.5, None, 2], dtype="Float64"),
        "text": pd.array(["u", None, "v"], dtype="string"),
        "object": ["u", None, "v"],
        "category": pd.Categorical(["u", None, "v"]),
    }
    found = load_dataset(pd.DataFrame({**columns, "y": [0, 1, 1]}), labels=["y"]).X
    assert np.isnan(found[1]).all()
    assert found[[0, 2]].tolist() == [[1, 1, 1.5, 0, 0, 0], [3, 0, 2, 1, 1, 1]]
    lists = {
        name: [None if v is pd.NA else v for v in c] for name, c in columns.items()
    }
    lists.pop("category")
    other = load_dataset(pl.DataFrame({**lists, "y": [0, 1, 1]}), labels=["y"]).X
    np.testing.assert_array_equal(other, found[:, :5])


# text -----------------------------------------------------------------------------


def test_text_that_is_not_utf_8_is_one_value_in_every_block(tmp_path):
    words = ["sm\u00f6rg\u00e5s", "kaffe", "\u00f8l"]
    lines = [f"{words[i % 3]},{i % 2}\n" for i in range(9)]
    path = tmp_path / "x.csv"
    path.write_bytes(("food,y\n" + "".join(lines)).encode("latin-1"))
    whole = load_dataset(path, labels=1)
    assert whole.categories[0] == ("kaffe", "sm\u00f6rg\u00e5s", "\u00f8l")
    blocks = list(read_blocks(path, labels=1, block_rows=2))
    assert np.vstack([X for X, _ in blocks]).tolist() == whole.X.tolist()


def test_one_text_in_two_encodings_is_one_value(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(b"food,y\n\xf8l,0\n\xc3\xb8l,1\nte,1\n")
    found = load_dataset(path, labels=1)
    assert found.categories[0] == ("te", "\u00f8l")
    assert found.X.ravel().tolist() == [1, 1, 0]


# messages -------------------------------------------------------------------------


def test_messages_hold_nothing_that_steers_a_terminal():
    error = ReadError("found '\x1b[2J\u202egpj\x00'\n\tthere", "a\x1b]0;b.csv", 3)
    assert str(error) == (r"a\x1b]0;b.csv line 3: found '\x1b[2J\u202egpj\x00' there")
    assert error.path == "a\x1b]0;b.csv"  # as it is, for programs
    assert plain_line("sea  gr\u00fcn \ud800") == "sea  gr\u00fcn \\ud800"


def test_a_message_is_never_longer_than_a_screen():
    error = ReadError("a" * 5000 + "; remedy: b", "x.csv")
    assert len(str(error)) < 800
    assert str(error).endswith("; remedy: b")


def test_names_in_a_message_are_few_and_short():
    many = {f"{'n' * 28}{i}": X for i in range(40)}
    with pytest.raises(ReadError, match="and 28 more") as caught:
        read_mat(mat(many))
    assert len(str(caught.value)) < 800
