import gzip
import io
import struct
import zipfile
import zlib

import h5py
import numpy as np
import pytest
import scipy.io
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift import ReadError, load_dataset
from shared_data import data_file

X = np.array([[1, 2, 250], [3, 4, 0], [5, 6, 7], [0, 1, 1]])
CODES = np.array([[2], [7], [2], [2]])
Y = np.array([[0, 1], [1, 1], [0, 0], [1, 0]])


def mat(**variables):
    stream = io.BytesIO()
    scipy.io.savemat(stream, variables, do_compression=True)
    return stream.getvalue()


def npz(**arrays):
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def read(content, **options):
    return load_dataset(io.BytesIO(content), **options)


# ---- MATLAB ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "names", [("X", "Y"), ("data", "label"), ("fea", "gnd"), ("other", "target")]
)
def test_class_vector_in_its_own_variable(names):
    content = mat(**{names[0]: X.astype(np.uint8), names[1]: CODES.astype(np.uint8)})
    data = read(content)
    assert data.label_names == ("2", "7")
    assert data.Y.tolist() == [[1, 0], [0, 1], [1, 0], [1, 0]]
    assert data.X.dtype == np.float64  # so that 1 - 250 does not wrap
    assert data.X.tolist() == X.tolist()


def test_label_matrix_by_rows_by_columns_and_of_minus_one():
    for labels in (Y, Y.T, 2 * Y - 1, sparse.csc_array(Y.astype(float))):
        data = read(mat(X=X, Y=labels))
        labels_found = data.Y.toarray() if sparse.issparse(data.Y) else data.Y
        assert labels_found.tolist() == Y.tolist()


def test_class_in_the_last_column_of_one_matrix():
    data = read(mat(a=np.hstack([X, CODES])))
    assert data.X.tolist() == X.tolist()
    assert data.label_names == ("2", "7")


def test_label_columns_of_one_matrix_by_count():
    data = read(mat(a=np.hstack([X, Y])), labels=2)
    assert data.Y.tolist() == Y.tolist()
    data = read(mat(a=np.hstack([Y, X])), labels=-2)
    assert data.Y.tolist() == Y.tolist()
    assert data.feature_names == ("column2", "column3", "column4")


def test_struct_and_sparse_and_named_variable():
    data = read(mat(set={"X": sparse.csc_array(X.astype(float)), "Y": CODES}))
    assert sparse.issparse(data.X)
    assert data.X.toarray().tolist() == X.tolist()
    assert read(mat(X=X, A=Y, B=CODES), labels="A").Y.tolist() == Y.tolist()


@pytest.mark.parametrize(
    ("variables", "options", "match"),
    [
        ({"a": X, "b": X}, {}, r"not clear which.*a 4x3, b 4x3.*labels='...'"),
        ({"X": X, "Y": CODES}, {"labels": "Z"}, "no matrix 'Z'; it holds X 4x3"),
        ({"X": X, "Y": CODES[:2]}, {}, "X has 4 rows but Y has 2"),
        ({"X": X, "Y": CODES + 0.5}, {}, "holds fractions"),
        ({"X": X, "Y": np.array([[1], [2], [np.nan], [1]])}, {}, "row 2 is missing"),
        ({"X": X, "Y": np.where(Y, np.nan, 0)}, {}, "Y misses 4 values"),
        ({"X": X, "Y": Y * 2}, {}, "found 2 at row 0"),
        ({"X": X * 1j, "Y": Y}, {}, "not clear which"),
        ({"s": "text"}, {}, "no numeric matrix"),
        (
            {"a": np.random.default_rng(0).random((9, 3))},
            {},
            "does not look like a class",
        ),
        ({"a": np.ones((9, 1))}, {}, "single column"),
    ],
)
def test_matlab_faults(variables, options, match):
    with pytest.raises(ReadError, match=match):
        read(mat(**variables), **options)


def test_matlab_bombs_and_cuts():
    content = mat(X=np.zeros((3000, 300)), Y=np.ones((3000, 1)))
    with pytest.raises(ReadError, match="unpacks to more than 100000 bytes"):
        read(content, max_bytes=100_000)
    with pytest.raises(ReadError, match="cut short"):
        read(content[:-40])
    with pytest.raises(ReadError):
        read(content[:130])


def test_matlab_indices_that_point_outside_are_refused():
    stream = io.BytesIO()
    scipy.io.savemat(stream, {"X": sparse.csc_array(np.eye(4)), "Y": Y})
    content = stream.getvalue()
    rows = struct.pack("<4i", 0, 1, 2, 3)
    assert rows in content
    bad = content.replace(rows, struct.pack("<4i", 0, 1, 2, 10**9))
    with pytest.raises(ReadError, match="damaged"):
        read(bad)


