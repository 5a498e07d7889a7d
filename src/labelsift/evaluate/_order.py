"""Read the order of the features from any fitted selector."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelsift.score.ranking import order_from_scores

Array = np.ndarray[Any, Any]


def order_of(selector: Any, n_features: int) -> tuple[Array, Array | None]:
    """Return the order, best first, and the scores of a fitted selector.

    Reads ``order_``, ``scores_``, ``feature_importances_`` or ``ranking_`` (RFE's: 1
    is best), whichever comes first. NaN scores, as scikit-learn gives to constant
    features, rank last.
    """
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
