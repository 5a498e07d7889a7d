"""Pick features one after another while a budget lasts, where tests share a price."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from labelsift._sklearn import HasMethods, Interval, StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.kernels.progress import teller
from labelsift.score.purchase import Prices
from labelsift.score.ranking import order_within
from labelsift.select._base import RankingSelector
from labelsift.select._cost_settings import SpendsCosts, prices_from
from labelsift.select._greedy import GreedySelector
from labelsift.select._greedy_search import GreedySearch
from labelsift.select.d2f import D2F

Array = np.ndarray[Any, Any]
_CENT = 1e-9  # relative slack of a budget, against rounding in sums of prices


class BudgetedGroups(SpendsCosts, RankingSelector):
    """Pick features by a greedy criterion while a budget lasts, then what is free.

    For features that come in groups with one price, such as all values of one blood
    test: buying a feature buys its group. Step 1 picks by the criterion and pays for
    what is new. Step 2 goes through the features that cost nothing (any more), and adds
    the best as long as it beats every shadow of them: copies with their rows in random
    order, which can tell nothing about the labels.

    Parameters
    ----------
    selector : GreedySelector, str or None, default=None
        Whose criterion it is: ``D2F``, ``SCLS``, ``PMU`` and so on, or their name
        (``"scls"``). None: ``D2F()``. Its ``n_features_to_select`` plays no part.
    budget : float or None, default=None
        Most money for all kept features. None: no limit.
    costs : array-like, mapping, path or Dataset, default=None
        What measuring each feature costs, 0 or more; see ``CSIG``. None: all are free.
    cost_groups : mapping or None, default=None
        Groups, by a name of your choice: a list of features that one purchase gives
        together, for the largest of their costs; or ``(price, features)``, a price
        paid once on top of the features' own.
    derived_features : mapping or None, default=None
        Features computed from others, such as ``{"FTI": ["TT4", "T4U"]}``: keeping one
        means paying for its parts.
    on_exceed : {"stop", "skip"}, default="stop"
        What step 1 does when the best feature costs more than is left: end, or go on
        with those that can be paid.
    random_state : int, RandomState or None, default=0
        Seed of the shadows.
    n_features_to_select : int, float or None, default=None
        Features kept at most: a number, a share, or None for no limit but the budget.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        They follow the rank: n_features for the first pick, one less for the next;
        0 for constant features. Larger is better.
    criterion_ : ndarray of shape (n_picks,), float64
        Value of each pick when it was taken, in bits.
    added_free_ : ndarray of shape (n_added,), int64
        The features that step 2 added.
    costs_ : ndarray of shape (n_features,), float64
        What each feature costs when nothing else is bought.
    total_cost_ : float
        What the kept features cost together.
    cost_share_ : float
        The same as a share of the cost of all features; 0 where all are free.
    order_ : ndarray of shape (n_features,), int64
        The picks in order, then the features left by their last value, constant
        features last.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    selector_ : GreedySelector
        The selector whose criterion was used, with its cut points.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    TypeError
        If ``selector`` is no greedy one.
    ValueError
        If a cost is missing, misnamed, negative or not a number.

    Notes
    -----
    With a price for each feature alone it is a plain budget; with enough money for
    everything, the ranking of ``selector``. What costs nothing from the outset counts
    as bought: where the best feature is too dear and step 1 buys nothing, step 2 still
    adds what is free and beats its shadows. A warning says why nothing is kept.

    Time that of ``selector`` for as many picks, and again, with one shadow for each
    free feature, for step 2: O(k (d + m) n q / 64) word operations for k picks, d
    features and m of them free after step 1. Sparse ``X`` stays sparse.

    Certainty: the two steps and the stop by shadows are those of [1]_, of which only
    the abstract was read. The criterion (the paper has a bound on information of its
    own), the comparison with the best of all shadows, and what happens at the end of
    the budget are our choice.

    References
    ----------
    .. [1] Klonecki, Teisseyre, Lee. Cost-constrained multi-label group feature
       selection using shadow features. 2024. arXiv:2408.01851

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 1],
    ...               [2, 0, 0], [2, 1, 1], [0, 1, 0], [1, 0, 0]])
    >>> Y = np.array([[1, 1], [1, 0], [0, 1], [0, 0], [0, 0], [0, 1], [1, 0], [1, 1]])
    >>> selector = BudgetedGroups(
    ...     budget=30, costs=[10, 40, 10], cost_groups={"blood": [0, 2]},
    ... ).fit(X, Y)
    >>> selector.order_[0], selector.total_cost_
    (np.int64(0), 10.0)
    """

    _parameter_constraints: dict[str, Any] = {
        **RankingSelector._parameter_constraints,
        "selector": [None, str, HasMethods(["fit", "get_params"])],
        "budget": [None, Interval(Real, 0, None, closed="left")],
        "costs": "no_validation",
        "cost_groups": "no_validation",
        "derived_features": "no_validation",
        "on_exceed": [StrOptions({"stop", "skip"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        selector: Any = None,
        *,
        budget: float | None = None,
        costs: Any = None,
        cost_groups: Any = None,
        derived_features: Any = None,
        on_exceed: str = "stop",
        random_state: Any = 0,
        n_features_to_select: float | None = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.selector = selector
        self.budget = budget
        self.costs = costs
        self.cost_groups = cost_groups
        self.derived_features = derived_features
        self.on_exceed = on_exceed
        self.random_state = random_state

    def _validate(
        self, X: Any, y: Any, *, reset: bool, **options: Any
    ) -> tuple[Any, LabelMatrix]:
        checked = super()._validate(X, y, reset=reset, **options)
        self._prices = prices_from(
            self.costs, self.cost_groups, self.derived_features, self._feature_names()
        )
        self.costs_ = self._prices.alone()
        if self.budget is not None and self.costs is None:
            raise ValueError("budget= needs costs; give costs= too.")
        return checked

    def _greedy_selector(self) -> GreedySelector:
        selector = self.selector
        if isinstance(selector, str):
            from labelsift.select import make_selector

            selector = make_selector(selector)
        selector = D2F() if selector is None else clone(selector)
        if not isinstance(selector, GreedySelector):
            raise TypeError(
                "selector must be one that picks features greedily, such as D2F() or "
                f"SCLS(); found {type(selector).__name__}."
            )
        for fact in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, fact):
                setattr(selector, fact, getattr(self, fact))
        return selector

    def _score(self, X: Any, labels: LabelMatrix) -> Array:
        self.selector_ = self._greedy_selector()
        search = self.selector_._start_search(X, labels)
        is_constant = ~search.is_open
        if not search.has_labels_that_vary:
            warnings.warn(
                "all rows carry the same labels: every score is 0, and the order is "
                "that of the columns.",
                UserWarning,
                stacklevel=4,
            )
        d = len(is_constant)
        n_most = d if self.n_features_to_select is None else super()._n_kept()
        limit = np.inf if self.budget is None else float(self.budget) * (1 + _CENT)
        trace = _buy(search, self._prices, limit, n_most, skip=self.on_exceed == "skip")
        picks = list(search.picks)
        if search.has_labels_that_vary:
            rng = check_random_state(self.random_state)
            added, values = _add_free(search, self._prices, n_most - len(picks), rng)
        else:
            added, values = [], []
        self.added_free_ = np.array(added, dtype=np.int64)
        self.criterion_ = np.array(trace + values)
        self._picks = np.array(picks + added, dtype=np.int64)
        if not self._picks.size:
            warnings.warn(
                f"{self._why_nothing(is_constant, limit)} Nothing is kept.",
                UserWarning,
                stacklevel=4,
            )
        return self._scores_by_rank(search, is_constant)

    def _why_nothing(self, is_constant: Array, limit: float) -> str:
        if is_constant.all():
            return "no feature varies."
        cheapest = self.costs_[~is_constant].min()
        if cheapest <= limit:
            return (
                f"budget={self.budget:g} does not pay for the best feature, which ends "
                "the purchase; on_exceed='skip' goes on with those that it pays for."
            )
        return (
            f"budget={self.budget:g} pays for no feature that could be picked; the "
            f"cheapest costs {cheapest:g}."
        )

    def _scores_by_rank(self, search: GreedySearch, is_constant: Array) -> Array:
        d = len(is_constant)
        left = ~is_constant
        left[self._picks] = False
        columns = np.flatnonzero(left)
        values = search.criterion()[columns]
        rest = columns[order_within(values, search.tolerance)] if len(values) else []
        constant = np.flatnonzero(is_constant)
        self._picked_order = np.concatenate([self._picks, rest, constant])
        scores = np.zeros(d)
        if search.has_labels_that_vary:
            varying = d - len(constant)
            places = self._picked_order[:varying].astype(np.int64)
            scores[places] = np.arange(d, d - varying, -1)
        return scores

    def _order(self, scores: Array) -> Array:
        return self._picked_order.astype(np.int64)

    def _set_scores(self, scores: Array) -> None:
        super()._set_scores(scores)
        self._note_spent(self._get_support_mask())

    def _n_kept(self) -> int:
        return len(self._picks)


def _buy(
    search: GreedySearch, prices: Prices, limit: float, n_most: int, *, skip: bool
) -> list[float]:
    """Take the best features while they can be paid; return their values."""
    trace: list[float] = []
    tell = teller("features")
    bought = np.zeros(len(search.is_open), dtype=bool)
    payable = np.ones(len(bought), dtype=bool)
    values = search.criterion()
    spent = 0.0
    while len(trace) < n_most:
        best = search.best_of(values, payable)
        if best is None:
            break
        bought[best] = True
        cost = prices.total(bought)
        if cost > limit:
            if not skip:
                break
            bought[best] = payable[best] = False
            continue
        if cost != spent:  # what was bought may make others of its group cheaper
            payable[:] = True
            spent = cost
        trace.append(float(values[best]))
        search.add(best)
        values = search.criterion()
        if tell is not None:
            tell(len(trace), 0)
    return trace


def _add_free(
    search: GreedySearch, prices: Prices, n_most: int, rng: Any
) -> tuple[list[int], list[float]]:
    """Add features that cost nothing now while they beat all shadows of them."""
    bought = np.zeros(len(search.is_open), dtype=bool)
    bought[search.picks] = True
    spent = prices.total(bought)
    free = []
    for feature in np.flatnonzero(search.is_open):
        bought[feature] = True
        if prices.total(bought) <= spent:
            free.append(int(feature))
        bought[feature] = False
    added: list[int] = []
    trace: list[float] = []
    if not free or n_most <= 0:
        return added, trace
    d = len(bought)
    columns = np.array(free, dtype=np.int64)
    both = search.with_shadows(columns, shadow_rows(rng, search.n_samples, len(free)))
    among = np.zeros(len(both.is_open), dtype=bool)
    among[columns] = True
    shadow_of = {feature: d + place for place, feature in enumerate(free)}
    while len(added) < n_most:
        values = both.criterion()
        best = both.best_of(values, among)
        if best is None:
            break
        rivals = [values[shadow_of[f]] for f in columns if among[f]]
        if values[best] <= max(rivals) + search.tolerance:
            break
        added.append(best)
        trace.append(float(values[best]))
        both.add(best)
        search.add(best)
        among[best] = False
    return added, trace


def shadow_rows(rng: Any, n: int, n_shadows: int) -> Array:
    """Return an order of the rows for each shadow.

    Parameters
    ----------
    rng : RandomState
        Where they are drawn from.
    n : int
        Rows.
    n_shadows : int
        Shadows.

    Returns
    -------
    ndarray of shape (n_shadows, n), int64
    """
    return np.array([rng.permutation(n) for _ in range(n_shadows)], dtype=np.int64)
