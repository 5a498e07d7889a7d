"""Rows beyond memory under a limit of the operating system, and three engines.

    python benchmarks/bench_beyond_memory.py          # small: some hundred MB on disk
    python benchmarks/bench_beyond_memory.py --full   # ten times the rows; 5 GB Parquet

A child process may take 2 GB of memory of its own (RLIMIT_DATA: mapped files do not
count, copies of them do).
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from extreme_data import SIZES, extreme

from labelsift.read import read_blocks
from labelsift.select import Chi2

LIMIT = 2**31

CHILD = """
import json, resource, sys, time
import numpy as np
from scipy import sparse
from labelsift.read import read_blocks
from labelsift.select import Chi2
folder, method, limit, memory = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
if method == "parquet":
    blocks, selector = read_blocks(folder, labels=8), Chi2()
else:
    def load(name):
        parts = [np.load(f"{folder}/{name}_{p}.npy", mmap_mode="r")
                 for p in ("data", "indices", "indptr")]
        shape = np.load(f"{folder}/{name}_shape.npy")
        return sparse.csr_array(tuple(parts), shape=shape)
    blocks = read_blocks((load("X"), load("Y")))
    selector = Chi2(discretize="presence")
wall, used = time.perf_counter(), time.process_time()
selector.fit_blocks(blocks, max_memory=memory)
result = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - used}
text = open("/proc/self/status").read()
for key in ("VmHWM", "RssAnon"):
    result[key] = int(text.split(key + ":")[1].split()[0]) / 1024
np.save(f"{folder}/../scores.npy", selector.scores_)
print(json.dumps(result))
"""


def child(folder, method, memory=2**28):
    words = [sys.executable, "-c", CHILD, str(folder), method, str(LIMIT), str(memory)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(done.stdout), np.load(folder.parent / "scores.npy")


def streamed_rows(full):
    """Time against rows: one, two, four (and ten) times the rows."""
    _, d, q = SIZES
    n = SIZES[0] if full else 20_000
    times = []
    for times_rows in (1, 2, 4, 10) if full else (1, 2, 4):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "data"
            folder.mkdir()
            X, Y = extreme(n * times_rows, d, q)
            for name, matrix in (("X", X), ("Y", Y)):
                for part in ("data", "indices", "indptr", "shape"):
                    np.save(folder / f"{name}_{part}.npy", getattr(matrix, part))
            size = sum(file.stat().st_size for file in folder.iterdir())
            if times_rows == 1:
                expected = Chi2(discretize="presence").fit(X, Y).scores_
            del X, Y
            found, scores = child(folder, "csr", 2**26)
            if times_rows == 1:
                np.testing.assert_array_equal(scores, expected)
            times.append((n * times_rows, found["cpu"]))
            print(
                f"streamed {n * times_rows} rows ({size / 1e9:.2f} GB on disk) under a "
                f"limit of 2 GB: {found['wall']:.1f} s, {found['cpu']:.1f} s of "
                f"processor, peak {found['VmHWM']:.0f} MB with mapped pages",
                flush=True,
            )
    rows, seconds = np.log(np.array(times)).T
    print(f"growth exponent of time in rows: {np.polyfit(rows, seconds, 1)[0]:.2f}")
    print("scores of the first equal those of fit in memory, bit by bit")


def parquet_folder(folder, files, rows, d=60, q=8):
    import pyarrow as pa
    from pyarrow import parquet

    folder.mkdir()
    rng = np.random.default_rng(4)
    for k in range(files):
        X = rng.normal(size=(rows, d))
        Y = (X[:, :q] + rng.normal(size=(rows, q)) > 1).astype(np.int8)
        columns = [*X.T, *Y.T]
        names = [*(f"x{j}" for j in range(d)), *(f"y{j}" for j in range(q))]
        table = pa.Table.from_arrays([pa.array(c) for c in columns], names=names)
        parquet.write_table(
            table, folder / f"{k:03d}.parquet", row_group_size=50_000,
            use_dictionary=False, compression="none",
        )  # fmt: skip


def engines(full):
    files, rows = (50, 200_000) if full else (4, 50_000)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "rows"
        parquet_folder(folder, files, rows)
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(
            f"Parquet folder of {size / 1e9:.2f} GB, {files * rows} rows x 60, 8 labels"
        )
        found, limited = child(folder, "parquet")
        print(
            f"inline under a limit of 2 GB: {found['wall']:.1f} s, "
            f"peak {found['VmHWM']:.0f} MB",
            flush=True,
        )
        blocks = read_blocks(folder, labels=8)
        first = None
        for engine in ("inline", "processes", "dask"):
            workers = None if engine == "inline" else 2
            start = time.perf_counter()
            scores = Chi2().fit_blocks(blocks, engine=engine, n_workers=workers).scores_
            took = time.perf_counter() - start
            first = took if first is None else first
            np.testing.assert_array_equal(scores, limited)
            print(
                f"{engine}: {took:.1f} s, {first / took:.2f} x inline, same scores",
                flush=True,
            )


def main():
    full = "--full" in sys.argv[1:]
    if sys.platform != "linux":
        raise SystemExit("the limit on memory is that of Linux")
    streamed_rows(full)
    engines(full)


if __name__ == "__main__":
    main()
