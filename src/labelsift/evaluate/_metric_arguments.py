"""Check what metrics are given: truth, predictions and scores."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse

from labelsift._words import counted
from labelsift.encode.row_order import refuse_other_order

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
                f"({counted(int(bad.sum()), 'such cell')})."
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
        raise ValueError(
            f"S holds NaN in {counted(int(np.isnan(cells).sum()), 'cell')}."
        )
    return scores


def as_array(values: Any) -> Array:
    if isinstance(values, np.ndarray):
        return values
    frame = nw.from_native(values, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return np.asarray(frame.to_numpy())
    return np.asarray(values)


def aligned(Y: Any, values: Any, name: str) -> Any:
    """Return what was said about labels in the order in which the truth has them.

    Only where both are data frames whose columns have names (text).
    """
    refuse_other_order(Y, values, ("Y", name))
    truth, said = _columns(Y), _columns(values)
    if truth is None or said is None or truth == said:
        return values
    if len(truth) != len(said):
        return values  # whose shape is refused
    unknown = [column for column in said if column not in truth]
    if unknown:
        missing = next(column for column in truth if column not in said)
        raise ValueError(
            f"Y and {name} must have the same labels; {name} has {unknown[0]!r}, which "
            f"Y has not, and lacks {missing!r}. Name the columns alike, or give arrays."
        )
    return nw.to_native(nw.from_native(values).select(truth))


def _columns(values: Any) -> list[str] | None:
    """Return the names of a data frame's columns; None where there are none."""
    if isinstance(values, np.ndarray):
        return None
    frame = nw.from_native(values, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return None
    names: list[Any] = list(frame.columns)
    return names if all(isinstance(name, str) for name in names) else None


def dense(values: Any) -> Array:
    return values.toarray() if sparse.issparse(values) else np.asarray(values)


def same_shape(truth: Any, other: Any, name: str) -> None:
    if truth.shape != other.shape:
        raise ValueError(
            f"Y and {name} must have the same shape; found {tuple(truth.shape)} and "
            f"{tuple(other.shape)}."
        )
