"""Check what the user says about costs and turn it into prices."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelsift.read.costs import costs_by_feature
from labelsift.read.dataset import MOST_COST, Dataset
from labelsift.score.purchase import Prices


class SpendsCosts:
    """What selectors share that know what features cost; to be named first.

    A subclass sets ``_prices`` in ``_validate``, and ``costs_`` with it.
    """

    _prices: Prices

    def cost_of(self, features: Any) -> float:
        """Return what a set of features costs together.

        Parameters
        ----------
        features : array-like of bool, int or str
            A mask, column numbers or names.

        Returns
        -------
        float
            Shared prices once, and the parts of computed features with them.
        """
        check_is_fitted(self, "costs_")
        mask = self._nominal_mask(features, "features")  # type: ignore[attr-defined]
        return self._prices.total(mask)

    def _note_spent(self, kept: np.ndarray[Any, Any]) -> None:
        """Set what the features kept cost, and which share of all that is."""
        self.total_cost_ = self._prices.total(kept)
        everything = self._prices.total(np.ones(len(kept), dtype=bool))
        self.cost_share_ = self.total_cost_ / everything if everything > 0 else 0.0


def prices_from(
    costs: Any, cost_groups: Any, derived_features: Any, names: Sequence[str]
) -> Prices:
    """Return the prices of features.

    Parameters
    ----------
    costs : None, array-like, mapping, path or Dataset
        Costs of single features; see ``CSIG``.
    cost_groups : None or mapping
        Features bought together, or sharing a price.
    derived_features : None or mapping
        Features computed from others.
    names : sequence of str
        All features in column order.

    Returns
    -------
    Prices
        Checked.

    Raises
    ------
    ValueError
        If a cost is negative, missing or misnamed, or a group makes no sense.
    """
    if costs is None:
        if cost_groups or derived_features:
            raise ValueError(
                "cost_groups and derived_features need costs; give costs= too."
            )
        return Prices(np.zeros(len(names)))
    parts = _parts(derived_features, names)
    own = _own_costs(costs, names, parts)
    groups: list[tuple[float, tuple[int, ...]]] = []
    if cost_groups is not None and not isinstance(cost_groups, Mapping):
        raise TypeError(
            "cost_groups must map the name of a group to its features, or to a price "
            f"and its features; found {type(cost_groups).__name__}."
        )
    for group, said in (cost_groups or {}).items():
        what = f"cost_groups[{group!r}]"
        if isinstance(said, tuple) and len(said) == 2 and isinstance(said[0], Real):
            price, listed = float(said[0]), said[1]
            if not 0 <= price <= MOST_COST:
                raise ValueError(
                    f"{what}: the price must be a number of 0 or more, at most "
                    f"{MOST_COST:g}; found {price}."
                )
            members = _features(listed, names, what)
        else:
            members = _features(said, names, what)
            price = float(own[list(members)].max())
            own[list(members)] = 0.0  # the dearest test of the group gives them all
        groups.append((price, members))
    return Prices(own, tuple(groups), parts)


def _own_costs(
    costs: Any, names: Sequence[str], parts: Mapping[int, tuple[int, ...]]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    if isinstance(costs, Dataset):
        if costs.test_costs is None:
            raise ValueError(
                f"costs= is the data set {costs.name!r}, which has no test_costs; read "
                "it with load_dataset(..., costs=...)."
            )
        costs = costs.test_costs
    if isinstance(costs, Mapping):
        # what is computed costs nothing beyond its parts unless a price is given
        computed = {names[f]: 0.0 for f in parts}
        costs = {**computed, **{_name(key, names): c for key, c in costs.items()}}
    return np.array(costs_by_feature(costs, names), dtype=np.float64)


def _name(key: Any, names: Sequence[str]) -> str:
    is_number = isinstance(key, Integral) and not isinstance(key, bool)
    return names[int(key)] if is_number and 0 <= int(key) < len(names) else str(key)


def _features(listed: Any, names: Sequence[str], what: str) -> tuple[int, ...]:
    if isinstance(listed, str) or not hasattr(listed, "__iter__"):
        raise TypeError(f"{what} must list features; found {listed!r}.")
    found: list[int] = []
    for item in listed:
        if isinstance(item, str):
            if item not in names:
                near = difflib.get_close_matches(item, list(names)[:20000], n=1)
                hint = f"; did you mean {near[0]!r}?" if near else "."
                raise ValueError(f"{what} names {item!r}, which is no feature{hint}")
            found.append(list(names).index(item))
        elif isinstance(item, Integral) and 0 <= int(item) < len(names):
            found.append(int(item))
        else:
            raise ValueError(
                f"{what} must hold names or column numbers from 0 to "
                f"{len(names) - 1}; found {item!r}."
            )
    if not found:
        raise ValueError(f"{what} lists no feature.")
    if len(set(found)) < len(found):
        twice = next(f for f in found if found.count(f) > 1)
        raise ValueError(f"{what} lists {names[twice]!r} twice.")
    return tuple(found)


def _parts(derived: Any, names: Sequence[str]) -> dict[int, tuple[int, ...]]:
    if derived is None:
        return {}
    if not isinstance(derived, Mapping):
        raise TypeError(
            "derived_features must map a feature to those it is computed from; found "
            f"{type(derived).__name__}."
        )
    parts = {}
    for feature, listed in derived.items():
        what = f"derived_features[{feature!r}]"
        (index,) = _features([feature], names, "derived_features")
        parts[index] = _features(listed, names, what)
    for feature in parts:
        waiting, seen = list(parts[feature]), set()
        while waiting:
            part = waiting.pop()
            if part == feature:
                raise ValueError(
                    f"derived_features: {names[feature]!r} would be computed from "
                    "itself."
                )
            if part not in seen:
                seen.add(part)
                waiting.extend(parts.get(part, ()))
    return parts
