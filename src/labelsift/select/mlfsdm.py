"""Select features by a discernibility matrix that is never written out."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift._sklearn import StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.score.ranking import rounded
from labelsift.score.reduct import DiscernibilitySearch
from labelsift.select._discrete_reduct import DiscreteReductSelector
from labelsift.select._rough_base import labels_to_tell_apart, warn_of_equal_labels
from labelsift.statistics.partitions import finest

Array = np.ndarray[Any, Any]


class MLFSDM(DiscreteReductSelector):
    """Select features that tell apart all pairs of rows with different label sets.

    The entry of two rows in the discernibility matrix are the features, cut into bins,
    in which they differ. Features that hit every entry are looked for by Johnson's
    rule: add the feature that is in most entries not yet hit; in the end drop those
    that can be spared. Rows that agree in all features have an empty entry, which no
    feature can hit.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or None for the reduct (one
        feature where the reduct is empty).
    discretize : {"equal_width", "equal_frequency", "median", "mean", "none"}, \
default="equal_width"
        How a feature is cut into bins, on the rows of ``fit``; ``"none"`` takes every
        distinct value as a bin.
    n_bins : int, default=5
        Bins of ``"equal_width"`` and ``"equal_frequency"``, at least 2.
    pairs : {"different", "certain"}, default="different"
        Which rows of different label sets are to be told apart: all, or those of which
        at least one agrees, on all features, only with rows of its own label set.
    backward : bool, default=True
        Afterwards drop each feature, in order of addition, that can be spared.
    categorical_features : array-like of bool, int or str, or None, default=None
        Features whose distinct values are categories and are never cut.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        For a feature of the reduct 2, and 1 more for each that was added after it. For
        others the share, from 0 to 1, of the entries that the feature is in.
    order_ : ndarray of shape (n_features,), int64
        The reduct in order of addition, then the others by falling score.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    reduct_ : ndarray of shape (n_selected,), int64
        Column indices in order of addition.
    added_ : ndarray of int64
        The same before ``backward`` dropped any.
    discerned_ : ndarray of shape (n_added,), float64
        Share of the non-empty entries hit after each addition; 1 at the end.
    n_entries_, n_empty_entries_ : int
        Pairs of rows to be told apart, and how many of them agree in all features.
    cut_points_ : list of ndarray or None
        Where each feature was cut; None for ``discretize="none"``.
    stopped_ : {"complete", "interrupted"}
        Why the search ended.

    Raises
    ------
    ValueError
        If ``X`` has missing values.

    Notes
    -----
    The entries that the chosen features do not hit are the pairs of rows that agree on
    them and differ in their label sets: they are counted from the sizes of such
    blocks, so that time is O(k n d) for a reduct of k of d features and n rows, and
    memory O(n d) bytes, where the matrix has n^2 d / 2 bits. An interrupt (Ctrl-C)
    leaves the features found so far in a fitted selector and is raised again. A single
    label is told from its absence.

    References
    ----------
    .. [1] Skowron, Rauszer. The discernibility matrices and functions in information
       systems. Intelligent Decision Support, Kluwer, 1992.
    .. [2] Johnson. Approximation algorithms for combinatorial problems. J. Computer
       and System Sciences 9(3), 1974.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 0, 0], [1, 1, 0]])
    >>> Y = np.array([[1, 0], [0, 1], [1, 1], [1, 1], [0, 1]])
    >>> selector = MLFSDM(discretize="none").fit(X, Y)
    >>> selector.reduct_, selector.n_entries_, selector.discerned_
    (array([1, 0]), 8, array([0.75, 1.  ]))
    """

    _parameter_constraints = {
        **DiscreteReductSelector._parameter_constraints,
        "pairs": [StrOptions({"different", "certain"})],
        "backward": ["boolean"],
    }

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        discretize: str = "equal_width",
        n_bins: int = 5,
        pairs: str = "different",
        backward: bool = True,
        categorical_features: Any = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.discretize = discretize
        self.n_bins = n_bins
        self.pairs = pairs
        self.backward = backward
        self.categorical_features = categorical_features

    def _score(self, X: Any, labels: LabelMatrix) -> Array:
        Y = labels_to_tell_apart(labels)
        warn_of_equal_labels(Y)
        table = self._table(X, Y)
        skipped = np.zeros(len(Y), dtype=bool)
        if self.pairs == "certain":
            skipped = ~finest(table).certain("powerset")
        search = DiscernibilitySearch(table, skipped)
        shares = rounded(search.alone() / max(search.n_entries, 1))
        kept = search.added
        try:
            search.run()
            if self.backward:
                kept = search.drop_needless()
        except KeyboardInterrupt as interrupt:
            self._interrupt = interrupt
            search.stopped = "interrupted"
        self.reduct_ = np.array(kept, dtype=np.int64)
        self.added_ = np.array(search.added, dtype=np.int64)
        self.n_entries_, self.n_empty_entries_ = search.n_entries, search.n_empty
        hits = max(search.n_entries - search.n_empty, 1)
        self.discerned_ = np.array(search.covered, dtype=np.float64) / hits
        self.stopped_ = search.stopped
        return self._reduct_scores(shares)
