"""Base of selectors that search for a reduct on discretised features."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from labelsift._sklearn import Interval, StrOptions
from labelsift.encode.codes import code_type, encode_by_cuts, encode_by_value
from labelsift.encode.discretize import DISCRETIZERS, make_discretizer
from labelsift.select._rough_base import ReductSelector
from labelsift.statistics.neighborhoods import packed_labels
from labelsift.statistics.partitions import CodedTable

Array = np.ndarray[Any, Any]


class DiscreteReductSelector(ReductSelector):
    """Base of selectors that search for a reduct on discretised features."""

    _parameter_constraints = {
        **ReductSelector._parameter_constraints,
        "discretize": [StrOptions({*DISCRETIZERS, "none"})],
        "n_bins": [Interval(Integral, 2, None, closed="left")],
        "categorical_features": ["array-like", None],
    }

    discretize: str
    n_bins: int
    categorical_features: Any

    def _table(self, X: Any, Y: Array) -> CodedTable:
        """Return codes of the features, cut as asked for, and numbered label sets."""
        bits = packed_labels(Y)
        groups = np.unique(bits, axis=0, return_inverse=True)[1].reshape(-1)
        return CodedTable(self._codes(X), bits, groups.astype(np.int64))

    def _codes(self, X: Any) -> Array:
        nominal = self._nominal_mask(self.categorical_features)
        self.cut_points_: list[Array] | None = None
        if self.discretize == "none":
            nominal = np.ones_like(nominal)
        else:
            self.cut_points_ = make_discretizer(self.discretize, self.n_bins).find_cuts(
                X
            )
        parts = []
        if not nominal.all():
            assert self.cut_points_ is not None
            numeric = np.flatnonzero(~nominal)
            cuts = [self.cut_points_[c] for c in numeric]
            below = self.discretize != "equal_width"
            parts.append((numeric, encode_by_cuts(X[:, numeric], cuts, below=below)))
        if nominal.any():
            columns = np.flatnonzero(nominal)
            parts.append((columns, encode_by_value(X[:, columns])))
        kind = code_type(np.concatenate([codes.n_bins for _, codes in parts]))
        table = np.empty((X.shape[1], X.shape[0]), dtype=kind)
        for columns, codes in parts:
            table[columns] = codes.to_array().T
        return table
