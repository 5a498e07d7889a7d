"""Chi-square over all labels: against scikit-learn's loop and a plain sparse product.

    python benchmarks/bench_chi2.py          # known sets, a wide and an extreme one
    python benchmarks/bench_chi2.py --quick  # of the extreme one every tenth column

Files are looked for in the folder that LABELSIFT_SHARED names, or beside the
repository; sets that are not there are left out.
"""

import os
import sys
import tempfile
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
from measure import peak_megabytes, report, seconds
from scipy import sparse
from sklearn.feature_selection import chi2 as sklearn_chi2

from labelsift.read import load_dataset
from labelsift.select import Chi2

HERE = Path(__file__).resolve()
SHARED = Path(os.environ.get("LABELSIFT_SHARED", HERE.parents[2] / "shared"))
SETS = ("emotions", "yeast", "medical", "enron", "bibtex", "tmc2007-500")
EXTREME = 490_449, 135_909, 670_091


def sklearn_loop(X, Y):
    """What a user of scikit-learn writes: chi2 for each label, then the mean."""
    return np.mean([sklearn_chi2(X, y)[0] for y in Y.T], axis=0)


def known_sets():
    for name in SETS:
        path = SHARED / "data" / f"{name}.arff.gz"
        if not path.is_file():
            print(f"{name}: {path} is not there, left out")
            continue
        data = load_dataset(path)
        X, Y = data.X, data.Y.toarray() if sparse.issparse(data.Y) else data.Y
        if sparse.issparse(X):
            ours, theirs = X, X
        else:
            ours, theirs = X, X - X.min(axis=0)
        n, d = X.shape
        for discretize in ("presence", "equal_width"):
            t, _ = seconds(partial(Chi2(discretize=discretize).fit, ours, Y))
            t_sklearn, _ = seconds(partial(sklearn_loop, theirs, Y), repeats=3)
            report(
                f"{name} {n} x {d}, {Y.shape[1]} labels, {discretize}",
                t,
                t_sklearn,
                peer="sklearn loop",
            )


WIDE = """
import numpy as np
from scipy import sparse
def wide(n=28_596, d=49_060, q=22, entries=2_800_000, seed=0):
    rng = np.random.default_rng(seed)
    columns = (d * rng.random(entries) ** 3).astype(np.int64)
    key = np.unique(rng.integers(0, n, entries) * d + columns)
    X = sparse.csr_array(
        (np.ones(len(key)), (key // d, key % d)), shape=(n, d)
    )
    Y = (rng.random((n, q)) < rng.uniform(0.01, 0.3, q)).astype(np.uint8)
    return X, Y
"""

EXTREME_DATA = """
import numpy as np
from scipy import sparse
def pairs(rng, n, columns, total, power):
    at = (columns * rng.random(total) ** power).astype(np.int64)
    return rng.integers(0, n, total), np.minimum(at, columns - 1)
def extreme(n, d, q, share=1.0, seed=0):
    # as many rows, features, labels and meetings as the largest public set of titles;
    # `share` thins the features, keeping how often each occurs
    rng = np.random.default_rng(seed)
    rows, columns = pairs(rng, n, d, int(62 * n), 3.0)
    keep = columns % max(1, round(1 / share)) == 0
    key = np.unique(columns[keep] * n + rows[keep])
    del rows, columns, keep
    counts = np.bincount(key // n, minlength=d)
    key %= n
    used = np.arange(0, d, max(1, round(1 / share)))
    indptr = np.concatenate([[0], np.cumsum(counts[used])]).astype(np.int32)
    X = sparse.csc_array(
        (np.ones(len(key), np.float32), key.astype(np.int32), indptr),
        shape=(n, len(used)),
    )
    rows, columns = pairs(rng, n, q, int(5.45 * n), 1.5)
    key = np.unique(rows * q + columns)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(key // q, minlength=n))])
    Y = sparse.csr_array(
        (np.ones(len(key), np.uint8), (key % q).astype(np.int32),
         indptr.astype(np.int32)), shape=(n, q),
    )
    return X, Y
"""

