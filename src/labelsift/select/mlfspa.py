"""Select features by the positive region of discretised data, row by row fewer."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift._sklearn import StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.score.ranking import rounded
from labelsift.score.reduct import PositiveRegionSearch
from labelsift.select._discrete_reduct import DiscreteReductSelector
from labelsift.select._rough_base import labels_to_tell_apart, warn_of_equal_labels
from labelsift.statistics.partitions import whole

Array = np.ndarray[Any, Any]


class MLFSPA(DiscreteReductSelector):
    """Select features by the positive region, leaving out rows that are certain.

    The features are cut into bins, and rows that agree on the chosen features form a
    block. A row is certain if its block has no row of other labels. The feature that
    makes most rows certain is added, until as many are as with all features; blocks
    in which no row can still become certain are left out of later rounds, which
    changes nothing but the time (the positive-region accelerator).

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
    quantifier : {"all", "any", "powerset"}, default="all"
        A row is certain if all rows of its block carry all its labels, or the same one
        of them, or if the block has a single label set.
    empty_labels : {"exclude", "include", "drop"}, default="exclude"
        Rows without labels are never certain, always certain, or left out altogether.
        With ``"powerset"`` the first two are the same: to have no label is a label set
        like any other.
    backward : bool, default=False
        Afterwards drop each feature, in order of addition, without which as many rows
        are certain.
    stop_on_no_gain : bool, default=False
        Stop when no feature makes a further row certain, with a warning.
    tie_break : {"discerned", "standalone", "index"}, default="discerned"
        Which of several features that make equally many rows certain is added: that
        which tells apart most pairs of rows with different label sets, in blocks where
        a row can still become certain; that which makes most rows certain alone; the
        first. What is still equal goes to the first.
    accelerate : bool, default=True
        Leave out blocks that are done with. The result is the same without.
    categorical_features : array-like of bool, int or str, or None, default=None
        Features whose distinct values are categories and are never cut.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        For a feature of the reduct 2, and 1 more for each that was added after it. For
        others the share, from 0 to 1, of pairs of rows with different label sets that
        the feature tells apart alone.
    order_ : ndarray of shape (n_features,), int64
        The reduct in order of addition, then the others by falling score.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    reduct_ : ndarray of shape (n_selected,), int64
        Column indices in order of addition.
    added_ : ndarray of int64
        The same before ``backward`` dropped any.
    dependency_ : ndarray of shape (n_added,), float64
        Share of certain rows after each addition.
    total_dependency_ : float
        Share of certain rows with all features.
    positive_region_ : ndarray of shape (n_samples,), bool
        Which rows are certain with the reduct.
    boundary_ : ndarray of shape (n_samples,), bool
        Which rows with labels are not.
    cut_points_ : list of ndarray or None
        Where each feature was cut; None for ``discretize="none"``.
    stopped_ : {"complete", "no_gain", "nothing_certain", "interrupted"}
        Why the search ended.

    Raises
    ------
    ValueError
        If ``X`` has missing values, or no row has a label with ``empty_labels="drop"``.

    Notes
    -----
    Time O(k n d) for a reduct of k of d features and n rows, memory O(n d) bytes; no
    pairs of rows are formed. An interrupt (Ctrl-C) leaves the features found so far in
    a fitted selector and is raised again. A single label is told from its absence.

    With ``"all"`` and ``"any"`` some rows of a block may be certain and others not.
    The certain ones stay in their block until the block is done with, since without
    them the others would look certain earlier than they are.

    References
    ----------
    .. [1] Qian, Liang, Pedrycz, Dang. Positive approximation: an accelerator for
       attribute reduction in rough set theory. Artificial Intelligence 174(9-10),
       2010.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 0, 0], [1, 1, 0]])
    >>> Y = np.array([[1, 0], [0, 1], [1, 1], [1, 1], [0, 1]])
    >>> MLFSPA(discretize="none").fit(X, Y).reduct_
    array([1, 0])
    """

    _parameter_constraints = {
        **DiscreteReductSelector._parameter_constraints,
        "quantifier": [StrOptions({"all", "any", "powerset"})],
        "empty_labels": [StrOptions({"exclude", "include", "drop"})],
        "backward": ["boolean"],
        "stop_on_no_gain": ["boolean"],
        "tie_break": [StrOptions({"discerned", "standalone", "index"})],
        "accelerate": ["boolean"],
    }
    _remedy_of_nothing = " Try more bins."

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        discretize: str = "equal_width",
        n_bins: int = 5,
        quantifier: str = "all",
        empty_labels: str = "exclude",
        backward: bool = False,
        stop_on_no_gain: bool = False,
        tie_break: str = "discerned",
        accelerate: bool = True,
        categorical_features: Any = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.discretize = discretize
        self.n_bins = n_bins
        self.quantifier = quantifier
        self.empty_labels = empty_labels
        self.backward = backward
        self.stop_on_no_gain = stop_on_no_gain
        self.tie_break = tie_break
        self.accelerate = accelerate
        self.categorical_features = categorical_features

    def _score(self, X: Any, labels: LabelMatrix) -> Array:
        Y = labels_to_tell_apart(labels)
        labelled = np.asarray(Y.any(axis=1))
        used = self._rows_to_use(labelled)
        X, Y = X[used], Y[used]
        warn_of_equal_labels(Y)
        table = self._table(X, Y)
        nowhere = np.zeros(len(used), dtype=bool)
        counts_empty = self.quantifier == "powerset"
        search = PositiveRegionSearch(
            table,
            self.quantifier,
            nowhere
            if counts_empty or self.empty_labels == "include"
            else ~labelled[used],
            ~labelled[used]
            if self.empty_labels == "include" and not counts_empty
            else nowhere,
            tie_break=self.tie_break,
            accelerate=self.accelerate,
        )
        blocks = whole(table)
        apart = blocks.discerned(np.arange(X.shape[1]))
        shares = rounded(apart / max(blocks.mixed_pairs(), 1))
        kept = search.added
        try:
            search.run(stop_on_no_gain=self.stop_on_no_gain)
            if self.backward:
                kept = search.drop_needless()
        except KeyboardInterrupt as interrupt:
            self._interrupt = interrupt
            search.stopped = "interrupted"
        return self._set_reduct(search, kept, shares, used, labelled)
