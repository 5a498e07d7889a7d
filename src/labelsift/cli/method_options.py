"""Command line options made from a selector's signature and constraints."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import click

from labelsift._docstrings import first_sentence, parameter_texts
from labelsift.cli.terminal import did_you_mean

PREFIX = "setting_"
_OF_THE_COMMAND = {"n_features_to_select", "progress"}  # it has words of its own
_WORDS = {"true": True, "yes": True, "false": False, "no": False}


class Setting(click.ParamType):  # type: ignore[type-arg]
    """A value of a selector's parameter, checked against its constraints."""

    name = "value"

    def __init__(self, constraints: Iterable[Any]) -> None:
        self.constraints = list(constraints)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the text as the kind of value that the constraints allow."""
        for constraint in self.constraints:
            found = _parsed(str(value), constraint)
            if found is not _NO:
                return found
        self.fail(f"expected {self.words()}; found {value!r}.{self._guess(value)}")

    def words(self) -> str:
        """Return what is allowed, in words."""
        return " or ".join(filter(None, map(_described, self.constraints)))

    def _guess(self, value: Any) -> str:
        options = [o for c in self.constraints for o in getattr(c, "options", ())]
        return did_you_mean(str(value), options)


class _Unset:
    """Marks text that a constraint does not allow."""


_NO = _Unset()


def method_options(
    selector: type, preset: Mapping[str, Any] | None = None
) -> list[click.Option]:
    """Return an option for every parameter of a selector that text can give.

    ``preset`` are defaults in place of its own.
    """
    texts = parameter_texts(selector)
    options = []
    for name, constraints, default in settings_of(selector):
        setting = Setting(constraints)
        first = first_sentence(texts.get(name, ""))
        default = (preset or {}).get(name, default)
        shown = str(default).lower() if default in (None, True, False) else default
        options.append(
            click.Option(
                [f"--{name.replace('_', '-')}", PREFIX + name],
                type=setting,
                metavar=metavar(setting),
                help=f"{first} [default: {shown}]",
                callback=_keep_none,
            )
        )
    return options


def settings_of(selector: type) -> list[tuple[str, list[Any], Any]]:
    """Return name, constraints and default of what text can set."""
    found = []
    known = getattr(selector, "_parameter_constraints", {})
    for name, parameter in inspect.signature(selector).parameters.items():
        constraints = [c for c in known.get(name, ()) if _described(c)]
        if name not in _OF_THE_COMMAND and constraints:
            found.append((name, constraints, parameter.default))
    return found


def metavar(setting: Setting) -> str:
    """Return the short form of what is allowed: ``max|mean|min``, ``INTEGER``."""
    parts: list[str] = []
    for constraint in setting.constraints:
        if hasattr(constraint, "options"):
            parts += sorted(map(str, constraint.options))
        elif constraint is None:
            parts.append("none")
        elif constraint in ("boolean", bool):
            parts.append("true|false")
        elif _kind(constraint) is Integral or constraint == "random_state":
            parts.append("INTEGER")
        elif _kind(constraint) is Real:
            parts.append("NUMBER")
    return "|".join(dict.fromkeys(parts)) or "TEXT"


def given_settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that the user gave, by parameter name."""
    return {
        name.removeprefix(PREFIX): None if value is NONE else value
        for name, value in options.items()
        if name.startswith(PREFIX) and value is not None
    }


class _None:
    """A parameter that was set to None, which click takes for "not given"."""


NONE = _None()


def _keep_none(ctx: Any, param: click.Parameter, value: Any) -> Any:
    source = ctx.get_parameter_source(param.name)
    if value is None and source is click.core.ParameterSource.COMMANDLINE:
        return NONE
    return value


def _kind(constraint: Any) -> Any:
    """Return Integral or Real for a type or an interval of that kind."""
    kind = getattr(constraint, "type", constraint)
    if not isinstance(kind, type):
        return None
    if issubclass(kind, Integral):
        return Integral
    return Real if issubclass(kind, Real) or kind.__name__ == "RealNotInt" else None


def _parsed(text: str, constraint: Any) -> Any:
    if constraint is None:
        return None if text.lower() == "none" else _NO
    if constraint in ("boolean", bool):
        return _WORDS.get(text.lower(), _NO)
    if constraint is str:
        return text
    if hasattr(constraint, "options"):
        return next((o for o in constraint.options if str(o) == text), _NO)
    kind = Integral if constraint == "random_state" else _kind(constraint)
    try:
        number: Any = int(text) if kind is Integral else float(text)
    except ValueError:
        return _NO
    if hasattr(constraint, "closed") and number not in constraint:
        return _NO
    return number


def _described(constraint: Any) -> str:
    """Return a constraint in words; empty where text cannot give such a value."""
    if constraint is None:
        return "none"
    if constraint in ("boolean", bool):
        return "true or false"
    if constraint is str:
        return "text"
    if constraint == "random_state":
        return "a whole number"
    if hasattr(constraint, "options"):
        return f"one of {', '.join(sorted(map(str, constraint.options)))}"
    kind = _kind(constraint)
    if kind is None:
        return ""
    what = "a whole number" if kind is Integral else "a number"
    if not hasattr(constraint, "closed"):
        return what
    low, high = constraint.left, constraint.right
    closed = constraint.closed
    bounds = []
    if low is not None:
        bounds.append(
            f"{'at least' if closed in ('left', 'both') else 'above'} {low:g}"
        )
    if high is not None:
        word = "at most" if closed in ("right", "both") else "below"
        bounds.append(f"{word} {high:g}")
    return f"{what} of {' and '.join(bounds)}" if bounds else what
