"""Best cuts of the nodes of entropy trees, for all prefixes of a list of columns.

Gains are whole numbers, made of a table of k log2 k whose logarithms of products are
the sums of those of the primes. So cuts whose gains are equal by arithmetic are equal
to the last bit, whatever the order in which rows, classes and columns come.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]

NONE: Any = np.int64(-1)
ZERO: Any = np.int64(0)
WORST: Any = np.int64(-1) << np.int64(62)


class Columns(NamedTuple):
    """Columns of a table, each as its rows from the lowest value to the highest.

    ``entries`` holds ``code << shift | row``, column after column from ``starts`` on:
    by code, which numbers the ``n_values`` distinct values of a column; missing is one
    more. Rows without an entry have the code ``base``; where all have one, ``base`` is
    ``n_values``. The values stand in ``values``, from ``value_starts`` on.
    """

    entries: Array
    starts: Array
    base: Array
    n_values: Array
    values: Array
    value_starts: Array
    shift: int


class Node(NamedTuple):
    """What the cuts of a node are judged by.

    Moving one more row of class c over a cut gains ``gains[place[c]]``, and then
    ``place[c]`` is one more; it starts at ``first[c]``. Parting k rows from the others
    costs ``both[k]``. ``size`` is the number of rows, and of the classes that
    ``present`` lists. ``y`` is the class of each row of the table.
    """

    y: Array
    counts: Array
    place: Array
    first: Array
    gains: Array
    both: Array
    present: Array
    size: Array
    min_leaf: int


@njit(cache=True, nogil=True)
def _describe(rows: Array, mask: Any, node: Node, powers: Array) -> tuple[Any, Any]:
    """Count the classes of rows; return the most frequent's, and what purity lacks."""
    n_present = 0
    for i in range(len(rows)):
        c = node.y[np.int64(rows[i]) & mask]
        if node.counts[c] == 0:
            node.present[n_present] = c
            n_present += 1
        node.counts[c] += 1
    most, impurity = ZERO, powers[len(rows)]
    for k in range(n_present):
        count = node.counts[node.present[k]]
        most, impurity = max(most, count), impurity - powers[count]
    node.size[0], node.size[1] = len(rows), n_present
    return most, impurity


@njit(cache=True, nogil=True)
def _prepare(node: Node, powers: Array) -> None:
    """Tabulate what moving rows over a cut gains."""
    at, m = ZERO, node.size[0]
    for k in range(node.size[1]):
        c = node.present[k]
        total = node.counts[c]
        node.first[c] = node.place[c] = np.uint64(at)
        for one in range(total):
            left = total - one
            gain = powers[one + 1] - powers[one] - powers[left] + powers[left - 1]
            node.gains[at + one] = gain
        at += total
    for k in range(m + 1):
        node.both[k] = powers[k] + powers[m - k]


@njit(cache=True, nogil=True)
def _move(entries: Array, mask: Any, node: Node) -> Any:
    """Move rows over the cut; return what that gains."""
    total = ZERO
    for i in range(len(entries)):
        c = node.y[np.int64(entries[i]) & mask]
        total += node.gains[node.place[c]]
        node.place[c] += np.uint64(1)
    return total


@njit(cache=True, nogil=True)
def _move_back(entries: Array, mask: Any, node: Node) -> None:
    """Move all rows back."""
    if len(entries) < node.size[1]:
        for i in range(len(entries)):
            c = node.y[np.int64(entries[i]) & mask]
            node.place[c] = node.first[c]
    else:
        for k in range(node.size[1]):
            c = node.present[k]
            node.place[c] = node.first[c]


