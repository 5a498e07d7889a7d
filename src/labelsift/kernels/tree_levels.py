"""Split the nodes of entropy trees, level by level, for many prefixes at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from labelsift.kernels.tree_cuts import Columns

Array = np.ndarray[Any, Any]

NONE: Any = np.int64(-1)
ZERO: Any = np.int64(0)


class Trees(NamedTuple):
    """A tree for each prefix, in arrays of shape (prefixes, room).

    ``n_nodes`` of the room are taken. ``children`` are the numbers of the nodes below
    and above a cut, -1 in a leaf; ``cuts`` the column, -2 in a leaf, and 1 where
    missing values go below; ``thresholds`` the greatest value that goes below.
    ``about`` is the number of rows, those of the most frequent class, and what purity
    lacks. ``leaves`` is the leaf of each row of the table, -1 where the tree has not
    seen it.
    """

    n_nodes: Array
    children: Array
    cuts: Array
    thresholds: Array
    about: Array
    leaves: Array


@njit(cache=True, nogil=True)
def _put(table: Array, at: Any, a: Any, b: Any, c: Any) -> None:
    table[at, 0], table[at, 1], table[at, 2] = a, b, c


@njit(cache=True, nogil=True)
def first_level(
    entries: Array,
    starts: Array,
    shift: Any,
    rows: Array,
    features: Array,
    n_sizes: Any,
) -> tuple[Array, Array, Array, Array]:
    """Return what is held by the roots: nodes, held, active, numbers.

    Parameters
    ----------
    entries, starts, shift
        As in ``Columns``.
    rows : ndarray of bool, one for each row of the table
        Rows that the trees see.
    features : ndarray of int64
        Columns.
    n_sizes : int
        Prefixes.
    """
    mask = (np.int64(1) << shift) - 1
    n = ZERO
    for row in range(len(rows)):
        n += np.int64(rows[row])
    length = n
    for f in range(len(features)):
        length += starts[features[f] + 1] - starts[features[f]]
    held = np.empty(length + 1, entries.dtype)
    active = np.empty((len(features), 3), np.int64)
    top, n_active = ZERO, ZERO
    for row in range(len(rows)):
        held[top] = row
        top += np.int64(rows[row])
    for f in range(len(features)):
        start = top
        for i in range(starts[features[f]], starts[features[f] + 1]):
            entry = entries[i]
            held[top] = entry
            top += np.int64(rows[np.int64(entry) & mask])
        if top > start:
            _put(active, n_active, f, start, top - start)
            n_active += 1
    nodes = np.zeros((1, 7), np.int64)
    nodes[0, 1], nodes[0, 3], nodes[0, 5] = n_sizes, n, n_active
    return nodes, held, active, np.zeros(n_sizes, np.int64)


@njit(cache=True, nogil=True)
def _threshold(columns: Columns, column: Any, below: Any, above: Any) -> Any:
    """Return the middle of the values beside a cut, or what parts them all the same."""
    if below == columns.n_values[column]:
        return np.inf
    at = columns.value_starts[column]
    low, high = columns.values[at + below], columns.values[at + above]
    middle = low / 2.0 + high / 2.0
    return middle if low <= middle < high else low


@njit(cache=True, nogil=True)
def _take_sides(
    entries: Array,
    rows: Array,
    shift: Any,
    base: Any,
    n_values: Any,
    below: Any,
    missing_below: Any,
    y: Array,
    side: Array,
) -> tuple[Any, Any, Any]:
    """Mark the rows that go below a cut; return how many, and which sides are mixed."""
    mask = (np.int64(1) << shift) - 1
    if len(entries) < len(rows):
        for i in range(len(rows)):
            side[np.int64(rows[i]) & mask] = base <= below
    for i in range(len(entries)):
        entry = np.int64(entries[i])
        code = entry >> shift
        goes = missing_below == 1 if code == n_values else code <= below
        side[entry & mask] = goes
    n_below, a, b = 0, NONE, NONE
    mixed_below = mixed_above = False
    for i in range(len(rows)):
        row = np.int64(rows[i]) & mask
        c = np.int64(y[row])
        if side[row]:
            n_below += 1
            mixed_below |= c != a and a >= 0
            a = c
        else:
            mixed_above |= c != b and b >= 0
            b = c
    return n_below, mixed_below, mixed_above


@njit(cache=True, nogil=True)
def _part(
    entries: Array,
    target: Array,
    mask: Any,
    side: Array,
    spare: Array,
    below: Any,
    above: Any,
) -> tuple[Any, Any]:
    """Put wanted entries below a cut first, each side in order; return how many."""
    at, others = ZERO, ZERO
    unsigned = np.uint64(mask)  # an index that may be negative takes longer
    if below and above:
        for i in range(len(entries)):
            entry = entries[i]
            goes = np.int64(side[np.uint64(entry) & unsigned])
            target[at] = entry
            spare[others] = entry
            at += goes
            others += 1 - goes
        for i in range(others):
            target[at + i] = spare[i]
        return at, others
    wanted = np.int64(below)
    for i in range(len(entries)):
        entry = entries[i]
        target[at] = entry
        at += np.int64(np.int64(side[np.uint64(entry) & unsigned]) == wanted)
    return (at, others) if below else (others, at)


@njit(cache=True, nogil=True)
def _needs(
    nodes: Array, active: Array, best: Array, sizes: Array
) -> tuple[Any, Any, Any]:
    """Return how much the next level may hold, and have of nodes and columns."""
    length, n_nodes, n_active = np.int64(1), ZERO, ZERO
    for k in range(len(nodes)):
        low, high, at = nodes[k, 0], nodes[k, 1], nodes[k, 6]
        own, n_own = nodes[k, 4], nodes[k, 5]
        for s in range(low, high):
            place = best[at + s - low, 0]
            if place < 0 or (s + 1 < high and best[at + s + 1 - low, 0] == place):
                continue
            n_nodes += 2
            length += nodes[k, 3]
            for c in range(own, own + n_own):
                if active[c, 0] < sizes[s]:
                    length += active[c, 2]
                    n_active += 2
    return length, n_nodes, n_active


@njit(cache=True, nogil=True)
def next_level(
    columns: Columns,
    nodes: Array,
    held: Array,
    active: Array,
    numbers: Array,
    about: Array,
    best: Array,
    y: Array,
    features: Array,
    sizes: Array,
    min_leaf: Any,
    trees: Trees,
) -> tuple[Array, Array, Array, Array]:
    """Enter the nodes of a level into the trees; return the next one.

    Sizes with the same cut share what is below it. For the arguments see
    ``choose_cuts``; ``numbers`` are those of the nodes in the trees, for each answer.
    """
    shift = columns.shift
    mask = (np.int64(1) << shift) - 1
    length, n_new, n_columns = _needs(nodes, active, best, sizes)
    into = np.empty(length, held.dtype)
    next_nodes = np.empty((n_new, 7), np.int64)
    next_active = np.empty((n_columns, 3), np.int64)
    next_numbers = np.empty(2 * len(best), np.int64)
    side = np.zeros(len(y), np.uint8)
    spare = np.empty(len(y), held.dtype)
    top, n_nodes, n_active, n_numbers = 0, 0, 0, 0
    for k in range(len(nodes)):
        low, high, m, at = (
            nodes[k, 0],
            nodes[k, 1],
            nodes[k, 3],
            nodes[k, 6] - nodes[k, 0],
        )
        rows = held[nodes[k, 2] : nodes[k, 2] + m]
        own = active[nodes[k, 4] : nodes[k, 4] + nodes[k, 5]]
        for s in range(low, high):
            _put(trees.about[s], numbers[at + s], m, about[k, 0], about[k, 1])
            if best[at + s, 0] < 0:
                for i in range(m):
                    trees.leaves[s, np.int64(rows[i]) & mask] = numbers[at + s]
        while low < high and best[at + low, 0] < 0:  # more columns may find a cut
            low += 1
        while low < high:
            stop = low + 1
            while stop < high and best[at + stop, 0] == best[at + low, 0]:
                stop += 1
            chosen, below, above = (
                best[at + low, 0],
                best[at + low, 1],
                best[at + low, 2],
            )
            column, start = features[own[chosen, 0]], own[chosen, 1]
            n_below, mixed_below, mixed_above = _take_sides(
                held[start : start + own[chosen, 2]],
                rows,
                shift,
                columns.base[column],
                columns.n_values[column],
                below,
                best[at + low, 3],
                y,
                side,
            )
            goes = best[at + low, 3]
            if goes < 0:  # missing values to come go where more rows went
                goes = np.int64(2 * n_below > m)
            for s in range(low, stop):
                number, new = numbers[at + s], trees.n_nodes[s]
                trees.n_nodes[s] += 2
                trees.children[s, number, 0] = new
                trees.children[s, number, 1] = new + 1
                trees.cuts[s, number, 0] = column
                trees.cuts[s, number, 1] = goes
                trees.thresholds[s, number] = _threshold(columns, column, below, above)
                next_numbers[n_numbers + s - low] = new
                next_numbers[n_numbers + stop - low + s - low] = new + 1
            _part(rows, into[top:], mask, side, spare, True, True)
            here = top
            top += m
            n_wanted = 0
            opened = mixed_below and n_below >= 2 * min_leaf
            opened_above = mixed_above and m - n_below >= 2 * min_leaf
            if opened or opened_above:
                while n_wanted < len(own) and own[n_wanted, 0] < sizes[stop - 1]:
                    n_wanted += 1
            n_some, n_others = 0, 0
            for c in range(n_wanted):
                start = own[c, 1]
                some, others = _part(
                    held[start : start + own[c, 2]],
                    into[top:],
                    mask,
                    side,
                    spare,
                    opened,
                    opened_above,
                )
                if some > 0:
                    _put(next_active, n_active + n_some, own[c, 0], top, some)
                    n_some += 1
                if others > 0:
                    place = n_active + n_wanted + n_others
                    _put(next_active, place, own[c, 0], top + some, others)
                    n_others += 1
                top += some + others
            width = stop - low
            for above in range(2):
                node = n_nodes + above
                next_nodes[node, 0], next_nodes[node, 1] = low, stop
                next_nodes[node, 2] = here + above * n_below
                next_nodes[node, 3] = m - n_below if above else n_below
                next_nodes[node, 4] = n_active + above * n_wanted
                next_nodes[node, 5] = n_others if above else n_some
                next_nodes[node, 6] = n_numbers + above * width
            n_nodes += 2
            n_active += 2 * n_wanted
            n_numbers += 2 * width
            low = stop
    return next_nodes, into, next_active, next_numbers
