"""The nearest rows of each row, and how far their label sets are from its own."""

import numpy as np
from numba import njit

HAMMING, JACCARD, F1 = 0, 1, 2
_FEW = 64  # neighbours that are kept sorted by insertion


@njit(cache=True, nogil=True)
def _nearest(keys, own, k, rows, near):
    """Write the k rows of the smallest keys but ``own``, ties to the lower row."""
    if k > _FEW:
        found = 0
        for row in np.argsort(keys, kind="mergesort"):
            if row != own and found < k:
                rows[found] = row
                near[found] = keys[row]
                found += 1
        return found
    found = 0
    for row in range(len(keys)):
        key = keys[row]
        if row == own or (found == k and key >= near[k - 1]):
            continue
        j = found if found < k else k - 1
        while j > 0 and near[j - 1] > key:
            near[j] = near[j - 1]
            rows[j] = rows[j - 1]
            j -= 1
        near[j] = key
        rows[j] = row
        found = min(found + 1, k)
    return found


@njit(cache=True, nogil=True)
def label_distance(indptr, indices, i, j, n_labels, kind):
    """Return how far two label sets, lists of sorted labels, are apart: 0 to 1."""
    p, p_end = indptr[i], indptr[i + 1]
    q, q_end = indptr[j], indptr[j + 1]
    sizes = (p_end - p) + (q_end - q)
    if sizes == 0:
        return 0.0
    both = 0
    while p < p_end and q < q_end:
        if indices[p] == indices[q]:
            both += 1
            p += 1
            q += 1
        elif indices[p] < indices[q]:
            p += 1
        else:
            q += 1
    differ = sizes - 2 * both
    if kind == HAMMING:
        return differ / n_labels
    if kind == JACCARD:
        return differ / (sizes - both)
    return differ / sizes


@njit(cache=True, nogil=True)
def _shares(near, found, rank_weights, shares):
    """Share out 1 among sorted neighbours by rank; equally near ones share alike."""
    if len(rank_weights) == 0:
        for j in range(found):
            shares[j] = 1.0 / found
        return
    total = 0.0
    for j in range(found):
        total += rank_weights[j]
    i = 0
    while i < found:
        stop = i
        tied = 0.0
        while stop < found and near[stop] == near[i]:
            tied += rank_weights[stop]
            stop += 1
        for j in range(i, stop):
            shares[j] = tied / (stop - i) / total
        i = stop


@njit(cache=True, nogil=True)
def neighbor_shares(
    chosen, keys, k, rank_weights, indptr, indices, n_labels, kind, lists
):
    """List the neighbours of each chosen row with its shares of unlike and of like.

    ``keys`` holds the distances of the chosen rows as whole numbers. ``lists`` takes
    (rows, unlike, like), each of shape (len(chosen), k): a neighbour's share times the
    distance of the label sets, and times 1 less that distance.
    """
    rows, unlike, like = lists
    near = np.empty(k, dtype=np.int64)
    shares = np.empty(k)
    for place in range(len(chosen)):
        i = chosen[place]
        found = _nearest(keys[place], i, k, rows[place], near)
        _shares(near, found, rank_weights, shares)
        for j in range(found):
            gap = label_distance(indptr, indices, i, rows[place, j], n_labels, kind)
            unlike[place, j] = shares[j] * gap
            like[place, j] = shares[j] * (1.0 - gap)
