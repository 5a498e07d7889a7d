"""Logistic regressions of many labels on the same few grouped inputs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]


@njit(cache=True, nogil=True)
def _loss(
    Z: Array,
    sizes: Array,
    having: Array,
    w: Array,
    ridge: float,
    share: Array,
) -> float:
    """Return the penalised loss; ``share`` receives each group's probability."""
    d = Z.shape[1]
    total = 0.0
    for i in range(Z.shape[0]):
        z = w[d]
        for f in range(d):
            z += Z[i, f] * w[f]
        # exp of a negative number overflows nowhere.
        small = math.exp(-abs(z))
        both = math.log1p(small)
        share[i] = (1.0 if z >= 0.0 else small) / (1.0 + small)
        with_label, without = having[i], sizes[i] - having[i]
        if z >= 0.0:
            total += with_label * both + without * (both + z)
        else:
            total += with_label * (both - z) + without * both
    square = 0.0
    for f in range(d):
        square += w[f] * w[f]
    return total + ridge * square


@njit(cache=True, nogil=True)
def _slopes(
    Z: Array,
    sizes: Array,
    having: Array,
    w: Array,
    ridge: float,
    share: Array,
    gradient: Array,
    H: Array,
) -> None:
    """Fill the gradient and the lower half of the matrix of second derivatives."""
    d = Z.shape[1]
    gradient[:] = 0.0
    H[:] = 0.0
    for i in range(Z.shape[0]):
        p = share[i]
        wrong = sizes[i] * p - having[i]
        curve = sizes[i] * (p * (1.0 - p))
        for f in range(d):
            gradient[f] += wrong * Z[i, f]
            part = curve * Z[i, f]
            for g in range(f + 1):
                H[f, g] += part * Z[i, g]
            H[d, f] += part
        gradient[d] += wrong
        H[d, d] += curve
    for f in range(d):
        gradient[f] += 2.0 * ridge * w[f]
        H[f, f] += 2.0 * ridge


@njit(cache=True, nogil=True)
def _factor(H: Array, scale: Array, lift: float, factor: Array) -> bool:
    """Fill the Cholesky factor of H scaled to a unit diagonal, ``lift`` added to it."""
    d = H.shape[0]
    for f in range(d):
        for g in range(f + 1):
            total = H[f, g] / (scale[f] * scale[g])
            if f == g:
                total += lift
            for a in range(g):
                total -= factor[f, a] * factor[g, a]
            if f > g:
                factor[f, g] = total / factor[g, g]
            elif total > 0.0:
                factor[f, f] = math.sqrt(total)
            else:
                return False
    return True


@njit(cache=True, nogil=True)
def _newton_step(
    H: Array, gradient: Array, scale: Array, factor: Array, step: Array
) -> None:
    """Fill ``step`` with minus the solution of ``H x = gradient``."""
    d = H.shape[0]
    for f in range(d):
        scale[f] = math.sqrt(max(H[f, f], 1e-300))
    lift = 0.0
    while not _factor(H, scale, lift, factor):
        lift = max(10.0 * lift, 1e-14)
    for f in range(d):
        total = -gradient[f] / scale[f]
        for a in range(f):
            total -= factor[f, a] * step[a]
        step[f] = total / factor[f, f]
    for f in range(d - 1, -1, -1):
        total = step[f]
        for a in range(f + 1, d):
            total -= factor[a, f] * step[a]
        step[f] = total / factor[f, f]
    for f in range(d):
        step[f] /= scale[f]


@njit(cache=True, nogil=True)
def fit_labels(
    Z: Array, sizes: Array, having: Array, n: int, ridge: float, out: Array
) -> None:
    """Fill ``out`` (labels, inputs + 1) with weights and, last, the constant.

    Parameters
    ----------
    Z : ndarray of shape (groups, inputs), float64
        Inputs, of unit deviation or 0.
    sizes : ndarray of shape (groups,), float64
        Rows of each group.
    having : ndarray of shape (labels, groups), float64
        Rows of each group that have the label.
    n : int
        Rows in all.
    ridge : float
        Weight of the squared weights, the constant apart.
    out : ndarray
        A label that no row has, or all, is left as it is.

    Notes
    -----
    Newton's method with step halving, until a step promises less than 1e-12 of the
    loss: the next one would change no digit that counts.
    """
    d = Z.shape[1]
    H = np.empty((d + 1, d + 1))
    factor = np.empty((d + 1, d + 1))
    gradient = np.empty(d + 1)
    scale = np.empty(d + 1)
    step = np.empty(d + 1)
    trial = np.empty(d + 1)
    share = np.empty(Z.shape[0])
    for label in range(having.shape[0]):
        present = 0.0
        for i in range(Z.shape[0]):
            present += having[label, i]
        if present == 0.0 or present == n:
            continue
        w = out[label]
        w[:] = 0.0
        w[d] = math.log(present / (n - present))
        value = _loss(Z, sizes, having[label], w, ridge, share)
        for _ in range(200):
            _slopes(Z, sizes, having[label], w, ridge, share, gradient, H)
            _newton_step(H, gradient, scale, factor, step)
            slope = 0.0
            for f in range(d + 1):
                slope += gradient[f] * step[f]
            if -slope <= 1e-12 * max(1.0, value):
                for f in range(d + 1):
                    w[f] += step[f]
                break
            size = 1.0
            reached = value
            while size >= 1e-12:
                for f in range(d + 1):
                    trial[f] = w[f] + size * step[f]
                reached = _loss(Z, sizes, having[label], trial, ridge, share)
                if reached <= value + 1e-4 * size * slope:
                    break
                size /= 2.0
            if size < 1e-12:
                break
            value = reached
            for f in range(d + 1):
                w[f] = trial[f]


@njit(cache=True, nogil=True)
def score_counts(
    counts: Array, k: float, weights: Array, constant: Array, out: Array
) -> None:
    """Fill ``out`` (rows, labels) with the probability of each label."""
    n, d = counts.shape
    for i in range(n):
        for label in range(d):
            z = constant[label]
            for f in range(d):
                z += counts[i, f] / k * weights[label, f]
            small = math.exp(-abs(z))
            out[i, label] = (1.0 if z >= 0.0 else small) / (1.0 + small)
