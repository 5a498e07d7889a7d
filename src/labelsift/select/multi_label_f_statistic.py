"""Rank features by the F-statistic for overlapping classes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.encode.labels import LabelMatrix
from labelsift.score.class_moments import ClassSums, membership
from labelsift.score.f_statistic import f_statistic
from labelsift.select._base import StatisticSelector
from labelsift.statistics.label_moments import LabelMoments


class MultiLabelFStatistic(StatisticSelector):
    """Rank features by variance between labels over variance within labels.

    Each label is a class of the rows that carry it; a row with several labels counts
    in each. For a class vector this is the F-statistic of analysis of variance.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        F-statistics, at least 0, higher is better; ``inf`` for a feature that differs
        between labels and not within them, 0 for a constant one.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    ValueError
        If ``X`` holds NaN, or ``y`` anything but 0 and 1.

    Notes
    -----
    ``F = (n - q) / (q - 1) * S_b / S_w`` over the q labels that occur, about the mean
    in which each row counts once per label; ``n - q`` is taken as 1 where it is less.
    A single label column is read as two classes, with the label and without; rows
    without labels take no part otherwise. Time O(n d + u q d) for u distinct label
    sets, memory O(u d). Sparse ``X`` stays sparse; ``partial_fit`` gives the bits of
    the whole table.

    References
    ----------
    .. [1] Kong, Ding, Huang, Zhao. Multi-label ReliefF and F-statistic feature
       selections for image annotation. CVPR 2012. doi:10.1109/CVPR.2012.6247947

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 0], [2, 1], [3, 0], [4, 1]])
    >>> Y = np.array([[1, 0], [1, 1], [0, 1], [0, 1]])
    >>> MultiLabelFStatistic(1).fit(X, Y).scores_.round(3)
    array([2.16 , 0.057])
    """

    def _new_statistic(self, X: Any, labels: LabelMatrix) -> LabelMoments:
        return LabelMoments(X.shape[1], labels.n_labels, is_sparse=sparse.issparse(X))

    def _score_statistic(self, statistic: LabelMoments) -> np.ndarray[Any, Any]:
        members = membership(statistic)
        if len(members) == 1:
            members = np.vstack([members, ~members])
        members = members[members.any(axis=1)]
        if statistic.n_sets == 1 or len(members) < 2:
            warnings.warn(
                "fewer than two different labels occur: no feature can be told from "
                "another, all scores are 0.",
                UserWarning,
                stacklevel=5,
            )
            return np.zeros(statistic.n_features)
        scores = f_statistic(ClassSums(statistic).of(members), statistic.n_samples)
        low, high = statistic.range
        return np.where(high > low, scores, 0.0)
