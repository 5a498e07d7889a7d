"""Draw the groups of labels that the models of RAkEL see."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def distinct_subsets(
    n_labels: int, size: int, n_subsets: int, random: Any
) -> list[tuple[int, ...]]:
    """Return distinct subsets of the labels, each sorted, in sorted order.

    All are made only when over half of them are wanted, so any number of labels will
    do.

    Parameters
    ----------
    n_labels, size : int
        Labels, and labels of a subset, at most n_labels.
    n_subsets : int
        How many, at most ``comb(n_labels, size)``.
    random : RandomState
        Source of the draw.
    """
    possible = comb(n_labels, size)
    if n_subsets == possible:
        return list(combinations(range(n_labels), size))
    if 2 * n_subsets > possible:
        every = list(combinations(range(n_labels), size))
        chosen = random.choice(possible, n_subsets, replace=False)
        return [every[i] for i in sorted(chosen)]
    drawn: set[tuple[int, ...]] = set()
    while len(drawn) < n_subsets:  # at least every second draw is new
        subset = random.choice(n_labels, size, replace=False)
        drawn.add(tuple(sorted(int(i) for i in subset)))
    return sorted(drawn)


def cover_all(
    subsets: list[tuple[int, ...]], n_labels: int, random: Any
) -> list[tuple[int, ...]]:
    """Exchange labels that occur more than once for labels that occur nowhere.

    The subsets stay distinct: each exchange makes a label's only subset. Labels are
    left out only where the subsets have fewer places than there are labels.
    """
    groups = [list(subset) for subset in subsets]
    counts = np.zeros(n_labels, dtype=np.int64)
    for group in groups:
        counts[group] += 1
    for label in np.flatnonzero(counts == 0):
        places = [
            (i, j)
            for i, group in enumerate(groups)
            for j, other in enumerate(group)
            if counts[other] > 1
        ]
        if not places:
            break
        i, j = places[random.randint(len(places))]
        counts[groups[i][j]] -= 1
        groups[i][j] = int(label)
        counts[label] = 1
    return sorted(tuple(sorted(group)) for group in groups)


def partition(n_labels: int, size: int, random: Any) -> list[tuple[int, ...]]:
    """Return a random partition into groups of ``size``; the last may be smaller.

    A last group of one label joins the one before.
    """
    order = [int(i) for i in random.permutation(n_labels)]
    groups = [order[i : i + size] for i in range(0, n_labels, size)]
    if len(groups[-1]) == 1 and len(groups) > 1 and size > 1:
        groups[-2].extend(groups.pop())
    return sorted(tuple(sorted(group)) for group in groups)
