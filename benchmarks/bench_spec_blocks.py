"""SPEC over blocks of rows: a million rows that are never held together.

    python benchmarks/bench_spec_blocks.py

Blocks are made with a seed while they are read, dense (100 features) and sparse (5 000
features, 60 entries a row). Printed are seconds with and without the making of the
blocks, the growth of peak memory of a fresh process, how time grows with the rows, and
the largest difference from one fit of a slice that fits in memory.
"""

import subprocess
import sys
import time

import numpy as np
from scipy import sparse

from labelsift.select import SPEC

ROWS, BLOCK, SLICE, WORDS = 1_000_000, 20_000, 60_000, 5_000
TARGET = "30 s, 500 MB"


class Made:
    """Blocks of (X, Y), the same each time that they are read.

    Parameters
    ----------
    kind : {"dense", "sparse"}
        Kind of X.
    n_rows, block : int
        Rows in all and of each block.
    """

    def __init__(self, kind, n_rows, block=BLOCK):
        self.kind, self.n_rows, self.block = kind, n_rows, block
        rng = np.random.default_rng(0)
        sets = (rng.random((1000, 20)) < 0.15).astype(np.uint8)
        self.sets = np.unique(sets, axis=0)
        share = 1.0 / np.arange(1, len(self.sets) + 1) ** 0.8
        self.share = np.cumsum(share / share.sum())
        self.effect = rng.normal(size=(20, 100))
        self.making = 0.0

    def __iter__(self):
        """Yield the blocks, and keep how long making them took."""
        self.making = 0.0
        for i in range(self.n_rows // self.block):
            start = time.perf_counter()
            block = self._block(np.random.default_rng([1, i]))
            self.making += time.perf_counter() - start
            yield block

    def _block(self, rng):
        n = self.block
        place = np.searchsorted(self.share, rng.random(n))
        Y = self.sets[np.minimum(place, len(self.sets) - 1)]
        if self.kind == "dense":
            return rng.normal(size=(n, 100)) + 0.3 * (Y @ self.effect), Y
        words = np.floor(WORDS ** rng.random((n, 60))).astype(np.int64) - 1
        words = (words + 7 * Y.argmax(axis=1)[:, None]) % WORDS
        rows = np.repeat(np.arange(n), 60)
        X = sparse.coo_array((np.ones(words.size), (rows, words.ravel())))
        X.resize(n, WORDS)
        return sparse.csr_array(X), sparse.csr_array(Y)


def stacked(parts):
    """Return the blocks as one table."""
    stack = sparse.vstack if sparse.issparse(parts[0]) else np.vstack
    return stack(parts)


def measure(kind):
    """Fit on all rows, and print time and peak memory; for a fresh process."""
    SPEC().fit_blocks(Made(kind, 100, block=50))  # compiles
    base = peak()
    blocks = Made(kind, ROWS)
    start, used = time.perf_counter(), time.process_time()
    selector = SPEC().fit_blocks(blocks)
    spent, used = time.perf_counter() - start, time.process_time() - used
    print(
        f"{kind}, {ROWS} rows x {selector.n_features_in_}, "
        f"{selector.n_label_sets_} label sets: {spent:.1f} s, of them making the rows "
        f"{blocks.making:.1f} s; processor time {used:.1f} s; "
        f"peak memory {peak() - base:.0f} MB; target {TARGET}"
    )


def peak():
    """Return the peak memory of this process in MB."""
    import resource

    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main():
    for kind in ("dense", "sparse"):
        subprocess.run([sys.executable, __file__, kind], check=True)
        parts = list(Made(kind, SLICE))
        X, Y = (stacked(part) for part in zip(*parts, strict=True))
        whole, blocks = SPEC().fit(X, Y), SPEC().fit_blocks(parts)
        gap = np.nanmax(np.abs(whole.phi_ - blocks.phi_))
        same = whole.order_.tolist() == blocks.order_.tolist()
        print(
            f"  {SLICE} rows in {len(parts)} blocks and at once: largest difference "
            f"{gap:.1e}, same order: {same}"
        )
        sizes, times = [100_000, 300_000, 1_000_000], []
        for n in sizes:
            made = Made(kind, n)
            start = time.perf_counter()
            SPEC().fit_blocks(made)
            times.append(time.perf_counter() - start - made.making)
        slope = np.polyfit(np.log(sizes), np.log(times), 1)[0]
        print(f"  time grows as n ** {slope:.2f} (target: at most 1)")


if __name__ == "__main__":
    measure(sys.argv[1]) if len(sys.argv) > 1 else main()
