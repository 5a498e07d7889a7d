"""Rows of data that need not fit into memory, a block at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from numbers import Integral
from pathlib import Path
from typing import Any, Protocol, TypeVar

from labelsift.engine import InlineEngine, engine_by_name
from labelsift.read.call_text import call_text
from labelsift.read.errors import ReadError
from labelsift.read.numbered_names import as_names

Block = tuple[Any, Any]
Result = TypeVar("Result")
BLOCK_BYTES = 2**25
"""What the values of one block take unless ``block_rows`` says otherwise (32 MB)."""
_TASKS_A_WORKER = 4


class Part(Protocol):
    """A piece of the data that a process can read on its own; it can be pickled."""

    def blocks(self) -> Iterator[Block]:
        """Yield ``(X, Y)``, rows in order."""


class RowBlocks:
    """Blocks of rows, read afresh each time they are iterated.

    Parameters
    ----------
    parts : sequence of Part
        Pieces of the data; together, in order, all rows.
    feature_names, label_names : sequence of str or None
        Names of the columns, where the source has names.

    Attributes
    ----------
    loaded : str
        The call of ``read_blocks`` that gives the same again, where there is one.

    Examples
    --------
    >>> import numpy as np
    >>> X, Y = np.arange(12.0).reshape(6, 2), np.eye(6, 2, dtype=int)
    >>> blocks = read_blocks((X, Y), block_rows=4)
    >>> [len(X) for X, Y in blocks]
    [4, 2]
    """

    def __init__(
        self,
        parts: Sequence[Part],
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        self.parts = tuple(parts)
        self.feature_names = None if feature_names is None else as_names(feature_names)
        self.label_names = None if label_names is None else as_names(label_names)
        self.loaded = ""

    def __iter__(self) -> Iterator[Block]:
        for part in self.parts:
            yield from part.blocks()

    def __repr__(self) -> str:
        return f"RowBlocks({len(self.parts)} parts)"


def read_blocks(
    source: Any, *, block_rows: int | None = None, labels: Any = None, **options: Any
) -> RowBlocks:
    """Stream a data set in bounded memory, whatever its format.

    Parameters
    ----------
    source : str, path-like, pair, dask collections, or sequence of these
        A file of any format that ``load_dataset`` reads; a folder with such files,
        taken in the order of their names; a pair (X, Y) of arrays or CSR matrices,
        which may be memory-mapped, or of dask arrays; a dask data frame. Several of
        these, in a list, are rows one below the other.
    block_rows : int, optional
        Rows of a block at most (ARFF: about so many). Default: what takes 32 MB.
    labels, **options
        As for ``load_dataset``.

    Returns
    -------
    RowBlocks
        For ``fit_blocks`` of a selector; can be read any number of times.

    Raises
    ------
    ReadError
        If a file is not as it must be, now or when its rows are reached.
    ValueError
        If ``block_rows`` is less than 1 or the pieces do not have the same columns.
    TypeError
        If ``source`` is nothing of these, or ``block_rows`` no whole number.

    Notes
    -----
    ARFF, CSV, TSV, svmlight, the extreme-classification text, Parquet and ``.npz`` are
    streamed; MATLAB and R files are read whole and then cut. A CSV file with columns
    of text and an svmlight file are read once beforehand, to know all their values.

    Examples
    --------
    >>> import numpy as np
    >>> X, Y = np.arange(10.0).reshape(5, 2), np.eye(5, 2, dtype=int)
    >>> [len(rows) for rows, labels in read_blocks((X, Y), block_rows=2)]
    [2, 2, 1]
    """
    if block_rows is not None:
        if not isinstance(block_rows, Integral) or isinstance(block_rows, bool):
            raise TypeError(
                f"block_rows must be a whole number of rows; found {block_rows!r}."
            )
        if block_rows < 1:
            raise ValueError(f"block_rows must be at least 1; found {block_rows}.")
    if isinstance(source, RowBlocks):
        return source
    given = {"labels": labels, **options}
    found = _blocks_of(source, block_rows, given)
    found.loaded = call_text("read_blocks", source, {"block_rows": block_rows, **given})
    return found


def _blocks_of(
    source: Any, block_rows: int | None, options: dict[str, Any]
) -> RowBlocks:
    from labelsift.read import block_files, block_memory

    if isinstance(source, str | os.PathLike):
        return block_files.file_blocks(Path(source), block_rows, options)
    found = block_memory.memory_blocks(source, block_rows, options)
    if found is not None:
        return found
    if isinstance(source, Sequence) and source:
        pieces = [
            read_blocks(piece, block_rows=block_rows, **options) for piece in source
        ]
        return one_below_the_other(pieces, source)
    raise TypeError(
        "source must be a path, a folder, a pair (X, Y), a dask collection or a list "
        f"of these; found {type(source).__name__}."
    )


def gather_blocks(
    blocks: Any,
    engine: Any,
    function: Callable[[Iterable[Block]], Result],
    merge: Callable[[Result, Result], Result],
) -> Result | None:
    """Return what a function gathers from all blocks, wherever it runs.

    Parameters
    ----------
    blocks : RowBlocks, or iterable of (X, Y)
        The rows. Parts of ``RowBlocks`` are read where they are needed; other blocks
        are sent there.
    engine : Engine
        Where it runs.
    function : callable
        From an iterable of blocks to a result; it can be pickled.
    merge : callable
        From the results of two stretches of rows to that of both.

    Returns
    -------
    object or None
        None where there is no block.
    """
    if isinstance(engine, InlineEngine):
        return function(blocks)
    tasks: Iterable[Any] = ([block] for block in blocks)
    if isinstance(blocks, RowBlocks):
        tasks = _grouped(blocks.parts, engine.n_workers * _TASKS_A_WORKER)
    found: Result | None = engine.reduce(_Gather(function), tasks, merge)
    return found


def engine_of_blocks(engine: Any, **where: Any) -> Any:
    """Return the engine of a name; see ``labelsift.engine.engine_by_name``."""
    return engine_by_name(engine, **where)


def reads_in_order(engine: Any) -> bool:
    """Return whether all blocks are read here, one after the other."""
    return isinstance(engine, InlineEngine)


class _Gather:
    """Calls a function on the blocks of a task, here or in another process."""

    def __init__(self, function: Callable[[Iterable[Block]], Any]) -> None:
        self.function = function

    def __call__(self, task: Any) -> Any:
        parts = (p.blocks() if hasattr(p, "blocks") else iter([p]) for p in task)
        return self.function(chain.from_iterable(parts))


def _grouped(parts: Sequence[Part], n_groups: int) -> list[Sequence[Part]]:
    n_groups = max(1, min(n_groups, len(parts)))
    cuts = [len(parts) * k // n_groups for k in range(n_groups + 1)]
    return [parts[a:b] for a, b in pairwise(cuts)]


def one_below_the_other(pieces: list[RowBlocks], sources: Sequence[Any]) -> RowBlocks:
    """Return the rows of several sources as those of one, if columns are the same."""
    first = pieces[0]
    for piece, source in zip(pieces, sources, strict=True):
        for kind in ("feature_names", "label_names"):
            mine, theirs = getattr(first, kind), getattr(piece, kind)
            if None not in (mine, theirs) and mine != theirs:
                raise ReadError(
                    f"its {kind.replace('_', ' ')} are not those of "
                    f"{sources[0]}; rows can be put one below the other only where "
                    "columns are the same.",
                    str(source),
                )
    _check_widths(pieces)
    return RowBlocks(
        [part for piece in pieces for part in piece.parts],
        first.feature_names,
        first.label_names,
    )


def _check_widths(pieces: list[RowBlocks]) -> None:
    """Refuse arrays in memory of different widths, which have no names to tell."""
    first: tuple[int, Any, Any] | None = None
    for number, piece in enumerate(pieces):
        for part in piece.parts[:1]:
            sides = getattr(part, "X", None), getattr(part, "Y", None)
            if any(len(getattr(side, "shape", ())) != 2 for side in sides):
                continue
            d, q = (side.shape[1] for side in sides if side is not None)
            if first is None:
                first = number, d, q
            for kind, mine, theirs in (("X", first[1], d), ("Y", first[2], q)):
                if mine != theirs:
                    raise ValueError(
                        f"{kind} of piece {number} has {theirs} columns, but that of "
                        f"piece {first[0]} has {mine}; rows can be put one below the "
                        "other only where columns are the same."
                    )


def rows_a_block(n_columns: int, block_rows: int | None) -> int:
    """Return how many rows of so many numbers make a block."""
    if block_rows is not None:
        return block_rows
    return max(1, min(BLOCK_BYTES // (8 * max(n_columns, 1)), 1_000_000))
