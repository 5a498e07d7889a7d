"""Select features from incomplete data by tolerance neighbourhoods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import clone

from labelsift._sklearn import Interval, StrOptions, fit_context
from labelsift.encode.labels import LabelMatrix
from labelsift.encode.tolerance_columns import ToleranceColumns, tolerance_columns
from labelsift.score.reduct import PositiveRegionSearch
from labelsift.score.rough_set import (
    ForwardSearch,
    alone_shares,
    count_discerned,
    drop_needless,
)
from labelsift.select._progress import search_progress
from labelsift.select._rough_base import (
    ReductSelector,
    labels_to_tell_apart,
    warn_of_equal_labels,
)
from labelsift.statistics.neighborhoods import LabelUnits, Space, label_units
from labelsift.statistics.neighborhoods_bits import window_space
from labelsift.statistics.neighborhoods_distances import distance_space
from labelsift.statistics.partitions import CodedTable

Array = np.ndarray[Any, Any]

LAM = {"manhattan": 0.9, "euclidean": 0.6, "chebyshev": 0.6}
"""What ``lam=None`` stands for."""


class ToleranceRoughSet(ReductSelector):
    """Select the features that tell rows of different labels apart, with gaps in them.

    Two rows are neighbours if no feature that both have differs by more than its
    threshold. A row is *certain* if all its neighbours carry its labels; the share of
    certain rows is the dependency of the labels on the features. Features are added
    one by one, always that which makes most rows certain, until as many are as with
    all features. A missing value (NaN) agrees with every value, so nothing has to be
    filled in beforehand.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or None for the reduct (one
        feature where the reduct is empty).
    metric : {"manhattan", "euclidean", "chebyshev"}, default="manhattan"
        ``manhattan``: every feature has a threshold of its own; ``euclidean`` and
        ``chebyshev``: one threshold for the Euclidean distance or for the largest
        difference.
    lam : float or None, default=None
        Thresholds are the standard deviation of a feature divided by ``lam``, or the
        mean of all standard deviations where there is one threshold: the larger, the
        smaller the neighbourhoods. None stands for 0.9 with ``manhattan`` and 0.6
        otherwise.
    thresholds : float, array-like of shape (n_features,) or None, default=None
        Thresholds to use instead, on the scale that ``scale`` makes; an array with
        ``manhattan`` only.
    quantifier : {"all", "any"}, default="all"
        Whether the neighbours of a certain row must carry all its labels, or it will
        do if all carry the same one of them.
    empty_labels : {"exclude", "include", "drop"}, default="exclude"
        Rows without labels are never certain, always certain, or left out altogether.
    scale : {"minmax", None}, default="minmax"
        Map each feature to [0, 1], or take it as it is.
    backward : bool, default=False
        Afterwards drop each feature, in order of addition, without which as many rows
        are certain.
    stop_on_no_gain : bool, default=False
        Stop when no feature makes a further row certain, with a warning. Two features
        may do together what neither does alone, so that by default the search goes on.
    epsilon : float, default=0
        Stop at the share ``1 - epsilon`` of the dependency on all features.
    tie_break : {"discerned", "standalone", "index"}, default="discerned"
        Which of several features that make equally many rows certain is added (at
        first that is often all of them, as none makes any). With ``index`` it is the
        first: the published rule, whose reduct depends on how the columns happen to be
        ordered. With ``discerned`` it is that which tells apart most pairs of a waiting
        row and a neighbour without some of its labels, so that the order of columns
        decides between exact ties only. With ``standalone`` it is that which makes most
        rows certain alone. What is still equal goes to the first.
    categorical_features : array-like of bool, int or str, or None, default=None
        Features without an order, compared by equality: a mask, column numbers or
        names.
    max_samples : int, default=30_000
        More rows are refused: time grows with the square of their number.
    progress : bool or callable, default=False
        True shows a bar on standard error; a callable is called with the number of
        features, of certain rows, and of rows that can be, after each addition.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        For a feature of the reduct 2, and 1 more for each that was added after it. For
        others the share, from 0 to 1, of pairs of a row and a row that lacks one of
        its labels that the feature tells apart alone.
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
    thresholds_ : ndarray of shape (n_features,) or float
        Thresholds used; 0 for categorical features.
    stopped_ : {"complete", "epsilon", "no_gain", "nothing_certain", "interrupted", \
"all_features"}
        Why the search ended.

    Raises
    ------
    ValueError
        If there are more than ``max_samples`` rows, thresholds do not fit, or no row
        has a label with ``empty_labels="drop"``.

    Notes
    -----
    Time O(n^2 d) in all for n rows and d features, whatever the size of the reduct; a
    direct program takes that long for every feature that it adds. For each row only
    those neighbours are kept that carry other labels and are left by the features so
    far, and a feature reads each of them once over all rounds. Memory is O(n d), plus
    at most 1.5 GB for these lists; what does not fit is found again in every round.

    A single label is told from its absence: rows without it are then a class of their
    own, and ``empty_labels`` does not apply.

    Where rows can only agree or not, as with complete 0/1 or categorical features, no
    pairs are looked at, and time is O(n d) for each feature added. Where features have
    few values each, and gaps, neighbourhoods are bits, and 64 rows are looked at
    together.

    A reduct of nearly all features often goes back to two rows with different labels
    that only all features together tell apart; a small ``epsilon`` gives them up.

    An interrupt (Ctrl-C) leaves the features found so far in a fitted selector and
    is raised again. Neighbourhoods never grow while features are added, so certain
    rows stay so. A sparse ``X`` is written out.

    References
    ----------
    .. [1] Qian, Huang, Wang, Yang. Feature selection for incomplete multi-label data
       with tolerance-neighbourhood rough sets. J. Frontiers Comput. Sci. Technol.
       13(10), 2019.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 5], [0, np.nan], [1, 5], [1, 7.5], [9, 7]])
    >>> Y = np.array([[0, 1], [0, 1], [0, 1], [0, 1], [1, 0]])
    >>> selector = ToleranceRoughSet().fit(X, Y)
    >>> selector.reduct_, selector.dependency_
    (array([0]), array([1.]))
    """

    _parameter_constraints = {
        **ReductSelector._parameter_constraints,
        "metric": [StrOptions(set(LAM))],
        "lam": [None, Interval(Real, 0, None, closed="neither")],
        "thresholds": [None, Interval(Real, 0, None, closed="left"), "array-like"],
        "quantifier": [StrOptions({"all", "any"})],
        "empty_labels": [StrOptions({"exclude", "include", "drop"})],
        "scale": [None, StrOptions({"minmax"})],
        "backward": ["boolean"],
        "stop_on_no_gain": ["boolean"],
        "epsilon": [Interval(Real, 0, 1, closed="left")],
        "tie_break": [StrOptions({"discerned", "standalone", "index"})],
        "categorical_features": ["array-like", None],
        "max_samples": [Interval(Integral, 1, None, closed="left")],
        "progress": ["boolean", callable],
    }
    _accepts_nan = True
    _accepts_huge = True
    _remedy_of_nothing = (
        " Raise lam, or lower the thresholds, to make neighbourhoods smaller."
    )

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        metric: str = "manhattan",
        lam: float | None = None,
        thresholds: Any = None,
        quantifier: str = "all",
        empty_labels: str = "exclude",
        scale: str | None = "minmax",
        backward: bool = False,
        stop_on_no_gain: bool = False,
        epsilon: float = 0.0,
        tie_break: str = "discerned",
        categorical_features: Any = None,
        max_samples: int = 30_000,
        progress: Any = False,
    ) -> None:
        super().__init__(n_features_to_select)
        self.metric = metric
        self.lam = lam
        self.thresholds = thresholds
        self.quantifier = quantifier
        self.empty_labels = empty_labels
        self.scale = scale
        self.backward = backward
        self.stop_on_no_gain = stop_on_no_gain
        self.epsilon = epsilon
        self.tie_break = tie_break
        self.categorical_features = categorical_features
        self.max_samples = max_samples
        self.progress = progress

    @fit_context(prefer_skip_nested_validation=True)
    def lam_path(
        self, X: Any, y: Any = None, *, lams: Sequence[float] | None = None
    ) -> list[Self]:
        """Fit with many values of ``lam``, coding the features once.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Feature values, NaN where missing.
        y : array-like, sparse matrix or data frame
            Labels.
        lams : sequence of float, optional
            Values above 0; by default 0.1, 0.2, ..., 2.0.

        Returns
        -------
        list of ToleranceRoughSet
            A fitted copy for each value, in the order given. This selector itself is
            not fitted.

        Notes
        -----
        Rows that are certain with one value are with every larger one, and are not
        looked at again for the dependency on all features.
        """
        if self.thresholds is not None:
            raise ValueError("lam_path has no use for thresholds; set them to None.")
        values = [k / 10 for k in range(1, 21)] if lams is None else list(lams)
        copies = [clone(self).set_params(lam=lam) for lam in values]
        prepared = None
        for k in np.argsort(values, kind="stable"):
            copy = copies[k]
            copy._validate_params()
            checked, labels = copy._validate(X, y, reset=True)
            if prepared is None:
                prepared = copy._prepare(checked, labels)
            copy._set_scores(copy._solve(prepared))
        return copies

    def _score(self, X: Any, labels: LabelMatrix) -> Array:
        return self._solve(self._prepare(X, labels))

    def _prepare(self, X: Any, labels: LabelMatrix) -> _Prepared:
        """Code the columns and say what neighbourhoods must not hold."""
        self._refuse_too_large(X)
        X = X.toarray() if sparse.issparse(X) else X
        Y = labels_to_tell_apart(labels)
        labelled = np.asarray(Y.any(axis=1))
        used = self._rows_to_use(labelled)
        X, Y = X[used], Y[used]
        warn_of_equal_labels(Y)
        nominal = self._nominal_mask(self.categorical_features)
        units = label_units(Y, np.flatnonzero(labelled[used]), self.quantifier)
        return _Prepared(
            tolerance_columns(X, nominal, scale=self.scale is not None),
            units,
            np.zeros(len(units), dtype=bool),
            used,
            labelled,
        )

    def _solve(self, prepared: _Prepared) -> Array:
        """Search, and set the fitted attributes."""
        units = prepared.units
        space = self._space(prepared.table)
        open_ = np.flatnonzero(~prepared.certain)
        every = np.arange(len(space.columns))
        prepared.certain[open_] = space.find_certain(units.take(open_), every)
        always = np.empty(0, dtype=np.int64)
        if self.empty_labels == "include":
            always = np.flatnonzero(~prepared.labelled)
        search = self._search(space, prepared, always)
        shares = alone_shares(*count_discerned(space, units))
        enough = int(np.ceil(round((1 - self.epsilon) * search.goal, 9)))
        kept = search.added
        try:
            with search_progress(self.progress) as report:
                search.run(
                    enough=max(enough, 1),
                    stop_on_no_gain=self.stop_on_no_gain,
                    report=report,
                )
            if self.backward:
                positive = np.setdiff1d(np.flatnonzero(search.positive), always)
                kept = drop_needless(space, units, search.added, positive)
        except KeyboardInterrupt as interrupt:
            self._interrupt = interrupt
            search.stopped = "interrupted"
        return self._set_reduct(search, kept, shares, prepared.used, prepared.labelled)

    def _search(self, space: Space, prepared: _Prepared, always: Array) -> Any:
        """Return a search by pairs of rows, or by blocks where rows just agree or not.

        Both add the same features; blocks take no pairs.
        """
        n = len(prepared.used)
        by_pairs = self.tie_break == "discerned" and self.quantifier == "any"
        if not space.is_partition or by_pairs:
            units = prepared.units.take(np.flatnonzero(prepared.certain))
            return ForwardSearch(space, units, always, n, tie_break=self.tie_break)
        labels = prepared.units.labels
        groups = np.unique(labels, axis=0, return_inverse=True)[1].reshape(-1)
        unlabelled = ~prepared.labelled[prepared.used]
        included = np.zeros(n, dtype=bool)
        included[always] = True
        ties = {"discerned": "violations"}.get(self.tie_break, self.tie_break)
        return PositiveRegionSearch(
            CodedTable(np.ascontiguousarray(prepared.table.codes.T), labels, groups),
            self.quantifier,
            unlabelled & ~included,
            included,
            tie_break=ties,
            accelerate=True,
        )

    def _space(self, table: ToleranceColumns) -> Space:
        d = len(table.spread)
        lam = LAM[self.metric] if self.lam is None else self.lam
        given = self.thresholds
        if given is not None:
            given = np.asarray(given, dtype=np.float64)
            if given.ndim and (self.metric != "manhattan" or given.shape != (d,)):
                needed = f"one or {d} of them" if self.metric == "manhattan" else "one"
                raise ValueError(
                    f"thresholds with metric={self.metric!r} must be {needed}; found "
                    f"shape {given.shape}."
                )
            if not np.isfinite(given).all() or (given < 0).any():
                raise ValueError(
                    f"thresholds must be finite and at least 0; found {given.min()}."
                )
        if self.metric == "manhattan":
            own = table.spread / lam if given is None else np.broadcast_to(given, (d,))
            self.thresholds_: Any = np.where(table.nominal, 0.0, own)
            return window_space(table, self.thresholds_)
        mean = float(np.sort(table.spread).sum() / d)
        self.thresholds_ = mean / lam if given is None else float(given)
        if self.metric == "chebyshev":
            return window_space(table, np.full(d, self.thresholds_))
        return distance_space(table, self.thresholds_)


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What does not depend on the thresholds, and what smaller ones leave true."""

    table: ToleranceColumns
    units: LabelUnits
    certain: Array  # units found to be certain with all features; filled by _solve
    used: Array  # rows of X that take part
    labelled: Array  # which rows of X have labels
