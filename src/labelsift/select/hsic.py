"""Rank features by their covariance with all labels together."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse

from labelsift._sklearn import StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.score.hsic import LABEL_KERNELS, hsic_scores
from labelsift.score.ranking import order_from_scores
from labelsift.select._base import StatisticSelector
from labelsift.statistics.label_moments import LabelMoments


class HSIC(StatisticSelector):
    """Rank features by the Hilbert-Schmidt criterion: covariance with all labels.

    The empirical Hilbert-Schmidt independence of one feature and the labels under
    linear kernels, which is the sum over labels of the squared covariances. Takes
    numbers as they are, without bins; sees linear dependence, and neither redundancy
    between features nor, with the linear kernel, dependence between labels.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    label_kernel : {"linear", "cosine"}, default="linear"
        ``"cosine"`` divides each row of the labels by its Euclidean norm, so that a
        row with many labels counts no more than one with few.
    scale : {"zscore", "minmax", "none"}, default="zscore"
        What a feature is divided by: its standard deviation (the score is then
        n**2 times the sum over labels of squared correlation times variance of the
        label), its range, or nothing, so that it depends on the units.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        ``x' H Y Y' H x`` of each feature, at least 0, higher is better.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order, constant ones last.
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
    Time O(n d + u L d) for u distinct label sets of L labels on average, memory O(u d);
    for sparse ``X`` the non-empty (label set, feature) pairs. Sparse ``X`` stays
    sparse: its means are taken off in closed form. ``partial_fit`` reads blocks.
    On a dense table in memory the product ``X' H Y`` of a linear algebra library takes
    about as long: both must read ``X``, and little else.

    Certainty: high for the matrix ``X' H Y Y' H X``, which is that of MDDM [1]_ in two
    programs of its authors' group. They project on its eigenvectors; to rank by its
    diagonal, which selects features instead of mixing them, is our choice.

    References
    ----------
    .. [1] Zhang, Zhou. Multilabel dimensionality reduction via dependence maximization.
       ACM TKDD 4(3), 2010. doi:10.1145/1839490.1839495

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 0, 2], [0, 1, 1], [2, 1, 0], [1, 2, 1], [0, 0, 1], [2, 2, 0]])
    >>> Y = np.array([[1, 0], [0, 1], [1, 1], [0, 1], [0, 0], [1, 0]])
    >>> HSIC(1).fit(X, Y).scores_.round(3)
    array([6.   , 1.5  , 1.059])
    """

    _parameter_constraints = {
        **StatisticSelector._parameter_constraints,
        "label_kernel": [StrOptions(set(LABEL_KERNELS))],
        "scale": [StrOptions({"zscore", "minmax", "none"})],
    }

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        label_kernel: str = "linear",
        scale: str = "zscore",
    ) -> None:
        super().__init__(n_features_to_select)
        self.label_kernel = label_kernel
        self.scale = scale

    def _new_statistic(self, X: Any, labels: LabelMatrix) -> LabelMoments:
        return LabelMoments(X.shape[1], labels.n_labels, is_sparse=sparse.issparse(X))

    def _score_statistic(self, statistic: LabelMoments) -> np.ndarray[Any, Any]:
        low, high = statistic.range
        self._is_constant = ~(high > low)
        if statistic.n_sets == 1:
            warnings.warn(
                "all rows have the same label set: no feature can be told from "
                "another, all scores are 0.",
                UserWarning,
                stacklevel=5,
            )
            return np.zeros(statistic.n_features)
        return hsic_scores(statistic, label_kernel=self.label_kernel, scale=self.scale)

    def _order(self, scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return order_from_scores(scores, self._is_constant)
