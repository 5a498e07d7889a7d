"""Heat maps: which labels the features serve, which features repeat each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.evaluate.stability import absolute_correlations
from labelsift.report.heat_map import block_order, heat_top
from labelsift.report.plots._arguments import (
    check_selector,
    column_names,
    column_places,
    names_for,
    number_table,
    refuse_complex,
)
from labelsift.report.plots._axes import axes, name_ticks

_MAP = "cividis"  # even in lightness, and the same to all kinds of eyes
_MOST_NAMES = 60
_SCORES = "a table of features by labels, or a fitted selector"
_ROWS = "a table of numbers, rows by features"


def label_heat_map(
    scores: Any,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    *,
    name: str = "score",
    ax: Any = None,
) -> Any:
    """Draw features by labels, ordered so that blocks show.

    Parameters
    ----------
    scores : array-like of shape (n_features, n_labels), or fitted selector
        How much each feature serves each label. Of a selector the kept features are
        drawn, with its ``scores_per_label_`` and names.
    feature_names, label_names : sequence of str, optional
        Names of rows and columns; places from 0 by default.
    name : str, default="score"
        What the colours mean.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        One image. Its top colour is the 98th percentile of what is above 0, so that one
        outlier does not bleach the rest; NaN stays white.

    Examples
    --------
    >>> ax = label_heat_map([[3, 0], [0, 2], [2, 0]], ["a", "b", "c"], ["x", "y"])
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['a', 'c', 'b']
    """
    kept: Any = None
    if hasattr(scores, "get_support"):
        check_selector(scores, "scores", _SCORES)
        kept = scores.get_support(indices=True)
        table = getattr(scores, "scores_per_label_", None)
        if table is None:
            raise ValueError(
                f"{type(scores).__name__} scores no labels one by one: give a table."
            )
        names = getattr(scores, "feature_names_in_", range(scores.n_features_in_))
        if feature_names is None:
            feature_names = [str(names[i]) for i in kept]
        if label_names is None and len(getattr(scores, "label_names_in_", ())):
            label_names = [str(label) for label in scores.label_names_in_]
        scores = np.asarray(table)[kept]
    values = number_table(scores, "scores", _SCORES)
    rows = names_for(feature_names, values.shape[0], "feature_names")
    columns = names_for(label_names, values.shape[1], "label_names")
    down, across = block_order(values), block_order(values.T)
    ax = _image(
        ax,
        values[np.ix_(down, across)],
        [rows[i] for i in down],
        [columns[j] for j in across],
        name,
        heat_top(values) or 1.0,
    )
    ax.set_xlabel("label")
    ax.set_ylabel("feature")
    return ax


def redundancy_map(
    X: Any,
    columns: Any = None,
    feature_names: Sequence[str] | None = None,
    *,
    ax: Any = None,
) -> Any:
    """Draw how much the chosen features repeat each other.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Features, NaN where missing.
    columns : sequence of int or str, or mask, optional
        The chosen ones, as ``get_support()`` gives them with or without ``indices``, or
        by name where ``X`` is a data frame or ``feature_names`` are given; all by
        default.
    feature_names : sequence of str, optional
        Names of all features of ``X``; those of its columns where it is a data frame,
        places from 0 otherwise.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The absolute correlations, from 0 to 1, with like features side by side.

    Examples
    --------
    >>> ax = redundancy_map([[0, 1, 0], [1, 0, 2], [2, 1, 4]], feature_names="abc")
    >>> ax.images[0].get_array().shape
    (3, 3)
    """
    refuse_complex(X, "X", _ROWS)
    if feature_names is None:
        feature_names = column_names(X)
    table = (
        X if sparse.issparse(X) and 0 not in X.shape else number_table(X, "X", _ROWS)
    )
    n_features = table.shape[1]
    names = names_for(feature_names, n_features, "feature_names")
    known = None if feature_names is None else names
    chosen = column_places(columns, n_features, known)
    values = absolute_correlations(table, chosen)
    order = block_order(values)
    shown = [names[i] for i in chosen[order]]
    return _image(ax, values[np.ix_(order, order)], shown, shown, "|correlation|", 1.0)


def _image(
    ax: Any,
    values: Any,
    rows: Sequence[str],
    columns: Sequence[str],
    name: str,
    top: float,
) -> Any:
    n, m = values.shape
    ax = axes(ax, min(max(2.8 + 0.26 * m, 4.8), 12.0), min(2.2 + 0.24 * n, 14.0))
    image = ax.imshow(
        np.ma.masked_invalid(values), cmap=_MAP, vmin=0, vmax=top, aspect="auto"
    )
    for which, names in (("x", columns), ("y", rows)):
        step = max(1, -(-len(names) // _MOST_NAMES))
        places = range(0, len(names), step)
        turned: dict[str, Any] = {"fontsize": "small"}
        if which == "x":
            turned |= {"rotation": 60, "ha": "right", "rotation_mode": "anchor"}
        name_ticks(ax, which, places, [names[i] for i in places], **turned)
    ax.tick_params(length=0)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.figure.colorbar(
        image, ax=ax, label=name, extend="max" if top != 1.0 else "neither"
    )
    return ax
