"""Base of selectors that score counts of feature bins against labels.

A subclass names its criterion: ``_criterion(counts, pairs)`` returns the mean, maximum
and minimum over labels of each feature, and the scores of all pairs if they are asked
for. Scaling of labels to each other, aggregation and ``scores_per_label_`` are here.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any

import numpy as np

from labelsift._sklearn import StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.score.aggregate import AGGREGATES, aggregate, carried_sums, scale_labels
from labelsift.score.pairs import PairScores, best_labels
from labelsift.select._discretized import DiscretizedSelector
from labelsift.select._score_table import ScoreTable, TopLabels
from labelsift.statistics.counts import ContingencyCounts

PAIR_LIMIT = 2**25
"""Largest features x labels table that ``fit`` keeps (256 MB)."""

TOP_LABELS = 5
"""Labels of each feature that are kept where all pairs are too many."""


class CountSelector(DiscretizedSelector):
    """Base of selectors that are a criterion of contingency counts."""

    _parameter_constraints: dict[str, list[Any]] = {
        **DiscretizedSelector._parameter_constraints,
        "aggregate": [StrOptions(set(AGGREGATES))],
    }

    aggregate: str
    label_norm: str | None = None

    @abstractmethod
    def _criterion(
        self, counts: ContingencyCounts, *, pairs: bool, n_top: int = 0
    ) -> PairScores:
        """Return mean, maximum and minimum, and pairs and best labels if asked for."""

    @property
    def scores_per_label_(self) -> ScoreTable:
        """Scores of every feature for every label, before scaling and aggregation."""
        table = getattr(self, "_pair_scores", None)
        if table is not None:
            return ScoreTable(table, self._feature_names(), self._column_names())
        name = type(self).__name__
        if not hasattr(self, "scores_"):
            raise AttributeError(f"this {name} is not fitted yet: call fit first.")
        raise AttributeError(
            f"{self.n_features_in_} features x {self.n_labels_in_} labels are more "
            f"than the {PAIR_LIMIT} pairs that {name} keeps. Fit it on fewer labels or "
            "on the features that it selects: selector.transform(X)."
        )

    @property
    def top_labels_(self) -> TopLabels:
        """The labels that each feature scores best for, before scaling.

        All labels can be asked for where all pairs are kept (``scores_per_label_``),
        else the best five.
        """
        self.scores_  # noqa: B018  # an unfitted selector says so
        table = getattr(self, "_pair_scores", None)
        found = getattr(self, "_top", None)
        if table is not None:
            found = best_labels(table, min(TOP_LABELS, table.shape[1]))
        if found is None:
            raise AttributeError(
                f"{type(self).__name__} kept no scores of single labels."
            )
        scores, labels = found
        return TopLabels(
            scores,
            labels,
            self._feature_names(),
            self._column_names,
            len(self._column_names()),
        )

    def _column_names(self) -> tuple[str, ...]:
        return tuple(str(name) for name in self.label_names_in_)

    def _new_statistic(self, X: Any, labels: LabelMatrix) -> ContingencyCounts:
        return ContingencyCounts(X.shape[1], labels.n_labels)

    def _score_statistic(self, statistic: ContingencyCounts) -> np.ndarray[Any, Any]:
        self._warn_of_constant_labels(statistic.label_counts, statistic.n_samples)
        d, q = statistic.n_features, statistic.n_labels
        keep = d * q <= PAIR_LIMIT
        self._pair_scores = self._top = None
        if self.label_norm is None or not keep:
            n_top = 0 if keep else min(TOP_LABELS, q)
            found = self._criterion(statistic, pairs=keep, n_top=n_top)
            self._pair_scores = found.table if keep else None
            self._top = None if keep else (found.top_scores, found.top_labels)
            if self.label_norm is None:
                return found.aggregates[:, AGGREGATES.index(self.aggregate)].copy()
        if keep:
            self._pair_scores = self._criterion(statistic, pairs=True).table
            return aggregate(
                scale_labels(self._pair_scores, self.label_norm), self.aggregate
            )
        return self._scaled_by_parts(statistic)

    def _scaled_by_parts(self, statistic: ContingencyCounts) -> np.ndarray[Any, Any]:
        # labels are scaled one by one, so a few at a time will do
        d, q = statistic.n_features, statistic.n_labels
        step = max(1, PAIR_LIMIT // d)
        sums, parts = None, []
        for start in range(0, q, step):
            some = statistic.for_labels(start, min(start + step, q))
            table = scale_labels(
                self._criterion(some, pairs=True).table, self.label_norm
            )
            if self.aggregate == "mean":
                sums = carried_sums(table.T, sums)
            else:
                parts.append(aggregate(table, self.aggregate))
        if sums is not None:
            return np.asarray((sums[0] + sums[1]) / q)
        return aggregate(np.array(parts).T, self.aggregate)

    def _warn_of_constant_labels(self, p: np.ndarray[Any, Any], n: int) -> None:
        constant = np.flatnonzero((p == 0) | (p == n))
        if constant.size == len(p):
            warnings.warn(
                "all rows carry the same labels: every score is 0, and the order is "
                "that of the columns.",
                UserWarning,
                stacklevel=5,
            )
        elif constant.size and self.aggregate == "min":
            first = str(self.label_names_in_[constant[0]])
            warnings.warn(
                f"aggregate='min': label {first!r} is the same in all rows"
                f"{_and_others(constant.size)}, so every score is 0. Leave such labels "
                "out, or use 'mean' or 'max'.",
                UserWarning,
                stacklevel=5,
            )


def _and_others(count: int) -> str:
    return "" if count == 1 else f" (and so are {count - 1} others)"
