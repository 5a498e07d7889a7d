"""Group equal label sets, and sum the rows of each group."""

import numpy as np
from numba import njit

_BASE = 1000003
_BITS = (1 << 31) - 1  # keys of 31 bits: products with the base stay within 64


@njit(cache=True, nogil=True)
def list_labels(Y, indptr, indices):
    """Write the columns of the ones of a 0/1 matrix, row by row; return how many.

    ``indices`` has room for all of them and one more.
    """
    used = 0
    for i in range(Y.shape[0]):
        row = Y[i]
        for j in range(Y.shape[1]):
            indices[used] = j
            used += int(row[j])
        indptr[i + 1] = used
    return used


@njit(cache=True, nogil=True)
def _slot(
    labels,
    key,
    table,
    keys,
    set_indptr,
    set_indices,
):
    """Return the slot of this label set, or the free one where it belongs."""
    mask = len(table) - 1
    slot = key & mask
    size = len(labels)
    while table[slot] >= 0:
        g = table[slot]
        first = set_indptr[g]
        if keys[g] == key and set_indptr[g + 1] - first == size:
            equal = True
            for j in range(size):
                if set_indices[first + j] != labels[j]:
                    equal = False
                    break
            if equal:
                return slot
        slot = (slot + 1) & mask
    return slot


@njit(cache=True, nogil=True)
def group_label_sets(
    indptr,
    indices,
    n_sets,
    table,
    keys,
    set_indptr,
    set_indices,
    groups,
):
    """Give label sets numbers in order of appearance; return how many there are.

    ``indptr`` and ``indices`` hold the sorted labels of each row. ``table`` is an
    open-addressing table of a power of two slots; it, ``keys``, ``set_indptr`` and
    ``set_indices`` have room for what may be new.
    """
    for i in range(len(indptr) - 1):
        labels = indices[indptr[i] : indptr[i + 1]]
        key = np.int64(0)
        for label in labels:
            key = (key * _BASE + np.int64(label) + 1) & _BITS
            key ^= key >> 15  # high bits must reach the low ones, which find the slot
        slot = _slot(labels, key, table, keys, set_indptr, set_indices)
        if table[slot] < 0:
            table[slot] = n_sets
            keys[n_sets] = key
            first = set_indptr[n_sets]
            for j in range(len(labels)):
                set_indices[first + j] = labels[j]
            set_indptr[n_sets + 1] = first + len(labels)
            n_sets += 1
        groups[i] = table[slot]
    return n_sets


@njit(cache=True, nogil=True)
def refill_table(table, keys, n_sets):
    """Enter the known sets, all different, into an empty table."""
    mask = len(table) - 1
    for g in range(n_sets):
        slot = keys[g] & mask
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = g


@njit(cache=True, nogil=True)
def rows_by_group(groups, n_groups):
    """Return the rows group after group, those of one in order: a counting sort."""
    place = np.zeros(n_groups + 1, dtype=np.int64)
    for g in groups:
        place[g + 1] += 1
    for g in range(n_groups):
        place[g + 1] += place[g]
    order = np.empty(len(groups), dtype=np.int64)
    for i in range(len(groups)):
        g = groups[i]
        order[place[g]] = i
        place[g] += 1
    return order


@njit(cache=True, nogil=True)
def add_dense_rows(
    X,
    order,
    groups,
    origin,
    sums,
    squares,
    low,
    high,
    start,
    stop,
):
    """Add rows, in the order given, to their groups, for the columns start..stop-1."""
    # slices: an index that starts at 0 is known not to be negative; few arrays in each
    # loop: the compiler then knows that they do not overlap. Either makes the loops
    # over the columns take several at a time
    width = stop - start
    zero = origin[start:stop]
    for first in range(0, len(order), 4):
        some = order[first : first + 4]
        _extend_range(X, some, low, high, start, stop)
        for i in some:
            row = X[i, start:stop]
            total = sums[groups[i], start:stop]
            square = squares[groups[i], start:stop]
            for f in range(width):
                value = row[f] - zero[f]
                total[f] += value
                square[f] += value * value


