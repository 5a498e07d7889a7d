"""Read what numpydoc docstrings say: summary, parameters, sources."""

from __future__ import annotations

import inspect
import re

_HEAD = re.compile(r"^(?P<title>[A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)
_PARAMETER = re.compile(r"^(?P<names>[\w, *]+?) :", re.MULTILINE)


def sections(thing: object) -> dict[str, str]:
    """Return the text of each section of a docstring; the start is under ``""``."""
    text = inspect.getdoc(thing) or ""
    parts = _HEAD.split(text)
    found = {"": parts[0].strip()}
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        found[title] = inspect.cleandoc(body)
    return found


def summary(thing: object) -> str:
    """Return the first line of a docstring."""
    return sections(thing)[""].partition("\n")[0]


def references(thing: object) -> list[str]:
    """Return the entries of the References section, each on one line."""
    text = sections(thing).get("References", "")
    entries = re.split(r"^\.\. \[\w+\] ", text, flags=re.MULTILINE)
    return [plain(entry) for entry in entries if entry.strip()]


def first_sentence(text: str) -> str:
    """Return the text up to the first full stop before a capital letter or quote."""
    return re.split(r"(?<=[.])\s+(?=[A-Z\"'])", text, maxsplit=1)[0]


def plain(text: str) -> str:
    """Return text on one line without the marks of reStructuredText."""
    text = re.sub(r"\[(\w+)\]_", r"[\1]", text)
    return " ".join(re.sub(r":\w+:`~?([^`]+)`", r"\1", text).replace("``", "").split())


def parameter_texts(thing: object) -> dict[str, str]:
    """Return what the docstring says of each parameter, each on one line."""
    text = sections(thing).get("Parameters", "")
    places = [m for m in _PARAMETER.finditer(text) if not m.group(0)[0].isspace()]
    ends = [place.start() for place in places[1:]] + [len(text)]
    found = {}
    for place, end in zip(places, ends, strict=True):
        _, _, body = text[place.start() : end].partition("\n    ")
        for name in place["names"].split(","):
            found[name.strip(" *")] = plain(body)
    return found
