"""Numbers with their nouns, as they stand in messages and on pages."""

from __future__ import annotations


def counted(n: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, in the plural unless it is 1.

    Parameters
    ----------
    n : int
        The number.
    noun : str
        The noun, in the singular.
    plural : str, default=""
        Its plural, where that is more than an s at the end.

    Examples
    --------
    >>> counted(1, "row"), counted(0, "row"), counted(2, "entry", "entries")
    ('1 row', '0 rows', '2 entries')
    """
    return f"{n} {noun}" if n == 1 else f"{n} {plural or noun + 's'}"


def all_of(n: int, noun: str) -> str:
    """Return a whole as it stands in a sentence.

    Parameters
    ----------
    n : int
        How many there are, at least 1.
    noun : str
        The noun, in the singular.

    Examples
    --------
    >>> all_of(5, "feature"), all_of(1, "feature")
    ('all 5 features', 'the one feature')
    """
    return f"the one {noun}" if n == 1 else f"all {n} {noun}s"
