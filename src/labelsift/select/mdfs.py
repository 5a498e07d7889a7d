"""Rank features by a regression of labels that are smooth on two graphs."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from labelsift._sklearn import Interval
from labelsift.score.centered_rows import CenteredRows
from labelsift.score.manifold import label_laplacian, row_laplacian
from labelsift.score.sparse_regression import SparseFit, manifold_regression
from labelsift.select._sparse_regression import SparseRegressionSelector


class MDFS(SparseRegressionSelector):
    """Rank features by a regression of labels smoothed over near rows and alike labels.

    Manifold regularised discriminative feature selection: between the features and the
    0/1 labels stands a table F of numbers that stays near the labels, changes little
    between near rows (graph L) and between labels that occur together (graph L0), and
    is a linear function of few features. Minimises over F and W, with H the centring
    matrix, ``tr F'LF + alpha ||H(XW - F)||^2 + alpha ||F - Y||^2 + beta tr F L0 F' +
    gamma ||W||_{2,1}``. Convex in both together, so that the answer does not depend on
    a start.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    alpha : float, default=1.0
        Weight of the regression and of nearness to the labels, above 0.
    beta : float, default=1.0
        Weight of the graph of labels, at least 0.
    gamma : float, default=0.1
        Weight of the penalty, above 0; larger values make more coefficients vanish.
    n_neighbors : int, default=5
        Near rows that each row is joined to in L.
    scale : {"zscore", "minmax", "none"}, default="zscore"
        What a feature is divided by: its standard deviation, its range, or nothing.
        Means are always taken off.
    max_iter : int, default=500
        Rounds at most; a warning says if they did not suffice.
    tol : float, default=1e-6
        Stop when a round lowers the objective by less than this share of it.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,), float64
        Norm of the coefficients of each scaled feature over all labels, higher is
        better, rounded to seven places below the first digit of the largest (beyond
        that it would depend on the linear algebra library); 0 for features whose norm
        is less than 1e-6 of the largest.
    order_ : ndarray of shape (n_features,), int64
        Column indices, best first; equal scores in column order, constant ones last.
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best.
    coef_ : ndarray of shape (n_features, n_labels), float64
        Coefficients of the scaled features.
    objective_ : ndarray of shape (n_iterations,), float64
        The objective after each round; it never rises.
    n_iter_ : int
        Rounds.
    label_names_in_ : ndarray of str
        Names of the labels.

    Raises
    ------
    ValueError
        If ``X`` holds NaN, ``y`` anything but 0 and 1, or both sides of ``X`` are
        larger than 20 000.

    Notes
    -----
    By turns F, from one linear system a label found by conjugate gradients (in the
    eigenvectors of L0 the labels come apart), and W by reweighted least squares. Time
    O(n**2 d) for the graph, O(n d min(n, d)) once and O(min(n, d)**3 + n d q) a round
    (for d > n O(n**2 d) a round), memory O(min(n, d)**2 + n q). Sparse ``X`` stays
    sparse. A class vector is one 0/1 label for each class.

    Certainty: high for the objective, which is that of the program signed by the first
    author; another program weighs the regression with 1 in place of alpha. The graphs
    are our choice: rows joined when either is among the 5 nearest of the other, all
    pairs of labels, weights exp(-distance**2 / (2 s**2)) with s the median distance of
    what is joined (a fixed width of 1 makes all weights vanish on z-scored data).

    References
    ----------
    .. [1] Zhang, Luo, Li, Zhou, Li. Manifold regularized discriminative feature
       selection for multi-label learning. Pattern Recognition 95, 2019, 136-150.
       doi:10.1016/j.patcog.2019.06.003

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(40, 4))
    >>> Y = (X[:, [2, 0]] > 0).astype(int)
    >>> selector = MDFS(2).fit(X, Y)
    >>> selector.get_support(indices=True)
    array([0, 2])
    """

    _parameter_constraints = {
        **SparseRegressionSelector._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        alpha: float = 1.0,
        beta: float = 1.0,
        gamma: float = 0.1,
        n_neighbors: int = 5,
        scale: str = "zscore",
        max_iter: int = 500,
        tol: float = 1e-6,
    ) -> None:
        super().__init__(n_features_to_select)
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.scale = scale
        self.max_iter = max_iter
        self.tol = tol

    def _fit_rows(
        self, X: Any, rows: CenteredRows, Y: np.ndarray[Any, Any]
    ) -> SparseFit:
        return manifold_regression(
            rows,
            Y,
            row_laplacian(X, rows.factors, n_neighbors=int(self.n_neighbors)),
            label_laplacian(Y),
            alpha=float(self.alpha),
            beta=float(self.beta),
            gamma=float(self.gamma),
            max_iter=int(self.max_iter),
            tol=float(self.tol),
        )
