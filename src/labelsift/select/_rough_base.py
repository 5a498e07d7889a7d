"""What the selectors that search for a reduct share: results, interrupts, refusal."""

from __future__ import annotations

import warnings
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from labelsift._words import counted
from labelsift.encode.labels import LabelMatrix
from labelsift.select._base import RankingSelector

Array = np.ndarray[Any, Any]

CELL_LIMIT = 2**28
"""Largest table that is written out (2 GB)."""


class Search(Protocol):
    """What a search for a reduct leaves."""

    added: list[int]
    counts: list[int]
    positive: Array
    goal: int
    stopped: str


class ReductSelector(RankingSelector):
    """Base of selectors that keep a reduct: features added one by one."""

    max_samples: int
    empty_labels: str
    _interrupt: KeyboardInterrupt | None = None

    def _refuse_too_large(self, X: Any) -> None:
        n, d = X.shape
        if n > self.max_samples:
            raise ValueError(
                f"{n} rows make {n * (n - 1) // 2:.2g} pairs, which for {d} features "
                f"take about {_duration(n * n * d)}; max_samples={self.max_samples}. "
                f"Fit on a sample of rows, or set max_samples={n} to go ahead."
            )
        if n * d > CELL_LIMIT:
            raise ValueError(
                f"{n} rows x {d} features are {n * d / 2**27:.1f} GB of numbers "
                f"written out, more than {CELL_LIMIT // 2**27} GB. Keep the best "
                "features of a ranking first, such as Chi2 or InfoGain, or a sample of "
                "rows."
            )

    def _set_reduct(
        self,
        search: Search,
        kept: list[int],
        shares: Array,
        used: Array,
        labelled: Array,
    ) -> Array:
        """Set the fitted attributes and return the scores.

        Parameters
        ----------
        search : Search
            What was found.
        kept : list of int
            The features that are left of those added.
        shares : ndarray of shape (n_features,), float64
            From 0 to 1: how good each feature is alone.
        used : ndarray of int
            Rows of the table that took part.
        labelled : ndarray of bool
            Which rows of the table have labels.
        """
        n = len(used)
        self.reduct_ = np.array(kept, dtype=np.int64)
        self.added_ = np.array(search.added, dtype=np.int64)
        self.dependency_ = np.array(search.counts, dtype=np.float64) / n
        self.total_dependency_ = search.goal / n
        self.stopped_ = search.stopped
        self.positive_region_ = np.zeros(len(labelled), dtype=bool)
        self.positive_region_[used[search.positive]] = True
        self.boundary_ = labelled & ~self.positive_region_
        self._warn_of_stop()
        return self._reduct_scores(shares)

    def _reduct_scores(self, shares: Array) -> Array:
        """Return what puts the reduct first, and others by their shares."""
        scores: Array = shares.astype(np.float64)
        scores[self.reduct_] = np.arange(len(self.reduct_), 0, -1) + 1
        return scores

    def _rows_to_use(self, labelled: Array) -> Array:
        """Return the rows that take part."""
        if self.empty_labels != "drop":
            return np.arange(len(labelled))
        if not labelled.any():
            raise ValueError(
                "empty_labels='drop' leaves no row: no row of y has a label."
            )
        return np.flatnonzero(labelled)

    def _warn_of_stop(self) -> None:
        if self.stopped_ == "nothing_certain":
            warnings.warn(
                "no row is certain even with all features, so the reduct is empty."
                f"{self._remedy_of_nothing}",
                UserWarning,
                stacklevel=7,
            )
        elif self.stopped_ == "no_gain":
            share = self.dependency_[-1] if len(self.dependency_) else 0.0
            warnings.warn(
                f"stopped at {counted(len(self.added_), 'feature')} with dependency "
                f"{share:.3g} of {self.total_dependency_:.3g}: no feature makes a "
                "further row certain. Set stop_on_no_gain=False to go on.",
                UserWarning,
                stacklevel=7,
            )

    _remedy_of_nothing = ""

    def _set_scores(self, scores: Array) -> None:
        super()._set_scores(scores)
        interrupt, self._interrupt = self._interrupt, None
        if interrupt is not None:
            raise interrupt

    def _own_size(self) -> int:
        return max(1, len(self.reduct_))


def labels_to_tell_apart(labels: LabelMatrix) -> Array:
    """Return dense 0/1 labels; a single one gets a second, its absence."""
    Y = labels.values
    Y = Y.toarray() if sparse.issparse(Y) else np.asarray(Y)
    if labels.classes is None and labels.n_labels == 1:
        return np.hstack([1 - Y, Y]).astype(np.uint8)
    return Y


def warn_of_equal_labels(Y: Array) -> None:
    """Warn if all rows carry the same labels."""
    if (Y == Y[0]).all():
        warnings.warn(
            "all rows carry the same labels: there is nothing to tell apart, and any "
            "feature will do.",
            UserWarning,
            stacklevel=6,
        )


def _duration(operations: float) -> str:
    # a core makes about a thousand million comparisons a second
    seconds = operations / 1e9
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return (
        f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.0f} h"
    )
