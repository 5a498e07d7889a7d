"""Greedy selection by mutual information: full rankings, against plain numpy.

The files lie in the folder given, in LABELSIFT_DATA or in ../shared/data of the clone.
PyIT-MLFS is no package and needs an old numpy: with its sources and an interpreter that
has pyitlib, tqdm and numpy below 1.24, its D2F is run on some columns of emotions.

    python benchmarks/bench_greedy.py [FOLDER [SOURCES PYTHON]]
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import measure
import numpy as np
from threadpoolctl import threadpool_limits

from labelsift.encode import EqualWidthDiscretizer
from labelsift.read import load_dataset
from labelsift.select import SELECTORS

TARGETS = {  # seconds on one quiet core, compiled code warm
    "emotions": {"d2f": 0.005, "pmu": 0.005, "mdmr": 0.005, "mljmi": 0.005},
    "yeast": {"d2f": 0.02, "pmu": 0.02, "mdmr": 0.02, "mljmi": 0.02},
    "medical": {"d2f": 1, "pmu": 1, "mdmr": 1, "mljmi": 1, "scls": 0.15, "lrfs": 0.15},
    "bibtex": {"d2f": 10, "pmu": 10, "mdmr": 10, "mljmi": 10},
}
REPEATS = {"emotions": 51, "yeast": 51, "medical": 5, "bibtex": 1}
ALSO = {"emotions": ["scls", "lrfs"], "yeast": ["scls", "lrfs"], "medical": ["mlcmim"]}
ALSO["bibtex"] = ["scls", "lrfs"]


def both_clocks(call, repeats):
    """Return median wall and least processor seconds, and the last result; warm."""
    result = call()
    walls, processors = [], []
    for _ in range(repeats):
        wall, processor = time.perf_counter(), time.process_time()
        result = call()
        walls.append(time.perf_counter() - wall)
        processors.append(time.process_time() - processor)
    return statistics.median(walls), min(processors), result


class Plain:
    """D2F and SCLS with one-hot columns and matrix products, newest pick only."""

    def __init__(self, codes, Y):
        self.n, self.q = Y.shape
        levels = [np.unique(column) for column in codes.T]
        self.keep = np.flatnonzero([len(found) > 1 for found in levels])
        columns = [codes[:, f] == v for f in self.keep for v in levels[f]]
        self.hot = np.array(columns).T.astype(np.float64)  # (n, levels)
        lengths = [len(levels[f]) for f in self.keep]
        self.first = np.concatenate([[0], np.cumsum(lengths)])[:-1]
        self.last = self.first + lengths
        self.Y = Y.astype(np.float64)
        self.own = self.sums(self.log(self.hot.sum(axis=0)))
        self.told = self.sums(self.with_labels(np.ones(self.n, dtype=bool)))
        label = self.Y.sum(axis=0)
        self.labels = (self.log(label) + self.log(self.n - label)).sum()
        self.full = self.n * np.log2(self.n)

    @staticmethod
    def log(x):
        return x * np.log2(np.maximum(x, 1))

    def sums(self, values):
        return np.add.reduceat(values, self.first)

    def with_labels(self, rows):
        part = self.hot[rows]
        counts = part.T @ self.Y[rows]
        absent = part.sum(axis=0)[:, None] - counts
        return (self.log(counts) + self.log(absent)).sum(axis=1)

    def rank(self, method, k):
        relevance = self.q * (self.full - self.own) - self.labels + self.told
        entropy = self.full - self.own
        total, open_ = np.zeros(len(self.keep)), np.ones(len(self.keep), dtype=bool)
        order, trace = [], []
        for _ in range(min(k, len(self.keep))):
            if method == "d2f":
                values = (relevance - total) / self.n
            else:
                values = relevance * (1 - total / entropy) / self.n
            values = np.where(open_, values, -np.inf)
            pick = int(np.argmax(values >= values.max() - 1e-8))
            order.append(self.keep[pick])
            trace.append(values[pick])
            open_[pick] = False
            alone, joint = 0.0, 0.0
            for level in range(self.first[pick], self.last[pick]):
                rows = self.hot[:, level] == 1
                alone = alone + self.sums(self.log(self.hot[rows].sum(axis=0)))
                if method == "d2f":
                    joint = joint + self.sums(self.with_labels(rows))
            redundancy = self.full - self.own - self.own[pick] + alone
            if method == "d2f":
                twice = self.q * redundancy - self.labels + self.told
                total = total + twice + self.told[pick] - joint
            else:
                total = total + redundancy
        return order, trace


def dense(matrix):
    return matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix)


def against_plain(name, data, rounds):
    codes = EqualWidthDiscretizer(3).fit_transform(dense(data.X).astype(float))
    for method in ("d2f", "scls"):

        def ours(method=method):
            return SELECTORS[method](rounds).fit(data.X, data.Y)

        def plain(method=method):
            return Plain(codes, dense(data.Y)).rank(method, rounds)

        _, mine, fitted = both_clocks(ours, 3)
        start = time.process_time()
        order, trace = plain()
        other = time.process_time() - start
        same = fitted.order_[: len(order)].tolist() == [int(f) for f in order]
        measure.report(
            f"  {method}, {len(order)} picks of {name}, processor time",
            mine,
            other,
            peer="plain numpy",
        )
        apart = np.abs(fitted.criterion_ - trace).max()
        print(f"    same order: {same}; values differ by {apart:.1e} at most")


PEER = """
import sys, time
import numpy as np
sys.path.insert(0, sys.argv[1])
from classes.d2f import d2f
data = np.load(sys.argv[2])
start = time.process_time()
order = d2f().rank(data["X"], data["Y"], "pre_eval")
print("TOOK", time.process_time() - start, *order)
"""


def against_peer(checkout, python, data, columns=15):
    """Run D2F of PyIT-MLFS on the first columns of emotions, bins made by us."""
    X = EqualWidthDiscretizer(3).fit_transform(dense(data.X)[:, :columns].astype(float))
    Y = dense(data.Y)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.npz"
        np.savez(table, X=X.astype(np.int64), Y=Y.astype(np.int64))
        done = subprocess.run(
            [python, "-c", PEER, str(checkout), str(table)],
            capture_output=True,
            text=True,
            check=True,
        )
    took, *order = done.stdout.split("TOOK")[1].split()
    _, ours, fitted = both_clocks(
        lambda: SELECTORS["d2f"](discretize="none").fit(X, Y), 5
    )
    measure.report(
        f"d2f, {columns} columns of emotions, processor time",
        ours,
        float(took),
        peer="PyIT-MLFS",
    )
    print(f"  same order: {[int(f) for f in order] == fitted.order_.tolist()}")


def main(folder, checkout=None, python=None):
    """Print every figure."""
    warnings.simplefilter("ignore", UserWarning)
    os.environ["LABELSIFT_NUM_THREADS"] = "1"
    sets = {name: load_dataset(folder / f"{name}.arff.gz") for name in TARGETS}
    with threadpool_limits(1):
        for name, data in sets.items():
            print(f"{name}: {data.n_samples} x {data.n_features}, {data.n_labels}")
            for method in [*TARGETS[name], *ALSO[name]]:
                wall, processor, _ = both_clocks(
                    lambda method=method, data=data: SELECTORS[method]().fit(
                        data.X, data.Y
                    ),
                    REPEATS[name],
                )
                target = TARGETS[name].get(method)
                asked = "" if target is None else f"; target {target:g} s"
                print(
                    f"  {method}: {processor:.4f} s of one core, the least of "
                    f"{REPEATS[name]}; median on the clock {wall:.4f} s{asked}",
                    flush=True,
                )
            if name != "bibtex":
                against_plain(name, data, 60 if name == "medical" else data.n_features)
    for name in ("medical", "bibtex"):
        data, times = sets[name], []
        for threads in ("1", "2"):
            os.environ["LABELSIFT_NUM_THREADS"] = threads
            times.append(
                both_clocks(lambda data=data: SELECTORS["d2f"]().fit(data.X, data.Y), 1)
            )
        print(
            f"{name}, d2f: one thread {times[0][0]:.2f} s, two {times[1][0]:.2f} s on "
            f"the clock; same order: {(times[0][2].order_ == times[1][2].order_).all()}"
        )
    memory = measure.peak_megabytes(
        "from pathlib import Path\n"
        "from labelsift.read import load_dataset\n"
        "from labelsift.select import D2F\n"
        f"data = load_dataset(Path({str(folder)!r}) / 'bibtex.arff.gz')\n"
        "D2F(1).fit(data.X[:50], data.Y[:50])\n"
        "BASELINE\n"
        "D2F(5).fit(data.X, data.Y)"
    )
    print(f"bibtex, d2f: peak memory beyond the data {memory:.0f} MB")
    if checkout is not None:
        os.environ["LABELSIFT_NUM_THREADS"] = "1"
        against_peer(checkout, python, sets["emotions"])


if __name__ == "__main__":
    main(
        measure.data_folder(*sys.argv[1:2]),
        *sys.argv[2:4],
    )
