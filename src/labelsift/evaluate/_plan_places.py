"""Find the line of every key in a TOML text, which the standard parser forgets."""

from __future__ import annotations

import re
import tomllib
from typing import Any

Path = tuple[str, ...]


def places(text: str) -> dict[Path, int]:
    """Return the line, from 1, on which each key of a valid TOML text starts.

    Keys within an inline table have the line on which the whole value starts.
    """
    lines = text.split("\n")
    found: dict[Path, int] = {(): 1}
    table: Path = ()
    start = 0
    while start < len(lines):
        if not lines[start].strip() or lines[start].lstrip().startswith("#"):
            start += 1
            continue
        end, parsed = _statement(lines, start)
        is_header = lines[start].lstrip().startswith("[")
        if is_header:
            table = _deepest(parsed)
            for depth in range(1, len(table) + 1):
                found.setdefault(table[:depth], start + 1)
        else:
            _note(parsed, table, start + 1, found)
        start = end
    return found


def line_of(path: Path, found: dict[Path, int]) -> int:
    """Return the line of a key, or of the nearest table around it."""
    while path not in found:
        path = path[:-1]
    return found[path]


def line_in_message(message: str) -> int | None:
    """Return the line that an error of the TOML parser names."""
    match = re.search(r"at line (\d+)", message)
    return int(match[1]) if match else None


def _statement(lines: list[str], start: int) -> tuple[int, dict[str, Any]]:
    """Return where the statement that starts here ends, and what it says."""
    for end in range(start + 1, len(lines) + 1):
        try:
            return end, tomllib.loads("\n".join(lines[start:end]))
        except tomllib.TOMLDecodeError:
            continue
    return len(lines), {}


def _deepest(parsed: dict[str, Any]) -> Path:
    path: list[str] = []
    inner: Any = parsed
    while inner:
        key, inner = next(iter(inner.items()))
        path.append(key)
        if isinstance(inner, list):  # the header of an array of tables
            inner = inner[0]
    return tuple(path)


def _note(parsed: Any, before: Path, line: int, found: dict[Path, int]) -> None:
    for key, value in parsed.items():
        found.setdefault((*before, key), line)
        if isinstance(value, dict):
            _note(value, (*before, key), line, found)
