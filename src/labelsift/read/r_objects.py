"""Read R files: mldr objects, lists of x and y, data frames."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from labelsift.read.dataset import Categories, Dataset
from labelsift.read.errors import ReadError
from labelsift.read.frames import as_frame, table_from_frame
from labelsift.read.matrices import from_arrays
from labelsift.read.table import Labels, to_dataset

_DERIVED = (".labelcount", ".SCUMBLE")  # mldr computes these; they are no features


def read_r(
    content: bytes,
    labels: Labels,
    *,
    path: str,
    extension: str,
    name: str,
    source: str,
    **options: Any,
) -> Dataset:
    """Read ``.rda``, ``.RData`` or ``.rds``.

    Parameters
    ----------
    content : bytes
        The file, decompressed.
    labels : str, int or sequence of str, optional
        Label columns of a data frame; an mldr object and a list of x and y know theirs.
    path, name, source : str
        For messages and for the data set.
    extension : str
        ``".rds"`` or anything else.
    **options
        Passed to ``to_dataset``.

    Returns
    -------
    Dataset
        From the one mldr object, list with ``x`` and ``y``, or data frame in the file.

    Raises
    ------
    ReadError
        If ``rdata`` is not installed, the file is damaged, or it holds no such object.
    """
    objects = _objects(content, path, ".rds" if extension == ".rds" else ".rda")
    facts = {"path": path, "name": name, "source": source}
    for value in objects.values():
        if _has(value, "dataset", "labels"):
            return _from_mldr(_plain(value), path, labels, {**facts, **options})
    for value in objects.values():
        if _has(value, "x", "y"):
            return _from_list(_plain(value), labels, facts, options)
    for value in objects.values():
        frame = as_frame(value)
        if frame is not None:
            table = table_from_frame(frame, path)
            values: dict[str, Any] = {**facts, **options}
            return to_dataset(table, labels, **values)
    raise ReadError(
        "expected an mldr object, a list with x and y, or a data frame; it holds "
        f"{', '.join(sorted(objects)) or 'nothing'}.",
        path,
    )


def _objects(content: bytes, path: str, extension: str) -> dict[str, Any]:
    try:
        import rdata
    except ImportError as error:
        raise ReadError(
            'an R file needs rdata:  pip install "labelsift[rdata]".', path
        ) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of R classes that we take as plain lists
            parsed = rdata.parser.parse_data(content, extension=extension)
            try:
                found = rdata.conversion.convert(parsed, default_encoding="utf-8")
            except UnicodeDecodeError:
                found = rdata.conversion.convert(parsed, default_encoding="latin-1")
    # Damaged bytes make the parser raise nearly anything.
    except (Exception, RecursionError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ReadError(f"not a whole R file ({reason}).", path) from error
    if isinstance(found, dict) and not _has(found, "x", "y"):
        if _has(found, "dataset", "labels"):
            return {"object": found}
        return {str(key): value for key, value in found.items()}
    return {"object": found}


def _has(value: Any, *keys: str) -> bool:
    return isinstance(value, dict) and all(key in map(str, value) for key in keys)


def _plain(value: dict[Any, Any]) -> dict[str, Any]:
    return {str(key): part for key, part in value.items()}


def _from_mldr(
    mldr: dict[str, Any], path: str, labels: Labels, options: dict[str, Any]
) -> Dataset:
    frame = as_frame(mldr["dataset"])
    if frame is None:
        raise ReadError("the mldr object holds no data frame.", path)
    frame = frame.drop([name for name in _DERIVED if name in frame.columns])
    table = table_from_frame(frame, path)
    if labels is None:
        try:
            places = [int(i) - 1 for i in np.asarray(mldr["labels"]["index"])]
            if min(places) < 0:
                raise IndexError("an index below 1")
            labels = [str(frame.columns[i]) for i in sorted(places)]
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ReadError(
                f"labels$index of the mldr object is damaged ({error}).", path
            ) from error
    return to_dataset(table, labels, **options)


def _from_list(
    found: dict[str, Any],
    labels: Labels,
    facts: dict[str, Any],
    options: dict[str, Any],
) -> Dataset:
    given = [key for key, value in options.items() if value is not None]
    if labels is not None or given:
        raise ValueError(
            "an R list of x and y knows its labels; labels=, positive_value= and "
            "negative_value= do not apply."
        )
    names: Sequence[str] | None = None
    kinds: tuple[Categories, ...] = ()
    frame = as_frame(found["x"])
    if frame is not None:
        table = table_from_frame(frame, facts["path"])
        X, names, kinds = table.values, table.names, table.categories
    else:
        X = found["x"]
        names = _column_names(X)
        X = np.asarray(X)
    y = np.asarray(found["y"])
    if y.dtype == object:
        if any(value is None or value != value for value in y.ravel()):
            raise ReadError("the class y is missing somewhere.", facts["path"])
        y = y.astype(str)
    return from_arrays(X, y, feature_names=names, categories=kinds, **facts)


def _column_names(X: Any) -> list[str] | None:
    """Return the column names of an R matrix (an xarray), if they part the columns."""
    if not hasattr(X, "coords") or len(getattr(X, "dims", ())) != 2:
        return None
    names = X.coords.get(X.dims[1])
    texts = None if names is None else [str(name) for name in np.asarray(names)]
    return texts if texts and len(set(texts)) == len(texts) else None