@njit(cache=True, nogil=True)
def _extend_range(X, rows, low, high, start, stop):
    """Widen ``low`` and ``high`` to hold up to four rows in the columns given."""
    least, most = low[start:stop], high[start:stop]
    if len(rows) < 4:
        for i in rows:
            row = X[i, start:stop]
            for f in range(stop - start):
                least[f] = min(least[f], row[f])
                most[f] = max(most[f], row[f])
        return
    r0, r1 = X[rows[0], start:stop], X[rows[1], start:stop]
    r2, r3 = X[rows[2], start:stop], X[rows[3], start:stop]
    for f in range(stop - start):
        a, b, c, d = r0[f], r1[f], r2[f], r3[f]
        small = a if a < b else b
        large = b if a < b else a
        other = c if c < d else d
        small = small if small < other else other
        other = d if c < d else c
        large = large if large > other else other
        other = least[f]
        least[f] = small if small < other else other
        other = most[f]
        most[f] = large if large > other else other


@njit(cache=True, nogil=True)
def add_sparse_columns(
    indptr,
    rows,
    values,
    groups,
    origin,
    low,
    high,
    n_groups,
    old_indptr,
    old_groups,
    old_sums,
    old_squares,
    old_counts,
    start,
    stop,
):
    """Add the stored entries of the columns start..stop-1 to their groups.

    Returns, for these columns, how many groups each has, and their groups (sorted),
    sums, sums of squares and numbers of stored entries.
    """
    room = int(indptr[stop] - indptr[start] + old_indptr[stop] - old_indptr[start])
    sizes = np.zeros(stop - start, dtype=np.int64)
    out_groups = np.empty(room, dtype=np.int32)
    out_sums = np.empty(room, dtype=np.float64)
    out_squares = np.empty(room, dtype=np.float64)
    out_counts = np.empty(room, dtype=np.int32)
    total = np.zeros(n_groups, dtype=np.float64)
    square = np.zeros(n_groups, dtype=np.float64)
    count = np.zeros(n_groups, dtype=np.int32)
    touched = np.empty(n_groups, dtype=np.int32)
    used = 0
    for f in range(start, stop):
        n_touched = 0
        for p in range(old_indptr[f], old_indptr[f + 1]):
            g = old_groups[p]
            touched[n_touched] = g
            n_touched += 1
            total[g] = old_sums[p]
            square[g] = old_squares[p]
            count[g] = old_counts[p]
        for p in range(indptr[f], indptr[f + 1]):
            g = groups[rows[p]]
            if count[g] == 0:
                touched[n_touched] = g
                n_touched += 1
            value = values[p]
            low[f] = min(low[f], value)
            high[f] = max(high[f], value)
            value -= origin[f]
            total[g] += value
            square[g] += value * value
            count[g] += 1
        touched[:n_touched].sort()
        for j in range(n_touched):
            g = touched[j]
            out_groups[used] = g
            out_sums[used] = total[g]
            out_squares[used] = square[g]
            out_counts[used] = count[g]
            used += 1
            total[g] = 0.0
            square[g] = 0.0
            count[g] = 0
        sizes[f - start] = n_touched
    return (
        sizes,
        out_groups[:used].copy(),
        out_sums[:used].copy(),
        out_squares[:used].copy(),
        out_counts[:used].copy(),
    )


@njit(cache=True, nogil=True)
def stored_entries(indptr, counts):
    """Return the sum of ``counts`` of each column."""
    stored = np.zeros(len(indptr) - 1, dtype=np.int64)
    for f in range(len(stored)):
        for p in range(indptr[f], indptr[f + 1]):
            stored[f] += counts[p]
    return stored


@njit(cache=True, nogil=True)
def move_columns(indptr, sums, squares, counts, shift):
    """Return sums and squares about an origin that lies ``shift`` lower."""
    moved_sums, moved_squares = np.empty_like(sums), np.empty_like(squares)
    for f in range(len(shift)):
        delta = shift[f]
        for p in range(indptr[f], indptr[f + 1]):
            n = counts[p]
            moved_sums[p] = sums[p] + delta * n
            moved_squares[p] = squares[p] + (2.0 * sums[p] + delta * n) * delta
    return moved_sums, moved_squares
