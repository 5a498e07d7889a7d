"""Read a damaged file in every way there is, and say what was not as promised."""

import io
import os
import time
import warnings
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import numpy as np
from scipy import sparse

from labelsift.read import ReadError, arff_store, delimited, load_dataset, read_blocks
from labelsift.read.costs import check_costs_file
from labelsift.read.label_spec import label_names_from_xml

MAX_BYTES = 2**25
"""What a damaged file may expand to."""


class Named(io.BytesIO):
    """Bytes with the name of a file."""

    def __init__(self, content, name):
        super().__init__(content)
        self.name = name


def complaints(seed, content, rng, seconds=2.0):
    """Return what is wrong with how a content is read (nothing, if all is well).

    Returns also whether it was read; if not, ``ReadError`` was raised.
    """
    found = []
    start = time.process_time()
    whole = _attempt(found, lambda: _read(seed, content))
    if seed.kind not in ("xml", "costs"):
        if whole is not None:
            found += _unsound(whole, seed.options.get("labels") != [])
        if seed.kind in ("arff", "csv", "tsv") and rng.random() < 0.15:
            with _care_only():
                careful = _attempt(found, lambda: _read(seed, content))
            found += _different(whole, careful, "the careful reader")
        if rng.random() < 0.05:
            blocks = _attempt(found, lambda: _in_blocks(seed, content, whole))
            if whole is not None and blocks is not None:
                found += _different(whole, blocks, "blocks")
    took = time.process_time() - start
    if took > seconds:
        found.append(f"took {took:.1f} s")
    return found, whole is not None


def _attempt(found, read):
    """Return what a reader gives, None if it refuses; note any other exception."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", UserWarning)
            return read()
    except ReadError as error:
        text = str(error)
        if not text.isprintable() and not text.isspace():
            found.append(f"message with control characters: {text!r}")
        if len(text) > 1500:
            found.append(f"message of {len(text)} characters: {text[:200]!r}")
        return None
    except Exception as error:
        if _is_wrong_option(error):
            return None
        import traceback

        where = traceback.extract_tb(error.__traceback__)[-1]
        ours = [f for f in traceback.extract_tb(error.__traceback__)
                if "labelsift" in f.filename]  # fmt: skip
        last = ours[-1] if ours else where
        found.append(
            f"{type(error).__name__}: {str(error)[:200]!r} in "
            f"{os.path.basename(last.filename)}:{last.lineno} {last.name}"
        )
        return None


def _is_wrong_option(error):
    """Return whether damage made a file of another format, and an option wrong."""
    text = str(error)
    return (type(error) is ValueError and "not apply" in text) or (
        type(error) is TypeError and "has no option" in text
    )


def _read(seed, content):
    if seed.kind == "xml":
        return label_names_from_xml(Named(content, seed.name))
    if seed.kind == "costs":
        with TemporaryDirectory() as folder:
            path = os.path.join(folder, "costs.csv")
            with open(path, "wb") as file:
                file.write(content)
            check_costs_file(path)
            return True
    stream = Named(content, seed.name)
    return load_dataset(stream, format=seed.kind, max_bytes=MAX_BYTES, **seed.options)


def _in_blocks(seed, content, whole):
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, seed.name)
        with open(path, "wb") as file:
            file.write(content)
        given = dict(format=seed.kind, max_bytes=MAX_BYTES, **seed.options)
        pieces = list(read_blocks(path, block_rows=3, **given))
    if whole is None:
        return None
    X, Y = zip(*pieces, strict=True)
    return np.vstack([_dense(x) for x in X]), np.vstack([_dense(y) for y in Y])


@contextmanager
def _care_only():
    """Switch the compiled readers off: the plain ones are the reference."""
    store = arff_store.RowStore
    kept = store.add_dense, store.add_sparse, delimited.plain_rows
    kept_worth = delimited._WORTH_COMPILING
    store.add_dense = store.add_sparse = lambda self, data, at, lines: at
    delimited.plain_rows = lambda *args: None
    try:
        yield
    finally:
        store.add_dense, store.add_sparse, delimited.plain_rows = kept
        delimited._WORTH_COMPILING = kept_worth


def _dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)


def _unsound(data, has_labels):
    found = []
    X, Y = _dense(data.X), _dense(data.Y)
    if X.dtype != np.float64 or X.shape != (data.n_samples, data.n_features):
        found.append(f"X is {X.dtype} of shape {X.shape}")
    if Y.dtype != np.uint8 or Y.max(initial=0) > 1 or len(Y) != len(X):
        found.append(f"Y is {Y.dtype} up to {Y.max(initial=0)} of shape {Y.shape}")
    if not len(X) or (has_labels and not Y.shape[1]):
        found.append(f"no rows or no labels: X {X.shape}, Y {Y.shape}")
    for names in (data.feature_names, data.label_names):
        if not all(isinstance(name, str) for name in names):
            found.append("a name that is no text")
    for j, kinds in enumerate(data.categories):
        if kinds is not None:
            codes = X[~np.isnan(X[:, j]), j]
            if ((codes < 0) | (codes >= len(kinds)) | (codes % 1 != 0)).any():
                found.append(f"codes of column {j} are outside its {len(kinds)} values")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            str(data.describe())
    except Exception as error:
        found.append(f"describe: {type(error).__name__}: {error}")
    return found


def _different(whole, other, what):
    if (whole is None) != (other is None):
        return [f"{what} {'refuses' if other is None else 'reads'} it, the other not"]
    if whole is None:
        return []
    X, Y = (other.X, other.Y) if hasattr(other, "X") else other
    same = np.array_equal(_dense(whole.X), _dense(X), equal_nan=True)
    if not same or not np.array_equal(_dense(whole.Y), _dense(Y)):
        return [f"{what}: other values"]
    return []
