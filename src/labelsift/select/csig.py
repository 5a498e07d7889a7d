"""Weigh what features tell about the labels against what measuring them costs."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np

from labelsift._sklearn import Interval, StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.score.cost import (
    cost_threshold,
    normalized_costs,
    standardized_relevance,
)
from labelsift.score.purchase import best_within, greedy_steps
from labelsift.select._cost_settings import SpendsCosts, prices_from
from labelsift.select._normalized_gain import SETTINGS, NormalizedGainSelector


class CSIG(SpendsCosts, NormalizedGainSelector):
    """Keep features that tell much about the labels and cost little to measure.

    The normalised gains ``IG / (H(feature) + H(label))`` of a feature are summed over
    the labels and standardised; its test cost, scaled to 0 .. 1, is taken off. Kept
    are the features above a threshold drawn from the scores and the spread of the
    costs; or, with a budget, the set that tells most among those that can be paid.

    Parameters
    ----------
    costs : array-like, mapping, path or Dataset, default=None
        What measuring each feature costs, 0 or more: in column order; by name
        (a frame's columns, else ``"x0"``, ``"x1"``, ...) or column number; a CSV file
        of lines ``feature,cost``; or a ``Dataset`` that has ``test_costs``. None: all
        are free.
    standardize : {"features", "labels"}, default="features"
        Mean and deviation for standardising are those of all features, or, as printed
        in [1]_, those of the feature's own gains over the labels. The printed form
        does not see how much a feature tells (it is the inverse coefficient of
        variation, times the labels less one); use it to reproduce the paper.
    threshold : float, "auto" or None, default="auto"
        Least score of a feature that is kept. ``"auto"``: mean absolute score less
        standard deviation of the costs. None keeps all.
    threshold_cost : {"normalized", "raw"}, default="normalized"
        Of which costs the automatic threshold takes the deviation. Raw costs, as
        printed, are usually so far apart that everything is kept.
    bars : {"mean_abs", "abs_of_mean", "signed"}, default="mean_abs"
        What the threshold takes it off from: the mean of absolute scores, the absolute
        mean, or the mean.
    budget : float or None, default=None
        Most money for all kept features. The set with the largest sum of information
        that it pays for is kept, exactly where at most 50 features cost anything, else
        by information per cost. The automatic threshold then plays no part; a number
        as ``threshold`` still bars features below it.
    cost_groups : mapping or None, default=None
        Tests that share a price, by a name of your choice: a list of features that one
        purchase gives together, for the largest of their costs; or ``(price,
        features)``, a price paid once on top of the features' own.
    derived_features : mapping or None, default=None
        Features computed from others, such as ``{"FTI": ["TT4", "T4U"]}``: keeping one
        means buying its parts, and it costs no more than they do unless ``costs``
        gives a price.
    n_features_to_select : int, float or None, default=None
        Features kept, at most with ``budget``: a number, a share, or None for the
        method's own rule.
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
        Standardised information less scaled cost; higher is better. ``-inf`` for a
        feature without information where ``standardize="labels"``.
    relevance_ : ndarray of shape (n_features,), float64
        Information summed over the labels, from 0 to half their number.
    costs_ : ndarray of shape (n_features,), float64
        What each feature costs when nothing else is bought.
    threshold_ : float
        Least score of a feature that is kept without a budget.
    total_cost_ : float
        What the kept features cost together.
    cost_share_ : float
        The same as a share of the cost of all features; 0 where all are free.
    cost_curve_ : ndarray of shape (n_steps, 2), float64
        Money spent and share of all information had, buying by information per cost.
    scores_per_label_ : ScoreTable of shape (n_features, n_labels)
        Normalised gains, from 0 to 1/2, with names.
    order_ : ndarray of shape (n_features,), int64
        Column indices by falling score; with ``budget`` the kept ones first.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.

    Raises
    ------
    ValueError
        If a cost is missing, misnamed, negative or not a number, or the budget pays
        for no feature.

    Notes
    -----
    Time O(d n q) for n rows, d features and q labels. Sparse ``X`` stays sparse.
    Rows where a feature is missing do not count for it, so a test that was ordered for
    few is judged by those. ``labelsift.score.generate_test_costs`` draws costs where
    none are known.

    References
    ----------
    .. [1] Huang, Qian, Wang, Wu. Cost-sensitive feature selection for multi-label
       learning (in Chinese). CAAI Transactions on Intelligent Systems 14(5), 2019,
       929-938.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 1],
    ...               [2, 0, 0], [2, 1, 1], [0, 1, 0], [1, 0, 0]])
    >>> Y = np.array([[1, 1], [1, 0], [0, 1], [0, 0], [0, 0], [0, 1], [1, 0], [1, 1]])
    >>> selector = CSIG([10, 40, 20], discretize="none").fit(X, Y)
    >>> selector.scores_.round(3), round(selector.threshold_, 3)
    (array([ 1.334, -1.261, -1.406]), 0.918)
    >>> selector.get_support(indices=True), selector.total_cost_
    (array([0]), 10.0)
    """

    _parameter_constraints: dict[str, Any] = {
        **SETTINGS,
        "costs": "no_validation",
        "standardize": [StrOptions({"features", "labels"})],
        "threshold": [
            None,
            Interval(Real, None, None, closed="neither"),
            StrOptions({"auto"}),
        ],
        "threshold_cost": [StrOptions({"normalized", "raw"})],
        "bars": [StrOptions({"mean_abs", "abs_of_mean", "signed"})],
        "budget": [None, Interval(Real, 0, None, closed="left")],
        "cost_groups": "no_validation",
        "derived_features": "no_validation",
    }

    def __init__(
        self,
        costs: Any = None,
        *,
        standardize: str = "features",
        threshold: float | str | None = "auto",
        threshold_cost: str = "normalized",
        bars: str = "mean_abs",
        budget: float | None = None,
        cost_groups: Any = None,
        derived_features: Any = None,
        n_features_to_select: float | None = None,
        discretize: str = "equal_width",
        n_bins: int = 5,
        missing: str = "pairwise",
        categorical_features: Any = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.costs = costs
        self.standardize = standardize
        self.threshold = threshold
        self.threshold_cost = threshold_cost
        self.bars = bars
        self.budget = budget
        self.cost_groups = cost_groups
        self.derived_features = derived_features
        self.discretize = discretize
        self.n_bins = n_bins
        self.missing = missing
        self.categorical_features = categorical_features

    def _validate(
        self, X: Any, y: Any, *, reset: bool, **options: Any
    ) -> tuple[Any, LabelMatrix]:
        checked = super()._validate(X, y, reset=reset, **options)
        if reset:
            self._prices = prices_from(
                self.costs,
                self.cost_groups,
                self.derived_features,
                self._feature_names(),
            )
            self.costs_ = self._prices.alone()
            if self.budget is not None and self.costs is None:
                raise ValueError("budget= needs costs; give costs= too.")
        return checked

    def _scores_of(self, pairs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        self.relevance_ = pairs.sum(axis=1)
        scores = standardized_relevance(pairs, self.standardize)
        scores = scores - normalized_costs(self.costs_)
        if self.threshold is None:
            self.threshold_ = -np.inf
        elif self.threshold == "auto":
            self.threshold_ = cost_threshold(
                scores, self.costs_, bars=self.bars, cost=self.threshold_cost
            )
        else:
            self.threshold_ = float(self.threshold)
        return scores

    def _own_threshold(self) -> float:
        return self.threshold_

    def _set_scores(self, scores: np.ndarray[Any, Any]) -> None:
        self._bought: np.ndarray[Any, Any] | None = None
        if self.budget is not None:
            self._bought = self._buy(scores)
        super()._set_scores(scores)
        self._note_spent(self._get_support_mask())
        steps, curve = greedy_steps(self._prices, self.relevance_)
        had = self.relevance_.sum()
        self.cost_curve_ = curve / [1.0, had if had > 0 else 1.0]
        self._purchase_steps = steps

    def _buy(self, scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        candidates = np.ones(len(scores), dtype=bool)
        if isinstance(self.threshold, Real):
            candidates = scores >= self.threshold
        n_most = None
        if self.n_features_to_select is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                n_most = super()._n_kept()
        assert self.budget is not None
        bought = best_within(
            self._prices,
            self.relevance_,
            float(self.budget),
            n_most=n_most,
            candidates=candidates,
        )
        if not candidates.any():
            raise ValueError(
                f"no feature reaches threshold={self.threshold:g}, so budget="
                f"{self.budget:g} buys none; the best score is {scores.max():.4g}. "
                "Lower threshold=."
            )
        if not bought.any():
            cheapest = float(self.costs_.min())
            raise ValueError(
                f"budget={self.budget:g} buys no feature that tells anything about the "
                f"labels; the cheapest feature costs {cheapest:g}."
            )
        return bought

    def _order(self, scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        order = super()._order(scores)
        if self._bought is None:
            return order
        return np.concatenate([order[self._bought[order]], order[~self._bought[order]]])

    def _n_kept(self) -> int:
        if self._bought is not None:
            return int(self._bought.sum())
        return super()._n_kept()
