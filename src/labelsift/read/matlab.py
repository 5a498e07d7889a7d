"""Read MATLAB files: version 5 here, 4 through scipy, 7.3 through h5py."""

from __future__ import annotations

import io
import warnings
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.read.dataset import Dataset, Matrix
from labelsift.read.errors import ReadError
from labelsift.read.matlab5 import read_version5, version5_order
from labelsift.read.matrices import checked_features, from_arrays
from labelsift.read.numbered_names import numbered
from labelsift.read.table import Labels, Table, to_dataset

_X_NAMES = ("X", "x", "data", "fea", "features", "inputs", "train_data", "dataset")
_Y_NAMES = (
    "Y", "y", "label", "labels", "gnd", "target", "targets", "class", "classes",
    "outputs", "train_target",
)  # fmt: skip
_MOST_CLASSES = 1000


def read_matlab(
    content: bytes,
    labels: Labels,
    *,
    path: str,
    max_bytes: int,
    **options: Any,
) -> Dataset:
    """Read a ``.mat`` file.

    Parameters
    ----------
    content : bytes
        The whole file.
    labels : str, int or sequence of str, optional
        The name of the variable that holds the labels; or, for a file of one matrix,
        how many of its last columns are labels (first, where negative). Default: the
        variable named Y, label, gnd, target, ... beside X, data, fea, ...; in a file
        of one matrix its last column is the class.
    path : str
        For messages.
    max_bytes : int
        Most bytes that all variables may unpack to.
    **options
        name and source of the data set; for a single matrix also what ``to_dataset``
        takes.

    Returns
    -------
    Dataset
        Integers become float. A labels x rows matrix is turned.

    Raises
    ------
    ReadError
        If the file is damaged or it is not clear which variables to take.
    """
    is_hdf5 = content[:8] == b"\x89HDF\r\n\x1a\n" or content[512:520] == (
        b"\x89HDF\r\n\x1a\n"
    )
    if is_hdf5:
        found = _hdf5_variables(content, path, max_bytes)
    else:
        found = _variables(content, path, max_bytes)
    return _chosen(found, labels, path, options)


def _variables(content: bytes, path: str, max_bytes: int) -> dict[str, Any]:
    if version5_order(content) is not None:
        return read_version5(content, path, max_bytes)
    if 0 not in content[:4]:
        raise ReadError("not a whole MATLAB file (no version in its head).", path)
    from scipy.io import loadmat  # version 4, which has no mark of its own

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of variables that we do not need
            raw = loadmat(io.BytesIO(content), chars_as_strings=False)
    # Damaged bytes make scipy raise nearly anything; each is "cannot be read".
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ReadError(f"not a whole MATLAB file ({reason}).", path) from error
    return {name: value for name, value in raw.items() if _is_matrix(value)}


def _hdf5_variables(content: bytes, path: str, max_bytes: int) -> dict[str, Any]:
    try:
        import h5py
    except ImportError as error:
        raise ReadError(
            'a MATLAB 7.3 file needs h5py:  pip install "labelsift[matlab73]".', path
        ) from error
    found: dict[str, Any] = {}
    budget = [max_bytes]

    def collect(group: Any, depth: int) -> None:
        for name in group:
            # links may lead to other files: only what lies in this one is read
            if name == "#refs#" or not isinstance(
                group.get(name, getlink=True), h5py.HardLink
            ):
                continue
            item = group[name]
            if isinstance(item, h5py.Dataset):
                if not item.is_virtual and not item.external and item.ndim == 2:
                    found[name] = _hdf5_array(item, path, budget).T
            elif "MATLAB_sparse" in item.attrs:
                parts = [
                    _hdf5_array(item[k], path, budget) for k in ("data", "ir", "jc")
                ]
                height = int(item.attrs["MATLAB_sparse"])
                found[name] = sparse.csc_array(
                    tuple(parts), shape=(height, len(parts[2]) - 1)
                )
            elif depth == 0:
                collect(item, depth + 1)

    try:
        with h5py.File(io.BytesIO(content), "r") as file:
            collect(file, 0)
    except ReadError:
        raise
    # Damaged bytes make HDF5 raise nearly anything.
    except Exception as error:
        raise ReadError(f"not a whole MATLAB 7.3 file ({error}).", path) from error
    return {name: value for name, value in found.items() if _is_matrix(value)}


def _hdf5_array(item: Any, path: str, budget: list[int]) -> Any:
    budget[0] -= int(item.size) * item.dtype.itemsize
    if budget[0] < 0:
        raise ReadError(
            "its variables unpack to more than the limit; if the file is honest, allow "
            "more with max_bytes=.",
            path,
        )
    return np.asarray(item[()])


def _is_matrix(value: Any) -> bool:
    if sparse.issparse(value):
        return True
    return (
        isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype.kind in "buif"
    )


def _chosen(
    found: dict[str, Any], labels: Labels, path: str, options: dict[str, Any]
) -> Dataset:
    if not found:
        raise ReadError("the file holds no numeric matrix.", path)
    listed = [f"{k[:40]} {v.shape[0]}x{v.shape[1]}" for k, v in sorted(found.items())]
    more = f" and {len(listed) - 12} more" if len(listed) > 12 else ""
    held = ", ".join(listed[:12]) + more
    facts = {key: options[key] for key in ("name", "source") if key in options}
    wanted = labels
    if isinstance(wanted, list | tuple) and len(wanted) == 1:
        wanted = wanted[0]
    if isinstance(wanted, str):
        if wanted not in found:
            raise ReadError(f"there is no matrix {wanted!r}; it holds {held}.", path)
        y_name: str | None = wanted
    elif labels is None:
        y_name = next((name for name in _Y_NAMES if name in found), None)
    else:
        y_name = None
    others = [name for name in found if name != y_name]
    if y_name is not None:
        x_name = next((name for name in _X_NAMES if name in others), None)
        if x_name is None and len(others) == 1:
            x_name = others[0]
        if x_name is not None:
            X, Y = checked_features(found[x_name], path), found[y_name]
            if min(Y.shape) > 1 and Y.shape[0] != X.shape[0] == Y.shape[1]:
                Y = Y.T
            _refuse_value_options(options)
            return from_arrays(X, Y, path=path, **facts)
    elif len(others) == 1 and not sparse.issparse(found[others[0]]):
        return _one_matrix(found[others[0]], labels, path, options, facts)
    raise ReadError(
        "it is not clear which matrix holds the features and which the labels; it "
        f"holds {held}. Name the label matrix: labels='...'.",
        path,
    )


def _one_matrix(
    values: Matrix, labels: Labels, path: str, options: dict[str, Any], facts: Any
) -> Dataset:
    values = checked_features(values, path)
    n, m = values.shape
    if labels is not None:
        table = Table(values, tuple(numbered("column", m)), (None,) * m)
        return to_dataset(table, labels, path=path, **options)
    _refuse_value_options(options)
    if m < 2:
        raise ReadError("the one matrix has a single column; where is X?", path)
    classes = values[:, -1]
    if len(np.unique(classes)) > min(_MOST_CLASSES, max(2, n // 2)):
        raise ReadError(
            "the last column of the one matrix does not look like a class: "
            f"{len(np.unique(classes))} different values in {n} rows. Say how many "
            "columns are labels: labels=.",
            path,
        )
    return from_arrays(values[:, :-1], classes, path=path, **facts)


def _refuse_value_options(options: dict[str, Any]) -> None:
    for key in ("positive_value", "negative_value"):
        if options.get(key) is not None:
            raise ValueError(f"{key}= does not apply to a MATLAB label matrix.")
