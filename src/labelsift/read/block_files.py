"""Blocks of rows from files and folders of files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from labelsift.read.arff import read_arff_blocks
from labelsift.read.block_tables import (
    delimited_tables,
    parquet_groups,
    parquet_tables,
    scan_tables,
    table_rows,
)
from labelsift.read.blocks import (
    Block,
    Part,
    RowBlocks,
    one_below_the_other,
    rows_a_block,
)
from labelsift.read.dataset import Dataset
from labelsift.read.errors import ReadError
from labelsift.read.formats import format_of
from labelsift.read.label_spec import label_names_from_xml, xml_beside
from labelsift.read.load import load_dataset
from labelsift.read.npz import npz_names, npz_rows
from labelsift.read.opener import MAX_BYTES, open_data
from labelsift.read.sparse_blocks import extreme_rows, scan_svmlight, svmlight_rows

_STREAMED = ("arff", "csv", "tsv", "parquet", "npz", "svmlight", "xc")
_TABLE_OPTIONS = ("delimiter", "header", "nominal")
_SPARSE_TEXT_ROWS = 20_000


@dataclass(frozen=True, eq=False)
class FilePart:
    """A file, or some of its row groups, that is opened where it is needed."""

    path: Path
    kind: str
    block_rows: int
    options: dict[str, Any] = field(default_factory=dict)
    known: Any = None
    # Found once: the process that opens the file may have another current folder.
    file: Path = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "file", self.path.absolute())

    def blocks(self) -> Iterator[Block]:
        """Yield the rows of the file, some at a time."""
        if self.kind == "npz":
            yield from npz_rows(self.file, self.block_rows)
            return
        for data in self.datasets():
            yield data.X, data.Y

    def datasets(self) -> Iterator[Dataset]:
        """Yield data sets of some rows each, with names."""
        limit = self.options["max_bytes"]
        if self.kind == "parquet":
            groups, scan = self.known
            tables = parquet_tables(self.file, groups, self.block_rows, scan)
            yield from table_rows(tables, scan, str(self.path))
            return
        if self.kind not in _STREAMED:
            data = load_dataset(self.file, **self.options)
            for i in range(0, data.n_samples, self.block_rows):
                yield data.take_rows(
                    np.arange(i, min(i + self.block_rows, data.n_samples))
                )
            return
        with open_data(self.file, limit) as opened:
            stream, path = opened.stream, str(self.path)
            if self.kind == "arff":
                yield from read_arff_blocks(
                    stream, path=path, block_rows=self.block_rows, **_arff(self.options)
                )
            elif self.kind == "xc":
                yield from extreme_rows(
                    stream, path=path, block_rows=self.block_rows, max_bytes=limit
                )
            elif self.kind == "svmlight":
                yield from svmlight_rows(
                    stream, self.known, path=path, block_rows=self.block_rows
                )
            else:
                given = _for_table(self.kind, self.options)
                tables = delimited_tables(stream, path, self.known, **given)
                yield from table_rows(tables, self.known, path)


def file_blocks(
    path: Path, block_rows: int | None, options: dict[str, Any]
) -> RowBlocks:
    """Return the blocks of a file, or of the files of a folder in order of name."""
    options = {"max_bytes": MAX_BYTES, **options}
    if not path.is_dir():
        return _one_file(path, block_rows, options)
    files = sorted(
        file
        for file in path.rglob("*")
        if file.is_file() and not file.name.startswith((".", "_"))
    )
    files = [file for file in files if file.suffix.lower() != ".xml"]
    if not files:
        raise ReadError("this folder holds no data files.", str(path))
    pieces = [_one_file(file, block_rows, options) for file in files]
    return one_below_the_other(pieces, files)


def _one_file(path: Path, block_rows: int | None, options: dict[str, Any]) -> RowBlocks:
    asked = options.get("format")
    rest = {k: v for k, v in options.items() if v is not None and k != "split"}
    if options.get("split") is not None:
        raise ValueError("split= does not apply to a file.")
    with open_data(path, options["max_bytes"]) as opened:
        kind = format_of(opened.suffix, opened.peek(), str(path), asked)
    if kind in ("csv", "tsv", "parquet") and rest.get("xml") is not None:
        xml = rest.pop("xml")
        rest.setdefault("labels", label_names_from_xml(xml))
    if kind == "arff" and "labels" not in rest and "xml" not in rest:
        beside = xml_beside(path)
        rest |= {} if beside is None else {"xml": beside}
    if "xml" in rest:
        rest["xml"] = Path(rest["xml"]).absolute()
    rest.pop("costs", None)
    find: Callable[..., RowBlocks] = _FINDERS.get(kind, _whole)
    return find(path, kind, block_rows, rest)


def _whole(
    path: Path, kind: str, block_rows: int | None, options: dict[str, Any]
) -> RowBlocks:
    data = load_dataset(path, **options)
    rows = rows_a_block(data.n_features + data.n_labels, block_rows)
    part = FilePart(path, kind, rows, options)
    return RowBlocks([part], data.feature_names, data.label_names)


def _npz(
    path: Path, kind: str, block_rows: int | None, options: dict[str, Any]
) -> RowBlocks:
    part = FilePart(path, kind, block_rows or 0, options)
    return RowBlocks([part], *npz_names(path))


def _text(
    path: Path, kind: str, block_rows: int | None, options: dict[str, Any]
) -> RowBlocks:
    """ARFF and extreme-classification text, whose first lines say what there is."""
    part = FilePart(path, kind, block_rows or _SPARSE_TEXT_ROWS, options)
    first = next(part.datasets())
    if kind == "arff" and block_rows is None:
        rows = rows_a_block(first.n_features + first.n_labels, None)
        part = FilePart(path, kind, min(rows, _SPARSE_TEXT_ROWS), options)
    return RowBlocks([part], first.feature_names, first.label_names)


def _svmlight(
    path: Path, kind: str, block_rows: int | None, options: dict[str, Any]
) -> RowBlocks:
    with open_data(path, options["max_bytes"]) as opened:
        known = scan_svmlight(
            opened.stream,
            path=str(path),
            labels=options.get("labels"),
            zero_based=options.get("zero_based"),
            n_features=options.get("n_features"),
            max_bytes=options["max_bytes"],
        )
    part = FilePart(path, kind, block_rows or _SPARSE_TEXT_ROWS, options, known)
    return RowBlocks([part], known["feature_names"], known["label_names"])


def _table(
    path: Path, kind: str, block_rows: int | None, options: dict[str, Any]
) -> RowBlocks:
    given = _for_table(kind, options)

    def tables() -> Iterator[Any]:
        with open_data(path, options["max_bytes"]) as opened:
            yield from delimited_tables(opened.stream, str(path), None, **given)

    scan = scan_tables(tables, str(path), options)
    part = FilePart(path, kind, 0, options, scan)
    return RowBlocks([part], scan.feature_names, scan.label_names)


def _parquet(
    path: Path, kind: str, block_rows: int | None, options: dict[str, Any]
) -> RowBlocks:
    scan, groups, width = parquet_groups(path, options)
    rows = rows_a_block(width, block_rows)
    parts: list[Part] = [
        FilePart(path, kind, rows, options, (tuple(some), scan)) for some in groups
    ]
    return RowBlocks(parts, scan.feature_names, scan.label_names)


def _arff(options: dict[str, Any]) -> dict[str, Any]:
    known = ("labels", "xml", "positive_value", "negative_value")
    return {name: options[name] for name in known if name in options}


def _for_table(kind: str, options: dict[str, Any]) -> dict[str, Any]:
    given = {name: options[name] for name in _TABLE_OPTIONS if name in options}
    if kind == "tsv":
        given.setdefault("delimiter", "\t")
    if isinstance(options.get("labels"), str | list):
        given.setdefault("header", True)
    return given


_FINDERS: dict[str, Callable[..., RowBlocks]] = {
    "npz": _npz,
    "arff": _text,
    "xc": _text,
    "svmlight": _svmlight,
    "csv": _table,
    "tsv": _table,
    "parquet": _parquet,
}
