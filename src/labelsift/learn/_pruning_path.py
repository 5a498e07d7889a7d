"""Answers of one grown tree at every degree of cost-complexity pruning."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from labelsift.kernels.tree_answers import answering_nodes

Array = np.ndarray[Any, Any]


def collapse_alphas(tree: Any) -> Array:
    """Return the smallest ``ccp_alpha`` at which each node is a leaf, or is cut off.

    The weakest link goes first: the inner node whose impurity rises least, per leaf
    saved, when it becomes a leaf. A heap holds the links; each collapse renews those of
    its ancestors only. Cost: O(nodes x depth x log nodes).

    Parameters
    ----------
    tree : sklearn.tree._tree.Tree
        A tree that is not pruned.
    """
    left, right = tree.children_left.tolist(), tree.children_right.tolist()
    weight = tree.weighted_n_node_samples
    cost = (tree.impurity * weight / weight[0]).tolist()
    n = len(left)
    parent, below, leaves = [-1] * n, list(cost), [1] * n
    for node in range(n - 1, -1, -1):  # children have higher numbers
        if left[node] >= 0:
            a, b = left[node], right[node]
            parent[a] = parent[b] = node
            below[node], leaves[node] = below[a] + below[b], leaves[a] + leaves[b]

    def link(node: int) -> float:
        return float((cost[node] - below[node]) / (leaves[node] - 1))

    links = {node: link(node) for node in range(n) if left[node] >= 0}
    heap = [(value, node) for node, value in links.items()]
    heapq.heapify(heap)
    alphas = np.zeros(n)
    reached = 0.0
    while heap:
        value, node = heapq.heappop(heap)
        if links.get(node) != value:
            continue  # renewed or cut off since
        reached = max(reached, value)
        cut = [node]
        while cut:
            child = cut.pop()
            if links.pop(child, None) is not None:
                alphas[child] = reached
                cut += [left[child], right[child]]
        saved, risen = leaves[node] - 1, cost[node] - below[node]
        above = parent[node]
        while above >= 0:
            leaves[above] -= saved
            below[above] += risen
            links[above] = link(above)
            heapq.heappush(heap, (links[above], above))
            above = parent[above]
        leaves[node], below[node] = 1, cost[node]
    return alphas


def wrong_answers(model: Any, alphas: list[float], X: Any, y: Array) -> list[int]:
    """Return how many rows a grown tree gets wrong after pruning with each alpha.

    Parameters
    ----------
    model : DecisionTreeClassifier
        Fitted with ``ccp_alpha=0``.
    alphas : list of float
        Values of ``ccp_alpha``.
    X, y : ndarray
        Rows and their classes.
    """
    tree = model.tree_
    collapse = collapse_alphas(tree)
    answer = model.classes_[tree.value[:, 0, :].argmax(axis=1)]
    reached = model.apply(X)
    wrong = []
    for alpha in alphas:
        is_leaf = (tree.children_left < 0) | (collapse <= alpha)
        nodes, _ = answering_nodes(tree.children_left, tree.children_right, is_leaf)
        wrong.append(int((answer[nodes[reached]] != y).sum()))
    return wrong
