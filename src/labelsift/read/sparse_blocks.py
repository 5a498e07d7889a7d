"""Sparse text a block of rows at a time: svmlight, and extreme classification."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, BinaryIO

from labelsift._words import counted
from labelsift.read.dataset import Dataset
from labelsift.read.errors import ReadError
from labelsift.read.facts import dataset_from, parse_facts
from labelsift.read.numbered_names import numbered
from labelsift.read.sparse_text import (
    FACTS,
    LARGEST_INDEX,
    SparseRows,
    refuse_wide,
    sorted_names,
    text_lines,
)

_SCAN_ROWS = 50_000


def read_extreme(
    stream: BinaryIO, *, path: str, name: str, source: str, max_bytes: int
) -> Dataset:
    """Read the text form of the extreme-classification repository.

    Parameters
    ----------
    stream : BinaryIO
        A line ``rows features labels``, then ``label,label index:value ...`` rows,
        all counted from 0.
    path, name, source : str
        For messages and for the data set.
    max_bytes : int
        Most bytes that generated names may take.

    Returns
    -------
    Dataset
        X and Y in CSR form.

    Raises
    ------
    ReadError
        If the rows are not as many as the first line says, or an index is out of
        range or repeated.
    """
    (found,) = extreme_rows(stream, path=path, max_bytes=max_bytes)
    return replace(found, name=name, source=source)


def extreme_rows(
    stream: BinaryIO, *, path: str, max_bytes: int, block_rows: int | None = None
) -> Iterator[Dataset]:
    """Yield the rows of ``read_extreme`` some at a time, all without ``block_rows``."""
    lines = text_lines(stream)
    _, head = next(lines, (0, ""))
    try:
        n, d, q = (int(size) for size in head.split())
    except ValueError as error:
        raise ReadError(
            f"expected three whole numbers, rows features labels; found {head[:60]!r}.",
            path,
            1,
        ) from error
    if min(n, d, q) < 1:
        raise ReadError(
            f"expected sizes of at least 1; found {head.strip()!r}.", path, 1
        )
    refuse_wide(d + q, max_bytes, path)
    facts = {
        "feature_names": numbered("feature", d),
        "label_names": numbered("label", q),
    }
    said = f"the first line says {counted(d, 'feature')}, from index 0"
    rows, done = SparseRows(path, text_labels=False), 0
    for number, line in lines:
        if done + len(rows) == n:
            if line.strip():
                raise ReadError(
                    f"the first line says {counted(n, 'row')}; found more.",
                    path,
                    number,
                )
            continue
        rows.add(line, number)
        if block_rows is not None and len(rows) == block_rows < n - done:
            yield dataset_from(
                rows.features(0, d, said), rows.label_matrix(q), facts, path
            )
            done += len(rows)
            rows = SparseRows(path, text_labels=False)
    if done + len(rows) < n:
        raise ReadError(
            f"the first line says {counted(n, 'row')}; found {done + len(rows)}.", path
        )
    yield dataset_from(rows.features(0, d, said), rows.label_matrix(q), facts, path)


def scan_svmlight(
    stream: BinaryIO,
    *,
    path: str,
    labels: Sequence[str] | None,
    zero_based: bool | None,
    n_features: int | None,
    max_bytes: int,
) -> dict[str, Any]:
    """Look through svmlight rows for all labels and the range of indices.

    Returns
    -------
    dict
        ``first`` index, ``feature_names`` and ``label_names``.
    """
    lowest, highest, found = LARGEST_INDEX, -1, dict[str, int]()
    for rows in _some_rows(stream, path, _SCAN_ROWS):
        if isinstance(rows, dict):
            if labels is None and zero_based is None:
                return {
                    "first": 0,
                    "feature_names": rows["feature_names"],
                    "label_names": rows["label_names"],
                    "label_texts": [str(k) for k in range(len(rows["label_names"]))],
                }
            continue
        low, high = rows.index_range()
        lowest, highest = min(lowest, low) if high >= 0 else lowest, max(highest, high)
        found |= rows.codes
    names = sorted_names(found) if labels is None else [str(each) for each in labels]
    first = 0 if (lowest == 0 if zero_based is None else zero_based) else 1
    d = highest + 1 - first if n_features is None else n_features
    if d < 1 or not names:
        raise ReadError(f"no row has a {'label' if d >= 1 else 'feature'}.", path)
    refuse_wide(d, max_bytes, path)
    return {
        "first": first,
        "feature_names": numbered("feature", d, first),
        "label_names": names,
        "label_texts": names,
    }


def svmlight_rows(
    stream: BinaryIO, known: dict[str, Any], *, path: str, block_rows: int
) -> Iterator[Dataset]:
    """Yield svmlight rows some at a time, in the columns that a scan has found."""
    first, d = known["first"], len(known["feature_names"])
    facts = {name: known[name] for name in ("feature_names", "label_names")}
    for rows in _some_rows(stream, path, block_rows):
        if isinstance(rows, dict):
            continue
        X = rows.features(first, d, f"{counted(d, 'feature')} from index {first}")
        yield dataset_from(X, rows.labels(known["label_texts"]), facts, path)


def _some_rows(
    stream: BinaryIO, path: str, block_rows: int
) -> Iterator[SparseRows | dict[str, Any]]:
    """Yield rows, so many at a time; before them the description, if there is one."""
    rows = SparseRows(path, text_labels=True)
    empty = True
    for number, line in text_lines(stream):
        if number == 1 and line.startswith(FACTS):
            yield parse_facts(line[len(FACTS) :], path)
            continue
        body = line.partition("#")[0]
        if body.strip():
            rows.add(body, number)
        if len(rows) == block_rows:
            yield rows
            rows, empty = SparseRows(path, text_labels=True), False
    if len(rows):
        yield rows
    elif empty:
        raise ReadError("there are no rows of data.", path)
