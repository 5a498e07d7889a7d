"""A million labels: chi-square and information gain of all pairs in one pass.

    python benchmarks/bench_extreme.py            # a tenth of the rows
    python benchmarks/bench_extreme.py --full     # 490 449 x 135 909, 670 091 labels

The peers are a plain program of scipy products on blocks of features, on a share of
them, and a loop of scikit-learn's chi2 over labels, of which some are timed.
"""

import sys
import time

import numpy as np
from extreme_data import SIZES, extreme
from measure import peak_megabytes, report
from sklearn.feature_selection import chi2 as sklearn_chi2

from labelsift.select import Chi2, InfoGain

TIMED_LABELS = 10
SHARE = 50  # one feature in so many for the plain program

MEMORY = """
import sys
sys.path.insert(0, {here!r})
from extreme_data import extreme
from labelsift.select import Chi2
Chi2(discretize="presence").fit(*extreme(300, 400, 70000))
X, Y = extreme(*{sizes!r})
BASELINE
Chi2(discretize="presence").fit(X, Y)
"""


def plain_mean(X, Y):
    """Mean over labels from a table of meetings and the closed form of the others."""
    n, q = Y.shape
    X = X.tocsc()
    m = np.diff(X.indptr).astype(float)
    p = np.bincount(Y.indices, minlength=q).astype(float)
    met = (X.T.astype(np.int32) @ Y.astype(np.int32)).tocsr()
    of = np.repeat(np.arange(X.shape[1]), np.diff(met.indptr))
    gap = met.data * float(n) - m[of] * p[met.indices]
    usable = m * (n - m) > 0
    scale = np.divide(n, m * (n - m), out=np.zeros_like(m), where=usable)
    value = gap * gap * scale[of] / (p * (n - p))[met.indices]
    odds = p / (n - p)
    base = n * m / np.where(m < n, n - m, 1) * (m < n)
    closed = base[of] * odds[met.indices]
    return (base * odds.sum() + np.bincount(of, value - closed, minlength=len(m))) / q


def growth(n, d, q):
    """Print how processor time grows with rows, and with labels."""
    ladders = {
        "rows": [(n // part, d, q) for part in (8, 4, 2, 1)],
        "labels": [(n, d, q // part) for part in (64, 16, 4, 1)],
    }
    for (name, ladder), axis in zip(ladders.items(), (0, 2), strict=True):
        times = []
        for sizes in ladder:
            X, Y = extreme(*sizes)
            start = time.process_time()
            Chi2(discretize="presence").fit(X, Y)
            times.append(time.process_time() - start)
        sizes = np.log([sizes[axis] for sizes in ladder])
        slope = np.polyfit(sizes, np.log(times), 1)[0]
        last = np.log(times[-1] / times[-2]) / (sizes[-1] - sizes[-2])
        print(
            f"chi2, processor time grows as {name} ** {slope:.2f} from "
            f"{ladder[0][axis]} to {ladder[-1][axis]} ({times[0]:.2f} s to "
            f"{times[-1]:.2f} s; {last:.2f} at the end)",
            flush=True,
        )


def main():
    n, d, q = SIZES
    if "--full" not in sys.argv[1:]:
        n //= 10
    X, Y = extreme(n, d, q)
    meetings = int((np.diff(X.indptr) * np.diff(Y.indptr)).sum())
    small = extreme(300, 400, 70_000)
    for kind in (Chi2, InfoGain):
        kind(discretize="presence").fit(*small)
    wall, used = time.perf_counter(), time.process_time()
    fitted = Chi2(discretize="presence").fit(X, Y)
    wall, used = time.perf_counter() - wall, time.process_time() - used
    few = X.tocsc()[:, ::SHARE]
    start = time.process_time()
    expected = plain_mean(few, Y)
    plain = (time.process_time() - start) * SHARE
    np.testing.assert_allclose(fitted.scores_[::SHARE], expected, rtol=1e-9)
    start = time.process_time()
    for label in range(TIMED_LABELS):
        sklearn_chi2(X, Y[:, [label]].toarray().ravel())
    loop = (time.process_time() - start) / TIMED_LABELS * q
    memory = peak_megabytes(MEMORY.format(here=sys.path[0], sizes=(n, d, q)))
    name = f"chi2 {n} x {d}, {q} labels, {meetings / 1e6:.0f} M meetings"
    full = "4 s on two quiet cores and 300 MB" if n == SIZES[0] else None
    report(f"{name}, wall", wall)
    report(
        f"{name}, processor", used, plain, peer=f"scipy ({SHARE} x a share)",
        memory=memory, target=full,
    )  # fmt: skip
    print(f"a loop of scikit-learn over the labels, extrapolated: {loop:.3g} s")
    wall, used = time.perf_counter(), time.process_time()
    InfoGain(discretize="presence").fit(X, Y)
    wall, used = time.perf_counter() - wall, time.process_time() - used
    report(f"information gain, the same data ({used:.1f} s of processor)", wall)
    del X, Y, few
    growth(n, d, q)


if __name__ == "__main__":
    main()
