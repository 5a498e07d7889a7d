"""Information measures of tables of bins by classes: pure functions, in bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.kernels.tables import table_entropies
from labelsift.statistics.tables import ContingencyTables

Scores = np.ndarray[Any, Any]


def information_gain(tables: ContingencyTables) -> Scores:
    """Return ``H(class) - H(class | feature)`` of each table, in bits."""
    return _entropies(tables)[:, 2].copy()


def gain_ratio(tables: ContingencyTables) -> Scores:
    """Return the information gain over the entropy of the feature, from 0 to 1."""
    feature, _, gain, _ = _entropies(tables).T
    return _over(gain, feature)


def symmetrical_uncertainty(tables: ContingencyTables) -> Scores:
    """Return twice the gain over the sum of both entropies, from 0 to 1."""
    feature, target, gain, _ = _entropies(tables).T
    return _over(2 * gain, feature + target)


def normalized_gain(tables: ContingencyTables) -> Scores:
    """Return the gain over the sum of both entropies (NIG), from 0 to 1/2."""
    feature, target, gain, _ = _entropies(tables).T
    return _over(gain, feature + target)


def _entropies(tables: ContingencyTables) -> Scores:
    entropies: Scores = table_entropies(tables.counts, tables.n_bins)
    return entropies


def _over(top: Scores, bottom: Scores) -> Scores:
    # nothing to be told, or nothing that tells: 0
    result = np.zeros_like(top)
    np.divide(top, bottom, out=result, where=(bottom > 0) & (top > 0))
    return result
