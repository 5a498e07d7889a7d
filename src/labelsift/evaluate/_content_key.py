"""Name a piece of work by what its result depends on, and by nothing else."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
import pickle
import uuid
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.evaluate._arguments import software
from labelsift.evaluate._splits import Split

_FROM_PACKAGES = ("labelsift", "sklearn", "numpy", "scipy")


def key_of(*parts: Any) -> str:
    """Return one key for parts that JSON can write."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def column_keys(start: str, column_sets: Sequence[np.ndarray[Any, Any]]) -> list[str]:
    """Return ``key_of(start, columns)`` of many sets of columns.

    Their text is put together from numbers that are written once, since a sweep has as
    many sets as columns.
    """
    count = max((int(columns.max(initial=-1)) for columns in column_sets), default=-1)
    names = [str(number) for number in range(count + 1)]
    head = f"[{json.dumps(start)}, ["
    keys = []
    for columns in column_sets:
        text = ", ".join([names[number] for number in columns.tolist()])
        keys.append(hashlib.sha256(f"{head}{text}]]".encode("ascii")).hexdigest())
    return keys


def matrix_key(matrix: Any) -> str:
    """Return a key of the values, type and container of an array or sparse matrix."""
    digest = hashlib.sha256()
    if sparse.issparse(matrix):
        rows = sparse.csr_array(matrix)
        if not rows.has_sorted_indices:
            rows = rows.copy()
            rows.sort_indices()
        arrays = [rows.indptr.astype("<i8"), rows.indices.astype("<i8"), rows.data]
        digest.update(f"sparse {rows.shape}".encode())
    else:
        arrays = [np.asarray(matrix)]
        digest.update(f"dense {arrays[0].shape}".encode())
    for array in arrays:
        digest.update(array.dtype.str.encode())
        if array.dtype.hasobject:
            digest.update(repr(array.tolist()).encode("utf-8", "surrogatepass"))
        else:
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def split_key(split: Split) -> str:
    """Return a key of the rows that train and test."""
    digest = hashlib.sha256()
    for rows in (split.train, split.test):
        digest.update(len(rows).to_bytes(8, "little"))
        digest.update(np.ascontiguousarray(rows, "<i8").tobytes())
    return digest.hexdigest()


def estimator_key(estimator: Any) -> Any:
    """Return class and settings of an estimator as JSON values.

    Code that is in no installed package of ours counts with its source file, since it
    has no version. A setting that cannot be described makes a key like no other.
    """
    return _described(estimator)


@lru_cache(maxsize=1)
def versions_key() -> str:
    """Return a key of the packages that every figure depends on."""
    found = software()
    return key_of({k: v for k, v in found.items() if k not in ("python", "platform")})


def _described(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return [type(value).__name__, repr(value)]
    if hasattr(value, "get_params") and not isinstance(value, type):
        settings = value.get_params(deep=False)
        return [_class(type(value)), {k: _described(v) for k, v in settings.items()}]
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(_described, value)]
    if isinstance(value, dict):
        return ["dict", *([_described(k), _described(v)] for k, v in value.items())]
    if isinstance(value, np.ndarray) or sparse.issparse(value):
        return ["array", matrix_key(value)]
    if isinstance(value, type) or inspect.isroutine(value):
        return _class(value)
    if dataclasses.is_dataclass(value):
        names = [f.name for f in dataclasses.fields(value)]
        return [
            _class(type(value)),
            {name: _described(getattr(value, name)) for name in names},
        ]
    try:
        return ["object", hashlib.sha256(pickle.dumps(value)).hexdigest()]
    except Exception:  # pickling runs code of the object: anything may be raised
        return ["unknown", uuid.uuid4().hex]


def _class(thing: Any) -> list[str]:
    name = f"{thing.__module__}:{thing.__qualname__}"
    if "<lambda>" in name:
        return ["unknown", uuid.uuid4().hex]
    if str(thing.__module__).partition(".")[0] in _FROM_PACKAGES:
        return [name]
    try:
        path = inspect.getsourcefile(thing)
    except TypeError:  # built in
        path = None
    return [name, "" if path is None else _source(path)]


@lru_cache(maxsize=1024)
def _source(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""
