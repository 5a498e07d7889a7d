"""Calibrated label ranking over support vector machines that share kernel values.

    python benchmarks/bench_clr.py [emotions] [yeast] [medical]

Nine tenths of the rows train (standardised), the others are asked for scores. Ours
against the same pairs, each with an SVC of its own and each asked by itself: wall and
CPU seconds, the ratio of the latter, the greatest difference of a decision value, and
the votes that differ.
"""

import os
import sys
import time
from itertools import combinations
from pathlib import Path

import numpy as np
from measure import peak_megabytes
from scipy import sparse
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from labelsift.kernels.blas import one_blas_thread
from labelsift.learn import CalibratedLabelRanking
from labelsift.read import load_dataset

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("LABELSIFT_SHARED", ROOT.parent / "shared")) / "data"


def problems(Y):
    """Yield the rows and classes of each label and of each pair of labels."""
    for label in range(Y.shape[1]):
        yield np.arange(len(Y)), Y[:, label]
    for a, b in combinations(range(Y.shape[1]), 2):
        rows = np.flatnonzero(Y[:, a] != Y[:, b])
        yield rows, Y[rows, a]


def alone(X, Y, queries):
    """Return the decision values of one SVC for each problem with two classes."""
    with one_blas_thread():
        machines = [
            SVC().fit(X[rows], classes)
            for rows, classes in problems(Y)
            if np.unique(classes).size == 2
        ]
        return np.array([m.decision_function(queries) for m in machines])


def timed(call):
    """Return wall and CPU seconds, and the result."""
    start, used = time.perf_counter(), time.process_time()
    result = call()
    return time.perf_counter() - start, time.process_time() - used, result


def table(name):
    """Return standardised training rows, their labels, and rows to ask about."""
    data = load_dataset(SHARED / f"{name}.arff.gz")
    X = data.X.toarray() if sparse.issparse(data.X) else data.X
    Y = data.Y.toarray() if sparse.issparse(data.Y) else data.Y
    train = np.arange(len(X)) % 10 != 0
    scaler = StandardScaler().fit(X[train])
    return scaler.transform(X[train]), Y[train], scaler.transform(X[~train])


def main():
    for name in sys.argv[1:] or ["emotions", "yeast", "medical"]:
        if not (SHARED / f"{name}.arff.gz").is_file():
            print(f"{name} is absent: left out")
            continue
        X, Y, queries = table(name)
        fit, fit_cpu, model = timed(lambda: CalibratedLabelRanking().fit(X, Y))  # noqa: B023
        ask, ask_cpu, _ = timed(lambda: model.predict_proba(queries))  # noqa: B023
        plain, plain_cpu, expected = timed(lambda: alone(X, Y, queries))  # noqa: B023
        fitted = model.estimators_ + model.pair_estimators_
        found = np.array([m.decision_function(queries) for m in fitted if m])
        wrong = int(((found > 0) != (expected > 0)).sum())
        peak = peak_megabytes(
            "from bench_clr import table, CalibratedLabelRanking\n"
            f"X, Y, queries = table({name!r})\nBASELINE\n"
            "CalibratedLabelRanking().fit(X, Y).predict_proba(queries)\n"
        )
        print(
            f"{name}: {len(X)} x {X.shape[1]}, {len(found)} machines; fit {fit:.2f} s "
            f"({fit_cpu:.2f} CPU), scores {ask:.2f} s ({ask_cpu:.2f} CPU); one by one "
            f"{plain:.2f} s ({plain_cpu:.2f} CPU), ratio "
            f"{plain_cpu / (fit_cpu + ask_cpu):.1f}x; decision values differ by "
            f"{np.abs(found - expected).max():.0e}, votes by "
            f"{wrong} of {found.size}; peak memory "
            f"beyond the data {peak:.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
