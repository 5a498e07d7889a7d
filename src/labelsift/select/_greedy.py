"""Base of the greedy selectors by mutual information.

A subclass is a criterion: ``_value(terms)`` gives one number a feature from the sums
over the picks so far, ``_reads`` says which of them it needs, ``_tolerance`` at what
difference two values are still equal, and ``_walk``, where that can be said, what the
formula does with the sums.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from labelsift.encode.codes import Codes, encode_by_value, with_columns
from labelsift.encode.labels import LabelMatrix
from labelsift.kernels.progress import teller
from labelsift.kernels.threads import kept_threads
from labelsift.score.ranking import order_within
from labelsift.select._discretized import DiscretizedSelector
from labelsift.select._greedy_search import Criterion, GreedySearch, Terms, Walk
from labelsift.statistics.levels import PairRows

Array = np.ndarray[Any, Any]

OF_SUMS = 1e-8
"""Values that are sums over picks are equal if they differ by less."""

OF_MEANS = 1e-10
"""The same for means over picks, and for values without picks."""


class GreedySelector(DiscretizedSelector):
    """Base of selectors that pick one feature after another."""

    _parameter_constraints: dict[str, list[Any]] = {
        **DiscretizedSelector._parameter_constraints,
        "categorical_features": ["array-like", None],
    }
    _reads: ClassVar[frozenset[str]] = frozenset()
    _tolerance: ClassVar[float] = OF_MEANS
    _walk: ClassVar[Walk | None] = None

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        discretize: str = "equal_width",
        n_bins: int = 3,
        categorical_features: Any = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.discretize = discretize
        self.n_bins = n_bins
        self.categorical_features = categorical_features

    @abstractmethod
    def _value(self, terms: Terms) -> Array:
        """Return one value a feature, larger is better."""

    def _criterion(self) -> Criterion:
        return Criterion(self._value, self._reads, self._tolerance, walk=self._walk)

    def _start_search(self, X: Any, labels: LabelMatrix) -> GreedySearch:
        """Return a search over validated data that has no picks yet."""
        self._fit_discretizer(X)
        rows = self._new_statistic(X, labels)
        rows.update(self._encode(X), labels)
        return GreedySearch(rows, self._criterion())

    def _is_countable(self, labels: LabelMatrix, *, has_cuts: bool = False) -> bool:
        return self.categorical_features is None

    def _first_reading(self, gather: Any) -> dict[str, Any]:
        if self.categorical_features is not None:
            return {}  # their values are known only when all rows are
        return super()._first_reading(gather)

    def _new_statistic(self, X: Any, labels: LabelMatrix) -> PairRows:
        one_variable = labels.classes is not None
        return PairRows(X.shape[1], labels.n_labels, one_variable=one_variable)

    def _encode(self, X: Any) -> Codes:
        codes = super()._encode(X)
        nominal = np.flatnonzero(self._nominal_mask(self.categorical_features))
        if self.cut_points_ is None or not nominal.size:
            return codes
        return with_columns(codes, nominal, encode_by_value(X[:, nominal]))

    def _score_statistic(self, statistic: PairRows) -> Array:
        search = GreedySearch(statistic, self._criterion())
        d = len(search.is_open)
        constant = np.flatnonzero(search.is_constant)
        if search.has_labels_that_vary:
            picks, trace, rest = self._run(search)
            rest = np.concatenate([rest, search.set_aside])
        else:
            warnings.warn(
                "all rows carry the same labels: every score is 0, and the order is "
                "that of the columns.",
                UserWarning,
                stacklevel=4,
            )
            picks = np.flatnonzero(~search.is_constant)
            trace, rest = np.zeros(min(self._n_rounds(), len(picks))), picks[:0]
        self.criterion_ = trace
        self._picked_order = np.concatenate([picks, rest, constant]).astype(np.int64)
        scores = np.zeros(d)
        if search.has_labels_that_vary:
            varying = d - len(constant)
            scores[self._picked_order[:varying]] = np.arange(d, d - varying, -1)
        return scores

    def _run(self, search: GreedySearch) -> tuple[Array, Array, Array]:
        """Return picks, their values, and the features left in the order of theirs."""
        rounds = min(self._n_rounds(), int(search.is_open.sum()))
        if self._criterion().is_ranking:
            values = search.criterion()
            order = self._in_order(values, search.is_open)
            return order[:rounds], values[order[:rounds]], order[rounds:]
        trace, picks = np.empty(rounds), np.empty(rounds, dtype=np.int64)
        with kept_threads():
            search.expect(rounds)
            tell = None if search.has_all_pairs else teller("features")
            first, of_first, values = search.walk(rounds)
            done = len(first)
            picks[:done], trace[:done] = first, of_first
            for step in range(done, rounds):
                if step:
                    search.add(int(picks[step - 1]))
                    values = search.criterion()
                best = search.best_of(values)
                assert best is not None  # no more rounds than features
                picks[step], trace[step] = best, values[best]
                if tell is not None:
                    tell(step + 1, rounds)
        left = search.is_open.copy()
        left[picks[-1:]] = False
        return picks, trace, self._in_order(values, left)

    def _in_order(self, values: Array, among: Array) -> Array:
        columns = np.flatnonzero(among)
        order: Array = columns[order_within(values[columns], self._tolerance)]
        return order

    def _n_rounds(self) -> int:
        asked, d = self.n_features_to_select, int(self.n_features_in_)
        if asked is None:
            return d
        if isinstance(asked, Integral):
            return min(int(asked), d)
        return max(1, int(asked * d))

    def _order(self, scores: Array) -> Array:
        return self._picked_order
