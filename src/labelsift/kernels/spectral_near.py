"""Spectral scores where few label sets share a label: only such pairs are visited."""

import numpy as np
from numba import njit

_COSINE, _RBF = 2, 1  # as in kernels.spectral


# nothing below divides by zero
@njit(cache=True, nogil=True, error_model="numpy")
def near_rows(
    kind,
    start,
    stop,
    set_indptr,
    set_indices,
    label_indptr,
    label_sets,
    label_weights,
    set_weights,
    base,
    bandwidth,
    counts,
    room,
    reach,
):
    """List the smaller sets that share a label with each of the sets start..stop-1.

    Returns where each list begins, the sets, and their similarities less the product
    of the ``base`` of both, which is what sets without a common label have. ``reach``
    gets the same, over smaller and larger sets, times ``counts``. ``room`` is enough
    for all lists.
    """
    n_sets = len(counts)
    shared = np.zeros(n_sets)
    touched = np.empty(n_sets, dtype=np.int32)
    indptr = np.zeros(stop - start + 1, dtype=np.int64)
    near = np.empty(room, dtype=np.int32)
    weights = np.empty(room)
    used = 0
    for g in range(start, stop):
        n_touched = 0
        for p in range(set_indptr[g], set_indptr[g + 1]):
            label = set_indices[p]
            weight = label_weights[label]
            for j in range(label_indptr[label], label_indptr[label + 1]):
                h = label_sets[j]
                if shared[h] == 0.0:
                    touched[n_touched] = h
                    n_touched += 1
                shared[h] += weight
        own = set_weights[g]
        total = 0.0
        for t in range(n_touched):
            h = touched[t]
            both = shared[h]
            shared[h] = 0.0
            if h == g:
                continue
            if kind == _RBF:
                distance = own + set_weights[h] - 2.0 * both
                similarity = np.exp(-distance / (2.0 * bandwidth * bandwidth))
                similarity -= base[g] * base[h]
            elif kind == _COSINE:
                similarity = both / np.sqrt(own * set_weights[h])
            else:
                similarity = both / (own + set_weights[h] - both)
            total += similarity * counts[h]
            if h < g:
                near[used] = h
                weights[used] = similarity
                used += 1
        reach[g] = total
        indptr[g - start + 1] = used
    return indptr, near[:used].copy(), weights[:used].copy()


@njit(cache=True, nogil=True)
def near_forms_sparse(
    start, indptr, near, weights, own, row_indptr, features, sums, n_features
):
    """Return the part of s'Js of the groups that the lists are for, sparse sums.

    ``row_indptr``, ``features`` and ``sums`` are the sums group by group; ``own`` is
    the diagonal.
    """
    forms = np.zeros(n_features)
    place = np.full(n_features, -1, dtype=np.int32)
    found = np.empty(n_features)
    for k in range(len(indptr) - 1):
        g = start + k
        first, last = row_indptr[g], row_indptr[g + 1]
        for i in range(first, last):
            place[features[i]] = i - first
            found[i - first] = 0.0
        for p in range(indptr[k], indptr[k + 1]):
            h, weight = near[p], weights[p]
            for j in range(row_indptr[h], row_indptr[h + 1]):
                i = place[features[j]]
                if i >= 0:
                    found[i] += weight * sums[j]
        for i in range(first, last):
            value = sums[i]
            forms[features[i]] += value * (2.0 * found[i - first] + own[g] * value)
            place[features[i]] = -1
    return forms


@njit(cache=True, nogil=True)
def near_forms_dense(start, indptr, near, weights, own, sums):
    """Return the part of s'Js of the groups that the lists are for, dense sums."""
    width = sums.shape[1]
    forms = np.zeros(width)
    found = np.empty(width)
    for k in range(len(indptr) - 1):
        found[:] = 0.0
        for p in range(indptr[k], indptr[k + 1]):
            weight, other = weights[p], sums[near[p]]
            for f in range(width):
                found[f] += weight * other[f]
        mine, diagonal = sums[start + k], own[start + k]
        for f in range(width):
            forms[f] += mine[f] * (2.0 * found[f] + diagonal * mine[f])
    return forms