def hdf5(**arrays):
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        for name, array in arrays.items():
            file.create_dataset(name, data=array, compression="gzip")
    return stream.getvalue()


def test_version_7_3_is_turned_and_bounded(tmp_path):
    content = hdf5(X=X.T, Y=CODES.T)
    data = read(content)
    assert data.X.tolist() == X.tolist()
    assert data.label_names == ("2", "7")
    path = tmp_path / "a.mat.gz"
    path.write_bytes(gzip.compress(content))
    assert load_dataset(path).X.tolist() == X.tolist()
    with pytest.raises(ReadError, match="more than the limit"):
        read(hdf5(X=np.zeros((300, 3000)), Y=np.ones((1, 3000))), max_bytes=100_000)
    with pytest.raises(ReadError, match="not a whole MATLAB 7"):
        read(content[: len(content) // 2])


def test_version_7_3_sparse_and_links(tmp_path):
    secret = tmp_path / "secret.h5"
    with h5py.File(secret, "w") as file:
        file["X"] = X.T
    stream = io.BytesIO()
    matrix = sparse.csc_array(X.astype(float))
    with h5py.File(stream, "w") as file:
        file["X"] = h5py.ExternalLink(str(secret), "X")
        group = file.create_group("fea")
        group.attrs["MATLAB_sparse"] = np.uint64(4)
        group["data"], group["ir"], group["jc"] = (
            matrix.data, matrix.indices, matrix.indptr,
        )  # fmt: skip
        file["Y"] = Y.T
    data = read(stream.getvalue())
    assert sparse.issparse(data.X)  # from fea: the link out of the file is not followed
    assert data.X.toarray().tolist() == X.tolist()


def test_missing_extras_are_named(monkeypatch):
    import builtins

    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name in ("h5py", "rdata", "pyarrow"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    for content, extra in [
        (b"\x89HDF\r\n\x1a\n", "matlab73"),
        (b"RDX3\nX\n", "rdata"),
        (b"PAR1", "parquet"),
    ]:
        with pytest.raises(ReadError, match=rf'pip install "labelsift\[{extra}\]"'):
            read(content)


@pytest.mark.parametrize(
    ("name", "shape", "sizes"),
    [
        ("nci9.mat", (60, 9712), (9, 9, 8, 5, 7, 6, 8, 6, 2)),
        ("colon.mat", (62, 2000), (40, 22)),
        ("SRBCT.mat", (83, 2308), (29, 11, 18, 25)),
        ("Leukemia1.mat", (72, 5327), (38, 9, 25)),
        ("MLL.mat", (71, 12582), (28, 23, 20)),
        ("Yale.mat", (165, 1024), (11,) * 15),
    ],
)
def test_real_matlab_files(name, shape, sizes):
    data = load_dataset(data_file(name))
    assert data.X.shape == shape
    assert tuple(data.Y.sum(axis=0)) == sizes


# ---- numpy -----------------------------------------------------------------------


def test_npz_of_others():
    names = np.array(["a", "b", "c"])
    data = read(npz(X=X, Y=Y, feature_names=names, label_names=np.array(["k", "l"])))
    assert data.feature_names == ("a", "b", "c")
    assert data.label_names == ("k", "l")
    assert data.X.tolist() == X.tolist()
    data = read(npz(data=X.astype(np.int8), target=np.array([0, 1, 1, 5])))
    assert data.label_names == ("0", "1", "5")
    matrix = sparse.csr_array(X)
    parts = {
        f"X_{k}": getattr(matrix, k) for k in ("data", "indices", "indptr", "shape")
    }
    assert read(npz(y=Y, **parts)).X.toarray().tolist() == X.tolist()


def test_npz_never_unpickles(tmp_path):
    class Trap:
        def __reduce__(self):
            return open, (str(tmp_path / "sprung"), "w")

    content = npz(X=np.array([Trap()], dtype=object), Y=Y)
    with pytest.raises(ReadError, match="pickle"):
        read(content)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("arrays", "match"),
    [
        ({"X": X}, "no array named Y"),
        ({"Y": Y}, r"no array named X.*it holds Y"),
        ({"X": X[0], "Y": Y}, "X must have two dimensions"),
        ({"X": X.astype(str), "Y": Y}, "real numbers"),
        ({"X": X, "Y": Y[:3]}, "X has 4 rows but Y has 3"),
        ({"X": X[:0], "Y": Y[:0]}, "0 rows"),
        (
            {"X": X, "Y": Y, "feature_names": np.array(["a", "a", "b"])},
            "more than once",
        ),
        ({"X": X, "Y": Y, "feature_names": np.array(["a"])}, "1 feature name for 3"),
    ],
)
def test_npz_faults(arrays, match):
    with pytest.raises(ReadError, match=match):
        read(npz(**arrays))


def test_npz_sparse_indices_are_checked():
    parts = {
        "X_data": np.ones(2), "X_indices": np.array([0, 10**6]),
        "X_indptr": np.array([0, 1, 2]), "X_shape": np.array([2, 3]),
    }  # fmt: skip
    with pytest.raises(ReadError, match="sparse matrix is damaged"):
        read(npz(Y=Y[:2], **parts))


def test_npz_bombs_and_lying_headers():
    content = npz(X=np.zeros((5000, 100)), Y=np.zeros((5000, 2)))
    with pytest.raises(ReadError, match=r"more than the limit of 1000.*max_bytes="):
        read(content, max_bytes=1000)
    stream = io.BytesIO()
    header = (
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000, 100000), }"
    )
    member = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) + 1) + header + b"\n"
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("X.npy", member)
        archive.writestr("Y.npy", member)
    with pytest.raises(ReadError, match=r"shape .* does not fit 0 bytes"):
        read(stream.getvalue())


