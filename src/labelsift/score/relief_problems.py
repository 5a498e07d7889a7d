"""The two-class and many-class problems that ReliefF is run on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.encode.labels import LabelMatrix
from labelsift.kernels.relief_neighbors import CLASSES, NO_LABEL

Array = np.ndarray[Any, Any]
MAX_ENTRIES = 1 << 28  # cells of the label matrix, one byte each


@dataclass(frozen=True)
class Problems:
    """Classes of the rows in every problem, read off marks.

    Parameters
    ----------
    marks : ndarray of shape (n_samples, n_labels) or (n_samples, 1)
        Labels as 0/1, or the class of each row.
    first, second : ndarray of shape (n_problems,), int64
        The labels of a pair; a label and ``NO_LABEL``; or 0 and ``CLASSES``.
    class_sizes : list of ndarray
        Rows of each class of each problem.
    """

    marks: Array
    first: Array
    second: Array
    class_sizes: list[Array]

    @property
    def n_problems(self) -> int:
        """Number of problems."""
        return len(self.first)

    @property
    def class_indptr(self) -> Array:
        """Where the classes of each problem begin; (n_problems + 1,) int64."""
        lengths = [len(sizes) for sizes in self.class_sizes]
        return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)

    @property
    def priors(self) -> Array:
        """Share of each class among the rows of its problem, all problems in turn."""
        return np.concatenate([sizes / sizes.sum() for sizes in self.class_sizes])

    def members(self) -> tuple[Array, Array]:
        """Return, CSR-like, the rows of each label or class, and last all rows."""
        n = len(self.marks)
        if self.n_problems and self.second[0] == CLASSES:
            codes = self.marks[:, 0]
            rows = np.argsort(codes, kind="stable")
            sizes = np.bincount(codes, minlength=len(self.class_sizes[0]))
        else:
            rows = np.nonzero(self.marks.T)[1]
            sizes = self.marks.sum(axis=0, dtype=np.int64)
        indptr = np.concatenate([[0], np.cumsum(sizes), [len(rows) + n]])
        every = np.concatenate([rows, np.arange(n)])
        return indptr.astype(np.int64), every.astype(np.int32)

    def most_neighbors(self, k: int) -> Array:
        """Return how many neighbours each row can have over all problems, at most."""
        n = len(self.marks)
        if self.n_problems and self.second[0] >= 0:
            held = self.marks.sum(axis=1, dtype=np.int64)
            pairs: Array = 2 * k * held * (self.marks.shape[1] - held)
            return pairs
        most = sum(int(np.minimum(sizes, k).sum()) for sizes in self.class_sizes)
        return np.full(n, most, dtype=np.int64)


def class_problem(codes: Array, n_classes: int) -> Problems:
    """Return the problem of one class a row; none if all rows are of one class.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,), int
        Class of each row.
    n_classes : int
        Number of classes.
    """
    marks = np.ascontiguousarray(codes, dtype=np.int32)[:, None]
    sizes = np.bincount(codes, minlength=n_classes)
    used = 1 if np.count_nonzero(sizes) > 1 else 0
    return Problems(
        marks,
        np.zeros(used, dtype=np.int64),
        np.full(used, CLASSES, dtype=np.int64),
        [sizes][:used],
    )


def label_problems(labels: LabelMatrix, kind: str) -> Problems:
    """Return the two-class problems of a label matrix.

    Parameters
    ----------
    labels : LabelMatrix
        The labels.
    kind : {"binary_relevance", "pairwise"}
        One problem a label (with it or without), or one a pair of labels, on the rows
        with exactly one of them. Problems whose rows are all of one class are left
        out.

    Returns
    -------
    Problems
        Rows and classes.

    Raises
    ------
    ValueError
        If the label matrix has more than 268 435 456 cells.
    """
    n, q = labels.values.shape
    if n * q > MAX_ENTRIES:
        raise ValueError(
            f"{n} rows x {q} labels are more than the {MAX_ENTRIES} cells that can be "
            "looked up. Use problem='label_powerset', fewer labels or a sample of the "
            "rows."
        )
    rows = sparse.csr_array(labels.values, dtype=np.int64)
    together = (rows.T @ rows).toarray()
    held = np.diag(together)
    if kind == "binary_relevance":
        first = np.flatnonzero((held > 0) & (held < n))
        second = np.full(len(first), NO_LABEL, dtype=np.int64)
        sizes = [np.array([n - held[a], held[a]]) for a in first]
    else:
        only_first = held[:, None] - together
        first, second = np.nonzero(np.triu((only_first > 0) & (only_first.T > 0), 1))
        sizes = [
            np.array([only_first[a, b], only_first[b, a]])
            for a, b in zip(first, second, strict=True)
        ]
    values = (
        labels.values.toarray() if sparse.issparse(labels.values) else labels.values
    )
    marks = np.ascontiguousarray(values, dtype=np.uint8)
    return Problems(marks, first.astype(np.int64), second.astype(np.int64), sizes)
