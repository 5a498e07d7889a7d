"""Check rows, and which columns of them each sub-problem reads."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np

from labelsift._sklearn import validate_data
from labelsift._words import counted
from labelsift.encode.extremes import MOST as SQUARED
from labelsift.encode.extremes import column_by_name, refuse_huge

Array = np.ndarray[Any, Any]

MOST = float(np.finfo(np.float64).max) / 2
"""Differences of larger values might not be finite."""


def validate_rows(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Return rows as ndarray or CSR, checked; NaN passes, infinity does not."""
    rows = validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse="csr",
        dtype=(np.float64, np.float32),
        ensure_all_finite="allow-nan",
        ensure_min_samples=2 if reset else 1,
    )
    refuse_huge_rows(estimator, rows, most=MOST)
    return rows


def refuse_huge_rows(estimator: Any, X: Any, most: float = SQUARED) -> None:
    """Refuse values too large to compute with, naming columns as a fit knows them."""
    name_of = column_by_name(getattr(estimator, "feature_names_in_", None))
    refuse_huge(X, name_of, most)


def columns_of_problems(
    lists: Any,
    problems: list[Any],
    n_features: int,
    feature_names: Any = None,
    label_names: Any = (),
) -> dict[Any, Array]:
    """Return the sorted columns of each sub-problem that has a list.

    Parameters
    ----------
    lists : dict, sequence or None
        Column indices or names by sub-problem; a sequence has one entry for each label.
    problems : list
        The sub-problems there are: labels as int, pairs as tuple of int.
    n_features : int
        Columns of ``X``.
    feature_names : sequence of str or None
        Their names; None where ``X`` has none.
    label_names : sequence of str
        Names of the labels, by which sub-problems may be called, too.
    """
    if lists is None:
        return {}
    if not isinstance(lists, Mapping):
        n_labels = sum(not isinstance(p, tuple) for p in problems)
        if len(lists) != n_labels:
            raise ValueError(
                f"feature_lists has {counted(len(lists), 'entry', 'entries')} for "
                f"{counted(n_labels, 'label')}; give one list a label, or a dict."
            )
        lists = dict(enumerate(lists))
    known = set(problems)
    place = {str(name): i for i, name in enumerate(label_names)}
    found: dict[Any, Array] = {}
    for key, columns in lists.items():
        problem = _problem(key, place)
        if problem not in known:
            raise ValueError(
                f"feature_lists has the key {key!r}, which is no sub-problem; expected "
                f"such as {problems[0]!r} to {problems[-1]!r}."
            )
        if problem in found:
            raise ValueError(
                f"feature_lists names the sub-problem {problem!r} twice, by number and "
                "by name."
            )
        found[problem] = _checked(columns, key, n_features, feature_names)
    return found


def _problem(key: Any, place: Mapping[str, int]) -> Any:
    """Return a sub-problem by number, where it was called by the names of labels."""
    if isinstance(key, str):
        return place.get(key, key)
    if isinstance(key, tuple) and all(isinstance(name, str) for name in key):
        numbers = tuple(place.get(name, name) for name in key)
        whole = all(isinstance(number, int) for number in numbers)
        return tuple(sorted(numbers)) if whole else numbers
    return key


def _checked(columns: Any, key: Any, n_features: int, names: Any) -> Array:
    array = np.asarray(columns)
    if array.dtype.kind in "UO" and array.ndim == 1 and array.size:
        array = np.array(_by_name(list(columns), key, names), dtype=np.int64)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise ValueError(
            f"feature_lists[{key!r}] must be a list of at least one column index or "
            f"name; found {columns!r}."
        )
    if array.min() < 0 or array.max() >= n_features:
        bad = array[(array < 0) | (array >= n_features)][0]
        raise ValueError(
            f"feature_lists[{key!r}] names column {bad}, but X has {n_features} "
            f"columns, 0 to {n_features - 1}."
        )
    # sorted, so that the same columns are the same sub-problem
    return np.unique(array.astype(np.int64))


def _by_name(columns: list[Any], key: Any, names: Any) -> list[int]:
    other = [name for name in columns if not isinstance(name, str)]
    if other:
        raise ValueError(
            f"feature_lists[{key!r}] must hold column indices or names, not both; "
            f"found {other[0]!r} beside names."
        )
    if names is None:
        raise ValueError(
            f"feature_lists[{key!r}] names column {columns[0]!r}, but X has no column "
            "names: fit on a data frame, or give indices."
        )
    place = {str(name): i for i, name in enumerate(names)}
    for name in columns:
        if name not in place:
            near = difflib.get_close_matches(name, list(place)[:20_000], n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ValueError(
                f"feature_lists[{key!r}] names column {name!r}, which X does not have."
                f"{hint}"
            )
    return [place[name] for name in columns]
