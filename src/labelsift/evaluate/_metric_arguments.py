"""Check what metrics are given: truth, predictions and scores."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse

Array = np.ndarray[Any, Any]


def zero_one(values: Any, name: str) -> Any:
    if sparse.issparse(values):
        matrix = sparse.csr_array(values)
        if not matrix.has_canonical_format:
            matrix = matrix.copy()  # the caller's arrays stay as they are
            matrix.sum_duplicates()
        cells = matrix.data
    else:
        matrix = cells = as_array(values)
    if matrix.ndim != 2:
        raise ValueError(
            f"{name} must have shape (n_samples, n_labels); found {matrix.ndim} "
            f"dimension{'s' if matrix.ndim != 1 else ''}. One label is one column."
        )
    if cells.dtype.kind not in "buif":
        raise ValueError(f"{name} must hold 0 and 1; found type {cells.dtype}.")
    if cells.dtype.kind != "b":
        bad = ~((cells == 0) | (cells == 1))
        if bad.any():
            raise ValueError(
                f"{name} must hold only 0 and 1; found {cells[bad][0]:g} "
                f"({int(bad.sum())} such cells)."
            )
    matrix = matrix.astype(np.uint8)
    if sparse.issparse(matrix):
        matrix.eliminate_zeros()
    return matrix


def checked_scores(values: Any, shape: tuple[int, int]) -> Any:
    scores: Any = (
        sparse.csr_array(values) if sparse.issparse(values) else as_array(values)
    )
    same_shape(np.broadcast_to(0, shape), scores, "S")
    if scores.dtype.kind not in "buif":
        raise ValueError(f"S must hold numbers; found type {scores.dtype}.")
    cells = scores.data if sparse.issparse(scores) else scores
    if cells.dtype.kind == "f" and np.isnan(cells).any():
        raise ValueError(f"S holds NaN in {int(np.isnan(cells).sum())} cells.")
    return scores


def as_array(values: Any) -> Array:
    if isinstance(values, np.ndarray):
        return values
    frame = nw.from_native(values, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return np.asarray(frame.to_numpy())
    return np.asarray(values)


def dense(values: Any) -> Array:
    return values.toarray() if sparse.issparse(values) else np.asarray(values)


def same_shape(truth: Any, other: Any, name: str) -> None:
    if truth.shape != other.shape:
        raise ValueError(
            f"Y and {name} must have the same shape; found {tuple(truth.shape)} and "
            f"{tuple(other.shape)}."
        )
