"""Classifier chain: each label's classifier also reads the labels before it."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from labelsift._sklearn import StrOptions
from labelsift.learn._sub_problem import SubProblem, fit_sub_problems
from labelsift.learn._transformation import TransformationClassifier

Array = np.ndarray[Any, Any]


class ClassifierChain(TransformationClassifier):
    """Learn labels one after the other; each reads X and the labels before it.

    Beside scikit-learn's, it takes labels that all training rows have, or none, and
    any form of ``y``, and puts the score of every label into one matrix whether the
    base classifier has probabilities or not.

    Parameters
    ----------
    base : estimator or None, default=None
        scikit-learn classifier; None takes the pruned entropy tree ``EntropyTree()``.
    order : array-like of int, {"random"} or None, default=None
        Labels in the order of the chain; None takes them as they come.
    scores : {"auto", "votes"}, default="auto"
        As in ``BinaryRelevance``.
    random_state : int, RandomState or None, default=None
        Draws ``order="random"``.

    Attributes
    ----------
    order_ : ndarray of shape (n_labels,), int64
        Labels in the order of the chain.
    estimators_ : list
        The fitted base classifiers in that order; None where all rows agree.
    classes_ : ndarray
        0 .. n_labels - 1, or the classes where ``y`` was a class vector.
    label_names_in_ : ndarray of shape (n_labels,), object
        Names of the labels.

    Raises
    ------
    ValueError
        If ``y`` holds anything but 0 and 1, or ``order`` does not name each label once.

    Notes
    -----
    Training reads the true labels, prediction the predicted ones (0/1). A label is
    predicted when its score is at least one half. Cost: O(n_labels) fits on up to
    n_features + n_labels - 1 columns.

    References
    ----------
    .. [1] Read, Pfahringer, Holmes, Frank. Classifier chains for multi-label
       classification. Machine Learning 85(3), 2011, 333-359.
       doi:10.1007/s10994-011-5256-5

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from labelsift.learn import ClassifierChain
    >>> X = [[0, 5], [1, 4], [5, 5], [6, 4], [0, 1], [6, 0]]
    >>> Y = [[0, 1], [0, 1], [1, 1], [1, 1], [0, 0], [1, 0]]
    >>> ClassifierChain(GaussianNB()).fit(X, Y).predict([[6, 5], [1, 0]]).tolist()
    [[1, 1], [0, 0]]
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **TransformationClassifier._parameter_constraints,
        "order": [StrOptions({"random"}), "array-like", None],
        "scores": [StrOptions({"auto", "votes"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        base: Any = None,
        *,
        order: Any = None,
        scores: str = "auto",
        random_state: Any = None,
    ) -> None:
        super().__init__(base)
        self.order = order
        self.scores = scores
        self.random_state = random_state

    def _fit_labels(self, X: Any, Y: Array) -> None:
        self.order_ = self._chain(Y.shape[1])
        before = Y[:, self.order_].astype(np.float64)
        self._models = [
            fit_sub_problems(
                self._base(),
                X,
                [
                    SubProblem(
                        self._label(label),
                        Y[:, label].astype(np.int64),
                        extra=before[:, :place] if place else None,
                    )
                ],
                None,
            )[0]
            for place, label in enumerate(self.order_)
        ]
        self.estimators_ = [model.estimator for model in self._models]

    def _chain(self, n_labels: int) -> Array:
        if self.order is None:
            return np.arange(n_labels)
        if isinstance(self.order, str):
            random = check_random_state(self.random_state)
            return np.asarray(random.permutation(n_labels))
        order = np.asarray(self.order)
        if order.shape != (n_labels,) or set(order.tolist()) != set(range(n_labels)):
            raise ValueError(
                f"order must name each of the labels 0 to {n_labels - 1} once; found "
                f"{self.order!r}."
            )
        return order.astype(np.int64)

    def _answers(self, X: Any) -> tuple[Array, Array]:
        scores = np.empty((X.shape[0], self.n_labels_in_))
        before = np.empty((X.shape[0], self.n_labels_in_))
        for place, (label, model) in enumerate(
            zip(self.order_, self._models, strict=True)
        ):
            extra = before[:, :place] if place else None
            scores[:, label] = model.positive(X, self.scores, extra)
            before[:, place] = scores[:, label] >= 0.5
        return scores >= 0.5, scores
