"""SPEC on each two-class problem that labels split into, in closed form.

With S_ij = 1/n_c within class c the graph is two complete graphs, so that every
eigenvalue is known and the numerator f'Lf is the scatter within the classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.score.class_moments import ClassMoments

Array = np.ndarray[Any, Any]


def two_class_phi(
    first: ClassMoments,
    second: ClassMoments,
    *,
    criterion: str,
    self_loops: bool,
    shift: Array,
) -> Array:
    """Return phi of every feature in every problem.

    Parameters
    ----------
    first, second : ClassMoments
        The two classes of each problem; none empty.
    criterion : {"phi_1", "phi_2"}
        Smaller is better.
    self_loops : bool
        Whether a row is its own neighbour.
    shift : ndarray of shape (n_features,), float64
        Where a scaled feature's zero lies, as distance from the overall mean.

    Returns
    -------
    ndarray of shape (n_problems, n_features), float64
        NaN where a feature is constant on the rows that have a neighbour.
    """
    scatter = [c.scatter for c in (first, second)]
    rows = [c.counts[:, None] for c in (first, second)]
    # degree of a row: 1 with itself, (n_c - 1) / n_c without
    degree = [np.ones_like(n) if self_loops else (n - 1.0) / n for n in rows]
    weight = [d * n for d, n in zip(degree, rows, strict=True)]
    mean = [c.sums / n for c, n in zip((first, second), rows, strict=True)]
    numerator = scatter[0] + scatter[1]
    inner = degree[0] * scatter[0] + degree[1] * scatter[1]
    total = weight[0] + weight[1]
    safe = np.where(total > 0, total, 1.0)
    gap = mean[0] - mean[1]
    spread = inner + weight[0] * weight[1] / safe * gap**2
    size = inner + weight[0] * mean[0] ** 2 + weight[1] * mean[1] ** 2
    defined = spread > 1e-13 * size
    denominator = spread
    if criterion == "phi_1":
        centre = (weight[0] * mean[0] + weight[1] * mean[1]) / safe
        denominator = spread + total * (centre - shift) ** 2
    phi = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=phi, where=defined)
    return phi


def round_robin(orders: Array) -> Array:
    """Return all columns in the order in which the problems choose them in turn.

    Parameters
    ----------
    orders : ndarray of shape (n_problems, n_features), int
        Column indices, best first, for each problem.

    Returns
    -------
    ndarray of shape (n_features,), int64
        In each round every problem, in its turn, takes its best column not yet taken.
    """
    n_problems, d = orders.shape
    taken = np.zeros(d, dtype=bool)
    at = np.zeros(n_problems, dtype=np.int64)
    result = np.empty(d, dtype=np.int64)
    for place in range(d):
        problem = place % n_problems
        while taken[orders[problem, at[problem]]]:
            at[problem] += 1
        result[place] = orders[problem, at[problem]]
        taken[result[place]] = True
    return result
