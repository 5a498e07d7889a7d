"""From several labels a row to one class a row: the classical transformations.

Each gives a ``ClassProblem``: which classes a row stands for, and with what weight.
A row may stand for none (it is left out) or for several (it is copied).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.encode.labels import LabelMatrix

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


def _one_class(rows: Any, classes: Any, n: int, names: tuple[str, ...]) -> ClassProblem:
    start = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=n), out=start[1:])
    return ClassProblem(
        start, np.asarray(classes, dtype=np.int32), np.ones(len(classes)), names
    )


def _label_sets(Y: Any, names: tuple[str, ...]) -> ClassProblem:
    n = Y.shape[0]
    sets: dict[tuple[int, ...], int] = {}
    codes = np.empty(n, dtype=np.int64)
    for i in range(n):
        key = tuple(Y.indices[Y.indptr[i] : Y.indptr[i + 1]].tolist())
        codes[i] = sets.setdefault(key, len(sets))
    # the numbering must not depend on the order of the rows
    ordered = sorted(sets)
    place = np.empty(len(sets), dtype=np.int64)
    for new, key in enumerate(ordered):
        place[sets[key]] = new
    texts = tuple("+".join(names[c] for c in key) or "(no label)" for key in ordered)
    return _one_class(np.arange(n), place[codes], n, texts)
