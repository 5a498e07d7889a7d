"""Moments of classes that are unions of label sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.score.group_sums import weighted
from labelsift.statistics.label_moments import LabelMoments

Array = np.ndarray[Any, Any]
_FEW_WEIGHTS = 1 << 20  # are not worth a sparse matrix


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
        self._n_labels = moments.n_labels
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
        chosen = np.asarray(members, dtype=np.float64)
        if sparse.issparse(self._sums) or chosen.size > _FEW_WEIGHTS:
            chosen = sparse.csr_array(chosen)
        counts = _product(chosen, self.counts[:, None])[:, 0]
        sums, squares = _product(chosen, self._sums), _product(chosen, self._squares)
        moved = sums - counts[:, None] * self._mean
        squares = squares - (sums + moved) * self._mean
        return ClassMoments(counts, moved, squares)

    def weights(self, indptr: Array, indices: Array, shares: Array) -> Any:
        """Return what label sets count for in each label, as ``sums_of`` wants it.

        Parameters
        ----------
        indptr, indices : ndarray
            The labels of each set.
        shares : ndarray of shape (n_sets,), float64
            What a set counts for in its labels.

        Returns
        -------
        ndarray or csr_array of shape (n_labels, n_sets), float64
        """
        sizes = np.diff(indptr)
        shape = self._n_labels, len(sizes)
        if sparse.issparse(self._sums) or shape[0] * shape[1] > _FEW_WEIGHTS:
            lists = np.repeat(shares, sizes), indices, indptr
            return sparse.csr_array(sparse.csc_array(lists, shape=shape))
        weights = np.zeros(shape)
        of_set = np.repeat(np.arange(len(sizes)), sizes)
        weights[indices, of_set] = shares[of_set]
        return weights

    def sums_of(self, weights: Any) -> Array:
        """Return weighted sums over rows of the features less their means.

        Parameters
        ----------
        weights : ndarray or csr_array of shape (n_classes, n_sets), float64
            What each row of a label set counts for in each class; from ``weights``.

        Returns
        -------
        ndarray of shape (n_classes, n_features), float64
        """
        sums = _product(weights, self._sums)
        moved: Array = sums - _product(weights, self.counts[:, None]) * self._mean
        return moved


def _product(weights: Any, table: Any) -> Array:
    """Return ``weights @ table``, adding in the order of the sets."""
    if isinstance(weights, np.ndarray):
        return weighted(weights, table)
    product = weights @ table
    dense: Array = product.toarray() if sparse.issparse(product) else product
    return dense


def membership(moments: LabelMoments) -> Array:
    """Return which label sets hold each label; (n_labels, n_sets) bool."""
    member = np.zeros((moments.n_labels, moments.n_sets), dtype=bool)
    of_set = np.repeat(np.arange(moments.n_sets), np.diff(moments.sets.indptr))
    member[moments.sets.indices, of_set] = True
    return member
