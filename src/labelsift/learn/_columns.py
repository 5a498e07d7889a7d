"""Check which columns of X each sub-problem reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def columns_of_problems(
    lists: Any, problems: list[Any], n_features: int
) -> dict[Any, Array]:
    """Return the sorted columns of each sub-problem that has a list.

    Parameters
    ----------
    lists : dict, sequence or None
        Column indices by sub-problem; a sequence has one entry for each label.
    problems : list
        The sub-problems there are: labels as int, pairs as tuple of int.
    n_features : int
        Columns of ``X``.
    """
    if lists is None:
        return {}
    if not isinstance(lists, Mapping):
        n_labels = sum(not isinstance(p, tuple) for p in problems)
        if len(lists) != n_labels:
            raise ValueError(
                f"feature_lists has {len(lists)} entries for {n_labels} labels; give "
                "one list a label, or a dict."
            )
        lists = dict(enumerate(lists))
    known = set(problems)
    found = {}
    for key, columns in lists.items():
        if key not in known:
            raise ValueError(
                f"feature_lists has the key {key!r}, which is no sub-problem; expected "
                f"such as {problems[0]!r} to {problems[-1]!r}."
            )
        found[key] = _checked(columns, key, n_features)
    return found


def _checked(columns: Any, key: Any, n_features: int) -> Array:
    array = np.asarray(columns)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise ValueError(
            f"feature_lists[{key!r}] must be a list of at least one column index; "
            f"found {columns!r}."
        )
    if array.min() < 0 or array.max() >= n_features:
        bad = array[(array < 0) | (array >= n_features)][0]
        raise ValueError(
            f"feature_lists[{key!r}] names column {bad}, but X has {n_features} "
            f"columns, 0 to {n_features - 1}."
        )
    # sorted, so that the same columns are the same sub-problem
    return np.unique(array.astype(np.int64))
