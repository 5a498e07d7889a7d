"""Settings of selectors that name columns, for tables that are arrays in the folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sklearn.base import clone

from labelsift.evaluate._plan_costs import parts_of


def by_position(
    selectors: Mapping[str, Any], names: Sequence[str] | None
) -> dict[str, Any]:
    """Return selectors that call columns by number where they called them by name.

    Parameters
    ----------
    selectors : mapping of str to estimator
        Those of labelsift, also inside others, may have ``costs``, ``cost_groups``,
        ``derived_features`` and ``categorical_features`` by name. A name that is no
        column stays, so that the selector says so.
    names : sequence of str or None
        Names of the columns.
    """
    places = {name: i for i, name in enumerate(names or ())}
    found = {}
    for key, selector in selectors.items():
        changes = {}
        for prefix, part in parts_of(selector):
            settings = part.get_params(deep=False)
            for setting, numbered in _NUMBERED.items():
                value = settings.get(setting)
                if value is None:
                    continue
                other = numbered(value, places)
                if other is not value:
                    changes[prefix + setting] = other
        found[key] = clone(selector).set_params(**changes) if changes else selector
    return found


Places = Mapping[str, int]


def _column(item: Any, places: Places) -> Any:
    return places.get(item, item) if isinstance(item, str) else item


def _listed(value: Any, places: Places) -> Any:
    """Return a list of columns by number, or the value if it names none."""
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return value
    items = list(value)
    if not any(isinstance(item, str) for item in items):
        return value
    return [_column(item, places) for item in items]


def _keyed(value: Any, places: Places) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {_column(key, places): item for key, item in value.items()}


def _grouped(value: Any, places: Places) -> Any:
    if not isinstance(value, Mapping):
        return value

    def members(said: Any) -> Any:
        if isinstance(said, tuple) and len(said) == 2 and not isinstance(said[0], str):
            return said[0], _listed(said[1], places)
        return _listed(said, places)

    return {group: members(said) for group, said in value.items()}


def _derived(value: Any, places: Places) -> Any:
    keyed = _keyed(value, places)
    if keyed is value:
        return value
    return {key: _listed(parts, places) for key, parts in keyed.items()}


_NUMBERED: dict[str, Callable[[Any, Places], Any]] = {
    "costs": _keyed,
    "cost_groups": _grouped,
    "derived_features": _derived,
    "categorical_features": _listed,
}
