"""Information measures of tables of bins by classes: pure functions, in bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.kernels.bin_tables import table_entropies
from labelsift.statistics.bin_tables import BinTables

Scores = np.ndarray[Any, Any]


def information_gain(tables: BinTables) -> Scores:
    """Return ``H(class) - H(class | feature)`` of each table, in bits."""
    return _entropies(tables)[:, 2].copy()


def gain_ratio(tables: BinTables) -> Scores:
    """Return the information gain over the entropy of the feature, from 0 to 1."""
    feature, _, gain, _ = _entropies(tables).T
    return _over(gain, feature)


def symmetrical_uncertainty(tables: BinTables) -> Scores:
    """Return twice the gain over the sum of both entropies, from 0 to 1."""
    feature, target, gain, _ = _entropies(tables).T
    return _over(2 * gain, feature + target)


def normalized_gain(tables: BinTables) -> Scores:
    """Return the gain over the sum of both entropies (NIG), from 0 to 1/2."""
    feature, target, gain, _ = _entropies(tables).T
    return _over(gain, feature + target)


def _entropies(tables: BinTables) -> Scores:
    entropies: Scores = table_entropies(tables.counts, tables.n_bins)
    return entropies


def _over(top: Scores, bottom: Scores) -> Scores:
    # nothing to be told, or nothing that tells: 0
    result = np.zeros_like(top)
    np.divide(top, bottom, out=result, where=(bottom > 0) & (top > 0))
    return result
