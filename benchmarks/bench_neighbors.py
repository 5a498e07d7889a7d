"""ML-kNN and its kin: CPU seconds of 10-fold runs, memory, and peers.

Peers: scikit-multilearn-ng's ML-kNN, in a separate environment whose interpreter is
named by LABELSIFT_BENCH_SKM; else a plain version on scikit-learn's NearestNeighbors in
this process. Mulan's figures, where the golden values lie beside the repository, are
from another machine. ``--small`` leaves out the 28 596 rows.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from measure import peak_megabytes, report
from scipy import sparse
from sklearn.model_selection import KFold
from sklearn.neighbors import NearestNeighbors

from labelsift.learn import IBLR, BRkNN, DMLkNN, MLkNN, NeighborGraph, iblr
from labelsift.read import load_dataset

SHARED = Path(
    os.environ.get("LABELSIFT_SHARED", Path(__file__).resolve().parents[2] / "shared")
)
PEER = """
import sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
from sklearn.model_selection import KFold
from skmultilearn.adapt import MLkNN
data = np.load(sys.argv[1])
X, Y = data["X"], data["Y"]
times = []
for _ in range(2):
    start = time.process_time()
    for train, test in KFold(10, shuffle=True, random_state=0).split(X):
        MLkNN(k=10).fit(X[train], Y[train]).predict_proba(X[test])
    times.append(time.process_time() - start)
print(min(times))
"""


def cpu_seconds(call, repeats=4):
    """Return the least CPU seconds of ``call()``, all threads together."""
    return in_turn(call, repeats=repeats)[0]


def in_turn(*calls, repeats=4):
    """Return the least CPU seconds of each call, made in turn so that loads are alike.

    A call that returns seconds is taken at its word.
    """
    for call in calls:
        call()
    times = [[] for _ in calls]
    for _ in range(repeats):
        for call, spent in zip(calls, times, strict=True):
            start = time.process_time()
            seconds = call()
            passed = time.process_time() - start
            spent.append(passed if seconds is None else seconds)
    return [min(spent) for spent in times]


def without_regressions(call):
    """Return the CPU seconds of a call, less those in which IBLR solves for weights."""
    solve, spent = iblr.fit_labels, []

    def timed(*arguments):
        start = time.process_time()
        solve(*arguments)
        spent.append(time.process_time() - start)

    iblr.fit_labels = timed
    try:
        start = time.process_time()
        call()
        return time.process_time() - start - sum(spent)
    finally:
        iblr.fit_labels = solve


def table(name):
    """Return X and Y of a benchmark set as dense arrays."""
    folder = SHARED / "data"
    paths = [folder / f"{name}.arff.gz"]
    if not paths[0].is_file():
        paths = [folder / f"{name}-{part}.arff.gz" for part in ("train", "test")]
    parts = [load_dataset(path, xml=folder / f"{name}.xml") for path in paths]
    return np.vstack([p.X for p in parts]), np.vstack([p.Y for p in parts])


def plain_mlknn(X, Y, queries, k=10, s=1.0):
    """ML-kNN as one writes it on NearestNeighbors and numpy."""
    search = NearestNeighbors(n_neighbors=k + 1).fit(X)
    counts = Y[search.kneighbors(X, return_distance=False)[:, 1:]].sum(axis=1)
    n, L = Y.shape
    c1, c0 = np.zeros((k + 1, L)), np.zeros((k + 1, L))
    for j in range(k + 1):
        c1[j] = ((counts == j) & (Y == 1)).sum(axis=0)
        c0[j] = ((counts == j) & (Y == 0)).sum(axis=0)
    prior = (s + Y.sum(axis=0)) / (2 * s + n)
    a = prior * (s + c1) / (s * (k + 1) + c1.sum(axis=0))
    b = (1 - prior) * (s + c0) / (s * (k + 1) + c0.sum(axis=0))
    found = search.kneighbors(queries, n_neighbors=k, return_distance=False)
    return np.take_along_axis(a / (a + b), Y[found].sum(axis=1), axis=0)


def peer_seconds(X, Y, folds):
    """Return the peer's name and CPU seconds on the same folds."""
    python = os.environ.get("LABELSIFT_BENCH_SKM")
    if python:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "data.npz"
            np.savez(path, X=X, Y=Y)
            done = subprocess.run(
                [python, "-c", PEER, str(path)],
                capture_output=True,
                text=True,
                check=True,
            )
        return "scikit-multilearn-ng", float(done.stdout)

    def run():
        for train, test in folds:
            plain_mlknn(X[train], Y[train], X[test])

    return "NearestNeighbors", cpu_seconds(run, repeats=2)


