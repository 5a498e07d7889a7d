"""ARFF and MULAN XML files from a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, Any
from xml.sax.saxutils import quoteattr

import numpy as np
from scipy import sparse as scipy_sparse

from labelsift.read.arff_text import quote
from labelsift.read.dataset import Dataset
from labelsift.read.label_spec import LABELS_NAMESPACE, meka_options

_ROWS_AT_ONCE = 1024


def write_arff(
    dataset: Dataset, stream: IO[Any], *, sparse: bool | None = None
) -> None:
    """Write features and then labels as ARFF; `read_arff` gives the same back.

    The relation ends in MEKA's ``-C``, so that the labels are known without the XML.
    Test costs have no place in ARFF and are left out.

    Parameters
    ----------
    dataset : Dataset
        Numeric values must be finite or NaN (written ``?``), nominal ones positions
        in their categories.
    stream : binary or text file
        Binary gets UTF-8.
    sparse : bool, optional
        Rows that list only what is not 0. Default: as X is.

    Raises
    ------
    ValueError
        If a value is infinite, or no position in the categories of its feature.
    """
    as_sparse = scipy_sparse.issparse(dataset.X) if sparse is None else bool(sparse)
    write = _text_writer(stream)
    write(f"@relation {quote(_relation(dataset))}\n\n")
    for name, categories in zip(dataset.feature_names, dataset.categories, strict=True):
        values = "numeric"
        if categories is not None:
            values = "{" + ",".join(map(quote, categories)) + "}"
        write(f"@attribute {quote(name)} {values}\n")
    for name in dataset.label_names:
        write(f"@attribute {quote(name)} {{0,1}}\n")
    write("\n@data\n")
    texts = [
        None if categories is None else [quote(value) for value in categories]
        for categories in dataset.categories
    ]
    rows = _sparse_rows if as_sparse else _dense_rows
    for start in range(0, dataset.n_samples, _ROWS_AT_ONCE):
        stop = min(start + _ROWS_AT_ONCE, dataset.n_samples)
        lines = rows(dataset, start, stop, texts)
        if dataset.weights is not None:
            weights = map(_number, dataset.weights[start:stop].tolist())
            lines = (
                f"{line}, {{{weight}}}"
                for line, weight in zip(lines, weights, strict=True)
            )
        write("".join(f"{line}\n" for line in lines))


def write_mulan_xml(dataset: Dataset, stream: IO[Any]) -> None:
    """Write the names of the labels as MULAN's XML.

    Parameters
    ----------
    dataset : Dataset
    stream : binary or text file
        Binary gets UTF-8.

    Raises
    ------
    ValueError
        If a name holds a character that XML has no way to write.
    """
    write = _text_writer(stream)
    write('<?xml version="1.0" encoding="utf-8"?>\n')
    write(f'<labels xmlns="{LABELS_NAMESPACE}">\n')
    for name in dataset.label_names:
        if any((c < " " and c not in "\t\n\r") or c in "\ufffe\uffff" for c in name):
            raise ValueError(f"XML cannot hold the label name {name!r}; rename it.")
        write(f"<label name={quoteattr(name)}></label>\n")
    write("</labels>\n")


def _text_writer(stream: IO[Any]) -> Callable[[str], object]:
    if hasattr(stream, "encoding"):
        return stream.write
    return lambda text: stream.write(text.encode("utf-8"))


def _relation(dataset: Dataset) -> str:
    """Return the name with MEKA's count of labels, and without an older one."""
    name = meka_options(dataset.name).name
    return f"{name}: -C -{dataset.n_labels}" if dataset.n_labels else name


def _number(value: float) -> str:
    """Return the shortest text that reads back as the same double."""
    if value != value:
        return "?"
    text = repr(value)
    if text in ("inf", "-inf"):
        raise ValueError("ARFF cannot hold an infinite value; replace it by NaN.")
    return text.removesuffix(".0")


def _nominal(value: float, texts: list[str]) -> str:
    if value != value:
        return "?"
    code = int(value) if abs(value) < 2**53 else -1
    if code != value or not 0 <= code < len(texts):
        raise ValueError(
            f"a nominal feature holds {value:g}; expected a position in its "
            f"{len(texts)} categories, from 0 to {len(texts) - 1}."
        )
    return texts[code]


def _dense_rows(
    dataset: Dataset, start: int, stop: int, texts: list[list[str] | None]
) -> Iterator[str]:
    X, Y = dataset.X[start:stop], dataset.Y[start:stop]
    X = X.toarray() if scipy_sparse.issparse(X) else X
    Y = Y.toarray() if scipy_sparse.issparse(Y) else Y
    nominal = [(j, known) for j, known in enumerate(texts) if known is not None]
    for values, labels in zip(X.astype(np.float64).tolist(), Y.tolist(), strict=True):
        words = list(map(_number, values))
        for j, known in nominal:
            words[j] = _nominal(values[j], known)
        words.extend(map(str, labels))
        yield ",".join(words)


def _sparse_rows(
    dataset: Dataset, start: int, stop: int, texts: list[list[str] | None]
) -> Iterator[str]:
    X = scipy_sparse.csr_array(dataset.X[start:stop])
    Y = scipy_sparse.csr_array(dataset.Y[start:stop])
    d = dataset.n_features
    for i in range(stop - start):
        words = []
        cells = slice(X.indptr[i], X.indptr[i + 1])
        values = X.data[cells].astype(np.float64).tolist()
        for j, value in zip(X.indices[cells].tolist(), values, strict=True):
            if value == 0.0:
                continue
            known = texts[j]
            text = _number(value) if known is None else _nominal(value, known)
            words.append(f"{j} {text}")
        chosen = Y.indices[Y.indptr[i] : Y.indptr[i + 1]]
        words.extend(f"{d + k} 1" for k in chosen.tolist())
        yield "{" + ",".join(words) + "}"
