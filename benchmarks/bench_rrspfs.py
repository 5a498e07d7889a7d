"""RRSPFS on a table of gene-expression shape, and on a text of hundreds of labels.

Genes: 190 rows, 16 063 features and 14 classes, the shape of the GCM data, with genes
planted for single class pairs; supervised cuts inside each of the 91 subproblems: time,
growth, a plain numpy loop.

Text: 1 500 rows of delicious, 500 words, 983 labels. Words have two values, and their
pairs are counted; the walk over the rows of each pair is what other features get. Both
ways on the pairs of 300 labels, then the whole fit.
"""

import time
from itertools import combinations

import measure
import numpy as np
from scipy import sparse
from sklearn.metrics import mutual_info_score

from labelsift import load_dataset
from labelsift.encode.mdl import RULES
from labelsift.score.round_robin import round_robin
from labelsift.select import RRSPFS
from labelsift.statistics.pair_ratios import pair_ratios, usable_pairs

ROWS, GENES, CLASSES = 190, 16_063, 14


def planted(n_features=GENES, seed=0):
    """Return noise in which every pair of classes has a gene that tells it apart."""
    rng = np.random.default_rng(seed)
    y = np.sort(np.r_[np.arange(CLASSES), rng.integers(0, CLASSES, ROWS - CLASSES)])
    X = rng.normal(size=(ROWS, n_features))
    pairs = list(combinations(range(CLASSES), 2))
    for gene, (a, b) in enumerate(pairs):
        X[y == a, gene] -= 3
        X[y == b, gene] += 3
    return X, y, len(pairs)


def plain_cuts(values, classes):
    """Fayyad and Irani's cuts of one sorted feature for two classes, with numpy."""
    n = len(values)
    places = np.flatnonzero(values[1:] > values[:-1]) + 1
    if not len(places):
        return []
    ones = np.cumsum(classes)
    left, left_ones = places, ones[places - 1]
    right, right_ones = n - left, ones[-1] - left_ones

    def entropy(total, some):
        p = np.stack([some, total - some]) / total
        with np.errstate(divide="ignore", invalid="ignore"):
            return -np.where(p > 0, p * np.log2(p), 0).sum(axis=0)

    on_left, on_right = entropy(left, left_ones), entropy(right, right_ones)
    rest = (left * on_left + right * on_right) / n
    at = int(np.argmin(np.round(rest, 10)))
    whole = float(entropy(np.array([n]), np.array([ones[-1]]))[0])
    gain = whole - rest[at]
    if gain <= 1e-12:
        return []
    k_left = len(np.unique(classes[: places[at]]))
    k_right = len(np.unique(classes[places[at] :]))
    delta = np.log2(7) - (2 * whole - k_left * on_left[at] - k_right * on_right[at])
    if gain <= (np.log2(len(places)) + delta) / n:
        return []
    cut = places[at]
    middle = (values[cut - 1] + values[cut]) / 2
    return [
        *plain_cuts(values[:cut], classes[:cut]),
        middle,
        *plain_cuts(values[cut:], classes[cut:]),
    ]


def plain_loop(X, y):
    """Return the order by a loop over subproblems and features."""
    scores, sizes = [], []
    for a, b in combinations(range(CLASSES), 2):
        rows = np.flatnonzero((y == a) | (y == b))
        target = (y[rows] == b).astype(int)
        column = np.zeros(X.shape[1])
        for f in range(X.shape[1]):
            values = X[rows, f]
            order = np.argsort(values, kind="stable")
            cuts = plain_cuts(values[order], target[order])
            if cuts:
                bins = np.searchsorted(cuts, values, side="left")
                share = np.bincount(bins) / len(bins)
                entropy = -np.sum(share * np.log(share))
                column[f] = mutual_info_score(bins, target) / entropy
        scores.append(column)
        sizes.append(len(rows))
    return round_robin(np.array(scores).T, np.array(sizes), "level")


def processor_seconds(X, y):
    """Return the least processor time of five fits; others disturb it less."""
    times = []
    for _ in range(5):
        start = time.process_time()
        RRSPFS().fit(X, y)
        times.append(time.process_time() - start)
    return min(times)


