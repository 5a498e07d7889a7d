"""Supervised cut points by the minimum description length principle."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from labelsift.encode.label_transform import ClassProblem
from labelsift.encode.sorted_columns import columns_a_block, sort_columns
from labelsift.kernels import mdl
from labelsift.kernels.threads import run_blocks
from labelsift.read.dataset import Matrix

RULES = {
    ("fayyad_irani", "default"): mdl.FAYYAD_IRANI_DEFAULT,
    ("fayyad_irani", "better"): mdl.FAYYAD_IRANI_BETTER,
    ("kononenko", "default"): mdl.KONONENKO_DEFAULT,
    ("kononenko", "better"): mdl.KONONENKO_BETTER,
}


def mdl_cut_points(
    X: Matrix, problem: ClassProblem, rule: int
) -> list[np.ndarray[Any, Any]]:
    """Return the cut points of every column for one class problem.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Values; missing ones (NaN) are left out.
    problem : ClassProblem
        The classes of the rows.
    rule : int
        One of the rules of ``labelsift.kernels.mdl``.

    Returns
    -------
    list of ndarray
        Increasing cuts of each column, midway between two values; a value equal to a
        cut belongs below it.
    """
    columns = sparse.csc_array(X) if sparse.issparse(X) else X

    def cut(start: int, stop: int) -> list[np.ndarray[Any, Any]]:
        block = sort_columns(columns, start, stop)
        _, n_bins, _, below, above = mdl.class_tables(
            block.rows,
            block.ranks,
            block.start,
            block.n_known,
            block.zero_rank,
            problem.start,
            problem.classes,
            problem.weights,
            problem.n_classes,
            problem.is_weighted,
            np.full(stop - start, rule, dtype=np.int64),
        )
        last = np.cumsum(n_bins)
        cuts = []
        for j, (end, count) in enumerate(zip(last, n_bins, strict=True)):
            low = [block.value_at(j, r) for r in below[end - count : end - 1]]
            high = [block.value_at(j, r) for r in above[end - count + 1 : end]]
            cuts.append(_between(np.array(low), np.array(high)))
        return cuts

    blocks = run_blocks(cut, X.shape[1], block=columns_a_block(X.shape[0]))
    return [cuts for block in blocks for cuts in block]


def _between(
    low: np.ndarray[Any, Any], high: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    # neighbouring numbers have no midpoint, and large ones a sum without end
    with np.errstate(over="ignore"):
        middle = (low + high) / 2
    middle = np.where(np.isfinite(middle), middle, low / 2 + high / 2)
    return np.where(middle < high, middle, low).astype(np.float64)
