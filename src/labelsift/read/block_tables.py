"""Blocks of rows from CSV and Parquet: tables whose text and classes are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import narwhals.stable.v2 as nw
import numpy as np

from labelsift.read.dataset import Categories, Dataset
from labelsift.read.delimited import CellColumns, likely_delimiter, text_blocks
from labelsift.read.errors import ReadError
from labelsift.read.facts import parse_facts
from labelsift.read.frames import PARQUET_REMEDY, table_from_frame
from labelsift.read.table import (
    Table,
    class_columns,
    is_class_column,
    label_columns,
    to_dataset,
)

_GROUP_ROWS = 200_000  # small row groups are read together


@dataclass(frozen=True, eq=False)
class Scan:
    """What is known of a table before its rows are read.

    Parameters
    ----------
    names : tuple of str
        All columns.
    categories : tuple
        For each column None, or its values in the order of their codes.
    labels : tuple of int
        The columns that are labels.
    classes : tuple of str or None
        The labels that a class column gives.
    values : dict
        ``positive_value`` and ``negative_value``, where given.
    """

    names: tuple[str, ...]
    categories: tuple[Categories, ...]
    labels: tuple[int, ...]
    classes: tuple[str, ...] | None
    values: dict[str, Any]

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns that are no labels."""
        return tuple(n for j, n in enumerate(self.names) if j not in set(self.labels))

    @property
    def label_names(self) -> tuple[str, ...]:
        """Names of the labels."""
        return self.classes or tuple(self.names[j] for j in self.labels)


def scan_tables(
    tables: Callable[[], Iterator[Table]], path: str, options: dict[str, Any]
) -> Scan:
    """Look through a table for the values of its text and class columns.

    A table without text and with more than one label column shows all that in its
    first block, and the others are not read.
    """
    names: tuple[str, ...] = ()
    found: list[set[str] | None] = []
    columns: list[int] = []
    classes: set[float] = set()
    for table in tables():
        listed: Categories
        if not names:
            names = table.names
            found = [None] * len(names)
            columns = label_columns(names, options.get("labels"), path)
        for j, listed in enumerate(table.categories):
            if listed is not None:
                found[j] = (found[j] or set()) | set(listed)
        if len(columns) == 1:
            values = table.values[:, columns[0]]
            classes |= set(np.unique(values[~np.isnan(values)]).tolist())
        is_plain = not np.isnan(table.values).all(axis=0).any()
        if is_plain and len(columns) != 1 and not any(found):
            break
    if not names:
        raise ReadError("there are no rows of data.", path)
    kinds: tuple[Categories, ...] = tuple(
        None if each is None else tuple(sorted(each)) for each in found
    )
    return _scan(names, kinds, columns, np.array(sorted(classes)), path, options)


def _scan(
    names: tuple[str, ...],
    kinds: tuple[Categories, ...],
    columns: Sequence[int],
    values: Any,
    path: str,
    options: dict[str, Any],
) -> Scan:
    asked = {
        name: options[name]
        for name in ("positive_value", "negative_value")
        if options.get(name) is not None
    }
    classes = None
    if len(columns) == 1 and not asked:
        listed = kinds[columns[0]]
        if is_class_column(values, listed):
            wanted = values if listed is None else np.asarray(listed)
            classes = class_columns(wanted, path)[1]
    return Scan(tuple(names), kinds, tuple(columns), classes, asked)


def delimited_tables(
    stream: BinaryIO,
    path: str,
    scan: Scan | None,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    nominal: Sequence[str] = (),
) -> Iterator[Table]:
    """Read a CSV file that need not fit into memory, about a megabyte at a time.

    Parameters
    ----------
    stream, path, delimiter, header, nominal
        As in ``read_delimited``.
    scan : Scan or None
        Where it is known, its categories are those of all tables, else each table has
        those of the rows so far.
    """
    columns: CellColumns | None = None
    line = 0
    for block in text_blocks(stream, path):
        if columns is None:
            delimiter = delimiter or likely_delimiter(block)
            columns = CellColumns(path, delimiter, frozenset(nominal), header)
            columns.expected = None if scan is None else scan.categories
        if not (line and columns.add_plain(block, line)):
            columns.add_text(block, line)
        line += block.count(b"\n")
        table = columns.table()
        columns.lines.clear()
        yield table
    if columns is None:
        raise ReadError("there is no text; expected a line of column names.", path)


