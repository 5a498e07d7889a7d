"""Fill a selector with blocks of rows, in this process or in others."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from labelsift.read.blocks import (
    engine_of_blocks,
    gather_blocks,
    read_blocks,
    reads_in_order,
)

if TYPE_CHECKING:
    from labelsift.select._base import StatisticSelector

_WANTED = (
    "blocks must be a path or hold pairs (X, y) of rows, such as [(X1, y1), (X2, y2)] "
    "or read_blocks((X, y))"
)


def filled_from_blocks(
    selector: StatisticSelector,
    blocks: Any,
    classes: Any,
    max_memory: int | None,
    engine: Any,
    where: dict[str, Any],
) -> StatisticSelector:
    """Return a copy of a selector that has seen all blocks; see ``fit_blocks``."""
    if isinstance(blocks, str | os.PathLike):
        blocks = read_blocks(blocks)
    _check_pairs(blocks)
    if iter(blocks) is blocks:
        raise TypeError(
            "blocks must start afresh each time they are read; found an iterator. "
            "Give a list, or an object whose __iter__ opens the data again."
        )
    if max_memory is not None and max_memory < 1:
        raise ValueError(f"max_memory must be at least 1 byte; found {max_memory}.")
    runner = engine_of_blocks(engine, **where)
    try:
        gather = partial(gather_blocks, blocks, runner)
        settings = selector._first_reading(gather)
        found: StatisticSelector | None = gather(
            _Filled(
                selector,
                classes,
                settings,
                max_memory,
                reads_in_order(runner),
            ),
            _merged,
        )
    finally:
        if runner is not engine:
            runner.close()
    if found is None or not hasattr(found, "_statistic"):
        raise ValueError("blocks holds no block of rows.")
    return found


def _check_pairs(blocks: Any) -> None:
    """Say what blocks must be where they cannot be any."""
    if hasattr(blocks, "shape") or not hasattr(blocks, "__iter__"):
        raise TypeError(f"{_WANTED}; found {type(blocks).__name__}.")
    if isinstance(blocks, list | tuple):
        for number, block in enumerate(blocks):
            if not isinstance(block, list | tuple) or len(block) != 2:
                found = type(block).__name__
                if isinstance(block, list | tuple):
                    found += f" of {len(block)}"
                raise TypeError(f"{_WANTED}; block {number} is a {found}.")


class _Filled:
    """Fills a copy of a selector with blocks of rows, wherever it is called."""

    def __init__(
        self,
        selector: StatisticSelector,
        classes: Any,
        settings: dict[str, Any],
        max_memory: int | None,
        is_in_order: bool,
    ) -> None:
        self.selector = clone(selector)
        self.classes, self.settings, self.max_memory = classes, settings, max_memory
        self.is_in_order = is_in_order

    def __call__(self, blocks: Any) -> StatisticSelector:
        selector: StatisticSelector = clone(self.selector)
        settings = self.settings
        rows = 0
        for X, y in blocks:
            if self.is_in_order:  # errors name the row of all rows
                selector._rows_before = rows
            selector._add_block(X, y, self.classes, **settings)
            rows += len(X) if isinstance(X, list) else X.shape[0]
            limit = getattr(selector._statistic, "limit_memory", None)
            if settings is self.settings and limit is not None:
                limit(self.max_memory)
            settings = {}
        selector.__dict__.pop("_rows_before", None)
        return selector


def _merged(one: StatisticSelector, other: StatisticSelector) -> StatisticSelector:
    if not hasattr(one, "_statistic"):
        return other
    if hasattr(other, "_statistic"):
        one._absorb_other(other)
    return one


def equal_settings(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two selectors of one kind have equal settings, arrays too."""
    for name, mine in one.items():
        theirs = other[name]
        if isinstance(mine, np.ndarray) or isinstance(theirs, np.ndarray):
            same = np.array_equal(np.asarray(mine), np.asarray(theirs))
        else:
            same = mine is theirs or bool(np.all(mine == theirs))
        if not same:
            return False
    return True
