"""ReliefF: time and memory against plain numpy, fast-select and skrebate.

    python benchmarks/bench_relief.py [PEER_PYTHON]

PEER_PYTHON is an interpreter that has fast-select and skrebate; a peer that is not
there is left out, and the script says so. Each peer is timed after a first call that
compiles, and loops over the labels one by one, as its users must.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from measure import peak_megabytes, report, seconds
from scipy import sparse

from labelsift.read import load_dataset
from labelsift.select import ReliefF

PEERS = """
import sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
data, peer, repeats = np.load(sys.argv[1]), sys.argv[2], int(sys.argv[3])
X, Y = data["X"], data["Y"]
labels = [Y] if Y.ndim == 1 else list(Y.T)
if peer == "fast-select":
    from fast_select import ReliefF
    make = lambda: ReliefF(n_features_to_select=X.shape[1], n_neighbors=10,
                           backend="cpu")
else:
    from skrebate import ReliefF
    make = lambda: ReliefF(n_features_to_select=X.shape[1], n_neighbors=10, n_jobs=-1)
    labels = labels[:1]
if peer == "fast-select":
    for y in labels[:1]:
        make().fit(X, y)
times = []
for _ in range(repeats):
    start = time.perf_counter()
    for y in labels:
        make().fit(X, y)
    times.append(time.perf_counter() - start)
print(np.median(times))
"""


def peer_seconds(python, peer, X, Y, repeats=3):
    """Return the seconds of a peer, all labels; None, with a word, where absent."""
    if python is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, X=X, Y=Y)
        done = subprocess.run(
            [python, "-c", PEERS, str(path), peer, str(repeats)],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        print(f"  {peer} is absent or failed: {done.stderr.strip().splitlines()[-1]}")
        return None
    return float(done.stdout.split()[-1])


def plain(X, Y, k=10):
    """Return ReliefF of every label with the n x n distances, in numpy."""
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    n = len(X)
    distances = np.array([np.abs(X - x).sum(axis=1) for x in X])
    np.fill_diagonal(distances, np.inf)
    order = np.argsort(distances, axis=1, kind="stable")
    weights = np.zeros((Y.shape[1], X.shape[1]))
    for label, y in enumerate(Y.T):
        for i in range(n):
            same = y[order[i, :-1]] == y[i]
            hits, misses = order[i, :-1][same][:k], order[i, :-1][~same][:k]
            weights[label] += np.abs(X[misses] - X[i]).mean(axis=0)
            weights[label] -= np.abs(X[hits] - X[i]).mean(axis=0)
    return weights / n


def memory(setup, options=""):
    """Return peak memory beyond the data of one fit; code is compiled before."""
    return peak_megabytes(
        f"""
import numpy as np
from scipy import sparse
from labelsift.read import load_dataset
from labelsift.select import ReliefF
small = np.random.default_rng(0).normal(size=(20, 3))
for make in (np.array, sparse.csr_array):
    ReliefF({options}).fit(make(small), np.arange(40).reshape(20, 2) % 3 % 2)
    ReliefF({options}).fit(make(small), np.arange(20) % 2)
{setup}
BASELINE
ReliefF({options}).fit(X, Y)
"""
    )


def against_peers(name, ours, python, X, Y, peers):
    """Print our time beside that of each peer."""
    for peer, repeats in peers:
        theirs = peer_seconds(python, peer, X, Y, repeats)
        if theirs is None:
            continue
        if peer == "skrebate" and Y.ndim == 2:
            theirs *= Y.shape[1]
            peer = f"skrebate ({Y.shape[1]} x one label)"
        report(name, ours, theirs, peer=peer)


def main():
    python = sys.argv[1] if len(sys.argv) > 1 else None
    if python is None:
        print("fast-select and skrebate are absent: give an interpreter that has them")
    data = load_dataset("yeast")
    X, Y = np.asarray(data.X, dtype=float), np.asarray(data.Y)
    setup = "data = load_dataset('yeast')\nX, Y = data.X, data.Y"
    ours, selector = seconds(lambda: ReliefF().fit(X, Y), repeats=9)
    spent, weights = seconds(lambda: plain(X, Y), repeats=1, warmup=0)
    name = "yeast, 14 labels, binary relevance"
    report(name, ours, spent, peer="plain numpy", memory=memory(setup), target="0.4 s")
    gap = np.abs(selector.scores_per_problem_.values.T - weights).max()
    print(f"  largest difference from plain numpy {gap:.1e}")
    against_peers(name, ours, python, X, Y, [("fast-select", 5), ("skrebate", 1)])
    pairs, selector = seconds(lambda: ReliefF(problem="pairwise").fit(X, Y), repeats=9)
    problems = selector.scores_per_problem_.shape[1]
    report(
        f"yeast, {problems} pairs of labels",
        pairs,
        memory=memory(setup, "problem='pairwise'"),
        target="0.5 s",
    )
    spent, _ = seconds(lambda: ReliefF(problem="label_powerset").fit(X, Y))
    report("yeast, label powerset", spent)

    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, 200)
    genes = rng.normal(size=(200, 12_000))
    genes[:, :50] += rng.normal(size=(10, 50))[y]
    setup = """
rng = np.random.default_rng(0)
Y = rng.integers(0, 10, 200)
X = rng.normal(size=(200, 12_000))
"""
    ours, _ = seconds(lambda: ReliefF().fit(genes, y), repeats=15)
    name = "200 x 12 000, 10 classes"
    report(name, ours, memory=memory(setup), target="less than fast-select")
    against_peers(name, ours, python, genes, y, [("fast-select", 15)])

    X = sparse.random_array(
        (3000, 50_000), density=0.001, rng=np.random.default_rng(1), format="csr"
    )
    Y = (np.random.default_rng(2).random((3000, 5)) < 0.3).astype(int)
    setup = """
X = sparse.random_array((3000, 50_000), density=0.001,
                        rng=np.random.default_rng(1), format="csr")
Y = (np.random.default_rng(2).random((3000, 5)) < 0.3).astype(int)
"""
    spent, _ = seconds(lambda: ReliefF().fit(X, Y), repeats=3)
    report("sparse 3000 x 50 000, 5 labels", spent, memory=memory(setup))
    print("  (the dense table alone would be 1200 MB)")

    sizes, times = [1000, 2000, 4000, 8000], []
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(8000, 100)), rng.integers(0, 2, 8000)
    for n in sizes:
        spent, _ = seconds(lambda n=n: ReliefF().fit(X[:n], y[:n]), repeats=3)
        times.append(spent)
    slope = np.polyfit(np.log(sizes), np.log(times), 1)[0]
    print(f"all rows: time grows as n ** {slope:.2f}; {times[-1]:.2f} s at 8000 x 100")
    spent, _ = seconds(lambda: ReliefF(n_samples=500, random_state=0).fit(X, y))
    report("8000 x 100, n_samples=500", spent, times[-1], peer="all rows")


if __name__ == "__main__":
    main()
