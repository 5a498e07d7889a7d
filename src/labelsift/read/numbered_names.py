"""Names of columns that are told apart by a number only, made when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

MADE_AT_ONCE = 10_000
"""Up to so many names are made at once, as a plain tuple."""

_MOST_SHOWN = 1000


def numbered(kind: str, count: int, start: int = 0) -> Sequence[str]:
    """Return ``kind0``, ``kind1``, ...

    Parameters
    ----------
    kind : str
        ``"feature"`` or ``"label"``.
    count : int
        How many.
    start : int, default=0
        The first number.

    Returns
    -------
    sequence of str
        A tuple, or where there are more than ten thousand ``NumberedNames``, which is
        equal to it and takes no memory.
    """
    names = NumberedNames(kind, range(start, start + count))
    return names if count > MADE_AT_ONCE else tuple(names)


def as_names(names: Iterable[str]) -> Sequence[str]:
    """Return names as a sequence that does not change: numbered ones as they are.

    Parameters
    ----------
    names : iterable of str
        Any names.
    """
    return names if isinstance(names, NumberedNames) else tuple(names)


class NumberedNames(Sequence[str]):
    """The names ``kind0``, ``kind1``, ... without the memory of a tuple of them.

    Equal to the tuple or list of the same names, with the hash of the tuple; slices
    are of this class too, and sums are tuples.

    Parameters
    ----------
    kind : str
        What stands before the number.
    numbers : range
        The numbers, from 0.

    Examples
    --------
    >>> names = NumberedNames("feature", range(10_000_000))
    >>> names[-1], len(names), names.index("feature77"), "feature077" in names
    ('feature9999999', 10000000, 77, False)
    >>> names[1:3] == ("feature1", "feature2")
    True
    """

    __slots__ = ("_kind", "_numbers")

    def __init__(self, kind: str, numbers: range) -> None:
        self._kind, self._numbers = kind, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> NumberedNames: ...

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return NumberedNames(self._kind, self._numbers[place])
        try:
            return f"{self._kind}{self._numbers[place]}"
        except IndexError:
            raise IndexError(
                f"there are {len(self)} names; found index {place}."
            ) from None

    def __iter__(self) -> Iterator[str]:
        return map(self._kind.__add__, map(str, self._numbers))

    def __reversed__(self) -> Iterator[str]:
        return iter(self[::-1])

    def __contains__(self, name: object) -> bool:
        return self._number(name) in self._numbers

    def index(self, name: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the place of a name, as ``tuple.index`` does.

        Parameters
        ----------
        name : str
            The name.
        start, stop : int, optional
            Between which places it is looked for.

        Raises
        ------
        ValueError
            If it is none of them.
        """
        number = self._number(name)
        if number in self._numbers:
            place = self._numbers.index(number)
            if place in range(len(self))[start:stop]:
                return place
        raise ValueError(f"{name!r} is none of the names")

    def count(self, name: Any) -> int:
        """Return 1 for one of the names, else 0."""
        return int(name in self)

    def _number(self, name: object) -> int:
        """Return the number of a name, -1 if it is not of this form."""
        if not isinstance(name, str) or not name.startswith(self._kind):
            return -1
        digits = name[len(self._kind) :]
        if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
            return -1
        return int(digits) if str(int(digits)) == digits else -1

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NumberedNames) and self._kind == other._kind:
            return self._numbers == other._numbers
        if not isinstance(other, NumberedNames | tuple | list):
            return NotImplemented
        if len(self) != len(other):
            return False
        return all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __add__(self, other: Iterable[str]) -> tuple[str, ...]:
        return (*self, *other)

    def __radd__(self, other: Iterable[str]) -> tuple[str, ...]:
        return (*other, *self)

    def __reduce__(self) -> tuple[Any, ...]:
        return NumberedNames, (self._kind, self._numbers)

    def __repr__(self) -> str:
        if len(self) <= _MOST_SHOWN:
            return repr(tuple(self))
        return f"({self[0]!r}, {self[1]!r}, ..., {self[-1]!r})"
