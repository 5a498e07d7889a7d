"""SPEC: time and memory against the n x n formula and scikit-feature's.

    python benchmarks/bench_spec.py [PEER_PYTHON]

PEER_PYTHON is an interpreter that has skfeature-chappers; without it that peer is
left out, and the script says so.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from measure import peak_megabytes, report, seconds, single_calls
from scipy import sparse

from labelsift.read import load_dataset
from labelsift.select import SPEC, ReliefF, WrapperSPEC

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("LABELSIFT_SHARED", ROOT.parent / "shared")) / "data"

MADE = '''
import numpy as np
from scipy import sparse


def labels(n, q, n_sets, seed=0):
    """n rows that carry one of exactly n_sets label sets, frequent ones first."""
    rng = np.random.default_rng(seed)
    sets = np.unique((rng.random((20 * n_sets, q)) < 3.5 / q).astype(np.uint8), axis=0)
    sets = sets[rng.permutation(len(sets))[:n_sets]]
    share = 1.0 / np.arange(1, n_sets + 1) ** 0.8
    pick = rng.choice(n_sets, n, p=share / share.sum())
    pick[:n_sets] = np.arange(n_sets)
    return sets[pick]


def words(n, d, entries, seed=1):
    """Counts of words whose frequency falls as 1 / rank; CSR."""
    rng = np.random.default_rng(seed)
    scale = entries / np.log(d)
    for _ in range(20):
        per_word = np.clip(scale / np.arange(1, d + 1), 1, 0.95 * n).astype(np.int64)
        scale *= entries / per_word.sum()
    rows = np.concatenate([rng.choice(n, m, replace=False) for m in per_word])
    columns = np.repeat(np.arange(d), per_word)
    values = rng.geometric(0.6, len(rows)).astype(float)
    return sparse.csr_array((values, (rows, columns)), shape=(n, d))
'''
exec(MADE)


def plain_phi(X, Y):
    """Return phi_1 with Jaccard similarity by the n x n matrix, in numpy."""
    X = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1)
    Y = Y.astype(float)
    both = Y @ Y.T
    sizes = Y.sum(axis=1)
    either = sizes[:, None] + sizes - both
    W = np.divide(both, either, out=np.zeros_like(both), where=either > 0)
    np.fill_diagonal(W, 0)
    degree = W.sum(axis=1)
    return 1 - (X * (W @ X)).sum(axis=0) / (degree[:, None] * X * X).sum(axis=0)


PEER = """
import sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
from skfeature.function.similarity_based import SPEC
data = np.load(sys.argv[1])
X, W = data["X"], data["W"]
start = time.perf_counter()
SPEC.spec(X, None, mode="raw", style=0, W=W)
print(time.perf_counter() - start)
"""


def peer_seconds(python, X, Y):
    """Return the seconds that scikit-feature's SPEC takes with the Jaccard matrix."""
    both = (Y.astype(float) @ Y.T).astype(float)
    sizes = Y.sum(axis=1).astype(float)
    either = sizes[:, None] + sizes - both
    W = np.divide(both, either, out=np.zeros_like(both), where=either > 0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, X=(X - X.mean(axis=0)) / X.std(axis=0), W=W)
        done = subprocess.run(
            [python, "-c", PEER, str(path)], capture_output=True, text=True, check=False
        )
    if done.returncode:
        print("  scikit-feature failed:", done.stderr.strip().splitlines()[-1])
        return None
    return float(done.stdout.split()[-1])


def cost_order(name, X, Y, paper):
    """Print the order of cost that the paper claims, beside its seconds."""
    methods = {
        "filter-SPEC": SPEC(),
        "wrapper-Relief": ReliefF(problem="pairwise"),
        "wrapper-SPEC": WrapperSPEC(order=2),
    }
    times = [seconds(lambda m=m: m.fit(X, Y))[0] for m in methods.values()]
    for method, ours, theirs in zip(methods, times, paper, strict=True):
        print(f"  {name}, {method}: {ours:.4f} s; the paper's {theirs:.1f} s")
    filter_first = times[0] < min(times[1:])
    print(f"  filter-SPEC is the cheapest: {filter_first} (the paper: True)")


def memory(setup):
    """Return peak memory beyond the data of one fit; code is compiled before."""
    return peak_megabytes(
        f"""
import numpy as np
from scipy import sparse
from labelsift.select import SPEC
from labelsift.read import load_dataset
{MADE}
for small in (np.eye(5), sparse.eye_array(5, format="csr")):
    SPEC().fit(np.vstack([np.eye(5)] * 2) if isinstance(small, np.ndarray)
               else sparse.vstack([small] * 2), np.vstack([np.eye(5, dtype=int)] * 2))
{setup}
BASELINE
SPEC().fit(X, Y)
"""
    )


