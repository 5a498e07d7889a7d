"""Rank features by how smooth they are on a graph of similar label sets."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy import sparse

from labelsift._sklearn import Interval, StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.score.label_graph import (
    SIMILARITIES,
    GroupGraph,
    LabelGraph,
    RowGraph,
)
from labelsift.score.neighbor_graph import neighbor_similarities
from labelsift.score.spectral import spectral_scores
from labelsift.select._base import StatisticSelector
from labelsift.statistics.label_moments import LabelMoments

MAX_LABEL_SETS = 100_000


class SPEC(StatisticSelector):
    """Rank features by how little they differ between rows with similar labels.

    Rows are the points of a graph whose weights are similarities of their label sets;
    a feature is good when rows that are close in the graph have similar values. Uses
    all labels at once, so dependence between labels counts; redundancy between
    features does not. Without labels, ``fit(X)`` uses the graph of nearest rows.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    similarity : {"jaccard", "rbf", "cosine", "weighted_jaccard", "same_class"}, \
default="jaccard"
        Similarity of two label sets. ``"jaccard"``: labels shared over labels in
        either; ``"weighted_jaccard"``: the same with each label weighted by its
        frequency; ``"rbf"``: ``exp(-distance**2 / (2 bandwidth**2))`` of the 0/1
        rows; ``"cosine"``; ``"same_class"``: 1 / (rows with this label set) for equal
        sets, else 0. Not used without labels.
    criterion : {"phi_1", "phi_2", "phi_3"}, default="phi_1"
        ``"phi_1"`` is the criterion of [1]_ and the default of [2]_. ``"phi_2"``
        leaves out the trivial eigenvector; with ``spectral_power=1`` it is the
        Laplacian score. ``"phi_3"`` looks at the leading eigenvectors only.
    self_loops : bool, default=False
        Whether a row is its own neighbour; this changes the degrees.
    empty_similarity : float, default=0.0
        Similarity of two rows without labels, from 0 to 1; divided by their number
        with ``"same_class"``. ``"rbf"`` defines it itself: 1. With a single label
        column it is 1: the rows without the label are then the other class.
    bandwidth : float or "median", default=1.0
        Width of ``"rbf"``, and of the graph of rows. ``"median"`` is the median
        non-zero distance: over all pairs of label sets of rows, or, without labels,
        of rows to their neighbours.
    spectral_power : int, default=1
        Power r of the spectral function ``l**r``; larger values tell more of noise.
    scale : {"zscore", "minmax", "none"}, default="zscore"
        Scaling of the features. phi_1 and phi_3 depend on where a feature's zero is;
        phi_2 does not. Without labels it also scales the distances of rows.
    n_eigenvectors : int, default=None
        Leading eigenvectors of ``"phi_3"``, the trivial one included. ``None``: the
        number of distinct label sets of rows that have a neighbour.
    n_neighbors : int, default=5
        Neighbours of each row, used without labels only.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        Higher is better: ``-phi_`` for phi_1 and phi_2, ``phi_`` for phi_3; ``-inf``
        where phi is undefined, so that such features come last. All 0 when the graph
        says nothing.
    phi_ : ndarray of shape (n_features,), float64
        The raw criterion. phi_1 is from 0 to 2 ** spectral_power. NaN for a feature
        that is constant, or constant on all rows that have a neighbour.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    n_label_sets_ : int
        Distinct label sets; 0 without labels.
    n_isolated_rows_ : int
        Rows without a neighbour (such as rows without labels): they take no part.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    ValueError
        If the pairs of label sets would take about 14 hours of a processor or more: see
        the cost below. For phi_3, if there are more than 6 000 label sets (an
        eigenvalue problem of that size), and with ``spectral_power`` over 1 more than
        100 000.

    Notes
    -----
    Exact, without the n x n matrix and, but for phi_3, without eigenvectors: with u
    distinct label sets the sums and sums of squares of the features in each set are
    enough. Time O(n d + u**2 d) (for sparse ``X`` the square of a column's non-empty
    sets in place of u**2), one pass over the rows; memory O(u d) for the sums (for
    sparse ``X`` about 60 bytes for each feature and set that meet) and 16 MB for a
    block of the u x u similarities. With many labels most sets share none; then only
    the pairs that do are visited: time is the sum, over labels, of the sets that have
    it times the non-zero sums of these sets, and no u x u block is made. The shorter
    way, as estimated, is taken. phi_3 takes O(u**3) time, O(u**2) memory.

    ``partial_fit`` on consecutive blocks gives the same sums to the last bit as the
    whole table; other orders of rows change the last digits only, and ``order_``
    compares scores at 12 significant digits.

    Zhao and Liu's convention holds: small phi_1 and phi_2 are good. Constant features,
    whose phi_1 would be 0 and so the best, come last.

    References
    ----------
    .. [1] Yan, Li. A study of the spectral feature selection for multi-label data (in
       Chinese). Journal of Frontiers of Computer Science and Technology 10(4), 2016,
       543-553.
    .. [2] Zhao, Liu. Spectral feature selection for supervised and unsupervised
       learning. ICML 2007. doi:10.1145/1273496.1273641

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 1], [2, 1], [3, 0], [4, 0]])
    >>> Y = np.array([[1, 1, 1], [0, 1, 1], [1, 0, 0], [0, 0, 0]])
    >>> selector = SPEC(1, scale="none").fit(X, Y)
    >>> selector.phi_.round(3)
    array([0.3, 0.2])
    >>> selector.get_support()
    array([False,  True])
    """

    _parameter_constraints = {
        **StatisticSelector._parameter_constraints,
        "similarity": [StrOptions(set(SIMILARITIES))],
        "criterion": [StrOptions({"phi_1", "phi_2", "phi_3"})],
        "self_loops": ["boolean"],
        "empty_similarity": [Interval(Real, 0, 1, closed="both")],
        "bandwidth": [
            StrOptions({"median"}),
            Interval(Real, 0, None, closed="neither"),
        ],
        "spectral_power": [Interval(Integral, 1, 64, closed="both")],
        "scale": [StrOptions({"zscore", "minmax", "none"})],
        "n_eigenvectors": [None, Interval(Integral, 2, None, closed="left")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }
    _requires_y = False

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        similarity: str = "jaccard",
        criterion: str = "phi_1",
        self_loops: bool = False,
        empty_similarity: float = 0.0,
        bandwidth: float | str = 1.0,
        spectral_power: int = 1,
        scale: str = "zscore",
        n_eigenvectors: int | None = None,
        n_neighbors: int = 5,
    ) -> None:
        super().__init__(n_features_to_select)
        self.similarity = similarity
        self.criterion = criterion
        self.self_loops = self_loops
        self.empty_similarity = empty_similarity
        self.bandwidth = bandwidth
        self.spectral_power = spectral_power
        self.scale = scale
        self.n_eigenvectors = n_eigenvectors
        self.n_neighbors = n_neighbors

    def _score(self, X: Any, labels: LabelMatrix | None) -> np.ndarray[Any, Any]:
        if labels is not None:
            return super()._score(X, labels)
        self.__dict__.pop("_statistic", None)  # of an earlier fit with labels
        self.n_label_sets_ = 0
        moments = _rows_as_groups(X)
        graph = RowGraph(
            neighbor_similarities(
                X,
                _factors(moments, self.scale),
                n_neighbors=self.n_neighbors,
                bandwidth=self.bandwidth,
                self_loops=self.self_loops,
            ),
            self_loops=self.self_loops,
        )
        return self._criterion(moments, graph)

    def _new_statistic(self, X: Any, labels: LabelMatrix) -> LabelMoments:
        return LabelMoments(
            X.shape[1],
            labels.n_labels,
            is_sparse=sparse.issparse(X),
            max_sets=MAX_LABEL_SETS if self.spectral_power > 1 else None,
        )

    def _score_statistic(self, statistic: LabelMoments) -> np.ndarray[Any, Any]:
        self.n_label_sets_ = statistic.n_sets
        graph = LabelGraph(
            statistic,
            self.similarity,
            self_loops=self.self_loops,
            bandwidth=self.bandwidth,
            empty_similarity=1.0 if statistic.n_labels == 1 else self.empty_similarity,
        )
        scores = self._criterion(statistic, graph)
        if statistic.n_sets == 1:
            warnings.warn(
                "all rows have the same label set: no feature can be told from "
                "another, all scores are 0.",
                UserWarning,
                stacklevel=5,
            )
            return np.zeros(len(scores))
        return scores

    def _criterion(
        self, moments: LabelMoments, graph: GroupGraph
    ) -> np.ndarray[Any, Any]:
        result = spectral_scores(
            moments,
            graph,
            criterion=self.criterion,
            power=self.spectral_power,
            scale=self.scale,
            n_eigenvectors=self.n_eigenvectors,
        )
        self.phi_ = result.phi
        self.n_isolated_rows_ = result.n_isolated
        if result.n_isolated == moments.n_samples:
            if graph.n_groups > 1:
                warnings.warn(
                    "no two rows have similar label sets: no feature can be told from "
                    "another, all scores are 0.",
                    UserWarning,
                    stacklevel=6,
                )
            return np.zeros(moments.n_features)
        sign = 1.0 if self.criterion == "phi_3" else -1.0
        return np.where(result.defined, sign * result.phi, -np.inf)


def _rows_as_groups(X: Any) -> LabelMoments:
    n = X.shape[0]
    own = sparse.eye_array(n, format="csr", dtype=np.uint8)
    moments = LabelMoments(X.shape[1], n, is_sparse=sparse.issparse(X))
    moments.update(X, LabelMatrix(own, ()))
    return moments


def _factors(moments: LabelMoments, scale: str) -> np.ndarray[Any, Any]:
    low, high = moments.range
    if scale == "none":
        return np.ones(len(low))
    if scale == "minmax":
        spread = high - low
    else:
        if moments.is_sparse:
            _, sums, squares = moments.columns()
        else:
            _, sums, squares = moments.dense()
        n = moments.n_samples
        mean = np.asarray(sums.sum(axis=0)).ravel() / n
        spread = np.sqrt(
            np.maximum(np.asarray(squares.sum(axis=0)).ravel() / n - mean**2, 0.0)
        )
    varies = (high > low) & (spread > 0)
    result: np.ndarray[Any, Any] = varies / np.where(varies, spread, 1.0)
    return result
