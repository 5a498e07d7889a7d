"""Rank features by how they differ between near rows with unlike label sets."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np

from labelsift._sklearn import Interval, StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.kernels.relief import CATEGORIES_MISSING, NUMBERS_MISSING
from labelsift.score.ranking import order_from_scores
from labelsift.score.regression_relief import (
    LABEL_DISTANCES,
    regression_relief_weights,
)
from labelsift.score.relief_rows import ReliefRows
from labelsift.select._base import RankingSelector
from labelsift.statistics.label_sets import label_lists


class RReliefFML(RankingSelector):
    """Rank features by Relief with the distance of label sets as the target.

    For each row its nearest rows are found on all features. A feature gains where it
    differs to near rows whose label sets differ, and loses where it differs to near
    rows whose label sets are alike. One pass over the data for all labels; because
    neighbours are found on all features, a feature that helps only together with
    others can score well.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    n_neighbors : int, default=10
        Nearest rows looked at for each row.
    label_distance : {"hamming", "jaccard", "f1"}, default="hamming"
        How far two label sets are apart, from 0 to 1: the share of all labels in
        which they differ; of the labels in either, those that are not in both; the
        labels that are not in both over the sum of the sizes. Two rows without labels
        are at distance 0. Different classes of a class vector are at distance 1.
    sigma : float or None, default=None
        If given, the r-th nearest neighbour (from 0) counts ``exp(-(r / sigma)**2)``
        instead of equally, as in ``ReliefF``. Rows at the same distance share.
    categorical_features : array-like of bool, int or str, or None, default=None
        Features whose values are categories, equal or not: a mask, column numbers or
        names.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        Weights, from -1 to 1, higher is better; 0 for a constant feature.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order, constant ones last
        whatever the scores.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    ValueError
        If ``X`` holds infinite values, or ``y`` anything but 0 and 1.

    Notes
    -----
    ``W[f] = N_CA[f] / N_C - (N_A[f] - N_CA[f]) / (n - N_C)`` with sums over all rows
    and their neighbours, each of share 1 / k, of the distance of the label sets
    (N_C), the difference of the feature (N_A) and their product (N_CA). Numbers are
    scaled to 0..1 by their range; missing values differ as in ``ReliefF``. All rows
    are used, so there is no seed. Distances are compared at 12 significant digits,
    equal ones in row order.

    Time O(n**2 d / 2 + n**2 + n k d) for n rows and k neighbours (n**2 d above 2 896
    rows, when distances are no longer all kept), memory 64 MB for the distances and
    O(n d). Sparse ``X`` stays sparse.

    Certainty: good. The formula is that of the program by the authors of [2]_; of
    [1]_, which gave the method its name, only the abstract was read, so that the two
    are one is assumed. ``sigma`` is the reciprocal of that program's.

    References
    ----------
    .. [1] Reyes, Morell, Ventura. Scalable extensions of the ReliefF algorithm for
       weighting and selecting features on the multi-label learning context.
       Neurocomputing 161, 2015. doi:10.1016/j.neucom.2015.02.045
    .. [2] Petkovic, Kocev, Dzeroski. Feature ranking with Relief for multi-label
       classification: does distance matter? Discovery Science 2018.
       doi:10.1007/978-3-030-01771-2_4
    .. [3] Robnik-Sikonja, Kononenko. Theoretical and empirical analysis of ReliefF and
       RReliefF. Machine Learning 53, 2003. doi:10.1023/A:1025667309714

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0], [0.2, 0.9], [0.9, 0.1], [1, 1]])
    >>> Y = np.array([[1, 0], [1, 1], [0, 1], [0, 0]])
    >>> RReliefFML(1, n_neighbors=2).fit(X, Y).scores_.round(3)
    array([ 0.467, -0.533])
    """

    _parameter_constraints = {
        **RankingSelector._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "label_distance": [StrOptions(set(LABEL_DISTANCES))],
        "sigma": [None, Interval(Real, 0, None, closed="neither")],
        "categorical_features": [None, "array-like"],
    }
    _accepts_nan = True

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        n_neighbors: int = 10,
        label_distance: str = "hamming",
        sigma: float | None = None,
        categorical_features: Any = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.n_neighbors = n_neighbors
        self.label_distance = label_distance
        self.sigma = sigma
        self.categorical_features = categorical_features

    def _score(self, X: Any, labels: LabelMatrix) -> np.ndarray[Any, Any]:
        table = ReliefRows(X, self._nominal_mask(self.categorical_features))
        has_gaps = np.isin(table.kinds, (NUMBERS_MISSING, CATEGORIES_MISSING))
        self._is_constant = table.constant & ~has_gaps
        carried = np.asarray(labels.values.sum(axis=0)).ravel()
        if ((carried == 0) | (carried == table.n)).all():
            warnings.warn(
                "all rows carry the same labels: every score is 0, and the order is "
                "that of the columns.",
                UserWarning,
                stacklevel=4,
            )
            return np.zeros(table.d)
        return regression_relief_weights(
            table,
            label_lists(labels, 0, table.n),
            n_labels=2 if labels.classes is not None else labels.n_labels,
            label_distance=self.label_distance,
            n_neighbors=int(self.n_neighbors),
            sigma=self.sigma,
        )

    def _order(self, scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        order = order_from_scores(scores)
        last = self._is_constant[order]
        return np.concatenate([order[~last], order[last]])
