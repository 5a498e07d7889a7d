"""Tolerance-neighbourhood reducts: time, growth, and a direct program beside them.

The direct program does what the paper prints: in every round it joins each feature's
n x n neighbour matrix with that of the features so far and counts violations by a
matrix product. It runs on a slice of rows, and is carried over to all rows by its own
count of operations. Wall and CPU seconds are both given, since a busy machine
stretches the former. scene and tmc2007-500 are had by name (LABELSIFT_DATA); without
them made-up tables of the same shape take their place.

Run ``python benchmarks/bench_rough.py`` for all of it, or name parts: ``scene``,
``direct``, ``growth``, ``path``, ``tmc``.
"""

import sys
import time
import warnings

import measure
import numpy as np

from labelsift import load_dataset
from labelsift.encode import inject_missing
from labelsift.select import MLFSDM, MLFSPA, ToleranceRoughSet
from labelsift.statistics import neighborhoods_bits


def table(name, n, d, q, binary=False):
    try:
        data = load_dataset(name)
        X = data.X if isinstance(data.X, np.ndarray) else data.X.toarray()
        Y = data.Y if isinstance(data.Y, np.ndarray) else data.Y.toarray()
        return X.astype(float), Y
    except Exception as error:
        print(f"{name} is not here ({type(error).__name__}); a made-up table instead")
    rng = np.random.default_rng(0)
    Y = (rng.random((n, q)) < 1.1 / q).astype(np.uint8)
    Y[np.arange(n), rng.integers(0, q, n)] = 1
    if binary:
        return (rng.random((n, d)) < rng.beta(1, 12, d)).astype(float), Y
    X = rng.normal(size=(n, d))
    X[:, : 8 * q] += np.repeat(Y, 8, axis=1)
    return X, Y


def timed(call):
    wall, cpu = time.perf_counter(), time.process_time()
    result = call()
    return time.perf_counter() - wall, time.process_time() - cpu, result


def direct(X, Y, lam, metric, max_rounds):
    """Return seconds and operations (n^2 a candidate) of the printed algorithm."""
    n, d = X.shape
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    X = (X - low) / np.where(high > low, high - low, 1)
    spread = np.nanstd(X, axis=0)
    labelled = Y.any(axis=1)
    lacks = (Y == 0).astype(np.float32)
    start, cells = time.process_time(), 0
    chosen, together = [], np.zeros((n, n)) if metric == "euclidean" else None
    if together is None:
        together = np.ones((n, n), dtype=bool)
    for _ in range(max_rounds):
        counts = np.full(d, -1)
        for c in range(d):
            if c in chosen:
                continue
            apart = np.nan_to_num(np.abs(X[:, None, c] - X[None, :, c]))
            if metric == "manhattan":
                near = together & (apart <= spread[c] / lam)
            else:
                near = np.sqrt(together + apart**2) <= spread.mean() / lam
            bad = near.astype(np.float32) @ lacks
            counts[c] = (labelled & ~((bad > 0) & (Y == 1)).any(axis=1)).sum()
            cells += n * n
        best = int(np.argmax(counts))
        chosen.append(best)
        apart = np.nan_to_num(np.abs(X[:, None, best] - X[None, :, best]))
        if metric == "manhattan":
            together &= apart <= spread[best] / lam
        else:
            together += apart**2
    return time.process_time() - start, cells, chosen


def scene_part(X, Y):
    for metric, target in (("manhattan", 1), ("euclidean", 3), ("chebyshev", None)):
        for tie in ("discerned", "index"):
            selector = ToleranceRoughSet(metric=metric, tie_break=tie)
            selector.fit(X, Y)
            wall, cpu, fitted = timed(lambda s=selector: s.fit(X, Y))
            print(
                f"scene {metric} tie_break={tie}: wall {wall:.2f} s, CPU {cpu:.2f} s"
                f"{f' (target {target} s)' if target else ''}; {len(fitted.reduct_)} "
                f"features, dependency {fitted.dependency_[-1]:.4f}",
                flush=True,
            )
    whole = np.nan_to_num(X)
    for selector in (MLFSPA(), MLFSDM()):
        selector.fit(whole, Y)
        wall, cpu, fitted = timed(lambda s=selector: s.fit(whole, Y))
        print(
            f"scene {type(selector).__name__}: wall {wall:.2f} s, CPU {cpu:.2f} s; "
            f"{len(fitted.reduct_)} features"
        )


