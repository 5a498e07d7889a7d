"""CSV against pandas, svmlight text against scikit-learn, and describe()."""

import io
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from measure import peak_megabytes, report, seconds
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from labelsift import Dataset, load_dataset


def dense_table(n, d, q):
    rng = np.random.default_rng(0)
    Y = (rng.random((n, q)) < 0.2).astype(np.uint8)
    names = [f"f{j}" for j in range(d)], [f"l{k}" for k in range(q)]
    return Dataset(rng.normal(size=(n, d)).round(6), Y, *names)


def sparse_table(n, d, q, row):
    rng = np.random.default_rng(1)
    columns = np.sort(rng.integers(0, d, (n, row)), axis=1).ravel()
    X = sparse.csr_array((np.ones(n * row), columns, np.arange(n + 1) * row), (n, d))
    Y = sparse.csr_array((rng.random((n, q)) < 3 / q).astype(np.uint8))
    names = [f"f{j}" for j in range(d)], [f"l{k}" for k in range(q)]
    return Dataset(X, Y, *names)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        made = dense_table(40_000, 160, 10)
        made.save(path)
        labels = list(made.label_names)
        ours, data = seconds(lambda: load_dataset(path, labels=labels), repeats=3)
        theirs, frame = seconds(lambda: pd.read_csv(path), repeats=3)
        assert (frame.to_numpy()[:, :160] == data.X).all()
        code = f"""
from labelsift import load_dataset
from labelsift.read.plain_rows import plain_rows
plain_rows(b"1,0\\n", ",", [False, False], None)
BASELINE
d = load_dataset({str(path)!r}, labels={labels!r})
"""
        arrays = data.X.nbytes + data.Y.nbytes
        memory = peak_megabytes(code)
        size = path.stat().st_size / 1e6
        report(f"CSV, {size:.0f} MB", ours, theirs, peer="pandas", memory=memory)
        print(f"  peak memory is {memory * 2**20 / arrays:.2f} times the arrays")

        path = Path(folder) / "a.svm"
        thin = sparse_table(20_000, 40_000, 50, 120)
        thin.save(path)
        plain = path.read_bytes().partition(b"\n")[2]
        ours, data = seconds(
            lambda: load_dataset(io.BytesIO(plain), format="svmlight"), repeats=3
        )
        theirs, peer = seconds(
            lambda: load_svmlight_file(io.BytesIO(plain), multilabel=True), repeats=3
        )
        assert (peer[0].shape[0], peer[0].nnz) == (data.n_samples, data.X.nnz)
        name = f"svmlight, {len(plain) / 1e6:.0f} MB"
        report(name, ours, theirs, peer="scikit-learn")
        for name, table in (("dense", made), ("sparse", thin)):
            ours, _ = seconds(table.describe, repeats=3)
            report(f"describe {name} {table.X.shape}", ours)


if __name__ == "__main__":
    main()
