"""HSIC, RReliefF, RFS, MDFS, label transformations, budgets: time, ratio, memory.

    python benchmarks/bench_later.py [PEER_PYTHON]

Each beside a plain numpy program of the same formula in the same run, and RFS beside
scikit-feature if PEER_PYTHON is an interpreter that has it (skfeature-chappers). Peak
memory is that of one fit beyond the data, compiled code warm.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from measure import peak_megabytes, report, seconds
from scipy.linalg import solve_sylvester

from labelsift.read import load_dataset
from labelsift.score.manifold import label_laplacian, row_laplacian
from labelsift.select import (
    D2F,
    HSIC,
    MDFS,
    RFS,
    BudgetedGroups,
    RReliefFML,
    make_selector,
)

PEER = """
import sys, time
import numpy as np
from skfeature.function.sparse_learning_based import RFS
data = np.load(sys.argv[1])
start = time.perf_counter()
W = RFS.rfs(data["X"], data["y"], mode="raw", gamma=1.0)
print(time.perf_counter() - start)
"""
SETUP = """
import numpy as np
from scipy import sparse
from labelsift.read import load_dataset
from labelsift.select import *
data = load_dataset("yeast")
X, Y = data.X, data.Y
{selector}.fit(X[:60], Y[:60])
{sparse}
BASELINE
{selector}.fit(X, Y)
"""
SPARSE = """
X = sparse.random_array((5000, 20_000), density=0.002, format="csr",
                        rng=np.random.default_rng(0))
Y = (np.random.default_rng(1).random((5000, 20)) < 0.1).astype(int)
{selector}.fit(X[:60], Y[:60])
"""


def memory(selector, *, is_sparse=False):
    """Return peak memory of one fit, on yeast or on a sparse table of 5000 x 20 000."""
    extra = SPARSE.format(selector=selector) if is_sparse else ""
    return peak_megabytes(SETUP.format(selector=selector, sparse=extra))


def zscored(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def plain_hsic(X, Y):
    return ((zscored(X).T @ (Y - Y.mean(axis=0))) ** 2).sum(axis=1)


def plain_relief(X, Y, k=10):
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    n, d = X.shape
    n_c, n_a, n_ca = 0.0, np.zeros(d), np.zeros(d)
    for i in range(n):
        gaps = np.abs(X - X[i]).sum(axis=1)
        gaps[i] = np.inf
        near = np.argsort(gaps, kind="stable")[:k]
        far = (Y[near] != Y[i]).mean(axis=1) / k
        apart = np.abs(X[near] - X[i])
        n_c += far.sum()
        n_a += apart.sum(axis=0) / k
        n_ca += far @ apart
    return n_ca / n_c - (n_a - n_ca) / (n - n_c)


def plain_igmf(X, Y, bins=3):
    _, codes = np.unique(Y, axis=0, return_inverse=True)

    def entropy(values):
        p = np.unique(values, return_counts=True)[1] / len(values)
        return -(p * np.log2(p)).sum()

    scores = []
    for x in X.T:
        cuts = np.linspace(x.min(), x.max(), bins + 1)[1:-1]
        cut = np.searchsorted(cuts, x, side="right")
        h_f, h_l = entropy(cut), entropy(codes)
        both = entropy(cut * (codes.max() + 1) + codes)
        scores.append(2 * (h_f + h_l - both) / (h_f + h_l) if h_f + h_l else 0.0)
    return np.array(scores)


def norms(W, small=1e-10):
    return np.sqrt((W**2).sum(axis=1) + small**2)


def plain_rfs(X, Y, rounds, gamma=1.0):
    X, Y = zscored(X), Y - Y.mean(axis=0)
    far, reach = np.ones(len(X)) / 2, np.ones(X.shape[1]) / 2
    for _ in range(rounds):
        left = X.T @ (X / (2 * far)[:, None]) + np.diag(gamma / (2 * reach))
        W = np.linalg.solve(left, X.T @ (Y / (2 * far)[:, None]))
        far, reach = norms(X @ W - Y, 1e-8), norms(W)
    return norms(W)


def plain_mdfs(X, Y, rounds, gamma=0.1):
    Z = zscored(X)
    L = row_laplacian(Z, np.ones(Z.shape[1]), n_neighbors=5).toarray()
    L0 = label_laplacian(Y.astype(float))
    n = len(Z)
    H = np.eye(n) - 1 / n
    F, reach = Y.astype(float), np.ones(Z.shape[1]) / 2
    W = np.zeros((Z.shape[1], Y.shape[1]))
    for step in range(rounds):
        if step:
            F = solve_sylvester(L + H + np.eye(n), L0, H @ Z @ W + Y)
        W = np.linalg.solve(Z.T @ Z + np.diag(gamma / (2 * reach)), Z.T @ H @ F)
        reach = norms(W)
    return norms(W)


def peer_rfs(python, X, y):
    """Return the seconds of scikit-feature, or None with a word where it is absent.

    It takes a class vector only.
    """
    if python is None:
        print("  scikit-feature is absent: give an interpreter that has it")
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, X=zscored(X), y=y)
        done = subprocess.run(
            [python, "-c", PEER, str(path)], capture_output=True, text=True, check=False
        )
    if done.returncode:
        print(f"  scikit-feature failed: {done.stderr.strip().splitlines()[-1]}")
        return None
    return float(done.stdout.split()[-1])


def beside(name, make, X, Y, plain, selector, *, repeats=5):
    """Print our time beside a plain program's, and how far the scores are apart."""
    ours, fitted = seconds(lambda: make().fit(X, Y), repeats=repeats)
    theirs, scores = seconds(lambda: plain(X, Y), repeats=1, warmup=0)
    report(name, ours, theirs, peer="plain numpy", memory=memory(selector))
    gap = np.abs(fitted.scores_ - scores).max() / np.abs(scores).max()
    print(f"  largest difference {gap:.0e} of the largest score")
    return ours, fitted


