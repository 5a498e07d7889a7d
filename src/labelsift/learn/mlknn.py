"""ML-kNN: how often a label occurs among rows with as many such neighbours."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from labelsift._sklearn import Interval
from labelsift.kernels.neighbors_labels import count_pairs
from labelsift.learn._neighbor_classifier import NeighborClassifier
from labelsift.learn._posterior import posterior
from labelsift.learn.neighbor_graph import Neighbors

Array = np.ndarray[Any, Any]


class MLkNN(NeighborClassifier):
    """Multi-label k nearest neighbours with a Bayesian vote.

    For each label, the training rows tell how likely a row with j such neighbours has
    the label itself; the score is that posterior probability.

    Parameters
    ----------
    n_neighbors : int, default=10
        Neighbours asked, at least 1 and less than the number of training rows.
    smoothing : float, default=1.0
        Added to every count, at least 0; 1 is Laplace smoothing.
    scale : {None, "minmax"}, default=None
        ``"minmax"`` maps every numeric column to 0..1 over the training rows (Mulan
        does); the original program uses columns as they are.
    ties : {"index", "weka"}, default="index"
        Which of several equally far rows is taken at the k-th place: the lower training
        index, or the one that Weka's (and so Mulan's) search keeps.
    categorical_features : array-like of bool, int or str, default=None
        Mask, indices or names of the nominal columns, which differ by 0 or 1.

    Attributes
    ----------
    graph_ : NeighborGraph
        Neighbours of the training rows, each row itself left out.
    prior_ : ndarray of shape (n_labels,)
        Smoothed share of rows with the label.
    posterior_ : ndarray of shape (n_neighbors + 1, n_labels)
        Score of a row with so many neighbours that have the label.
    classes_ : ndarray
        0 .. n_labels - 1, or the classes where ``y`` was a class vector.
    label_names_in_ : ndarray of shape (n_labels,), object
        Names of the labels.

    Raises
    ------
    ValueError
        If ``n_neighbors`` is not less than the number of training rows, or ``y`` holds
        anything but 0 and 1.

    Notes
    -----
    A label is predicted when its score is over one half; a score of exactly one half
    (equal evidence) predicts 0, where Mulan tosses a coin. A label that all training
    rows have, or none, gets nearly its prior. With ``smoothing=0`` a count that never
    occurred gives the prior.

    Time O(n^2 d) to fit, memory beyond the data about 100 MB. Sparse ``X`` stays
    sparse; labels are held dense, one byte each. See ``NeighborGraph`` for distances.

    Missing values (NaN) are allowed in training rows and in rows to predict, and none
    is imputed: one counts as far as the training range allows, two as the whole range,
    in a nominal column as different. A row without a known value is answered by the
    rows in the middle of the ranges.

    References
    ----------
    .. [1] Zhang, Zhou. ML-KNN: a lazy learning approach to multi-label learning.
       Pattern Recognition 40(7), 2007, 2038-2048. doi:10.1016/j.patcog.2006.12.019

    Examples
    --------
    >>> from labelsift.learn import MLkNN
    >>> X = [[0.0], [1.0], [2.0], [3.5], [10.0], [11.0]]
    >>> Y = [[1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [0, 1]]
    >>> classifier = MLkNN(n_neighbors=2).fit(X, Y)
    >>> classifier.predict_proba([[0.4], [10.6], [3.0]])[:, 0].round(4).tolist()
    [0.5, 0.4286, 0.6667]
    >>> classifier.predict([[3.0]]).tolist()
    [[1, 1]]
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **NeighborClassifier._parameter_constraints,
        "smoothing": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        smoothing: float = 1.0,
        scale: str | None = None,
        ties: str = "index",
        categorical_features: Any = None,
    ) -> None:
        super().__init__(
            n_neighbors,
            scale=scale,
            ties=ties,
            categorical_features=categorical_features,
        )
        self.smoothing = smoothing

    def _learn(self, neighbors: Neighbors) -> None:
        s, k, Y = float(self.smoothing), int(self.n_neighbors), self._labels
        n, L = Y.shape
        seen = np.zeros((2, k + 1, L), dtype=np.int64)
        count_pairs(self._label_counts(neighbors).counts, Y, seen)
        present = Y.sum(axis=0, dtype=np.int64)
        self.prior_ = (s + present) / (2 * s + n)
        self.posterior_ = posterior(s, k + 1, present, n, seen[1], seen[0])

    def _scores(self, neighbors: Neighbors) -> Array:
        counts = self._label_counts(neighbors).counts
        scores: Array = self.posterior_[counts, np.arange(counts.shape[1])]
        return scores
