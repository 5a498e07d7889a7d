"""Similarities of label sets, and the quadratic forms of the spectral scores."""

import numpy as np
from numba import njit

JACCARD, RBF, COSINE, SAME_CLASS = 0, 1, 2, 3


# nothing below divides by zero; without Python's check for it, division is vectorised
@njit(cache=True, nogil=True, error_model="numpy")
def similarity_rows(
    kind,
    start,
    stop,
    set_indptr,
    set_indices,
    label_indptr,
    label_sets,
    label_weights,
    set_weights,
    counts,
    bandwidth,
    empty_similarity,
    rows,
):
    """Fill ``rows`` with the similarities of the sets start..stop-1 to the first sets.

    To as many as ``rows`` has columns; the sets start..stop-1 are among them.
    ``label_indptr`` and ``label_sets`` list the sets that hold each label.
    ``set_weights`` is the total label weight of each set; with weights of 1 the
    Jaccard similarity is the plain one.
    """
    n_sets = rows.shape[1]
    for g in range(start, stop):
        row = rows[g - start]
        if kind == SAME_CLASS:
            row[:] = 0.0
            scale = empty_similarity if set_indptr[g + 1] == set_indptr[g] else 1.0
            row[g] = scale / counts[g]
            continue
        row[:] = 0.0
        for p in range(set_indptr[g], set_indptr[g + 1]):
            label = set_indices[p]
            weight = label_weights[label]
            for j in range(label_indptr[label], label_indptr[label + 1]):
                h = label_sets[j]
                if h >= n_sets:
                    break
                row[np.uintp(h)] += weight  # unsigned: no check for one from the end
        # one plain loop for each kind: the compiler takes several sets at a time
        own = set_weights[g]
        if kind == RBF:
            for h in range(n_sets):
                distance = own + set_weights[h] - 2.0 * row[h]
                row[h] = np.exp(-distance / (2.0 * bandwidth * bandwidth))
        elif own == 0.0:
            for h in range(n_sets):
                row[h] = empty_similarity if set_weights[h] == 0.0 else 0.0
        elif kind == JACCARD:
            for h in range(n_sets):
                row[h] = row[h] / (own + set_weights[h] - row[h])
        else:
            for h in range(n_sets):
                if row[h] > 0.0:
                    row[h] = row[h] / np.sqrt(own * set_weights[h])


@njit(cache=True, nogil=True)
def sets_of_labels(set_indptr, set_indices, label_indptr, label_sets):
    """Write which sets hold each label, in rising order: the lists turned round.

    ``label_indptr`` has one entry more than there are labels, all zero.
    """
    for label in set_indices:
        label_indptr[label + 1] += 1
    for label in range(len(label_indptr) - 1):
        label_indptr[label + 1] += label_indptr[label]
    place = label_indptr[:-1].copy()
    for g in range(len(set_indptr) - 1):
        for p in range(set_indptr[g], set_indptr[g + 1]):
            label = set_indices[p]
            label_sets[place[label]] = g
            place[label] += 1


@njit(cache=True, nogil=True)
def centre_moments(sums, squares, counts, mean, own_sums, own_squares):
    """Write the moments about ``mean``; the output may be wider than the input."""
    for g in range(len(counts)):
        n = float(counts[g])
        total, new = sums[g], own_sums[g]
        for f in range(len(mean)):
            new[f] = total[f] - n * mean[f]
        square, moved = squares[g], own_squares[g]
        for f in range(len(mean)):
            moved[f] = square[f] - (total[f] + new[f]) * mean[f]


@njit(cache=True, nogil=True)
def distance_histogram(
    start,
    stop,
    set_indptr,
    set_indices,
    label_indptr,
    label_sets,
    counts,
    n_bins,
):
    """Count pairs of rows by the squared distance of their label sets."""
    n_sets = len(counts)
    shared = np.zeros(n_sets, dtype=np.int64)
    histogram = np.zeros(n_bins, dtype=np.int64)
    for g in range(start, stop):
        shared[:] = 0
        for p in range(set_indptr[g], set_indptr[g + 1]):
            label = set_indices[p]
            for j in range(label_indptr[label], label_indptr[label + 1]):
                shared[label_sets[j]] += 1
        size = set_indptr[g + 1] - set_indptr[g]
        for h in range(g):
            distance = size + set_indptr[h + 1] - set_indptr[h] - 2 * shared[h]
            histogram[distance] += counts[g] * counts[h]
    return histogram


