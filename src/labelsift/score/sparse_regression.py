"""Regressions whose penalty makes the coefficients of whole features vanish.

Both solvers replace each norm by the square that touches it at the last answer
(iteratively reweighted least squares), so that their objective cannot rise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from labelsift.kernels.blas import one_blas_thread
from labelsift.kernels.progress import teller
from labelsift.kernels.threads import kept_threads
from labelsift.score.centered_rows import CenteredRows

Array = np.ndarray[Any, Any]
_SMALL_RESIDUAL = 1e-8  # norms are smoothed to sqrt(norm^2 + this^2)
_SMALL_COEFFICIENT = 1e-10
_VANISHED = 10 * _SMALL_COEFFICIENT  # what smoothing leaves of 0
_TO_ZERO = 1e-6  # of the largest row of coefficients: less counts as 0
_DIGITS = 7  # decimals of the largest that scores keep: more is noise of the BLAS
_RESIDUAL = 1e-13  # of the right side, where conjugate gradients stop
_ALIKE = 1e3  # weights of rows that differ by less cost no digits that matter
_CG_ROUNDS = 2000


@dataclass(frozen=True)
class SparseFit:
    """What a regression came to.

    Parameters
    ----------
    coefficients : ndarray of shape (n_features, n_labels), float64
        For the scaled features.
    objective : ndarray of shape (n_rounds,), float64
        After each round; it never rises.
    has_converged : bool
        Whether the last round lowered it by less than the tolerance.
    """

    coefficients: Array
    objective: Array
    has_converged: bool

    @property
    def scores(self) -> Array:
        """Norm of the coefficients of each feature, rounded; 0 where it is tiny."""
        norms = np.sqrt((self.coefficients**2).sum(axis=1))
        most = norms.max(initial=0.0)
        if most <= _VANISHED:
            return np.zeros_like(norms)
        unit = 10.0 ** (np.floor(np.log10(most)) - _DIGITS)
        scores: Array = np.rint(norms / unit) * unit
        return np.where(norms < _TO_ZERO * most, 0.0, scores)


def robust_regression(
    rows: CenteredRows, Y: Array, *, gamma: float, max_iter: int, tol: float
) -> SparseFit:
    """Minimise ``||Z W - Y||_{2,1} + gamma ||W||_{2,1}`` over W.

    Parameters
    ----------
    rows : CenteredRows
        Z.
    Y : ndarray of shape (n_samples, n_labels), float64
        Targets.
    gamma : float
        Weight of the penalty, above 0.
    max_iter : int
        Rounds at most.
    tol : float
        Stop when a round lowers the objective by less than this share.

    Returns
    -------
    SparseFit
        Time O(n d min(n, d)) a round, memory O(min(n, d)**2).
    """
    fitted = np.zeros_like(Y)

    def once(W: Array | None) -> tuple[Array, float]:
        nonlocal fitted
        if W is None:
            reach, far = np.ones(rows.d), np.ones(rows.n)
        else:
            reach, far = _reach(W), _norms(fitted - Y, _SMALL_RESIDUAL)
            reach, far = 2.0 * reach, 2.0 * far
        W = _ridge(rows, Y, reach=reach, noise=far, gamma=gamma)
        fitted = rows.times(W)
        loss = _norms(fitted - Y, _SMALL_RESIDUAL).sum()
        return W, float(loss + gamma * _reach(W).sum())

    return _descend(once, max_iter=max_iter, tol=tol)


def manifold_regression(
    rows: CenteredRows,
    Y: Array,
    laplacian: Any,
    label_laplacian: Array,
    *,
    alpha: float,
    beta: float,
    gamma: float,
    max_iter: int,
    tol: float,
) -> SparseFit:
    """Regress labels that are smooth on graphs of rows and of labels.

    Minimises over F and W, with H the centring matrix, ``tr F'LF +
    alpha ||H(ZW - F)||^2 + alpha ||F - Y||^2 + beta tr F L0 F' + gamma ||W||_{2,1}``.

    Parameters
    ----------
    rows : CenteredRows
        Z.
    Y : ndarray of shape (n_samples, n_labels), float64
        Labels.
    laplacian : csr_array of shape (n_samples, n_samples)
        L, of the graph of rows.
    label_laplacian : ndarray of shape (n_labels, n_labels)
        L0, of the graph of labels.
    alpha, beta, gamma : float
        Weights; alpha and gamma above 0, beta at least 0.
    max_iter, tol : int, float
        As for ``robust_regression``.

    Returns
    -------
    SparseFit
        Time O(n d min(n, d)) once and O(min(n, d)**3 + n d q) a round, d < n, else
        O(n**2 d); memory O(min(n, d)**2 + n q).
    """
    primal = rows.d <= rows.n
    gram = rows.gram(np.ones(rows.n)) if primal else None
    shares, vectors = np.linalg.eigh(label_laplacian)
    shares = np.maximum(shares, 0.0)
    F = Y.copy()
    turned = F @ vectors

    def once(W: Array | None) -> tuple[Array, float]:
        nonlocal F, turned
        if W is not None:
            right = alpha * (_centered(rows.times(W)) + Y) @ vectors
            # the mean of each column on its own: L and H do not see it
            mean = right.mean(axis=0)
            turned = _conjugate_gradients(
                laplacian, 2.0 * alpha + beta * shares, right - mean, _centered(turned)
            )
            turned = _centered(turned) + mean / (alpha + beta * shares)
            F = turned @ vectors.T
        reach = np.ones(rows.d) if W is None else 2.0 * _reach(W)
        W = _ridge(
            rows,
            _centered(F),
            reach=reach,
            noise=np.ones(rows.n),
            gamma=gamma / alpha,
            gram=gram,
        )
        value = (F * (laplacian @ F)).sum()
        value += alpha * (_centered(rows.times(W) - F) ** 2).sum()
        value += alpha * ((F - Y) ** 2).sum()
        value += beta * (turned**2 * shares).sum()
        return W, float(value + gamma * _reach(W).sum())

    return _descend(once, max_iter=max_iter, tol=tol)


def _descend(
    once: Callable[[Array | None], tuple[Array, float]], *, max_iter: int, tol: float
) -> SparseFit:
    """Call ``once`` on its own answer until the objective falls no more."""
    trace: list[float] = []
    W: Array | None = None
    has_converged = False
    tell = teller("rounds")
    # many products, too small to be worth the threads of the BLAS
    with one_blas_thread(), kept_threads():
        while len(trace) < max_iter and not has_converged:
            W, value = once(W)
            trace.append(value)
            if tell is not None:
                tell(len(trace), 0)
            if len(trace) > 1:
                has_converged = trace[-2] - value <= tol * abs(trace[-2])
    assert W is not None
    return SparseFit(W, np.array(trace), has_converged)


def _ridge(
    rows: CenteredRows,
    Y: Array,
    *,
    reach: Array,
    noise: Array,
    gamma: float,
    gram: Array | None = None,
) -> Array:
    """Minimise ``sum_i |Z_i W - Y_i|^2 / noise_i + gamma sum_f |W_f|^2 / reach_f``.

    The smaller of the two forms is solved; both have no division by a reach near 0.
    """
    if rows.d <= rows.n:
        root = np.sqrt(reach)
        if gram is None:
            gram = rows.gram(1.0 / noise)
        matrix = root[:, None] * gram * root
        matrix.flat[:: rows.d + 1] += gamma
        factor = _factored(matrix)
        # once more for what is left: rows that are fitted exactly may weigh so much
        # that the first answer has lost half of its digits
        answer = np.zeros((rows.d, Y.shape[1]))
        for again in range(1 if noise.max() < _ALIKE * noise.min() else 2):
            rest = Y - rows.times(root[:, None] * answer) if again else Y
            right = root[:, None] * rows.transposed_times(rest / noise[:, None])
            answer += linalg.cho_solve(
                factor, right - gamma * answer, check_finite=False
            )
        return root[:, None] * answer
    matrix = rows.outer(reach / gamma)
    matrix.flat[:: rows.n + 1] += noise
    answer = linalg.cho_solve(_factored(matrix), Y, check_finite=False)
    return (reach / gamma)[:, None] * rows.transposed_times(answer)


def _factored(matrix: Array) -> Any:
    return linalg.cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)


def _conjugate_gradients(
    laplacian: Any, shifts: Array, right: Array, start: Array
) -> Array:
    """Solve ``(L + shift_j I) x_j = right_j`` for every column j at once.

    One sparse product a step serves all columns, and nothing is factored, so that
    memory stays that of the graph. Preconditioned by the diagonal.
    """
    inverse = 1.0 / (laplacian.diagonal()[:, None] + shifts)
    x = start.copy()
    residual = right - laplacian @ x - shifts * x
    limit = _RESIDUAL * np.sqrt((right**2).sum(axis=0))
    moved = inverse * residual
    direction = moved.copy()
    size = (residual * moved).sum(axis=0)
    for _ in range(_CG_ROUNDS):
        if (np.sqrt((residual**2).sum(axis=0)) <= limit).all():
            break
        image = laplacian @ direction + shifts * direction
        curve = (direction * image).sum(axis=0)
        step = np.divide(size, curve, out=np.zeros_like(size), where=curve > 0)
        x += step * direction
        residual -= step * image
        moved = inverse * residual
        after = (residual * moved).sum(axis=0)
        turn = np.divide(after, size, out=np.zeros_like(size), where=size > 0)
        direction = moved + turn * direction
        size = after
    return x


def _norms(rows: Array, small: float) -> Array:
    norms: Array = np.sqrt((rows**2).sum(axis=1) + small * small)
    return norms


def _reach(W: Array) -> Array:
    return _norms(W, _SMALL_COEFFICIENT)


def _centered(table: Array) -> Array:
    centered: Array = table - table.mean(axis=0)
    return centered
