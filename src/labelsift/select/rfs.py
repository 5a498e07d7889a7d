"""Rank features by a robust regression of the labels on few features."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.score.centered_rows import CenteredRows
from labelsift.score.sparse_regression import SparseFit, robust_regression
from labelsift.select._sparse_regression import SparseRegressionSelector


class RFS(SparseRegressionSelector):
    """Rank features by their part in a robust regression of all labels at once.

    The joint l2,1-norm minimisation ``||XW - Y||_{2,1} + gamma ||W||_{2,1}``: the
    loss counts the distance of a row and not its square, so that outliers weigh little,
    and the penalty lets the coefficients of whole features vanish. Convex, so that the
    answer does not depend on a start. Takes numbers as they are; of features that say
    the same, all have smaller coefficients.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Features kept by ``transform``: a number, a share, or all.
    gamma : float, default=1.0
        Weight of the penalty, above 0; larger values make more coefficients vanish.
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
    Solved by iteratively reweighted least squares with norms smoothed by 1e-8
    (residuals) and 1e-10 (coefficients). Time O(n d min(n, d) + min(n, d)**3) a round,
    memory O(min(n, d)**2): for d > n systems of size n are solved, which is where time
    is gained. For n > d a round is one weighted product ``X' D X``, at the speed of the
    linear algebra library, and a plain program of it takes as long. Sparse ``X`` stays
    sparse. A class vector is one 0/1 label for each class.

    Certainty: high. The objective and the rounds are those of two programs
    (scikit-feature, MLC_toolbox), and the minimum agrees with another method of
    solution. They differ in the intercept: the first has none, the second adds a
    penalised column of ones; here features and labels are centred.

    References
    ----------
    .. [1] Nie, Huang, Cai, Ding. Efficient and robust feature selection via joint
       l2,1-norms minimization. NIPS 23, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 0, 2], [0, 1, 1], [2, 1, 0], [1, 2, 1], [0, 0, 1], [2, 2, 0]])
    >>> Y = np.array([[1, 0], [0, 1], [1, 1], [0, 1], [0, 0], [1, 0]])
    >>> selector = RFS(gamma=0.5).fit(X, Y)
    >>> selector.order_
    array([0, 1, 2])
    >>> bool((np.diff(selector.objective_) <= 0).all())
    True
    """

    def __init__(
        self,
        n_features_to_select: float | None = None,
        *,
        gamma: float = 1.0,
        scale: str = "zscore",
        max_iter: int = 500,
        tol: float = 1e-6,
    ) -> None:
        super().__init__(n_features_to_select)
        self.gamma = gamma
        self.scale = scale
        self.max_iter = max_iter
        self.tol = tol

    def _fit_rows(
        self, X: Any, rows: CenteredRows, Y: np.ndarray[Any, Any]
    ) -> SparseFit:
        return robust_regression(
            rows,
            Y - Y.mean(axis=0),
            gamma=float(self.gamma),
            max_iter=int(self.max_iter),
            tol=float(self.tol),
        )
