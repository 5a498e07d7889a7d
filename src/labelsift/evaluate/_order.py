"""Read the order of the features from any fitted selector."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from labelsift.score.ranking import order_from_scores

Array = np.ndarray[Any, Any]


def order_of(selector: Any, n_features: int) -> tuple[Array, Array | None]:
    """Return the order, best first, and the scores of a fitted selector.

    Reads ``order_``, ``scores_``, ``feature_importances_`` or ``ranking_`` (RFE's: 1
    is best), whichever comes first. NaN scores, as scikit-learn gives to constant
    features, rank last.

    Of a pipeline the last step is read. The steps before it may scale and impute, and
    may drop columns, which then rank last; they must not make new ones.
    """
    if isinstance(selector, Pipeline):
        return _order_of_steps(selector, n_features)
    scores = None
    for name in ("scores_", "feature_importances_"):
        if getattr(selector, name, None) is not None:
            scores = np.asarray(getattr(selector, name), dtype=np.float64)
            if scores.shape != (n_features,):
                raise ValueError(
                    f"{type(selector).__name__}.{name} has shape {scores.shape}; one "
                    f"score for each of the {n_features} features is needed."
                )
            scores = np.where(np.isnan(scores), -np.inf, scores)
            break
    if getattr(selector, "order_", None) is not None:
        order = np.asarray(selector.order_, dtype=np.int64)
    elif scores is not None:
        order = order_from_scores(scores)
    elif getattr(selector, "ranking_", None) is not None:
        order = np.argsort(np.asarray(selector.ranking_), kind="stable")
    else:
        raise TypeError(
            f"{type(selector).__name__} has no ranking to cut: none of order_, "
            "scores_, feature_importances_ and ranking_ is there after fit."
        )
    order = order.astype(np.int64)
    if not np.array_equal(np.sort(order), np.arange(n_features)):
        raise ValueError(
            f"the order of {type(selector).__name__} is not a permutation of the "
            f"{n_features} features."
        )
    return order, scores


def kept_of(selector: Any, n_features: int) -> Array:
    """Return the columns that a fitted selector keeps by itself, ascending.

    Raises
    ------
    TypeError
        If it has no ``get_support``.
    ValueError
        If it keeps none.
    """
    if isinstance(selector, Pipeline):
        columns = _columns_of_last(selector, n_features)
        return columns[kept_of(selector[-1], len(columns))]
    if not hasattr(selector, "get_support"):
        raise TypeError(
            f"{type(selector).__name__} keeps no number of features of its own: it has "
            "no get_support."
        )
    kept = np.asarray(selector.get_support(indices=True), dtype=np.int64)
    if not len(kept):
        raise ValueError(f"{type(selector).__name__} keeps no feature.")
    return kept


def kept_first(selector: Any, n_features: int) -> tuple[Array, Array | None, int]:
    """Return an order with the kept features first, the scores, and how many are kept.

    A selector that only says which features it keeps has them in column order.
    """
    kept = kept_of(selector, n_features)
    try:
        order, scores = order_of(selector, n_features)
    except TypeError:
        order, scores = np.arange(n_features), None
    is_kept = np.zeros(n_features, dtype=bool)
    is_kept[kept] = True
    mask = is_kept[order]
    return np.concatenate([order[mask], order[~mask]]), scores, len(kept)


def _order_of_steps(pipeline: Pipeline, n_features: int) -> tuple[Array, Array | None]:
    columns = _columns_of_last(pipeline, n_features)
    order, scores = order_of(pipeline[-1], len(columns))
    if np.array_equal(columns, np.arange(n_features)):
        return order, scores
    dropped = np.setdiff1d(np.arange(n_features), columns)
    if scores is not None:
        known, scores = scores, np.full(n_features, -np.inf)
        scores[columns] = known
    return np.concatenate([columns[order], dropped]), scores


def _columns_of_last(pipeline: Pipeline, n_features: int) -> Array:
    """Return the column of X that each column is that the last step sees."""
    if len(pipeline.steps) == 1:
        return np.arange(n_features)
    before = pipeline[:-1]
    try:
        found = before.get_feature_names_out([f"x{i}" for i in range(n_features)])
    except AttributeError:  # a step that does not say what comes out of it
        seen = getattr(pipeline[-1], "n_features_in_", None)
        found = [f"x{i}" for i in range(n_features)] if seen == n_features else [""]
    place = {f"x{i}": i for i in range(n_features)}
    unknown = [name for name in found if name not in place]
    if unknown:
        what = f"first {unknown[0]!r}" if unknown[0] else "it does not say which"
        raise TypeError(
            "the steps before the selector make columns of which it cannot be told "
            f"which feature each is ({what}). Only steps that scale, impute or drop "
            "columns can stand before a selector."
        )
    return np.array([place[name] for name in found], dtype=np.int64)
