"""Tables at the edge of what a table is, for every method of the registry."""

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse


def plain(n=24, d=4, q=3, seed=0):
    """Return a table on which every method works."""
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, q)) < 0.4).astype(np.uint8)
    Y[:q] = np.eye(q, dtype=np.uint8)
    X = rng.normal(size=(n, d)).round(2)
    X[:, :q] += 2 * Y
    return X, Y


def tables():
    """Return ``{name: (X, Y)}``; each is to be used, or refused in one message."""
    X, Y = plain()
    n, d = X.shape
    big = 2.0**53 + np.arange(n)[:, None] * np.ones(d)
    whole = 2**53 + np.arange(n)[:, None] * np.ones(d, dtype=np.int64)
    frame = pd.DataFrame(X, columns=list("abcd"))
    words = np.array(["low", "high", "low"] * 8)
    twice = X.copy()
    twice[1::2] = twice[::2]
    half = X.copy()
    half[::2] = np.nan
    one_value = X.copy()
    one_value[:, 1] = np.nan
    one_value[5, 1] = 3.0
    strided, mirrored = np.repeat(X, 3, 0)[::3, ::-1], X[::-1]
    read_only = X.copy()
    read_only.setflags(write=False)
    swapped = X.astype(X.dtype.newbyteorder())
    rank3 = X[:, :, None]
    with_inf = X.copy()
    with_inf[3, 1] = np.inf
    found = {
        "no rows": (X[:0], Y[:0]),
        "one row": (X[:1], Y[:1]),
        "two rows": (X[:2], Y[:2]),
        "three rows": (X[:3], Y[:3]),
        "no features": (X[:, :0], Y),
        "one feature": (X[:, :1], Y),
        "all constant": (np.full_like(X, 7.0), Y),
        "all zero": (np.zeros_like(X), Y),
        "all missing": (np.full_like(X, np.nan), Y),
        "half missing": (half, Y),
        "one known value": (one_value, Y),
        "equal rows": (np.repeat(X[:2], 12, 0), np.repeat(Y[:2], 12, 0)),
        "equal rows, other labels": (twice, Y),
        "equal columns": (np.repeat(X[:, :1], 4, 1), Y),
        "huge": (X * 1e300, Y),
        "largest": (np.sign(X) * np.finfo(float).max, Y),
        "denormal": (X * 5e-324 * 8, Y),
        "tiny": (X * 1e-300, Y),
        "all scales": (X * 10.0 ** np.array([300, 0, -300, 8]), Y),
        "huge offset": (X + 1e16, Y),
        "infinite": (with_inf, Y),
        "all infinite": (np.full_like(X, np.inf), Y),
        "negative zero": (np.where(X > 0, 0.0, -0.0), Y),
        "floats beyond 2**53": (big, Y),
        "beyond 2**53": (whole, Y),
        "frame beyond 2**53": (frame.assign(b=whole[:, 1]), Y),
        "pandas' Int64 beyond 2**53": (
            frame.assign(b=pd.array([None, 2**53 + 1] * 12, "Int64")),
            Y,
        ),
        "sparse beyond 2**53": (sparse.csr_array(whole), Y),
        "objects beyond 2**53": (whole.astype(object), Y),
        "lists beyond 2**53": ([[0.5, 2**53 + 1, 3, 4]] * n, Y),
        "unsigned beyond 2**63": (whole.astype(np.uint64) + np.uint64(2**63), Y),
        "bool": (X > 0, Y),
        "int8": (np.clip(X * 9, -120, 120).astype(np.int8), Y),
        "float16": (X.astype(np.float16), Y),
        "longdouble": (X.astype(np.longdouble), Y),
        "complex": (X * 1j, Y),
        "object numbers": (X.astype(object), Y),
        "object integers": (np.array([[2**70] * d] * n, dtype=object), Y),
        "object mixed": (np.array([[1, "a", None, 2.0]] * n, dtype=object), Y),
        "texts": (np.array([["a", "b", "c", "d"]] * n), Y),
        "texts of numbers": (X.astype(str), Y),
        "bytes": (X.astype("S"), Y),
        "dates": (X.astype("M8[s]"), Y),
        "structured": (np.zeros(n, dtype=[("a", "f8"), ("b", "f8")]), Y),
        "masked": (np.ma.masked_array(X, X > 2), Y),
        "matrix": (X.view(np.matrix), Y),
        "one dimension": (X[:, 0], Y),
        "three dimensions": (rank3, Y),
        "scalar": (np.float64(3.0), Y),
        "none": (None, Y),
        "word": ("iris.csv", Y),
        "ragged": ([[1.0, 2.0], [3.0]] * 12, Y),
        "lists": (X.tolist(), Y.tolist()),
        "fortran": (np.asfortranarray(X), np.asfortranarray(Y)),
        "strided": (strided, Y),
        "mirrored": (mirrored, Y[::-1]),
        "read only": (read_only, Y),
        "foreign byte order": (swapped, Y),
        "frame of categories": (frame.assign(b=pd.Categorical(words)), Y),
        "frame of number categories": (
            frame.assign(b=pd.Categorical(np.arange(n) % 3)),
            Y,
        ),
        "polars categories": (
            pl.DataFrame(X, schema=list("abcd")).with_columns(
                pl.Series("b", words, dtype=pl.Categorical)
            ),
            Y,
        ),
        "polars nested": (pl.DataFrame({"a": [[1.0, 2.0]] * n, "b": X[:, 0]}), Y),
        "polars nothing": (pl.DataFrame({"a": [None] * n, "b": X[:, 0]}), Y),
        "frame of pandas' NA": (frame.assign(a=pd.array([None, 1] * 12, "Int64")), Y),
        "frame of bool": (frame > 0, Y),
        "frame without columns": (frame[[]], Y),
        "frame with an index": (frame.set_index(np.arange(n)[::-1] * 7), Y),
        "frame of numbered columns": (pd.DataFrame(X, columns=[3, 1, 2, 0]), Y),
        "frame of mixed names": (pd.DataFrame(X, columns=["a", 1, 2, "b"]), Y),
        "columns of one name": (pd.DataFrame(X, columns=list("aabc")), Y),
        "labels of one name": (X, pd.DataFrame(Y, columns=list("uuv"))),
        "no label": (X, np.zeros_like(Y)),
        "every label": (X, np.ones_like(Y)),
        "no label column": (X, Y[:, :0]),
        "one label": (X, Y[:, :1]),
        "one label, never": (X, np.zeros((n, 1), np.uint8)),
        "one label, always": (X, np.ones((n, 1), np.uint8)),
        "one positive": (X, (np.arange(n)[:, None] == [0, 1, 2]).astype(int)),
        "one class": (X, np.zeros(n, dtype=int)),
        "class vector": (X, Y[:, 0] + Y[:, 1]),
        "each row a class": (X, np.arange(n)),
        "classes of text": (X, words),
        "classes of bytes": (X, words.astype("S")),
        "classes of bool": (X, Y[:, 0].astype(bool)),
        "classes of pandas": (X, pd.Series(words, dtype="category")),
        "classes with None": (X, np.array([None, "a"] * 12, dtype=object)),
        "classes mixed": (X, np.array([1, "a"] * 12, dtype=object)),
        "column of classes": (X, (Y[:, 0] + Y[:, 1])[:, None]),
        "matrix of text": (X, np.repeat(words[:, None], 3, 1)),
        "labels of 0 and 2": (X, 2 * Y),
        "labels of -1 and 1": (X, 2 * Y.astype(int) - 1),
        "labels of floats": (X, Y.astype(float)),
        "labels of halves": (X, Y / 2),
        "labels missing": (X, np.where(Y, np.nan, 0)),
        "labels infinite": (X, np.where(Y, np.inf, 0)),
        "labels complex": (X, Y * 1j),
        "labels of dates": (X, Y.astype("M8[D]")),
        "labels of bool": (X, Y.astype(bool)),
        "labels of objects": (X, Y.astype(object)),
        "labels in three dimensions": (X, Y[:, :, None]),
        "labels none": (X, None),
        "labels a word": (X, "y"),
        "labels a number": (X, 3),
        "labels sets": (X, [{"a"}, {"b", "c"}] * 12),
        "labels too few": (X, Y[:-1]),
        "labels of polars with null": (X, pl.DataFrame({"u": [0, None] * 12})),
        "more features than rows": (np.tile(X[:6], (1, 5)), Y[:6]),
        "more labels than rows": (X[:6], np.eye(6, 9, dtype=np.uint8)),
    }
    return found | sparse_tables(X, Y)