def words(folder):
    """Return words and labels of 1 500 rows of delicious."""
    data = load_dataset(folder / "delicious.arff.gz", xml=folder / "delicious.xml")
    rows = np.random.default_rng(0).permutation(data.n_samples)[:1500]
    return sparse.csr_array(data.X[rows]), sparse.csr_array(data.Y[rows])


def text(folder):
    """Print what counting gains over walking, and what the whole text takes."""
    X, Y = words(folder)
    some, part = X[:, :100], Y[:, :300]
    first, second, _ = usable_pairs(part)
    rule = RULES["fayyad_irani", "better"]
    seconds, found = {}, {}
    for by_counts in (True, False):
        pair_ratios(X[:, :3], part, first[:9], second[:9], rule, by_counts=by_counts)
        start = time.process_time()
        found[by_counts] = pair_ratios(
            some, part, first, second, rule, by_counts=by_counts
        )
        seconds[by_counts] = time.process_time() - start
    measure.report(
        f"delicious, 1500 x 100, {len(first)} pairs of 300 labels (processor time)",
        seconds[True],
        seconds[False],
        peer="walk over the rows",
    )
    print(f"same to the last bit: {found[True].tobytes() == found[False].tobytes()}")
    start = time.process_time()
    fitted = RRSPFS().fit(X, Y)
    took = time.process_time() - start
    size = fitted.scores_per_problem_.values.nbytes / 1e6
    n_pairs = len(fitted.problem_sizes_)
    print(
        f"RRSPFS delicious 1500 x 500, {n_pairs} pairs of 983 labels: {took:.1f} s of "
        f"processor time; its scores take {size:.0f} MB",
        flush=True,
    )
    del fitted, found
    memory = measure.peak_megabytes(
        "import sys; sys.path.insert(0, 'benchmarks')\n"
        "from pathlib import Path\n"
        "from bench_rrspfs import *\n"
        f"X, Y = words(Path({str(folder)!r}))\n"
        "RRSPFS().fit(X, Y[:, :20])\n"
        "BASELINE\n"
        "RRSPFS().fit(X, Y)"
    )
    print(f"peak memory beyond the data, scores included: {memory:.0f} MB")


def main():
    """Print every figure."""
    X, y, n_planted = planted()
    seconds, fitted = measure.seconds(lambda: RRSPFS().fit(X, y))
    found = len(set(fitted.order_[: 2 * n_planted]) & set(range(n_planted)))
    memory = measure.peak_megabytes(
        "import sys; sys.path.insert(0, 'benchmarks')\n"
        "from bench_rrspfs import *\n"
        "X, y, _ = planted()\n"
        "RRSPFS().fit(X[:, :300], y)\n"
        "BASELINE\n"
        "RRSPFS().fit(X, y)"
    )
    measure.report(
        f"RRSPFS {ROWS} x {GENES}, 91 subproblems with MDL",
        seconds,
        memory=memory,
        target="< 1 s",
    )
    print(f"processor time of all threads: {processor_seconds(X, y):.2f} s")
    print(f"planted genes among the first {2 * n_planted}: {found} of {n_planted}")

    sizes = [1000, 2000, 4000, 8000, GENES]
    times = [processor_seconds(X[:, :d], y) for d in sizes]
    slope = np.polyfit(np.log(sizes), np.log(times), 1)[0]
    shown = ", ".join(f"{d}: {t:.3f} s" for d, t in zip(sizes, times, strict=True))
    print(
        f"growth of processor time with the features ({shown}): exponent "
        f"{slope:.2f}; target 1"
    )

    slice_ = X[:, :200]
    start = time.perf_counter()
    order = plain_loop(slice_, y)
    plain = time.perf_counter() - start
    ours, fitted = measure.seconds(lambda: RRSPFS().fit(slice_, y))
    measure.report(
        "a slice of 200 features", ours, plain, peer="numpy loop", target=">= 20x"
    )
    print(f"same ranking: {bool((fitted.order_ == order).all())}")

    text(measure.data_folder())


if __name__ == "__main__":
    main()
