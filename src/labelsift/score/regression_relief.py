"""Relief for label sets as the target: distances of label sets in place of classes."""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np

from labelsift.kernels.progress import teller
from labelsift.kernels.regression_relief import F1, HAMMING, JACCARD, neighbor_shares
from labelsift.kernels.threads import run_blocks
from labelsift.score.relief import scaled
from labelsift.score.relief_rows import ReliefRows

Array = np.ndarray[Any, Any]
LABEL_DISTANCES = {"hamming": HAMMING, "jaccard": JACCARD, "f1": F1}
_ROWS = 64  # rows whose distances are held at a time, for each thread
_NEIGHBORS = 1 << 21  # neighbours listed before their differences are added
_NOISE_BITS = 12  # of a distance: it is compared at about 12 significant digits


def regression_relief_weights(
    table: ReliefRows,
    label_sets: tuple[Array, Array],
    *,
    n_labels: int,
    label_distance: str,
    n_neighbors: int,
    sigma: float | None = None,
) -> Array:
    """Return the weight of every feature.

    Parameters
    ----------
    table : ReliefRows
        The rows.
    label_sets : tuple of ndarray
        CSR ``indptr`` and sorted ``indices`` of the labels of each row.
    n_labels : int
        What Hamming distances are divided by.
    label_distance : {"hamming", "jaccard", "f1"}
        How far two label sets are apart.
    n_neighbors : int
        Nearest rows looked at for each row; all others if there are fewer.
    sigma : float, optional
        Weigh the r-th nearest (from 0) by exp(-(r / sigma)**2) instead of equally.

    Returns
    -------
    ndarray of shape (n_features,), float64
        Mean difference to neighbours, weighted by the distance of the label sets,
        less that weighted by their likeness; from -1 to 1.
    """
    n = table.n
    k = min(n_neighbors, n - 1)
    weights = np.zeros((2, table.d))
    if k == 0:
        return np.zeros(table.d)
    ranks = np.zeros(0) if sigma is None else np.exp(-((np.arange(k) / sigma) ** 2))
    report = teller("rows")
    told = None if report is None else scaled(report, n, 0.0, n / (n + 2.0 * k))
    known = table.all_distances(block=_ROWS, report=told)
    if report is not None:
        share = 0.0 if known is None else n / (n + 2.0 * k)
        told = scaled(report, n, share, 1.0)
    lock, done = Lock(), [0]
    kind = LABEL_DISTANCES[label_distance]
    total = np.zeros(2)
    step = max(_ROWS, _NEIGHBORS // k)
    for start in range(0, n, step):
        stop = min(start + step, n)
        lists = (
            np.empty((stop - start, k), dtype=np.int32),
            np.empty((stop - start, k)),
            np.empty((stop - start, k)),
        )

        def work(a: int, b: int, start: int = start, lists: Any = lists) -> None:
            rows = np.arange(start + a, start + b)
            distances = table.distances(rows) if known is None else known[rows]
            parts = tuple(part[a:b] for part in lists)
            neighbor_shares(
                rows, _keys(distances), k, ranks, *label_sets, n_labels, kind, parts
            )
            if told is not None:
                with lock:
                    done[0] += b - a
                    told(done[0] / n)

        run_blocks(work, stop - start, block=_ROWS)
        rows, *shares = lists
        owners = np.arange(start, stop, dtype=np.int32)
        indptr = np.arange(0, rows.size + 1, k)
        for target, share in enumerate(shares):
            total[target] += share.sum()
            problems = np.full(stop - start, target, dtype=np.int32)
            table.add_weights(
                owners, problems, indptr, rows.ravel(), share.ravel(), weights
            )
    means = np.divide(weights, total[:, None], out=weights, where=total[:, None] > 0)
    result: Array = means[0] - means[1]
    return result


def _keys(distances: Array) -> Array:
    """Return whole numbers in the order of the distances, rounding noise left out.

    Distances that are equal but for the order in which their terms are added must be
    equal, or that order would decide who is a neighbour.
    """
    bits = np.ascontiguousarray(distances).view(np.int64)
    keys: Array = (bits + (1 << (_NOISE_BITS - 1))) >> _NOISE_BITS
    return keys