def sparse_tables(X, Y):
    """Return tables in sparse form, some with entries out of order or repeated."""
    n, d = X.shape
    Z = np.where(np.abs(X) < 1, 0, X)
    zeros = sparse.csr_array(Z)
    zeros.data[::3] = 0.0
    missing = sparse.csr_array(Z)
    missing.data[2] = np.nan
    infinite = sparse.csr_array(Z)
    infinite.data[2] = -np.inf
    unsorted = sparse.csr_array(
        (
            np.tile([1.0, 2.0, 3.0], n),
            np.tile([3, 0, 1], n),
            np.arange(0, 3 * n + 1, 3),
        ),
        shape=(n, d),
    )
    repeated = sparse.csr_array(
        (np.ones(3 * n), np.tile([2, 0, 2], n), np.arange(0, 3 * n + 1, 3)),
        shape=(n, d),
    )
    cancelled = sparse.csr_array(
        (
            np.tile([1.0, 5.0, -1.0], n),
            np.tile([2, 0, 2], n),
            np.arange(0, 3 * n + 1, 3),
        ),
        shape=(n, d),
    )
    double_labels = sparse.csr_array(
        (np.ones(2 * n), np.tile([1, 1], n), np.arange(0, 2 * n + 1, 2)), shape=(n, 3)
    )
    stored = sparse.csr_array(np.ones((n, 3)))
    stored.data[:] = Y.ravel()
    return {
        "sparse": (sparse.csr_array(Z), Y),
        "sparse without entries": (sparse.csr_array((n, d)), Y),
        "sparse without rows": (sparse.csr_array((0, d)), Y[:0]),
        "sparse without columns": (sparse.csr_array((n, 0)), Y),
        "sparse with stored zeros": (zeros, Y),
        "sparse out of order": (unsorted, Y),
        "sparse with repeated entries": (repeated, Y),
        "sparse with entries that cancel": (cancelled, Y),
        "sparse with a gap": (missing, Y),
        "sparse with infinity": (infinite, Y),
        "sparse huge": (sparse.csr_array(Z * 1e300), Y),
        "sparse of bool": (sparse.csr_array(Z > 0), Y),
        "sparse of integers": (sparse.csr_array(Z.astype(int)), Y),
        "sparse coo": (sparse.coo_matrix(Z), Y),
        "sparse lil": (sparse.lil_matrix(Z), Y),
        "sparse dok": (sparse.dok_array(Z), Y),
        "sparse dia": (sparse.dia_array(Z), Y),
        "sparse bsr": (sparse.bsr_array(Z), Y),
        "sparse labels": (Z, sparse.csr_array(Y)),
        "sparse labels of coo": (Z, sparse.coo_array(Y)),
        "sparse labels, none": (Z, sparse.csr_array(Y.shape)),
        "sparse labels stored as zero": (Z, stored),
        "sparse labels twice": (Z, double_labels),
        "sparse labels missing": (Z, sparse.csr_array(np.where(Y, np.nan, 0))),
    }


ROUNDED = (
    "beyond 2**53", "frame beyond 2**53", "pandas' Int64 beyond 2**53",
    "sparse beyond 2**53", "objects beyond 2**53", "lists beyond 2**53",
    "unsigned beyond 2**63",
)  # fmt: skip
"""Tables of integers that are no float64: refused, since they would be others."""

SAME_AS_PLAIN = (
    "object numbers", "texts of numbers", "longdouble", "lists", "fortran", "read only",
    "foreign byte order", "frame with an index", "frame of numbered columns",
    "labels of floats", "labels of bool", "labels of objects",
)  # fmt: skip
"""Tables that hold what ``plain`` holds: where one is used, the answer is the same."""