@njit(cache=True, nogil=True)
def _walk(
    entries: Array,
    step: Any,
    beyond: Any,
    shift: Any,
    node: Node,
    total: Any,
    moved: Any,
) -> tuple[Any, Any, Any]:
    """Return the score of the best cut between entries, and the codes around it.

    ``step`` is 1 going up and -1 going down; the lowest of equal cuts wins. ``beyond``
    is the code after the last entry; negative: there is none.
    """
    # unsigned numbers, since an index that may be negative takes longer
    one, bits = np.uint64(1), np.uint64(shift)
    mask = (one << bits) - one
    y, gains, place, both = node.y, node.gains, node.place, node.both
    best, near, far = WORST, NONE, NONE
    lenient = np.int64(step < 0)  # equal cuts: the last one met is the lowest
    least, last = node.min_leaf, node.size[0] - node.min_leaf
    at = ZERO if step > 0 else len(entries) - 1
    entry = np.uint64(entries[at])
    for left in range(len(entries) - 1, -1, -1):
        c = y[entry & mask]
        p = place[c]
        total += gains[p]
        place[c] = p + one
        moved += 1
        code = np.int64(entry >> bits)
        following = beyond
        if left > 0:
            at += step
            entry = np.uint64(entries[at])
            following = np.int64(entry >> bits)
        if following != code and least <= moved <= last and following >= 0:
            score = total - both[moved]
            if score + lenient > best:
                best, near, far = score, code, following
    return best, near, far


@njit(cache=True, nogil=True)
def _first_over(entries: Array, code: Any, shift: Any) -> Any:
    """Return where entries with a code over ``code`` start."""
    start, stop = 0, len(entries)
    while start < stop:
        middle = (start + stop) // 2
        if np.int64(entries[middle]) >> shift > code:
            stop = middle
        else:
            start = middle + 1
    return start


@njit(cache=True, nogil=True)
def _best_cut(
    entries: Array, n_values: Any, base: Any, shift: Any, node: Node
) -> tuple[Any, Any, Any, Any, Any]:
    """Return the best cut of a column and whether there is anything to cut.

    A cut is its score, the codes below and above it (the former negative where there is
    no cut), and whether missing values go below (negative where there are none). Equal
    scores: the lowest cut, then missing values above.
    """
    mask = (np.int64(1) << shift) - 1
    m, end = node.size[0], len(entries)
    stop = end
    while stop > 0 and np.int64(entries[stop - 1]) >> shift == n_values:
        stop -= 1
    n_missing, n_base = end - stop, m - end
    middle = stop if base == n_values else _first_over(entries[:stop], base, shift)
    best, below, above, missing_below = WORST, NONE, NONE, NONE
    if n_missing == 0:
        if stop == 0:
            return best, below, above, missing_below, False
        low = np.int64(entries[0]) >> shift
        if n_base == 0 and low == np.int64(entries[stop - 1]) >> shift:
            return best, below, above, missing_below, False
    elif n_missing == m:
        return best, below, above, missing_below, False
    for side in range(1 + (n_missing > 0)):
        for up in range(2):
            if (middle if up else stop - middle) == 0:
                continue
            total, moved = ZERO, ZERO
            if side == up and n_missing > 0:
                total, moved = _move(entries[stop:], mask, node), n_missing
            after = middle if up else middle - 1
            beyond = NONE
            if n_base > 0:
                beyond = base
            elif 0 <= after < stop:
                beyond = np.int64(entries[after]) >> shift
            part = entries[:middle] if up else entries[middle:stop]
            found, b, a = _walk(part, 2 * up - 1, beyond, shift, node, total, moved)
            _move_back(entries, mask, node)
            if not up:
                b, a = a, b
            if found > best or (found == best and found > WORST and b < below):
                best, below, above = found, b, a
                missing_below = side if n_missing > 0 else NONE
    if n_missing >= node.min_leaf and m - n_missing >= node.min_leaf:
        total = _move(entries[stop:], mask, node) - node.both[n_missing]
        _move_back(entries[stop:], mask, node)
        if total > best:
            best, below, above = total, n_values, n_values
            missing_below = ZERO
    return best, below, above, missing_below, True


