"""Moments of classes that are unions of label sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.score.group_sums import weighted
from labelsift.statistics.label_moments import LabelMoments

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class ClassMoments:
    """Rows, sums and sums of squares about the overall mean of each feature.

    Parameters
    ----------
    counts : ndarray of shape (n_classes,), float64
        Rows in each class.
    sums, squares : ndarray of shape (n_classes, n_features), float64
        About the mean of all rows.
    """

    counts: Array
    sums: Array
    squares: Array

    @property
    def scatter(self) -> Array:
        """Sum of squares about the mean of each class; 0 for an empty one."""
        n = np.maximum(self.counts, 1.0)[:, None]
        scatter: Array = np.maximum(self.squares - self.sums**2 / n, 0.0)
        return scatter


class ClassSums:
    """Adds the label sets of a class together, exactly in the order of the sets.

    Parameters
    ----------
    moments : LabelMoments
        What was gathered from the rows; sparse moments stay sparse.
    """

    def __init__(self, moments: LabelMoments) -> None:
        self.n_samples = moments.n_samples
        self.counts = moments.counts.astype(np.float64)
        if moments.is_sparse:
            self.base, sums, squares = moments.columns()
            self._sums, self._squares = sums.tocsr(), squares.tocsr()
            total = np.asarray(self._sums.sum(axis=0)).ravel()
            self._mean = total / moments.n_samples
        else:
            self.base, self._sums, self._squares = moments.dense()
            ones = np.ones((1, moments.n_sets))
            self._mean = weighted(ones, self._sums)[0] / moments.n_samples

    @property
    def mean(self) -> Array:
        """Mean of each feature over all rows; (n_features,)."""
        mean: Array = self.base + self._mean
        return mean

    def of(self, members: Array) -> ClassMoments:
        """Return the moments of classes.

        Parameters
        ----------
        members : ndarray of shape (n_classes, n_sets), bool
            Which label sets each class is made of.
        """
        chosen = sparse.csr_array(members, dtype=np.float64)
        counts = chosen @ self.counts
        sums, squares = chosen @ self._sums, chosen @ self._squares
        if sparse.issparse(sums):
            sums, squares = sums.toarray(), squares.toarray()
        moved = sums - counts[:, None] * self._mean
        squares = squares - (sums + moved) * self._mean
        return ClassMoments(counts, moved, squares)

    def sums_of(self, weights: Any) -> Array:
        """Return weighted sums over rows of the features less their means.

        Parameters
        ----------
        weights : csr_array of shape (n_classes, n_sets), float64
            What each row of a label set counts for in each class.

        Returns
        -------
        ndarray of shape (n_classes, n_features), float64
        """
        sums = weights @ self._sums
        if sparse.issparse(sums):
            sums = sums.toarray()
        moved: Array = sums - (weights @ self.counts)[:, None] * self._mean
        return moved


def membership(moments: LabelMoments) -> Array:
    """Return which label sets hold each label; (n_labels, n_sets) bool."""
    member = np.zeros((moments.n_labels, moments.n_sets), dtype=bool)
    of_set = np.repeat(np.arange(moments.n_sets), np.diff(moments.sets.indptr))
    member[moments.sets.indices, of_set] = True
    return member
