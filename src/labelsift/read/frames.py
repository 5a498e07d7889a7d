"""Data frames and Parquet files to a table of columns."""

from __future__ import annotations

import io
import warnings
from typing import Any, BinaryIO

import narwhals.stable.v2 as nw
import numpy as np

from labelsift.read.dataset import Categories, Dataset, dense_columns
from labelsift.read.errors import ReadError
from labelsift.read.facts import dump_facts, parse_facts
from labelsift.read.matrices import from_arrays
from labelsift.read.rounding import refuse_in_column
from labelsift.read.table import Labels, Table, to_dataset

_KEY = b"labelsift"
PARQUET_REMEDY = 'Parquet needs pyarrow:  pip install "labelsift[parquet]"'


def as_frame(source: Any) -> Any:
    """Return a narwhals data frame for a pandas, polars or pyarrow table, else None.

    Parameters
    ----------
    source : object
        Anything; a lazy frame is collected.
    """
    frame = nw.from_native(source, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    return frame if isinstance(frame, nw.DataFrame) else None


def table_from_frame(frame: Any, path: str, first_row: int = 0) -> Table:
    """Return the columns of a narwhals data frame.

    Parameters
    ----------
    frame : narwhals DataFrame
        Numbers and booleans become numeric; text (values sorted) and categorical
        columns (values as listed) nominal; dates and nested columns are left out.
    path : str
        For messages.
    first_row : int, default=0
        Rows of all data that lie before these.

    Raises
    ------
    ReadError
        If a column mixes text with numbers, or holds whole numbers that no float64
        holds, or names repeat.

    Warns
    -----
    UserWarning
        Once, naming the columns left out.
    """
    names: list[str] = []
    columns: list[np.ndarray[Any, Any]] = []
    kinds: list[Categories] = []
    dropped: list[str] = []
    seen: set[str] = set()
    for original, series in zip(frame.columns, frame.iter_columns(), strict=True):
        name = str(original)
        if name in seen:
            raise ReadError(f"the column name {name!r} occurs twice.", path)
        seen.add(name)
        found = _column(series, name, path, first_row)
        if found is None:
            dropped.append(name)
            continue
        names.append(name)
        columns.append(found[0])
        kinds.append(found[1])
    if dropped:
        warnings.warn(
            f"{path}: columns of dates, nested or unknown values are left out: "
            f"{', '.join(map(repr, dropped))}.",
            UserWarning,
            stacklevel=2,
        )
    values = np.empty((len(frame), len(names)))
    for j, column in enumerate(columns):
        values[:, j] = column
    return Table(values, tuple(names), tuple(kinds))


def from_frame(frame: Any, labels: Labels, *, path: str, **options: Any) -> Dataset:
    """Return a data set from a narwhals data frame that holds features and labels.

    Parameters
    ----------
    frame : narwhals DataFrame
        As in ``table_from_frame``.
    labels : str, int or sequence of str
        As in ``label_columns``.
    path : str
        For messages.
    **options
        Passed to ``to_dataset``.
    """
    return to_dataset(table_from_frame(frame, path), labels, path=path, **options)


def from_pair(X: Any, Y: Any, *, path: str, **facts: Any) -> Dataset:
    """Return a data set from X and Y, each an array, sparse matrix or data frame.

    Parameters
    ----------
    X : array-like, sparse matrix or data frame
        Features.
    Y : array-like, sparse matrix, data frame or series
        0/1 labels or a class vector.
    path : str
        For messages.
    **facts
        Other fields of ``Dataset``.
    """
    label_names = None
    label_frame = as_frame(Y)
    if label_frame is not None:
        table = table_from_frame(label_frame, path)
        both = Table(
            np.hstack([np.empty((len(table.values), 1)), table.values]),
            ("\0", *table.names),
            (None, *table.categories),
        )
        split = to_dataset(both, len(table.names), path=path)
        Y, label_names = split.Y, split.label_names
    else:
        series = nw.from_native(Y, pass_through=True, allow_series=True)
        Y = series.to_numpy() if isinstance(series, nw.Series) else Y
    if isinstance(Y, np.ndarray) and Y.dtype.kind == "O":
        Y = np.asarray([str(value) for value in np.ravel(Y)]).reshape(np.shape(Y))
    feature_frame = as_frame(X)
    if feature_frame is None:
        return from_arrays(X, Y, path=path, label_names=label_names, **facts)
    features = table_from_frame(feature_frame, path)
    return from_arrays(
        features.values,
        Y,
        path=path,
        feature_names=features.names,
        label_names=label_names,
        categories=features.categories,
        **facts,
    )


def read_parquet(
    content: bytes, labels: Labels, *, path: str, max_bytes: int, **options: Any
) -> Dataset:
    """Read a Parquet file; one that labelsift wrote knows its labels.

    Parameters
    ----------
    content : bytes
        The whole file.
    labels : str, int or sequence of str, optional
        As in ``label_columns``; not needed for a file that labelsift wrote.
    path : str
        For messages.
    max_bytes : int
        Most bytes that the columns may unpack to.
    **options
        Passed to ``to_dataset``.

    Raises
    ------
    ReadError
        If pyarrow is not there, or the file is damaged or too large.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ReadError(f"{PARQUET_REMEDY}.", path) from error
    try:
        opened = parquet.ParquetFile(io.BytesIO(content))
        meta = opened.metadata
        size = max(
            sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups)),
            meta.num_rows * meta.num_columns * 8,
        )
        if size > max_bytes:
            raise ReadError(
                f"unpacks to {size} bytes, more than the limit of {max_bytes}; if the "
                "file is honest, allow more with max_bytes=.",
                path,
            )
        native = opened.read()
        native.validate(full=True)  # texts from a file may not be UTF-8
    except (pyarrow.ArrowException, OSError, ValueError, MemoryError) as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"not a whole Parquet file ({error}).", path) from error
    text = (native.schema.metadata or {}).get(_KEY)
    table = table_from_frame(nw.from_native(native), path)
    if text is None or labels is not None:
        return to_dataset(table, labels, path=path, **options)
    facts = parse_facts(text, path)
    plain = to_dataset(table, facts["label_names"], path=path)
    X = _recoded(plain, facts, path)
    return from_arrays(X, plain.Y, path=path, **facts)


def write_parquet(dataset: Dataset, stream: BinaryIO) -> None:
    """Write one column a feature and a label, and what the columns cannot say.

    Parameters
    ----------
    dataset : Dataset
        Sparse parts are written dense.
    stream : BinaryIO
        Where to.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError(f"{PARQUET_REMEDY}.") from error
    clash = set(dataset.feature_names) & set(dataset.label_names)
    if clash:
        raise ValueError(
            f"{min(clash)!r} is both a feature and a label; Parquet needs different "
            "names. Save as .npz."
        )
    arrays: list[Any] = []
    columns = zip(dense_columns(dataset.X), dataset.categories, strict=True)
    for values, kinds in columns:
        missing = np.isnan(values) if values.dtype.kind == "f" else None
        if kinds is None:
            arrays.append(pyarrow.array(values, mask=missing))
            continue
        codes = np.where(np.isnan(values), 0, values).astype(np.int32)
        coded = pyarrow.array(codes, mask=missing)
        arrays.append(pyarrow.DictionaryArray.from_arrays(coded, list(kinds)))
    arrays += [pyarrow.array(column) for column in dense_columns(dataset.Y)]
    table = pyarrow.Table.from_arrays(
        arrays, names=[*dataset.feature_names, *dataset.label_names]
    ).replace_schema_metadata({_KEY: dump_facts(dataset)})
    parquet.write_table(table, stream)


def _recoded(plain: Dataset, facts: dict[str, Any], path: str) -> np.ndarray[Any, Any]:
    """Give nominal codes back their order: Parquet keeps values, not their order."""
    if plain.feature_names != facts["feature_names"]:
        raise ReadError("its columns are not those that its description names.", path)
    X = np.array(plain.X)
    for j, kinds in enumerate(facts["categories"]):
        found = plain.categories[j]
        if kinds is None or found == kinds:
            continue
        place = {kind: float(i) for i, kind in enumerate(kinds)}
        if found is None or not set(found) <= set(place):
            raise ReadError(
                f"column {plain.feature_names[j]!r} holds values that its description "
                "does not list.",
                path,
            )
        position = np.array([*(place[kind] for kind in found), np.nan])
        codes = X[:, j]
        X[:, j] = position[np.where(np.isnan(codes), -1, codes).astype(np.intp)]
    return X


def _column(
    series: Any, name: str, path: str, first_row: int
) -> tuple[np.ndarray[Any, Any], Categories] | None:
    kind = series.dtype
    if kind.is_numeric() or kind == nw.Boolean:
        return _numbers(series, name, path, first_row), None
    if kind in (nw.Categorical, nw.Enum):
        return _categorical(series, name, path)
    if kind == nw.String:
        return _codes(_values(series), None, name, path)
    if kind in (nw.Object, nw.Unknown):
        values = _values(series)
        present = [v for v in values if v is not None and v == v]
        if all(isinstance(v, str) for v in present):
            return _codes(values, None, name, path)
        refuse_in_column(values, name, path, first_row)
        try:
            return np.array([np.nan if v is None else v for v in values], float), None
        except (TypeError, ValueError) as error:
            if any(isinstance(v, str) for v in present):
                raise ReadError(
                    f"column {name!r} mixes text with other values; convert it to one "
                    "type.",
                    path,
                ) from error
    return None


def _numbers(series: Any, name: str, path: str, first_row: int) -> np.ndarray[Any, Any]:
    if series.dtype == nw.Decimal or series.null_count():
        listed = _values(series)
        refuse_in_column(listed, name, path, first_row)
        return np.array([np.nan if v is None else float(v) for v in listed])
    values = np.asarray(series.to_numpy())
    refuse_in_column(values, name, path, first_row)
    return values.astype(np.float64)


def _values(series: Any) -> list[Any]:
    """Return the values of a column, None for what is missing: pandas has NA too."""
    absent = series.is_null().to_list()
    pairs = zip(series.to_list(), absent, strict=True)
    return [None if missing else value for value, missing in pairs]


def _categorical(
    series: Any, name: str, path: str
) -> tuple[np.ndarray[Any, Any], tuple[str, ...]]:
    native = series.to_native()
    if hasattr(native, "unify_dictionaries"):  # pyarrow: the codes are at hand
        coded = native.unify_dictionaries().combine_chunks()
        chunks = getattr(coded, "chunks", [coded])
        listed = chunks[0].dictionary.to_pylist() if chunks else []
        codes = [chunk.indices.cast("float64").fill_null(np.nan) for chunk in chunks]
        values = np.concatenate([np.empty(0), *(np.asarray(c) for c in codes)])
    elif hasattr(getattr(native, "cat", None), "codes"):  # pandas
        listed = native.cat.categories.tolist()
        values = np.asarray(native.cat.codes, dtype=np.float64)
        values[values < 0] = np.nan
    else:
        kinds = tuple(series.cat.get_categories().to_list())
        return _codes(_values(series), kinds, name, path)
    texts = tuple(str(value) for value in listed)
    if len(set(texts)) < len(texts):
        raise ReadError(f"column {name!r} lists a category twice.", path)
    return values, texts


def _codes(
    values: list[Any], listed: tuple[str, ...] | None, name: str, path: str
) -> tuple[np.ndarray[Any, Any], tuple[str, ...]]:
    texts = [None if v is None or v != v else str(v) for v in values]
    kinds = listed or tuple(sorted({text for text in texts if text is not None}))
    if len(set(kinds)) < len(kinds):
        raise ReadError(f"column {name!r} lists a category twice.", path)
    place = {kind: float(i) for i, kind in enumerate(kinds)}
    codes = [np.nan if text is None else place[text] for text in texts]
    return np.array(codes, dtype=np.float64), kinds
