"""Rows of plain cells parted by a delimiter, through the compiled ARFF kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np

from labelsift.kernels.arff import (
    HIGHEST_POWER,
    LOWEST_POWER,
    NOMINAL,
    NUMERIC,
    read_rows,
)
from labelsift.kernels.arff_plan import Plan, power_tables

_SPECIAL = (b'"', b"'", b"{", b"}", b"%", b"\\", b"\r\r")
_MOST_ODD = 0.25

Kinds = Sequence[dict[str, int] | bool | None]


def plain_rows(
    block: bytes,
    delimiter: str,
    kinds: Kinds,
    one_row: Callable[[list[str]], list[float] | None],
) -> np.ndarray[Any, Any] | None:
    """Return the numbers and codes of a block, or None if it is not plain.

    Plain means: no quotes or other bytes that ARFF reads in its own way, no blank
    lines, no blanks that part words, and few rows that the kernel leaves to
    ``one_row`` (which has missing cells, say). Whatever is wrong with a row is found
    by the caller's careful reader.

    Parameters
    ----------
    block : bytes
        Whole lines.
    delimiter : str
        What parts cells.
    kinds : sequence
        For each column the codes of its texts, or False for numbers.
    one_row : callable
        Reads the cells of one row; None if it cannot.

    Returns
    -------
    ndarray of shape (n_rows, n_columns), float64, or None
    """
    if any(byte in block for byte in _SPECIAL) or not block.endswith(b"\n"):
        return None
    if delimiter != ",":
        if b"," in block:
            return None
        block = block.replace(delimiter.encode(), b",")
    n, m = block.count(b"\n"), len(kinds)
    # Blanks part ARFF values too: with the right number of commas none did.
    if block.count(b",") != n * (m - 1):
        return None
    data = np.frombuffer(block, dtype=np.uint8)
    plan = _plan(kinds)
    values = np.empty((n, m))
    starts, places = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32)
    no_labels = np.zeros((n, 0), dtype=np.uint8)
    seen, weights = np.full(m, -1, dtype=np.int64), np.empty(n)
    at, row, odd = 0, 0, 0
    while True:
        at, row, _, _ = read_rows(
            data,
            int(at),
            False,
            plan,
            (values, no_labels),
            (starts, places, np.zeros(0)),
            (starts, places),
            seen,
            weights,
            (int(row), n),
        )
        if row == n or at == len(block):
            break
        odd += 1
        end = block.index(b"\n", at)
        text = block[at:end].decode("utf-8", "surrogateescape")
        found = one_row(text.split(",")) if odd <= 16 + _MOST_ODD * row else None
        if found is None:
            return None
        values[row] = found
        at, row = end + 1, row + 1
        if row == n:
            break
    # fewer rows than lines: some were blank, and line numbers would be wrong
    return values if row == n and at == len(block) else None


@cache
def _powers() -> tuple[Any, Any, Any]:
    return power_tables(LOWEST_POWER, HIGHEST_POWER)


def _plan(kinds: Kinds) -> Plan:
    m = len(kinds)
    kind = np.full(m, NUMERIC, dtype=np.int8)
    first, last = np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64)
    texts: list[bytes] = []
    codes: list[int] = []
    for j, known in enumerate(kinds):
        if not isinstance(known, dict):
            continue
        kind[j], first[j] = NOMINAL, len(codes)
        pairs = sorted(
            (text.encode("utf-8", "surrogateescape"), code)
            for text, code in known.items()
        )
        texts += [text for text, _ in pairs]
        codes += [code for _, code in pairs]
        last[j] = len(codes)
    ten, high, low = _powers()
    return Plan(
        kind=kind,
        column=np.arange(m, dtype=np.int64),
        first=first,
        last=last,
        omitted=np.zeros(m, dtype=np.uint8),
        value_at=np.array([0, *accumulate(map(len, texts))], dtype=np.int64),
        value_bytes=np.frombuffer(b"".join(texts) or b" ", dtype=np.uint8),
        value_code=np.array(codes, dtype=np.int64),
        label_rule=np.array((0.0, 1.0, 0.0)),
        ten=ten,
        high=high,
        low=low,
    )
