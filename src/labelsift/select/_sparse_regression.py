"""Base of selectors that are a regression with coefficients for few features."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from labelsift._sklearn import Interval, StrOptions
from labelsift.encode.labels import LabelMatrix
from labelsift.score.centered_rows import CenteredRows
from labelsift.score.ranking import order_from_scores
from labelsift.score.sparse_regression import SparseFit
from labelsift.select._base import RankingSelector

MOST = 20_000
"""Largest side of the dense matrix that is solved (3.2 GB)."""


class SparseRegressionSelector(RankingSelector):
    """Base of selectors that rank by the norms of rows of coefficients."""

    _parameter_constraints: dict[str, list[Any]] = {
        **RankingSelector._parameter_constraints,
        "gamma": [Interval(Real, 0, None, closed="neither")],
        "scale": [StrOptions({"zscore", "minmax", "none"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }
    gamma: float
    scale: str
    max_iter: int
    tol: float

    @abstractmethod
    def _fit_rows(
        self, X: Any, rows: CenteredRows, Y: np.ndarray[Any, Any]
    ) -> SparseFit:
        """Return the regression of 0/1 labels on the rows."""

    def _score(self, X: Any, labels: LabelMatrix) -> np.ndarray[Any, Any]:
        n, d = X.shape
        if min(n, d) > MOST:
            raise ValueError(
                f"{type(self).__name__} keeps a dense matrix whose side is the smaller "
                f"of n_samples and n_features, {min(n, d)} here; at most {MOST}. Fit "
                "it on a sample of the rows, or on the features that a filter keeps."
            )
        rows = CenteredRows(X, scale=self.scale)
        self._is_constant = rows.is_constant
        values = labels.values
        Y = (values.toarray() if sparse.issparse(values) else values).astype(np.float64)
        if (Y == Y[0]).all():
            warnings.warn(
                "all rows carry the same labels: every score is 0, and the order is "
                "that of the columns.",
                UserWarning,
                stacklevel=4,
            )
            fit = SparseFit(np.zeros((d, Y.shape[1])), np.zeros(1), True)
            return self._keep(fit)
        fit = self._fit_rows(X, rows, Y)
        if not fit.has_converged:
            warnings.warn(
                f"the objective of {type(self).__name__} still fell by more than "
                f"tol={self.tol:g} of itself after max_iter={self.max_iter} rounds, so "
                "the order may not be final. Raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=4,
            )
        elif not fit.scores.any():
            warnings.warn(
                f"gamma={self.gamma:g} lets the coefficients of all features vanish: "
                "the order is that of the columns. Lower gamma.",
                UserWarning,
                stacklevel=4,
            )
        return self._keep(fit)

    def _keep(self, fit: SparseFit) -> np.ndarray[Any, Any]:
        self.coef_ = fit.coefficients
        self.objective_ = fit.objective
        self.n_iter_ = len(fit.objective)
        return fit.scores

    def _order(self, scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return order_from_scores(scores, self._is_constant)
