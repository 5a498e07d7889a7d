"""IBLR-ML: logistic regression on the labels of the neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit

from labelsift._sklearn import StrOptions
from labelsift.kernels.blas import one_blas_thread
from labelsift.kernels.logistic import fit_labels, score_counts
from labelsift.learn._logistic import LogisticRegressions
from labelsift.learn._neighbor_classifier import NeighborClassifier
from labelsift.learn.neighbor_graph import Neighbors

Array = np.ndarray[Any, Any]

_RIDGE = 1e-8  # on standardised inputs, not on the intercept; Weka's
_MOST_COUNTED = 64  # labels; with more, a BLAS does the products


class IBLR(NeighborClassifier):
    """Instance-based learning and logistic regression combined (IBLR-ML).

    For each label, a logistic regression on the shares of neighbours that have each
    label; ``append_features`` adds the original features (IBLR-ML+).

    Parameters
    ----------
    n_neighbors : int, default=10
        Neighbours asked, at least 1 and less than the number of training rows.
    append_features : bool, default=False
        Whether the features of ``X`` are inputs too; missing values of numeric ones as
        the mean of the training rows.
    nominal_inputs : {"indicators", "codes"}, default="indicators"
        How ``append_features`` takes nominal columns: one 0/1 input for each value, or
        (as Mulan does) their codes as if they were quantities, a missing one as 0.
    scale : {None, "minmax"}, default=None
        ``"minmax"`` maps every numeric column to 0..1 over the training rows, for the
        distance.
    ties : {"index", "weka"}, default="index"
        Which of several equally far rows is taken at the k-th place: the lower training
        index, or the one that Weka's (and so Mulan's) search keeps.
    categorical_features : array-like of bool, int or str, default=None
        Mask, indices or names of the nominal columns, which differ by 0 or 1.

    Attributes
    ----------
    graph_ : NeighborGraph
        Neighbours of the training rows, each row itself left out.
    coef_ : ndarray of shape (n_labels, n_inputs)
        Weights: of the features, if appended, then of the shares of each label.
    intercept_ : ndarray of shape (n_labels,)
        Constant terms.
    classes_ : ndarray
        0 .. n_labels - 1, or the classes where ``y`` was a class vector.
    label_names_in_ : ndarray of shape (n_labels,), object
        Names of the labels.

    Notes
    -----
    Practically without regularisation: ridge 1e-8 on standardised inputs, solved to
    the optimum. Where a label can be separated the weights are large and the scores
    close to 0 and 1; Weka's optimiser stops short of the optimum there. A label is
    predicted when its score is one half or more; a label that all training rows have,
    or none, is predicted so. The neighbours are exact everywhere; the weights hold to
    the precision of the optimiser.

    Time O(n (n_labels + d)^2) for each label and step of Newton's method, with d the
    appended features, beside the search.

    Missing values (NaN) are allowed in training rows and in rows to predict, and none
    is imputed: one counts as far as the training range allows, two as the whole range,
    in a nominal column as different. A row without a known value is answered by the
    rows in the middle of the ranges.

    References
    ----------
    .. [1] Cheng, Huellermeier. Combining instance-based learning and logistic
       regression for multilabel classification. Machine Learning 76, 2009, 211-225.
       doi:10.1007/s10994-009-5127-5

    Examples
    --------
    >>> from labelsift.learn import IBLR
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [10.0], [11.0], [12.0], [13.0], [14.0]]
    >>> Y = [[1], [1], [0], [1], [0], [0], [1], [0], [0], [0]]
    >>> IBLR(3).fit(X, Y).predict_proba([[1.4], [12.4]]).round(3).tolist()
    [[0.341], [0.437]]
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **NeighborClassifier._parameter_constraints,
        "append_features": ["boolean"],
        "nominal_inputs": [StrOptions({"indicators", "codes"})],
    }

    def __init__(
        self,
        n_neighbors: int = 10,
        *,
        append_features: bool = False,
        nominal_inputs: str = "indicators",
        scale: str | None = None,
        ties: str = "index",
        categorical_features: Any = None,
    ) -> None:
        super().__init__(
            n_neighbors,
            scale=scale,
            ties=ties,
            categorical_features=categorical_features,
        )
        self.append_features = append_features
        self.nominal_inputs = nominal_inputs

    def _learn(self, neighbors: Neighbors) -> None:
        present = self._labels.sum(axis=0, dtype=np.int64)
        n, L = self._labels.shape
        constant = (present == 0) | (present == n)
        self._constant = np.where(constant, (present > 0).astype(np.float64), np.nan)
        if self._reads_counts_only():
            self._learn_from_counts(neighbors)
            return
        if self.append_features:
            self._prepare_features(neighbors.X)
        inputs = self._inputs(neighbors)
        self.coef_ = np.zeros((L, inputs.shape[1]))
        self.intercept_ = np.zeros(L)
        regressions = LogisticRegressions(inputs, _RIDGE)
        with one_blas_thread():  # the matrices are small
            for label in np.flatnonzero(~constant).tolist():
                target = self._labels[:, label].astype(np.float64)
                weights, constant_term = regressions.fit(target)
                self.coef_[label], self.intercept_[label] = weights, constant_term

    def _reads_counts_only(self) -> bool:
        return not self.append_features and self._labels.shape[1] <= _MOST_COUNTED

    def _learn_from_counts(self, neighbors: Neighbors) -> None:
        """Fit all labels on groups of rows with the same counts."""
        n, k = len(self._labels), int(self.n_neighbors)
        groups = self._label_counts(neighbors).groups
        sizes, having = groups.tally(self._labels)
        counts = groups.counts.astype(np.int64)
        total = sizes @ counts
        spread = n * (sizes @ counts**2) - total**2  # whole: 0 where constant
        width = np.sqrt(spread / (n * (n - 1.0)))
        width[spread == 0] = 1.0
        found = np.zeros((len(self._constant), counts.shape[1] + 1))
        fit_labels(
            (counts - total / n) / width,
            sizes.astype(np.float64),
            np.ascontiguousarray(having.T, dtype=np.float64),
            n,
            _RIDGE,
            found,
        )
        per_count = found[:, :-1] / width
        self.coef_ = per_count * k
        self.intercept_ = found[:, -1] - (per_count * (total / n)).sum(axis=1)

    def _inputs(self, neighbors: Neighbors) -> Any:
        shares = self._label_counts(neighbors).counts / self.n_neighbors
        if not self.append_features:
            return shares
        X = self._features(neighbors.X)
        if sparse.issparse(X):
            return sparse.csr_array(sparse.hstack([X, sparse.csr_array(shares)]))
        return np.hstack([X, shares])

    def _prepare_features(self, X: Any) -> None:
        nominal = self.graph_._space.nominal
        self._values: dict[int, Array] = {}
        if self.nominal_inputs == "indicators":
            for f in np.flatnonzero(nominal).tolist():
                column = _column(X, f)
                self._values[f] = np.unique(column[~np.isnan(column)])
        self._fill = np.zeros(X.shape[1])
        if self.graph_._space.has_missing:
            for f in np.flatnonzero(~nominal).tolist():
                present = _column(X, f)
                present = present[~np.isnan(present)]
                self._fill[f] = present.mean() if len(present) else 0.0

    def _features(self, X: Any) -> Any:
        nominal = self.graph_._space.nominal
        rows = X  # an indicator of a missing value is 0
        if sparse.issparse(X):
            X = sparse.csr_array(X, copy=True)
            missing = np.isnan(X.data)
            X.data[missing] = self._fill[X.indices[missing]]
        else:
            X = np.where(np.isnan(X), self._fill, X)
        if not self._values:
            return X
        parts = [X[:, np.flatnonzero(~nominal)]]
        for f, values in self._values.items():
            # Of two values one column tells all.
            kept = values[1:] if len(values) == 2 else values
            same = (_column(rows, f)[:, None] == kept).astype(np.float64)
            parts.append(sparse.csr_array(same) if sparse.issparse(X) else same)
        if sparse.issparse(X):
            return sparse.csr_array(sparse.hstack(parts))
        return np.hstack(parts)

    def _scores(self, neighbors: Neighbors) -> Array:
        scores: Array
        if self._reads_counts_only():
            groups = self._label_counts(neighbors).groups
            scores = np.empty(groups.counts.shape)
            score_counts(
                groups.counts,
                float(self.n_neighbors),
                self.coef_,
                self.intercept_,
                scores,
            )
            scores = scores[groups.of_row]
        else:
            inputs = self._inputs(neighbors)
            scores = expit(inputs @ self.coef_.T + self.intercept_)
        constant = ~np.isnan(self._constant)
        scores[:, constant] = self._constant[constant]
        return scores

    def _relevant(self, scores: Array, neighbors: Neighbors) -> Array:
        return scores >= 0.5


def _column(X: Any, f: int) -> Array:
    column: Array = X[:, [f]].toarray() if sparse.issparse(X) else X[:, f]
    return column.ravel()