def processor_seconds(call, repeats):
    """Return the mean seconds of all cores that a call takes."""
    call()
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats


def against_plain(name, X, Y, peer):
    """Print our time beside that of the n x n formula and of scikit-feature."""
    ours, median, selector = single_calls(lambda: SPEC().fit(X, Y), 201)
    theirs, plain_median, phi = single_calls(lambda: plain_phi(X, Y), 41, warmup=1)
    usable = ~np.isnan(selector.phi_)
    gap = np.abs(selector.phi_ - phi)[usable].max()
    report(f"{name}, least of 201 and 41 calls", ours, theirs, peer="n x n in numpy")
    report(f"{name}, median", median, plain_median, peer="n x n in numpy")
    print(f"  largest difference from the n x n formula {gap:.1e}")
    busy = [
        processor_seconds(lambda: SPEC().fit(X, Y), 200),
        processor_seconds(lambda: plain_phi(X, Y), 5),
    ]
    print(
        f"  processor time, one call after the other: {busy[0]:.5f} s, "
        f"n x n in numpy {busy[1]:.3f} s, ratio {busy[1] / busy[0]:.0f}x"
    )
    varies = X.std(axis=0) > 0
    spent = peer_seconds(peer, X[:, varies], Y) if peer else None
    if spent is not None:
        report(f"{name}, scikit-feature", ours, spent, peer="scikit-feature")


def main():
    peer = sys.argv[1] if len(sys.argv) > 1 else None
    if peer is None:
        print("scikit-feature is absent: give an interpreter that has it")
    data = load_dataset("yeast")
    X, Y = np.ascontiguousarray(data.X), np.asarray(data.Y)
    against_plain("yeast", X, Y, peer)
    print("  target 50x the n x n formula")
    cost_order("yeast", X, Y, (81.8161, 90.5793, 138.4298))
    path = SHARED / "medical.arff.gz"
    if path.is_file():
        data = load_dataset(path)
        cost_order("medical", data.X, data.Y, (53.8807, 91.8315, 132.5132))

    path = SHARED / "tmc2007-500.arff.gz"
    if path.is_file():
        data = load_dataset(path)
        dense = data.X.toarray() if sparse.issparse(data.X) else data.X
        Y = data.Y.toarray() if sparse.issparse(data.Y) else data.Y
        setup = f"""
data = load_dataset({str(path)!r})
Y = data.Y.toarray() if sparse.issparse(data.Y) else data.Y
"""
        to_dense = "X = data.X.toarray() if sparse.issparse(data.X) else data.X"
        for kind, X, line in (
            ("dense", dense, to_dense),
            ("sparse", sparse.csr_array(dense), "X = sparse.csr_array(data.X)"),
        ):
            spent, selector = seconds(lambda X=X: SPEC().fit(X, Y))
            report(
                f"tmc2007-500, {kind} {X.shape}, {selector.n_label_sets_} label sets",
                spent,
                memory=memory(setup + line),
                target="0.2 s, 100 MB",
            )
    else:
        print("tmc2007-500 is absent: its figures are left out")

    for n_sets in (1341, 5860):
        setup = f"""
X = words(28596, 49060, 2_500_000)
Y = labels(28596, 22, {n_sets})
"""
        space = dict(globals())
        exec(setup, space)
        X, Y = space["X"], space["Y"]
        spent, selector = seconds(lambda X=X, Y=Y: SPEC().fit(X, Y), repeats=3)
        report(
            f"words, {X.shape}, {X.nnz} entries, {selector.n_label_sets_} label sets",
            spent,
            memory=memory(setup),
            target="0.6 s, 300 MB",
        )

    sizes, times = [10_000, 30_000, 100_000, 300_000, 1_000_000], []
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(sizes[-1], 30)), labels(sizes[-1], 14, 200)  # noqa: F821
    for n in sizes:
        spent, _ = seconds(lambda n=n: SPEC().fit(X[:n], Y[:n]), repeats=3)
        times.append(spent)
        report(f"{n} rows x 30, 14 labels", spent)
    slope = np.polyfit(np.log(sizes), np.log(times), 1)[0]
    print(f"time grows as n ** {slope:.2f} (target: at most 1)")


if __name__ == "__main__":
    main()
