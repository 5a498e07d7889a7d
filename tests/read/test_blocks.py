"""Rows a block at a time, from every format, are the rows of the whole."""

import pickle

import numpy as np
import pytest
from scipy import sparse

from labelsift.read import Dataset, ReadError, load_dataset, read_blocks

N = 53


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)


def stacked(blocks):
    Xs, Ys = zip(*blocks, strict=True)
    return np.vstack([dense(X) for X in Xs]), np.vstack([dense(Y) for Y in Ys])


@pytest.fixture
def data():
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(N, 4)), 2)
    X[rng.random(X.shape) < 0.3] = 0
    Y = (rng.random((N, 3)) < 0.4).astype(np.uint8)
    names = ("a", "b", "c", "d"), ("p", "q", "r")
    return Dataset(sparse.csr_array(X), sparse.csr_array(Y), *names)


@pytest.mark.parametrize("block_rows", [1, 7, 1000])
@pytest.mark.parametrize("ending", ["arff", "csv", "tsv.gz", "parquet", "npz", "svm"])
def test_blocks_of_a_file_are_its_rows(tmp_path, data, ending, block_rows):
    path = tmp_path / f"data.{ending}"
    data.save(path)
    options = {"labels": 3} if ending[:3] in ("csv", "tsv") else {}
    blocks = read_blocks(path, block_rows=block_rows, **options)
    for _ in range(2):  # they can be read again
        X, Y = stacked(blocks)
        np.testing.assert_array_equal(X, dense(data.X))
        np.testing.assert_array_equal(Y, dense(data.Y))
    assert blocks.label_names == ("p", "q", "r")
    if ending in ("parquet", "npz", "svm"):
        assert all(X.shape[0] <= block_rows for X, _ in blocks)


@pytest.mark.parametrize("ending", ["arff", "csv", "tsv.gz", "parquet", "npz", "svm"])
def test_a_relative_path_means_the_folder_in_which_it_was_given(
    tmp_path, monkeypatch, data, ending
):
    data.save(tmp_path / f"data.{ending}")
    labels = '<label name="p"/><label name="q"/><label name="r"/>'
    (tmp_path / "names.xml").write_text(f"<labels>{labels}</labels>")
    options = {"labels": 3} if ending[:3] in ("csv", "tsv") else {}
    options |= {"xml": "names.xml"} if ending == "arff" else {}
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    blocks = read_blocks(f"data.{ending}", **options)
    # As in another process, which may be in another folder.
    monkeypatch.chdir("elsewhere")
    X, Y = stacked(pickle.loads(pickle.dumps(blocks)))
    np.testing.assert_array_equal(X, dense(data.X))
    np.testing.assert_array_equal(Y, dense(data.Y))


def test_extreme_classification_text_comes_in_blocks(tmp_path):
    path = tmp_path / "data.txt"
    rows = ["1,2 0:1.5 3:2", "0 1:1", " 2:4", "2 0:1", "1 3:1"]
    path.write_text("5 4 3\n" + "\n".join(rows) + "\n")
    whole = load_dataset(path)
    blocks = read_blocks(path, block_rows=2)
    assert [X.shape for X, _ in blocks] == [(2, 4), (2, 4), (1, 4)]
    X, Y = stacked(blocks)
    np.testing.assert_array_equal(X, whole.X.toarray())
    np.testing.assert_array_equal(Y, whole.Y.toarray())
    path.write_text("6 4 3\n" + "\n".join(rows) + "\n")
    with pytest.raises(ReadError, match="says 6 rows; found 5"):
        list(read_blocks(path, block_rows=2))


def test_a_folder_is_its_files_one_below_the_other(tmp_path, data):
    for k, rows in enumerate((range(20), range(20, 21), range(21, N))):
        data.take_rows(list(rows)).save(tmp_path / f"part-{k}.parquet")
    blocks = read_blocks(tmp_path, block_rows=9)
    X, Y = stacked(blocks)
    np.testing.assert_array_equal(X, dense(data.X))
    np.testing.assert_array_equal(Y, dense(data.Y))
    again = stacked(read_blocks(sorted(tmp_path.iterdir())))
    np.testing.assert_array_equal(again[0], X)
    np.testing.assert_array_equal(stacked(pickle.loads(pickle.dumps(blocks)))[0], X)
    data.take_features([1, 0, 2, 3]).save(tmp_path / "part-3.parquet")
    with pytest.raises(ReadError, match=r"part-3.parquet: its feature names are not"):
        read_blocks(tmp_path)


