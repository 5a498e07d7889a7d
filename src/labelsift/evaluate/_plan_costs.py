"""Test costs of a plan's data reach the selectors that weigh costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sklearn.base import clone

from labelsift.evaluate._plan_check import Checker
from labelsift.evaluate._plan_data import CostsMisfit
from labelsift.evaluate._plan_draws import Splits
from labelsift.evaluate._plan_places import places
from labelsift.read import Dataset

if TYPE_CHECKING:
    from labelsift.evaluate.plan import Plan

_NEED_COSTS = ("budget", "cost_groups", "derived_features")


def with_costs(selectors: dict[str, Any], dataset: Dataset | None) -> dict[str, Any]:
    """Return selectors that know what the features of a data set cost.

    Parameters
    ----------
    selectors : dict of str to estimator
        Those of labelsift with a setting ``costs`` that is left open get the test costs
        of the data, if it has any; also where they are a setting of another.
    dataset : Dataset or None
        The data.
    """
    costs = None if dataset is None else dataset.test_costs
    if costs is None:
        return selectors
    found = {}
    for name, selector in selectors.items():
        open_settings = [prefix + "costs" for prefix, _ in _weighing(selector)]
        if open_settings:
            selector = clone(selector)
            selector.set_params(**dict.fromkeys(open_settings, costs.tolist()))
        found[name] = selector
    return found


def check_costs(plan: Plan, check: Checker) -> None:
    """Note selectors that need costs where data have none.

    Parameters
    ----------
    plan : Plan
        What is to be done.
    check : Checker
        Takes the mistakes.
    """
    without = [
        name
        for name, data in plan.data.items()
        if not data.may_have_costs and not check.has_wrong(("data", name, "costs"))
    ]
    if not without:
        return
    for name, selector in plan.selectors.items():
        for _, one in _weighing(selector):
            needs = [s for s in _NEED_COSTS if getattr(one, s, None) is not None]
            if needs:
                check.wrong(
                    ("selectors", name.partition(" (")[0]),
                    f"{needs[0]} needs costs, and [data.{without[0]}] has none: give "
                    'costs = "FILE" (lines feature,cost), a list or a table there.',
                )


def load_priced(plan: Plan, name: str) -> tuple[Dataset, Splits | None]:
    """Return a data set of a plan and its given splits, if the costs are for it.

    Parameters
    ----------
    plan : Plan
        Says what things cost, in its data or in the settings of selectors.
    name : str
        Which data set.

    Raises
    ------
    PlanError
        If costs are those of other features, or of more or fewer.
    """
    check = Checker(plan.name, places(plan.text))
    try:
        dataset, splits = plan.data[name].load()
    except CostsMisfit as error:
        check.wrong(("data", name, "costs"), str(error))
        check.raise_if_wrong()
        raise
    d = dataset.n_features
    for selector, one in plan.selectors.items():
        if any(hasattr(part, "steps") for part in (one, *one.get_params().values())):
            continue  # a step of a pipeline may see other columns than the data have
        for prefix, part in parts_of(one):
            costs = part.get_params(deep=False).get("costs")
            is_list = isinstance(costs, Sequence) and not isinstance(costs, str)
            if is_list and len(costs) != d:
                check.wrong(
                    ("selectors", selector.partition(" (")[0], "settings", "costs"),
                    f"{prefix}costs must hold one number for each of the {d} features "
                    f"of {name!r}; found {len(costs)}. Leave it out here and give "
                    f"costs in [data.{name}].",
                )
    check.raise_if_wrong()
    return dataset, splits


def parts_of(selector: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a selector that are labelsift's, each with its prefix."""
    parts = {"": selector}
    if hasattr(selector, "get_params"):
        for name, value in selector.get_params(deep=True).items():
            if hasattr(value, "get_params") and not isinstance(value, type):
                parts[f"{name}__"] = value
    for prefix, part in parts.items():
        if type(part).__module__.startswith("labelsift."):
            yield prefix, part


def _weighing(selector: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parts whose ``costs`` are open, each with its prefix."""
    for prefix, part in parts_of(selector):
        if part.get_params(deep=False).get("costs", ...) is None:
            yield prefix, part
