"""Make the selectors and classifiers that a plan names; nothing is evaluated."""

from __future__ import annotations

import datetime
import importlib
import inspect
import itertools
import math
import re
from collections.abc import Mapping
from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline

from labelsift.evaluate._plan_check import Checker, did_you_mean, shown
from labelsift.evaluate._plan_places import Path
from labelsift.evaluate._plan_sizes import OWN, method_sizes
from labelsift.evaluate.records import ALL_FEATURES

_IMPORT_PATH = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*", re.ASCII)
_MOST = 1000
_SIZE = "n_features_to_select"
_NO_PART = (
    "{} has no part in a comparison; sizes = [...] says what to try. What a selector "
    'keeps by itself is measured with sizes = "own" in its table.'
)


def methods(
    whole: Any, kind: str, registry: Mapping[str, type], check: Checker
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the estimators of the tables [selectors.NAME] or [classifiers.NAME].

    Parameters
    ----------
    whole : dict
        What stands under ``selectors`` or ``classifiers``.
    kind : {"selectors", "classifiers"}
        The name of that table.
    registry : mapping of str to class
        Methods known by name.
    check : Checker
        Takes the mistakes.

    Returns
    -------
    estimators : dict of str to estimator
        A grid gives one estimator for each combination, named ``NAME (setting value)``.
    sizes : dict of str
        For those that have sizes of their own: ``"own"`` for a selector, else as
        ``Plan.sizes``.
    """
    found: dict[str, Any] = {}
    sizes: dict[str, Any] = {}
    if not isinstance(whole, dict) or not whole:
        check.wrong(
            (kind,), f"the plan must name {kind}, each in a table [{kind}.NAME]."
        )
        return found, sizes
    for name, table in whole.items():
        path = (kind, name)
        if not isinstance(table, dict):
            check.wrong(path, f"{name} must be a table: [{kind}.{name}].")
            continue
        if not name.strip() or name == ALL_FEATURES:
            check.wrong(path, f'"{name}" cannot be the name of a method.')
            continue
        check.table(table, path, ("method", "steps", "settings", "grid", "sizes"))
        made = _with_grid(name, table, path, registry, check)
        if "sizes" in table:
            own = method_sizes(table["sizes"], made, path, check)
            sizes.update(dict.fromkeys(made, own))
        for key in made.keys() & found.keys():
            check.wrong(path, f'another of the {kind} has the name "{key}", too.')
        found.update(made)
    return found, sizes


def _with_grid(
    name: str,
    table: dict[str, Any],
    path: Path,
    registry: Mapping[str, type],
    check: Checker,
) -> dict[str, Any]:
    method = check.value(table, (*path, "method"), "text", name)
    settings = check.value(table, (*path, "settings"), "a table", {})
    grid = check.value(table, (*path, "grid"), "a table", {})
    where = (*path, "method") if "method" in table else path
    kind: Any
    preset: Mapping[str, Any] = {}
    is_sized = table.get("sizes") == OWN
    if "steps" in table:
        kind = _steps(table, path, is_sized, registry, check)
    else:
        kind, preset = _class(method, where, path[0][:-1], registry, check)
    if kind is None:
        return {}
    for key, values in grid.items():
        at = (*path, "grid", key)
        if not isinstance(values, list) or not values:
            check.wrong(at, f"{key} must be a list of the values to try.")
            return {}
        if key in settings:
            check.wrong(at, f"{key} stands in settings, too; give it once.")
            return {}
    count = math.prod(len(values) for values in grid.values())
    if count > _MOST:
        check.wrong(
            (*path, "grid"), f"the grid has {count} combinations; at most {_MOST}."
        )
        return {}
    made = {}
    for values in itertools.product(*grid.values()):
        chosen = dict(zip(grid, values, strict=True))
        words = ", ".join(f"{key} {_word(value)}" for key, value in chosen.items())
        label = f"{name} ({words})" if words else name
        if label in made:
            check.wrong((*path, "grid"), f'the grid makes "{label}" more than once.')
        places = {
            **{key: (*path, "settings", key) for key in settings},
            **{key: (*path, "grid", key) for key in grid},
        }
        given = {**preset, **settings, **chosen}
        if isinstance(kind, Pipeline):
            estimator = _with_settings(
                kind, given, places, path, is_sized, registry, check
            )
        else:
            estimator = _made(kind, given, places, path, registry, check, is_sized)
        if estimator is not None:
            made[label] = estimator
    return made


def _steps(
    table: dict[str, Any],
    path: Path,
    is_sized: bool,
    registry: Mapping[str, type],
    check: Checker,
) -> Pipeline | None:
    """Return a pipeline of the steps that a table names."""
    before = len(check.mistakes)
    at = (*path, "steps")
    steps = table["steps"]
    if "method" in table:
        check.wrong(at, "give method or steps, not both.")
    if not isinstance(steps, list) or not steps:
        check.wrong(
            at,
            "steps must be a list of methods, each a name or a table such as "
            f'{{ method = "chi2", settings = {{}} }}; found {shown(steps)}.',
        )
        return None
    made = []
    for number, step in enumerate(steps, 1):
        one = {"method": step} if isinstance(step, str) else step
        if not isinstance(one, dict) or "method" not in one:
            check.wrong(at, f"a step must name a method; found {shown(step)}.")
            return None
        # only of the last one the sizes of the plan say how much it keeps
        may_have_size = is_sized or number < len(steps)
        made.append(_value(one, at, registry, check, may_have_size))
    if len(check.mistakes) > before:
        return None
    for estimator in made[:-1]:
        if not hasattr(estimator, "transform"):
            check.wrong(
                at,
                f"{type(estimator).__name__} cannot stand before another step: it has "
                "no transform.",
            )
            return None
    return make_pipeline(*made)


def _with_settings(
    pipeline: Pipeline,
    settings: dict[str, Any],
    places: dict[str, Path],
    path: Path,
    is_sized: bool,
    registry: Mapping[str, type],
    check: Checker,
) -> Pipeline | None:
    """Return a copy of a pipeline with settings such as ``chi2__aggregate``."""
    before = len(check.mistakes)
    known = [name for name in pipeline.get_params() if "__" in name]
    values = {}
    for key, value in settings.items():
        at = places.get(key, path)
        if key not in known:
            steps = ", ".join(name for name, _ in pipeline.steps)
            check.wrong(
                at,
                f'the steps have no setting "{key}".{did_you_mean(key, known)} It is '
                f"named by step and setting, with two underscores between; steps: "
                f"{steps}.",
            )
        elif key == f"{pipeline.steps[-1][0]}__{_SIZE}" and not is_sized:
            check.wrong(at, _NO_PART.format(_SIZE))
        else:
            values[key] = _value(value, at, registry, check)
    if len(check.mistakes) > before:
        return None
    copy = clone(pipeline).set_params(**values)
    for _, step in copy.steps:
        try:
            if hasattr(step, "_parameter_constraints"):
                step._validate_params()
        except Exception as error:  # code of others: anything may be raised
            text = " ".join(str(error).split()) or type(error).__name__
            named = [key for key in values if key.rpartition("__")[2] in text]
            at = places.get(named[0], path) if named else path
            check.wrong(at, f"{type(step).__name__}: {text}")
            return None
    return copy


def _other_kind(method: str, registry: Mapping[str, type]) -> str:
    """Return "selector" or "classifier" if it is one, and another kind is wanted."""
    from labelsift.learn import CLASSIFIERS
    from labelsift.select import ALIASES, SELECTORS

    if registry is not SELECTORS and (method in SELECTORS or method in ALIASES):
        return "selector"
    is_other = registry is not CLASSIFIERS and method in CLASSIFIERS
    return "classifier" if is_other else ""


def _class(
    method: str, path: Path, what: str, registry: Mapping[str, type], check: Checker
) -> tuple[type | None, Mapping[str, Any]]:
    """Return the class of a name, an alias or an import path, and what it presets."""
    from labelsift.select import ALIASES

    aliases = {alias: found for alias, found in ALIASES.items() if found[0] in registry}
    name, preset = aliases.get(method, (method, {}))
    if name in registry:
        return registry[name], preset
    if ":" not in method:
        known = [*registry, *aliases]
        if other := _other_kind(method, registry):
            check.wrong(path, f'{what} "{method}" is not known: that is a {other}.')
            return None, {}
        check.wrong(
            path,
            f'{what} "{method}" is not known.{did_you_mean(method, known)}  '
            "`labelsift methods` lists all; any other class is named by its import "
            'path, "package.module:Class".',
        )
        return None, {}
    if not _IMPORT_PATH.fullmatch(method):
        check.wrong(
            path, f'"{method}" is no import path such as "package.module:Class".'
        )
        return None, {}
    module, _, name = method.partition(":")
    try:
        found = getattr(importlib.import_module(module), name, None)
    except Exception as error:  # the module is code of others: anything may be raised
        text = " ".join(f"{type(error).__name__}: {error}".split())
        check.wrong(
            path,
            f'"{module}" could not be imported ({text}). Is it installed, or is its '
            "folder given with --import-from?",
        )
        return None, {}
    if not isinstance(found, type):
        check.wrong(path, f'"{module}" has no class "{name}".')
        return None, {}
    if not (hasattr(found, "fit") and hasattr(found, "get_params")):
        check.wrong(
            path,
            f'"{method}" is no scikit-learn estimator: it has no fit or no get_params.',
        )
        return None, {}
    return found, {}


def _made(
    kind: type,
    settings: dict[str, Any],
    places: dict[str, Path],
    path: Path,
    registry: Mapping[str, type],
    check: Checker,
    is_sized: bool = False,
) -> Any:
    before = len(check.mistakes)
    signature = inspect.signature(kind)
    known = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
    values = {}
    for key, value in settings.items():
        at = places.get(key, path)
        if key not in known:
            check.wrong(
                at,
                f'{kind.__name__} has no setting "{key}".{did_you_mean(key, known)}',
            )
        elif key == _SIZE and kind in registry.values() and not is_sized:
            check.wrong(at, _NO_PART.format(key))
        else:
            values[key] = _value(value, at, registry, check)
    missing = [
        name
        for name in known
        if signature.parameters[name].default is inspect.Parameter.empty
        and name not in settings
    ]
    if missing:
        check.wrong(path, f"{kind.__name__} needs the setting {missing[0]}.")
    if len(check.mistakes) > before:
        return None
    try:
        estimator = kind(**values)
        if hasattr(estimator, "_parameter_constraints"):
            estimator._validate_params()
    except Exception as error:  # code of others: anything may be raised
        text = " ".join(str(error).split()) or type(error).__name__
        named = [key for key in settings if key in text]
        at = places.get(named[0], path) if named else path
        check.wrong(at, f"{kind.__name__}: {text}")
        return None
    return estimator


def _value(
    value: Any,
    path: Path,
    registry: Mapping[str, type],
    check: Checker,
    is_sized: bool = False,
) -> Any:
    """Return a setting's value; a table with a method in it is an estimator."""
    if isinstance(value, datetime.date | datetime.time):
        check.wrong(path, f"a date is no setting; found {shown(value)}.")
        return None
    if isinstance(value, list):
        return [_value(item, path, registry, check) for item in value]
    if not isinstance(value, dict):
        return value
    if "method" not in value:
        return {key: _value(item, path, registry, check) for key, item in value.items()}
    check.table(value, path, ("method", "settings"))
    if not isinstance(value["method"], str):
        check.wrong(path, f"method must be text; found {shown(value['method'])}.")
        return None
    settings = value.get("settings", {})
    if not isinstance(settings, dict):
        check.wrong(path, f"settings must be a table; found {shown(settings)}.")
        return None
    kind, preset = _class(value["method"], (*path, "method"), "method", registry, check)
    if kind is None:
        return None
    places = {key: (*path, "settings", key) for key in settings}
    given = {**preset, **settings}
    return _made(kind, given, places, path, registry, check, is_sized)


def _word(value: Any) -> str:
    if isinstance(value, dict) and isinstance(value.get("method"), str):
        return str(value["method"].rpartition(":")[2])
    return value if isinstance(value, str) else shown(value)
