"""What a set of features costs when tests are shared, and what a budget buys best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

EXACT_LIMIT = 50
"""Most features that cost something for which the best set is found exactly."""
_CENT = 1e-9  # relative slack of a budget, against rounding in sums of prices

Mask = np.ndarray[Any, np.dtype[np.bool_]]
Vector = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Prices:
    """Costs of features that may share tests or be computed from each other.

    Parameters
    ----------
    own : ndarray of shape (n_features,), float64
        What each feature costs by itself, beyond what it shares.
    groups : tuple of (float, tuple of int)
        Prices that are paid once for all features listed.
    parts : dict of int to tuple of int
        Features computed from others, which have to be bought with them.
    """

    own: Vector
    groups: tuple[tuple[float, tuple[int, ...]], ...] = ()
    parts: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def with_parts(self, features: Iterable[int]) -> Mask:
        """Return the features and all that they are computed from, as a mask."""
        mask = np.zeros(len(self.own), dtype=bool)
        waiting = [int(f) for f in features]
        while waiting:
            feature = waiting.pop()
            if not mask[feature]:
                mask[feature] = True
                waiting.extend(self.parts.get(feature, ()))
        return mask

    def total(self, mask: Mask) -> float:
        """Return what a set costs, its parts included."""
        if self.parts:
            mask = self.with_parts(np.flatnonzero(mask))
        shared = sum(
            price for price, members in self.groups if mask[list(members)].any()
        )
        return float(self.own[mask].sum() + shared)

    def alone(self) -> Vector:
        """Return what each feature costs when nothing else is bought."""
        costs = self.own.astype(np.float64).copy()
        for price, members in self.groups:
            costs[list(members)] += price
        for feature in self.parts:
            costs[feature] = self.total(self.with_parts([feature]))
        return costs


def best_within(
    prices: Prices,
    relevance: Vector,
    budget: float,
    *,
    n_most: int | None = None,
    candidates: Mask | None = None,
) -> Mask:
    """Return the set of most relevance in sum that the budget pays for.

    Parameters
    ----------
    prices : Prices
        What sets of features cost.
    relevance : ndarray of shape (n_features,), float64
        At least 0; features of relevance 0 are bought only as parts of others.
    budget : float
        At least 0.
    n_most : int, optional
        Most features in the set.
    candidates : ndarray of shape (n_features,), bool, optional
        Features that may be taken for their own sake; default all.

    Returns
    -------
    ndarray of shape (n_features,), bool
        Exact where at most ``EXACT_LIMIT`` candidates cost anything, else by
        relevance per cost, or the single best feature where that is worth more.
    """
    d = len(relevance)
    allowed = relevance > 0 if candidates is None else (relevance > 0) & candidates
    alone = prices.alone()
    limit = budget * (1 + _CENT)
    allowed &= alone <= limit
    closed = prices.with_parts(np.flatnonzero(allowed))
    n_most = d if n_most is None else n_most
    if not allowed.any():
        return np.zeros(d, dtype=bool)
    if closed.sum() <= n_most and prices.total(closed) <= limit:
        return closed
    if (alone[closed] > 0).sum() <= EXACT_LIMIT:
        return _exact(prices, relevance, limit, n_most, allowed, closed)
    taken, _ = greedy_steps(prices, relevance, limit, n_most=n_most, allowed=allowed)
    mask = prices.with_parts(taken)
    for feature in np.flatnonzero(allowed):
        single = prices.with_parts([int(feature)])
        if single.sum() <= n_most and relevance[single].sum() > relevance[mask].sum():
            mask = single
    return mask


def greedy_steps(
    prices: Prices,
    relevance: Vector,
    limit: float = np.inf,
    *,
    n_most: int | None = None,
    allowed: Mask | None = None,
) -> tuple[list[int], Vector]:
    """Buy features by falling relevance per extra cost, while the money lasts.

    Parameters
    ----------
    prices : Prices
        What sets of features cost.
    relevance : ndarray of shape (n_features,), float64
        At least 0.
    limit : float
        Most money.
    n_most : int, optional
        Most features.
    allowed : ndarray of shape (n_features,), bool, optional
        Features that may be taken; default those of some relevance.

    Returns
    -------
    order : list of int
        Features in the order they are bought; parts come with the feature for which
        they are bought.
    curve : ndarray of shape (len(order) + 1, 2), float64
        Money spent and relevance had after each step, beginning with nothing.
    """
    d = len(relevance)
    open_ = (relevance > 0 if allowed is None else allowed).copy()
    if not prices.groups and not prices.parts and n_most is None and limit == np.inf:
        return _by_ratio(prices.own, relevance, np.flatnonzero(open_))
    n_most = d if n_most is None else n_most
    mask = np.zeros(d, dtype=bool)
    extra = prices.alone()
    gain = relevance.astype(np.float64).copy()
    order: list[int] = []
    spent, had = 0.0, 0.0
    curve = [(0.0, 0.0)]
    linked = {f for f in prices.parts} | {
        m for _, members in prices.groups for m in members
    }
    changed = True
    while True:
        if changed:
            for feature in linked:
                if open_[feature]:
                    both = mask | prices.with_parts([feature])
                    extra[feature] = max(prices.total(both) - spent, 0.0)
                    gain[feature] = relevance[both & ~mask].sum()
        usable = open_ & (spent + extra <= limit)
        if not usable.any():
            break
        ratio = np.full(d, np.inf)  # what is free comes first
        np.divide(gain, extra, out=ratio, where=extra > 0)
        ratio[~usable] = -1.0
        best = np.flatnonzero(ratio == ratio.max())
        feature = int(best[np.argmax(gain[best])])
        bought = prices.with_parts([feature]) & ~mask
        if mask.sum() + bought.sum() > n_most:
            open_[feature] = False
            changed = False
            continue
        mask |= bought
        open_ &= ~bought
        spent = prices.total(mask)
        had = float(relevance[mask].sum())
        parts = [int(f) for f in np.flatnonzero(bought) if f != feature]
        order += [*parts, feature]
        curve += [(spent, had)] * (len(parts) + 1)
        changed = bool(linked)
    return order, np.array(curve)


def _by_ratio(
    own: Vector, relevance: Vector, features: np.ndarray[Any, Any]
) -> tuple[list[int], Vector]:
    """Sort by relevance per cost: the same steps where nothing is shared."""
    cost, gain = own[features], relevance[features]
    ratio = np.full(len(features), np.inf)
    np.divide(gain, cost, out=ratio, where=cost > 0)
    order = np.lexsort((features, -gain, -ratio))
    curve = np.zeros((len(features) + 1, 2))
    np.cumsum(np.column_stack([cost, gain])[order], axis=0, out=curve[1:])
    return features[order].tolist(), curve


def _exact(
    prices: Prices,
    relevance: Vector,
    limit: float,
    n_most: int,
    allowed: Mask,
    closed: Mask,
) -> Mask:
    """Solve the knapsack with shared prices as an integer program."""
    features = np.flatnonzero(closed)
    place = {int(f): i for i, f in enumerate(features)}
    groups = [
        (price, [place[m] for m in members if m in place])
        for price, members in prices.groups
        if price > 0
    ]
    n, size = len(features), len(features) + len(groups)
    value = np.zeros(size)
    value[:n] = np.where(allowed[features], relevance[features], 0.0)
    cost = np.concatenate([prices.own[features], [price for price, _ in groups]])
    implies = [(i, n + g) for g, (_, members) in enumerate(groups) for i in members]
    for feature, parts in prices.parts.items():
        if feature in place:
            implies += [(place[feature], place[part]) for part in parts]
    rows = [cost, np.concatenate([np.ones(n), np.zeros(len(groups))])]
    constraints = [LinearConstraint(np.array(rows), -np.inf, [limit, n_most])]
    if implies:
        first, second = np.array(implies).T
        index = np.arange(len(implies))
        matrix = coo_array(
            (
                np.concatenate([np.ones(len(implies)), -np.ones(len(implies))]),
                (np.concatenate([index, index]), np.concatenate([first, second])),
            ),
            shape=(len(implies), size),
        )
        constraints.append(LinearConstraint(matrix.tocsr(), -np.inf, 0))

    def solve(minimize: Vector, extra: list[LinearConstraint]) -> Mask:
        solution = milp(
            minimize,
            integrality=np.ones(size),
            bounds=Bounds(0, 1),
            constraints=[*constraints, *extra],
            options={"mip_rel_gap": 0.0},
        )
        mask = np.zeros(len(prices.own), dtype=bool)
        mask[features[solution.x[:n] > 0.5]] = True
        return mask

    while True:
        mask = solve(-value / value.max(), [])
        over = prices.total(mask) - limit
        if over <= 0:
            break
        # the solver's tolerance let it overspend: allow that much less
        limit_left = constraints[0].ub[0] - max(2 * over, _CENT * limit)
        constraints[0] = LinearConstraint(np.array(rows), -np.inf, [limit_left, n_most])
    # of the sets that tell as much, the cheapest
    best = relevance[mask & allowed].sum() * (1 - _CENT)
    cheaper = solve(
        cost / max(cost.max(), 1.0), [LinearConstraint(value[None, :], best, np.inf)]
    )
    tells = relevance[cheaper & allowed].sum() >= best
    is_cheaper = prices.total(cheaper) < prices.total(mask)
    return cheaper if tells and is_cheaper else mask
