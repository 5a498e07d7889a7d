"""The posterior of labels, cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]


@njit(cache=True, nogil=True)
def fill_posterior(
    s: float,
    cells: int,
    n_present: Array,
    n: int,
    seen: Array,
    unseen: Array,
    product_first: bool,
    out: Array,
) -> None:
    """Fill ``out`` (rows, labels) from what was seen with each label and without.

    ``s`` is added to ``seen`` and ``unseen`` (rows, labels), and ``cells`` times to
    their totals, ``n_present`` (labels,) and the rest of the ``n`` rows.
    """
    above, below = np.nextafter(0.5, 1.0), np.nextafter(0.5, 0.0)
    for label in range(len(n_present)):
        present = float(n_present[label])
        absent = float(n) - present
        prior = (s + present) / (2.0 * s + n) if 2.0 * s + n > 0.0 else 0.5
        with_label, without = s * cells + present, s * cells + absent
        for i in range(seen.shape[0]):
            yes, no = s + seen[i, label], s + unseen[i, label]
            pro = contra = 0.0
            if product_first:
                if with_label > 0.0:
                    pro = prior * yes / with_label
                if without > 0.0:
                    contra = (1.0 - prior) * no / without
            else:
                if with_label > 0.0:
                    pro = prior * (yes / with_label)
                if without > 0.0:
                    contra = (1.0 - prior) * (no / without)
            total = pro + contra
            if not total > 0.0:
                out[i, label] = prior
                continue
            share = pro / total
            if with_label > 0.0 and without > 0.0:
                # Both sides times all denominators: whole counts stay whole.
                for_label = (s + present) * yes * without
                against = (s + absent) * no * with_label
                if for_label == against:
                    share = 0.5
                elif for_label > against:
                    share = max(share, above)
                else:
                    share = min(share, below)
            out[i, label] = share
