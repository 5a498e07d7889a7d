"""Base of selectors that sum the normalised gain of each feature over the labels."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any

import numpy as np

from labelsift.score.information import normalized_gain
from labelsift.select._counts import PAIR_LIMIT
from labelsift.select._problems import ProblemSelector
from labelsift.statistics.counts import ContingencyCounts
from labelsift.statistics.tables import ContingencyTables, measure_counted_labels

SETTINGS = {
    name: allowed
    for name, allowed in ProblemSelector._parameter_constraints.items()
    if name not in ("problem", "aggregate")
}


class NormalizedGainSelector(ProblemSelector):
    """Base of selectors with a rule of their own for how many features to keep.

    A subclass returns scores from ``_scores_of(pairs)`` and the score from which on a
    feature is kept from ``_own_threshold()``.
    """

    problem = "binary_relevance"
    aggregate = "mean"

    @abstractmethod
    def _scores_of(self, pairs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return one score a feature from the gains, features x labels."""

    @abstractmethod
    def _own_threshold(self) -> float:
        """Return the least score of a feature that is kept."""

    def _measure(self, tables: ContingencyTables) -> np.ndarray[Any, Any]:
        return normalized_gain(tables)

    def _combined(self, pairs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        self._pair_scores = pairs if pairs.size <= PAIR_LIMIT else None
        return self._scores_of(pairs)

    def _score_labels(self, counts: ContingencyCounts) -> np.ndarray[Any, Any]:
        self._warn_of_constant_labels(counts.label_counts, counts.n_samples)
        parts = measure_counted_labels(
            counts, self._measure_known, last_is_missing=self._last_is_missing
        )
        return self._combined(np.hstack(list(parts)))

    def _own_size(self) -> int:
        threshold = self._own_threshold()
        slack = 1e-12 * max(abs(threshold), 1.0) if np.isfinite(threshold) else 0.0
        kept = int((self.scores_ >= threshold - slack).sum())
        if not kept:
            warnings.warn(
                f"no feature reaches the threshold {threshold:.4g}; the best one is "
                "kept. Lower threshold=, or give n_features_to_select=.",
                UserWarning,
                stacklevel=5,
            )
        return max(kept, 1)
