"""From one score a label to one score a feature; scaling labels to each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.score.ranking import rounded

AGGREGATES = ("mean", "max", "min")
LABEL_NORMS = ("dl", "dm", "rank")


def scale_labels(table: np.ndarray[Any, Any], how: str | None) -> np.ndarray[Any, Any]:
    """Put the scores of all labels on one scale.

    Parameters
    ----------
    table : ndarray of shape (n_features, n_labels), float64
        Scores, none negative.
    how : {None, "dl", "dm", "rank"}
        As they are; divided by the label's Euclidean norm over the features; divided
        by its largest score; or the share of the other features that a feature beats
        (at 12 significant digits).

    Returns
    -------
    ndarray of shape (n_features, n_labels), float64
        Scaled scores. A label whose scores are all 0 keeps them. Divided by an
        infinite score, infinite scores count as equal and finite ones are 0.
    """
    if how is None:
        return table
    if how == "rank":
        return _beaten(table)
    infinite = np.isinf(table)
    if infinite.any():
        table = np.where(infinite.any(axis=0), infinite.astype(np.float64), table)
    most = table.max(axis=0)
    most[most == 0] = 1.0
    scaled: np.ndarray[Any, Any] = table / most
    if how == "dl":
        norm = np.sqrt(column_sums(scaled * scaled))  # 0, or at least 1
        scaled /= np.maximum(norm, 1.0)
    return scaled


def aggregate(table: np.ndarray[Any, Any], how: str) -> np.ndarray[Any, Any]:
    """Return the mean, maximum or minimum over labels of each feature.

    Parameters
    ----------
    table : ndarray of shape (n_features, n_labels), float64
        Scores.
    how : {"mean", "max", "min"}
        What to take.

    Returns
    -------
    ndarray of shape (n_features,), float64
        One score a feature.
    """
    result: np.ndarray[Any, Any]
    if how == "mean":
        infinite = np.isinf(table).any(axis=1)
        finite = np.where(infinite[:, None], 0.0, table) if infinite.any() else table
        result = column_sums(finite.T) / table.shape[1]
        result[infinite] = table[infinite].sum(axis=1)
    elif how == "max":
        result = table.max(axis=1)
    else:
        result = table.min(axis=1)
    return result


def column_sums(table: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the sums of columns, row after row, with rounding errors carried along.

    The order of the rows changes nothing but, very rarely, the last bit.
    """
    total, error = carried_sums(table)
    sums: np.ndarray[Any, Any] = total + error
    return sums


def carried_sums(
    table: np.ndarray[Any, Any],
    before: tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]] | None = None,
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return sums of columns and what rounding took from them.

    Parameters
    ----------
    table : ndarray of shape (n_rows, n_columns), float64
        What to add.
    before : pair of ndarray of shape (n_columns,), optional
        The sums and errors of the rows before these.

    Returns
    -------
    total, error : ndarray of shape (n_columns,), float64
        Their sum is the answer.
    """
    total, error = before or (np.zeros(table.shape[1]), np.zeros(table.shape[1]))
    for row in table:
        s = total + row
        back = s - total
        error = error + ((total - (s - back)) + (row - back))
        total = s
    return total, error


def _beaten(table: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    d = table.shape[0]
    shares = np.zeros_like(table)
    for label in range(table.shape[1]):
        scores = rounded(table[:, label])
        shares[:, label] = np.searchsorted(np.sort(scores), scores, side="left")
    shares /= max(d - 1, 1)
    return shares