LOAD = """
import sys
import numpy as np
from scipy import sparse
def load(name):
    part = lambda what: np.load(f"{folder}/{name}_{what}.npy")
    kind = {"csr": sparse.csr_array, "csc": sparse.csc_array}[str(part("format"))]
    arrays = part("data"), part("indices"), part("indptr")
    matrix = kind(arrays, shape=tuple(part("shape")))
    matrix.has_canonical_format = True
    return matrix
from labelsift.select import Chi2
X, Y = load("X"), load("Y")
small = np.eye(6, dtype=X.dtype)
few = sparse.csr_array(np.tile(np.eye(6, dtype=np.uint8), 99))  # cells > meetings
Chi2(discretize=how).fit(type(X)(small), few)
Chi2(discretize=how).fit(type(X)(small), few[:, :2])
BASELINE
Chi2(discretize=how).fit(X, Y)
"""


def fit_memory(X, Y, discretize):
    """Growth of peak memory while fitting, in a process that has only read the data."""
    with tempfile.TemporaryDirectory() as folder:
        for name, matrix in (("X", X), ("Y", sparse.csr_array(Y))):
            for what in ("data", "indices", "indptr", "shape", "format"):
                np.save(f"{folder}/{name}_{what}.npy", getattr(matrix, what))
        return peak_megabytes(f"folder, how = {folder!r}, {discretize!r}\n{LOAD}")


def plain_product(X, Y):
    """Mean over labels by the closed form, put right on the table of meetings."""
    n, q = Y.shape
    m = np.diff(X.indptr).astype(float)
    p = np.bincount(Y.indices, minlength=q).astype(float)
    met = sparse.csr_array(X.astype(np.int32).T @ Y.astype(np.int32))
    odds = p / (n - p)
    of = np.repeat(np.arange(X.shape[1]), np.diff(met.indptr))
    usable = m * (n - m) > 0
    scale = np.divide(n, m * (n - m), out=np.zeros_like(m), where=usable)
    gap = met.data * float(n) - m[of] * p[met.indices]
    value = gap * gap * scale[of] / (p * (n - p))[met.indices]
    closed = (n * m / np.where(m < n, n - m, 1))[of] * odds[met.indices]
    total = n * m / np.where(m < n, n - m, 1) * odds.sum()
    return (total + np.bincount(of, value - closed, minlength=len(m))) / q


def wide_set():
    space = {}
    exec(WIDE, space)
    X, Y = space["wide"]()
    for discretize in ("presence", "equal_width"):
        t, _ = seconds(partial(Chi2(discretize=discretize).fit, X, Y), repeats=3)
        t_sklearn, _ = seconds(partial(sklearn_loop, X, Y), repeats=1)
        report(
            f"wide {X.shape[0]} x {X.shape[1]}, {X.nnz} entries, {discretize}",
            t,
            t_sklearn,
            peer="sklearn loop",
            memory=fit_memory(X, Y, discretize),
        )


def extreme_set(share):
    space = {}
    exec(EXTREME_DATA, space)
    n, d, q = EXTREME
    small = space["extreme"](n, d, q, 0.05)
    Chi2(discretize="presence").fit(small[0][:500, :40], small[1][:500])
    t, fitted = seconds(partial(Chi2(discretize="presence").fit, *small), repeats=3)
    t_plain, expected = seconds(partial(plain_product, *small), repeats=1, warmup=0)
    np.testing.assert_allclose(fitted.scores_, expected, rtol=1e-8)
    report(
        f"extreme, a twentieth of its features ({small[0].nnz} entries)",
        t,
        t_plain,
        peer="one scipy product",
    )
    X, Y = space["extreme"](n, d, q, share)
    meetings = int(np.diff(Y.indptr).astype(np.int64)[X.indices].sum())
    start, used = time.perf_counter(), time.process_time()
    Chi2(discretize="presence").fit(X, Y)
    used = time.process_time() - used
    report(
        f"extreme {n} x {X.shape[1]}, {q} labels, {meetings / 1e6:.0f} M meetings "
        f"({used:.1f} s of processor time)",
        time.perf_counter() - start,
        memory=fit_memory(X, Y, "presence"),
        target="2 s and 120 MB on two idle cores, whole",
    )


def main():
    warnings.simplefilter("ignore")
    known_sets()
    wide_set()
    extreme_set(0.1 if "--quick" in sys.argv[1:] else 1.0)


if __name__ == "__main__":
    main()
