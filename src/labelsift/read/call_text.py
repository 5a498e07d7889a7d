"""The call that reads data again, as text for a report."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

_LONGEST = 2000


def call_text(function: str, source: Any, options: Mapping[str, Any]) -> str:
    """Return a call as it would be typed.

    Parameters
    ----------
    function : str
        Name of the function.
    source : object
        Its first argument.
    options : mapping of str to object
        Its further arguments by name; those that are None are left out.

    Returns
    -------
    str
        Empty where something in it cannot be typed, such as an open file or a table in
        memory, or would take more than 2000 characters.

    Examples
    --------
    >>> call_text("load_dataset", "songs.csv", {"labels": 6, "xml": None})
    "load_dataset('songs.csv', labels=6)"
    """
    words = [_typed(source)]
    words += [f"{k}={_typed(v)}" for k, v in options.items() if v is not None]
    text = f"{function}({', '.join(words)})"
    is_whole = not any(word.endswith("=") or not word for word in words)
    return text if is_whole and len(text) <= _LONGEST else ""


def _typed(value: Any) -> str:
    """Return a value as a literal; empty where there is none."""
    if isinstance(value, os.PathLike):
        return repr(os.fspath(value))
    if isinstance(value, str):
        return repr(str(value))
    if isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        items = [_typed(item) for item in value]
        return f"[{', '.join(items)}]" if all(items) else ""
    if isinstance(value, dict):
        pairs = [(_typed(key), _typed(item)) for key, item in value.items()]
        text = ", ".join(f"{key}: {item}" for key, item in pairs)
        return f"{{{text}}}" if all(map(all, pairs)) else ""
    return ""
