"""Write a data set: to a new file first, then in place of the old one."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from labelsift.read.arff_writer import write_arff, write_mulan_xml
from labelsift.read.dataset import Dataset, dense_columns
from labelsift.read.delimited import MISSING, looks_like_data
from labelsift.read.formats import format_of
from labelsift.read.frames import write_parquet
from labelsift.read.npz import write_npz
from labelsift.read.opener import COMPRESSED_SUFFIXES, split_name
from labelsift.read.sparse_text import write_svmlight
from labelsift.read.whole_file import whole_file

_WRITABLE = {".arff", ".csv", ".tsv", ".parquet", ".npz", ".svm", ".svmlight"}
_BLOCK_ROWS = 1024


def save_dataset(dataset: Dataset, path: str | os.PathLike[str]) -> None:
    """Write a data set in the format of the file's ending.

    Parameters
    ----------
    dataset : Dataset
        What to write.
    path : str or path-like
        Ends in .arff (a .xml with the labels is written beside it), .csv, .tsv,
        .parquet, .npz, .svm or .svmlight; and further in .gz, .bz2 or .xz where the
        format does not compress by itself.

    Raises
    ------
    ValueError
        If the ending is not known, or the format cannot hold these names or values.

    Warns
    -----
    UserWarning
        If the format has no place for test costs or weights.

    Notes
    -----
    ``.npz`` and ``.parquet`` give back everything, ``.svm`` all but stored zeros,
    ``.arff`` all but test costs, ``.csv`` values and names, and the categories of a
    nominal feature in sorted order. A reader never sees half a file.
    """
    target = Path(os.path.realpath(path))
    stem, _ = split_name(target.name)
    packing = target.suffix.lower()
    kind = format_to_write(target)
    _warn_of_losses(dataset, kind, target.name)
    writers: dict[str, Callable[[Dataset, BinaryIO], None]] = {
        "csv": _write_csv,
        "tsv": _write_tsv,
        "parquet": write_parquet,
        "npz": write_npz,
        "svmlight": write_svmlight,
    }
    with ExitStack() as stack:
        if kind == "arff":
            beside = whole_file(target.with_name(f"{stem}.xml"), binary=True)
            write_mulan_xml(dataset, stack.enter_context(beside))
            writers["arff"] = write_arff
        stream = stack.enter_context(whole_file(target, binary=True))
        with _packed(cast(BinaryIO, stream), packing) as packed:
            writers[kind](dataset, packed)


def format_to_write(path: Path) -> str:
    """Return the format that the ending of a file asks for.

    Parameters
    ----------
    path : Path
        Name of a file to be written.

    Raises
    ------
    ValueError
        If there is no such format to write.
    """
    _, suffix = split_name(path.name)
    packing = path.suffix.lower()
    if suffix not in _WRITABLE:
        raise ValueError(
            f"cannot write {path.name!r}: the name must end in one of "
            f"{', '.join(sorted(_WRITABLE))}, before .gz, .bz2 or .xz."
        )
    if suffix in (".npz", ".parquet") and packing in COMPRESSED_SUFFIXES:
        raise ValueError(f"{suffix} is compressed by itself; leave out {packing!r}.")
    return format_of(suffix, b"", path.name)


@contextmanager
def _packed(stream: BinaryIO, packing: str) -> Iterator[BinaryIO]:
    packer: Any
    if packing == ".gz":  # no name and no time inside: same data, same bytes
        packer = gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0)
    elif packing == ".bz2":
        packer = bz2.BZ2File(stream, "wb")
    elif packing == ".xz":
        packer = lzma.LZMAFile(stream, "wb")
    else:
        yield stream
        return
    with packer:
        yield cast(BinaryIO, packer)


def _warn_of_losses(dataset: Dataset, kind: str, name: str) -> None:
    lost = []
    if kind in ("csv", "tsv", "arff") and dataset.test_costs is not None:
        lost.append("test costs")
    if kind in ("csv", "tsv") and dataset.weights is not None:
        lost.append("instance weights")
    if lost:
        warnings.warn(
            f"{name}: {' and '.join(lost)} are not kept in this format; .npz keeps "
            "them.",
            UserWarning,
            stacklevel=3,
        )


def _write_csv(dataset: Dataset, stream: BinaryIO) -> None:
    _write_delimited(dataset, stream, ",")


def _write_tsv(dataset: Dataset, stream: BinaryIO) -> None:
    _write_delimited(dataset, stream, "\t")


def _write_delimited(dataset: Dataset, stream: BinaryIO, delimiter: str) -> None:
    names = [*dataset.feature_names, *dataset.label_names]
    _check_texts(dataset, names)
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(names)
    for start in range(0, dataset.n_samples, _BLOCK_ROWS):
        rows = slice(start, start + _BLOCK_ROWS)
        X, Y = dataset.X[rows], dataset.Y[rows]
        columns = [
            _cells(column, kinds)
            for column, kinds in zip(dense_columns(X), dataset.categories, strict=True)
        ]
        columns += [column.tolist() for column in dense_columns(Y)]
        writer.writerows(zip(*columns, strict=True))
    text.detach()


def _cells(values: np.ndarray[Any, Any], kinds: tuple[str, ...] | None) -> list[Any]:
    if kinds is not None:
        return ["" if code != code else kinds[int(code)] for code in values.tolist()]
    numbers = values.astype(np.float64)
    whole = (np.abs(numbers) < 2**53) & (np.floor(numbers) == numbers)
    whole &= ~((numbers == 0) & np.signbit(numbers))
    return [
        int(value) if is_whole else ("" if value != value else value)
        for value, is_whole in zip(numbers.tolist(), whole.tolist(), strict=True)
    ]


def _check_texts(dataset: Dataset, names: list[str]) -> None:
    remedy = "Save as .npz, which keeps it."
    if len(set(names)) < len(names):
        twice = min(set(dataset.feature_names) & set(dataset.label_names))
        raise ValueError(f"{twice!r} is both a feature and a label. {remedy}")
    for name in names:
        if not name or name != name.strip():
            raise ValueError(
                f"CSV cannot keep the blanks of the name {name!r}. {remedy}"
            )
    if looks_like_data(names):
        raise ValueError(f"every name is a number; CSV takes them for data. {remedy}")
    for name, kinds in zip(dataset.feature_names, dataset.categories, strict=True):
        for kind in kinds or ():
            if kind in MISSING or kind != kind.strip():
                raise ValueError(
                    f"CSV cannot keep the value {kind!r} of {name!r}. {remedy}"
                )
