"""The words of ARFF: quoting, escapes, numbers, labels written as values."""

from __future__ import annotations

import re
from collections.abc import Iterable

BLANKS = "".join(map(chr, range(33)))  # Weka: every character up to the blank
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "b": "\b"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN = re.compile(r"""[^\x00-\x20'"{},%\\?@][^\x00-\x20'"{},%\\]*\Z""")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
# possessive, so that a quote that is never closed costs one pass
_QUOTED = re.compile(
    r"""'([^'\\]*+(?:\\.[^'\\]*+)*+)'|"([^"\\]*+(?:\\.[^"\\]*+)*+)\"""", re.DOTALL
)
_BARE = re.compile(r"[^\x00-\x20,{}]+")
_SKIP = re.compile(r"[\x00-\x20]*")


def unescape(text: str) -> str:
    r"""Return the text between two quotes with its escapes resolved.

    ``\n``, ``\t``, ``\r``, ``\f``, ``\b`` and ``\uXXXX`` stand for a character; before
    any other character a backslash only protects it.
    """
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_resolve, text)


def _resolve(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPES.get(code, code)


def quote(text: str) -> str:
    """Return a name or value as ARFF holds it, quoted where it has to be."""
    if _PLAIN.match(text):
        return text
    parts = ["'"]
    for character in text:
        if character in "'\\":
            parts.append("\\" + character)
        elif character < " ":
            parts.append(f"\\u{ord(character):04x}")
        else:
            parts.append(character)
    return "".join([*parts, "'"])


def parse_number(text: str) -> float | None:
    """Return the value of a decimal number, infinite when too large, else None.

    Narrower than ``float``: no underscores, no ``nan``, no ``inf``, no other digits.
    """
    return float(text) if _NUMBER.match(text) else None


def shown(text: str) -> str:
    """Return text for an error message: quoted, printable and short."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def repeated(names: Iterable[str]) -> str | None:
    """Return the first name that occurs before, or None."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


class Cursor:
    """A position in one line, moving from word to word.

    Parameters
    ----------
    text : str
        The line without its end.
    """

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at
        self.skip()

    def skip(self) -> bool:
        """Pass blanks; True if there were any."""
        before = self.at
        match = _SKIP.match(self.text, before)
        self.at = match.end() if match else before
        return self.at > before

    @property
    def next(self) -> str:
        """The character here, empty at the end of the line."""
        return self.text[self.at : self.at + 1]

    @property
    def rest(self) -> str:
        """All from here on."""
        return self.text[self.at :]

    def at_end(self) -> bool:
        """Whether nothing but a comment is left."""
        return self.next in ("", "%")

    def word(self, *, bare: re.Pattern[str] = _BARE) -> tuple[str, bool]:
        """Return the word here and whether it is quoted, and pass it.

        Raises
        ------
        ValueError
            If no word starts here, a quote is not closed, or text follows a quote.
        """
        if self.next in ("'", '"'):
            match = _QUOTED.match(self.text, self.at)
            if match is None:
                raise ValueError(
                    f"the quote that opens {shown(self.rest)} is not closed on its line"
                )
            self.at = match.end()
            if self.next and self.next > " " and self.next not in ",{}":
                raise ValueError(
                    f"expected a separator behind {shown(match[0])}, found "
                    f"{shown(self.rest)}; inside quotes write \\' for a quote"
                )
            return unescape(match[1] if match[1] is not None else match[2]), True
        match = bare.match(self.text, self.at)
        if match is None:
            found = shown(self.next) if self.next else "the end of the line"
            raise ValueError(f"expected a value, found {found}")
        self.at = match.end()
        return match[0], False
