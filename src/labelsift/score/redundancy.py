"""Criteria of greedy selection by mutual information, larger is better.

For each feature f, in bits: ``relevance`` is the sum over labels l of I(f; l), and
``label_pairs`` the sum over pairs of labels of I(f; l) - I(f; l | l'). Over the picks
s so far, ``redundancy`` is the sum of I(f; s), and ``interaction`` the sum over s and l
of I(f; l) - I(f; l | s). All are arrays of shape (n_features,), and so is what comes
back. A mean over no picks is 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def mlmrmr(relevance: Array, redundancy: Array, n_picked: int) -> Array:
    """Return relevance less the mean redundancy."""
    return relevance - redundancy / max(n_picked, 1)


def ami(relevance: Array, redundancy: Array) -> Array:
    """Return relevance less the sum of redundancies."""
    return relevance - redundancy


def scls(relevance: Array, redundancy: Array, entropy: Array) -> Array:
    """Return relevance scaled by the share of the entropy that is not redundant.

    A feature without entropy has no relevance to scale: 0.
    """
    share = redundancy / np.maximum(entropy, np.finfo(np.float64).tiny)
    return np.asarray(relevance * (1 - share))


def given_other_labels(relevance: Array, label_pairs: Array, n_labels: int) -> Array:
    """Return the sum over ordered pairs of labels of I(f; l | l')."""
    return np.asarray((n_labels - 1) * relevance - 2 * label_pairs)


def lrfs(
    relevance: Array,
    label_pairs: Array,
    redundancy: Array,
    n_labels: int,
    n_picked: int,
) -> Array:
    """Return what f tells of each label given each other, less mean redundancy."""
    told = given_other_labels(relevance, label_pairs, n_labels)
    return told - redundancy / max(n_picked, 1)


def d2f(relevance: Array, interaction: Array) -> Array:
    """Return relevance less the sum of interactions."""
    return relevance - interaction


def pmu(relevance: Array, label_pairs: Array, interaction: Array) -> Array:
    """Return relevance less the label pairs and the sum of interactions."""
    return relevance - label_pairs - interaction


def fimf(relevance: Array, label_pairs: Array) -> Array:
    """Return relevance less the label pairs."""
    return relevance - label_pairs


def mljmi(
    relevance: Array, interaction: Array, picked_relevance: float, n_picked: int
) -> Array:
    """Return the mean over picks of the sum over labels of I((f, s); l).

    ``picked_relevance`` is the sum of the relevances of the picks; it moves all
    features alike.
    """
    picks = max(n_picked, 1)
    return relevance - interaction / picks + picked_relevance / picks


def mdmr(
    relevance: Array, redundancy: Array, interaction: Array, n_picked: int
) -> Array:
    """Return relevance less the mean of I(f; s) - sum over l of I(f; l | s)."""
    if n_picked == 0:
        return relevance.copy()
    return 2 * relevance - (redundancy + interaction) / n_picked
