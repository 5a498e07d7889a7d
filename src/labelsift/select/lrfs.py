"""Pick features by what they tell of labels beyond other labels."""

from __future__ import annotations

import warnings
from typing import Any

from labelsift.score.redundancy import lrfs, mlmrmr
from labelsift.select._greedy import Array, GreedySelector
from labelsift.select._greedy_search import Terms, Walk


class LRFS(GreedySelector):
    """Pick features by what they tell of each label given the others.

    ``sum over ordered pairs of labels of I(f; l | l') - mean over picks s of I(f; s)``.
    The first part grows with the square of the number of labels and the second does
    not: with more than a few labels the redundancy hardly changes the order.
    One label, or a class vector, has no pairs: then ``sum of I(f; l)`` takes their
    place, with a warning.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all. A number k costs k
        rounds; its picks are the first k of a full ranking.
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
        Value of each pick when it was taken, in bits. It may rise as
        well as fall.
    order_ : ndarray of shape (n_features,), int64
        Column indices: the picks in order, then the features left by their value in
        the last round, then constant features. Equal values in column order.
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
    Certainty: good. Confirmed by one port, PyIT-MLFS, which was run and gives the same
    order.

    Time O(k n d / 64) word operations for k picks of d binary features in n rows (a
    pair of features with b and c levels: (b - 1)(c - 1) times that; rows in lists where
    a level is rare, so that a sparse ``X`` stays sparse), memory one bit for each row
    and level. Where half of the features or more are picked of up to 2048, a table of
    features x features (32 MB).
    Pairs of labels add O(n d c^2) for c labels a row, and d q^2 / 2 tables.

    Sums over picks are exact whole numbers, so that the order does not depend on
    threads. ``partial_fit`` and ``fit_blocks`` keep coded rows, since pairs of features
    are counted anew for each pick.

    References
    ----------
    .. [1] Zhang, Liu, Gao. Distinguishing two types of labels for multi-label feature
       selection. Pattern Recognition 95, 2019.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]] * 2)
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2)
    >>> selector = LRFS().fit(X, Y)
    >>> selector.order_
    array([0, 2, 1])
    >>> selector.criterion_
    array([1. , 1. , 0.5])
    """

    _reads = frozenset({"redundancy", "label_pairs"})
    _walk = Walk(is_mean=True)

    def _score_statistic(self, statistic: Any) -> Array:
        if statistic.one_variable or statistic.n_labels == 1:
            warnings.warn(
                "LRFS compares labels with each other, and y has one: features are "
                "picked by relevance less mean redundancy, as MLMRMR does.",
                UserWarning,
                stacklevel=4,
            )
        return super()._score_statistic(statistic)

    def _value(self, terms: Terms) -> Array:
        if terms.n_variables == 1:
            return mlmrmr(terms.relevance, terms.redundancy, terms.n_picked)
        return lrfs(
            terms.relevance,
            terms.label_pairs,
            terms.redundancy,
            terms.n_variables,
            terms.n_picked,
        )
