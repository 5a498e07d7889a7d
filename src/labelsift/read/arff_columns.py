"""What each ARFF attribute becomes: a feature, a label, or nothing."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelsift.kernels.arff import (
    DROPPED,
    HIGHEST_POWER,
    LOWEST_POWER,
    NOMINAL,
    NOMINAL_LABEL,
    NUMERIC,
    NUMERIC_LABEL,
    UNKNOWN,
)
from labelsift.kernels.arff_plan import Plan, power_tables
from labelsift.read.arff_header import Attribute, Header
from labelsift.read.arff_text import parse_number, shown
from labelsift.read.errors import ReadError
from labelsift.read.table import NO_AND_YES


@dataclass(frozen=True)
class LabelValues:
    """Which value of a label means 1: by itself, or as the caller says.

    Parameters
    ----------
    positive, negative : str or None
        With ``positive`` alone every other value is 0, with ``negative`` alone every
        other value is 1, with both any further value is an error.
    """

    positive: str | None = None
    negative: str | None = None

    def __post_init__(self) -> None:
        for name in ("positive", "negative"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise TypeError(
                    f"{name}_value must be a string as the file writes it; found "
                    f"{type(value).__name__}."
                )
        if self.positive is not None and self.positive == self.negative:
            raise ValueError("positive_value and negative_value must differ.")

    def of_domain(self, attribute: Attribute, path: str) -> list[int]:
        """Return 0 or 1 for each value of a nominal label.

        Raises
        ------
        ReadError
            If the values do not say which of them means 1.
        """
        values = attribute.categories or ()
        if self.positive is None and self.negative is None:
            return _by_meaning(attribute, path)
        for option, value in (
            ("negative_value", self.negative),
            ("positive_value", self.positive if self.negative is None else None),
        ):
            if value is not None and value not in values:
                raise ReadError(
                    f"label {shown(attribute.name)} has no value {shown(value)} "
                    f"({option}); its values are {_listed(values)}.",
                    path,
                    attribute.line,
                )
        codes = []
        for value in values:
            if value == self.negative:
                codes.append(0)
            elif value == self.positive or self.positive is None:
                codes.append(1)
            elif self.negative is None:
                codes.append(0)
            else:
                raise ReadError(
                    f"label {shown(attribute.name)} has the value {shown(value)}, "
                    "which is neither positive_value nor negative_value.",
                    path,
                    attribute.line,
                )
        return codes

    def rule(self, path: str) -> tuple[float, float, float]:
        """Return (negative, positive, mode) for numeric labels, as `Plan` has it."""
        numbers = {}
        for name, default in (("negative", "0"), ("positive", "1")):
            value = getattr(self, name)
            number = parse_number(default if value is None else value)
            if number is None:
                raise ReadError(
                    f"some labels are numeric, but {name}_value={shown(value)} is no "
                    "number.",
                    path,
                )
            numbers[name] = number
        mode = 0.0
        if self.negative is not None and self.positive is None:
            mode = 1.0
        elif self.positive is not None and self.negative is None:
            mode = 2.0
        return numbers["negative"], numbers["positive"], mode


def _by_meaning(attribute: Attribute, path: str) -> list[int]:
    values = [_plain(value) for value in attribute.categories or ()]
    for pair in NO_AND_YES:  # whatever their order
        if set(values) <= set(pair) and len(set(values)) == len(values):
            return [pair.index(value) for value in values]
    raise ReadError(
        f"label {shown(attribute.name)} has the values "
        f"{_listed(attribute.categories or ())}, which do not say what is 1: give "
        "negative_value= (every other value is 1) or positive_value= (every other "
        "value is 0).",
        path,
        attribute.line,
    )


def _plain(value: str) -> str:
    number = parse_number(value)
    if number is not None and number in (-1.0, 0.0, 1.0):
        return str(int(number))
    return value.casefold()


def _listed(values: Sequence[str]) -> str:
    few = ", ".join(
        value if len(value) <= 30 else value[:27] + "..." for value in values[:8]
    )
    return (
        "{" + few + (f", ... ({len(values)} in all)" if len(values) > 8 else "") + "}"
    )


@dataclass(frozen=True)
class Columns:
    """The attributes of one file, sorted into features and labels.

    ``features`` and ``labels`` are positions in ``attributes``, ascending. ``codes``
    gives for each nominal attribute the number of each value (position for a feature,
    0/1 for a label), ``rule`` the same for numeric labels.
    """

    attributes: list[Attribute]
    features: list[int]
    labels: list[int]
    is_label: list[bool]
    codes: list[dict[str, int] | None]
    rule: tuple[float, float, float]
    plan: Plan

    @property
    def n_attributes(self) -> int:
        """Values that a dense row must have."""
        return len(self.attributes)


def plan_columns(
    header: Header, labels: list[int], values: LabelValues, *, path: str
) -> Columns:
    """Decide for each attribute what becomes of it, and warn of what is dropped.

    Raises
    ------
    ReadError
        If a label is neither nominal nor numeric, or its values are unclear.
    """
    attributes = header.attributes
    is_label = set(labels)
    for a in labels:
        if attributes[a].kind not in ("nominal", "numeric"):
            raise ReadError(
                f"label {shown(attributes[a].name)} is of type {attributes[a].kind}; "
                "a label must be nominal or numeric.",
                path,
                attributes[a].line,
            )
    dropped = [a for a in attributes if a.kind not in ("nominal", "numeric")]
    if dropped:
        _warn_of_dropped(dropped, path)
    features = [
        i
        for i, attribute in enumerate(attributes)
        if i not in is_label and attribute.kind in ("nominal", "numeric")
    ]
    rule = (0.0, 1.0, 0.0)
    if any(attributes[a].kind == "numeric" for a in labels):
        rule = values.rule(path)
    shared: dict[tuple[tuple[str, ...], bool], dict[str, int]] = {}
    codes: list[dict[str, int] | None] = []
    for a, attribute in enumerate(attributes):
        if attribute.categories is None:
            codes.append(None)
            continue
        key = (attribute.categories, a in is_label)
        if key not in shared:
            numbers = (
                values.of_domain(attribute, path)
                if a in is_label
                else range(len(attribute.categories))
            )
            shared[key] = dict(zip(attribute.categories, numbers, strict=True))
        codes.append(shared[key])
    plan = _plan(attributes, features, labels, codes, rule, header.encoding)
    flags = [a in is_label for a in range(len(attributes))]
    return Columns(attributes, features, labels, flags, codes, rule, plan)


def _warn_of_dropped(dropped: list[Attribute], path: str) -> None:
    named = ", ".join(f"{shown(a.name)} ({a.kind})" for a in dropped[:10])
    more = f" and {len(dropped) - 10} more" if len(dropped) > 10 else ""
    warnings.warn(
        f"{path}: dropped {len(dropped)} of the attributes, since they are neither "
        f"numeric nor nominal: {named}{more}.",
        UserWarning,
        stacklevel=4,
    )


def label_of_number(value: float, rule: tuple[float, float, float]) -> int:
    """Return 0, 1 or UNKNOWN for the value of a numeric label."""
    negative, positive, mode = rule
    if mode == 1.0:
        return int(value != negative)
    if mode == 2.0:
        return int(value == positive)
    return {negative: 0, positive: 1}.get(value, UNKNOWN)


def _plan(
    attributes: list[Attribute],
    features: list[int],
    labels: list[int],
    codes: list[dict[str, int] | None],
    rule: tuple[float, float, float],
    encoding: str,
) -> Plan:
    n = len(attributes)
    kind = np.full(n, DROPPED, dtype=np.int8)
    column = np.zeros(n, dtype=np.int64)
    first, last = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    omitted = np.zeros(n, dtype=np.uint8)
    for places, numeric, nominal in (
        (features, NUMERIC, NOMINAL),
        (labels, NUMERIC_LABEL, NOMINAL_LABEL),
    ):
        for j, a in enumerate(places):
            kind[a] = numeric if codes[a] is None else nominal
            column[a] = j
    for a in labels:
        known = codes[a]
        omitted[a] = (
            label_of_number(0.0, rule) if known is None else next(iter(known.values()))
        )
    at, texts = [0], []
    numbers: list[int] = []
    places_of: dict[int, tuple[int, int]] = {}
    for a, known in enumerate(codes):
        if known is None:
            continue
        if id(known) not in places_of:  # equal domains share one dictionary
            start = len(numbers)
            for text, code in _encoded(known, encoding):
                texts.append(text)
                numbers.append(code)
                at.append(at[-1] + len(text))
            places_of[id(known)] = (start, len(numbers))
        first[a], last[a] = places_of[id(known)]
    code_array: Any = np.array(numbers, dtype=np.int64)
    ten, high, low = power_tables(LOWEST_POWER, HIGHEST_POWER)
    return Plan(
        kind=kind,
        column=column,
        first=first,
        last=last,
        omitted=omitted,
        value_at=np.array(at, dtype=np.int64),
        value_bytes=np.frombuffer(b"".join(texts) or b" ", dtype=np.uint8),
        value_code=code_array,
        label_rule=np.array(rule),
        ten=ten,
        high=high,
        low=low,
    )


def _encoded(known: dict[str, int], encoding: str) -> list[tuple[bytes, int]]:
    """Return the values as sorted bytes, but for those that need an escape."""
    pairs = []
    for value, code in known.items():
        try:
            pairs.append((value.encode(encoding), code))
        except UnicodeEncodeError:
            continue
    return sorted(pairs)