@njit(cache=True, nogil=True)
def add_dense_forms(rows, start, sums, forms):
    """Add the rows' part of s'Js to ``forms``, for every column s of ``sums``.

    ``rows`` are the rows of the symmetric J from ``start`` on. Four rows go together,
    so that each value of ``sums`` is read a quarter as often; the order of the
    additions for one column depends on nothing but the number of groups.
    """
    n_rows = rows.shape[0]
    width = sums.shape[1]
    part = np.empty((4, width))
    for first in range(0, n_rows, 4):
        n_tile = min(4, n_rows - first)
        g = start + first
        part[:] = 0.0
        if n_tile == 4:
            p0, p1, p2, p3 = part[0], part[1], part[2], part[3]
            for h in range(g):
                w0 = rows[first, h]
                w1 = rows[first + 1, h]
                w2 = rows[first + 2, h]
                w3 = rows[first + 3, h]
                if w0 == 0.0 and w1 == 0.0 and w2 == 0.0 and w3 == 0.0:
                    continue
                values = sums[h]
                for c in range(width):
                    value = values[c]
                    p0[c] += w0 * value
                    p1[c] += w1 * value
                    p2[c] += w2 * value
                    p3[c] += w3 * value
        else:
            for a in range(n_tile):
                for h in range(g):
                    weight = rows[first + a, h]
                    for c in range(width):
                        part[a, c] += weight * sums[h, c]
        for a in range(n_tile):
            for b in range(a):
                weight = rows[first + a, g + b]
                for c in range(width):
                    part[a, c] += weight * sums[g + b, c]
            own = rows[first + a, g + a]
            for c in range(width):
                value = sums[g + a, c]
                forms[c] += value * (2.0 * part[a, c] + own * value)


@njit(cache=True, nogil=True)
def add_sparse_forms(rows, start, indptr, groups, sums, columns, place, forms):
    """Add the rows' part of s'Js to ``forms``, for sparse columns s.

    The cost is the square of a column's number of groups. ``place`` is where each
    column's entries of the next rows begin; it is moved on.
    """
    stop = start + rows.shape[0]
    for f in columns:
        begin, end, i = indptr[f], indptr[f + 1], place[f]
        form = forms[f]
        # unsigned: no check for an index from the end; no slices of rows: each would
        # count its references
        while i + 3 < end and groups[i + 3] < stop:
            g0, g1 = np.uintp(groups[i] - start), np.uintp(groups[i + 1] - start)
            g2, g3 = np.uintp(groups[i + 2] - start), np.uintp(groups[i + 3] - start)
            p0, p1, p2, p3 = 0.0, 0.0, 0.0, 0.0
            for j in range(begin, i):
                h = np.uintp(groups[j])
                value = sums[j]
                p0 += rows[g0, h] * value
                p1 += rows[g1, h] * value
                p2 += rows[g2, h] * value
                p3 += rows[g3, h] * value
            h0, h1 = np.uintp(groups[i]), np.uintp(groups[i + 1])
            h2, h3 = np.uintp(groups[i + 2]), np.uintp(groups[i + 3])
            s0, s1, s2, s3 = sums[i], sums[i + 1], sums[i + 2], sums[i + 3]
            p1 += rows[g1, h0] * s0
            p2 += rows[g2, h0] * s0
            p2 += rows[g2, h1] * s1
            p3 += rows[g3, h0] * s0
            p3 += rows[g3, h1] * s1
            p3 += rows[g3, h2] * s2
            form += s0 * (2.0 * p0 + rows[g0, h0] * s0)
            form += s1 * (2.0 * p1 + rows[g1, h1] * s1)
            form += s2 * (2.0 * p2 + rows[g2, h2] * s2)
            form += s3 * (2.0 * p3 + rows[g3, h3] * s3)
            i += 4
        while i < end and groups[i] < stop:
            g0, h0 = np.uintp(groups[i] - start), np.uintp(groups[i])
            p0 = 0.0
            for j in range(begin, i):
                p0 += rows[g0, np.uintp(groups[j])] * sums[j]
            form += sums[i] * (2.0 * p0 + rows[g0, h0] * sums[i])
            i += 1
        forms[f] = form
        place[f] = i


@njit(cache=True, nogil=True)
def multiply_rows(rows, values, product):
    """Write ``rows @ values`` to ``product``, adding in a fixed order."""
    width = values.shape[1]
    for i in range(rows.shape[0]):
        out = product[i]
        out[:] = 0.0
        for h in range(rows.shape[1]):
            weight = rows[i, h]
            if weight == 0.0:
                continue
            column = values[h]
            for c in range(width):
                out[c] += weight * column[c]


@njit(cache=True, nogil=True)
def add_reach(rows, start, counts, reach, own):
    """Add J n to ``reach`` and write the diagonal of J to ``own``, for a symmetric J.

    ``rows`` are those from ``start`` on; what is right of the diagonal is not read.
    The order of the additions depends on nothing but the number of groups.
    """
    for i in range(rows.shape[0]):
        g = start + i
        row, before, n = rows[i, :g], reach[:g], counts[g]
        for h in range(g):
            before[h] += row[h] * n
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        whole = g - g % 4
        for h in range(0, whole, 4):
            a += row[h] * counts[h]
            b += row[h + 1] * counts[h + 1]
            c += row[h + 2] * counts[h + 2]
            d += row[h + 3] * counts[h + 3]
        for h in range(whole, g):
            a += row[h] * counts[h]
        own[g] = rows[i, g]
        reach[g] += (a + b) + (c + d) + own[g] * n
