"""DMLkNN: ML-kNN that looks at the neighbours' other labels too."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from labelsift._sklearn import Interval, StrOptions
from labelsift.kernels.neighbors_conditions import (
    similar_counts,
    similar_counts_packed,
)
from labelsift.kernels.threads import run_blocks
from labelsift.learn._label_counts import packed
from labelsift.learn._neighbor_classifier import NeighborClassifier
from labelsift.learn._posterior import posterior
from labelsift.learn.neighbor_graph import Neighbors

Array = np.ndarray[Any, Any]


class DMLkNN(NeighborClassifier):
    """Dependent multi-label k nearest neighbours.

    ML-kNN asks how many neighbours have the label; here the whole vector of counts, one
    for each label, must be similar to that of a training row for the row to bear
    witness.

    Parameters
    ----------
    n_neighbors : int, default=10
        Neighbours asked, at least 1 and less than the number of training rows.
    smoothing : float, default=1.0
        Added to every count, at least 0.
    delta : int, default=2
        Greatest difference of counts, in any label, of a training row that bears
        witness; at least 0. ``n_neighbors`` or more drops the condition on the other
        labels. Mulan uses 6 whatever one sets; choose it by cross-validation.
    normalizer : {"labels", "counts"}, default="labels"
        How often ``smoothing`` enters the denominator: once for each label as in Mulan,
        or once for each of the ``n_neighbors + 1`` counts as in ML-kNN. With
        ``"counts"`` and a large ``delta`` the scores are those of ML-kNN.
    scale : {None, "minmax"}, default=None
        ``"minmax"`` maps every numeric column to 0..1 over the training rows.
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
    classes_ : ndarray
        0 .. n_labels - 1, or the classes where ``y`` was a class vector.
    label_names_in_ : ndarray of shape (n_labels,), object
        Names of the labels.

    Notes
    -----
    A label is predicted when its score is one half or more: when no training row is
    similar enough, the smoothed priors decide. Equal evidence gives exactly one half.
    Without smoothing and without a witness the score is the prior.

    Time O(n n_labels) for each row to predict, beside the search.

    Missing values (NaN) are allowed in training rows and in rows to predict, and none
    is imputed: one counts as far as the training range allows, two as the whole range,
    in a nominal column as different. A row without a known value is answered by the
    rows in the middle of the ranges.

    References
    ----------
    .. [1] Younes, Abdallah, Denoeux, Snoussi. A dependent multilabel classification
       method derived from the k-nearest neighbor rule. EURASIP Journal on Advances in
       Signal Processing, 2011. doi:10.1155/2011/645964

    Examples
    --------
    >>> from labelsift.learn import DMLkNN
    >>> X = [[0.0], [1.0], [2.0], [3.5], [10.0], [11.0]]
    >>> Y = [[1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [0, 1]]
    >>> DMLkNN(2, delta=1).fit(X, Y).predict_proba([[0.4]]).round(3).tolist()
    [[0.5, 0.75]]
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **NeighborClassifier._parameter_constraints,
        "smoothing": [Interval(Real, 0, None, closed="left")],
        "delta": [Interval(Integral, 0, None, closed="left")],
        "normalizer": [StrOptions({"labels", "counts"})],
    }

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        smoothing: float = 1.0,
        delta: int = 2,
        normalizer: str = "labels",
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
        self.delta = delta
        self.normalizer = normalizer

    def _learn(self, neighbors: Neighbors) -> None:
        s, n = float(self.smoothing), len(self._labels)
        self._present = self._labels.sum(axis=0, dtype=np.int64)
        self.prior_ = (s + self._present) / (2 * s + n)
        groups = self._label_counts(neighbors).groups
        self._counts = groups.counts
        self._sizes, self._having = groups.tally(self._labels)
        # Labels whose counts vary most tell rows apart soonest.
        total = self._sizes @ self._counts
        spread = n * (self._sizes @ self._counts.astype(np.int64) ** 2) - total**2
        order = self._check_order = np.argsort(-spread, kind="stable")
        self._packed: tuple[Array, ...] | None = None
        # Eight counts fit in a word if one plus delta stays below 128, four sums of
        # rows if all of them stay below 2^16.
        if self.n_neighbors <= 63 and n < 1 << 16:
            self._packed = (
                packed(self._counts, order),
                packed(self._counts, order, 16),
                self._sizes.astype(np.uint64),
                packed(self._having, order, 16),
            )

    def _scores(self, neighbors: Neighbors) -> Array:
        groups = self._label_counts(neighbors).groups
        queries = groups.counts
        present = np.zeros(queries.shape, dtype=np.int64)
        absent = np.zeros(queries.shape, dtype=np.int64)
        delta = min(int(self.delta), int(self.n_neighbors))
        order = self._check_order

        def work(start: int, stop: int) -> None:
            rows = slice(start, stop)
            if self._packed is None:
                similar_counts(
                    queries[rows],
                    self._counts,
                    self._sizes,
                    self._having,
                    delta,
                    order,
                    present[rows],
                    absent[rows],
                )
                return
            known, counts, sizes, having = self._packed
            similar_counts_packed(
                packed(queries[rows], order),
                known,
                packed(queries[rows], order, 16),
                counts,
                sizes,
                having,
                delta,
                order,
                present[rows],
                absent[rows],
            )

        run_blocks(work, len(queries), block=64)
        L = queries.shape[1]
        cells = L if self.normalizer == "labels" else self.n_neighbors + 1
        scores = posterior(
            float(self.smoothing),
            cells,
            self._present,
            len(self._labels),
            present,
            absent,
            product_first=self.normalizer == "labels",
        )
        return scores[groups.of_row]

    def _relevant(self, scores: Array, neighbors: Neighbors) -> Array:
        return scores >= 0.5