def direct_part(X, Y):
    rows = np.random.default_rng(1).permutation(len(X))[:400]
    for metric in ("manhattan", "euclidean"):
        lam = 0.9 if metric == "manhattan" else 0.6
        seconds, cells, chosen = direct(X[rows], Y[rows], lam, metric, 2)
        same = ToleranceRoughSet(metric=metric, lam=lam, tie_break="index")
        same.fit(X[rows], Y[rows])
        if same.added_[:2].tolist() != chosen:
            raise AssertionError((same.added_[:2], chosen))
        _, cpu, fitted = timed(
            lambda m=metric: ToleranceRoughSet(metric=m, tie_break="index").fit(X, Y)
        )
        k, (n, d) = len(fitted.reduct_), X.shape
        every = sum(d - r for r in range(k)) * n * n
        carried = seconds / cells * every
        print(
            f"direct {metric}: {cells / seconds:.3g} cells a CPU second on 400 rows, 2 "
            f"rounds; {every:.3g} cells for {k} rounds on {n} rows: {carried:.0f} s of "
            f"CPU against {cpu:.2f} s, ratio {carried / cpu:.0f}x (goal 100x)",
            flush=True,
        )


def fastest(selector, X, Y):
    """Return the CPU seconds of the faster of two runs, and the reduct."""
    seconds = [timed(lambda: selector.fit(X, Y))[1] for _ in range(2)]
    return min(seconds), selector.reduct_


def exponent(sizes, seconds):
    return np.polyfit(np.log(sizes), np.log(seconds), 1)[0]


def growth_part(X, Y):
    rng = np.random.default_rng(2)
    for metric in ("manhattan", "euclidean"):
        selector = ToleranceRoughSet(metric=metric)
        sizes, rows = [600, 1200, 2400], rng.permutation(len(X))
        cpu = [fastest(selector, X[rows[:n]], Y[rows[:n]])[0] for n in sizes]
        widths, columns = [70, 140, 280], rng.permutation(X.shape[1])
        wide = [fastest(selector, X[:, columns[:d]], Y)[0] for d in widths]
        print(
            f"growth {metric}: CPU {np.round(cpu, 2)} s for {sizes} rows, exponent "
            f"{exponent(sizes, cpu):.2f} (goal 2); {np.round(wide, 2)} s for {widths} "
            f"features, exponent {exponent(widths, wide):.2f} (goal 1)",
            flush=True,
        )


def path_part(X, Y):
    total_wall = total_cpu = 0.0
    for metric in ("manhattan", "euclidean"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wall, cpu, path = timed(
                lambda m=metric: ToleranceRoughSet(metric=m).lam_path(X, Y)
            )
        total_wall, total_cpu = total_wall + wall, total_cpu + cpu
        sizes = {fitted.lam: len(fitted.reduct_) for fitted in path}
        print(f"path {metric}: wall {wall:.1f} s, CPU {cpu:.1f} s; sizes {sizes}")
    print(
        f"path of both: wall {total_wall:.1f} s, CPU {total_cpu:.1f} s (target 45)",
        flush=True,
    )


def tmc_part():
    whole, Y = table("tmc2007-500", 28_596, 500, 22, binary=True)
    for missing in (0, 0.05):
        X = inject_missing(whole, missing, random_state=0)
        ToleranceRoughSet().fit(X[:300], Y[:300])
        wall, cpu, fitted = timed(lambda X=X: ToleranceRoughSet().fit(X, Y))
        print(
            f"tmc2007-500 {X.shape}, {missing:.0%} missing: wall {wall:.1f} s, CPU "
            f"{cpu:.1f} s (target 60); {len(fitted.reduct_)} features, dependency "
            f"{fitted.dependency_[-1]:.4f}"
        )
        code = (
            "import sys; sys.path[:0] = ['benchmarks', '.']\n"
            "from bench_rough import inject_missing, table, ToleranceRoughSet\n"
            "X, Y = table('tmc2007-500', 28596, 500, 22, binary=True)\n"
            f"X = inject_missing(X, {missing}, random_state=0)\n"
            "ToleranceRoughSet().fit(X[:300], Y[:300])\nBASELINE\n"
            "ToleranceRoughSet().fit(X, Y)\n"
        )
        memory = measure.peak_megabytes(code)
        print(
            f"  peak memory beyond the data {memory:.0f} MB (target 4096)", flush=True
        )
    rows = np.random.default_rng(0).permutation(len(X))[:6000]
    X, Y = X[rows], Y[rows]
    bits, bits_set = fastest(ToleranceRoughSet(), X, Y)
    neighborhoods_bits.MOST_VALUES = 0
    lists, lists_set = fastest(ToleranceRoughSet(), X, Y)
    neighborhoods_bits.MOST_VALUES = 16
    if bits_set.tolist() != lists_set.tolist():
        raise AssertionError((bits_set, lists_set))
    print(
        f"6000 rows of it: rows as bits {bits:.2f} s of CPU, pair by pair {lists:.2f} "
        f"s, ratio {lists / bits:.1f}x"
    )


def main(parts):
    X, Y = table("scene", 2407, 294, 6)
    X = inject_missing(X, 0.05, random_state=0)
    for name, part in (
        ("scene", scene_part),
        ("direct", direct_part),
        ("growth", growth_part),
        ("path", path_part),
    ):
        if not parts or name in parts:
            part(X, Y)
    if not parts or "tmc" in parts:
        tmc_part()


if __name__ == "__main__":
    main(sys.argv[1:])
