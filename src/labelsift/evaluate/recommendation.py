"""``recommend``: a table in, a fitted selector with its evidence out."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from labelsift.evaluate.recommended_selector import RecommendedSelector
from labelsift.read.dataset import Dataset


def recommend(X: Any, Y: Any = None, **settings: Any) -> RecommendedSelector:
    """Return which features to keep, as a fitted transformer with its evidence.

    Parameters
    ----------
    X : array-like, sparse matrix, data frame or Dataset
        Features. A ``Dataset`` brings its labels, names, costs and nominal columns.
    Y : array-like, sparse matrix or data frame, optional
        0/1 labels, or a class vector; left out if ``X`` is a Dataset.
    **settings
        As for :class:`RecommendedSelector`.

    Returns
    -------
    RecommendedSelector
        Fitted. Ctrl-C ends the search with the methods that are through by then, if
        there are any; ``interrupted_`` and ``left_out_`` say so.

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift.evaluate import recommend
    >>> rng = np.random.default_rng(0)
    >>> noise, coins = rng.normal(size=(80, 6)), rng.integers(0, 2, (80, 2))
    >>> found = recommend(noise, coins, cv=4, inner_cv=3)
    >>> found.justified_, found.reason_[:31]
    (False, 'No selection can be justified: ')
    """
    selector = RecommendedSelector(**settings)
    dataset = X if isinstance(X, Dataset) else None
    if dataset is not None:
        if Y is not None:
            raise ValueError("Y must be left out: the Dataset given as X has labels.")
        X, Y = dataset.X, dataset.Y
        if selector.costs is None and dataset.test_costs is not None:
            selector.set_params(costs=dataset.test_costs)
        if selector.categorical_features is None and dataset.is_nominal.any():
            selector.set_params(categorical_features=dataset.is_nominal)
    elif Y is None:
        raise ValueError("Y is missing: give the labels, or a Dataset as X.")
    clone(selector)  # what cannot be cloned should not fail after the search
    selector._validate_params()
    return selector._recommend(X, Y, dataset, finishes=True)
