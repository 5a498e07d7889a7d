"""Turn what the user gives as ``cv`` into checked training and test rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import KFold

from labelsift._words import counted
from labelsift.evaluate.folds import IterativeStratifiedKFold
from labelsift.evaluate.records import Fold

Indices = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test rows of one fold."""

    number: int
    repeat: int
    fold: int
    seed: int | None
    train: Indices
    test: Indices


def make_splits(
    cv: Any, n_repeats: int, stratify: Any, seed: int, X: Any, Y: Any, groups: Any
) -> tuple[list[Split], str]:
    """Return the splits, and a text that says how they were made."""
    if stratify not in (False, None, "iterative"):
        raise ValueError(f"stratify must be False or 'iterative'; found {stratify!r}.")
    if (
        isinstance(n_repeats, bool)
        or not isinstance(n_repeats, Integral)
        or n_repeats < 1
    ):
        raise ValueError(
            f"n_repeats must be a whole number of at least 1; found {n_repeats!r}."
        )
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        if groups is not None:
            raise ValueError(
                "groups are for a splitter that keeps them together: use "
                "cv=sklearn.model_selection.GroupKFold()."
            )
        return _own(int(cv), int(n_repeats), bool(stratify), seed, X, Y)
    if stratify or n_repeats != 1:
        raise ValueError(
            "stratify and n_repeats are for a number of folds; a splitter or given "
            "splits decide that themselves. Use cv=10, or drop those two."
        )
    if hasattr(cv, "split") and not isinstance(cv, str | bytes):
        pairs, how = list(cv.split(X, Y, groups)), " ".join(repr(cv).split())
    elif isinstance(cv, Iterable) and not isinstance(cv, str | bytes):
        pairs, how = list(cv), "given splits"
    else:
        raise TypeError(
            "cv must be a number of folds, a splitter with split(X, y), or a list of "
            f"(train, test) row indices; found {cv!r}."
        )
    if not pairs:
        raise ValueError("cv gives no split; at least one is needed.")
    repeats = int(getattr(cv, "n_repeats", 1))
    per_repeat = max(1, len(pairs) // repeats)
    splits = []
    for number, pair in enumerate(pairs):
        try:
            train, test = pair
        except (TypeError, ValueError):
            raise ValueError(
                f"split {number} of cv must be a pair (train, test) of row indices."
            ) from None
        splits.append(
            Split(
                number,
                number // per_repeat,
                number % per_repeat,
                None,
                _rows(train, X.shape[0], f"the training part of split {number}"),
                _rows(test, X.shape[0], f"the test part of split {number}"),
            )
        )
        _check_apart(splits[-1])
    return splits, how


def _own(
    n_splits: int, n_repeats: int, stratify: bool, seed: int, X: Any, Y: Any
) -> tuple[list[Split], str]:
    if not 2 <= n_splits <= X.shape[0]:
        raise ValueError(
            f"cv must be at least 2 and at most the {X.shape[0]} rows; "
            f"found {n_splits}."
        )
    kind = IterativeStratifiedKFold if stratify else KFold
    splits: list[Split] = []
    for repeat in range(n_repeats):
        folds = kind(n_splits, shuffle=True, random_state=seed + repeat)
        for fold, (train, test) in enumerate(folds.split(X, Y)):
            splits.append(Split(len(splits), repeat, fold, seed + repeat, train, test))
    times = f"{n_repeats} x " if n_repeats > 1 else ""
    how = "iterative-stratified folds" if stratify else "shuffled folds"
    return splits, f"{times}{n_splits} {how}"


def _rows(rows: Any, n: int, where: str) -> Indices:
    found = np.asarray(rows)
    if found.dtype == bool:
        if found.shape != (n,):
            raise ValueError(
                f"{where} is a mask of shape {found.shape}; X has {n} rows."
            )
        found = np.flatnonzero(found)
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise ValueError(f"{where} must be row indices or a mask.")
    if not len(found):
        raise ValueError(f"{where} is empty.")
    if found.min() < 0 or found.max() >= n:
        bad = int(found[(found < 0) | (found >= n)][0])
        raise ValueError(f"{where} names row {bad}; X has rows 0 to {n - 1}.")
    return found.astype(np.intp)


def _check_apart(split: Split) -> None:
    both = np.intersect1d(split.train, split.test)
    if len(both):
        raise ValueError(
            f"split {split.number} trains and tests on the same "
            f"{counted(len(both), 'row')}, first row {both[0]}: its figures would "
            "be too good."
        )


def describe_split(split: Split, Y: Any) -> Fold:
    """Return the split as a record, with what is odd about its labels."""
    train, test = Y[split.train], Y[split.test]
    on_train = np.asarray(train.sum(axis=0, dtype=np.int64)).ravel()
    on_test = np.asarray(test.sum(axis=0, dtype=np.int64)).ravel()
    per_row = np.asarray(test.sum(axis=1, dtype=np.int64)).ravel()
    return Fold(
        split.number,
        split.repeat,
        split.fold,
        split.seed,
        len(split.train),
        len(split.test),
        tuple(np.flatnonzero(on_train == 0).tolist()),
        tuple(np.flatnonzero(on_train == len(split.train)).tolist()),
        tuple(np.flatnonzero(on_test == 0).tolist()),
        int((per_row == 0).sum()),
        int((per_row == Y.shape[1]).sum()),
    )