def test_text_and_classes_have_the_codes_of_the_whole(tmp_path):
    pandas = pytest.importorskip("pandas")
    kinds = ["b", "a", "c", "a", "b", "d"]
    frame = pandas.DataFrame({"kind": kinds * 4, "x": range(24), "y": [0, 1, 2, 1] * 6})
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=5)
    frame.to_csv(tmp_path / "t.csv", index=False)
    for name in ("t.parquet", "t.csv"):
        whole = load_dataset(tmp_path / name, labels=["y"])
        blocks = read_blocks(tmp_path / name, labels=["y"], block_rows=5)
        assert blocks.label_names == whole.label_names == ("0", "1", "2")
        X, Y = stacked(blocks)
        np.testing.assert_array_equal(X, whole.X)
        np.testing.assert_array_equal(Y, whole.Y)


def test_memory_mapped_arrays_are_pickled_as_their_place(tmp_path, data):
    X = data.X
    for name in ("data", "indices", "indptr"):
        np.save(tmp_path / f"{name}.npy", getattr(X, name))
    np.save(tmp_path / "Y.npy", dense(data.Y))
    parts = [
        np.load(tmp_path / f"{name}.npy", mmap_mode="r")
        for name in ("data", "indices", "indptr")
    ]
    mapped = sparse.csr_array(tuple(parts), shape=X.shape)
    pair = mapped, np.load(tmp_path / "Y.npy", mmap_mode="r")
    blocks = read_blocks(pair, block_rows=10)
    assert len(blocks.parts) == 6
    text = pickle.dumps(blocks.parts[2])
    assert str(tmp_path).encode() in text
    ((X2, Y2),) = pickle.loads(text).blocks()
    np.testing.assert_array_equal(dense(X2), dense(X)[20:30])
    np.testing.assert_array_equal(Y2, dense(data.Y)[20:30])
    in_memory = pickle.loads(pickle.dumps(read_blocks((X, data.Y), block_rows=10)))
    np.testing.assert_array_equal(stacked(in_memory)[0], dense(X))


def test_dask_collections_come_partition_by_partition(data):
    array = pytest.importorskip("dask.array", reason="Dask is not installed")
    X, Y = dense(data.X), dense(data.Y)
    blocks = read_blocks(
        (array.from_array(X, chunks=(20, 2)), array.from_array(Y, chunks=(30, 3)))
    )
    assert [len(x) for x, _ in blocks] == [20, 20, 13]
    np.testing.assert_array_equal(stacked(blocks)[0], X)
    np.testing.assert_array_equal(stacked(blocks)[1], Y)
    with pytest.raises(TypeError, match="both be dask arrays"):
        read_blocks((array.from_array(X, chunks=20), Y))


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_a_cut_file_is_a_read_error(tmp_path, data, ending):
    path = tmp_path / f"data.{ending}"
    data.save(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ReadError, match=r"data\."):
        list(read_blocks(path))


def test_wrong_arguments_are_named(tmp_path, data):
    with pytest.raises(ValueError, match="block_rows must be at least 1; found 0"):
        read_blocks((data.X, data.Y), block_rows=0)
    with pytest.raises(ValueError, match="X has 53 rows but Y has 52"):
        read_blocks((data.X, data.Y[:52]))
    with pytest.raises(ValueError, match="labels= does not apply"):
        read_blocks((data.X, data.Y), labels=3)
    with pytest.raises(TypeError, match="source must be a path"):
        read_blocks(7)
    with pytest.raises(ReadError, match="holds no data files"):
        read_blocks(tmp_path)
    with pytest.raises(ReadError, match="no such file"):
        read_blocks(tmp_path / "none.csv")


def test_a_table_that_lies_by_column_is_saved_so_that_its_rows_can_be_streamed(
    tmp_path,
):
    X = np.asfortranarray(np.arange(12.0).reshape(6, 2))
    Y = np.asfortranarray(np.eye(6, 2, dtype=np.uint8))
    Dataset(X, Y, ("a", "b"), ("p", "q")).save(tmp_path / "data.npz")
    found = stacked(read_blocks(tmp_path / "data.npz", block_rows=4))
    np.testing.assert_array_equal(found[0], X)
    np.testing.assert_array_equal(found[1], Y)


def test_arrays_of_other_widths_are_refused_at_once(data):
    X, Y = dense(data.X), dense(data.Y)
    with pytest.raises(ValueError, match=r"X of piece 1 has 2 columns, but .* has 4"):
        read_blocks([(X, Y), (X[:, :2], Y)])
    with pytest.raises(ValueError, match=r"Y of piece 2 has 1 columns, but .* has 3"):
        read_blocks([(X, Y), (X, Y), (X, Y[:, :1])])


@pytest.mark.parametrize("block_rows", [1.5, "3", True])
def test_block_rows_is_a_whole_number(data, block_rows):
    with pytest.raises(TypeError, match="block_rows must be a whole number"):
        read_blocks((dense(data.X), dense(data.Y)), block_rows=block_rows)
