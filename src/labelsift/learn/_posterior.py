"""The posterior of a label, given how often a count was seen with and without it."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    n_absent = n - n_present
    prior = (s + n_present) / (2 * s + n)
    if product_first:
        for_label = _share(prior * (s + seen), s * cells + n_present)
        against = _share((1 - prior) * (s + unseen), s * cells + n_absent)
    else:
        for_label = prior * _share(s + seen, s * cells + n_present)
        against = (1 - prior) * _share(s + unseen, s * cells + n_absent)
    total = for_label + against
    start = np.broadcast_to(prior, total.shape).copy()
    result: Array = np.divide(for_label, total, out=start, where=total > 0)
    # Both sides times all denominators: whole counts stay whole.
    pro = (s + n_present) * (s + seen) * (s * cells + n_absent)
    contra = (s + n_absent) * (s + unseen) * (s * cells + n_present)
    known = (total > 0) & (s * cells + np.minimum(n_present, n_absent) > 0)
    result[known & (pro == contra)] = 0.5
    result[known & (pro > contra) & (result <= 0.5)] = np.nextafter(0.5, 1)
    result[known & (pro < contra) & (result >= 0.5)] = np.nextafter(0.5, 0)
    return result


def _share(counts: Array, totals: Array) -> Array:
    share: Array = np.divide(
        counts, totals, out=np.zeros(np.shape(counts)), where=totals > 0
    )
    return share
