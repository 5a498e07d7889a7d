"""SPEC with very many labels: nearly as many label sets as rows, X and Y sparse.

    python benchmarks/bench_spec_labels.py          # up to 100 000 rows, 50 000 labels
    python benchmarks/bench_spec_labels.py --full   # and a million labels

Words and labels are drawn with a seed; the frequency of labels falls as 1 / rank ** 0.7
(a catalogue) or 1 / rank (tags, the harder case: a third of the rows have the first).
Printed are time, processor time, peak memory beyond the data, and, where that is not
too long, the time that visiting all pairs of label sets takes, with the difference.
"""

import sys
import time

import numpy as np
from measure import peak_megabytes

from labelsift.score import near_walk
from labelsift.select import SPEC

MADE = '''
import numpy as np
from scipy import sparse


def drawn(rng, n, d, per_row, power):
    """0/1 rows of about per_row ones; frequencies fall as 1 / rank ** power."""
    share = np.cumsum(1.0 / np.arange(1, d + 1) ** power)
    columns = np.searchsorted(share / share[-1], rng.random((n, per_row)))
    rows = np.repeat(np.arange(n), per_row)
    table = sparse.csr_array(
        (np.ones(rows.size), (rows, columns.ravel())), shape=(n, d)
    )
    table.sum_duplicates()
    table.data[:] = 1
    return table


def table(n, d, q, power):
    rng = np.random.default_rng(0)
    Y = drawn(rng, n, q, 5, power).astype(np.uint8)
    X = drawn(rng, n, d, 60, 1.0)
    X.data *= rng.geometric(0.6, X.nnz)
    return X, Y
'''
exec(MADE)


def measure(n, d, q, power):
    """Print the figures of one table; return seconds of all pairs, as estimated."""
    X, Y = table(n, d, q, power)  # noqa: F821
    SPEC().fit(X[:50], Y[:50])
    start, used = time.perf_counter(), time.process_time()
    selector = SPEC().fit(X, Y)
    spent, used = time.perf_counter() - start, time.process_time() - used
    memory = peak_megabytes(
        f"""{MADE}
from labelsift.select import SPEC
X, Y = table({n}, {d}, {q}, {power})
SPEC().fit(X[:50], Y[:50])
BASELINE
SPEC().fit(X, Y)
"""
    )
    print(
        f"{n} x {d}, {q} labels, 1 / rank ** {power}: {selector.n_label_sets_} label "
        f"sets; {spent:.1f} s, processor time {used:.1f} s; peak memory beyond the "
        f"data {memory:.0f} MB",
        flush=True,
    )
    return X, Y, selector, used


def against_all_pairs(X, Y, selector, used):
    """Print what visiting all pairs takes."""
    kept = near_walk.FEW_GROUPS
    near_walk.FEW_GROUPS = sys.maxsize
    start = time.process_time()
    every = SPEC().fit(X, Y)
    spent = time.process_time() - start
    near_walk.FEW_GROUPS = kept
    gap = np.nanmax(np.abs(every.phi_ - selector.phi_))
    print(
        f"  all pairs of label sets: processor time {spent:.1f} s, ratio "
        f"{spent / used:.1f}x; largest difference {gap:.1e}"
    )


def main():
    against_all_pairs(*measure(20_000, 20_000, 10_000, 0.7))
    measure(100_000, 20_000, 50_000, 0.7)
    if "--full" not in sys.argv[1:]:
        return
    measure(100_000, 20_000, 50_000, 1.0)
    measure(200_000, 100_000, 1_000_000, 0.5)  # a catalogue of a million labels


if __name__ == "__main__":
    main()
