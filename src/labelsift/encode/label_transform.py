"""From several labels a row to one class a row: the classical transformations.

Each gives a ``ClassProblem``: which classes a row stands for, and with what weight.
A row may stand for none (it is left out) or for several (it is copied).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.encode.labels import LabelMatrix
from labelsift.kernels.moments import group_label_sets

TRANSFORMATIONS = (
    "label_powerset",
    "copy",
    "copy_weight",
    "ignore",
    "select_max",
    "select_min",
)


@dataclass(frozen=True, eq=False)
class ClassProblem:
    """Classes of each row of one single-label problem.

    Parameters
    ----------
    start : ndarray of shape (n_samples + 1,), int64
        Row i has the entries ``start[i]`` to ``start[i + 1] - 1``.
    classes : ndarray, int32
        The class of each entry.
    weights : ndarray, float64
        The weight of each entry.
    names : tuple of str
        The classes.
    is_weighted : bool
        Whether any weight differs from 1.
    """

    start: np.ndarray[Any, Any]
    classes: np.ndarray[Any, Any]
    weights: np.ndarray[Any, Any]
    names: tuple[str, ...]
    is_weighted: bool = False

    @property
    def n_classes(self) -> int:
        """Number of classes, whether or not they occur."""
        return len(self.names)

    def indicator(self) -> Any:
        """Return the weights as a csr_array of shape (n_samples, n_classes)."""
        return sparse.csr_array(
            (self.weights, self.classes, self.start),
            shape=(len(self.start) - 1, self.n_classes),
        )


def to_class_problem(labels: LabelMatrix, how: str) -> ClassProblem:
    """Make one class problem of a label matrix.

    Parameters
    ----------
    labels : LabelMatrix
        The labels. A class vector is such a problem already, whatever ``how`` says.
    how : {"label_powerset", "copy", "copy_weight", "ignore", "select_max", \
"select_min"}
        - ``label_powerset``: every distinct label set is a class;
        - ``copy``: a row once for each of its labels;
        - ``copy_weight``: the same, with weights that sum to 1 for a row;
        - ``ignore``: only rows with exactly one label;
        - ``select_max``: of a row's labels the one with most rows in all (the first
          of equals); ``select_min``: the one with fewest.

        All but the first leave out rows without labels.

    Returns
    -------
    ClassProblem
        Time and memory in proportion to the relevant labels.
    """
    if labels.classes is not None:
        n = labels.values.shape[0]
        return _one_class(np.arange(n), labels.codes, n, labels.names)
    Y = sparse.csr_array(labels.values)
    Y.sort_indices()
    if how == "label_powerset":
        return _label_sets(Y, labels.names)
    n = Y.shape[0]
    size = np.diff(Y.indptr)
    row = np.repeat(np.arange(n), size)
    if how in ("copy", "copy_weight"):
        weights = np.ones(len(row)) if how == "copy" else 1.0 / size[row]
        return ClassProblem(
            Y.indptr.astype(np.int64),
            Y.indices.astype(np.int32),
            weights,
            labels.names,
            is_weighted=bool((weights != 1).any()),
        )
    if how == "ignore":
        keep = size[row] == 1
        return _one_class(row[keep], Y.indices[keep], n, labels.names)
    if how not in ("select_max", "select_min"):
        raise ValueError(
            f"how must be one of {', '.join(TRANSFORMATIONS)}; found {how!r}."
        )
    frequency = np.bincount(Y.indices, minlength=Y.shape[1])
    wanted = -frequency if how == "select_max" else frequency
    order = np.lexsort((Y.indices, wanted[Y.indices], row))
    chosen = order[Y.indptr[:-1][size > 0]]  # the best of each row comes first
    return _one_class(row[chosen], Y.indices[chosen], n, labels.names)


def pruned_label_sets(labels: LabelMatrix, min_count: int) -> ClassProblem:
    """Make every label set a class and leave out rows whose set is rare.

    Parameters
    ----------
    labels : LabelMatrix
        The labels; the classes of a class vector are its label sets.
    min_count : int
        Rows that must carry a label set for it to be kept, at least 1.

    Returns
    -------
    ClassProblem
        The kept sets only, numbered anew in their order.

    Raises
    ------
    ValueError
        If no label set is carried by so many rows.
    """
    whole = to_class_problem(labels, "label_powerset")
    sizes = np.bincount(whole.classes, minlength=whole.n_classes)
    kept = sizes >= min_count
    if not kept.any():
        raise ValueError(
            f"min_count={min_count}: no label set is carried by so many rows; the most "
            f"frequent by {sizes.max()}. Take a smaller min_count."
        )
    number = np.cumsum(kept) - 1
    rows = np.flatnonzero(kept[whole.classes])
    names = tuple(name for name, keep in zip(whole.names, kept, strict=True) if keep)
    n = len(whole.start) - 1
    return _one_class(rows, number[whole.classes[rows]], n, names)


def whole_weights(problem: ClassProblem) -> tuple[ClassProblem, float]:
    """Return the problem of ``copy_weight`` with whole numbers as weights.

    Sums of whole numbers are exact, so that the order of the rows cannot matter.

    Parameters
    ----------
    problem : ClassProblem
        With the weight ``1 / m`` for each of the ``m`` entries of a row.

    Returns
    -------
    problem : ClassProblem
        Its weights are multiplied by ``factor``.
    factor : float
        The least common multiple of the ``m``; 1, and the problem as it was, where
        sums could pass 2 ** 53.
    """
    sizes = np.diff(problem.start)
    factor = math.lcm(*(int(m) for m in np.unique(sizes[sizes > 0])))
    if factor * len(sizes) > 2**53:
        return problem, 1.0
    weights = (factor // sizes[sizes > 0]).astype(np.float64)
    weights = np.repeat(weights, sizes[sizes > 0])
    return replace(problem, weights=weights), float(factor)


def _one_class(rows: Any, classes: Any, n: int, names: tuple[str, ...]) -> ClassProblem:
    start = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=n), out=start[1:])
    return ClassProblem(
        start, np.asarray(classes, dtype=np.int32), np.ones(len(classes)), names
    )


def _label_sets(Y: Any, names: tuple[str, ...]) -> ClassProblem:
    n = Y.shape[0]
    start, labels = Y.indptr.astype(np.int64), Y.indices.astype(np.int32)
    size = 1 << (2 * n).bit_length()
    table, keys = np.full(size, -1, dtype=np.int64), np.empty(n, dtype=np.int64)
    set_start, set_labels = np.zeros(n + 1, dtype=np.int64), np.empty_like(labels)
    codes = np.empty(n, dtype=np.int32)
    n_sets = group_label_sets(
        start, labels, 0, table, keys, set_start, set_labels, codes
    )
    listed, ends = set_labels.tolist(), set_start.tolist()
    sets = [tuple(listed[ends[g] : ends[g + 1]]) for g in range(n_sets)]
    # the numbering must not depend on the order of the rows
    ordered = sorted(range(n_sets), key=sets.__getitem__)
    place = np.empty(n_sets, dtype=np.int64)
    place[ordered] = np.arange(n_sets)
    texts = tuple(
        "+".join(names[label] for label in sets[g]) or "(no label)" for g in ordered
    )
    return _one_class(np.arange(n), place[codes], n, texts)