def main():
    python = sys.argv[1] if len(sys.argv) > 1 else None
    data = load_dataset("yeast")
    X, Y = np.asarray(data.X, dtype=float), np.asarray(data.Y)
    beside("HSIC, yeast", HSIC, X, Y, plain_hsic, "HSIC()")
    beside("RReliefFML, yeast", RReliefFML, X, Y, plain_relief, "RReliefFML()")
    igmf = "make_selector('igmf')"
    beside("IGMF, yeast", lambda: make_selector("igmf"), X, Y, plain_igmf, igmf)

    rounds = RFS().fit(X, Y).n_iter_
    beside(
        f"RFS, yeast, {rounds} rounds",
        RFS,
        X,
        Y,
        lambda X, Y: plain_rfs(X, Y, rounds),
        "RFS()",
        repeats=3,
    )
    # fewer rows than features: systems of the rows are solved
    rng = np.random.default_rng(0)
    wide, few = np.hstack([X[:200], rng.normal(size=(200, 1100))]), Y[:200]
    rounds = RFS(gamma=2.0).fit(wide, few).n_iter_
    ours, fitted = seconds(lambda: RFS(gamma=2.0).fit(wide, few), repeats=3)
    theirs, scores = seconds(
        lambda: plain_rfs(wide, few, rounds, 2.0), repeats=1, warmup=0
    )
    report(
        f"RFS, {len(wide)} x {wide.shape[1]}, {rounds} rounds",
        ours,
        theirs,
        peer="plain numpy",
    )
    gap = np.abs(fitted.scores_ - scores).max() / scores.max()
    print(f"  largest difference {gap:.0e} of the largest score")
    X4, Y4 = X[:400], Y[:400]
    theirs = peer_rfs(python, X4, Y4[:, 0])
    if theirs is not None:
        ours, _ = seconds(lambda: RFS().fit(X4, Y4[:, 0]), repeats=3)
        name = "RFS, 400 rows of yeast, one label as classes"
        report(name, ours, theirs, peer="scikit-feature")
    rounds = MDFS().fit(X4, Y4).n_iter_
    beside(
        f"MDFS, 400 rows of yeast, {rounds} rounds",
        MDFS,
        X4,
        Y4,
        lambda X, Y: plain_mdfs(X, Y, rounds),
        "MDFS()",
        repeats=3,
    )
    ours, fitted = seconds(lambda: MDFS().fit(X, Y), repeats=1, warmup=0)
    report(f"MDFS, yeast, {fitted.n_iter_} rounds", ours, target="4.5 s")

    costs = np.repeat([3.0, 1.0], [50, X.shape[1] - 50])
    groups = {f"g{g}": list(range(g, X.shape[1], 20)) for g in range(20)}

    def budgeted():
        return BudgetedGroups(budget=12, costs=costs, cost_groups=groups).fit(X, Y)

    ours, fitted = seconds(budgeted, repeats=3)
    picks = fitted.n_features_
    plain, _ = seconds(lambda: D2F(picks).fit(X, Y), repeats=3)
    report(
        f"BudgetedGroups, yeast, {picks} picks, {len(fitted.added_free_)} of them free",
        ours,
        plain,
        peer="D2F for as many picks",
    )
    print("sparse 5000 x 20 000 (dense: 800 MB), 20 labels, peak memory of one fit:")
    for selector in ("HSIC()", igmf, "RReliefFML()"):
        print(f"  {selector}: {memory(selector, is_sparse=True):.0f} MB")


if __name__ == "__main__":
    main()
