"""The forward search: every prefix of a ranking, all folds, several classifiers.

Data are in LABELSIFT_DATA, else in the shared folder beside the clone. Options:
``--papers`` adds the 10 x 10 folds of the chi-square paper on three data sets.
"""

import os
import resource
import sys
import time

import numpy as np
from measure import data_folder, report

from labelsift.evaluate import performance_path
from labelsift.kernels.threads import n_threads
from labelsift.learn import IBLR, BRkNN, DMLkNN, MLkNN
from labelsift.learn.neighbor_path import prefix_neighbors
from labelsift.read import load_dataset
from labelsift.select import Chi2

os.environ["LABELSIFT_DATA"] = str(data_folder())  # where known sets are found
THREE = {"ML-kNN": MLkNN(), "BRkNN": BRkNN(), "DMLkNN": DMLkNN()}


def cpu():
    """Return the CPU seconds of this process and of those that it waited for."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in (
            resource.getrusage(resource.RUSAGE_SELF),
            resource.getrusage(resource.RUSAGE_CHILDREN),
        )
    )


def timed(call):
    """Return wall and CPU seconds, the latter with all worker processes."""
    start, used = time.perf_counter(), cpu()
    result = call()
    wall = time.perf_counter() - start
    close_workers()
    return wall, cpu() - used, result


def close_workers():
    """End worker processes, so that their CPU time is counted."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True)


def plain_mlknn(X, Y, queries, k=10, s=1.0):
    """ML-kNN as one writes it on scikit-learn's neighbours."""
    from sklearn.neighbors import NearestNeighbors

    near = NearestNeighbors(n_neighbors=k).fit(X)
    prior = (s + Y.sum(axis=0)) / (2 * s + len(Y))
    counts = Y[near.kneighbors(return_distance=False)].sum(axis=1)
    grid = np.arange(k + 1)[:, None]
    share = []
    for value in (1, 0):
        seen = np.array(
            [((counts == j) & (value == Y)).sum(axis=0) for j in grid.ravel()]
        )
        share.append((s + seen) / (s * (k + 1) + seen.sum(axis=0)))
    asked = Y[near.kneighbors(queries, return_distance=False)].sum(axis=1)
    labels = np.arange(Y.shape[1])
    yes = prior * share[0][asked, labels]
    no = (1 - prior) * share[1][asked, labels]
    return yes / (yes + no), (yes > no).astype(int)


def skmultilearn_mlknn(X, Y, queries):
    """ML-kNN of scikit-multilearn-ng, where it is installed."""
    from skmultilearn.adapt import MLkNN as Peer

    peer = Peer(k=10).fit(X, Y)
    return peer.predict_proba(queries).toarray(), peer.predict(queries).toarray()


def neighbour_pass(X):
    order = np.random.default_rng(0).permutation(X.shape[1])
    sizes = np.arange(1, X.shape[1] + 1)
    list(prefix_neighbors(X[:64], X[:1], order, sizes))  # compile
    return timed(lambda: sum(1 for _ in prefix_neighbors(X, X[:1], order, sizes)))


def path(dataset, classifiers, jobs, **options):
    return timed(
        lambda: performance_path(
            Chi2(aggregate="mean"), classifiers, dataset, n_jobs=jobs, **options
        )
    )


def loop_over_prefixes(name, peer, X, Y, order, slice_of_sizes):
    """Return what ten folds of all prefixes would take with a peer, from a slice."""
    train, test = np.arange(0, len(X) * 9 // 10), np.arange(len(X) * 9 // 10, len(X))
    spent = []
    for size in slice_of_sizes:
        columns = np.sort(order[:size])
        start, used = time.perf_counter(), cpu()
        peer(X[train][:, columns], Y[train], X[test][:, columns])
        spent.append((time.perf_counter() - start, cpu() - used))
    wall, used = np.mean(spent, axis=0)
    fits = X.shape[1] * 10
    print(
        f"{name}: {wall:.3g} s (CPU {used:.3g} s) a prefix and fold over sizes "
        f"{list(slice_of_sizes)}, so {wall * fits:.0f} s (CPU {used * fits:.0f} s)"
    )
    return wall * fits, used * fits


def main():
    threads = n_threads()
    scene = load_dataset("scene")
    X, Y = np.asarray(scene.X), np.asarray(scene.Y).astype(int)
    print(f"{threads} threads; scene {X.shape}, {Y.shape[1]} labels")
    wall, used, _ = neighbour_pass(X)
    report("neighbours of all rows, 294 prefixes", wall, target="0.46 s (trial)")
    print(f"  CPU {used:.2f} s, on {threads} quiet cores {used / threads:.2f} s")
    tiny = scene.X[:200], scene.Y[:200]
    both = {**THREE, "IBLR": IBLR()}
    performance_path(Chi2(), both, *tiny, cv=2, grid=[3])  # compile
    alone, alone_used, found = path(scene, {"ML-kNN": MLkNN()}, threads)
    order = found.rankings[0].order
    slice_of_sizes = (10, 80, 150, 220, 290)
    peers = {"scikit-learn's neighbours": plain_mlknn}
    try:
        import skmultilearn.adapt  # noqa: F401

        peers["scikit-multilearn-ng"] = skmultilearn_mlknn
    except ImportError:
        print("scikit-multilearn-ng is not installed here")
    for name, peer in peers.items():
        whole, used = loop_over_prefixes(name, peer, X, Y, order, slice_of_sizes)
        report("scene, ML-kNN, 10 folds", alone, whole, peer=name, target="100x")
        print(f"  CPU {alone_used:.1f} s, ratio of CPU {used / alone_used:.0f}x")
    for classifiers, target in ((THREE, "12 s"), (both, "40 s")):
        wall, used, found = path(scene, classifiers, threads)
        names = " + ".join(classifiers)
        report(f"scene, {names}, {len(found.cells)} cells", wall, target=target)
        print(f"  CPU {used:.1f} s, on {threads} quiet cores {used / threads:.1f} s")
    if "--papers" in sys.argv:
        total = total_used = 0.0
        for name in ("emotions", "scene", "yeast"):
            dataset = load_dataset(name)
            three = {how: Chi2(aggregate=how) for how in ("mean", "max", "min")}
            wall, used, found = timed(
                lambda dataset=dataset, three=three: performance_path(
                    three, {"ML-kNN": MLkNN()}, dataset, n_repeats=10, n_jobs=threads
                )
            )
            total, total_used = total + wall, total_used + used
            report(f"{name}, 10 x 10 folds, three aggregates, all sizes", wall)
            print(f"  CPU {used:.1f} s, {len(found.cells)} cells")
        report("chi-square paper in all", total)
        print(f"  CPU {total_used:.1f} s")


if __name__ == "__main__":
    main()
