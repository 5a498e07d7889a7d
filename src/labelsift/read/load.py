"""One function that reads every format."""

from __future__ import annotations

from typing import Any

from labelsift.read.dataset import Dataset
from labelsift.read.delimited import read_delimited
from labelsift.read.embedded import load_yeast
from labelsift.read.opener import open_data
from labelsift.read.table import Labels, to_dataset


def load_dataset(
    source: Any,
    *,
    labels: Labels = None,
    positive_value: Any = None,
    negative_value: Any = None,
    name: str | None = None,
    max_bytes: int | None = None,
) -> Dataset:
    """Read a data set with several labels a row.

    Parameters
    ----------
    source : str, path-like or binary file object
        A CSV or TSV file, plain or compressed, or ``"yeast"``.
    labels : str, int or sequence of str, optional
        Which columns are labels: names, or a count (the last n, or the first n where
        negative).
    positive_value, negative_value : optional
        The one label value that means 1, or the one that means 0.
    name : str, optional
        Name of the data set; default: the file's.
    max_bytes : int, optional
        Most bytes a compressed file may expand to; default 4 GiB.

    Returns
    -------
    Dataset
        X, Y and their names.

    Raises
    ------
    ReadError
        If anything in the file is not as it must be.
    """
    if source == "yeast":
        return load_yeast()
    with open_data(source, max_bytes) as opened:
        table = read_delimited(
            opened.stream,
            path=opened.path,
            delimiter="\t" if opened.suffix == ".tsv" else None,
        )
        return to_dataset(
            table,
            labels,
            path=opened.path,
            positive_value=positive_value,
            negative_value=negative_value,
            name=name or opened.stem,
            source=opened.path,
        )
