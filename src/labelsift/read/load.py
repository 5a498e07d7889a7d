"""One function that reads every format."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from labelsift.read.arff import read_arff
from labelsift.read.call_text import call_text
from labelsift.read.catalog import known_set, load_known
from labelsift.read.catalog_sets import KNOWN_SETS, KnownSet
from labelsift.read.costs import costs_by_feature
from labelsift.read.dataset import Dataset, as_loaded
from labelsift.read.delimited import read_delimited
from labelsift.read.errors import ReadError
from labelsift.read.formats import format_of
from labelsift.read.frames import as_frame, from_frame, from_pair, read_parquet
from labelsift.read.label_spec import label_names_from_xml, xml_beside
from labelsift.read.matlab import read_matlab
from labelsift.read.npz import read_npz
from labelsift.read.opener import MAX_BYTES, OpenFile, open_data
from labelsift.read.r_objects import read_r
from labelsift.read.sparse_blocks import read_extreme
from labelsift.read.sparse_text import read_svmlight
from labelsift.read.table import to_dataset

_OPTIONS = {
    "csv": ("delimiter", "header", "nominal"),
    "tsv": ("header", "nominal"),
    "svmlight": ("zero_based", "n_features"),
}
_TITLES = {
    "arff": "ARFF", "csv": "CSV", "tsv": "TSV", "parquet": "Parquet", "npz": "NumPy",
    "mat": "MATLAB", "svmlight": "svmlight", "xc": "extreme classification",
    "rdata": "R",
}  # fmt: skip


def load_dataset(
    source: Any,
    *,
    labels: Any = None,
    xml: Any = None,
    format: str | None = None,
    split: str | None = None,
    costs: Any = None,
    positive_value: str | None = None,
    negative_value: str | None = None,
    name: str | None = None,
    max_bytes: int = MAX_BYTES,
    **options: Any,
) -> Dataset:
    """Read a data set with several labels a row, whatever its format.

    Parameters
    ----------
    source : str, path-like, binary file, data frame, or pair (X, Y)
        A file; a pandas, polars or pyarrow table; features and labels; or the name of
        a known set such as ``"yeast"`` (installed with ``labelsift[demo]``) or
        ``"emotions"`` (see ``labelsift.read.catalog``). A file of that name wins.
        Formats: ARFF, CSV, TSV, Parquet, NumPy ``.npz``, MATLAB ``.mat``, svmlight,
        the extreme-classification repository's text, R ``.rda``; told from the name
        and the content, and each also as .gz, .bz2 or .xz.
    labels : sequence of str, str, int or path-like, optional
        Which columns are labels: names; a count, the last n or the first n where
        negative; or a MULAN XML file. ``[]`` reads every column as a feature. Not
        needed where the file says it: an ARFF file with an XML beside it or ``-C`` in
        its relation, svmlight, ``.npz`` and R. In svmlight it lists all label names;
        in a ``.mat`` file it may name the variable. The file decides the order.
    xml : path-like, optional
        MULAN label list; default: ``NAME.xml`` beside ``NAME.arff``,
        ``NAME-train.arff`` or ``NAME-test.arff``.
    format : str, optional
        One of ``labelsift.read.formats.FORMATS``, where neither name nor content tell.
    split : {"train", "test"}, optional
        The published part of a known set.
    costs : array-like, mapping or path, optional
        What measuring each feature costs: in feature order, by name, or a CSV file of
        ``feature,cost`` lines.
    positive_value, negative_value : str, optional
        The one label value that means 1, or the one that means 0.
    name : str, optional
        Name of the data set; default: the file's.
    max_bytes : int, default=4 GiB
        Most bytes that a compressed file, or a compressed part of one, may expand to.
    **options
        For CSV ``delimiter``, ``header`` (bool) and ``nominal`` (column names), for
        svmlight ``zero_based`` (bool) and ``n_features``.

    Returns
    -------
    Dataset
        X, Y, names and kinds of the features.

    Raises
    ------
    ReadError
        If anything in the file is not as it must be; names file, line and remedy.
    TypeError
        If an option is not one of the format's.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [31, 45], "flu": [0, 1], "cold": [1, 1]})
    >>> data = load_dataset(frame, labels=["flu", "cold"])
    >>> data.feature_names, data.label_names
    (('age',), ('flu', 'cold'))
    """
    given = {
        "labels": labels,
        "xml": xml,
        "format": format,
        "split": split,
        "costs": costs,
        "positive_value": positive_value,
        "negative_value": negative_value,
        "name": name,
        "max_bytes": None if max_bytes == MAX_BYTES else max_bytes,
        **options,
    }
    if isinstance(labels, os.PathLike) or _is_xml_name(labels):
        if xml is not None:
            raise ValueError("labels= and xml= both name a label list; give one.")
        labels, xml = None, labels
    values = {"positive_value": positive_value, "negative_value": negative_value}
    dataset = None
    if not isinstance(source, str | os.PathLike) and not hasattr(source, "read"):
        _refuse("a table in memory", xml=xml, format=format, split=split, **options)
        dataset = _from_memory(source, labels, values)
    elif isinstance(source, str) and not os.path.exists(source):
        known = known_set(source)
        if known is not None:
            _refuse(
                "a known set",
                labels=labels,
                xml=xml,
                format=format,
                **values,
                **options,
            )
            dataset = _by_name(known, split, max_bytes)
        elif not os.path.dirname(source) and "." not in source:
            near = difflib.get_close_matches(source.lower(), KNOWN_SETS, n=2)
            hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise ReadError(
                f"there is no such file, and no known set of this name.{hint}", source
            )
    if dataset is None:
        _refuse("a file", split=split)
        with open_data(source, max_bytes) as opened:
            dataset = _from_file(
                opened, labels, xml, format, values, max_bytes, options
            )
    if name is not None:
        dataset = replace(dataset, name=name)
    if costs is not None:
        dataset = replace(
            dataset,
            test_costs=costs_by_feature(costs, dataset.feature_names, dataset.name),
        )
    return as_loaded(dataset, call_text("load_dataset", source, given))


def _from_file(
    opened: OpenFile,
    labels: Any,
    xml: Any,
    asked: str | None,
    values: dict[str, Any],
    max_bytes: int,
    options: dict[str, Any],
) -> Dataset:
    path = opened.path
    kind = format_of(opened.suffix, opened.peek(), path, asked)
    _refuse_options(kind, options)
    if kind not in ("arff", "csv", "tsv", "parquet"):
        _refuse(f"a {_TITLES[kind]} file", xml=xml)
    if kind == "arff" and labels is None and xml is None and opened.folder is not None:
        xml = xml_beside(opened.folder / (opened.stem + opened.suffix))
    facts = {
        "name": opened.stem,
        "source": f"{path}: {_TITLES[kind]}"
        + (f", labels from {Path(str(xml)).name}" if xml is not None else ""),
    }
    if kind == "arff":
        found = read_arff(opened.stream, path=path, labels=labels, xml=xml, **values)
        return replace(found, name=facts["name"], source=facts["source"])
    if xml is not None:
        names = label_names_from_xml(xml)
        labels = names if labels is None else labels
    where: dict[str, Any] = {"path": path, **facts}
    if kind in ("csv", "tsv"):
        if kind == "tsv":
            options = {"delimiter": "\t", **options}
        if isinstance(labels, str) or (labels is not None and isinstance(labels, list)):
            options.setdefault("header", True)  # names are given: there are names
        table = read_delimited(opened.stream, path=path, **options)
        return to_dataset(table, labels, **where, **values)
    if kind == "svmlight":
        _refuse("an svmlight file", **values)
        listed = _listed(labels)
        return read_svmlight(
            opened.stream, labels=listed, max_bytes=max_bytes, **where, **options
        )
    if kind == "xc":
        _refuse("an extreme-classification file", labels=labels, **values)
        return read_extreme(opened.stream, max_bytes=max_bytes, **where)
    content = opened.stream.read()
    if kind == "npz":
        _refuse("an .npz file", labels=labels, **values)
        return read_npz(content, max_bytes=max_bytes, **where)
    if kind == "parquet":
        return read_parquet(content, labels, max_bytes=max_bytes, **where, **values)
    if kind == "mat":
        return read_matlab(content, labels, max_bytes=max_bytes, **where, **values)
    return read_r(content, labels, extension=opened.suffix, **where, **values)


def _from_memory(source: Any, labels: Any, values: dict[str, Any]) -> Dataset:
    if isinstance(source, Dataset):
        raise TypeError("source is a Dataset already; use it as it is.")
    if isinstance(source, tuple | list) and len(source) == 2:
        _refuse("a pair (X, Y)", labels=labels, **values)
        return from_pair(*source, path="(X, Y)", name="data", source="memory")
    frame = as_frame(source)
    if frame is None:
        raise TypeError(
            "source must be a path, a binary file, a data frame, a pair (X, Y) or the "
            f"name of a known set; found {type(source).__name__}."
        )
    facts = {"name": "data", "source": "a data frame"}
    return from_frame(frame, labels, path="the data frame", **facts, **values)


def _by_name(known: KnownSet, split: str | None, max_bytes: int) -> Dataset:
    def read(path: Path, **spec: Any) -> Dataset:
        return load_dataset(path, max_bytes=max_bytes, **spec)

    return load_known(known, read, split)


def _is_xml_name(labels: Any) -> bool:
    return isinstance(labels, str) and labels.lower().endswith(".xml")


def _listed(labels: Any) -> Sequence[str] | None:
    if isinstance(labels, int):
        raise ValueError(
            "svmlight rows name their labels; labels= must list all names."
        )
    return [labels] if isinstance(labels, str) else labels


def _refuse(what: str, **given: Any) -> None:
    for key, value in given.items():
        if value is not None:
            raise ValueError(f"{key}= does not apply to {what}.")


def _refuse_options(kind: str, options: dict[str, Any]) -> None:
    allowed = _OPTIONS.get(kind, ())
    for key in options:
        if key not in allowed:
            known = ", ".join(allowed) or "none"
            raise TypeError(
                f"load_dataset has no option {key!r} for {_TITLES[kind]} files; "
                f"further options here: {known}."
            )