@njit(cache=True, nogil=True)
def _choose(
    columns: Columns,
    features: Array,
    sizes: Array,
    held: Array,
    active: Array,
    node: Node,
    best: Array,
) -> Any:
    """Find the best cut for each size; drop columns that do not vary; return the rest.

    ``best`` receives the place among the active columns, negative if no column can be
    cut, and the cut.
    """
    kept, s = 0, 0
    score, chosen, below, above, missing_below = WORST, NONE, NONE, NONE, NONE
    for k in range(len(active) + 1):
        f = active[k, 0] if k < len(active) else sizes[-1]
        while s < len(sizes) and sizes[s] <= f:
            best[s, 0], best[s, 1] = chosen, below
            best[s, 2], best[s, 3] = above, missing_below
            s += 1
        if s == len(sizes):
            break
        column, start, stop = features[f], active[k, 1], active[k, 1] + active[k, 2]
        n_values, base = columns.n_values[column], columns.base[column]
        found, b, a, side, varies = _best_cut(
            held[start:stop], n_values, base, columns.shift, node
        )
        if not varies:
            continue
        for p in range(3):
            active[kept, p] = active[k, p]
        if found > score or (
            found == score and b >= 0 and column < features[active[chosen, 0]]
        ):
            score, chosen, below, above, missing_below = found, kept, b, a, side
        kept += 1
    return kept


@njit(cache=True, nogil=True)
def choose_cuts(
    columns: Columns,
    nodes: Array,
    held: Array,
    active: Array,
    y: Array,
    n_classes: Any,
    features: Array,
    sizes: Array,
    min_leaf: Any,
    powers: Array,
) -> tuple[Array, Array]:
    """Find the best cut of each node for each size; drop columns that do not vary.

    Parameters
    ----------
    columns : Columns
        The table.
    nodes : ndarray of int64 of shape (n_nodes, 7)
        Of one level: the sizes from and to; where its rows start in ``held``, and how
        many they are; where its columns start in ``active``, and how many they are,
        which is corrected here; where the answers for its sizes start.
    held : ndarray of the type of the entries
        Rows and entries of the nodes.
    active : ndarray of int64 of shape (any, 3)
        Of each column of each node: its place in ``features``, where its entries start
        in ``held``, and how many they are.
    y : ndarray of uint16 or int64, one for each row of the table
        Classes.
    n_classes : int
        Classes.
    features : ndarray of int64
        Columns, each once. Equal gains: the lowest column, wherever it is in the list.
    sizes : ndarray of int64
        Lengths of prefixes of ``features``, rising.
    min_leaf : int
        Rows that a leaf has at least.
    powers : ndarray of int64
        k log2 k, for at least as many rows as a node has.

    Returns
    -------
    about : ndarray of int64 of shape (n_nodes, 2)
        Rows of the most frequent class; sum of ``powers`` that purity lacks.
    best : ndarray of int64 of shape (answers, 4)
        For each node and size the place of the column among the active ones (negative:
        the node is a leaf), the codes below and above the cut, and 1 where missing
        values go below (negative where there are none).
    """
    mask = (np.int64(1) << columns.shift) - 1
    about = np.empty((len(nodes), 2), np.int64)
    n_answers, m = ZERO, ZERO
    for k in range(len(nodes)):
        n_answers += nodes[k, 1] - nodes[k, 0]
        m = max(m, nodes[k, 3])
    best = np.empty((n_answers, 4), np.int64)
    best[:] = NONE
    node = Node(
        y,
        np.zeros(n_classes, np.int64),
        np.zeros(n_classes, np.uint64),
        np.zeros(n_classes, np.uint64),
        np.zeros(m, np.int64),
        np.zeros(m + 1, np.int64),
        np.zeros(n_classes, np.int64),
        np.zeros(2, np.int64),
        min_leaf,
    )
    for k in range(len(nodes)):
        low, high, start, m = nodes[k, 0], nodes[k, 1], nodes[k, 2], nodes[k, 3]
        most, impurity = _describe(held[start : start + m], mask, node, powers)
        about[k, 0], about[k, 1] = most, impurity
        n_active, own, at = nodes[k, 5], nodes[k, 4], nodes[k, 6]
        if n_active > 0 and node.size[1] > 1 and m >= 2 * min_leaf:
            _prepare(node, powers)
            nodes[k, 5] = _choose(
                columns,
                features,
                sizes[low:high],
                held,
                active[own : own + n_active],
                node,
                best[at : at + high - low],
            )
        for p in range(node.size[1]):
            node.counts[node.present[p]] = 0
    return about, best