@contextmanager
def parquet_reader(path: Any, max_bytes: int | None = None) -> Iterator[Any]:
    """Open a Parquet file to be read a part at a time.

    Parameters
    ----------
    path : path-like
        A file on disk, which stays there: only what is asked for is read.
    max_bytes : int, optional
        Most bytes that one row group may unpack to.

    Yields
    ------
    pyarrow.parquet.ParquetFile

    Raises
    ------
    ReadError
        If pyarrow is not there, or the file is damaged or a row group too large.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ReadError(f"{PARQUET_REMEDY}.", str(path)) from error
    try:
        with parquet.ParquetFile(path, memory_map=False) as opened:
            meta = opened.metadata
            for i in range(meta.num_row_groups if max_bytes is not None else 0):
                group = meta.row_group(i)
                size = max(group.total_byte_size, group.num_rows * meta.num_columns * 8)
                if size > (max_bytes or 0):
                    raise ReadError(
                        f"its row group {i} unpacks to {size} bytes, more than the "
                        f"limit of {max_bytes}; if the file is honest, allow more with "
                        "max_bytes=.",
                        str(path),
                    )
            yield opened
    except (pyarrow.ArrowException, OSError, MemoryError) as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"not a whole Parquet file ({error}).", str(path)) from error


def parquet_groups(
    path: Path, options: dict[str, Any]
) -> tuple[Scan, list[list[int]], int]:
    """Return what is known of a Parquet file, its row groups, and its width."""
    import pyarrow.compute as pc
    from pyarrow import types

    with parquet_reader(path, options["max_bytes"]) as opened:
        schema, meta = opened.schema_arrow, opened.metadata
        text = (schema.metadata or {}).get(b"labelsift")
        head = table_from_frame(nw.from_native(schema.empty_table()), str(path))
        names = head.names
        facts = None
        if text is not None and options.get("labels") is None:
            facts = parse_facts(text, str(path))
            columns = label_columns(names, list(facts["label_names"]), str(path))
        else:
            columns = label_columns(names, options.get("labels"), str(path))
        kinds: list[Categories] = [None] * len(names)
        single: Any = np.empty(0)
        for j, name in enumerate(names):
            kind = schema.field(name).type
            is_text = types.is_dictionary(kind) or head.categories[j] is not None
            if not is_text and not (len(columns) == 1 and j == columns[0]):
                continue
            values: set[Any] = set()
            for k in range(opened.num_row_groups):
                column = opened.read_row_group(k, columns=[name])[name]
                if types.is_dictionary(kind):
                    column = column.cast(kind.value_type)
                values |= set(pc.unique(column).to_pylist())
            values.discard(None)
            if is_text:
                kinds[j] = tuple(sorted(map(str, values)))
            else:
                single = np.array(sorted(float(v) for v in values if v == v))
        if facts is not None:
            features = [j for j in range(len(names)) if j not in set(columns)]
            for j, listed in zip(features, facts["categories"], strict=True):
                kinds[j] = listed
            scan = Scan(names, tuple(kinds), tuple(columns), None, {})
        else:
            scan = _scan(names, tuple(kinds), columns, single, str(path), options)
        sizes = [meta.row_group(k).num_rows for k in range(meta.num_row_groups)]
    groups: list[list[int]] = []
    held = 0
    for k, size in enumerate(sizes):
        if not groups or held + size > _GROUP_ROWS:
            groups.append([])
            held = 0
        groups[-1].append(k)
        held += size
    if not sum(sizes):
        raise ReadError("there are no rows of data.", str(path))
    return scan, groups, len(names)


def parquet_tables(
    path: Path, groups: Sequence[int], rows: int, scan: Scan
) -> Iterator[Table]:
    """Yield the rows of some row groups, coded as ``scan`` says."""
    import pyarrow

    with parquet_reader(path) as opened:
        sizes = [opened.metadata.row_group(k).num_rows for k in range(min(groups))]
        row = sum(sizes)
        for batch in opened.iter_batches(rows, row_groups=list(groups)):
            if not batch.num_rows:
                continue
            native = pyarrow.Table.from_batches([batch])
            table = table_from_frame(nw.from_native(native), str(path), row)
            row += batch.num_rows
            yield _coded(table, scan)


def _coded(table: Table, scan: Scan) -> Table:
    values = table.values
    for j, (mine, wanted) in enumerate(
        zip(table.categories, scan.categories, strict=True)
    ):
        if mine is None or wanted is None or mine == wanted:
            continue
        place = {kind: float(code) for code, kind in enumerate(wanted)}
        position = np.array([*(place.get(kind, np.nan) for kind in mine), np.nan])
        codes = values[:, j]
        values[:, j] = position[np.where(np.isnan(codes), -1, codes).astype(np.intp)]
    return Table(values, table.names, scan.categories, table.lines)


def table_rows(tables: Iterator[Table], scan: Scan, path: str) -> Iterator[Dataset]:
    """Yield the data set of each table."""
    for table in tables:
        if not len(table.values):
            continue
        if scan.classes is None:
            yield to_dataset(
                table,
                [scan.names[j] for j in scan.labels],
                path=path,
                one_of_several=True,
                **scan.values,
            )
            continue
        features = [j for j in range(len(scan.names)) if j not in scan.labels]
        names = tuple(scan.names[j] for j in features)
        yield Dataset(
            table.values[:, features],
            _class_labels(table, scan, path),
            names,
            scan.classes,
            tuple(scan.categories[j] for j in features),
        )


def _class_labels(table: Table, scan: Scan, path: str) -> np.ndarray[Any, Any]:
    assert scan.classes is not None
    j = scan.labels[0]
    codes, listed = table.values[:, j], scan.categories[j]
    if np.isnan(codes).any():
        raise ReadError(f"the class {scan.names[j]!r} is missing somewhere.", path)
    values = codes if listed is None else np.asarray(listed)[codes.astype(np.intp)]
    found, names = class_columns(values, path)
    Y = np.zeros((len(codes), len(scan.classes)), dtype=np.uint8)
    Y[:, [scan.classes.index(name) for name in names]] = found
    return Y
