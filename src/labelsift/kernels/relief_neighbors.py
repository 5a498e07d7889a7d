"""The nearest rows of each class, in every problem that a row takes part in.

A problem is a pair of numbers ``(a, b)`` and is read off ``marks``. With ``b >= 0`` it
has the rows with exactly one of the labels a (class 0) and b (class 1); with
``b == NO_LABEL`` the rows without (0) and with (1) the label a; with ``b == CLASSES``
all rows, the class of each being its mark.
"""

import numpy as np
from numba import njit

NO_LABEL, CLASSES = -1, -2
_SPARE = 8  # candidates looked at first, for each neighbour wanted


@njit(cache=True, nogil=True)
def class_of(marks, row, a, b):
    """Return the class of a row in a problem, -1 if it takes no part."""
    own = np.int64(marks[row, a])
    if b < 0:
        return own
    if own == marks[row, b]:
        return -1
    return 1 - own


@njit(cache=True, nogil=True)
def _sift_down(near, order, size, distance, row):
    """Put an entry in place of the root of a heap with the farthest on top."""
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and near[child + 1] > near[child]:
            child += 1
        if near[child] <= distance:
            break
        near[i] = near[child]
        order[i] = order[child]
        i = child
    near[i] = distance
    order[i] = row


@njit(cache=True, nogil=True)
def _sorted_nearest(distances, own, order, near):
    """Write the nearest rows to ``order``, by distance, and return their number.

    All rows nearer than some distance are there, and no others: of rows as far as the
    last that would fit, all are left out.
    """
    wanted = len(order)
    size = 0
    for row in range(len(distances)):
        distance = distances[row]
        if row == own:
            continue
        if size == wanted:
            if distance < near[0]:
                _sift_down(near, order, size, distance, row)
            continue
        i = size
        size += 1
        while i > 0 and near[(i - 1) // 2] < distance:
            near[i] = near[(i - 1) // 2]
            order[i] = order[(i - 1) // 2]
            i = (i - 1) // 2
        near[i] = distance
        order[i] = row
    limit = near[0] if size == wanted else np.inf
    for last in range(size - 1, 0, -1):
        distance, row = near[last], order[last]
        near[last], order[last] = near[0], order[0]
        _sift_down(near, order, last, distance, row)
    while size > 0 and near[size - 1] >= limit:
        size -= 1
    return size


@njit(cache=True, nogil=True)
def _take_first(marks, a, b, order, near, size, k, stored, rows, ranked):
    """Take the k nearest rows of two classes off a sorted list.

    ``stored`` is -1 for a class whose k nearest the list does not decide: it ends too
    early, or the k-th and the next are equally far.
    """
    stored[:] = 0
    left = 2
    decided_0 = False
    decided_1 = False
    closed_0 = False
    closed_1 = False
    for p in range(size):
        c = class_of(marks, order[p], a, b)
        if c < 0 or (c == 0 and closed_0) or (c == 1 and closed_1):
            continue
        place = stored[c]
        if place < k:
            rows[c, place] = order[p]
            ranked[c, place] = near[p]
            stored[c] = place + 1
            continue
        farther = near[p] > ranked[c, k - 1]
        if c == 0:
            closed_0, decided_0 = True, farther
        else:
            closed_1, decided_1 = True, farther
        left -= 1
        if left == 0:
            break
    if not decided_0:
        stored[0] = -1
    if not decided_1:
        stored[1] = -1


@njit(cache=True, nogil=True)
def _scan(distances, own, members, marks, a, b, c, k, rows, near):
    """Keep the k nearest rows of class c among ``members``, in the order they come.

    A row enters when it is closer than the farthest, and takes the place of the first
    that is as far as that one. So a later row of equal distance does not enter, and
    among equals the one that came first leaves: the rule of Weka.
    """
    stored = 0
    worst = 0
    limit = np.inf
    for row in members:
        distance = distances[row]
        if not distance < limit or row == own or class_of(marks, row, a, b) != c:
            continue
        place = worst
        if stored < k:
            place = stored
            stored += 1
        near[place] = distance
        rows[place] = row
        if stored == k:
            worst = 0
            for j in range(1, k):
                if near[j] > near[worst]:
                    worst = j
            limit = near[worst]
    return stored


@njit(cache=True, nogil=True)
def _sort_by_distance(near, rows, size):
    for i in range(1, size):
        distance, row = near[i], rows[i]
        j = i
        while j > 0 and near[j - 1] > distance:
            near[j] = near[j - 1]
            rows[j] = rows[j - 1]
            j -= 1
        near[j] = distance
        rows[j] = row


@njit(cache=True, nogil=True)
def _share_by_rank(near, size, rank_weights, shares):
    """Share out by rank in a sorted list; equal distances have equal shares."""
    total = 0.0
    for j in range(size):
        total += rank_weights[j]
    i = 0
    while i < size:
        stop = i
        tied = 0.0
        while stop < size and near[stop] == near[i]:
            tied += rank_weights[stop]
            stop += 1
        for j in range(i, stop):
            shares[j] = tied / (stop - i) / total
        i = stop


@njit(cache=True, nogil=True)
def neighbor_lists(
    chosen,
    distances,
    marks,
    first_labels,
    second_labels,
    member_indptr,
    members,
    class_indptr,
    priors,
    class_weights,
    rank_weights,
    k,
    room,
):
    """List the neighbours of each chosen row in each of its problems, with shares.

    ``member_indptr`` and ``members`` list the rows of every label (or class), and last
    all rows. ``class_indptr`` says where the ``priors`` of a problem's classes begin. A
    hit's share is negative; the shares of one class add up to 1, times
    prior / (1 - prior of the own class) if there are more than two classes; all shares
    of a row are multiplied by the weight of its class in ``class_weights``. With
    ``rank_weights`` nearer rows have a larger share.

    Returns, for each list, its problem, its owner and its length, then the rows and the
    shares of all lists.
    """
    n = len(marks)
    n_problems = len(first_labels)
    n_lists = 0
    list_owner = np.empty(len(chosen) * n_problems, dtype=np.int32)
    list_problem = np.empty(len(chosen) * n_problems, dtype=np.int32)
    list_size = np.empty(len(chosen) * n_problems, dtype=np.int64)
    out_rows = np.empty(room, dtype=np.int32)
    shares = np.empty(room, dtype=np.float64)
    order = np.empty(min(n, _SPARE * (k + 1)), dtype=np.int32)
    near = np.empty(len(order), dtype=np.float64)
    stored = np.zeros(2, dtype=np.int64)
    rows = np.empty((2, k), dtype=np.int32)
    ranked = np.empty((2, k), dtype=np.float64)
    by_rank = np.empty(k, dtype=np.float64)
    every = members[member_indptr[-2] :]
    used = 0
    for place in range(len(chosen)):
        i = chosen[place]
        size = -1
        for problem in range(n_problems):
            a, b = first_labels[problem], second_labels[problem]
            own = class_of(marks, i, a, b)
            if own < 0:
                continue
            base = class_indptr[problem]
            n_classes = class_indptr[problem + 1] - base
            if b == CLASSES:
                stored[:] = -1
            else:
                if size < 0:
                    size = _sorted_nearest(distances[place], i, order, near)
                _take_first(marks, a, b, order, near, size, k, stored, rows, ranked)
            before = used
            for c in range(n_classes):
                at = c if b != CLASSES else 0
                found = stored[at]
                if found < 0:
                    label = a if b == NO_LABEL else c if b == CLASSES else (a, b)[c]
                    if b == NO_LABEL and c == 0:
                        among = every
                    else:
                        among = members[member_indptr[label] : member_indptr[label + 1]]
                    found = _scan(
                        distances[place],
                        i,
                        among,
                        marks,
                        a,
                        b,
                        c,
                        k,
                        rows[at],
                        ranked[at],
                    )
                    _sort_by_distance(ranked[at], rows[at], found)
                if found == 0:
                    continue
                factor = -1.0
                if c != own:
                    factor = 1.0
                    if n_classes > 2:
                        factor = priors[base + c] / (1.0 - priors[base + own])
                factor *= class_weights[base + own]
                if len(rank_weights) > 0:
                    _share_by_rank(ranked[at], found, rank_weights, by_rank)
                for j in range(found):
                    share = by_rank[j] if len(rank_weights) > 0 else 1.0 / found
                    out_rows[used] = rows[at, j]
                    shares[used] = factor * share
                    used += 1
            list_owner[n_lists] = i
            list_problem[n_lists] = problem
            list_size[n_lists] = used - before
            n_lists += 1
    return (
        list_owner[:n_lists].copy(),
        list_problem[:n_lists].copy(),
        list_size[:n_lists].copy(),
        out_rows[:used].copy(),
        shares[:used].copy(),
    )
