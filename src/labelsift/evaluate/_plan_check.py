"""Collect what is wrong with a plan, each mistake with its line."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from labelsift.evaluate._plan_places import Path, line_in_message, line_of

_KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "a whole number": (int,),
    "true or false": (bool,),
    "a number": (int, float),
    "a list": (list,),
    "a table": (dict,),
}


class PlanError(ValueError):
    """A plan cannot be run as it is written.

    Attributes
    ----------
    mistakes : tuple of str
        One line each, with file, line and remedy.

    Examples
    --------
    >>> error = PlanError(['plan.toml line 3: selector "chi3" is not known.'])
    >>> error.mistakes
    ('plan.toml line 3: selector "chi3" is not known.',)
    """

    def __init__(self, mistakes: Iterable[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(self.mistakes))


def parsed(text: str, name: str) -> dict[str, Any]:
    """Return what a TOML text holds.

    Parameters
    ----------
    text : str
        The text.
    name : str
        What messages call it.

    Raises
    ------
    PlanError
        If it is no TOML, with the line if the parser tells it.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = line_in_message(str(error))
        where = f"{name} line {line}" if line else name
        raise PlanError([f"{where}: this is no TOML: {error}."]) from None


@dataclass
class Checker:
    """Where keys stand, and the mistakes found so far."""

    name: str
    lines: dict[Path, int]
    mistakes: list[tuple[int, str]] = field(default_factory=list)
    places: set[tuple[str, ...]] = field(default_factory=set)

    def wrong(self, path: Path, message: str) -> None:
        """Note a mistake at a key."""
        self.places.add(tuple(path))
        line = line_of(path, self.lines)
        self.mistakes.append((line, f"{self.name} line {line}: {message}"))

    def has_wrong(self, path: Path) -> bool:
        """Tell whether a mistake was noted at a key."""
        return tuple(path) in self.places

    def raise_if_wrong(self) -> None:
        """Raise what was found, in the order of the lines."""
        if self.mistakes:
            found = sorted(self.mistakes, key=lambda pair: pair[0])
            raise PlanError(dict.fromkeys(text for _, text in found))

    def table(self, whole: dict[str, Any], path: Path, known: Iterable[str]) -> None:
        """Note keys that are not known."""
        names = list(known)
        for key in whole:
            if key not in names:
                where = f" in [{'.'.join(path)}]" if path else ""
                self.wrong(
                    (*path, key),
                    f'"{key}"{where} is not known.{did_you_mean(key, names)} Known: '
                    f"{', '.join(names)}.",
                )

    def value(self, whole: dict[str, Any], path: Path, kind: str, default: Any) -> Any:
        """Return the value at the last key of a path, or the default.

        A value of another kind is noted, and the default returned.
        """
        if path[-1] not in whole:
            return default
        value = whole[path[-1]]
        types = _KINDS[kind]
        is_bool = isinstance(value, bool)
        if not isinstance(value, types) or (is_bool and bool not in types):
            self.wrong(path, f"{path[-1]} must be {kind}; found {shown(value)}.")
            return default
        return value


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question that names the closest known name, or nothing."""
    by_lower = {str(k).lower(): str(k) for k in known}
    close = difflib.get_close_matches(name.lower(), by_lower, 1)
    return f' Did you mean "{by_lower[close[0]]}"?' if close else ""


def shown(value: Any) -> str:
    """Return a value of TOML as it is written there, shortened."""
    if isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, str):
        text = f'"{value}"'
    elif isinstance(value, dict):
        text = "a table"
    else:
        text = repr(value) if isinstance(value, list | int | float) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
