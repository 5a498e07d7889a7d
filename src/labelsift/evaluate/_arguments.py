"""Check what the user gives to the runner, and bring it into one form."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from numbers import Integral, Real
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from labelsift._sklearn import refuse_rounding
from labelsift._words import counted
from labelsift.encode.labels import LabelMatrix, as_label_matrix
from labelsift.encode.row_order import refuse_other_order
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import ALL_FEATURES
from labelsift.read.dataset import Dataset

_DEFAULT_SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)


def as_table(
    X: Any, Y: Any, name: str | None
) -> tuple[Any, tuple[str, ...], LabelMatrix, str]:
    """Return the matrix X, feature names, the checked labels and a name."""
    if isinstance(X, Dataset):
        if Y is not None:
            raise ValueError("Y must be left out: the Dataset given as X has labels.")
        labels = as_label_matrix(X.Y)
        named = LabelMatrix(labels.values, tuple(X.label_names))
        return X.X, tuple(X.feature_names), named, name or X.name
    if Y is None:
        raise ValueError("Y is missing: give the labels, or a Dataset as X.")
    refuse_other_order(X, Y)
    frame = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    refuse_rounding(None, X)
    names = None
    if isinstance(frame, nw.DataFrame):
        names, X = tuple(str(c) for c in frame.columns), frame.to_numpy()
    table = check_array(
        X,
        accept_sparse="csr",
        dtype=(np.float64, np.float32),
        ensure_all_finite="allow-nan",
        input_name="X",
    )
    if sparse.issparse(table):
        table = sparse.csr_array(table)
    if names is None:
        names = tuple(f"x{i}" for i in range(table.shape[1]))
    return table, names, as_label_matrix(Y, table.shape[0]), name or "data"


def check_metrics(metrics: Any) -> tuple[str, ...]:
    """Return the names of the metrics, each known and given once."""
    if not isinstance(metrics, Iterable):
        raise TypeError(
            f"metrics must be names such as 'hamming_loss'; found {metrics!r}."
        )
    names = (metrics,) if isinstance(metrics, str) else tuple(metrics)
    if not names:
        raise ValueError("metrics must name at least one metric.")
    for name in names:
        if name not in METRICS:
            raise ValueError(
                f"metric {name!r} is not known; known: {', '.join(METRICS)}."
            )
    if len(set(names)) < len(names):
        raise ValueError("metrics names a metric more than once.")
    return names


def check_flag(value: Any, name: str) -> bool:
    """Return a parameter that is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False; found {value!r}.")
    return bool(value)


def check_seed(random_state: Any) -> int:
    """Return the seed, a whole number that scikit-learn takes."""
    if isinstance(random_state, bool) or not isinstance(random_state, Integral):
        raise TypeError(
            f"random_state must be a whole number or None; found {random_state!r}."
        )
    seed = int(random_state)
    if not 0 <= seed < 2**31:
        raise ValueError(
            f"random_state must lie between 0 and 2**31 - 1; found {seed}."
        )
    return seed


def sizes_from(grid: Any, d: int) -> tuple[int, ...]:
    """Return the numbers of features to try, ascending and each once."""
    if isinstance(grid, str):
        if grid != "all":
            raise ValueError(
                f"grid must be 'all', or numbers or fractions of features; found "
                f"{grid!r}."
            )
        return tuple(range(1, d + 1))
    if grid is None:
        grid = _DEFAULT_SHARES
    entries = [grid] if isinstance(grid, Real) else list(grid)
    if not entries:
        raise ValueError("grid must hold at least one size.")
    return tuple(sorted({_size(entry, d) for entry in entries}))


def _size(entry: Any, d: int) -> int:
    if isinstance(entry, bool | np.bool_) or not isinstance(entry, Real):
        raise TypeError(
            f"grid must hold numbers (30) or fractions (0.2) of features; found "
            f"{entry!r}."
        )
    if isinstance(entry, Integral):
        size = int(entry)
        if not 1 <= size <= d:
            raise ValueError(f"grid asks for {counted(size, 'feature')}; X has {d}.")
        return size
    share = float(entry)
    if not 0 < share <= 1:
        raise ValueError(
            f"grid holds {share:g}: fractions lie above 0 and up to 1, and numbers of "
            "features are whole."
        )
    return max(1, int(share * d + 1e-9))  # 0.29 of 100 is 28.999999999999996


def sizes_by_classifier(
    grid: Any, classifiers: Mapping[str, Any], d: int
) -> dict[str, tuple[int, ...]]:
    """Return the numbers of features to try for each classifier, as ``sizes_from``."""
    if not isinstance(grid, Mapping):
        return dict.fromkeys(classifiers, sizes_from(grid, d))
    if set(grid) != set(classifiers):
        raise ValueError(
            f"grid as a dict needs the names of the classifiers, "
            f"{', '.join(classifiers)}; found {', '.join(map(str, grid))}."
        )
    return {name: sizes_from(grid[name], d) for name in classifiers}


def own_sized(own_size: Any, selectors: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of selectors that say themselves how many they keep."""
    if isinstance(own_size, str):
        raise TypeError(f"own_size must be a list of names; found {own_size!r}.")
    names = tuple(own_size)
    unknown = [name for name in names if name not in selectors]
    if unknown:
        raise ValueError(
            f"own_size names {unknown[0]!r}; the selectors are: {', '.join(selectors)}."
        )
    return names


def named_estimators(given: Any, what: str) -> dict[str, Any]:
    """Return estimators by name, from one, a list, or a dict."""
    if isinstance(given, Mapping):
        found = dict(given)
        for name in found:
            if not isinstance(name, str) or not name:
                raise TypeError(f"{what}: names must be text; found {name!r}.")
    else:
        entries = list(given) if _is_list(given) else [given]
        found = dict(zip(_names(entries, what), entries, strict=True))
    if not found:
        raise ValueError(f"{what} must hold at least one estimator.")
    for name, estimator in found.items():
        if name == ALL_FEATURES:
            raise ValueError(f"{what}: {name!r} is the name of the base line.")
        if (
            isinstance(estimator, type)
            or not hasattr(estimator, "fit")
            or not hasattr(estimator, "get_params")
        ):
            remedy = "; write it with ()" if isinstance(estimator, type) else ""
            raise TypeError(
                f"{what}: {name!r} is not a scikit-learn estimator (an object with fit "
                f"and get_params); found {estimator!r}{remedy}."
            )
    return found


def _is_list(given: Any) -> bool:
    # A Pipeline and an ensemble are sequences too.
    is_list = isinstance(given, Sequence) and not isinstance(given, str)
    return is_list and not hasattr(given, "fit")


def _names(entries: list[Any], what: str) -> list[str]:
    names = [type(entry).__name__ for entry in entries]
    names = [
        " ".join(repr(entry).split()) if names.count(name) > 1 else name
        for name, entry in zip(names, entries, strict=True)
    ]
    if len(set(names)) < len(names):
        raise ValueError(
            f"{what}: several have the same class and settings; give a dict of names."
        )
    return names


def software() -> dict[str, str]:
    """Return the versions that figures may depend on."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for package in ("labelsift", "numpy", "scipy", "scikit-learn", "numba"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found
