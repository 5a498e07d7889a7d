"""Keep the features whose information about the labels is above a threshold."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from labelsift._sklearn import Interval, StrOptions
from labelsift.score.cost import z_scores
from labelsift.select._normalized_gain import SETTINGS, NormalizedGainSelector


class MLFSIE(NormalizedGainSelector):
    """Keep the features whose information about all labels is above a threshold.

    The normalised gains ``IG / (H(feature) + H(label))`` of a feature are summed over
    the labels and standardised over the features; what falls below the threshold is
    dropped. It is ``CSIG`` without costs.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept: a number, a share, or None for those above ``threshold``.
    threshold : float, "auto" or None, default=0.0
        Least standardised information of a feature that is kept: 0 is the average.
        ``"auto"``: the mean absolute value less the standard deviation of the
        information before it was standardised. None keeps all.
    discretize : {"equal_width", "equal_frequency", "median", "mean", "mdl", "none", \
"presence"}, default="equal_width"
        How a feature is cut into bins; see ``InfoGain``.
    n_bins : int, default=5
        Bins of ``"equal_width"`` and ``"equal_frequency"``, at least 2.
    missing : {"pairwise", "distribute"}, default="pairwise"
        Rows where a feature is NaN: left out for that feature, or shared out among
        its bins.
    categorical_features : array-like of bool, int or str, or None, default=None
        Features whose distinct values are categories: a mask, column numbers or names.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        Standardised information; higher is better, 0 is the average.
    relevance_ : ndarray of shape (n_features,), float64
        Information summed over the labels, from 0 to half their number.
    threshold_ : float
        Least score of a feature that is kept by the method's own rule.
    scores_per_label_ : ScoreTable of shape (n_features, n_labels)
        Normalised gains, from 0 to 1/2, with names.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.

    Notes
    -----
    Time O(d n q) for n rows, d features and q labels. Sparse ``X`` stays sparse. The
    original description was not at hand; this is a reconstruction from how later papers
    describe it [2]_.

    References
    ----------
    .. [1] Zhang, Li, Li, Zhang. Multi-label feature selection algorithm based on
       information entropy (in Chinese). J. Comput. Res. Dev. 50(6), 2013, 1177-1184.
    .. [2] Qian, Huang, Wang, Yang. Feature selection for incomplete multi-label data
       (in Chinese). J. Frontiers Comput. Sci. Technol. 13(10), 2019.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 1], [2, 0, 0], [2, 1, 1]])
    >>> Y = np.array([[1, 1], [1, 0], [0, 1], [0, 0], [0, 0], [0, 1]])
    >>> selector = MLFSIE(discretize="none").fit(X, Y)
    >>> selector.scores_.round(3), selector.get_support(indices=True)
    (array([ 1.355, -1.029, -0.326]), array([0]))
    """

    _parameter_constraints = {
        **SETTINGS,
        "threshold": [
            None,
            Interval(Real, None, None, closed="neither"),
            StrOptions({"auto"}),
        ],
    }

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        threshold: float | str | None = 0.0,
        discretize: str = "equal_width",
        n_bins: int = 5,
        missing: str = "pairwise",
        categorical_features: Any = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.threshold = threshold
        self.discretize = discretize
        self.n_bins = n_bins
        self.missing = missing
        self.categorical_features = categorical_features

    def _scores_of(self, pairs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        self.relevance_ = pairs.sum(axis=1)
        scores = z_scores(self.relevance_)
        if self.threshold is None:
            self.threshold_ = -np.inf
        elif self.threshold == "auto":
            self.threshold_ = float(np.abs(scores).mean() - self.relevance_.std())
        else:
            self.threshold_ = float(self.threshold)
        return scores

    def _own_threshold(self) -> float:
        return self.threshold_
