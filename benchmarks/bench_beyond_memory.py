"""Rows beyond memory under a limit of the operating system, and three engines.

    python benchmarks/bench_beyond_memory.py          # small: some hundred MB on disk
    python benchmarks/bench_beyond_memory.py --full   # ten times the rows; 5 GB Parquet

Every process may take 2 GB of memory of its own (RLIMIT_DATA: mapped files do not
count, copies of them do), workers too. Seconds of processor are those of all processes.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from extreme_data import SIZES, extreme
from measure import data_folder

from labelsift.select import Chi2

LIMIT = 2**31

CHILD = """
import json, operator, os, resource, signal, sys, threading, time
import numpy as np
from scipy import sparse
from labelsift.engine import engine_by_name
from labelsift.read import read_blocks
from labelsift.select import Chi2

def load(folder, name):
    parts = [np.load(f"{folder}/{name}_{p}.npy", mmap_mode="r")
             for p in ("data", "indices", "indptr")]
    shape = np.load(f"{folder}/{name}_shape.npy")
    return sparse.csr_array(tuple(parts), shape=shape)

def workers():
    import psutil
    found = []
    for process in psutil.Process().children(recursive=True):
        words = " ".join(process.cmdline())
        if "spawn_main" in words or "popen_loky" in words:
            found.append(process.pid)
    return found

def kill_one(seconds):
    time.sleep(seconds)
    os.kill(workers()[0], signal.SIGKILL)
    killed.append(seconds)

def peak(pid):
    try:
        text = open(f"/proc/{pid}/status").read()
        return int(text.split("VmHWM:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return 0.0

def watch():
    while not ended.wait(0.5):
        most.append(max(map(peak, workers()), default=0.0))

if __name__ == "__main__":
    folder, name, limit, memory, kill_at = sys.argv[1:]
    limit, memory, kill_at = int(limit), int(memory), float(kill_at)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    if os.path.exists(f"{folder}/X_shape.npy"):
        blocks = read_blocks((load(folder, "X"), load(folder, "Y")))
        selector = Chi2(discretize="presence")
    elif os.path.exists(f"{folder}/text.arff.gz"):
        blocks, selector = read_blocks(f"{folder}/text.arff.gz"), Chi2()
    else:
        blocks, selector = read_blocks(folder, labels=8), Chi2()
    before, start = os.times(), time.perf_counter()
    engine = engine_by_name(name, n_workers=None if name == "inline" else 2)
    engine.reduce(Chi2, [1] * 8, operator.is_)  # every worker has begun, and imported
    start = time.perf_counter() - start
    killed, most, ended = [], [], threading.Event()
    if name != "inline":
        threading.Thread(target=watch, daemon=True).start()
    if kill_at:
        threading.Thread(target=kill_one, args=(kill_at,), daemon=True).start()
    wall = time.perf_counter()
    selector.fit_blocks(blocks, max_memory=memory, engine=engine)
    wall = time.perf_counter() - wall
    ended.set()
    engine.close()
    if name == "processes":
        from joblib.externals.loky import get_reusable_executor
        get_reusable_executor().shutdown(wait=True)
    cpu = sum(os.times()[:4]) - sum(before[:4])
    np.save(f"{folder}/../scores.npy", selector.scores_)
    print(json.dumps({"start": start, "wall": wall, "cpu": cpu,
                      "peak": peak(os.getpid()),
                      "of_workers": max(most, default=0.0), "killed": killed}))
"""


def child(folder, engine="inline", memory=2**28, kill_at=0.0):
    """Fit in a process of its own; return what it measured, and the scores."""
    with tempfile.TemporaryDirectory() as place:
        script = Path(place) / "child.py"  # a file: workers import it
        script.write_text(CHILD)
        words = [sys.executable, script, folder, engine, LIMIT, memory, kill_at]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
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
            found, scores = child(folder, memory=2**26)
            if times_rows == 1:
                np.testing.assert_array_equal(scores, expected)
            times.append((n * times_rows, found["cpu"]))
            print(
                f"streamed {n * times_rows} rows ({size / 1e9:.2f} GB on disk) under a "
                f"limit of 2 GB: {found['wall']:.1f} s, {found['cpu']:.1f} s of "
                f"processor, peak {found['peak']:.0f} MB with mapped pages",
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


def big_table(full):
    """Parquet files, more of them than memory."""
    files, rows = (50, 200_000) if full else (4, 50_000)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "rows"
        parquet_folder(folder, files, rows)
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(
            f"Parquet folder of {size / 1e9:.2f} GB, {files * rows} rows x 60, "
            "8 labels; every process under a limit of 2 GB",
            flush=True,
        )
        compared(folder, [("inline", 0), ("processes", 0), ("dask", 0), ("dask", 1)])


def small_text():
    """tmc2007-500 from its file: one file of text, which cannot be shared out."""
    found = data_folder()
    if not (found / "tmc2007-500.arff.gz").exists():
        print("tmc2007-500 is absent: its figures are left out")
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "rows"
        folder.mkdir()
        shutil.copy(found / "tmc2007-500.arff.gz", folder / "text.arff.gz")
        shutil.copy(found / "tmc2007-500.xml", folder / "text.xml")
        print(
            "tmc2007-500, 28596 rows x 500, 22 labels, read from its file", flush=True
        )
        compared(folder, [("inline", 0), ("processes", 0), ("dask", 0)])


def compared(folder, runs):
    """Fit on each engine; print times and check that the scores are the same."""
    walls, first = {}, None
    for engine, is_killed in runs:
        kill_at = walls[engine] / 2 if is_killed else 0.0
        found, scores = child(folder, engine, kill_at=kill_at)
        first = (scores, found["wall"]) if first is None else first
        np.testing.assert_array_equal(scores, first[0])
        walls[engine] = found["wall"]
        name = engine if engine == "inline" else f"{engine}, two workers"
        if is_killed:
            if not found["killed"]:
                raise SystemExit("no worker was killed: it was over before that")
            name += f", one killed after {kill_at:.0f} s"
        if engine != "inline":
            name += f" (started in {found['start']:.1f} s)"
        peak = f"peak {found['peak']:.0f} MB"
        if found["of_workers"]:
            peak += f", of a worker {found['of_workers']:.0f} MB"
        print(
            f"{name}: {found['wall']:.1f} s, {first[1] / found['wall']:.2f} x "
            f"inline, {found['cpu']:.1f} s of processor with the start, {peak}, same "
            "scores",
            flush=True,
        )


def main():
    full = "--full" in sys.argv[1:]
    if sys.platform != "linux":
        raise SystemExit("the limit on memory is that of Linux")
    streamed_rows(full)
    small_text()
    big_table(full)


if __name__ == "__main__":
    main()
