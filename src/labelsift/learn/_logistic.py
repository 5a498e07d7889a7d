"""Logistic regression with next to no regularisation, solved to its optimum."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

Array = np.ndarray[Any, Any]

_NEWTON_SIZE = 3000  # rows or inputs, whichever are fewer; above, L-BFGS


class LogisticRegressions:
    """One regression for each label on the same inputs.

    Newton's method with step halving: general solvers give up where labels can be
    separated, since a ridge of 1e-8 is all that keeps the weights finite then.

    Parameters
    ----------
    inputs : ndarray or csr_array of shape (n_rows, n_inputs)
        Finite values.
    ridge : float
        Weight of the squared weights of standardised inputs.
    """

    def __init__(self, inputs: Any, ridge: float) -> None:
        n, d = inputs.shape
        self.ridge = ridge
        self._width = _deviations(inputs)
        self._mean = np.zeros(d)
        if sparse.issparse(inputs):
            self._inputs = inputs @ sparse.diags_array(1.0 / self._width)
        else:
            self._mean = inputs.mean(axis=0)
            self._inputs = (inputs - self._mean) / self._width
        self._rotation: Array | None = None
        self._newton = min(n, d) <= _NEWTON_SIZE
        if self._newton and d > n:
            # The best weights are combinations of the rows: n unknowns, not d.
            gram = self._inputs @ self._inputs.T
            gram = gram.toarray() if sparse.issparse(gram) else gram
            size, vectors = linalg.eigh(gram)
            kept = size > size[-1] * n * np.finfo(float).eps
            root = np.sqrt(size[kept])
            self._rotation = self._inputs.T @ (vectors[:, kept] / root)
            self._inputs = vectors[:, kept] * root

    def fit(self, target: Array) -> tuple[Array, float]:
        """Return the weights of the inputs, and the constant, for one 0/1 target."""
        if self._newton:
            weights, constant = self._solve(target)
        else:
            model = LogisticRegression(
                C=1.0 / (2.0 * self.ridge), tol=1e-8, max_iter=2000
            ).fit(self._inputs, target)
            weights, constant = model.coef_[0], float(model.intercept_[0])
        if self._rotation is not None:
            weights = self._rotation @ weights
        weights = weights / self._width
        return weights, constant - float(self._mean @ weights)

    def _solve(self, target: Array) -> tuple[Array, float]:
        A, d = self._inputs, self._inputs.shape[1]
        penalty = np.append(np.full(d, 2.0 * self.ridge), 0.0)
        sign = np.where(target == 1, -1.0, 1.0)

        def loss(w: Array) -> float:
            margin = sign * (A @ w[:d] + w[d])
            fit = float(np.logaddexp(0.0, margin).sum())
            return fit + 0.5 * float(penalty @ w**2)

        share = target.mean()
        w = np.zeros(d + 1)
        w[d] = np.log(share / (1.0 - share))
        value = loss(w)
        for _ in range(200):
            p = expit(A @ w[:d] + w[d])
            gradient = np.append(A.T @ (p - target), (p - target).sum()) + penalty * w
            step = -_solve_positive(_hessian(A, p * (1.0 - p), penalty), gradient)
            slope = float(gradient @ step)
            size = 1.0
            while (trial := loss(w + size * step)) > value + 1e-4 * size * slope:
                size /= 2.0
                if size < 1e-12:
                    return w[:d], float(w[d])
            w = w + size * step
            gain, value = value - trial, trial
            if gain <= 1e-14 * max(1.0, value) and -slope <= 1e-12 * max(1.0, value):
                break
        return w[:d], float(w[d])


def _hessian(A: Any, curvature: Array, penalty: Array) -> Array:
    d = A.shape[1]
    H = np.empty((d + 1, d + 1))
    if sparse.issparse(A):
        weighted = sparse.diags_array(curvature) @ A
        H[:d, :d] = (A.T @ weighted).toarray()
        H[d, :d] = np.asarray(weighted.sum(axis=0)).ravel()
    else:
        weighted = A * curvature[:, None]
        H[:d, :d] = A.T @ weighted
        H[d, :d] = weighted.sum(axis=0)
    H[:d, d] = H[d, :d]
    H[d, d] = curvature.sum()
    H[np.diag_indices(d + 1)] += penalty
    return H


def _solve_positive(H: Array, gradient: Array) -> Array:
    """Solve ``H x = gradient`` for a positive definite H, however nearly singular."""
    scale = np.sqrt(np.maximum(H.diagonal(), 1e-300))
    scaled = H / scale / scale[:, None]
    lift = 0.0
    while True:
        try:
            factor = linalg.cho_factor(scaled, check_finite=False)
            break
        except linalg.LinAlgError:
            lift = max(10.0 * lift, 1e-14)
            scaled[np.diag_indices(len(scaled))] += lift
    solution: Array = linalg.cho_solve(factor, gradient / scale, check_finite=False)
    return solution / scale


def _deviations(inputs: Any) -> Array:
    """Return the standard deviation of each input; 1 where it is constant."""
    n = inputs.shape[0]
    if sparse.issparse(inputs):
        mean = np.asarray(inputs.mean(axis=0)).ravel()
        square = np.asarray(inputs.multiply(inputs).mean(axis=0)).ravel()
        variance = np.maximum(square - mean**2, 0.0) * n / max(n - 1, 1)
        variance[variance <= 1e-12 * square] = 0.0
    else:
        constant = (inputs == inputs[:1]).all(axis=0)
        variance = np.where(constant, 0.0, inputs.var(axis=0, ddof=1))
    width: Array = np.sqrt(variance)
    width[width == 0.0] = 1.0
    return width
