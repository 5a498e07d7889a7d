"""Text that a spreadsheet shows and does not run."""

from __future__ import annotations

# those of wide forms are signs to some spreadsheets, too
_SIGNS = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")


def harmless(text: str) -> str:
    r"""Return text that is no formula, and that steers no terminal.

    An apostrophe is put before what begins like a formula, blanks before it aside;
    control characters become U+FFFD, line breaks and tabs a space.

    Parameters
    ----------
    text : str
        A name from data.

    Examples
    --------
    >>> harmless("=1+1"), harmless("x\ty"), harmless("plain")
    ("'=1+1", 'x y', 'plain')
    """
    if text.isascii() and text.isprintable():
        shown = text
    else:
        shown = "".join(_printable(character) for character in text)
    return f"'{shown}" if shown.lstrip()[:1] in _SIGNS and shown.strip() else shown


def _printable(character: str) -> str:
    if character.isprintable() or character == "\u00a0":
        return character
    return " " if character.isspace() else "\ufffd"