def main():
    if not (SHARED / "data").is_dir():
        print("nothing measured: the data are absent; set LABELSIFT_SHARED")
        return
    timing = SHARED / "golden" / "mulan_timing.json"
    mulan = {}
    if timing.is_file():
        mulan = json.loads(timing.read_text())["values"]["cross_validation"]
    for name in ("emotions", "yeast", "scene"):
        X, Y = table(name)
        folds = list(KFold(10, shuffle=True, random_state=0).split(X))

        def alone(scale=None, X=X, Y=Y, folds=folds):
            for train, test in folds:
                classifier = MLkNN(10, scale=scale).fit(X[train], Y[train])
                classifier.predict_proba(X[test])

        def together(X=X, Y=Y, folds=folds, learners=(MLkNN, BRkNN, DMLkNN)):
            for train, test in folds:
                graph = NeighborGraph(10).fit(X[train])
                near = graph.query(X[test])
                for learner in learners:
                    learner(10).fit(graph, Y[train]).predict_proba(near)

        def with_iblr(together=together):
            together(learners=(MLkNN, BRkNN, DMLkNN, IBLR))

        def one_pass(X=X, Y=Y, folds=folds):
            deep = NeighborGraph(18).fit(X)
            for train, test in folds:
                graph, near = deep.fold(train, test, 10)
                MLkNN(10).fit(graph, Y[train]).predict_proba(near)

        peer, theirs = peer_seconds(X, Y, folds)
        ours = cpu_seconds(alone)
        head = f"{name} ML-kNN 10 folds, CPU"
        report(head, ours, theirs, peer=peer, target="10x (scikit-multilearn-ng)")
        scaled = cpu_seconds(lambda: alone("minmax"))
        report(f"{head}, min-max", scaled, theirs, peer=peer)
        once = cpu_seconds(one_pass)
        report(f"{head}, one pass", once, theirs, peer=peer, target="20x")
        single, three, apart, four = in_turn(
            alone, together, lambda: without_regressions(with_iblr), with_iblr
        )
        print(f"{name} ML-kNN, BRkNN, DMLkNN together: {three / single:.2f}x of ML-kNN")
        print(
            f"{name} the same and IBLR, its regressions apart: {apart / single:.2f}x; "
            f"target 1.3x; with them {four / single:.2f}x"
        )
        if name in mulan:
            seconds = min(mulan[name]["MLkNN(k=10,s=1)"]["cpu_seconds"])
            report(f"{head}, min-max", scaled, seconds, peer="Mulan elsewhere")
    if "--small" not in sys.argv:
        large()


def large():
    """28 596 rows: seconds and memory of fit and predict on all rows."""
    path = SHARED / "data" / "tmc2007-500.arff.gz"
    data = load_dataset(path)
    start, cpu = time.perf_counter(), time.process_time()
    rows = sparse.csr_array(data.X)
    MLkNN(10).fit(rows, data.Y).predict_proba(rows)
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    memory = peak_megabytes(
        "from labelsift.read import load_dataset\n"
        "from labelsift.learn import MLkNN\n"
        f"data = load_dataset({str(path)!r})\n"
        "MLkNN(5).fit(data.X[:99], data.Y[:99]).predict_proba(data.X[:9])\n"
        "BASELINE\n"
        "MLkNN(10).fit(data.X, data.Y).predict_proba(data.X)\n"
    )
    report(
        f"tmc2007-500 fit + predict all 28 596 rows ({cpu:.1f} s CPU)",
        wall,
        memory=memory,
        target="60 s, 1000 MB",
    )


if __name__ == "__main__":
    main()
