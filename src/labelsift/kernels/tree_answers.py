"""Prune grown trees by their expected errors, and follow rows down to a node.

A tree is arrays with an item for each node: the numbers of its children below and above
the cut (-1 in a leaf); children have higher numbers than their parent.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]

SLACK = 0.1  # errors by which a leaf may seem worse and still replace its subtree


@njit(cache=True, nogil=True)
def _limit(n: Any, errors: Any, z: Any) -> Any:
    """Return the upper limit of errors after at least one of them."""
    if errors + 0.5 >= n:
        return max(n, errors)
    share = (errors + 0.5) / n
    spread = z * (share / n * (1 - share) + z * z / (4 * n * n)) ** 0.5
    return n * (share + z * z / (2 * n) + spread) / (1 + z * z / n)


@njit(cache=True, nogil=True)
def expected_errors(n: Any, errors: Any, confidence: Any, z: Any) -> Any:
    """Return the errors expected on ``n`` new rows after ``errors`` on ``n`` seen ones.

    ``z`` is the quantile of the normal distribution at ``1 - confidence``.
    """
    if errors >= 1:
        return _limit(n, errors, z)
    none = n * (1 - confidence ** (1 / n))
    if errors == 0:
        return none
    return none + errors * (_limit(n, 1.0, z) - none)


@njit(cache=True, nogil=True)
def prune(
    left: Array, right: Array, n_rows: Array, errors: Array, confidence: Any, z: float
) -> Array:
    """Return which nodes are leaves, or would be if their ancestors were not.

    A subtree becomes a leaf where that saves expected errors, or costs less than
    ``SLACK`` of them, or no training error.
    """
    is_leaf = left < 0
    seen = errors.copy()  # by the subtree as it is pruned so far
    expected = np.empty(len(left))
    for node in range(len(left) - 1, -1, -1):
        as_leaf = expected_errors(
            float(n_rows[node]), float(errors[node]), confidence, z
        )
        expected[node] = as_leaf
        if is_leaf[node]:
            continue
        a, b = left[node], right[node]
        below = expected[a] + expected[b]
        if as_leaf <= below + SLACK or seen[a] + seen[b] >= errors[node]:
            is_leaf[node] = True
        else:
            seen[node], expected[node] = seen[a] + seen[b], below
    return is_leaf


@njit(cache=True, nogil=True)
def answering_nodes(left: Array, right: Array, is_leaf: Array) -> tuple[Array, Any]:
    """Return the node that answers for each node after pruning, and the leaves left.

    ``is_leaf`` marks the nodes that become leaves; what lies below them is marked too.
    """
    nodes = np.arange(len(left))
    n_leaves = 0
    for node in range(len(left)):  # parents come first
        if nodes[node] == node and is_leaf[node]:
            n_leaves += 1
        if left[node] >= 0 and is_leaf[node]:
            for child in (left[node], right[node]):
                nodes[child] = nodes[node]
                is_leaf[child] = True
    return nodes, n_leaves


@njit(cache=True, nogil=True)
def class_counts(
    left: Array, right: Array, leaf: Array, y: Array, n_classes: int
) -> Array:
    """Return how many rows of each class each node has.

    ``leaf`` holds the leaf of each row; negative: the tree has not seen it.
    """
    counts = np.zeros((len(left), n_classes), np.int64)
    for row in range(len(leaf)):
        if leaf[row] >= 0:
            counts[leaf[row], y[row]] += 1
    for node in range(len(left) - 1, -1, -1):
        if left[node] >= 0:
            for c in range(n_classes):
                counts[node, c] = counts[left[node], c] + counts[right[node], c]
    return counts


@njit(cache=True, nogil=True)
def _next(
    node: int, value: Any, left: Array, right: Array, threshold: Any, missing: int
) -> Any:
    if value != value:
        return left[node] if missing else right[node]
    return left[node] if value <= threshold else right[node]


@njit(cache=True, nogil=True)
def leaves_of(
    X: Array,
    left: Array,
    right: Array,
    feature: Array,
    threshold: Array,
    missing_left: Array,
) -> Array:
    """Return the leaf that each dense row comes to."""
    found = np.empty(len(X), np.int64)
    for i in range(len(X)):
        node = 0
        while left[node] >= 0:
            value = X[i, feature[node]]
            node = _next(node, value, left, right, threshold[node], missing_left[node])
        found[i] = node
    return found


@njit(cache=True, nogil=True)
def leaves_of_sparse(
    indptr: Array,
    indices: Array,
    data: Array,
    n_columns: Any,
    left: Array,
    right: Array,
    feature: Array,
    threshold: Array,
    missing_left: Array,
) -> Array:
    """Return the leaf that each row in compressed form comes to."""
    found = np.empty(len(indptr) - 1, np.int64)
    values = np.zeros(n_columns)
    for i in range(len(indptr) - 1):
        for k in range(indptr[i], indptr[i + 1]):
            values[indices[k]] += data[k]  # what is stored twice adds up
        node = 0
        while left[node] >= 0:
            value = values[feature[node]]
            node = _next(node, value, left, right, threshold[node], missing_left[node])
        found[i] = node
        for k in range(indptr[i], indptr[i + 1]):
            values[indices[k]] = 0.0
    return found
