"""ARFF: speed against liac-arff on dense and sparse files, and peak memory.

    python benchmarks/bench_read_arff.py [--small]

The sparse file has the shape of the full tmc2007 (28 596 rows, 49 000 features,
3.5 million entries, 28 MB), the dense one 30 MB of six decimals.
"""

import io
import sys
import tempfile
import time
from pathlib import Path

import arff
import numpy as np
from measure import peak_megabytes, report, seconds

from labelsift.read.arff import read_arff


def dense_text(n, d, q, form):
    rng = np.random.default_rng(0)
    head = [f"@relation 'dense: -C -{q}'"]
    head += [f"@attribute f{j} numeric" for j in range(d)]
    head += [f"@attribute l{j} {{0,1}}" for j in range(q)]
    X, Y = rng.normal(0, 1, (n, d)), rng.integers(0, 2, (n, q))
    rows = (
        ",".join([form(v) for v in x.tolist()] + [str(v) for v in y])
        for x, y in zip(X, Y, strict=True)
    )
    return "\n".join([*head, "@data", *rows, ""])


def sparse_text(n, d, q, per_row):
    rng = np.random.default_rng(0)
    head = [f"@relation 'sparse: -C -{q}'"]
    head += [f"@attribute f{j} {{0,1}}" for j in range(d)]
    head += [f"@attribute l{j} {{0,1}}" for j in range(q)]
    rows = []
    for _ in range(n):
        columns = np.unique((d * rng.random(per_row) ** 2).astype(int))
        labels = d + np.flatnonzero(rng.random(q) < 0.1)
        cells = np.concatenate([columns, labels]).tolist()
        rows.append("{" + ",".join(f"{j} 1" for j in cells) + "}")
    return "\n".join([*head, "@data", *rows, ""])


def array_megabytes(data):
    size = 0
    for matrix in (data.X, data.Y):
        if hasattr(matrix, "indptr"):
            size += matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes
        else:
            size += matrix.nbytes
    return size / 1e6


def measure(name, text, kind, target):
    content = text.encode()
    ours, data = seconds(lambda: read_arff(io.BytesIO(content), path=name), repeats=3)
    start = time.perf_counter()
    arff.loads(text, return_type=kind)
    theirs = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.arff"
        path.write_bytes(content)
        memory = peak_megabytes(
            "import io\nfrom labelsift.read.arff import read_arff\n"
            f"path = {str(path)!r}\n"
            "warm = b\"@relation 'w: -C -1'\\n@attribute a {0,1}\\n"
            '@attribute b {0,1}\\n@data\\n{0 1}\\n0,1\\n"\n'
            "read_arff(io.BytesIO(warm), path='warm')\n"
            "BASELINE\nwith open(path, 'rb') as stream:\n"
            "    read_arff(stream, path=path)\n"
        )
    size = array_megabytes(data)
    report(
        f"{name}, {len(content) / 1e6:.0f} MB of text, X {data.X.shape}",
        ours,
        theirs,
        peer="liac-arff",
        target=target,
    )
    print(
        f"  {len(content) / 1e6 / ours:.0f} MB/s; peak memory {memory:.0f} MB for "
        f"arrays of {size:.0f} MB: {memory / size:.2f} times; target below 3",
        flush=True,
    )


if __name__ == "__main__":
    part = 10 if "--small" in sys.argv else 1
    measure(
        "sparse",
        sparse_text(28596 // part, 49000 // part, 22, 125),
        arff.LOD,
        "5x",
    )
    measure(
        "dense, six decimals",
        dense_text(11000 // part, 300, 6, "{:.6f}".format),
        arff.DENSE,
        "1.5x",
    )
    measure(
        "dense, 17 digits", dense_text(5000 // part, 300, 6, repr), arff.DENSE, "1.5x"
    )
