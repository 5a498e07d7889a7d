"""Rank features fast, by relevance less what labels share."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from labelsift._sklearn import Interval
from labelsift.score.redundancy import fimf
from labelsift.select._greedy import Array, GreedySelector
from labelsift.select._greedy_search import Criterion, Terms


class FIMF(GreedySelector):
    """Rank features fast, by relevance less what pairs of labels share.

    ``sum over l of I(f; l) - sum over pairs of labels of I(f; l; l')``, pairs among the
    labels of highest entropy only. There are no rounds, so it suits many features, and
    it is blind to redundancy between them.
    A class vector is one variable of several values, without pairs:
    the same as ``MLMIM``; so is one label.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all. The ranking is the
        same for all.
    n_pair_labels : int or None, default=10
        Labels whose pairs count: those of highest entropy, ties to the lower index;
        None for all.
    prefilter : int or None, default=None
        Score only this many features, those of highest entropy; the others follow by
        their entropy, before constant ones. None scores all.
    discretize : {"equal_width", "equal_frequency", "median", "mean", "none", \
"presence"}, default="equal_width"
        How a feature is cut into bins. ``"none"`` takes every distinct value as a
        category, ``"presence"`` asks whether a value is above 0.
    n_bins : int, default=3
        Bins of ``"equal_width"`` and ``"equal_frequency"``, at least 2.
    categorical_features : array-like of bool, int or str, or None, default=None
        Features whose distinct values are categories and are never cut: a mask, column
        numbers or names.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        They follow the rank: n_features for the first pick, one less for the next;
        0 for constant features. Larger is better.
    criterion_ : ndarray of shape (n_picks,), float64
        Value of each feature kept, in that order, in bits. It never
        rises.
    order_ : ndarray of shape (n_features,), int64
        Column indices: by falling value, then constant features. Equal values in
        column order.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    cut_points_ : list of ndarray or None
        Where each feature was cut; None for ``discretize="none"``.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    ValueError
        If ``X`` holds NaN or infinity, or ``y`` anything but 0 and 1.

    Notes
    -----
    Certainty: high. Confirmed by the authors' program, for features of 0 and 1; with
    three levels its entropies are wrong. That ten labels make pairs is our choice; the
    program asks for the number.

    Time O(n d (q / 64 + c^2)) for c labels a row, and d p^2 / 2 tables for p labels
    that make pairs; memory O(d + p^2) beyond one bit for each row and level.

    References
    ----------
    .. [1] Lee, Kim. Fast multi-label feature selection based on information-theoretic
       feature ranking. Pattern Recognition 48, 2015.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]] * 2)
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2)
    >>> selector = FIMF().fit(X, Y)
    >>> selector.order_
    array([0, 1, 2])
    >>> selector.criterion_
    array([1., 1., 1.])
    """

    _reads = frozenset({"label_pairs"})
    _parameter_constraints = {
        **GreedySelector._parameter_constraints,
        "n_pair_labels": [None, Interval(Integral, 1, None, closed="left")],
        "prefilter": [None, Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        n_pair_labels: int | None = 10,
        prefilter: int | None = None,
        discretize: str = "equal_width",
        n_bins: int = 3,
        categorical_features: Any = None,
    ) -> None:
        super().__init__(
            n_features_to_select,
            discretize=discretize,
            n_bins=n_bins,
            categorical_features=categorical_features,
        )
        self.n_pair_labels = n_pair_labels
        self.prefilter = prefilter

    def _criterion(self) -> Criterion:
        return Criterion(
            self._value,
            self._reads,
            self._tolerance,
            self.n_pair_labels,
            self.prefilter,
        )

    def _value(self, terms: Terms) -> Array:
        return fimf(terms.relevance, terms.label_pairs)
