"""The posterior of a label, given how often a count was seen with and without it."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.kernels.posterior import fill_posterior

Array = np.ndarray[Any, Any]


def posterior(
    s: float,
    cells: int,
    n_present: Array,
    n: int,
    seen: Array,
    unseen: Array,
    *,
    product_first: bool = False,
) -> Array:
    """Return the smoothed posterior, rounded as published, decided exactly.

    Parameters
    ----------
    s : float
        Smoothing; added to ``seen`` and ``unseen``, ``cells`` times to their totals.
    cells : int
        Times that the smoothing enters a total.
    n_present : ndarray of shape (n_labels,), int
        Training rows with the label.
    n : int
        Training rows.
    seen, unseen : ndarray of shape (n_rows, n_labels), int
        Training rows like this one with the label, and without.
    product_first : bool, default=False
        Multiply by the prior before dividing by the total, as DMLkNN in Mulan does;
        ML-kNN divides first. Only the last digit differs.

    Returns
    -------
    ndarray of shape (n_rows, n_labels)
        P(label) P(seen | label), as a share of itself and its counterpart; the prior
        where both are 0. It is one half exactly where both sides are equal, and on the
        right side of one half elsewhere, whatever the rounding.
    """
    found = np.empty(seen.shape)
    fill_posterior(float(s), cells, n_present, n, seen, unseen, product_first, found)
    return found