def test_npz_cut_short_and_empty():
    content = npz(X=X, Y=Y)
    with pytest.raises(ReadError, match=r"not a whole \.npz"):
        read(content[:-30])
    stream = io.BytesIO()
    zipfile.ZipFile(stream, "w").close()
    with pytest.raises(ReadError, match="no numpy arrays"):
        read(stream.getvalue())


# ---- R ---------------------------------------------------------------------------


def test_r_lists_and_mldr_objects():
    khan = load_dataset(data_file("khan.RData"))
    assert khan.X.shape == (63, 2308)
    assert dict(zip(khan.label_names, khan.Y.sum(axis=0).tolist(), strict=True)) == {
        "EWS": 23, "RMS": 20, "NB": 12, "BL": 8,
    }  # fmt: skip
    news = load_dataset(data_file("ng20.rda")).describe()
    assert (news.n_samples, news.n_features, news.n_labels) == (19300, 1006, 20)
    assert news.cardinality == pytest.approx(1.0289, abs=5e-5)
    assert news.n_distinct_label_sets == 55


def test_damaged_r_files(tmp_path):
    content = data_file("khan.RData").read_bytes()
    path = tmp_path / "khan.RData"
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ReadError, match=r"cut short|damaged"):
        load_dataset(path)
    for bad in (b"RDX3\nX\n\x00\x00", b"RDX2\nX\n" + b"\xff" * 40):
        with pytest.raises(ReadError, match="not a whole R file"):
            read(bad)


# ---- any damage ------------------------------------------------------------------

SEEDS = {
    "npz": npz(X=X, Y=Y),
    "stored": None,
    "mat": mat(X=X, Y=CODES),
    "sparse mat": mat(X=sparse.csc_array(X.astype(float)), Y=Y),
    "parquet": None,
}


def seed(kind):
    if kind == "stored":
        stream = io.BytesIO()
        np.savez(stream, X=X, Y=Y, X_names=np.array(["a"]))
        return stream.getvalue()
    if kind == "parquet":
        import pandas as pd

        stream = io.BytesIO()
        frame = pd.DataFrame({"a": [1.0, 2.0], "t": ["u", "v"], "y": [0, 1]})
        frame.to_parquet(stream)
        return stream.getvalue()
    return SEEDS[kind]


@pytest.mark.parametrize("kind", SEEDS)
@given(data=st.data())
def test_mutated_bytes_read_or_raise_read_error(kind, data):
    content = bytearray(seed(kind))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, 20))
    labels = ["y"] if kind == "parquet" else None
    form = {"stored": "npz", "sparse mat": "mat"}.get(kind, kind)
    try:
        found = read(bytes(content[: len(content) - cut]), format=form, labels=labels)
    except ReadError:
        return
    assert found.X.shape[0] == found.Y.shape[0]


@given(data=st.data())
def test_mutated_matlab_variables_read_or_raise_read_error(data):
    """Damage inside the compressed element, so that its checksum does not catch it."""
    content = mat(X=sparse.csc_array(X.astype(float)), Y=Y)
    size = struct.unpack_from("<I", content, 132)[0]
    inner = bytearray(zlib.decompress(content[136 : 136 + size]))
    for _ in range(data.draw(st.integers(1, 4))):
        inner[data.draw(st.integers(0, len(inner) - 1))] = data.draw(
            st.integers(0, 255)
        )
    packed = zlib.compress(bytes(inner))
    bad = content[:128] + struct.pack("<II", 15, len(packed)) + packed
    bad += content[136 + size :]
    try:
        read(bad)
    except ReadError:
        return
