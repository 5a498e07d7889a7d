"""What the ARFF kernel is told: the columns, and tables of powers of ten."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np


class Plan(NamedTuple):
    """What the kernels know of the columns; every field is an array.

    ``kind``, ``column``, ``first``, ``last`` and ``omitted`` have one entry an
    attribute: what it is, its column in X or Y, its slice of the value tables, and the
    0/1 that a label has where a sparse row leaves it out. ``value_at`` (one entry more
    than there are values) cuts ``value_bytes`` into the nominal values, sorted within
    a slice; ``value_code`` is the number that each stands for, 0 or 1 for a label.
    ``label_rule`` is (negative number, positive number, mode) for numeric labels: mode
    0 knows both, 1 takes all but the negative as 1, 2 all but the positive as 0.
    """

    kind: Any
    column: Any
    first: Any
    last: Any
    omitted: Any
    value_at: Any
    value_bytes: Any
    value_code: Any
    label_rule: Any
    ten: Any
    high: Any
    low: Any


@cache
def power_tables(lowest: int, highest: int) -> tuple[Any, Any, Any]:
    """Return the doubles 10^0 to 10^22, and powers of five with 128 bits.

    The latter from 5^``lowest`` to 5^``highest``, shifted to fill the bits, as two
    arrays of uint64: the high halves and the low ones.
    """
    high, low = [], []
    for power in range(lowest, highest + 1):
        five = 5 ** abs(power)
        if power >= 0:
            shift = 128 - five.bit_length()
            top = five << shift if shift >= 0 else five >> -shift
        else:  # the reciprocal, rounded up
            top = (1 << (five.bit_length() + 127)) // five + 1
            if top.bit_length() > 128:
                top >>= 1
        high.append(top >> 64)
        low.append(top & (2**64 - 1))
    ten = np.array([float(10**k) for k in range(23)])
    return ten, np.array(high, dtype=np.uint64), np.array(low, dtype=np.uint64)
