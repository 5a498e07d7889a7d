"""The tasks of an evaluation, what comes of them, and what all of them need."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from labelsift.evaluate._splits import Split

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Table:
    """The whole data, shared by all tasks; ``y`` is what selectors see as labels."""

    X: Any
    Y: Any
    y: Any
    metrics: tuple[str, ...]
    feature_names: tuple[str, ...] | None = None


@dataclass(frozen=True, eq=False)
class RankTask:
    """Fit one selector on the training rows of one fold.

    ``own_size``: what it keeps by itself is asked for, too.
    """

    name: str
    selector: Any
    split: Split
    seed: int
    own_size: bool = False


@dataclass(frozen=True, eq=False)
class Ranked:
    """What a RankTask found; ``n_kept`` is there where it was asked for."""

    order: Array
    scores: Array | None
    seconds: float
    warnings: dict[str, int]
    n_kept: int | None = None


@dataclass(frozen=True, eq=False)
class MeasureTask:
    """Fit one classifier in one fold on each of several sets of columns.

    ``order``: each set of columns is the sorted beginning of this list, the shortest
    first.
    """

    name: str
    classifier: Any
    split: Split
    seed: int
    columns: tuple[Array, ...]
    order: Array | None = None


@dataclass(frozen=True, eq=False)
class SharedTask:
    """Tasks on the same rows and columns whose classifiers read the same neighbours.

    The result is the list of their results.
    """

    tasks: tuple[MeasureTask, ...]


@dataclass(frozen=True, eq=False)
class Measured:
    """What one set of columns gave; the fields are those of ``Cell``."""

    fields: dict[str, Any]
    warnings: dict[str, int]


@dataclass(frozen=True)
class Failed:
    """What stands in the place of a result that an error prevented."""

    error: str


def take(X: Any, columns: Array) -> Any:
    taken = X[:, columns]
    return sparse.csr_array(taken) if sparse.issparse(taken) else taken


def dense_labels(Y: Any) -> Array:
    # Signed, since some of scikit-learn's classifiers write -1 into a copy of it.
    dense = Y.toarray() if sparse.issparse(Y) else np.asarray(Y)
    return np.ascontiguousarray(dense, dtype=np.int64)


def fresh(estimator: Any, seed: int) -> Any:
    """Clone, with ``seed`` wherever a random state is left open."""
    copy = clone(estimator)
    open_states = {
        name: seed
        for name, value in copy.get_params(deep=True).items()
        if value is None and name.rpartition("__")[2] == "random_state"
    }
    return copy.set_params(**open_states) if open_states else copy


@contextmanager
def place_of(what: str, split: Split) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        error.add_note(f"In {what}, repeat {split.repeat}, fold {split.fold}.")
        raise


@contextmanager
def caught_warnings() -> Iterator[dict[str, int]]:
    """Count warnings instead of showing them; processes would lose them."""
    counts: dict[str, int] = {}
    with warnings_in_turn() as seen:
        yield counts
    counts.update(seen())


@contextmanager
def warnings_in_turn() -> Iterator[Callable[[], dict[str, int]]]:
    """Give a function that counts the warnings since it was last called."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")

        def counted() -> dict[str, int]:
            counts: dict[str, int] = {}
            for warning in seen:
                text = " ".join(str(warning.message).split())
                counts[text] = counts.get(text, 0) + 1
            seen.clear()
            return counts

        yield counted
