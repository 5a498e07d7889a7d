"""Degrees and quadratic forms of a graph, from groups with something in common.

With many labels most label sets share none, and what such pairs have in common is
known: nothing, or, for the RBF similarity, the product of a number of each. So s'Js is
a square of a sum and a sum over the pairs that share a label, which the lists of the
labels give. Never is more than a block of those lists in memory.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from labelsift.kernels.progress import teller
from labelsift.kernels.threads import run_blocks
from labelsift.score.group_sums import GroupSums
from labelsift.score.label_graph import GroupGraph

Array = np.ndarray[Any, Any]
FEW_GROUPS = 2048  # below, all pairs are visited: that is fast enough
MAX_SECONDS = 50_000.0  # of one core, as estimated
_BLOCK_ENTRIES = 1 << 20  # near pairs listed at a time, for each thread
_ROUND = 16  # blocks whose forms are held at a time


def _blocks(graph: GroupGraph) -> Array:
    """Return where blocks of groups begin whose lists fit the memory."""
    u = graph.n_groups
    ends = np.cumsum(np.minimum(graph.near_entries(), np.arange(u)) + 1)
    cuts = np.searchsorted(ends, np.arange(0, ends[-1], _BLOCK_ENTRIES))
    cuts = np.unique(np.concatenate([cuts, [0, u]]))
    # and no more groups than keep the work of a block small
    step = np.arange(0, u, 1 << 14)
    return np.unique(np.concatenate([cuts, step]))


def seconds_of_near(graph: GroupGraph, sums: GroupSums) -> float:
    """Return about how long one core takes for the pairs with something in common."""
    lists, entries = graph.near_steps(sums.row_lengths)
    return 2e-9 * lists + sums.step_seconds * entries


def near_walk(graph: GroupGraph, sums: GroupSums) -> tuple[Array, Array, Array]:
    """Return J n, the diagonal of J, and s'Js of every column.

    Parameters
    ----------
    graph : GroupGraph
        The similarities J; n are its counts.
    sums : DenseSums or SparseSums
        The group sums s of each column.
    """
    u = graph.n_groups
    own = graph.near_diagonal()
    base = graph.near_base
    rest = own if base is None else own - base**2
    reach = np.zeros(u)
    forms = np.zeros(sums.n_columns)
    add = sums.near_adder()
    cuts = _blocks(graph)
    tell = teller("label sets")

    def work(first: int, i: int, _: int) -> Array:
        start, stop = int(cuts[first + i]), int(cuts[first + i + 1])
        lists = graph.near_rows(start, stop, reach)
        part: Array = add(start, *lists, rest)
        return part

    for first in range(0, len(cuts) - 1, _ROUND):
        some = min(_ROUND, len(cuts) - 1 - first)
        for part in run_blocks(partial(work, first), some, block=1):
            forms += part
        if tell is not None:
            tell(int(cuts[first + some]), u)
    n = graph.counts.astype(np.float64)
    if base is None:
        return reach + own * n, own, forms
    reach += base * (base * n).sum() + rest * n
    return reach, own, forms + sums.weighted_sum(base) ** 2
