"""BRkNN: the share of neighbours that have the label."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from labelsift._sklearn import StrOptions
from labelsift.learn._neighbor_classifier import NeighborClassifier
from labelsift.learn.neighbor_graph import Neighbors

Array = np.ndarray[Any, Any]


class BRkNN(NeighborClassifier):
    """k nearest neighbours for every label at once, by majority.

    The score of a label is the share of neighbours that have it; a share of one half
    or more predicts it. Equal to one k-nearest-neighbour classifier for each label, at
    the cost of a single search.

    Parameters
    ----------
    n_neighbors : int, default=10
        Neighbours asked, at least 1 and less than the number of training rows.
    extension : {None, "a", "b"}, default=None
        ``"a"``: a row for which no label reaches one half gets its best label. ``"b"``:
        a row gets as many labels, best first, as its neighbours have on average,
        rounded half up; none if that rounds to 0. Equal scores go to the lower label.
    smoothing : {None, "mulan"}, default=None
        ``"mulan"``: score (1/n + count) / (n_labels/n + neighbours) for n training
        rows, as Mulan has it; 5 neighbours of 10 then fall just short of one half when
        there are more than 2 labels.
    scale : {None, "minmax"}, default=None
        ``"minmax"`` maps every numeric column to 0..1 over the training rows.
    ties : {"index", "weka"}, default="index"
        ``"weka"``: every row exactly as far as the last neighbour votes as well, as in
        Weka and Mulan; ``"index"``: the rows of lower index, k in all.
    categorical_features : array-like of bool, int or str, default=None
        Mask, indices or names of the nominal columns, which differ by 0 or 1.

    Attributes
    ----------
    graph_ : NeighborGraph
        The training rows.
    classes_ : ndarray
        0 .. n_labels - 1, or the classes where ``y`` was a class vector.
    label_names_in_ : ndarray of shape (n_labels,), object
        Names of the labels.

    Notes
    -----
    Mulan breaks equal scores of the extensions at random. Time O(n d) for each row to
    predict. See ``NeighborGraph`` for distances.

    Missing values (NaN) are allowed in training rows and in rows to predict, and none
    is imputed: one counts as far as the training range allows, two as the whole range,
    in a nominal column as different. A row without a known value is answered by the
    rows in the middle of the ranges.

    References
    ----------
    .. [1] Spyromitros, Tsoumakas, Vlahavas. An empirical study of lazy multilabel
       classification algorithms. SETN 2008, LNCS 5138, 401-406.
       doi:10.1007/978-3-540-87881-0_40

    Examples
    --------
    >>> from labelsift.learn import BRkNN
    >>> X = [[0.0], [1.0], [2.0], [3.5], [10.0], [11.0]]
    >>> Y = [[1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [0, 1]]
    >>> BRkNN(2).fit(X, Y).predict_proba([[0.4]]).tolist()
    [[1.0, 0.5]]
    >>> BRkNN(2, smoothing="mulan").fit(X, Y).predict_proba([[0.4]]).round(6).tolist()
    [[0.928571, 0.5]]
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **NeighborClassifier._parameter_constraints,
        "extension": [StrOptions({"a", "b"}), None],
        "smoothing": [StrOptions({"mulan"}), None],
    }

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        extension: str | None = None,
        smoothing: str | None = None,
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
        self.extension = extension
        self.smoothing = smoothing

    def _learn(self, neighbors: Neighbors) -> None:
        """Nothing to learn: the training rows are the model."""

    def _votes(self, neighbors: Neighbors) -> tuple[Array, Array]:
        """Return votes (rows, labels) and the number of voters (rows, 1)."""
        counts = self._label_counts(neighbors).counts
        voters = np.full((len(neighbors), 1), self.n_neighbors, dtype=np.int64)
        if len(neighbors.tied_index):
            tied = sparse.csr_array(
                (
                    np.ones(len(neighbors.tied_index), dtype=np.int32),
                    neighbors.tied_index,
                    neighbors.tied_indptr,
                ),
                shape=(len(neighbors), len(self._labels)),
            )
            counts = counts + tied @ self._labels.astype(np.int32)
            voters[:, 0] += np.diff(neighbors.tied_indptr)
        return counts, voters

    def _scores(self, neighbors: Neighbors) -> Array:
        counts, voters = self._votes(neighbors)
        n, L = self._labels.shape
        more, cells = (1 / n, L / n) if self.smoothing else (0.0, 0.0)
        shares: Array = (more + counts) / (cells + voters)
        return shares

    def _relevant(self, scores: Array, neighbors: Neighbors) -> Array:
        relevant = scores >= 0.5
        if self.extension == "a":
            empty = np.flatnonzero(~relevant.any(axis=1))
            relevant[empty, scores[empty].argmax(axis=1)] = True
        elif self.extension == "b":
            counts, voters = self._votes(neighbors)
            n, L = self._labels.shape
            total = voters[:, 0] + (L / n if self.smoothing else 0.0)
            size = np.floor(counts.sum(axis=1) / total + 0.5)
            order = np.argsort(-scores, axis=1, kind="stable")
            np.put_along_axis(relevant, order, np.arange(L) < size[:, None], axis=1)
        return relevant
