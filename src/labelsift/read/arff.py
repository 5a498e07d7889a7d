"""ARFF files, dense and sparse, with labels from a MULAN XML or a MEKA relation."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from os import PathLike
from pathlib import PurePath
from typing import BinaryIO

import numpy as np

from labelsift.kernels.arff import UNKNOWN
from labelsift.read.arff_columns import Columns, LabelValues, plan_columns
from labelsift.read.arff_header import Header, read_header
from labelsift.read.arff_lines import line_blocks
from labelsift.read.arff_rows import Row, parse_row
from labelsift.read.arff_store import RowStore
from labelsift.read.arff_text import BLANKS, shown
from labelsift.read.dataset import Dataset
from labelsift.read.errors import ReadError
from labelsift.read.label_spec import (
    LabelSpec,
    MekaOptions,
    choose_labels,
    label_names_from_xml,
    meka_options,
)

_BLANK_BYTES = BLANKS.replace("\n", "").encode()
_OPEN = b"{"


def read_arff(
    stream: BinaryIO,
    *,
    path: str,
    labels: LabelSpec = None,
    xml: str | PathLike[str] | None = None,
    positive_value: str | None = None,
    negative_value: str | None = None,
) -> Dataset:
    """Read an ARFF file: dense rows, sparse rows, or both mixed.

    X and Y are CSR when more than half of the rows are sparse, else dense arrays.
    Features and labels keep the order of the file. A nominal feature becomes the
    position of its value in the header, so that the value which a sparse row leaves
    out (the first) is 0. String, date and relational attributes are dropped with a
    warning; weights of attributes and MEKA's ``-split-number`` are not used.

    Parameters
    ----------
    stream : binary file
        Read once, in blocks, from where it stands.
    path : str
        The file as errors name it; its stem is the name if there is no relation.
    labels : sequence of str, str, int or None
        Names of the labels; or how many attributes at the end are labels, at the start
        when negative. An empty list reads every attribute as a feature. ``None`` takes
        them from ``xml``, or else from MEKA's ``-C`` in the relation.
    xml : path or None
        A MULAN label list.
    positive_value, negative_value : str or None
        Which value of the labels is 1, or which is 0, where they do not say so by
        themselves; {0,1}, {f,t}, {no,yes}, {-1,1} and their like do, in any order.
        With only one of them given, every other value is its opposite.

    Returns
    -------
    Dataset

    Raises
    ------
    ReadError
        For everything that is wrong with the file; names path and line.

    Notes
    -----
    Memory is the result and about a third of it, plus a block of text.
    """
    reader = _ArffReader(stream, path, labels, xml, positive_value, negative_value)
    for _ in reader.blocks():
        continue
    return reader.dataset()


def read_arff_blocks(
    stream: BinaryIO,
    *,
    path: str,
    block_rows: int = 10_000,
    labels: LabelSpec = None,
    xml: str | PathLike[str] | None = None,
    positive_value: str | None = None,
    negative_value: str | None = None,
) -> Iterator[Dataset]:
    """Read an ARFF file that need not fit into memory, some rows at a time.

    The blocks, one below the other, are what `read_arff` returns, and feed a
    ``partial_fit``. Of a file that mixes dense and sparse rows each block takes the
    form of most of its own rows; ``weights`` is None in a block without any.

    Parameters
    ----------
    stream, path, labels, xml, positive_value, negative_value
        As in `read_arff`.
    block_rows : int
        Each block but the last has at least so many rows, and at most those of one
        further megabyte of text.

    Yields
    ------
    Dataset

    Raises
    ------
    ReadError
        As `read_arff`, when the faulty place is reached.
    """
    if block_rows < 1:
        raise ValueError(f"block_rows must be at least 1; found {block_rows}.")
    reader = _ArffReader(stream, path, labels, xml, positive_value, negative_value)
    for n_rows in reader.blocks():
        if n_rows >= block_rows:
            yield reader.dataset()
    if reader.store.n_rows:
        yield reader.dataset()


class _ArffReader:
    """The header, the rows read so far, and the place in the file."""

    def __init__(
        self,
        stream: BinaryIO,
        path: str,
        labels: LabelSpec,
        xml: str | PathLike[str] | None,
        positive_value: str | None,
        negative_value: str | None,
    ) -> None:
        self.path = path
        values = LabelValues(positive_value, negative_value)
        self.text = line_blocks(stream, path=path)
        self.header, self.rest = read_header(self.text, path=path)
        self.meka = meka_options(self.header.relation)
        chosen = _labels_of(self.header, self.meka, labels, xml, path)
        self.columns: Columns = plan_columns(self.header, chosen, values, path=path)
        self.store = RowStore(self.columns)
        plan = self.columns.plan
        # a label that a sparse row may not leave out is checked row by row
        self.all_may_be_omitted = not bool((plan.omitted == UNKNOWN).any())

    def blocks(self) -> Iterator[int]:
        """Read all rows; yield how many are stored after each block of text."""
        line = self.header.data_line + 1
        first = (self.rest, self.rest.count(b"\n"))
        self.rest = b""
        empty = True
        for block, n_lines in itertools.chain([first], self.text):
            self.read_block(block, line, n_lines)
            line += n_lines
            empty = empty and not self.store.n_rows
            yield self.store.n_rows
        if empty:
            raise ReadError(
                "expected rows behind @data, found none.", self.path, max(line - 1, 1)
            )

    def read_block(self, block: bytes, first_line: int, n_lines: int) -> None:
        """Read the rows of one block; the kernels do most of it."""
        data = np.frombuffer(block, dtype=np.uint8)
        store = self.store
        at = 0
        sparse_now = store.n_sparse > 0
        while at < len(block):
            start = at
            if sparse_now and self.all_may_be_omitted:
                at = store.add_sparse(data, at, n_lines)
            elif not sparse_now:
                at = store.add_dense(data, at, n_lines)
            if store.may_be_rounded:  # only the texts tell
                self.look_again(block, start, at, first_line)
            if at == len(block):
                break
            end = block.index(b"\n", at)
            text = block[at:end].lstrip(_BLANK_BYTES)
            stopped_by_kind = text.startswith(_OPEN) != sparse_now
            if stopped_by_kind and text and not text.startswith(b"%"):
                sparse_now = not sparse_now
                continue
            row = self.read_line(text, first_line + block.count(b"\n", 0, at))
            if row is not None:
                store.add_row(row)
            at = end + 1

    def look_again(self, block: bytes, start: int, stop: int, first_line: int) -> None:
        """Read rows that the kernels have read once more, with care."""
        line = first_line + block.count(b"\n", 0, start)
        for place, text in enumerate(block[start:stop].splitlines()):
            self.read_line(text.lstrip(_BLANK_BYTES), line + place)

    def read_line(self, text: bytes, line: int) -> Row | None:
        """Return one row, read with care; None where the line holds none."""
        decoded = text.decode(self.header.encoding, "surrogateescape")
        try:
            return parse_row(decoded, self.columns)
        except ValueError as error:
            raise ReadError(f"{error}.", self.path, line) from None

    def dataset(self) -> Dataset:
        """Return the rows stored so far as a dataset, and forget them."""
        X, Y, weights = self.store.finish()
        attributes = self.columns.attributes
        features, labels = self.columns.features, self.columns.labels
        return Dataset(
            X,
            Y,
            tuple(attributes[a].name for a in features),
            tuple(attributes[a].name for a in labels),
            categories=tuple(attributes[a].categories for a in features),
            weights=weights,
            name=self.meka.name or PurePath(self.path).name.partition(".")[0] or "data",
            source=self.path,
        )


def _labels_of(
    header: Header,
    meka: MekaOptions,
    labels: LabelSpec,
    xml: str | PathLike[str] | None,
    path: str,
) -> list[int]:
    names = [attribute.name for attribute in header.attributes]
    xml_names = None
    if labels is None and xml is not None:
        xml_names = label_names_from_xml(xml)
    chosen = choose_labels(
        names,
        labels,
        xml_names=xml_names,
        meka=meka,
        raw_names=[attribute.raw for attribute in header.attributes],
        path=path,
    )
    if labels is None and xml_names is None and meka.filtered:
        warnings.warn(
            f"{path}: Weka filters changed this file after its relation was given "
            f"-C {meka.n_labels}; the labels taken, from {shown(names[chosen[0]])} to "
            f"{shown(names[chosen[-1]])}, may be the wrong ones. Give labels= or the "
            "MULAN XML to be sure.",
            UserWarning,
            stacklevel=4,
        )
    return chosen
