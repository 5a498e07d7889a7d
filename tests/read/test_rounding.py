"""Readers refuse whole numbers that no float64 holds, with the place and a remedy."""

import numpy as np
import pandas as pd
import pytest
import scipy.io
from scipy import sparse

from labelsift import load_dataset
from labelsift.read import ReadError, read_blocks

LOST = 2**53 + 1
HEAD = "@relation 'r: -C -1'\n@attribute id numeric\n@attribute l {0,1}\n@data\n"
TEXTS = {
    "dense.arff": (f"{HEAD}1,0\n% a comment\n\n{LOST},1\n", "line 8: column 'id'"),
    "dense2.arff": (f"{HEAD}?,0\n-{LOST},1\n", "line 6: column 'id' .*number -90"),
    "quoted.arff": (f"{HEAD}2,0\n'{LOST}',1\n", "line 6: column 'id'"),
    "sparse.arff": (f"{HEAD}{{1 1}}\n{{0 {LOST},1 1}}\n", "line 6: column 'id'"),
    "plain.csv": (f"id,l\n1,0\n{LOST},1\n", "line 3: column 'id'"),
    "gap.csv": (f"id,l\n,0\n{LOST},1\n", "line 3: column 'id'"),
    "gap.tsv": (f"id\tl\nNA\t0\n1\t1\n+{LOST}\t1\n", "line 4: column 'id'"),
    "text.csv": (f"w,id,l\na,1,0\nb, {LOST} ,1\n", "line 3: column 'id'"),
    "rows.svm": (f"0,1 1:5 2:3\n1 2:{LOST}\n", "line 2: column 2"),
}


def refused(path, where, **options):
    said = rf"{path.name}[ :].*{where}.*{LOST - 1}.*Subtract .*identifier"
    with pytest.raises(ReadError, match=said) as caught:
        load_dataset(path, **options)
    assert str(LOST) in str(caught.value)
    with pytest.raises(ReadError, match=said):
        for _ in read_blocks(path, **options):
            pass


@pytest.mark.parametrize("name", TEXTS)
def test_text_files(tmp_path, name):
    text, where = TEXTS[name]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    refused(path, where, **({} if name.endswith("svm") else {"labels": ["l"]}))


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("written", [f"{LOST}.0", "9007199254740994", "9.1e15", "7"])
def test_floats_and_integers_that_are_floats_are_read(tmp_path, name, written):
    path = tmp_path / name
    text = TEXTS[name][0].replace(str(LOST), written)
    path.write_text(text, encoding="utf-8")
    data = load_dataset(path, **({} if name.endswith("svm") else {"labels": ["l"]}))
    X = data.X.toarray() if sparse.issparse(data.X) else data.X
    assert abs(X[-1, -1]) == float(written)


def test_as_text_an_identifier_is_read(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"id,l\n{LOST},0\n{LOST + 1},1\n", encoding="utf-8")
    data = load_dataset(path, labels=["l"], nominal=["id"])
    assert data.categories == ((str(LOST), str(LOST + 1)),)


def test_a_long_file_of_plain_rows_is_refused_where_the_number_stands(
    tmp_path, monkeypatch
):
    from labelsift.read import delimited

    monkeypatch.setattr(delimited, "_WORTH_COMPILING", 0)
    monkeypatch.setattr(delimited, "_BLOCK_BYTES", 64)
    rows = [f"{i},{i % 2}" for i in range(200)]
    rows[150] = f"{LOST},1"
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["id,l", *rows, ""]), encoding="utf-8")
    refused(path, "line 152: column 'id'", labels=["l"])


def test_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": 1.5, "id": np.arange(9), "l": [0, 1, 1] * 3})
    frame.loc[7, "id"] = LOST
    frame.to_parquet(tmp_path / "a.parquet", row_group_size=2)
    refused(tmp_path / "a.parquet", "column 'id' .*at row 7", labels=["l"])
    frame["id"] = frame["id"].astype("Int64")
    frame.loc[2, "id"] = pd.NA
    frame.to_parquet(tmp_path / "b.parquet", row_group_size=2)
    refused(tmp_path / "b.parquet", "column 'id' .*at row 7", labels=["l"])


def test_arrays_and_frames(tmp_path):
    X, Y = np.zeros((4, 2), dtype=np.int64), np.eye(4, 2, dtype=int)
    X[2, 1] = LOST
    np.savez(tmp_path / "a.npz", X=X, Y=Y)
    refused(tmp_path / "a.npz", "column 1 of X .*at row 2")
    np.savez(tmp_path / "b.npz", X=X, Y=Y, feature_names=["a", "id"])
    with pytest.raises(ReadError, match=r"column 'id' of X .*at row 2"):
        load_dataset(tmp_path / "b.npz")
    scipy.io.savemat(tmp_path / "a.mat", {"X": X, "Y": Y})
    refused(tmp_path / "a.mat", "column 1 of X .*at row 2")
    for table in (X, sparse.csr_array(X)):
        with pytest.raises(ReadError, match=r"column 1 of X .*at row 2"):
            load_dataset((table, Y))
    frame = pd.DataFrame(X, columns=["a", "id"])
    for table in (frame, frame.astype(object), frame.astype("UInt64")):
        with pytest.raises(ReadError, match=r"column 'id' .*at row 2"):
            load_dataset((table, Y))
